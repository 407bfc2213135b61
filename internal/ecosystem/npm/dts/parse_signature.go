package dts

// startsFunctionType reports whether the current token begins a function or
// constructor type: a round bracket whose partner is followed by an arrow.
func (p *parser) startsFunctionType() bool {
	switch p.kind() {
	case '<':
		return true
	case '(':
		return p.toks[p.after(p.i)].kind == arrow && p.peek(1) != '('
	case kwNew:
		return p.peek(1) == '(' || p.peek(1) == '<'
	case kwAbstract:
		return p.peek(1) == kwNew
	}
	return false
}

func (p *parser) functionType() *Node {
	n := p.node(FuncType)
	if p.take(kwAbstract) {
		n.Flags |= FlagAbstract
	}
	if p.take(kwNew) {
		n.Kind = NewType
	}
	p.signature(n, arrow)
	return n
}

// signature parses type parameters, parameters and result type into n. mark
// precedes the result type: a colon or an arrow.
func (p *parser) signature(n *Node, mark kind) {
	// noConditional does not apply inside a function type.
	was := p.noConditional
	var out list
	p.noConditional = false
	p.typeParams(&out)
	p.params(&out)
	if p.take(mark) {
		out.add(p.returnType())
	} else if mark == arrow {
		p.fail("=> was expected")
	}
	p.noConditional = was
	n.first = out.first
}

// returnType parses a type or a predicate.
func (p *parser) returnType() *Node {
	if isName(p.kind()) && p.peekSame() == kwIs {
		n := p.named(Predicate)
		p.next()
		n.first = p.typ()
		return n
	}
	return p.typ()
}

// typeParams parses type parameters, <T extends X = Y, …>, if there are any.
func (p *parser) typeParams(out *list) {
	if p.kind() != '<' {
		return
	}
	was := p.noConditional
	p.noConditional = false
	defer func() { p.noConditional = was }()
	p.next()
	for p.kind() != '>' {
		var flags Flags
		for {
			k := p.kind()
			if (k == kwConst || k == kwIn || k == kwOut) && isName(p.peek(1)) && p.peek(1) != kwExtends {
				switch k {
				case kwConst:
					flags |= FlagConst
				case kwIn:
					flags |= FlagIn
				case kwOut:
					flags |= FlagOut
				}
				p.next()
				continue
			}
			break
		}
		if !isName(p.kind()) {
			p.fail("a type parameter was expected")
			return
		}
		n := p.named(TypeParam)
		n.Flags = flags
		var parts list
		if p.take(kwExtends) {
			if c := p.typ(); c != nil {
				c.Flags |= FlagConstraint
				parts.add(c)
			}
		}
		if p.take('=') {
			if d := p.typ(); d != nil {
				d.Flags |= FlagDefault
				parts.add(d)
			}
		}
		n.first = parts.first
		out.add(n)
		if !p.take(',') {
			break
		}
	}
	p.expect('>', ">")
}

// params parses (a: T, b?: U, ...c: V).
func (p *parser) params(out *list) {
	if p.kind() != '(' {
		p.fail("( was expected")
		return
	}
	end := p.closing()
	p.next()
	p.paramList(out, end)
	if p.failed {
		return
	}
	p.i = end
	p.expect(')', ")")
}

// paramList parses parameters up to the bracket at end.
func (p *parser) paramList(out *list, end int) {
	for p.i < end {
		if p.take(',') {
			continue
		}
		p.decorators()
		flags := p.paramModifiers()
		n := p.node(Param)
		n.Flags = flags
		n.doc = p.toks[p.i].doc
		if p.take(ellipsis) {
			n.Flags |= FlagRest
		}
		switch k := p.kind(); {
		case k == '{' || k == '[':
			start := p.i
			p.closing()
			p.skipGroup()
			if p.failed {
				return
			}
			n.Text = p.text(start, p.i)
		case isName(k):
			n.Text = p.word()
			p.next()
		default:
			p.fail("a parameter was expected")
			return
		}
		if p.take('?') {
			n.Flags |= FlagOptional
		}
		var parts list
		if p.take(':') {
			parts.add(p.typ())
		}
		if p.take('=') {
			n.Flags |= FlagOptional | FlagDefault
			parts.add(p.value())
		}
		n.first = parts.first
		out.add(n)
		if p.i < end && p.kind() != ',' {
			p.fail("a comma was expected")
			return
		}
	}
}

// paramModifiers parses the modifiers that make a constructor's parameter a
// property.
func (p *parser) paramModifiers() Flags {
	var flags Flags
	for {
		f := modifier(p.kind())
		if f&(FlagPublic|FlagPrivate|FlagProtected|FlagReadonly|FlagOverride) == 0 {
			return flags
		}
		if k := p.peek(1); !isName(k) && k != '{' && k != '[' {
			return flags
		}
		flags |= f
		p.next()
	}
}
