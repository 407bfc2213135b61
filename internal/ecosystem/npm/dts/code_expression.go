package dts

// expression parses an expression, which may contain commas.
func (p *codeParser) expression() *Expr {
	x := p.assignment()
	for p.kind() == ',' && !p.failed {
		p.next()
		x = p.expr(ExprBinary, x, p.assignment())
		x.Text = ","
	}
	return x
}

// assignment parses an expression without commas outside brackets.
func (p *codeParser) assignment() *Expr {
	if !p.enter() {
		return p.expr(ExprOther)
	}
	defer p.leave()
	if p.kind() == kwYield {
		x := p.expr(ExprOther)
		p.next()
		if t := &p.toks[p.i]; !t.nl && t.kind != ')' && t.kind != ']' && t.kind != '}' && t.kind != ',' && t.kind != ';' && t.kind != eof {
			p.take('*')
			x.List = append(x.List, p.assignment())
		}
		return x
	}
	if p.startsArrow() {
		return p.arrowExpr()
	}
	lhs := p.conditional()
	for _, op := range [...]string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>=", "**=", "&&=", "||=", "??="} {
		if p.operator(op) && !(op == "=" && p.operator("==")) {
			p.i += len(op)
			x := p.expr(ExprAssign, lhs, p.assignment())
			x.Text = op
			return x
		}
	}
	return lhs
}

// startsArrow reports whether the current token begins an arrow function.
func (p *codeParser) startsArrow() bool {
	i := p.i
	if p.kind() == kwAsync && p.peek(1) != arrow && !p.toks[min(i+1, len(p.toks)-1)].nl {
		i++
	}
	switch k := p.toks[i].kind; {
	case k == '(':
		after := p.after(i)
		return p.toks[after].kind == arrow || p.toks[after].kind == ':' && p.arrowAfterType(after)
	case k == '<':
		return !(p.markup && i == p.i && p.startsElement()) && p.try(i, func() bool {
			p.typeParams(&list{})
			if p.failed || p.kind() != '(' {
				return false
			}
			p.skipGroup()
			return p.kind() == arrow || p.kind() == ':'
		})
	case isName(k) && k != kwFunction:
		return p.toks[min(i+1, len(p.toks)-1)].kind == arrow
	}
	return false
}

func (p *codeParser) conditional() *Expr {
	condition := p.binary(0)
	if p.kind() != '?' || p.operator("??") || p.failed {
		return condition
	}
	p.next()
	was := p.noIn
	p.noIn = false
	x := p.expr(ExprConditional, condition, p.assignment())
	p.noIn = was
	p.expect(':', ":")
	x.List = append(x.List, p.assignment())
	return x
}

// operators lists binary operators with their precedence. Longer ones precede their prefixes.
var operators = [...]struct {
	text       string
	precedence int
}{
	{"??", 1}, {"||", 2}, {"&&", 3}, {"===", 7}, {"!==", 7}, {"==", 7}, {"!=", 7}, {"|", 4}, {"^", 5}, {"&", 6},
	{"<<", 9}, {">>>", 9}, {">>", 9}, {"<=", 8}, {">=", 8}, {"<", 8}, {">", 8}, {"+", 10}, {"-", 10}, {"**", 12}, {"*", 11}, {"/", 11}, {"%", 11},
}

// binaryOperator returns the binary operator at the current token, or "" if there is none.
func (p *codeParser) binaryOperator() (text string, precedence, tokens int) {
	switch p.kind() {
	case kwIn:
		if p.noIn {
			return "", 0, 0
		}
		return "in", 8, 1
	case kwInstanceof:
		return "instanceof", 8, 1
	}
	if p.kind() >= eof || p.operator("++") || p.operator("--") {
		return "", 0, 0
	}
	for _, o := range operators {
		if !p.operator(o.text) {
			continue
		}
		n := len(o.text)
		if p.toks[p.i+n].kind == '=' && p.toks[p.i+n].pos == p.toks[p.i+n-1].end && o.precedence != 7 && o.text != "<=" && o.text != ">=" {
			return "", 0, 0 // an assignment
		}
		return o.text, o.precedence, n
	}
	return "", 0, 0
}

func (p *codeParser) binary(above int) *Expr {
	lhs := p.unary()
	for !p.failed {
		if k := p.kind(); (k == kwAs || k == kwSatisfies) && !p.toks[p.i].nl {
			x := p.expr(ExprAs, lhs)
			if k == kwSatisfies {
				x.Kind = ExprSatisfies
			}
			p.next()
			if p.kind() == kwConst {
				p.next()
			} else {
				x.Type = p.typ()
			}
			lhs = x
			continue
		}
		text, precedence, n := p.binaryOperator()
		if text == "" || precedence <= above {
			return lhs
		}
		x := p.expr(ExprBinary, lhs)
		x.Text = text
		p.i += n
		if text == "**" {
			precedence--
		}
		if !p.enter() {
			return x
		}
		x.List = append(x.List, p.binary(precedence))
		p.leave()
		lhs = x
	}
	return lhs
}

func (p *codeParser) unary() *Expr {
	if !p.enter() {
		return p.expr(ExprOther)
	}
	defer p.leave()
	x := p.expr(ExprUnary)
	switch k := p.kind(); {
	case k == '!' || k == '~' || k == '+' || k == '-' || k == kwTypeof || k == kwVoid || k == kwDelete:
		x.Text = p.word()
		if p.operator("++") || p.operator("--") {
			p.next()
		}
		p.next()
		x.List = []*Expr{p.unary()}
		return x
	case k == kwAwait && (p.peek(1) >= eof || p.peek(1) == '(' || p.peek(1) == '[' || p.peek(1) == '{') && p.peek(1) != eof:
		x.Kind = ExprAwait
		p.next()
		x.List = []*Expr{p.unary()}
		return x
	case k == '<' && !p.markup:
		x.Kind = ExprAs
		p.next()
		if p.kind() == kwConst {
			p.next()
		} else {
			x.Type = p.typ()
		}
		p.expect('>', ">")
		x.List = []*Expr{p.unary()}
		return x
	}
	operand := p.postfix(p.primary())
	if (p.operator("++") || p.operator("--")) && !p.toks[p.i].nl {
		x.Text = p.word()
		p.i += 2
		x.List = []*Expr{operand}
		return x
	}
	return operand
}

func (p *codeParser) postfix(x *Expr) *Expr {
	for !p.failed {
		optional := false
		if p.kind() == '?' && p.peek(1) == '.' && p.toks[p.i].end == p.toks[p.i+1].pos {
			optional = true
			p.i++
		}
		switch k := p.kind(); {
		case k == '.' && (isName(p.peek(1)) || p.peek(1) == private):
			p.next()
			m := p.expr(ExprMember, x)
			m.Text = p.word()
			m.Optional = optional
			p.next()
			x = m
			continue
		case optional && k == '.':
			p.next()
			k = p.kind()
			if k != '(' && k != '[' && k != '<' {
				p.fail("a member was expected")
				return x
			}
			fallthrough
		case k == '(' || k == '[':
			if p.kind() == '[' {
				m := p.expr(ExprIndex, x)
				p.next()
				m.List = append(m.List, p.inBrackets(p.expression))
				p.expect(']', "]")
				x = m
				continue
			}
			if p.kind() == '(' {
				m := p.expr(ExprCall, x)
				m.Optional = optional
				m.List = append(m.List, p.arguments()...)
				x = m
				continue
			}
			fallthrough
		case k == '<':
			args := p.typeArguments()
			if args == nil {
				return x
			}
			switch p.kind() {
			case '(':
				m := p.expr(ExprCall, x)
				m.Args, m.Optional = args, optional
				m.List = append(m.List, p.arguments()...)
				x = m
			case template:
				x = p.expr(ExprOther, x)
				p.next()
			default:
				x = p.expr(ExprOther, x)
			}
			continue
		case k == '!' && !p.toks[p.i].nl && !p.operator("!="):
			x = p.expr(ExprNonNull, x)
			p.next()
			continue
		case k == template:
			t := p.primary()
			m := p.expr(ExprCall, x)
			m.List = append(m.List, p.expr(ExprSpread, t))
			x = m
			continue
		}
		return x
	}
	return x
}

// inBrackets parses something in which "in" is an operator.
func (p *codeParser) inBrackets(parse func() *Expr) *Expr {
	was := p.noIn
	p.noIn = false
	defer func() { p.noIn = was }()
	return parse()
}

func (p *codeParser) arguments() (list []*Expr) {
	end := p.closing()
	p.next()
	for p.i < end && !p.failed {
		list = append(list, p.inBrackets(p.element))
		if p.i < end {
			p.expect(',', ",")
		}
	}
	if !p.failed {
		p.i = end
		p.next()
	}
	return list
}

// element parses an argument or an element of an array.
func (p *codeParser) element() *Expr {
	if p.kind() == ellipsis {
		s := p.expr(ExprSpread)
		p.next()
		s.List = []*Expr{p.assignment()}
		return s
	}
	return p.assignment()
}

// typeArguments parses type arguments, or returns nil if there are none.
func (p *codeParser) typeArguments() []*Node {
	end := 0
	p.try(p.i, func() bool {
		p.typeArgs(&list{})
		if p.failed {
			return false
		}
		switch k := p.kind(); {
		case k == '(' || k == template || k == ')' || k == ']' || k == ',' || k == ';' || k == ':' || k == eof || k == '}' || k == '.':
			end = p.i
		case p.toks[p.i].nl:
			end = p.i
		}
		return true
	})
	if end == 0 {
		return nil
	}
	var out list
	p.typeArgs(&out)
	all := []*Node{}
	for n := out.first; n != nil; n = n.next {
		all = append(all, n)
	}
	return all
}

func (p *codeParser) literalExpr(k Kind, text string) *Expr {
	x := p.expr(ExprLiteral)
	n := p.node(k)
	n.Text = text
	x.Type = n
	p.next()
	return x
}

func (p *codeParser) primary() *Expr {
	switch k := p.kind(); {
	case k == '(':
		end := p.closing()
		p.next()
		x := p.inBrackets(p.expression)
		if p.i != end && !p.failed {
			p.fail(") was expected")
		}
		p.next()
		return x
	case k == '[':
		x := p.expr(ExprArray)
		end := p.closing()
		p.next()
		for p.i < end && !p.failed {
			if p.take(',') {
				x.List = append(x.List, nil)
				continue
			}
			x.List = append(x.List, p.inBrackets(p.element))
			if p.i < end {
				p.expect(',', ",")
			}
		}
		p.next()
		return x
	case k == '{':
		return p.objectExpr()
	case k == str:
		return p.literalExpr(Literal, p.word())
	case k == number:
		text := p.word()
		if text[len(text)-1] == 'n' {
			return p.literalExpr(Keyword, "bigint")
		}
		return p.literalExpr(Keyword, "number")
	case k == regex:
		return p.literalExpr(Ref, "RegExp")
	case k == template:
		return p.templateExpr()
	case k == kwFunction, k == kwAsync && p.peekSame() == kwFunction:
		return p.funcExpr()
	case k == kwClass:
		return p.classExpr()
	case k == '@':
		for p.kind() == '@' {
			p.decorators()
		}
		return p.classExpr()
	case k == kwNew:
		return p.newExpr()
	case k == kwImport:
		x := p.expr(ExprOther)
		p.next()
		if p.kind() == '(' {
			if p.peek(1) == str && p.peek(2) == ')' {
				x.Kind = ExprImport
				x.Text = unquote(p.src[p.toks[p.i+1].pos:p.toks[p.i+1].end])
			}
			p.arguments()
		} else {
			x.Text = "import"
			for p.kind() == '.' { // import.meta
				p.i += 2
			}
		}
		return x
	case k == '<' && p.markup:
		return p.markupExpr()
	case k == kwThis:
		x := p.expr(ExprThis)
		p.next()
		return x
	case k == private:
		x := p.expr(ExprOther)
		p.next()
		return x
	case isName(k):
		switch text := p.word(); text {
		case "true", "false", "null":
			return p.literalExpr(Literal, text)
		case "undefined":
			return p.literalExpr(Keyword, text)
		case "super":
			x := p.expr(ExprSuper)
			p.next()
			return x
		default:
			x := p.expr(ExprName)
			x.Text = text
			p.next()
			return x
		}
	}
	p.fail("an expression was expected")
	return p.expr(ExprOther)
}

// templateExpr parses a template.
func (p *codeParser) templateExpr() *Expr {
	t := p.toks[p.i]
	x := p.literalExpr(Keyword, "string")
	for i := int(t.pos) + 1; i < int(t.end)-1 && !p.failed; i++ {
		switch {
		case p.src[i] == '\\':
			i++
		case p.src[i] == '$' && p.src[i+1] == '{':
			end := substitutionEnd(p.src, i+2)
			x.List = append(x.List, p.substitution(i+2, min(end, int(t.end)-1)))
			i = end
		}
	}
	return x
}

// substitution parses the expression between two offsets.
func (p *codeParser) substitution(start, end int) *Expr {
	lx := lexers.Get().(*lexer)
	defer lx.release()
	lx.meter = p.meter
	lx.lex(&File{Source: p.src[start:end]})
	for i := range lx.toks {
		lx.toks[i].pos += uint32(start)
		lx.toks[i].end += uint32(start)
	}
	tokens, at := p.toks, p.i
	p.toks, p.i = lx.toks, 0
	x := p.inBrackets(p.expression)
	if p.kind() != eof && !p.failed {
		p.fail("} was expected")
	}
	if !p.failed {
		p.toks, p.i = tokens, at
	} else {
		p.failAt = at
		p.toks, p.i = tokens, len(tokens)-1
	}
	return x
}

func (p *codeParser) newExpr() *Expr {
	x := p.expr(ExprNew)
	if !p.enter() {
		return x
	}
	defer p.leave()
	p.next()
	if p.kind() == '.' { // new.target
		p.i += 2
		x.Kind = ExprOther
		return x
	}
	callee := p.primary()
	for !p.failed {
		if p.kind() == '.' && (isName(p.peek(1)) || p.peek(1) == private) {
			p.next()
			m := p.expr(ExprMember, callee)
			m.Text = p.word()
			p.next()
			callee = m
			continue
		}
		if p.kind() == '[' {
			m := p.expr(ExprIndex, callee)
			p.next()
			m.List = append(m.List, p.inBrackets(p.expression))
			p.expect(']', "]")
			callee = m
			continue
		}
		if p.kind() == '!' && !p.toks[p.i].nl && !p.operator("!=") {
			callee = p.expr(ExprNonNull, callee)
			p.next()
			continue
		}
		break
	}
	x.List = []*Expr{callee}
	if p.kind() == '<' {
		x.Args = p.typeArguments()
	}
	if p.kind() == '(' {
		x.List = append(x.List, p.arguments()...)
	}
	return x
}

func (p *codeParser) objectExpr() *Expr {
	x := p.expr(ExprObject)
	end := p.closing()
	p.next()
	for p.i < end && !p.failed {
		x.List = append(x.List, p.inBrackets(p.property))
		if p.i < end {
			p.expect(',', ",")
		}
	}
	if !p.failed {
		p.i = end
		p.next()
	}
	return x
}

func (p *codeParser) property() *Expr {
	if p.kind() == ellipsis {
		return p.element()
	}
	m := p.expr(ExprProp)
	k := p.kind()
	if isName(k) && (p.peek(1) == ',' || p.peek(1) == '}' || p.peek(1) == '=') {
		m.Text = p.word()
		n := p.expr(ExprName)
		n.Text = m.Text
		p.next()
		m.List = []*Expr{n}
		if p.take('=') { // an assignment pattern
			m.List = append(m.List, p.assignment())
		}
		return m
	}
	n := p.node(Method)
	f := p.expr(ExprFunc)
	if k == kwAsync && p.nameFollows() {
		n.Flags |= FlagAsync
		p.next()
	}
	if (p.kind() == kwGet || p.kind() == kwSet) && p.nameFollows() {
		f.Getter = true
		p.next()
	}
	f.Generator = p.take('*')
	m.Pos = p.toks[p.i].pos
	var key *Expr
	if p.kind() == '[' {
		p.next()
		key = p.assignment()
		p.expect(']', "]")
		if key.Kind == ExprLiteral && key.Type.Kind == Literal {
			m.Text = key.Type.Name()
		}
	} else {
		if !p.memberName(n) {
			return m
		}
		m.Text = n.Name()
	}
	if p.take(':') {
		m.List = []*Expr{p.assignment()}
		if key != nil {
			m.List = append(m.List, key)
		}
		return m
	}
	f.Pos, f.Text, m.Getter = m.Pos, m.Text, f.Getter
	p.signature(n, ':')
	p.function(n, f)
	f.List[0] = p.blockStmt()
	m.List = []*Expr{f}
	if key != nil {
		m.List = append(m.List, key)
	}
	return m
}
