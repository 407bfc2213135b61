package manifest

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// These are the precedences of operators, from the lowest to the highest.
const (
	precTernary = iota + 1
	precOr
	precAnd
	precCompare
	precCoalesce
	precCast
	precRange
	precAdd
	precMultiply
)

func precedence(op string) int {
	switch op {
	case "||":
		return precOr
	case "&&":
		return precAnd
	case "==", "!=", "<", ">", "<=", ">=", "===", "!==", "~=":
		return precCompare
	case "??":
		return precCoalesce
	case "..<", "...":
		return precRange
	case "*", "/", "%":
		return precMultiply
	case "=", "+=", "-=", "*=", "?", "!", "->", "&":
		return 0
	}
	return precAdd
}

// expression reads an expression without an assignment.
func (p *parser) expression() *node { return p.binary(precTernary) }

func (p *parser) binary(least int) *node {
	if !p.enter() {
		return p.node(nBad)
	}
	defer p.leave()
	left := p.unary()
	for !p.end() {
		t := p.tok()
		word := p.textOf(t)
		switch {
		case t.Kind == source.Ident && (word == "as" || word == "is") && least <= precCast && !t.Newline:
			n := p.node(nCast)
			n.text = word
			p.pos++
			if !p.tok().Space {
				p.accept("?")
				p.accept("!")
			}
			n.typ = p.typeName()
			n.kids = []*node{left}
			left = n
			continue
		case t.Kind != source.Oper:
			return left
		case word == "?" && t.Space && least <= precTernary:
			n := p.node(nTernary)
			p.pos++
			yes := p.binary(precTernary)
			p.accept(":")
			n.kids = []*node{left, yes, p.binary(precTernary)}
			left = n
			continue
		}
		prec := precedence(word)
		if prec == 0 || prec < least || t.Space != p.peek(1).Space && word != "..." && word != "..<" {
			return left
		}
		n := p.node(nBinary)
		n.text = word
		p.pos++
		next := prec + 1
		if word == "??" {
			next = prec
		}
		n.kids = []*node{left, p.binary(next)}
		left = n
	}
	return left
}

// unary reads an operand with its prefix and postfix operators.
func (p *parser) unary() *node {
	if !p.enter() {
		return p.node(nBad)
	}
	defer p.leave()
	t := p.tok()
	switch {
	case p.is("try"):
		p.pos++
		if !p.tok().Space {
			p.accept("?")
			p.accept("!")
		}
		return p.unary()
	case p.is("await"), t.Kind == source.Oper && p.textOf(t) == "&":
		p.pos++
		return p.unary()
	case t.Kind == source.Oper && (p.textOf(t) == "!" || p.textOf(t) == "-" || p.textOf(t) == "+"):
		n := p.node(nUnary)
		n.text = p.textOf(t)
		p.pos++
		n.kids = []*node{p.unary()}
		return n
	}
	return p.postfix(p.primary())
}

func (p *parser) primary() *node {
	t := p.tok()
	n := p.node(nBad)
	switch t.Kind {
	case source.Integer, source.Float:
		n.kind, n.text = nInteger, strings.ReplaceAll(p.textOf(t), "_", "")
		p.pos++
		return n
	case source.String:
		n.kind, n.text = nString, p.textOf(t)
		p.pos++
		return n
	case source.Pound:
		n.text = p.textOf(t)
		p.pos++
		if p.is("(") && !p.tok().Space {
			p.skipGroup()
		}
		return n
	case source.Ident:
		return p.word(n)
	case source.Punct:
		switch t.Byte {
		case '(':
			return p.tuple()
		case '[':
			return p.list()
		case '{':
			return p.closure()
		case '.':
			p.pos++
			n.kind, n.text = nImplicit, p.name()
			return n
		case '\\':
			p.pos++
			n.kind = nKeyPath
			if p.tok().Kind == source.Ident && !p.tok().Space {
				p.name()
			}
			var names []string
			for p.is(".") && p.peek(1).Kind == source.Ident {
				p.pos++
				names = append(names, p.name())
			}
			n.text = strings.Join(names, ".")
			return n
		}
	case source.Oper: // an operator used as a value, as in reduce([], +)
		if !p.end() {
			n.kind, n.text = nName, p.textOf(t)
			p.pos++
		}
		return n
	}
	return n
}

// word reads an expression that begins with a word.
func (p *parser) word(n *node) *node {
	switch p.textOf(p.tok()) {
	case "nil":
		n.kind = nNil
	case "true", "false":
		n.kind, n.text = nBool, p.textOf(p.tok())
	case "if":
		return p.ifStatement()
	case "switch":
		return p.switchStatement()
	default:
		n.kind, n.text = nName, p.name()
		// Generic arguments of a type, as in Set<Trait>()
		if t := p.tok(); t.Kind == source.Oper && p.textOf(t) == "<" && !t.Space && !p.peek(1).Space {
			p.skipAngles()
		}
		return n
	}
	p.pos++
	return n
}

// tuple reads an expression in parentheses.
func (p *parser) tuple() *node {
	n := p.node(nTuple)
	p.pos++
	outer := p.noBrace
	p.noBrace = false
	n.args = p.arguments(")")
	p.noBrace = outer
	if len(n.args) == 1 && n.args[0].label == "" {
		return n.args[0].value
	}
	return n
}

// arguments reads expressions up to a closing bracket and steps over the bracket.
func (p *parser) arguments(closing string) []arg {
	var all []arg
	for !p.end() && !p.accept(closing) {
		start := p.pos
		a := arg{}
		if p.tok().Kind == source.Ident && p.textOf(p.peek(1)) == ":" {
			a.label = p.name()
			p.pos++
		}
		a.value = p.expression()
		all = append(all, a)
		if !p.nextElement(start, closing) {
			break
		}
	}
	return all
}

// nextElement moves to the next element of a list, after the element that began at
// start. It skips tokens that it does not understand. It returns false at the
// bracket that closes the group around the list.
func (p *parser) nextElement(start int, closing string) bool {
	if p.accept(",") || p.is(closing) {
		return true
	}
	p.problem("a list element could not be parsed, and is skipped")
	for !p.end() && !p.is(",") && !p.is(closing) {
		switch p.tok().Byte {
		case '(', '[', '{':
			p.skipGroup()
			continue
		case ')', ']', '}':
			return false
		}
		p.pos++
	}
	p.accept(",")
	if p.pos == start {
		p.pos++
	}
	return true
}

// list reads an array or a dictionary.
func (p *parser) list() *node {
	n := p.node(nArray)
	p.pos++
	outer := p.noBrace
	p.noBrace = false
	defer func() { p.noBrace = outer }()
	if p.is(":") {
		p.pos++
		p.accept("]")
		n.kind = nDict
		return n
	}
	for !p.end() && !p.accept("]") {
		start := p.pos
		n.kids = append(n.kids, p.expression())
		if p.accept(":") {
			n.kind = nDict
			n.kids = append(n.kids, p.expression())
		}
		if !p.nextElement(start, "]") {
			break
		}
	}
	return n
}

// closure reads a closure, such as { a, b in … }.
func (p *parser) closure() *node {
	n := p.node(nClosure)
	p.pos++
	p.closureParameters(n)
	outer := p.noBrace
	p.noBrace = false
	p.statements(n)
	p.noBrace = outer
	return n
}

// closureParameters reads the parameters of a closure if they are listed.
func (p *parser) closureParameters(n *node) {
	start := p.pos
	if p.is("[") {
		p.skipGroup()
	}
	if p.accept("(") {
		n.params = p.parameters()
	} else {
		for p.tok().Kind == source.Ident && !p.is("in") {
			name := p.name()
			n.params = append(n.params, param{label: "_", name: name})
			if p.accept(":") {
				n.params[len(n.params)-1].typ = p.typeName()
			}
			if !p.accept(",") {
				break
			}
		}
	}
	if p.accept("->") {
		n.typ = p.typeName()
	}
	if !p.accept("in") {
		p.pos, n.params, n.typ = start, nil, ""
	}
}

// postfix reads members, calls and subscripts after an operand.
func (p *parser) postfix(n *node) *node {
	for !p.end() {
		t := p.tok()
		switch {
		case t.Kind == source.Punct && t.Byte == '.' && p.peek(1).Kind == source.Ident:
			line := p.line()
			p.pos++
			n = &node{kind: nMember, line: line, text: p.name(), kids: []*node{n}}
			if t := p.tok(); t.Kind == source.Oper && p.textOf(t) == "<" && !t.Space && !p.peek(1).Space {
				p.skipAngles()
			}
		case t.Kind == source.Punct && t.Byte == '.' && p.peek(1).Kind == source.Integer:
			p.pos += 2
			n = &node{kind: nMember, line: n.line, text: p.textOf(p.toks[p.pos-1]), kids: []*node{n}}
		case t.Kind == source.Punct && t.Byte == '(' && !t.Newline:
			c := p.node(nCall)
			p.pos++
			outer := p.noBrace
			p.noBrace = false
			c.args = p.arguments(")")
			p.noBrace = outer
			c.kids = []*node{n}
			n = p.trailing(c)
		case t.Kind == source.Punct && t.Byte == '[' && !t.Newline && !t.Space:
			c := p.node(nIndex)
			p.pos++
			outer := p.noBrace
			p.noBrace = false
			c.args = p.arguments("]")
			p.noBrace = outer
			c.kids = []*node{n}
			n = c
		case t.Kind == source.Punct && t.Byte == '{' && !p.noBrace && !t.Newline && (n.kind == nName || n.kind == nMember || n.kind == nImplicit):
			c := p.node(nCall)
			c.kids = []*node{n}
			n = p.trailing(c)
		case t.Kind == source.Oper && !t.Space && strings.Trim(p.textOf(t), "?!") == "" && p.textOf(t) != "??":
			p.pos++ // the evaluation of a chain stops at nil, whether marked or not
		default:
			return n
		}
	}
	return n
}

// trailing adds trailing closures to a call.
func (p *parser) trailing(c *node) *node {
	for !p.noBrace && p.is("{") && !p.tok().Newline {
		c.args = append(c.args, arg{value: p.closure()})
		if p.tok().Kind == source.Ident && p.textOf(p.peek(1)) == ":" && p.textOf(p.peek(2)) == "{" && !p.tok().Newline {
			p.pos += 2
		}
	}
	return c
}
