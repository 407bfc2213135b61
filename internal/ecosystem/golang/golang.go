package golang

import (
	"context"
	"path/filepath"
	"runtime"
	"time"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/gomod"
)

// Options configure a Golang. The zero value uses the user's environment and
// the network.
type Options struct {
	// Env is the environment as "NAME=value", in which the go command's
	// settings are looked up and with which it is run. Nil means that of this
	// process.
	Env []string
	// Offline forbids use of the network. The environment variable
	// DOCENT_OFFLINE, set to anything but "" and "0", does the same.
	Offline bool
	// Cache holds downloads that the go command did not make. Nil means
	// docent's directory in the user's cache directory.
	Cache *cachedir.Cache
	// MaxModule bounds a zip file that is downloaded without the go command, in
	// bytes; 128 MiB if zero. The go command's own limit is 500 MB.
	MaxModule int64
	// Patience bounds one network request, retries included; 2 minutes if zero.
	Patience time.Duration
	// Version is docent's own, sent to module proxies.
	Version string
}

// Golang finds and reads Go packages in the standard library, the user's
// project, its vendor directory, the module cache, and as a last resort on the
// network.
type Golang struct {
	options  Options
	env      environ.Env
	offline  bool
	settings settingsCache
	projects gomod.Loader
	client   *fetch.Client
	loading  keyedMutex
}

var _ ecosystem.Language = (*Golang)(nil)

// New returns a Golang. It reads nothing yet, so it cannot fail.
func New(o Options) *Golang {
	if o.MaxModule <= 0 {
		o.MaxModule = 128 << 20
	}
	if o.Patience <= 0 {
		o.Patience = 2 * time.Minute
	}
	g := &Golang{options: o, env: environ.Of(o.Env)}
	g.offline = o.Offline || g.env.Offline()
	if g.options.Cache == nil {
		g.options.Cache = cachedir.New(cachedir.Of(g.env.Get), cachedir.Options{})
	}
	g.client = fetch.New(fetch.Options{Version: o.Version, Offline: g.offline, Stall: fetch.ParseStall(g.env.Get(fetch.StallVariable))})
	return g
}

// Locate finds the package and opens it, without reading it. The caller must
// close the Source. Two Sources with the same ImportPath, Module, Version and
// Provenance.Location hold the same files, unless Version is empty.
func (g *Golang) Locate(ctx context.Context, q ecosystem.Query) (*godoc.Source, error) {
	src, err := g.locate(ctx, q)
	if err != nil {
		return nil, ecosystem.AsError(err)
	}
	return src, nil
}

func (g *Golang) locate(ctx context.Context, q ecosystem.Query) (*godoc.Source, error) {
	ask, err := parseQuestion(q)
	if err != nil {
		return nil, err
	}
	f, err := g.newFinder(ask)
	if err != nil {
		return nil, err
	}
	return f.find(ctx)
}

// Platform returns the platform that the go command would build for, as
// "GOOS/GOARCH".
func (g *Golang) Platform() string {
	st := g.settings.load(g.env)
	goos, goarch := st.get("GOOS"), st.get("GOARCH")
	if goos == "" {
		goos = runtime.GOOS
	}
	if goarch == "" {
		goarch = runtime.GOARCH
	}
	return goos + "/" + goarch
}

// HasProject reports whether dir is in a Go module or workspace.
func (g *Golang) HasProject(dir string) bool {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	_, err = gomod.Find(dir, projectOptions(g.settings.load(g.env)))
	return err == nil
}

// zipOptions bounds a module's zip file that docent downloads itself.
func (g *Golang) zipOptions(prefix string) archive.Options {
	return archive.Options{Prefix: prefix, Limits: archive.Limits{Packed: g.options.MaxModule}}
}

func projectOptions(st *settings) gomod.Options {
	return gomod.Options{
		GOWORK: st.get("GOWORK"), ModFlag: st.goflag("mod"), ModFile: st.goflag("modfile"), ModCache: st.modCache,
	}
}
