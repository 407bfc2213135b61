package pylock

import (
	"path"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// LockedPackages returns all packages in the lock file, sorted by name.
func (p *Project) LockedPackages() (all []*Package) {
	if p.lock == nil {
		return nil
	}
	for _, name := range p.lock.names() {
		all = append(all, p.lock.packages[name]...)
	}
	return all
}

// Coverage describes the information that a lock file records about its packages.
type Coverage struct {
	// Closure is true if the lock file contains everything that its packages require.
	Closure bool
	// Edges is true if it records what each package requires.
	Edges bool
	// Extras is true if it also records what the project's extras and groups require.
	Extras bool
}

// Coverage returns the coverage of the lock file, or the zero Coverage if there is none.
func (p *Project) Coverage() Coverage {
	if p.lock == nil {
		return Coverage{}
	}
	c := Coverage{Closure: !p.lock.partial, Extras: len(p.lock.roots) > 0}
	for _, all := range p.lock.packages {
		for _, pkg := range all {
			c.Edges = c.Edges || len(pkg.edges) > 0
		}
	}
	return c
}

// ManifestIn returns the manifest of the given directory.
func (l *Loader) ManifestIn(dir string, env environ.Env) *Manifest {
	m, _, _ := l.readManifest(dir, env)
	return m
}

// Holds reports whether the package is locked for the given environment.
func (p *Package) Holds(e pep508.Environment) bool { return p.holds(e) }

// Requirement is a package that a locked package requires.
type Requirement struct {
	Package *Package
	// Extras are the extras of Package that the requirement enables.
	Extras []string
}

// RequiredBy returns the requirements of a locked package in an environment if the given extra is
// enabled. If extra is "", it returns the unconditional requirements. For a package of the project
// itself, all extras and groups are enabled.
func (p *Project) RequiredBy(pkg *Package, extra string, e pep508.Environment) []Requirement {
	var all []Requirement
	isMember := pkg.Dir != "" && p.lock.roots[path.Clean(pkg.Dir)] == pkg
	if extra != "" {
		e = e.With("extra", pep508.Normalize(extra))
	}
	for _, d := range pkg.edges {
		if d.extra != "" && !isMember && pep508.Normalize(d.extra) != pep508.Normalize(extra) || !d.marker.Holds(e) {
			continue
		}
		if to := p.lock.target(d, e); to != nil {
			all = append(all, Requirement{to, d.extras})
		}
	}
	return all
}

// Find returns the locked package that a requirement of the project refers to in an environment, or
// nil if the lock file does not contain it.
func (p *Project) Find(name string, e pep508.Environment) *Package {
	d, ok := p.Locked(name, e)
	if !ok {
		return nil
	}
	return d.Package
}
