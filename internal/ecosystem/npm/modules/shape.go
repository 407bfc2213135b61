package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// stepping tells what came of a step from a type to what it stands for.
type stepping uint8

const (
	stays   stepping = iota // it stands for itself; sym may be set
	stepped                 // it stands for another type
	lost                    // what it stands for is not known
)

// step resolves a name, a bracket, or what else stands for a type.
func (e *evaluator) step(t typeRef) (typeRef, stepping) {
	switch n := t.node; n.Kind {
	case dts.Paren:
		return t.at(n.First), stepped
	case dts.Operator:
		if n.Text == "readonly" {
			return t.at(n.First), stepped
		}
	case dts.TypeQuery:
		sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning))
		if sym == nil {
			return typeRef{}, lost
		}
		if v, ok := valueType(sym); ok {
			return v, stepped
		}
	case dts.Ref, dts.ImportType:
		var sym *symbol
		if n.Kind == dts.Ref {
			if v, param := t.env.get(n.Text); param {
				if v.unknown() {
					return typeRef{}, lost
				}
				return v, stepped
			}
			if utility(n.Text) && e.r.lookup(t.scope, n.Text, typeMeaning) == nil {
				return t, stays
			}
			sym = e.r.target(e.r.entity(t.scope, n.Text, typeMeaning))
		} else {
			sym = e.importSymbol(t)
			if sym != nil && n.Has(dts.FlagTypeof) {
				if v, ok := valueType(sym); ok {
					return v, stepped
				}
				return t, stays
			}
		}
		if sym == nil {
			return typeRef{}, lost
		}
		for _, d := range sym.decls {
			if d.node.Kind == dts.TypeAlias {
				return typeRef{node: d.node.Type(), scope: d.scope, env: e.bind(d, typeArgs(n), t)}, stepped
			}
		}
		t.sym = sym
	}
	return t, stays
}

// shape resolves names and what else stands for a type, until the type itself
// is met: a literal, an object, a union. A class or interface stays a
// reference, with sym set. It is unknown if the type is not known.
func (e *evaluator) shape(t typeRef) typeRef {
	for range 50 {
		if t.node == nil || !e.enter() {
			return t
		}
		e.leave()
		next, how := e.step(t)
		if how == lost {
			return typeRef{}
		}
		if how == stepped {
			t = next
			continue
		}
		if n := next.node; next.sym == nil && (n.Kind == dts.Conditional || n.Kind == dts.Indexed || n.Kind == dts.Ref) {
			if n.Kind == dts.Indexed {
				if v, ok := e.indexed(next); ok {
					t = v
					continue
				}
			}
			of, ok := e.parts(next)
			if !ok {
				return typeRef{}
			}
			return unionOf(of)
		}
		return next
	}
	return typeRef{}
}
