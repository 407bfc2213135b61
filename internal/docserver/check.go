package docserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/mcp"
)

// checkTool returns the tool that checks code against the packages that it uses.
func (s *server) checkTool() tool {
	return tool{
		checkName,
		`After writing code that uses packages: finds imports, names, arguments and fields that the packages do not have at the project's versions, with what they have instead. ` +
			`Runs nothing.`,
		[]argument{
			text("files", "files or directories, comma-separated"),
			text("code", ""),
			choice("language", s.checked()),
			projectPath(),
		},
	}
}

// checked returns the languages whose source code can be checked.
func (s *server) checked() (all ecosystem.Languages) {
	for _, l := range s.store.Languages() {
		if _, ok := l.(ecosystem.SourceReader); ok {
			all = append(all, l)
		}
	}
	return all
}

type checkInput struct {
	Files       string `json:"files"`
	Code        string `json:"code"`
	Language    string `json:"language"`
	ProjectPath string `json:"projectPath"`
}

func (in checkInput) logged() []slog.Attr {
	return texts("files", in.Files, "language", in.Language, "project", in.ProjectPath)
}

// maxFindings is the maximum number of findings in one answer.
const maxFindings = 50

func (s *server) check(ctx context.Context, req *mcp.Request, in checkInput) (*answer.Answer, error) {
	if err := inBounds(in.Files, in.Language); err != nil {
		return nil, err
	}
	project, err := s.project(ctx, req, in.Language, in.ProjectPath, in.Files)
	if err != nil {
		return nil, err
	}
	c := &check.Checker{Packages: s.store, Languages: s.store.Languages(), Types: s.types, Versions: true}
	var report *check.Report
	switch files := strings.FieldsFunc(in.Files, func(r rune) bool { return r == ',' || r == '\n' }); {
	case in.Code != "":
		reader, ok := s.store.Languages().Find(in.Language).(ecosystem.SourceReader)
		switch {
		case in.Language == "":
			return nil, fmt.Errorf("the language of the code is missing; set language to one of %s", strings.Join(s.checked().IDs(), ", "))
		case !ok:
			return nil, fmt.Errorf("docent does not check code in the language %q; set language to one of %s", in.Language, strings.Join(s.checked().IDs(), ", "))
		}
		dir := project
		dir = cmp.Or(dir, s.dir)
		report, err = c.Text(ctx, dir, filepath.Join(dir, reader.SnippetName()), []byte(in.Code))
	case project == "":
		return nil, errors.New("there is no project; set projectPath, or code and language")
	case len(files) == 0:
		return nil, errors.New("set files or code")
	default:
		for i, f := range files {
			if f = strings.TrimSpace(f); !filepath.IsAbs(f) {
				f = filepath.Join(project, f)
			}
			files[i] = f
		}
		report, err = c.Paths(ctx, project, files)
	}
	if err != nil {
		return nil, err
	}
	more := len(report.Findings) - maxFindings
	if more > 0 {
		report.Findings = report.Findings[:maxFindings]
	}
	var b strings.Builder
	if err := report.Text(&b); err != nil {
		return nil, err
	}
	if more > 0 {
		fmt.Fprintf(&b, "%d more findings are not shown; check fewer files at once.\n", more)
	}
	return &answer.Answer{Text: b.String()}, nil
}
