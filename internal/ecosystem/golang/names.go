package golang

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
)

// Names lists import paths that begin with prefix and could be asked for: of
// the standard library, and of the project in projectDir its own packages and
// its dependencies' modules. It is for completion: what cannot be read is left
// out, and at most limit of each kind are listed.
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
		// Only the directory that the prefix has reached is walked.
		above := prefix[:max(0, strings.LastIndexByte(prefix, '/'))]
		if above == "" || isDir(tool.dirOf(above)) {
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
			own := &godoc.Source{ImportPath: m.Path, FS: os.DirFS(m.Dir), Dir: "."}
			if hasGoFiles(own.FS, ".") {
				add(m.Path)
			}
			for _, name := range packagesIn(own, limit, skipOwn) {
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
