package crate

import (
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// procMacro binds what a function of a proc-macro crate defines.
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
