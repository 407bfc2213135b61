package gomod

import (
	"iter"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/project"
)

// Selection is the version of a module that a project uses.
type Selection struct {
	Path string // as in import paths
	// Actual is the module to open. It differs from the required one if the
	// module is replaced. If its Path is an absolute directory, its Version is
	// empty.
	Actual module.Version
	// By describes what determined the version, such as "go.mod of example.com/app".
	By string
	// Direct is true if one of the project's own modules requires it directly.
	Direct bool
	// Listed is true if one of the project's go.mod files lists it.
	Listed bool
}

// Dir returns the directory that replaces the module, or "" if none does.
func (s Selection) Dir() string {
	if s.Actual.Version == "" {
		return s.Actual.Path
	}
	return ""
}

// Candidates yields the modules, other than the project's own, that may contain a
// package, with the versions that the project uses. Modules in its go.mod files come
// first, the longest path first, then other modules of its module graph, then modules
// that are only in its go.sum.
func (p *Project) Candidates(importPath string) iter.Seq[Selection] {
	return func(yield func(Selection) bool) {
		seen := map[string]bool{}
		for _, sel := range []func(string) (Selection, bool){p.listed, p.inGraph, p.inSums} {
			for path := importPath; path != ""; path = parentPath(path) {
				if seen[path] || p.isMain(path) {
					continue
				}
				if s, ok := sel(path); ok {
					seen[path] = true
					if !yield(s) {
						return
					}
				}
			}
		}
	}
}

// Select returns the version of the module with exactly this path that the
// project uses. It returns false if the project does not use it.
func (p *Project) Select(modulePath string) (Selection, bool) {
	for s := range p.Candidates(modulePath) {
		if s.Path == modulePath {
			return s, true
		}
	}
	return Selection{}, false
}

// Dependencies lists all modules that the project uses, sorted by path. They are the
// modules in its go.mod files if these list all, or else the modules of the module graph,
// as far as the module cache contains it.
func (p *Project) Dependencies() []project.Dependency {
	paths := map[string]bool{}
	for i := range p.Mains {
		for _, r := range p.Mains[i].file.Require {
			paths[r.Mod.Path] = true
		}
	}
	if !p.complete() {
		for path := range p.loadGraph().selected {
			paths[path] = true
		}
	}
	deps := make([]project.Dependency, 0, len(paths))
	for path := range paths {
		s, ok := p.listed(path)
		if !ok {
			s, ok = p.inGraph(path)
		}
		if !ok || p.isMain(path) {
			continue
		}
		d := project.Dependency{Name: path, Version: s.Actual.Version, Dir: s.Dir(), Direct: s.Direct, By: s.By}
		if d.Dir == "" && s.Actual.Path != path {
			d.Alias = s.Actual.Path
		}
		deps = append(deps, d)
	}
	slices.SortFunc(deps, func(a, b project.Dependency) int { return strings.Compare(a.Name, b.Name) })
	return deps
}

// complete reports whether one go.mod file lists every module, in which case no graph has to be
// loaded.
func (p *Project) complete() bool {
	return len(p.Mains) == 1 && p.Root.WorkFile == "" && pruned(goLine(p.Mains[0].file))
}

func (p *Project) isMain(path string) bool {
	return slices.ContainsFunc(p.Mains, func(m Main) bool { return m.Path == path })
}

// listed selects a version from the go.mod files. If they do not list every
// module, the graph decides, since a dependency may require a higher version. It
// returns false if they do not list the module.
func (p *Project) listed(path string) (Selection, bool) {
	version, by, direct := p.required(path)
	if version == "" {
		return Selection{}, false
	}
	if !p.complete() {
		if s, ok := p.inGraph(path); ok {
			s.Listed = true
			return s, true
		}
	}
	s := p.selection(module.Version{Path: path, Version: version}, "go.mod of "+by, direct)
	s.Listed = true
	return s, true
}

// required returns the highest version that the project's own go.mod files
// require. by is the module that requires it. direct is true unless all of them
// mark it as indirect.
func (p *Project) required(path string) (version, by string, direct bool) {
	for i := range p.Mains {
		for _, r := range p.Mains[i].file.Require {
			if r.Mod.Path != path || p.excluded[r.Mod] {
				continue
			}
			if version == "" || semver.Compare(r.Mod.Version, version) > 0 {
				version, by = r.Mod.Version, p.Mains[i].Path
			}
			direct = direct || !r.Indirect
		}
	}
	return version, by, direct
}

func (p *Project) inGraph(path string) (Selection, bool) {
	g := p.loadGraph()
	version, ok := g.selected[path]
	if !ok {
		return Selection{}, false
	}
	var by string
	required, main, direct := p.required(path)
	switch {
	case required == version:
		by = "go.mod of " + main
	case required != "":
		by = "module graph of " + p.Mains[0].Path + ", where a dependency requires a higher version than go.mod"
	default:
		by = "module graph of " + p.Mains[0].Path
	}
	if g.missing > 0 && required != version {
		by += ", based on the go.mod files in the module cache"
	}
	return p.selection(module.Version{Path: path, Version: version}, by, direct), true
}

// inSums finds the version of a module that only go.sum lists and no go.mod file
// requires. It returns false if there is none.
func (p *Project) inSums(path string) (Selection, bool) {
	highest := ""
	for _, v := range p.sumVersions(path) {
		if highest == "" || semver.Compare(v, highest) > 0 {
			highest = v
		}
	}
	if highest == "" {
		return Selection{}, false
	}
	by := "go.sum of " + p.Mains[0].Path + ", which records it although go.mod does not require it"
	return p.selection(module.Version{Path: path, Version: highest}, by, false), true
}

// selection applies the replace directives to m.
func (p *Project) selection(m module.Version, by string, direct bool) Selection {
	s := Selection{Path: m.Path, Actual: m, By: by, Direct: direct}
	if r, ok := p.replacementOf(m); ok {
		s.Actual, s.By = r.new, r.by
	}
	return s
}

// Replacement returns the replacement of a module version. by describes the file with the
// replace directive. ok is false if there is none.
func (p *Project) Replacement(m module.Version) (actual module.Version, by string, ok bool) {
	r, ok := p.replacementOf(m)
	return r.new, r.by, ok
}

// Excluded reports whether the project excludes a module version.
func (p *Project) Excluded(m module.Version) bool { return p.excluded[m] }

// ReplacedByDir returns the directory that a replace directive specifies for the module that would
// contain an import path, even if the module is not required. ok is false if there is none.
func (p *Project) ReplacedByDir(importPath string) (s Selection, ok bool) {
	for old, r := range p.replaced {
		if r.new.Version == "" && within(importPath, old.Path) && (!ok || len(old.Path) > len(s.Path)) {
			s, ok = Selection{Path: old.Path, Actual: r.new, By: r.by}, true
		}
	}
	return s, ok
}

// parentPath removes the last element of an import path.
func parentPath(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return ""
	}
	return path[:i]
}

// Required returns the version that the project's own go.mod files require. ok is
// false if none requires the module.
func (p *Project) Required(modulePath string) (version string, ok bool) {
	version, _, _ = p.required(modulePath)
	return version, version != ""
}
