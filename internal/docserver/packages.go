package docserver

import (
	"cmp"
	"context"
	"log/slog"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/mcp"
)

// packagesTool returns the tool that lists a project's dependencies.
func (s *server) packagesTool() tool {
	return tool{
		packagesName,
		`All packages of the project, with versions; for one package, what requires it.`,
		[]argument{text("package", ""), projectPath(), maxTokens()},
	}
}

type packagesInput struct {
	Package     string `json:"package"`
	ProjectPath string `json:"projectPath"`
	MaxTokens   int    `json:"maxTokens"`
}

func (in packagesInput) logged() []slog.Attr {
	return texts("package", in.Package, "project", in.ProjectPath)
}

func (s *server) packages(ctx context.Context, req *mcp.Request, in packagesInput) (*answer.Answer, error) {
	if err := inBounds(in.Package); err != nil {
		return nil, err
	}
	project, err := s.project(ctx, req, "", in.ProjectPath, in.Package)
	if err != nil {
		return nil, err
	}
	if project == "" {
		return nil, ecosystem.Fail(ecosystem.Invalid, "no project is specified").WithNext("set projectPath to an absolute directory")
	}
	all, err := s.lookup.Graphs(ctx, project, "")
	if err != nil {
		return nil, err
	}
	if s.projects != nil {
		project = in.ProjectPath
		for i := range all {
			all[i].Remote = project
		}
	}
	tokens := cmp.Or(in.MaxTokens, answer.DefaultMaxTokens)
	var b strings.Builder
	b.WriteString(answer.Notice + "\n")
	if name := strings.TrimSpace(in.Package); name != "" {
		found, err := depgraph.Why(&b, all, name)
		if err == nil && !found {
			err = ecosystem.Fail(ecosystem.NotFound, "the project in %s does not depend on %.200q", project, name).WithNear(depgraph.Near(all, name)...).WithNext("omit package to list the packages that it depends on")
		}
		if err != nil {
			return nil, err
		}
	} else {
		b.WriteString(depgraph.Compact(all, answer.Bytes(tokens), "set a larger maxTokens"))
	}
	return &answer.Answer{Text: b.String()}, nil
}
