package npm

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

var _ ecosystem.Grapher = (*NPM)(nil)

// Graph implements ecosystem.Grapher.
func (n *NPM) Graph(ctx context.Context, projectDir string) (*ecosystem.Graph, error) {
	dir, err := filepath.Abs(projectDir)
	if err != nil {
		return nil, err
	}
	p, err := n.projects.Find(ctx, dir)
	if err != nil {
		return nil, err
	}
	entries, err := p.Entries(ctx)
	if err != nil {
		return nil, err
	}
	g := &ecosystem.Graph{Root: p.Root, Packages: make([]ecosystem.Used, len(entries))}
	if p.Problem != "" {
		g.Problems = append(g.Problems, p.Problem)
	}
	system, cpu, libc := hostPlatform()
	stores := n.storesOf(p)
	for i := range entries {
		e := &entries[i]
		g.Packages[i] = ecosystem.Used{
			Name: e.Published(), Aliases: e.Aliases, Version: e.Version, File: e.By, Dir: e.Dir, Member: e.Member, Requires: e.Requires, Wants: e.Wants,
			Installed: e.Dir != "" && project.IsDir(e.Dir) || stores.has(p, e),
		}
		if e.Foreign != "" && e.Version == "" {
			g.Packages[i].Version = e.Foreign
		}
	}
	anyInstalled := project.IsDir(filepath.Join(p.Root, "node_modules"))
	required := make([]bool, len(entries))
	for i := range entries {
		for _, to := range entries[i].Requires {
			required[to] = true
		}
	}
	g.Deactivate(func(i int) bool {
		return !entries[i].Platforms.Include(system, cpu, libc) || entries[i].Optional && anyInstalled && !g.Packages[i].Installed
	})
	for i := range g.Packages {
		p := &g.Packages[i]
		p.Inactive = p.Inactive && (required[i] || !p.Installed) // An installed package is used even if nothing requires it.
	}
	g.Sort()
	return g, nil
}

// hostPlatform returns this machine's platform in the terms of package.json.
func hostPlatform() (system, cpu, libc string) {
	system, cpu = runtime.GOOS, runtime.GOARCH
	switch system {
	case "windows":
		system = "win32"
	case "linux":
		libc = "glibc"
		if names, _ := filepath.Glob("/lib/ld-musl-*"); len(names) > 0 {
			libc = "musl"
		}
	}
	switch cpu {
	case "amd64":
		cpu = "x64"
	case "386":
		cpu = "ia32"
	case "ppc64le":
		cpu = "ppc64"
	}
	return system, cpu, libc
}

// stores are the names of the entries in the directories in which package managers keep packages
// outside node_modules/NAME.
type stores struct {
	isolated map[string]bool // directories of pnpm and bun, such as "@a+b@1.2.3"
	zipped   map[string]bool // archives of yarn, such as "@a-b-npm-1.2.3"
	// nested are the packages in the node_modules directories of other packages, as
	// NAME@VERSION; nil until they are needed.
	nested map[string]bool
}

// storesOf lists the stores of a project.
func (n *NPM) storesOf(p *npmlock.Project) stores {
	s := stores{isolated: map[string]bool{}, zipped: map[string]bool{}}
	for _, store := range []string{".pnpm", ".bun"} {
		for _, entry := range project.DirNames(filepath.Join(p.Root, "node_modules", store)) {
			if end := strings.IndexAny(entry[min(1, len(entry)):], "@"); end >= 0 {
				version, _, _ := strings.Cut(entry[end+2:], "_")
				version, _, _ = strings.Cut(version, "(")
				if store == ".bun" {
					version, _, _ = strings.Cut(version, "+")
				}
				s.isolated[entry[:end+1]+"@"+version] = true
			}
		}
	}
	for _, dir := range []string{filepath.Join(p.Root, ".yarn", "cache"), filepath.Join(p.Root, "node_modules", ".store"), filepath.Join(n.env.Home(), ".yarn", "berry", "cache")} {
		for _, entry := range project.DirNames(dir) {
			// The version is followed by a hash, and in yarn's cache by a second one.
			name := strings.TrimSuffix(entry, ".zip")
			for range 2 {
				if i := strings.LastIndexByte(name, '-'); i >= 0 {
					name = name[:i]
					s.zipped[name] = true
				}
			}
		}
	}
	return s
}

// has reports whether a package is installed.
func (s *stores) has(p *npmlock.Project, e *npmlock.Entry) bool {
	if e.Place != "" {
		return hasPackage(filepath.Join(p.Root, filepath.FromSlash(e.Place)), e.Version)
	}
	if s.isolated[strings.ReplaceAll(e.Published(), "/", "+")+"@"+e.Version] || s.zipped[strings.ReplaceAll(e.Published(), "/", "-")+"-npm-"+e.Version] {
		return true
	}
	if hasPackage(filepath.Join(p.Root, "node_modules", filepath.FromSlash(e.Name)), e.Version) {
		return true
	}
	if s.nested == nil {
		s.nested = map[string]bool{}
		dirs := []string{p.Root}
		for _, dir := range p.Members() {
			dirs = append(dirs, dir)
		}
		for _, dir := range dirs {
			s.addNested(filepath.Join(dir, "node_modules"), 0)
		}
	}
	return s.nested[e.Published()+"@"+e.Version]
}

// These constants limit the search for packages in the node_modules directories of other packages.
const (
	maxDepth  = 16
	maxNested = 50_000
)

// addNested adds the packages in a node_modules directory, and below them, to s.nested.
func (s *stores) addNested(dir string, depth int) {
	if depth > maxDepth {
		return
	}
	for _, name := range installedNames(dir) {
		below := filepath.Join(dir, filepath.FromSlash(name))
		m, err := npmlock.ReadManifest(filepath.Join(below, "package.json"))
		if err != nil || len(s.nested) > maxNested {
			continue
		}
		s.nested[m.Name+"@"+m.Version] = true
		if info, err := os.Lstat(below); err == nil && info.IsDir() { // Do not follow links, because they can be cyclic.
			s.addNested(filepath.Join(below, "node_modules"), depth+1)
		}
	}
}

// hasPackage reports whether a directory contains a version of a package.
func hasPackage(dir, version string) bool {
	m, err := npmlock.ReadManifest(filepath.Join(dir, "package.json"))
	return err == nil && (version == "" || m.Version == version)
}
