package ecosystem

import (
	"maps"
	"slices"
)

// Dependency is a package that a project can import because the project depends
// on it or on its module.
type Dependency struct {
	// Package is the name of the package, as in Query.Package.
	Package string
	// Module is the unit that the project's files require, if its name differs from the
	// package's: the path of a Go module or the name of a Python distribution.
	Module string
	// Standard is true for packages of the language's standard library.
	Standard bool
	// Version is the version that the project uses, or empty if a local directory replaces
	// the package.
	Version string
	// Direct is true if the project itself requires the package.
	Direct bool
	// Imported is true if the project's own files are known to import it.
	Imported bool
	// Installed is true if the package can be read without a network.
	Installed bool
	// Size is an estimate of the bytes that have to be read to document the package, which may
	// include parts of other packages. It is only comparable with that of packages of the same
	// project, and 0 if it is unknown.
	Size int64
}

// SortDependencies sorts dependencies in the order that Lister specifies: packages that
// the project imports, then packages that it requires, then the rest. Among equals,
// installed packages come first.
func SortDependencies(all []Dependency) {
	importance := func(d Dependency) int {
		n := 0
		for i, yes := range []bool{d.Installed, d.Direct, d.Imported} {
			if yes {
				n |= 1 << i
			}
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b Dependency) int { return importance(b) - importance(a) })
}

// FirstNames returns at most limit names of a set, in alphabetical order.
func FirstNames(set map[string]bool, limit int) []string {
	all := slices.Sorted(maps.Keys(set))
	return all[:min(len(all), limit)]
}

// A PackageLister is a Language whose projects require modules that contain several packages.
type PackageLister interface {
	// Below lists the packages below the roots of the modules that the project in the given
	// directory depends on, if they are on this machine. Without a project, it lists the
	// modules on this machine.
	Below(projectDir string) []string
}

// A Lister is a Language that can list a project's dependencies.
type Lister interface {
	// Dependencies lists the dependencies of the project in the given directory, in the order
	// of SortDependencies. It reads local files only.
	Dependencies(projectDir string) ([]Dependency, error)
}
