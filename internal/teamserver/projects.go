package teamserver

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// everyone is the name of the group that all principals are in.
const everyone = "*"

// projects resolves projectPath for clients on other machines.
type projects struct {
	groups map[string]Group
}

// resolve returns the directory that a projectPath means for the principal of ctx. The
// error does not tell a directory that does not exist from one that is not allowed.
func (p *projects) resolve(ctx context.Context, projectPath string) (string, error) {
	path := projectPath
	if strings.HasPrefix(path, "file:") {
		if u, err := url.Parse(path); err == nil && (u.Host == "" || u.Host == "localhost") {
			path = u.Path
		}
	}
	path = filepath.FromSlash(path)
	refused := ecosystem.Fail(ecosystem.Refused, "projectPath %.200q is not a directory that this server shows you", projectPath).
		WithNext("leave projectPath out and name versions; the operator of the server can allow directories for a group")
	if !filepath.IsAbs(path) {
		return "", refused
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", refused
	}
	for _, dir := range p.allowed(PrincipalFrom(ctx)) {
		root, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		if rel, err := filepath.Rel(root, real); err == nil && filepath.IsLocal(rel) {
			return real, nil
		}
	}
	return "", refused
}

// allowed returns the directories that a principal may name.
func (p *projects) allowed(principal *Principal) []string {
	dirs := slices.Clone(p.groups[everyone].Projects)
	for _, group := range principal.Groups {
		if group != everyone {
			dirs = append(dirs, p.groups[group].Projects...)
		}
	}
	return dirs
}
