package modules

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/python/source"
)

// enumModule is the module of the standard library that declares the base classes of enumerations.
const enumModule = "enum"

// maxEnumMembers is the maximum number of members of an enumeration whose values have a common type.
const maxEnumMembers = 200

// enumAttribute returns the type of the attribute name or value of the members of an enumeration, or nil.
func (t *Types) enumAttribute(c *classType, name string) *typ {
	switch name {
	case "name":
		return t.instance(t.builtin("str"))
	case "value":
		return t.enumValue(c)
	}
	return nil
}

// enumValue returns the union of the types of the values of an enumeration, or nil if a method creates them.
func (t *Types) enumValue(c *classType) *typ {
	for _, name := range [...]string{"__new__", "_generate_next_value_"} {
		if b, owner := t.find(c, name); b != nil && owner.e.mod.name != enumModule && owner.e.mod.dist != t.stubs {
			return nil
		}
	}
	for _, base := range c.mro { // such as str in class Color(str, Enum)
		if base.e.mod.dist == t.stubs && base.name != "object" {
			return t.instance(base)
		}
	}
	var all []*typ
	for _, owner := range c.mro {
		if owner.e.code == nil || owner.e.mod.name == enumModule || owner.e.mod.dist == t.stubs {
			continue
		}
		if body := t.bodyOf(owner); body == nil || assigns(body.Body, source.Attribute, "_value_") {
			return nil
		}
		if t.r.styleOf(owner.e) != enumeration {
			continue
		}
		for _, b := range t.r.inner(owner.e.code).order {
			if b.name == "_value_" {
				return nil
			}
			if b.instance || b.stmt == nil || b.stmt.Kind != source.Assign || b.annotation != nil && b.value == nil || strings.HasPrefix(b.name, "_") {
				continue
			}
			all = append(all, t.enumMemberValue(b))
		}
	}
	if len(all) > maxEnumMembers {
		return nil
	}
	return widen(joinAll(all))
}

// enumMemberValue returns the type of the value that an assignment in an enumeration gives a member.
func (t *Types) enumMemberValue(b *binding) *typ {
	value := b.value.Tree()
	if value.Kind == source.Call {
		switch name := lastOf("." + value.Function()); name {
		case "auto":
			return t.instance(t.builtin("int"))
		case "member", "nonmember":
			return nil
		}
	}
	x := t.static(b.scope, value, b.stmt.Line)
	if x == nil || x.kind != instanceType {
		return nil // functions are not members
	}
	return x
}
