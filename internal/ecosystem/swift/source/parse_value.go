package source

// expression skips an expression and returns its text. It ends before a comma, a
// closing bracket, or a token that cannot continue it. It returns "" if there is
// none.
func (p *parser) expression() string {
	start := p.tok.Start
	p.skipExpression()
	if p.last <= start {
		return ""
	}
	return p.Text[start:p.last]
}

// skipExpression reads alternating operands and operators. It skips groups as a
// whole, so that nesting does not use the stack.
func (p *parser) skipExpression() {
	ternary := 0
	for {
		if !p.operand() || !p.operandSuffix(&ternary) {
			return
		}
	}
}

// operand reads an operand and the operators and keywords before it. It returns
// false if there is no operand.
func (p *parser) operand() bool {
	for {
		switch p.tok.Kind {
		case Oper:
			p.next() // Skip a prefix operator.
			continue
		case Integer, Float, String, Regex:
			p.next()
			return true
		case Pound:
			switch p.TokenText(p.tok) {
			case "#if", "#else", "#elseif", "#endif":
				return false
			}
			p.next()
			return true
		case Punct:
			switch p.tok.Byte {
			case '(', '[', '{':
				p.group()
				return true
			case '.':
				p.next()
				if p.tok.Kind == Ident || p.tok.Kind == Integer {
					p.next()
					return true
				}
				return p.is('(') || p.is('[') // The operand is a key path such as \.[0] or \.(x).
			case '\\':
				p.next()
				if p.is('.') || p.tok.Kind == Ident {
					continue
				}
				return true
			case '@': // The attribute belongs to a closure or a type.
				p.next()
				p.dotted()
				continue
			}
			return false
		case Ident:
			word := p.word()
			switch word {
			case "try":
				p.next()
				if p.tok.Kind == Oper && (p.tok.Byte == '?' || p.tok.Byte == '!') && !p.tok.Space {
					p.next()
				}
				continue
			case "await", "consume", "copy", "unsafe", "each", "repeat", "any", "some":
				t := p.peek()
				p.next()
				if t.Kind == Ident && !t.Newline || t.Kind == String || t.Kind == Punct && (t.Byte == '(' || t.Byte == '[') && t.Space {
					continue
				}
				return true
			case "if", "switch", "do":
				return p.branches()
			case "let", "var", "func", "struct", "class", "enum", "extension", "protocol", "case", "import", "typealias", "static", "public":
				return false
			}
			p.next()
			return true
		default:
			return false
		}
	}
}

// branches skips an if, switch or do expression. It returns false if its braces
// are missing.
func (p *parser) branches() bool {
	for {
		for p.tok.Kind != EOF && !p.is('{') {
			if p.is('}') {
				return false
			}
			if p.is('(') || p.is('[') {
				p.group()
			} else {
				p.next()
			}
		}
		if p.tok.Kind == EOF {
			return false
		}
		p.group()
		if word := p.word(); word != "else" && word != "catch" {
			return true
		}
	}
}

// operandSuffix reads the part after an operand: members, calls, closures and
// postfix operators. It returns true if it read a binary operator, which means
// that another operand follows.
func (p *parser) operandSuffix(ternary *int) bool {
	closure := false
	for {
		switch p.tok.Kind {
		case Punct:
			switch p.tok.Byte {
			case '.':
				p.next()
				if p.tok.Kind == Ident || p.tok.Kind == Integer || p.tok.Kind == Float {
					p.next()
				}
				continue
			case '(', '[':
				if p.tok.Newline {
					return false
				}
				p.group()
				continue
			case '{':
				if p.observers() {
					return false
				}
				p.group()
				closure = true
				continue
			case ':':
				if *ternary == 0 {
					return false
				}
				*ternary--
				p.next()
				return true
			}
			return false
		case Oper:
			if p.tok.Byte == '<' && !p.tok.Space && p.angles() {
				continue
			}
			after := p.at(p.tok.End)
			spaced := class[after]&isSpace != 0 || p.tok.End == len(p.Text)
			if !p.tok.Space && (spaced || after == '.' || after == ',' || after == ')' || after == ']' || after == '}' || after == ';' || after == ':') {
				p.next() // Skip a postfix operator.
				continue
			}
			if !p.tok.Space && (p.tok.Byte == '?' || p.tok.Byte == '!') && (p.tok.End-p.tok.Start == 1) {
				p.next() // The mark follows an operand, as in a?[0] and a!(b).
				continue
			}
			if p.tok.Newline && !spaced {
				return false // a prefix operator at the beginning of the next statement
			}
			if p.oper("?") {
				*ternary++
			}
			p.next()
			return true
		case Pound:
			if p.TokenText(p.tok) != "#if" || !p.postfixCondition() {
				return false
			}
			continue
		case Ident:
			switch p.word() {
			case "as", "is":
				p.next()
				if p.tok.Kind == Oper && (p.tok.Byte == '?' || p.tok.Byte == '!') && !p.tok.Space {
					p.next()
				}
				if !p.skipType() {
					return false
				}
				continue
			case "async", "throws":
				if p.functionEffects() {
					return true
				}
			}
			if closure {
				// A label, as in label: { … }, follows a trailing closure.
				if t := p.peek(); t.Kind == Punct && t.Byte == ':' {
					p.next()
					p.next()
					if p.is('{') {
						p.group()
					}
					continue
				}
			}
			return false
		default:
			return false
		}
	}
}

// observers reports whether the brace at the current token opens accessors and
// not a closure.
func (p *parser) observers() bool {
	s := p.Scanner
	t := s.Next()
	for t.Kind == Punct && t.Byte == '@' {
		s.Next()
		t = s.Next()
	}
	if t.Kind != Ident {
		return false
	}
	switch s.TokenText(t) {
	case "willSet", "didSet":
		return true
	case "get", "set", "_read", "_modify", "init":
		t = s.Next()
		return t.Kind == Punct && t.Byte == '{'
	}
	return false
}

// postfixCondition skips an #if that contains members of an expression, such as
// .foo(). If it contains anything else, postfixCondition does not read anything.
// It reports whether it skipped an #if.
func (p *parser) postfixCondition() bool {
	scanner, tok, last := p.Scanner, p.tok, p.last
	depth := 0
	for p.tok.Kind == Pound && p.TokenText(p.tok) == "#if" {
		p.condition(nil)
		depth++
	}
	if !p.is('.') {
		p.Scanner, p.tok, p.last = scanner, tok, last
		return false
	}
	for depth > 0 && p.tok.Kind != EOF {
		if p.tok.Kind == Pound {
			switch p.TokenText(p.tok) {
			case "#if":
				depth++
			case "#endif":
				depth--
			}
		}
		if p.opens() {
			p.group()
		} else {
			p.next()
		}
	}
	return true
}
