package rustdoc

import (
	"cmp"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/markup"
)

// export is a name that a module exports, and its target.
type export struct {
	name string
	item *item    // item in the file
	path *summary // path of an item in another crate, if item is nil
	use  *item
}

// exports lists the public names of a module. Explicit names hide names from globs.
func (c *Crate) exports(m *item, depth int, seen map[id]bool) []export {
	if depth > maxNested || seen[m.ID] {
		return nil
	}
	seen[m.ID] = true
	defer delete(seen, m.ID)
	var ids []id
	switch {
	case m.Inner.Module != nil:
		ids = m.Inner.Module.Items
	case m.Inner.Enum != nil:
		ids = m.Inner.Enum.Variants
	}
	var all []export
	names := map[string]bool{}
	add := func(x export) {
		key := x.name + "\x00" + space(x)
		if names[key] {
			return
		}
		names[key] = true
		all = append(all, x)
	}
	var globs []*item
	for _, i := range ids {
		it := c.index[i]
		if it == nil {
			continue
		}
		u := cmp.Or(it.Inner.Use, it.Inner.Import)
		switch {
		case u != nil && u.IsGlob:
			globs = append(globs, it)
		case u != nil:
			if x := c.follow(it, u, 0); u.Name != "_" && (x.item != nil || x.path != nil) {
				add(x)
			}
		case it.Inner.ExternCrate != nil:
			name := cmp.Or(it.Inner.ExternCrate.Rename, it.Inner.ExternCrate.Name)
			add(export{name: name, path: &summary{CrateID: -1, Path: []string{it.Inner.ExternCrate.Name}, Kind: "module"}, use: it})
		case it.Inner.Impl != nil || it.Inner.Kind == "" && it.Name == "":
		case it.Inner.Module != nil && it.Inner.Module.IsStripped:
		default:
			add(export{name: it.Name, item: it})
		}
	}
	for _, g := range globs {
		u := cmp.Or(g.Inner.Use, g.Inner.Import)
		if t := c.index[u.ID]; t != nil {
			for _, x := range c.exports(t, depth+1, seen) {
				add(x)
			}
		}
	}
	return all
}

// space returns the namespace of an export, because a name can be exported once in each
// namespace.
func space(x export) string {
	if x.item == nil {
		return "path " + x.path.Kind
	}
	switch in := &x.item.Inner; {
	case in.Function != nil || in.Constant != nil || in.Static != nil:
		return "value"
	case in.Macro != nil, in.ProcMacro != nil:
		return "macro"
	case in.Primitive != nil:
		return "primitive" // A primitive type may have the same name as a module.
	}
	return "type"
}

// follow resolves a use to the item that it imports.
func (c *Crate) follow(it *item, u *use, depth int) export {
	x := export{name: u.Name, use: it}
	if depth > maxNested {
		return x
	}
	if t := c.index[u.ID]; t != nil {
		inner := cmp.Or(t.Inner.Use, t.Inner.Import)
		if inner != nil {
			y := c.follow(t, inner, depth+1)
			y.name, y.use = u.Name, it
			return y
		}
		x.item = t
		return x
	}
	if p := c.paths[u.ID]; p != nil && p.CrateID != 0 {
		x.path = p
	} else if u.ID == "" {
		x.path = &summary{CrateID: -1, Path: strings.Split(u.Source, "::"), Kind: "primitive"}
	}
	return x
}

// Module returns the documentation of a module, such as "tokio::sync", or of the root if
// name is the name of the library.
func (c *Crate) Module(name string) (*apidoc.Package, error) {
	m := c.index[c.root]
	lib, rest, _ := strings.Cut(name, "::")
	if rest != "" {
		for part := range strings.SplitSeq(rest, "::") {
			var found *item
			for _, x := range c.exports(m, 0, map[id]bool{}) {
				if x.name == part && x.item != nil && x.item.Inner.Module != nil {
					found = x.item
				}
			}
			if found == nil {
				return nil, fmt.Errorf("rustdoc's JSON of %s has no module %s: %w", lib, rest, fs.ErrNotExist)
			}
			m = found
		}
	}
	out := &apidoc.Package{Name: name, LocalName: name[strings.LastIndexByte(name, ':')+1:], Version: c.version, Symbols: []apidoc.Symbol{}}
	if rest != "" {
		out.Module = lib
	}
	out.Doc = c.docs(m)
	out.Deprecated = deprecation(m)
	out.Synopsis = markup.Synopsis(out.Doc)
	for _, x := range c.exports(m, 0, map[id]bool{}) {
		if x.item != nil && x.item.Inner.Module != nil {
			continue
		}
		if s, ok := c.symbol(x); ok {
			out.Symbols = append(out.Symbols, s)
		}
		if c.symbols > maxSymbols {
			return nil, errTooMuch
		}
	}
	signature.Sort(out.Symbols)
	c.below(m, name, 0, map[id]bool{m.ID: true}, &out.Subpackages)
	return out, nil
}

// below lists the modules below a module.
func (c *Crate) below(m *item, name string, depth int, seen map[id]bool, into *[]apidoc.Subpackage) {
	if depth > maxNested {
		return
	}
	var here []export
	for _, x := range c.exports(m, 0, map[id]bool{}) {
		if x.item != nil && x.item.Inner.Module != nil && !seen[x.item.ID] {
			seen[x.item.ID] = true
			here = append(here, x)
		}
	}
	slices.SortFunc(here, func(a, b export) int { return strings.Compare(a.name, b.name) })
	for _, x := range here {
		*into = append(*into, apidoc.Subpackage{Name: name + "::" + x.name, Synopsis: markup.Synopsis(c.docs(x.item))})
		c.below(x.item, name+"::"+x.name, depth+1, seen, into)
	}
}
