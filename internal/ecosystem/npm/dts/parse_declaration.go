package dts

// decorators steps over @name(…) in front of a declaration.
func (p *parser) decorators() {
	for p.kind() == '@' {
		p.next()
		if p.kind() == '(' {
			p.skipGroup()
			continue
		}
		if !isName(p.kind()) && p.kind() != private {
			p.fail("a decorator was expected")
			return
		}
		p.next()
		for p.kind() == '.' && p.peek(1) >= private {
			p.i += 2
		}
		if p.kind() == '<' {
			p.typeArgs(&list{})
		}
		for p.kind() == '(' {
			p.skipGroup()
		}
	}
}

// body steps over the body of a function or ends the statement.
func (p *parser) body(n *Node) {
	if p.kind() == '{' {
		n.Flags |= FlagBody
		p.constructs(n)
		p.skipGroup()
		return
	}
	p.endStatement()
}

// constructs adds a property to a JavaScript function for each this.x = … in
// the body at the current token. These are properties of the objects that new
// makes with the function.
func (p *parser) constructs(n *Node) {
	if p.f.Language != JavaScript {
		return
	}
	for _, m := range p.assigned(nil, p.i, p.inside()) {
		appendChild(n, m)
	}
}

func (p *parser) class() *Node {
	n := p.node(Class)
	if isName(p.kind()) && p.kind() != kwExtends && (p.kind() != kwImplements || p.peek(1) == '{') {
		n.Text = p.word()
		p.next()
	}
	p.classOrInterface(n)
	return n
}

func (p *parser) classOrInterface(n *Node) {
	var out list
	p.typeParams(&out)
	for {
		switch p.kind() {
		case kwExtends, kwImplements:
			h := p.node(Extends)
			if p.kind() == kwImplements {
				h.Kind = Implements
			}
			p.next()
			var types list
			for {
				if h.Kind == Extends && n.Kind == Class {
					types.add(p.superclass())
				} else {
					types.add(p.postfixType())
				}
				if !p.take(',') {
					break
				}
			}
			h.first = types.first
			out.add(h)
			continue
		case '{':
			p.members(&out, n.Kind == Class)
		default:
			p.fail("{ was expected")
		}
		break
	}
	n.first = out.first
}

// superclass parses the expression that a class extends: a name with type
// arguments, or any other expression. It returns nil after a syntax error.
func (p *parser) superclass() *Node {
	start := p.i
	var call *Node
	if isName(p.kind()) {
		n := p.reference(Ref)
		switch p.kind() {
		case '{', ',', kwImplements, eof:
			return n
		case '(':
			call = p.call(start, n)
		}
		if k := p.kind(); call != nil && (k == '{' || k == kwImplements) {
			return call
		}
	}
	p.take(kwNew)
	for p.kind() != eof && p.kind() != kwImplements && (p.kind() != '{' || p.i == start) {
		switch p.kind() {
		case '(', '[', '{':
			p.skipGroup()
		case '<':
			p.typeArgs(&list{})
		case '}':
			p.fail("a superclass was expected")
		default:
			p.next()
		}
	}
	if p.failed {
		return nil
	}
	n := p.node(Expression)
	n.Text = p.text(start, p.i)
	return n
}

// call parses the arguments of a call that a class extends. It returns nil if
// one of them is neither a name nor another such call.
func (p *parser) call(start int, callee *Node) *Node {
	if p.failed || !p.enter() {
		return nil
	}
	defer p.leave()
	end := p.closing()
	var args list
	args.add(callee)
	for p.next(); p.i < end && !p.failed; p.take(',') {
		begin := p.i
		if !isName(p.kind()) || p.kind() == kwClass || p.kind() == kwNew || p.kind() == kwFunction {
			p.skipArgument(end)
			n := p.node(Literal)
			n.Text = p.text(begin, p.i)
			args.add(n)
			continue
		}
		n := p.reference(Ref)
		if !p.failed && p.kind() == '(' {
			n = p.call(begin, n)
		}
		if n == nil || p.i < end && p.kind() != ',' {
			p.skipArgument(end)
			n = p.node(Literal)
			n.Text = p.text(begin, p.i)
		}
		args.add(n)
	}
	if p.failed {
		return nil
	}
	p.i = end
	p.next()
	n := p.node(Expression)
	n.Text = p.text(start, p.i)
	n.first = args.first
	return n
}

// skipArgument steps over the rest of an argument of a call. end is the index of the
// call's closing bracket.
func (p *parser) skipArgument(end int) {
	for p.i < end && p.kind() != ',' {
		switch p.kind() {
		case '(', '[', '{':
			p.skipGroup()
		default:
			p.next()
		}
	}
}

func (p *parser) enum() *Node {
	n := p.named(Enum)
	if p.kind() != '{' {
		p.fail("{ was expected")
		return nil
	}
	open, end := p.i, p.inside()
	p.next()
	var out list
	for p.i < end {
		if p.take(',') {
			continue
		}
		m := p.node(EnumMember)
		m.doc = p.toks[p.i].doc
		switch {
		case isName(p.kind()) || p.kind() == str || p.kind() == number:
			m.Text = p.word()
			p.next()
		case p.kind() == '[' && p.closed(p.i):
			start := p.i
			p.skipGroup()
			m.Text = p.text(start, p.i)
		default:
			p.fail("a name was expected")
			return nil
		}
		if p.take('=') {
			m.first = p.initial(end)
		}
		if p.kind() != ',' && p.i < end {
			p.fail("a comma was expected")
			return nil
		}
		out.add(m)
	}
	p.i = p.after(open)
	n.first = out.first
	return n
}

// initial parses an initial value, which ends before a comma or at the token with index end.
func (p *parser) initial(end int) *Node {
	n := p.node(Initial)
	start := p.i
	p.skipArgument(end)
	n.Text = p.text(start, p.i)
	return n
}

func (p *parser) typeAlias() *Node {
	n := p.named(TypeAlias)
	var out list
	p.typeParams(&out)
	if p.expect('=', "=") {
		if isName(p.kind()) && p.word() == "intrinsic" && !isName(p.peekSame()) && p.peekSame() != '.' {
			out.add(p.named(Keyword))
		} else {
			out.add(p.typ())
		}
		p.endStatement()
	}
	n.first = out.first
	return n
}

func (p *parser) namespace() *Node {
	n := p.named(Namespace)
	outer := n
	for dots := 0; p.kind() == '.'; dots++ {
		p.next()
		if !isName(p.kind()) || dots > 100 {
			p.fail("the name of a namespace was expected")
			return nil
		}
		in := p.named(Namespace)
		in.Flags |= FlagExport
		n.first = in
		n = in
	}
	if p.kind() == '{' {
		n.first = p.block()
		return outer
	}
	// The declaration declare module "x"; gives all imports from "x" the type any.
	p.endStatement()
	return outer
}
