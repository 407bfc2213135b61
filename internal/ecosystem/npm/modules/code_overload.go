package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// callOrder returns the declarations of a method in the order in which the compiler tries them. If several files of the
// compiler's library declare an interface, the declarations of the last file come first.
func (r *Reader) callOrder(decls []decl) []decl {
	if slices.ContainsFunc(decls, func(d decl) bool { return !r.isLib(d.scope.mod) }) {
		return decls
	}
	out := make([]decl, 0, len(decls))
	for end := len(decls); end > 0; {
		start := end - 1
		for start > 0 && decls[start-1].scope == decls[start].scope {
			start--
		}
		out = append(out, decls[start:end]...)
		end = start
	}
	return out
}

// prune removes the signatures that the compiler does not choose because they do not accept the arguments of a call, or because
// an earlier one accepts them. The types of the arguments are those before the parameters of functions among them are known.
func (c *Code) prune(candidates []call, bound []*variables, types []typeRef, args []*dts.Expr) ([]call, []*variables) {
	for len(candidates) > 1 && candidates[0].part == candidates[len(candidates)-1].part {
		accepts, known := c.acceptsArguments(candidates[0], bound[0], types, args)
		switch {
		case !known:
			return candidates, bound
		case accepts:
			return candidates[:1], bound[:1]
		}
		candidates, bound = candidates[1:], bound[1:]
	}
	return candidates, bound
}

// acceptsArguments reports whether a signature accepts arguments.
func (c *Code) acceptsArguments(s call, v *variables, types []typeRef, args []*dts.Expr) (accepts, known bool) {
	list := s.params()
	in := c.with(s, v, true)
	accepts = true
	for i, a := range args {
		declared, want := c.parameter([]call{s}, i, false), c.parameter([]call{in}, i, false)
		switch {
		case declared.unknown():
			accepts = accepts && i < len(list) && list[i].Type() == nil
		case a.Kind == dts.ExprFunc:
			if c.requiresPredicate(declared, a) {
				return false, true
			}
			accepts = accepts && c.takesFunction(declared, v, a, types[i])
		case dependsOnContext(a) || types[i].unknown() || isAny(c.e.shape(types[i])):
			accepts = false
		default:
			if c.rejects(want, types[i]) || c.rejectsRecord(want, types[i]) || a.Kind == dts.ExprObject && !spreads(a) && len(c.excess(a, want)) > 0 {
				return false, true
			}
			fits, decided := c.fitsLiterals(want, types[i], a)
			if decided && !fits {
				return false, true
			}
			holds, certain, _ := c.e.assignable(types[i], want)
			certain = certain && decided
			sure := !slices.ContainsFunc(c.variablesIn(declared, v, 0), func(name string) bool { return v.unsure[name] })
			accepts = accepts && holds && certain && sure
		}
	}
	for _, p := range v.params {
		if p.Constraint() == nil || len(v.found[p.Text]) == 0 {
			continue
		}
		t, want := unionOf(v.found[p.Text]), in.context.at(p.Constraint())
		if c.rejects(want, t) {
			return false, true
		}
		holds, certain, _ := c.e.assignable(t, want)
		accepts = accepts && holds && certain
	}
	return accepts, accepts
}

// rejects reports whether a parameter does not accept a primitive value, because its type has only other primitive types and
// objects with members that the value lacks.
func (c *Code) rejects(want, t typeRef) bool {
	name := primitiveName(c.e.shape(t))
	if name == "" || !c.isPrimitive(t, name) {
		return false
	}
	parts, ok := c.e.parts(want)
	if !ok || len(parts) == 0 {
		return false
	}
	var primitives []typeRef
	for _, q := range parts {
		if primitiveName(q) != "" {
			primitives = append(primitives, q)
		} else if !isNothing(q) && !c.lacksMember(q, t) {
			return false
		}
	}
	if len(primitives) == 0 {
		return true
	}
	holds, known, _ := c.e.assignable(t, unionOf(primitives)) // boolean is neither true nor false
	return known && !holds
}

// rejectsRecord reports whether a parameter does not accept a record of type t, because it requires certain properties.
func (c *Code) rejectsRecord(want, t typeRef) bool {
	record := c.e.shape(t)
	if set, _ := c.e.props(record); len(set.order) > 0 || c.recordValue(record, "string").unknown() {
		return false
	}
	parts, ok := c.e.parts(want)
	return ok && len(parts) > 0 && !slices.ContainsFunc(parts, func(q typeRef) bool {
		set, ok := c.e.props(q)
		return !isNothing(q) && primitiveName(q) == "" && (!ok || !slices.ContainsFunc(set.order, func(p *prop) bool { return !p.optional() }))
	})
}

// lacksMember reports whether an object type requires a member that a value does not have.
func (c *Code) lacksMember(want, t typeRef) bool {
	set, ok := c.e.props(want)
	return ok && slices.ContainsFunc(set.order, func(p *prop) bool {
		if p.optional() {
			return false
		}
		_, how := c.member(t, p.name)
		return how == missing
	})
}

// takesFunction reports whether a function can be assigned to the type of a parameter, because the function has no parameters
// with types, and the parameter's own function may have any result.
func (c *Code) takesFunction(t typeRef, v *variables, x *dts.Expr, typ typeRef) bool {
	parts, ok := c.e.parts(t)
	if !ok || x.Type.Child(dts.TypeParam) != nil {
		return false
	}
	functions := 0
	for _, p := range parts {
		if isNothing(p) {
			continue
		}
		functions++
		calls := c.callsOf(p)
		if len(calls) != 1 || calls[0].node.Type() == nil || !c.isAnyResult(calls[0].context.at(calls[0].node.Type()), v, typ) {
			return false
		}
		list := calls[0].params()
		if len(x.List)-1 > len(list) && !slices.ContainsFunc(list, func(q *dts.Node) bool { return q.Has(dts.FlagRest) }) {
			return false
		}
	}
	return functions == 1 && !slices.ContainsFunc(x.List[1:], func(q *dts.Expr) bool {
		return q.Type.Type() != nil && !q.Type.Type().Has(dts.FlagInferred) || q.Type.Text == "this"
	})
}

// isAnyResult reports whether functions with any result are assignable to a function with the result t. f is the type of the
// function among the arguments, which is unknown if its parameters depend on the signature.
func (c *Code) isAnyResult(t typeRef, v *variables, f typeRef) bool {
	if t.node == nil || t.node.Kind == dts.Predicate {
		return false
	}
	if t.node.Kind == dts.Ref && c.isVariable(t, v) { // The result determines it.
		if slices.ContainsFunc(v.params, func(p *dts.Node) bool { return p.Text == t.node.Text && p.Constraint() != nil }) {
			return false
		}
		if found := v.found[t.node.Text]; len(found) == 1 && !v.unsure[t.node.Text] && len(v.taken[t.node.Text]) == 0 {
			calls := c.signatures(f)
			return len(calls) == 1 && c.resultOf(calls[0]) == found[0]
		}
		return !v.hasCandidate(t.node.Text)
	}
	n := c.e.shape(t).node
	return n != nil && n.Kind == dts.Keyword && (n.Text == "void" || n.Text == "any" || n.Text == "unknown")
}

// fits reports whether a signature accepts arguments of the given types. It returns false for decided
// if that is not certain.
func (c *Code) fits(s call, types []typeRef, args []*dts.Expr) (fits, decided bool) {
	list := params(s.node)
	if len(list) > 0 && list[0].Text == "this" {
		return false, false
	}
	fits = true
	for i, t := range types {
		holds, known := false, false
		if i < len(list) {
			holds, known = c.acceptsType(s, list[i], t, args[i])
		}
		if known && !holds {
			return false, true
		}
		fits = fits && known
	}
	return fits, fits
}

// acceptsType reports whether the parameter p of a signature accepts the argument x of type t. It returns
// false for known if that is not certain.
func (c *Code) acceptsType(s call, p *dts.Node, t typeRef, x *dts.Expr) (accepts, known bool) {
	if p.Has(dts.FlagRest) || p.Type() == nil || t.unknown() || isAny(c.e.shape(t)) {
		return false, false
	}
	for v := range s.node.All(dts.TypeParam) {
		if contains(p.Type(), v.Text) {
			return false, false
		}
	}
	want := s.context.at(p.Type())
	if isAny(c.e.shape(want)) {
		return true, true
	}
	if fits, decided := c.fitsLiterals(want, t, x); !fits || !decided {
		return fits, decided
	}
	if shape := c.e.shape(t); c.interfaceOf(shape) == "Function" || shape.compound != nil || shape.node != nil && (shape.node.Kind == dts.TypeLiteral || shape.node.Kind == dts.Intersection) {
		return false, false // The types of fields in a literal may be wider than in the program.
	}
	accepts, known, _ = c.e.assignable(t, want)
	if known && !accepts {
		parts, ok := c.e.parts(want)
		known = ok && c.isPrimitive(t, primitiveName(c.e.shape(t))) &&
			!slices.ContainsFunc(parts, func(q typeRef) bool { return primitiveName(q) == "" && !isNothing(q) })
	}
	return accepts, known
}
