package dts

// otherStatement parses a statement that is not a declaration. In JavaScript,
// some of these statements export values, such as exports.x = … and
// module.exports = …. It steps over all others.
func (p *parser) otherStatement(out *list, doc int32) {
	switch k := p.kind(); k {
	case kwIf, kwWhile, kwFor:
		p.next()
		p.take(kwAwait)
		if p.kind() == '(' {
			p.skipGroup()
		}
		return
	case kwElse, kwTry:
		p.next()
		return
	case '{':
		// Statements in branches may export as well, because bundles choose
		// between a development and a production build.
		if p.f.Language != JavaScript {
			p.skipGroup()
			return
		}
		p.splice(out)
		return
	case '}', ')', ']', 0:
		p.next()
		return
	}
	start := p.i
	if p.f.Language == JavaScript {
		// The statement 0 && (module.exports = {…}) declares the names that a bundle exports to
		// Node.js.
		if p.kind() == number && p.peek(1) == '&' && p.peek(2) == '&' && p.peek(3) == '(' {
			p.i += 4
		}
		if isName(p.kind()) && p.assignment(out, doc) {
			for p.take(',') {
				if !isName(p.kind()) || !p.assignment(out, 0) {
					p.skipExpression()
				}
			}
			p.take(')')
			p.take(';')
			return
		}
		p.i = start
	}
	for {
		p.skipExpression()
		if !p.take(',') {
			break
		}
	}
	if k := p.toks[start].kind; p.f.Language == JavaScript && (k == '(' || k == '!') {
		p.wrapped(out, start, p.i)
	}
	p.take(';')
}

// assignment parses a statement that exports or adds a member. It reports
// whether there was one.
func (p *parser) assignment(out *list, doc int32) bool {
	start := p.i
	if p.exportCall(out) {
		return true
	}
	targets := p.targets(doc)
	if targets == nil {
		p.i = start
		return false
	}
	voided := p.kind() == kwVoid
	v := p.exported()
	if p.failed {
		p.failed, p.reason, p.i = false, "", start
		return false
	}
	p.take(';')
	// A statement such as exports.a = void 0 only precedes a later assignment.
	if !voided {
		assignTo(out, targets, v)
	}
	return true
}

// targets parses the targets of an assignment, such as a = b.c = …
func (p *parser) targets(doc int32) *Node {
	var targets list
	for {
		start := p.i
		target := p.target()
		if target == nil || p.kind() != '=' || p.peek(1) == '=' || p.toks[p.i+1].pos == p.toks[p.i].end && p.peek(1) == '>' {
			p.i = start
			return targets.first
		}
		p.next()
		target.doc = doc
		targets.add(target)
	}
}

// assignTo adds the assignments of v to the targets that export or add a member.
func assignTo(out *list, targets, v *Node) {
	for n := targets; n != nil; {
		next := n.next
		n.next = nil
		if n.Kind != None {
			if n.first != nil {
				n.first.next = v
			} else {
				n.first = v
			}
			out.add(n)
		}
		n = next
	}
}

// target parses the target of an assignment: a dotted name, or exports["x"]. It
// returns nil if there is none.
func (p *parser) target() *Node {
	n := p.node(None)
	var names []string
	if !isName(p.kind()) {
		return nil
	}
	for {
		names = append(names, p.word())
		p.next()
		if p.kind() == '.' && isName(p.peek(1)) && len(names) < 5 {
			p.next()
			n.Pos = p.toks[p.i].pos
			continue
		}
		break
	}
	if p.kind() == '[' && p.peek(1) == str && p.peek(2) == ']' {
		p.next()
		names = append(names, unquote(p.word()))
		n.Pos = p.toks[p.i].pos
		p.i += 2
	}
	if len(names) >= 2 && names[0] == "module" && names[1] == "exports" {
		names = append([]string{"exports"}, names[2:]...)
		if len(names) == 1 {
			n.Kind = ExportEquals
			return n
		}
	}
	switch {
	case names[0] == "exports" && len(names) == 2:
		n.Kind, n.Text = ExportAssign, names[1]
	case names[0] == "exports" && len(names) == 3 && names[1] != "prototype":
		n.Kind, n.Text = MemberAssign, names[2]
		n.first = &Node{Kind: Name, Text: names[1], Flags: FlagStatic | FlagExport}
	case names[0] == "exports", names[0] == "this", names[0] == "window":
	case len(names) == 2:
		n.Kind, n.Text = MemberAssign, names[1]
		n.first = &Node{Kind: Name, Text: names[0], Flags: FlagStatic}
	case len(names) == 3 && names[1] == "prototype":
		n.Kind, n.Text = MemberAssign, names[2]
		n.first = &Node{Kind: Name, Text: names[0]}
	}
	return n
}

// mentions reports whether a word is between two tokens.
func (p *parser) mentions(name string, from, end int) bool {
	for i := from; i < end; i++ {
		if t := &p.toks[i]; t.kind == ident && p.src[t.pos:t.end] == name {
			return true
		}
	}
	return false
}

// exportCall parses the calls by which compiled modules export:
// Object.defineProperty(exports, "x", …) and __exportStar(require("x"),
// exports). It returns false for other calls.
func (p *parser) exportCall(out *list) bool {
	name := p.i
	for p.peek(1) == '.' && isName(p.peek(2)) {
		p.i += 2
	}
	last := p.word()
	start := p.i
	p.i = name
	open := start + 1
	if open+4 >= len(p.toks) || p.toks[open].kind != '(' {
		return false
	}
	word := func(i int) string {
		if i >= len(p.toks) {
			return ""
		}
		return p.src[p.toks[i].pos:p.toks[i].end]
	}
	n := p.node(None)
	switch last {
	case "assign":
		if p.toks[name].kind != ident || word(name) != "Object" {
			return false
		}
		return p.assignCall(out, open)
	case "defineProperty":
		name := open + 3
		if word(open+1) == "module" && word(name) == "exports" {
			name += 2
		} else if word(open+1) != "exports" {
			return false
		}
		if name >= len(p.toks) || p.toks[name-1].kind != ',' || p.toks[name].kind != str {
			return false
		}
		n.Kind, n.Text, n.Pos = ExportAssign, unquote(word(name)), p.toks[name].pos
		if n.Text == "__esModule" {
			n.Kind = None
		}
		p.i = name
		n.first = p.node(Expression)
	case "keys":
		// Object.keys(x).forEach(… exports …) copies the exports of x.
		if p.toks[open+1].kind != ident || p.toks[open+2].kind != ')' || p.toks[open+3].kind != '.' || word(open+4) != "forEach" || p.toks[min(open+5, len(p.toks)-1)].kind != '(' {
			return false
		}
		call := open + 5
		if !p.mentions("exports", call, int(p.toks[call].match)) {
			return false
		}
		n.Kind = ExportStar
		n.first = &Node{Kind: Ref, Text: word(open + 1), Pos: n.Pos}
		open = call
	case "__exportStar", "__export", "__reExport", "_export_star":
		i := open + 1
		if word(i) != "require" {
			for i < int(p.toks[open].match) && word(i) != "require" {
				i++
			}
		}
		if p.toks[min(i+1, len(p.toks)-1)].kind != '(' || p.toks[min(i+2, len(p.toks)-1)].kind != str {
			return false
		}
		n.Kind, n.Text = ExportStar, unquote(word(i+2))
	default:
		return false
	}
	p.i = p.after(open)
	p.take(';')
	if n.Kind != None {
		out.add(n)
	}
	return true
}

// assignCall adds the exports of Object.assign(exports, {…}, require("x")) and
// reports whether there are any. open is the index of the parenthesis.
func (p *parser) assignCall(out *list, open int) bool {
	closing := int(p.toks[open].match)
	if !p.closed(open) {
		return false
	}
	was := p.i
	p.i = open + 1
	to := p.target()
	if !(to != nil && to.Kind == ExportEquals) && !(p.i == open+2 && p.src[p.toks[open+1].pos:p.toks[open+1].end] == "exports") {
		p.i = was
		return false
	}
	for p.i < closing && p.take(',') {
		v := p.exported()
		if p.failed || v == nil {
			p.failed, p.reason = false, ""
			break
		}
		switch v.Kind {
		case Require:
			out.add(&Node{Kind: ExportStar, Text: v.Text, Pos: v.Pos})
		case Object:
			exportProperties(out, v)
		}
	}
	p.i = p.after(open)
	p.take(';')
	return true
}

// exportProperties adds an export for each property of an object literal.
func exportProperties(out *list, o *Node) {
	for c := o.first; c != nil; {
		next := c.next
		c.next = nil
		n := &Node{Kind: ExportAssign, Text: c.Name(), Pos: c.Pos, doc: c.doc}
		switch c.Kind {
		case Specifier:
			n.first = &Node{Kind: Ref, Text: c.Text, Pos: c.Pos}
		case Spread:
			if n = nil; c.first != nil && c.first.Kind == Require {
				n = &Node{Kind: ExportStar, Text: c.first.Text, Pos: c.Pos}
			}
		case Method:
			f := *c
			f.Kind = Function
			n.first = &f
		case Property:
			n.first = c.first
		default:
			n.first = &Node{Kind: Expression, Pos: c.Pos}
		}
		out.add(n)
		c = next
	}
}
