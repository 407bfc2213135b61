package rust

import (
	"io/fs"
	"path"
	"path/filepath"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

// maxSharedRoots is the maximum number of files in a directory that are searched for modules.
const maxSharedRoots = 1000

// rootsIn returns the files in a directory of a member, such as tests, that may declare a module in a directory beside them, by
// the name of the module.
func (c *typeChecker) rootsIn(m *cargo.Member, dir string) map[string][]string {
	full := filepath.Join(m.Dir, dir)
	roots, ok := c.declaring[full]
	if ok {
		return roots
	}
	roots = map[string][]string{}
	if c.declaring == nil {
		c.declaring = map[string]map[string][]string{}
	}
	c.declaring[full] = roots
	l := c.finder.member(m)
	if c.finder.open(c.library.ctx, l) != nil {
		return roots
	}
	entries, err := fs.ReadDir(l.files, dir)
	if err != nil {
		return roots
	}
	for _, entry := range entries[:min(len(entries), maxSharedRoots)] {
		root := path.Join(dir, entry.Name())
		if path.Ext(root) != ".rs" {
			continue
		}
		text, err := editedFS{l.files, l.dir, c.edited}.ReadText(root)
		if err != nil {
			continue
		}
		for _, declared := range moduleDeclaration().FindAllStringSubmatch(text, -1) {
			if all := roots[declared[1]]; len(all) == 0 || all[len(all)-1] != root {
				roots[declared[1]] = append(all, root)
			}
		}
	}
	return roots
}

var moduleDeclaration = lazyregexp.New(`\bmod\s+(?:r#)?(\w+)`)
