package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// autoTraits are traits that most types have, and the one that the allocators of collections have.
var autoTraits = []string{"Sized", "Send", "Sync", "Unpin", "UnwindSafe", "RefUnwindSafe", "Freeze", "Any", "Allocator", "Destruct", "Tuple", "PointeeSized", "MetaSized", "Thin", "DiscriminantKind"}

// proof is the question whether a type implements a trait. If it occurs in its own answer, the type does not, unless for another
// reason.
type proof struct {
	t     *Type
	trait *def
}

// implementation is the question whether a type without arguments implements a trait, in a crate.
type implementation struct {
	self, trait *def
	from        *krate
}

// maxBounds is the maximum number of bounds that are followed from a trait to others.
const maxBounds = 6

// implements reports whether a type implements a trait.
func (s *Scope) implements(t *Type, trait *def, depth int) answer {
	t = t.known()
	if t == nil || t.def == nil || len(t.args)+len(t.bounds)+len(s.p.proving)+len(s.assumed) > 0 {
		return s.prove(t, trait, depth)
	}
	key := implementation{t.def, trait, s.m.krate}
	a, known := s.p.proven[key]
	if !known {
		if a = s.prove(t, trait, depth); depth == 0 {
			s.p.proven[key] = a
		}
	}
	return a
}

// prove looks for the implementation of a trait for a type.
func (s *Scope) prove(t *Type, trait *def, depth int) answer {
	switch {
	case t == nil || trait == nil || trait.kind != source.Trait || depth > maxBounds || s.p.w.failed():
		return maybe
	case slices.Contains(autoTraits, trait.name) && trait.krate.standard(), trait.name == "Step" && trait.krate.standard() && t.isCountable():
		return yes
	}
	key := proof{t, trait}
	if s.p.proving[key] {
		return no
	}
	s.p.proving[key] = true
	defer delete(s.p.proving, key)
	s.m.krate.link()
	trait.krate.link()
	if trait.krate.opaque || trait.krate.extends(trait.name) {
		return maybe
	}
	result := no
	if t.isOmitted(trait) {
		result = maybe
	}
	if t.def != nil && (s.m.krate.mayImplementFor(t.def) || trait.krate.mayImplementFor(t.def)) {
		result = maybe
	}
	for _, a := range s.assumed {
		if a.def == t.def {
			result = max(result, s.boundImplements(a.bounds, t, trait, 0))
		}
	}
	if result == yes {
		return yes
	}
	switch {
	case len(t.bounds) > 0:
		if a := s.boundImplements(t.bounds, t, trait, 0); a != no {
			return a
		}
		for _, b := range t.bounds { // implementations for dyn Trait
			if b.def != nil && (b.def.item != nil && !b.def.krate.plain(b.def.item, b.def.unit) || slices.ContainsFunc(b.def.impls, func(im *impl) bool { return im.self == b.def && im.derived == "" && !im.item.Trait.Empty() })) {
				result = maybe
			}
		}
	case t.function, t.output != nil:
		if trait.krate.standard() {
			return maybe
		}
	case t.def != nil && t.def.item != nil:
		if t.isStandard("Pin") { // its argument counts as the type to which it refers
			result = s.implements(t.arg(0), trait, depth+1)
		}
		if t.def.krate != nil {
			t.def.krate.link()
			if t.def.krate.opaque || t.def.krate.extends(t.def.name) || !t.def.closed() {
				result = max(result, maybe)
			}
		}
		for _, im := range t.def.impls {
			if im.derived != "" {
				segs, _ := source.PathOf(im.derived)
				switch d := im.trait(); {
				case d == trait, len(segs) > 0 && (d == nil || d.kind != source.Trait) && segs[len(segs)-1] == trait.name:
					return yes
				case len(segs) > 0 && !derivedTraits[segs[len(segs)-1]] && !plainDerives[segs[len(segs)-1]]:
					result = max(result, maybe)
				}
				continue
			}
			if im.item.Trait.Empty() || im.item.Flags&source.IsNegative != 0 {
				continue
			}
			switch d := im.trait(); {
			case d == trait:
				inner, ok := t.detached(0).within(s, im)
				if !ok {
					continue
				}
				switch a := s.bound(im.item.Generics.Text(im.unit.Text), im.item.Where.Text(im.unit.Text), inner, depth+1); {
				case a == yes && !im.off:
					return yes
				case a != no:
					result = max(result, maybe)
				}
			case d == nil || d.kind == external:
				if segs, _ := source.PathOf(im.item.Trait.Text(im.unit.Text)); len(segs) > 0 && segs[len(segs)-1] == trait.name {
					result = max(result, maybe)
				}
			}
		}
		if t.isSlice() && t.def.name == "array" && s.implements(s.primitive("slice", t.args...), trait, depth+1) != no {
			result = max(result, maybe) // an array converts to a slice
		}
	default:
		return maybe
	}
	for _, im := range trait.impls {
		if im.off && result == no && (im.blanket || im.self == nil) {
			result = maybe
			continue
		}
		switch {
		case im.derived != "":
		case im.blanket:
			if result = max(result, s.includes(im, t, depth+1)); result == yes {
				return yes
			}
		case im.self == nil:
			if s.mayBeFor(im, t) {
				result = max(result, maybe)
			}
		}
	}
	return result
}

// includes reports whether a blanket implementation applies to a type.
func (s *Scope) includes(im *impl, t *Type, depth int) answer {
	inner, _ := (&Scope{p: s.p, m: im.mod}).instance(im.item.Generics.Text(im.unit.Text), im.item.Where.Text(im.unit.Text))
	s.p.unify(inner.typeOf(im.item.Type.Text(im.unit.Text), 0), t.detached(0), 0)
	return s.bound(im.item.Generics.Text(im.unit.Text), im.item.Where.Text(im.unit.Text), inner, depth)
}

// mayBlanket reports whether a type may implement a trait because of a blanket implementation other than that for references.
func (s *Scope) mayBlanket(t *Type, trait *def) bool {
	return slices.ContainsFunc(trait.impls, func(im *impl) bool {
		return im.blanket && im.derived == "" && !strings.HasPrefix(im.item.Type.Text(im.unit.Text), "&") && s.includes(im, t, 0) != no
	})
}

// isOmitted reports whether the outline of the standard library lacks the implementations of one of its traits for a type.
func (t *Type) isOmitted(trait *def) bool {
	return trait.krate.standard() && (slices.Contains(omitted, trait.name) && (t.def == nil || t.def.krate == nil || t.def.krate.standard()) || slices.Contains(conversions, trait.name) && t.def != nil && t.def.kind == primitive)
}

// isCountable reports whether a type is that of integers or characters, of which ranges are iterators.
func (t *Type) isCountable() bool {
	return t.def != nil && t.def.kind == primitive && t.def.name != "unit" && (t.def.name == "char" || t.def.name[0] == 'u' || t.def.name[0] == 'i')
}

// mayBeFor reports whether an implementation for an unresolved type may be for a type.
func (s *Scope) mayBeFor(im *impl, t *Type) bool {
	segs, ok := source.PathOf(selfTypes(im.item.Type.Text(im.unit.Text))[0])
	if !ok {
		return t.def == nil || t.def.kind == primitive
	}
	if t.def == nil || im.mod.krate.standard() && t.def.krate != nil && !t.def.krate.standard() {
		return false
	}
	name := segs[len(segs)-1]
	for _, e := range im.mod.names[segs[0]] {
		if e.use != nil && len(segs) == 1 && len(e.use.Path) > 0 {
			name = e.use.Path[len(e.use.Path)-1]
		}
	}
	if name == t.def.name {
		return true
	}
	// The name may be that of an alias.
	d := im.mod.krate.resolve(im.mod, segs, types)
	if d == nil && im.mod.krate.standard() {
		// It is a private type, which the outline lacks, like some implementations for these types that macros declare.
		return t.def.name == "tuple" || t.def.name == "array" || t.def.name == "pointer" || t.def.name == "unit"
	}
	return d == nil || d.kind == source.TypeAlias || d.kind == external || d == t.def
}

// boundImplements reports whether a type that is known by its traits implements another one.
func (s *Scope) boundImplements(bounds []*Type, t *Type, trait *def, depth int) answer {
	result := no
	for _, b := range bounds {
		switch {
		case b.def == nil || depth > maxTypeDepth:
			result = maybe
		case b.def == trait:
			return yes
		default:
			switch s.boundImplements(b.supertraits(s, t), t, trait, depth+1) {
			case yes:
				return yes
			case maybe:
				result = maybe
			}
		}
	}
	return result
}

// bound reports whether the parameters of an item satisfy their bounds.
func (s *Scope) bound(generics, where string, inner *Scope, depth int) answer {
	result := yes
	for i, list := range [][]string{source.Split(generics), source.Split(where)} {
		for _, p := range list {
			name, bounds, ok := source.Cut(withoutAttributes(p), ':')
			if i == 0 {
				bounds, _, _ = source.Cut(bounds, '=')
			}
			if name = strings.TrimSpace(name); !ok || strings.HasPrefix(name, "'") || strings.HasPrefix(name, "const ") {
				continue
			}
			t := inner.typeOf(name, 0).known()
			for _, b := range inner.boundsOf(bounds, 0) {
				a := maybe
				switch {
				case b.def != nil && slices.Contains(autoTraits, b.def.name):
					a = yes
				case t == nil || b.def == nil:
				case b.function:
					if t.function {
						a = yes
					} else if t.def != nil && t.def.krate != nil && len(t.bounds) == 0 {
						a = no
					} else if len(t.bounds) > 0 {
						a = s.boundImplements(t.bounds, t, b.def, 0)
						if a == no && slices.ContainsFunc(t.bounds, func(o *Type) bool { return o.function }) {
							a = maybe
						}
					}
				default:
					if a = s.implements(t, b.def, depth+1); a != no {
						a = min(a, s.hasAssociated(t, b, depth+1))
					}
				}
				if a == no {
					return no
				}
				result = min(result, a)
			}
		}
	}
	return result
}

// hasAssociated reports whether a type has the associated types that a bound requires.
func (s *Scope) hasAssociated(t, b *Type, depth int) answer {
	result := yes
	for name, want := range b.assoc {
		declaring := b.declaring(s, name, 0)
		v := t.project(s, declaring, name, 0).known()
		a := maybe
		switch {
		case v == nil || declaring == nil || want == nil:
		case len(want.bounds) > 0 && len(v.bounds) == 0:
			a = yes
			for _, other := range want.bounds {
				a = min(a, s.implements(v, other.def, depth+1))
			}
		case v.differs(want, 0):
			a = no
		default:
			a = yes
		}
		result = min(result, a)
	}
	return result
}

// sized returns the trait that all parameters have.
func (p *Program) sized() *def { return p.w.preludeOf("Sized", types) }
