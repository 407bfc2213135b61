package source

import (
	"slices"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Parts returns the parts of declarations in the form in which Declaration prints them,
// one after another. builtin reports whether a name is declared by the language or its
// standard library. Parts returns nil for text that it cannot parse.
func Parts(text string, builtin func(name string) bool) []apidoc.Part {
	if !utf8.ValidString(text) {
		return nil
	}
	p := partParser{text: text, builtin: builtin, local: map[string]bool{}}
	p.scan()
	for p.tok().Kind != EOF {
		p.declaration()
	}
	if p.failed {
		return nil
	}
	return p.List(len(text))
}

// partParser parses printed declarations. After fail, the current token is EOF, so that
// all its methods return.
type partParser struct {
	apidoc.Parts
	text    string
	builtin func(name string) bool
	tokens  []Token // the last one is EOF
	// closing contains, by the index of an opening bracket, the index of the token that
	// closes it. It is 0 for other tokens.
	closing []int
	index   int             // index of the current token
	last    int             // end of the previous token
	local   map[string]bool // names of generic parameters of the declaration
	depth   int             // nesting of types
	failed  bool
}

// scan splits the text into tokens. A space ends the name of an operator function.
func (p *partParser) scan() {
	s := Scanner{Text: p.text, docStart: -1}
	var open []int
	for {
		t := s.Next()
		if n := len(p.tokens); n > 0 && t.Kind != EOF && t.Kind != Ident && t.Space && !t.Newline {
			if before := p.tokens[n-1]; before.Kind == Ident && (s.TokenText(before) == "func" || s.TokenText(before) == "operator") {
				t.Kind, t.End = Oper, operatorEnd(p.text, t.Start)
				s.Pos = t.End
			}
		}
		if t.Kind == Punct {
			switch t.Byte {
			case '(', '[', '{':
				open = append(open, len(p.tokens))
			case ')', ']', '}':
				if n := len(open) - 1; n >= 0 && pairs[p.tokens[open[n]].Byte] == t.Byte {
					p.closing[open[n]] = len(p.tokens)
					open = open[:n]
				}
			}
		}
		p.tokens = append(p.tokens, t)
		p.closing = append(p.closing, 0)
		if t.Kind == EOF {
			return
		}
	}
}

var pairs = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// operatorEnd returns the end of the operator at i.
func operatorEnd(text string, i int) int {
	for i < len(text) && class[text[i]]&isSpace == 0 {
		i++
	}
	return i
}

func (p *partParser) tok() *Token { return &p.tokens[p.index] }

// ahead returns the token n places after the current one.
func (p *partParser) ahead(n int) *Token { return &p.tokens[min(p.index+n, len(p.tokens)-1)] }

func (p *partParser) tokenText(t *Token) string { return p.text[t.Start:t.End] }

// word returns the current token if it is a word, or else "".
func (p *partParser) word() string {
	if t := p.tok(); t.Kind == Ident {
		return p.tokenText(t)
	}
	return ""
}

func (p *partParser) is(c byte) bool { return isPunctuation(p.tok(), c) }

func isPunctuation(t *Token, c byte) bool { return t.Kind == Punct && t.Byte == c }

func (p *partParser) oper(text string) bool {
	return p.tok().Kind == Oper && p.tokenText(p.tok()) == text
}

// starts reports whether the current token is an operator that begins with a character.
func (p *partParser) starts(c byte) bool { return p.tok().Kind == Oper && p.tok().Byte == c }

func (p *partParser) next() {
	if p.tok().Kind != EOF {
		p.last = p.tok().End
		p.index++
	}
}

// cut consumes the first character of an operator. The rest of the operator becomes the next token.
func (p *partParser) cut() {
	t := p.tok()
	if t.End-t.Start <= 1 {
		p.next()
		return
	}
	t.Start++
	t.Byte, t.Space, t.Newline = p.text[t.Start], false, false
	p.last = t.Start
}

// expect consumes a punctuation mark.
func (p *partParser) expect(c byte) {
	if !p.is(c) {
		p.fail()
		return
	}
	p.next()
}

func (p *partParser) fail() {
	p.failed = true
	p.index = len(p.tokens) - 1
}

// closed returns the index of the token that closes the current bracket. It fails if
// there is none.
func (p *partParser) closed() int {
	end := p.closing[p.index]
	if end == 0 {
		p.fail()
		return p.index
	}
	return end
}

// leaf consumes a token as a part.
func (p *partParser) leaf(role apidoc.PartRole) {
	t := p.tok()
	if t.Kind == EOF {
		p.fail()
	}
	p.Leaf(role, t.Start, t.End)
	p.next()
}

// name consumes a name. Back-quotes are not included in the part.
func (p *partParser) name(role apidoc.PartRole) {
	t := p.tok()
	if t.Kind != Ident {
		p.fail()
		return
	}
	start, end := t.Start, t.End
	if t.Byte == '`' {
		start, end = start+1, end-1
	}
	p.Leaf(role, start, end)
	p.next()
}

func (p *partParser) open(role apidoc.PartRole) { p.Open(role, p.tok().Start) }

func (p *partParser) close(flags ...apidoc.PartFlags) { p.Close(p.last, flags...) }

// comments writes the comments before the current token.
func (p *partParser) comments() {
	for i := p.last; i < p.tok().Start; {
		if p.text[i] != '/' {
			i++
			continue
		}
		end := lineEnd(p.text, i)
		if i+1 < len(p.text) && p.text[i+1] == '*' {
			end = blockEnd(p.text, i)
		}
		end = min(end, p.tok().Start)
		p.Leaf(apidoc.CommentPart, i, end)
		i = end
	}
}

// declaration parses one declaration.
func (p *partParser) declaration() {
	clear(p.local)
	p.open(apidoc.DeclarationPart)
	for p.is('@') {
		p.attribute(false)
	}
	flags := p.modifiers()
	switch word := p.word(); word {
	case "struct", "class", "actor", "enum", "protocol":
		p.next()
		p.name(apidoc.NamePart)
		if word == "protocol" {
			flags |= apidoc.Implemented
			if p.starts('<') {
				p.arguments()
			}
		} else {
			p.generics()
		}
		p.bases()
		p.where()
	case "extension":
		p.next()
		p.typ(apidoc.NamePart)
		p.bases()
		p.where()
	case "associatedtype":
		p.next()
		p.name(apidoc.NamePart)
		p.bases()
		p.assigned(apidoc.DefaultPart)
		p.where()
	case "typealias":
		p.next()
		p.name(apidoc.NamePart)
		p.generics()
		p.assigned(apidoc.TypePart)
		p.where()
	case "func", "macro":
		p.next()
		p.callable()
	case "init", "deinit", "subscript":
		p.leaf(apidoc.NamePart)
		if p.starts('?') || p.starts('!') {
			p.Leaf(apidoc.ModifierPart, p.tok().Start, p.tok().Start+1)
			p.cut()
		}
		p.signature(word == "subscript")
		p.accessors()
	case "let":
		p.leaf(apidoc.ModifierPart)
		p.variable()
	case "var":
		p.next()
		p.variable()
	case "case":
		p.next()
		p.name(apidoc.NamePart)
		if p.is('(') {
			p.params(enumCase)
		}
		p.value()
	case "operator":
		p.next()
		p.leaf(apidoc.NamePart)
		if p.is(':') {
			p.next()
			p.typ(apidoc.TypePart)
		}
	case "precedencegroup":
		p.next()
		p.name(apidoc.NamePart)
		p.precedence()
	default:
		p.fail()
	}
	p.close(flags)
}

// modifiers parses the keywords before the keyword that specifies the kind of declaration. It
// returns the flags of the declaration.
func (p *partParser) modifiers() (flags apidoc.PartFlags) {
	for isModifier(p.word()) {
		if next := p.ahead(1); p.word() == "class" && !(next.Kind == Ident && isClassMember(p.tokenText(next))) {
			return flags
		}
		if p.word() == "static" || p.word() == "class" {
			flags = apidoc.OnType
		}
		p.open(apidoc.ModifierPart)
		p.next()
		if p.is('(') {
			p.index = p.closed()
			p.next()
		}
		p.close()
	}
	return flags
}

func isModifier(word string) bool {
	switch word {
	case "open", "public", "package", "internal", "fileprivate", "private", "static", "class", "final", "override", "required", "convenience", "indirect", "lazy", "weak",
		"unowned", "optional", "mutating", "nonmutating", "consuming", "borrowing", "__consuming", "nonisolated", "isolated", "distributed", "dynamic", "sending", "prefix",
		"postfix", "infix", "_const", "async":
		return true
	}
	return false
}

// isClassMember reports whether "class" before a word is a modifier.
func isClassMember(word string) bool {
	switch word {
	case "func", "var", "let", "subscript", "consuming", "borrowing", "mutating", "nonmutating":
		return true
	}
	return false
}

func (p *partParser) callable() {
	operator := p.tok().Kind == Oper
	if operator {
		p.leaf(apidoc.NamePart)
	} else {
		p.name(apidoc.NamePart)
	}
	p.signature(operator)
}

// signature parses generic parameters, parameters, effects, the result and the where
// clause. positional is true if the only name of a parameter is not its label.
func (p *partParser) signature(positional bool) {
	p.generics()
	if p.is('(') {
		if positional {
			p.params(unlabeled)
		} else {
			p.params(labeled)
		}
	}
	p.effects()
	p.result()
	p.where()
}

func (p *partParser) result() {
	if p.oper("->") {
		p.next()
		p.open(apidoc.ResultPart)
		p.typ(apidoc.TypePart)
		p.close()
	}
}

// effects parses async and throws.
func (p *partParser) effects() {
	for isEffect(p.word()) {
		p.open(apidoc.EffectPart)
		p.next()
		if p.is('(') && !p.tok().Space {
			p.next()
			p.typ(apidoc.TypePart)
			p.expect(')')
		}
		p.close()
	}
}

func isEffect(word string) bool {
	switch word {
	case "async", "reasync", "throws", "rethrows":
		return true
	}
	return false
}

// variable parses a property after its keyword.
func (p *partParser) variable() {
	p.name(apidoc.NamePart)
	if p.is(':') {
		p.next()
		p.typ(apidoc.TypePart)
	}
	p.value()
	p.where()
	p.accessors()
}

// value parses the literal that is assigned to a property or a case.
func (p *partParser) value() {
	if !p.oper("=") {
		return
	}
	p.next()
	p.open(apidoc.ValuePart)
	if p.oper("-") {
		p.next()
	}
	if p.tok().Kind == EOF {
		p.fail()
	}
	p.next()
	p.close()
}

// assigned parses the type after an equals sign.
func (p *partParser) assigned(role apidoc.PartRole) {
	if p.oper("=") {
		p.next()
		p.typ(role)
	}
}

// bases parses the types that a type inherits from.
func (p *partParser) bases() {
	if !p.is(':') {
		return
	}
	for more := true; more; more = p.is(',') {
		p.next()
		p.typ(apidoc.BasePart)
	}
}

// accessors parses accessors. Those of a value that cannot be set, such as { mutating get }, are one modifier; those of
// others are none, because a stored property can be set without them.
func (p *partParser) accessors() {
	if !p.is('{') {
		return
	}
	end := p.closed()
	settable := slices.ContainsFunc(p.tokens[p.index:end], func(t Token) bool { return p.tokenText(&t) == "set" })
	p.next()
	for p.index < end {
		switch {
		case isEffect(p.word()):
			p.effects()
		case p.word() != "" && settable:
			p.next()
		case p.word() != "":
			p.open(apidoc.ModifierPart)
			for p.index < end && p.word() != "" && !isEffect(p.word()) {
				p.next()
			}
			p.close()
		default:
			p.fail()
		}
	}
	p.expect('}')
}

// precedence parses the body of a precedence group.
func (p *partParser) precedence() {
	if !p.is('{') {
		return
	}
	end := p.closed()
	p.next()
	for p.index < end {
		p.comments()
		p.open(apidoc.MemberPart)
		attribute := p.word()
		p.name(apidoc.NamePart)
		p.expect(':')
		switch attribute {
		case "associativity", "assignment":
			p.leaf(apidoc.ValuePart)
		default:
			p.typ(apidoc.TypePart)
			for p.is(',') {
				p.next()
				p.typ(apidoc.TypePart)
			}
		}
		p.close()
	}
	p.comments()
	p.expect('}')
}

// attribute parses an attribute of a declaration or of a type.
func (p *partParser) attribute(ofType bool) {
	p.open(apidoc.AttributePart)
	p.next()
	t := p.tok()
	if t.Kind != Ident {
		p.fail()
	}
	start := t.Start
	head := p.word()
	p.dotted()
	name := p.text[min(start, p.last):p.last]
	if a := (&Attribute{Name: name}); name != "" && a.wrapperName() != "" {
		p.refer(start, head)
	}
	if p.starts('<') && !p.tok().Space {
		p.arguments()
	}
	if p.is('(') && !p.tok().Space && (!ofType || attributeHasArgs(name)) {
		p.index = p.closed()
		p.next()
	}
	p.close()
}

// dotted consumes a dotted name.
func (p *partParser) dotted() {
	p.next()
	for p.is('.') && p.ahead(1).Kind == Ident {
		if word := p.tokenText(p.ahead(1)); (word == "Type" || word == "Protocol") && !isPunctuation(p.ahead(2), '.') {
			return // it is a metatype
		}
		p.next()
		p.next()
	}
}

// refer writes the reference that was just consumed. head is its first name.
func (p *partParser) refer(start int, head string) {
	end := p.last
	if p.text[start] == '`' && len(head) == end-start {
		start, end = start+1, end-1
	}
	var flags apidoc.PartFlags
	switch {
	case head == "_":
		return
	case head == "Self" || p.local[head]:
		flags = apidoc.Local
	case p.builtin(head):
		flags = apidoc.Builtin
	}
	p.Leaf(apidoc.ReferencePart, start, end, flags)
}
