package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// maxArguments is greater than the number of arguments of a call.
const maxArguments = 1 << 20

// variables are the type parameters of a signature during a call.
type variables struct {
	params []*dts.Node
	scope  *scope // of their constraints and defaults
	names  []string
	given  bool // whether the call has type arguments
	args   int  // the number of arguments, or maxArguments if it is not known
	// found contains the types that arguments have in place of a parameter, and taken those that functions among the arguments
	// declare for their own parameters.
	found, taken map[string][]typeRef
	// context contains the types that the context of the call requires.
	context map[string]typeRef
	unsure  map[string]bool
	// contextual contains the parameters that the context does not determine although the result has a required type.
	contextual map[string]bool

	partial bool // whether unknown types tell nothing, instead of making a parameter unknown
	steps   int  // number of compared nodes
}

func newVariables(params []*dts.Node, scope *scope) *variables {
	v := &variables{params: params, scope: scope, args: maxArguments}
	for _, p := range params {
		v.names = append(v.names, p.Text)
	}
	if len(params) > 0 {
		v.found, v.taken, v.context, v.unsure = map[string][]typeRef{}, map[string][]typeRef{}, map[string]typeRef{}, map[string]bool{}
		v.contextual = map[string]bool{}
	}
	return v
}

// typeParams returns the type parameters of a signature, with the type arguments of a call.
func (c *Code) typeParams(s call, f *frame, args []*dts.Node) *variables {
	v := newVariables(slices.Collect(s.node.All(dts.TypeParam)), s.context.scope)
	v.given = len(args) > 0
	for i, name := range v.names {
		if i < len(args) {
			v.found[name] = []typeRef{{node: args[i], scope: f.scope, env: f.env}}
		}
	}
	return v
}

// spoil makes the types of parameters unknown.
func (v *variables) spoil(names []string) {
	for _, name := range names {
		v.unsure[name] = true
	}
}

// hasCandidate reports whether something determines the type of a parameter, or makes it unknown.
func (v *variables) hasCandidate(name string) bool {
	return v.unsure[name] || len(v.found[name])+len(v.taken[name]) > 0 || !v.context[name].unknown()
}

// expect compares the type of the result with the one that the context requires. It determines the parameters on which the
// arguments do not depend.
func (v *variables) expect(c *Code, result, want typeRef) {
	if want.unknown() || result.unknown() || len(v.names) == 0 {
		return
	}
	inner := newVariables(v.params, v.scope)
	inner.partial = true
	c.infer(result, want, inner, 0)
	for _, name := range inner.names {
		switch found, taken := inner.found[name], inner.taken[name]; {
		case !inner.unsure[name] && len(found) == 1:
			v.context[name] = found[0]
		case !inner.unsure[name] && len(found) == 0 && len(taken) == 1:
			v.context[name] = taken[0]
		default:
			v.contextual[name] = true
		}
	}
}

// with returns a signature whose type parameters are bound to what is known about them. final is true if all arguments that
// determine them were compared: the others then have their defaults or constraints.
func (c *Code) with(s call, v *variables, final bool) call {
	if len(v.names) == 0 {
		return s
	}
	env := s.context.env
	for _, p := range v.params {
		var t typeRef
		name := p.Text
		switch {
		case v.unsure[name]:
		case len(v.found[name]) > 0:
			t = unionOf(v.found[name])
		case len(v.taken[name]) == 1:
			t = v.taken[name][0]
		case len(v.taken[name]) > 1:
		case !v.context[name].unknown():
			t = v.context[name]
		case v.contextual[name]: // The context may determine it in a way that is not understood.
		case final || v.given || !mentions(s.node, name, v.args):
			for k := range p.Children() {
				if k.Has(dts.FlagDefault) || t.node == nil && !v.given {
					t = typeRef{node: k, scope: v.scope, env: env}
				}
			}
		}
		env = c.r.memo.bind(name, t, env)
	}
	s.context.env = env
	return s
}

// instanceNode returns the type of the instances of a generic class in its own terms.
func instanceNode(sym *symbol, params []*dts.Node) *dts.Node {
	n := &dts.Node{Kind: dts.Ref, Text: sym.name}
	var list []*dts.Node
	for _, p := range params {
		list = append(list, &dts.Node{Kind: dts.Ref, Text: p.Text})
	}
	n.SetChildren(list...)
	return n
}

// arguments evaluates the arguments of a call and infers the type parameters of the signatures that may accept them. As in
// the compiler, functions whose parameters have no types come last, because the other arguments may determine these. It
// returns the types of the arguments and the signatures that remain. closed reports whether an argument can have only the
// fields of its type.
func (c *Code) arguments(f *frame, candidates []call, bound []*variables, given bool, args []*dts.Expr, closed func(i int) bool) ([]typeRef, []call, []*variables) {
	types := make([]typeRef, len(args))
	spread := slices.ContainsFunc(args, func(a *dts.Expr) bool { return a.Kind == dts.ExprSpread })
	if spread {
		for _, v := range bound {
			v.spoil(v.names)
		}
	}
	for _, late := range [...]bool{false, true} {
		if late && !spread {
			candidates, bound = c.prune(candidates, bound, types, args)
		}
		for i, a := range args {
			if dependsOnContext(a) != late {
				continue
			}
			if a.Kind == dts.ExprSpread {
				c.all(f, a.List)
				continue
			}
			if spread {
				types[i] = c.expr(f, a, typeRef{})
				continue
			}
			if late && !given && a.Kind == dts.ExprObject && !spreads(a) {
				c.fields(f, a, i, candidates, bound)
			}
			context := c.context(candidates, bound, late, func(s call) typeRef { return c.parameter([]call{s}, i, false) })
			if a.Kind == dts.ExprArray && !given {
				if constraint := c.tupleConstraint(candidates[0], i); !constraint.unknown() {
					context = constraint
				}
			}
			if !context.unknown() {
				switch {
				case given || !slices.ContainsFunc(candidates, func(s call) bool { return c.generic(s, i) }):
					f.mark(a)
				case closed(i):
					f.markFields(a)
				}
			}
			types[i] = c.expr(f, a, context)
			for k, s := range candidates {
				if given {
					break
				}
				p := c.parameter([]call{s}, i, false)
				if list := s.params(); p.unknown() && len(list) > 0 {
					if c.restVariable(s, bound[k]) != "" && i >= len(list)-1 {
						continue
					}
					bound[k].spoil(c.variablesIn(s.context.at(list[min(i, len(list)-1)]), bound[k], 0))
					continue
				}
				if late {
					c.fix(s, p, bound[k], a)
				}
				c.infer(p, types[i], bound[k], 0)
			}
		}
	}
	for k, s := range candidates {
		if name, first := c.restVariable(s, bound[k]), len(s.params())-1; name == "" || given || spread {
		} else if rest := types[min(first, len(types)):]; slices.ContainsFunc(rest, typeRef.unknown) {
			bound[k].unsure[name] = true
		} else {
			bound[k].found[name] = append(bound[k].found[name], c.tuple(rest))
		}
	}
	return types, candidates, bound
}

// tupleConstraint returns the constraint of the type parameter that a parameter has as its type if the constraint makes arrays
// tuples, as in f<T extends unknown[] | []>(values: T).
func (c *Code) tupleConstraint(s call, i int) typeRef {
	list := s.params()
	if i >= len(list) || list[i].Type() == nil || list[i].Has(dts.FlagRest) {
		return typeRef{}
	}
	constraint := constraintOf(s.node, list[i].Type())
	if constraint == nil || s.mentionsVariable(constraint) || !c.allowsTuple(s.context.at(constraint)) {
		return typeRef{}
	}
	return s.context.at(constraint)
}

// restVariable returns the name of the type parameter that is the type of a rest parameter, as in f(...values: T).
func (c *Code) restVariable(s call, v *variables) string {
	list := s.params()
	if len(list) == 0 || !list[len(list)-1].Has(dts.FlagRest) {
		return ""
	}
	t := list[len(list)-1].Type()
	if t == nil || t.Kind != dts.Ref || !slices.Contains(v.names, t.Text) || s.context.env.find(t.Text) != nil {
		return ""
	}
	return t.Text
}

// context returns the type that a part of an argument has to have according to the signatures that may be called.
func (c *Code) context(candidates []call, bound []*variables, final bool, part func(s call) typeRef) typeRef {
	var want []typeRef
	for k, s := range candidates {
		p := part(c.with(s, bound[k], final))
		if p.unknown() {
			return p
		}
		if !slices.Contains(want, p) {
			want = append(want, p)
		}
	}
	if len(want) == 0 {
		return typeRef{}
	}
	return unionOf(want)
}

// fields infers type parameters from the fields of an argument that is an object literal, so that some of its fields determine
// the parameters of functions in others.
func (c *Code) fields(f *frame, x *dts.Expr, i int, candidates []call, bound []*variables) {
	for _, late := range [...]bool{false, true} {
		for _, p := range x.List {
			if p.Kind != dts.ExprProp || p.Text == "" || len(p.List) == 0 || dependsOnContext(p.List[0]) != late {
				continue
			}
			field := func(s call) typeRef {
				t, _ := c.member(c.parameter([]call{s}, i, false), p.Text)
				return t
			}
			t := c.field(f, p, c.context(candidates, bound, late, field))
			for k, s := range candidates {
				if q := field(s); !q.unknown() {
					if late {
						c.fix(s, q, bound[k], p.List[0])
					}
					c.infer(q, t, bound[k], 0)
				}
			}
		}
	}
}

// fix determines the type parameters that the parameters of a function in the arguments have if nothing else did before.
func (c *Code) fix(s call, p typeRef, v *variables, x *dts.Expr) {
	if x.Kind != dts.ExprFunc || len(v.names) == 0 {
		return
	}
	env := c.with(s, v, true).context.env
	for _, f := range c.signatures(p) {
		for i, q := range f.params() {
			if i >= len(x.List)-1 || q.Type() == nil || x.List[i+1].Type.Type() != nil && !x.List[i+1].Type.Type().Has(dts.FlagInferred) {
				continue
			}
			for _, name := range c.variablesIn(f.context.at(q.Type()), v, 0) {
				if v.hasCandidate(name) {
					continue
				}
				if t, _ := env.get(name); t.unknown() {
					v.unsure[name] = true
				} else {
					v.found[name] = []typeRef{t}
				}
			}
		}
	}
}

// dependsOnContext reports whether an expression contains a function with parameters whose types the context determines.
func dependsOnContext(x *dts.Expr) bool {
	if x == nil {
		return false
	}
	switch x.Kind {
	case dts.ExprFunc:
		return slices.ContainsFunc(x.List[1:], func(p *dts.Expr) bool {
			return p.Type.Type() == nil || p.Type.Type().Has(dts.FlagInferred)
		})
	case dts.ExprObject, dts.ExprArray, dts.ExprProp, dts.ExprConditional:
		return slices.ContainsFunc(x.List, dependsOnContext)
	}
	return false
}

// generic reports whether the type of a parameter contains type parameters of the signature.
func (c *Code) generic(s call, i int) bool {
	list := s.params()
	if i >= len(list) {
		return true
	}
	return s.mentionsVariable(list[i])
}

// mentionsVariable reports whether a type contains the name of a type parameter of the signature.
func (s call) mentionsVariable(n *dts.Node) bool {
	for v := range s.node.All(dts.TypeParam) {
		if contains(n, v.Text) {
			return true
		}
	}
	return false
}

// inferredFrom reports whether the type of a parameter may be inferred from the fields of the argument, so that it has all of
// them.
func (c *Code) inferredFrom(s call, i int) bool {
	list := s.params()
	if i >= len(list) || list[i].Has(dts.FlagRest) || list[i].Type() == nil {
		return true
	}
	return c.mayHaveAny(s.context.at(list[i].Type()), 0)
}

// mayHaveAny reports whether a type may have any fields, depending on type arguments that are not known.
func (c *Code) mayHaveAny(t typeRef, depth int) bool {
	if t.node == nil || depth > maxNesting || !c.r.check() {
		return true
	}
	switch n := t.node; n.Kind {
	case dts.Union, dts.Intersection:
		for k := range n.Children() {
			if c.mayHaveAny(t.at(k), depth+1) {
				return true
			}
		}
		return false
	case dts.Paren:
		return c.mayHaveAny(t.at(n.Inner()), depth+1)
	case dts.Mapped:
		return n.Mapping().As != nil || !isLiterals(c.e.shape(t.at(n.Mapping().Keys)))
	case dts.TypeLiteral, dts.FuncType, dts.Keyword, dts.Literal, dts.Array:
		return false
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return c.mayHaveAny(v, depth+1)
		}
		sym := c.r.target(c.r.entity(t.scope, n.Text, typeMeaning))
		if sym == nil {
			return true // It may be a type parameter.
		}
		for _, d := range sym.decls {
			if d.node.Kind == dts.TypeAlias {
				return c.mayHaveAny(typeRef{node: d.node.Type(), scope: d.scope, env: c.e.bind(d, n, t)}, depth+1)
			}
		}
		return !isClassOrInterface(sym) || c.e.extendsParameter(sym)
	}
	return true
}
