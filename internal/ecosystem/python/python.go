// Package python finds Python packages and reads them as the project's
// interpreter would import them: what is installed in its environment first,
// then the index that the user's own settings name. It runs no Python, and
// nothing of a package.
//
//	query -> name, module, version                   question.go
//	project -> environment, interpreter, library     environment.go, interpreter.go, stores.go
//	environment -> distributions, their modules      site.go, installed.go, metadata.go
//	which version, and where it is                   find.go, locate.go
//	pip.conf and the like -> index, credential       package pipconf; client.go, default.go
//	index -> versions, files                         index.go, page.go, filename.go, tags.go
//	file -> its modules                              download.go, ranges.go, sdist.go
//	modules -> declarations                          package modules
//	README, guides, examples -> sections             prose.go
package python

import (
	"context"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

// Options configure a Python. The zero value uses the environment of the process
// and allows the network.
type Options struct {
	// Env is the environment as "NAME=value". Nil is that of this process.
	Env []string
	// Offline forbids the network, as the environment variable DOCENT_OFFLINE
	// does, set to anything but "" and "0".
	Offline bool
	// Cache keeps downloads and answers of indexes. Nil is docent's directory in
	// the user's cache directory.
	Cache *cachedir.Cache
	// MaxWhole is the size in bytes up to which a wheel is downloaded whole and
	// verified; of larger ones only the parts with documentation are fetched. 64
	// MiB if zero.
	MaxWhole int64
	// MaxSdist bounds the size of a source distribution in bytes; 128 MiB if zero.
	MaxSdist int64
	// Timeout bounds one download; 2 minutes if zero. The context may end it
	// sooner.
	Timeout time.Duration
	// Version is docent's own, which indexes are told.
	Version string
}

// Python finds and reads Python packages. It is safe for concurrent use.
type Python struct {
	options  Options
	env      environ.Env
	root     string // "/", which paths of the system are below
	offline  bool
	projects pylock.Loader
	sites    project.Cache[string, *siteIndex] // by directory

	mu      sync.Mutex
	clients map[string]*fetch.Client // by their settings
	index   *learned                 // the default index, once known
}

var _ ecosystem.Language = (*Python)(nil)

// New returns a Python. It reads nothing yet, so it cannot fail.
func New(o Options) *Python {
	if o.MaxWhole <= 0 {
		o.MaxWhole = 64 << 20
	}
	if o.MaxSdist <= 0 {
		o.MaxSdist = 128 << 20
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	py := &Python{options: o, env: environ.Of(o.Env), root: "/"}
	py.offline = o.Offline || py.env.Offline()
	if py.options.Cache == nil {
		py.options.Cache = cachedir.New(cachedir.Of(py.env.Get), cachedir.Options{})
	}
	return py
}

// system returns the path of a file of the operating system.
func (py *Python) system(path string) string { return filepath.Join(py.root, path) }

// HasProject reports whether dir lies in a Python project.
func (py *Python) HasProject(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	_, err = py.projects.Find(context.Background(), dir, py.env)
	return err == nil
}

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
