package docserver

import (
	"context"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/mcp"
)

// searchTool returns the tool that searches packages of all languages.
func (s *server) searchTool() tool {
	languages := s.lookup.Languages()
	versioned := languages.Each(func(l *ecosystem.Info) string { return l.Help.Versioned })
	return tool{
		searchName,
		`Finds what does a thing, in a package, its subpackages and their prose, when you do not know its name. Search for several things in one call: "request timeout; retry with backoff". ` +
			`The best matches of each come in full with what a call needs, others as lines. Parts and initials of names match too (nrwc: NewRequestWithContext).`,
		[]argument{
			text("package", "as imported, with or without version: "+strings.Join(versioned, ", ")+"; default: all that the project depends on"),
			required("query", "searches separated by semicolons: words, names"),
			choice("language", languages),
			flag("fuzzy"),
			projectPath(),
			maxTokens(),
		},
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

func (s *server) search(ctx context.Context, req *mcp.Request, in searchInput) (*answer.Answer, error) {
	if err := inBounds(in.Package, in.Query); err != nil {
		return nil, err
	}
	project, err := s.project(ctx, req, in.Language, in.ProjectPath, in.Package)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Package) == "" {
		return s.searchAll(ctx, req, in, project)
	}
	language, err := s.lookup.LanguageOf(ctx, lookup.Package{Language: in.Language, Name: in.Package, Project: project})
	if err != nil {
		return nil, err
	}
	a, _, err := s.lookup.Search(ctx, lookup.Search{
		Package: lookup.Package{Language: string(language.ID), Name: in.Package, Project: project},
		Query:   in.Query, Fuzzy: in.Fuzzy,
		Options: answer.Options{MaxTokens: in.MaxTokens, Guide: guide(language)},
	})
	return a, err
}

// searchAll searches the dependencies of the project.
func (s *server) searchAll(ctx context.Context, req *mcp.Request, in searchInput, project string) (*answer.Answer, error) {
	if project == "" && s.lookup.SearchesEverything() {
		return s.searchEverything(ctx, in)
	}
	about := lookup.Package{Language: in.Language, Project: project}
	language, err := s.lookup.LanguageOfProject(about)
	if err != nil {
		return nil, err
	}
	ask := guide(language)
	ask.Symbol = "call " + language.Tool(describeName) + ` with the package and symbol="%s"`
	search := lookup.Dependencies{
		Search: lookup.Search{Package: about, Query: in.Query, Options: answer.Options{MaxTokens: in.MaxTokens, Guide: ask}},
	}
	if req != nil {
		search.Progress = func(done, all int) {
			req.Progress(float64(done), float64(all), "reading the project's dependencies")
		}
	}
	a, _, err := s.lookup.SearchDependencies(ctx, search)
	return a, err
}

// searchEverything searches all packages that the replicas of the server have read.
func (s *server) searchEverything(ctx context.Context, in searchInput) (*answer.Answer, error) {
	ask := guide(s.lookup.Languages()[0].Info())
	ask.Symbol, ask.Section = `call the `+describeName+` tool of its language with the package and symbol="%s"`, ""
	a, _, err := s.lookup.SearchEverything(ctx, lookup.Search{
		Package: lookup.Package{Language: in.Language}, Query: in.Query, Options: answer.Options{MaxTokens: in.MaxTokens, Guide: ask},
	})
	return a, err
}
