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

var npmDocTool = mcp.Tool{
	Name:        "get_npm_package_doc",
	Title:       "Read the documentation of an npm package",
	Annotations: readOnly,
	Description: `The README, guides, examples and changelog that an npm package brings, as clean Markdown, at the version that the project uses. Badges, sponsors, contributors and licences are left out.

Without section and query: the README from its beginning. With section: that one and those below it, by ID (readme/options, docs/guides/hooks, examples/basic, changelog), title, file (docs/api.md) or folder (docs, examples). With query: the sections that match best. What does not fit maxLength is listed by the ID under which it can be asked for. For signatures use describe_npm_package.`,
}

type npmDocInput struct {
	Package     string `json:"package" jsonschema:"name as a program imports it, such as axios or @tanstack/react-query" minLength:"1" maxLength:"1024"`
	Version     string `json:"version,omitempty" jsonschema:"version to read instead of the project's: 1.2.3, a range such as ^1.2, or a tag such as latest" maxLength:"256"`
	ProjectPath string `json:"projectPath,omitempty" jsonschema:"absolute directory of the project that chooses the version; by default the server's working directory if it is in a project" maxLength:"4096"`
	Section     string `json:"section,omitempty" jsonschema:"section to read: its ID, title, file or folder" maxLength:"512"`
	Query       string `json:"query,omitempty" jsonschema:"words that the sections to read should be about" maxLength:"1000"`
	MaxLength   int    `json:"maxLength,omitempty" jsonschema:"how many bytes the whole answer may have" minimum:"500" maximum:"1000000" default:"20000"`
}

var way = answer.Way{Section: "with section", Query: "with query", Larger: "set a larger maxLength"}

// prose is an answer with its text beside its data.
type prose struct{ answer.Prose }

// ToolContent implements mcp.ContentProvider.
func (p prose) ToolContent() []mcp.Content { return []mcp.Content{mcp.Text(p.Markdown())} }

func (s *server) npmDoc(ctx context.Context, _ *mcp.Request, in npmDocInput) (prose, error) {
	p, err := s.read(ctx, apidoc.NPM, in.ProjectPath, ecosystem.Query{Package: in.Package, Version: in.Version})
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
			return prose{}, fmt.Errorf("no section of the documentation of %s is about %q: ask with fewer or other words, without query to see what there is, or search its symbols with search_package_docs", p.Name, in.Query)
		}
	}
	return prose{*answer.Sections(p.Package, asked, in.MaxLength, way)}, nil
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
