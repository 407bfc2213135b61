package source

import "slices"

// directive reads a token that begins with # among declarations. It is a clause
// of an #if or a macro call. directive returns false for an #if around
// attributes, which belong to the next declaration.
func (p *parser) directive() bool {
	switch p.TokenText(p.tok) {
	case "#if":
		if p.onlyAttributes() {
			return false
		}
		p.pushCondition(p.condition(nil))
	case "#elseif", "#else":
		if p.deepConds > 0 {
			p.condition(nil)
			return true
		}
		if len(p.conds) == 0 {
			p.lose("#else without #if")
			p.condition(nil)
			return true
		}
		before := p.conds[len(p.conds)-1]
		c := p.condition(before)
		p.conds = p.conds[:len(p.conds)-1]
		p.pushCondition(c)
	case "#endif":
		switch {
		case p.deepConds > 0:
			p.deepConds--
		case len(p.conds) > 0:
			p.conds = p.conds[:len(p.conds)-1]
		}
		p.next()
	default:
		p.next()
		for (p.is('(') || p.is('{')) && !p.tok.Newline {
			p.group()
		}
	}
	return true
}

// pushCondition adds a clause. It copies the slice, because declarations refer
// to it.
func (p *parser) pushCondition(c *Condition) {
	if len(p.conds) >= maxDepth {
		p.deepConds++
		return
	}
	conds := make([]*Condition, len(p.conds)+1)
	copy(conds, p.conds)
	conds[len(p.conds)] = c
	p.conds = conds
}

// condition reads #if, #elseif or #else and the rest of its line. before is the
// condition of the previous branch, or nil if there is none.
func (p *parser) condition(before *Condition) *Condition {
	p.spent += valueSize + 8*len(p.conds)
	c := &Condition{Before: before, Line: p.line(p.tok.Start)}
	isElse := p.TokenText(p.tok) == "#else"
	p.next()
	if isElse {
		return c
	}
	start := p.tok.Start
	p.condNodes = 0
	c.Expr = p.orExpr(0)
	for p.tok.Kind != EOF && !p.tok.Newline {
		// The rest of the line is a part of the condition that cannot be parsed.
		c.Expr = &ConditionExpr{Op: Unknown}
		p.next()
	}
	if p.last > start {
		c.Text = p.Text[start:p.last]
	}
	return c
}

// maxCondition is the maximum number of names and tests in one condition.
const maxCondition = 1000

func (p *parser) orExpr(depth int) *ConditionExpr {
	left := p.andExpr(depth)
	for p.oper("||") {
		p.next()
		left = &ConditionExpr{Op: Or, Left: left, Right: p.andExpr(depth)}
	}
	return left
}

func (p *parser) andExpr(depth int) *ConditionExpr {
	left := p.notExpr(depth)
	for p.oper("&&") {
		p.next()
		left = &ConditionExpr{Op: And, Left: left, Right: p.notExpr(depth)}
	}
	return left
}

func (p *parser) notExpr(depth int) *ConditionExpr {
	p.spent += valueSize
	if p.condNodes++; depth > maxDepth || p.condNodes > maxCondition {
		for p.tok.Kind != EOF && !p.tok.Newline {
			p.next()
		}
		return &ConditionExpr{Op: Unknown}
	}
	switch {
	case p.oper("!"):
		p.next()
		return &ConditionExpr{Op: Not, Left: p.notExpr(depth + 1)}
	case p.is('('):
		p.next()
		e := p.orExpr(depth + 1)
		if !p.eat(')') {
			return &ConditionExpr{Op: Unknown}
		}
		return e
	case p.tok.Kind == Ident:
		e := &ConditionExpr{Op: Flag, Name: p.word()}
		p.next()
		if p.is('(') && !p.tok.Newline {
			e.Op = Test
			e.Arg = p.group()
		}
		return e
	case p.tok.Kind == Oper && len(p.TokenText(p.tok)) > 1 && p.tok.Byte == '!':
		// The token may contain several operators, as in !!x.
		p.jump(p.tok.Start + 1)
		return &ConditionExpr{Op: Not, Left: p.notExpr(depth + 1)}
	case !p.tok.Newline && !p.is(')'):
		p.next()
	}
	return &ConditionExpr{Op: Unknown}
}

// maxAttributeDepth is the maximum nesting of #if around attributes.
const maxAttributeDepth = 8

// onlyAttributes reports whether the #if at the current token contains only
// attributes, and thus belongs to the declaration that follows.
func (p *parser) onlyAttributes() bool {
	s := p.Scanner
	t := p.tok
	found := false
	for depth := 0; ; {
		switch {
		case t.Kind == Punct && t.Byte == '@':
			found = true
			t = s.skipAttribute()
			continue
		case t.Kind != Pound:
			return false
		}
		switch s.TokenText(t) {
		case "#if":
			depth++
		case "#else", "#elseif":
		case "#endif":
			depth--
		default:
			return false
		}
		if depth > maxAttributeDepth {
			return false
		}
		if depth == 0 {
			return found
		}
		for t = s.Next(); !t.Newline && t.Kind != EOF; {
			t = s.Next()
		}
	}
}

// skipAttribute skips an attribute after its @ and returns the next token.
func (s *Scanner) skipAttribute() Token {
	s.Next()
	t := s.Next()
	for t.Kind == Punct && t.Byte == '.' && !t.Newline {
		s.Next()
		t = s.Next()
	}
	if t.Kind == Punct && t.Byte == '(' && !t.Newline {
		s.Pos = t.Start
		s.Pos, _ = s.group()
		t = s.Next()
	}
	return t
}

// conditionalAttributes reads an #if around attributes, which may be nested. It
// returns false if it contains anything else.
func (p *parser) conditionalAttributes(outer []*Condition) bool {
	c := p.condition(nil)
	for {
		conds := slices.Concat(outer, []*Condition{c})
		for p.is('@') {
			if !p.attribute(conds) {
				return false
			}
		}
		if p.tok.Kind != Pound {
			return false
		}
		switch p.TokenText(p.tok) {
		case "#if":
			if len(conds) > maxAttributeDepth || !p.conditionalAttributes(conds) {
				return false
			}
		case "#endif":
			p.next()
			return true
		case "#else", "#elseif":
			c = p.condition(c)
		default:
			return false
		}
	}
}
