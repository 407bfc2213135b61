package docserver

import (
	"context"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/mcp"
)

// docTool returns the tool that reads the prose of a language's packages.
func docTool(l *ecosystem.Info) tool {
	return tool{
		l.Tool(docName),
		"README, guides and changelog of " + l.Help.Noun + ". What does not fit is listed by ID.",
		[]argument{
			packageName(l),
			text("section", "ID, title, file or folder"),
			text("query", ""),
			projectPath(),
			text("version", ""),
			number("maxLength", 500, 1_000_000, 20_000),
		},
	}
}

type docInput struct {
	Package     string `json:"package"`
	Version     string `json:"version"`
	ProjectPath string `json:"projectPath"`
	Section     string `json:"section"`
	Query       string `json:"query"`
	MaxLength   int    `json:"maxLength"`
}

var advice = answer.Hints{Section: "with section", Query: "with query", Larger: "set a larger maxLength", Project: "Pass projectPath"}

// doc answers calls to a language's doc tool.
func (s *server) doc(l *ecosystem.Info) func(context.Context, *mcp.Request, docInput) (*answer.Answer, error) {
	return func(ctx context.Context, req *mcp.Request, in docInput) (*answer.Answer, error) {
		if err := inBounds(in.Package, in.Section, in.Query, in.Version); err != nil {
			return nil, err
		}
		project, err := s.project(ctx, req, string(l.ID), in.ProjectPath, in.Package, in.Version)
		if err != nil {
			return nil, err
		}
		return s.lookup.Prose(ctx, lookup.Prose{
			Package: lookup.Package{Language: string(l.ID), Name: in.Package, Version: in.Version, Project: project},
			Section: in.Section, Query: in.Query, Limit: in.MaxLength, More: advice,
		})
	}
}
