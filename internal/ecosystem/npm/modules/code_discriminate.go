package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// fitsLiterals reports whether the fields of an argument x of type t have the values that the type of a parameter requires with
// literal types, as in { stream: true }. It returns false for decided if that is not certain.
func (c *Code) fitsLiterals(want, t typeRef, x *dts.Expr) (fits, decided bool) {
	parts, ok := c.e.parts(want)
	if !ok {
		return false, false
	}
	objects := 0
	decided = true
	for _, q := range parts {
		if isNothing(q) || primitiveName(q) != "" {
			continue
		}
		objects++
		fits, certain := c.fitsFields(q, t, x)
		if fits && certain {
			return true, true
		}
		decided = decided && certain
	}
	return objects == 0, objects == 0 || decided
}

func (c *Code) fitsFields(want, t typeRef, x *dts.Expr) (fits, decided bool) {
	if t.unknown() || primitiveName(c.e.shape(t)) != "" {
		return true, true
	}
	set, ok := c.e.props(want)
	if !ok {
		return true, true
	}
	decided = true
	for _, p := range set.order {
		field, how := c.member(want, p.name)
		if how != exists || !c.isLiteralType(field) {
			continue
		}
		value, certain := c.fieldOf(t, x, p.name)
		if value.unknown() {
			decided = decided && certain
			continue
		}
		holds, known, _ := c.e.assignable(c.present(value), field)
		if known && !holds && certain {
			return false, true
		}
		decided = decided && known && holds
	}
	return true, decided
}

// maxDiscriminated is the maximum number of parts of a union among which the fields of a literal choose.
const maxDiscriminated = 100

// discriminated returns the parts of a union that an object literal may belong to, according to its fields with literal values,
// as in { kind: "a" }. It returns the union itself if they are not known.
func (c *Code) discriminated(x *dts.Expr, want typeRef) typeRef {
	if want.unknown() || spreads(x) || !slices.ContainsFunc(x.List, isDiscriminator) {
		return want
	}
	parts, ok := c.e.parts(want)
	if !ok || len(parts) < 2 || len(parts) > maxDiscriminated {
		return want
	}
	for _, p := range x.List {
		if !isDiscriminator(p) {
			continue
		}
		value := typeRef{node: p.List[0].Type, scope: c.globals}
		var remaining []typeRef
		matched, literals := false, false
		for _, q := range parts {
			if isNothing(q) || primitiveName(q) != "" {
				continue
			}
			field, how := c.member(q, p.Text)
			if how == missing {
				remaining = append(remaining, q)
				continue
			}
			holds, known, _ := c.e.assignable(value, field)
			if how != exists || field.unknown() || !known {
				return want
			}
			literals = literals || c.isLiteralType(field)
			if holds {
				matched, remaining = true, append(remaining, q)
			}
		}
		if matched && literals {
			parts = remaining
		}
	}
	return unionOf(parts)
}

// isDiscriminator reports whether the value of a field is a literal of a primitive type.
func isDiscriminator(p *dts.Expr) bool {
	if p.Kind != dts.ExprProp || p.Text == "" || len(p.List) == 0 || p.List[0] == nil {
		return false
	}
	v := p.List[0]
	return v.Kind == dts.ExprLiteral && v.Type.Is(dts.Literal) && v.Type.Text[0] != '`'
}

// isLiteralType reports whether a type has only literals, besides null and undefined.
func (c *Code) isLiteralType(t typeRef) bool {
	parts, ok := c.e.parts(t)
	return ok && slices.ContainsFunc(parts, func(p typeRef) bool { return !isNothing(p) }) && !slices.ContainsFunc(parts, func(p typeRef) bool {
		return !isNothing(p) && !p.isLit && (p.node == nil || p.node.Kind != dts.Literal)
	})
}

// fieldOf returns the type of a field of an argument x of type t. The type is unknown and certain if the argument lacks the field.
func (c *Code) fieldOf(t typeRef, x *dts.Expr, name string) (field typeRef, certain bool) {
	if x.Kind != dts.ExprObject {
		field, how := c.member(t, name)
		return field, how == missing || how == exists && c.e.shape(t).sym != nil
	}
	for _, p := range slices.Backward(x.List) {
		switch {
		case p.Kind == dts.ExprSpread || p.Text == "":
			field, how := c.member(t, name)
			return field, how == missing
		case p.Text != name:
		case len(p.List) > 0 && p.List[0].Kind == dts.ExprLiteral:
			return typeRef{node: p.List[0].Type, scope: c.globals}, true
		case spreads(x):
			return typeRef{}, false
		default:
			field, _ := c.member(t, name)
			return field, false
		}
	}
	return typeRef{}, true
}
