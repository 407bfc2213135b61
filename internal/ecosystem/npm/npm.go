// Package npm finds npm packages and reads them as TypeScript users see them:
// what is installed in the project first, then the registry that the user's
// own .npmrc names. It needs no Node.js, and runs nothing of a package.
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
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// Options configure an NPM. The zero value uses the user's environment and the
// network.
type Options struct {
	// Env is the environment as "NAME=value". Nil means that of this process.
	Env []string
	// Offline forbids use of the network. The environment variable
	// DOCENT_OFFLINE, set to anything but "" and "0", does the same.
	Offline bool
	// Cache holds downloads and answers of registries. Nil means docent's
	// directory in the user's cache directory.
	Cache *cachedir.Cache
	// MaxTarball bounds a tarball in bytes; 128 MiB if zero.
	MaxTarball int64
	// Patience bounds one network request, retries included; 2 minutes if zero.
	Patience time.Duration
	// Version is docent's own, sent to registries.
	Version string
}

// NPM finds and reads npm packages. It is safe for concurrent use.
type NPM struct {
	options  Options
	env      environ.Env
	offline  bool
	projects npmlock.Loader

	mu      sync.Mutex
	clients map[string]*fetch.Client // keyed by their settings
}

var _ ecosystem.Language = (*NPM)(nil)

// New returns an NPM. It reads nothing yet, so it cannot fail.
func New(o Options) *NPM {
	if o.MaxTarball <= 0 {
		o.MaxTarball = 128 << 20
	}
	if o.Patience <= 0 {
		o.Patience = 2 * time.Minute
	}
	n := &NPM{options: o, env: environ.Of(o.Env)}
	n.offline = o.Offline || n.env.Offline()
	if n.options.Cache == nil {
		n.options.Cache = cachedir.New(cachedir.Of(n.env.Get), cachedir.Options{})
	}
	return n
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
