package crate

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// attr is an attribute with cfg_attr resolved, or a doc comment.
type attr struct {
	comment string // the text of a doc comment, as written
	text    string // the text of an attribute
	meta    source.Meta
	inner   bool
	unit    *unit
}

// maxConditional is the maximum nesting depth of cfg_attr.
const maxConditional = 8

// attributes returns the attributes of an item that apply to the target and features. For
// a module, these include its inner attributes.
func (k *krate) attributes(it *source.Item, u *unit) []attr {
	if len(it.Attrs) == 0 && len(it.Inner) == 0 {
		return nil
	}
	if all, ok := k.attrs[it]; ok {
		return all
	}
	if it.Kind == source.Module {
		if all, ok := k.moduleAttrs[it]; ok {
			return all
		}
	}
	var all []attr
	for _, a := range it.Attrs {
		all = k.attribute(all, a, u)
	}
	for _, a := range it.Inner {
		all = k.attribute(all, a, u)
	}
	k.attrs[it] = all
	return all
}

func (k *krate) attribute(all []attr, a source.Attr, u *unit) []attr {
	text := a.Body.Text(u.Text)
	if a.Kind != source.Punct {
		return append(all, attr{comment: text, inner: a.Inner, unit: u})
	}
	return k.conditional(all, text, a.Inner, u, 0)
}

// conditional adds an attribute, or the attributes within a cfg_attr whose
// condition holds. inner is true for an inner attribute.
func (k *krate) conditional(all []attr, text string, inner bool, u *unit, depth int) []attr {
	m := source.ParseMeta(text)
	if m.Path != "cfg_attr" {
		if m.Path == "unsafe" && m.HasArgs {
			m = source.ParseMeta(m.Args)
		}
		return append(all, attr{text: text, meta: m, inner: inner, unit: u})
	}
	parts := source.Split(m.Args)
	if depth > maxConditional || len(parts) == 0 || !k.platform.holds(parsePredicate(parts[0], 0)) {
		return all
	}
	for _, part := range parts[1:] {
		all = k.conditional(all, part, inner, u, depth+1)
	}
	return all
}

// conditions returns the conditions in the #[cfg] attributes of an item. off is
// true if any of them does not hold for target and features. never is true if that
// condition cannot hold for any target and features.
func (k *krate) conditions(it *source.Item, u *unit) (cfg []*predicate, off, never bool) {
	cfg = slices.Clip(u.cfg)
	for _, a := range it.Attrs {
		cfg, off, never = k.condition(cfg, off, never, a, u)
	}
	for _, a := range it.Inner {
		cfg, off, never = k.condition(cfg, off, never, a, u)
	}
	return cfg, off, never
}

func (k *krate) condition(cfg []*predicate, off, never bool, a source.Attr, u *unit) ([]*predicate, bool, bool) {
	if a.Kind != source.Punct {
		return cfg, off, never
	}
	text := a.Body.Text(u.Text)
	if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n\x01"), "cfg") {
		return cfg, off, never
	}
	for _, c := range k.conditional(nil, text, false, u, 0) {
		if c.meta.Path != "cfg" || !c.meta.HasArgs {
			continue
		}
		for _, part := range source.Split(c.meta.Args) {
			p := parsePredicate(part, 0)
			cfg = append(cfg, p)
			if !k.platform.holds(p) {
				off = true
				if hold, _ := k.platform.could(p); !hold {
					never = true
				}
			}
		}
	}
	return cfg, off, never
}

// mayBeOff reports whether an attribute may remove an item, such as a field. Other attributes of fields belong to derives.
func (u *unit) mayBeOff(it *source.Item) bool {
	return slices.ContainsFunc(it.Attrs, func(a source.Attr) bool {
		text := strings.TrimSpace(a.Body.Text(u.Text))
		return a.Kind == source.Punct && (strings.HasPrefix(text, "cfg") && !strings.HasPrefix(text, "cfg_attr") || strings.Contains(text, "cfg("))
	})
}

// mayLackField reports whether a build may remove a field of a struct or variant.
func (d *def) mayLackField() bool { return slices.ContainsFunc(d.item.Items, d.unit.mayBeOff) }

// innerConditions evaluates the #![cfg] attributes of a file. never is true if
// they always exclude the file, and off if they exclude it for this target and
// these features.
func (k *krate) innerConditions(u *unit) (never, off bool) {
	_, off, never = k.conditions(source.NewItem(source.Module, "", u.Inner), &unit{File: u.File})
	return never, off
}

// has reports whether an item has an outer attribute.
func (k *krate) has(it *source.Item, u *unit, name string) bool {
	return slices.ContainsFunc(k.named(it.Attrs, u, name), func(a attr) bool { return a.meta.Path == name })
}

// named returns the attributes in a list whose text contains a word. Unlike attributes, it keeps
// nothing, because the attributes of most items are never documented.
func (k *krate) named(list []source.Attr, u *unit, word string) (all []attr) {
	for _, a := range list {
		if a.Kind == source.Punct && strings.Contains(a.Body.Text(u.Text), word) {
			all = k.attribute(all, a, u)
		}
	}
	return all
}

func (k *krate) hasInner(u *unit, name string) bool {
	for _, a := range u.Inner {
		if a.Kind == source.Punct && source.ParseMeta(a.Body.Text(u.Text)).Path == name {
			return true
		}
	}
	return false
}

// hides reports whether an item has the attribute #[doc(hidden)].
func (k *krate) hides(it *source.Item, u *unit) bool {
	all, ok := k.moduleAttrs[it]
	if !ok {
		all = append(k.named(it.Attrs, u, "hidden"), k.named(it.Inner, u, "hidden")...)
	}
	return slices.ContainsFunc(all, func(a attr) bool {
		return a.comment == "" && a.meta.Path == "doc" && a.meta.HasArgs && slices.Contains(source.Split(a.meta.Args), "hidden")
	})
}

// hidden reports whether a definition is omitted from documentation.
func (d *def) hidden() bool {
	return d.item != nil && d.krate.hides(d.item, d.unit)
}
