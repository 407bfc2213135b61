package modules

import (
	"iter"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// instance lists the members of a class or interface with the type arguments of
// a reference.
func (e *evaluator) instance(t typeRef) *memberList {
	l := e.members(t.sym)
	if t.node == nil || !t.node.HasArgs() {
		return l
	}
	bound := func(all []*prop) []*prop {
		out := make([]*prop, len(all))
		for i, p := range all {
			out[i] = p
			if env := e.envOf(p, t); env.bindsAny() {
				instance := *p
				instance.env, instance.rendered = env, renderedMember{}
				out[i] = &instance
			}
		}
		return out
	}
	return &memberList{props: props{order: bound(e.instanceProps(t.sym, t, t.node).order)}, unnamed: bound(l.unnamed)}
}

// instanceProps evaluates the properties of a class or interface with type arguments.
// These are the properties that it always has and, if it extends a type parameter as
// in interface Base<T> extends T, the properties of the type argument.
func (e *evaluator) instanceProps(sym *symbol, context typeRef, ref *dts.Node) props {
	l := e.members(sym)
	if !ref.HasArgs() || !e.extendsParameter(sym) {
		return l.props
	}
	var bound memberList
	for _, d := range sym.decls {
		in := typeRef{scope: d.scope, env: e.bind(d, ref, context)}
		for b := range bases(d) {
			for _, t := range e.baseTypes(in.at(b), d.node.Kind) {
				more, _ := e.props(t)
				bound.inherit(&bound.props, more, l.private)
			}
		}
	}
	all := props{open: l.props.open || bound.props.open, empty: (l.props.empty || !l.props.open) && (bound.props.empty || !bound.props.open)}
	for _, p := range l.props.order {
		if b := bound.props.get(p.name); b != nil && p.owner != sym {
			p = b
		}
		all.add(p)
	}
	for _, p := range bound.props.order {
		if all.get(p.name) == nil {
			all.add(p)
		}
	}
	return all
}

// bases yields the names that a class or interface extends.
func bases(d decl) iter.Seq[*dts.Node] {
	return func(yield func(*dts.Node) bool) {
		h := d.node.Child(dts.Extends)
		if h == nil || d.node.Kind != dts.Class && d.node.Kind != dts.Interface {
			return
		}
		for b := range h.Children() {
			if b.Kind == dts.Ref && !yield(b) {
				return
			}
		}
	}
}

// baseTypes lists the types that a base represents: the base itself or, if a class extends a value,
// the types of the instances that its constructors create.
func (e *evaluator) baseTypes(base typeRef, kind dts.Kind) []typeRef {
	if kind == dts.Interface {
		return []typeRef{base}
	}
	value := e.r.target(e.r.entity(base.scope, base.node.Text, valueMeaning))
	if value == nil || isClass(value) {
		return []typeRef{base}
	}
	v, ok := valueType(value)
	if !ok {
		return nil
	}
	return e.constructed(v, base)
}

// extendsParameter reports whether the bases of a class or interface, or their own
// bases, depend on type parameters other than as the arguments of classes and
// interfaces.
func (e *evaluator) extendsParameter(sym *symbol) bool {
	known, ok := e.r.memo.dynamic[sym]
	if ok || !e.enter() {
		return known
	}
	defer e.leave()
	e.r.memo.dynamic[sym] = false // This ends the recursion if the class extends itself.
	for _, d := range sym.decls {
		for b := range bases(d) {
			known = known || e.dependsOnParameter(d, b)
		}
	}
	e.r.memo.dynamic[sym] = known
	return known
}

func (e *evaluator) dependsOnParameter(d decl, base *dts.Node) bool {
	for p := range d.node.All(dts.TypeParam) {
		if p.Text == base.Text {
			return true
		}
	}
	if !base.HasArgs() || utility(base.Text) {
		return false
	}
	want := typeMeaning
	if d.node.Kind == dts.Class {
		want = valueMeaning
	}
	sym := e.r.target(e.r.entity(d.scope, base.Text, want))
	if sym == nil {
		return false
	}
	for _, of := range sym.decls {
		if of.node.Kind == dts.Class || of.node.Kind == dts.Interface {
			return e.extendsParameter(sym)
		}
	}
	return d.node.Child(dts.TypeParam) != nil
}
