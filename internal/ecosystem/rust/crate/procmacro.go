package crate

import (
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// procMacro binds the macro that a function of a proc-macro crate defines.
func (k *krate) procMacro(d *def) {
	for _, a := range k.attributes(d.item, d.unit) {
		if a.comment != "" {
			continue
		}
		switch a.meta.Path {
		case "proc_macro":
			d.kind = procMacro
		case "proc_macro_attribute":
			d.kind = attributeMacro
		case "proc_macro_derive":
			d.kind = deriveMacro
			for i, part := range source.Split(a.meta.Args) {
				m := source.ParseMeta(part)
				switch {
				case i == 0:
					d.name = m.Path
				case m.Path == "attributes":
					d.helpers = source.Split(m.Args)
				}
			}
		default:
			continue
		}
		d.public = true
		k.root.add(&entry{name: d.name, ns: macroNames, def: d, item: d.item, unit: d.unit, public: true, cfg: d.cfg, off: d.off})
		return
	}
}

// builtinMacro sets the kind of a macro that the compiler implements. Attributes and
// derives are declared in the same way, but derives have the names of traits.
func (k *krate) builtinMacro(d *def) {
	if strings.Join(strings.Fields(d.item.Params.Text(d.unit.Text)), "") != "$item:item" {
		return
	}
	for _, a := range k.attributes(d.item, d.unit) {
		if a.comment != "" || a.meta.Path != "rustc_builtin_macro" {
			continue
		}
		d.kind = attributeMacro
		if unicode.IsUpper(rune(d.name[0])) {
			d.kind = deriveMacro
		}
		for _, part := range source.Split(a.meta.Args) {
			if m := source.ParseMeta(part); m.Path == "attributes" {
				d.helpers = source.Split(m.Args)
			}
		}
	}
}
