package source

// typeText reads a type and returns its text, or "" if there is none. It skips
// groups as a whole, so that nesting does not use the stack.
func (p *parser) typeText() string {
	start := p.tok.Start
	if !p.skipType() {
		return ""
	}
	return p.Text[start:p.last]
}

// skipType reads a type. It returns false after a syntax error.
func (p *parser) skipType() bool {
	for {
		if !p.typePrefix() {
			return false
		}
		group := p.is('(')
		switch {
		case p.tok.Kind == Ident:
			p.next()
		case p.is('('), p.is('['):
			p.group()
		case p.tok.Kind == Integer:
			p.next()
		default:
			return false
		}
		if p.typeSuffix(group) {
			return true
		}
	}
}

// typePrefix reads attributes and keywords before a type. It returns false after
// a syntax error.
func (p *parser) typePrefix() bool {
	for {
		switch {
		case p.is('@'):
			p.next()
			name := p.dotted()
			if name == "" || p.tok.Kind == Oper && p.tok.Byte == '<' && !p.tok.Space && !p.angles() {
				return false
			}
			if p.is('(') && !p.tok.Space && attributeHasArgs(name) {
				p.group()
			}
		case p.tok.Kind == Oper && (p.tok.Byte == '~' || p.tok.Byte == '-'):
			p.jump(p.tok.Start + 1)
		case p.tok.Kind == Ident && typeWord(p.Text[p.tok.Start:p.tok.End]):
			t := p.peek()
			starts := t.Kind == Ident && !effectWord(p.TokenText(t)) || t.Kind == Punct && (t.Byte == '(' || t.Byte == '[' || t.Byte == '@') || t.Kind == Oper && t.Byte == '~'
			if !starts || t.Newline && t.Kind != Punct {
				return true
			}
			arg := t.Byte == '(' && !t.Space
			word := p.word()
			p.next()
			if arg && (word == "nonisolated" || word == "dependsOn" || word == "isolated") {
				p.group() // The word has an argument, as in nonisolated(nonsending).
			}
		default:
			return true
		}
	}
}

// attributeHasArgs reports whether the parentheses after an attribute of a type
// belong to it.
func attributeHasArgs(name string) bool {
	switch name {
	case "escaping", "autoclosure", "Sendable", "noescape", "MainActor", "retroactive", "unchecked", "preconcurrency":
		return false
	}
	return true
}

// typeWord reports whether a word may precede a type.
func typeWord(word string) bool {
	switch word {
	case "inout", "some", "any", "each", "repeat", "borrowing", "consuming", "sending", "isolated", "__owned", "__shared", "_const", "nonisolated",
		"dependsOn":
		return true
	}
	return false
}

func effectWord(word string) bool {
	switch word {
	case "async", "throws", "rethrows", "reasync", "where", "in":
		return true
	}
	return false
}

// typeSuffix reads the part after a simple type or a group. It returns false if it ends with & or
// ->, in which case another type must follow.
func (p *parser) typeSuffix(group bool) bool {
	for {
		switch {
		case p.tok.Kind == Oper && p.tok.Byte == '<' && !p.tok.Newline:
			if !p.angles() {
				return true
			}
		case p.tok.Kind == Oper && (p.tok.Byte == '?' || p.tok.Byte == '!') && !p.tok.Space:
			// In ?> and ?=, only the first character belongs to the type.
			i := p.tok.Start
			for i < p.tok.End && (p.Text[i] == '?' || p.Text[i] == '!') {
				i++
			}
			p.jump(i)
			group = false
		case p.is('.'):
			if t := p.peek(); t.Kind != Ident {
				return true
			}
			p.next()
			p.next()
			group = false
		case p.oper("&"), p.oper("->"):
			p.next()
			return false
		case group && p.tok.Kind == Ident:
			return !p.functionEffects()
		default:
			return true
		}
	}
}

// functionEffects reads async, throws and an arrow after the parameters of a
// function type. If there is no arrow, it reads nothing. It reports whether there
// is an arrow.
func (p *parser) functionEffects() bool {
	if !effectWord(p.word()) {
		return false
	}
	scanner, tok, last := p.Scanner, p.tok, p.last
	var e Effects
	p.effects(&e)
	if p.oper("->") {
		p.next()
		return true
	}
	p.Scanner, p.tok, p.last = scanner, tok, last
	return false
}

// angles reads generic arguments. If that fails, it reads nothing. It reports
// whether it succeeded.
func (p *parser) angles() bool {
	if p.tok.Start < p.noAngles {
		return false
	}
	scanner, tok, last := p.Scanner, p.tok, p.last
	depth := 0
	for {
		switch p.tok.Kind {
		case Oper:
			if p.oper("->") {
				break
			}
			for i := p.tok.Start; i < p.tok.End; i++ {
				switch p.Text[i] {
				case '<':
					depth++
				case '>':
					if i > p.tok.Start && p.Text[i-1] == '-' {
						continue
					}
					if depth--; depth == 0 {
						p.jump(i + 1)
						return true
					}
				case '?', '!', '&', '~', '-':
				default:
					p.noAngles = p.tok.End
					p.Scanner, p.tok, p.last = scanner, tok, last
					return false
				}
			}
		case Punct:
			switch p.tok.Byte {
			case '(', '[':
				p.group()
				continue
			case ',', '.', ':', '@':
			default:
				p.noAngles = p.tok.End
				p.Scanner, p.tok, p.last = scanner, tok, last
				return false
			}
		case Ident, Integer:
		default:
			p.noAngles = p.tok.End
			p.Scanner, p.tok, p.last = scanner, tok, last
			return false
		}
		p.next()
	}
}
