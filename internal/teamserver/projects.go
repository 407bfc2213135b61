package teamserver

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/teamserver/pushed"
)

// everyone is the name of the group of all principals.
const everyone = "*"

// pushedScheme is the prefix of a projectPath that refers to a project that a client has pushed.
const pushedScheme = "project:"

// projects resolves the projectPath of clients on other machines.
type projects struct {
	groups map[string]Group
	pushed *pushed.Store
	// realPath is filepath.EvalSymlinks.
	realPath func(string) (string, error)
}

func (s *Server) projects() *projects {
	return &projects{groups: s.options.Groups, pushed: s.pushed, realPath: filepath.EvalSymlinks}
}

// resolve returns the directory that a projectPath refers to for the principal of ctx. The error
// does not reveal whether a directory exists if it is not allowed.
func (p *projects) resolve(ctx context.Context, projectPath string) (string, error) {
	if name, ok := strings.CutPrefix(projectPath, pushedScheme); ok {
		return p.resolvePushed(principalFrom(ctx), name)
	}
	path := projectPath
	if strings.HasPrefix(path, "file:") {
		if u, err := url.Parse(path); err == nil && (u.Host == "" || u.Host == "localhost") {
			path = u.Path
		}
	}
	path = filepath.FromSlash(path)
	refused := ecosystem.Fail(ecosystem.Refused, "projectPath %.200q is not a directory that you may use on this server", projectPath).
		WithNext("push the project with docent project push and specify it as " + pushedScheme + "NAME, or omit projectPath and specify versions; the operator of the server can allow directories for a group")
	if !filepath.IsAbs(path) {
		return "", refused
	}
	path = filepath.Clean(path)
	for _, dir := range p.allowed(principalFrom(ctx)) {
		root, err := p.realPath(dir)
		if err != nil || !within(root, path) && !within(dir, path) {
			continue // do not access path, so that the response time does not reveal what exists elsewhere
		}
		if real, err := p.realPath(path); err == nil && within(root, real) {
			return real, nil
		}
	}
	return "", refused
}

// within reports whether an absolute path is dir or is below dir.
func within(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// allowed returns the directories that a principal may use as projects.
func (p *projects) allowed(principal *Principal) []string {
	dirs := slices.Clone(p.groups[everyone].Projects)
	for _, group := range principal.Groups {
		if group != everyone {
			dirs = append(dirs, p.groups[group].Projects...)
		}
	}
	return dirs
}

// resolvePushed returns the directory of a project that the principal or one of its groups has
// pushed.
func (p *projects) resolvePushed(principal *Principal, name string) (string, error) {
	owners := []string{ownPrefix + principal.ID}
	for _, group := range principal.Groups {
		owners = append(owners, groupPrefix+group)
	}
	if dir, ok := p.pushed.Dir(owners, name); ok {
		return dir, nil
	}
	names := p.pushed.Names(owners)
	for i := range names {
		names[i] = pushedScheme + names[i]
	}
	failure := ecosystem.Fail(ecosystem.NotFound, "there is no project %.100q", name)
	if len(names) == 0 {
		return "", failure.WithNext("push it with docent project push")
	}
	return "", failure.WithNext("use one of %s, or push it with docent project push", quote.List(names, 20))
}
