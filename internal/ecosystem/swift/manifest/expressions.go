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
func (p *parser) expression() node { return p.binary(precTernary) }

// binary reads an expression of operators with at least a precedence.
func (p *parser) binary(minimum int) node {
	if !p.enter() {
		return &badExpr{p.at()}
	}
	defer p.leave()
	left := p.unary()
	for !p.end() {
		t, at := p.tok(), p.at()
		op := p.textOf(t)
		switch {
		case t.Kind == source.Ident && (op == "as" || op == "is") && minimum <= precCast && !t.Newline:
			p.pos++
			if !p.tok().Space {
				p.accept("?")
				p.accept("!")
			}
			left = &castExpr{line: at, operand: left, test: op == "is", typ: p.typeRef()}
			continue
		case t.Kind != source.Oper:
			return left
		case op == "?" && t.Space && minimum <= precTernary:
			p.pos++
			yes := p.binary(precTernary)
			p.accept(":")
			left = &ternaryExpr{at, left, yes, p.binary(precTernary)}
			continue
		}
		prec := precedence(op)
		if prec == 0 || prec < minimum || t.Space != p.peek(1).Space && op != "..." && op != "..<" {
			return left
		}
		p.pos++
		next := prec + 1
		if op == "??" {
			next = prec
		}
		left = &binaryExpr{at, op, left, p.binary(next)}
	}
	return left
}

// unary reads an operand with its prefix and postfix operators.
func (p *parser) unary() node {
	if !p.enter() {
		return &badExpr{p.at()}
	}
	defer p.leave()
	t, at := p.tok(), p.at()
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
	case t.Kind == source.Oper && (p.peek(1).Byte == ')' || p.peek(1).Byte == ','):
		return p.primary() // The operator is used as a function.
	case t.Kind == source.Oper && (p.textOf(t) == "!" || p.textOf(t) == "-" || p.textOf(t) == "+"):
		p.pos++
		return &unaryExpr{at, p.textOf(t), p.unary()}
	}
	return p.postfix(p.primary())
}

func (p *parser) primary() node {
	t, at := p.tok(), p.at()
	switch t.Kind {
	case source.Integer, source.Float:
		p.pos++
		return &literalExpr{at, number(strings.ReplaceAll(p.textOf(t), "_", ""))}
	case source.String:
		p.pos++
		p.second = p.second || strings.Contains(p.textOf(t), "$1")
		return &stringExpr{line: at, literal: p.textOf(t)}
	case source.Pound:
		p.pos++
		if p.is("(") && !p.tok().Space {
			p.skipGroup()
		}
	case source.Ident:
		return p.word()
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
			return &implicitExpr{at, p.name()}
		case '\\':
			p.pos++
			if p.tok().Kind == source.Ident && !p.tok().Space {
				p.name()
			}
			n := &keyPathExpr{line: at}
			for p.is(".") && p.peek(1).Kind == source.Ident {
				p.pos++
				n.names = append(n.names, p.name())
			}
			return n
		}
	case source.Oper: // The operator is used as a value, as in reduce([], +).
		if !p.end() {
			p.pos++
			return &operatorExpr{at, p.textOf(t)}
		}
	}
	return &badExpr{at}
}

// word reads an expression that begins with a word.
func (p *parser) word() node {
	at := p.at()
	var v value
	switch p.textOf(p.tok()) {
	case "nil":
		v = absent{}
	case "true":
		v = true
	case "false":
		v = false
	case "if":
		return p.ifStatement()
	case "switch":
		return p.switchStatement()
	default:
		n := &nameExpr{at, p.name()}
		p.second = p.second || n.name == "$1"
		p.typeArguments() // The name has type arguments, as in Set<Trait>().
		return n
	}
	p.pos++
	return &literalExpr{at, v}
}

// typeArguments skips the generic arguments of a name.
func (p *parser) typeArguments() {
	if t := p.tok(); t.Kind == source.Oper && p.textOf(t) == "<" && !t.Space && !p.peek(1).Space {
		p.skipAngles()
	}
}

// tuple reads an expression in parentheses.
func (p *parser) tuple() node {
	n := &tupleExpr{line: p.at()}
	p.pos++
	n.elems = p.arguments(")")
	if len(n.elems) == 1 && n.elems[0].label == "" {
		return n.elems[0].value
	}
	return n
}

// arguments reads expressions up to a closing bracket and steps over the bracket.
func (p *parser) arguments(closing string) []arg {
	outer := p.noBrace
	p.noBrace = false
	defer func() { p.noBrace = outer }()
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
	p.problem("a list element could not be parsed and was skipped")
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
func (p *parser) list() node {
	at := p.at()
	p.pos++
	outer := p.noBrace
	p.noBrace = false
	defer func() { p.noBrace = outer }()
	if p.accept(":") {
		p.accept("]")
		return &dictExpr{line: at}
	}
	var elems, keys, values []node
	for !p.end() && !p.accept("]") {
		start := p.pos
		if e := p.expression(); p.accept(":") {
			keys, values = append(keys, e), append(values, p.expression())
		} else {
			elems = append(elems, e)
		}
		if !p.nextElement(start, "]") {
			break
		}
	}
	if len(keys) > 0 {
		return &dictExpr{at, keys, values}
	}
	return &arrayExpr{at, elems}
}

// closure reads a closure, such as { a, b in … }.
func (p *parser) closure() node {
	n := &closureExpr{p.at(), code{kind: closureCode}}
	p.pos++
	p.closureParameters(n)
	outer := p.noBrace
	p.noBrace = false
	n.body = &block{line: n.line}
	second := p.second
	p.second = false
	p.statements(n.body)
	n.second, p.second = p.second, second
	p.noBrace = outer
	return n
}

// closureParameters reads the parameters of a closure if they are listed.
func (p *parser) closureParameters(n *closureExpr) {
	start := p.pos
	if p.is("[") {
		p.skipGroup()
	}
	if p.accept("(") {
		n.params = p.parameters()
	} else {
		for p.tok().Kind == source.Ident && !p.is("in") {
			name := p.name()
			n.params = append(n.params, param{name: name})
			if p.accept(":") {
				n.params[len(n.params)-1].typ = p.typeRef()
			}
			if !p.accept(",") {
				break
			}
		}
	}
	if p.accept("->") {
		n.result = p.typeRef()
	}
	if !p.accept("in") {
		p.pos, n.params, n.result = start, nil, typ{}
	}
}

// postfix reads members, calls and subscripts after an operand.
func (p *parser) postfix(n node) node {
	for !p.end() {
		t, at := p.tok(), p.at()
		switch {
		case t.Kind == source.Punct && t.Byte == '.' && p.peek(1).Kind == source.Ident:
			p.pos++
			n = &memberExpr{at, n, p.name(), isImplicit(n)}
			p.typeArguments()
		case t.Kind == source.Punct && t.Byte == '.' && p.peek(1).Kind == source.Integer:
			p.pos += 2
			n = &memberExpr{line(n.at()), n, p.textOf(p.toks[p.pos-1]), isImplicit(n)}
		case t.Kind == source.Punct && t.Byte == '(' && !t.Newline:
			p.pos++
			n = p.trailing(&callExpr{at, n, p.arguments(")"), isImplicit(n)})
		case t.Kind == source.Punct && t.Byte == '[' && !t.Newline && !t.Space:
			p.pos++
			n = &indexExpr{at, n, p.arguments("]")}
		case t.Kind == source.Punct && t.Byte == '{' && !p.noBrace && !t.Newline && isCallable(n):
			n = p.trailing(&callExpr{line: at, callee: n, implicit: isImplicit(n)})
		case t.Kind == source.Oper && !t.Space && strings.Trim(p.textOf(t), "?!") == "" && p.textOf(t) != "??":
			p.pos++ // The evaluation of a chain stops at nil, even without a question mark.
		default:
			return n
		}
	}
	return n
}

// isCallable reports whether a trailing closure may follow an expression.
func isCallable(n node) bool {
	switch n.(type) {
	case *nameExpr, *memberExpr, *implicitExpr:
		return true
	}
	return false
}

// trailing adds trailing closures to a call.
func (p *parser) trailing(c *callExpr) *callExpr {
	for !p.noBrace && p.is("{") && !p.tok().Newline {
		c.args = append(c.args, arg{value: p.closure()})
		if p.tok().Kind == source.Ident && p.textOf(p.peek(1)) == ":" && p.textOf(p.peek(2)) == "{" && !p.tok().Newline {
			p.pos += 2
		}
	}
	return c
}
