package crate

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// deriveVariants adds a method for each variant of an enum, which reports whether a
// value is that variant. The derives IsVariant and EnumIs declare such methods. Only
// IsVariant separates digits from letters in their names.
func (k *krate) deriveVariants(d *def, digits bool) {
	text := d.unit.Text
	var b strings.Builder
	b.WriteString("impl" + signature.Generics(d.writer(false).generics(d.item, text)) + " " + d.item.Name + signature.Generics(arguments(d.item.Generics.Text(text))) + d.clause() + " {\n")
	for _, v := range d.item.Items {
		if v.Kind != source.Variant || k.ignored(v, d.unit) {
			continue
		}
		if _, off, _ := k.conditions(v, d.unit); off {
			continue
		}
		b.WriteString("/// Returns `true` if this value is of type `" + v.Name + "`. Returns `false` otherwise\n")
		b.WriteString("#[must_use] pub const fn is_" + snake(v.Name, digits) + "(&self) -> bool {}\n")
	}
	b.WriteString("}")
	u := &unit{File: k.parse(b.String()), krate: k, path: d.unit.path, line: d.unit.Line(d.item.Start)}
	for _, it := range u.Items {
		k.impls = append(k.impls, &impl{item: it, unit: u, mod: d.mod, cfg: d.cfg, off: d.off})
	}
}

// ignored reports whether an attribute excludes a variant from a derive, such as
// #[is_variant(ignore)] or #[strum(disabled)].
func (k *krate) ignored(v *source.Item, u *unit) bool {
	for _, a := range k.attributes(v, u) {
		if a.comment == "" && (a.meta.Path == "is_variant" && a.meta.Args == "ignore" || a.meta.Path == "strum" && strings.Contains(a.meta.Args, "disabled")) {
			return true
		}
	}
	return false
}

// snake converts a name in camel case to one with underscores: HttpGet2 to http_get2, or to
// http_get_2 if digits is true.
func snake(name string, digits bool) string {
	kind := func(i int) int {
		switch c := name[i]; {
		case c >= 'A' && c <= 'Z':
			return 1
		case c >= '0' && c <= '9':
			return 2
		}
		return 0
	}
	var b strings.Builder
	for i := range len(name) {
		if i > 0 && name[i] != '_' && name[i-1] != '_' {
			before, now := kind(i-1), kind(i)
			next := now
			if i+1 < len(name) {
				next = kind(i + 1)
			}
			if now == 1 && (before != 1 || next == 0) || digits && before != now && (before == 2 || now == 2) {
				b.WriteByte('_')
			}
		}
		b.WriteByte(name[i])
	}
	return strings.ToLower(b.String())
}
