package golang

import (
	"context"
	"runtime"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// Options say where a Golang looks and how far it may go. The zero value is
// right: the user's environment, the network allowed.
type Options struct {
	// Env is the environment as "NAME=value", in which the go command's
	// settings are looked up and with which it is run. Nil is that of this
	// process.
	Env []string
	// Offline keeps every question away from the network. The environment
	// variable DOCENT_OFFLINE, set to anything but "" and "0", does the same.
	Offline bool
	// CacheDir is where downloads are kept that the go command did not make.
	// Empty is "docent" in the user's cache directory.
	CacheDir string
	// Version is docent's own, told to module proxies.
	Version string
}

// Golang finds and reads Go packages: of the standard library, of the user's
// project, of its vendor directory, of the module cache, and as a last resort
// of the network.
type Golang struct {
	env      environ
	offline  bool
	settings settingsCache
}

var _ ecosystem.Ecosystem = (*Golang)(nil)

// New returns a Golang. It looks at nothing yet, so it cannot fail.
func New(o Options) *Golang {
	g := &Golang{env: newEnviron(o.Env), offline: o.Offline}
	if v := g.env.get("DOCENT_OFFLINE"); v != "" && v != "0" {
		g.offline = true
	}
	return g
}

// Describe implements ecosystem.Ecosystem. q.Package may be an import path, an
// import path with "@version", or a directory of the project ("./internal/db").
func (g *Golang) Describe(ctx context.Context, q ecosystem.Query) (*apidoc.Package, error) {
	src, err := g.Locate(ctx, q)
	if err != nil {
		return nil, err
	}
	platform := q.Platform
	if platform == "" {
		platform = g.platform()
	}
	pkg, err := Read(ctx, src, platform, g.importer(q, src))
	if err != nil {
		return nil, err
	}
	return pkg, nil
}

// platform is the one that the go command would build for.
func (g *Golang) platform() string {
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

// Locate finds the package and opens it, without reading it.
func (g *Golang) Locate(ctx context.Context, q ecosystem.Query) (*Source, error) {
	src, err := g.locate(ctx, q)
	if err != nil {
		return nil, asError(err)
	}
	return src, nil
}

func (g *Golang) locate(_ context.Context, q ecosystem.Query) (*Source, error) {
	ask, err := parseQuestion(q)
	if err != nil {
		return nil, err
	}
	st := g.settings.load(g.env)
	tool := toolchain{root: st.goroot, version: st.goVersion, why: "the installed Go"}
	if tool.inStd(ask.path) {
		return tool.std(ask.path)
	}
	return nil, fail(ecosystem.NotFound, "no package %s", ask.path).tried("GOROOT " + tool.root)
}

// importer opens what a package of src imports.
func (g *Golang) importer(q ecosystem.Query, src *Source) Importer {
	return func(path string) (*Source, error) {
		return g.Locate(context.Background(), ecosystem.Query{Package: path, ProjectDir: q.ProjectDir})
	}
}
