package source

import (
	"slices"
	"strings"
)

func (p *parser) extern(it *Item, depth int) bool {
	p.next()
	if p.tok.Kind == Literal {
		p.partsOf(it).ABI = span(p.tok.Start, p.tok.End)
		p.next()
	}
	if p.is('{') {
		it.Kind = ForeignMod
		p.block(it, depth, false)
		return true
	}
	if !p.eatWord("crate") {
		return false
	}
	it.Kind = ExternCrate
	name := p.name()
	if name == "" {
		return false
	}
	p.partsOf(it).Uses = []UsePath{{Path: []string{name}, As: name}}
	if p.eatWord("as") {
		it.Uses[0].As = p.name()
	}
	it.Name = it.Uses[0].As
	return p.eat(';')
}

func (p *parser) contextual(it *Item, word string) bool {
	s := Scanner{Text: p.Text, Pos: p.Pos}
	t := s.Next()
	switch {
	case word == "macro_rules" && t.Kind == Punct && t.Byte == '!':
		if after := s.Next(); after.Kind != Ident {
			break
		}
		it.Kind = MacroRules
		p.next()
		p.next()
		it.Name = p.name()
		if !p.opens() {
			return false
		}
		p.partsOf(it).Body = p.delimited()
		p.eat(';')
		return true
	case t.Kind != Ident:
	case word == "union":
		return p.structure(it, Union)
	case word == "auto" && p.Text[t.Start:t.End] == "trait":
		p.next()
		it.Flags |= IsAuto
		return p.trait(it, 0)
	case word == "macro":
		it.Kind = MacroDecl
		p.next()
		it.Name = p.name()
		if p.is('(') {
			p.partsOf(it).Params = p.group()
		}
		if !p.is('{') {
			return false
		}
		p.partsOf(it).Body = p.delimited()
		return true
	}
	return p.call(it)
}

// delimited skips a group and returns it with its brackets.
func (p *parser) delimited() Span {
	start := p.tok.Start
	p.group()
	return span(start, p.last)
}

// call reads a macro call. It returns false if that is a syntax error.
func (p *parser) call(it *Item) bool {
	it.Kind = MacroCall
	start := p.tok.Start
	end := start
	for {
		if p.is('$') {
			p.next()
		}
		if p.tok.Kind == Ident {
			end = p.tok.End
			p.next()
		}
		if !p.is(':') {
			break
		}
		p.next()
		if !p.eat(':') {
			return false
		}
	}
	if end == start || !p.is('!') {
		return false
	}
	it.Name = p.Text[start:end]
	if strings.ContainsAny(it.Name, " \t\r\n") {
		it.Name = strings.Join(strings.Fields(it.Name), "")
	}
	p.next()
	if p.tok.Kind == Ident { // The identifier is the name that the macro call defines.
		p.next()
	}
	if !p.opens() {
		return false
	}
	braces := p.is('{')
	p.partsOf(it).Body = p.delimited()
	if !p.eat(';') && !braces && !p.is('}') && p.tok.Kind != EOF {
		return p.rest()
	}
	return true
}

// rest skips to the end of the statement if a macro call is only the beginning of
// an expression. It always returns true.
func (p *parser) rest() bool {
	p.value(";")
	p.eat(';')
	return true
}

// use reads a use declaration. It always returns true.
func (p *parser) use(it *Item) bool {
	it.Kind = Use
	p.next()
	p.tree(it, nil)
	if !p.eat(';') {
		p.value(";")
		p.eat(';')
	}
	return true
}

// tree reads one branch of a use.
func (p *parser) tree(it *Item, prefix []string) {
	path := slices.Clip(prefix)
	if p.is(':') {
		p.next()
		p.eat(':')
		if len(path) == 0 {
			path = append(path, "")
		}
	}
	for {
		switch {
		case p.is('*'):
			p.next()
			parts := p.partsOf(it)
			parts.Uses = append(parts.Uses, UsePath{Path: path, Glob: true})
			return
		case p.is('{'):
			if len(path) > maxUse || p.nested > maxDepth {
				p.file.Lost++
				p.group()
				return
			}
			p.next()
			p.nested++
			for p.tok.Kind != EOF && !p.is('}') && !p.is(';') {
				before := p.tok.Start
				p.tree(it, path)
				if !p.eat(',') && p.tok.Start == before {
					p.next()
				}
			}
			p.nested--
			p.eat('}')
			return
		case p.is('$'):
			p.next()
			continue
		}
		name := p.name()
		if name == "" {
			return
		}
		if len(path) > maxUse {
			p.file.Lost++
			p.value(";,")
			return
		}
		if name == "self" && len(path) > 0 && len(prefix) == len(path) {
			// {self} is the module itself.
		} else {
			path = append(slices.Clip(path), name)
		}
		if p.is(':') {
			p.next()
			p.eat(':')
			continue
		}
		as := path[len(path)-1]
		if p.eatWord("as") {
			as = p.name()
		}
		parts := p.partsOf(it)
		parts.Uses = append(parts.Uses, UsePath{Path: path, As: as, Self: name == "self" && len(prefix) == len(path)})
		return
	}
}
