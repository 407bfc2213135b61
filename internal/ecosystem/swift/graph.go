package swift

import (
	"cmp"
	"context"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
)

var _ ecosystem.Grapher = (*Swift)(nil)

// Graph implements ecosystem.Grapher. The requirements of a package are known if its
// Package.swift is on this machine.
func (sw *Swift) Graph(ctx context.Context, projectDir string) (*ecosystem.Graph, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	if _, err := sw.project(ctx, dir); err != nil {
		return nil, err
	}
	f := sw.local(dir)
	if f == nil || f.project == nil {
		return nil, project.ErrNone
	}
	defer f.close()
	g := &ecosystem.Graph{Root: f.project.Root, Problems: f.project.Problems}
	all := f.list()
	index := map[string]int{}
	root := -1
	for i, c := range all {
		if i >= maxListed {
			break
		}
		u := ecosystem.Used{Name: c.Identity, Version: c.Chosen(), Dir: c.dir, Member: c.inProject, Installed: f.installed(c), File: fileOf(c.by)}
		if c.pod != nil {
			u.Name = c.Name
		} else if !c.inProject {
			u.Location, u.Revision = cmp.Or(webLocation(c.Location), c.Location), c.Revision
		}
		if u.Dir != "" {
			u.Version, u.File = "", g.Rel(filepath.Join(c.dir, "Package.swift"))
		}
		if c.dir == f.project.Root {
			root = i
		}
		index[strings.ToLower(c.Identity)] = i
		g.Packages = append(g.Packages, u)
	}
	required, _ := f.requirements()
	for _, c := range required {
		if i, ok := index[strings.ToLower(c.Identity)]; ok && !c.requirement.Any() {
			g.Packages[i].Wants = append(g.Packages[i].Wants, c.requirement.String())
		}
	}
	for i := range g.Packages {
		m := f.manifestOf(all[i])
		if m == nil {
			continue
		}
		for k := range m.Dependencies {
			d := &m.Dependencies[k]
			if to, ok := index[strings.ToLower(d.Identity())]; ok {
				g.Packages[i].Requires = append(g.Packages[i].Requires, to)
			}
		}
	}
	if root < 0 { // The project is an Xcode project, or one with pods.
		root = len(g.Packages)
		g.Packages = append(g.Packages, ecosystem.Used{Name: f.project.Name(), Dir: f.project.Root, Member: true, Installed: true, File: xcodeFile(f)})
	}
	for i, c := range all[:min(len(all), maxListed)] {
		if c.direct && i != root {
			g.Packages[root].Requires = append(g.Packages[root].Requires, i)
		}
	}
	g.Sort()
	return g, nil
}

// fileOf returns the name of the file in a phrase that describes what determined a version. For
// example, it returns "Package.resolved" for "Package.resolved of shop".
func fileOf(by string) string {
	file, _, _ := strings.Cut(by, " of ")
	return file
}

// xcodeFile returns the file that makes the directory a project if there is no Package.swift.
func xcodeFile(f *finder) string {
	if len(f.project.Xcode) > 0 {
		return filepath.Base(f.project.Xcode[0])
	}
	return "Podfile"
}
