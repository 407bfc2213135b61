package dts

// typ parses a type. It returns nil after a syntax error.
func (p *parser) typ() *Node {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	if p.startsFunctionType() {
		return p.functionType()
	}
	t := p.union()
	if p.noConditional || p.toks[p.i].nl || p.kind() != kwExtends {
		return t
	}
	n := p.node(Conditional)
	p.next()
	var out list
	out.add(t)
	out.add(p.inner(true))
	if !p.expect('?', "?") {
		return nil
	}
	out.add(p.inner(false))
	if !p.expect(':', ":") {
		return nil
	}
	out.add(p.inner(false))
	n.first = out.first
	return n
}

// inner parses a type with the given value of noConditional.
func (p *parser) inner(noConditional bool) *Node {
	was := p.noConditional
	p.noConditional = noConditional
	t := p.typ()
	p.noConditional = was
	return t
}

func (p *parser) union() *Node { return p.joined('|', Union, (*parser).intersection) }

func (p *parser) intersection() *Node { return p.joined('&', Intersection, (*parser).operator) }

// joined parses types separated by sep, which may also precede the first type, as
// a node of kind k. It returns a single type unchanged.
func (p *parser) joined(sep kind, k Kind, part func(*parser) *Node) *Node {
	first := p.i
	p.take(sep)
	t := part(p)
	if p.kind() != sep {
		return t
	}
	n := p.node(k)
	n.Pos = p.toks[first].pos
	var out list
	out.add(t)
	for p.take(sep) {
		out.add(part(p))
	}
	n.first = out.first
	return n
}

// operator parses keyof T, unique symbol, readonly T[], infer T, or a type
// without an operator. It returns nil after a syntax error.
func (p *parser) operator() *Node {
	switch k := p.kind(); k {
	case kwKeyof, kwUnique, kwReadonly:
		if !p.typeFollows(1) {
			break
		}
		if !p.enter() {
			return nil
		}
		defer p.leave()
		n := p.named(Operator)
		n.first = p.operator()
		return n
	case kwInfer:
		if !isName(p.peek(1)) {
			break
		}
		p.next()
		n := p.named(Infer)
		if p.kind() == kwExtends {
			n.first = p.inferConstraint()
		}
		return n
	}
	// Accept a function type without parentheses in a union, which TypeScript
	// reports as an error.
	if p.startsFunctionType() {
		return p.functionType()
	}
	was := p.noConditional
	p.noConditional = false
	t := p.postfixType()
	p.noConditional = was
	return t
}

// inferConstraint parses the constraint of infer T extends X. If a question mark
// follows, "extends" belongs to the enclosing conditional type, unless a
// conditional type is not possible there.
func (p *parser) inferConstraint() *Node {
	start, outside := p.i, p.noConditional
	p.next()
	c := p.inner(true)
	if p.failed {
		return nil
	}
	if outside || p.kind() != '?' {
		return c
	}
	p.i = start
	return nil
}

// typeFollows reports whether the token n after the current one can begin a type
// on the same line or the next line.
func (p *parser) typeFollows(n int) bool {
	switch k := p.peek(n); k {
	case '{', '[', '(', '<', str, number, template, '-', '|', '&':
		return true
	case kwExtends, kwIs, kwIn:
		return false
	default:
		return isName(k) || p.jsdoc && (k == '*' || k == '?' || k == '!')
	}
}

// postfixType parses a type and its suffixes, such as [] and ["x"]. It returns nil
// after a syntax error.
func (p *parser) postfixType() *Node {
	t := p.primaryType()
	for count := 0; t != nil && !p.toks[p.i].nl; count++ {
		if count > maxDepth {
			p.fail("nested too deeply")
			return nil
		}
		switch p.kind() {
		case '[':
			n := p.node(Array)
			n.Pos = t.Pos
			end := p.closing()
			p.next()
			n.first = t
			if p.i < end {
				n.Kind = Indexed
				// t has no sibling yet, because only a list sets Next.
				t.next = p.inner(false)
				if p.i != end {
					p.fail("] was expected")
					return nil
				}
			}
			p.next()
			t = n
			continue
		case '!':
			// The mark ! of doc comments has no meaning in TypeScript.
			p.next()
			continue
		case '?':
			if p.jsdoc && !p.typeFollows(1) {
				p.next()
				t = p.nullable(t)
				continue
			}
		case '=':
			if p.jsdoc && p.peek(1) != '=' {
				p.next()
				n := p.node(Optional)
				n.first = t
				t = n
				continue
			}
		}
		break
	}
	return t
}

// nullable returns T | null.
func (p *parser) nullable(t *Node) *Node {
	null := p.node(Literal)
	null.Text = "null"
	n := p.node(Union)
	n.first = t
	t.next = null
	return n
}

func (p *parser) primaryType() *Node {
	if p.failed {
		return nil
	}
	switch k := p.kind(); k {
	case str, number, template:
		return p.named(Literal)
	case '-':
		n := p.node(Literal)
		start := p.i
		p.next()
		if !p.expect(number, "a number") {
			return nil
		}
		n.Text = p.text(start, p.i)
		return n
	case '(':
		n := p.node(Paren)
		end := p.closing()
		p.next()
		n.first = p.inner(false)
		if !p.failed && p.i != end {
			p.fail(") was expected")
		}
		if p.failed {
			return nil
		}
		p.next()
		return n
	case '[':
		return p.tuple()
	case '{':
		if p.startsMapped() {
			return p.mapped()
		}
		if !p.enter() {
			return nil
		}
		defer p.leave()
		n := p.node(TypeLiteral)
		var out list
		p.members(&out, false)
		n.first = out.first
		return n
	case kwThis, kwVoid:
		return p.named(Keyword)
	case kwTypeof:
		p.next()
		if p.kind() == kwImport {
			n := p.importType()
			if n != nil {
				n.Flags |= FlagTypeof
			}
			return n
		}
		return p.reference(TypeQuery)
	case kwImport:
		return p.importType()
	case kwAsserts:
		if k := p.peekSame(); isName(k) && k != kwExtends && k != kwIs {
			p.next()
			n := p.named(Predicate)
			n.Flags |= FlagAsserts
			if p.kind() == kwIs && !p.toks[p.i].nl {
				p.next()
				n.first = p.typ()
			}
			return n
		}
	case kwFunction:
		if p.jsdoc && p.peek(1) == '(' {
			return p.jsdocFunction()
		}
	case '*', '?', '!':
		if p.jsdoc {
			return p.jsdocType()
		}
	case ellipsis:
		if p.jsdoc {
			n := p.node(Rest)
			p.next()
			n.first = p.postfixType()
			return n
		}
	}
	switch k := p.kind(); k {
	case kwClass, kwConst, kwDelete, kwElse, kwEnum, kwExport, kwExtends, kwFor, kwIf, kwIn, kwInstanceof, kwReturn, kwThrow, kwTry, kwVar, kwWhile:
	default:
		if isName(k) {
			return p.reference(Ref)
		}
	}
	p.fail("a type was expected")
	return nil
}

// isTypeKeyword reports whether a name is the name of a built-in type.
func isTypeKeyword(s string) bool {
	switch s {
	case "any", "unknown", "string", "number", "bigint", "symbol", "boolean", "undefined", "never", "object", "void", "this":
		return true
	}
	return false
}

// reference parses a dotted name and its type arguments. It returns nil after a
// syntax error.
func (p *parser) reference(k Kind) *Node {
	n := p.node(k)
	start := p.i
	if !isName(p.kind()) {
		p.fail("a name was expected")
		return nil
	}
	p.next()
	for p.kind() == '.' && (p.peek(1) >= private || p.jsdoc && p.peek(1) == '<') {
		p.next()
		if p.kind() == '<' {
			// Doc comments may write Array.<T>.
			n.Text = dotted(p.text(start, p.i-1))
			break
		}
		p.next()
	}
	if p.i == start+1 {
		t := &p.toks[start]
		n.Text = p.src[t.pos:t.end]
	} else if n.Text == "" {
		n.Text = dotted(p.text(start, p.i))
	}
	if k == Ref && p.i == start+1 {
		switch {
		case isTypeKeyword(n.Text) && p.kind() != '<':
			n.Kind = Keyword
			return n
		case n.Text == "true" || n.Text == "false" || n.Text == "null":
			n.Kind = Literal
			return n
		}
	}
	if p.kind() == '<' && !p.toks[p.i].nl {
		var out list
		p.typeArgs(&out)
		n.first = out.first
		if p.jsdoc && n.Text == "Object" {
			n.Text = "Record"
		}
	} else if p.jsdoc && k == Ref {
		n.Text = jsdocName(n.Text)
	}
	return n
}

// typeArgs parses <A, B>.
func (p *parser) typeArgs(out *list) {
	was := p.noConditional
	p.noConditional = false
	p.next()
	for p.kind() != '>' && !p.failed {
		out.add(p.typ())
		if !p.take(',') {
			break
		}
	}
	p.noConditional = was
	p.expect('>', ">")
}

// importType parses import("module").A.B<C>. It returns nil after a syntax error.
func (p *parser) importType() *Node {
	n := p.node(ImportType)
	p.next()
	if p.kind() != '(' {
		p.fail("( was expected")
		return nil
	}
	end := p.closing()
	p.next()
	if p.kind() != str {
		p.fail("the name of a module was expected")
		return nil
	}
	module := p.named(Name)
	var out list
	out.add(module)
	if p.take(',') && p.i < end {
		// { with: { "resolution-mode": "import" } }
		module.first = p.node(Expression)
		module.first.Text = p.text(p.i, end)
	}
	p.i = end
	p.next()
	if p.kind() == '.' {
		p.next()
		start := p.i
		for isName(p.kind()) {
			p.next()
			if p.kind() != '.' || !isName(p.peek(1)) {
				break
			}
			p.next()
		}
		n.Text = dotted(p.text(start, p.i))
	}
	if p.kind() == '<' && !p.toks[p.i].nl {
		p.typeArgs(&out)
	}
	n.first = out.first
	return n
}

func (p *parser) tuple() *Node {
	n := p.node(Tuple)
	end := p.closing()
	p.next()
	var out list
	was := p.noConditional
	p.noConditional = false
	for p.i < end && !p.failed {
		e := p.node(None)
		rest := p.take(ellipsis)
		if isName(p.kind()) && (p.peek(1) == ':' || p.peek(1) == '?' && p.peek(2) == ':') {
			e.Kind = TupleMember
			e.Text = p.word()
			p.next()
			if rest {
				e.Flags |= FlagRest
			}
			if p.take('?') {
				e.Flags |= FlagOptional
			}
			p.next()
			e.first = p.typ()
		} else {
			t := p.typ()
			if p.take('?') {
				o := p.node(Optional)
				o.first = t
				t = o
			}
			if rest {
				e.Kind = Rest
				e.first = t
			} else {
				e = t
			}
		}
		out.add(e)
		if !p.take(',') {
			break
		}
	}
	p.noConditional = was
	if p.failed {
		return nil
	}
	if p.i != end {
		p.fail("] was expected")
		return nil
	}
	p.next()
	n.first = out.first
	return n
}

// startsMapped reports whether the brace at the current token begins a mapped
// type: { [K in T]: U } with optional readonly marks.
func (p *parser) startsMapped() bool {
	n := 1
	switch p.peek(n) {
	case '+', '-':
		return p.peek(n+1) == kwReadonly
	case kwReadonly:
		n++
	}
	return p.peek(n) == '[' && isName(p.peek(n+1)) && p.peek(n+2) == kwIn
}

func (p *parser) mapped() *Node {
	n := p.node(Mapped)
	end := p.closing()
	p.next()
	was := p.noConditional
	p.noConditional = false
	defer func() { p.noConditional = was }()
	sign := func(plain, plus, minus Flags) {
		switch p.kind() {
		case '+':
			p.next()
			n.Flags |= plus
		case '-':
			p.next()
			n.Flags |= minus
		default:
			n.Flags |= plain
		}
		p.next()
	}
	if k := p.kind(); k == kwReadonly || k == '+' || k == '-' {
		sign(FlagReadonly, FlagReadonlyPlus, FlagReadonlyMinus)
	}
	p.next() // Skip the opening bracket.
	key := p.named(TypeParam)
	p.next() // Skip the keyword "in".
	var out list
	out.add(key)
	if c := p.typ(); c != nil {
		c.Flags |= FlagConstraint
		key.first = c
	}
	if p.take(kwAs) {
		if a := p.typ(); a != nil {
			a.Flags |= FlagAs
			out.add(a)
		}
	}
	if !p.expect(']', "]") {
		return nil
	}
	if k := p.kind(); k == '?' || k == '+' || k == '-' {
		sign(FlagOptional, FlagOptionalPlus, FlagOptionalMinus)
	}
	if p.take(':') {
		out.add(p.typ())
	}
	if p.failed {
		return nil
	}
	p.take(';')
	p.take(',')
	if p.i != end {
		p.fail("} was expected")
		return nil
	}
	p.next()
	n.first = out.first
	return n
}
