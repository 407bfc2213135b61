package crate

import (
	"slices"
	"strings"
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
	// constrained is true for a bound on an associated type, as in Iterator<Item: Copy>, which is not the type itself.
	constrained bool
	// assoc are the associated types that a bound names.
	assoc map[string]*Type
	// function is true for functions, closures and bounds such as Fn(A) -> B, with the given parameters and result.
	function bool
	params   []*Type
	result   *Type
	// inexact is true if a function may have other parameters.
	inexact bool
	output  *Type // the output of a future
	// projections are the associated types that were found. Types with nested arguments need each of them many times.
	projections map[projection]*Type

	free bool // whether it is the result of detached

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

// Coerce infers the unknown parts of the type of a value and of the type to which the value is converted. If that is a
// pointer, the value may be a reference, which has the same type here as what it refers to.
func (p *Program) Coerce(value, target *Type) {
	if value = value.resolved(); value != nil && value.variable && target.IsPointer() {
		return
	}
	p.unify(target, value, 0)
}

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

// hasVariable reports whether a part of a type may be inferred later.
func (t *Type) hasVariable(depth int) bool {
	if t = t.resolved(); t == nil {
		return false
	}
	has := func(part *Type) bool { return part.hasVariable(depth + 1) }
	return t.variable || depth > maxTypeDepth || slices.ContainsFunc(t.args, has) || slices.ContainsFunc(t.params, has) || has(t.result) || has(t.output)
}

// detached returns the type, or a copy with new variables, so that questions about it infer nothing.
func (t *Type) detached(depth int) *Type {
	if t = t.resolved(); t == nil || t.variable {
		return newVariable()
	}
	if t.free || depth > maxTypeDepth || !t.hasVariable(0) {
		return t
	}
	detach := func(parts []*Type) []*Type {
		all := make([]*Type, len(parts))
		for i, part := range parts {
			if part != nil {
				all[i] = part.detached(depth + 1)
			}
		}
		return all
	}
	c := *t
	c.free = true
	c.args, c.params, c.projections = detach(t.args), detach(t.params), nil
	if t.result != nil {
		c.result = t.result.detached(depth + 1)
	}
	if t.output != nil {
		c.output = t.output.detached(depth + 1)
	}
	return &c
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

// Params returns the number of parameters of a function or closure, or -1 if it is unknown.
func (t *Type) Params() int {
	if t = t.closure(); t == nil || t.inexact {
		return -1
	}
	return len(t.params)
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
