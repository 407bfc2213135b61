package golang

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/quote"
)

var _ ecosystem.Grapher = (*Golang)(nil)

// Graph implements ecosystem.Grapher. It lists the module graph, as go list -m all does.
// Modules that no package of the project needs are inactive. In a project that builds
// from its vendor directory, so are modules that are not in that directory.
func (g *Golang) Graph(_ context.Context, projectDir string) (*ecosystem.Graph, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	f, err := g.newFinder(question{project: dir, dir: dir})
	if err != nil {
		return nil, err
	}
	if f.project == nil {
		return nil, project.ErrNone
	}
	p := f.project
	out := &ecosystem.Graph{Root: p.Dir, Bundled: bundled(p, filepath.Base(cmp.Or(p.Root.WorkFile, p.Root.ModFile)))}
	index := map[string]int{}
	add := func(u ecosystem.Used) {
		index[u.Name] = len(out.Packages)
		out.Packages = append(out.Packages, u)
	}
	for i := range p.Mains {
		add(ecosystem.Used{Name: p.Mains[i].Path, Dir: p.Mains[i].Dir, Member: true, Installed: true, File: out.Rel(filepath.Join(p.Mains[i].Dir, "go.mod"))})
	}
	all, missing := p.Modules()
	listsAll, vendored := p.ListsAll(), p.VendoredModules()
	for i := range all {
		m := &all[i]
		u := ecosystem.Used{Name: m.Path, Version: m.Actual.Version, Dir: m.Dir(), File: "module graph", Inactive: listsAll && !m.Listed}
		if m.Listed {
			u.File = "go.mod"
		}
		if m.Actual.Path != m.Path && u.Dir == "" {
			u.Location = m.Actual.Path
		}
		if m.Direct {
			if version, ok := p.Required(m.Path); ok {
				u.Wants = []string{version}
			}
		}
		d := project.Dependency{Name: m.Path, Version: u.Version, Dir: u.Dir}
		if u.Dir == "" && m.Actual.Path != m.Path {
			d.Alias = m.Actual.Path
		}
		if vendored == nil {
			u.Installed = f.atHand(&d, m.Path)
		} else {
			u.Installed, u.Inactive = vendored[m.Path], !vendored[m.Path]
		}
		add(u)
	}
	require := func(from int, paths []string) {
		for _, path := range paths {
			if to, ok := index[path]; ok {
				out.Packages[from].Requires = append(out.Packages[from].Requires, to)
			}
		}
	}
	for i := range p.Mains {
		require(i, p.Mains[i].Requires())
	}
	for i := range all {
		require(len(p.Mains)+i, all[i].Requires)
	}
	if missing > 0 && vendored == nil {
		out.Problems = append(out.Problems, fmt.Sprintf("The module cache does not contain the go.mod files of %s, so modules may be missing; run go mod download.", quote.Count(missing, "dependency")))
	}
	out.Sort()
	return out, nil
}
