package docserver

import (
	"context"
	"fmt"
	"slices"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/mcp"
)

// docTool is the tool that reads the prose of a language's packages.
func docTool(l *ecosystem.Info) mcp.Tool {
	return mcp.Tool{
		Name:        l.Tool(docName),
		Title:       "Read the documentation of " + l.Help.Noun,
		Annotations: readOnly,
		Description: "The README, guides, examples and changelog that " + l.Help.Noun + ` brings, as clean Markdown, at the version that the project uses. Badges, sponsors, contributors and licences are left out.

Without section and query: the README from its beginning. With section: that one and those below it, by ID (readme/options, docs/guides/hooks, examples/basic, changelog), title, file (docs/api.md) or folder (docs, examples). With query: the sections that match best. What does not fit maxLength is listed by the ID under which it can be asked for. For signatures use ` + l.Tool(describeName) + ".",
		InputSchema: schemaOf(
			packageName(l),
			text("version", "version to read instead of the project's: "+l.Help.Version, 256),
			projectPath("that chooses the version"),
			text("section", "section to read: its ID, title, file or folder", 512),
			text("query", "words that the sections to read should be about", 1000),
			number("maxLength", "how many bytes the whole answer may have", 500, 1_000_000, 20_000),
		),
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

var way = answer.Way{Section: "with section", Query: "with query", Larger: "set a larger maxLength"}

// prose is an answer with its text beside its data.
type prose struct{ answer.Prose }

// ToolContent implements mcp.ContentProvider.
func (p prose) ToolContent() []mcp.Content { return []mcp.Content{mcp.Text(p.Markdown())} }

// doc answers calls of a language's doc tool.
func (s *server) doc(l *ecosystem.Info) func(context.Context, *mcp.Request, docInput) (prose, error) {
	return func(ctx context.Context, _ *mcp.Request, in docInput) (prose, error) {
		p, err := s.read(ctx, string(l.ID), in.ProjectPath, ecosystem.Query{Package: in.Package, Version: in.Version})
		if err != nil {
			return prose{}, err
		}
		asked := answer.Readme(p.Sections)
		if in.Section != "" {
			if asked, err = answer.FindSections(p.Package, in.Section); err != nil {
				return prose{}, err
			}
		}
		if in.Query != "" {
			if in.Section == "" {
				asked = p.Sections
			}
			if asked = about(p, asked, in.Query); len(asked) == 0 {
				return prose{}, fmt.Errorf("no section of the documentation of %s is about %q: ask with fewer or other words, without query to see what there is, or search its symbols with %s", p.Name, in.Query, searchName)
			}
		}
		return prose{*answer.Sections(p.Package, asked, in.MaxLength, way)}, nil
	}
}

// about are the sections among those given that a query finds, best first.
func about(p *ready, among []apidoc.Section, query string) []apidoc.Section {
	only := *p.Package
	only.Symbols, only.Subpackages, only.Sections = nil, nil, among
	hits, _ := search.New(&only).Search(query, search.Options{Fuzzy: true, Limit: maxHits})
	var found []apidoc.Section
	for i := range hits {
		if hits[i].Section != nil {
			found = append(found, *hits[i].Section)
		}
	}
	return slices.Clip(found)
}
