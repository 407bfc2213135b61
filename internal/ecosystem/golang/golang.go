package golang

import (
	"cmp"
	"context"
	"path/filepath"
	"runtime"
	"time"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/gomod"
)

// Golang finds and reads Go packages in the standard library, the user's
// project, its vendor directory, the module cache, and as a last resort on the
// network.
type Golang struct {
	options  ecosystem.Options
	env      environ.Env
	settings settingsCache
	projects gomod.Loader
	client   *fetch.Client
	loading  keyedMutex
	types    typesCache
}

var _ ecosystem.Language = (*Golang)(nil)

// New returns a Golang. It does not read anything yet.
func New(o ecosystem.Options) *Golang {
	env := o.Resolve(128 << 20) // The go command itself allows 500 MB for a module.
	return &Golang{options: o, env: env, client: fetch.New(o.Fetch(env)), types: typesCache{now: time.Now}}
}

// Locate finds the package and opens it, without reading it. The caller must
// close the Source. Two Sources with the same ImportPath, Module, Version and
// Provenance.Location contain the same files, unless Version is empty.
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
	goos = cmp.Or(goos, runtime.GOOS)
	goarch = cmp.Or(goarch, runtime.GOARCH)
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

// zipOptions returns the limits for a module's zip file that docent itself
// downloads.
func (g *Golang) zipOptions(prefix string) archive.Options {
	return archive.Options{Prefix: prefix, Limits: archive.Limits{Packed: g.options.MaxDownload}}
}

func projectOptions(st *settings) gomod.Options {
	return gomod.Options{
		GOWORK: st.get("GOWORK"), ModFlag: st.goflag("mod"), ModFile: st.goflag("modfile"), ModCache: st.modCache,
	}
}
