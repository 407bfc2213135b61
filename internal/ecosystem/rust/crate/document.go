package crate

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// documenter writes the symbols of one module.
type documenter struct {
	k     *krate // the crate that is documented
	mod   *module
	extra int // number of members that come from traits and through Deref

	mentioning bool // whether to record the types that functions take and return
	mentions   []mention
	brief      bool // whether to write only inherent members

	veiled   []*export        // exports that documentation omits
	sections []apidoc.Section // the guides of the crate, if the documented module is its root
	rootDoc  *string          // the documentation of the crate, once it is needed
	wrapped  []string         // paths of functions that a macro turns into something else
}

// symbols documents the exports of a module. It returns separately the symbols
// that features or the target exclude.
func (w *documenter) symbols(exports []export) (on, off []apidoc.Symbol) {
	type key struct {
		name string
		def  *def
	}
	seen := map[key]bool{}
	isOn := namesOn(exports)
	derives := w.hiddenDerives(exports)
	for i := range exports {
		x := &exports[i]
		if x.off && isOn[x.name] {
			continue // the features enable another declaration of the name
		}
		if w.k.w.failed() {
			break
		}
		if x.def.kind == external && x.ns != types {
			continue // an external definition is bound in all three namespaces, and listed once
		}
		id := key{x.name, x.def}
		if seen[id] {
			continue
		}
		if w.hidden(x) {
			w.veiled = append(w.veiled, x)
			continue
		}
		seen[id] = true
		if x.def.kind == source.Module && (x.def.krate == w.k || x.def.krate == w.mod.krate) {
			if x.off {
				off = append(off, w.module(x))
			}
			continue
		}
		s := w.export(x)
		if s.Path == "" {
			continue
		}
		if d := derives[x.name]; d != nil && x.def.kind == source.Trait {
			s.Doc = strings.TrimPrefix(s.Doc+"\n\n"+w.derivable(d), "\n\n")
		}
		if x.off {
			s.Members = nil
			s.Constraint = w.constraint(x)
			off = append(off, s)
			continue
		}
		off = append(off, w.lift(&s)...)
		on = append(on, s)
	}
	signature.Sort(on)
	signature.Sort(off)
	return on, off
}

// hiddenNames returns the names in the module that programs may use although they are not listed.
// These are names that documentation omits, and names that the module re-exports from paths that
// were not found, because they may exist with other features of another crate. "*" represents a
// glob import from another crate.
func (w *documenter) hiddenNames(out *apidoc.Package) []string {
	listed := map[string]bool{}
	for _, symbols := range [][]apidoc.Symbol{out.Symbols, out.Elsewhere} {
		for i := range symbols {
			listed[symbols[i].Path] = true
		}
	}
	var names []string
	for _, x := range w.veiled {
		if x.name != "" && !slices.Contains(names, x.name) {
			names = append(names, x.name)
		}
	}
	for _, e := range w.mod.order {
		if e.public && e.use != nil && !listed[e.name] && e.name != "_" && e.name != "" {
			listed[e.name] = true
			names = append(names, e.name)
		}
	}
	for _, e := range w.mod.globs {
		if d := e.found[types]; e.public && (d == nil || d.krate != w.k) {
			return append(names, "*")
		}
	}
	return names
}

// hiddenDerives returns the derive macros, by name, that a module exports and hides.
func (w *documenter) hiddenDerives(exports []export) map[string]*def {
	var all map[string]*def
	for i := range exports {
		if x := &exports[i]; x.def.kind == deriveMacro && !x.off && w.hidden(x) {
			if all == nil {
				all = map[string]*def{}
			}
			all[x.name] = x.def
		}
	}
	return all
}

// derivable returns a sentence about how to derive a trait.
func (w *documenter) derivable(d *def) string {
	text := "`#[derive(" + d.name + ")]` implements it"
	if len(d.helpers) > 0 {
		text += "; its attributes are `#[" + strings.Join(d.helpers, "]`, `#[") + "]`"
		if id := w.guideTo(d.helpers); id != "" {
			text += ", which the section " + id + " documents"
		}
	}
	return text + "."
}

// namesOn returns the set of names of the exports that are on.
func namesOn(exports []export) map[string]bool {
	on := map[string]bool{}
	for i := range exports {
		if x := &exports[i]; !x.off {
			on[x.name] = true
		}
	}
	return on
}

// lift removes from a symbol the members that are off, and returns them.
func (w *documenter) lift(s *apidoc.Symbol) []apidoc.Symbol {
	var off []apidoc.Symbol
	s.Members = slices.DeleteFunc(s.Members, func(m apidoc.Symbol) bool {
		if strings.HasSuffix(m.Constraint, offMark) {
			m.Members = nil
			off = append(off, m)
			return true
		}
		return false
	})
	return off
}

// These marks end the constraint of a symbol that needs a feature: offMark if the feature is off,
// onMark if it is on in the project, and requestedMark if only the question enables it.
const (
	offMark       = " (off)"
	onMark        = " (on)"
	requestedMark = " (requested)"
)

// hidden reports whether an export, or one of the imports that lead to it, has
// #[doc(hidden)].
func (w *documenter) hidden(x *export) bool {
	return x.def.hidden() || x.veiled()
}

// veiled reports whether one of the imports that lead to an export has #[doc(hidden)].
func (x *export) veiled() bool {
	return slices.ContainsFunc(x.via, func(e *entry) bool { return e.mod.krate.hides(e.item, e.unit) })
}

// constraint returns the features and targets that an export requires.
func (w *documenter) constraint(x *export) string {
	all := append([]*predicate{}, w.above(w.mod)...)
	all = append(all, x.cfg...)
	d := x.def
	all = append(all, d.cfg...)
	off := x.off
	if len(x.via) > 0 && d.krate == w.k && d.mod != nil && d.mod != w.mod {
		all = append(all, w.above(d.mod)...)
	}
	c := w.k.platform.constraint(all)
	switch {
	case c != "" && off:
		c += offMark
	case strings.Contains(c, "feature"):
		c += w.k.platform.met(all)
	}
	return c
}

// above returns the conditions of a module and of its enclosing modules.
func (w *documenter) above(m *module) []*predicate {
	var all []*predicate
	for ; m != nil; m = m.parent {
		if m.def != nil && !m.block {
			all = append(all, m.def.cfg...)
		}
	}
	return all
}

func (w *documenter) module(x *export) apidoc.Symbol {
	s := w.base(x.def, x.name)
	s.Kind, s.Signature = apidoc.Module, "pub mod "+x.name
	s.Constraint = w.constraint(x)
	return s
}

// count counts one symbol of the module being documented. It sets w.err if there are too
// many.
func (w *world) count() {
	if w.symbols++; w.symbols > maxSymbols && w.err == nil {
		w.err = errTooMuch
	}
}

// base returns a symbol with the fields that are common to symbols of all kinds.
func (w *documenter) base(d *def, path string) apidoc.Symbol {
	w.k.w.count()
	s := apidoc.Symbol{Path: path}
	if d.item == nil {
		return s
	}
	if d.kind == source.Module && d.sub != nil {
		d.sub.ensure()
	}
	if d.krate == w.k {
		s.File, s.Line = d.unit.path, d.unit.Line(d.item.Start)
	} else {
		s.From = d.krate.src.Name
	}
	w.comment(&s, d)
	if d.kind == deriveMacro {
		s.Doc = strings.Trim(s.Doc+"\n\n"+w.helperForms(d, s.Doc), "\n")
	}
	return s
}

// export documents one exported name.
func (w *documenter) export(x *export) apidoc.Symbol {
	d := x.def
	if d.kind == external {
		return w.reexport(x)
	}
	s := w.base(d, x.name)
	w.declare(&s, d)
	if len(x.via) > 0 {
		if doc := w.viaDoc(x); doc != "" {
			s.Doc = strings.Trim(doc+"\n\n"+s.Doc, "\n")
		}
	}
	s.Constraint = w.constraint(x)
	return s
}

// reexport documents a name whose sources are missing.
func (w *documenter) reexport(x *export) apidoc.Symbol {
	s := apidoc.Symbol{Path: x.name, Kind: apidoc.Reexport, Signature: "pub use " + x.def.path}
	if last := x.def.path[strings.LastIndexByte(x.def.path, ':')+1:]; last != x.name {
		s.Signature += " as " + x.name
	}
	s.Signature += ";"
	if len(x.via) > 0 {
		s.Doc = w.viaDoc(x)
		e := x.via[0]
		s.File, s.Line = e.unit.path, e.unit.Line(e.item.Start)
	}
	s.Constraint = w.constraint(x)
	return s
}

// declare writes the signature and members of a definition.
func (w *documenter) declare(s *apidoc.Symbol, d *def) {
	text := ""
	if d.unit != nil {
		text = d.unit.Text
	}
	if d.wrapped {
		w.wrapped = append(w.wrapped, s.Path)
	}
	switch d.kind {
	case source.Func:
		s.Kind, s.Signature = apidoc.Function, w.function(s.Path, d, true, "")
	case source.Struct:
		s.Kind = apidoc.Struct
		w.structure(s, d, "struct")
	case source.Union:
		s.Kind = apidoc.Union
		w.structure(s, d, "union")
	case source.Enum:
		s.Kind = apidoc.Enum
		w.enum(s, d)
	case source.Variant:
		s.Kind = apidoc.Variant
		f := w.variant(d, s.Path)
		s.Signature, s.Members = f.Signature, f.Members
	case source.Trait:
		s.Kind = apidoc.Trait
		w.trait(s, d)
	case source.TraitAlias:
		s.Kind = apidoc.TraitAlias
		s.Signature = w.noting(s.Path, false, func() string {
			return d.head("trait") + " = " + d.writer(false).format(d.item.Bounds.Text(text)) + signature.End(d.clause())
		})
	case source.TypeAlias:
		s.Kind = apidoc.TypeAlias
		if d.foreign {
			s.Kind, s.Signature = apidoc.ForeignType, "pub type "+d.name+";"
			break
		}
		s.Signature = w.noting(s.Path, false, func() string { return d.head("type") + d.clause() }) + " = " + w.alias(s.Path, d) + ";"
	case source.Const:
		s.Kind = apidoc.Const
		s.Signature = "pub const " + d.name + ": " + w.typeOf(s.Path, d)
		if v := d.value(); v != "" {
			s.Signature += " = " + v
		}
		s.Signature += ";"
	case source.Static:
		s.Kind = apidoc.Static
		word := "pub static "
		if d.foreign && d.item.Flags&source.IsSafe == 0 {
			word = "pub unsafe static "
		}
		if d.item.Flags&source.IsMut != 0 {
			word += "mut "
		}
		s.Signature = word + d.name + ": " + w.typeOf(s.Path, d) + ";"
	case source.Module:
		s.Kind, s.Signature = apidoc.Module, "pub mod "+s.Path
		if d.sub == d.krate.root && d.krate != w.k {
			s.Signature = "pub extern crate " + d.name
		}
	case source.MacroRules, source.MacroDecl:
		s.Kind = apidoc.Macro
		w.macro(s, d)
	case procMacro:
		s.Kind, s.Signature = apidoc.Macro, d.name+"!() { /* proc-macro */ }"
	case attributeMacro:
		s.Kind, s.Signature = apidoc.AttributeMacro, "#["+d.name+"]"
	case deriveMacro:
		s.Kind, s.Signature = apidoc.DeriveMacro, "#[derive("+d.name+")]"
		if len(d.helpers) > 0 {
			s.Signature += "\n{\n    // Attributes available to this derive:"
			for _, h := range d.helpers {
				s.Signature += "\n    #[" + h + "]"
			}
			s.Signature += "\n}"
		}
	case primitive:
		s.Kind, s.Signature = apidoc.PrimitiveType, d.name
	}
	if marks := w.marks(d); marks != "" {
		s.Signature = marks + s.Signature
	}
	switch d.kind {
	case primitive:
		w.k.w.linkPrimitives()
		w.implementations(s, d)
	case source.Struct, source.Union, source.Enum:
		d.krate.link()
		w.implementations(s, d)
		if !w.brief {
			w.reached(s, d)
		}
	case source.Trait:
		d.krate.link()
		w.implementations(s, d)
	}
}

// typeOf returns the type of the constant, static or field at the given path.
func (w *documenter) typeOf(path string, d *def) string {
	return w.noting(path, false, func() string { return d.writer(true).format(d.item.Type.Text(d.unit.Text)) })
}

// marks returns the attributes that rustdoc prints with a declaration.
func (w *documenter) marks(d *def) string {
	if d.item == nil {
		return ""
	}
	var b strings.Builder
	for _, a := range d.krate.attributes(d.item, d.unit) {
		if a.comment != "" {
			continue
		}
		switch a.meta.Path {
		case "must_use", "non_exhaustive", "repr", "no_mangle", "export_name", "link_section", "target_feature":
			text := source.Squeeze(a.text)
			if value, ok := source.Unquote(a.meta.Value); ok && strings.Contains(a.meta.Value, "\n") {
				text = a.meta.Path + " = " + strconv.Quote(value) // write the attribute on one line
			}
			b.WriteString("#[" + text + "]\n")
		}
	}
	return b.String()
}

func (w *documenter) trait(s *apidoc.Symbol, d *def) {
	it, text := d.item, d.unit.Text
	head := "pub "
	if it.Flags&source.IsUnsafe != 0 {
		head += "unsafe "
	}
	if it.Flags&source.IsAuto != 0 {
		head += "auto "
	}
	s.Signature = w.noting(s.Path, false, func() string {
		types := d.writer(false)
		head += "trait " + it.Name + signature.Generics(types.generics(it, text))
		if b := types.format(it.Bounds.Text(text)); b != "" {
			head += ": " + b
		}
		return head + d.clause()
	})
	for _, m := range w.traitItems(d) {
		if x, ok := w.associated(m, s.Path, true); ok {
			s.Members = append(s.Members, x)
		}
	}
}

// traitItems returns the items that a trait declares.
func (w *documenter) traitItems(d *def) []*def {
	if d.items == nil {
		d.items = d.krate.members(d.item.Items, d.unit, d.mod, d.scope, nil, 0, d, typeParams(d.item.Generics.Text(d.unit.Text)))
	}
	return d.items
}

// associated documents an item of a trait or an implementation. It returns false
// if the item is not shown.
func (w *documenter) associated(m *def, path string, inTrait bool) (apidoc.Symbol, bool) {
	if m.hidden() {
		return apidoc.Symbol{}, false
	}
	text := m.unit.Text
	switch m.kind {
	case source.Func, source.Const, source.TypeAlias:
	default:
		return apidoc.Symbol{}, false
	}
	s := w.base(m, path+"::"+m.name)
	public := "pub "
	if inTrait || !m.public {
		public = ""
	}
	switch m.kind {
	case source.Func:
		body := ""
		if inTrait && m.item.Flags&source.HasBody != 0 {
			body = " { ... }"
		}
		s.Kind, s.Signature = apidoc.Method, w.function(s.Path, m, !inTrait && m.public, body)
	case source.Const:
		s.Kind = apidoc.AssocConst
		s.Signature = public + "const " + m.name + ": " + w.typeOf(s.Path, m)
		if v := m.value(); v != "" {
			s.Signature += " = " + v
		}
		s.Signature += ";"
	case source.TypeAlias:
		s.Kind = apidoc.AssocType
		s.Signature = w.noting(s.Path, false, func() string {
			head := public + "type " + m.name + signature.Generics(m.writer(false).generics(m.item, text))
			if b := m.writer(false).format(m.item.Bounds.Text(text)); b != "" {
				head += ": " + b
			}
			if t := m.writer(true).format(m.item.Type.Text(text)); t != "" {
				head += " = " + t
			}
			return head + signature.End(m.clause())
		})
	}
	if marks := w.marks(m); marks != "" {
		s.Signature = marks + s.Signature
	}
	w.note(&s, m.cfg, m.off)
	return s, true
}

// implementations documents the inherent members of a type and the traits that
// it implements.
func (w *documenter) implementations(s *apidoc.Symbol, d *def) {
	var traits []apidoc.Symbol
	for _, im := range d.impls {
		if im.item != nil && im.derived == "" && im.item.Trait.Empty() {
			if d.kind == source.Trait && im.self != d || im.mod.krate.hides(im.item, im.unit) {
				continue
			}
			for _, m := range im.associated() {
				if !m.public {
					continue
				}
				if x, ok := w.associated(m, s.Path, false); ok {
					if d.kind == source.Trait {
						x.From = "dyn " + d.name
					}
					s.Members = append(s.Members, x)
				}
			}
			continue
		}
		if w.brief {
			continue
		}
		if x, ok := w.implementation(im, s.Path); ok {
			traits = append(traits, x)
		}
	}
	slices.SortStableFunc(traits, func(a, b apidoc.Symbol) int { return cmp.Compare(a.Path, b.Path) })
	s.Members = append(s.Members, traits...)
}

// implementation documents the implementation of a trait. It returns false if the
// implementation is not shown.
func (w *documenter) implementation(im *impl, path string) (apidoc.Symbol, bool) {
	if im.private() {
		return apidoc.Symbol{}, false
	}
	k := im.mod.krate
	k.w.count()
	if im.derived == "" && k.hides(im.item, im.unit) {
		return apidoc.Symbol{}, false
	}
	from := len(w.mentions)
	h := w.noting("", false, im.header)
	if im.derived != "" {
		w.mentionDerived(im)
	}
	first, _, _ := strings.Cut(h, "\n")
	for i := range w.mentions[from:] {
		w.mentions[from+i].path = path + "::" + signature.ImplName(first)
	}
	s := apidoc.Symbol{Path: path + "::" + signature.ImplName(first), Kind: apidoc.Impl, Signature: h}
	if k == w.k {
		s.File, s.Line = im.unit.path, im.unit.Line(im.item.Start)
	}
	if im.derived == "" {
		d := &def{kind: source.Impl, item: im.item, unit: im.unit, krate: k, mod: im.mod}
		w.comment(&s, d)
		w.note(&s, im.cfg, im.off)
	}
	return s, true
}

// mentionDerived records the trait of a derived implementation.
func (w *documenter) mentionDerived(im *impl) {
	segs, _ := source.PathOf(im.derived)
	if !w.mentioning || len(segs) == 0 {
		return
	}
	m := mention{name: segs[len(segs)-1], def: im.trait()}
	switch {
	case m.def != nil && m.def.kind == source.Trait:
	case m.name == "Debug": // The other traits of the core library are in its prelude.
		m.def = &def{kind: external, name: m.name, path: "core::fmt::Debug", public: true}
	case m.name == "Hash":
		m.def = &def{kind: external, name: m.name, path: "core::hash::Hash", public: true}
	default:
		return
	}
	w.mentions = append(w.mentions, m)
}

func (w *documenter) macro(s *apidoc.Symbol, d *def) {
	rules := d.macro.get()
	var b strings.Builder
	if d.kind == source.MacroDecl {
		b.WriteString("pub macro " + d.name)
		if rules != nil {
			if patterns := rules.Patterns(); len(patterns) == 1 {
				b.WriteString(patterns[0] + " {\n    ...\n}")
			} else {
				b.WriteString(" {\n")
				for _, p := range patterns {
					b.WriteString("    " + p + " => { ... },\n")
				}
				b.WriteString("}")
			}
		}
		s.Signature = b.String()
		return
	}
	b.WriteString("macro_rules! " + d.name + " {\n")
	if rules != nil {
		for _, p := range rules.Patterns() {
			b.WriteString("    " + p + " => { ... };\n")
		}
	}
	b.WriteString("}")
	s.Signature = b.String()
}
