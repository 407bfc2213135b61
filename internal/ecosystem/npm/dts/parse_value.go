package dts

import (
	"strconv"
	"strings"
)

// variables parses the declarators after const, let, var or using.
func (p *parser) variables(out *list, flags Flags, doc int32) {
	for {
		if p.kind() == '{' || p.kind() == '[' {
			start := p.i
			p.skipGroup()
			after := p.i
			var typ *Node
			if p.take(':') {
				typ = p.typ()
			}
			if p.take('=') {
				if v := p.value(); typ == nil && v != nil && (v.Kind >= Keyword || v.Kind == Require && v.first == nil) {
					typ = v
				}
			}
			if p.failed {
				return
			}
			p.bound(out, pattern{start, after - 1, typ}, flags, doc, 0)
		} else {
			if !isName(p.kind()) {
				p.fail("a name was expected")
				return
			}
			n := p.named(Variable)
			n.Flags, n.doc = flags, doc
			p.take('!')
			var parts list
			if p.take(':') {
				parts.add(p.typ())
			}
			var targets *Node
			if p.take('=') {
				if p.f.Language == JavaScript && isName(p.kind()) {
					targets = p.targets(doc)
				}
				if targets != nil && (p.kind() == kwClass || p.startsFunction()) {
					// The declaration has the form const x = module.exports = class {…}.
					v := p.exported()
					if p.failed || v == nil {
						return
					}
					v.Text, v.Flags, v.doc = n.Text, v.Flags|flags&FlagExport, doc
					out.add(v)
					assignTo(out, targets, &Node{Kind: Ref, Text: n.Text, Pos: n.Pos})
					if !p.take(',') {
						break
					}
					continue
				}
				start := p.i
				if targets == nil && parts.first == nil && p.kind() == kwClass {
					if v := p.exported(); v != nil && !p.failed && p.endsExpression() {
						v.Text, v.Flags, v.doc = n.Text, v.Flags|flags&FlagExport, doc
						out.add(v)
						if !p.take(',') {
							break
						}
						continue
					}
					p.failed, p.reason, p.i = false, "", start
				}
				v := p.value()
				if parts.first == nil {
					parts.add(v)
				}
				if v == nil && !p.failed && p.f.Language == JavaScript && p.toks[start].kind == '{' {
					// The object's properties become the exports of a module that exports it.
					end := p.i
					p.i = start
					parts.add(p.object())
					p.i = end
				}
			}
			if p.failed {
				return
			}
			n.first = parts.first
			out.add(n)
			assignTo(out, targets, &Node{Kind: Ref, Text: n.Text, Pos: n.Pos})
		}
		if !p.take(',') {
			break
		}
	}
	// for (const x of …) occurs only in function bodies, which are skipped.
	p.endStatement()
}

// pattern is the destructuring pattern between the brackets at tokens a and b. typ
// is the type of the destructured value, or nil if the source does not state it.
type pattern struct {
	a, b int
	typ  *Node
}

// maxPatterns is the maximum nesting depth of patterns.
const maxPatterns = 50

// element returns the type of the element of a pattern that has the given key. It
// returns nil if the type is unknown.
func (p *parser) element(typ *Node, key string) *Node {
	if typ == nil || typ.Kind == Require || key == "" {
		return nil
	}
	object := *typ
	name := p.node(Literal)
	name.Text = strconv.Quote(key)
	object.next = name
	n := p.node(Indexed)
	n.Flags, n.first, n.Pos = FlagInferred, &object, typ.Pos
	return n
}

// required returns the import for the name at the current token in a pattern:
// const { key: name } = require("x").
func (p *parser) required(from *Node, key string) *Node {
	name := p.named(Specifier)
	name.first = &Node{Kind: Name, Text: key, Pos: name.Pos}
	return &Node{Kind: Import, Text: from.Text, first: name, Pos: name.Pos}
}

// bound adds a variable for each name that a destructuring pattern binds.
func (p *parser) bound(out *list, in pattern, flags Flags, doc int32, depth int) {
	b := in.b
	isArray := p.toks[in.a].kind == '['
	index := -1
	for i := in.a + 1; i < b && depth < maxPatterns; {
		// One element has the form [...] name | key: target, optionally followed by =
		// default.
		index++
		key := ""
		switch t := &p.toks[i]; {
		case t.kind == ellipsis:
			i++
		case isArray:
			key = strconv.Itoa(index)
		case isName(t.kind):
			key = p.src[t.pos:t.end]
		case t.kind == str:
			key = unquote(p.src[t.pos:t.end])
		}
		if i+1 < b && p.toks[i+1].kind == ':' {
			i += 2
		} else if p.toks[i].kind == '[' && p.toks[p.after(i)].kind == ':' {
			i = p.after(i) + 1
			key = ""
		}
		switch t := &p.toks[min(i, b)]; {
		case i >= b:
		case t.kind == '{' || t.kind == '[':
			p.bound(out, pattern{i, min(int(t.match), b), p.element(in.typ, key)}, flags, doc, depth+1)
		case isName(t.kind):
			saved := p.i
			p.i = i
			if in.typ != nil && in.typ.Kind == Require && key != "" && p.f.Language == JavaScript {
				out.add(p.required(in.typ, key))
			} else {
				n := p.named(Variable)
				n.Flags, n.doc = flags, doc
				n.first = p.element(in.typ, key)
				out.add(n)
			}
			p.i = saved
		}
		for i < b && p.toks[i].kind != ',' {
			switch p.toks[i].kind {
			case '(', '[', '{':
				i = p.after(i)
			default:
				i++
			}
		}
		i++
	}
}

// value parses the expression after = and returns its contribution to the type:
// a type with FlagInferred, an Initial with the literal, or nil.
func (p *parser) value() *Node {
	start := p.i
	if p.startsFunction() {
		n := p.functionValue(FuncType)
		p.skipExpression()
		return p.inferred(n)
	}
	if p.kind() == template && strings.Contains(p.word(), "${") {
		n := p.node(Keyword)
		n.Text = "string"
		if p.next(); p.endsExpression() {
			return p.inferred(n)
		}
		p.i = start
	}
	if n := p.literal(); n != nil {
		p.skipExpression()
		return n
	}
	if isName(p.kind()) && p.kind() != kwNew && p.kind() != kwClass {
		n := p.reference(TypeQuery)
		if p.failed {
			return nil
		}
		if p.endsExpression() {
			if p.ambient {
				n.Kind, n.Flags, n.Text, n.first = Initial, FlagDeclare, p.text(start, p.i), nil
				return n
			}
			return p.inferred(n)
		}
		if n.Text == "require" && p.kind() == '(' && p.peek(1) == str && p.peek(2) == ')' {
			p.require(n)
			if p.endsExpression() {
				return n
			}
		}
		p.i = start
	}
	if p.kind() == kwNew && isName(p.peek(1)) {
		p.next()
		n := p.reference(Ref)
		if p.failed {
			return nil
		}
		if p.kind() == '(' {
			p.skipGroup()
			if p.endsExpression() {
				return p.inferred(n)
			}
		}
		p.i = start
	}
	as := p.skipExpression()
	if as == 0 || p.toks[as+1].kind == kwConst {
		if p.ambient {
			n := p.node(Initial)
			n.Flags = FlagDeclare
			n.Text = p.text(start, p.i)
			return n
		}
		return nil
	}
	end := p.i
	p.i = as + 1
	n := p.typ()
	if p.failed || p.i != end {
		p.failed, p.reason, p.i = false, "", end
		return nil
	}
	return p.inferred(n)
}

func (p *parser) inferred(n *Node) *Node {
	if n != nil {
		n.Flags |= FlagInferred
	}
	return n
}

// literal parses a string, number, true, false or null that is the whole expression. It returns nil
// for any other expression.
func (p *parser) literal() *Node {
	start := p.i
	switch p.kind() {
	case str, number, regex, template:
		p.next()
	case '-':
		p.next()
		if !p.take(number) {
			p.i = start
			return nil
		}
	case ident:
		switch p.word() {
		case "true", "false", "null":
			p.next()
		default:
			return nil
		}
	default:
		return nil
	}
	asConst := p.kind() == kwAs && p.peek(1) == kwConst || p.kind() == kwSatisfies
	if p.toks[start].kind == regex || !asConst && !p.endsExpression() {
		p.i = start
		return nil
	}
	end := p.i
	p.i = start
	n := p.node(Initial)
	if p.ambient {
		n.Flags |= FlagDeclare
	}
	n.Text = p.text(start, end)
	p.i = end
	return n
}

// literalFollows reports whether literal would succeed.
func (p *parser) literalFollows() bool {
	return p.try(p.i, func() bool { return p.literal() != nil })
}

// startsFunction reports whether the current token begins a function or an arrow
// function.
func (p *parser) startsFunction() bool {
	i := 0
	if p.kind() == kwAsync && (p.peekSame() == kwFunction || p.peekSame() == '(' || p.peekSame() == '<' || isName(p.peekSame()) && p.peek(2) == arrow) {
		i++
	}
	switch k := p.peek(i); {
	case k == kwFunction:
		return true
	case k == '(':
		after := p.toks[p.after(p.i+i)].kind
		return after == arrow || after == ':' && p.arrowAfterType(p.after(p.i+i))
	case k == '<':
		return p.arrowAfterTypeParams(p.i + i)
	case isName(k):
		return p.peek(i+1) == arrow
	}
	return false
}

// try runs read at token i and reports whether it succeeded. It restores the
// current token and state.
func (p *parser) try(i int, read func() bool) bool {
	saved, was := p.i, p.noConditional
	warned, dropped := len(p.f.Warnings), p.f.Dropped
	p.i = i
	ok := read() && !p.failed
	p.i, p.noConditional, p.failed, p.reason = saved, was, false, ""
	p.f.Warnings, p.f.Dropped = p.f.Warnings[:warned], dropped
	return ok
}

// arrowAfterType reports whether a type and then an arrow follow the colon at i.
func (p *parser) arrowAfterType(i int) bool {
	return p.try(i+1, func() bool {
		p.returnType()
		return p.kind() == arrow
	})
}

func (p *parser) arrowAfterTypeParams(i int) bool {
	return p.try(i, func() bool {
		p.typeParams(&list{})
		return p.kind() == '('
	})
}

// functionValue parses a function or an arrow function as a node of kind k. It
// returns nil after a syntax error.
func (p *parser) functionValue(k Kind) *Node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	n := p.node(k)
	n.Flags |= FlagBody
	if p.take(kwAsync) {
		n.Flags |= FlagAsync
	}
	if p.take(kwFunction) {
		p.take('*')
		if isName(p.kind()) {
			p.next()
		}
		p.signature(n, ':')
		if p.kind() == '{' {
			p.constructs(n)
			p.skipGroup()
		}
		return n
	}
	if isName(p.kind()) {
		n.first = p.named(Param)
	} else {
		p.signature(n, ':')
	}
	if !p.expect(arrow, "=>") {
		return nil
	}
	if p.kind() == '{' {
		p.skipGroup()
	} else {
		p.skipExpression()
	}
	return n
}

// endsExpression reports whether the expression ends before the current token.
func (p *parser) endsExpression() bool {
	t := &p.toks[p.i]
	switch t.kind {
	case ';', ',', ')', ']', '}', eof, 0:
		return true
	}
	return t.nl && !p.continues()
}

// continues reports whether the expression continues at the current token,
// which is the first of its line. If not, JavaScript inserts a semicolon before
// it.
func (p *parser) continues() bool {
	t := &p.toks[p.i]
	switch t.kind {
	case '.', '?', ':', '+', '-', '*', '/', '%', '&', '|', '^', '<', '>', '=', '(', '[', template, arrow,
		kwIn, kwInstanceof, kwAs, kwSatisfies, kwExtends:
		return true
	case '!':
		return p.peek(1) == '='
	}
	if p.i == 0 || p.i == p.typeEnd || p.i > 1 && p.toks[p.i-2].kind == '.' {
		return false // the last token belongs to a type, or is the name of a member
	}
	switch k := p.toks[p.i-1].kind; k {
	case ')':
		return t.kind == '{'
	case ']', '}', ';', '!', 0:
		return false
	case '>': // It may end a type, as in x as Map<K, V>.
		switch t.kind {
		case kwExport, kwImport, kwConst, kwLet, kwVar, kwFunction, kwAsync, kwClass, kwAbstract, kwInterface, kwType, kwEnum, kwDeclare, kwNamespace, '@':
			return false
		}
		return true
	case arrow, ellipsis, kwNew, kwTypeof, kwVoid, kwDelete, kwAwait, kwIn, kwInstanceof, kwAs, kwSatisfies, kwExtends, kwFunction, kwClass:
		return true
	default:
		return k < eof
	}
}

// skipExpression steps over the rest of an expression. It returns the index of the
// last "as" or "satisfies" outside brackets, or 0 if there is none.
func (p *parser) skipExpression() (as int) {
	for !p.endsExpression() {
		switch p.kind() {
		case '(', '[', '{':
			p.skipGroup()
		case '<':
			end := p.i + 1
			if p.try(p.i, func() bool { p.typeArgs(&list{}); end = p.i; return p.kind() == '(' }) {
				p.i = end
			} else {
				p.next()
			}
		case kwAs, kwSatisfies:
			if p.kind() == kwAs {
				as = p.i
			}
			p.next()
			// The type after "as" may contain commas, as in x as Map<string, number>.
			if p.kind() != kwConst && p.kind() != eof {
				if end := p.i; p.try(p.i, func() bool { p.typ(); end = p.i; return true }) {
					p.i, p.typeEnd = end, end
				}
			}
		default:
			p.next()
		}
	}
	return as
}

// exported parses an exported expression: a name, a literal, a function, a class,
// an object literal, require(…), or another expression. It returns nil after a
// syntax error.
func (p *parser) exported() *Node {
	start := p.i
	switch k := p.kind(); {
	case p.startsFunction():
		n := p.functionValue(Function)
		p.skipExpression()
		return n
	case k == kwClass:
		p.next()
		n := p.class()
		p.skipExpression()
		return n
	case k == '{':
		after := p.after(p.i)
		n := p.object()
		p.i = after
		p.skipExpression()
		return n
	case p.literalFollows():
		return p.literal()
	case isName(k) && k != kwNew && k != kwThis:
		n := p.reference(Ref)
		if p.failed {
			return nil
		}
		if n.Kind == Keyword && n.Text != "undefined" {
			n.Kind = Ref // The value has the same name as a type, such as object.
		}
		if n.Text == "require" && p.kind() == '(' && p.peek(1) == str && p.peek(2) == ')' {
			p.require(n)
		}
		if p.endsExpression() {
			return n
		}
		p.i = start
	}
	n := p.node(Expression)
	if p.kind() == kwNew {
		if t := p.value(); t != nil && t.Kind == Ref {
			n.first = t
		}
		p.failed, p.reason, p.i = false, "", start
	}
	as := p.skipExpression()
	n.Text = p.text(start, p.i)
	if as > 0 && p.toks[as+1].kind != kwConst {
		end := p.i
		p.i = as + 1
		if t := p.typ(); !p.failed && p.i == end {
			n.first = t
		}
		p.failed, p.reason, p.i = false, "", end
	}
	return n
}

// require parses the part after require: ("x") or ("x").y.
func (p *parser) require(n *Node) {
	n.Kind = Require
	n.Text = unquote(p.src[p.toks[p.i+1].pos:p.toks[p.i+1].end])
	p.skipGroup()
	if p.kind() == '.' && isName(p.peek(1)) {
		p.next()
		n.first = p.named(Name)
	}
}

// object parses an object literal that a module exports.
func (p *parser) object() *Node {
	n := p.node(Object)
	end := p.inside()
	p.next()
	var out list
	if !p.enter() {
		return n
	}
	defer p.leave()
	for p.i < end {
		if p.take(',') {
			continue
		}
		start := p.i
		m := p.objectPart()
		if p.failed {
			p.failed, p.reason, p.i = false, "", start
			m = nil
		}
		out.add(m)
		p.skipArgument(end)
	}
	n.first = out.first
	return n
}

func (p *parser) objectPart() *Node {
	doc := p.toks[p.i].doc
	if p.kind() == ellipsis {
		n := p.node(Spread)
		p.next()
		n.first = p.exported()
		return n
	}
	n := p.node(Property)
	n.doc = doc
	k := p.kind()
	if isName(k) && (p.peek(1) == ',' || p.peek(1) == '}') {
		s := p.named(Specifier)
		s.doc = doc
		return s
	}
	if k == kwAsync && p.nameFollows() {
		n.Flags |= FlagAsync
		p.next()
	}
	if (k == kwGet || k == kwSet) && p.nameFollows() {
		n.Kind = Getter
		if k == kwSet {
			n.Kind = Setter
		}
		p.next()
	}
	p.take('*')
	if !p.memberName(n) {
		return nil
	}
	switch p.kind() {
	case '(':
		if n.Kind == Property {
			n.Kind = Method
		}
		p.signature(n, ':')
		n.Flags |= FlagBody
	case ':':
		p.next()
		if v := p.exported(); v != nil {
			n.first = v
			if v.Kind == Function {
				n.Kind, n.first = Method, v.first
			}
		}
	}
	return n
}
