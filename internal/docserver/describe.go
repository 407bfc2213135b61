package docserver

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/mcp"
)

// readOnly annotates tools that change nothing and may ask registries.
var readOnly = &mcp.ToolAnnotations{ReadOnly: true, OpenWorld: new(true)}

// describeTool is the tool that describes packages of a language.
func describeTool(l *ecosystem.Info) mcp.Tool {
	h := &l.Help
	description := "Documentation of " + h.Noun + " or of one of its symbols, at the version that the project uses: signatures as " + h.Signatures + ` prints them, doc comments, examples, deprecation, file and line.

Without symbol: ` + h.Overview + ", shortened to fit maxTokens; what is left out is counted. With symbol: everything about that one. A symbol that does not exist is an error that lists the nearest names."
	if h.Covers != "" {
		description += " " + h.Covers
	}
	if l.Prose {
		description += " For prose (usage, options, migration) use " + l.Tool(docName) + "."
	}
	arguments := []argument{
		packageName(l),
		text("symbol", "symbol, written as in code: "+strings.Join(h.Symbols, ", "), 1024),
		projectPath("whose " + h.Versions + " choose the version"),
		text("version", "version to describe instead of the project's: "+h.Version, 256),
	}
	if l.Platform != "" {
		arguments = append(arguments, text("platform", l.Platform, 64))
	}
	if l.OptionalTypes {
		arguments = append(arguments, flag("includeTypes", "false leaves out interfaces and type aliases, so that only what exists at run time is shown; without effect on a symbol"))
	}
	if l.OptionalExamples {
		arguments = append(arguments, flag("includeExamples", "false leaves out examples of use"))
	}
	return mcp.Tool{
		Name:        l.Tool(describeName),
		Title:       "Describe " + h.Noun,
		Annotations: readOnly,
		Description: description,
		InputSchema: schemaOf(append(arguments, maxTokens())...),
	}
}

// describeInput has the arguments of all languages; the schema of each says
// which there are.
type describeInput struct {
	Package         string `json:"package"`
	Symbol          string `json:"symbol"`
	ProjectPath     string `json:"projectPath"`
	Version         string `json:"version"`
	Platform        string `json:"platform"`
	IncludeTypes    bool   `json:"includeTypes"`
	IncludeExamples bool   `json:"includeExamples"`
	MaxTokens       int    `json:"maxTokens"`
}

// described is an answer with its text beside its data.
type described struct{ answer.Answer }

// ToolContent implements mcp.ContentProvider.
func (d described) ToolContent() []mcp.Content { return []mcp.Content{mcp.Text(d.Markdown())} }

// describe answers calls of a language's describe tool.
func (s *server) describe(l *ecosystem.Info) func(context.Context, *mcp.Request, describeInput) (described, error) {
	guide := guide(l)
	return func(ctx context.Context, _ *mcp.Request, in describeInput) (described, error) {
		p, err := s.read(ctx, string(l.ID), in.ProjectPath, ecosystem.Query{Package: in.Package, Version: in.Version, Platform: in.Platform})
		if err != nil {
			return described{}, err
		}
		o := answer.Options{MaxTokens: in.MaxTokens, Guide: guide}
		types, examples := in.IncludeTypes || !l.OptionalTypes, in.IncludeExamples || !l.OptionalExamples
		if in.Symbol == "" {
			if types && examples {
				return described{*p.book().Package(o)}, nil
			}
			return described{*answer.Package(answer.Lean(p.Package, types, examples), o)}, nil
		}
		symbol, err := p.Find(in.Symbol)
		if err != nil {
			return described{}, fmt.Errorf("%w. Call %s without symbol to see all that the package has, or %s", err, l.Tool(describeName), searchName)
		}
		if !examples {
			symbol = answer.WithoutExamples(symbol)
		}
		return described{*answer.Symbol(p.Package, symbol, o)}, nil
	}
}

// read asks the store for a package within the project of the question, or of
// the working directory if that is one.
func (s *server) read(ctx context.Context, language, projectPath string, q ecosystem.Query) (*ready, error) {
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
