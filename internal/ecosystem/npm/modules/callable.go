package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// callInterface evaluates whether a function t extends an interface u with a call signature, such
// as Component<infer P> with (props: P & …): any. It binds "infer" only in the first parameter.
func (e *evaluator) callInterface(t, u typeRef) (holds bool, bound *env) {
	if u.sym == nil || isClass(u.sym) || u.node == nil || !u.node.HasArgs() {
		return false, nil
	}
	want, there := e.signatureOf(u)
	have, here := e.signatureOf(t)
	if want == nil || have == nil || have.Kind != dts.FuncType || required(have) > len(params(want)) {
		return false, nil
	}
	for _, p := range e.members(u.sym).props.order {
		if !p.decls[0].node.Has(dts.FlagOptional) {
			return false, nil
		}
	}
	w, h := params(want), params(have)
	if len(w) == 0 || len(h) == 0 || w[0].Type() == nil || h[0].Type() == nil {
		return false, nil
	}
	name := e.inferredAs(there.at(w[0].Type()))
	if name == "" {
		return false, nil
	}
	for a := range u.node.Args() {
		if a.Kind == dts.Infer {
			var val typeRef
			if a.Text == name {
				val = e.inside(have, here).at(h[0].Type())
			}
			bound = e.r.memo.bind(a.Text, val, bound)
		}
	}
	return true, bound
}

// takesCallback evaluates whether a function t extends a type u of the form (a: any, f: (x: infer
// X) => …) => any or (a: any, b: B<infer X>) => any. It binds "infer" to the arguments that the
// function passes to its callback, or to those of the type of its parameter.
func (e *evaluator) takesCallback(t, u typeRef) (holds bool, bound *env) {
	have, here := e.signatureOf(t)
	targetParams := params(u.node)
	if have == nil || have.Kind != dts.FuncType && have.Kind != dts.Function || required(have) > len(targetParams) {
		return false, nil
	}
	sourceParams := params(have)
	for i, p := range targetParams {
		typ := p.Type()
		if typ == nil {
			return false, nil
		}
		if isAny(typeRef{node: typ}) {
			continue
		}
		if i < len(sourceParams) && sourceParams[i].Type() != nil {
			if more := e.argumentsAs(e.inside(have, here).at(sourceParams[i].Type()), u.at(typ)); more != nil {
				bound = e.r.memo.append(more, bound)
				continue
			}
		}
		infer := typ.Child(dts.Param)
		if typ.Kind != dts.FuncType || infer == nil || infer.Type() == nil || infer.Type().Kind != dts.Infer || i >= len(sourceParams) || sourceParams[i].Type() == nil {
			return false, nil
		}
		callback, context := e.signatureOf(e.shape(e.inside(have, here).at(sourceParams[i].Type())))
		if callback == nil || callback.Child(dts.Param) == nil || callback.Child(dts.Param).Type() == nil {
			return false, nil
		}
		bound = e.r.memo.bind(infer.Type().Text, context.at(callback.Child(dts.Param).Type()), bound)
	}
	return bound != nil, bound
}

// argumentsAs binds "infer" in the type arguments of u to those of t, a reference to the same type. It
// returns nil for other types.
func (e *evaluator) argumentsAs(t, u typeRef) (bound *env) {
	a, named := e.namedBy(t)
	b, same := e.namedBy(u)
	if named == nil || named != same || a.node == nil || b.node == nil {
		return nil
	}
	for i := 0; a.node.Arg(i) != nil && b.node.Arg(i) != nil; i++ {
		if x := b.node.Arg(i); x.Kind == dts.Infer {
			bound = e.r.memo.bind(x.Text, a.at(a.node.Arg(i)), bound)
		}
	}
	return bound
}

// inferredAs returns the name that a type, or a part of an intersection,
// declares with "infer", or "" if there is none.
func (e *evaluator) inferredAs(t typeRef) string {
	switch t.node.Kind {
	case dts.Ref:
		if v, ok := t.env.get(t.node.Text); ok && v.node != nil && v.node.Kind == dts.Infer {
			return v.node.Text
		}
	case dts.Intersection:
		for c := range t.node.Children() {
			if name := e.inferredAs(t.at(c)); name != "" {
				return name
			}
		}
	}
	return ""
}

// inside returns the context of a function's parameter types. Its scope
// contains the function's type parameters and, for typeof, its parameters.
func (e *evaluator) inside(n *dts.Node, context typeRef) typeRef {
	sc := e.r.bodies[n]
	if sc == nil {
		sc = &scope{parent: context.scope, locals: newTable(), exports: newTable(), mod: context.scope.mod}
		for _, p := range params(n) {
			if p.Text != "" {
				sc.locals.set(&symbol{name: p.Text, decls: []decl{{p, sc}}})
			}
		}
		e.r.bodies[n] = sc
	}
	return typeRef{scope: sc, env: e.r.memo.append(e.opaque(decl{n, sc}), context.env)}
}

func params(n *dts.Node) (all []*dts.Node) {
	for p := range n.All(dts.Param) {
		all = append(all, p)
	}
	return all
}

// required counts the required parameters of a function.
func required(n *dts.Node) (count int) {
	for p := range n.All(dts.Param) {
		if !p.Has(dts.FlagOptional) && !p.Has(dts.FlagRest) {
			count++
		}
	}
	return count
}
