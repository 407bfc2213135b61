package modules

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// maxExprSteps is the maximum number of steps for the type of one expression.
const maxExprSteps = 20_000

// expr returns the type of an expression, or the unknown type, and visits its parts. want is the
// type that the context requires, or unknown.
func (c *Code) expr(f *frame, x *dts.Expr, want typeRef) typeRef {
	if x == nil {
		return typeRef{}
	}
	slot := &f.file.types[x.Index]
	if slot.known {
		return slot.typeRef
	}
	slot.known = true // if the expression depends on itself, its type is unknown
	c.e.steps, c.e.cut = maxSteps-maxExprSteps, 0
	t := c.inferred(f, x, want)
	if path := pathOf(x); path != "" {
		if refined, hidden := f.find(path); hidden || !refined.unknown() {
			t = refined
		}
		if types := f.wider(path); len(types) > 0 && !t.unknown() {
			t = unionOf(append([]typeRef{t}, types...))
		}
	}
	slot.typeRef = t
	return t
}

func (c *Code) all(f *frame, list []*dts.Expr) {
	for _, x := range list {
		c.expr(f, x, typeRef{})
	}
}

func (c *Code) inferred(f *frame, x *dts.Expr, want typeRef) typeRef {
	switch x.Kind {
	case dts.ExprName:
		if x.Text == "arguments" {
			return typeRef{}
		}
		return c.symbolType(c.r.find(f.scope, x.Text, valueMeaning))
	case dts.ExprThis:
		return f.this
	case dts.ExprLiteral:
		c.all(f, x.List)
		return typeRef{node: x.Type, scope: c.globals}
	case dts.ExprArray:
		return c.array(f, x, want)
	case dts.ExprObject:
		return c.objectLiteral(f, x, want)
	case dts.ExprFunc:
		return c.functionValue(f, x, want)
	case dts.ExprClass:
		return c.class(f, x)
	case dts.ExprCall:
		return c.call(f, x, want)
	case dts.ExprNew:
		return c.construct(f, x, want)
	case dts.ExprMember:
		return c.access(f, x)
	case dts.ExprIndex:
		t := c.expr(f, x.List[0], typeRef{})
		index := c.expr(f, x.List[1], typeRef{})
		if key, ok := literal(index); ok {
			if v, found := c.member(t, key); found == exists {
				return v
			}
			if tuple := c.e.shape(c.present(t)); tuple.node.Is(dts.Tuple) {
				if v, ok := c.e.property(tuple, key); ok {
					return v
				}
			}
		}
		if c.isNumber(index) {
			if parts, ok := c.e.elements(c.present(t)); ok {
				return unionOf(parts)
			}
			return c.indexed(c.present(t), "number")
		}
		if c.isString(index) {
			return c.indexed(c.present(t), "string")
		}
		return typeRef{}
	case dts.ExprAs:
		if x.Type == nil {
			return c.constant(f, x.List[0], want)
		}
		t := typeRef{node: x.Type, scope: f.scope, env: f.env}
		c.expr(f, x.List[0], t)
		return t
	case dts.ExprSatisfies:
		f.mark(x.List[0])
		return c.expr(f, x.List[0], typeRef{node: x.Type, scope: f.scope, env: f.env})
	case dts.ExprNonNull:
		return c.expr(f, x.List[0], want)
	case dts.ExprUnary:
		c.all(f, x.List)
		switch x.Text {
		case "!", "delete":
			return c.keyword("boolean")
		case "typeof":
			return c.keyword("string")
		case "void":
			return c.keyword("undefined")
		}
		return typeRef{}
	case dts.ExprBinary:
		return c.binary(f, x, want)
	case dts.ExprAssign:
		t := c.expr(f, x.List[0], typeRef{})
		if k := x.List[0].Kind; k == dts.ExprObject || k == dts.ExprArray {
			t = typeRef{}
		}
		v := c.expr(f, x.List[1], t)
		if x.Text == "=" {
			return v
		}
		return typeRef{}
	case dts.ExprConditional:
		c.expr(f, x.List[0], typeRef{})
		return c.either(c.expr(c.narrowed(f, x.List[0], true, x.List[1]), x.List[1], want), c.expr(c.narrowed(f, x.List[0], false, x.List[2]), x.List[2], want))
	case dts.ExprMarkup:
		c.markup(f, x)
		return typeRef{}
	case dts.ExprAwait:
		return c.awaited(c.expr(f, x.List[0], typeRef{}))
	case dts.StmtBlock, dts.StmtVar, dts.StmtReturn, dts.StmtForOf, dts.StmtType, dts.StmtOther:
		c.statement(f, x)
		return typeRef{}
	}
	c.all(f, x.List)
	return typeRef{}
}

func (c *Code) binary(f *frame, x *dts.Expr, want typeRef) typeRef {
	if x.Text != "&&" && x.Text != "||" && x.Text != "??" {
		want = typeRef{}
	}
	lhs := c.expr(f, x.List[0], want)
	if want.unknown() {
		want = lhs
	}
	in := f
	if x.Text == "&&" || x.Text == "||" {
		in = c.narrowed(f, x.List[0], x.Text == "&&", x.List[1])
	}
	rhs := c.expr(in, x.List[1], want)
	switch x.Text {
	case "&&", ",":
		return rhs
	case "||", "??":
		return c.either(lhs, rhs)
	case "+":
		switch {
		case c.isString(lhs) || c.isString(rhs):
			return c.keyword("string")
		case c.isNumber(lhs) && c.isNumber(rhs):
			return c.keyword("number")
		}
		return typeRef{}
	case "-", "*", "/", "%", "**":
		if c.isNumber(lhs) && c.isNumber(rhs) {
			return c.keyword("number")
		}
		return typeRef{}
	case "==", "===", "!=", "!==", "<", ">", "<=", ">=", "in", "instanceof":
		return c.keyword("boolean")
	}
	return typeRef{}
}

func (c *Code) isString(t typeRef) bool { return c.isPrimitive(t, "string") }
func (c *Code) isNumber(t typeRef) bool { return c.isPrimitive(t, "number") }

// isPrimitive reports whether a type has only parts of a primitive type.
func (c *Code) isPrimitive(t typeRef, name string) bool {
	if t.unknown() {
		return false
	}
	parts, ok := c.e.parts(t)
	if !ok || len(parts) == 0 {
		return false
	}
	for _, p := range parts {
		if primitiveName(p) != name {
			return false
		}
	}
	return true
}

// primitiveName returns the name of the primitive type of a part, or "".
func primitiveName(p typeRef) string {
	switch {
	case p.isLit:
		return "string"
	case p.node == nil:
		return ""
	case p.node.Kind == dts.Keyword:
		switch p.node.Text {
		case "string", "number", "boolean", "bigint", "symbol":
			return p.node.Text
		}
	case p.node.Kind == dts.Literal:
		switch text := p.node.Text; {
		case text == "true" || text == "false":
			return "boolean"
		case text[0] == '"' || text[0] == '\'' || text[0] == '`':
			return "string"
		case text[0] >= '0' && text[0] <= '9' || text[0] == '-' || text[0] == '.':
			if text[len(text)-1] == 'n' {
				return "bigint"
			}
			return "number"
		}
	case p.node.Kind == dts.Operator && p.node.Text == "unique":
		return "symbol"
	}
	return ""
}

// isNothing reports whether a part is null, undefined or void.
func isNothing(p typeRef) bool {
	n := p.node
	return n != nil && (n.Kind == dts.Literal && n.Text == "null" || n.Kind == dts.Keyword && (n.Text == "undefined" || n.Text == "void"))
}

// either returns the union of two types, which is unknown if one of them is.
func (c *Code) either(a, b typeRef) typeRef {
	if a.unknown() || b.unknown() {
		return typeRef{}
	}
	if a == b {
		return a
	}
	return unionOf([]typeRef{a, b})
}

func (c *Code) array(f *frame, x *dts.Expr, want typeRef) typeRef {
	var inner typeRef
	if !want.unknown() {
		if parts, ok := c.e.elements(c.present(want)); ok {
			inner = unionOf(parts)
		}
	}
	known := len(x.List) > 0
	var parts, elements []typeRef
	for _, e := range x.List {
		if e == nil {
			known = false
			continue
		}
		var t typeRef
		if e.Kind == dts.ExprSpread {
			t = c.iterated(c.expr(f, e.List[0], typeRef{}), false)
		} else {
			t = c.expr(f, e, inner)
			elements = append(elements, t)
		}
		known = known && !t.unknown()
		if !slices.Contains(parts, t) {
			parts = append(parts, t)
		}
	}
	if !known {
		return c.list(typeRef{})
	}
	if len(elements) == len(x.List) && c.allowsTuple(want) {
		return c.tuple(elements)
	}
	return c.list(unionOf(parts))
}

// allowsTuple reports whether the type that the context of an array requires makes the array a tuple.
func (c *Code) allowsTuple(want typeRef) bool {
	if want.unknown() {
		return false
	}
	parts, _ := c.e.parts(want)
	return slices.ContainsFunc(append([]typeRef{c.e.shape(want)}, parts...), func(p typeRef) bool { return p.node.Is(dts.Tuple) })
}

// constant evaluates the operand of "as const": arrays are tuples.
func (c *Code) constant(f *frame, x *dts.Expr, want typeRef) typeRef {
	if x.Kind != dts.ExprArray || spreads(x) || slices.Contains(x.List, nil) {
		return c.expr(f, x, want)
	}
	var elements []typeRef
	for _, e := range x.List {
		elements = append(elements, c.constant(f, e, typeRef{}))
	}
	return c.tuple(elements)
}

func (c *Code) objectLiteral(f *frame, x *dts.Expr, want typeRef) typeRef {
	want = c.discriminated(x, want)
	c.compareFields(f, x, want)
	var names []string
	var types []typeRef
	known := true
	var spread []typeRef
	for _, p := range x.List {
		if p.Kind == dts.ExprSpread {
			t := c.expr(f, p.List[0], typeRef{})
			known = known && !t.unknown()
			spread = append(spread, t)
			continue
		}
		if len(p.List) == 0 || p.Text == "" {
			known = false
			c.all(f, p.List)
			continue
		}
		var inner typeRef
		if !want.unknown() {
			inner, _ = c.member(want, p.Text)
		}
		t := c.field(f, p, inner)
		if i := slices.Index(names, p.Text); i >= 0 {
			types[i] = typeRef{}
			continue
		}
		names, types = append(names, p.Text), append(types, t)
	}
	if !known {
		return typeRef{}
	}
	object := c.object(names, types)
	if len(spread) > 0 {
		return allOf(append(spread, object))
	}
	return object
}

// field evaluates a field of an object literal.
func (c *Code) field(f *frame, p *dts.Expr, want typeRef) typeRef {
	in := *f
	if p.List[0].Kind == dts.ExprFunc && p.List[0].Type.Kind == dts.Method {
		in.this = typeRef{}
	}
	t := c.expr(&in, p.List[0], want)
	if p.Getter {
		return typeRef{}
	}
	return t
}

// functionValue visits a function and returns its type.
func (c *Code) functionValue(f *frame, x *dts.Expr, want typeRef) typeRef {
	t := typeRef{node: x.Type, scope: f.scope, env: f.env}
	c.place(f, x.Pos, x)
	if x.List[0] != nil {
		c.body(f, x, want)
	}
	return t
}

// body visits the body of a function and returns the type of its result.
func (c *Code) body(f *frame, x *dts.Expr, want typeRef) typeRef {
	body := x.List[0]
	if body == nil {
		return typeRef{}
	}
	if t, known := f.file.bodies[x]; known {
		return t
	}
	f.file.bodies[x] = typeRef{} // if the function calls itself
	in := *f
	in.scope = &scope{parent: f.scope, locals: newTable(), exports: newTable(), mod: f.file.mod}
	in.outer = in.scope
	in.env = c.free(x.Type, f)
	in.fn = &function{generator: x.Generator, declared: c.declaredResult(&in, x)}
	in.narrowing = newNarrowing(f.narrowing)
	in.findNarrowed(body)
	if x.Type.Kind == dts.Function {
		in.this = typeRef{} // the value depends on the call
	}
	calls := c.signatures(want)
	if slices.ContainsFunc(calls, func(s call) bool { return takesFewer(s, x) }) {
		calls = nil // the compiler may type the parameters by another signature, or not at all
	}
	i := -1 // the index among the parameters of a call
	for _, p := range x.List[1:] {
		var t typeRef
		n := p.Type
		if n.Text != "this" {
			i++
		}
		switch {
		case n.Type() != nil && !n.Type().Has(dts.FlagInferred):
			t = typeRef{node: n.Type(), scope: in.scope, env: in.env}
		case n.Text == "this":
		case n.Child(dts.Initial) != nil && want.unknown():
			t = c.literalType(n.Child(dts.Initial).Text)
		case n.Has(dts.FlagDefault) || n.Child(dts.Initial) != nil:
			t = c.present(c.parameter(calls, i, false))
		default:
			t = c.parameter(calls, i, n.Has(dts.FlagRest))
		}
		if n.Text == "this" {
			in.this = t
		}
		if p.List[0] != nil {
			c.bindPattern(&in, p.List[0], t)
			c.usePattern(&in, p.List[0], t, "")
		} else {
			c.value(&in, p.Text, t)
		}
	}
	var result typeRef
	if body.Kind == dts.StmtBlock {
		c.declare(&in, body.List)
		c.statements(&in, body.List)
		result = c.keyword("void")
		for i, t := range in.fn.results {
			if i == 0 {
				result = t
			} else {
				result = c.either(result, t)
			}
		}
	} else {
		var inner typeRef
		if len(calls) == 1 {
			inner = calls[0].context.at(calls[0].node.Type())
		}
		if !in.fn.declared.unknown() {
			inner = in.fn.declared
			f.mark(body)
		}
		result = c.expr(&in, body, inner)
	}
	switch {
	case x.Generator:
		result = typeRef{}
	case x.Type.Has(dts.FlagAsync):
		if result.unknown() {
			break
		}
		result = c.promise(result)
	}
	f.file.bodies[x] = result
	return result
}

// takesFewer reports whether a signature has fewer parameters than a function requires.
func takesFewer(s call, x *dts.Expr) bool {
	required := 0
	for _, p := range x.List[1:] {
		if n := p.Type; n.Text != "this" && n.Child(dts.Initial) == nil && n.Flags&(dts.FlagOptional|dts.FlagRest|dts.FlagDefault) == 0 {
			required++
		}
	}
	list := s.params()
	return len(list) < required && (len(list) == 0 || !list[len(list)-1].Has(dts.FlagRest))
}

// declaredResult returns the type that a function declares for the values that it returns, or the
// unknown type.
func (c *Code) declaredResult(f *frame, x *dts.Expr) typeRef {
	n := x.Type.Type()
	if n == nil || n.Has(dts.FlagInferred) || n.Kind == dts.Predicate || x.Generator {
		return typeRef{}
	}
	t := typeRef{node: n, scope: f.scope, env: f.env}
	if x.Type.Has(dts.FlagAsync) {
		return c.awaited(t)
	}
	return t
}

// parameter returns the type of a parameter of functions with the given signatures.
func (c *Code) parameter(calls []call, i int, rest bool) typeRef {
	var all []typeRef
	for _, f := range calls {
		list := f.params()
		var t typeRef
		switch {
		case i < len(list) && !list[i].Has(dts.FlagRest):
			if rest || list[i].Type() == nil {
				return typeRef{}
			}
			t = f.context.at(list[i].Type())
		case len(list) > 0 && list[len(list)-1].Has(dts.FlagRest) && list[len(list)-1].Type() != nil && !rest:
			of := f.context.at(list[len(list)-1].Type())
			t = c.elementAt(of, i-len(list)+1)
		default:
			return typeRef{}
		}
		if t.unknown() {
			return typeRef{}
		}
		if !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	if len(all) == 0 {
		return typeRef{}
	}
	return unionOf(all)
}

func (c *Code) class(f *frame, x *dts.Expr) typeRef {
	for _, m := range x.List {
		in := c.classFrame(f, x, m.Static)
		switch m.Kind {
		case dts.ExprFunc:
			// A method without types may implement one of an interface, which does not give it types.
			c.method(in, m)
		case dts.ExprProp:
			c.property(in, m)
		default:
			c.statement(in, m)
		}
	}
	if sym := c.r.target(c.r.lookup(f.scope, x.Text, valueMeaning)); sym != nil && x.Text != "" {
		return c.query(sym)
	}
	return typeRef{}
}

// method visits a method and returns the type of its result.
func (c *Code) method(f *frame, x *dts.Expr) typeRef { return c.body(f, x, typeRef{}) }

// property visits the value of a property of a class.
func (c *Code) property(f *frame, x *dts.Expr) typeRef {
	var declared typeRef
	if t := x.Type.Type(); t != nil && !t.Has(dts.FlagInferred) {
		declared = typeRef{node: t, scope: f.scope, env: f.env}
		f.mark(x.List[0])
	}
	t := c.expr(f, x.List[0], declared)
	if !declared.unknown() {
		return declared
	}
	return c.widened(t)
}

// access evaluates the member of a value, and records its use.
func (c *Code) access(f *frame, x *dts.Expr) typeRef {
	object := c.expr(f, x.List[0], typeRef{})

	if strings.HasPrefix(x.Text, "#") {
		return c.privateMember(object, x.Text)
	}
	return c.use(f, object, x, pathOf(x.List[0]))
}

// use returns the type of a member of a value, and records its use. x is the name of the member, and path that of the value.
func (c *Code) use(f *frame, object typeRef, x *dts.Expr, path string) typeRef {
	if object.unknown() {
		return typeRef{}
	}
	t, found := c.member(object, x.Text)
	if found == uncertain {
		return typeRef{}
	}
	u := MemberUse{Offset: int(x.Pos), Name: x.Text, Absent: found == missing}
	if !u.Absent {
		_, other := c.member(object, "\x00")
		if other != missing {
			return t
		}
	}
	u.Owner, u.Package = c.owner(object)
	if u.Absent {
		u.Owner, u.Package = c.findingOwner(object)
		u.Members, u.Types = c.memberNames(object)
	}
	f.file.uses = append(f.file.uses, u)
	f.file.values = append(f.file.values, usedValue{narrowing: f.narrowing, path: path})
	return t
}

// usePattern records the uses of the members that a destructuring pattern takes from a value. path is that of the value.
func (c *Code) usePattern(f *frame, pattern *dts.Expr, object typeRef, path string) {
	if pattern == nil || object.unknown() {
		return
	}
	for i, x := range pattern.List {
		if x == nil || x.Kind != dts.ExprProp {
			continue
		}
		var t typeRef
		inner := ""
		switch {
		case pattern.Kind == dts.ExprArray:
			t = c.elementAt(object, i)
		case x.Text != "" && (x.Text[0] < '0' || x.Text[0] > '9'): // the index of an element is no member
			if t = c.use(f, object, x, path); path != "" {
				inner = path + "." + x.Text
			}
		}
		if target := x.List[0]; target != nil && target.Kind != dts.ExprName && x.List[1] == nil {
			c.usePattern(f, target, t, inner)
		}
	}
}
