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
	if p.kind() != '>' {
		if !isName(p.kind()) {
			p.fail("an element was expected")
			return x
		}
		name := p.expr(ExprName)
		name.Text = p.word()
		p.next()
		for p.kind() == '.' || p.kind() == '-' || p.kind() == ':' {
			dot := p.kind() == '.'
			p.next()
			m := p.expr(ExprOther, name)
			if dot {
				m.Kind = ExprMember
			}
			m.Text = p.word()
			p.next()
			name = m
		}
		if !(name.Kind == ExprName && name.Text[0] >= 'a' && name.Text[0] <= 'z') {
			x.List = append(x.List, name)
		}
		if p.kind() == '<' {
			p.typeArgs(&list{})
		}
		for p.kind() != '>' && p.kind() != '/' && !p.failed {
			if p.kind() == '{' {
				end := p.closing()
				p.next()
				p.take(ellipsis)
				x.List = append(x.List, p.inBrackets(p.expression))
				if p.i != end && !p.failed {
					p.fail("} was expected")
				}
				p.next()
				continue
			}
			if !isName(p.kind()) {
				p.fail("an attribute was expected")
				return x
			}
			p.next()
			for p.kind() == '-' || p.kind() == ':' {
				p.i += 2
			}
			if p.take('=') {
				if p.kind() == '{' {
					end := p.closing()
					p.next()
					x.List = append(x.List, p.inBrackets(p.expression))
					if p.i != end && !p.failed {
						p.fail("} was expected")
					}
					p.next()
				} else if p.kind() == '<' {
					x.List = append(x.List, p.markupExpr())
				} else if !p.take(str) {
					p.fail("a value was expected")
				}
			}
		}
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
			close := p.closing()
			p.next()
			if p.i < close {
				p.take(ellipsis)
				x.List = append(x.List, p.inBrackets(p.expression))
			}
			if p.i != close && !p.failed {
				p.fail("} was expected")
			}
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
