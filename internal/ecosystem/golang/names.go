package golang

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Names implements ecosystem.Language. It completes prefix with packages of the standard library,
// the project's own packages and the modules of its dependencies. It skips files that cannot be
// read, and lists at most limit names of each kind.
func (g *Golang) Names(projectDir, prefix string, limit int) []string {
	ask := question{}
	if projectDir != "" {
		if abs, err := filepath.Abs(projectDir); err == nil {
			ask.project = abs
		}
	}
	f, err := g.newFinder(ask)
	if err != nil {
		return nil
	}
	var names []string
	add := func(name string) {
		if name != "" && strings.HasPrefix(name, prefix) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if tool := f.toolchain(); tool.root != "" {
		// Search only the directory of the prefix.
		above := prefix[:max(0, strings.LastIndexByte(prefix, '/'))]
		if above == "" || project.IsDir(tool.dirOf(above)) {
			src := tool.open(above)
			if above == "" {
				src.Dir = "."
			}
			for _, name := range packagesBelow(src, 10*limit) {
				if !strings.HasPrefix(name, "cmd/") || above != "" {
					add(name)
				}
			}
		}
	}
	if f.project != nil {
		for _, m := range f.project.Mains {
			source := &godoc.Source{ImportPath: m.Path, FS: rootfs.New(m.Dir), Dir: "."}
			if hasGoFiles(source.FS, ".") {
				add(m.Path)
			}
			for _, name := range packagesIn(source, limit, skipOwn) {
				add(name)
			}
		}
		for _, d := range f.project.Dependencies() {
			add(d.Name)
		}
	}
	slices.Sort(names)
	return names[:min(len(names), limit)]
}
