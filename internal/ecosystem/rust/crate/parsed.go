package crate

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// ParsedFiles are the parsed files of a package, which a Program uses again after Drop. The zero value is empty. They are not
// safe for concurrent use.
type ParsedFiles struct {
	files map[string]*source.File // by name
}

// Drop removes a file that has changed.
func (p *ParsedFiles) Drop(name string) { delete(p.files, name) }

// file returns a parsed file, or nil if it must be read.
func (p *ParsedFiles) file(name string) *source.File {
	if p == nil {
		return nil
	}
	return p.files[name]
}

func (p *ParsedFiles) add(name string, f *source.File) {
	switch {
	case p == nil:
	case p.files == nil:
		p.files = map[string]*source.File{name: f}
	default:
		p.files[name] = f
	}
}

// Drop removes crates whose files have changed, and those that depend on them. They are read again when they are needed.
func (p *Program) Drop(changed func(src *Source) bool) {
	dropped := map[*krate]bool{}
	for n := -1; n != len(dropped); {
		n = len(dropped)
		for _, k := range p.w.crates {
			if changed(k.src) {
				dropped[k] = true
			}
			for _, dep := range k.deps {
				if dropped[dep] {
					dropped[k] = true
				}
			}
		}
	}
	for k := range dropped {
		delete(p.w.crates, k.id)
		delete(p.files, k)
		p.w.items -= k.items
		for d := range k.foreign {
			d.impls = slices.DeleteFunc(d.impls, func(im *impl) bool { return dropped[im.mod.krate] })
		}
	}
	for m := range p.visible {
		if dropped[m.krate] {
			delete(p.visible, m)
		}
	}
	clear(p.proven)
	p.closed = newClosedTypes()
}
