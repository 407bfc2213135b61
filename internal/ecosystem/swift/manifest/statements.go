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
func (p *parser) statement() node {
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
	if static {
		setStatic(s)
	}
	return s
}

// setStatic marks a declaration as static.
func setStatic(n node) {
	switch n := n.(type) {
	case *varDecl:
		n.static = true
	case *funcDecl:
		n.static = true
	case *declList:
		for _, d := range n.decls {
			setStatic(d)
		}
	}
}

func (p *parser) plainStatement() node {
	at := p.at()
	if p.tok().Kind != source.Ident {
		return p.expressionStatement()
	}
	switch p.textOf(p.tok()) {
	case "import":
		p.pos++
		p.typeRef()
		if p.tok().Kind == source.Ident && !p.tok().Newline {
			p.typeRef()
		}
		return nil
	case "typealias", "precedencegroup", "operator", "infix", "prefix", "postfix", "protocol", "deinit", "defer", "associatedtype":
		p.skipDeclaration()
		return nil
	case "let", "var":
		return p.variable()
	case "func":
		p.pos++
		n := &funcDecl{line: at, name: p.textOf(p.tok())} // The name may be an operator.
		p.pos++
		p.function(&n.code)
		return n
	case "init":
		if t := p.peek(1); p.text[t.Start:t.End] == "(" || p.text[t.Start:t.End] == "?" {
			n := &funcDecl{line: at, name: "init"}
			p.pos++
			p.accept("?")
			p.function(&n.code)
			return n
		}
	case "struct", "enum", "class", "actor", "extension":
		return p.typeDeclaration()
	case "case":
		return p.enumCases()
	case "if":
		return p.ifStatement()
	case "guard":
		p.pos++
		n := &guardStmt{line: at, conds: p.conditions()}
		p.accept("else")
		n.body = p.block()
		return n
	case "for":
		return p.forStatement()
	case "while":
		p.pos++
		return &whileStmt{line: at, conds: p.conditions(), body: p.block()}
	case "repeat":
		if t := p.peek(1); t.Byte == '{' {
			p.pos++
			n := &whileStmt{line: at, body: p.block(), repeat: true}
			if p.accept("while") {
				n.conds = p.conditions()
			}
			return n
		}
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
		n := &returnStmt{line: at}
		p.pos++
		if !p.end() && !p.tok().Newline && !p.is("}") && !p.is(";") {
			n.value = p.expression()
		}
		return n
	case "break", "continue", "fallthrough", "throw":
		n := &jumpStmt{at, p.textOf(p.tok())}
		p.pos++
		if !p.end() && !p.tok().Newline && !p.is("}") && !p.is(";") {
			p.expression()
		}
		return n
	}
	return p.expressionStatement()
}

func (p *parser) expressionStatement() node {
	left := p.expression()
	t, at := p.tok(), p.at()
	if t.Kind != source.Oper {
		return left
	}
	op := p.textOf(t)
	switch op {
	case "=", "+=", "-=", "*=":
		p.pos++
		return &assignStmt{at, op, left, p.expression()}
	}
	return left
}

// skipDeclaration skips a declaration with its body.
func (p *parser) skipDeclaration() {
	for first := true; !p.end(); first = false {
		switch {
		case !first && p.tok().Newline && !p.is("{"), p.is(";"):
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
func (p *parser) block() *block {
	n := &block{line: p.at()}
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
func (p *parser) statements(n *block) {
	for !p.end() && !p.accept("}") {
		p.addStatement(n)
	}
}

// addStatement reads a statement into n, or steps over a line that cannot be parsed.
func (p *parser) addStatement(n *block) {
	start := p.pos
	if s := p.statement(); s != nil {
		n.stmts = append(n.stmts, s)
	}
	if p.pos == start {
		p.problem("a statement could not be parsed, and is skipped")
		p.skipLine()
	}
}

// variable reads let or var.
func (p *parser) variable() node {
	list := &declList{line: p.at()}
	p.pos++
	for {
		n := &varDecl{line: p.at()}
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
			n.typ = p.typeRef()
		}
		if p.accept("=") {
			n.value = p.expression()
		}
		if p.is("{") && !p.noBrace {
			p.getter(n)
		}
		list.decls = append(list.decls, n)
		if !p.accept(",") {
			break
		}
	}
	if len(list.decls) == 1 {
		return list.decls[0]
	}
	return list
}

// getter reads the accessors of a variable and keeps the getter.
func (p *parser) getter(n *varDecl) {
	word := p.textOf(p.peek(1))
	switch word {
	case "get":
		p.pos += 2
		if p.is("{") {
			n.getter = &code{kind: getterCode, result: n.typ, body: p.block()}
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
		n.getter = &code{kind: getterCode, result: n.typ, body: p.block()}
	}
}

// function reads a function, beginning with its generic parameters.
func (p *parser) function(c *code) {
	if t := p.tok(); t.Kind == source.Oper && t.Byte == '<' {
		p.skipAngles()
	}
	if p.accept("(") {
		c.params = p.parameters()
	}
	for p.is("async") || p.is("throws") || p.is("rethrows") {
		p.pos++
		if p.is("(") {
			p.skipGroup()
		}
	}
	if p.accept("->") {
		c.result = p.typeRef()
	}
	if p.is("where") {
		for !p.end() && !p.is("{") {
			p.pos++
		}
	}
	if p.is("{") {
		c.body = p.block()
	}
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
			a.typ = p.typeRef()
			if a.variadic = p.accept("..."); a.variadic {
				a.typ = a.typ.array()
			}
		}
		if p.accept("=") {
			a.value = p.expression()
		}
		if a.label == "_" {
			a.label = ""
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
func (p *parser) typeDeclaration() node {
	n := &typeDecl{line: p.at(), extension: p.is("extension")}
	n.members = &block{line: n.line}
	p.pos++
	n.typ = p.typeRef()
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
				if n.typ == named("Array") || n.typ == named("Set") {
					n.typ = p.typeRef().array()
					continue
				}
			}
			p.pos++
		}
	}
	if p.accept("{") {
		p.statements(n.members)
	}
	return n
}

// enumCases reads the cases of an enum that follow the word case.
func (p *parser) enumCases() node {
	list := &declList{line: p.at()}
	p.pos++
	for {
		n := &caseDecl{line: p.at(), name: p.name()}
		if n.name == "" {
			p.problem("a name is missing")
			return list
		}
		if p.is("(") {
			p.skipGroup()
		}
		if p.accept("=") {
			n.raw = p.expression()
		}
		list.decls = append(list.decls, n)
		if !p.accept(",") {
			return list
		}
	}
}

// conditions reads the conditions before a body.
func (p *parser) conditions() []node {
	outer := p.noBrace
	p.noBrace = true
	defer func() { p.noBrace = outer }()
	var all []node
	for {
		at := p.at()
		switch {
		case p.accept("let") || p.accept("var"):
			n := &bindCond{line: at, name: p.name()}
			if p.accept(":") {
				p.typeRef()
			}
			if p.accept("=") {
				n.value = p.expression()
			} else {
				n.value = &nameExpr{at, n.name}
			}
			all = append(all, n)
		case p.is("#available") || p.is("#unavailable"):
			all = append(all, &availableCond{at, p.is("#available")})
			p.pos++
			if p.is("(") {
				p.skipGroup()
			}
		case p.accept("case"): // The condition is a pattern, as in if case .a = b.
			pattern := p.expression()
			p.accept("=")
			all = append(all, &binaryExpr{at, "==", pattern, p.expression()})
		default:
			all = append(all, p.expression())
		}
		if !p.accept(",") {
			return all
		}
	}
}

func (p *parser) ifStatement() node {
	if !p.enter() {
		return &badExpr{p.at()}
	}
	defer p.leave()
	n := &ifStmt{line: p.at()}
	p.pos++
	n.conds = p.conditions()
	n.body = p.block()
	if p.accept("else") {
		if p.is("if") {
			n.other = p.ifStatement()
		} else {
			n.other = p.block()
		}
	}
	return n
}

func (p *parser) forStatement() node {
	n := &forStmt{line: p.at()}
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
		p.typeRef()
	}
	outer := p.noBrace
	p.noBrace = true
	if !p.accept("in") {
		p.problem("the loop could not be parsed")
	}
	n.sequence = p.expression()
	if p.accept("where") {
		n.where = p.expression()
	}
	p.noBrace = outer
	n.body = p.block()
	return n
}

func (p *parser) switchStatement() node {
	n := &switchStmt{line: p.at()}
	p.pos++
	outer := p.noBrace
	p.noBrace = true
	n.subject = p.expression()
	p.noBrace = outer
	if !p.accept("{") {
		return n
	}
	for !p.end() && !p.accept("}") {
		start := p.pos
		n.arms = append(n.arms, p.switchArm())
		if p.pos == start {
			p.pos++
		}
	}
	return n
}

// switchArm reads a case of a switch with its statements.
func (p *parser) switchArm() *switchArm {
	for p.is("@") {
		p.pos += 2
	}
	arm := &switchArm{}
	switch {
	case p.accept("default"):
	case p.accept("case"):
		for {
			p.accept("let")
			pattern := p.expression()
			if p.accept("where") {
				pattern = &badExpr{p.at()}
				p.expression()
			}
			arm.patterns = append(arm.patterns, pattern)
			if !p.accept(",") {
				break
			}
		}
	}
	if !p.accept(":") {
		p.problem("the case could not be parsed")
	}
	arm.body = &block{line: p.at()}
	for !p.end() && !p.is("case") && !p.is("default") && !p.is("}") && !(p.is("@") && p.textOf(p.peek(1)) == "unknown") {
		begin := p.pos
		if p.accept(";") {
			continue
		}
		if s := p.statement(); s != nil {
			arm.body.stmts = append(arm.body.stmts, s)
		}
		if p.pos == begin {
			p.pos++
		}
	}
	return arm
}
