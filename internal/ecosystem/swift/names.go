package swift

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/manifest"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// local opens the project of a directory without a query. It returns nil if the
// project cannot be read.
func (sw *Swift) local(projectDir string) *finder {
	return ecosystem.Local(projectDir, func(dir string) (*finder, error) {
		return sw.newFinder(context.Background(), question{project: dir, platform: hostPlatform()})
	})
}

// Names implements ecosystem.Language. It completes the names of the project's
// packages and their modules, or else of packages that SwiftPM has fetched on
// this machine.
func (sw *Swift) Names(projectDir, prefix string, limit int) []string {
	f := sw.local(projectDir)
	if f == nil {
		return nil
	}
	defer f.close()
	return f.names(prefix, limit)
}

// names returns up to limit names that begin with prefix, sorted.
func (f *finder) names(prefix string, limit int) []string {
	found := map[string]bool{}
	add := func(name string) {
		if name != "" && strings.HasPrefix(strings.ToLower(name), strings.ToLower(prefix)) {
			found[name] = true
		}
	}
	if f.project != nil {
		for _, c := range f.list() {
			add(c.Identity)
			if m := f.manifestOf(c); m != nil {
				for _, name := range libraryModules(m) {
					add(name)
				}
			}
			if c.pod != nil {
				add(c.Name)
			}
		}
	} else {
		for _, dir := range f.cachedRepositories() {
			if owner, name, ok := ownerOf(originOf(dir)); ok {
				add(owner + "/" + name)
			}
			base := filepath.Base(dir)
			add(strings.ToLower(base[:strings.LastIndexByte(base, '-')]))
		}
	}
	return ecosystem.FirstNames(found, limit)
}

// libraryModules returns the modules that are part of a package's libraries.
func libraryModules(m *manifest.Manifest) []string {
	var all []string
	for _, p := range m.Products {
		if p.Kind != "library" {
			continue
		}
		for _, t := range p.Targets {
			if name := c99(t); !slices.Contains(all, name) && !strings.HasPrefix(name, "_") {
				all = append(all, name)
			}
		}
	}
	return all
}

// moduleNames returns the names of targets of the project and of its packages, and of what the targets depend on.
func (f *finder) moduleNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, c := range f.list() {
			m := f.manifestOf(c)
			if m == nil {
				continue
			}
			for i := range m.Targets {
				if t := &m.Targets[i]; !yield(c99(t.Name)) {
					return
				}
				for _, d := range m.Targets[i].Dependencies {
					if !yield(c99(d.Name)) {
						return
					}
				}
			}
		}
	}
}

// maxListed is the maximum number of packages that are listed.
const maxListed = 5000

// Dependencies implements ecosystem.Lister. It lists the packages that the
// project requires, then the other packages that its files pin. A package on
// this machine is listed with a module.
func (sw *Swift) Dependencies(projectDir string) ([]ecosystem.Dependency, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	if _, err := sw.project(context.Background(), dir); err != nil {
		return nil, err
	}
	f := sw.local(dir)
	if f == nil || f.project == nil {
		return nil, project.ErrNone
	}
	defer f.close()
	var all []ecosystem.Dependency
	for _, c := range f.list() {
		if c.dir == f.project.Root || len(all) >= maxListed {
			continue
		}
		d := ecosystem.Dependency{Package: c.Identity, Version: c.Version, Direct: c.direct, Installed: f.installed(c)}
		if c.pod != nil {
			d.Package = c.Name
		}
		m := f.manifestOf(c)
		if m == nil {
			d.Imported = c.direct && f.imports(c, "")
			all = append(all, d)
			continue
		}
		for _, name := range libraryModules(m) {
			one := d
			one.Package = c.Identity + "/" + name
			one.Imported = f.imports(c, name)
			all = append(all, one)
		}
	}
	ecosystem.SortDependencies(all)
	return all, nil
}

// installed reports whether a candidate can be read without a network.
func (f *finder) installed(c *candidate) bool {
	if c.dir != "" || c.unpinned != "" {
		return true
	}
	if c.pod != nil {
		return project.IsDir(filepath.Join(f.project.PodsRoot, "Pods", c.Name))
	}
	if dir, _ := f.checkout(c); dir != "" {
		return true
	}
	return c.Kind != swiftpm.Registry && len(f.repositories(c.location)) > 0
}

// imports reports whether a target in the project's manifest depends on a
// product of a package, or on any of the package's products if product is empty.
func (f *finder) imports(c *candidate, product string) bool {
	if f.manifest == nil {
		return c.direct
	}
	for i := range f.manifest.Targets {
		for _, d := range f.manifest.Targets[i].Dependencies {
			if product == "" && sameIdentity(c, d.Package) || product != "" && d.Name == product && (d.Package == "" || sameIdentity(c, d.Package)) {
				return true
			}
		}
	}
	return false
}
