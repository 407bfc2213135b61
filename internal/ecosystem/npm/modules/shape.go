package modules

import (
	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// resolution is the result of resolving a type by one step.
type resolution uint8

const (
	same     resolution = iota // the type is already resolved; sym may be set
	resolved                   // the result is another type
	unknown                    // the type cannot be resolved
)

// step resolves a name, an indexed access, or another indirection.
func (e *evaluator) step(t typeRef) (typeRef, resolution) {
	switch n := t.node; n.Kind {
	case dts.Keyword:
		if n.Text == "this" {
			if v, ok := t.env.get(n.Text); ok && !v.unknown() {
				return v, resolved
			}
		}
	case dts.Paren:
		inner := t.at(n.Inner())
		inner.readonly = t.readonly
		return inner, resolved
	case dts.Operator:
		if n.Text == "readonly" {
			inner := t.at(n.Inner())
			inner.readonly = true
			return inner, resolved
		}
	case dts.Intersection:
		if k := besidesUnknown(n); k != nil {
			return t.at(k), resolved
		}
	case dts.TypeQuery:
		sym := e.r.target(e.r.entity(t.scope, n.Text, valueMeaning))
		if sym == nil {
			if e.isGlobalThis(t) {
				return t, same
			}
			return typeRef{}, unknown
		}
		if v, ok := valueType(sym); ok {
			return v, resolved
		}
	case dts.Ref, dts.ImportType:
		var sym *symbol
		if n.Kind == dts.Ref {
			if v, param := t.env.get(n.Text); param {
				if v.unknown() {
					return typeRef{}, unknown
				}
				return v, resolved
			}
			if result, ok := e.returnType(t); ok {
				return result, resolved
			}
			if (utility(n.Text) || casing(n.Text) != nil) && e.r.lookup(t.scope, n.Text, typeMeaning) == nil {
				return t, same
			}
			sym = e.r.target(e.r.entity(t.scope, n.Text, typeMeaning))
		} else {
			sym = e.importSymbol(t)
			if sym != nil && n.Has(dts.FlagTypeof) {
				if v, ok := valueType(sym); ok {
					return v, resolved
				}
				return t, same
			}
		}
		if sym == nil {
			return typeRef{}, unknown
		}
		if extractsProps(sym) && n.HasArgs() {
			return t, same
		}
		for _, d := range sym.decls {
			switch d.node.Kind {
			case dts.TypeAlias:
				return typeRef{node: d.node.Type(), scope: d.scope, env: e.bind(d, n, t)}, resolved
			case dts.EnumMember:
				if keys, ok := enumKey(d.node); ok {
					return literalOf(keys[0]), resolved
				}
			}
		}
		t.sym = sym
	}
	return t, same
}

// besidesUnknown returns T from T & unknown, or nil for another intersection.
func besidesUnknown(n *dts.Node) (rest *dts.Node) {
	for k := range n.Children() {
		switch {
		case k.Kind == dts.Keyword && k.Text == "unknown":
		case rest != nil:
			return nil
		default:
			rest = k
		}
	}
	return rest
}

// shape resolves indirections until it reaches a type such as a literal, an
// object or a union. A class or interface remains a reference, with sym set.
// The result is unknown if the type cannot be resolved.
func (e *evaluator) shape(t typeRef) typeRef {
	for range 50 {
		if t.node == nil || !e.enter() {
			return t
		}
		e.leave()
		next, how := e.step(t)
		if how == unknown {
			return typeRef{}
		}
		if how == resolved {
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
			parts, ok := e.parts(next)
			if !ok {
				return typeRef{}
			}
			return unionOf(parts)
		}
		return next
	}
	return typeRef{}
}
