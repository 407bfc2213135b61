package header

import (
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Parts returns the parts of an Objective-C declaration: a method, a property, a
// class, a category or a protocol. It returns nil for C and C++ declarations, and for
// text that it cannot parse.
func Parts(s *apidoc.Symbol) []apidoc.Part {
	if !utf8.ValidString(s.Signature) {
		return nil
	}
	p := partParser{text: s.Signature, local: map[string]bool{}}
	p.scan()
	p.Open(apidoc.DeclarationPart, 0)
	switch p.word() {
	case "-", "+":
		p.next()
		p.method()
	case "@property":
		p.next()
		p.property()
	case "@interface", "@protocol":
		p.next()
		p.class()
	default:
		return nil
	}
	if p.failed || p.index < len(p.tokens) {
		return nil
	}
	return p.List(len(s.Signature))
}

// locatedToken is a token with its position in text.
type locatedToken struct {
	kind       kind
	start, end int
}

// partParser parses an Objective-C declaration. After a call to fail, there are no tokens left.
type partParser struct {
	apidoc.Parts
	text   string
	tokens []locatedToken
	index  int
	last   int // end of the previous token
	local  map[string]bool
	failed bool
}

func (p *partParser) scan() {
	for i := 0; i < len(p.text); {
		start, c := i, p.text[i]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			i++
			continue
		case c == '@' || inWord(c):
			for i++; i < len(p.text) && inWord(p.text[i]); i++ {
			}
			p.tokens = append(p.tokens, locatedToken{word, start, i})
		case strings.HasPrefix(p.text[i:], "..."):
			i += 3
			p.tokens = append(p.tokens, locatedToken{punct, start, i})
		default:
			i++
			p.tokens = append(p.tokens, locatedToken{punct, start, i})
		}
	}
}

func inWord(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= utf8.RuneSelf
}

// at returns the token n places after the current one, or "" if there is none.
func (p *partParser) at(n int) string {
	if p.index+n >= len(p.tokens) {
		return ""
	}
	t := p.tokens[p.index+n]
	return p.text[t.start:t.end]
}

func (p *partParser) word() string { return p.at(0) }

// start returns the offset of the current token.
func (p *partParser) start() int {
	if p.index < len(p.tokens) {
		return p.tokens[p.index].start
	}
	return p.last
}

func (p *partParser) next() {
	if p.index < len(p.tokens) {
		p.last = p.tokens[p.index].end
		p.index++
	}
}

func (p *partParser) fail() {
	p.failed = true
	p.index = len(p.tokens)
}

func (p *partParser) expect(text string) {
	if p.word() != text {
		p.fail()
		return
	}
	p.next()
}

func (p *partParser) isWord() bool {
	return p.index < len(p.tokens) && p.tokens[p.index].kind == word
}

// leaf consumes a word as a part.
func (p *partParser) leaf(role apidoc.PartRole) {
	if !p.isWord() {
		p.fail()
		return
	}
	p.Leaf(role, p.start(), p.tokens[p.index].end)
	p.next()
}

// typ parses a type up to the bracket that closes the bracket before it.
func (p *partParser) typ() {
	p.Open(apidoc.TypePart, p.start())
	for depth := 0; p.index < len(p.tokens); {
		switch text := p.word(); {
		case text == ")" && depth == 0:
			p.Close(p.last)
			return
		case text == "(":
			depth++
		case text == ")":
			depth--
		case p.isWord():
			p.reference()
		}
		p.next()
	}
	p.fail()
	p.Close(p.last)
}

// reference writes the current word if it is the name of a type.
func (p *partParser) reference() {
	var flags apidoc.PartFlags
	switch text := p.word(); {
	case text == "id", text == "instancetype", text == "BOOL", text == "SEL", text == "Class", text == "IMP", builtin[text] != "" && !keywords[text]:
		flags = apidoc.Builtin
	case keywords[text], text[0] == '_', text == "nullable", text == "nonnull", text == "oneway", text == "inout", text == "in", text == "out", text[0] >= '0' && text[0] <= '9':
		return
	case p.local[text]:
		flags = apidoc.Local
	}
	p.Leaf(apidoc.ReferencePart, p.start(), p.tokens[p.index].end, flags)
}

// method parses (type)name:(type)argument rest:(type)argument, ...
func (p *partParser) method() {
	if p.word() == "(" {
		p.next()
		p.Open(apidoc.ResultPart, p.start())
		p.typ()
		p.Close(p.last)
		p.expect(")")
	}
	p.leaf(apidoc.NamePart)
	for first := true; p.index < len(p.tokens); first = false {
		if p.word() == "," {
			p.next()
			p.Open(apidoc.ParamPart, p.start())
			p.expect("...")
			p.Close(p.last, apidoc.Variadic)
			continue
		}
		p.Open(apidoc.ParamPart, p.start())
		if !first && p.isWord() {
			p.leaf(apidoc.LabelPart)
		}
		p.expect(":")
		if p.word() == "(" {
			p.next()
			p.typ()
			p.expect(")")
		}
		p.leaf(apidoc.NamePart)
		p.Close(p.last)
	}
}

// property parses (attribute, attribute) type name.
func (p *partParser) property() {
	if p.word() == "(" {
		for p.next(); p.index < len(p.tokens) && p.word() != ")"; {
			p.Open(apidoc.ModifierPart, p.start())
			for p.index < len(p.tokens) && p.word() != "," && p.word() != ")" {
				p.next()
			}
			p.Close(max(p.last, p.start()))
			if p.word() == "," {
				p.next()
			}
		}
		p.expect(")")
	}
	if len(p.tokens) == 0 || p.tokens[len(p.tokens)-1].kind != word || p.index >= len(p.tokens)-1 {
		p.fail() // This happens, for example, for a block type, in which the name is inside the type.
		return
	}
	p.Open(apidoc.TypePart, p.start())
	for p.index < len(p.tokens)-1 {
		if p.isWord() {
			p.reference()
		}
		p.next()
	}
	p.Close(p.last)
	p.leaf(apidoc.NamePart)
}

// class parses Name<T : Bound> : Super <Protocol, Protocol>, with a category in
// parentheses instead of the superclass.
func (p *partParser) class() {
	p.leaf(apidoc.NamePart)
	if p.word() == "<" && p.hasSuperclass() {
		p.list(apidoc.TypeParamPart)
	}
	switch p.word() {
	case ":":
		p.next()
		p.base()
	case "(":
		p.next()
		if p.isWord() {
			p.leaf(apidoc.ModifierPart)
		}
		p.expect(")")
	}
	if p.word() == "<" {
		p.list(apidoc.BasePart)
	}
}

// hasSuperclass reports whether a superclass or a category follows the angle brackets.
func (p *partParser) hasSuperclass() bool {
	depth := 0
	for n := 0; p.index+n < len(p.tokens); n++ {
		switch p.at(n) {
		case "<":
			depth++
		case ">":
			if depth--; depth == 0 {
				return p.at(n+1) == ":" || p.at(n+1) == "("
			}
		}
	}
	return false
}

// base parses the name of a superclass or a protocol with its arguments.
func (p *partParser) base() {
	p.Open(apidoc.BasePart, p.start())
	if !p.isWord() {
		p.fail()
	} else {
		p.reference()
		p.next()
	}
	p.Close(p.last)
}

// list parses type parameters or protocols in angle brackets.
func (p *partParser) list(role apidoc.PartRole) {
	p.next()
	for p.index < len(p.tokens) {
		if role == apidoc.BasePart {
			p.base()
		} else {
			p.typeParam()
		}
		if p.word() != "," {
			break
		}
		p.next()
	}
	p.expect(">")
}

func (p *partParser) typeParam() {
	p.Open(apidoc.TypeParamPart, p.start())
	if p.word() == "__covariant" || p.word() == "__contravariant" {
		p.leaf(apidoc.ModifierPart)
	}
	p.local[p.word()] = true
	p.leaf(apidoc.NamePart)
	if p.word() == ":" {
		p.next()
		p.Open(apidoc.ConstraintPart, p.start())
		for depth := 0; p.index < len(p.tokens); p.next() {
			text := p.word()
			if depth == 0 && (text == "," || text == ">") {
				break
			}
			switch {
			case text == "<":
				depth++
			case text == ">":
				depth--
			case p.isWord():
				p.reference()
			}
		}
		p.Close(p.last)
	}
	p.Close(p.last)
}
