package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// constructed lists the types of which new makes instances: one, or several
// for a mixin, whose instances are all of them. use is where the value is
// extended, with its type arguments.
func (e *evaluator) constructed(t, use typeRef) []typeRef {
	if t.node == nil || !e.enter() {
		return nil
	}
	defer e.leave()
	switch n := t.node; n.Kind {
	case dts.Paren:
		return e.constructed(t.at(n.First), use)
	case dts.NewType:
		return e.returned(n, t, use)
	case dts.TypeLiteral:
		for m := range n.All(dts.NewSig) {
			return e.returned(m, t, use)
		}
	case dts.Intersection:
		var out []typeRef
		for c := n.First; c != nil; c = c.Next {
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
		default:
			return e.constructedBy(sym, t, n.First.Next, use)
		}
	case dts.Ref:
		if v, ok := t.env.get(n.Text); ok {
			return e.constructed(v, use)
		}
		return e.constructedBy(e.r.target(e.r.entity(t.scope, n.Text, typeMeaning)), t, n.First, use)
	case dts.Indexed:
		if v, ok := e.indexed(t); ok {
			return e.constructed(v, use)
		}
	case dts.Conditional:
		if b, ok := e.branch(t); ok {
			return e.constructed(b, use)
		}
	}
	return nil
}

// constructedBy is constructed for a named type.
func (e *evaluator) constructedBy(sym *symbol, t typeRef, args *dts.Node, use typeRef) []typeRef {
	if sym == nil {
		return nil
	}
	for _, d := range sym.decls {
		in := typeRef{scope: d.scope, env: bind(d, args, t)}
		switch d.node.Kind {
		case dts.TypeAlias:
			return e.constructed(in.at(d.node.Type()), use)
		case dts.Interface:
			for m := range d.node.All(dts.NewSig) {
				return e.returned(m, in, use)
			}
			if h := d.node.Child(dts.Extends); h != nil {
				for b := h.First; b != nil; b = b.Next {
					if out := e.constructed(in.at(b), use); out != nil {
						return out
					}
				}
			}
		}
	}
	return nil
}

// returned is what a construct signature returns, with its own type parameters
// bound to the arguments of the class that extends it.
func (e *evaluator) returned(n *dts.Node, t, use typeRef) []typeRef {
	result := n.Type()
	if result == nil {
		return nil
	}
	in := t
	in.env = appendEnv(bind(decl{n, t.scope}, use.node.First, use), t.env)
	return []typeRef{in.at(result)}
}
