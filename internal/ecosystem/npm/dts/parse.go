package dts

import (
	"strings"

	"github.com/docent-mcp/docent/internal/work"
)

// parser walks the tokens of one file. At a syntax error it jumps to the end of
// the file, so that every loop stops, and the enclosing list of statements or
// members resumes after the failed declaration.
type parser struct {
	f    *File
	src  string
	toks []token
	i    int
	// ambient is true in a declaration file, where every statement is a
	// declaration.
	ambient bool
	// jsdoc allows the syntax that is only valid in doc comments, such as ?T, * and T=.
	jsdoc bool
	// noConditional forbids "extends" in a type, because it belongs to the
	// enclosing construct.
	noConditional bool
	// typeEnd is the index of the token after the last type in an expression.
	typeEnd int

	failed bool
	failAt int
	reason string

	depth int
	nodes int
	slab  []Node
	meter *work.Meter
}

// stepNodes is the number of nodes after which the steps are counted.
const stepNodes = 64

func (p *parser) full() bool { return p.nodes > maxNodes }

func (p *parser) kind() kind { return p.toks[p.i].kind }

// peek returns the kind of the token n after the current one.
func (p *parser) peek(n int) kind {
	if p.i+n >= len(p.toks) {
		return eof
	}
	return p.toks[p.i+n].kind
}

// peekSame returns peek(1) if that token is on the same line, or else eof.
func (p *parser) peekSame() kind {
	if p.i+1 >= len(p.toks) || p.toks[p.i+1].nl {
		return eof
	}
	return p.toks[p.i+1].kind
}

func (p *parser) next() {
	if p.i < len(p.toks)-1 {
		p.i++
	}
}

// take skips a token of the given kind and reports whether there was one.
func (p *parser) take(k kind) bool {
	if p.toks[p.i].kind == k {
		p.next()
		return true
	}
	return false
}

func (p *parser) expect(k kind, what string) bool {
	if p.take(k) {
		return true
	}
	p.fail(what + " was expected")
	return false
}

// word returns the text of the current token.
func (p *parser) word() string {
	t := &p.toks[p.i]
	return p.src[t.pos:t.end]
}

// after returns the index of the token after the bracket at i and the bracket's contents.
func (p *parser) after(i int) int {
	return min(int(p.toks[i].match)+1, len(p.toks)-1)
}

// closed reports whether the bracket at i has a partner.
func (p *parser) closed(i int) bool {
	return int(p.toks[p.toks[i].match].match) == i && p.toks[i].match != int32(i)
}

// inside returns the index of the first token after the contents of the bracket at the current
// token. That token is usually the closing bracket.
func (p *parser) inside() int {
	if p.closed(p.i) {
		return int(p.toks[p.i].match)
	}
	return p.after(p.i)
}

// closing returns the index of the bracket that closes the one at the current token. It fails if
// the bracket is not closed.
func (p *parser) closing() int {
	if !p.closed(p.i) {
		p.fail("a bracket is not closed")
		return len(p.toks) - 1
	}
	return int(p.toks[p.i].match)
}

// skipGroup steps over the bracket at the current token and its contents.
func (p *parser) skipGroup() { p.i = p.after(p.i) }

func (p *parser) fail(reason string) {
	if !p.failed {
		p.failed, p.failAt, p.reason = true, p.i, reason
	}
	p.i = len(p.toks) - 1
}

func (p *parser) enter() bool {
	p.depth++
	if p.depth <= maxDepth {
		return true
	}
	p.depth--
	p.fail("nested too deeply")
	return false
}

func (p *parser) leave() { p.depth-- }

func (p *parser) node(k Kind) *Node {
	if len(p.slab) == cap(p.slab) {
		// Nodes are allocated in chunks to save allocations; a small file gets a
		// small chunk.
		p.slab = make([]Node, 0, max(16, min(512, (len(p.toks)-p.i)/2)))
	}
	if p.nodes++; p.nodes%stepNodes == 0 {
		p.meter.Step(stepNodes)
	}
	p.slab = p.slab[:len(p.slab)+1]
	n := &p.slab[len(p.slab)-1]
	n.Kind, n.Pos = k, p.toks[p.i].pos
	return n
}

// named makes a node whose Text is the current token, and steps over the token.
func (p *parser) named(k Kind) *Node {
	n := p.node(k)
	n.Text = p.word()
	p.next()
	return n
}

// text returns the source from token a up to token b, which is excluded, with
// one space for each sequence of white space or comment.
func (p *parser) text(a, b int) string {
	if b <= a {
		return ""
	}
	last := p.toks[b-1].end
	clean := true
	for i := a + 1; i < b && clean; i++ {
		from, to := p.toks[i-1].end, p.toks[i].pos
		clean = from == to || to-from == 1 && p.src[from] == ' '
	}
	if clean {
		return p.src[p.toks[a].pos:last]
	}
	var s strings.Builder
	for i := a; i < b; i++ {
		t := &p.toks[i]
		if i > a && t.pos != p.toks[i-1].end {
			s.WriteByte(' ')
		}
		s.WriteString(p.src[t.pos:t.end])
	}
	return s.String()
}

func isName(k kind) bool { return k >= ident }

func (p *parser) file() {
	root := p.node(Root)
	var out list
	p.statements(&out, len(p.toks)-1)
	root.first = out.first
	p.f.Root = root
	for n := root.first; n != nil && !p.f.Module; n = n.next {
		switch n.Kind {
		case Import, Export, ExportStar, ExportDefault, ExportEquals, ExportAssign, ExportNamespace:
			p.f.Module = true
		case ImportEquals:
			p.f.Module = n.Has(FlagExport) || n.first != nil && n.first.Kind == Require
		default:
			p.f.Module = n.Has(FlagExport)
		}
	}
}

// statements parses statements until the token at index end.
func (p *parser) statements(out *list, end int) {
	for p.i < end && !p.full() {
		start := p.i
		p.statement(out)
		if p.failed {
			p.recover(start)
			p.skipStatement()
		}
		if p.i == start {
			p.i++
		}
	}
	p.i = end
}

// block parses the statements of the braces at the current token. It returns nil
// after a syntax error.
func (p *parser) block() *Node {
	if p.kind() != '{' {
		p.fail("{ was expected")
		return nil
	}
	if !p.enter() {
		return nil
	}
	defer p.leave()
	open, end := p.i, p.inside()
	p.next()
	var out list
	p.statements(&out, end)
	p.i = p.after(open)
	return out.first
}

// recover goes back to the start of the declaration that failed and adds a
// warning.
func (p *parser) recover(start int) {
	if p.reason != "" {
		t := p.toks[p.failAt]
		what := p.src[t.pos:min(t.end, t.pos+20)]
		if t.kind == eof {
			what = "the end of the file"
		}
		if len(p.f.Warnings) < maxWarnings {
			p.f.Warnings = append(p.f.Warnings, Warning{
				Line: p.f.Line(p.toks[start].pos),
				Text: "declaration omitted, " + p.reason + " at " + what,
			})
		} else {
			p.f.Dropped++
		}
	}
	p.failed, p.reason, p.i = false, "", start
}

// skipStatement steps over a statement of an unknown kind.
func (p *parser) skipStatement() {
	start := p.i
	for p.kind() != eof {
		t := &p.toks[p.i]
		if p.i > start && t.nl && startsStatement(t.kind) {
			return
		}
		switch t.kind {
		case ';':
			p.next()
			return
		case '}':
			return
		case '{':
			p.skipGroup()
			if p.toks[p.i].nl {
				return
			}
		case '(', '[':
			p.skipGroup()
		default:
			p.next()
		}
	}
}

func startsStatement(k kind) bool {
	switch k {
	case kwExport, kwDeclare, kwImport, kwInterface, kwClass, kwType, kwEnum, kwConst, kwLet, kwVar, kwFunction, kwNamespace, kwModule, kwAbstract, '@':
		return true
	}
	return false
}

func (p *parser) statement(out *list) {
	doc := p.toks[p.i].doc
	var flags Flags
	for {
		p.decorators()
		switch k := p.kind(); k {
		case ';':
			p.next()
			return
		case kwExport:
			if p.exportForm(out, doc) {
				return
			}
			p.next()
			flags |= FlagExport
			if p.take(kwDefault) {
				flags |= FlagDefault
			}
			continue
		case kwDeclare, kwAbstract, kwAsync:
			if isName(p.peekSame()) {
				p.next()
				switch k {
				case kwDeclare:
					flags |= FlagDeclare
				case kwAbstract:
					flags |= FlagAbstract
				case kwAsync:
					flags |= FlagAsync
				}
				continue
			}
		}
		break
	}
	var n *Node
	switch k := p.kind(); {
	case k == kwInterface && isName(p.peekSame()):
		p.next()
		n = p.named(Interface)
		p.classOrInterface(n)
	case k == kwClass:
		p.next()
		n = p.class()
	case k == kwEnum && isName(p.peek(1)):
		p.next()
		n = p.enum()
	case k == kwConst && p.peek(1) == kwEnum:
		p.i += 2
		n = p.enum()
		flags |= FlagConst
	case k == kwConst, k == kwVar, k == kwLet && (isName(p.peek(1)) || p.peek(1) == '[' || p.peek(1) == '{'):
		switch k {
		case kwConst:
			flags |= FlagConst
		case kwLet:
			flags |= FlagLet
		}
		p.next()
		p.variables(out, flags, doc)
		return
	case k == kwUsing && p.peekSame() >= ident, k == kwAwait && p.peekSame() == kwUsing:
		p.take(kwAwait)
		p.next()
		p.variables(out, flags|FlagUsing, doc)
		return
	case k == kwFunction:
		p.next()
		p.take('*')
		n = p.node(Function)
		if isName(p.kind()) {
			n.Text = p.word()
			p.next()
		}
		p.signature(n, ':')
		p.body(n)
	case k == kwType && isName(p.peekSame()):
		p.next()
		n = p.typeAlias()
	case (k == kwNamespace || k == kwModule) && (isName(p.peekSame()) || p.peekSame() == str):
		p.next()
		n = p.namespace()
	case k == kwGlobal && p.peek(1) == '{':
		n = p.named(Global)
		n.first = p.block()
	case k == kwImport && p.peek(1) != '(' && p.peek(1) != '.':
		n = p.importForm()
	case flags&FlagDefault != 0:
		n = p.node(ExportDefault)
		n.first = p.exported()
		p.endStatement()
		flags = 0
	case flags&FlagExport != 0 || p.ambient:
		p.fail("a declaration was expected")
		return
	default:
		p.otherStatement(out, doc)
		return
	}
	if n != nil && !p.failed {
		n.Flags |= flags
		n.doc = doc
		out.add(n)
	}
}

// endStatement steps over the semicolon, which may be missing before a line
// break.
func (p *parser) endStatement() {
	t := &p.toks[p.i]
	if t.kind == ';' {
		p.next()
		return
	}
	if !t.nl && t.kind != '}' && t.kind != eof {
		p.fail("the end of the declaration was expected")
	}
}
