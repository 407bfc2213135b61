package rust

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
)

var _ ecosystem.NameFinder = (*Rust)(nil)

// FindNames implements ecosystem.NameFinder. The names are those of items that procedural macros declare.
func (rs *Rust) FindNames(ctx context.Context, dir string) func(f *ecosystem.SourceFile, pkg, name string) bool {
	return func(f *ecosystem.SourceFile, pkg, name string) bool {
		types, err := rs.Types(ctx, dir)
		if err != nil {
			return false
		}
		c := types.(*typeChecker)
		defer types.(io.Closer).Close()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.readChanged()
		scope := c.nearest(filepath.Join(f.Dir, filepath.FromSlash(f.Name)))
		return scope != nil && scope.MayGenerate(strings.Split(pkg+"::"+name, "::"))
	}
}

// nearest returns the scope of a file, or that of the root of a crate of the same package if the file belongs to none.
func (c *typeChecker) nearest(file string) *crate.Scope {
	if s := c.scope(file); s != nil {
		return s
	}
	m := c.member(file)
	if m == nil {
		return nil
	}
	for _, root := range append([]string{m.Manifest.Lib.Path, "src/main.rs"}, m.Manifest.Roots...) {
		if s := c.scope(filepath.Join(m.Dir, filepath.FromSlash(root))); s != nil {
			return s
		}
	}
	return nil
}
