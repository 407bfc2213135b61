package python

import (
	"bytes"
	"strings"

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

// isNamed reports whether code of the project may import a class, or use it as an attribute of a module.
func (g *classGraph) isNamed(class string) bool {
	g.readNames()
	return g.mentionsAll || g.classNames[class] || g.importsAny && g.mentioned[class]
}

// readNames collects the names in the code of the project, unless that has been done.
func (g *classGraph) readNames() {
	if g.mentioned != nil {
		return
	}
	g.mentioned, g.imported, g.classNames = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range g.files {
		if f := &g.files[i]; f.project && !g.addNames(f) {
			g.mentionsAll = true
			break
		}
	}
}

// namesModule matches a string that may be the name of a module, or of what it contains, and an attribute with the name of a class.
var namesModule = lazyregexp.New(`["'](\w+)(?:\.\w+)*["']|\.([A-Z]\w*)`)

// addNames adds the names in a file of the project. It returns false if they are not known.
func (g *classGraph) addNames(f *codeFile) bool {
	code, err := readCode(rootfs.New(f.root), f.name)
	for name := range bytes.FieldsFuncSeq(code, func(r rune) bool { return r < 0x80 && !isWordByte(byte(r)) }) {
		if !g.mentioned[string(name)] {
			g.mentioned[string(name)] = true
		}
	}
	for _, m := range namesModule().FindAllSubmatch(code, -1) {
		g.imported[string(m[1])] = true
		g.classNames[string(m[2])] = true
	}
	s := readScope(code)
	for _, imports := range s.imports {
		for _, i := range imports {
			if i.level == 0 {
				g.imported[firstPart(strings.ReplaceAll(i.module, ".", "/"))] = true
			}
			g.classNames[i.attribute] = true
		}
	}
	for _, star := range s.stars { // Any of the names may be one that it imports.
		if star.level == 0 {
			g.imported[firstPart(strings.ReplaceAll(star.module, ".", "/"))] = true
			g.importsAny = true
		}
	}
	return err == nil && len(g.mentioned) <= maxNames
}
