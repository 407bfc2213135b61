package module

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/docc"
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// members documents the members of a type: declared members, members of
// extensions, inherited members, and conditional conformances.
func (d *documenter) members(e *entity, page *docc.Extension) []apidoc.Symbol {
	var all []apidoc.Symbol
	required := map[string]int{}
	for _, m := range e.members {
		if !m.isVisible() || !d.lists(m) {
			continue
		}
		if m.ext != nil && e.isProtocol() {
			// The documentation of a requirement mentions its default implementation.
			if i, ok := required[m.path+m.declaration()]; ok {
				if !strings.HasSuffix(all[i].Doc, defaulted) {
					all[i].Doc = strings.TrimPrefix(all[i].Doc+"\n\n"+defaulted, "\n\n")
				}
				continue
			}
		}
		if m.ext == nil && e.isProtocol() {
			required[m.path+m.declaration()] = len(all)
		}
		all = append(all, d.symbol(m))
	}
	if e.decl != nil && e.unit == d.unit {
		for _, m := range e.synthesized() {
			all = append(all, apidoc.Symbol{Path: e.path + "." + m.name, Kind: apidoc.Init, Signature: m.declaration, File: e.file.Name, Line: e.decl.Line})
		}
	}
	all = merged(all)
	if page != nil {
		d.arrange(all, page.Topics)
	}
	all = append(all, merged(d.inherited(e, all))...)
	return append(all, d.conditional(e)...)
}

const defaulted = "A default implementation exists."

// inherited documents the members that a type inherits from its superclasses
// and from extensions of protocols. It omits members that the type itself
// declares.
func (d *documenter) inherited(e *entity, declared []apidoc.Symbol) []apidoc.Symbol {
	has := map[string]bool{}
	for i := range declared {
		has[declared[i].Path] = true
	}
	var all []apidoc.Symbol
	add := func(m *entity, from string) {
		path := e.path + "." + lastName(m)
		if has[path] {
			return
		}
		known := d.handedDown[m]
		if known == nil {
			known = &apidoc.Symbol{Kind: symbolKind(m), Signature: d.signature(m, true), File: m.file.Name, Line: m.decl.Line, From: from}
			known.Refs = d.refs(known.Signature, m)
			d.comment(known, m)
			known.Deprecated = cmp.Or(d.deprecation(m), known.Deprecated)
			d.handedDown[m] = known
		}
		s := *known
		s.Path = path
		// Overloads are joined in place.
		s.Refs, s.Examples = slices.Clone(s.Refs), slices.Clone(s.Examples)
		all = append(all, s)
	}
	listed, overridden := map[*entity]bool{}, map[string]bool{}
	for super, n := e.superclass(), 0; super != nil && n < maxSteps; super, n = super.superclass(), n+1 {
		for _, m := range super.members {
			if m.isVisible() && !m.is(source.Init) && !m.isType() && !listed[m] && !overridden[parameterized(m)] {
				listed[m] = true
				add(m, super.path)
			}
		}
		for _, m := range super.members {
			if m.decl.Has("override") {
				overridden[parameterized(m)] = true
			}
		}
	}
	for _, m := range d.inheritedMembers(e) {
		add(m, m.parent.path)
	}
	return all
}

// parameterized returns the name of a member with the types of its parameters.
func parameterized(m *entity) string {
	var name strings.Builder
	name.WriteString(lastName(m))
	for i := range m.decl.Params {
		name.WriteString(" " + m.decl.Params[i].Type)
	}
	return name.String()
}

// conditional lists the conformances that hold under constraints.
func (d *documenter) conditional(e *entity) []apidoc.Symbol {
	if e.isProtocol() {
		return nil
	}
	var all []apidoc.Symbol
	for _, x := range e.extensions {
		if len(x.decl.Inherits) == 0 || e.decl != nil && len(x.where) == 0 || x.hidden || !d.lists(e) && !d.shows(x.unit) {
			continue
		}
		var names []string
		for _, text := range x.decl.Inherits {
			bounds := x.unit.bounds(text, e, x.file)
			if len(bounds) > 0 && !slices.ContainsFunc(bounds, func(b *entity) bool { return !b.isVisible() }) {
				names = append(names, shortConformance(text))
			}
		}
		if len(names) == 0 {
			continue
		}
		list := strings.Join(names, ", ")
		s := apidoc.Symbol{Path: e.path + ".extension " + strings.ReplaceAll(list, ".", ""), Kind: apidoc.Extension, Signature: "extension " + e.path + " : " + list, File: x.file.Name, Line: x.decl.Line}
		s.Signature = constrained(s.Signature, x.where)
		s.Refs = d.refsIn(s.Signature, x.unit, e, e, x.file)
		all = append(all, s)
	}
	return all
}

// extension documents the members that the package adds to a type of another
// package. It returns false if there are none to show.
func (d *documenter) extension(t *entity) (apidoc.Symbol, bool) {
	s := apidoc.Symbol{Path: t.path, Kind: apidoc.Extension, Signature: "extension " + t.path}
	for _, x := range t.extensions {
		if d.shows(x.unit) && !x.hidden {
			s.File, s.Line = x.file.Name, x.decl.Line
			s.Refs = d.refsIn(s.Signature, x.unit, t, t, x.file)
			if t.decl != nil && t.unit != nil && !d.shows(t.unit) { // The type belongs to another module of the package.
				s.Refs = append(s.Refs, apidoc.Ref{Name: t.path, Package: t.unit.name, Path: t.path})
			}
			break
		}
	}
	s.Members = d.members(t, d.catalogue.Extension(t.path))
	return s, len(s.Members) > 0
}
