package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// typeRef is a type with its context: its node, the scope for its names, and the bindings of its
// type parameters. A typeRef without a node is an instance of sym, the literal lit, the type
// compound, or an unknown type.
type typeRef struct {
	node     *dts.Node
	scope    *scope
	env      *env
	sym      *symbol
	compound *compound
	lit      string
	isLit    bool
	readonly bool // whether the type is an array or tuple with the modifier readonly
}

func (t typeRef) unknown() bool {
	return t.node == nil && t.sym == nil && t.compound == nil && !t.isLit
}

func (t typeRef) at(n *dts.Node) typeRef { return typeRef{node: n, scope: t.scope, env: t.env} }

// env is a list of bindings of type parameters.
type env struct {
	name string
	val  typeRef
	next *env
	// free is set for an unbound type parameter. val is then its constraint.
	free bool
}

func (e *env) find(name string) *env {
	for ; e != nil; e = e.next {
		if e.name == name {
			return e
		}
	}
	return nil
}

func (e *env) get(name string) (typeRef, bool) {
	if x := e.find(name); x != nil {
		return x.val, true
	}
	return typeRef{}, false
}

// opaque binds the type parameters of a declaration to their constraints, so
// that their names do not resolve to other types.
func (e *evaluator) opaque(d decl) *env {
	if d.node.Child(dts.TypeParam) == nil {
		return nil
	}
	known, ok := e.r.memo.free[d.node]
	if !ok {
		known = opaque(d)
		e.r.memo.free[d.node] = known
	}
	return known
}

func opaque(d decl) *env {
	var out *env
	var envs []*env
	for p := range d.node.All(dts.TypeParam) {
		out = &env{name: p.Text, next: out, free: true}
		if c := p.Constraint(); c != nil {
			out.val = typeRef{node: c, scope: d.scope}
			envs = append(envs, out)
		}
	}
	for _, x := range envs {
		x.val.env = out
	}
	return out
}

// bind binds the type parameters of a declaration to the arguments of ref, which may be nil, or
// to defaults.
func (e *evaluator) bind(d decl, ref *dts.Node, context typeRef) *env {
	var out *env
	var arg *dts.Node
	i := 0
	for p := range d.node.All(dts.TypeParam) {
		var val typeRef
		if ref != nil {
			arg = ref.Arg(i)
			i++
		}
		if arg != nil {
			val = context.at(arg)
		} else {
			for c := range p.Children() {
				if c.Has(dts.FlagDefault) || val.node == nil {
					val = typeRef{node: c, scope: d.scope, env: out}
				}
			}
		}
		out = e.r.memo.bind(p.Text, val, out)
	}
	return out
}
