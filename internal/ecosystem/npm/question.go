package npm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fingerprint"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
	"github.com/docent-mcp/docent/internal/quote"
)

// question is a parsed ecosystem.Query.
type question struct {
	name    string // name of the package; empty if dir is set
	subpath string // subpath of the entry point: "." or "./mini"
	version string // an exact version, a range or a tag; if it is empty, the project determines the version
	dir     string // absolute directory of a package
	project string // absolute directory of the project, or empty
	index   bool   // whether to list exported names instead of documentation
}

// askNode advises how to request a module of Node.js.
func askNode(module string) string {
	return fmt.Sprintf("request @types/node, which declares it, with %q as the symbol", module)
}

// parseQuestion checks and parses a query: "axios@^1", "zod@4/mini",
// "@scope/name/sub@1.2.3" or "./packages/app".
func parseQuestion(q ecosystem.Query) (question, error) {
	ask := question{subpath: ".", version: strings.TrimSpace(q.Version), index: q.Index}
	var err error
	if ask.project, err = q.Project(); err != nil {
		return ask, err
	}
	name := strings.TrimSpace(q.Package)
	if ecosystem.IsDirectory(name) {
		return ask.directory(name)
	}
	if rest, ok := strings.CutPrefix(name, "node:"); ok {
		return ask, &ecosystem.Error{
			Reason: ecosystem.NotFound, What: fmt.Sprintf("%q is a module of Node.js itself, not a package", "node:"+rest),
			Next: askNode(rest), Declared: &apidoc.Ref{Package: "@types/node", Path: rest},
		}
	}
	name = strings.TrimPrefix(name, "npm:")
	base, rest := npmlock.SplitAt(name)
	if version, sub, ok := strings.Cut(rest, "/"); ok { // The version precedes the subpath, as in zod@4/mini.
		base, rest = base+"/"+sub, version
	}
	if rest != "" {
		if ask.version != "" && ask.version != rest {
			return ask, invalid(q, "it contains two versions, %q and %q", rest, ask.version)
		}
		ask.version = rest
	}
	parts := strings.SplitN(base, "/", 3)
	n := 1
	if strings.HasPrefix(base, "@") {
		n = 2
	}
	if len(parts) < n {
		return ask, invalid(q, "it is a scope without a name")
	}
	ask.name = strings.Join(parts[:n], "/")
	if sub := strings.Trim(strings.Join(parts[n:], "/"), "/"); sub != "" {
		ask.subpath = "./" + sub
	}
	if !npmlock.ValidName(ask.name) {
		return ask, invalid(q, "%q is not a valid package name", ask.name)
	}
	if len(ask.version) > 256 || strings.ContainsAny(ask.version, "@/:#\n") {
		return ask, invalid(q, "%q is not a version, range or tag", ask.version)
	}
	return ask, nil
}

func (ask question) directory(name string) (question, error) {
	if !filepath.IsAbs(name) {
		if ask.project == "" {
			return ask, &ecosystem.Error{
				Reason: ecosystem.Invalid, What: fmt.Sprintf("%s is relative to a project, but no project is specified", name),
				Next: "also specify the directory of the project",
			}
		}
		name = filepath.Join(ask.project, name)
	}
	if !project.IsFile(filepath.Join(name, "package.json")) {
		return ask, &ecosystem.Error{Reason: ecosystem.NotFound, What: fmt.Sprintf("there is no package.json in %s", name)}
	}
	ask.dir = name
	return ask, nil
}

func invalid(q ecosystem.Query, format string, args ...any) error {
	return &ecosystem.Error{
		Reason: ecosystem.Invalid,
		What:   fmt.Sprintf("docent cannot look up %.200q: ", q.Package) + fmt.Sprintf(format, args...),
		Next:   "request a package by the name that programs import, such as axios, @tanstack/react-query or zod/mini, followed by @version if needed",
	}
}

// newFinder returns a finder and opens the project of a question.
func (n *NPM) newFinder(ctx context.Context, ask question) (*finder, error) {
	f := &finder{n: n, ask: ask, seen: &fingerprint.Fingerprint{}, places: map[string]*located{}, byPackage: map[any]*located{}, maxOpen: maxOpen}
	dir := ask.project
	dir = cmp.Or(dir, ask.dir)
	if dir == "" {
		return f, nil
	}
	p, err := n.projects.Find(ctx, dir)
	switch {
	case errors.Is(err, project.ErrNone):
	case err != nil:
		return nil, &ecosystem.Error{Reason: ecosystem.Unreadable, What: quote.Error(err).Error(), Err: err}
	default:
		f.project = p
		if p.Problem != "" {
			f.warnings = append(f.warnings, p.Problem)
		}
	}
	return f, nil
}
