package crate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// link resolves the traits and types of the implementations of a crate.
func (k *krate) link() {
	if k.implDone {
		return
	}
	k.implDone = true
	if k.deferred != nil {
		k.impls = allImpls(k.impls)
	}
	for _, im := range k.impls {
		if im.off || k.w.failed() {
			continue
		}
		k.linkOne(im)
	}
}

func (k *krate) linkOne(im *impl) {
	if im.derived != "" {
		im.self = im.forDef
		im.forDef.impls = append(im.forDef.impls, im)
		if im.arg != "" && !k.w.program {
			k.linkArg(im, im.arg, typeParams(im.item.Generics.Text(im.unit.Text)))
		}
		return
	}
	it, text := im.item, im.unit.Text
	params := typeParams(it.Generics.Text(text))
	for i, t := range selfTypes(it.Type.Text(text)) {
		d := k.w.primitiveOf(t)
		if segs, ok := source.PathOf(t); ok {
			if len(segs) == 1 && params[segs[0]] {
				im.blanket = im.blanket || i == 0
				continue
			}
			if k.isForeign(im.mod, segs[0]) {
				continue
			}
			d = k.concrete(im.mod, segs)
		}
		if d == nil {
			continue
		}
		im.self = cmp.Or(im.self, d)
		if !im.listed(d) {
			k.list(im, d)
		}
	}
	if it.Trait.Empty() {
		return
	}
	// rustdoc also lists an implementation with each type in the arguments of its
	// trait.
	if !k.w.program {
		for _, arg := range typeArgs(it.Trait.Text(text)) {
			k.linkArg(im, arg, params)
		}
	}
	if im.blanket || im.self == nil || im.self.kind == external || im.self.kind == primitive {
		if t := im.trait(); t != nil && t.kind == source.Trait {
			k.list(im, t)
		}
	}
}

// list lists an implementation with a type or trait.
func (k *krate) list(im *impl, d *def) {
	d.impls = append(d.impls, im)
	if k.w.program && d.krate != k {
		if k.foreign == nil {
			k.foreign = map[*def]bool{}
		}
		k.foreign[d] = true
	}
}

// trait returns the trait that is implemented, or nil if it is unknown. The trait is
// resolved when trait is first called, because it may be the only reason to open a
// dependency.
func (im *impl) trait() *def {
	if im.traitKnown {
		return im.traitDef
	}
	im.traitKnown = true
	k := im.mod.krate
	switch {
	case im.text != "":
		im.traitDef = &def{kind: external, name: im.derived, path: "core::" + im.derived, public: true}
	case im.derived != "":
		segs, _ := source.PathOf(im.derived)
		if t := k.resolve(im.mod, segs, types); t != nil && (t.kind == source.Trait || t.kind == external) {
			im.traitDef = t
		} else {
			im.traitDef = k.derivedTrait(im.mod, segs)
		}
	default:
		segs, _ := source.PathOf(im.item.Trait.Text(im.unit.Text))
		im.traitDef = k.resolve(im.mod, segs, types)
	}
	return im.traitDef
}

// linkArg lists an implementation with a type that occurs as an argument of its
// trait.
func (k *krate) linkArg(im *impl, arg string, params map[string]bool) {
	arg = selfTypes(arg)[0]
	d := k.w.primitiveOf(arg)
	if segs, ok := source.PathOf(arg); ok {
		if len(segs) == 1 && params[segs[0]] {
			return
		}
		d = k.concrete(im.mod, segs)
	}
	if d != nil && !slices.Contains(d.impls, im) {
		d.impls = append(d.impls, im)
	}
}

func (im *impl) listed(d *def) bool {
	n := len(d.impls)
	return n > 0 && d.impls[n-1] == im
}

// isForeign reports whether a path in a dependency of a program begins with a name that is imported from another
// crate, which is not read only for its implementations of this crate's traits.
func (k *krate) isForeign(m *module, first string) bool {
	entries := m.names[first]
	if !k.w.program || k.src.Test || m.block || len(entries) == 0 {
		return false
	}
	for _, e := range entries {
		if e.use == nil || len(e.use.Path) == 0 || len(m.names[e.use.Path[0]]) > 0 && e.use.Path[0] != first || !k.knows(e.use.Path[0]) || standardCrates()[e.use.Path[0]] != nil {
			return false
		}
	}
	return true
}

// concrete resolves the path of a type, through aliases. It returns nil if it is
// not found.
func (k *krate) concrete(m *module, segs []string) *def {
	d := k.resolve(m, segs, types)
	if d != nil && d.kind == source.Module && len(segs) == 1 && primitives[segs[0]] {
		d = k.w.prelude(segs[0]) // the name refers to the primitive type even if a module with that name is in scope
	}
	for range maxConditional {
		if d == nil || d.kind != source.TypeAlias {
			break
		}
		segs, ok := source.PathOf(d.item.Type.Text(d.unit.Text))
		if !ok {
			return nil
		}
		d = d.krate.resolve(d.mod, segs, types)
	}
	return d
}

// typeParams returns the names of the parameters that are types or constants.
func typeParams(generics string) map[string]bool {
	var all map[string]bool
	for _, p := range source.Split(generics) {
		segs, ok := source.PathOf(strings.TrimPrefix(withoutAttributes(p), "const "))
		if ok && len(segs) == 1 {
			if all == nil {
				all = map[string]bool{}
			}
			all[segs[0]] = true
		}
	}
	return all
}

// selfTypes returns the types with which an implementation is listed. For a reference or a Box,
// these include the type that it refers to.
func selfTypes(t string) []string {
	t = withoutPointers(source.Unmarked(t))
	if rest, ok := strings.CutPrefix(t, "dyn "); ok {
		t = strings.TrimSpace(rest)
	}
	all := []string{t}
	if segs, ok := source.PathOf(t); ok {
		switch segs[len(segs)-1] {
		case "Box", "Pin":
			all = append(all, typeArgs(t)...)
		}
	}
	return all
}

// typeArgs returns the arguments of a path, such as A and B for X<A, B>.
func typeArgs(t string) []string {
	start := strings.IndexByte(t, '<')
	end := strings.LastIndexByte(t, '>')
	if start < 0 || end < start {
		return nil
	}
	return source.Split(t[start+1 : end])
}

// derives adds the implementations that a type derives.
func (k *krate) derives(d *def) {
	switch d.kind {
	case source.Struct, source.Enum, source.Union:
	default:
		return
	}
	for _, a := range k.named(d.item.Attrs, d.unit, "derive") {
		if a.meta.Path != "derive" && a.meta.Path != "derive_const" && !strings.HasSuffix(a.meta.Path, "::derive") {
			continue
		}
		for _, name := range source.Split(a.meta.Args) {
			last := ""
			if segs, _ := source.PathOf(name); len(segs) > 0 {
				last = segs[len(segs)-1]
			}
			switch {
			case d.kind == source.Enum && (last == "IsVariant" || last == "EnumIs"):
				k.deriveVariants(d, last == "IsVariant")
				continue
			case last == "From" || last == "Into":
				k.deriveConversion(d, last == "Into")
				continue
			case last == "Error":
				k.deriveError(d)
			}
			k.impls = append(k.impls, &impl{item: d.item, unit: d.unit, mod: d.mod, derived: name, constant: a.meta.Path == "derive_const", forDef: d, cfg: d.cfg, off: d.off})
		}
	}
}

// arguments returns the names of generic parameters. Alternatives under conditions have the same name, which it returns once.
func arguments(generics string) []string {
	var all []string
	for _, p := range source.Split(generics) {
		name, _, _ := source.Cut(withoutAttributes(p), ':')
		name, _, _ = source.Cut(name, '=')
		if name = strings.TrimSpace(strings.TrimPrefix(name, "const ")); !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

// header returns the header of an implementation, such as "impl<T> Clone for A<T>".
func (im *impl) header() string {
	if im.text != "" {
		return im.text
	}
	if im.derived != "" {
		return im.derivedHeader()
	}
	it, text := im.item, im.unit.Text
	var b strings.Builder
	if it.Flags&source.IsUnsafe != 0 {
		b.WriteString("unsafe ")
	}
	w := (&def{item: it, unit: im.unit, krate: im.mod.krate, mod: im.mod}).writer(true)
	w.renamed = false
	b.WriteString("impl" + signature.Generics(w.generics(it, text)) + " ")
	if it.Flags&source.IsNegative != 0 {
		b.WriteByte('!')
	}
	if !it.Trait.Empty() {
		b.WriteString(im.traitText(w) + " for ")
	}
	local := *w
	local.renamed = true
	b.WriteString(local.format(it.Type.Text(text)))
	b.WriteString(signature.Where(w.where(it, text)))
	return b.String()
}

// traitText returns the implemented trait in the form that rustdoc writes, with resolved
// names.
func (im *impl) traitText(w *writer) string {
	it, text := im.item, im.unit.Text
	resolved := im.resolvedWriter(w)
	trait := substituteSelf(resolved.format(it.Trait.Text(text)), resolved.format(it.Type.Text(text)))
	// If an argument is the type itself, it is the default of traits that have
	// one.
	self := resolved.format(it.Type.Text(text))
	if head, args, ok := strings.Cut(trait, "<"); ok && args == self+">" && !strings.Contains(self, "&") && selfDefault[head[strings.LastIndexByte(head, ':')+1:]] {
		return head
	}
	return trait
}

// resolvedWriter returns a writer that resolves all names in types.
func (im *impl) resolvedWriter(w *writer) *writer {
	local := *w
	local.resolved = true
	local.bounds = im.boundOf
	return &local
}

// substituteSelf replaces the word Self in text with the type self.
func substituteSelf(text, self string) string {
	if !strings.Contains(text, "Self") {
		return text
	}
	var b strings.Builder
	s := source.Scanner{Text: text}
	copied := 0
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		if t.Kind == source.Ident && text[t.Start:t.End] == "Self" {
			b.WriteString(text[copied:t.Start] + self)
			copied = t.End
		}
	}
	return b.String() + text[copied:]
}

// selfDefault contains the traits whose parameter defaults to Self.
var selfDefault = map[string]bool{
	"PartialEq": true, "PartialOrd": true, "Add": true, "Sub": true, "Mul": true, "Div": true, "Rem": true, "BitAnd": true, "BitOr": true, "BitXor": true, "Shl": true, "Shr": true,
	"AddAssign": true, "SubAssign": true, "MulAssign": true, "DivAssign": true, "RemAssign": true, "BitAndAssign": true, "BitOrAssign": true, "BitXorAssign": true, "ShlAssign": true, "ShrAssign": true,
	"Sum": true, "Product": true,
}

// boundOf returns the trait through which a parameter has an associated type, or "" if
// none of its bounds declares the type.
func (im *impl) boundOf(param, name string) string {
	it, text := im.item, im.unit.Text
	found := ""
	try := func(bounds string) {
		for _, b := range splitBounds(bounds) {
			segs, ok := source.PathOf(b)
			if !ok {
				continue
			}
			d := im.mod.krate.resolve(im.mod, segs, types)
			if found == "" {
				found = associatedIn(d, source.Format(b), name, 0)
			}
		}
	}
	for _, p := range append(source.Split(it.Generics.Text(text)), source.Split(it.Where.Text(text))...) {
		if rest, bounds, ok := source.Cut(withoutAttributes(p), ':'); ok && rest == param {
			try(bounds)
		}
	}
	// Drop the arguments of the trait if they set an associated type, as in
	// Iterator<Item = u8>.
	if i := strings.IndexByte(found, '<'); i > 0 && strings.Contains(found[i:], "=") {
		found = found[:i]
	}
	return found
}

// associatedIn returns the trait that declares an associated type: the given
// trait or one of its supertraits. It returns "" if there is none.
func associatedIn(d *def, written, name string, depth int) string {
	switch {
	case d == nil || depth > maxConditional:
	case d.kind == external:
		if stdAssociated[d.path[strings.LastIndexByte(d.path, ':')+1:]] == name {
			return written
		}
	case d.kind == source.Trait:
		if slices.ContainsFunc(d.item.Items, func(i *source.Item) bool { return i.Kind == source.TypeAlias && i.Name == name }) {
			return written
		}
		for _, b := range splitBounds(d.item.Bounds.Text(d.unit.Text)) {
			if segs, ok := source.PathOf(b); ok {
				if found := associatedIn(d.krate.resolve(d.mod, segs, types), source.Format(b), name, depth+1); found != "" {
					return found
				}
			}
		}
	}
	return ""
}

// stdAssociated are associated types of traits of the standard library.
var stdAssociated = map[string]string{
	"Iterator": "Item", "IntoIterator": "Item", "Future": "Output", "Deref": "Target", "FnOnce": "Output", "Add": "Output", "Sub": "Output", "Mul": "Output", "Div": "Output", "Neg": "Output",
	"FromStr": "Err", "Index": "Output", "ToOwned": "Owned", "TryFrom": "Error", "TryInto": "Error", "BuildHasher": "Hasher", "DoubleEndedIterator": "Item", "ExactSizeIterator": "Item",
}

// splitBounds splits bounds such as A + B at plus signs that are not within brackets.
func splitBounds(bounds string) []string {
	var all []string
	for bounds != "" {
		one, rest, _ := source.Cut(bounds, '+')
		all = append(all, one)
		bounds = rest
	}
	return all
}

// derivedTraits contains the traits whose derive requires the same trait of each
// parameter.
var derivedTraits = map[string]bool{
	"Clone": true, "Copy": true, "Debug": true, "Default": true, "PartialEq": true, "Eq": true, "PartialOrd": true, "Ord": true, "Hash": true,
}

// derivedHeader returns the header of a derived implementation. It returns "" if the path of the
// trait is invalid.
func (im *impl) derivedHeader() string {
	segs, _ := source.PathOf(im.derived)
	if len(segs) == 0 {
		return ""
	}
	name := segs[len(segs)-1]
	it, text := im.item, im.unit.Text
	w := im.forDef.writer(false)
	where := w.where(it, text)
	bound := ""
	if derivedTraits[name] && !(name == "Default" && it.Kind == source.Enum) {
		bound = name
		if im.constant {
			bound = "[const] " + name
		}
	}
	// If a parameter has a where condition, its bound is written there.
	conditioned := map[string]int{}
	for i, p := range where {
		rest, _, _ := source.Cut(p, ':')
		conditioned[rest] = i
	}
	var params, args []string
	names := map[string]bool{}
	trait := name
	if name == "Deserialize" {
		trait = "Deserialize<'de>"
		params = append(params, "'de")
	}
	for _, p := range w.generics(it, text) {
		decl, _, _ := source.Cut(p, '=')
		param, bounds, _ := source.Cut(decl, ':')
		if strings.HasPrefix(param, "'") || strings.HasPrefix(param, "const ") {
			args = append(args, strings.TrimPrefix(param, "const "))
			params = append(params, decl)
			continue
		}
		args = append(args, param)
		names[param] = true
		i, ok := conditioned[param]
		switch {
		case ok && bound != "":
			where[i] += " + " + bound
		case ok:
		default:
			var all []string
			if bound != "" {
				all = append(all, bound)
			}
			if bounds != "" {
				all = append(all, bounds)
			}
			if len(all) > 0 {
				param += ": " + strings.Join(all, " + ")
			}
		}
		params = append(params, param)
	}
	if bound != "" && len(names) > 0 {
		for _, t := range projections(it, text, names) {
			if i, ok := conditioned[t]; ok {
				where[i] += " + " + bound
				continue
			}
			conditioned[t] = len(where)
			where = append(where, t+": "+bound)
		}
	}
	return "impl" + signature.Generics(params) + " " + trait + " for " + it.Name + signature.Generics(args) + signature.Where(where)
}

// projections returns the types of the form T::Name in fields, where T is a
// parameter.
func projections(it *source.Item, text string, names map[string]bool) []string {
	var all []string
	var visit func(items []*source.Item)
	visit = func(items []*source.Item) {
		for _, f := range items {
			if f.Kind == source.Variant {
				visit(f.Items)
				continue
			}
			t := f.Type.Text(text)
			s := source.Scanner{Text: t}
			colons := false
			for tok := s.Next(); tok.Kind != source.EOF; tok = s.Next() {
				if tok.Kind == source.Ident && !colons && names[t[tok.Start:tok.End]] {
					if segs, end := pathAt(t, tok); len(segs) > 1 {
						if p := source.Format(t[tok.Start:end]); !slices.Contains(all, p) {
							all = append(all, p)
						}
						s.Pos = end
					}
				}
				colons = tok.Kind == source.Punct && tok.Byte == ':'
			}
		}
	}
	visit(it.Items)
	return all
}

// members returns the items of an implementation or a trait, including those in
// expansions of macros.
func (k *krate) members(items []*source.Item, u *unit, m *module, sc *scope, cfg []*predicate, depth int, parent *def, params map[string]bool) []*def {
	var all []*def
	for _, it := range items {
		conds, off, never := k.conditions(it, u)
		if never {
			continue
		}
		if len(cfg) > 0 {
			conds = slices.Concat(cfg, conds)
		}
		if it.Kind == source.MacroCall {
			if off || depth > maxRecursion {
				continue
			}
			c := &pendingCall{mod: m, item: it, unit: u, cfg: conds, scope: sc}
			if x := k.expansion(c); x == nil {
				k.lose(c, it.Name+"!")
			} else if x.File != nil {
				all = append(all, k.members(x.Items, x, m, sc, conds, depth+1, parent, params)...)
			}
			continue
		}
		all = append(all, &def{kind: it.Kind, name: it.Name, item: it, unit: u, krate: k, mod: m, cfg: conds, off: off, public: it.Vis == source.Public, parent: parent, params: params, member: true, scope: sc})
	}
	return all
}

// private reports whether users cannot refer to the trait of an implementation, or to a type in its
// arguments.
func (im *impl) private() bool {
	k := im.mod.krate
	if t := im.trait(); t != nil && t.krate == k && t.kind == source.Trait && (!t.public || t.hidden() || !k.exports(t)) {
		return true
	}
	if im.derived != "" {
		// A derive whose name differs from its trait's may implement any trait.
		segs, _ := source.PathOf(im.derived)
		if len(segs) == 0 {
			return true
		}
		name := segs[len(segs)-1]
		return im.text == "" && im.trait() == nil && !derivedTraits[name] && name != "Error"
	}
	text := im.unit.Text
	params := typeParams(im.item.Generics.Text(text))
	for _, t := range append(typeArgs(im.item.Trait.Text(text)), im.item.Type.Text(text)) {
		segs, ok := source.PathOf(strings.TrimLeft(t, "& "))
		if !ok || len(segs) == 1 && params[segs[0]] {
			continue
		}
		if d := k.concrete(im.mod, segs); d != nil && d.krate == k && (!d.public || d.hidden()) && d.kind != external && d.kind != primitive {
			return true
		}
	}
	return false
}
