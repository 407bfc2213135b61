package crate

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/signature"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// link resolves what the implementations of a crate are of and for.
func (k *krate) link() {
	if k.implDone {
		return
	}
	k.implDone = true
	for _, im := range k.impls {
		if im.off || k.w.failed() {
			continue
		}
		k.linkOne(im)
	}
}

func (k *krate) linkOne(im *impl) {
	if im.derived != "" {
		segs, _ := source.PathOf(im.derived)
		im.traitDef = k.resolve(im.mod, segs, types, false)
		if im.traitDef != nil && im.traitDef.kind != source.Trait && im.traitDef.kind != external {
			im.traitDef = nil
		}
		im.self = im.forDef
		im.forDef.impls = append(im.forDef.impls, im)
		return
	}
	it, text := im.item, im.unit.Text
	params := typeParams(it.Generics.Of(text))
	for i, t := range selfTypes(it.Type.Of(text)) {
		segs, ok := source.PathOf(t)
		if !ok {
			continue
		}
		if len(segs) == 1 && params[segs[0]] {
			im.blanket = im.blanket || i == 0
			continue
		}
		d := k.concrete(im.mod, segs)
		if d == nil {
			continue
		}
		if im.self == nil {
			im.self = d
		}
		if !im.listed(d) {
			d.impls = append(d.impls, im)
		}
	}
	if it.Trait.Empty() {
		return
	}
	segs, _ := source.PathOf(it.Trait.Of(text))
	im.traitDef = k.resolve(im.mod, segs, types, false)
	// rustdoc lists an implementation with the types that its trait is of, too.
	for _, arg := range typeArgs(it.Trait.Of(text)) {
		segs, ok := source.PathOf(strings.TrimLeft(arg, "&"))
		if !ok || len(segs) == 1 && params[segs[0]] {
			continue
		}
		if d := k.concrete(im.mod, segs); d != nil && !im.listed(d) {
			d.impls = append(d.impls, im)
		}
	}
	if t := im.traitDef; t != nil && t.kind == source.Trait && (im.blanket || im.self == nil || im.self.kind == external || im.self.kind == primitive) {
		t.impls = append(t.impls, im)
	}
}

func (im *impl) listed(d *def) bool {
	n := len(d.impls)
	return n > 0 && d.impls[n-1] == im
}

// concrete resolves the path of a type, through aliases.
func (k *krate) concrete(m *module, segs []string) *def {
	d := k.resolve(m, segs, types, false)
	for range maxConditional {
		if d == nil || d.kind != source.TypeAlias {
			break
		}
		segs, ok := source.PathOf(d.item.Type.Of(d.unit.Text))
		if !ok {
			return nil
		}
		d = d.krate.resolve(d.mod, segs, types, false)
	}
	return d
}

// typeParams are the names of type parameters.
func typeParams(generics string) map[string]bool {
	var all map[string]bool
	for _, p := range source.Split(generics) {
		segs, ok := source.PathOf(withoutAttributes(p))
		if ok && len(segs) == 1 {
			if all == nil {
				all = map[string]bool{}
			}
			all[segs[0]] = true
		}
	}
	return all
}

// selfTypes are the types that an implementation counts for: that of a
// reference, that in a Box.
func selfTypes(t string) []string {
	t = strings.TrimSpace(t)
	for strings.HasPrefix(t, "&") {
		t = strings.TrimSpace(t[1:])
		if strings.HasPrefix(t, "'") {
			s := source.Scanner{Text: t}
			t = strings.TrimSpace(t[s.Next().End:])
		}
		if rest, ok := strings.CutPrefix(t, "mut "); ok {
			t = strings.TrimSpace(rest)
		}
	}
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

// typeArgs are the arguments of a path: A and B of X<A, B>.
func typeArgs(t string) []string {
	at := strings.IndexByte(t, '<')
	end := strings.LastIndexByte(t, '>')
	if at < 0 || end < at {
		return nil
	}
	return source.Split(t[at+1 : end])
}

// derives adds the implementations that a type derives.
func (k *krate) derives(d *def) {
	switch d.kind {
	case source.Struct, source.Enum, source.Union:
	default:
		return
	}
	for _, a := range d.item.Attrs {
		if a.Kind == source.Punct && strings.Contains(a.Body.Of(d.unit.Text), "derive") {
			for _, a := range k.attributes(d.item, d.unit) {
				if a.comment != "" || a.meta.Path != "derive" {
					continue
				}
				for _, name := range source.Split(a.meta.Args) {
					k.impls = append(k.impls, &impl{item: d.item, unit: d.unit, mod: d.mod, derived: name, forDef: d, cfg: d.cfg, off: d.off})
				}
			}
			return
		}
	}
}

// header writes an implementation: "impl<T> Clone for A<T>".
func (im *impl) header() string {
	if im.derived != "" {
		return im.derivedHeader()
	}
	it, text := im.item, im.unit.Text
	var b strings.Builder
	if it.Flags&source.IsUnsafe != 0 {
		b.WriteString("unsafe ")
	}
	b.WriteString("impl" + signature.Generics(generics(it, text)) + " ")
	if it.Flags&source.IsNegative != 0 {
		b.WriteByte('!')
	}
	if !it.Trait.Empty() {
		b.WriteString(source.Format(it.Trait.Of(text)) + " for ")
	}
	b.WriteString(source.Format(it.Type.Of(text)))
	b.WriteString(signature.Where(where(it.Where, text)))
	return b.String()
}

// derivedTraits are those whose derive adds itself as a bound of each parameter.
var derivedTraits = map[string]bool{
	"Clone": true, "Copy": true, "Debug": true, "Default": true, "PartialEq": true, "Eq": true, "PartialOrd": true, "Ord": true, "Hash": true,
}

// derivedHeader is the header of an implementation that is derived.
func (im *impl) derivedHeader() string {
	segs, _ := source.PathOf(im.derived)
	if len(segs) == 0 {
		return ""
	}
	name := segs[len(segs)-1]
	it, text := im.item, im.unit.Text
	var params, args []string
	lifetime, of := "", name
	if name == "Deserialize" {
		lifetime, of = "'de", "Deserialize<'de>"
		params = append(params, lifetime)
	}
	for _, p := range source.Split(it.Generics.Of(text)) {
		p = withoutAttributes(p)
		decl, _, _ := source.Cut(source.Format(p), '=')
		param, bounds, _ := source.Cut(decl, ':')
		isConst := strings.HasPrefix(param, "const ")
		if strings.HasPrefix(param, "'") || isConst {
			args = append(args, strings.TrimPrefix(param, "const "))
			params = append(params, decl)
			continue
		}
		args = append(args, param)
		var all []string
		if derivedTraits[name] {
			all = append(all, name)
		}
		if bounds != "" {
			all = append(all, bounds)
		}
		if len(all) > 0 {
			param += ": " + strings.Join(all, " + ")
		}
		params = append(params, param)
	}
	return "impl" + signature.Generics(params) + " " + of + " for " + it.Name + signature.Generics(args) + signature.Where(where(it.Where, text))
}

// members are the items of an implementation or a trait, with those that macros
// expand to.
func (k *krate) members(items []*source.Item, u *unit, m *module, sc *scope, cfg []*predicate, depth int, parent *def) []*def {
	var all []*def
	for _, it := range items {
		own, off, never := k.conditions(it, u)
		if never {
			continue
		}
		if len(cfg) > 0 {
			own = append(cfg[:len(cfg):len(cfg)], own...)
		}
		if it.Kind == source.MacroCall {
			if off || depth > maxRecursion {
				continue
			}
			c := &pendingCall{mod: m, item: it, unit: u, cfg: own, scope: sc}
			x := k.expansion(c)
			if x == nil {
				k.lose(it.Name)
			} else if x.File != nil {
				all = append(all, k.members(x.Items, x, m, sc, own, depth+1, parent)...)
			}
			continue
		}
		all = append(all, &def{kind: it.Kind, name: it.Name, item: it, unit: u, krate: k, mod: m, cfg: own, off: off, public: it.Vis == source.Public, parent: parent})
	}
	return all
}
