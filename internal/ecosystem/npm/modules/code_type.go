package modules

import (
	"strconv"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// query returns the type of a class, a function, an enumeration or a namespace.
func (c *Code) query(sym *symbol) typeRef {
	if t, ok := c.queries[sym]; ok {
		return t
	}
	s := &scope{locals: newTable(), exports: newTable()}
	if len(sym.decls) > 0 {
		s.mod, s.parent = sym.decls[0].scope.mod, sym.decls[0].scope
	} else {
		s.mod = c.globals.mod
	}
	const name = "\x00value"
	s.locals.names = map[string]*symbol{name: sym}
	t := typeRef{node: &dts.Node{Kind: dts.TypeQuery, Text: name}, scope: s}
	c.queries[sym] = t
	return t
}

// self returns the type of an instance of a class in its own code.
func (c *Code) self(sym *symbol) typeRef {
	var args []typeRef
	for _, d := range sym.decls {
		if d.node.Kind != dts.Class {
			continue
		}
		env := c.e.opaque(d)
		for p := range d.node.All(dts.TypeParam) {
			args = append(args, typeRef{node: &dts.Node{Kind: dts.Ref, Text: p.Text}, scope: d.scope, env: env})
		}
		break
	}
	return c.refer(sym, args)
}

// refer returns a reference to a class or interface with type arguments. If there are none, its
// type parameters are unknown.
func (c *Code) refer(sym *symbol, args []typeRef) typeRef {
	s := &scope{locals: newTable(), exports: newTable(), mod: c.globals.mod}
	const name = "\x00type"
	s.locals.names = map[string]*symbol{name: sym}
	n := &dts.Node{Kind: dts.Ref, Text: name}
	t := typeRef{node: n, scope: s, sym: sym}
	count := len(args)
	for _, d := range sym.decls {
		params := 0
		for range d.node.All(dts.TypeParam) {
			params++
		}
		count = max(count, params)
	}
	var list []*dts.Node
	for i := range count {
		a := &dts.Node{Kind: dts.Ref, Text: c.name()}
		list = append(list, a)
		var v typeRef
		if i < len(args) {
			v = args[i]
		}
		t.env = c.r.memo.bind(a.Text, v, t.env)
	}
	n.SetChildren(list...)
	return t
}

// name returns a new name for a type.
func (c *Code) name() string {
	c.names++
	return "\x00" + strconv.Itoa(c.names)
}

// object returns an object type with the given properties.
func (c *Code) object(names []string, types []typeRef) typeRef {
	n := &dts.Node{Kind: dts.TypeLiteral}
	t := typeRef{node: n, scope: c.globals}
	var list []*dts.Node
	for i, name := range names {
		ref := &dts.Node{Kind: dts.Ref, Text: c.name()}
		p := &dts.Node{Kind: dts.Property, Text: strconv.Quote(name)}
		p.SetChildren(ref)
		list = append(list, p)
		t.env = c.r.memo.bind(ref.Text, types[i], t.env)
	}
	n.SetChildren(list...)
	return t
}

// tuple returns a tuple of elements.
func (c *Code) tuple(elements []typeRef) typeRef {
	n := &dts.Node{Kind: dts.Tuple}
	t := typeRef{node: n, scope: c.globals}
	var list []*dts.Node
	for _, e := range elements {
		ref := &dts.Node{Kind: dts.Ref, Text: c.name()}
		list = append(list, ref)
		t.env = c.r.memo.bind(ref.Text, e, t.env)
	}
	n.SetChildren(list...)
	return t
}

// rest returns the type of an object without the properties that a pattern takes from it by name.
func (c *Code) rest(t typeRef, pattern *dts.Expr) typeRef {
	names := &dts.Node{Kind: dts.Union}
	var list []*dts.Node
	for _, p := range pattern.List {
		if p.Kind == dts.ExprSpread {
			continue
		}
		if p.Text == "" {
			return typeRef{}
		}
		list = append(list, &dts.Node{Kind: dts.Literal, Text: strconv.Quote(p.Text)})
	}
	if names.SetChildren(list...); len(list) == 0 {
		names = &dts.Node{Kind: dts.Keyword, Text: "never"}
	}
	parts, ok := c.e.parts(t)
	if !ok || len(parts) == 0 {
		return typeRef{}
	}
	all := make([]typeRef, len(parts))
	for i, p := range parts {
		if isAny(p) {
			return typeRef{}
		}
		object := &dts.Node{Kind: dts.Ref, Text: c.name()}
		n := &dts.Node{Kind: dts.Ref, Text: "Omit"}
		n.SetChildren(object, names)
		all[i] = typeRef{node: n, scope: c.globals, env: c.r.memo.bind(object.Text, p, nil)}
	}
	return unionOf(all)
}

// list returns an array of elements.
func (c *Code) list(element typeRef) typeRef {
	sym := c.r.global("Array", typeMeaning)
	if sym == nil {
		return typeRef{}
	}
	return c.refer(sym, []typeRef{element})
}

// promise returns a promise.
func (c *Code) promise(t typeRef) typeRef {
	sym := c.r.global("Promise", typeMeaning)
	if sym == nil {
		return typeRef{}
	}
	return c.refer(sym, []typeRef{c.awaited(t)})
}

func (c *Code) keyword(text string) typeRef {
	return typeRef{node: &dts.Node{Kind: dts.Keyword, Text: text}, scope: c.globals}
}

func (c *Code) literalType(text string) typeRef {
	switch {
	case text == "":
		return typeRef{}
	case text[0] == '"' || text[0] == '\'' || text[0] == '`':
		return c.keyword("string")
	case text[0] >= '0' && text[0] <= '9' || text[0] == '-':
		return c.keyword("number")
	case text == "true" || text == "false":
		return c.keyword("boolean")
	}
	return typeRef{}
}

// widened returns the type of a variable whose value has the type t. It is unknown for null and
// undefined, because other values may be assigned later.
func (c *Code) widened(t typeRef) typeRef {
	if t.node != nil && (t.node.Kind == dts.Keyword && (t.node.Text == "undefined" || t.node.Text == "never") || t.node.Kind == dts.Literal && t.node.Text == "null") {
		return typeRef{}
	}
	return t
}
