package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// constructed lists the instance types of a constructor value: one, or several
// for a mixin. use is the heritage clause, with its type arguments.
func (e *evaluator) constructed(t, use typeRef) []typeRef {
	if t.compound != nil {
		return e.constructedByAny(t.compound, use)
	}
	if t.node == nil || !e.enter() {
		return nil
	}
	defer e.leave()
	switch n := t.node; n.Kind {
	case dts.Paren:
		return e.constructed(t.at(n.Inner()), use)
	case dts.NewType:
		return e.returned(n, t, use)
	case dts.TypeLiteral:
		for m := range n.All(dts.NewSig) {
			return e.returned(m, t, use)
		}
	case dts.Intersection:
		var out []typeRef
		for c := range n.Children() {
			out = append(out, e.constructed(t.at(c), use)...)
		}
		return out
	case dts.TypeQuery:
		sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning))
		if sym == nil {
			return nil
		}
		if isClass(sym) {
			return []typeRef{{sym: sym, scope: t.scope}}
		}
		if v, ok := valueType(sym); ok {
			return e.constructed(v, use)
		}
	case dts.ImportType:
		sym := e.importSymbol(t)
		switch {
		case sym == nil:
		case n.Has(dts.FlagTypeof) && isClass(sym):
			return []typeRef{{sym: sym, scope: t.scope}}
		case n.Has(dts.FlagTypeof):
			if v, ok := valueType(sym); ok {
				return e.constructed(v, use)
			}
		default:
			return e.constructedBy(sym, t, n, use)
		}
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return e.constructed(v, use)
		}
		return e.constructedBy(e.r.target(e.r.entity(t.scope, n.Text, typeMeaning)), t, n, use)
	case dts.Indexed, dts.Conditional:
		parts, _ := e.parts(t)
		return e.constructedByAny(&compound{parts: parts}, use)
	}
	return nil
}

// constructors lists the construct signatures of a value.
func (e *evaluator) constructors(value typeRef, depth int) []decl {
	operand := e.shape(value)
	if depth > maxNesting {
		return nil
	}
	var out []decl
	switch {
	case operand.sym != nil && !isClass(operand.sym):
		for _, u := range e.members(operand.sym).unnamed {
			if u.decls[0].node.Kind == dts.NewSig {
				out = append(out, u.decls...)
			}
		}
	case operand.node == nil:
	case operand.node.Kind == dts.NewType:
		out = append(out, decl{operand.node, operand.scope})
	case operand.node.Kind == dts.TypeLiteral:
		for m := range operand.node.All(dts.NewSig) {
			out = append(out, decl{m, operand.scope})
		}
	case operand.node.Kind == dts.Intersection:
		for c := range operand.node.Children() {
			out = append(out, e.constructors(operand.at(c), depth+1)...)
		}
		// The constructor of a mixin takes any arguments and passes them on, so use
		// the other constructors if there are any.
		if named := slices.DeleteFunc(slices.Clone(out), func(d decl) bool { return d.node.Child(dts.Param) != nil && takesAnything(d.node) }); len(named) > 0 {
			out = named
		}
	case operand.node.Kind == dts.TypeQuery || operand.node.Kind == dts.ImportType && operand.node.Has(dts.FlagTypeof):
		sym := e.r.target(e.r.entity(operand.scope, operand.node.Text, valueMeaning))
		if operand.node.Kind == dts.ImportType {
			sym = e.importSymbol(operand)
		}
		if sym == nil || !isClass(sym) {
			break
		}
		for _, u := range e.members(sym).unnamed {
			if u.decls[0].node.Kind == dts.Constructor {
				out = append(out, u.decls...)
			}
		}
	}
	return out
}

// constructedByAny is like constructed, for unions and intersections. For a union, it
// uses the first part that has instances; for an intersection, it uses all parts.
func (e *evaluator) constructedByAny(c *compound, use typeRef) []typeRef {
	var out []typeRef
	for _, p := range c.parts {
		if out = append(out, e.constructed(p, use)...); !c.all && len(out) > 0 {
			break
		}
	}
	return out
}

// constructedBy is like constructed, for a named type.
func (e *evaluator) constructedBy(sym *symbol, t typeRef, ref *dts.Node, use typeRef) []typeRef {
	if sym == nil {
		return nil
	}
	for _, d := range sym.decls {
		in := typeRef{scope: d.scope, env: e.bind(d, ref, t)}
		switch d.node.Kind {
		case dts.TypeAlias:
			return e.constructed(in.at(d.node.Type()), use)
		case dts.Interface:
			for m := range d.node.All(dts.NewSig) {
				return e.returned(m, in, use)
			}
			if h := d.node.Child(dts.Extends); h != nil {
				for b := range h.Children() {
					if out := e.constructed(in.at(b), use); out != nil {
						return out
					}
				}
			}
		}
	}
	return nil
}

// returned lists the types that a construct signature returns, with its type
// parameters bound to the arguments of the extending class.
func (e *evaluator) returned(n *dts.Node, t, use typeRef) []typeRef {
	result := n.Type()
	if result == nil {
		return nil
	}
	in := t
	if hasQuery(result) {
		in.scope = e.inside(n, t).scope // The result may refer to the parameters.
	}
	in.env = e.r.memo.append(e.bind(decl{n, t.scope}, use.node, use), t.env)
	return []typeRef{in.at(result)}
}

// called returns the type of the call in class C extends F(A, B). It returns
// false if the type cannot be found.
func (e *evaluator) called(t typeRef) (typeRef, bool) {
	callee := t.node.Callee()
	if callee == nil || callee.Kind != dts.Ref || !e.enter() {
		return typeRef{}, false
	}
	defer e.leave()
	sym := e.r.target(e.r.entity(t.scope, callee.Text, valueMeaning))
	if sym == nil {
		e.r.warn("members inherited from %s are omitted because that type was not found", callee.Text)
		return typeRef{}, false
	}
	n, context := e.functionOf(sym, t)
	if n == nil || n.Type() == nil {
		return typeRef{}, false
	}
	f := decl{n, context.scope}
	inferred := e.bind(f, callee, t)
	if !callee.HasArgs() {
		inferred = e.argued(f, t, inferred)
	}
	context.env = e.r.memo.append(inferred, context.env)
	return context.at(n.Type()), true
}

// functionOf returns the signature of a function that has as many parameters as
// the call has arguments, or else its first signature. It returns nil if there is
// none.
func (e *evaluator) functionOf(sym *symbol, call typeRef) (*dts.Node, typeRef) {
	args := 0
	for range call.node.CallArgs() {
		args++
	}
	var first *dts.Node
	var context typeRef
	for _, d := range sym.decls {
		if d.node.Kind != dts.Function && d.node.Kind != dts.Method {
			continue
		}
		params := 0
		for p := range d.node.All(dts.Param) {
			if params++; p.Has(dts.FlagRest) {
				params = max(params, args)
			}
		}
		if first == nil || params >= args {
			first, context = d.node, typeRef{scope: d.scope}
		}
		if params >= args {
			return first, context
		}
	}
	if first != nil {
		return first, context
	}
	if v, ok := valueType(sym); ok {
		return e.signatureOf(e.shape(v))
	}
	return nil, context
}

// argued adds bindings to inferred: the type parameters of a function are bound to
// the types of a call's arguments, if a parameter's type is just a type
// parameter.
func (e *evaluator) argued(f decl, call typeRef, inferred *env) *env {
	args := slices.Collect(call.node.CallArgs())
	for p := range f.node.All(dts.Param) {
		if len(args) == 0 {
			break
		}
		if want := p.Type(); want != nil && want.Kind == dts.Ref && !want.HasArgs() && inferred.find(want.Text) != nil {
			if v, ok := e.argument(call.at(args[0])); ok {
				inferred = e.r.memo.bind(want.Text, v, inferred)
			}
		}
		args = args[1:]
	}
	return inferred
}

// argument returns the type of an argument that is a name or another call. It
// returns false for other arguments and if the type is unknown.
func (e *evaluator) argument(t typeRef) (typeRef, bool) {
	switch t.node.Kind {
	case dts.Ref:
		return typeRef{node: &dts.Node{Kind: dts.TypeQuery, Text: t.node.Text, Pos: t.node.Pos}, scope: t.scope}, true
	case dts.Expression:
		return e.called(t)
	}
	return typeRef{}, false
}
