package crate

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// derive adds the implementation of a trait for a type. If inverse is true, it
// adds an implementation of From<type> for arg instead. Otherwise arg is the
// argument of From.
func (k *krate) derive(d *def, trait, arg string, inverse bool) {
	text := d.unit.Text
	self := d.item.Name + signature.Generics(arguments(d.item.Generics.Text(text)))
	derived, target := trait, self
	switch {
	case inverse:
		derived, target = trait+"<"+self+">", arg
	case arg != "":
		derived += "<" + arg + ">"
	}
	head := "impl" + signature.Generics(d.writer(false).generics(d.item, text)) + " " + derived + " for " + target + d.clause()
	k.impls = append(k.impls, &impl{item: d.item, unit: d.unit, mod: d.mod, derived: trait, text: head, arg: arg, forDef: d, cfg: d.cfg, off: d.off})
}

// deriveError adds the implementations of #[derive(Error)] other than Error itself. The attributes
// in the type determine which: #[error] adds Display, and #[from] on a field adds From.
func (k *krate) deriveError(d *def) {
	text := d.unit.Text
	hasMessage := k.has(d.item, d.unit, "error")
	var fields func(items []*source.Item)
	fields = func(items []*source.Item) {
		for _, it := range items {
			switch it.Kind {
			case source.Variant:
				hasMessage = hasMessage || k.has(it, d.unit, "error")
				fields(it.Items)
			case source.Field:
				if k.has(it, d.unit, "from") {
					k.derive(d, "From", d.writer(false).format(it.Type.Text(text)), false)
				}
			}
		}
	}
	fields(d.item.Items)
	if hasMessage {
		k.derive(d, "Display", "", false)
	}
}

// deriveConversion adds the implementations of #[derive(From)] and #[derive(Into)] from
// derive_more. From converts the fields of a struct, or of any variant that has fields, to the
// type. Into converts a struct to its fields.
func (k *krate) deriveConversion(d *def, into bool) {
	held := func(items []*source.Item) string {
		var types []string
		for _, it := range items {
			if it.Kind == source.Field {
				types = append(types, d.writer(false).format(it.Type.Text(d.unit.Text)))
			}
		}
		if len(types) == 1 {
			return types[0]
		}
		return "(" + strings.Join(types, ", ") + ")"
	}
	if d.kind != source.Enum {
		k.derive(d, "From", held(d.item.Items), into)
		return
	}
	chosen := false // chosen is true if some variants have #[from], and others do not.
	for _, v := range d.item.Items {
		chosen = chosen || k.has(v, d.unit, "from") && !k.skips(v, d.unit)
	}
	for _, v := range d.item.Items {
		if len(v.Items) > 0 && !into && chosen == k.has(v, d.unit, "from") && !k.skips(v, d.unit) {
			k.derive(d, "From", held(v.Items), false)
		}
	}
}

// skips reports whether #[from(skip)] or #[from(ignore)] excludes a variant.
func (k *krate) skips(it *source.Item, u *unit) bool {
	for _, a := range k.attributes(it, u) {
		if a.comment == "" && a.meta.Path == "from" && (a.meta.Args == "skip" || a.meta.Args == "ignore") {
			return true
		}
	}
	return false
}

// derivedTrait returns the trait that a derive implements if no trait of the derive's name is in
// scope. It looks for a trait that is exported along with the derive, by a module of the crate or
// by the dependency that declares the derive. It returns nil if there is none, in which case the
// derive may implement any trait.
func (k *krate) derivedTrait(m *module, segs []string) *def {
	d := k.resolve(m, segs, macroNames)
	if d == nil || d.kind != deriveMacro {
		return nil
	}
	if t, known := k.derivedOf[d]; known {
		return t
	}
	t := k.root.traitBeside(d, true)
	for _, name := range slices.Sorted(maps.Keys(k.src.Deps)) {
		if t != nil {
			break
		}
		if src, err := k.w.imp(k.src, name); err != nil || src == nil || src.Deps[d.krate.src.Name] == "" {
			continue
		}
		if dep := k.dep(name); dep != nil {
			t = dep.root.traitBeside(d, false)
		}
	}
	if k.derivedOf == nil {
		k.derivedOf = map[*def]*def{}
	}
	k.derivedOf[d] = t
	return t
}

// traitBeside returns the trait in a module that has the name of a derive in the
// same module. If below is true, it also looks in the modules below. It returns
// nil if there is none.
func (m *module) traitBeside(d *def, below bool) *def {
	if m == nil {
		return nil
	}
	if len(m.names[d.name]) > 0 || m.parent == nil {
		t := m.lookup(d.name, types)
		if t != nil && (t.kind == source.Trait || t.kind == external) && m.lookup(d.name, macroNames) == d {
			return t
		}
	}
	if !below {
		return nil
	}
	for _, e := range m.order {
		if e.def == nil || e.def.kind != source.Module || e.off || e.def.krate != m.krate || e.use != nil {
			continue
		}
		if sub := e.def.sub; sub != nil && sub.parent == m {
			if t := sub.traitBeside(d, true); t != nil {
				return t
			}
		}
	}
	return nil
}
