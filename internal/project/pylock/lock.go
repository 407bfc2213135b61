package pylock

import (
	"cmp"
	"maps"
	"slices"

	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// Package is one version of a distribution in a lock file.
type Package struct {
	Name    string // name as written in the lock file
	Version string // empty if the lock file does not record it
	// Marker and Forks describe the environments for which the package is locked: the marker and
	// one of the forks must hold. The zero values hold for all environments.
	Marker pep508.Marker
	Forks  []pep508.Marker
	// RequiresPython are the Python versions that the package supports.
	RequiresPython pep440.Specifiers
	// Index is the URL of the index from which it was locked, or IndexName its name in the
	// project's settings; both are empty if the lock file does not record them.
	Index, IndexName string
	// Dir is the directory of a package of the workspace or a path dependency,
	// relative to the lock file.
	Dir string
	// Foreign identifies the source of a package that does not come from an index or a
	// directory: a git repository or the URL of an archive.
	Foreign string
	// Files are the files that the lock file allows. It is empty if the lock file does not list
	// files.
	Files []File

	edges []edge
}

// File is a wheel or source distribution in a lock file.
type File struct {
	Name   string // empty if only the hash is known
	URL    string // empty if the URL must be found in the index
	SHA256 string // hexadecimal
	Size   int64  // size in bytes, or 0 if unknown
}

// edge is the dependency of a locked package on another one.
type edge struct {
	name, version string // version is empty if the lock file contains only one
	marker        pep508.Marker
	extras        []string // extras of the other package that it enables
	extra         string   // the extra of the package, or the group of a package of the project, that the dependency belongs to; may be empty
}

// Lock is a parsed lock file. It is safe for concurrent use.
type Lock struct {
	packages map[string][]*Package // keyed by normalized name
	// roots are the project's own packages, by directory relative to the lock
	// file.
	roots map[string]*Package
	count int
	// partial is true if packages that are required may be missing from the lock file.
	partial bool
}

// maxPackages is the maximum number of packages in a lock file.
const maxPackages = 200_000

func (l *Lock) add(p *Package) {
	if l.packages == nil {
		l.packages = map[string][]*Package{}
	}
	if l.count++; l.count > maxPackages || !pep508.ValidName(p.Name) {
		return
	}
	name := pep508.Normalize(p.Name)
	l.packages[name] = append(l.packages[name], p)
}

// names returns the normalized names of all packages, sorted.
func (l *Lock) names() []string {
	return slices.Sorted(maps.Keys(l.packages))
}

// holds reports whether a package is locked for an environment.
func (p *Package) holds(e pep508.Environment) bool {
	if !p.Marker.Holds(e) {
		return false
	}
	return len(p.Forks) == 0 || slices.ContainsFunc(p.Forks, func(m pep508.Marker) bool { return m.Holds(e) })
}

// find returns the package with a normalized name that is installed in an environment. If the lock
// file contains several candidates, note explains the choice. ok is false if it does not contain
// any.
func (l *Lock) find(name, from string, e pep508.Environment, wants []pep508.Requirement) (p *Package, note string, ok bool) {
	all := l.packages[name]
	if len(all) == 0 {
		return nil, "", false
	}
	fitting := filter(all, func(p *Package) bool { return p.holds(e) })
	if len(fitting) == 0 {
		fitting, note = all, "for other platforms or versions of Python"
	}
	if len(fitting) > 1 {
		if p := l.reached(name, from, e); p != nil {
			return p, note, true
		}
		python := e.Values["python_full_version"]
		prefer := func(keep func(*Package) bool) {
			if some := filter(fitting, keep); len(some) > 0 {
				fitting = some
			}
		}
		prefer(func(p *Package) bool { return python == "" || p.RequiresPython.Contains(python) })
		prefer(func(p *Package) bool {
			return !slices.ContainsFunc(wants, func(r pep508.Requirement) bool {
				return r.Marker.Holds(e) && !r.Specifiers.Contains(p.Version)
			})
		})
	}
	best := slices.MaxFunc(fitting, func(a, b *Package) int { return pep440.Compare(a.Version, b.Version) })
	if note == "" && slices.ContainsFunc(fitting, func(p *Package) bool { return p.Version != best.Version }) {
		note = "the newest of several"
	}
	return best, note, true
}

func filter(all []*Package, keep func(*Package) bool) []*Package {
	var out []*Package
	for _, p := range all {
		if keep(p) {
			out = append(out, p)
		}
	}
	return out
}

// reached follows the dependencies of the project's own packages whose markers hold, and returns
// the first package with the given name, or nil if it does not find any. It starts with the package
// in the directory from.
func (l *Lock) reached(name, from string, e pep508.Environment) *Package {
	var queue []*Package
	if root := l.roots[from]; root != nil {
		queue = append(queue, root)
	}
	for _, dir := range slices.Sorted(maps.Keys(l.roots)) {
		if dir != from {
			queue = append(queue, l.roots[dir])
		}
	}
	seen := map[*Package]bool{}
	for len(queue) > 0 {
		p := queue[0]
		queue = queue[1:]
		if seen[p] {
			continue
		}
		seen[p] = true
		for _, d := range p.edges {
			if !d.marker.Holds(e) {
				continue
			}
			next := l.target(d, e)
			if next != nil && d.name == name {
				return next
			}
			if next != nil && !seen[next] {
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// target returns the package that an edge refers to. It returns nil if the lock file does not
// contain it.
func (l *Lock) target(d edge, e pep508.Environment) *Package {
	all := filter(l.packages[d.name], func(p *Package) bool { return d.version == "" || p.Version == d.version })
	if fitting := filter(all, func(p *Package) bool { return p.holds(e) }); len(fitting) > 0 {
		all = fitting
	}
	if len(all) == 0 {
		return nil
	}
	return slices.MaxFunc(all, func(a, b *Package) int { return cmp.Or(pep440.Compare(a.Version, b.Version)) })
}
