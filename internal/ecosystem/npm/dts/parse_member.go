package dts

// members parses the braces of a class, an interface or a type literal.
func (p *parser) members(out *list, class bool) {
	open, end := p.i, p.inside()
	p.next()
	was, wasJSDoc := p.noConditional, p.jsdoc
	p.noConditional = false
	var assigned []*Node
	for p.i < end {
		start := p.i
		if k := p.kind(); k == ';' || k == ',' {
			p.next()
			continue
		}
		n := p.member(class)
		if class && p.f.Language == JavaScript && n != nil && n.Has(FlagBody) {
			assigned = p.assigned(assigned, start, p.i)
		}
		switch {
		case p.failed && p.jsdoc:
			return
		case p.failed:
			p.recover(start)
			p.skipMember(end)
		case n != nil:
			out.add(n)
		}
		if p.i == start {
			p.i++
		}
	}
	p.noConditional, p.jsdoc = was, wasJSDoc
	p.i = p.after(open)
	for _, n := range assigned {
		declared := false
		for m := out.first; m != nil && !declared; m = m.next {
			declared = m.Text == n.Text && m.IsMember()
		}
		if !declared {
			out.add(n)
		}
	}
}

// maxAssigned is the maximum number of properties that are added to a class or
// function because they are assigned.
const maxAssigned = 500

// assigned adds a property for each this.x = … between two tokens. This is
// how classes in JavaScript declare their fields.
func (p *parser) assigned(to []*Node, from, end int) []*Node {
	for i := from; i+3 < end && len(to) < maxAssigned; i++ {
		if k := p.toks[i].kind; i > from && (k == kwFunction || k == kwClass) {
			i = p.bodyAt(i, end) // in a nested function or class, this is another object
			continue
		}
		if p.toks[i].kind != kwThis || p.toks[i+1].kind != '.' || p.toks[i+3].kind != '=' || p.toks[i+4].kind == '=' {
			continue
		}
		t := &p.toks[i+2]
		if !isName(t.kind) {
			continue
		}
		name := p.src[t.pos:t.end]
		known := false
		for _, n := range to {
			known = known || n.Text == name
		}
		if known {
			continue
		}
		back := p.i
		p.i = i + 2
		n := p.named(Property)
		n.doc = p.toks[i].doc
		p.i = i + 4
		if v := p.literal(); v != nil {
			n.first = v
		}
		p.i = back
		to = append(to, n)
	}
	return to
}

// bodyAt returns the last token of the function or class that begins at token i.
func (p *parser) bodyAt(i, end int) int {
	for j := i + 1; j < end; j++ {
		switch p.toks[j].kind {
		case '(', '[':
			j = p.after(j) - 1
		case '{':
			return p.after(j) - 1
		case ';', '}':
			return i
		}
	}
	return i
}

// skipMember steps over a member of an unknown kind.
func (p *parser) skipMember(end int) {
	start := p.i
	for p.i < end {
		t := &p.toks[p.i]
		if p.i > start && t.nl && t.kind >= str {
			return
		}
		switch t.kind {
		case ';', ',':
			p.next()
			return
		case '(', '[', '{':
			p.skipGroup()
		default:
			p.next()
		}
	}
}

// modifier returns the flag of a word that may precede a member.
func modifier(k kind) Flags {
	switch k {
	case kwPublic:
		return FlagPublic
	case kwPrivate:
		return FlagPrivate
	case kwProtected:
		return FlagProtected
	case kwStatic:
		return FlagStatic
	case kwAbstract:
		return FlagAbstract
	case kwOverride:
		return FlagOverride
	case kwReadonly:
		return FlagReadonly
	case kwDeclare:
		return FlagDeclare
	case kwAsync:
		return FlagAsync
	case kwAccessor:
		return FlagAccessor
	}
	return 0
}

// nameFollows reports whether the next token can begin the name of a member, so
// that the current word is a modifier rather than a name.
func (p *parser) nameFollows() bool {
	k := p.peek(1)
	return k == '[' || k == '*' || k == str || k == number || k >= private
}

// member parses one member. It returns nil for a part of the body that is not a
// member, such as a static block. class is true within a class.
func (p *parser) member(class bool) *Node {
	doc := p.toks[p.i].doc
	p.decorators()
	var flags Flags
	for {
		f := modifier(p.kind())
		if f == 0 || !p.nameFollows() && !(f == FlagStatic && p.peek(1) == '{') {
			break
		}
		// Of the modifiers, only static, get and set may be followed by a line break.
		if p.toks[p.i+1].nl && f != FlagStatic {
			break
		}
		flags |= f
		p.next()
	}
	n := p.node(Property)
	n.doc, n.Flags = doc, flags
	switch k := p.kind(); {
	case k == '{' && flags&FlagStatic != 0 && class:
		p.skipGroup()
		return nil
	case k == '(' || k == '<':
		n.Kind = CallSig
		p.signature(n, ':')
		p.endMember(n)
		return n
	case k == kwNew && !class && (p.peek(1) == '(' || p.peek(1) == '<'):
		n.Kind = NewSig
		p.next()
		p.signature(n, ':')
		p.endMember(n)
		return n
	case k == '[' && isName(p.peek(1)) && (p.peek(2) == ':' || p.peek(2) == ','):
		n.Kind = IndexSig
		p.indexSignature(n)
		return n
	case (k == kwGet || k == kwSet) && p.nameFollows():
		n.Kind = Getter
		if k == kwSet {
			n.Kind = Setter
		}
		p.next()
	case k == '*':
		n.Kind = Method
		p.next()
	}
	if !p.memberName(n) {
		return nil
	}
	if p.take('?') {
		n.Flags |= FlagOptional
	} else {
		p.take('!')
	}
	if k := p.kind(); k == '(' || k == '<' {
		if n.Kind == Property {
			n.Kind = Method
			if class && (n.Text == "constructor" || n.Text == `"constructor"`) && n.Flags&FlagStatic == 0 {
				n.Kind, n.Text = Constructor, ""
			}
		}
		p.signature(n, ':')
		p.endMember(n)
		return n
	}
	if n.Kind != Property {
		p.fail("( was expected")
		return nil
	}
	var parts list
	if p.take(':') {
		parts.add(p.typ())
	}
	if p.take('=') {
		parts.add(p.value())
	}
	n.first = parts.first
	p.endMember(n)
	return n
}

// memberName parses a name: x, "x", 1, [x] or #x. It returns false after a syntax
// error.
func (p *parser) memberName(n *Node) bool {
	n.Pos = p.toks[p.i].pos
	switch k := p.kind(); {
	case isName(k) || k == str || k == number || k == private:
		n.Text = p.word()
		p.next()
		return true
	case k == '[':
		start := p.i
		if p.closing(); p.failed {
			return false
		}
		p.skipGroup()
		n.Text = p.text(start, p.i)
		return true
	}
	p.fail("a member was expected")
	return false
}

// indexSignature parses [key: string]: T.
func (p *parser) indexSignature(n *Node) {
	end := p.closing()
	p.next()
	var out list
	p.paramList(&out, end)
	if p.failed {
		return
	}
	p.i = end
	p.next()
	if p.take('?') {
		n.Flags |= FlagOptional
	}
	if p.take(':') {
		out.add(p.typ())
	}
	n.first = out.first
	p.endMember(n)
}

// endMember steps over a body, or over the punctuation mark that ends a member. A
// line break may replace the mark.
func (p *parser) endMember(n *Node) {
	t := &p.toks[p.i]
	switch {
	case t.kind == ';' || t.kind == ',':
		p.next()
	case t.kind == '{' && n.Kind != Property:
		n.Flags |= FlagBody
		p.skipGroup()
	case !t.nl && t.kind != '}' && t.kind != eof:
		p.fail("expected the end of the member")
	}
}
