package dts

// startsElement reports whether the "<" at the current token begins an element, and not the type
// parameters of a function, as in <T,>(x: T) => x.
func (p *codeParser) startsElement() bool {
	return !(isName(p.peek(1)) && (p.peek(2) == ',' || p.peek(2) == '=' || p.peek(2) == kwExtends && p.peek(3) != '=' && p.peek(3) != '>') || p.peek(1) == kwConst)
}

// markupExpr parses a JSX element.
func (p *codeParser) markupExpr() *Expr {
	x := p.expr(ExprMarkup)
	if !p.enter() {
		return x
	}
	defer p.leave()
	p.next()
	x.List = append(x.List, nil, nil)
	if p.kind() != '>' {
		if !isName(p.kind()) {
			p.fail("an element was expected")
			return x
		}
		x.Pos = p.toks[p.i].pos
		if name := p.elementName(); name.Kind == ExprName && name.Text[0] >= 'a' && name.Text[0] <= 'z' {
			x.Text = name.Text
		} else {
			x.List[0] = name
		}
		if p.kind() == '<' {
			var args list
			p.typeArgs(&args)
			for n := args.first; n != nil; n = n.next {
				x.Args = append(x.Args, n)
			}
		}
		x.List[1] = p.attributes()
		if p.take('/') {
			p.expect('>', ">")
			return x
		}
	}
	for !p.failed {
		// The current token is ">" or "}". The text begins after it.
		start := int(p.toks[p.i].end)
		end := start
		for end < len(p.src) && p.src[end] != '<' && p.src[end] != '{' {
			end++
		}
		for i := start; i < end; i++ {
			if c := p.src[i]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
				p.textStart, p.textEnd = start, end
				p.fail("text")
				return x
			}
		}
		p.next()
		switch {
		case p.kind() == '{':
			x.List = append(x.List, p.braces())
			p.i-- // the "}" after the expression
		case p.kind() == '<' && p.peek(1) == '/':
			p.i += 2
			for p.kind() != '>' && p.kind() != eof {
				p.next()
			}
			p.expect('>', ">")
			return x
		case p.kind() == '<':
			x.List = append(x.List, p.markupExpr())
			if p.i > 0 {
				p.i-- // the ">" that ends the element
			}
		default:
			p.fail("an element was expected")
		}
	}
	return x
}

// elementName parses the name of an element. The result is of another kind than a name or a member if the name contains a
// hyphen or a colon.
func (p *codeParser) elementName() *Expr {
	name := p.expr(ExprName)
	name.Text = p.word()
	p.next()
	for p.kind() == '.' || p.kind() == '-' || p.kind() == ':' {
		dot := p.kind() == '.'
		p.next()
		m := p.expr(ExprOther, name)
		if dot {
			m.Kind = ExprMember
		} else if name.Kind == ExprName {
			m.List = nil // It is no value.
		}
		m.Text = p.word()
		p.next()
		name = m
	}
	return name
}

// attributes parses the attributes of an element.
func (p *codeParser) attributes() *Expr {
	all := p.expr(ExprObject)
	for p.kind() != '>' && p.kind() != '/' && !p.failed {
		if p.kind() == '{' {
			spread := p.expr(ExprSpread)
			spread.List = []*Expr{p.braces()}
			all.List = append(all.List, spread)
			continue
		}
		if !isName(p.kind()) {
			p.fail("an attribute was expected")
			return all
		}
		a := p.expr(ExprProp)
		start, end := p.toks[p.i].pos, p.toks[p.i].end
		p.next()
		for p.kind() == '-' || p.kind() == ':' {
			p.next()
			end = p.toks[p.i].end
			p.next()
		}
		a.Text = p.src[start:end]
		switch {
		case !p.take('='):
			value := p.expr(ExprLiteral)
			value.Type = p.node(Literal)
			value.Type.Text = "true"
			a.List = []*Expr{value}
		case p.kind() == '{':
			a.List = []*Expr{p.braces()}
		case p.kind() == '<':
			a.List = []*Expr{p.markupExpr()}
		case p.kind() == str:
			a.List = []*Expr{p.literalExpr(Literal, p.word())}
		default:
			p.fail("a value was expected")
		}
		all.List = append(all.List, a)
	}
	return all
}

// braces parses an expression in braces, perhaps after an ellipsis. The result is nil if there is none.
func (p *codeParser) braces() (x *Expr) {
	end := p.closing()
	p.next()
	if p.i < end {
		p.take(ellipsis)
		x = p.inBrackets(p.expression)
	}
	if p.i != end && !p.failed {
		p.fail("} was expected")
	}
	p.next()
	return x
}
