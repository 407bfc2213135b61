package python

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// local opens the project and the environment of a directory, without a package to look up. It
// returns nil if that fails.
func (py *Python) local(projectDir string) *finder {
	return ecosystem.Local(projectDir, func(dir string) (*finder, error) {
		return py.newFinder(context.Background(), question{project: dir, platform: defaultPlatform()})
	})
}

// Names implements ecosystem.Language. It completes the names of modules of the
// project, of installed distributions, and of the standard library.
func (py *Python) Names(projectDir, prefix string, limit int) []string {
	f := py.local(projectDir)
	if f == nil {
		return nil
	}
	defer f.close()
	found := map[string]bool{}
	add := func(name string) {
		if strings.HasPrefix(name, prefix) && (validModule(name) || pep508.ValidName(name)) && (!strings.HasPrefix(name, "_") || strings.HasPrefix(prefix, "_")) {
			found[name] = true
		}
	}
	if f.project != nil {
		for _, name := range append(f.project.Manifest.Names(), f.project.RootManifest.Names()...) {
			add(name)
		}
		for name := range f.project.Members() {
			add(name)
		}
	}
	if f.env == nil {
		return ecosystem.FirstNames(found, limit)
	}
	dir, nested := "", strings.Contains(prefix, ".")
	if nested {
		dir = strings.ReplaceAll(parentModule(prefix), ".", string(filepath.Separator))
	}
	for _, root := range append(slices.Clone(f.env.site), f.env.stdlib) {
		if root == "" {
			continue
		}
		for _, name := range project.DirNames(filepath.Join(root, dir)) {
			module := moduleOf(name)
			if module == "" && validModule(name) && name != "site-packages" && name != "__pycache__" && project.IsDir(filepath.Join(root, dir, name)) {
				module = name
			}
			if module == "" || module == "__init__" {
				continue
			}
			if nested {
				module = parentModule(prefix) + "." + module
			}
			add(module)
		}
		if !nested && root != f.env.stdlib {
			for _, d := range f.py.site(root).ordered {
				add(d.name)
			}
		}
	}
	return ecosystem.FirstNames(found, limit)
}

var _ ecosystem.Lister = (*Python)(nil)

// maxListed is the maximum number of distributions that are listed.
const maxListed = 5000

// Dependencies implements ecosystem.Lister. It lists the packages that the manifest requires, and
// then other installed packages, by the names of their modules.
func (py *Python) Dependencies(projectDir string) ([]ecosystem.Dependency, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	if _, err := py.projects.Find(context.Background(), dir, py.env); err != nil {
		return nil, err
	}
	f := py.local(dir)
	if f == nil || f.project == nil {
		return nil, nil
	}
	defer f.close()
	imported := f.project.Imports()
	var all []ecosystem.Dependency
	seen := map[string]bool{}
	add := func(name string, direct bool) {
		name = pep508.Normalize(name)
		if seen[name] || len(all) >= maxListed || strings.HasPrefix(name, "types-") {
			return
		}
		seen[name] = true
		d := ecosystem.Dependency{Package: name, Direct: direct}
		if dep, ok := f.project.Locked(name, f.target.environment()); ok {
			d.Version = dep.Version
		}
		if installed := f.distribution(name); installed != nil {
			module := installed.primary()
			if module == "" {
				return // a distribution of programs or data, without modules
			}
			d.Package, d.Version, d.Installed = module, installed.version, true
			if pep508.Normalize(module) != name {
				d.Module = name
			}
			if info, err := os.Stat(filepath.Join(installed.info, "RECORD")); err == nil {
				d.Size = info.Size() // It lists all files.
			}
			top, _, _ := strings.Cut(module, ".")
			d.Imported = imported[top]
		}
		if d.Direct || d.Installed {
			all = append(all, d)
		}
	}
	for _, name := range append(f.project.Manifest.Names(), f.project.RootManifest.Names()...) {
		add(name, true)
	}
	if f.env != nil {
		for _, dir := range f.env.site {
			for _, d := range py.site(dir).ordered {
				add(d.name, false)
			}
		}
	}
	ecosystem.SortDependencies(all)
	return all, nil
}
