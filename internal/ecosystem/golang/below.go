package golang

import (
	"cmp"
	"io/fs"
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
	// for modules, and maxCacheDepth is their maximum depth.
	maxCacheDirs  = 5000
	maxCacheDepth = 6
)

// Below implements ecosystem.PackageLister. It lists the packages in the modules that the
// project requires and that are unpacked on this machine. Without a project, it lists the
// modules in the module cache.
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
		return f.cachedModules()
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

// cachedModules returns the paths of the modules in the module cache.
func (f *finder) cachedModules() []string {
	if f.st.modCache == "" {
		return nil
	}
	var names []string
	dirs := 0
	_ = fs.WalkDir(rootfs.New(f.st.modCache), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil //nolint:nilerr // what cannot be read has no names
		}
		if dirs++; dirs > maxCacheDirs {
			return fs.SkipAll
		}
		if escapedPath, _, ok := strings.Cut(name, "@"); ok {
			if path, err := module.UnescapePath(escapedPath); err == nil && !slices.Contains(names, path) {
				names = append(names, path)
			}
			return fs.SkipDir
		}
		if name == "cache" || strings.Count(name, "/") >= maxCacheDepth {
			return fs.SkipDir
		}
		return nil
	})
	return names
}
