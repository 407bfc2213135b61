package manifest

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

// kind is the kind of a node of the syntax tree.
type kind uint8

// These are the kinds of nodes: first expressions, then statements. Each comment
// lists the fields of node that are set.
const (
	nBad     kind = iota // text that cannot be parsed
	nInteger             // text is the number as written
	nString              // text is the whole literal
	nName                // text is the name
	nNil
	nBool     // text is true or false
	nImplicit // the member .text of the expected type
	nMember   // the member text of kids[0]
	nCall     // a call to kids[0] with args
	nIndex    // kids[0] with args in square brackets
	nArray    // kids are the elements
	nDict     // kids are the keys, each followed by its value
	nTuple    // args are the elements
	nClosure  // params are the parameters, and kids the body
	nTernary  // kids are the condition and the two values
	nBinary   // kids are the operands, and text is the operator between them
	nUnary    // kids[0] is the operand, and text the operator before it
	nCast     // the cast "kids[0] as typ"
	nKeyPath  // text contains the names, separated by dots

	nBlock    // kids are the statements
	nVar      // let or var, with names and typ; kids[0] is the value, or body is a getter
	nFunc     // text is the name, or "init" for an initializer; params, typ and body are set
	nType     // a struct, enum, class or extension; text is the name, and kids are the members
	nCase     // a case of an enum; text is the name, and kids[0] the raw value
	nIf       // conds and body; kids[0] is the else branch
	nGuard    // conds, and body if they do not hold
	nFor      // names and body; kids[0] is the sequence, and kids[1] a condition or nil
	nSwitch   // kids[0] is the subject, and the other kids are the arms
	nArm      // conds are the patterns, empty for default; body is set
	nWhile    // conds and body
	nReturn   // kids[0] is the value, if any
	nLeave    // text is the keyword: break, continue, fallthrough or throw
	nAssign   // kids are the two sides, and text is the operator between them
	nLetCond  // the condition that kids[0] is not nil, which binds it to names[0]
	nUnitCond // a condition on the platform: #available holds, #unavailable does not
)

// node is a node of the syntax tree.
type node struct {
	kind   kind
	static bool
	line   int
	text   string
	typ    string // type of a variable, of the result of a function, or of a cast
	names  []string
	params []param
	args   []arg
	kids   []*node
	conds  []*node
	body   *node
	root   *node // the first expression of a chain, if it is known
}

type param struct {
	label string // "_" for none
	name  string
	typ   string
	value *node // default value
}

type arg struct {
	label string
	value *node
}

// These constants limit a manifest.
const (
	maxTokens = 200_000
	maxDepth  = 200 // maximum nesting
)

// parser builds a syntax tree from the tokens of a manifest.
type parser struct {
	text  string
	toks  []source.Token
	lines []int // line of each token
	pos   int
	depth int
	// noBrace is true if a brace begins a body and not a closure.
	noBrace  bool
	problems []problem
	nodes    []node // nodes that are not yet used
}

type problem struct {
	line int
	what string
}

// parse parses a manifest. Parts that it does not understand become nodes of
// kind nBad and are described in problems.
func parse(text string, active func(condition string) bool) (*node, []problem) {
	p := &parser{text: text}
	p.scan(active)
	root := &node{kind: nBlock}
	for !p.end() {
		p.addStatement(root)
	}
	return root, p.problems
}

// enter begins a level of nesting, and leave ends it. If there are too many
// levels, enter skips the rest of the manifest and returns false.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxDepth {
		p.problem("it is nested too deeply")
		p.pos = len(p.toks)
		return false
	}
	return true
}

func (p *parser) leave() { p.depth-- }

// scan reads the tokens, except those in inactive #if branches.
func (p *parser) scan(active func(string) bool) {
	type branch struct{ on, taken, outer bool }
	var stack []branch
	on, line, last := true, 1, 0
	room := min(len(p.text)/5, maxTokens)
	p.toks, p.lines = make([]source.Token, 0, room), make([]int, 0, room)
	s := source.NewScanner(p.text)
	for len(p.toks) < maxTokens {
		t := s.Next()
		line += strings.Count(p.text[last:t.Start], "\n")
		last = t.Start
		if t.Kind == source.EOF {
			break
		}
		if t.Kind == source.Pound {
			word := s.Of(t)
			switch word {
			case "#if", "#elseif":
				end := t.End + lineLength(p.text[t.End:])
				condition := p.text[t.End:end]
				s.Pos = end
				if word == "#if" {
					b := branch{outer: on}
					b.on = on && active(condition)
					b.taken = b.on
					stack, on = append(stack, b), b.on
				} else if n := len(stack); n > 0 {
					b := &stack[n-1]
					b.on = b.outer && !b.taken && active(condition)
					b.taken = b.taken || b.on
					on = b.on
				}
				continue
			case "#else":
				if n := len(stack); n > 0 {
					b := &stack[n-1]
					b.on = b.outer && !b.taken
					b.taken = true
					on = b.on
				}
				continue
			case "#endif":
				if n := len(stack); n > 0 {
					on = stack[n-1].outer
					stack = stack[:n-1]
				}
				continue
			case "#error", "#warning":
				s.Pos = t.End + lineLength(p.text[t.End:])
				continue
			}
		}
		if on {
			p.toks, p.lines = append(p.toks, t), append(p.lines, line)
		}
	}
}

// lineLength returns the length of the first line of a text, without a trailing
// comment.
func lineLength(s string) int {
	n := strings.IndexAny(s, "\r\n")
	if n < 0 {
		n = len(s)
	}
	if c := strings.Index(s[:n], "//"); c >= 0 {
		n = c
	}
	return n
}

func (p *parser) end() bool { return p.pos >= len(p.toks) }

func (p *parser) tok() source.Token {
	if p.end() {
		return source.Token{Newline: true, Space: true, Start: len(p.text), End: len(p.text)}
	}
	return p.toks[p.pos]
}

// peek returns the token n positions ahead.
func (p *parser) peek(n int) source.Token {
	if p.pos+n >= len(p.toks) {
		return source.Token{Newline: true, Space: true, Start: len(p.text), End: len(p.text)}
	}
	return p.toks[p.pos+n]
}

func (p *parser) textOf(t source.Token) string { return p.text[t.Start:t.End] }

func (p *parser) line() int {
	if p.end() {
		if len(p.lines) == 0 {
			return 1
		}
		return p.lines[len(p.lines)-1]
	}
	return p.lines[p.pos]
}

// is reports whether the text of the next token is s.
func (p *parser) is(s string) bool {
	t := p.tok()
	return t.Kind != source.String && p.text[t.Start:t.End] == s
}

// accept skips the next token if its text is s, and reports whether it is.
func (p *parser) accept(s string) bool {
	if p.is(s) && !p.end() {
		p.pos++
		return true
	}
	return false
}

func (p *parser) problem(what string) {
	if len(p.problems) < maxProblems {
		p.problems = append(p.problems, problem{p.line(), what})
	}
}

func (p *parser) node(k kind) *node {
	if len(p.nodes) == 0 {
		p.nodes = make([]node, min(64, len(p.toks)/4+1))
	}
	n := &p.nodes[0]
	p.nodes = p.nodes[1:]
	n.kind, n.line = k, p.line()
	return n
}

// skipLine skips to the next line. A group that begins on this line is skipped as
// a whole.
func (p *parser) skipLine() {
	for first := true; !p.end(); first = false {
		if !first && p.tok().Newline || p.is("}") {
			if first {
				p.pos++
			}
			return
		}
		switch p.tok().Byte {
		case '(', '[', '{':
			if p.tok().Kind == source.Punct {
				p.skipGroup()
				continue
			}
		}
		p.pos++
	}
}

// skipGroup skips a group, from the opening bracket to the token after the closing bracket.
func (p *parser) skipGroup() {
	depth := 0
	for !p.end() {
		t := p.tok()
		p.pos++
		if t.Kind != source.Punct {
			continue
		}
		switch t.Byte {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return
			}
		}
	}
}

// name reads a name and returns it without back-quotes. It returns "" if there is none.
func (p *parser) name() string {
	if t := p.tok(); t.Kind == source.Ident {
		p.pos++
		return strings.Trim(p.textOf(t), "`")
	}
	return ""
}

// typeName reads a type and returns its short form: without the name of the module
// and without optional marks, and with arrays and sets written as [Element]. It
// returns "" for function types and if there is no type.
func (p *parser) typeName() string {
	start := p.pos
	for {
		if w := p.textOf(p.tok()); w == "some" || w == "any" || w == "inout" || w == "borrowing" || w == "consuming" {
			p.pos++
			continue
		}
		if p.is("@") {
			p.pos += 2
			if p.is("(") && !p.tok().Space {
				p.skipGroup()
			}
			continue
		}
		break
	}
	begin := p.pos
	switch {
	case p.is("["), p.is("("):
		p.skipGroup()
	case p.tok().Kind == source.Ident:
		p.pos++
		for !p.end() {
			switch t := p.tok(); {
			case p.is(".") && p.peek(1).Kind == source.Ident:
				p.pos += 2
				continue
			case t.Kind == source.Oper && t.Byte == '<' && !t.Newline:
				p.skipAngles()
				continue
			}
			break
		}
	}
	if p.pos == begin {
		p.pos = start
		return ""
	}
	end := p.toks[p.pos-1].End
	for t := p.tok(); !p.end() && !t.Space && t.Kind == source.Oper && strings.Trim(p.textOf(t), "?!") == ""; t = p.tok() {
		p.pos++
	}
	for p.is("->") || p.is("async") || p.is("throws") { // it is a function type
		if p.accept("->") {
			p.typeName()
			return ""
		}
		p.pos++
	}
	return shortType(p.text[p.toks[begin].Start:end])
}

// skipAngles skips generic arguments.
func (p *parser) skipAngles() {
	depth := 0
	for !p.end() {
		t := p.tok()
		if t.Kind == source.Oper {
			s := p.textOf(t)
			depth += strings.Count(s, "<") - strings.Count(s, ">")
		}
		p.pos++
		if depth <= 0 {
			return
		}
	}
}

// shortType returns the short form of a type.
func shortType(s string) string {
	s = strings.Join(strings.Fields(s), "")
	s = strings.ReplaceAll(s, "PackageDescription.", "")
	s = strings.TrimRight(s, "?!")
	for _, generic := range []string{"Array<", "Set<", "Optional<"} {
		if inner, ok := strings.CutPrefix(s, generic); ok && strings.HasSuffix(inner, ">") {
			inner = shortType(inner[:len(inner)-1])
			if generic == "Optional<" {
				return inner
			}
			return "[" + inner + "]"
		}
	}
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && !strings.Contains(s, ":") {
		return "[" + shortType(s[1:len(s)-1]) + "]"
	}
	return s
}

// elementType returns the type of the elements of an array, or "" if s is not an
// array type.
func elementType(s string) string {
	if strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && !strings.Contains(s, ":") {
		return s[1 : len(s)-1]
	}
	return ""
}
