package source

import "strings"

// word returns the name at the beginning of s.
func word(s string) string {
	n := 0
	for n < len(s) && isIdent(s[n]) {
		n++
	}
	return s[:n]
}

// space returns the index of the first byte of s from i on that is not white
// space. A continued line counts as white space.
func space(s string, i int) int {
	for i < len(s) {
		switch {
		case isSpace(s[i]):
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '\r'):
			i++
			if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
				i++
			}
		default:
			return i
		}
		i++
	}
	return i
}

// statement reads the statement at r.pos and the statements nested in it.
func (r *reader) statement(out *[]Stmt, indent, depth int, in place) {
	start := r.pos
	rest := r.s[start:]
	comment := r.comment
	r.comment = ""
	if rest[0] == '@' {
		l := r.scanner.statement(start)
		r.decorators = append(r.decorators, &Expression{text: strings.TrimSpace(r.s[start+1 : l.end])})
		r.pos = l.next
		return
	}
	decorators := r.decorators
	r.decorators = nil
	switch w := word(rest); w {
	case "def", "class":
		r.declaration(out, start, start+len(w), indent, depth, in, decorators, false)
	case "async":
		after := space(r.s, start+len(w))
		if w := word(r.s[after:]); w == "def" {
			r.declaration(out, start, after+len(w), indent, depth, in, decorators, true)
			return
		}
		r.compound(out, start, indent, depth, in, Block)
	case "if":
		r.compound(out, start, indent, depth, in, If)
	case "elif":
		r.compound(otherwise(out), start, indent, depth, in, If)
	case "try":
		r.compound(out, start, indent, depth, in, Try)
	case "else", "except", "finally":
		r.clause(out, w, start, indent, depth, in)
	case "with", "for", "while":
		r.compound(out, start, indent, depth, in, Block)
	case "match", "case":
		l := r.scanner.statement(start)
		if w == "match" && l.colon == l.end-1 && l.equals < 0 || w == "case" && isCase(r.s, start+len(w), l) {
			r.compound(out, start, indent, depth, in, Block)
			return
		}
		r.simple(out, start, comment, in)
	default:
		r.simple(out, start, comment, in)
	}
}

// simple reads the statements on a line, which are separated by semicolons.
func (r *reader) simple(out *[]Stmt, start int, comment string, in place) {
	for {
		l := r.scanner.statement(start)
		if l.problem != "" {
			r.gap(start, l.problem+lost)
		}
		r.one(out, start, l.end, l, comment, in)
		if l.semi < 0 {
			r.pos = l.next
			return
		}
		if start = space(r.s, l.next); start == len(r.s) || r.s[start] == '\n' || r.s[start] == '#' {
			r.pos = r.skip(start)
			return
		}
		comment = ""
	}
}

// one reads one simple statement.
func (r *reader) one(out *[]Stmt, start, end int, l line, comment string, in place) {
	text := strings.TrimSpace(r.s[start:end])
	if l.comment >= 0 {
		if c, ok := strings.CutPrefix(r.s[l.comment:], "#:"); ok {
			c, _, _ = strings.Cut(c, "\n")
			comment = strings.TrimSpace(c)
		}
	}
	w := word(text)
	after := strings.TrimSpace(text[len(w):])
	switch w {
	case "":
		if q := stringPrefix(text); q >= 0 && onlyStrings(text) {
			r.attach(out, text)
			return
		}
	case "import":
		if s := r.add(out, Import, start); s != nil {
			s.Names = r.aliases(after)
		}
		return
	case "from":
		level := 0
		for len(after) > 0 && (after[0] == '.' || isSpace(after[0])) {
			if after[0] == '.' {
				level++
			}
			after = after[1:]
		}
		name, names, ok := cutWord(after, "import")
		if !ok {
			return
		}
		if s := r.add(out, From, start); s != nil {
			s.Level, s.Name, s.Names = level, squeeze(name), r.aliases(names)
		}
		return
	case "include":
		if name, ok := Unquote(after); ok {
			if s := r.add(out, Include, start); s != nil {
				s.Name = name
			}
			return
		}
	case "del":
		if s := r.add(out, Del, start); s != nil {
			for _, t := range split(nil, after) {
				for _, name := range split(nil, strings.Trim(t, " \t()")) { // as in del (a, b)
					s.Names = append(s.Names, Alias{Name: strings.TrimSpace(name)})
				}
			}
		}
		return
	case "type":
		if name := word(after); name != "" && l.equals >= 0 {
			rest := strings.TrimSpace(after[len(name):])
			params := ""
			if strings.HasPrefix(rest, "[") {
				c := scanner{s: rest}
				if e := c.matching(0, len(rest)); e > 0 {
					params, rest = rest[1:e], strings.TrimSpace(rest[e+1:])
				}
			}
			if value, ok := strings.CutPrefix(rest, "="); ok {
				if s := r.add(out, Assign, start); s != nil {
					s.TypeAlias, s.Name, s.Targets, s.TypeParams = true, name, r.list(name), params
					s.Value.text, s.Comment = strings.TrimSpace(value), comment
				}
				return
			}
		}
	case "pass", "return", "raise", "assert", "break", "continue", "global", "nonlocal", "yield", "print", "exec":
		switch {
		case in == function && w == "return":
			if s := r.add(out, Expr, start); s != nil {
				s.Name, s.Value.text = w, after
			}
		case in != class && (w == "continue" || w == "break"):
			if s := r.add(out, Expr, start); s != nil {
				s.Name = w
			}
		case in != class && w == "raise":
			r.add(out, Raise, start)
		}
		if w != "print" && w != "exec" || l.equals < 0 {
			return
		}
	default:
		if q := stringPrefix(text); q >= 0 && onlyStrings(text) {
			r.attach(out, text)
			return
		}
	}
	r.assignment(out, text, start, end, l, comment)
}

// add appends a statement with only its kind and line. It returns nil if the file has
// too many statements.
func (r *reader) add(out *[]Stmt, kind Kind, start int) *Stmt {
	if r.statements >= maxStatements {
		return nil
	}
	r.statements++
	*out = append(*out, Stmt{Kind: kind, Line: r.line(start)})
	return &(*out)[len(*out)-1]
}

// list returns a list of one string. Such lists share memory.
func (r *reader) list(s string) []string {
	if len(r.strings) == cap(r.strings) {
		r.strings = make([]string, 0, 64)
	}
	r.strings = append(r.strings, s)
	n := len(r.strings)
	return r.strings[n-1 : n : n]
}

// attach makes a string the docstring of the assignment before it.
func (r *reader) attach(out *[]Stmt, text string) {
	if n := len(*out); n > 0 {
		if last := &(*out)[n-1]; last.Kind == Assign && last.Doc == "" {
			last.Doc = text
		}
	}
}

// assignment reads an assignment or an expression.
func (r *reader) assignment(out *[]Stmt, text string, start, end int, l line, comment string) {
	colon, equals := l.colon, l.equals
	if colon >= end {
		colon = -1
	}
	if equals >= end {
		equals = -1
	}
	if equals >= 0 && colon > equals {
		colon = -1
	}
	kind := Assign
	if colon < 0 && equals < 0 {
		kind = Expr
	}
	if text == "" && kind == Expr {
		return
	}
	s := r.add(out, kind, start)
	if s == nil {
		return
	}
	switch {
	case kind == Expr:
		s.Value.text = text
	case colon >= 0: // The statement has an annotation, as in x: int = 1.
		s.Targets, s.Comment = r.list(strings.TrimSpace(r.s[start:colon])), comment
		if equals >= 0 {
			s.Annotation, s.Value.text = Annotation(strings.TrimSpace(r.s[colon+1:equals])), strings.TrimSpace(r.s[equals+1:end])
		} else {
			s.Annotation = Annotation(strings.TrimSpace(r.s[colon+1 : end]))
		}
	case equals > start && strings.IndexByte("+-*/%&|^@<>", r.s[equals-1]) >= 0:
		op := equals
		for op > start && strings.IndexByte("+-*/%&|^@<>", r.s[op-1]) >= 0 {
			op--
		}
		s.Targets, s.Op = r.list(strings.TrimSpace(r.s[start:op])), r.s[op:equals+1]
		s.Value.text = strings.TrimSpace(r.s[equals+1 : end])
	default: // as in x = y = 1
		s.Targets, s.Comment = r.list(target(r.s[start:equals])), comment
		value := equals + 1
		for l.chained && len(s.Targets) <= maxNesting {
			inner := r.scanner.statement(value)
			if inner.equals < 0 || inner.equals >= end {
				break
			}
			s.Targets = append(s.Targets, target(r.s[value:inner.equals]))
			value = inner.equals + 1
		}
		s.Value.text = strings.TrimSpace(r.s[min(value, end):end])
	}
}

// target returns a target of an assignment without the brackets of a single name and without a
// backslash that continues the line.
func target(s string) string {
	s = strings.TrimLeft(strings.TrimSpace(s), "\\ \t\r\n")
	if inner, ok := strings.CutPrefix(s, "("); ok {
		if inner = strings.TrimSpace(strings.TrimSuffix(inner, ")")); word(inner) == inner {
			return inner
		}
	}
	return s
}

// cutWord cuts s at the first occurrence of a word. ok is false if s does not
// contain it.
func cutWord(s, w string) (before, after string, ok bool) {
	for i := 0; ; {
		k := strings.Index(s[i:], w)
		if k < 0 {
			return s, "", false
		}
		k += i
		if (k == 0 || !isIdent(s[k-1])) && (k+len(w) == len(s) || !isIdent(s[k+len(w)])) {
			return strings.TrimSpace(s[:k]), strings.TrimSpace(s[k+len(w):]), true
		}
		i = k + len(w)
	}
}

// aliases reads "a, b as c" with or without parentheses.
func (r *reader) aliases(s string) []Alias {
	s = s[space(s, 0):]
	if strings.HasPrefix(s, "(") {
		s = strings.TrimSuffix(strings.TrimSpace(s[1:]), ")")
	}
	var buffer [16]string
	parts := split(buffer[:0], s)
	if cap(r.aliased)-len(r.aliased) < len(parts) {
		r.aliased = make([]Alias, 0, max(64, len(parts)))
	}
	start := len(r.aliased)
	for _, part := range parts {
		name, as, ok := cutWord(part, "as")
		a := Alias{Name: squeeze(name)}
		if ok {
			a.As = squeeze(as)
		}
		if a.Name != "" {
			r.aliased = append(r.aliased, a)
		}
	}
	end := len(r.aliased)
	return r.aliased[start:end:end]
}

// squeeze removes the space within a dotted name.
func squeeze(s string) string {
	if !strings.ContainsAny(s, " \t\n\r\\#()") {
		return s
	}
	return strings.Trim(strings.Join(strings.Fields(strings.ReplaceAll(Flat(s), "\\", "")), ""), "()")
}

// split appends the parts of s between the commas outside of brackets and strings to
// parts, without comments and empty parts.
func split(parts []string, s string) []string {
	if strings.IndexByte(s, ',') < 0 && strings.IndexByte(s, '#') < 0 {
		if s = strings.TrimSpace(s); s == "" {
			return parts
		}
		return append(parts, s)
	}
	c := scanner{s: s}
	depth, start := 0, 0
	for i := 0; i <= len(s); i++ {
		for i < len(s) && skipped[s[i]] == classPlain && s[i] != ',' {
			i++
		}
		switch {
		case i < len(s) && s[i] == ',' && depth == 0 && inLambda(s[start:i]):
		case i >= len(s), s[i] == ',' && depth == 0:
			p := strings.TrimSpace(s[start:min(i, len(s))])
			if strings.IndexByte(p, '#') >= 0 {
				p = Flat(p)
			}
			if p != "" {
				parts = append(parts, p)
			}
			start = i + 1
			continue
		}
		switch skipped[s[i]] {
		case classOpen:
			depth++
		case classClose:
			depth--
		case classQuote:
			end, _ := c.stringEnd(i)
			i = end - 1
		case classHash:
			k := strings.IndexByte(s[i:], '\n')
			if k < 0 {
				k = len(s) - i
			}
			i += k - 1
		}
	}
	return parts
}

// inLambda reports whether an expression ends among the parameters of a lambda.
func inLambda(s string) bool {
	const word = "lambda"
	i := strings.LastIndex(s, word)
	if i < 0 || i > 0 && isIdent(s[i-1]) || len(s) > i+len(word) && isIdent(s[i+len(word)]) {
		return false
	}
	depth := 0
	for _, c := range []byte(s[i:]) {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ':':
			if depth == 0 {
				return false
			}
		}
	}
	return depth >= 0
}

// compound reads a statement with a block below it.
func (r *reader) compound(out *[]Stmt, start, indent, depth int, in place, kind Kind) {
	l := r.scanner.statement(start)
	if l.colon < 0 {
		r.pos = l.next // The line only looks like a compound statement.
		if l.problem != "" {
			r.gap(start, l.problem+lost)
		}
		return
	}
	r.statements++
	*out = append(*out, Stmt{Kind: kind, Line: r.line(start)})
	s := &(*out)[len(*out)-1]
	if w := word(r.s[start:]); kind == If || w == "for" {
		s.Value.text = strings.TrimSpace(r.s[start+len(w) : l.colon])
		if kind == Block {
			s.Name = w
		}
	}
	r.body(&s.Body, l, indent, depth, in)
}

// body reads the statements after a colon, which are on the same line or in a
// block.
func (r *reader) body(out *[]Stmt, l line, indent, depth int, in place) {
	if first := space(r.s, l.colon+1); first < l.end || l.semi >= 0 {
		r.pos = first
		r.comment = ""
		r.simple(out, first, "", in)
		return
	}
	r.pos = l.next
	r.block(out, indent, depth+1, in)
}

// otherwise returns the place for the next elif or else of the last if: the end
// of its chain of elif clauses.
func otherwise(out *[]Stmt) *[]Stmt {
	for range maxNesting {
		n := len(*out)
		if n == 0 || (*out)[n-1].Kind != If {
			break
		}
		out = &(*out)[n-1].Else
	}
	return out
}

// clause reads else, except or finally and adds it to its if or try.
func (r *reader) clause(out *[]Stmt, w string, start, indent, depth int, in place) {
	l := r.scanner.statement(start)
	if l.colon < 0 {
		r.pos = l.next
		return
	}
	var s *Stmt
	if n := len(*out); n > 0 {
		s = &(*out)[n-1]
	}
	var body []Stmt
	r.body(&body, l, indent, depth, in)
	switch {
	case s == nil || s.Kind != If && s.Kind != Try && s.Kind != Block:
		*out = append(*out, Stmt{Kind: Block, Line: r.line(start), Body: body})
	case s.Kind == If:
		other := otherwise(out)
		*other = append(*other, body...)
	case s.Kind == Try && w == "except":
		s.Else = append(s.Else, body...)
	default:
		s.Body = append(s.Body, body...)
	}
}
