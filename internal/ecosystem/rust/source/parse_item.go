package source

func (p *parser) structure(it *Item, kind ItemKind) bool {
	it.Kind = kind
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	parts := p.partsOf(it)
	parts.Generics = p.generics()
	parts.Where = p.where("{;")
	p.fields(it)
	if it.Shape != Braced {
		if w := p.where(";"); !w.Empty() {
			parts.Where = w
		}
		p.eat(';')
	}
	return true
}

// fields reads the fields of a struct or a variant.
func (p *parser) fields(it *Item) {
	switch {
	case p.is('{'):
		it.Shape = Braced
	case p.is('('):
		it.Shape = Tuple
	default:
		return
	}
	closer := byte('}')
	if it.Shape == Tuple {
		closer = ')'
	}
	p.next()
	mark := len(p.open)
	for n := 0; p.tok.Kind != EOF && !p.is(closer); n++ {
		attrs := p.attrs()
		if p.is(closer) {
			break
		}
		before := p.tok.Start
		f := p.new(Field)
		f.Attrs, f.Start = attrs, int32(p.tok.Start)
		p.visibility(f)
		p.eatWord("unsafe")
		if it.Shape == Braced {
			f.Name = p.name()
			if f.Name == "" || !p.eat(':') {
				f.Name = ""
			}
		} else {
			f.Name = number(n)
		}
		f.Type = p.typeSpan(",=")
		if p.eat('=') { // The field has a default value.
			p.value(",")
		}
		f.End = int32(p.last)
		if f.Name != "" && !f.Type.Empty() {
			p.open = append(p.open, f)
		} else {
			p.file.Lost++
		}
		if !p.eat(',') && !p.is(closer) && p.tok.Start == before {
			p.next()
		}
	}
	if len(p.open) > mark {
		p.partsOf(it).Items = p.list(mark)
	}
	p.eat(closer)
}

func number(n int) string {
	if n < 10 {
		return "0123456789"[n : n+1]
	}
	return number(n/10) + number(n%10)
}

func (p *parser) enum(it *Item) bool {
	it.Kind = Enum
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	parts := p.partsOf(it)
	parts.Generics = p.generics()
	parts.Where = p.where("{;")
	if !p.eat('{') {
		return p.eat(';')
	}
	mark := len(p.open)
	for p.tok.Kind != EOF && !p.is('}') {
		attrs := p.attrs()
		if p.is('}') {
			break
		}
		before := p.tok.Start
		v := p.new(Variant)
		v.Attrs, v.Start = attrs, int32(p.tok.Start)
		p.visibility(v)
		if v.Name = p.name(); v.Name != "" {
			p.fields(v)
			if p.eat('=') {
				v.Value = p.value(",")
			}
			v.End = int32(p.last)
			p.open = append(p.open, v)
		} else {
			p.file.Lost++
		}
		if !p.eat(',') && !p.is('}') && (p.tok.Start == before || !p.opens()) {
			p.next()
		}
	}
	parts.Items = p.list(mark)
	p.eat('}')
	return true
}

func (p *parser) trait(it *Item, depth int) bool {
	it.Kind = Trait
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	parts := p.partsOf(it)
	parts.Generics = p.generics()
	if p.eat(':') {
		parts.Bounds = p.typeSpan("{;=")
	}
	if p.eat('=') {
		it.Kind = TraitAlias
		parts.Bounds = p.typeSpan("{;")
	}
	parts.Where = p.where("{;")
	if p.is('{') {
		p.block(it, depth, false)
		return true
	}
	return p.eat(';')
}

// block reads the items within braces. lenient has the same meaning as in items.
func (p *parser) block(it *Item, depth int, lenient bool) {
	if depth >= maxDepth {
		p.file.Lost++
		p.group()
		return
	}
	start := p.tok.Start
	p.next()
	parts := p.partsOf(it)
	parts.Inner = p.inner()
	if p.outline && it.Kind == Impl && !p.is('}') {
		parts.Body.Start = int32(p.tok.Start)
		p.jump(skip(p.Text, start))
		parts.Body.End = int32(p.last)
		if body := (Span{parts.Body.Start, parts.Body.End - 1}); !p.readLocal(body, it, depth) {
			p.addBody(body)
		}
		return
	}
	if it.Kind == Impl || it.Kind == Trait {
		p.members++
		defer func() { p.members-- }()
	}
	parts.Items = p.items(depth+1, lenient)
	p.eat('}')
}

func (p *parser) impl(it *Item, depth int) bool {
	it.Kind = Impl
	parts := p.partsOf(it)
	p.next()
	if p.is('<') {
		parts.Generics = p.generics()
	}
	if p.word() == "const" {
		p.next()
		it.Flags |= IsConst
	}
	if p.is('!') {
		p.next()
		it.Flags |= IsNegative
	}
	it.Type = p.implType()
	if p.eatWord("for") {
		parts.Trait = it.Type
		it.Type = p.typeSpan("{;")
	}
	parts.Where = p.where("{;")
	if p.is('{') {
		p.block(it, depth, false)
		return true
	}
	return p.eat(';')
}

// implType reads the type after impl, which ends before for.
func (p *parser) implType() Span {
	part := span(p.tok.Start, p.tok.Start)
	depth := 0
	var before Token
	for p.tok.Kind != EOF {
		switch {
		case p.is('{') && depth == 0 || p.is(';') || p.is('}') || p.is(')') || p.is(']'):
			return part
		case p.opens():
			p.group()
			part.End = int32(p.last)
			before = Token{Kind: Punct, Byte: ')'}
			continue
		case p.is('<'):
			depth++
		case p.is('>') && !arrow(before, p.tok):
			depth--
		case p.tok.Kind == Ident && depth == 0:
			word := p.word()
			if word == "where" || word == "for" && typeEnds(p.Text, before) {
				return part
			}
		}
		part.End = int32(p.tok.End)
		before = p.tok
		p.next()
	}
	return part
}

// typeEnds reports whether a type may end with a token, in which case a following for
// does not begin for<'a>.
func typeEnds(text string, t Token) bool {
	if t.Kind == Ident {
		word := text[t.Start:t.End]
		return word != "dyn" && word != "impl"
	}
	return t.Kind == Punct && (t.Byte == '>' || t.Byte == ')' || t.Byte == ']' || t.Byte == '!')
}

func (p *parser) module(it *Item, depth int) bool {
	it.Kind = Module
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	if p.is('{') {
		p.block(it, depth, false)
		return true
	}
	it.Flags |= Semicolon
	return p.eat(';')
}

func (p *parser) alias(it *Item) bool {
	it.Kind = TypeAlias
	p.next()
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	parts := p.partsOf(it)
	parts.Generics = p.generics()
	if p.eat(':') {
		parts.Bounds = p.typeSpan(";=")
	}
	parts.Where = p.where(";=")
	if p.eat('=') {
		it.Flags |= HasBody
		it.Type = p.typeSpan(";")
	}
	if w := p.where(";"); !w.Empty() {
		parts.Where = w
	}
	return p.eat(';') || p.is('}')
}

func (p *parser) constant(it *Item, depth int) bool {
	it.Kind = Const
	if p.word() == "static" {
		it.Kind = Static
	}
	p.next()
	if p.eatWord("mut") {
		it.Flags |= IsMut
	}
	if it.Name = p.name(); it.Name == "" {
		return false
	}
	if g := p.generics(); !g.Empty() {
		p.partsOf(it).Generics = g
	}
	if p.eat(':') {
		it.Type = p.typeSpan(";=")
	}
	if w := p.where(";="); !w.Empty() {
		p.partsOf(it).Where = w
	}
	if p.eat('=') {
		it.Flags |= HasBody
		if it.Name == "_" && p.is('{') && depth < maxDepth {
			it.Kind = ConstBlock
			p.block(it, depth, true)
		} else {
			it.Value = p.value(";")
			p.readLocal(it.Value, it, depth)
		}
	}
	return p.eat(';') || p.is('}')
}
