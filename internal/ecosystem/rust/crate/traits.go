package crate

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// visibleTraits are the traits that are in scope in a module.
type visibleTraits struct {
	all  []*def
	open bool // whether there may be others
}

func (v *visibleTraits) contains(trait *def) bool { return slices.Contains(v.all, trait) }

func (v *visibleTraits) add(trait *def) {
	if !v.contains(trait) {
		v.all = append(v.all, trait)
	}
}

// traits returns the traits that are in scope.
func (s *Scope) traits() *visibleTraits {
	if s.visible == nil {
		v := s.p.visibleIn(s.m)
		if len(s.bounds) > 0 {
			more := &visibleTraits{slices.Clone(v.all), v.open}
			more.addBounds(s, s.bounds, 0)
			v = more
		}
		s.visible = v
	}
	return s.visible
}

// addBounds adds the traits of bounds, whose methods parameters have even if they are not imported.
func (v *visibleTraits) addBounds(s *Scope, bounds []*Type, depth int) {
	for _, b := range bounds {
		if b.def == nil || depth > maxTypeDepth {
			continue // the methods of the parameter are unknown, too
		}
		v.add(b.def)
		v.addBounds(s, b.supertraits(s, nil), depth+1)
	}
}

func (p *Program) visibleIn(m *module) *visibleTraits {
	if v := p.visible[m]; v != nil {
		return v
	}
	v := &visibleTraits{}
	if !m.block {
		p.visible[m] = v
	}
	k := m.krate
	for scope := m; scope != nil; scope = scope.parent {
		scope.addTraits(v, m, map[*module]bool{})
		if !scope.block {
			break
		}
	}
	if p.w.preludeOf("Iterator", types) != nil {
		p.w.prelude2024.addTraits(v, m, map[*module]bool{})
	}
	if k.opaque || mentionedIn(slices.Values(k.lostCalls), "trait") || mentionedIn(slices.Values(k.lostCalls), "use") {
		v.open = true
	}
	return v
}

// addTraits adds the traits that a module declares or imports and that another module sees.
func (m *module) addTraits(v *visibleTraits, from *module, seen map[*module]bool) {
	if seen[m] {
		return
	}
	seen[m] = true
	m.ensure()
	open := v.open
	for _, e := range m.order {
		if e.off || m != from && !from.sees(e.public, e.vis) {
			continue
		}
		switch {
		case e.use == nil:
			if d := e.def; d != nil && d.kind == source.Trait && e.ns == types {
				v.add(d)
			}
		case e.use.Glob:
			switch d := e.imported(types); {
			case d == nil || d.kind == external:
				v.open = true
			case d.sub != nil:
				d.sub.addTraits(v, from, seen)
			}
		case len(e.use.Path) > 0:
			switch d := e.imported(types); {
			case d != nil && d.kind == source.Trait:
				v.add(d)
				v.open = v.open || d.off // its implementations are off, too
			case d != nil && d.kind == external, d == nil && e.imported(values) == nil && !e.importsMacro() && standardCrates()[e.use.Path[0]] == nil:
				v.open = v.open || e.mayImportTrait()
			}
		}
	}
	if m.krate.standard() { // its outline lacks some macros and unstable items
		v.open = open
	}
}

// mayImportTrait reports whether an import of an unknown item may be that of a trait.
func (e *entry) mayImportTrait() bool {
	name := e.use.Path[len(e.use.Path)-1]
	for i := 1; i < len(e.use.Path); i++ {
		from := e.mod.krate.resolve(e.mod, e.use.Path[:i], types)
		if from == nil || from.kind != source.Module || from.sub == nil || from.krate == e.mod.krate {
			continue
		}
		if from.sub.complete(e.use.Path[i]) && e.mod.krate.resolve(e.mod, e.use.Path[:i+1], types) == nil {
			return false // it does not exist
		}
		if others := from.sub.names[name]; i == len(e.use.Path)-1 && len(others) > 0 && !slices.ContainsFunc(others, func(e *entry) bool {
			d := cmp.Or(e.target(types), e.declared())
			return d == nil && (e.use != nil || e.ns == types) || d != nil && (d.kind == external || d.kind == source.Trait)
		}) {
			return false // it is off, but no trait
		}
	}
	first, size := utf8.DecodeRuneInString(name)
	return !unicode.IsLower(first) && (len(name) == size || strings.ToUpper(name) != name || !strings.Contains(name, "_")) && !e.mod.krate.hasType(cmp.Or(e.name, name))
}

// declared returns the item that an import of an item of the same crate names, or the module of a glob, even if it is off. It returns
// nil if the path leads through other imports.
func (e *entry) declared() (d *def) {
	if e.use == nil {
		return nil
	}
	m := e.mod
	for i, name := range e.use.Path {
		switch {
		case i == 0 && name == "crate":
			m = e.mod.krate.root
			continue
		case i == 0 && name == "self":
			continue
		case m == nil:
			return nil
		}
		m.ensure()
		k := slices.IndexFunc(m.names[name], func(e *entry) bool { return e.def != nil && e.ns == types })
		if k < 0 {
			return nil
		}
		d = m.names[name][k].def
		m = d.sub
	}
	return d
}

// hasType reports whether a file of the crate uses an undeclared name as that of a type.
func (k *krate) hasType(name string) bool {
	if used, known := k.typeNames[name]; known {
		return used
	}
	used := false
	for _, u := range k.allUnits() {
		used = used || strings.Contains(u.Text, name) && usedAsType(u.Text, name, k.src.Edition >= "2021")
	}
	if k.typeNames == nil {
		k.typeNames = map[string]bool{}
	}
	k.typeNames[name] = used
	return used
}

// allUnits returns the files of the crate.
func (k *krate) allUnits() []*unit {
	all := []*unit{k.unit}
	seen := map[*module]bool{}
	var visit func(m *module)
	visit = func(m *module) {
		seen[m] = true
		for _, e := range m.order {
			if d := e.def; d != nil && d.kind == source.Module && d.krate == k && d.sub != nil && !seen[d.sub] {
				if d.moduleUnit != nil {
					all = append(all, d.moduleUnit)
				}
				visit(d.sub)
			}
		}
	}
	visit(k.root)
	return all
}

// usedAsType reports whether a text uses a name as only the name of a type can be used: in A::B with the name of a variant, or
// as a result, or as an argument if traits need the word dyn there.
func usedAsType(text, name string, dyn bool) bool {
	s := source.Scanner{Text: text}
	var before [2]source.Token // the tokens before t, the nearest first
	for t := s.Next(); t.Kind != source.EOF; before[1], before[0], t = before[0], t, s.Next() {
		if t.Kind != source.Ident || text[t.Start:t.End] != name {
			continue
		}
		rest := text[t.End:]
		if variant, ok := strings.CutPrefix(rest, "::"); ok && len(variant) > 1 && variant[0] >= 'A' && variant[0] <= 'Z' && variant[1] >= 'a' && variant[1] <= 'z' {
			return true
		}
		if before[0].Byte == '>' && before[1].Byte == '-' || dyn && before[0].Byte == '<' && strings.HasPrefix(rest, ">") {
			return true
		}
	}
	return false
}

// importsMacro reports whether an import is that of a macro other than a derive, which may have the name of a trait.
func (e *entry) importsMacro() bool {
	d := e.imported(macroNames)
	if d == nil || d.kind != deriveMacro {
		return d != nil
	}
	from := e.mod.krate.resolve(e.mod, e.use.Path[:len(e.use.Path)-1], types)
	return from != nil && from.sub != nil && from.krate != nil && (from.krate.src.ProcMacro || from.sub.complete(e.use.Path[len(e.use.Path)-1])) // a crate of macros exports nothing else
}
