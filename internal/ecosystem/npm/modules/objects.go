package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// objectExtends evaluates extends for a type with properties.
func (e *evaluator) objectExtends(t, u typeRef) (holds, known bool, bound *env) {
	if u.node == nil {
		return false, true, nil
	}
	calls, makes := e.callable(t)
	switch n := u.node; n.Kind {
	case dts.Keyword:
		return n.Text == "object", true, nil
	case dts.Literal:
		return false, true, nil
	case dts.FuncType:
		if calls && !takesAnything(n) {
			holds, bound := e.takesCallback(t, u)
			return holds, holds, bound
		}
		return calls, true, e.result(t, u)
	case dts.NewType:
		if makes && !takesAnything(n) {
			return false, false, nil
		}
		return makes, true, e.result(t, u)
	case dts.Intersection:
		var parts []typeRef
		for c := range n.Children() {
			parts = append(parts, u.at(c))
		}
		return e.extendsEvery(t, parts)
	case dts.TypeLiteral:
		if n.Child(dts.NewSig) != nil && !makes || n.Child(dts.CallSig) != nil && !calls {
			return false, true, nil
		}
	case dts.Array, dts.Tuple:
		return e.arrayExtends(t, u)
	case dts.Ref, dts.ImportType:
		if u.sym != nil && u.sym == t.sym {
			if t.node == nil { // an instance whose type arguments are unknown
				return true, !n.HasArgs(), nil
			}
			return true, true, e.matchArgs(t, u)
		}
		if n.Text == "Function" {
			return calls || makes, true, nil
		}
		if n.Text == "Record" && u.sym == nil && n.Arg(1) != nil && isAny(e.shape(u.at(n.Arg(1)))) {
			if key := e.shape(u.at(n.Arg(0))).node; key != nil && key.Kind == dts.Keyword && key.Text == "string" {
				return true, true, nil // All objects extend Record<string, any>.
			}
		}
		if calls && t.sym == nil {
			if holds, bound := e.callInterface(t, u); holds {
				return true, true, bound
			}
			if want, _ := e.signatureOf(u); want != nil {
				return false, false, nil
			}
		}
		if u.sym != nil && t.sym != nil && t.node != nil {
			if up, ok := e.inherited(t, u.sym, 0); ok {
				return true, true, e.matchArgs(up, u)
			}
		}
	}
	want, ok := e.props(u)
	if ok && t.node != nil && e.isGlobalThis(t) {
		names := make([]string, len(want.order))
		for i, p := range want.order {
			names[i] = p.name
		}
		return e.areGlobal(names), !slices.ContainsFunc(want.order, func(p *prop) bool { return !isTop(p.inPlace()) }), nil
	}
	have, okHave := e.props(t)
	if !ok || !okHave {
		return false, false, nil
	}
	if u.sym != nil && !isClass(u.sym) {
		if called, made := e.callable(u); called && !calls || made && !makes {
			return false, true, nil
		}
	}
	for _, p := range want.order {
		if h := have.get(p.name); (h == nil || h.optional()) && !p.optional() {
			return false, h != nil || !e.r.exact || !have.open, nil
		}
	}
	if u.sym != nil && isClass(u.sym) && t.compound == nil && !t.node.Is(dts.Intersection) && !have.open {
		required, optional := privateMembers(u.sym)
		weak := optional && len(want.order) == 0 && len(have.order) > 0
		if required || weak {
			return false, true, nil // Only instances of the class have its private members.
		}
	}
	if isWeak(u.node) && len(have.order) > 0 && !have.open && !calls && !makes && !slices.ContainsFunc(want.order, func(p *prop) bool { return have.get(p.name) != nil }) {
		return false, true, nil
	}
	if len(want.order) == 0 && u.node.Kind != dts.TypeLiteral {
		empty := u.sym != nil && !isClass(u.sym) && len(e.members(u.sym).unnamed) == 0
		return empty, empty, nil
	}
	return e.matchProps(t, u, have, want)
}

// arrayExtends evaluates extends for an array or a tuple, as in T extends (infer
// U)[].
func (e *evaluator) arrayExtends(t, u typeRef) (holds, known bool, bound *env) {
	list := t.sym != nil && (t.sym.name == "Array" || t.sym.name == "ReadonlyArray")
	switch {
	case t.node == nil || !list && t.node.Kind != dts.Array && t.node.Kind != dts.Tuple:
		return false, e.isNoList(t), nil
	case !u.readonly && (t.readonly || list && t.sym.name == "ReadonlyArray"):
		return false, true, nil // Only a readonly list may be assigned a readonly list.
	case u.node.Kind == dts.Array:
		parts, ok := e.elements(t)
		if !ok {
			return false, false, nil
		}
		return e.extends(unionOf(parts), u.at(u.node.Inner()))
	case t.node.Kind != dts.Tuple:
		_, requires := e.tupleElement(u, 0) // An array may be empty.
		return false, requires, nil
	}
	known = true
	have, want := slices.Collect(t.node.Children()), slices.Collect(u.node.Children())
	for i := range min(len(have), len(want)) {
		a, b := have[i], want[i]
		if a.Kind == dts.Rest || b.Kind == dts.Rest || a.Kind == dts.TupleMember || b.Kind == dts.TupleMember ||
			a.Kind == dts.Optional || b.Kind == dts.Optional {
			return false, false, nil
		}
		h, k, more := e.assignable(t.at(a), u.at(b))
		if k && !h {
			return false, true, nil
		}
		known = known && k
		bound = e.r.memo.append(bound, more)
	}
	if n := len(want); n < len(have) && have[n].Kind == dts.Rest {
		return false, false, nil
	}
	if n := len(have); n < len(want) && (want[n].Kind == dts.Rest || want[n].Kind == dts.Optional || want[n].Kind == dts.TupleMember) {
		return false, false, nil
	}
	return known && len(have) == len(want), known, bound
}

// isNoList reports whether it is certain that a type is not an array or tuple, and does not extend one.
func (e *evaluator) isNoList(t typeRef) bool {
	if t.sym != nil {
		return !slices.ContainsFunc([]string{"Array", "ReadonlyArray"}, func(name string) bool {
			list := e.r.global(name, typeMeaning)
			if list == nil {
				return false
			}
			_, inherits := e.inherited(t, list, 0)
			return inherits
		})
	}
	if t.node == nil {
		return t.isLit
	}
	switch t.node.Kind {
	case dts.Keyword, dts.Literal, dts.TypeLiteral, dts.FuncType, dts.NewType, dts.Function, dts.Method:
		return true
	case dts.Intersection:
		for c := range t.node.Children() {
			if part := e.shape(t.at(c)); part.unknown() || !e.isNoList(part) {
				return false
			}
		}
		return true
	}
	return false
}

// assignable is extends for a part of a type. There, any extends everything but
// never, whereas a condition on any itself takes both branches.
func (e *evaluator) assignable(t, u typeRef) (holds, known bool, bound *env) {
	if isAny(e.shape(t)) && !infers(u.node) {
		want := e.shape(u)
		parts, ok := e.parts(want)
		return !ok || len(parts) > 0, !want.unknown(), nil
	}
	return e.extends(t, u)
}

// infers reports whether a type contains "infer".
func infers(n *dts.Node) bool {
	if n == nil {
		return false
	}
	for c := range n.Children() {
		if infers(c) {
			return true
		}
	}
	return n.Kind == dts.Infer
}

// takesAnything reports whether a function type has the parameters (...args: any), or none, in
// which case the parameters of any function are compatible with it.
func takesAnything(n *dts.Node) bool {
	p := n.Child(dts.Param)
	if p == nil {
		return true
	}
	if !p.Has(dts.FlagRest) || p.Type() == nil {
		return false
	}
	t := p.Type()
	for t.Kind == dts.Array || t.Kind == dts.Operator || t.Kind == dts.Paren {
		t = t.Inner()
	}
	return t.Kind == dts.Infer || t.Kind == dts.Keyword && (t.Text == "any" || t.Text == "never" || t.Text == "unknown")
}

// callable reports whether a type has call signatures, and whether it has
// construct signatures.
func (e *evaluator) callable(t typeRef) (calls, makes bool) {
	if t.sym != nil {
		for _, u := range e.members(t.sym).unnamed {
			calls = calls || u.decls[0].node.Kind == dts.CallSig
			makes = makes || u.decls[0].node.Kind == dts.NewSig
		}
		return calls, makes
	}
	if t.compound != nil {
		for _, p := range t.compound.parts {
			c, m := e.callable(e.shape(p))
			calls, makes = calls || c, makes || m
		}
		return calls, makes
	}
	if t.node == nil || !e.enter() {
		return false, false
	}
	defer e.leave()
	switch t.node.Kind {
	case dts.FuncType, dts.Method, dts.Function:
		return true, false
	case dts.NewType:
		return false, true
	case dts.TypeLiteral:
		return t.node.Child(dts.CallSig) != nil, t.node.Child(dts.NewSig) != nil
	case dts.Intersection:
		for c := range t.node.Children() {
			c, m := e.callable(e.shape(t.at(c)))
			calls, makes = calls || c, makes || m
		}
		return calls, makes
	case dts.TypeQuery:
		if sym := e.r.target(e.r.entity(t.scope, t.node.Text, valueMeaning)); sym != nil {
			return !isClass(sym) && sym.meaning()&valueMeaning != 0, isClass(sym)
		}
	}
	return false, false
}

// privateMembers reports whether a class declares private members that its instances have, or may have.
func privateMembers(sym *symbol) (required, optional bool) {
	for _, d := range sym.decls {
		for m := range d.node.Children() {
			if (m.Has(dts.FlagPrivate) || strings.HasPrefix(m.Text, "#")) && m.IsMember() && !m.Has(dts.FlagStatic) {
				required = required || !m.Has(dts.FlagOptional)
				optional = optional || m.Has(dts.FlagOptional)
			}
		}
	}
	return required, optional
}

// isWeak reports whether a type is an object literal with only optional properties. An object with other properties
// is assignable to it only if they have one in common.
func isWeak(n *dts.Node) bool {
	if n.Kind != dts.TypeLiteral || !n.HasChildren() {
		return false
	}
	for c := range n.Children() {
		if c.Kind != dts.Property || !c.Has(dts.FlagOptional) {
			return false
		}
	}
	return true
}
