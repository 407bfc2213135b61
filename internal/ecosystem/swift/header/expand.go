package header

import (
	"bytes"
	"slices"
	"strings"
)

const (
	// maxExpanded is the maximum size, for one header, of the macro calls that
	// are examined and of their expansions, in bytes.
	maxExpanded = 4 << 20
	// maxExpansions is the maximum nesting of macros.
	maxExpansions = 20
	// maxRule is the maximum size, in bytes, of the body of a macro that contains declarations.
	maxRule = 64 << 10
)

// macros contains the macros of a module that are needed to read declarations, by
// name.
type macros map[string]*macro

// macro is a macro that expands to attributes, to nothing or to its argument, or
// that contains declarations.
type macro struct {
	call     bool // whether it has parameters
	identity bool // whether its body is its first parameter
	// declares is true if the body contains declarations.
	declares bool
	params   []string
	variadic bool // whether the last parameter takes all remaining arguments
	body     string
	busy     bool // whether it is being expanded
}

// attribute returns the macro with the given name if it expands to attributes, to nothing or to
// its argument, or nil for other names.
func (m macros) attribute(name string) *macro {
	if one := m[name]; one != nil && !one.declares {
		return one
	}
	return nil
}

// addRule stores a macro that may contain declarations. That is a macro with
// parameters or with several declarations in its body.
func (l *lexer) addRule(name, parameters, body string, call bool) {
	if len(body) > maxRule || !call && !strings.Contains(body, ";") {
		return
	}
	m := &macro{call: call, declares: true, body: body}
	if call {
		for p := range strings.SplitSeq(strings.Trim(parameters, "() "), ",") {
			p = strings.TrimSpace(p)
			if rest, ok := strings.CutSuffix(p, "..."); ok {
				m.variadic = true
				if p = strings.TrimSpace(rest); p == "" {
					p = "__VA_ARGS__"
				}
			}
			if p != "" {
				m.params = append(m.params, p)
			}
		}
	}
	l.macros[name] = m
}

// undefine removes a macro.
func (l *lexer) undefine(name string) {
	if m := l.macros[name]; m != nil && m.declares {
		delete(l.macros, name)
	}
	for i := range l.defines {
		if l.defines[i].Path == name {
			l.defines = append(l.defines[:i], l.defines[i+1:]...)
			return
		}
	}
}

// expand replaces the macro that was just read with its expansion, if a
// declaration or an enumerator begins with it, or if its body joins names with
// ##. It reports whether it did so.
func (l *lexer) expand(name string) bool {
	m := l.macros[name]
	if m == nil || !m.declares || m.busy || l.nested >= maxExpansions || l.spent >= maxExpanded || !strings.Contains(m.body, "##") && !l.beginsDeclaration() {
		return false
	}
	var args []string
	end := l.pos
	if m.call {
		open := end
		for open < len(l.text) && strings.IndexByte(" \t\r\n", l.text[open]) >= 0 {
			open++
		}
		if open == len(l.text) || l.text[open] != '(' {
			return false
		}
		if args, end = m.arguments(l.text[open:min(len(l.text), open+maxRule)]); end == 0 {
			l.spent += min(len(l.text)-open, maxRule)
			return false
		}
		end += open
		l.spent += end - open
	}
	body := m.replaced(args, maxExpanded-l.spent)
	l.spent += len(body)

	text, lines := l.text, strings.Count(l.text[l.pos:end], "\n")
	l.text, l.pos = body, 0
	l.nested++
	m.busy = true
	for l.pos < len(l.text) {
		if c := l.text[l.pos]; strings.IndexByte(" \t\r\n\\", c) >= 0 {
			l.pos++
			l.space = true
		} else {
			l.token()
		}
	}
	m.busy = false
	l.nested--
	l.text, l.pos = text, end
	l.line += lines
	return true
}

// beginsDeclaration reports whether the next token is the first of a declaration
// or an enumerator, except for attributes.
func (l *lexer) beginsDeclaration() bool {
	for _, t := range slices.Backward(l.tokens) {
		switch {
		case t.text == ";" || t.text == "{" || t.text == "}":
			return true
		case t.text == ",":
			return l.parens == 0
		case storage[t.text] || attributeWords[t.text] || t.kind == word && (isMacro(t.text) || l.macros.attribute(t.text) != nil):
		default:
			return false
		}
	}
	return true
}

// arguments splits the arguments of a call. text begins with the opening parenthesis of
// the call. length is the length of the list with its parentheses, or 0 if the list is
// not closed or the number of arguments is wrong.
func (m *macro) arguments(text string) (args []string, length int) {
	depth, start := 0, 1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '"', '\'':
			for i++; i < len(text) && text[i] != c; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		case '(', '[', '{':
			depth++
		case ',':
			if depth == 1 && !(m.variadic && len(args) == len(m.params)-1) {
				args = append(args, argument(text[start:i]))
				start = i + 1
			}
		case ')', ']', '}':
			if depth--; depth > 0 {
				continue
			}
			if last := argument(text[start:i]); len(m.params) > 0 || last != "" {
				args = append(args, last)
			}
			if m.variadic && len(args) == len(m.params)-1 {
				args = append(args, "")
			}
			if len(args) != len(m.params) {
				return nil, 0
			}
			return args, i + 1
		}
	}
	return nil, 0
}

// argument returns an argument on one line and without comments.
func argument(text string) string {
	return strings.Join(strings.Fields(withoutComments(text)), " ")
}

// withoutComments removes the comments from text of several lines.
func withoutComments(text string) string {
	start := commentStart(text)
	if start < 0 {
		return text
	}
	var b strings.Builder
	for ; start >= 0; start = commentStart(text) {
		b.WriteString(text[:start] + " ")
		end := len(text)
		if text[start+1] == '/' {
			end = lineEnd(text, start)
		} else if n := strings.Index(text[start+2:], "*/"); n >= 0 {
			end = start + n + 4
		}
		text = text[end:]
	}
	b.WriteString(text)
	return b.String()
}

// replaced returns the body with its parameters replaced with arguments, or "" if
// the result is longer than the limit.
func (m *macro) replaced(args []string, limit int) string {
	var out []byte
	value := func(name string) (string, bool) {
		for i, p := range m.params {
			if p == name {
				return args[i], true
			}
		}
		return name, false
	}
	for i := 0; i < len(m.body); {
		switch c := m.body[i]; {
		case strings.HasPrefix(m.body[i:], "##"):
			out = bytes.TrimRight(out, " \t")
			for i += 2; i < len(m.body) && (m.body[i] == ' ' || m.body[i] == '\t'); i++ {
			}
		case c == '#':
			rest := strings.TrimLeft(m.body[i+1:], " \t")
			name, after := cutWord(rest)
			if text, ok := value(name); ok {
				out = append(out, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text)+`"`...)
				i = len(m.body) - len(after)
				continue
			}
			out = append(out, c)
			i++
		case isWord(c):
			name, after := cutWord(m.body[i:])
			text, _ := value(name)
			out = append(out, text...)
			i = len(m.body) - len(after)
		case c >= '0' && c <= '9':
			start := i
			for i < len(m.body) && (isWord(m.body[i]) || m.body[i] >= '0' && m.body[i] <= '9' || m.body[i] == '.') {
				i++
			}
			out = append(out, m.body[start:i]...)
		case c == '"' || c == '\'':
			start := i
			for i++; i < len(m.body) && m.body[i] != c; i++ {
				if m.body[i] == '\\' {
					i++
				}
			}
			i = min(i+1, len(m.body))
			out = append(out, m.body[start:i]...)
		default:
			out = append(out, c)
			i++
		}
		if len(out) > limit {
			return ""
		}
	}
	return string(out)
}
