package source

import "strings"

// CodeKind is the kind of a statement in code that runs.
type CodeKind uint8

// These are the kinds of statements. Each comment names the fields of Code that are used in addition to Pos.
const (
	PassCode     CodeKind = iota // pass, and statements that are not understood
	DefCode                      // Name, Async, Params, Returns, Decorators, Body
	ClassCode                    // Name, Decorators, Value (a call with the bases), Body
	AssignCode                   // Targets, Annotation, Value
	AugmentCode                  // Targets[0] Name Value, where Name is the operator, as in "+="
	ExprCode                     // Value
	ReturnCode                   // Value
	RaiseCode                    // Value
	AssertCode                   // Value
	DelCode                      // Value
	IfCode                       // if Value: Body else: Else
	WhileCode                    // while Value: Body else: Else
	ForCode                      // for Targets[0] in Value: Body else: Else; Async
	WithCode                     // with Items: Body; Async
	TryCode                      // Body, Handlers, Else, Finally
	HandlerCode                  // except Value as Name: Body; Group for except*
	MatchCode                    // match Value: Body contains the cases
	CaseCode                     // Name is the text of the pattern; Body
	ImportCode                   // Stmt
	GlobalCode                   // global and nonlocal: Names
	BreakCode                    // break
	ContinueCode                 // continue
)

// Code is a statement whose parts are parsed. The positions of its trees are offsets in the text of the file.
type Code struct {
	Kind       CodeKind
	Async      bool
	Group      bool
	Pos        int // offset of the first byte after the decorators
	Name       string
	Names      []string
	Params     string
	Targets    []*Tree
	Value      *Tree
	Annotation *Tree
	Returns    string
	Decorators []*Tree
	Items      []WithItem
	Body       []Code
	Handlers   []Code
	Else       []Code
	Finally    []Code
	Import     *Stmt
}

// WithItem is one context manager of a with statement. Target is nil if it has no name.
type WithItem struct{ Value, Target *Tree }

// ParseCode parses all statements of a program, including those in the bodies of functions. The text is that of
// [Decode].
func ParseCode(text string) []Code {
	c := coder{reader{scanner: scanner{s: text[:min(len(text), MaxSize)]}, file: &File{}}}
	return c.block(-1, 0)
}

// ParseFunction parses the function or class that is declared in the line that begins at an offset, with its body. It
// returns nil if there is none.
func ParseFunction(text string, offset int) *Code {
	c := coder{reader{scanner: scanner{s: text[:min(len(text), MaxSize)]}, file: &File{}}}
	if offset < 0 || offset > len(c.s) {
		return nil
	}
	c.pos = offset
	indent := c.indentation()
	if indent < 0 {
		return nil
	}
	var out []Code
	c.one(&out, indent, 0)
	if len(out) != 1 || out[0].Kind != DefCode && out[0].Kind != ClassCode {
		return nil
	}
	return &out[0]
}

// coder parses statements.
type coder struct{ reader }

// block parses the statements that are indented by more than parent.
func (c *coder) block(parent, depth int) (out []Code) {
	start := c.pos
	for {
		indent := c.indentation()
		if indent <= parent {
			if indent >= 0 {
				c.pos = max(c.lineStart(), start) // Never return to text that was already read.
			}
			return out
		}
		if depth > maxNesting || c.statements >= maxStatements {
			c.pos = c.skip(c.pos)
			c.skipBlock(parent)
			return out
		}
		c.one(&out, indent, depth)
	}
}

// parse parses an expression between two offsets.
func (c *coder) parse(start, end int) *Tree {
	end = max(start, min(end, len(c.s)))
	p := parser{scanner: scanner{s: c.s[:end]}, pos: start}
	p.advance()
	if p.tok.kind == tokenEnd {
		return nil
	}
	t := p.tuple()
	if p.failed_ || p.tok.kind != tokenEnd {
		return &Tree{Kind: Other, Pos: start}
	}
	return t
}

// assigned parses a target between two offsets. It is never nil.
func (c *coder) assigned(start, end int) *Tree {
	if t := c.parse(start, end); t != nil {
		return t
	}
	return &Tree{Kind: Other, Pos: start}
}

// one parses a statement and those in its block.
func (c *coder) one(out *[]Code, indent, depth int) {
	var decorators []*Tree
	for c.pos < len(c.s) && c.s[c.pos] == '@' {
		l := c.scanner.statement(c.pos)
		if len(decorators) < maxNesting {
			decorators = append(decorators, c.parse(c.pos+1, l.end))
		}
		c.pos = l.next
		if c.indentation() < 0 {
			return
		}
	}
	start := c.pos
	w := word(c.s[start:])
	after := start + len(w)
	async := w == "async"
	if async {
		after = space(c.s, after)
		w = word(c.s[after:])
		after += len(w)
	}
	kind := PassCode
	switch w {
	case "def":
		kind = DefCode
	case "class":
		kind = ClassCode
	case "if":
		kind = IfCode
	case "while":
		kind = WhileCode
	case "for":
		kind = ForCode
	case "with":
		kind = WithCode
	case "try":
		kind = TryCode
	case "match":
		if l := c.scanner.statement(start); l.colon == l.end-1 && l.equals < 0 {
			kind = MatchCode
		}
	case "case":
		if isCase(c.s, after, c.scanner.statement(start)) {
			kind = CaseCode
		}
	}
	if kind == PassCode {
		c.simple(out)
		return
	}
	c.statements++
	l := c.scanner.statement(start)
	if l.colon < 0 {
		c.pos = l.next
		return
	}
	s := Code{Kind: kind, Pos: start, Async: async, Decorators: decorators}
	switch kind {
	case DefCode, ClassCode:
		pos := space(c.s, after)
		stmt := Stmt{Name: word(c.s[pos:])}
		c.header(&stmt, pos+len(stmt.Name), l.colon)
		if kind == DefCode {
			// The colon of the statement is the first one outside brackets, also for a quoted annotation.
			s.Params, s.Returns = stmt.Params, stmt.Returns
		} else {
			s.Value, s.Params = stmt.Call(), stmt.TypeParams
		}
		s.Name = stmt.Name
	case IfCode, WhileCode, MatchCode:
		s.Value = c.parse(after, l.colon)
	case ForCode:
		c.loop(&s, after, l.colon)
	case WithCode:
		c.items(&s, after, l.colon)
	case CaseCode:
		s.Name = c.s[after:l.colon]
	}
	s.Body = c.suite(l, indent, depth)
	c.clauses(&s, indent, depth)
	*out = append(*out, s)
}

// isCase reports whether the line l, which begins with the word case before an offset, is a case of a match statement.
// Otherwise, case is a variable.
func isCase(s string, after int, l line) bool {
	if l.colon < 0 || l.equals >= 0 && l.equals < l.colon {
		return false
	}
	pattern := space(s, after)
	return pattern < l.colon && (pattern > after || s[after] != '[' && s[after] != '.')
}

// suite parses the block after the colon of a line.
func (c *coder) suite(l line, indent, depth int) (body []Code) {
	if first := space(c.s, l.colon+1); first < l.end || l.semi >= 0 && first < l.semi {
		c.pos = first
		c.simple(&body)
		return body
	}
	c.pos = l.next
	return c.block(indent, depth+1)
}

// clauses parses the clauses after the first block of a statement.
func (c *coder) clauses(s *Code, indent, depth int) {
	last := s
	for s.Kind == IfCode || s.Kind == WhileCode || s.Kind == ForCode || s.Kind == TryCode {
		saved := c.pos
		next := c.indentation()
		if next != indent {
			c.pos = saved
			return
		}
		start := c.pos
		w := word(c.s[start:])
		if w != "elif" && w != "else" && w != "except" && w != "finally" || c.statements >= maxStatements {
			c.pos = saved
			return
		}
		c.statements++
		l := c.scanner.statement(start)
		if l.colon < 0 {
			c.pos = l.next
			return
		}
		after := start + len(w)
		switch w {
		case "elif":
			inner := Code{Kind: IfCode, Pos: start, Value: c.parse(after, l.colon)}
			inner.Body = c.suite(l, indent, depth)
			last.Else = []Code{inner}
			last = &last.Else[0]
		case "else":
			last.Else = c.suite(l, indent, depth)
		case "finally":
			s.Finally = c.suite(l, indent, depth)
		default:
			h := Code{Kind: HandlerCode, Pos: start}
			after = space(c.s, after)
			if strings.HasPrefix(c.s[after:], "*") {
				h.Group = true
				after++
			}
			end := l.colon
			if before, name, ok := strings.Cut(c.s[after:max(after, l.colon)], " as "); ok {
				h.Name, end = strings.TrimSpace(name), after+len(before)
			}
			h.Value = c.parse(after, end)
			h.Body = c.suite(l, indent, depth)
			s.Handlers = append(s.Handlers, h)
		}
	}
}

// loop parses the head of a for statement.
func (c *coder) loop(s *Code, start, end int) {
	p := parser{scanner: scanner{s: c.s[:end]}, pos: start}
	p.advance()
	target := p.target()
	if !p.accept("in") {
		p.fail()
	}
	s.Value = p.tuple()
	if p.failed_ || p.tok.kind != tokenEnd {
		target, s.Value = &Tree{Kind: Other, Pos: start}, &Tree{Kind: Other, Pos: start}
	}
	s.Targets = []*Tree{target}
}

// items parses the context managers of a with statement.
func (c *coder) items(s *Code, start, end int) {
	first := space(c.s, start)
	if first < end && c.s[first] == '(' {
		if e := c.matching(first, end); e > 0 && space(c.s, e+1) >= end {
			if items, ok := c.itemList(first+1, e); ok {
				s.Items = items
				return
			}
		}
	}
	s.Items, _ = c.itemList(start, end)
}

func (c *coder) itemList(start, end int) (items []WithItem, ok bool) {
	p := parser{scanner: scanner{s: c.s[:end]}, pos: start}
	p.advance()
	for p.tok.kind != tokenEnd && !p.failed_ {
		item := WithItem{Value: p.expr()}
		if p.accept("as") {
			item.Target = p.primary()
		}
		if items = append(items, item); !p.accept(",") {
			break
		}
	}
	if p.failed_ || p.tok.kind != tokenEnd {
		return nil, false
	}
	return items, true
}

// simple parses the statements on a line, which are separated by semicolons.
func (c *coder) simple(out *[]Code) {
	for start := c.pos; ; {
		l := c.scanner.statement(start)
		c.statements++
		if l.problem == "" {
			*out = append(*out, c.simpleOne(start, l.end, l))
		}
		c.pos = l.next
		if l.semi < 0 {
			return
		}
		if start = space(c.s, l.next); start == len(c.s) || c.s[start] == '\n' || c.s[start] == '#' {
			c.pos = c.skip(start)
			return
		}
	}
}

func (c *coder) simpleOne(start, end int, l line) Code {
	s := Code{Pos: start}
	text := c.s[start:end]
	w := word(text)
	after := start + len(w)
	if rest := space(c.s, after); rest < end && c.s[rest] == '=' && !strings.HasPrefix(c.s[rest:], "==") {
		w = "" // the name is a variable
	}
	switch w {
	case "import", "from":
		var out []Stmt
		c.reader.one(&out, start, end, l, "", function)
		if len(out) == 1 {
			s.Kind, s.Import = ImportCode, &out[0]
		}
		return s
	case "pass":
		return s
	case "break":
		s.Kind = BreakCode
		return s
	case "continue":
		s.Kind = ContinueCode
		return s
	case "global", "nonlocal":
		s.Kind = GlobalCode
		for name := range strings.SplitSeq(c.s[after:end], ",") {
			s.Names = append(s.Names, strings.TrimSpace(name))
		}
		return s
	case "return", "raise", "assert", "del":
		s.Kind = map[string]CodeKind{"return": ReturnCode, "raise": RaiseCode, "assert": AssertCode, "del": DelCode}[w]
		if w == "raise" {
			if before, _, ok := strings.Cut(c.s[after:end], " from "); ok {
				end = after + len(before)
			}
		}
		s.Value = c.parse(after, end)
		return s
	case "type":
		if l.equals >= 0 && word(c.s[space(c.s, after):]) != "" {
			return s
		}
	}
	colon, equals := l.colon, l.equals
	if equals >= 0 && colon > equals {
		colon = -1
	}
	switch {
	case colon >= 0:
		s.Kind, s.Targets = AssignCode, []*Tree{c.assigned(start, colon)}
		annotationEnd := end
		if equals >= 0 {
			annotationEnd = equals
			s.Value = c.parse(equals+1, end)
		}
		s.Annotation = c.parse(colon+1, annotationEnd)
	case equals > start && strings.IndexByte("+-*/%&|^@<>", c.s[equals-1]) >= 0:
		op := equals
		for op > start && strings.IndexByte("+-*/%&|^@<>", c.s[op-1]) >= 0 {
			op--
		}
		s.Kind, s.Name, s.Targets, s.Value = AugmentCode, c.s[op:equals+1], []*Tree{c.assigned(start, op)}, c.parse(equals+1, end)
	case equals >= 0:
		s.Kind, s.Targets = AssignCode, []*Tree{c.assigned(start, equals)}
		value := equals + 1
		for l.chained && len(s.Targets) <= maxNesting {
			inner := c.scanner.statement(value)
			if inner.equals < 0 || inner.equals >= end {
				break
			}
			s.Targets = append(s.Targets, c.assigned(value, inner.equals))
			value = inner.equals + 1
		}
		s.Value = c.parse(value, end)
	default:
		s.Kind, s.Value = ExprCode, c.parse(start, end)
	}
	return s
}
