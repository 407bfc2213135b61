package modules

import (
	"slices"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// prop is a member of a class, an interface or another type.
type prop struct {
	name  string
	decls []decl
	// owner is the class or interface that declares it. It is nil for a member of an anonymous
	// type.
	owner *symbol
	// base is the overridden member, whose doc comment may be inherited.
	base *prop
	// implements are the interface members that it implements, whose doc
	// comments may be inherited.
	implements []*prop
	// typ is its type if it differs from the type in decls. retyped is true if typ is also shown.
	typ     typeRef
	retyped bool
	// env binds the type parameters in the declarations of a member of an anonymous type.
	env *env
	// args binds the type parameters of owner if the member was found through a
	// reference with type arguments.
	args *env
	// merged contains the corresponding members in the parts of an intersection or, if
	// either is true, of a union.
	merged []*prop
	either bool
	// made is true for a member that does not have a declaration.
	made bool
	// renamed is true if the member has another name in its declarations.
	renamed bool
	// change records how mapped types and intersections change its modifiers.
	change change
	// rendered caches its rendering.
	rendered renderedMember
}

// change adds a modifier to a member if it is positive, and removes it if it is negative.
type change struct{ optional, readonly int8 }

func (p *prop) optional() bool {
	if p.change.optional != 0 {
		return p.change.optional > 0
	}
	return p.decls[0].node.Has(dts.FlagOptional)
}

func (p *prop) readonly() bool {
	if p.change.readonly != 0 {
		return p.change.readonly > 0
	}
	return p.decls[0].node.Has(dts.FlagReadonly)
}

// changed returns the member with changed modifiers.
func (p *prop) changed(c change) *prop {
	if c.optional == 0 && c.readonly == 0 {
		return p
	}
	out := *p
	out.rendered = renderedMember{}
	if c.optional != 0 {
		out.change.optional = c.optional
	}
	if c.readonly != 0 {
		out.change.readonly = c.readonly
	}
	return &out
}

// combine sets the modifiers of a member that two types declare. In a union,
// the member has a modifier if either type gives it; in an intersection, only
// if both do.
func (c *change) combine(a, b *prop, union bool) {
	c.optional = combined(c.optional, a.optional(), b.optional(), union)
	c.readonly = combined(c.readonly, a.readonly(), b.readonly(), union)
}

func combined(before int8, a, b, union bool) int8 {
	switch {
	case a == b:
		return before
	case union:
		return 1
	}
	return -1
}

// props is a set of members in order.
type props struct {
	order []*prop
	index map[string]int // index into order, if there are more than few
	// open is set if an index signature allows other names. empty is set if it is open only because an interface without
	// members is inherited, to which other files may add some.
	open, empty bool
}

// few is the maximum number of members for which a linear search is faster than a map.
const few = 8

func (p *props) find(name string) (int, bool) {
	if p.index != nil {
		i, ok := p.index[name]
		return i, ok
	}
	for i, x := range p.order {
		if x.name == name {
			return i, true
		}
	}
	return 0, false
}

func (p *props) get(name string) *prop {
	if i, ok := p.find(name); ok {
		return p.order[i]
	}
	return nil
}

// add adds a member, unless there is already one with that name.
func (p *props) add(x *prop) {
	if _, ok := p.find(x.name); ok {
		return
	}
	p.order = append(p.order, x)
	switch n := len(p.order); {
	case p.index != nil:
		p.index[x.name] = n - 1
	case n > few:
		p.index = make(map[string]int, 4*few)
		for i, x := range p.order {
			p.index[x.name] = i
		}
	}
}

// merge is like add, for an intersection or, if union is true, for a union. A
// member of both sides has the declarations of both.
func (p *props) merge(x *prop, union bool) {
	i, ok := p.find(x.name)
	if !ok {
		p.add(x)
		return
	}
	both := *p.order[i]
	both.rendered = renderedMember{}
	if both.merged == nil || both.either != union {
		both.merged, both.either = []*prop{p.order[i]}, union
	}
	both.merged = append(slices.Clip(both.merged), x)
	both.change.combine(p.order[i], x, union)
	if union && (both.retyped || x.retyped || both.env != x.env && both.shares(x)) {
		both.retype(x)
	}
	if x.made {
		p.order[i] = &both
		return
	}
	if both.made {
		both.decls, both.made, both.owner = nil, false, x.owner
	}
	both.decls = slices.Clip(both.decls)
	for _, d := range x.decls {
		if !slices.Contains(both.decls, d) {
			both.decls = append(both.decls, d)
		}
	}
	p.order[i] = &both
}

// shares reports whether two members have a declaration in common, as in two instances
// of the same generic type.
func (p *prop) shares(x *prop) bool {
	return len(p.decls) > 0 && len(x.decls) > 0 && p.decls[0] == x.decls[0]
}

// retype gives a member of a union the types that the member has in two parts of the union.
func (p *prop) retype(x *prop) {
	a, b := p.inPlace(), x.inPlace()
	switch {
	case a.unknown() || b.unknown() || a == b || p.optional() && isUndefined(b):
	case p.optional() && isUndefined(a):
		p.typ, p.retyped = b, true
	default:
		p.typ, p.retyped = unionOf([]typeRef{a, b}), true
	}
}

func isUndefined(t typeRef) bool {
	return t.node != nil && t.node.Kind == dts.Keyword && t.node.Text == "undefined"
}

// arguments returns the types that replace type parameters in the declarations of an inherited member,
// each as the type of a property.
func (p *prop) arguments() (all []decl) {
	if p.owner == nil {
		return nil
	}
	for x := p.args; x != nil; x = x.next {
		if t := x.val; !x.free && t.node != nil && t.scope != nil {
			all = append(all, decl{dts.New(dts.Property, "", t.node), t.scope})
		}
	}
	return all
}

// inPlace returns the type that a property has in the place where it is listed.
func (p *prop) inPlace() typeRef {
	if !p.typ.unknown() {
		return p.typ
	}
	if d := p.decls[0]; d.node.Kind == dts.Property && d.node.Type() != nil {
		return typeRef{node: d.node.Type(), scope: d.scope, env: p.env}
	}
	return typeRef{}
}
