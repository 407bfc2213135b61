package modules

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// signatures returns the call signatures of all parts of a type, or none if they are unknown.
func (c *Code) signatures(t typeRef) (all []call) {
	if t.unknown() {
		return nil
	}
	parts, ok := c.e.parts(t)
	if !ok {
		return nil
	}
	for i, p := range parts {
		if primitiveName(p) != "" || isNothing(p) {
			continue
		}
		calls := c.callsOf(p)
		for k := range calls {
			calls[k].part = i
		}
		all = append(all, calls...)
	}
	return all
}

func (c *Code) callsOf(p typeRef) []call {
	if p.compound != nil && p.compound.all {
		var all []call
		for _, q := range p.compound.parts {
			all = append(all, c.signatures(q)...)
		}
		return all
	}
	return c.e.calls(p, 0)
}

// call evaluates a call.
func (c *Code) call(f *frame, x *dts.Expr, want typeRef) typeRef {
	callee := x.List[0]
	args := x.List[1:]
	if callee.Kind == dts.ExprSuper {
		c.superclass(f, x)
		return typeRef{}
	}
	t := c.expr(f, callee, typeRef{})
	var receiver typeRef
	if callee.Kind == dts.ExprMember {
		receiver = c.expr(f, callee.List[0], typeRef{})
	}
	signatures := c.signatures(t)
	if len(signatures) == 0 {
		c.all(f, args)
		if (f.file.conditions[x] || narrows().MatchString(callee.Text)) && !c.isAbsent(receiver, callee) {
			c.narrow(f, nil, "", args, x)
		}
		return typeRef{}
	}
	return c.results(f, signatures, x.Args, args, receiver, x, want)
}

// isAbsent reports whether a called method does not exist.
func (c *Code) isAbsent(receiver typeRef, callee *dts.Expr) bool {
	if callee.Kind != dts.ExprMember {
		return false
	}
	_, how := c.member(receiver, callee.Text)
	return how == missing
}

// commonResult returns the type of the results of signatures if they have the same, although none of them accepts the
// arguments of a call.
func (c *Code) commonResult(signatures []call) (common typeRef) {
	for i, s := range signatures {
		n := s.node.Type()
		if n == nil || n.Has(dts.FlagInferred) || n.Kind == dts.Predicate || n.Kind == dts.Keyword && n.Text == "this" || s.mentionsVariable(n) {
			return typeRef{}
		}
		t := s.context.at(n)
		if i > 0 && c.e.shape(t) != c.e.shape(common) {
			return typeRef{}
		}
		common = t
	}
	return common
}

// acceptsTypes reports whether a signature may accept the type arguments of a call.
func (c *Code) acceptsTypes(s call, f *frame, args []*dts.Node) bool {
	if len(args) == 0 {
		return true
	}
	i := 0
	for p := range s.node.All(dts.TypeParam) {
		if i < len(args) {
			if k := p.Constraint(); k != nil && !s.mentionsVariable(k) {
				holds, known, _ := c.e.assignable(typeRef{node: args[i], scope: f.scope, env: f.env}, s.context.at(k))
				if known && !holds {
					return false
				}
			}
		} else if !hasDefault(p) {
			return false
		}
		i++
	}
	return len(args) <= i
}

// hasDefault reports whether a type parameter has a default.
func hasDefault(p *dts.Node) bool {
	for k := range p.Children() {
		if k.Has(dts.FlagDefault) {
			return true
		}
	}
	return false
}

// accepts reports whether a signature may accept the arguments of a call.
func (c *Code) accepts(s call, args []*dts.Expr) bool {
	if c.miscount(s, len(args)) != "" {
		return false
	}
	list := s.params()
	for i, a := range args {
		if i >= len(list) || list[i].Has(dts.FlagRest) || a.Kind != dts.ExprLiteral || a.Type.Kind != dts.Literal || list[i].Type() == nil {
			break
		}
		text, isString := literal(typeRef{node: a.Type})
		if !isString {
			break
		}
		want := cmp.Or(constraintOf(s.node, list[i].Type()), list[i].Type())
		if s.mentionsVariable(want) {
			continue
		}
		if keys, ok := c.e.keys(s.context.at(want)); ok && len(keys) > 0 && !slices.Contains(keys, text) {
			return false
		}
	}
	return true
}

// params returns the parameters of a signature, without that for this.
func (s call) params() []*dts.Node {
	return slices.DeleteFunc(params(s.node), func(p *dts.Node) bool { return p.Text == "this" })
}

// declares reports whether a signature has a type parameter with the given name.
func (s call) declares(name string) bool {
	for p := range s.node.All(dts.TypeParam) {
		if p.Text == name {
			return true
		}
	}
	return false
}

// voidable reports whether arguments may be omitted because the parameters accept void.
func (c *Code) voidable(s call, list []slot) bool {
	return !slices.ContainsFunc(list, func(p slot) bool { return p.typ.node == nil || !c.mayAcceptVoid(s, p.typ, 0) })
}

// mayAcceptVoid reports whether the type of a parameter may include void. The type parameters of the signature do not.
func (c *Code) mayAcceptVoid(s call, t typeRef, depth int) bool {
	if t.node != nil && depth < maxNesting {
		switch n := t.node; n.Kind {
		case dts.Keyword:
			return n.Text == "void"
		case dts.Literal, dts.TypeLiteral, dts.FuncType, dts.NewType, dts.Array, dts.Tuple, dts.Mapped:
			return false
		case dts.Union, dts.Paren:
			for k := range n.Children() {
				if c.mayAcceptVoid(s, t.at(k), depth+1) {
					return true
				}
			}
			return false
		case dts.Ref:
			if s.declares(n.Text) && t.env.find(n.Text) == nil {
				return false
			}
		}
	}
	parts, ok := c.e.parts(t)
	return !ok || slices.ContainsFunc(parts, func(p typeRef) bool {
		return p.node.Is(dts.Keyword) && (p.node.Text == "void" || p.node.Text == "unknown")
	})
}

// constraintOf returns the constraint of a type parameter of a signature.
func constraintOf(n, t *dts.Node) *dts.Node {
	if t.Kind != dts.Ref || t.HasArgs() {
		return nil
	}
	for p := range n.All(dts.TypeParam) {
		if p.Text == t.Text {
			return p.Constraint()
		}
	}
	return nil
}

// resultOf returns the type of the result of a signature.
func (c *Code) resultOf(s call) typeRef {
	n := s.node.Type()
	if n == nil || n.Has(dts.FlagInferred) {
		return c.inferredResult(s)
	}
	if n.Kind == dts.Predicate {
		return c.keyword("boolean")
	}
	return s.context.at(n)
}

// inferredResult infers the result of a function of the project from its body.
func (c *Code) inferredResult(s call) typeRef {
	place := c.placeOf(s.context.scope, s.node)
	if place.x == nil || place.x.Kind != dts.ExprFunc {
		return typeRef{}
	}
	t := c.body(place.f, place.x, typeRef{})
	if s.node.Child(dts.TypeParam) != nil {
		return typeRef{} // The result may depend on the type parameters.
	}
	return c.inferredIn(place.f, t)
}
