package source

import "github.com/docent-mcp/docent/internal/apidoc"

// generics parses the generic parameters of a declaration.
func (p *partParser) generics() {
	if !p.starts('<') {
		return
	}
	for more := true; more; more = p.is(',') {
		if p.is(',') {
			p.next()
		} else {
			p.cut()
		}
		p.open(apidoc.TypeParamPart)
		if word := p.word(); (word == "each" || word == "let") && p.ahead(1).Kind == Ident {
			p.leaf(apidoc.ModifierPart)
		}
		p.local[p.word()] = true
		p.name(apidoc.NamePart)
		if p.is(':') {
			p.next()
			p.typ(apidoc.ConstraintPart)
		}
		p.close()
	}
	p.angle()
}

// angle consumes the closing bracket of generic parameters or arguments.
func (p *partParser) angle() {
	if !p.starts('>') {
		p.fail()
		return
	}
	p.cut()
}

// where parses a where clause.
func (p *partParser) where() {
	if p.word() != "where" {
		return
	}
	for more := true; more; more = p.is(',') {
		p.next()
		p.open(apidoc.ConstraintPart)
		p.body()
		switch {
		case p.is(':'), p.oper("=="):
			p.next()
		default:
			p.fail()
		}
		p.body()
		p.close()
	}
}

// labels specifies the meaning of a parameter's only name.
type labels uint8

const (
	labeled   labels = iota // it is also its label
	unlabeled               // the parameter has no label
	enumCase                // it is its label; there may be no name at all
)

// params parses the parameters of a declaration.
func (p *partParser) params(names labels) {
	end := p.closed()
	p.next()
	for p.index < end {
		p.param(names, end)
		if p.is(',') {
			p.next()
		}
	}
	p.expect(')')
}

// param parses one parameter. Its default ends before the token with index end, or at
// a comma before the next parameter.
func (p *partParser) param(names labels, end int) {
	p.open(apidoc.ParamPart)
	for names != enumCase && p.is('@') {
		p.attribute(false)
	}
	flags := p.paramNames(names)
	p.typ(apidoc.TypePart)
	if p.oper("...") {
		p.next()
		flags |= apidoc.Variadic
	}
	if p.oper("=") {
		p.next()
		p.expression(names, end)
		flags |= apidoc.Optional
	}
	if p.index < end && !p.is(',') {
		p.fail()
	}
	p.close(flags)
}

// paramNames parses the label and the name of a parameter.
func (p *partParser) paramNames(names labels) apidoc.PartFlags {
	if p.named(0) == 0 {
		if names != enumCase {
			p.fail()
		}
		return apidoc.PositionalOnly
	}
	var flags apidoc.PartFlags
	if p.named(0) == 2 {
		if p.word() == "_" {
			flags = apidoc.PositionalOnly
		}
		p.name(apidoc.LabelPart)
	} else if names == unlabeled || p.word() == "_" {
		flags = apidoc.PositionalOnly
	}
	p.name(apidoc.NamePart)
	p.expect(':')
	return flags
}

// named returns the number of names of a parameter that begins n tokens after the current one.
func (p *partParser) named(n int) int {
	switch {
	case p.ahead(n).Kind != Ident:
		return 0
	case isPunctuation(p.ahead(n+1), ':'):
		return 1
	case p.ahead(n+1).Kind == Ident && isPunctuation(p.ahead(n+2), ':'):
		return 2
	}
	return 0
}

// expression parses the default of a parameter. It ends at the first comma that is
// outside brackets and before another parameter, unlike the comma in Dictionary<Int,
// Int>().
func (p *partParser) expression(names labels, end int) {
	p.open(apidoc.DefaultPart)
	start := p.index
	for p.index < end {
		if p.is(',') && (names == enumCase || p.named(1) > 0 || isPunctuation(p.ahead(1), '@')) {
			break
		}
		if i := p.closing[p.index]; i > 0 {
			p.index = i
		}
		p.next()
	}
	if p.index == start {
		p.fail()
	}
	p.close()
}

// typ parses a type as a part.
func (p *partParser) typ(role apidoc.PartRole) {
	p.open(role)
	p.body()
	p.close()
}

// body parses a type.
func (p *partParser) body() {
	if p.depth++; p.depth > maxDepth {
		p.fail()
	}
	for {
		p.typeWords()
		switch {
		case p.is('('):
			if p.group() {
				p.depth--
				return
			}
		case p.is('['):
			p.next()
			p.body()
			if p.is(':') || p.word() == "of" {
				p.next()
				p.body()
			}
			p.expect(']')
		case p.tok().Kind == Integer:
			p.next()
		case p.tok().Kind == Ident:
			p.reference()
		default:
			p.fail()
		}
		p.suffix()
		if !p.oper("&") {
			break
		}
		p.next()
	}
	p.depth--
}

// typeWords parses the attributes and keywords before a type.
func (p *partParser) typeWords() {
	for {
		switch {
		case p.is('@'):
			p.attribute(true)
		case p.starts('~') || p.starts('-'):
			p.cut()
		case p.tok().Kind == Ident && typeWord(p.tokenText(p.tok())) && p.typeFollows():
			p.open(apidoc.ModifierPart)
			word := p.word()
			p.next()
			if p.is('(') && !p.tok().Space && (word == "nonisolated" || word == "dependsOn" || word == "isolated") {
				p.index = p.closed()
				p.next()
			}
			p.close()
		default:
			return
		}
	}
}

// typeFollows reports whether a type follows the current token.
func (p *partParser) typeFollows() bool {
	switch t := p.ahead(1); t.Kind {
	case Ident:
		return !effectWord(p.tokenText(t))
	case Punct:
		return t.Byte == '(' || t.Byte == '[' || t.Byte == '@'
	case Oper:
		return t.Byte == '~'
	}
	return false
}

// suffix parses the part after a simple type.
func (p *partParser) suffix() {
	for {
		switch {
		case (p.starts('?') || p.starts('!')) && !p.tok().Space:
			p.cut()
		case p.is('.') && p.ahead(1).Kind == Ident:
			p.next()
			p.next()
		case p.starts('<') && !p.tok().Space:
			p.arguments()
		default:
			return
		}
	}
}

// reference parses the name of a type and its arguments.
func (p *partParser) reference() {
	start, head := p.tok().Start, p.word()
	p.dotted()
	p.refer(start, head)
}

// arguments parses generic arguments.
func (p *partParser) arguments() {
	p.cut()
	for !p.starts('>') {
		p.body()
		if p.failed {
			return
		}
		if !p.is(',') {
			break
		}
		p.next()
	}
	p.angle()
}

// group parses a tuple or a function type. It reports whether it is a function type.
func (p *partParser) group() bool {
	end := p.closed()
	if p.failed {
		return false
	}
	after := &p.tokens[end+1]
	if after.Kind == Oper && p.tokenText(after) == "->" || after.Kind == Ident && isEffect(p.tokenText(after)) && !after.Newline {
		p.functionParams(end)
		p.effects()
		if !p.oper("->") {
			p.fail()
		}
		p.result()
		return true
	}
	p.next()
	for p.index < end {
		if p.named(0) > 0 {
			p.open(apidoc.MemberPart)
			if p.named(0) == 2 {
				p.name(apidoc.LabelPart)
			}
			p.name(apidoc.NamePart)
			p.expect(':')
			p.typ(apidoc.TypePart)
			p.close()
		} else {
			p.body()
		}
		p.separator(end)
	}
	p.expect(')')
	return false
}

// functionParams parses the parameters of a function type.
func (p *partParser) functionParams(end int) {
	p.next()
	for p.index < end {
		p.open(apidoc.ParamPart)
		if p.named(0) == 2 {
			p.name(apidoc.LabelPart)
		}
		if p.named(0) == 1 {
			p.name(apidoc.NamePart)
			p.expect(':')
		}
		p.typ(apidoc.TypePart)
		if p.oper("...") {
			p.next()
			p.close(apidoc.Variadic, apidoc.PositionalOnly)
		} else {
			p.close(apidoc.PositionalOnly)
		}
		p.separator(end)
	}
	p.expect(')')
}

// separator consumes the comma before another element.
func (p *partParser) separator(end int) {
	switch {
	case p.is(','):
		p.next()
	case p.index < end:
		p.fail()
	}
}
