package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// parameters binds "infer" in (x: infer X) => … to the parameter types of
// functions, or to the intersection of these if there are several. It returns
// false if the types are unknown.
func (e *evaluator) parameters(t, u typeRef) (bool, *env) {
	p := u.node.Child(dts.Param)
	if p == nil || p.Type() == nil {
		return false, nil
	}
	want := e.shape(u.at(p.Type()))
	if want.node == nil || want.node.Kind != dts.Infer {
		return false, nil
	}
	if p.Has(dts.FlagRest) {
		return e.list(t, u, want.node.Text)
	}
	parts, ok := e.parts(t)
	if !ok || len(parts) == 0 {
		return false, nil
	}
	var all []typeRef
	for _, f := range parts {
		n, context := e.signatureOf(f)
		if u.node.Kind == dts.NewType {
			n, context = e.constructorOf(f)
		}
		if n == nil {
			return false, nil
		}
		q := n.Child(dts.Param)
		if q == nil {
			continue // a function with fewer parameters is assignable to a function with more
		}
		if q.Type() == nil || q.Has(dts.FlagRest) {
			return false, nil
		}
		all = append(all, e.erased(n, context).at(q.Type()))
	}
	if len(all) == 0 {
		return true, e.r.memo.bind(want.node.Text, typeRef{}, nil)
	}
	return true, e.r.memo.bind(want.node.Text, allOf(all), nil)
}

// erased binds the type parameters of a signature to their constraints or, without a constraint, to
// unknown, as TypeScript does when it infers from a generic function.
func (e *evaluator) erased(n *dts.Node, context typeRef) typeRef {
	for p := range n.All(dts.TypeParam) {
		val := typeRef{node: unknownNode}
		if c := p.Constraint(); c != nil {
			val = context.at(c)
		}
		context.env = e.r.memo.bind(p.Text, val, context.env)
	}
	return context
}

var unknownNode = &dts.Node{Kind: dts.Keyword, Text: "unknown"}

// list binds "infer" in (...list: infer X) => … to a tuple of a function's
// parameters. It returns false if these are unknown.
func (e *evaluator) list(t, u typeRef, name string) (bool, *env) {
	f := e.shape(t)
	n, context := e.signatureOf(f)
	if u.node.Kind == dts.NewType {
		n, context = e.constructorOf(f)
	}
	if n == nil {
		return false, nil
	}
	tuple := e.r.memo.lists[n]
	if tuple == nil {
		var members []*dts.Node
		for p := range n.All(dts.Param) {
			if p.Text == "this" {
				continue
			}
			m := &dts.Node{Kind: dts.TupleMember, Text: p.Text, Flags: p.Flags & (dts.FlagOptional | dts.FlagRest), Pos: p.Pos}
			if m.SetChildren(p.Type()); !m.HasChildren() {
				m.SetChildren(dts.New(dts.Keyword, "any"))
			}
			members = append(members, m)
		}
		tuple = dts.New(dts.Tuple, "", members...)
		tuple.Pos = n.Pos
		e.r.memo.lists[n] = tuple
	}
	bound := e.r.memo.bind(name, e.erased(n, e.inside(n, context)).at(tuple), nil)
	return true, e.r.memo.append(e.result(t, u), bound)
}

// signatureOf returns the last call signature of a type and its context. The
// signature is nil if there is none.
func (e *evaluator) signatureOf(t typeRef) (*dts.Node, typeRef) {
	if t.sym != nil {
		for _, u := range e.members(t.sym).unnamed {
			if d := u.decls[len(u.decls)-1]; d.node.Kind == dts.CallSig {
				return d.node, typeRef{scope: d.scope, env: e.envOf(u, t)}
			}
		}
		return nil, t
	}
	if t.node == nil {
		return nil, t
	}
	switch n := t.node; n.Kind {
	case dts.FuncType, dts.Method, dts.Function:
		return n, t
	case dts.TypeLiteral:
		if c := lastChild(n, dts.CallSig); c != nil {
			return c, t
		}
	case dts.TypeQuery:
		if sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning)); sym != nil {
			for _, d := range slices.Backward(sym.decls) {
				if d.node.Kind == dts.Function || d.node.Kind == dts.Method {
					return d.node, typeRef{scope: d.scope, env: e.opaque(d)}
				}
			}
		}
	}
	return nil, t
}

// lastChild returns the last child of a kind. In types that TypeScript infers from overloads, the last one counts.
func lastChild(n *dts.Node, kind dts.Kind) (last *dts.Node) {
	for c := range n.All(kind) {
		last = c
	}
	return last
}

// constructorOf returns the last construct signature of a type and its context. The
// signature is nil if there is none.
func (e *evaluator) constructorOf(t typeRef) (*dts.Node, typeRef) {
	if t.node == nil {
		return nil, t
	}
	sym := t.sym
	switch n := t.node; n.Kind {
	case dts.NewType:
		return n, t
	case dts.TypeLiteral:
		return lastChild(n, dts.NewSig), t
	case dts.TypeQuery:
		if sym = e.r.target(e.r.entity(t.scope, n.Text, valueMeaning)); sym == nil || !isClass(sym) {
			return nil, t
		}
		t = typeRef{node: &dts.Node{Kind: dts.Ref, Text: n.Text}, scope: t.scope, sym: sym}
	}
	if sym == nil {
		return nil, t
	}
	for _, u := range e.members(sym).unnamed {
		if all := visible(u.decls); len(all) > 0 && (all[0].node.Kind == dts.Constructor || all[0].node.Kind == dts.NewSig) {
			d := all[len(all)-1]
			return d.node, typeRef{scope: d.scope, env: e.envOf(u, t)}
		}
	}
	return nil, t
}

// result binds "infer" in the result of a function or constructor type. It
// returns nil if the result is not "infer".
func (e *evaluator) result(t, u typeRef) *env {
	want := u.node.Type()
	if want == nil {
		return nil
	}
	w := e.shape(u.at(want))
	if w.node == nil || w.node.Kind != dts.Infer {
		if !isAny(w) && (w.node == nil || w.node.Kind != dts.Keyword || w.node.Text != "unknown") {
			e.guesses++
		}
		return nil
	}
	var val typeRef
	if u.node.Kind == dts.NewType {
		if parts := e.constructed(t, typeRef{node: &dts.Node{Kind: dts.Ref}}); len(parts) > 0 {
			val = allOf(parts)
		}
	} else if n, context := e.signatureOf(t); n != nil && n.Type() != nil {
		val = e.erased(n, context).at(n.Type())
	}
	return e.r.memo.bind(w.node.Text, val, nil)
}

// matchArgs binds "infer" in the type arguments of u to the type arguments of t,
// which is the same generic type. It returns nil if none of the arguments is
// "infer".
func (e *evaluator) matchArgs(t, u typeRef) *env {
	var bound *env
	args := slices.Collect(t.node.Args())
	for b := range u.node.Args() {
		if len(args) == 0 {
			break
		}
		if b.Kind == dts.Infer {
			bound = e.r.memo.bind(b.Text, t.at(args[0]), bound)
		}
		args = args[1:]
	}
	return bound
}

// matchProps compares the properties of t with those of u, and binds "infer" in
// their types.
func (e *evaluator) matchProps(t, u typeRef, have, want props) (holds, known bool, bound *env) {
	known = true
	if u.node.Kind != dts.TypeLiteral {
		return !e.contradict([]typeRef{t, u}, map[typeRef]map[string][]string{}), true, nil
	}
	if i := u.node.Child(dts.IndexSig); i != nil {
		if e.lacksIndex(t, u.at(i)) {
			return false, true, nil
		}
		bound = e.matchIndex(t, u.at(i), have)
	}
	for _, w := range want.order {
		typ, h := w.decls[0].node.Type(), have.get(w.name)
		if n := w.decls[0].node; n.Kind == dts.Method {
			typ = asFuncType(n)
		}
		if typ != nil && h == nil {
			bound = e.uninferred(typ, bound)
		}
		if typ == nil || h == nil {
			continue
		}
		got, ok := e.propType(t, h)
		if !ok {
			e.guesses++
			continue
		}
		if w.optional() && isUndefined(got) {
			continue
		}
		switch holds, sure, more := e.assignable(got, u.at(typ)); {
		case sure && !holds:
			return false, true, nil
		case sure:
			bound = e.candidates(more, bound)
		default:
			e.guesses++
			known = known && typ.Kind != dts.Literal
		}
	}
	return known, known, bound
}

// lacksIndex reports whether an interface or class without an index signature is not assignable to an index signature. All
// objects are assignable to one for any.
func (e *evaluator) lacksIndex(t, index typeRef) bool {
	want := index.node.Type()
	if want == nil || infers(want) || isAny(e.shape(index.at(want))) || t.sym == nil || !isClassOrInterface(t.sym) {
		return false
	}
	l := e.members(t.sym)
	return !l.incomplete && !slices.ContainsFunc(l.unnamed, func(u *prop) bool { return u.decls[0].node.Kind == dts.IndexSig })
}

// uninferred binds "infer" in the type of an optional property that an object lacks to unknown, as TypeScript does.
func (e *evaluator) uninferred(n *dts.Node, bound *env) *env {
	if n.Kind == dts.Infer && bound.find(n.Text) == nil {
		return e.r.memo.bind(n.Text, typeRef{node: unknownNode}, bound)
	}
	if n.Kind == dts.Union {
		for c := range n.Children() {
			bound = e.uninferred(c, bound)
		}
	}
	return bound
}

// candidates adds the bindings of "infer" from one property to those from other properties. A name
// that several properties bind becomes the union of their types.
func (e *evaluator) candidates(more, bound *env) *env {
	for x := more; x != nil; x = x.next {
		val := x.val
		if known := bound.find(x.name); known != nil && !known.val.unknown() && known.val != val {
			if val = known.val; !x.val.unknown() {
				val = unionOf([]typeRef{known.val, x.val})
			}
		}
		bound = e.r.memo.bind(x.name, val, bound)
	}
	return bound
}

// matchIndex binds { [name: string]: infer X } to the union of all property
// types. It returns nil if the type of the index is not "infer".
func (e *evaluator) matchIndex(t, index typeRef, have props) *env {
	want := index.node.Type()
	if want == nil || want.Kind != dts.Infer {
		return nil
	}
	all := make([]typeRef, 0, len(have.order))
	for _, h := range have.order {
		if got, ok := e.propType(t, h); ok {
			all = append(all, got)
		}
	}
	return e.r.memo.bind(want.Text, unionOf(all), nil)
}
