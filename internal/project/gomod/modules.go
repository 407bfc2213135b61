package gomod

import (
	"maps"
	"slices"

	"golang.org/x/mod/module"
)

// Module is a module that a project uses, with the requirements in its go.mod file.
type Module struct {
	Selection
	// Requires are the paths of modules, some of which may be the project's own.
	Requires []string
}

// Modules returns all modules of the project's module graph, except its own, sorted by
// path. missing is the number of go.mod files that are not in the module cache; if there
// are any, the list may be incomplete.
func (p *Project) Modules() (all []Module, missing int) {
	g := p.loadGraph()
	for _, path := range slices.Sorted(maps.Keys(g.selected)) {
		s, ok := p.listed(path)
		if !ok {
			s, ok = p.inGraph(path)
		}
		if !ok {
			continue
		}
		m := Module{Selection: s}
		if r := g.requires[module.Version{Path: path, Version: g.selected[path]}]; r != nil {
			for _, required := range r.list {
				m.Requires = append(m.Requires, required.Path)
			}
		}
		all = append(all, m)
	}
	return all, g.missing
}

// Requires returns the paths of the modules that one of the project's own modules
// requires directly.
func (m *Main) Requires() []string {
	var paths []string
	for _, r := range m.file.Require {
		if !r.Indirect {
			paths = append(paths, r.Mod.Path)
		}
	}
	return paths
}

// ListsAll reports whether the go.mod files of the project list every module that its
// packages need, as go.mod files of Go 1.17 and later do.
func (p *Project) ListsAll() bool {
	return !slices.ContainsFunc(p.Mains, func(m Main) bool { return !pruned(goLine(m.file)) })
}
