package dts

import "slices"

// function parses the parameters and the body of a function. n contains the signature.
func (p *codeParser) function(n *Node, f *Expr) {
	was := p.noIn
	p.noIn = false
	defer func() { p.noIn = was }()
	f.Type = n
	f.List = []*Expr{nil}
	end := p.i
	for q := range n.All(Param) {
		i, found := slices.BinarySearchFunc(p.toks, q.Pos, func(t token, pos uint32) int { return int(t.pos) - int(pos) })
		if !found {
			p.fail("a parameter was expected")
			return
		}
		x := p.expr(ExprParam, nil, nil)
		x.Pos, x.Text, x.Type = q.Pos, q.Text, q
		if q.Text != "" && (q.Text[0] == '{' || q.Text[0] == '[') {
			p.i = i
			p.take(ellipsis)
			for isName(p.kind()) {
				p.next()
			}
			x.Text = ""
			x.List[0] = p.pattern()
		}
		f.List = append(f.List, x)
	}
	if !p.failed {
		p.i = end
	}
}

// funcExpr parses a function declaration or expression.
func (p *codeParser) funcExpr() *Expr {
	f := p.expr(ExprFunc)
	n := p.node(Function)
	if p.take(kwAsync) {
		n.Flags |= FlagAsync
	}
	p.next()
	f.Generator = p.take('*')
	if isName(p.kind()) {
		f.Text, f.Pos = p.word(), p.toks[p.i].pos
		n.Text, n.Pos = f.Text, f.Pos
		p.next()
	}
	p.signature(n, ':')
	p.function(n, f)
	if p.kind() == '{' {
		f.List[0] = p.blockStmt()
	} else {
		p.endOfStatement() // an overload
	}
	return f
}

// arrowExpr parses an arrow function.
func (p *codeParser) arrowExpr() *Expr {
	f := p.expr(ExprFunc)
	n := p.node(FuncType)
	if p.kind() == kwAsync && p.peek(1) != arrow {
		p.next()
		n.Flags |= FlagAsync
	}
	if isName(p.kind()) {
		n.first = p.named(Param)
	} else {
		p.signature(n, ':')
	}
	p.function(n, f)
	p.expect(arrow, "=>")
	if p.kind() == '{' {
		f.List[0] = p.blockStmt()
	} else {
		f.List[0] = p.assignment()
	}
	return f
}

// classExpr parses a class.
func (p *codeParser) classExpr() *Expr {
	c := p.expr(ExprClass)
	p.next()
	start := p.i
	if isName(p.kind()) && p.kind() != kwExtends && p.kind() != kwImplements {
		c.Text, c.Pos = p.word(), p.toks[p.i].pos
	}
	c.Type = p.class()
	if p.failed || len(p.f.Warnings) > 0 {
		p.fail("a member was expected")
		return c
	}
	end := p.i
	// The members and their bodies are in the last pair of braces.
	i := start
	for i < end && !(p.toks[i].kind == '{' && p.after(i) == end) {
		if k := p.toks[i].kind; k == '(' || k == '[' || k == '{' {
			i = p.after(i)
			continue
		}
		i++
	}
	if i >= end {
		p.fail("{ was expected")
		return c
	}
	p.i = i + 1
	last := end - 1
	for p.i < last && !p.failed {
		if k := p.kind(); k == ';' || k == ',' {
			p.next()
			continue
		}
		for p.kind() == '@' {
			p.decorators()
		}
		if p.kind() == kwStatic && p.peek(1) == '{' {
			p.next()
			b := p.blockStmt()
			b.Static = true
			c.List = append(c.List, b)
			continue
		}
		from := p.i
		generator := false
		for j := from; j < last && (p.toks[j].kind == '*' || modifier(p.toks[j].kind) != 0); j++ {
			generator = generator || p.toks[j].kind == '*'
		}
		m := p.member(true)
		if m == nil || p.failed {
			p.fail("a member was expected")
			return c
		}
		to := p.i
		switch {
		case m.Kind == Property:
			p.i = from
			for p.i < to && p.kind() != '=' {
				switch p.kind() {
				case '(', '[', '{':
					p.skipGroup()
				default:
					p.next()
				}
			}
			if p.i >= to {
				p.i = to
				continue
			}
			p.next()
			x := p.expr(ExprProp, p.assignment())
			x.Pos, x.Text, x.Static, x.Type = m.Pos, m.Name(), m.Has(FlagStatic), m
			c.List = append(c.List, x)
			if p.i < to {
				p.i = to
			}
		case m.Has(FlagBody):
			f := p.expr(ExprFunc)
			f.Pos, f.Text, f.Generator, f.Static = m.Pos, m.Name(), generator, m.Has(FlagStatic)
			f.Getter = m.Kind == Getter || m.Kind == Setter
			p.function(m, f)
			if p.failed {
				return c
			}
			p.i = int(p.toks[to-1].match)
			f.List[0] = p.blockStmt()
			p.i = to
			c.List = append(c.List, f)
		}
	}
	if !p.failed {
		p.i = end
	}
	return c
}
