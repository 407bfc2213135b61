package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// results evaluates the arguments of a call and returns the union of the results of the signatures
// that may accept them.
func (c *Code) results(f *frame, signatures []call, typeArgs []*dts.Node, args []*dts.Expr, receiver typeRef, x *dts.Expr, want typeRef) typeRef {
	spread := slices.ContainsFunc(args, func(a *dts.Expr) bool { return a.Kind == dts.ExprSpread })
	var candidates []call
	for _, s := range signatures {
		if c.acceptsTypes(s, f, typeArgs) && (spread || c.accepts(s, args)) {
			candidates = append(candidates, s)
		}
	}
	if len(candidates) == 0 || len(candidates) > 60 {
		if len(candidates) == 0 {
			c.miscounted(f, signatures, args, x)
		}
		c.all(f, args)
		return c.commonResult(signatures)
	}
	bound := make([]*variables, len(candidates))
	for i, s := range candidates {
		if bound[i] = c.typeParams(s, f, typeArgs); !spread {
			bound[i].args = len(args)
		}
	}
	for k, s := range candidates {
		if p := s.node.Child(dts.Param); p != nil && p.Text == "this" && p.Type() != nil && !receiver.unknown() && len(typeArgs) == 0 {
			c.infer(s.context.at(p.Type()), receiver, bound[k], 0)
		}
	}
	if len(typeArgs) == 0 {
		for k, s := range candidates {
			bound[k].expect(c, s.context.at(s.node.Type()), want)
		}
	}
	counted, variables := candidates, bound // before the types of arguments exclude some
	types, candidates, bound := c.arguments(f, candidates, bound, len(typeArgs) > 0, args, func(i int) bool {
		return !slices.ContainsFunc(candidates, func(s call) bool { return c.inferredFrom(s, i) })
	})
	if !spread {
		c.mistyped(f, counted, variables, len(signatures), types, args, x)
	}
	var all []typeRef
	known, matched := true, -1 // matched is the part of which an overload accepts the arguments
	for k, s := range candidates {
		if s.part == matched {
			continue
		}
		fits := false
		if len(candidates) > 1 {
			var decided bool
			if fits, decided = c.fits(s, types, args); decided && !fits {
				continue
			}
		}
		n := s.node.Type()
		var t typeRef
		switch in := c.with(s, bound[k], true); {
		case n == nil || n.Has(dts.FlagInferred):
			if t = c.inferredResult(s); f.file.conditions[x] && (t.unknown() || c.isPrimitive(t, "boolean")) {
				c.narrow(f, nil, "", args, x) // The compiler may infer a predicate.
			}
		case n.Kind == dts.Predicate:
			if value := testedValue(s, n, x); value != nil && n.Type() != nil && f.file.conditions[x] && !in.context.at(n.Type()).unknown() {
				f.file.predicates[x] = true
				c.narrowTo(f, value, in.context.at(n.Type()))
			} else {
				c.narrow(f, s.node, n.Text, args, x)
			}
			t = c.keyword("boolean")
		case n.Kind == dts.Keyword && n.Text == "this":
			t = receiver
		default:
			if t = in.context.at(n); !receiver.unknown() && mentionsThis(n) {
				t.env = c.r.memo.bind("this", receiver, t.env)
			}
		}
		known = known && !t.unknown()
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
		if fits {
			matched = s.part // the compiler takes the first overload that accepts the arguments
		}
	}
	switch {
	case !known:
		return typeRef{}
	case len(all) == 0:
		return c.commonResult(candidates)
	}
	return unionOf(all)
}

// mentionsThis reports whether a type contains the type this.
func mentionsThis(n *dts.Node) bool {
	if n.Kind == dts.Keyword && n.Text == "this" {
		return true
	}
	for k := range n.Children() {
		if mentionsThis(k) {
			return true
		}
	}
	return false
}
