package crate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

type lookupKey struct {
	name string
	ns   namespace
}

// maxPath is the maximum number of names in a path.
const maxPath = 64

// lookup returns the definition that a name refers to in a module, by a declaration or an import.
// It returns nil if there is none.
func (m *module) lookup(name string, ns namespace) *def {
	if m == nil || m.krate.w.failed() {
		return nil
	}
	m.ensure()
	key := lookupKey{name, ns}
	if m.epoch != m.krate.epoch {
		m.resolved, m.epoch = nil, m.krate.epoch
	}
	if d, ok := m.resolved[key]; ok {
		return d
	}
	d := m.find(name, ns)
	if d != nil || !m.krate.building && m.krate.w.unfinished.depth == 0 {
		if m.resolved == nil {
			m.resolved = map[lookupKey]*def{}
		}
		m.resolved[key] = d
	}
	return d
}

// find looks up a name in a module without using cached results, unlike lookup. It
// returns nil if there is none.
func (m *module) find(name string, ns namespace) *def {
	var off, outside, inside *def
	for _, e := range m.names[name] {
		d := e.target(ns)
		if d == nil || ns != macroNames && d.krate != nil && d.krate.src.ProcMacro && d.krate != m.krate {
			continue // such a crate exports only macros
		}
		if d.kind == external && e.use != nil && !e.off {
			// The definition may be in another namespace.
			outside = cmp.Or(outside, d)
			continue
		}
		if e.off || d.off {
			off = cmp.Or(off, d)
			continue
		}
		if m.krate.w.program && inside != nil && inside != d {
			return nil // they depend on options of the build
		}
		inside = d
	}
	if inside != nil {
		return inside
	}
	if outside != nil {
		return outside
	}
	if len(m.globs) > 0 {
		if d := m.findInGlobs(name, ns); d != nil {
			return d
		}
	}
	if off != nil && m.off() {
		return off
	}
	return nil
}

// findInGlobs looks up a name among those that the globs of a module import. It returns
// nil if there is none, or if the same name is already being looked up there.
func (m *module) findInGlobs(name string, ns namespace) *def {
	all := &m.krate.w.unfinished
	l := all.inGlobs(visit{m, name, ns})
	if l.failed(all) {
		return nil
	}
	begun := all.begin(l)
	var d *def
	for _, g := range m.globs {
		if g.off {
			continue
		}
		found := g.glob(name, ns, m)
		if d == nil {
			d = found
		} else if found != nil && found != d {
			d = &def{kind: external, name: name, path: name, public: true} // it depends on options of the build
			break
		}
		if d != nil && !(m.krate.w.program && len(g.cfg) > 0) {
			break
		}
	}
	all.end(l, begun, d != nil)
	return d
}

// target returns the definition that an entry refers to in a namespace, or nil if there is none.
func (e *entry) target(ns namespace) *def {
	if e.use == nil {
		if e.ns == ns {
			return e.def
		}
		return nil
	}
	if e.use.Self && ns != types {
		return nil
	}
	return e.imported(ns)
}

// imported returns the definition that an import's path refers to in a namespace. It returns nil
// while the same import is being resolved.
func (e *entry) imported(ns namespace) *def {
	if d := e.found[ns]; d != nil {
		return d
	}
	k := e.mod.krate
	all := &k.w.unfinished
	if e.lookups == nil {
		e.lookups = new([namespaces]lookup)
	}
	l := &e.lookups[ns]
	if l.failed(all) {
		return nil
	}
	begun := all.begin(l)
	e.found[ns] = k.resolveUse(e, ns)
	all.end(l, begun, e.found[ns] != nil)
	return e.found[ns]
}

// glob finds a name among those that a glob imports. It returns nil if there is
// none.
func (e *entry) glob(name string, ns namespace, into *module) *def {
	t := e.imported(types) // The type t is a module or an enum.
	if t == nil || t.sub == nil || t.sub == into {
		return nil
	}
	sub := t.sub
	sub.ensure()
	d := sub.lookup(name, ns)
	if d == nil || !sub.exposes(name, ns, into) {
		return nil
	}
	return d
}

// off reports whether the conditions of the module exclude it.
func (m *module) off() bool { return m.def != nil && m.def.off }

// exposes reports whether a module may import a name from m with a glob.
func (m *module) exposes(name string, ns namespace, into *module) bool {
	for _, e := range m.names[name] {
		if d := e.target(ns); d != nil {
			return into.sees(e.public, e.vis)
		}
	}
	return slices.ContainsFunc(m.globs, func(g *entry) bool { return into.sees(g.public, g.vis) })
}

// resolveUse resolves the path of an import. It returns nil if the path cannot be
// resolved.
func (k *krate) resolveUse(e *entry, ns namespace) *def {
	segs := e.use.Path
	if len(segs) == 0 || len(segs) > maxPath {
		if e.use.Glob { // The declaration is use ::* in the 2015 edition.
			return k.root.def
		}
		return nil
	}
	if ns == macroNames && len(segs) == 1 {
		for s := e.scope; s != nil; s = s.next {
			if s.name == segs[0] {
				return s.def
			}
		}
		if d := e.mod.macros[segs[0]]; d != nil {
			return d
		}
	}
	d := k.resolvePath(e.mod, segs, ns, true)
	if e.off && (d == nil || d.kind == external) {
		// The module at the beginning of the path may be off as well.
		if off := k.resolvePath(e.mod, slices.Insert(slices.Clone(segs), 0, "self"), ns, true); off != nil && off.kind != external {
			return off
		}
	}
	return d
}

// resolve returns the definition that a path in a module refers to, or nil if it is unknown.
func (k *krate) resolve(m *module, segs []string, ns namespace) *def {
	if len(segs) == 0 || len(segs) > maxPath {
		return nil
	}
	return k.resolvePath(m, segs, ns, false)
}

func (k *krate) resolvePath(m *module, segs []string, ns namespace, use bool) *def {
	last := len(segs) - 1
	old := k.src.Edition == "2015" || k.src.Edition == ""
	var d *def
	i := 0
	start := m.normal()
	switch first := segs[0]; {
	case first == "":
		if old {
			if last == 0 {
				return nil
			}
			if d = k.root.step(segs[1], nsAt(1, last, ns), m); d == nil {
				d = k.extern(segs[1])
			}
		} else if last > 0 {
			d = k.extern(segs[1])
		}
		i = 1
	case first == "crate":
		d = k.root.def
	case strings.HasPrefix(first, source.CrateMark):
		d = k.marked(strings.TrimPrefix(first, source.CrateMark))
	case first == "self" || first == "super":
		for i < len(segs) && (segs[i] == "super" || i == 0 && segs[i] == "self") {
			if segs[i] == "super" && start.parent != nil {
				start = start.parent.normal()
			}
			i++
		}
		i--
		d = start.def
		if start == k.root {
			d = k.root.def
		}
	case use && old:
		if d = k.root.step(first, nsAt(0, last, ns), m); d == nil && m.block {
			d = k.lexical(m, first, nsAt(0, last, ns))
		}
		if d == nil && nsAt(0, last, ns) == types {
			d = k.extern(first)
		}
	default:
		d = k.lexical(m, first, nsAt(0, last, ns))
	}
	for i++; d != nil && i <= last; i++ {
		if d.kind == external {
			return &def{kind: external, name: segs[last], path: d.path + "::" + strings.Join(segs[i:], "::"), public: true}
		}
		if segs[i] == "self" && i == last {
			break
		}
		if d.sub == nil {
			if d.kind == source.TypeAlias { // The definition is an alias of an enum.
				d = k.aliased(d)
			}
			if d == nil || d.sub == nil {
				return nil
			}
		}
		next := d.sub.step(segs[i], nsAt(i, last, ns), m)
		if next == nil && nsAt(i, last, ns) == types && d.sub == d.krate.root && (segs[i] == "std" || segs[i] == "core" || segs[i] == "alloc") {
			next = d.krate.extern(segs[i])
		}
		if next != nil && !m.mayUse(next) {
			next = nil
		}
		d = next
	}
	return d
}

// mayUse reports whether a definition is visible in a module.
func (m *module) mayUse(d *def) bool {
	if d.public || d.macro != nil || d.kind == external || d.kind == primitive || d.krate == nil || d.krate.root != nil && d == d.krate.root.def {
		return true
	}
	return m.sees(false, d.vis)
}

// nsAt returns the namespace of a name in a path. All names except the last are modules.
func nsAt(i, last int, ns namespace) namespace {
	if i < last {
		return types
	}
	return ns
}

// step looks up one name of a path in a module. It returns nil if there is none.
func (m *module) step(name string, ns namespace, from *module) *def {
	d := m.lookup(name, ns)
	if d == nil && m.def != nil && m.krate == from.krate && !m.krate.w.program {
		// The documentation of an item that is off also uses paths that are off.
		m.ensure()
		for _, e := range m.names[name] {
			if e.off {
				if t := e.target(ns); t != nil {
					return t
				}
			}
		}
	}
	return d
}

// aliased returns the definition that a type alias refers to, or nil if the alias does not stand
// for a path.
func (k *krate) aliased(d *def) *def {
	segs, ok := source.PathOf(d.item.Type.Text(d.unit.Text))
	if !ok {
		return nil
	}
	t := d.krate.resolve(d.mod, segs, types)
	if t == d || t != nil && t.kind == source.TypeAlias {
		return nil
	}
	return t
}

// lexical resolves the first name of a path. It returns nil if there is none.
func (k *krate) lexical(m *module, name string, ns namespace) *def {
	for scope := m; scope != nil; scope = scope.parent {
		if d := scope.lookup(name, ns); d != nil {
			return d
		}
		if !scope.block {
			break
		}
	}
	if m.off() {
		if d := m.step(name, ns, m); d != nil {
			return d
		}
	}
	if ns == macroNames {
		return nil
	}
	if ns == values {
		return k.w.preludeOf(name, ns)
	}
	if ns == types {
		if d := k.aliases[name]; d != nil {
			return d
		}
		if name == k.src.Name && m.krate == k && !k.knows(name) {
			return nil
		}
		if d := k.extern(name); d != nil {
			return d
		}
		return k.w.prelude(name)
	}
	return nil
}

// extern returns the crate with the given name, or nil if there is none.
func (k *krate) extern(name string) *def {
	if d := k.aliases[name]; d != nil {
		return d
	}
	if !k.knows(name) {
		return nil
	}
	return k.crateDef(name)
}

// marked returns the crate that $crate refers to.
func (k *krate) marked(name string) *def {
	if name == k.src.Name {
		return k.root.def
	}
	for _, other := range k.w.crates {
		if other.src.Name == name && other.root != nil {
			return other.root.def
		}
	}
	return k.crateDef(name)
}

// Prelude returns the path under which users of std know a type or trait that is in scope in every
// module, such as "std::vec::Vec" for Vec. It returns "" for any other name.
func Prelude(name string) string {
	if p := preludePaths[name]; p != "" {
		return userPath(p)
	}
	return ""
}

var primitives = map[string]bool{
	"bool": true, "char": true, "str": true, "u8": true, "u16": true, "u32": true, "u64": true, "u128": true, "usize": true,
	"i8": true, "i16": true, "i32": true, "i64": true, "i128": true, "isize": true, "f32": true, "f64": true, "f16": true, "f128": true,
}

var preludePaths = map[string]string{
	"Option": "core::option::Option", "Some": "core::option::Option::Some", "None": "core::option::Option::None",
	"Result": "core::result::Result", "Ok": "core::result::Result::Ok", "Err": "core::result::Result::Err",
	"Vec": "alloc::vec::Vec", "String": "alloc::string::String", "ToString": "alloc::string::ToString", "Box": "alloc::boxed::Box", "ToOwned": "alloc::borrow::ToOwned",
	"Clone": "core::clone::Clone", "Copy": "core::marker::Copy", "Send": "core::marker::Send", "Sync": "core::marker::Sync", "Sized": "core::marker::Sized", "Unpin": "core::marker::Unpin",
	"Drop": "core::ops::Drop", "Fn": "core::ops::Fn", "FnMut": "core::ops::FnMut", "FnOnce": "core::ops::FnOnce", "AsyncFn": "core::ops::AsyncFn", "AsyncFnMut": "core::ops::AsyncFnMut", "AsyncFnOnce": "core::ops::AsyncFnOnce",
	"Iterator": "core::iter::Iterator", "IntoIterator": "core::iter::IntoIterator", "Extend": "core::iter::Extend", "DoubleEndedIterator": "core::iter::DoubleEndedIterator", "ExactSizeIterator": "core::iter::ExactSizeIterator", "FromIterator": "core::iter::FromIterator",
	"Default": "core::default::Default", "PartialEq": "core::cmp::PartialEq", "Eq": "core::cmp::Eq", "PartialOrd": "core::cmp::PartialOrd", "Ord": "core::cmp::Ord",
	"AsRef": "core::convert::AsRef", "AsMut": "core::convert::AsMut", "Into": "core::convert::Into", "From": "core::convert::From", "TryFrom": "core::convert::TryFrom", "TryInto": "core::convert::TryInto",
	"Debug": "core::fmt::macros::Debug", "Hash": "core::hash::macros::Hash",
}

// export is a name that a module exports. Lists of exports contain a module's own names
// before the names of its globs.
type export struct {
	name string
	ns   namespace
	def  *def
	// via are the imports that lead from the module to the definition. The first
	// is in the module.
	via []*entry
	off bool
	cfg []*predicate
}

// exportsOf lists the public names of a module, including those that are off
// but have sources.
func (m *module) exportsOf() []export {
	var all []export
	m.eachExport(map[exporting]bool{}, false, 0, func(x export) { all = append(all, x) })
	if m == m.krate.root {
		for _, d := range m.krate.primitives {
			all = append(all, export{name: d.name, ns: types, def: d})
		}
	}
	return all
}

// exportSteps is the number of steps for one name that a glob exports.
const exportSteps = 4

// maxVia is the maximum number of imports that lead to an export.
const maxVia = 32

// exporting is a module whose exports are being listed, and whether the imports that lead
// to it are off.
type exporting struct {
	m   *module
	off bool
}

// eachExport yields the exports of a module. depth is the number of globs that lead to
// the module.
func (m *module) eachExport(seen map[exporting]bool, off bool, depth int, yield func(export)) {
	if m == nil || depth > maxVia+1 || seen[exporting{m, off}] || m.krate.w.failed() {
		return
	}
	seen[exporting{m, off}] = true
	m.ensure()
	type bound struct {
		name string
		ns   namespace
	}
	bounds := map[bound]bool{}
	declared := map[bound]bool{}
	veiled := map[bound]*def{} // veiled contains names bound by hidden imports, although globs show them.
	for _, e := range m.order {
		if e.use == nil && !e.off {
			declared[bound{e.name, e.ns}] = true
		}
	}
	reexports := slices.ContainsFunc(m.globs, func(g *entry) bool { return g.public })
	for _, e := range m.order {
		if e.use != nil && (e.use.Glob || e.use.As == "_") {
			continue
		}
		if !e.public && !reexports && len(m.names[e.name]) == 1 {
			continue // the private name does not hide the other one
		}
		for ns := range namespaces {
			d := e.target(ns)
			if d == nil {
				continue
			}
			b := bound{e.name, ns}
			off := e.off || d.off
			if bounds[b] || e.use != nil && d.kind == external && declared[b] {
				continue
			}
			if !off {
				bounds[b] = true
			}
			if e.public && (d.public || d.macro != nil || d.kind == external || d.kind == primitive) {
				x := export{name: e.name, ns: ns, def: d, off: off, cfg: e.cfg}
				if e.use != nil || e.ns == types && e.item != nil && e.item.Kind == source.ExternCrate {
					x.via = []*entry{e}
				}
				if e.use != nil && reexports && m.krate.hides(e.item, e.unit) {
					veiled[b] = d
				}
				yield(x)
			}
		}
	}
	for _, g := range m.globs {
		if !g.public {
			continue
		}
		t := g.imported(types)
		if t == nil {
			continue
		}
		if t.kind == external {
			m.krate.unread[t.path] = true
			continue
		}
		t.sub.eachExport(seen, off || g.off, depth+1, func(x export) {
			if !m.krate.w.meter.Step(exportSteps + len(x.via)) {
				return
			}
			b := bound{x.name, x.ns}
			if bounds[b] && veiled[b] != x.def || len(x.via) > maxVia {
				return
			}
			delete(veiled, b)
			if g.off {
				x.off = true
			} else if !x.off {
				bounds[b] = true
			}
			x.via = append([]*entry{g}, x.via...)
			if len(g.cfg) > 0 {
				x.cfg = slices.Concat(g.cfg, x.cfg)
			}
			yield(x)
		})
	}
}

// modulesFirst returns the exports of a module, with its own modules before imported ones.
func (m *module) modulesFirst() []export {
	all := m.exportsOf()
	slices.SortStableFunc(all, func(a, b export) int { return cmp.Compare(len(a.via), len(b.via)) })
	return all
}
