// Package npm finds npm packages and reads them as TypeScript users see them. It looks first at the
// packages installed in the project, then in the registry that the user's own .npmrc names. It does
// not need Node.js and never runs the code of a package.
//
//	question -> name, version, entry point       question.go
//	which version, and where it is               find.go, locate.go, installed.go
//	.npmrc and the like -> registry, credential  package npmrc; client.go, default.go
//	registry -> versions, tarball                registry.go, packument.go, tarball.go, failure.go
//	package -> declarations                      packages dts and modules
//	README, guides, examples -> sections         layout.go, package prose
package npm

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// NPM finds and reads npm packages. It is safe for concurrent use.
type NPM struct {
	options  ecosystem.Options
	env      environ.Env
	projects npmlock.Loader
	clients  ecosystem.Clients
	configs  configs
}

var _ ecosystem.Language = (*NPM)(nil)

// New returns an NPM. It does not read anything yet.
func New(o ecosystem.Options) *NPM {
	env := o.Resolve(128 << 20)
	return &NPM{options: o, env: env}
}

// HasProject reports whether dir is in an npm project.
func (n *NPM) HasProject(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	_, err = n.projects.Find(context.Background(), dir)
	return err == nil
}

// oneLine joins the lines of s.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
