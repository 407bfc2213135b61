package crate

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// declaring returns the trait of a bound, or the one of its supertraits, that declares an associated type.
func (t *Type) declaring(s *Scope, name string, depth int) *Type {
	if t.function && name == "Output" {
		return t
	}
	if t.def == nil || depth > maxTypeDepth {
		return nil
	}
	if d := t.def.traitItem(name); d != nil && d.kind == source.TypeAlias {
		return t
	}
	for _, b := range t.supertraits(s, nil) {
		if found := b.declaring(s, name, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// project returns an associated type of a type, or nil if it is unknown. trait is the trait that declares it, or nil if that is
// not known.
func (t *Type) project(s *Scope, trait *Type, name string, depth int) *Type {
	t = t.known()
	if t == nil || depth > maxTypeDepth || s.p.w.failed() {
		return nil
	}
	switch {
	case t.output != nil:
		if name == "Output" && (trait == nil || trait.isStandard("Future") || trait.isStandard("IntoFuture")) {
			return t.output
		}
		return nil
	case len(t.bounds) > 0:
		return s.boundProject(t.bounds, t, trait, name, depth+1)
	case t.function:
		if name == "Output" && trait.calls() {
			return t.result
		}
		return nil
	case trait != nil && len(trait.args) > 0: // the arguments may be inferred later
		return t.implemented(s, trait, name, depth)
	}
	key := projection{name: name, locals: s.p.locals}
	if trait != nil {
		key.trait = trait.def
	}
	if found, cached := t.projections[key]; cached {
		return found
	}
	found := t.implemented(s, trait, name, depth)
	if found != nil || !t.hasVariable(0) {
		if t.projections == nil {
			t.projections = map[projection]*Type{}
		}
		t.projections[key] = found
	}
	return found
}

// projection is an associated type of the trait, or of any trait if it is nil.
type projection struct {
	trait  *def
	name   string
	locals int // the number of implementations in functions, any of which may declare it
}

// implemented returns an associated type of a type with a definition, as its implementations declare it.
func (t *Type) implemented(s *Scope, trait *Type, name string, depth int) *Type {
	var found *Type
	var from *def
	n := 0
	for _, im := range t.implementations() {
		if im.derived != "" || im.item.Trait.Empty() || im.off {
			continue
		}
		for _, d := range im.associated() {
			if d.name != name || d.kind != source.TypeAlias || d.off || trait != nil && im.trait() != trait.def {
				continue
			}
			inner, ok := t.within(s, im)
			if !ok || !inner.hasTrait(im, trait) {
				break
			}
			if from != nil && from != im.trait() {
				return nil
			}
			from = im.trait()
			if v := inner.typeOf(d.item.Type.Text(d.unit.Text), depth+1); n == 0 || v.differs(found, 0) {
				found = v
				n++
			}
		}
	}
	switch {
	case n == 1:
		return found
	case n > 1 && name == "IntoIter": // it depends on whether the type is a reference
		item := t.project(s, s.standardTrait("IntoIterator"), "Item", depth+1)
		return &Type{bounds: []*Type{{def: s.standardTrait("Iterator").def, assoc: map[string]*Type{"Item": item}}, s.standardTrait("DoubleEndedIterator"), s.standardTrait("ExactSizeIterator"), {}}}
	case n > 1:
		return nil
	case trait.isStandard("IntoIterator"):
		if item := t.project(s, s.standardTrait("Iterator"), "Item", depth+1); item != nil {
			if name == "IntoIter" {
				return t
			}
			return item
		}
	}
	if t.isSlice() && t.def.name == "array" {
		return s.primitive("slice", t.args...).project(s, trait, name, depth+1)
	}
	return nil
}

// calls reports whether a trait is one of those of functions, or not known.
func (t *Type) calls() bool {
	return t == nil || t.isStandard("Fn") || t.isStandard("FnMut") || t.isStandard("FnOnce")
}

// hasTrait infers types from the arguments of the trait of an implementation. It returns false if these differ from the
// arguments of a bound.
func (s *Scope) hasTrait(im *impl, b *Type) bool {
	if b == nil || len(b.args) == 0 {
		return true
	}
	n := 0
	for _, arg := range typeArgs(im.item.Trait.Text(im.unit.Text)) {
		if strings.HasPrefix(arg, "'") || n >= len(b.args) {
			continue
		}
		t := s.typeOf(arg, 0)
		if t.differs(b.args[n], 0) {
			return false
		}
		s.p.unify(t, b.args[n], 0)
		n++
	}
	return true
}

// standardTrait returns a trait of the prelude.
func (s *Scope) standardTrait(name string) *Type { return &Type{def: s.p.w.preludeOf(name, types)} }

// boundProject returns an associated type of a type that is known by its traits.
func (s *Scope) boundProject(bounds []*Type, self, trait *Type, name string, depth int) *Type {
	if depth > maxTypeDepth {
		return nil
	}
	for _, b := range bounds {
		if b.def == nil {
			continue
		}
		if trait == nil || trait.def == b.def || trait.isStandard("IntoIterator") && b.isStandard("Iterator") || trait.isStandard("IntoFuture") && b.isStandard("Future") {
			if v, ok := b.assoc[name]; ok {
				return v
			}
		}
		if b.function && name == "Output" && trait.calls() {
			return b.result
		}
		if super := s.boundProject(b.supertraits(s, self), self, trait, name, depth+1); super != nil {
			return super
		}
		if b.isStandard("Iterator") && trait.isStandard("IntoIterator") && name == "IntoIter" {
			return self
		}
	}
	return nil
}

// inside returns the scope of the items of the trait of a bound.
func (t *Type) inside(s *Scope, self *Type) *Scope {
	return &Scope{p: s.p, m: t.def.mod, self: self, trait: t, params: (&Type{args: t.args}).arguments(t.def, true)}
}

// supertraits returns the traits that the trait of a bound requires.
func (t *Type) supertraits(s *Scope, self *Type) []*Type {
	all := []string{t.def.item.Bounds.Text(t.def.unit.Text)}
	for _, p := range source.Split(t.def.item.Where.Text(t.def.unit.Text)) {
		if name, bounds, ok := source.Cut(p, ':'); ok && strings.TrimSpace(name) == "Self" {
			all = append(all, bounds)
		}
	}
	text := strings.Join(all, "+")
	if text == "" || s.p.expanding[t.def] { // the types in the bounds may depend on the bounds
		return nil
	}
	s.p.expanding[t.def] = true
	defer delete(s.p.expanding, t.def)
	return t.inside(s, self).boundsOf(text, 0)
}
