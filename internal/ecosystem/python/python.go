// Package python finds Python packages and reads them as the project's interpreter would import
// them. It looks first in the interpreter's environment, and then in the index that the user's own
// settings specify. It never runs Python or code of a package.
//
//	query -> name, module, version                   question.go
//	project -> environment, interpreter, library     environment.go, interpreter.go, stores.go
//	environment -> distributions, their modules      site.go, installed.go, metadata.go
//	which version, and where it is                   find.go, locate.go
//	pip.conf and the like -> index, credential       package pipconf; client.go, default.go
//	index -> versions, files                         index.go, page.go, filename.go, tags.go
//	file -> its modules                              download.go, ranges.go, sdist.go, setup.go
//	modules -> declarations                          package modules
//	README, guides, examples -> sections             prose.go
package python

import (
	"context"
	"path/filepath"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// Python finds and reads Python packages. It is safe for concurrent use.
type Python struct {
	options  ecosystem.Options
	env      environ.Env
	root     string // "/", the root of system paths
	projects pylock.Loader
	sites    project.Cache[string, *siteIndex] // keyed by directory
	clients  ecosystem.Clients

	mu    sync.Mutex
	index *defaultIndex // the default index, once it is known
}

var _ ecosystem.Language = (*Python)(nil)

// New returns a Python. It does not read anything yet.
func New(o ecosystem.Options) *Python {
	env := o.Resolve(64 << 20)
	return &Python{options: o, env: env, root: "/", projects: pylock.Loader{Setup: readSetup}}
}

// system returns the path of a file of the operating system.
func (py *Python) system(path string) string { return filepath.Join(py.root, path) }

// HasProject reports whether dir is in a Python project.
func (py *Python) HasProject(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	_, err = py.projects.Find(context.Background(), dir, py.env)
	return err == nil
}

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
