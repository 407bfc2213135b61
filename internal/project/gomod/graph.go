package gomod

import (
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/project"
)

// graph is the result of minimal version selection over the go.mod files that
// are available.
type graph struct {
	selected map[string]string // module path -> version, without the project's own modules
	missing  int               // number of go.mod files that are not in the module cache
	requires map[module.Version]*requirements
}

// maxGraph is the maximum number of go.mod files of dependencies that are read.
const maxGraph = 20_000

func (p *Project) loadGraph() *graph {
	p.graphOnce.Do(func() {
		p.graph = p.selectVersions()
		p.partial.Store(p.graph.missing > 0)
	})
	return &p.graph
}

// selectVersions walks the requirements from the project's own modules and selects the
// highest version of each module. For a dependency with Go 1.17 or later, it uses only
// the requirements in its go.mod, because these list all modules that it needs. For an
// older dependency, it also follows the requirements of the required modules.
func (p *Project) selectVersions() graph {
	g := graph{selected: map[string]string{}, requires: map[module.Version]*requirements{}}
	type visit struct {
		m    module.Version
		full bool // whether to also follow the requirements of its requirements
	}
	var queue []visit
	done := map[visit]bool{}

	require := func(reqs []module.Version, follow, full bool) {
		for _, m := range reqs {
			if p.excluded[m] || p.isMain(m.Path) {
				continue
			}
			if v, ok := g.selected[m.Path]; !ok || semver.Compare(m.Version, v) > 0 {
				g.selected[m.Path] = m.Version
			}
			if next := (visit{m, full}); follow && !done[next] && len(done) < maxGraph {
				done[next] = true
				queue = append(queue, next)
			}
		}
	}
	for i := range p.Mains {
		required := requirementsOf(p.Mains[i].file)
		require(required.list, true, !required.pruned)
	}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		reqs, ok := g.requires[v.m]
		if !ok {
			if reqs = p.requirementsOf(v.m); reqs == nil {
				g.missing++
			}
			g.requires[v.m] = reqs
		}
		if reqs == nil {
			continue
		}
		full := v.full || !reqs.pruned
		require(reqs.list, full, full)
	}
	return g
}

// requirements are the requirements in one go.mod file.
type requirements struct {
	list   []module.Version
	pruned bool // whether it lists all modules that are needed
}

func requirementsOf(f *modfile.File) *requirements {
	r := &requirements{pruned: pruned(goLine(f)), list: make([]module.Version, 0, len(f.Require))}
	for _, req := range f.Require {
		r.list = append(r.list, req.Mod)
	}
	return r
}

// requirementsOf reads the go.mod file of a dependency from the module cache or its directory. It
// returns nil if neither contains it.
func (p *Project) requirementsOf(m module.Version) *requirements {
	if r, ok := p.replacementOf(m); ok {
		m = r.new
	}
	path := cachedMod(p.options.ModCache, m)
	if m.Version == "" {
		path = filepath.Join(m.Path, "go.mod")
	}
	data, err := project.ReadFile(path, maxModFile)
	if err != nil {
		return nil
	}
	f, err := modfile.ParseLax(path, data, keepVersion)
	if err != nil {
		return nil
	}
	return requirementsOf(f)
}

// cachedMod returns the path of a module version's go.mod file in a module cache, or "" if the
// version cannot be in one. It does not check whether the file exists.
func cachedMod(modCache string, m module.Version) string {
	if modCache == "" {
		return ""
	}
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return ""
	}
	version, err := module.EscapeVersion(m.Version)
	if err != nil {
		return ""
	}
	return filepath.Join(modCache, "cache", "download", filepath.FromSlash(path), "@v", version+".mod")
}
