package source

import (
	"slices"
	"strings"
)

// Node is the kind of an expression.
type Node uint8

// These are the kinds of expressions. Each comment shows the expression with the
// fields of Tree in place of its parts.
const (
	Other     Node = iota // Other is an invalid expression.
	Name                  // Name
	Attribute             // X.Name
	Call                  // X(Args)
	Subscript             // X[Args]
	String                // Name is its value
	Number                // Name is its text
	Constant              // None, True, False or ...
	Tuple                 // Args are the elements
	List                  // Args are the elements
	Set                   // Args are the elements
	Dict                  // Keys and Args; a nil key represents **
	Binary                // X Name Args[0]
	Logical               // X Name Args[0]: and, or
	Not                   // not X
	Unary                 // Name X
	Compare               // X Name Args[0]; Name can also be "in", "not in", "is" or "is not"
	Condition             // Args[0] if X else Args[1]
	Lambda                // lambda Name: X, where Name is the text of the parameters
	Starred               // *X, **X by Name
	Keyword               // Name=X in a call
	Loop                  // X for …, with a For in Args for each loop; Name is the closing bracket of a list or set
	For                   // for X in Args[0], with conditions after it in Args; Name is "async" for async for
	Format                // an f-string: Args are its strings and expressions
	Await                 // await X
	Yield                 // yield X by Name, which may also be "yield from"; X may be nil
	Walrus                // Name := X
	Slice                 // X:Args in a subscript; X may be nil
	DictLoop              // {Keys[0]: X for …}, with a For in Args for each loop
)

// Tree is a parsed expression.
type Tree struct {
	Kind Node
	// Pos is the offset of the expression in the text that was parsed.
	Pos int
	// Text is the source of the expression.
	Text string
	Name string
	X    *Tree
	Args []*Tree
	Keys []*Tree
}

const (
	// maxExpr is the maximum size in bytes of an expression that is parsed.
	maxExpr = 4 << 20
	// maxTokens is the maximum number of tokens of an expression.
	maxTokens = 400_000
	// maxParts is the maximum number of parts of a dotted name.
	maxParts = 100
)

// Parse parses an expression. The result is never nil. An expression that cannot be parsed has the
// kind Other.
func Parse(text string) *Tree {
	text = strings.TrimSpace(text)
	other := &Tree{Kind: Other, Text: text}
	if text == "" || len(text) > maxExpr {
		return other
	}
	p := parser{scanner: scanner{s: text}}
	p.advance()
	t := p.tuple()
	if p.failed_ || p.tok.kind != tokenEnd {
		return other
	}
	return t
}

type parser struct {
	scanner
	tok     token
	pos     int // position after tok
	before  int // position after the token before tok
	count   int
	depth   int
	failed_ bool
}

func (p *parser) advance() {
	p.before = p.pos
	if p.count++; p.count > maxTokens {
		p.failed_ = true
	}
	if p.failed_ {
		p.tok = token{pos: len(p.s)}
		return
	}
	p.tok, p.pos = p.next(p.pos)
}

func (p *parser) is(text string) bool {
	return (p.tok.kind == tokenOperator || p.tok.kind == tokenName) && p.tok.text == text
}

func (p *parser) accept(text string) bool {
	if !p.is(text) {
		return false
	}
	p.advance()
	return true
}

func (p *parser) fail() *Tree {
	p.failed_ = true
	p.tok = token{pos: len(p.s)}
	return &Tree{Kind: Other}
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.fail()
	}
}

// done sets the text of a tree whose source begins at start.
func (p *parser) done(t *Tree, start int) *Tree {
	t.Pos, t.Text = start, p.s[start:max(start, min(p.before, len(p.s)))]
	return t
}

// tuple parses expressions separated by commas.
func (p *parser) tuple() *Tree {
	start := p.tok.pos
	first := p.starred()
	if !p.is(",") {
		return first
	}
	t := &Tree{Kind: Tuple, Args: []*Tree{first}}
	for p.accept(",") {
		if p.tok.kind == tokenEnd || p.is(")") || p.is("]") || p.is("=") {
			break
		}
		t.Args = append(t.Args, p.starred())
	}
	return p.done(t, start)
}

func (p *parser) starred() *Tree {
	start := p.tok.pos
	if p.is("*") || p.is("**") {
		op := p.tok.text
		p.advance()
		return p.done(&Tree{Kind: Starred, Name: op, X: p.binary(1)}, start)
	}
	return p.expr()
}

// expr parses one expression.
func (p *parser) expr() *Tree {
	if p.depth++; p.depth > maxNesting {
		return p.fail()
	}
	defer func() { p.depth-- }()
	start := p.tok.pos
	if p.is("lambda") {
		p.advance()
		params := p.tok.pos
		for depth := 0; p.tok.kind != tokenEnd && (depth > 0 || !p.is(":")); p.advance() {
			switch p.tok.text {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
		t := &Tree{Kind: Lambda, Name: p.s[params:max(params, min(p.tok.pos, len(p.s)))]}
		p.expect(":")
		t.X = p.expr()
		return p.done(t, start)
	}
	if p.is("yield") {
		p.advance()
		t := &Tree{Kind: Yield, Name: "yield"}
		if p.accept("from") {
			t.Name = "yield from"
		}
		if p.tok.kind != tokenEnd && !p.is(")") && !p.is("]") && !p.is("}") && !p.is(",") {
			t.X = p.tuple()
		}
		return p.done(t, start)
	}
	t := p.binary(0)
	if p.is("if") {
		p.advance()
		condition := p.binary(0)
		if !p.accept("else") {
			return p.fail()
		}
		return p.done(&Tree{Kind: Condition, X: condition, Args: []*Tree{t, p.expr()}}, start)
	}
	if p.accept(":=") {
		return p.done(&Tree{Kind: Walrus, Name: t.Name, X: p.expr()}, start)
	}
	return t
}

// precedence returns the binding strength of an operator, or -1 if the token is not a
// binary operator.
func (p *parser) precedence() int {
	switch p.tok.kind {
	case tokenName:
		switch p.tok.text {
		case "or":
			return 0
		case "and":
			return 1
		case "in", "is", "not":
			return 3
		}
	case tokenOperator:
		switch p.tok.text {
		case "<", ">", "<=", ">=", "==", "!=", "<>":
			return 3
		case "|":
			return 4
		case "^":
			return 5
		case "&":
			return 6
		case "<<", ">>":
			return 7
		case "+", "-":
			return 8
		case "*", "/", "//", "%", "@":
			return 9
		case "**":
			return 11
		}
	}
	return -1
}

// binary parses operators that bind at least as strongly as minimum.
func (p *parser) binary(minimum int) *Tree {
	if p.depth++; p.depth > 4*maxNesting {
		return p.fail()
	}
	defer func() { p.depth-- }()
	start := p.tok.pos
	var t *Tree
	switch {
	case p.is("not"):
		p.advance()
		t = &Tree{Kind: Not, X: p.binary(3)}
		p.done(t, start)
	case p.is("-") || p.is("+") || p.is("~"):
		op := p.tok.text
		p.advance()
		t = &Tree{Kind: Unary, Name: op, X: p.binary(10)}
		p.done(t, start)
	default:
		t = p.primary()
	}
	for !p.failed_ {
		strength := p.precedence()
		if strength < minimum || strength < 0 {
			break
		}
		op := p.tok.text
		p.advance()
		switch {
		case op == "not":
			p.expect("in")
			op = "not in"
		case op == "is" && p.accept("not"):
			op = "is not"
		}
		right := strength + 1
		if op == "**" {
			right = 10
		}
		kind := Binary
		switch strength {
		case 0, 1:
			kind = Logical
		case 3:
			kind = Compare
		}
		t = p.done(&Tree{Kind: kind, Name: op, X: t, Args: []*Tree{p.binary(right)}}, start)
	}
	return t
}

// primary parses an operand and the attributes, calls and subscripts after it.
func (p *parser) primary() *Tree {
	start := p.tok.pos
	t := p.atom()
	for !p.failed_ {
		switch {
		case p.is("."):
			p.advance()
			if p.tok.kind != tokenName {
				return p.fail()
			}
			name := p.tok.text
			p.advance()
			t = p.done(&Tree{Kind: Attribute, X: t, Name: name}, start)
		case p.is("("):
			t = p.applied(Call, t, (*parser).argument, ")", start)
		case p.is("["):
			t = p.applied(Subscript, t, (*parser).slice, "]", start)
		default:
			return t
		}
	}
	return t
}

// argument parses one argument of a call.
func (p *parser) argument() *Tree {
	start := p.tok.pos
	t := p.starred()
	switch {
	case t.Kind == Name && p.accept("="):
		return p.done(&Tree{Kind: Keyword, Name: t.Name, X: p.expr()}, start)
	case p.is("for") || p.is("async"):
		return p.comprehension(t, start)
	}
	return t
}

// applied parses the brackets of a call or a subscript after x.
func (p *parser) applied(kind Node, x *Tree, item func(*parser) *Tree, closing string, start int) *Tree {
	p.advance()
	t := &Tree{Kind: kind, X: x}
	for p.tok.kind != tokenEnd && !p.is(closing) {
		t.Args = append(t.Args, item(p))
		if !p.accept(",") {
			break
		}
	}
	p.expect(closing)
	return p.done(t, start)
}

// slice parses the contents of the brackets of a subscript.
func (p *parser) slice() *Tree {
	start := p.tok.pos
	var t *Tree
	if !p.is(":") {
		t = p.starred()
	}
	if !p.is(":") {
		return t
	}
	var part []*Tree
	for p.accept(":") {
		if !p.is(":") && !p.is("]") && !p.is(",") {
			part = append(part, p.expr())
		}
	}
	return p.done(&Tree{Kind: Slice, X: t, Args: part}, start)
}

// comprehension parses the loops after an element, up to the bracket that closes it.
// It skips a comprehension that it does not understand.
func (p *parser) comprehension(element *Tree, start int) *Tree {
	saved := *p
	t := &Tree{Kind: Loop, X: element}
	for (p.is("for") || p.is("async")) && !p.failed_ {
		name := ""
		if p.accept("async") {
			name = "async"
		}
		p.expect("for")
		loop := &Tree{Kind: For, Name: name, X: p.target()}
		p.expect("in")
		loop.Args = append(loop.Args, p.binary(0))
		for p.accept("if") {
			loop.Args = append(loop.Args, p.binary(0))
		}
		t.Args = append(t.Args, loop)
	}
	if !p.failed_ && (p.is(")") || p.is("]") || p.is("}")) {
		return p.done(t, start)
	}
	saved.count = p.count
	*p = saved
	for depth := 0; p.tok.kind != tokenEnd; p.advance() {
		switch p.tok.text {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			if depth == 0 {
				return p.done(&Tree{Kind: Other}, start)
			}
			depth--
		}
	}
	return p.fail()
}

// target parses the target of a loop.
func (p *parser) target() *Tree {
	start := p.tok.pos
	first := p.targetElement()
	if !p.is(",") {
		return first
	}
	t := &Tree{Kind: Tuple, Args: []*Tree{first}}
	for p.accept(",") && !p.is("in") {
		t.Args = append(t.Args, p.targetElement())
	}
	return p.done(t, start)
}

// targetElement parses a target of a loop that contains no comma outside brackets.
func (p *parser) targetElement() *Tree {
	start := p.tok.pos
	if !p.accept("*") {
		return p.primary()
	}
	return p.done(&Tree{Kind: Starred, Name: "*", X: p.primary()}, start)
}

// atom parses a name, a literal, or an expression in brackets.
func (p *parser) atom() *Tree {
	start := p.tok.pos
	tok := p.tok
	switch tok.kind {
	case tokenName:
		p.advance()
		switch tok.text {
		case "None", "True", "False":
			return p.done(&Tree{Kind: Constant, Name: tok.text}, start)
		case "if", "else", "for", "in", "is", "and", "or", "import", "from", "def", "class", "return":
			return p.fail()
		case "await":
			return p.done(&Tree{Kind: Await, X: p.primary()}, start)
		case "yield":
			p.primary()
			return p.done(&Tree{Kind: Other}, start)
		}
		return p.done(&Tree{Kind: Name, Name: tok.text}, start)
	case tokenNumber:
		p.advance()
		return p.done(&Tree{Kind: Number, Name: tok.text}, start)
	case tokenString:
		for p.tok.kind == tokenString {
			p.advance()
		}
		t := p.done(&Tree{Kind: Other}, start)
		if value, ok := Unquote(t.Text); ok {
			t.Kind, t.Name = String, value
		} else if args, ok := format(t.Text); ok {
			t.Kind, t.Args = Format, args
		}
		return t
	case tokenOperator:
		switch tok.text {
		case "...":
			p.advance()
			return p.done(&Tree{Kind: Constant, Name: "..."}, start)
		case "(":
			return p.parenthesized()
		case "[":
			return p.elements(List, "]")
		case "{":
			return p.elements(Set, "}")
		}
	}
	return p.fail()
}

func (p *parser) parenthesized() *Tree {
	start := p.tok.pos
	p.advance()
	if p.accept(")") {
		return p.done(&Tree{Kind: Tuple}, start)
	}
	t := p.tuple()
	if p.is("for") || p.is("async") {
		t = p.comprehension(t, start)
	}
	p.expect(")")
	return p.done(t, start)
}

// elements parses a list, a set or a dict.
func (p *parser) elements(kind Node, closing string) *Tree {
	start := p.tok.pos
	p.advance()
	t := &Tree{Kind: kind}
	if kind == Set && p.is(closing) {
		t.Kind = Dict
	}
	for p.tok.kind != tokenEnd && !p.is(closing) {
		e := p.starred()
		switch {
		case p.is("for") || p.is("async"):
			loop := p.comprehension(e, start)
			p.expect(closing)
			if loop.Kind == Loop {
				loop.Name = closing
			}
			return p.done(loop, start)
		case kind == Set && e.Kind == Starred && e.Name == "**":
			t.Kind = Dict
			t.Keys, t.Args = append(t.Keys, nil), append(t.Args, e.X)
		case kind == Set && p.accept(":"):
			t.Kind = Dict
			t.Keys, t.Args = append(t.Keys, e), append(t.Args, p.expr())
			if p.is("for") || p.is("async") {
				loop := p.comprehension(t.Args[len(t.Args)-1], start)
				p.expect(closing)
				if loop.Kind == Loop {
					loop.Kind, loop.Keys = DictLoop, []*Tree{e}
				}
				return p.done(loop, start)
			}
		default:
			t.Args = append(t.Args, e)
			if t.Kind == Dict {
				return p.fail()
			}
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(closing)
	return p.done(t, start)
}

// Dotted returns the dotted name that the expression consists of, or "" for other
// expressions and for names with more than maxParts parts.
func (t *Tree) Dotted() string {
	if t == nil {
		return ""
	}
	if t.Kind == Name {
		return t.Name
	}
	var parts []string // from the last to the first
	for t != nil && t.Kind == Attribute && len(parts) < maxParts {
		parts = append(parts, t.Name)
		t = t.X
	}
	if t == nil || t.Kind != Name || t.Name == "" {
		return ""
	}
	parts = append(parts, t.Name)
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}

// Strings returns the values of a list, tuple or set of strings. ok is false for
// other expressions.
func (t *Tree) Strings() (values []string, ok bool) {
	if t.Kind != List && t.Kind != Tuple && t.Kind != Set {
		return nil, false
	}
	for _, e := range t.Args {
		if e.Kind != String {
			return values, false
		}
		values = append(values, e.Name)
	}
	return values, true
}

// Argument returns the argument of a call with the given name, or else the positional argument at
// index. It returns nil if there is neither. If index is -1, positional arguments are ignored.
func (t *Tree) Argument(name string, index int) *Tree {
	n := 0
	for _, a := range t.Args {
		switch {
		case a.Kind == Keyword && a.Name == name:
			return a.X
		case a.Kind == Keyword || a.Kind == Starred:
		default:
			if n == index {
				return a
			}
			n++
		}
	}
	return nil
}
