package manifest

import (
	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// modifiers lists keywords before a declaration that do not affect the evaluation.
var modifiers = map[string]bool{
	"public": true, "private": true, "fileprivate": true, "internal": true, "package": true, "open": true, "final": true, "lazy": true, "mutating": true,
	"nonmutating": true, "override": true, "convenience": true, "indirect": true, "nonisolated": true, "required": true,
}

// statement reads a statement. It returns nil for a statement that has no effect.
func (p *parser) statement() *node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	static := false
	for !p.end() {
		word := p.textOf(p.tok())
		next := p.peek(1)
		switch {
		case p.is("@") && next.Kind == source.Ident:
			p.pos += 2
			if p.is("(") && !p.tok().Space {
				p.skipGroup()
			}
			continue
		case p.is(";"):
			p.pos++
			continue
		case word == "static" || word == "class" && (p.textOf(next) == "func" || p.textOf(next) == "var"):
			static = true
			p.pos++
			continue
		case modifiers[word] && next.Kind == source.Ident && !next.Newline:
			p.pos++
			continue
		}
		break
	}
	if p.end() {
		return nil
	}
	s := p.plainStatement()
	if s != nil {
		s.static = static
	}
	return s
}

func (p *parser) plainStatement() *node {
	if p.tok().Kind != source.Ident {
		return p.expressionStatement()
	}
	switch p.textOf(p.tok()) {
	case "import":
		p.pos++
		p.typeName()
		if p.tok().Kind == source.Ident && !p.tok().Newline {
			p.typeName()
		}
		return nil
	case "typealias", "precedencegroup", "operator", "infix", "prefix", "postfix", "protocol", "deinit", "defer", "associatedtype":
		p.skipDeclaration()
		return nil
	case "let", "var":
		return p.variable()
	case "func":
		n := p.node(nFunc)
		p.pos++
		n.text = p.textOf(p.tok()) // an operator may be the name
		p.pos++
		return p.function(n)
	case "init":
		if t := p.peek(1); p.text[t.Start:t.End] == "(" || p.text[t.Start:t.End] == "?" {
			n := p.node(nFunc)
			n.text = "init"
			p.pos++
			p.accept("?")
			return p.function(n)
		}
	case "struct", "enum", "class", "actor", "extension":
		return p.typeDeclaration()
	case "case":
		return p.enumCases()
	case "if":
		return p.ifStatement()
	case "guard":
		n := p.node(nGuard)
		p.pos++
		n.conds = p.conditions()
		p.accept("else")
		n.body = p.block()
		return n
	case "for":
		return p.forStatement()
	case "while":
		n := p.node(nWhile)
		p.pos++
		n.conds = p.conditions()
		n.body = p.block()
		return n
	case "switch":
		return p.switchStatement()
	case "do":
		if t := p.peek(1); t.Byte == '{' {
			p.pos++
			b := p.block()
			for p.accept("catch") {
				for !p.end() && !p.is("{") {
					p.pos++
				}
				p.block()
			}
			return b
		}
	case "return":
		n := p.node(nReturn)
		p.pos++
		if !p.end() && !p.tok().Newline && !p.is("}") && !p.is(";") {
			n.kids = []*node{p.expression()}
		}
		return n
	case "break", "continue", "fallthrough", "throw":
		n := p.node(nLeave)
		n.text = p.textOf(p.tok())
		p.pos++
		if !p.end() && !p.tok().Newline && !p.is("}") && !p.is(";") {
			p.expression()
		}
		return n
	}
	return p.expressionStatement()
}

func (p *parser) expressionStatement() *node {
	left := p.expression()
	t := p.tok()
	if t.Kind != source.Oper {
		return left
	}
	op := p.textOf(t)
	switch op {
	case "=", "+=", "-=", "*=":
		n := p.node(nAssign)
		n.text = op
		p.pos++
		n.kids = []*node{left, p.expression()}
		return n
	}
	return left
}

// skipDeclaration skips a declaration with its body.
func (p *parser) skipDeclaration() {
	for first := true; !p.end(); first = false {
		switch {
		case !first && p.tok().Newline && !p.is("{"):
			return
		case p.is("{"):
			p.skipGroup()
			return
		case p.is("(") || p.is("["):
			p.skipGroup()
		default:
			p.pos++
		}
	}
}

// block reads statements in braces.
func (p *parser) block() *node {
	n := p.node(nBlock)
	if !p.accept("{") {
		p.problem("a brace is missing")
		return n
	}
	outer := p.noBrace
	p.noBrace = false
	p.statements(n)
	p.noBrace = outer
	return n
}

// statements reads statements up to the end or a closing brace, which it steps over.
func (p *parser) statements(n *node) {
	for !p.end() && !p.accept("}") {
		p.addStatement(n)
	}
}

// addStatement reads a statement into n, or steps over a line that cannot be parsed.
func (p *parser) addStatement(n *node) {
	start := p.pos
	if s := p.statement(); s != nil {
		n.kids = append(n.kids, s)
	}
	if p.pos == start {
		p.problem("a statement could not be parsed, and is skipped")
		p.skipLine()
	}
}

// variable reads let or var.
func (p *parser) variable() *node {
	list := p.node(nBlock)
	list.text = "vars"
	p.pos++
	for {
		n := p.node(nVar)
		if p.accept("(") {
			for !p.end() && !p.accept(")") {
				n.names = append(n.names, p.name())
				if !p.accept(",") && !p.is(")") {
					p.pos++
				}
			}
		} else if name := p.name(); name != "" {
			n.names = []string{name}
		} else {
			p.problem("a name is missing")
			return n
		}
		if p.accept(":") {
			n.typ = p.typeName()
		}
		if p.accept("=") {
			n.kids = []*node{p.expression()}
		}
		if p.is("{") && !p.noBrace {
			p.getter(n)
		}
		list.kids = append(list.kids, n)
		if !p.accept(",") {
			break
		}
	}
	if len(list.kids) == 1 {
		return list.kids[0]
	}
	return list
}

// getter reads the accessors of a variable and keeps the getter.
func (p *parser) getter(n *node) {
	word := p.textOf(p.peek(1))
	switch word {
	case "get":
		p.pos += 2
		if p.is("{") {
			n.body = p.block()
		}
		depth := 1
		for !p.end() && depth > 0 {
			if p.is("{") {
				p.skipGroup()
				continue
			}
			if p.is("}") {
				depth--
			}
			p.pos++
		}
	case "didSet", "willSet":
		p.skipGroup()
	default:
		n.body = p.block()
	}
}

// function reads a function, beginning with its generic parameters.
func (p *parser) function(n *node) *node {
	if t := p.tok(); t.Kind == source.Oper && t.Byte == '<' {
		p.skipAngles()
	}
	if p.accept("(") {
		n.params = p.parameters()
	}
	for p.is("async") || p.is("throws") || p.is("rethrows") {
		p.pos++
		if p.is("(") {
			p.skipGroup()
		}
	}
	if p.accept("->") {
		n.typ = p.typeName()
	}
	if p.is("where") {
		for !p.end() && !p.is("{") {
			p.pos++
		}
	}
	if p.is("{") {
		n.body = p.block()
	}
	return n
}

// parameters reads parameters up to the closing parenthesis.
func (p *parser) parameters() []param {
	var all []param
	for !p.end() && !p.accept(")") {
		start := p.pos
		for p.is("@") {
			p.pos += 2
		}
		a := param{label: p.name()}
		a.name = a.label
		if second := p.name(); second != "" {
			a.name = second
		}
		if p.accept(":") {
			a.typ = p.typeName()
			p.accept("...")
		}
		if p.accept("=") {
			a.value = p.expression()
		}
		p.accept(",")
		if p.pos == start {
			p.pos++
		}
		all = append(all, a)
	}
	return all
}

// typeDeclaration reads a type or an extension.
func (p *parser) typeDeclaration() *node {
	n := p.node(nType)
	word := p.textOf(p.tok())
	p.pos++
	n.text = p.typeName()
	n.names = []string{word}
	if p.accept(":") {
		for !p.end() && !p.is("{") && !p.is("where") {
			p.pos++
		}
	}
	if p.accept("where") {
		// The clause may name the extended array, as in extension Array where Element
		// == SwiftSetting.
		for !p.end() && !p.is("{") {
			if p.is("Element") && p.textOf(p.peek(1)) == "==" {
				p.pos += 2
				if n.text == "Array" || n.text == "Set" {
					n.text = "[" + p.typeName() + "]"
					continue
				}
			}
			p.pos++
		}
	}
	if p.accept("{") {
		p.statements(n)
	}
	return n
}

// enumCases reads the cases of an enum that follow the word case.
func (p *parser) enumCases() *node {
	list := p.node(nBlock)
	list.text = "vars"
	p.pos++
	for {
		n := p.node(nCase)
		n.text = p.name()
		if n.text == "" {
			p.problem("a name is missing")
			return list
		}
		if p.is("(") {
			p.skipGroup()
		}
		if p.accept("=") {
			n.kids = []*node{p.expression()}
		}
		list.kids = append(list.kids, n)
		if !p.accept(",") {
			return list
		}
	}
}

// conditions reads the conditions before a body.
func (p *parser) conditions() []*node {
	outer := p.noBrace
	p.noBrace = true
	defer func() { p.noBrace = outer }()
	var all []*node
	for {
		switch {
		case p.is("let") || p.is("var"):
			n := p.node(nLetCond)
			p.pos++
			n.names = []string{p.name()}
			if p.accept(":") {
				p.typeName()
			}
			if p.accept("=") {
				n.kids = []*node{p.expression()}
			} else {
				n.kids = []*node{{kind: nName, text: n.names[0], line: n.line}}
			}
			all = append(all, n)
		case p.is("#available") || p.is("#unavailable"):
			n := p.node(nUnitCond)
			n.text = p.textOf(p.tok())
			p.pos++
			if p.is("(") {
				p.skipGroup()
			}
			all = append(all, n)
		case p.is("case"):
			// The condition has the form if case .a = b.
			p.pos++
			n := p.node(nBinary)
			n.text = "=="
			n.kids = []*node{p.expression()}
			p.accept("=")
			n.kids = append(n.kids, p.expression())
			all = append(all, n)
		default:
			all = append(all, p.expression())
		}
		if !p.accept(",") {
			return all
		}
	}
}

func (p *parser) ifStatement() *node {
	if !p.enter() {
		return p.node(nBad)
	}
	defer p.leave()
	n := p.node(nIf)
	p.pos++
	n.conds = p.conditions()
	n.body = p.block()
	if p.accept("else") {
		if p.is("if") {
			n.kids = []*node{p.ifStatement()}
		} else {
			n.kids = []*node{p.block()}
		}
	}
	return n
}

func (p *parser) forStatement() *node {
	n := p.node(nFor)
	p.pos++
	p.accept("case")
	p.accept("let")
	p.accept("var")
	if p.accept("(") {
		for !p.end() && !p.accept(")") {
			p.accept("let")
			n.names = append(n.names, p.name())
			if !p.accept(",") && !p.is(")") {
				p.pos++
			}
		}
	} else {
		n.names = []string{p.name()}
	}
	if p.accept(":") {
		p.typeName()
	}
	outer := p.noBrace
	p.noBrace = true
	if !p.accept("in") {
		p.problem("the loop could not be parsed")
	}
	n.kids = []*node{p.expression()}
	if p.accept("where") {
		n.kids = append(n.kids, p.expression())
	}
	p.noBrace = outer
	n.body = p.block()
	return n
}

func (p *parser) switchStatement() *node {
	n := p.node(nSwitch)
	p.pos++
	outer := p.noBrace
	p.noBrace = true
	n.kids = []*node{p.expression()}
	p.noBrace = outer
	if !p.accept("{") {
		return n
	}
	for !p.end() && !p.accept("}") {
		start := p.pos
		for p.is("@") {
			p.pos += 2
		}
		arm := p.node(nArm)
		switch {
		case p.accept("default"):
		case p.accept("case"):
			for {
				p.accept("let")
				arm.conds = append(arm.conds, p.expression())
				if p.accept("where") {
					arm.conds[len(arm.conds)-1] = &node{kind: nBad, line: p.line()}
					p.expression()
				}
				if !p.accept(",") {
					break
				}
			}
		}
		if !p.accept(":") {
			p.problem("the case could not be parsed")
		}
		arm.body = p.node(nBlock)
		for !p.end() && !p.is("case") && !p.is("default") && !p.is("}") && !(p.is("@") && p.textOf(p.peek(1)) == "unknown") {
			begin := p.pos
			if p.accept(";") {
				continue
			}
			if s := p.statement(); s != nil {
				arm.body.kids = append(arm.body.kids, s)
			}
			if p.pos == begin {
				p.pos++
			}
		}
		n.kids = append(n.kids, arm)
		if p.pos == start {
			p.pos++
		}
	}
	return n
}
