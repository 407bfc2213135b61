package npm

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

// Dependencies implements ecosystem.Lister. It lists the dependencies in
// package.json, with development dependencies last, and then the other packages
// in node_modules.
func (n *NPM) Dependencies(projectDir string) ([]ecosystem.Dependency, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	p, err := n.projects.Find(context.Background(), dir)
	if err != nil {
		return nil, err
	}
	dirs := project.Upwards(p.Dir)
	if i := slices.Index(dirs, p.Root); i >= 0 {
		dirs = dirs[:i+1]
	}
	var all []ecosystem.Dependency
	listed := map[string]bool{}
	add := func(name string, direct bool) {
		if listed[name] || !npmlock.ValidName(name) || strings.HasPrefix(name, "@types/") {
			return
		}
		listed[name] = true
		d := ecosystem.Dependency{Package: name, Direct: direct}
		if dep, ok := p.Locked(name); ok {
			d.Version = dep.Version
		}
		for _, dir := range dirs {
			if _, err := os.Stat(filepath.Join(dir, "node_modules", filepath.FromSlash(name), "package.json")); err == nil {
				d.Installed = true
				break
			}
		}
		if d.Direct || d.Installed {
			all = append(all, d)
		}
	}
	manifests := []*npmlock.Manifest{p.Manifest}
	if root, err := npmlock.ReadManifest(filepath.Join(p.Root, "package.json")); err == nil && p.Root != p.Dir {
		manifests = append(manifests, root)
	}
	for _, m := range manifests {
		for _, names := range []map[string]string{m.Dependencies, m.Peer, m.Optional, m.Dev} {
			for _, name := range slices.Sorted(maps.Keys(names)) {
				add(name, true)
			}
		}
	}
	for _, dir := range dirs {
		for _, name := range installedNames(filepath.Join(dir, "node_modules")) {
			add(name, false)
		}
	}
	return all, nil
}

// installedNames lists the packages directly in a node_modules directory.
func installedNames(dir string) []string {
	var names []string
	for _, name := range directoryNames(dir) {
		if !strings.HasPrefix(name, "@") {
			names = append(names, name)
			continue
		}
		for _, scoped := range directoryNames(filepath.Join(dir, name)) {
			names = append(names, name+"/"+scoped)
		}
	}
	return names
}

// directoryNames lists the entries in a directory in order, without hidden ones. It
// returns nil if dir cannot be read.
func directoryNames(dir string) []string {
	return slices.DeleteFunc(project.DirNames(dir), func(name string) bool { return strings.HasPrefix(name, ".") })
}
