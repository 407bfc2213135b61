package crate

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Program resolves names, types and members in the code of a program. It is not safe for concurrent
// use.
type Program struct {
	w     *world
	files map[*krate]map[string]*module // modules by file
}

// NewProgram returns a program that imports crates with imp.
func NewProgram(ctx context.Context, imp Importer) *Program {
	w := newWorld(ctx, imp)
	w.program = true
	return &Program{w: w, files: map[*krate]map[string]*module{}}
}

// Scope returns the scope of the items in a file of a crate, or nil if the crate does not contain the
// file.
func (p *Program) Scope(src *Source, file string) *Scope {
	k, err := p.w.open(src)
	if err != nil {
		return nil
	}
	files := p.files[k]
	if files == nil {
		files = map[string]*module{k.unit.path: k.root}
		p.files[k] = files
		filesOf(k.root, files)
	}
	if m := files[file]; m != nil {
		return &Scope{m: m, p: p}
	}
	return nil
}

// filesOf finds the files of the modules below m.
func filesOf(m *module, files map[string]*module) {
	for _, e := range m.order {
		if d := e.def; d != nil && d.kind == source.Module && d.krate == m.krate && d.sub != nil && d.sub != m && d.mod == m {
			if u := d.moduleUnit; u != nil && files[u.path] == nil {
				files[u.path] = d.sub
			}
			d.sub.ensure()
			filesOf(d.sub, files)
		}
	}
}

// Scope is a part of a program in which paths and types are resolved.
type Scope struct {
	p      *Program
	m      *module
	self   *Type
	params map[string]*Type // type parameters; nil for an unknown type
}

// Type is the type of a value. References count as the types to which they refer, because members are
// the same.
type Type struct {
	def    *def
	args   []*Type // nil for unknown types
	output *Type   // the output of a future
}

// Module returns the scope of a module that is declared in the scope, or nil if it is unknown.
func (s *Scope) Module(name string) *Scope {
	d := s.m.lookup(name, types)
	if d == nil || d.kind != source.Module || d.sub == nil || d.krate != s.m.krate {
		return nil
	}
	d.sub.ensure()
	return &Scope{p: s.p, m: d.sub}
}

// Generic returns the scope of an item with type parameters.
func (s *Scope) Generic(generics string) *Scope {
	params := map[string]*Type{}
	maps.Copy(params, s.params)
	for name := range typeParams(generics) {
		params[name] = nil
	}
	return &Scope{p: s.p, m: s.m, self: s.self, params: params}
}

// Impl returns the scope of the items in an implementation for a type.
func (s *Scope) Impl(self string) *Scope {
	inner := *s
	inner.self = s.Type(self)
	return &inner
}

// Block returns the scope of a block with the given items.
func (s *Scope) Block(items string) *Scope {
	k := s.m.krate
	b := &module{krate: k, parent: s.m, names: map[string][]*entry{}, dir: s.m.dir, fileDir: s.m.fileDir, block: true, depth: s.m.depth + 1, loaded: true, def: s.m.def}
	if b.depth < 2*maxModules {
		n := len(k.impls)
		u := &unit{File: k.w.parse(items), krate: k, path: k.unit.path}
		k.collect(b, u.Items, u, nil)
		for _, im := range k.impls[n:] {
			k.linkOne(im)
		}
		k.impls = k.impls[:n]
	}
	inner := *s
	inner.m = b
	return &inner
}

// maxTypeDepth is the maximum nesting depth of types and aliases.
const maxTypeDepth = 16

// Type returns the type with the given text, or nil if it is unknown.
func (s *Scope) Type(text string) *Type { return s.typeOf(text, 0) }

func (s *Scope) typeOf(text string, depth int) *Type {
	text = selfTypes(text)[0]
	if text == "" || depth > maxTypeDepth || s.p.w.failed() {
		return nil
	}
	if bounds, ok := strings.CutPrefix(text, "impl "); ok {
		for _, bound := range splitBounds(bounds) {
			if segs, ok := source.PathOf(bound); ok && segs[len(segs)-1] == "Future" {
				for _, arg := range typeArgs(bound) {
					if name, output, ok := strings.Cut(arg, "="); ok && strings.TrimSpace(name) == "Output" {
						return &Type{output: s.typeOf(output, depth+1)}
					}
				}
			}
		}
		return nil
	}
	segs, ok := source.PathOf(text)
	if !ok {
		return nil
	}
	if len(segs) == 1 {
		if segs[0] == "Self" {
			return s.self
		}
		if t, ok := s.params[segs[0]]; ok {
			return t
		}
	}
	k := s.m.krate
	d := k.resolve(s.m, segs, types)
	if d == nil {
		return nil
	}
	t := &Type{def: d}
	for _, arg := range typeArgs(text) {
		if !strings.HasPrefix(arg, "'") {
			t.args = append(t.args, s.typeOf(arg, depth+1))
		}
	}
	switch d.kind {
	case source.TypeAlias:
		inner := &Scope{p: s.p, m: d.mod, params: t.params(arguments(d.item.Generics.Of(d.unit.Text)))}
		return inner.typeOf(d.item.Type.Of(d.unit.Text), depth+1)
	case source.Struct, source.Enum, source.Union, external:
		return t
	}
	return nil
}

// params maps the names of parameters, other than lifetimes, to the arguments of a type.
func (t *Type) params(names []string) map[string]*Type {
	params := map[string]*Type{}
	n := 0
	for _, name := range names {
		if strings.HasPrefix(name, "'") {
			continue
		}
		params[name] = nil
		if n < len(t.args) {
			params[name] = t.args[n]
		}
		n++
	}
	return params
}

// std returns the name of a type of the standard library, or "" for other types.
func (t *Type) std() string {
	if t == nil || t.def == nil || t.def.kind != external {
		return ""
	}
	crate, _, _ := strings.Cut(t.def.path, "::")
	switch crate {
	case "std", "core", "alloc":
		return t.def.path[strings.LastIndexByte(t.def.path, ':')+1:]
	}
	return ""
}

func (t *Type) arg(i int) *Type {
	if t == nil || i >= len(t.args) {
		return nil
	}
	return t.args[i]
}

// Await returns the type of the output of a future.
func (t *Type) Await() *Type {
	switch t.std() {
	case "Pin", "Box":
		return t.arg(0).Await()
	}
	if t == nil {
		return nil
	}
	return t.output
}

// Try returns the type of a value after the operator ?.
func (t *Type) Try() *Type {
	switch t.std() {
	case "Option", "Result":
		return t.arg(0)
	}
	return nil
}

// Member is the result of looking up a member of a type.
type Member struct {
	// Type is the type of the field, or of the result of the method. It is nil if it is unknown.
	Type  *Type
	owner *def   // the type
	types []*def // the type, and those to which it dereferences, if the member is absent
	// Absent is true if the type has no such member, unless a trait declares it. Private is true if the type has
	// one that the program cannot use.
	Absent, Private bool
}

// Implementor is a type, as far as traits are implemented for it.
type Implementor struct {
	// Dir is the directory of the package that declares the type, and Traits the names of the traits that this package
	// implements for it.
	Dir    string
	Traits []string
}

// Implementors returns the types that do not have the member. One of them may have it from a trait.
func (m Member) Implementors() (all []Implementor) {
	for _, d := range m.types {
		t := Implementor{Dir: d.krate.src.Dir}
		for _, im := range d.impls {
			trait := im.derived
			if trait == "" {
				trait = im.item.Trait.Of(im.unit.Text)
			}
			segs, ok := source.PathOf(trait)
			if !ok {
				continue
			}
			t.Traits = append(t.Traits, segs[len(segs)-1])
			for _, e := range im.mod.names[segs[0]] { // the name may be that of an import, such as use a::B as C
				if e.use != nil && len(segs) == 1 && len(e.use.Path) > 0 {
					t.Traits = append(t.Traits, e.use.Path[len(e.use.Path)-1])
				}
			}
		}
		all = append(all, t)
	}
	return all
}

// Pointee returns the type to which a reference, a Box, an Rc or an Arc refers, or the type itself.
func Pointee(t string) string {
	for range maxTypeDepth {
		t = selfTypes(t)[0]
		segs, ok := source.PathOf(t)
		if args := typeArgs(t); ok && len(args) > 0 {
			switch segs[len(segs)-1] {
			case "Box", "Rc", "Arc":
				t = args[0]
				continue
			}
		}
		break
	}
	return t
}

// Owner returns the path of the type that does not have the member, starting with the name of its crate.
func (m Member) Owner() string { return m.owner.fullPath() }

// same are the methods of Option and Result whose result has the same first type argument.
var same = map[string]bool{"map_err": true, "as_ref": true, "as_mut": true, "clone": true, "cloned": true, "copied": true, "take": true, "or_else": true, "inspect": true, "inspect_err": true, "context": true, "with_context": true}

// Method returns the method of a type.
func (t *Type) Method(s *Scope, name string) Member {
	switch t.std() {
	case "Option", "Result":
		switch {
		case name == "unwrap" || name == "expect" || strings.HasPrefix(name, "unwrap_or"):
			return Member{Type: t.arg(0)}
		case same[name]:
			return Member{Type: t}
		case name == "ok" || name == "ok_or" || name == "ok_or_else":
			return Member{Type: &Type{def: &def{kind: external, path: map[bool]string{true: "core::Option", false: "core::Result"}[name == "ok"]}, args: t.args[:min(1, len(t.args))]}}
		}
	}
	return t.find(s, func(t *Type) (Member, bool) { return t.method(s, name) }, true)
}

// Field returns the field of a type.
func (t *Type) Field(s *Scope, name string) Member {
	return t.find(s, func(t *Type) (Member, bool) { return t.field(s, name) }, true)
}

// find looks up a member in a type and in those to which it dereferences.
func (t *Type) find(s *Scope, look func(*Type) (Member, bool), deref bool) Member {
	first := Member{}
	private := false
	for range maxTypeDepth {
		if name := t.std(); name == "Box" || name == "Arc" || name == "Rc" {
			t = t.arg(0)
			continue
		}
		if t == nil || t.def == nil || t.def.item == nil || s.p.w.failed() {
			return Member{}
		}
		t.def.krate.link()
		m, ok := look(t)
		if m.Private {
			private = true
		} else if ok {
			return m
		}
		if first.owner == nil {
			first.owner = t.def
		}
		first.types = append(first.types, t.def)
		if !t.def.closed() {
			return Member{}
		}
		next, derefs := t.deref(s)
		if !derefs || !deref {
			first.Absent, first.Private = !private, private
			return first
		}
		t = next
	}
	return Member{}
}

// fullPath returns the path of a type for users, starting with the name of its crate.
func (d *def) fullPath() string {
	if public := d.krate.publicPaths()[d]; public != "" {
		return d.krate.src.Name + "::" + public
	}
	if m := d.krate.modulePath(d.mod.normal()); m != "" {
		return d.krate.src.Name + "::" + m + "::" + d.name
	}
	return d.krate.src.Name + "::" + d.name
}

// scopeOf returns the scope of the items of an implementation for a type.
func (t *Type) scopeOf(s *Scope, im *impl) *Scope {
	inner := &Scope{p: s.p, m: im.mod, self: t, params: map[string]*Type{}}
	text := im.unit.Text
	for name := range typeParams(im.item.Generics.Of(text)) {
		inner.params[name] = nil
	}
	n := 0
	for _, arg := range typeArgs(im.item.Type.Of(text)) {
		if strings.HasPrefix(arg, "'") {
			continue
		}
		if _, ok := inner.params[arg]; ok {
			inner.params[arg] = t.arg(n)
		}
		n++
	}
	return inner
}

// result returns the type of the result of a function that is declared in a scope.
func (s *Scope) result(d *def) *Type {
	text := d.unit.Text
	inner := s.Generic(d.item.Generics.Of(text))
	t := inner.Type(d.item.Output.Of(text))
	if d.item.Flags&source.IsAsync != 0 {
		t = &Type{output: t}
	}
	return t
}

// method looks up an item of the implementations of a type. ok is false if there is none.
func (t *Type) method(s *Scope, name string) (m Member, ok bool) {
	k := t.def.krate
	for _, im := range t.def.impls {
		if im.self != t.def || im.derived != "" {
			continue
		}
		inherent := im.item.Trait.Empty()
		for _, d := range im.associated() {
			if d.name != name {
				continue
			}
			if im.off || d.off || d.kind != source.Func {
				return Member{}, true
			}
			if inherent && !d.public && k != s.m.krate {
				m.Private = true
				continue
			}
			return Member{Type: t.scopeOf(s, im).result(d)}, true
		}
		if inherent {
			continue
		}
		trait := im.trait()
		if trait == nil || trait.kind != source.Trait {
			continue
		}
		for _, d := range trait.traitItems() {
			if d.name == name {
				inner := &Scope{p: s.p, m: trait.mod, self: t, params: map[string]*Type{}}
				if d.kind != source.Func {
					return Member{}, true
				}
				return Member{Type: inner.Generic(trait.item.Generics.Of(trait.unit.Text)).result(d)}, true
			}
		}
	}
	for _, im := range k.impls { // implementations for types that are unknown
		if im.self == nil && im.derived == "" && im.item.Trait.Empty() && !im.blanket {
			for _, d := range im.associated() {
				if d.name == name {
					return Member{}, true
				}
			}
		}
	}
	return m, m.Private
}

// traitItems returns the items of a trait.
func (d *def) traitItems() []*def {
	if d.items == nil {
		d.items = d.krate.members(d.item.Items, d.unit, d.mod, d.scope, nil, 0, d, typeParams(d.item.Generics.Of(d.unit.Text)))
	}
	return d.items
}

// field looks up a field of a struct or union. ok is false if there is none.
func (t *Type) field(s *Scope, name string) (m Member, ok bool) {
	d := t.def
	if d.kind == source.Enum {
		return Member{}, false
	}
	for _, f := range d.item.Items {
		if f.Name != name {
			continue
		}
		if d.item.Shape != source.Braced {
			return Member{}, true
		}
		if public, vis := d.krate.visibility(f, d.unit, d.mod); !s.m.sees(public, vis) && (public || d.krate != s.m.krate) {
			return Member{Private: true}, true
		}
		inner := &Scope{p: s.p, m: d.mod, self: t, params: t.params(arguments(d.item.Generics.Of(d.unit.Text)))}
		return Member{Type: inner.Type(f.Type.Of(d.unit.Text))}, true
	}
	return Member{}, d.item.Shape == source.Tuple && (name == "" || unicode.IsDigit(rune(name[0])))
}

// deref returns the type to which a type dereferences, or nil if that is unknown. ok is false if it does not
// dereference.
func (t *Type) deref(s *Scope) (target *Type, ok bool) {
	for _, im := range t.def.impls {
		if im.self != t.def {
			continue
		}
		if im.derived != "" {
			if strings.HasSuffix(im.derived, "Deref") {
				return nil, true
			}
			continue
		}
		segs, _ := source.PathOf(im.item.Trait.Of(im.unit.Text))
		if len(segs) == 0 || segs[len(segs)-1] != "Deref" {
			continue
		}
		if im.off {
			return nil, true
		}
		for _, d := range im.associated() {
			if d.name == "Target" {
				return t.scopeOf(s, im).Type(d.item.Type.Of(d.unit.Text)), true
			}
		}
		return nil, true
	}
	return nil, false
}

// plainAttributes are the attributes that do not add members to types.
var plainAttributes = map[string]bool{
	"cfg": true, "cfg_attr": true, "doc": true, "allow": true, "warn": true, "deny": true, "forbid": true, "expect": true, "deprecated": true, "must_use": true, "non_exhaustive": true,
	"repr": true, "derive": true, "automatically_derived": true, "serde": true, "inline": true, "cold": true, "default": true, "async_trait::async_trait": true, "async_trait": true,
	"error": true, "diagnostic::on_unimplemented": true, "track_caller": true, "rustfmt::skip": true,
}

// closed reports whether all members of a type are known, except those of traits.
func (d *def) closed() bool {
	k := d.krate
	for _, im := range d.impls {
		im.associated() // may lose macro calls
	}
	if k.opaque || len(k.missing) > 0 || k.w.failed() || slices.ContainsFunc(k.lostCalls, func(text string) bool { return strings.Contains(text, d.name) }) {
		return false
	}
	plain := func(it *source.Item, u *unit) bool {
		for _, a := range k.attributes(it, u) {
			if a.comment == "" && !plainAttributes[a.meta.Path] && !strings.HasPrefix(a.meta.Path, "clippy::") {
				return false
			}
		}
		return true
	}
	if !plain(d.item, d.unit) {
		return false
	}
	for _, im := range d.impls {
		if im.self != d {
			continue
		}
		if im.derived != "" {
			segs, _ := source.PathOf(im.derived)
			if len(segs) == 0 || !derivedTraits[segs[len(segs)-1]] && !plainDerives[segs[len(segs)-1]] {
				return false
			}
			continue
		}
		if !plain(im.item, im.unit) {
			return false
		}
	}
	return true
}

// plainDerives are derives that add no members except those of a trait.
var plainDerives = map[string]bool{
	"Clone": true, "Copy": true, "Debug": true, "Default": true, "PartialEq": true, "Eq": true, "PartialOrd": true, "Ord": true, "Hash": true, "Serialize": true, "Deserialize": true, "Error": true,
}

// Call returns the type of the result of a call of a path, such as the function f or Type::new, or the type of a
// constant if it is not called. If the result is absent, the path is that of an item that a
// type does not have.
func (s *Scope) Call(segs []string, called bool) (m Member) {
	k := s.m.krate
	last := len(segs) - 1
	if last > 0 || segs[0] != "Self" {
		if d := k.resolve(s.m, segs, values); d != nil {
			inner := &Scope{p: s.p, m: d.mod}
			switch {
			case d.kind == source.Func && called:
				return Member{Type: inner.result(d)}
			case d.kind == source.Struct && len(arguments(d.item.Generics.Of(d.unit.Text))) == 0:
				return Member{Type: &Type{def: d}}
			case d.kind == source.Variant && len(arguments(d.parent.item.Generics.Of(d.parent.unit.Text))) == 0:
				return Member{Type: &Type{def: d.parent}}
			case (d.kind == source.Const || d.kind == source.Static) && !called:
				return Member{Type: inner.Type(d.item.Type.Of(d.unit.Text))}
			}
			return Member{}
		}
	}
	if last == 0 {
		return Member{}
	}
	t := s.Type(strings.Join(segs[:last], "::"))
	if t == nil || t.def == nil || t.def.item == nil {
		return Member{}
	}
	if t.def.sub != nil && slices.ContainsFunc(t.def.item.Items, func(v *source.Item) bool { return v.Name == segs[last] }) {
		return Member{Type: t} // a variant
	}
	m = t.find(s, func(t *Type) (Member, bool) { return t.method(s, segs[last]) }, false)
	if !called {
		m.Type = nil
	}
	return m
}

// Struct returns the type of a struct literal with the given path.
func (s *Scope) Struct(segs []string) *Type {
	t := s.Type(strings.Join(segs, "::"))
	if t == nil || t.def == nil || t.def.kind == source.Struct && len(arguments(t.def.item.Generics.Of(t.def.unit.Text))) == 0 {
		return t
	}
	return &Type{def: t.def}
}
