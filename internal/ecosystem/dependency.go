package ecosystem

import (
	"maps"
	"slices"
)

// Dependency is a package that a project can import, of a module or package that
// it depends on.
type Dependency struct {
	// Package is its name, as a Query has it.
	Package string
	// Version is the one that the project uses, empty if a directory stands in
	// for it.
	Version string
	// Direct is true if the project itself asks for it.
	Direct bool
	// Imported is true if the project's own files are known to import it.
	Imported bool
	// Installed is true if it can be read without a network.
	Installed bool
}

// SortDependencies sorts dependencies as a Lister lists them: what the project
// imports, what it asks for, the rest; among equals what is installed comes first.
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

// FirstNames returns the first names of a set in alphabetical order, limit at most.
func FirstNames(set map[string]bool, limit int) []string {
	all := slices.Sorted(maps.Keys(set))
	return all[:min(len(all), limit)]
}

// A Lister is a Language that knows what a project depends on.
type Lister interface {
	// Dependencies lists the dependencies of the project in a directory, those
	// first that matter most to it: what its own files import, what it asks for,
	// what only dependencies ask for. It reads local files alone.
	Dependencies(projectDir string) ([]Dependency, error)
}
