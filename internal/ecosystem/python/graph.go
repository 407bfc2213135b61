package python

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
	"github.com/docent-mcp/docent/internal/project/pylock"
)

var _ ecosystem.Grapher = (*Python)(nil)

// Graph implements ecosystem.Grapher. It lists the packages in the lock file. If there
// is no complete lock file, it also lists those in the project's virtual environment.
func (py *Python) Graph(ctx context.Context, projectDir string) (*ecosystem.Graph, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	if _, err := py.projects.Find(ctx, dir, py.env); err != nil {
		return nil, err
	}
	f := py.local(dir)
	if f == nil || f.project == nil {
		return nil, project.ErrNone
	}
	defer f.close()
	g := &grapher{finder: f, env: f.target.environment(), out: &ecosystem.Graph{Root: f.project.Root}, index: map[string]int{}}
	if f.project.Problem != "" {
		g.out.Problems = append(g.out.Problems, f.project.Problem)
	}
	g.addMembers()
	g.coverage = f.project.Coverage()
	if g.coverage.Closure {
		for _, p := range f.project.LockedPackages() {
			g.locked(p)
		}
	} else if f.env != nil && f.env.virtual() {
		for _, dir := range f.env.site {
			for _, d := range py.site(dir).ordered {
				g.named(pep508.Normalize(d.name))
			}
		}
	}
	g.follow()
	g.out.Deactivate(nil)
	for i := range g.out.Packages {
		p := &g.out.Packages[i]
		if pkg := g.packages[i]; pkg != nil && pkg.Holds(g.env) && !g.coverage.Extras {
			p.Inactive = false // The lock file does not contain the extras that require this package.
		}
		p.Inactive = p.Inactive && !p.Installed
	}
	g.out.Sort()
	return g.out, nil
}

// virtual reports whether an environment has its own packages, which is the case for virtual and
// conda environments.
func (e *environment) virtual() bool {
	return project.IsFile(filepath.Join(e.prefix, "pyvenv.cfg")) || project.IsDir(filepath.Join(e.prefix, "conda-meta")) || filepath.Base(e.prefix) == "__pypackages__"
}

// grapher builds the graph of a project.
type grapher struct {
	*finder

	env      pep508.Environment
	coverage pylock.Coverage
	out      *ecosystem.Graph
	index    map[string]int // keyed by normalized name and version; members by name and "."
	packages []*pylock.Package
	wants    [][]pep508.Requirement // requirements of members, by index
	queue    []extraOf
	seen     map[extraOf]bool
}

// extraOf is a package and one of its extras, or "" for the package itself.
type extraOf struct {
	index int
	extra string
}

func (g *grapher) add(key string, u ecosystem.Used, pkg *pylock.Package, wants []pep508.Requirement) int {
	i, ok := g.index[key]
	if !ok {
		i = len(g.out.Packages)
		g.index[key] = i
		g.out.Packages, g.packages, g.wants = append(g.out.Packages, u), append(g.packages, pkg), append(g.wants, wants)
	}
	if g.packages[i] == nil {
		g.packages[i] = pkg
	}
	return i
}

// memberKey is the key of one of the project's own packages.
func memberKey(name string) string { return name + "\x00." }

// addMembers adds the project's own packages and the requirements in their manifests.
func (g *grapher) addMembers() {
	p := g.project
	add := func(name, dir string, m *pylock.Manifest) {
		var wants []pep508.Requirement
		for _, group := range m.Groups() {
			wants = append(wants, m.Requirements[group]...)
		}
		u := ecosystem.Used{Name: name, Dir: dir, Member: true, Installed: true, File: g.out.Rel(filepath.Join(dir, manifestIn(dir)))}
		g.visit(g.add(memberKey(name), u, nil, wants), "")
	}
	for name, dir := range p.Members() {
		switch dir {
		case p.Dir:
			add(name, dir, p.Manifest)
		case p.Root:
			add(name, dir, p.RootManifest)
		default:
			add(name, dir, g.py.projects.ManifestIn(dir, g.py.env))
		}
	}
	if p.RootManifest.Name == "" {
		add(filepath.Base(p.Root), p.Root, p.RootManifest)
	}
}

// manifestIn returns the name of the manifest in a directory.
func manifestIn(dir string) string {
	for _, name := range pylock.Manifests() {
		if project.IsFile(filepath.Join(dir, name)) {
			return name
		}
	}
	return "pyproject.toml"
}

// locked returns the index of a locked package in the graph.
func (g *grapher) locked(p *pylock.Package) int {
	name := pep508.Normalize(p.Name)
	u := ecosystem.Used{Name: name, Version: p.Version, File: g.project.LockName()}
	if p.Dir != "" {
		if i, ok := g.index[memberKey(name)]; ok {
			if g.packages[i] == nil {
				g.packages[i] = p
			}
			return i
		}
		u.Dir, u.Version = absolute(filepath.FromSlash(p.Dir), g.project.Root), ""
		u.Installed = project.IsDir(u.Dir)
	} else if d := g.distribution(name); d != nil && (p.Version == "" || pep440.Compare(d.version, p.Version) == 0) {
		u.Installed = true
	}
	return g.add(name+"\x00"+u.Version, u, p, nil)
}

// named returns the index of the package with a normalized name: one of the project's own
// packages, or else the locked one, or else the installed one. If there is none, it adds
// a package without a version.
func (g *grapher) named(name string) int {
	if i, ok := g.index[memberKey(name)]; ok {
		return i
	}
	if p := g.project.Find(name, g.env); p != nil {
		return g.locked(p)
	}
	u := ecosystem.Used{Name: name, File: g.out.Packages[0].File}
	if d := g.distribution(name); d != nil {
		u.Version, u.Installed, u.File = d.version, true, g.finder.env.by
	}
	return g.add(name+"\x00"+u.Version, u, nil, nil)
}

func (g *grapher) visit(index int, extra string) {
	next := extraOf{index, pep508.Normalize(extra)}
	if g.seen == nil {
		g.seen = map[extraOf]bool{}
	}
	if !g.seen[next] {
		g.seen[next] = true
		g.queue = append(g.queue, next)
	}
}

// follow adds the packages that all packages require, beginning with the project's own packages.
func (g *grapher) follow() {
	for i := range g.out.Packages {
		g.visit(i, "")
	}
	for len(g.queue) > 0 && len(g.out.Packages) < maxListed {
		next := g.queue[0]
		g.queue = g.queue[1:]
		require := func(to int, extras []string) {
			g.out.Packages[next.index].Requires = append(g.out.Packages[next.index].Requires, to)
			g.visit(to, "")
			for _, extra := range extras {
				g.visit(to, extra)
			}
		}
		if pkg := g.packages[next.index]; pkg != nil {
			for _, r := range g.project.RequiredBy(pkg, next.extra, g.env) {
				require(g.locked(r.Package), r.Extras)
			}
		}
		requirements := g.wants[next.index]
		member := g.out.Packages[next.index].Member
		if !member && !(g.coverage.Closure && g.coverage.Edges) {
			if d := g.distribution(g.out.Packages[next.index].Name); d != nil {
				requirements = readInfo(d.info).Requires
			}
		}
		env := g.env.With("extra", next.extra)
		for _, r := range requirements {
			// Every extra of the project's own packages counts.
			if !r.Marker.Holds(env) {
				continue
			}
			to := g.named(pep508.Normalize(r.Name))
			if member && len(r.Specifiers) > 0 {
				g.out.Packages[to].Wants = append(g.out.Packages[to].Wants, r.Specifiers.String())
			}
			if !slices.Contains(g.out.Packages[next.index].Requires, to) || len(r.Extras) > 0 {
				require(to, r.Extras)
			}
		}
	}
}
