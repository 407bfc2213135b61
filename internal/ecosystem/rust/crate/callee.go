package crate

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Callee is a function, method, tuple struct or variant that is called.
type Callee struct {
	s     *Scope // with variables for the parameters
	names []string
	parameters

	d, owner *def // the function, and the type of which it is a member, or nil

	types  []*Type // of the parameters of a tuple struct or variant
	output string
	async  bool
	self   *Type
	result *Type
}

// newCallee returns a function that is declared in a scope, in which the parameters of the enclosing item are variables.
func newCallee(s *Scope, d *def, self *Type) *Callee {
	text := d.unit.Text
	inner, names := s.instance(d.item.Generics.Text(text), d.item.Where.Text(text))
	inner.self = self
	c := &Callee{s: inner, names: names, d: d, output: d.item.Output.Text(text), async: d.item.Flags&source.IsAsync != 0 && !d.runsFuture(), self: self}
	if t := self.known(); t != nil {
		c.owner = t.def
	}
	if d.callee == nil {
		d.callee = newParameters(d.item.Params.Text(text))
	}
	c.parameters = *d.callee
	if d.mayChange() {
		c.Params = -1
		c.forgetTypes()
	}
	return c
}

// forgetTypes makes the types of the parameters and of the result unknown.
func (c *Callee) forgetTypes() { c.s, c.names, c.texts = nil, nil, make([]string, len(c.texts)) }

// parameters are the parameters of a function.
type parameters struct {
	// HasSelf is true if the function is a method. Params is the number of its other parameters, or -1 if it is unknown.
	HasSelf bool
	Params  int

	texts []string // their types
}

func newParameters(params string) *parameters {
	c := &parameters{}
	for i, p := range source.Split(params) {
		p = withoutAttributes(p)
		pattern, typ, typed := source.Cut(p, ':')
		if i == 0 && (!typed && strings.HasSuffix(strings.TrimSpace(pattern), "self") || strings.TrimPrefix(strings.TrimSpace(pattern), "mut ") == "self") {
			c.HasSelf = true
			continue
		}
		c.texts = append(c.texts, typ)
	}
	if c.Params = len(c.texts); strings.Contains(params, "#") || strings.Contains(params, "...") {
		c.Params = -1
	}
	return c
}

// withSelf returns a method that is called with a path, so that self is its first argument.
func (c *Callee) withSelf() *Callee {
	if c != nil && c.HasSelf {
		c.HasSelf, c.texts = false, append([]string{"Self"}, c.texts...)
		if c.Params >= 0 {
			c.Params++
		}
	}
	return c
}

// Path returns the path of the module of the function, starting with the name of the crate, and the path of the function in
// the module.
func (c *Callee) Path() (module, path string) { return memberPath(c.owner, c.d.name, c.d) }

// memberPath returns the path of a member of a type, or of an item if owner is nil.
func memberPath(owner *def, name string, d *def) (module, path string) {
	if owner == nil {
		return CutLast(d.fullPath())
	}
	full := owner.fullPath()
	if owner.kind == source.Module {
		return full, name
	}
	if owner.kind == primitive {
		full = "std::" + owner.name
	}
	module, path = CutLast(full)
	return module, path + "::" + name
}

// CutLast splits a path before its last name.
func CutLast(path string) (before, last string) {
	i := strings.LastIndex(path, "::")
	if i < 0 {
		return path, ""
	}
	return path[:i], path[i+2:]
}

// Param returns the type of a parameter other than self.
func (c *Callee) Param(i int) *Type {
	switch {
	case i < len(c.types):
		return c.types[i]
	case i < len(c.texts) && c.s != nil:
		return c.s.typeOf(c.texts[i], 0)
	}
	return nil
}

// Closure returns the parameters that a closure gets if it is passed for a parameter of the given type, and the type
// of its result.
func (c *Callee) Closure(i int) *Type {
	t := c.Param(i)
	if c.s != nil && i < len(c.texts) { // the bounds of a parameter such as F
		if v := t.resolved(); v != nil && v.variable {
			if b := c.s.closureBound(strings.TrimSpace(withoutPointers(c.texts[i]))); b != nil {
				return b
			}
		}
	}
	return t.closure()
}

func (t *Type) closure() *Type {
	t = t.known()
	if t == nil {
		return nil
	}
	for _, b := range t.bounds {
		if b.function {
			return b
		}
	}
	if t.function {
		return t
	}
	return nil
}

// closureBound returns the bound of a parameter of a function that names the parameters of a closure.
func (s *Scope) closureBound(name string) *Type {
	for _, list := range s.where[name] {
		for _, b := range s.boundsOf(list, 0) {
			if b.function {
				return b
			}
		}
	}
	return nil
}

// Argument infers types from the type of an argument.
func (c *Callee) Argument(i int, t *Type) {
	if c.s == nil || t == nil {
		return
	}
	p := c.Param(i)
	if p != nil && len(p.bounds) > 0 { // impl Trait
		for _, b := range p.bounds {
			if k := t.known(); k != nil {
				c.s.satisfy(k, b, 0)
			}
		}
		return
	}
	c.s.p.Coerce(t, p)
}

// Generics sets the parameters of a function to types that are written in a call.
func (c *Callee) Generics(types []*Type) {
	for i, t := range types {
		if i < len(c.names) {
			c.s.p.unify(c.s.params[c.names[i]], t, 0)
		}
	}
}

// Result returns the type of the result of the call.
func (c *Callee) Result() *Type {
	if c.s == nil || c.result != nil {
		return c.result
	}
	if c.output == "" {
		c.result = c.s.primitive("unit")
	} else {
		c.result = c.s.typeOf(c.output, 0)
	}
	if c.async {
		c.result = c.s.Future(c.result)
	}
	return c.result
}

// Function returns the type of a function that is used as a value.
func (c *Callee) Function() *Type {
	t := &Type{function: true, inexact: c.Params < 0}
	if c.HasSelf {
		t.params = append(t.params, c.self)
	}
	for i := range max(len(c.types), len(c.texts)) {
		t.params = append(t.params, c.Param(i))
	}
	t.result = c.Result()
	return t
}

// mayChange reports whether an attribute may replace a function by one with other parameters or another result.
func (d *def) mayChange() bool {
	if d.changes == no {
		d.changes = maybe
		if !slices.ContainsFunc(d.krate.attributes(d.item, d.unit), func(a attr) bool {
			return a.mayRewrite(0)
		}) {
			d.changes = yes // it is what it seems to be
		}
	}
	return d.changes == maybe
}

// runsFuture reports whether an attribute such as tokio::main makes an asynchronous function return its result instead of a future.
func (d *def) runsFuture() bool {
	return slices.ContainsFunc(d.krate.attributes(d.item, d.unit), func(a attr) bool {
		_, name := CutLast(a.meta.Path)
		return name == "main" || name == "test"
	})
}

// Path is a path in an expression or a pattern: its names, and the arguments after each of them.
type Path struct {
	Names []string
	Args  []string // without brackets, "" for none
	// Self is the text of the type at the beginning of a path such as <A as B>::C. Names does not include it.
	Self string
}

// text returns the first n names of the path as a type.
func (p *Path) text(n int) string {
	var b strings.Builder
	for i, name := range p.Names[:n] {
		if i > 0 {
			b.WriteString("::")
		}
		b.WriteString(name)
		if i == n-1 && p.Args[i] != "" {
			b.WriteString("<" + p.Args[i] + ">")
		}
	}
	return b.String()
}

// Value returns what the path of an expression refers to.
func (s *Scope) Value(p *Path) Member {
	k := s.m.krate
	last := len(p.Names) - 1
	if p.Self == "" && (last > 0 || p.Names[0] != "Self") {
		d := k.resolve(s.m, p.Names, values)
		if d != nil {
			m := s.value(d, p)
			m.from = d.krate
			return m
		}
		if last == 0 {
			return Member{}
		}
	}
	if p.Self == "" && last == 0 { // Self
		if t := s.self.known(); t != nil && t.def != nil && t.def.kind == source.Struct {
			return s.constructor(t.def, t.def, t)
		}
		return Member{}
	}
	var t *Type
	if p.Self != "" {
		self, trait, qualified := strings.Cut(p.Self, " as ")
		t = s.typeOf(self, 0)
		if qualified {
			if b := s.boundsOf(trait, 0); len(b) == 1 && b[0].def != nil && last == 0 {
				d := b[0].def.traitItem(p.Names[0])
				if d != nil && d.kind == source.Const {
					return Member{Type: b[0].inside(s, t).typeOf(d.item.Type.Text(d.unit.Text), 0)}
				}
				if d != nil && d.kind == source.Func {
					return Member{Callee: s.traitCallee(b[0], t, d).withSelf()}
				}
			}
			return Member{}
		}
		if last > 0 {
			return Member{}
		}
	} else {
		if d := k.resolve(s.m, p.Names[:last], types); d != nil && d.kind == source.Trait && (last > 1 || p.Names[0] != "Self") {
			if item := d.traitItem(p.Names[last]); item != nil && item.kind == source.Func {
				self, b := newVariable(), (&Type{def: d, args: s.types(p.Args[last-1])}).fill()
				self.inferred = append(self.inferred, func(t *Type) { s.satisfy(t, b, 0) })
				return Member{Callee: s.traitCallee(b, self, item).withSelf()}
			}
			return Member{}
		}
		if m := s.absentFrom(p); m.Absent {
			return m
		}
		t = s.pathType(p, last)
	}
	if t = t.known(); t == nil {
		return Member{}
	}
	if t.def != nil && t.def.kind == source.Enum {
		for _, e := range t.def.sub.names[p.Names[last]] {
			if e.def != nil && e.def.kind == source.Variant {
				return s.constructor(e.def, t.def, t)
			}
		}
	}
	if t.def != nil && t.def.kind == source.Enum && slices.ContainsFunc(t.def.item.Items, func(v *source.Item) bool { return v.Name == p.Names[last] }) {
		return Member{} // a variant that is off
	}
	m := s.find(t, func(t *Type) (Member, answer) { return s.method(t, p.Names[last], false) }, false)
	if c := m.Callee.withSelf(); c != nil {
		c.Generics(s.types(p.Args[last]))
	}
	return m
}

// absentFrom reports whether the last name of a path is absent from a module of another crate.
func (s *Scope) absentFrom(p *Path) Member {
	k, last := s.m.krate, len(p.Names)-1
	if last == 0 || last == 1 && primitives[p.Names[0]] { // the type with the name of a module may have the item
		return Member{}
	}
	from := k.resolve(s.m, p.Names[:last], types)
	if from == nil || from.kind != source.Module || from.sub == nil || from.krate == k || from.off || !from.sub.complete(p.Names[last]) {
		return Member{}
	}
	if from.krate.standard() && !isOutlined(p.Names) {
		return Member{}
	}
	if s.Has(p.Names) {
		return Member{}
	}
	return Member{Absent: true, owner: from}
}

// AbsentItem returns what is certainly absent of a path in another crate: the first name that its module does not contain. n is
// the index of the name. If no name is absent, the result is the zero Member.
func (s *Scope) AbsentItem(names []string) (m Member, n int) {
	for n = 1; n < len(names); n++ {
		if m = s.absentFrom(&Path{Names: names[:n+1]}); m.Absent {
			if !m.Standard() && m.owner.sub.mayGenerate(names[n]) {
				return Member{}, 0
			}
			return m, n
		}
	}
	return Member{}, 0
}

// AbsentVariant returns the last name of an imported path if the path before it is that of an enum that certainly has no such
// variant. Otherwise, the result is the zero Member.
func (s *Scope) AbsentVariant(names []string) Member {
	last := len(names) - 1
	if last < 1 {
		return Member{}
	}
	d := s.m.krate.resolve(s.m, names[:last], types)
	if d == nil || d.kind != source.Enum || d.off || d.krate == nil || d.item == nil || d.mayBeRewritten() ||
		slices.ContainsFunc(d.item.Items, func(v *source.Item) bool { return v.Name == names[last] }) {
		return Member{}
	}
	return Member{Absent: true, owner: d, types: []*def{d}}
}

// MayRewrite reports whether the attribute with a text may replace a function or another item by a different one, as macros do.
func MayRewrite(text string) bool { return attr{meta: source.ParseMeta(text)}.mayRewrite(0) }

func (a attr) mayRewrite(depth int) bool {
	if a.comment == "" && a.meta.Path == "cfg_attr" {
		parts := source.Split(a.meta.Args)
		return depth > maxConditional || len(parts) > 1 && slices.ContainsFunc(parts[1:], func(part string) bool {
			return attr{meta: source.ParseMeta(part)}.mayRewrite(depth + 1)
		})
	}
	return !a.plain() && !functionAttributes[a.meta.Path[strings.LastIndexByte(a.meta.Path, ':')+1:]]
}

// functionAttributes are the last names of attributes that add no items beside a function, and do not rewrite it.
var functionAttributes = map[string]bool{
	"main": true, "test": true, "bench": true, "ignore": true, "should_panic": true, "instrument": true, "no_mangle": true, "target_feature": true, "export_name": true, "link_name": true,
	"link_section": true, "proc_macro": true, "proc_macro_attribute": true, "proc_macro_derive": true, "unsafe": true,
}

// IsAbsent reports whether certainly no path in the scope can begin with a name, such as that of a crate.
func (s *Scope) IsAbsent(name string) bool {
	k := s.m.krate
	if k.src.Edition < "2018" || k.w.failed() || len(k.missing) > 0 { // earlier, imported paths begin at the root of the crate
		return false
	}
	for _, ns := range []namespace{types, macroNames, values} {
		if k.lexical(s.m, name, ns) != nil {
			return false
		}
	}
	m := s.m
	for m.block && m.parent != nil && m.complete(name) && !m.mayGenerate(name) {
		m = m.parent
	}
	return m.complete(name) && !m.mayGenerate(name)
}

// Has reports whether a path in the scope leads to an item.
func (s *Scope) Has(names []string) bool {
	return slices.ContainsFunc([]namespace{types, values, macroNames}, func(ns namespace) bool { return s.m.krate.resolve(s.m, names, ns) != nil })
}

// types returns the types in a list of arguments.
func (s *Scope) types(args string) (all []*Type) {
	for _, arg := range source.Split(args) {
		if !strings.HasPrefix(arg, "'") {
			all = append(all, s.typeOf(arg, 0))
		}
	}
	return all
}

// Types returns the types in a list of arguments.
func (s *Scope) Types(args string) []*Type { return s.types(args) }

// value returns the function, constructor or constant with a definition.
func (s *Scope) value(d *def, p *Path) Member {
	last := len(p.Names) - 1
	switch d.kind {
	case source.Func:
		c := newCallee(&Scope{p: s.p, m: d.mod}, d, nil)
		c.Generics(s.types(p.Args[last]))
		if d.off || d.wrapped {
			c.Params = -1
		}
		return Member{Callee: c}
	case source.Struct:
		return s.constructor(d, d, s.apply(d, source.Split(p.Args[last]), 0).fill())
	case source.Variant:
		args := p.Args[last]
		if args == "" && last > 0 {
			args = p.Args[last-1]
		}
		return s.constructor(d, d.parent, s.apply(d.parent, source.Split(args), 0).fill())
	case source.Const, source.Static:
		return Member{Type: (&Scope{p: s.p, m: d.mod}).typeOf(d.item.Type.Text(d.unit.Text), 0)}
	}
	return Member{}
}

// constructor returns a struct or variant that is used as a value.
func (s *Scope) constructor(d, owner *def, t *Type) Member {
	if d.item.Shape != source.Tuple {
		return Member{Type: t}
	}
	l := s.literal(d, owner, t)
	c := &Callee{s: s, parameters: parameters{Params: len(d.item.Items)}, result: t, d: d, owner: d.parent}
	for _, f := range d.item.Items {
		c.types = append(c.types, l.scope.typeOf(f.Type.Text(d.unit.Text), 0))
	}
	if d.mayLackField() || owner.mayBeRewritten() || d.krate.standard() && d.kind != source.Variant {
		c.Params = -1
	}
	return Member{Callee: c}
}

// Literal is a struct or variant in a literal or a pattern.
type Literal struct {
	Type  *Type
	scope *Scope
	d     *def
}

func (s *Scope) literal(d, owner *def, t *Type) *Literal {
	return &Literal{Type: t, d: d, scope: &Scope{p: s.p, m: owner.mod, self: t, params: t.arguments(owner, true)}}
}

// Literal returns the struct or variant of a literal or pattern, or nil if it is unknown.
func (s *Scope) Literal(p *Path) *Literal {
	if p.Self != "" {
		return nil
	}
	last := len(p.Names) - 1
	if last > 0 || p.Names[0] != "Self" {
		for _, ns := range []namespace{types, values} {
			d := s.m.krate.resolve(s.m, p.Names, ns)
			if d != nil && d.kind == source.TypeAlias {
				break
			}
			if d != nil && (d.kind == source.Struct || d.kind == source.Union) {
				return s.literal(d, d, s.apply(d, source.Split(p.Args[last]), 0).fill())
			}
			if d != nil && d.kind == source.Variant {
				return s.literal(d, d.parent, s.apply(d.parent, nil, 0).fill())
			}
		}
	}
	if t := s.pathType(p, last+1).known(); t != nil && t.def != nil && (t.def.kind == source.Struct || t.def.kind == source.Union) {
		return s.literal(t.def, t.def, t)
	}
	if last == 0 {
		return nil
	}
	if t := s.pathType(p, last).known(); t != nil && t.def != nil && t.def.kind == source.Enum {
		for _, e := range t.def.sub.names[p.Names[last]] {
			if e.def != nil && e.def.kind == source.Variant {
				return s.literal(e.def, t.def, t)
			}
		}
	}
	return nil
}

// Path returns the path of the module of the struct or variant, and its path in the module.
func (l *Literal) Path() (module, path string) { return memberPath(l.d.parent, l.d.name, l.d) }

// Match infers the type of a pattern from that of the value.
func (l *Literal) Match(t *Type) { l.scope.p.unify(l.Type, t, 0) }

// Field returns the type of a field. ok is false if the struct or variant certainly has no such field.
func (l *Literal) Field(name string) (t *Type, ok bool) {
	conditional := false // whether the field may not exist
	for i, f := range l.d.item.Items {
		if _, off, _ := l.d.krate.conditions(f, l.d.unit); off && f.Name == name {
			conditional = true
			continue
		}
		if f.Name == name || l.d.item.Shape == source.Tuple && name == itoa(i) {
			return l.scope.typeOf(f.Type.Text(l.d.unit.Text), 0), true
		}
	}
	owner := l.d
	if l.d.parent != nil {
		owner = l.d.parent
	}
	return nil, conditional || owner.mayBeRewritten() || owner.krate.standard()
}

// TypeOf returns the type of the literal, or nil if it is unknown.
func (l *Literal) TypeOf() *Type {
	if l == nil {
		return nil
	}
	return l.Type
}

// Names returns the names of the fields.
func (l *Literal) Names() (names []string) {
	for _, f := range l.d.item.Items {
		names = append(names, f.Name)
	}
	return names
}

// Fields returns the number of fields.
func (l *Literal) Fields() int { return len(l.d.item.Items) }

// Elements returns the number of fields of a tuple struct or variant, or -1 if it is unknown.
func (l *Literal) Elements() int {
	owner := cmp.Or(l.d.parent, l.d)
	if l.d.item.Shape != source.Tuple || owner.krate.opaque || !owner.krate.plain(owner.item, owner.unit) || l.d.krate.standard() && l.d.kind != source.Variant ||
		l.d.mayLackField() {
		return -1
	}
	return len(l.d.item.Items)
}

// Required returns the names of the fields that a literal must have, or nil if they are unknown.
func (l *Literal) Required() (names []string) {
	if l.d.kind == source.Union || cmp.Or(l.d.parent, l.d).mayBeRewritten() { // a union has one of its fields
		return nil
	}
	for _, f := range l.d.item.Items {
		if !l.d.unit.mayBeOff(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return ""
}

// IsValue reports whether a name in a pattern refers to a constant, a variant or a struct and does not bind a variable.
func (s *Scope) IsValue(name string) bool {
	d := s.m.krate.resolve(s.m, []string{name}, values)
	return d != nil && d.kind != source.Func && (d.kind != source.Struct || d.item.Shape == source.Unit)
}
