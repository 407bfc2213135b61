package header

import (
	"cmp"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/work"
)

// kind is the kind of a token.
type kind uint8

const (
	word kind = iota + 1
	number
	quoted // a string or character
	punct
)

// token is one token with its comments.
type token struct {
	text  string
	kind  kind
	space bool // whether white space precedes it
	line  int
	// doc is the comment before the token. after is the comment that follows it on
	// the same line.
	doc, after string
	constraint string // the conditions around the token
}

// lexer splits a header into tokens and macro definitions.
type lexer struct {
	meter  *work.Meter
	text   string
	pos    int
	line   int
	cpp    bool
	macros macros

	tokens  []token
	defines []apidoc.Symbol
	// pending is the comment for the next declaration. written is true if it is
	// marked as documentation, and end is its last line.
	pending string
	written bool
	end     int

	conditions conditions
	depth      int  // depth of braces
	parens     int  // number of open parentheses
	space      bool // whether white space precedes the next token

	nested int // number of macros that are being expanded
	spent  int // size in bytes of expanded macros
}

func (l *lexer) run() {
	l.line = 1
	start := true // start is true if i is at the start of a line.
	for l.pos < len(l.text) && l.meter.Step(1) {
		switch c := l.text[l.pos]; {
		case c == '\n':
			l.line++
			l.pos++
			l.space, start = true, true
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.pos++
			l.space = true
		case c == '\\' && l.pos+1 < len(l.text) && (l.text[l.pos+1] == '\n' || l.text[l.pos+1] == '\r'):
			l.pos++
			l.space = true
		case c == '/' && strings.HasPrefix(l.text[l.pos:], "//"):
			l.comment(lineEnd(l.text, l.pos))
		case c == '/' && strings.HasPrefix(l.text[l.pos:], "/*"):
			end := strings.Index(l.text[l.pos+2:], "*/")
			if end < 0 {
				end = len(l.text)
			} else {
				end += l.pos + 4
			}
			l.comment(end)
		case c == '#' && start:
			l.directive()
		default:
			start = false
			l.token()
		}
	}
}

func lineEnd(text string, pos int) int {
	if n := strings.IndexByte(text[pos:], '\n'); n >= 0 {
		return pos + n
	}
	return len(text)
}

// maxComment is the maximum size, in bytes, of a comment that spans several lines.
const maxComment = 64 << 10

// comment reads the comment that extends to the offset end.
func (l *lexer) comment(end int) {
	raw, line := l.text[l.pos:end], l.line
	l.pos = end
	l.line += strings.Count(raw, "\n")
	l.space = true
	if l.conditions.skipped() {
		return
	}
	doc, behind := isDoc(raw)
	if last := len(l.tokens) - 1; behind || !doc && last >= 0 && l.tokens[last].line == line {
		if last >= 0 && len(l.tokens[last].after)+len(raw) < maxSignature {
			l.tokens[last].after += "\n" + raw
		}
		return
	}
	switch {
	case doc && l.written && strings.HasPrefix(raw, "//") && l.end == line-1,
		!doc && !l.written && l.pending != "" && strings.HasPrefix(raw, "//") && strings.HasPrefix(l.pending, "//") && l.end == line-1:
		if len(l.pending) < maxComment {
			l.pending += "\n" + raw
		}
	case doc || !l.written:
		l.pending, l.written = raw, doc
	}
	l.end = l.line
}

// isDoc reports whether a comment is documentation, and whether it is about the
// declaration before it.
func isDoc(raw string) (doc, behind bool) {
	for _, mark := range []string{"///", "//!", "/**", "/*!"} {
		if rest, ok := strings.CutPrefix(raw, mark); ok {
			if rest == "/" || mark == "///" && strings.HasPrefix(rest, "/") || mark == "/**" && strings.HasPrefix(rest, "*") {
				return false, false
			}
			return true, strings.HasPrefix(rest, "<")
		}
	}
	return false, false
}

// take returns the pending comment if it belongs to the declaration at the given line.
func (l *lexer) take() string {
	text := l.pending
	if !l.written && l.end < l.line-1 {
		text = "" // the comment is separated from the declaration and not marked as documentation
	}
	l.pending, l.written = "", false
	return text
}

// token reads one token.
func (l *lexer) token() {
	start, k := l.pos, punct
	switch c := l.text[start]; {
	case isWord(c):
		k = word
		for l.pos < len(l.text) && (isWord(l.text[l.pos]) || l.text[l.pos] >= '0' && l.text[l.pos] <= '9') {
			l.pos++
		}
	case c >= '0' && c <= '9' || c == '.' && start+1 < len(l.text) && l.text[start+1] >= '0' && l.text[start+1] <= '9':
		k = number
		for l.pos < len(l.text) && (isWord(l.text[l.pos]) || l.text[l.pos] >= '0' && l.text[l.pos] <= '9' || l.text[l.pos] == '.' || l.text[l.pos] == '\'') {
			l.pos++
		}
	case c == '"' || c == '\'':
		k = quoted
		l.pos++
		for l.pos < len(l.text) && l.text[l.pos] != c && l.text[l.pos] != '\n' {
			if l.text[l.pos] == '\\' && l.pos+1 < len(l.text) && l.text[l.pos+1] != '\n' {
				l.pos++
			}
			l.pos++
		}
		if l.pos < len(l.text) && l.text[l.pos] == c {
			l.pos++
		}
	default:
		l.pos++
		for _, op := range []string{"...", "::", "->", "[[", "]]", "&&", "||", "<<", "=="} {
			if strings.HasPrefix(l.text[start:], op) {
				l.pos = start + len(op)
				break
			}
		}
	}
	if l.conditions.skipped() || k == word && l.expand(l.text[start:l.pos]) {
		return
	}
	t := token{text: l.text[start:l.pos], kind: k, space: l.space, line: l.line, constraint: l.conditions.constraint()}
	if l.pending != "" {
		t.doc = l.take()
	}
	l.space = false
	switch t.text {
	case "{":
		l.depth++
	case "}":
		l.depth--
	case "(":
		l.parens++
	case ")":
		l.parens = max(0, l.parens-1)
	case ";":
		l.parens = 0
	}
	l.tokens = append(l.tokens, t)
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || c == '@' || c >= 0x80 || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// directive reads a preprocessor directive.
func (l *lexer) directive() {
	var b strings.Builder
	line, first := l.line, l.pos
	for l.pos < len(l.text) {
		end := lineEnd(l.text, l.pos)
		part := strings.TrimSuffix(l.text[l.pos:end], "\r")
		l.pos = end
		if l.pos < len(l.text) && strings.HasSuffix(part, "\\") {
			b.WriteString(part[:len(part)-1] + " ")
			l.pos++
			l.line++
			continue
		}
		b.WriteString(part)
		break
	}
	text := b.String()
	// The lexer reads a comment that continues after the line.
	if start := strings.LastIndex(text, "/*"); start >= 0 && !strings.Contains(text[start:], "*/") && l.line == line {
		l.pos = first + start
		text = text[:start]
	}
	text = strings.TrimLeft(text[1:], " \t")
	name, rest := cutWord(text)
	switch name {
	case "if", "ifdef", "ifndef", "elif", "else", "endif":
		l.conditions.directive(name, strings.TrimSpace(withoutComments(rest)), l.depth, l.cpp)
	case "define":
		if !l.conditions.skipped() {
			comment := ""
			if start := commentStart(rest); start >= 0 {
				comment = rest[start:]
			}
			doc := ""
			if l.pending != "" {
				l.line, line = line, l.line // Use the line where the definition begins.
				doc = l.take()
				l.line, line = line, l.line
			}
			l.define(strings.TrimSpace(withoutComments(rest)), doc, comment, line)
		}
	case "undef":
		if !l.conditions.skipped() {
			name, _ := cutWord(strings.TrimSpace(rest))
			l.undefine(name)
		}
		fallthrough
	case "include", "import", "pragma", "error", "warning":
		if !l.written {
			l.pending = ""
		}
	}
	l.space = true
}

func cutWord(s string) (name, rest string) {
	n := 0
	for n < len(s) && (isWord(s[n]) || s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return s[:n], s[n:]
}

// commentStart returns the index of the first comment, or -1 if there is none.
func commentStart(s string) int {
	inside := byte(0)
	for i := 0; i+1 < len(s); i++ {
		switch c := s[i]; {
		case inside != 0:
			switch c {
			case '\\':
				i++
			case inside:
				inside = 0
			}
		case c == '"' || c == '\'':
			inside = c
		case c == '/' && (s[i+1] == '/' || s[i+1] == '*'):
			return i
		}
	}
	return -1
}

// maxMacro is the maximum size, in bytes, of the body of a macro that is shown.
const maxMacro = 160

// define reads "NAME(a, b) body".
func (l *lexer) define(text, doc, behind string, line int) {
	name, rest := cutWord(text)
	if name == "" {
		return
	}
	parameters := ""
	call := strings.HasPrefix(rest, "(")
	if call {
		end := strings.IndexByte(rest, ')')
		if end < 0 {
			return
		}
		parameters, rest = rest[:end+1], rest[end+1:]
	}
	body := strings.TrimSpace(rest)
	first, _, _ := strings.Cut(strings.Trim(parameters, "() "), ",")
	if first = strings.TrimSpace(first); call && first != "" {
		if before, ok := strings.CutSuffix(body, first); ok && !strings.HasSuffix(before, "#") && l.noise(before) {
			l.macros[name] = &macro{call: true, identity: true}
			return
		}
	}
	if l.noise(body) {
		if m := l.macros[name]; m == nil || !m.declares {
			l.macros[name] = &macro{call: call}
		}
		return
	}
	l.addRule(name, parameters, body, call)
	if strings.HasPrefix(name, "_") || len(l.defines) >= maxSymbols || l.depth > 0 && !isConstant(body) {
		return
	}
	s := apidoc.Symbol{Path: name, Kind: apidoc.Const, Signature: "#define " + name + parameters, Line: line, Constraint: l.conditions.constraint()}
	switch {
	case call:
		s.Kind = apidoc.Macro
	case !isConstant(body):
		return
	}
	if len(body) <= maxMacro {
		s.Signature += " " + strings.Join(strings.Fields(body), " ")
	}
	doc = cmp.Or(doc, behind)
	s.Doc, s.Deprecated = convert(doc)
	l.defines = append(l.defines, s)
}

// noise reports whether the body of a macro is empty or consists of attributes,
// so that removing the macro does not change the meaning of declarations.
func (l *lexer) noise(body string) bool {
	for body = strings.TrimSpace(body); body != ""; body = strings.TrimSpace(body) {
		if strings.HasPrefix(body, "[[") {
			end := strings.Index(body, "]]")
			if end < 0 {
				return false
			}
			body = body[end+2:]
			continue
		}
		name, rest := cutWord(body)
		if name == "extern" && strings.TrimSpace(rest) == `"C"` {
			return true
		}
		if name == "" || l.macros.attribute(name) == nil && !isMacro(name) && !attributeWords[name] && !attributeCalls[name] && name != "_Nonnull" && name != "_Nullable" && name != "extern" && name != "static" && name != "_Pragma" {
			return false
		}
		body = strings.TrimSpace(rest)
		if strings.HasPrefix(body, "(") {
			end := markup.Closing(body)
			if end < 0 {
				return false
			}
			body = body[end+1:]
		}
	}
	return true
}

// outsideQuotes returns a text without its string and character literals.
func outsideQuotes(s string) string {
	var b strings.Builder
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0:
			b.WriteByte(c)
		case c == '\\':
			i++
		case c == quote:
			quote = 0
		}
	}
	return b.String()
}

// isConstant reports whether the body of a macro is a value that consists of
// numbers, strings, names of constants, and operators.
func isConstant(body string) bool {
	if body == "" || len(body) > maxMacro || strings.ContainsAny(outsideQuotes(body), ";{}#\\") {
		return false
	}
	c := body[0]
	if c == '"' || c == '\'' || c >= '0' && c <= '9' || c == '-' || c == '+' || c == '~' || c == '!' || c == '(' || c == '@' {
		return !strings.Contains(body, "...")
	}
	name, rest := cutWord(body)
	if keywords[name] || attributeCalls[name] || strings.HasPrefix(name, "__") {
		return false
	}
	rest = strings.TrimSpace(rest)
	return rest == "" || strings.IndexByte("|+-*<>&", rest[0]) >= 0 || rest[0] == '(' && strings.HasSuffix(rest, ")")
}
