package dts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/work"
)

// ExprKind is the kind of an [Expr].
type ExprKind uint8

// These are the kinds of expressions and statements. Each comment lists the children in List;
// brackets mark optional ones. A missing optional child is nil.
const (
	ExprOther       ExprKind = iota // its operands
	ExprName                        // Text is the name
	ExprThis                        // no children
	ExprSuper                       // no children
	ExprLiteral                     // Type is its type; the substitutions of a template
	ExprArray                       // the elements, which may be nil
	ExprObject                      // ExprProp and ExprSpread
	ExprProp                        // Text is the name, or "" if it is computed; value, [computed name]; in a pattern, target, [default]
	ExprSpread                      // operand
	ExprFunc                        // Type is the signature; body, then ExprParam for each parameter
	ExprParam                       // Type is the parameter; [pattern], [default]
	ExprClass                       // Type is the class; ExprFunc, values of properties and StmtBlock
	ExprCall                        // callee, arguments; Args are the type arguments
	ExprNew                         // callee, arguments; Args are the type arguments
	ExprMember                      // object; Text is the name of the member
	ExprIndex                       // object, index
	ExprAs                          // operand; Type is the type, or nil for "as const"
	ExprSatisfies                   // operand; Type is the type
	ExprNonNull                     // operand
	ExprUnary                       // operand; Text is the operator
	ExprBinary                      // two operands; Text is the operator
	ExprAssign                      // target, value; Text is the operator
	ExprConditional                 // condition, two results
	ExprAwait                       // operand
	ExprImport                      // import("x"): Text is the module
	ExprMarkup                      // a JSX element: [component], [ExprObject with the attributes], children; Text is the name of an intrinsic element

	StmtBlock   // statements
	StmtVar     // StmtBinding…; Text is const, let, var or using
	StmtBinding // Text is the name; [pattern], [value]; Type is the declared type
	StmtReturn  // [value]
	StmtForOf   // StmtVar or an expression, the iterated value, body; Text is "of", "await" or "in"
	StmtType    // Type is an interface, a type alias, an enum or a namespace
	StmtOther   // any other statement: its expressions and statements; Text is if, while, throw, jump for break and continue, or ""
)

// Expr is an expression or a statement.
type Expr struct {
	Kind ExprKind
	// Optional is true for a member or call after "?.".
	Optional bool
	// Generator is true for a generator function.
	Generator bool
	// Static is true for a static member of a class, and Getter for a getter or setter.
	Static, Getter bool
	// Pos is the offset of the name, or of the first token if there is none.
	Pos uint32
	// Index is the number of the expression among those of its file.
	Index int32
	Text  string
	Type  *Node
	Args  []*Node
	List  []*Expr
}

// Code is the code of a file.
type Code struct {
	Statements []*Expr
	// Size is the number of expressions and statements, including those within others.
	Size int
}

// maxText is the maximum number of times that a file is read again because of text in JSX.
const maxText = 1_000

// maxExprDepth limits how deeply expressions may nest, for functions that call themselves for operands.
const maxExprDepth = 20_000

// ParseCode parses the statements of a source text, including the bodies of functions. markup is
// true if it may contain JSX. It returns an error if it does not understand a part of the source.
func ParseCode(m *work.Meter, src string, lang Language, markup bool) (*Code, error) {
	for range maxText {
		f := &File{Language: lang, Source: src}
		lx := lexers.Get().(*lexer)
		lx.meter = m
		lx.lex(f)
		if lx.full {
			lx.release()
			return nil, ErrTooMuch
		}
		c := codeParser{parser: parser{f: f, src: src, toks: lx.toks, meter: m}, markup: markup}
		code := &Code{Statements: c.statementList(len(c.toks) - 1)}
		code.Size = c.exprs
		failed, at, reason := c.failed, c.failAt, c.reason
		pos := c.toks[min(at, len(c.toks)-1)].pos
		lx.release()
		switch {
		case c.textEnd > c.textStart:
			b := []byte(src)
			for i := c.textStart; i < c.textEnd; i++ {
				if b[i] != '\n' {
					b[i] = ' '
				}
			}
			src = string(b)
			continue
		case failed:
			return nil, fmt.Errorf("line %d: %s", f.Line(pos), reason)
		case exceedsDepth(code.Statements, maxExprDepth):
			return nil, errors.New("expressions nest too deeply")
		}
		return code, nil
	}
	return nil, ErrTooMuch
}

// exceedsDepth reports whether expressions nest more deeply than max. The operands of a + b + c also nest.
func exceedsDepth(list []*Expr, max int) bool {
	var next []*Expr
	for level := slices.Clone(list); len(level) > 0; level, next = next, level[:0] {
		if max--; max < 0 {
			return true
		}
		for _, x := range level {
			if x != nil {
				next = append(next, x.List...)
			}
		}
	}
	return false
}

// codeParser parses statements and expressions.
type codeParser struct {
	parser
	markup bool
	exprs  int    // number of expressions
	chunk  []Expr // memory for the next expressions
	// textStart and textEnd are the bounds of text in JSX that is not made of tokens.
	textStart, textEnd int
	noIn               bool // whether "in" ends the expression
}

func (p *codeParser) expr(k ExprKind, list ...*Expr) *Expr {
	if p.nodes++; p.nodes%stepNodes == 0 {
		p.meter.Step(stepNodes)
	}
	if len(p.chunk) == 0 {
		p.chunk = make([]Expr, max(8, min(128, (len(p.toks)-p.i)/2)))
	}
	x := &p.chunk[0]
	p.chunk = p.chunk[1:]
	*x = Expr{Kind: k, Pos: p.toks[p.i].pos, Index: int32(p.exprs), List: list}
	p.exprs++
	return x
}

// at reports whether the current token is a word or punctuation mark with the given text.
func (p *codeParser) at(text string) bool { return p.atToken(p.i, text) }

func (p *codeParser) atToken(i int, text string) bool {
	if i >= len(p.toks) {
		return false
	}
	t := &p.toks[i]
	return t.kind != str && t.kind != template && p.src[t.pos:t.end] == text
}

func (p *codeParser) takeWord(text string) bool {
	if p.at(text) {
		p.next()
		return true
	}
	return false
}

// adjacent reports whether the n tokens from the current one have no space between them.
func (p *codeParser) operator(text string) bool {
	for n := range len(text) {
		i := p.i + n
		if i >= len(p.toks) || p.toks[i].kind != kind(text[n]) || n > 0 && p.toks[i].pos != p.toks[i-1].end {
			return false
		}
	}
	return true
}

func (p *codeParser) statementList(end int) (list []*Expr) {
	for p.i < end && !p.failed {
		if p.full() {
			p.fail("too much code")
			break
		}
		start := p.i
		if s := p.stmt(); s != nil {
			list = append(list, s)
		}
		if p.i == start && !p.failed {
			p.fail("a statement was expected")
		}
	}
	return list
}

func (p *codeParser) blockStmt() *Expr {
	b := p.expr(StmtBlock)
	if p.kind() != '{' {
		p.fail("{ was expected")
		return b
	}
	end := p.closing()
	p.next()
	b.List = p.statementList(end)
	if !p.failed {
		p.i = end
		p.next()
	}
	return b
}

// parens parses an expression in round brackets.
func (p *codeParser) parens() *Expr {
	p.expect('(', "(")
	x := p.expression()
	p.expect(')', ")")
	return x
}

func (p *codeParser) endOfStatement() {
	t := &p.toks[p.i]
	if t.kind == ';' {
		p.next()
	} else if !t.nl && t.kind != '}' && t.kind != eof && !p.failed {
		p.fail("the end of the statement was expected")
	}
}

func (p *codeParser) stmt() *Expr {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	for p.kind() == '@' {
		p.decorators()
	}
	k := p.kind()
	s := p.expr(StmtOther)
	switch {
	case k == ';':
		p.next()
		return nil
	case k == '{':
		return p.blockStmt()
	case k == kwImport && p.peek(1) != '(' && p.peek(1) != '.':
		p.importForm()
		return nil
	case k == kwExport:
		if p.exportForm(&list{}, 0) {
			return nil
		}
		p.next()
		if p.take(kwDefault) {
			for p.kind() == '@' {
				p.decorators()
			}
			if k := p.kind(); k == kwClass || k == kwFunction || k == kwAbstract || k == kwInterface || k == kwAsync {
				return p.stmt()
			}
			s.List = append(s.List, p.assignment())
			p.endOfStatement()
			return s
		}
		if p.take('=') {
			s.List = append(s.List, p.assignment())
			p.endOfStatement()
			return s
		}
		return p.stmt()
	case (k == kwDeclare || k == kwAbstract) && isName(p.peekSame()):
		p.next()
		if k == kwDeclare {
			var out list
			p.ambient = true
			p.statement(&out)
			p.ambient = false
			s.Kind, s.Type = StmtType, out.first
			return s
		}
		return p.stmt()
	case k == kwInterface && isName(p.peekSame()), k == kwType && isName(p.peekSame()), k == kwEnum && isName(p.peek(1)), k == kwConst && p.peek(1) == kwEnum,
		(k == kwNamespace || k == kwModule) && isName(p.peekSame()):
		var out list
		p.statement(&out)
		s.Kind, s.Type = StmtType, out.first
		return s
	case k == kwClass:
		return p.classExpr()
	case k == kwFunction, k == kwAsync && p.peekSame() == kwFunction:
		f := p.funcExpr()
		return f
	case k == kwConst, k == kwVar, k == kwLet && (isName(p.peek(1)) || p.peek(1) == '[' || p.peek(1) == '{'),
		k == kwUsing && isName(p.peekSame()), k == kwAwait && p.peekSame() == kwUsing:
		v := p.varStmt()
		p.endOfStatement()
		return v
	case k == kwReturn:
		s.Kind = StmtReturn
		p.next()
		var x *Expr
		if t := &p.toks[p.i]; !t.nl && t.kind != ';' && t.kind != '}' && t.kind != eof {
			x = p.expression()
		}
		s.List = []*Expr{x}
		p.endOfStatement()
		return s
	case k == kwIf:
		p.next()
		s.Text = "if"
		s.List = []*Expr{p.parens(), p.stmt()}
		if p.take(kwElse) {
			s.List = append(s.List, p.stmt())
		}
		return s
	case k == kwFor:
		return p.forStmt()
	case k == kwWhile, p.at("with"):
		if p.next(); k == kwWhile {
			s.Text = "while"
		}
		s.List = []*Expr{p.parens(), p.stmt()}
		return s
	case p.at("do"):
		p.next()
		body := p.stmt()
		if !p.take(kwWhile) {
			p.fail("while was expected")
		}
		s.List = []*Expr{body, p.parens()}
		p.take(';')
		return s
	case p.at("switch"):
		p.next()
		s.List = append(s.List, p.parens())
		if p.kind() != '{' {
			p.fail("{ was expected")
			return s
		}
		end := p.closing()
		p.next()
		for p.i < end && !p.failed {
			switch {
			case p.take(kwDefault):
				p.expect(':', ":")
			case p.takeWord("case"):
				s.List = append(s.List, p.expression())
				p.expect(':', ":")
			default:
				s.List = append(s.List, p.stmt())
			}
		}
		p.next()
		s.Kind = StmtBlock
		return s
	case k == kwTry:
		p.next()
		s.List = append(s.List, p.blockStmt())
		if p.takeWord("catch") {
			block := p.expr(StmtBlock)
			if p.take('(') {
				v := p.expr(StmtVar)
				v.Text = "catch"
				b := p.bindingExpr()
				if b != nil && b.Type == nil && b.List[0] == nil {
					b.Type = &Node{Kind: Keyword, Text: "any"}
				}
				v.List = []*Expr{b}
				block.List = append(block.List, v)
				p.expect(')', ")")
			}
			block.List = append(block.List, p.blockStmt())
			s.List = append(s.List, block)
		}
		if p.takeWord("finally") {
			s.List = append(s.List, p.blockStmt())
		}
		return s
	case k == kwThrow:
		p.next()
		s.Text = "throw"
		s.List = append(s.List, p.expression())
		p.endOfStatement()
		return s
	case p.at("break"), p.at("continue"):
		p.next()
		s.Text = "jump"
		if !p.toks[p.i].nl && isName(p.kind()) {
			p.next()
		}
		p.endOfStatement()
		return s
	case p.at("debugger"):
		p.next()
		p.endOfStatement()
		return s
	case isName(k) && p.peek(1) == ':':
		p.i += 2
		return p.stmt()
	}
	s.List = append(s.List, p.expression())
	p.endOfStatement()
	return s
}

func (p *codeParser) varStmt() *Expr {
	v := p.expr(StmtVar)
	p.take(kwAwait)
	v.Text = p.word()
	p.next()
	for !p.failed {
		v.List = append(v.List, p.bindingExpr())
		if !p.take(',') {
			break
		}
	}
	return v
}

func (p *codeParser) bindingExpr() *Expr {
	b := p.expr(StmtBinding, nil, nil)
	if k := p.kind(); k == '{' || k == '[' {
		b.List[0] = p.pattern()
	} else if isName(k) {
		b.Text = p.word()
		p.next()
	} else {
		p.fail("a name was expected")
		return b
	}
	p.take('!')
	if p.take(':') {
		b.Type = p.typ()
	}
	if p.kind() == '=' {
		p.next()
		b.List[1] = p.assignment()
	}
	return b
}

// pattern parses a destructuring pattern: an ExprArray or ExprObject whose leaves are ExprName.
func (p *codeParser) pattern() *Expr {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	x := p.expr(ExprObject)
	isArray := p.kind() == '['
	if isArray {
		x.Kind = ExprArray
	}
	end := p.closing()
	p.next()
	target := func() *Expr {
		if k := p.kind(); k == '{' || k == '[' {
			return p.pattern()
		}
		n := p.expr(ExprName)
		if !isName(p.kind()) {
			p.fail("a name was expected")
			return n
		}
		n.Text = p.word()
		p.next()
		return n
	}
	for p.i < end && !p.failed {
		if p.kind() == ',' {
			p.next()
			if isArray {
				x.List = append(x.List, nil)
			}
			continue
		}
		if p.kind() == ellipsis {
			s := p.expr(ExprSpread)
			p.next()
			s.List = []*Expr{target()}
			x.List = append(x.List, s)
			continue
		}
		m := p.expr(ExprProp, nil, nil)
		switch k := p.kind(); {
		case isArray:
			m.List[0] = target()
		case k == '[':
			p.next()
			p.assignment()
			p.expect(']', "]")
			p.expect(':', ":")
			m.List[0] = target()
		case isName(k) && p.peek(1) != ':':
			m.Text = p.word()
			m.List[0] = target()
		case isName(k) || k == str || k == number:
			m.Text = unquoteName(p.word())
			p.next()
			p.expect(':', ":")
			m.List[0] = target()
		default:
			p.fail("a name was expected")
		}
		if p.kind() == '=' {
			p.next()
			m.List[1] = p.assignment()
		}
		x.List = append(x.List, m)
		if p.i < end {
			p.expect(',', ",")
		}
	}
	p.i = end
	p.next()
	return x
}

func (p *codeParser) forStmt() *Expr {
	s := p.expr(StmtForOf)
	p.next()
	s.Text = "of"
	if p.take(kwAwait) {
		s.Text = "await"
	}
	if p.kind() != '(' {
		p.fail("( was expected")
		return s
	}
	end := p.closing()
	p.next()
	p.noIn = true
	var first *Expr
	switch k := p.kind(); {
	case k == ';':
	case k == kwConst, k == kwVar, k == kwLet && p.peek(1) != kwIn, k == kwUsing && isName(p.peek(1)) && !p.atToken(p.i+1, "of"):
		first = p.varStmt()
	default:
		first = p.expression()
	}
	p.noIn = false
	switch {
	case p.takeWord("of"):
		s.List = []*Expr{first, p.assignment()}
	case p.take(kwIn):
		s.Text = "in"
		s.List = []*Expr{first, p.expression()}
	default:
		s.Kind = StmtBlock
		s.List = append(s.List, first)
		for p.take(';') {
			if p.kind() != ';' && p.i < end {
				s.List = append(s.List, p.expression())
			}
		}
	}
	if p.failed {
		return s
	}
	if p.i != end {
		p.fail(") was expected")
		return s
	}
	p.next()
	s.List = append(s.List, p.stmt())
	return s
}

// isMarkup reports whether a file with this name may contain JSX.
func isMarkup(name string) bool {
	return strings.HasSuffix(name, "x") || strings.HasSuffix(name, ".js")
}

// ParseCodeOf parses the code of a file that was already read.
func ParseCodeOf(m *work.Meter, f *File, name string) (*Code, error) {
	return ParseCode(m, f.Source, f.Language, isMarkup(name))
}
