package crate

import (
	"maps"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/rust/source"
)

// Type is the type of a value. References count as the types to which they refer, because members are
// the same. A nil Type is unknown.
type Type struct {
	// def is a struct, enum, union or primitive type, or a trait if the Type is a bound. args are its arguments, or the
	// elements of a tuple, slice or array.
	def  *def
	args []*Type
	// bounds are the traits of a type that is only known by them: a parameter, dyn Trait or impl Trait.
	bounds []*Type
	// dynamic is true for dyn Trait and impl Trait.
	dynamic bool
	// assoc are the associated types that a bound names.
	assoc map[string]*Type
	// function is true for functions, closures and bounds such as Fn(A) -> B, with the given parameters and result.
	function bool
	params   []*Type
	result   *Type
	output   *Type // the output of a future

	// variable is true for a type that is inferred. value is the inferred type, and inferred are called when it is known.
	variable bool
	number   bool // whether it is the type of an integer literal
	value    *Type
	inferred []func(*Type)
}

const (
	// maxTypeDepth is the maximum nesting depth of types and aliases.
	maxTypeDepth = 16
	// maxInference is the maximum nesting depth of inferences that depend on each other.
	maxInference = 24
	// maxNesting is the maximum nesting depth of types that depend on each other.
	maxNesting = 40
)

// newVariable returns a type that is not known yet.
func newVariable() *Type { return &Type{variable: true} }

// NewVariable returns a type that is inferred later.
func NewVariable() *Type { return newVariable() }

// known returns the type to which a variable was inferred, or the type itself. It returns nil if the type is unknown.
func (t *Type) known() *Type {
	if t = t.resolved(); t == nil || t.variable {
		return nil
	}
	return t
}

func (t *Type) resolved() *Type {
	for t != nil && t.variable && t.value != nil {
		t = t.value
	}
	return t
}

// Unify infers the unknown parts of two types that are equal.
func (p *Program) Unify(a, b *Type) { p.unify(a, b, 0) }

func (p *Program) unify(a, b *Type, depth int) {
	a, b = a.resolved(), b.resolved()
	switch {
	case a == nil || b == nil || a == b || depth > maxTypeDepth:
	case a.variable:
		p.infer(a, b)
	case b.variable:
		p.infer(b, a)
	case a.function && b.function:
		for i := range min(len(a.params), len(b.params)) {
			p.unify(a.params[i], b.params[i], depth+1)
		}
		p.unify(a.result, b.result, depth+1)
	case a.output != nil && b.output != nil:
		p.unify(a.output, b.output, depth+1)
	case a.def != nil && a.def == b.def, a.isSlice() && b.isSlice():
		for i := range min(len(a.args), len(b.args)) {
			p.unify(a.args[i], b.args[i], depth+1)
		}
	}
}

// infer sets the value of a variable.
func (p *Program) infer(v, t *Type) {
	if t.contains(v, 0) {
		return
	}
	v.value = t
	if t.variable {
		t.number = t.number || v.number
		t.inferred = append(t.inferred, v.inferred...)
		return
	}
	calls := v.inferred
	v.inferred = nil
	if p.inference++; p.inference < maxInference {
		for _, call := range calls {
			call(t)
		}
	}
	p.inference--
}

// contains reports whether a variable is a part of a type.
func (t *Type) contains(v *Type, depth int) bool {
	if t = t.resolved(); t == nil || t == v || depth > maxTypeDepth {
		return t != nil
	}
	for _, list := range [][]*Type{t.args, t.params, {t.result, t.output}} {
		for _, part := range list {
			if part != nil && part.contains(v, depth+1) {
				return true
			}
		}
	}
	return false
}

func (t *Type) isSlice() bool {
	return t.def != nil && t.def.kind == primitive && (t.def.name == "slice" || t.def.name == "array")
}

// differs reports whether two types are certainly different.
func (t *Type) differs(other *Type, depth int) bool {
	a, b := t.known(), other.known()
	switch {
	case a == nil || b == nil || depth > maxTypeDepth:
		return false
	case len(a.bounds) > 0 || len(b.bounds) > 0:
		x, y := a.principal(), b.principal()
		return x != y && (x != nil || a.def != nil && a.def.kind != external) && (y != nil || b.def != nil && b.def.kind != external)
	case a.function != b.function:
		return (a.def != nil || a.function) && (b.def != nil || b.function)
	case a.def == nil || b.def == nil:
		return false
	case a.def != b.def:
		return true
	}
	for i := range min(len(a.args), len(b.args)) {
		if a.args[i].differs(b.args[i], depth+1) {
			return true
		}
	}
	return false
}

// principal returns the first trait of a type that is known by its traits, or nil if it is not known.
func (t *Type) principal() *def {
	for _, b := range t.bounds {
		if b.def == nil || !slices.Contains(autoTraits, b.def.name) {
			return b.def
		}
	}
	return nil
}

// primitive returns a primitive type, such as "str".
func (s *Scope) primitive(name string, args ...*Type) *Type {
	d := s.p.w.primitives[name]
	if d == nil {
		return nil
	}
	return &Type{def: d, args: args}
}

// Primitive returns a primitive type, such as "str", or nil if it is unknown.
func (s *Scope) Primitive(name string) *Type { return s.primitive(name) }

// Tuple returns the type of a tuple.
func (s *Scope) Tuple(elements []*Type) *Type {
	if len(elements) == 0 {
		return s.primitive("unit")
	}
	return s.primitive("tuple", elements...)
}

// Array returns the type of an array.
func (s *Scope) Array(element *Type) *Type { return s.primitive("array", element) }

// Function returns the type of a closure.
func (s *Scope) Function(params []*Type, result *Type) *Type {
	return &Type{function: true, params: params, result: result}
}

// Future returns the type of an async block.
func (s *Scope) Future(output *Type) *Type {
	if output == nil {
		output = newVariable()
	}
	return &Type{output: output}
}

// Standard returns a type of the standard library with the given path and arguments.
func (s *Scope) Standard(path string, args ...*Type) *Type {
	k := s.p.standard
	if k == nil {
		return nil
	}
	d := k.resolve(k.root, strings.Split("crate::"+path, "::"), types)
	if d == nil {
		return nil
	}
	return &Type{def: d, args: args}
}

// Type returns the type with the given text, or nil if it is unknown.
func (s *Scope) Type(text string) *Type { return s.typeOf(text, 0) }

// withoutPointers removes references and their lifetimes from the beginning of a type.
func withoutPointers(t string) string {
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
	return t
}

// typeOf returns the type with the given text. Types that are not written, as in Vec<_>, are variables.
func (s *Scope) typeOf(text string, depth int) *Type {
	text = withoutPointers(source.Unmarked(text))
	if text == "" || depth > maxTypeDepth || s.p.nesting > maxNesting || s.p.w.failed() {
		return nil
	}
	s.p.nesting++
	defer func() { s.p.nesting-- }()
	for _, word := range []string{"dyn ", "impl "} {
		if bounds, ok := strings.CutPrefix(text, word); ok {
			return s.bounded(bounds, depth+1)
		}
	}
	switch text[0] {
	case '_':
		if text == "_" {
			return newVariable()
		}
	case '!':
		return nil
	case '(':
		inner, ok := inBrackets(text)
		if !ok {
			return nil
		}
		parts := source.Split(inner)
		if len(parts) == 1 && !strings.HasSuffix(strings.TrimSpace(inner), ",") {
			return s.typeOf(parts[0], depth+1)
		}
		elements := make([]*Type, len(parts))
		for i, part := range parts {
			elements[i] = s.typeOf(part, depth+1)
		}
		return s.Tuple(elements)
	case '[':
		inner, ok := inBrackets(text)
		if !ok {
			return nil
		}
		element, _, array := source.Cut(inner, ';')
		return s.primitive(map[bool]string{true: "array", false: "slice"}[array], s.typeOf(element, depth+1))
	case '*':
		return s.primitive("pointer")
	case '<':
		self, rest, ok := qualified(text)
		if !ok {
			return nil
		}
		self, trait, _ := strings.Cut(self, " as ")
		name, ok := strings.CutPrefix(rest, "::")
		b := s.boundsOf(trait, depth+1)
		if !ok || len(b) != 1 || b[0].def == nil || strings.Contains(name, "::") {
			return nil
		}
		return s.typeOf(self, depth+1).project(s, b[0], name, depth+1)
	}
	if fn, ok := functionText(text); ok {
		return s.signature(fn, depth)
	}
	segs, ok := source.PathOf(text)
	if !ok {
		return nil
	}
	if len(segs) <= 2 {
		t, ok := s.params[segs[0]]
		if segs[0] == "Self" && s.self != nil {
			t, ok = s.self, true
		}
		switch {
		case ok && len(segs) == 1:
			return t
		case ok && !strings.Contains(text, "<"):
			for _, list := range s.where[segs[0]] {
				for _, b := range s.boundsOf(list, depth+1) {
					if b = b.declaring(s, segs[1], 0); b != nil {
						return t.project(s, b, segs[1], depth+1)
					}
				}
			}
			return t.project(s, nil, segs[1], depth+1)
		case segs[0] == "Self" && s.self == nil && len(segs) == 1:
			return nil
		}
	}
	d := s.m.krate.resolve(s.m, segs, types)
	if d != nil && d.kind == source.Module && len(segs) == 1 && primitives[segs[0]] {
		d = s.p.w.primitives[segs[0]] // the name refers to the primitive type even if a module with that name is in scope
	}
	if d == nil {
		return nil
	}
	t := s.apply(d, typeArgs(text), depth)
	if t != nil && t.def == d && d.item != nil {
		if generics := d.item.Generics.Of(d.unit.Text); strings.Contains(generics, "=") {
			t.addDefaults(s, generics, depth)
		}
	}
	return t
}

// pathType returns the type at the beginning of the path of an expression, whose parameters are inferred if they have no
// arguments.
func (s *Scope) pathType(p *Path, n int) *Type {
	if n > 1 || s.params[p.Names[0]] == nil && p.Names[0] != "Self" {
		if d := s.m.krate.resolve(s.m, p.Names[:n], types); d != nil && (d.kind == source.Struct || d.kind == source.Enum || d.kind == source.Union) {
			return s.apply(d, source.Split(p.Args[n-1]), 0).fill()
		}
	}
	return s.typeOf(p.text(n), 0).fill()
}

// apply returns the type of a definition with the given arguments.
func (s *Scope) apply(d *def, args []string, depth int) *Type {
	t := &Type{def: d}
	for _, arg := range args {
		if !strings.HasPrefix(arg, "'") {
			t.args = append(t.args, s.typeOf(arg, depth+1))
		}
	}
	switch d.kind {
	case source.TypeAlias:
		inner := &Scope{p: s.p, m: d.mod, params: t.arguments(d, false)}
		return inner.typeOf(d.item.Type.Of(d.unit.Text), depth+1)
	case source.Struct, source.Enum, source.Union:
		return t
	case external:
		return t
	case primitive:
		if d.item == nil { // the library is unknown
			return nil
		}
		return t
	}
	return nil
}

// addDefaults adds the defaults of parameters that have no arguments.
func (t *Type) addDefaults(s *Scope, generics string, depth int) {
	n := 0
	for _, p := range source.Split(generics) {
		if strings.HasPrefix(p, "'") {
			continue
		}
		if n++; n <= len(t.args) {
			continue
		}
		_, value, ok := source.Cut(p, '=')
		if !ok {
			return
		}
		inner := &Scope{p: s.p, m: t.def.mod, params: t.arguments(t.def, false)}
		t.args = append(t.args, inner.typeOf(value, depth+1))
	}
}

// inBrackets returns the text within the brackets around a type.
func inBrackets(text string) (inner string, ok bool) {
	s := source.Scanner{Text: text}
	depth := 0
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		switch t.Byte {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return text[1:t.Start], s.Next().Kind == source.EOF
			}
		}
	}
	return "", false
}

// qualified splits a path such as <A as B>::C.
func qualified(text string) (self, rest string, ok bool) {
	s := source.Scanner{Text: text}
	depth := 0
	var before source.Token
	for t := s.Next(); t.Kind != source.EOF; before, t = t, s.Next() {
		switch {
		case t.Byte == '<':
			depth++
		case t.Byte == '>' && before.Byte != '-' && before.Byte != '=':
			if depth--; depth == 0 {
				return text[1:t.Start], strings.TrimSpace(text[t.End:]), true
			}
		}
	}
	return "", "", false
}

// functionText returns the part of a type such as for<'a> fn(&'a A) -> B that begins with the parameters.
func functionText(text string) (string, bool) {
	if rest, ok := strings.CutPrefix(text, "for<"); ok {
		_, rest, _ = strings.Cut(rest, ">")
		text = strings.TrimSpace(rest)
	}
	for _, word := range []string{"unsafe ", "extern "} {
		if rest, ok := strings.CutPrefix(text, word); ok {
			text = strings.TrimSpace(rest)
			if strings.HasPrefix(text, "\"") {
				_, text, _ = strings.Cut(text[1:], "\"")
				text = strings.TrimSpace(text)
			}
		}
	}
	rest, ok := strings.CutPrefix(text, "fn")
	rest = strings.TrimSpace(rest)
	return rest, ok && strings.HasPrefix(rest, "(")
}

// signature returns the type of a function with the given parameters and result, as in (A, B) -> C.
func (s *Scope) signature(text string, depth int) *Type {
	end := closing(text)
	if end < 0 {
		return nil
	}
	t := &Type{function: true}
	for _, p := range source.Split(text[1:end]) {
		if name, typ, ok := source.Cut(p, ':'); ok && isWord(strings.TrimSpace(name)) && !strings.HasPrefix(typ, ":") {
			p = typ
		}
		t.params = append(t.params, s.typeOf(p, depth+1))
	}
	if result, ok := strings.CutPrefix(strings.TrimSpace(text[end+1:]), "->"); ok {
		t.result = s.typeOf(result, depth+1)
	}
	return t
}

func isWord(text string) bool {
	s := source.Scanner{Text: text}
	t := s.Next()
	return t.Kind == source.Ident && t.End == len(text)
}

// closing returns the offset of the bracket that closes the first one, or -1.
func closing(text string) int {
	s := source.Scanner{Text: text}
	depth := 0
	for t := s.Next(); t.Kind != source.EOF; t = s.Next() {
		switch t.Byte {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return t.Start
			}
		}
	}
	return -1
}

// bounded returns the type that is only known by its traits.
func (s *Scope) bounded(bounds string, depth int) *Type {
	t := &Type{bounds: s.boundsOf(bounds, depth), dynamic: true}
	if len(t.bounds) == 0 {
		return nil
	}
	return t
}

// boundsOf returns the traits in bounds such as A + B<C = D>. A trait that is unknown has no definition.
func (s *Scope) boundsOf(text string, depth int) (all []*Type) {
	for _, bound := range splitBounds(text) {
		bound = strings.TrimSpace(bound)
		for strings.HasPrefix(bound, "(") && strings.HasSuffix(bound, ")") {
			bound = strings.TrimSpace(bound[1 : len(bound)-1])
		}
		if rest, ok := strings.CutPrefix(bound, "for<"); ok {
			_, bound, _ = strings.Cut(rest, ">")
			bound = strings.TrimSpace(bound)
		}
		if bound == "" || bound[0] == '\'' || bound[0] == '?' || strings.HasPrefix(bound, "use<") || depth > maxTypeDepth {
			continue
		}
		b := &Type{}
		all = append(all, b)
		segs, ok := source.PathOf(bound)
		if !ok {
			continue
		}
		if d := s.m.krate.resolve(s.m, segs, types); d != nil && d.kind == source.Trait {
			b.def = d
		}
		if i := strings.IndexByte(bound, '('); i > 0 && (strings.IndexByte(bound, '<') < 0 || strings.IndexByte(bound, '<') > i) {
			if fn := s.signature(bound[i:], depth+1); fn != nil {
				b.function, b.params, b.result = true, fn.params, fn.result
			}
			continue
		}
		for _, arg := range typeArgs(bound) {
			if strings.HasPrefix(arg, "'") {
				continue
			}
			if name, value, ok := source.Cut(arg, '='); ok {
				if b.assoc == nil {
					b.assoc = map[string]*Type{}
				}
				b.assoc[strings.TrimSpace(name)] = s.typeOf(value, depth+1)
				continue
			}
			if name, value, ok := source.Cut(arg, ':'); ok && isWord(strings.TrimSpace(name)) && !strings.HasPrefix(value, ":") {
				if b.assoc == nil {
					b.assoc = map[string]*Type{}
				}
				b.assoc[strings.TrimSpace(name)] = s.bounded(value, depth+1)
				continue
			}
			b.args = append(b.args, s.typeOf(arg, depth+1))
		}
	}
	return all
}

// arguments maps the names of the type parameters of a definition to the arguments of a type. Parameters without
// arguments are variables if fresh is true.
func (t *Type) arguments(d *def, fresh bool) map[string]*Type {
	params := map[string]*Type{}
	n := 0
	for _, name := range arguments(d.item.Generics.Of(d.unit.Text)) {
		if strings.HasPrefix(name, "'") {
			continue
		}
		params[name] = nil
		switch {
		case n < len(t.args):
			params[name] = t.args[n]
		case fresh:
			params[name] = newVariable()
		}
		n++
	}
	return params
}

// fill adds variables for the arguments that a type lacks.
func (t *Type) fill() *Type {
	if t == nil || t.def == nil || t.def.item == nil || len(t.bounds) > 0 || t.def.kind == primitive {
		return t
	}
	n := 0
	for _, name := range arguments(t.def.item.Generics.Of(t.def.unit.Text)) {
		if strings.HasPrefix(name, "'") {
			continue
		}
		if n++; n > len(t.args) {
			t.args = append(t.args, newVariable())
		}
	}
	return t
}

// Generic returns the scope of an item with type parameters, which are known by their bounds.
func (s *Scope) Generic(generics, where string) *Scope {
	inner := &Scope{p: s.p, m: s.m, self: s.self, params: map[string]*Type{}, bounds: s.bounds}
	maps.Copy(inner.params, s.params)
	names := typeParams(generics)
	for name := range names {
		inner.params[name] = &Type{}
	}
	more := false // whether outer parameters have further bounds
	add := func(text string) {
		name, bounds, ok := source.Cut(withoutAttributes(text), ':')
		if !ok {
			return
		}
		bounds, _, _ = source.Cut(bounds, '=')
		list := inner.boundsOf(bounds, 0)
		inner.bounds = slices.Concat(inner.bounds, list)
		name = strings.TrimSpace(name)
		if t := inner.params[name]; t != nil && names[name] {
			t.bounds = append(t.bounds, list...)
		} else if t != nil && len(t.bounds) > 0 { // a further bound of an outer parameter
			bounded := *t
			bounded.bounds = slices.Concat(bounded.bounds, list)
			inner.params[name] = &bounded
			more = true
		}
	}
	for _, p := range source.Split(generics) {
		add(p)
	}
	for _, p := range source.Split(where) {
		add(p)
	}
	for name := range names { // a constant, or a parameter without bounds
		if len(inner.params[name].bounds) == 0 {
			inner.params[name].bounds = []*Type{{def: s.p.sized()}}
		}
	}
	if inner.selfText = s.selfText; more && s.selfText != "" {
		inner.self = inner.Type(s.selfText)
	}
	return inner
}

// instance returns a scope with variables for the parameters of an item. If a variable is inferred, its bounds infer
// others.
func (s *Scope) instance(generics, where string) (inner *Scope, names []string) {
	inner = &Scope{p: s.p, m: s.m, self: s.self, params: map[string]*Type{}}
	maps.Copy(inner.params, s.params)
	bounds := maps.Clone(s.where)
	if bounds == nil {
		bounds = map[string][]string{}
	}
	for _, p := range source.Split(generics) {
		p = withoutAttributes(p)
		name, list, _ := source.Cut(p, ':')
		name, _, _ = source.Cut(name, '=')
		name = strings.TrimSpace(name)
		if strings.HasPrefix(name, "'") {
			continue
		}
		if rest, ok := strings.CutPrefix(name, "const "); ok {
			name, list = strings.TrimSpace(rest), ""
		}
		names = append(names, name)
		inner.params[name] = newVariable()
		delete(bounds, name) // those of an outer parameter with the same name
		if list, _, _ = source.Cut(list, '='); strings.TrimSpace(list) != "" {
			bounds[name] = append(bounds[name], list)
		}
	}
	for _, p := range source.Split(where) {
		if name, list, ok := source.Cut(p, ':'); ok {
			name = strings.TrimSpace(name)
			bounds[name] = append(bounds[name], list)
		}
	}
	for _, name := range names {
		v := inner.params[name]
		for _, list := range bounds[name] {
			v.inferred = append(v.inferred, func(t *Type) { inner.require(t, list) })
		}
	}
	inner.where = bounds
	return inner, names
}

// require infers types from the bounds of an inferred type.
func (s *Scope) require(t *Type, list string) {
	for _, b := range s.boundsOf(list, 0) {
		s.satisfy(t, b)
	}
}

// satisfy infers types from the fact that a type implements a trait.
func (s *Scope) satisfy(t, b *Type) {
	if b.function {
		if t.function {
			s.p.unify(b, &Type{function: true, params: t.params, result: t.result}, 0)
		}
		return
	}
	if b.def == nil {
		return
	}
	for name, v := range b.assoc {
		s.p.unify(v, t.project(s, b, name, 0), 0)
	}
	if len(b.args) == 0 {
		return
	}
	if len(t.bounds) > 0 {
		for _, other := range t.bounds {
			if other.def == b.def {
				s.p.unify(&Type{def: b.def, args: b.args}, &Type{def: b.def, args: other.args}, 0)
			}
		}
		return
	}
	var only *impl
	for _, im := range t.implementations() {
		if im.derived == "" && im.trait() == b.def && !im.off {
			if only != nil {
				return
			}
			only = im
		}
	}
	if only == nil {
		return
	}
	inner, ok := t.within(s, only)
	if !ok {
		return
	}
	for i, arg := range typeArgs(only.item.Trait.Of(only.unit.Text)) {
		if i < len(b.args) && !strings.HasPrefix(arg, "'") {
			s.p.unify(inner.typeOf(arg, 0), b.args[i], 0)
		}
	}
}

// within returns the scope of an implementation for a type. ok is false if it is for other arguments.
func (t *Type) within(s *Scope, im *impl) (inner *Scope, ok bool) {
	text := im.unit.Text
	base := &Scope{p: s.p, m: im.mod}
	inner, _ = base.instance(im.item.Generics.Of(text), im.item.Where.Of(text))
	self := inner.typeOf(im.item.Type.Of(text), 0)
	if self.differs(t, 0) {
		return nil, false
	}
	s.p.unify(self, t, 0)
	inner.self, inner.vague = t, self.isVague()
	return inner, true
}

// isVague reports whether an argument of a type is unknown.
func (t *Type) isVague() bool {
	return t == nil || slices.ContainsFunc(t.args, func(arg *Type) bool { return arg == nil })
}

// implementations returns the implementations for a type with a definition.
func (t *Type) implementations() []*impl {
	if t == nil || t.def == nil {
		return nil
	}
	if t.def.krate != nil {
		t.def.krate.link()
	}
	return t.def.impls
}

// declaring returns the trait of a bound, or the one of its supertraits, that declares an associated type.
func (t *Type) declaring(s *Scope, name string, depth int) *Type {
	if t.function && name == "Output" {
		return t
	}
	if t.def == nil || depth > maxTypeDepth {
		return nil
	}
	if d := t.def.traitItem(name); d != nil && d.kind == source.TypeAlias {
		return t
	}
	for _, b := range t.supertraits(s, nil) {
		if found := b.declaring(s, name, depth+1); found != nil {
			return found
		}
	}
	return nil
}

// project returns an associated type of a type, or nil if it is unknown. trait is the trait that declares it, or nil if that is
// not known.
func (t *Type) project(s *Scope, trait *Type, name string, depth int) *Type {
	t = t.known()
	if t == nil || depth > maxTypeDepth || s.p.w.failed() {
		return nil
	}
	switch {
	case t.output != nil:
		if name == "Output" && (trait == nil || trait.isStandard("Future") || trait.isStandard("IntoFuture")) {
			return t.output
		}
		return nil
	case len(t.bounds) > 0:
		return s.boundProject(t.bounds, t, trait, name, depth+1)
	case t.function:
		if name == "Output" && trait.calls() {
			return t.result
		}
		return nil
	}
	var found *Type
	var from *def
	n := 0
	for _, im := range t.implementations() {
		if im.derived != "" || im.item.Trait.Empty() || im.off {
			continue
		}
		for _, d := range im.associated() {
			if d.name != name || d.kind != source.TypeAlias || d.off || trait != nil && im.trait() != trait.def {
				continue
			}
			inner, ok := t.within(s, im)
			if !ok || !inner.hasTrait(im, trait) {
				break
			}
			if from != nil && from != im.trait() {
				return nil
			}
			from = im.trait()
			if v := inner.typeOf(d.item.Type.Of(d.unit.Text), depth+1); n == 0 || v.differs(found, 0) {
				found = v
				n++
			}
		}
	}
	switch {
	case n == 1:
		return found
	case n > 1 && name == "IntoIter": // it depends on whether the type is a reference
		item := t.project(s, s.standardTrait("IntoIterator"), "Item", depth+1)
		return &Type{bounds: []*Type{{def: s.standardTrait("Iterator").def, assoc: map[string]*Type{"Item": item}}, s.standardTrait("DoubleEndedIterator"), s.standardTrait("ExactSizeIterator"), {}}}
	case n > 1:
		return nil
	case trait.isStandard("IntoIterator"):
		if item := t.project(s, s.standardTrait("Iterator"), "Item", depth+1); item != nil {
			if name == "IntoIter" {
				return t
			}
			return item
		}
	}
	if t.isSlice() && t.def.name == "array" {
		return s.primitive("slice", t.args...).project(s, trait, name, depth+1)
	}
	return nil
}

// calls reports whether a trait is one of those of functions, or not known.
func (t *Type) calls() bool {
	return t == nil || t.isStandard("Fn") || t.isStandard("FnMut") || t.isStandard("FnOnce")
}

// hasTrait infers types from the arguments of the trait of an implementation. It returns false if these differ from the
// arguments of a bound.
func (s *Scope) hasTrait(im *impl, b *Type) bool {
	if b == nil || len(b.args) == 0 {
		return true
	}
	n := 0
	for _, arg := range typeArgs(im.item.Trait.Of(im.unit.Text)) {
		if strings.HasPrefix(arg, "'") || n >= len(b.args) {
			continue
		}
		t := s.typeOf(arg, 0)
		if t.differs(b.args[n], 0) {
			return false
		}
		s.p.unify(t, b.args[n], 0)
		n++
	}
	return true
}

// standardTrait returns a trait of the prelude.
func (s *Scope) standardTrait(name string) *Type { return &Type{def: s.p.w.preludeOf(name, types)} }

// boundProject returns an associated type of a type that is known by its traits.
func (s *Scope) boundProject(bounds []*Type, self, trait *Type, name string, depth int) *Type {
	if depth > maxTypeDepth {
		return nil
	}
	for _, b := range bounds {
		if b.def == nil {
			continue
		}
		if trait == nil || trait.def == b.def || trait.isStandard("IntoIterator") && b.isStandard("Iterator") || trait.isStandard("IntoFuture") && b.isStandard("Future") {
			if v, ok := b.assoc[name]; ok {
				return v
			}
		}
		if b.function && name == "Output" && trait.calls() {
			return b.result
		}
		if super := s.boundProject(b.supertraits(s, self), self, trait, name, depth+1); super != nil {
			return super
		}
		if b.isStandard("Iterator") && trait.isStandard("IntoIterator") && name == "IntoIter" {
			return self
		}
	}
	return nil
}

// inside returns the scope of the items of the trait of a bound.
func (t *Type) inside(s *Scope, self *Type) *Scope {
	return &Scope{p: s.p, m: t.def.mod, self: self, params: (&Type{args: t.args}).arguments(t.def, true)}
}

// supertraits returns the traits that the trait of a bound requires.
func (t *Type) supertraits(s *Scope, self *Type) []*Type {
	all := []string{t.def.item.Bounds.Of(t.def.unit.Text)}
	for _, p := range source.Split(t.def.item.Where.Of(t.def.unit.Text)) {
		if name, bounds, ok := source.Cut(p, ':'); ok && strings.TrimSpace(name) == "Self" {
			all = append(all, bounds)
		}
	}
	text := strings.Join(all, "+")
	if text == "" || s.p.expanding[t.def] { // the types in the bounds may depend on the bounds
		return nil
	}
	s.p.expanding[t.def] = true
	defer delete(s.p.expanding, t.def)
	return t.inside(s, self).boundsOf(text, 0)
}

// Await returns the type of the output of a future.
func (s *Scope) Await(t *Type) *Type {
	k := t.known()
	if k == nil {
		return nil
	}
	if k.isStandard("Pin") || k.isStandard("Box") {
		return s.Await(k.arg(0))
	}
	if v := k.project(s, s.standardTrait("Future"), "Output", 0); v != nil {
		return v
	}
	return k.project(s, s.standardTrait("IntoFuture"), "Output", 0)
}

// Try returns the type of a value after the operator ?.
func (s *Scope) Try(t *Type) *Type {
	k := t.known()
	switch {
	case k.isStandard("Option"), k.isStandard("Result"):
		return k.arg(0)
	case k.isStandard("Poll"):
		return nil
	}
	return nil
}

// Element returns the type of the elements over which a for loop iterates.
func (s *Scope) Element(t *Type) *Type {
	return t.project(s, s.standardTrait("IntoIterator"), "Item", 0)
}

// isStandard reports whether a type is the one of the standard library with a name.
func (t *Type) isStandard(name string) bool {
	return t != nil && t.def != nil && t.def.name == name && t.def.krate != nil && t.def.krate.standard()
}

func (k *krate) standard() bool { return k.w.standard != nil && k.src == standardCrates()[k.src.Name] }

func (t *Type) arg(i int) *Type {
	if t == nil || i >= len(t.args) {
		return nil
	}
	return t.args[i]
}

// Parameter returns the type of a parameter of a function, or nil if it is unknown.
func (t *Type) Parameter(i int) *Type {
	if f := t.closure(); f != nil && i < len(f.params) {
		return f.params[i]
	}
	return nil
}

// Called returns the type of the result of calling a value.
func (t *Type) Called() *Type {
	if f := t.closure(); f != nil {
		return f.result
	}
	return nil
}

// Element returns the type of an element of a tuple with n elements, or with more if there are others. A negative index counts from
// the end.
func (t *Type) Element(i, n int, others bool) *Type {
	t = t.known()
	if t == nil || t.def == nil || t.def.kind != primitive || t.def.name != "tuple" || len(t.args) != n && !others {
		return nil
	}
	if i < 0 {
		i += len(t.args)
	}
	if i < 0 || i >= len(t.args) {
		return nil
	}
	return t.args[i]
}

// IsPointer reports whether a type is a raw pointer.
func (t *Type) IsPointer() bool {
	t = t.known()
	return t != nil && t.def != nil && t.def.kind == primitive && t.def.name == "pointer"
}

// Slice returns the type of a slice.
func (s *Scope) Slice(element *Type) *Type { return s.primitive("slice", element) }

// NewNumber returns the type of an integer literal, which is inferred later.
func NewNumber() *Type { return &Type{variable: true, number: true} }

// Index returns the type of an element of a value.
func (s *Scope) Index(t, index *Type) *Type {
	for range maxTypeDepth {
		if t = t.known(); t == nil {
			return nil
		}
		switch {
		case t.isSlice(), t.isStandard("Vec"), t.isStandard("VecDeque"):
			i := index.resolved()
			switch {
			case i == nil:
				return nil
			case i.number, i.def != nil && i.def.kind == primitive:
				return t.arg(0)
			case i.def != nil && strings.HasPrefix(i.def.name, "Range") && i.def.krate.standard():
				return s.Slice(t.arg(0))
			}
			return nil
		case t.def != nil && t.def.kind == primitive && t.def.name == "str", t.isStandard("String"):
			return s.primitive("str")
		case t.isStandard("HashMap"), t.isStandard("BTreeMap"):
			return t.arg(1)
		}
		if v := t.project(s, s.operatorTrait("Index"), "Output", 0); v != nil {
			return v
		}
		next, derefs := t.deref(s)
		if derefs != yes {
			return nil
		}
		t = next
	}
	return nil
}

var operators = map[string]string{"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "%": "Rem", "&": "BitAnd", "|": "BitOr", "^": "BitXor", "<<": "Shl", ">>": "Shr"}

func (s *Scope) operatorTrait(name string) *Type {
	t := s.Standard("ops::" + name)
	if t == nil {
		return &Type{}
	}
	return t
}

// Operator returns the type of the result of an operator.
func (s *Scope) Operator(op string, a, b *Type) *Type {
	l, r := a.resolved(), b.resolved()
	switch {
	case l == nil:
		return nil
	case l.number:
		if r != nil && (r.number || r.def != nil && r.def.kind == primitive) {
			if op != "<<" && op != ">>" {
				s.p.unify(l, r, 0)
			}
			return l
		}
		return nil
	case l.def != nil && l.def.kind == primitive:
		if r != nil && (r.number || r.def == l.def) {
			return l
		}
		return nil
	case l.isStandard("String"):
		return l
	case l.def != nil && l.def.krate != nil && !l.def.krate.standard():
		return l.project(s, s.operatorTrait(operators[op]), "Output", 0)
	}
	return nil
}
