package crate

import (
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Member is the result of looking up a member of a type.
type Member struct {
	// Type is the type of a field or a constant, and Callee the function or method, if they are known.
	Type   *Type
	Callee *Callee
	// Absent is true if the type certainly has no such member. Private is true if it has one that the program cannot use.
	Absent, Private bool

	owner *def   // the type without the member
	types []*def // this type and those to which it dereferences
	from  *krate // the crate that declares the type with the member, or the item of a path
	// unimported is true if a trait that is not in scope has the member, or if it is not a method.
	unimported bool
}

// Path returns the path of the module of the type that does not have the member, starting with the name of its crate, and the
// path of a member with the given name.
func (m Member) Path(name string) (module, path string) { return memberPath(m.owner, name, nil) }

// IsItem reports whether the member that is absent is an item of a module.
func (m Member) IsItem() bool { return m.owner.kind == source.Module }

// Standard reports whether the type that does not have the member belongs to the standard library.
func (m Member) Standard() bool { return m.owner.krate != nil && m.owner.krate.standard() }

// Names returns the names of the members of the type that does not have the member, and of those to which it dereferences,
// without those of traits that other types implement, too. Of a module, it returns the names of the public items.
func (m Member) Names() (names []string) {
	if m.owner != nil && m.owner.sub != nil {
		for _, e := range m.owner.sub.order {
			if e.public && !e.off {
				names = append(names, e.name)
			}
		}
	}
	for _, d := range m.types {
		if d.item != nil {
			for _, it := range d.item.Items { // fields, variants, or items of a trait
				names = append(names, it.Name)
			}
		}
		for _, im := range d.impls {
			if im.self != d || im.derived != "" || !im.item.Trait.Empty() {
				continue
			}
			for _, item := range im.associated() {
				if !item.off && (item.public || !d.krate.standard()) {
					names = append(names, item.name)
				}
			}
		}
	}
	return names
}

// Crate returns the crate of the type with the member, or of an item that a path refers to. It is nil if the member was not found.
func (m Member) Crate() *Source {
	if m.from == nil || m.Type == nil && m.Callee == nil {
		return nil
	}
	return m.from.src
}

// answer is the result of a decision that may be impossible.
type answer uint8

const (
	no answer = iota
	maybe
	yes
)

// Method returns a method of a type.
func (s *Scope) Method(t *Type, name string) Member {
	return s.find(t, func(t *Type) (Member, answer) {
		m, found := s.method(t, name, true)
		if found == yes && m.Callee != nil && !m.Callee.HasSelf { // a function of the type, which hides no method of others
			return Member{unimported: true}, no
		}
		return m, found
	}, true)
}

// Field returns a field of a type.
func (s *Scope) Field(t *Type, name string) Member {
	return s.find(t, func(t *Type) (Member, answer) { return t.field(s, name) }, true)
}

// find looks up a member in a type and in those to which it dereferences.
func (s *Scope) find(t *Type, look func(*Type) (Member, answer), deref bool) Member {
	first := Member{}
	private, unimported := false, false
	var types [maxTypeDepth]*def // those without the member
	n := 0
	for range maxTypeDepth {
		if r := t.resolved(); r != nil && r.variable && r.number && s.lackedByIntegers(look) {
			t = s.primitive("i32")
		}
		t = t.known()
		if t == nil || s.p.w.failed() {
			return Member{}
		}
		if t.def != nil && t.def.krate != nil {
			t.def.krate.link()
		}
		m, found := look(t)
		switch found {
		case yes:
			switch {
			case t.def != nil:
				m.from = t.def.krate
			case len(t.bounds) > 0 && t.bounds[0].def != nil:
				m.from = t.bounds[0].def.krate
			}
			return m
		case maybe:
			return Member{}
		}
		private, unimported = private || m.Private, unimported || m.unimported
		switch {
		case first.owner != nil && (!first.Standard() || t.def == nil || t.def.kind == primitive):
		case t.def != nil:
			first.owner = t.def
		case len(t.bounds) > 0:
			first.owner = t.bounds[0].def
		case t.output != nil:
			first.owner = s.standardTrait("Future").def
		}
		if first.owner == nil {
			return Member{}
		}
		if t.def != nil {
			types[n] = t.def
			n++
		}
		next, derefs := t.deref(s)
		if derefs == maybe {
			return Member{}
		}
		if derefs == no || !deref {
			if unimported { // the trait may be in scope after all
				return Member{}
			}
			first.Absent, first.Private, first.types = !private, private, slices.Clone(types[:n])
			return first
		}
		t = next
	}
	return Member{}
}

// lackedByIntegers reports whether none of the types of integers, any of which a literal may have, has a member.
func (s *Scope) lackedByIntegers(look func(*Type) (Member, answer)) bool {
	return !slices.ContainsFunc([]string{"i32", "u8", "i8", "u16", "i16", "u32", "u64", "i64", "u128", "i128", "usize", "isize"}, func(name string) bool {
		t := s.primitive(name)
		if t == nil || t.def.krate == nil {
			return true
		}
		t.def.krate.link()
		_, found := look(t)
		return found != no
	})
}

// method looks up a method of a type. deref is true if those of the types to which it dereferences are looked up next.
func (s *Scope) method(t *Type, name string, deref bool) (Member, answer) {
	found := no
	var private Member // one that a trait may hide
	switch {
	case len(t.bounds) > 0:
		m, a := s.boundMethod(t.bounds, t, name, 0)
		if a != no {
			return m, a
		}
	case t.def != nil && t.def.item != nil:
		m, a := s.nominalMethod(t, name, deref)
		if a != no {
			return m, a
		}
		private = m
	case t.function, t.output != nil:
	default:
		return Member{}, maybe
	}
	visible := s.traits()
	var candidates []*def // the traits that may have the method
	others := visible.open
	for _, trait := range visible.all {
		d := trait.traitItem(name)
		if d == nil {
			if trait.mayDeclare(name) && s.implements(t, trait, 0) != no {
				found, others = maybe, true
			}
			continue
		}
		switch s.implements(t, trait, 0) {
		case yes:
			if d.kind != source.Func || s.hidesMethod(t, d) {
				return Member{}, maybe
			}
			return Member{Callee: s.traitCallee(&Type{def: trait}, t, d)}, yes
		case maybe:
			found = maybe
			candidates = append(candidates, trait)
		}
	}
	if visible.open {
		found = maybe
	}
	if len(candidates) == 1 && !others && !private.Private {
		trait := candidates[0]
		if d := trait.traitItem(name); d.kind == source.Func && !s.hidesMethod(t, d) && (!deref || t.dereferences(s) == no) {
			c := s.traitCallee(&Type{def: trait}, t, d) // the only one that the code can mean
			if !trait.item.Generics.Empty() {
				c.forgetTypes()
			}
			return Member{Callee: c}, yes
		}
	}
	return private, found
}

// traitItem returns the item of a trait with a name, or nil if there is none.
func (d *def) traitItem(name string) *def {
	if d.itemNames == nil {
		items := d.traitItems()
		d.itemNames = make(map[string]*def, len(items))
		for _, item := range slices.Backward(items) { // the first one with a name counts
			d.itemNames[item.name] = item
		}
	}
	return d.itemNames[name]
}

// mayDeclare reports whether a macro that was not expanded may declare an item of a trait.
func (d *def) mayDeclare(name string) bool {
	return slices.ContainsFunc(d.item.Items, func(it *source.Item) bool { return it.Kind == source.MacroCall }) && (d.krate.opaque || d.krate.mentions(name))
}

// TraitItem returns the item of a trait that an implementation declares.
func (s *Scope) TraitItem(trait, name string) Member {
	b := s.boundsOf(trait, 0)
	if len(b) != 1 || b[0].def == nil || b[0].def.krate.opaque || b[0].def.krate.extends(b[0].def.name) || b[0].def.krate.standard() || b[0].def.traitItem(name) != nil ||
		slices.ContainsFunc(b[0].def.item.Items, func(it *source.Item) bool { return it.Kind == source.MacroCall }) || slices.ContainsFunc(b[0].def.item.Attrs, func(a source.Attr) bool { return a.Kind == source.Punct }) {
		return Member{}
	}
	return Member{Absent: true, owner: b[0].def}
}

func (s *Scope) traitCallee(b, self *Type, d *def) *Callee {
	return newCallee(b.inside(s, self), d, self)
}

// boundMethod looks up a method of a type that is known by its traits.
func (s *Scope) boundMethod(bounds []*Type, t *Type, name string, depth int) (Member, answer) {
	result := no
	if depth == 0 && len(bounds) == 1 && bounds[0].def == s.p.sized() {
		return Member{}, maybe // it has no name for a finding
	}
	for _, b := range bounds {
		switch {
		case b.def == nil || depth > maxTypeDepth:
			result = maybe
			continue
		case b.def.krate.opaque || b.def.krate.extends(b.def.name) || !b.def.krate.plain(b.def.item, b.def.unit) || b.def.traitItem(name) == nil && b.def.mayDeclare(name):
			result = maybe
		}
		if d := b.def.traitItem(name); d != nil {
			if d.kind == source.Const {
				return Member{Type: b.inside(s, t).typeOf(d.item.Type.Text(d.unit.Text), 0)}, yes
			}
			if d.kind != source.Func || s.hidesMethod(t, d) {
				return Member{}, maybe
			}
			return Member{Callee: s.traitCallee(b, t, d)}, yes
		}
		b.def.krate.link()
		for _, im := range b.def.impls {
			if im.self == b.def && im.derived == "" && im.item.Trait.Empty() {
				for _, d := range im.associated() {
					if d.name == name {
						return Member{}, maybe
					}
				}
			}
		}
		if m, a := s.boundMethod(b.supertraits(s, t), t, name, depth+1); a == yes {
			return m, a
		} else if a == maybe {
			result = maybe
		}
	}
	return Member{}, result
}

// extends reports whether a call of a macro that was not expanded, or a module that another build has, may add items to a type or
// trait with a name. A module that declares a type or trait with the name refers to that one.
func (k *krate) extends(name string) bool {
	if mentionedIn(slices.Values(k.lostCalls), name) {
		return true
	}
	for _, text := range k.offTexts {
		if mentionedIn(slices.Values([]string{text}), name) && !declaresType(text, name) && extendsType(source.Parse(text).Items, text, name, 0) {
			return true
		}
	}
	return false
}

// extendsType reports whether one of the items may be an implementation for a type, or of a trait, with a name.
func extendsType(items []*source.Item, text, name string, depth int) bool {
	return depth > maxTypeDepth || slices.ContainsFunc(items, func(it *source.Item) bool {
		switch it.Kind {
		case source.Impl:
			return hasWord(it.Trait.Text(text)+" "+it.Type.Text(text), name)
		case source.Module:
			return extendsType(it.Items, text, name, depth+1)
		case source.MacroCall, source.MacroRules, source.MacroDecl:
			return hasWord(text[it.Start:it.End], name)
		}
		return false
	})
}

// declaresType reports whether a text declares a struct, enum, union or trait with a name. Aliases do not count, because an
// implementation may contain an associated type such as type Error = Error.
func declaresType(text, name string) bool {
	s := source.Scanner{Text: text}
	before := ""
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		word := text[t.Start:t.End]
		if t.Kind == source.Ident && word == name && slices.Contains([]string{"struct", "enum", "union", "trait"}, before) {
			return true
		}
		before = word
	}
	return false
}

// isAlternative reports whether another build may have another type with the name of a type, in a module beside the one that declares it.
func (d *def) isAlternative() bool {
	if d.mod == nil || d.krate == nil || len(d.krate.offModules) == 0 {
		return false
	}
	if d.alternative == no {
		d.alternative = yes
		if slices.ContainsFunc(d.krate.offModules, func(off offModule) bool {
			text := d.krate.offTexts[off.file]
			return off.parent == d.mod.parent && strings.Contains(text, d.name) && (declaresType(text, d.name) || declaresAlias(text, d.name))
		}) {
			d.alternative = maybe
		}
	}
	return d.alternative == maybe
}

// declaresAlias reports whether a text declares an alias with a name outside implementations.
func declaresAlias(text, name string) bool {
	return slices.ContainsFunc(source.Parse(text).Items, func(it *source.Item) bool { return it.Kind == source.TypeAlias && it.Name == name })
}

// mentions reports whether a call of a macro that was not expanded, or a module that another build has, contains a name.
func (k *krate) mentions(name string) bool {
	return mentionedIn(slices.Values(k.lostCalls), name) || mentionedIn(maps.Values(k.offTexts), name)
}

func mentionedIn(texts iter.Seq[string], name string) bool {
	for text := range texts {
		if strings.Contains(text, name) && (strings.Contains(text, "[<") || hasWord(text, name)) { // [< joins words
			return true
		}
	}
	return false
}

// hasWord reports whether a text contains a name.
func hasWord(text, name string) bool {
	s := source.Scanner{Text: text}
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		if t.Kind == source.Ident && text[t.Start:t.End] == name {
			return true
		}
	}
	return false
}

// nominalMethod looks up an item of the implementations for a type with a definition.
func (s *Scope) nominalMethod(t *Type, name string, deref bool) (m Member, found answer) {
	s.m.krate.link() // it may implement traits for the type
	k := t.def.krate
	k.link()
	for _, im := range t.def.impls {
		if im.self != t.def || im.derived != "" || !im.item.Trait.Empty() {
			continue
		}
		for _, d := range im.associated() {
			if d.name != name {
				continue
			}
			if im.off || d.off { // another one may be on
				found = maybe
				continue
			}
			if !d.public && k != s.m.krate {
				if !k.plain(d.item, d.unit) {
					return Member{}, maybe // the attribute may make it public
				}
				m.Private, m.owner = true, t.def
				continue
			}
			inner, ok := t.within(s, im)
			if !ok {
				continue
			}
			if inner.vague {
				return Member{}, maybe
			}
			switch s.bound(im.item.Generics.Text(im.unit.Text), im.item.Where.Text(im.unit.Text), inner, 0) {
			case no:
				found = maybe // a trait may have the method
				continue
			case maybe:
				if t.def.declaresOften(name) {
					return Member{}, maybe
				}
			}
			if d.kind == source.Func && s.hidesMethod(t, d) {
				return Member{}, maybe
			}
			if d.kind != source.Func {
				return Member{Type: inner.typeOf(d.item.Type.Text(d.unit.Text), 0)}, yes
			}
			return Member{Callee: newCallee(inner, d, t)}, yes
		}
	}
	derefs := no
	if deref {
		derefs = t.dereferences(s)
	}
	for _, im := range t.def.impls {
		if im.derived == "" && (im.item.Trait.Empty() || im.item.Flags&source.IsNegative != 0) {
			continue
		}
		trait := im.trait()
		if trait == nil || trait.kind != source.Trait {
			if im.derived == "" && (trait == nil || trait.kind == external) {
				for _, d := range im.associated() { // the trait is unknown, but not these items
					if d.name == name {
						return Member{}, maybe
					}
				}
			}
			continue
		}
		d := trait.traitItem(name)
		if d == nil {
			continue
		}
		if im.off {
			found = maybe
			continue
		}
		if d.off || d.kind != source.Func && d.kind != source.Const {
			return Member{}, maybe
		}
		if d.kind == source.Const {
			if !trait.item.Generics.Empty() {
				return Member{}, maybe
			}
			return Member{Type: (&Type{def: trait}).inside(s, t).typeOf(d.item.Type.Text(d.unit.Text), 0)}, yes
		}
		if !s.traits().contains(trait) {
			// The program cannot call it unless it imports the trait.
			m.unimported = m.unimported || im.derived != "" || s.m.sees(trait.public, trait.vis) && im.mayApplyTo(s, t)
			continue
		}
		b := &Type{def: trait}
		if im.derived == "" && t.implementsOften(s, trait) {
			if s.hidesMethod(t, d) {
				return Member{}, maybe
			}
			return Member{Callee: s.traitCallee(b, t, d)}, yes
		}
		if im.derived == "" {
			inner, ok := t.within(s, im)
			if !ok {
				continue
			}
			if !deref || derefs != no {
				if a := s.bound(im.item.Generics.Text(im.unit.Text), im.item.Where.Text(im.unit.Text), inner, 0); a == no {
					continue
				} else if a == maybe && deref {
					return Member{}, maybe
				}
			}
			for _, arg := range typeArgs(im.item.Trait.Text(im.unit.Text)) {
				if !strings.HasPrefix(arg, "'") {
					b.args = append(b.args, inner.typeOf(arg, 0))
				}
			}
		}
		if s.hidesMethod(t, d) {
			return Member{}, maybe
		}
		return Member{Callee: s.traitCallee(b, t, d)}, yes
	}
	if found == no && !t.def.closed() {
		found = maybe
	}
	for _, im := range k.impls { // implementations for types that are unknown
		if k.standard() {
			break // they are private
		}
		if im.self == nil && im.derived == "" && im.item.Trait.Empty() && !im.blanket && (!im.off || hasWord(im.item.Type.Text(im.unit.Text), t.def.name)) {
			for _, d := range im.associated() {
				if d.name == name {
					found = maybe
				}
			}
		}
	}
	return m, found
}

// declaresOften reports whether several implementations for a type itself declare an item with a name.
func (d *def) declaresOften(name string) bool {
	n := 0
	for _, im := range d.impls {
		if im.self == d && im.derived == "" && im.item.Trait.Empty() && slices.ContainsFunc(im.associated(), func(item *def) bool { return item.name == name }) {
			n++
		}
	}
	return n > 1
}

// hidesMethod reports whether another trait in scope may have a method for references to a type, which is found before a method of the
// type itself. If both have the same receiver, such as &self, that of the type is found first, unless references implement the trait.
func (s *Scope) hidesMethod(t *Type, method *def) bool {
	return slices.ContainsFunc(s.traits().all, func(trait *def) bool {
		d := trait.traitItem(method.name)
		return d != nil && d != method && (d.receiver() != method.receiver() || t.mayReferTo(trait)) && s.implements(t, trait, 0) != no
	})
}

// implementsOften reports whether several implementations of a trait may be for a type: those for other arguments of the trait, or of
// the type if some of its arguments are not inferred yet.
func (t *Type) implementsOften(s *Scope, trait *def) bool {
	if trait.item.Generics.Empty() && !slices.ContainsFunc(t.args, func(arg *Type) bool { return arg.known() == nil }) {
		return false
	}
	n := 0
	for _, im := range t.def.impls {
		if im.derived == "" && im.item.Flags&source.IsNegative == 0 && im.trait() == trait && im.mayApplyTo(s, t) {
			n++
		}
	}
	return n > 1 || n == 1 && s.mayBlanket(t, trait)
}

// mayReferTo reports whether references to a type may implement a trait.
func (t *Type) mayReferTo(trait *def) bool {
	return slices.ContainsFunc(trait.impls, func(im *impl) bool { return im.blanket || im.self == nil }) || t.def != nil && slices.ContainsFunc(t.def.impls, func(im *impl) bool {
		return im.derived == "" && strings.HasPrefix(im.item.Type.Text(im.unit.Text), "&") && im.trait() == trait
	})
}

// receiver returns the first parameter of a method without lifetimes, such as &mut self.
func (d *def) receiver() string {
	params := source.Split(d.item.Params.Text(d.unit.Text))
	if d.kind != source.Func || len(params) == 0 {
		return ""
	}
	var words []string
	for word := range strings.FieldsSeq(strings.ReplaceAll(withoutAttributes(params[0]), "&", "& ")) {
		if !strings.HasPrefix(word, "'") {
			words = append(words, word)
		}
	}
	return strings.TrimPrefix(strings.Join(words, " "), "mut ")
}

// field looks up a field of a struct or union, or an element of a tuple.
func (t *Type) field(s *Scope, name string) (Member, answer) {
	d := t.def
	switch {
	case len(t.bounds) > 0:
		return Member{}, no
	case d == nil || d.item == nil:
		return Member{}, maybe
	case d.kind == primitive:
		if d.name == "tuple" && name != "" && unicode.IsDigit(rune(name[0])) {
			if n := int(name[0] - '0'); len(name) == 1 && n < len(t.args) {
				return Member{Type: t.args[n]}, yes
			}
			return Member{}, maybe
		}
		return Member{}, no
	case d.kind == source.Enum:
		return Member{}, no
	}
	inner := &Scope{p: s.p, m: d.mod, self: t, params: t.arguments(d, false)}
	if d.item.Shape == source.Tuple {
		if name == "" || !unicode.IsDigit(rune(name[0])) {
			return Member{}, no
		}
		if n := int(name[0] - '0'); len(name) == 1 && n < len(d.item.Items) {
			return inner.access(d.item.Items[n], s.m)
		}
		return Member{}, maybe
	}
	conditional := false
	for _, f := range d.item.Items {
		if f.Name != name {
			continue
		}
		if _, off, _ := d.krate.conditions(f, d.unit); off { // another field may have the same name
			conditional = true
			continue
		}
		return inner.access(f, s.m)
	}
	if conditional || !d.closed() {
		return Member{}, maybe
	}
	return Member{}, no
}

// access returns a field of the type whose scope is s, as code in the module from accesses it.
func (s *Scope) access(f *source.Item, from *module) (Member, answer) {
	t, d := s.self, s.self.def
	if public, vis := d.krate.visibility(f, d.unit, d.mod); !from.sees(public, vis) {
		if d.krate != from.krate { // the value to which it dereferences may have the field
			return Member{Private: true, owner: d}, no
		}
		if _, derefs := t.deref(s); derefs != no {
			return Member{}, maybe
		}
	}
	return Member{Type: s.typeOf(f.Type.Text(d.unit.Text), 0)}, yes
}

// dereferences reports whether a type dereferences to another one.
func (t *Type) dereferences(s *Scope) answer {
	_, derefs := t.deref(s)
	return derefs
}

// deref returns the type to which a type dereferences. The answer is maybe if that is unknown.
func (t *Type) deref(s *Scope) (target *Type, derefs answer) {
	if len(t.bounds) > 0 {
		if v := s.boundProject(t.bounds, t, nil, "Target", 0); v != nil {
			return v, yes
		}
		for _, b := range t.bounds {
			if b.declaring(s, "Target", 0) != nil {
				return nil, maybe
			}
		}
		return nil, no
	}
	if t.def == nil {
		return nil, no
	}
	if t.isStandard("Pin") { // its argument counts as the type to which it refers
		return t.arg(0), yes
	}
	if t.isSlice() && t.def.name == "array" {
		return &Type{def: s.p.w.primitives["slice"], args: t.args}, yes
	}
	for _, im := range t.def.impls {
		if im.self != t.def {
			continue
		}
		if im.derived != "" {
			if strings.HasSuffix(im.derived, "Deref") {
				return nil, maybe
			}
			continue
		}
		segs, _ := source.PathOf(im.item.Trait.Text(im.unit.Text))
		if trait := im.trait(); (trait == nil || trait.name != "Deref") && (len(segs) == 0 || segs[len(segs)-1] != "Deref") {
			continue // the trait may have another name, as in lazy_static!
		}
		if im.off {
			return nil, maybe
		}
		for _, d := range im.associated() {
			if d.name == "Target" {
				if inner, ok := t.within(s, im); ok {
					if target = inner.typeOf(d.item.Type.Text(d.unit.Text), 0); target != nil {
						return target, yes
					}
				}
				return nil, maybe
			}
		}
		return nil, maybe
	}
	return nil, no
}

// isUnresolved reports whether an entry may be an item that is not a macro or that another build has, although it was not found.
func (e *entry) isUnresolved() bool {
	if e.use == nil {
		return e.ns != macroNames || e.off // another build has the macro
	}
	return e.imported(macroNames) == nil
}

// complete reports whether a module certainly contains no item with a name that is not found in it.
func (m *module) complete(name string) bool { return m.completeFor(m, name, map[*module]bool{}) }

// maxGlobs is the maximum number of modules that globs add to one module.
const maxGlobs = 1000

// completeFor reports whether another module, whose globs lead to m, certainly sees no such item in m. It adds m to the modules that were seen.
func (m *module) completeFor(from *module, name string, seen map[*module]bool) bool {
	if seen[m] {
		return true
	}
	seen[m] = true
	m.ensure()
	return len(seen) <= maxGlobs && !m.open && !m.krate.opaque && !m.krate.mentions(name) && !slices.ContainsFunc(m.names[name], (*entry).isUnresolved) && !slices.ContainsFunc(m.order, func(e *entry) bool {
		if e.use == nil || !e.use.Glob || len(e.use.Path) > 0 && e.use.Path[0] == name || m != from && !from.sees(e.public, e.vis) { // a glob in an item does not declare the item
			return false
		}
		d := e.imported(types)
		if d == nil && e.off { // the module is off, too
			d = e.declared()
			return d == nil || d.sub == nil || !d.sub.completeFor(from, name, seen)
		}
		return d == nil || d.kind == external || d.off || d.sub != nil && !d.sub.completeFor(from, name, seen)
	})
}
