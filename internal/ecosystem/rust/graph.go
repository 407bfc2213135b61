package rust

import (
	"context"
	"path/filepath"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/cargo"
	"github.com/docent-mcp/docent/internal/quote"
)

var _ ecosystem.Grapher = (*Rust)(nil)

// Graph implements ecosystem.Grapher. It lists the packages of Cargo.lock. Packages that
// the target and the features do not need are inactive, provided that the manifests of
// all packages are on this machine.
func (rs *Rust) Graph(_ context.Context, projectDir string) (*ecosystem.Graph, error) {
	f, err := rs.localProject(projectDir)
	if err != nil {
		return nil, err
	}
	defer f.close()
	g := &ecosystem.Graph{Root: f.project.Root, Problems: f.project.Problems}
	if f.project.Lock == nil {
		f.graphOfManifests(g)
		return g, nil
	}
	lock := f.project.Lock
	features := f.resolve()
	known := len(features.Unknown) == 0
	if !known {
		g.Problems = append(g.Problems, "The manifests of "+quote.Count(len(features.Unknown), "package")+" are not on this machine. Without them, docent cannot determine which packages are only for other platforms or features. Run cargo fetch.")
	}
	for i := range lock.Packages {
		p := &lock.Packages[i]
		u := ecosystem.Used{Name: p.Name, Version: p.Version, File: "Cargo.lock"}
		if s, ok := f.config.SourceOf(p.Source); ok {
			_, u.Installed = f.placeOf(s, p.Name, p.Version)
		} else if dir := f.localDir(p); dir != "" {
			u.Installed = true
			if p.Source == "" {
				u.Dir, u.Version = dir, ""
			}
		}
		if known {
			u.Requires = features.Requires(i)
		} else {
			for _, to := range p.Dependencies {
				u.Requires = append(u.Requires, lock.Replaced(to))
			}
		}
		g.Packages = append(g.Packages, u)
	}
	for _, m := range f.project.Members {
		i := f.lockIndex(m)
		if i < 0 {
			continue
		}
		u := &g.Packages[i]
		u.Member, u.Installed, u.Dir, u.Version = true, true, m.Dir, ""
		u.File = g.Rel(filepath.Join(m.Dir, "Cargo.toml"))
		for k := range m.Manifest.Dependencies {
			d := &m.Manifest.Dependencies[k]
			to := lock.DependencyOf(i, d)
			if to < 0 {
				continue
			}
			if d.Requirement != "" {
				g.Packages[to].Wants = append(g.Packages[to].Wants, d.Requirement)
			}
			turnOn(&g.Packages[to], d)
		}
	}
	if known {
		g.Deactivate(nil)
	}
	g.Sort()
	return g, nil
}

// graphOfManifests adds the members and their requirements, without a lock file.
func (f *finder) graphOfManifests(g *ecosystem.Graph) {
	index := map[string]int{}
	for _, m := range f.project.Members {
		index[m.Manifest.Name] = len(g.Packages)
		g.Packages = append(g.Packages, ecosystem.Used{
			Name: m.Manifest.Name, Dir: m.Dir, Member: true, Installed: true, File: g.Rel(filepath.Join(m.Dir, "Cargo.toml")),
		})
	}
	for i, m := range f.project.Members {
		for k := range m.Manifest.Dependencies {
			d := &m.Manifest.Dependencies[k]
			to, ok := index[d.Package]
			if !ok {
				to = len(g.Packages)
				index[d.Package] = to
				g.Packages = append(g.Packages, ecosystem.Used{
					Name: d.Package, File: g.Packages[i].File,
					Inactive: d.Kind != cargo.Development && d.Target != "" && !f.target.Matches(d.Target),
				})
			}
			g.Packages[i].Requires = append(g.Packages[i].Requires, to)
			if d.Requirement != "" {
				g.Packages[to].Wants = append(g.Packages[to].Wants, d.Requirement)
			}
		}
	}
	g.Sort()
}

// defaultFeature is the feature that enables the default features.
const defaultFeature = "default"

// turnOn adds the features that a dependency enables.
func turnOn(u *ecosystem.Used, d *cargo.Dependency) {
	if u.Features == nil {
		u.Features = []string{}
	}
	if d.Default {
		u.Features = append(u.Features, defaultFeature)
	}
	u.Features = append(u.Features, d.Features...)
}
