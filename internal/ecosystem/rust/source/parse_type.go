package source

import "strings"

func (p *parser) function(it *Item, depth int) bool {
	it.Kind = Func
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	parts := p.partsOf(it)
	parts.Generics = p.generics()
	if !p.is('(') {
		return false
	}
	parts.Params = p.group()
	if p.is('-') {
		p.next()
		p.eat('>')
		parts.Output = p.typeSpan("{;")
	}
	parts.Where = p.where("{;")
	if p.is('{') {
		it.Flags |= HasBody
		if body := p.group(); !p.readLocal(body, it, depth) {
			p.addBody(body)
		}
		return true
	}
	return p.eat(';') || p.tok.Kind == EOF || p.is('}')
}

// generics reads <…> and returns its contents.
func (p *parser) generics() Span {
	if !p.is('<') {
		return Span{}
	}
	start := p.tok.End
	p.next()
	return p.angles(start)
}

// angles reads up to the bracket that closes an angle bracket that was already
// read.
func (p *parser) angles(start int) Span {
	depth := 1
	var before Token
	for p.tok.Kind != EOF {
		switch {
		case p.opens():
			before = Token{}
			p.group()
			continue
		case p.is('<'):
			depth++
		case p.is('>') && !arrow(before, p.tok):
			if depth--; depth == 0 {
				end := p.tok.Start
				p.next()
				return span(start, end)
			}
		case p.is(';') || p.is('}') || p.is(')') || p.is(']'):
			return span(start, p.tok.Start)
		}
		before = p.tok
		p.next()
	}
	return span(start, p.tok.Start)
}

// arrow reports whether > ends an arrow, -> or =>.
func arrow(before, t Token) bool {
	return before.Kind == Punct && (before.Byte == '-' || before.Byte == '=') && before.End == t.Start
}

// typeSpan reads a type, bounds or the like: up to a byte of stop outside of brackets, or
// to the word where.
func (p *parser) typeSpan(stop string) Span {
	if part := p.plain(stop); !part.Empty() {
		return part
	}
	part := span(p.tok.Start, p.tok.Start)
	depth := 0
	var before Token
	for p.tok.Kind != EOF {
		if p.tok.Kind == Punct {
			switch c := p.tok.Byte; {
			case depth == 0 && strings.IndexByte(stop, c) >= 0:
				return part
			case c == '{' || c == '(' || c == '[':
				before = Token{}
				p.group()
				part.End = int32(p.last)
				continue
			case c == '<':
				depth++
			case c == '>' && !arrow(before, p.tok):
				depth--
			case c == ';' || c == '}' || c == ')' || c == ']':
				return part
			}
		} else if p.tok.Kind == Ident && depth == 0 && p.word() == "where" {
			return part
		}
		if depth < 0 {
			return part
		}
		if p.tok.Kind != DocOuter && p.tok.Kind != DocInner {
			part.End = int32(p.tok.End)
		}
		before = p.tok
		p.next()
	}
	return part
}

// where reads a where clause, without the word.
func (p *parser) where(stop string) Span {
	if !p.eatWord("where") {
		return Span{}
	}
	return p.typeSpan(stop)
}

// value reads an expression up to a semicolon or a byte of stop outside of brackets.
func (p *parser) value(stop string) Span {
	if part := p.plain(stop); !part.Empty() {
		return part
	}
	part := span(p.tok.Start, p.tok.Start)
	for p.tok.Kind != EOF {
		switch {
		case p.tok.Kind == Punct && strings.IndexByte(stop, p.tok.Byte) >= 0, p.is('}') || p.is(')') || p.is(']'):
			return part
		case p.opens():
			p.group()
			part.End = int32(p.last)
			continue
		}
		part.End = int32(p.tok.End)
		p.next()
	}
	return part
}

// plain reads a type or an expression up to a byte of stop. It handles only the most
// common parts, which are names, numbers, paths and pointers, and does not split them
// into tokens. For other text it reads nothing and returns an empty span.
func (p *parser) plain(stop string) Span {
	text, start := p.Text, p.tok.Start
	if p.word() == "where" || p.tok.Kind != Ident && p.tok.Kind != Literal && !p.is('*') && !p.is('&') && !p.is('-') {
		return Span{}
	}
	for i := p.tok.End; i < len(text); i++ {
		switch c := text[i]; {
		case class[c]&isIdent != 0 || c == ':' || c == '*' || c == '&':
		case c == ' ':
			if strings.HasPrefix(text[i+1:], "where") {
				return Span{}
			}
		case strings.IndexByte(stop, c) >= 0:
			end := i
			for text[end-1] == ' ' {
				end--
			}
			p.Pos = i + 1
			p.last, p.tok = end, Token{Punct, c, i, i + 1}
			return span(start, end)
		default:
			return Span{}
		}
	}
	return Span{}
}
