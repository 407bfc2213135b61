package ecosystem

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"
)

// A Grapher is a Language that can list all packages of a project.
type Grapher interface {
	// Graph returns the packages of the project in a directory. It reads local files
	// only. The error is project.ErrNone if there is no project.
	Graph(ctx context.Context, projectDir string) (*Graph, error)
}

// Graph contains the packages of a project, with the requirements of each.
type Graph struct {
	// Root is the absolute directory of the project or of its workspace.
	Root string
	// Packages are sorted by name and version, with the project's own packages first.
	Packages []Used
	// Bundled are the packages that come with the toolchain that the project selects, such as the
	// standard library. Lists of dependencies omit them.
	Bundled []Used
	// Problems are sentences about files that could not be read.
	Problems []string
}

// Used is one version of a package that a project uses.
type Used struct {
	// Name is the name in the registry, such as the path of a Go module or the name of
	// a Python distribution.
	Name string
	// Aliases are other names under which the package is imported.
	Aliases []string
	// Location is the address of the repository from which the package comes, or the name of the
	// package that replaces it, if Name is not that address.
	Location string
	// Version is empty if Dir is used instead of a release, or if no version was selected.
	Version string
	// Revision is the commit in the repository at Location, if it is known.
	Revision string
	// File is the file that selects the version, relative to the project, such as
	// "package-lock.json".
	File string
	// Dir is the absolute directory of one of the project's packages, or of a package
	// that is used instead of a release.
	Dir string
	// Member is true for the project's own packages.
	Member bool
	// Installed is true if the package can be read without a network.
	Installed bool
	// Inactive is true for a package that the project does not use on this machine, because it is
	// for another platform or for a disabled feature.
	Inactive bool
	// Requires contains indexes into Graph.Packages, in ascending order.
	Requires []int
	// Wants are the version constraints in the project's own packages, without
	// duplicates, in the language's syntax. It is empty if only other packages require
	// this one.
	Wants []string
	// Features are the features of this package that the project's own packages enable, sorted. It
	// is nil if they are unknown, and empty if there are none.
	Features []string
}

// Sort sorts the packages and removes duplicate requirements.
func (g *Graph) Sort() {
	order := make([]int, len(g.Packages))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int {
		a, b := &g.Packages[i], &g.Packages[k]
		if a.Member != b.Member {
			if a.Member {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Version, b.Version), strings.Compare(a.Dir, b.Dir))
	})
	place := make([]int, len(order))
	sorted := make([]Used, len(order))
	for to, from := range order {
		place[from], sorted[to] = to, g.Packages[from]
	}
	for i := range sorted {
		requires := make([]int, 0, len(sorted[i].Requires))
		for _, to := range sorted[i].Requires {
			if place[to] != i {
				requires = append(requires, place[to])
			}
		}
		slices.Sort(requires)
		sorted[i].Requires = slices.Compact(requires)
		slices.Sort(sorted[i].Aliases)
		slices.Sort(sorted[i].Wants)
		sorted[i].Wants = slices.Compact(sorted[i].Wants)
		slices.Sort(sorted[i].Features)
		sorted[i].Features = slices.Compact(sorted[i].Features)
	}
	g.Packages = sorted
}

// Deactivate marks the packages that the project's own packages do not require, or
// require only through blocked ones. If blocked is nil, no package is blocked.
func (g *Graph) Deactivate(blocked func(i int) bool) {
	reached := make([]bool, len(g.Packages))
	var queue []int
	visit := func(i int) {
		if !reached[i] && (blocked == nil || !blocked(i)) {
			reached[i] = true
			queue = append(queue, i)
		}
	}
	for i := range g.Packages {
		if g.Packages[i].Member {
			visit(i)
		}
	}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, to := range g.Packages[next].Requires {
			visit(to)
		}
	}
	for i := range g.Packages {
		g.Packages[i].Inactive = !reached[i]
	}
}

// Rel returns a path relative to the root, with forward slashes, or unchanged if it is
// not below the root.
func (g *Graph) Rel(path string) string {
	if rel, err := filepath.Rel(g.Root, path); path != "" && err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// Direct reports for each package whether one of the project's own packages requires it.
func (g *Graph) Direct() []bool {
	direct := make([]bool, len(g.Packages))
	for i := range g.Packages {
		if g.Packages[i].Member {
			for _, to := range g.Packages[i].Requires {
				direct[to] = true
			}
		}
	}
	return direct
}

// String describes the graph with one line for each package, such as "!a 1.0.0 (go.mod)
// > b c". The mark ! means that a package is not installed, and ~ that it is inactive.
func (g *Graph) String() string {
	var b strings.Builder
	for i := range g.Packages {
		p := &g.Packages[i]
		if p.Inactive {
			b.WriteByte('~')
		}
		if !p.Installed {
			b.WriteByte('!')
		}
		b.WriteString(p.Name)
		for _, part := range []string{p.Version, g.Rel(p.Dir), "(" + p.File + ")"} {
			if part != "" {
				b.WriteString(" " + part)
			}
		}
		for n, to := range p.Requires {
			if n == 0 {
				b.WriteString(" >")
			}
			b.WriteString(" " + g.Packages[to].Name)
		}
		if len(p.Wants) > 0 {
			b.WriteString(" wanted as " + strings.Join(p.Wants, ", "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
