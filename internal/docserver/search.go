package docserver

import (
	"context"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/mcp"
)

// searchTool is the tool that searches a package of any of the languages.
func searchTool(languages ecosystem.Languages) mcp.Tool {
	versioned := languages.Each(func(l *ecosystem.Info) string { return l.Help.Versioned })
	return mcp.Tool{
		Name:        searchName,
		Title:       "Search the documentation of a package",
		Annotations: readOnly,
		Description: `Finds symbols and sections (of README, guides, examples) of one package, best match first, by name (readall, client do), by parts and initials of names (nrwc finds NewRequestWithContext), and by words of signatures, documentation and examples (limit the time of a request).

Use it when you know the package but not the name. Each match comes with its signature or section ID and the sentence that matches; describe the symbol, or read the section, for the rest.`,
		InputSchema: schemaOf(
			required("package", "name as a program imports it; it may carry a version: "+strings.Join(versioned, ", "), 1024),
			required("query", "words, or a name or part of one", 1000),
			choice("language", "language of the package", languages.IDs()),
			flag("fuzzy", "also find names and words that are spelled a little differently"),
			projectPath("that chooses the version"),
			maxTokens(),
		),
	}
}

type searchInput struct {
	Package     string `json:"package"`
	Query       string `json:"query"`
	Language    string `json:"language"`
	Fuzzy       bool   `json:"fuzzy"`
	ProjectPath string `json:"projectPath"`
	MaxTokens   int    `json:"maxTokens"`
}

// found is what a search found, with its text beside its data.
type found struct{ answer.Results }

// ToolContent implements mcp.ContentProvider.
func (f found) ToolContent() []mcp.Content { return []mcp.Content{mcp.Text(f.Markdown())} }

// maxHits is how many matches a search shows at most.
const maxHits = 50

func (s *server) search(ctx context.Context, _ *mcp.Request, in searchInput) (found, error) {
	p, err := s.read(ctx, in.Language, in.ProjectPath, ecosystem.Query{Package: in.Package})
	if err != nil {
		return found{}, err
	}
	hits, total := p.index().Search(in.Query, search.Options{Fuzzy: in.Fuzzy, Limit: maxHits})
	o := answer.Options{MaxTokens: in.MaxTokens, Guide: guide(s.store.Languages().Find(in.Language).Info())}
	return found{*answer.Search(p.Package, in.Query, hits, total, o)}, nil
}
