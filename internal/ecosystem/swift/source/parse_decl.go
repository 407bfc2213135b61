package source

import "strings"

// operatorName reads the name that follows func or operator, which may be a word.
// It returns false if there is none.
func (p *parser) operatorName(d *Decl) bool {
	switch p.tok.Kind {
	case Regex: // The operator / was read as a regular expression, as in func /(a: Int) … /.
		p.noRegex = p.tok.Start + 1
		p.jump(p.tok.Start)
	case Ident:
		if d.Kind == Operator {
			return false
		}
		d.Line = p.line(p.tok.Start)
		d.Name, d.Quoted = p.name()
		return true
	}
	if p.tok.Kind != Oper {
		return false
	}
	d.Line = p.line(p.tok.Start)
	start, end := p.tok.Start, p.tok.End
	if end-start > 1 && p.Text[end-1] == '<' && class[p.at(end)]&isIdent != 0 {
		end-- // In ==<T>, the last < begins the generic parameters.
		p.jump(end)
	} else {
		p.next()
	}
	d.Name = p.Text[start:end]
	return true
}

func (p *parser) function(d *Decl) bool {
	d.Kind = Func
	p.next()
	if !p.operatorName(d) || !p.signature(d) {
		return false
	}
	if isOperName(d.Name) && !d.Quoted {
		for i := range d.Params {
			d.Params[i].Label = "_"
		}
	}
	return p.body(d)
}

func (p *parser) initializer(d *Decl) bool {
	d.Kind, d.Name = Init, "init"
	d.Line = p.line(p.tok.Start)
	p.next()
	if p.tok.Kind == Oper && (p.tok.Byte == '?' || p.tok.Byte == '!') {
		d.Failable = p.tok.Byte
		p.jump(p.tok.Start + 1)
	}
	return p.signature(d) && p.body(d)
}

func (p *parser) macro(d *Decl) bool {
	d.Kind = Macro
	p.next()
	if !p.declName(d) || !p.signature(d) {
		return false
	}
	if p.oper("=") {
		p.next()
		d.Value = p.expression()
	}
	p.where(d)
	return true
}

func (p *parser) subscript(d *Decl) bool {
	d.Kind, d.Name = Subscript, "subscript"
	d.Line = p.line(p.tok.Start)
	p.next()
	if !p.signature(d) {
		return false
	}
	if p.is('{') {
		p.accessors(d)
	}
	return true
}

// signature reads generic parameters, parameters, effects, result and where
// clause. It returns false if the parameters are missing, except for a macro.
func (p *parser) signature(d *Decl) bool {
	p.generics(d)
	if !p.is('(') {
		return d.Kind == Macro
	}
	p.parameters(d)
	p.effects(&d.Effects)
	if p.oper("->") {
		p.next()
		d.Result = p.typeText()
	}
	p.where(d)
	return true
}

// body skips the body of a declaration if there is one. It always returns true.
func (p *parser) body(d *Decl) bool {
	if d.Body = p.is('{'); d.Body {
		p.group()
	}
	return true
}

// effects reads effects, such as async and throws.
func (p *parser) effects(e *Effects) {
	for p.tok.Kind == Ident {
		switch p.Text[p.tok.Start:p.tok.End] {
		case "async":
			e.Async = true
		case "reasync":
			e.Async, e.Reasync = true, true
		case "rethrows":
			e.Throws, e.Rethrows = true, true
		case "throws", "throw", "try":
			e.Throws = true
			p.next()
			if p.is('(') {
				e.Thrown = strings.TrimSpace(p.group())
			}
			continue
		case "unsafe":
		default:
			return
		}
		p.next()
	}
}

// generics reads generic parameters, if there are any.
func (p *parser) generics(d *Decl) {
	if p.tok.Kind != Oper || p.tok.Byte != '<' {
		return
	}
	open := p.tok.Start
	var room [8]GenericParam
	all := room[:0]
	p.jump(open + 1)
	for p.tok.Kind != EOF && (p.tok.Kind != Oper || p.tok.Byte != '>') {
		n := len(p.attrs)
		p.attributes()
		p.attrs = p.attrs[:n]
		var g GenericParam
		g.Each = p.eachWord()
		g.Value = p.eatWord("let")
		if isReserved(p.word()) { // The word begins the next declaration.
			break
		}
		g.Name, _ = p.name()
		if p.eat(':') {
			g.Bound = p.typeText()
		}
		if g.Name != "" {
			p.spent += valueSize
			all = append(all, g)
		}
		if p.word() == "where" { // Old sources have the where clause inside the brackets.
			p.where(d)
		}
		if !p.eat(',') {
			break
		}
	}
	if p.tok.Kind == Oper && p.tok.Byte == '>' {
		p.jump(p.tok.Start + 1)
	}
	d.Generics = keep(&p.genericRoom, all)
}

// eachWord reads the keyword each before the name of a parameter pack. It reports whether the
// keyword was present.
func (p *parser) eachWord() bool {
	if p.word() != "each" {
		return false
	}
	if t := p.peek(); t.Kind != Ident {
		return false
	}
	p.next()
	return true
}

// parameters reads parameters in parentheses. If one cannot be read, it skips
// up to the closing parenthesis.
func (p *parser) parameters(d *Decl) {
	open := p.tok
	d.HasParams = true
	var room [16]Param
	all := room[:0]
	p.next()
	for !p.is(')') {
		var q Param
		var ok bool
		if d.Kind == Case {
			ok = p.element(&q)
		} else {
			q.Attributes = p.attributesOf()
			ok = p.parameter(&q, d.Kind == Subscript)
		}
		if ok {
			p.spent += valueSize
			all = append(all, q)
			ok = p.eat(',') || p.is(')')
		}
		if !ok {
			p.lose("parameter")
			p.backOut(open)
			d.Params = keep(&p.paramRoom, all)
			return
		}
	}
	p.next()
	d.Params = keep(&p.paramRoom, all)
}

// backOut skips the group that the given token opens, because a part of the group could not
// be read. If the group has no end, backOut does not move.
func (p *parser) backOut(open Token) {
	tok, pos := p.tok, p.Pos
	p.tok = open
	if p.group(); p.tok.Start <= tok.Start {
		p.Pos, p.tok = pos, tok
	}
}

// parameter reads one parameter, which consists of names, a type and a default
// value. If unlabelled is true, as in a subscript, a single name is not a label.
// It returns false after a syntax error.
func (p *parser) parameter(q *Param, unlabelled bool) bool {
	if p.tok.Kind != Ident {
		return false
	}
	q.Label, _ = p.name()
	q.Name = q.Label
	if p.tok.Kind == Ident {
		q.Name, _ = p.name()
		if p.tok.Kind == Ident { // Of three words, the first is a specifier.
			q.Label = q.Name
			q.Name, _ = p.name()
		}
	} else if unlabelled {
		q.Label = "_"
	}
	if !p.eat(':') {
		return false
	}
	return p.parameterType(q)
}

// parameterType reads the type and default value of a parameter. It returns false
// if there is no type.
func (p *parser) parameterType(q *Param) bool {
	if q.Type = p.typeText(); q.Type == "" {
		return false
	}
	if p.tok.Kind == Oper && strings.HasPrefix(p.TokenText(p.tok), "...") {
		q.Variadic = true
		p.jump(p.tok.Start + 3)
	}
	if p.tok.Kind == Oper && p.tok.Byte == '=' {
		p.jump(p.tok.Start + 1)
		q.Default = p.expression()
	}
	return true
}

// element reads one element of the payload of a case, whose names may be missing.
// It returns false after a syntax error.
func (p *parser) element(q *Param) bool {
	q.Label = "_"
	if p.tok.Kind == Ident {
		s := p.Scanner
		t := s.Next()
		if t.Kind == Ident {
			t = s.Next()
		}
		if t.Kind == Punct && t.Byte == ':' {
			return p.parameter(q, false)
		}
	}
	return p.parameterType(q)
}

// where reads a where clause, if there is one.
func (p *parser) where(d *Decl) {
	if p.word() != "where" {
		return
	}
	p.next()
	var room [8]Requirement
	all := append(room[:0], d.Where...)
	for p.tok.Kind != EOF {
		r := Requirement{Left: p.typeText()}
		switch {
		case p.is(':'):
			r.Op = ":"
		case p.oper("=="), p.oper("="):
			r.Op = "=="
		}
		if r.Op == "" || r.Left == "" {
			break
		}
		p.next()
		if r.Right = p.typeText(); r.Right == "" {
			break
		}
		p.spent += valueSize
		all = append(all, r)
		if !p.eat(',') {
			break
		}
	}
	d.Where = keep(&p.whereRoom, all)
}

// inherits reads the types after a colon.
func (p *parser) inherits(d *Decl) {
	if !p.eat(':') {
		return
	}
	var room [8]string
	all := room[:0]
	for p.tok.Kind != EOF {
		t := p.typeText()
		if t == "" {
			break
		}
		p.spent += valueSize
		all = append(all, t)
		if !p.eat(',') {
			break
		}
	}
	d.Inherits = keep(&p.inheritRoom, all)
}

// declName reads the name of a type, macro or precedence group. It returns false
// if there is none.
func (p *parser) declName(d *Decl) bool {
	if isReserved(p.word()) {
		return false
	}
	d.Line = p.line(p.tok.Start)
	d.Name, d.Quoted = p.name()
	return d.Name != ""
}

// nominal reads a type with its members. It returns false after a syntax error.
func (p *parser) nominal(d *Decl, kind Kind, depth int) bool {
	p.next()
	d.Kind = kind
	if !p.declName(d) {
		return false
	}
	p.generics(d)
	p.inherits(d)
	p.where(d)
	return p.block(d, depth)
}

func (p *parser) extension(d *Decl, depth int) bool {
	p.next()
	d.Kind = Extension
	d.Line = p.line(p.tok.Start)
	if d.Name = p.typeText(); d.Name == "" {
		return false
	}
	p.inherits(d)
	p.where(d)
	return p.block(d, depth)
}

// block reads the members in braces. It returns false if there are no braces.
func (p *parser) block(d *Decl, depth int) bool {
	if !p.is('{') {
		return false
	}
	d.Body = true
	if depth >= maxDepth {
		p.lose("types nested too deeply")
		p.group()
		return true
	}
	p.next()
	conds, deep := p.conds, p.deepConds
	p.conds, p.deepConds = nil, 0
	height := len(p.stack)
	p.members(d, depth+1)
	d.Members = p.collect(height, &p.pointers)
	p.conds, p.deepConds = conds, deep
	p.eat('}')
	return true
}

// alias reads a typealias or an associated type. It returns false after a syntax
// error.
func (p *parser) alias(d *Decl, kind Kind) bool {
	p.next()
	d.Kind = kind
	if !p.declName(d) {
		return false
	}
	p.generics(d)
	p.inherits(d)
	if p.tok.Kind == Oper && p.tok.Byte == '=' {
		p.jump(p.tok.Start + 1)
		if d.Type = p.typeText(); d.Type == "" {
			return false
		}
	}
	p.where(d)
	return kind == AssociatedType || d.Type != ""
}

func (p *parser) importDecl(d *Decl) bool {
	line := p.line(p.tok.Start)
	p.next()
	m := Import{Access: d.Access, Attributes: d.Attributes, Conditions: d.Conditions, Line: line}
	switch word := p.word(); word {
	case "struct", "class", "enum", "protocol", "typealias", "func", "let", "var":
		m.Kind = word
		p.next()
	}
	m.Start = p.tok.Start
	if m.Path = p.dotted(); m.Path == "" {
		return false
	}
	m.Module, _, _ = strings.Cut(m.Path, ".")
	m.Module = strings.Trim(m.Module, "`")
	if p.is('.') { // The import is of an operator, as in import func Swift.+.
		p.next()
		if p.tok.Kind == Oper {
			p.next()
		}
	} else if p.tok.Kind == Oper && p.tok.Byte == '.' {
		p.next()
	}
	p.spent += valueSize
	p.imports = append(p.imports, m)
	*d = Decl{}
	return true
}

// operator reads the declaration of an operator. It returns false after a syntax
// error.
func (p *parser) operator(d *Decl) bool {
	d.Kind = Operator
	p.next()
	if !p.operatorName(d) {
		return false
	}
	if p.eat(':') {
		start := p.tok.Start
		for p.tok.Kind == Ident && p.tok.Start == start || p.eat(',') {
			p.dotted()
		}
		d.Type = p.Text[start:max(start, p.last)]
	}
	if p.is('{') && !p.tok.Newline { // Swift 3 and older have a block after the name
		p.group()
	}
	return true
}

func (p *parser) precedenceGroup(d *Decl) bool {
	d.Kind = PrecedenceGroup
	p.next()
	if !p.declName(d) || !p.is('{') {
		return false
	}
	d.Value = strings.TrimSpace(p.group())
	return true
}
