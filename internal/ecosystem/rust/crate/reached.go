package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// maxReached is the maximum number of members in one package that come from traits and
// through Deref.
const maxReached = 60_000

// unlisted are traits that most types implement and whose methods are called by
// operators and macros rather than by name.
var unlisted = map[string]bool{
	"Debug": true, "Clone": true, "Copy": true, "Drop": true, "PartialEq": true, "Eq": true, "PartialOrd": true, "Ord": true, "Hash": true, "Send": true, "Sync": true, "Unpin": true, "Display": true,
}

// reached adds the members that a type gets from the traits that it implements
// and through Deref, each with its origin.
func (w *documenter) reached(s *apidoc.Symbol, d *def) {
	names := map[string]bool{}
	for i := range s.Members {
		names[s.Members[i].Name()] = true
	}
	add := func(m *def, from string, inTrait bool) {
		if names[m.name] || m.off || w.extra >= maxReached {
			return
		}
		x, ok := w.associated(m, s.Path, inTrait)
		if !ok {
			return
		}
		names[m.name] = true
		w.extra++
		x.From = from
		s.Members = append(s.Members, x)
	}
	for _, im := range w.k.implementedBy(d) {
		t := im.trait()
		switch {
		case t.kind == source.Trait:
			if t.hidden() || !t.public {
				continue
			}
			for _, m := range w.traitItems(t) {
				if m.kind != source.TypeAlias {
					add(m, t.name, true)
				}
			}
		case im.derived == "" && !unlisted[t.path[strings.LastIndexByte(t.path, ':')+1:]] && !im.item.Trait.Empty():
			name := t.path[strings.LastIndexByte(t.path, ':')+1:]
			for _, m := range im.associated() {
				if m.kind != source.TypeAlias {
					add(m, name, true)
				}
			}
		}
	}
	for _, target := range derefs(d) {
		for _, im := range target.impls {
			if im.derived != "" || im.off || !im.item.Trait.Empty() {
				continue
			}
			for _, m := range im.associated() {
				if m.public && m.kind == source.Func && isReached(m, target.mutable) {
					add(m, target.name, false)
				}
			}
		}
	}
}

// associated returns the items of an implementation.
func (im *impl) associated() []*def {
	if im.items == nil {
		u := im.unit.whole()
		im.mod.krate.counted(im.unit.ReadImpl(im.mod.krate.w.meter, im.item, u.File))
		im.items = im.mod.krate.members(im.item.Items, u, im.mod, im.scope, im.cfg, 0, nil, typeParams(im.item.Generics.Text(im.unit.Text)))
		for _, m := range im.items {
			m.self = im.item.Type.Text(im.unit.Text)
			m.constant = im.item.Flags&source.IsConst != 0 && im.item.Trait.Empty()
		}
	}
	return im.items
}

// isReached reports whether a method can be called through Deref, according to rustdoc: it takes
// self by reference, or mutably if the type implements DerefMut, too. Other types of self, such as
// Rc<Self>, are included, but not Self and Box<Self>.
func isReached(m *def, mutable bool) bool {
	params := source.Split(m.item.Params.Text(m.unit.Text))
	if len(params) == 0 {
		return false
	}
	pattern, typ, typed := source.Cut(params[0], ':')
	pattern = strings.TrimPrefix(pattern, "mut ")
	typ = strings.TrimSpace(typ)
	switch {
	case !typed && strings.HasPrefix(pattern, "&") && strings.HasSuffix(pattern, "self"):
		return mutable || !strings.HasSuffix(pattern, "mut self")
	case !typed || pattern != "self":
		return false
	case strings.HasPrefix(typ, "&"):
		return mutable || !strings.HasPrefix(strings.TrimLeft(typ, "& "), "mut ") && !strings.Contains(typ, " mut ")
	}
	return typ != "Self" && !strings.HasPrefix(typ, "Box<")
}

// derefTarget is a type to which another one dereferences. mutable is true if it can also be
// dereferenced mutably.
type derefTarget struct {
	*def
	mutable bool
}

// derefs returns the types to which a type dereferences, in order.
func derefs(d *def) []derefTarget {
	var all []derefTarget
	mutable := true
	for len(all) < maxConditional {
		next, here := (*def)(nil), false
		for _, im := range d.impls {
			if im.self != d || im.derived != "" || im.off || im.trait() == nil {
				continue
			}
			if name := traitName(im.trait()); name != "Deref" {
				here = here || name == "DerefMut"
				continue
			}
			for _, m := range im.associated() {
				if m.name != "Target" {
					continue
				}
				target := m.item.Type.Text(m.unit.Text)
				if segs, ok := source.PathOf(target); !ok {
					next = m.krate.w.primitiveOf(target)
				} else if !typeParams(im.item.Generics.Text(im.unit.Text))[segs[0]] {
					next = m.krate.concrete(m.mod, segs)
				}
			}
		}
		if next == nil || next.kind == external || next.kind == primitive && next.item == nil || next == d ||
			slices.ContainsFunc(all, func(t derefTarget) bool { return t.def == next }) {
			return all
		}
		mutable = mutable && here
		if next.kind == primitive {
			next.krate.w.linkPrimitives()
		}
		next.krate.link()
		all = append(all, derefTarget{next, mutable})
		d = next
	}
	return all
}

// traitName returns the name of a trait in this or another crate.
func traitName(t *def) string {
	if t.kind == external {
		return t.path[strings.LastIndexByte(t.path, ':')+1:]
	}
	return t.name
}

// implementedBy returns the implementations of traits for a type, including
// those for all types with certain traits.
func (k *krate) implementedBy(d *def) []*impl {
	var all []*impl
	has := map[string]bool{}
	key := func(t *def) string {
		if t.kind == external {
			return traitName(t)
		}
		return t.krate.src.Name + "::" + t.name
	}
	for _, im := range d.impls {
		if im.self != d || im.off || im.trait() == nil {
			continue
		}
		if im.derived == "" {
			// Count the implementation for the type itself, not for a reference to it.
			if t := strings.TrimSpace(source.Unmarked(im.item.Type.Text(im.unit.Text))); strings.HasPrefix(t, "&") {
				continue
			}
			if im.item.Flags&source.IsNegative != 0 {
				continue
			}
		}
		all = append(all, im)
		has[key(im.trait())] = true
	}
	for range 3 { // Implementations that are added in one round can satisfy the conditions of others in the next round.
		more := false
		for _, b := range k.blankets() {
			name := key(b.im.trait())
			if has[name] || !b.satisfied(has, key) {
				continue
			}
			has[name], more = true, true
			all = append(all, b.im)
		}
		if !more {
			break
		}
	}
	return all
}

// blanket is an implementation for every type with certain traits.
type blanket struct {
	im     *impl
	bounds []*def
}

func (b *blanket) satisfied(has map[string]bool, key func(*def) string) bool {
	return !slices.ContainsFunc(b.bounds, func(t *def) bool { return !has[key(t)] })
}

// maxBlankets is the maximum number of blanket implementations of a crate that are read.
const maxBlankets = 500

// blankets returns the blanket implementations of the crate and of the other
// open crates.
func (k *krate) blankets() []*blanket {
	if k.blanketDone {
		return k.blanket
	}
	k.blanketDone = true
	for _, im := range k.impls {
		if im.off || im.derived != "" || im.item.Trait.Empty() || len(k.blanket) >= maxBlankets {
			continue
		}
		text := im.unit.Text
		self := strings.TrimSpace(im.item.Type.Text(text))
		params := typeParams(im.item.Generics.Text(text))
		if !params[self] || im.trait() == nil || im.trait().kind != source.Trait {
			continue
		}
		b := &blanket{im: im}
		plain := true
		for _, p := range append(source.Split(im.item.Generics.Text(text)), source.Split(im.item.Where.Text(text))...) {
			rest, bounds, ok := source.Cut(withoutAttributes(p), ':')
			if !ok {
				continue
			}
			if rest != self {
				plain = plain && !strings.HasPrefix(rest, self+"::")
				continue
			}
			for _, one := range splitBounds(bounds) {
				segs, ok := source.PathOf(one)
				if !ok {
					continue // the bound is ?Sized, a lifetime or for<'a>
				}
				t := k.resolve(im.mod, segs, types)
				switch {
				case t == nil:
					plain = false
				case t.kind == external && unlisted[traitName(t)] || t.kind == external && traitName(t) == "Sized":
				default:
					b.bounds = append(b.bounds, t)
				}
			}
		}
		if plain && len(b.bounds) > 0 {
			k.blanket = append(k.blanket, b)
		}
	}
	return k.blanket
}
