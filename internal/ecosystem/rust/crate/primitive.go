package crate

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// The standard library documents each primitive type with an empty module that has an attribute, as
// in #[rustc_doc_primitive = "str"] mod prim_str {}. The methods of the type are in implementations
// in core, alloc and std.

// IsPrimitive reports whether a name is the name of a primitive type, such as "u32" or
// "str".
func IsPrimitive(name string) bool { return primitives[name] }

// primitive binds the primitive type that a module documents. It reports
// whether the module documents one.
func (k *krate) primitive(it *source.Item, u *unit, m *module) bool {
	if !strings.HasPrefix(it.Name, "prim_") {
		return false
	}
	for _, a := range k.attributes(it, u) {
		name, ok := source.Unquote(a.meta.Value)
		if a.comment != "" || a.meta.Path != "rustc_doc_primitive" || !ok {
			continue
		}
		d := k.w.primitives[name]
		if d == nil {
			d = &def{kind: primitive, name: name, path: name, item: it, unit: u, krate: k, mod: m, public: true}
			k.w.primitives[name] = d
		}
		k.primitives = append(k.primitives, d)
		return true
	}
	return false
}

// prelude returns the definition of a name that is in scope in every module without an
// import. It returns nil if there is none.
func (w *world) prelude(name string) *def {
	if d := w.preludeOf(name, types); d != nil {
		return d
	}
	if p := preludePaths[name]; p != "" {
		return &def{kind: external, name: name, path: p, public: true}
	}
	if primitives[name] {
		if d := w.primitives[name]; d != nil {
			return d
		}
		return &def{kind: primitive, name: name, path: name, public: true}
	}
	return nil
}

// preludeOf returns the definition of a name in the prelude of the outline of std, or nil if there is none.
func (w *world) preludeOf(name string, ns namespace) *def {
	if w.standard == nil {
		return nil
	}
	if w.prelude2024 == nil {
		if d := w.standard.resolve(w.standard.root, []string{"crate", "prelude", "rust_2024"}, types); d != nil {
			w.prelude2024 = d.sub
		}
	}
	return w.prelude2024.lookup(name, ns)
}

// primitiveOf returns the documented definition of a type that is not a path, such as a
// slice or a tuple. It returns nil if there is none.
func (w *world) primitiveOf(t string) *def {
	if len(w.primitives) == 0 || t == "" {
		return nil
	}
	name := ""
	switch {
	case t[0] == '[':
		name = "slice"
		if _, _, ok := source.Cut(strings.TrimSuffix(t[1:], "]"), ';'); ok {
			name = "array"
		}
	case t[0] == '*':
		name = "pointer"
	case t[0] == '(':
		name = "tuple"
		if strings.TrimSpace(strings.Trim(t, "()")) == "" {
			name = "unit"
		}
	case t == "!":
		name = "never"
	}
	return w.primitives[name]
}

// linkPrimitives links the implementations of all open crates, because several
// crates implement methods of a primitive type.
func (w *world) linkPrimitives() {
	for _, id := range slices.Sorted(maps.Keys(w.crates)) {
		if k := w.crates[id]; k.root != nil {
			k.link()
		}
	}
}
