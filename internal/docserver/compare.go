package docserver

import (
	"cmp"
	"context"
	"log/slog"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/mcp"
)

// compareTool returns the tool that compares two versions of a package.
func (s *server) compareTool() tool {
	return tool{
		compareName,
		`What changes with an upgrade, breaking changes first. Covers what the project's code uses and where, or symbol if given.`,
		[]argument{
			required("package", "NAME, or NAME@VERSION for another old version"),
			text("newVersion", "default: newest"),
			text("symbol", "names or patterns; * for all"),
			choice("language", s.lookup.Languages()),
			projectPath(),
			maxTokens(),
		},
	}
}

type compareInput struct {
	Package     string `json:"package"`
	NewVersion  string `json:"newVersion"`
	Symbol      string `json:"symbol"`
	Language    string `json:"language"`
	ProjectPath string `json:"projectPath"`
	MaxTokens   int    `json:"maxTokens"`
}

func (in compareInput) logged() []slog.Attr {
	return texts("package", in.Package, "newVersion", in.NewVersion, "symbol", in.Symbol, "language", in.Language, "project", in.ProjectPath)
}

func (s *server) compare(ctx context.Context, req *mcp.Request, in compareInput) (*answer.Answer, error) {
	if err := inBounds(in.Package, in.NewVersion, in.Symbol, in.Language); err != nil {
		return nil, err
	}
	project, err := s.project(ctx, req, in.Language, in.ProjectPath, in.Package, in.NewVersion)
	if err != nil {
		return nil, err
	}
	q := lookup.Package{Language: in.Language, Name: in.Package, Project: project}
	language, err := s.lookup.LanguageOf(ctx, q)
	if err != nil {
		return nil, err
	}
	q.Language = string(language.ID)
	c := lookup.Comparison{Old: q, New: q, Symbols: in.Symbol, Used: in.Symbol == "", Types: s.types}
	c.New.Name, c.New.Version = "", in.NewVersion
	if i := strings.LastIndex(in.NewVersion, "@"); i >= 0 { // The new version has another name.
		c.New.Name, c.New.Version = in.NewVersion[:i], in.NewVersion[i+1:]
	}
	if strings.TrimSpace(c.Symbols) == "*" {
		c.Symbols = ""
	}
	report, err := s.lookup.Compare(ctx, c)
	if err != nil {
		return nil, err
	}
	tokens := cmp.Or(in.MaxTokens, answer.DefaultMaxTokens)
	return &answer.Answer{Text: report.Text(answer.Notice, answer.Bytes(tokens), compare.Hints{
		All: "set symbol to * for them", Narrow: "request single symbols", Larger: "set a larger maxTokens",
	})}, nil
}
