package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// indexed returns the type that an index signature gives the elements of a value with keys of a type, or the unknown type. A
// signature for strings also applies to numbers.
func (c *Code) indexed(t typeRef, key string) typeRef {
	parts, ok := c.e.parts(t)
	if !ok || len(parts) == 0 {
		return typeRef{}
	}
	var all []typeRef
	for _, p := range parts {
		found := c.recordValue(p, key)
		for _, s := range c.unnamed(p) {
			if s.node.Kind != dts.IndexSig || s.node.Type() == nil {
				continue
			}
			q := s.node.Child(dts.Param)
			if q == nil || q.Type() == nil || q.Type().Kind != dts.Keyword {
				return typeRef{}
			}
			if q.Type().Text == key || q.Type().Text == "string" && found.unknown() {
				found = s.at(s.node.Type())
			}
		}
		if found.unknown() {
			return found
		}
		if !slices.Contains(all, found) {
			all = append(all, found)
		}
	}
	return unionOf(all)
}

// keyed returns the member that an index signature with values of type v gives an object. The compiler prefers the members of all
// objects, such as hasOwnProperty.
func (c *Code) keyed(v typeRef, name string) (typeRef, existence) {
	if t, how := c.globalMember("Object", name); how != missing {
		return t, how
	}
	return v, exists
}

// recordValue returns V of Record<K, V> and { [P in K]: V } if all keys of a type are keys of the record, or the unknown type.
func (c *Code) recordValue(t typeRef, key string) typeRef {
	switch {
	case t.sym != nil:
	case t.node.Is(dts.Mapped):
		if m := t.node.Mapping(); m.As == nil && m.Value != nil && c.isPrimitive(t.at(m.Keys), key) {
			v := t.at(m.Value)
			v.env = c.r.memo.bind(m.Param.Text, c.keyword(key), t.env)
			return v
		}
	case t.node.Is(dts.Ref) && t.node.Text == "Record" && t.node.Arg(1) != nil:
		if keys := t.at(t.node.Arg(0)); c.isPrimitive(keys, key) || c.isPrimitive(keys, "string") {
			return t.at(t.node.Arg(1))
		}
	case t.node.Is(dts.Ref) && t.node.HasArgs():
		switch t.node.Text {
		case "Partial", "Required", "Readonly":
			return c.indexed(t.at(t.node.Arg(0)), key)
		}
	}
	return typeRef{}
}

// unnamed returns the call, construct and index signatures of an object.
func (c *Code) unnamed(t typeRef) (signatures []typeRef) {
	if t.sym != nil {
		for _, u := range c.e.members(t.sym).unnamed {
			for _, d := range u.decls {
				if d.node.Kind != dts.Constructor {
					signatures = append(signatures, typeRef{node: d.node, scope: d.scope, env: c.e.envOf(u, t)})
				}
			}
		}
	} else if t.node != nil && t.node.Kind == dts.TypeLiteral {
		for k := range t.node.Children() {
			if k.Kind == dts.CallSig || k.Kind == dts.NewSig || k.Kind == dts.IndexSig {
				signatures = append(signatures, t.at(k))
			}
		}
	}
	return signatures
}
