package golang

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/module"

	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/rootfs"
)

const (
	// maxBelow is the maximum number of packages that Below lists for one module.
	maxBelow = 2000
	// maxCacheDirs is the maximum number of directories in the module cache that are searched
	// for modules and packages, and maxModuleDirs the maximum number in one module. maxCacheDepth is
	// the maximum depth of modules, and maxPackageDepth that of packages in a module.
	maxCacheDirs    = 50_000
	maxModuleDirs   = 100
	maxCacheDepth   = 6
	maxPackageDepth = 2
)

// Below implements ecosystem.PackageLister. It lists the packages in the modules that the
// project requires and that are unpacked on this machine. Without a project, it lists the
// modules in the module cache and the packages near their roots.
func (g *Golang) Below(projectDir string) []string {
	ask := question{}
	if projectDir != "" {
		dir, err := filepath.Abs(projectDir)
		if err != nil {
			return nil
		}
		ask = question{project: dir, dir: dir}
	}
	f, err := g.newFinder(ask)
	if err != nil {
		return nil
	}
	if f.project == nil {
		return f.cachedPackages()
	}
	var names []string
	for _, d := range f.project.Dependencies() {
		root := d.Dir
		if root == "" {
			path, version := escaped(module.Version{Path: cmp.Or(d.Alias, d.Name), Version: d.Version})
			if path == "" || f.st.modCache == "" {
				continue
			}
			root = filepath.Join(f.st.modCache, filepath.FromSlash(path)+"@"+version)
		}
		names = append(names, packagesBelow(&godoc.Source{ImportPath: d.Name, FS: rootfs.New(root), Dir: "."}, maxBelow)...)
	}
	return names
}

// cachedModule is the newest version of a module in the module cache.
type cachedModule struct {
	version  string
	packages []string // import paths of the packages below it
}

// cachedPackages returns the import paths of the modules in the module cache, and of the packages up to
// maxPackageDepth directories below the newest version of each. It omits a package with the last name of a module, which
// a short name is more likely to mean.
func (f *finder) cachedPackages() []string {
	if f.st.modCache == "" {
		return nil
	}
	modules, lastNames := map[string]*cachedModule{}, map[string]bool{}
	dirs, moduleDirs := 0, 0
	_ = fs.WalkDir(rootfs.New(f.st.modCache), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what cannot be read has no names
		}
		escapedPath, rest, inModule := strings.Cut(name, "@")
		escapedVersion, below, _ := strings.Cut(rest, "/")
		if e.IsDir() {
			dirs++
			if moduleDirs++; inModule && below == "" {
				moduleDirs = 0
			}
			switch {
			case dirs > maxCacheDirs:
				return fs.SkipAll
			case name == "cache", !inModule && strings.Count(name, "/") >= maxCacheDepth,
				below != "" && (moduleDirs > maxModuleDirs || strings.Count(below, "/") >= maxPackageDepth || skipDir(e.Name())):
				return fs.SkipDir
			case !inModule || below != "":
				return nil
			}
		} else if below = path.Dir(below); !inModule || below == "." || !isGoFile(e) {
			return nil
		}
		modulePath, err := module.UnescapePath(escapedPath)
		version, unescaped := module.UnescapeVersion(escapedVersion)
		if err != nil || unescaped != nil {
			return nil //nolint:nilerr // the directory is not that of a module
		}
		m := modules[modulePath]
		if !e.IsDir() {
			if full := path.Join(modulePath, below); m != nil && !slices.Contains(m.packages, full) {
				m.packages = append(m.packages, full)
			}
			return nil
		}
		if m != nil && !newer(version, m.version) {
			return fs.SkipDir
		}
		prefix, _, _ := module.SplitPathVersion(modulePath)
		lastNames[path.Base(prefix)] = true
		modules[modulePath] = &cachedModule{version: version}
		return nil
	})
	names := slices.Sorted(maps.Keys(modules))
	for _, modulePath := range names[:len(modules):len(modules)] {
		for _, name := range modules[modulePath].packages {
			if modules[name] == nil && !lastNames[path.Base(name)] {
				names = append(names, name)
			}
		}
	}
	return names
}
