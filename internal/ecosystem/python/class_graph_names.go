package python

import (
	"bytes"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// This file collects the names in the code of a project.

// isMentioned reports whether code of the project may contain a name.
func (g *classGraph) isMentioned(name string) bool {
	g.readNames()
	return g.mentionsAll || g.mentioned[name]
}

// isImported reports whether code of the project may import a top-level module, also by its name in a string.
func (g *classGraph) isImported(top string) bool {
	g.readNames()
	return g.mentionsAll || g.imported[top]
}

// readNames collects the names in the code of the project, unless that has been done.
func (g *classGraph) readNames() {
	if g.mentioned != nil {
		return
	}
	g.mentioned, g.imported = map[string]bool{}, map[string]bool{}
	for i := range g.files {
		if f := &g.files[i]; f.project && !g.addNames(f) {
			g.mentionsAll = true
			break
		}
	}
}

// namesModule matches what may be the name of an imported module: after import, from or a comma, or in a string.
var namesModule = lazyregexp.New(`(?m)^[ \t]*from[ \t]+(\w+)|\bimport[ \t]+([^\n#;]+)|["'](\w+)(?:\.\w+)*["']`)

// addNames adds the names in a file of the project. It returns false if they are not known.
func (g *classGraph) addNames(f *codeFile) bool {
	code, err := readCode(rootfs.New(f.root), f.name)
	for name := range bytes.FieldsFuncSeq(code, func(r rune) bool { return r < 0x80 && !isWordByte(byte(r)) }) {
		if !g.mentioned[string(name)] {
			g.mentioned[string(name)] = true
		}
	}
	for _, m := range namesModule().FindAllSubmatch(code, -1) {
		for name := range bytes.SplitSeq(bytes.Join(m[1:], nil), []byte(",")) {
			name, _, _ = bytes.Cut(bytes.TrimSpace(name), []byte(" "))
			name, _, _ = bytes.Cut(name, []byte("."))
			g.imported[string(name)] = true
		}
	}
	return err == nil && len(g.mentioned) <= maxNames
}
