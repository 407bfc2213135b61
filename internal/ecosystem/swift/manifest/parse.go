package manifest

import (
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem/swift/source"
)

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
	noBrace bool
	// second is true after a $1 in the current closure.
	second   bool
	problems []problem
}

type problem struct {
	line int
	what string
}

// parse parses a manifest. Expressions that it does not understand become badExpr.
func parse(text string, active func(condition string) bool) (*block, []problem) {
	p := &parser{text: text}
	p.scan(active)
	root := &block{}
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
	type branch struct{ on, chosen, outer bool }
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
			word := s.TokenText(t)
			switch word {
			case "#if", "#elseif":
				end := t.End + lineLength(p.text[t.End:])
				condition := p.text[t.End:end]
				s.Pos = end
				if word == "#if" {
					b := branch{outer: on}
					b.on = on && active(condition)
					b.chosen = b.on
					stack, on = append(stack, b), b.on
				} else if n := len(stack); n > 0 {
					b := &stack[n-1]
					b.on = b.outer && !b.chosen && active(condition)
					b.chosen = b.chosen || b.on
					on = b.on
				}
				continue
			case "#else":
				if n := len(stack); n > 0 {
					b := &stack[n-1]
					b.on = b.outer && !b.chosen
					b.chosen = true
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

// at returns the line of the next token, for a node that begins there.
func (p *parser) at() line { return line(p.line()) }

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

// skipAngles skips generic arguments.
func (p *parser) skipAngles() {
	depth := 0
	for !p.end() {
		if t := p.tok(); t.Kind == source.Oper {
			s := p.textOf(t)
			depth += strings.Count(s, "<") - strings.Count(s, ">")
		}
		p.pos++
		if depth <= 0 {
			return
		}
	}
}
