package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// requiresPredicate reports whether a parameter of type t accepts only type predicates, such as the first declaration of
// Array.find, and the function x is not one.
func (c *Code) requiresPredicate(t typeRef, x *dts.Expr) bool {
	parts, ok := c.e.parts(t)
	if !ok {
		return false
	}
	functions := 0
	for _, p := range parts {
		if isNothing(p) {
			continue
		}
		calls := c.callsOf(p)
		if len(calls) != 1 || !calls[0].node.Type().Is(dts.Predicate) || !c.isNoPredicate(x, calls[0]) {
			return false
		}
		functions++
	}
	return functions > 0
}

// isNoPredicate reports whether the compiler is certain not to infer a type predicate from a function that is passed for s. It
// infers one if the result narrows the type of a parameter.
func (c *Code) isNoPredicate(x *dts.Expr, s call) bool {
	if n := x.Type.Type(); n != nil && !n.Has(dts.FlagInferred) {
		return n.Kind != dts.Predicate
	}
	if x.Type.Has(dts.FlagAsync) || x.Generator {
		return true
	}
	for i, p := range x.List[1:] {
		if p.List[0] != nil || p.Type.Has(dts.FlagRest) {
			continue // Only names of parameters can be narrowed.
		}
		t := p.Type.Type()
		declared := c.parameter([]call{s}, i, false)
		if t != nil && !t.Has(dts.FlagInferred) {
			return false
		}
		if parts, ok := c.e.parts(declared); !ok || len(parts) != 1 || isTop(parts[0]) || !c.readsMembers(x.List[0], p.Type.Text, parts[0]) {
			return false
		}
	}
	return true
}

// readsMembers reports whether code uses a value of type t only to read its members, and to call methods that are no predicates.
func (c *Code) readsMembers(x *dts.Expr, name string, t typeRef) bool {
	if x == nil {
		return true
	}
	isValue := func(k *dts.Expr) bool { return k.Kind == dts.ExprName && k.Text == name }
	switch {
	case isValue(x):
		return false
	case x.Kind == dts.ExprMember && isValue(x.List[0]):
		return true
	case x.Kind == dts.ExprCall && x.List[0].Kind == dts.ExprMember && isValue(x.List[0].List[0]):
		m, _ := c.member(t, x.List[0].Text)
		calls := c.signatures(m)
		if len(calls) == 0 || slices.ContainsFunc(calls, func(s call) bool { return s.node.Type() == nil || s.node.Type().Kind == dts.Predicate }) {
			return false
		}
	}
	return !slices.ContainsFunc(x.List, func(k *dts.Expr) bool { return !c.readsMembers(k, name, t) })
}
