package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
	"github.com/docent-mcp/docent/internal/prose"
)

// maxGuides is the maximum number of modules of a crate that are read as guides.
const maxGuides = 32

// guides returns the documentation of modules that contain nothing else, such as a reference of
// derive attributes. Crates often compile them only for their own documentation, with a feature
// such as unstable-doc.
func (w *documenter) guides() []apidoc.Section {
	var sections []apidoc.Section
	seen := map[*module]bool{}
	var add func(m *module, above string)
	add = func(m *module, above string) {
		exports := m.exportsOf()
		for i := range exports {
			x := &exports[i]
			d := x.def
			if d.kind != source.Module || !x.off || d.mod != m || d.sub == nil || seen[d.sub] || w.hidden(x) || len(seen) >= maxGuides || w.k.w.failed() {
				continue
			}
			if above == "" && !slices.ContainsFunc(d.cfg, (*predicate).isForDocumentation) {
				continue
			}
			seen[d.sub] = true
			d.sub.ensure()
			if d.sub.hasItems() {
				continue
			}
			var s apidoc.Symbol
			w.comment(&s, d)
			name := above + x.name
			if s.Doc != "" && d.moduleUnit != nil {
				sections = append(sections, prose.Page(name, d.moduleUnit.path, s.Doc, "")...)
			}
			add(d.sub, name+"/")
		}
	}
	add(w.mod, "")
	return sections
}

// isForDocumentation reports whether the name of a feature or flag in a condition says that it is
// for documentation.
func (c *predicate) isForDocumentation() bool {
	if c.op == "not" {
		return false
	}
	return strings.Contains(strings.ToLower(c.name+c.value), "doc") || slices.ContainsFunc(c.parts, (*predicate).isForDocumentation)
}

// hasItems reports whether a module declares anything but modules and imports.
func (m *module) hasItems() bool {
	return slices.ContainsFunc(m.order, func(e *entry) bool { return e.use == nil && (e.def == nil || e.def.kind != source.Module) })
}

// guideTo returns the ID of the guide that shows the attributes with the given names most often, or
// "" if none shows them.
func (w *documenter) guideTo(attributes []string) string {
	best, maximum := "", 0
	counts := map[string]int{}
	for i := range w.sections {
		id, _, _ := strings.Cut(w.sections[i].ID, "/")
		for _, name := range attributes {
			counts[id] += strings.Count(w.sections[i].Body, "#["+name)
		}
		if counts[id] > maximum {
			best, maximum = id, counts[id]
		}
	}
	return best
}
