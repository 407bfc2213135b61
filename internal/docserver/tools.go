package docserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/mcp"
)

// readOnly annotates tools that change nothing and may ask registries.
var readOnly = &mcp.ToolAnnotations{ReadOnly: true, OpenWorld: new(true)}

var describeGoTool = mcp.Tool{
	Name:        "describe_go_package",
	Title:       "Describe a Go package",
	Annotations: readOnly,
	Description: `Documentation of a Go package or of one of its symbols, at the version that the project uses: signatures as go doc prints them, doc comments, examples, deprecation, file and line.

Covers the standard library, modules, vendored packages, and the project's own packages (projectPath), whose code never leaves this machine. Without symbol: the package comment and all exported declarations, shortened to fit maxTokens; what is left out is counted. With symbol: everything about that one. A symbol that does not exist is an error that lists the nearest names.`,
}

type describeGoInput struct {
	Package     string `json:"package" jsonschema:"import path, such as encoding/json or golang.org/x/time/rate, or a directory of the project, such as ./internal/db" minLength:"1" maxLength:"1024"`
	Symbol      string `json:"symbol,omitempty" jsonschema:"symbol within the package: Marshal, Client.Do, Server.Addr" maxLength:"1024"`
	ProjectPath string `json:"projectPath,omitempty" jsonschema:"absolute directory of the project whose go.mod, go.work or vendor directory choose the version; by default the server's working directory if it is in a project" maxLength:"4096"`
	Version     string `json:"version,omitempty" jsonschema:"version to describe instead of the project's: v1.8.0, latest, a range such as v1 or <v1.9.0, a branch or a commit" maxLength:"256"`
	Platform    string `json:"platform,omitempty" jsonschema:"GOOS/GOARCH whose files to read, such as windows/amd64; by default this machine's" maxLength:"64"`
	MaxTokens   int    `json:"maxTokens,omitempty" jsonschema:"about how many tokens the answer may have" minimum:"500" maximum:"200000" default:"8000"`
}

// described is an answer with its text beside its data.
type described struct{ answer.Answer }

// ToolContent implements mcp.ContentProvider.
func (d described) ToolContent() []mcp.Content { return []mcp.Content{mcp.Text(d.Markdown())} }

func (s *server) describeGo(ctx context.Context, _ *mcp.Request, in describeGoInput) (described, error) {
	p, err := s.read(ctx, apidoc.Go, in.ProjectPath, ecosystem.Query{Package: in.Package, Version: in.Version, Platform: in.Platform})
	if err != nil {
		return described{}, err
	}
	o := answer.Options{MaxTokens: in.MaxTokens, Guide: guide(apidoc.Go)}
	if in.Symbol == "" {
		return described{*p.book().Package(o)}, nil
	}
	symbol, err := find(p.Package, in.Symbol)
	if err != nil {
		return described{}, err
	}
	return described{*answer.Symbol(p.Package, symbol, o)}, nil
}

var searchTool = mcp.Tool{
	Name:        "search_package_docs",
	Title:       "Search the documentation of a package",
	Annotations: readOnly,
	Description: `Finds symbols and sections (of README, guides, examples) of one package, best match first, by name (readall, client do), by parts and initials of names (nrwc finds NewRequestWithContext), and by words of signatures, documentation and examples (limit the time of a request).

Use it when you know the package but not the name. Each match comes with its signature or section ID and the sentence that matches; describe the symbol, or read the section, for the rest.`,
}

type searchInput struct {
	Package     string `json:"package" jsonschema:"name as a program imports it, such as net/http; it may carry a version: golang.org/x/time/rate@v0.9.0, axios@1" minLength:"1" maxLength:"1024"`
	Query       string `json:"query" jsonschema:"words, or a name or part of one" minLength:"1" maxLength:"1000"`
	Language    string `json:"language" jsonschema:"language of the package" enum:"go,npm"`
	Fuzzy       bool   `json:"fuzzy,omitempty" jsonschema:"also find names and words that are spelled a little differently" default:"true"`
	ProjectPath string `json:"projectPath,omitempty" jsonschema:"absolute directory of the project that chooses the version; by default the server's working directory if it is in a project" maxLength:"4096"`
	MaxTokens   int    `json:"maxTokens,omitempty" jsonschema:"about how many tokens the answer may have" minimum:"500" maximum:"200000" default:"8000"`
}

// found is what a search found, with its text beside its data.
type found struct{ answer.Results }

// ToolContent implements mcp.ContentProvider.
func (f found) ToolContent() []mcp.Content { return []mcp.Content{mcp.Text(f.Markdown())} }

// maxHits is how many matches a search shows at most.
const maxHits = 50

func (s *server) search(ctx context.Context, _ *mcp.Request, in searchInput) (found, error) {
	p, err := s.read(ctx, apidoc.Ecosystem(in.Language), in.ProjectPath, ecosystem.Query{Package: in.Package})
	if err != nil {
		return found{}, err
	}
	hits, total := p.index().Search(in.Query, search.Options{Fuzzy: in.Fuzzy, Limit: maxHits})
	return found{*answer.Search(p.Package, in.Query, hits, total, answer.Options{MaxTokens: in.MaxTokens, Guide: guide(p.Ecosystem)})}, nil
}

// read asks the store for a package within the project of the question, or of
// the working directory if that is one.
func (s *server) read(ctx context.Context, language apidoc.Ecosystem, projectPath string, q ecosystem.Query) (*ready, error) {
	dir, err := directory(projectPath)
	if err != nil {
		return nil, err
	}
	if dir == "" && s.store.HasProject(language, s.dir) {
		dir = s.dir
	}
	q.ProjectDir = dir
	p, err := s.store.Describe(ctx, language, q)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("%s was not read in time: %w", q.Package, err)
	}
	if err != nil {
		return nil, err
	}
	return s.shelf.of(p), nil
}

// directory reads projectPath, which agents give as a path or as a file URI.
func directory(projectPath string) (string, error) {
	path := strings.TrimSpace(projectPath)
	if path == "" {
		return "", nil
	}
	if strings.HasPrefix(path, "file:") {
		u, err := url.Parse(path)
		if err != nil || u.Path == "" || u.Host != "" && u.Host != "localhost" {
			return "", fmt.Errorf("projectPath %q is not a file of this machine: give an absolute directory", projectPath)
		}
		path = u.Path
		if len(path) > 2 && path[0] == '/' && path[2] == ':' {
			path = path[1:] // file:///C:/src
		}
	}
	path = filepath.FromSlash(path)
	if !filepath.IsAbs(path) {
		return "", fmt.Errorf("projectPath %q is relative, and the server does not know to what: give an absolute directory", projectPath)
	}
	return path, nil
}
