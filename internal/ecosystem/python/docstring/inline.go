package docstring

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainRoles are roles whose text is prose rather than code.
var plainRoles = map[string]bool{
	"ref": true, "doc": true, "term": true, "abbr": true, "sup": true, "sub": true, "numref": true, "guilabel": true, "menuselection": true,
	"dfn": true, "title": true, "title-reference": true, "t": true, "std:ref": true, "std:doc": true, "std:term": true, "emphasis": true, "strong": true,
	"user": true, "wiki": true, "any": true, "download": true, "external": true,
}

// buffer is text that is being written. Its end can be removed again.
type buffer struct{ bytes []byte }

func (b *buffer) writeString(s string) { b.bytes = append(b.bytes, s...) }
func (b *buffer) writeByte(c byte)     { b.bytes = append(b.bytes, c) }

// maxName is the maximum length in bytes of a name that is a reference although it is not quoted.
const maxName = 100

// inline converts the roles, literals and links in text.
func inline(s string, t *targets) string {
	if !strings.ContainsAny(s, "`_|\\") {
		return s
	}
	b := buffer{make([]byte, 0, len(s)+len(s)/8)}
	noLiteral, noText := false, false // noLiteral and noText are set when no closing quote follows, for literals and for other text.
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '`' && strings.HasPrefix(s[i:], "``") && !noLiteral:
			end := strings.Index(s[i+2:], "``")
			if end < 0 {
				noLiteral = true
				continue
			}
			end += i + 2
			for end+2 < len(s) && s[end+2] == '`' {
				end++
			}
			writeCode(&b, strings.Join(strings.Fields(s[i+2:end]), " "), s[i+2:end])
			i = end + 2
		case c == '`' && !noText && !strings.HasPrefix(s[i:], "``"):
			end := strings.IndexByte(s[i+1:], '`')
			if end < 0 {
				noText = true
				continue
			}
			end += i + 1
			i = interpreted(&b, s, "", i+1, end, t)
		case c == ':' && i+2 < len(s) && (i == 0 || !isWord(s, i)):
			role, start := roleAt(s, i)
			end := -1
			if start > 0 && !noText {
				end = strings.IndexByte(s[start:], '`')
			}
			if start < 0 || end < 0 {
				b.writeByte(c)
				i++
				continue
			}
			i = interpreted(&b, s, role, start, start+end, t)
		case c == '\\' && i+1 < len(s):
			if s[i+1] != ' ' && s[i+1] != '\n' {
				b.writeString(s[i : i+2])
			}
			i += 2
		case c == '|' && len(t.substitutions) > 0:
			if end := strings.IndexByte(s[i+1:min(len(s), i+100)], '|'); end > 0 {
				if text, known := t.substitutions[s[i+1:i+1+end]]; known {
					b.writeString(text)
					i += end + 2
					if i < len(s) && s[i] == '_' {
						i++
					}
					continue
				}
			}
			b.writeByte(c)
			i++
		case c == '_' && i > 0 && s[i-1] == ']' && (i+1 == len(s) || !isIdentRune(s[i+1:])): // The text is a reference to a footnote, as in [1]_.
			if open := bytes.LastIndexByte(b.bytes[max(0, len(b.bytes)-maxName):], '['); open >= 0 {
				if open += max(0, len(b.bytes)-maxName) + 1; b.bytes[open] == '#' && open+2 < len(b.bytes) { // A label has its number sign only in the source.
					b.bytes = slices.Delete(b.bytes, open, open+1)
				}
			}
			i++
		case c == '_' && i > 0 && len(t.links) > 0 && (i+1 == len(s) || !isIdentRune(s[i+1:])): // The text is a link by its name, as in name_.
			text := b.bytes
			start := len(text)
			for start > max(0, len(text)-maxName) && (isIdentByte(text[start-1]) || text[start-1] == '-' || text[start-1] == '.') {
				start--
			}
			name := string(text[start:])
			if url := t.links[strings.ToLower(name)]; url != "" {
				b.bytes = text[:start]
				b.writeString("[" + name + "](" + url + ")")
				i++
				continue
			}
			b.writeByte(c)
			i++
		default:
			b.writeByte(c)
			i++
		}
	}
	return string(b.bytes)
}

func isIdentByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func isIdentRune(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return r == '_' || r == '(' || r == '.' && len(s) > 1 && isIdentByte(s[1]) || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// isWord reports whether the byte before i is part of a word.
func isWord(s string, i int) bool { return isIdentByte(s[i-1]) || s[i-1] == ':' }

// roleAt returns the role that begins at a colon, and the index at which its text begins,
// or -1 if there is no role.
func roleAt(s string, i int) (role string, start int) {
	for j := i + 1; j < len(s) && j < i+40; j++ {
		switch c := s[j]; {
		case c == ':' && j+1 < len(s) && s[j+1] == '`' && j > i+1:
			return s[i+1 : j], j + 2
		case c == ':' || c == '-' || c == '+' || isIdentByte(c):
		default:
			return "", -1
		}
	}
	return "", -1
}

// writeCode writes a literal. It puts a literal that contains a backquote between two
// backquotes.
func writeCode(b *buffer, text, whole string) {
	if text == "" {
		b.writeString("``" + whole + "``")
		return
	}
	if strings.Contains(text, "`") {
		b.writeString("`` " + text + " ``")
		return
	}
	b.writeString("`" + text + "`")
}

// interpreted writes the text in backquotes between start and end, and reads the character after
// it, because an underscore makes the text a link. It returns the index of the rest.
func interpreted(b *buffer, s, role string, start, end int, t *targets) int {
	text := strings.Join(strings.Fields(s[start:end]), " ")
	next := end + 1
	target := ""
	title := text
	if open := strings.LastIndex(text, "<"); open >= 0 && strings.HasSuffix(text, ">") {
		title, target = strings.TrimSpace(text[:open]), text[open+1:len(text)-1]
	}
	if role == "" && next < len(s) && s[next] == '_' && (next+1 == len(s) || !isIdentByte(s[next+1]) || s[next+1] == '_') {
		for next < len(s) && s[next] == '_' {
			next++
		}
		if target == "" && next == end+3 && len(t.anonymous) > 0 {
			target, t.anonymous = t.anonymous[0], t.anonymous[1:]
			if !strings.Contains(target, "://") {
				target = ""
			}
		} else if target == "" {
			target = t.links[strings.ToLower(text)]
		} else if name, ok := strings.CutSuffix(target, "_"); ok {
			target = t.links[strings.ToLower(name)]
		}
		switch {
		case target == "":
			b.writeString(title)
		case title == "" || title == target:
			b.writeString("<" + target + ">")
		default:
			b.writeString("[" + title + "](" + target + ")")
		}
		return next
	}
	if role == "" && next < len(s) && s[next] == ':' { // The role may follow the text, as in `text`:role:.
		if r, after, ok := strings.Cut(s[next+1:min(len(s), next+30)], ":"); ok && r != "" && !strings.ContainsAny(r, " `\n") && (after == "" || !isIdentByte(after[0])) {
			role, next = r, next+len(r)+2
		}
	}
	switch {
	case role == "":
		shown := text
		if isReference(text) { // The text may be marked as a reference, as in ~.Axes.plot.
			shown = strings.TrimLeft(text, "~.")
		}
		writeCode(b, shown, text)
	case role == "pep" || role == "rfc":
		b.writeString(strings.ToUpper(role) + " " + title)
	case role == "math":
		b.writeString("$" + text + "$")
	case role == "issue" || role == "pr" || role == "gh" || role == "ticket" || role == "bpo":
		b.writeString("#" + strings.TrimPrefix(title, "#"))
	case plainRoles[role]:
		if title == "" || title == text && strings.HasPrefix(text, "/") {
			title = strings.TrimPrefix(text, "/")
		}
		b.writeString(strings.TrimLeft(title, "!~"))
	default:
		if title == text || title == "" { // The target is just a name.
			name := strings.TrimPrefix(title, "!")
			if rest, ok := strings.CutPrefix(name, "~"); ok {
				name = rest[strings.LastIndexByte(rest, '.')+1:]
			}
			title = withoutPrivate(strings.TrimLeft(name, "."))
		}
		writeCode(b, title, text)
	}
	return next
}

// withoutPrivate returns a name without the private module at its beginning, which users cannot
// import: "Session.execute" for "_orm.Session.execute".
func withoutPrivate(name string) string {
	module, rest, ok := strings.Cut(name, ".")
	if ok && strings.HasPrefix(module, "_") && !strings.HasPrefix(module, "__") && isDottedName(rest) {
		return rest
	}
	return name
}

// isReference reports whether text consists of the characters "~" and "." with which Sphinx
// shortens references, followed by the name of a declaration.
func isReference(text string) bool {
	name := strings.TrimLeft(text, "~.")
	if len(name) == len(text) || len(text)-len(name) > 2 || name == "" {
		return false
	}
	for i := range len(name) {
		if c := name[i]; !isIdentByte(c) && c != '.' {
			return false
		}
	}
	return name[0] < '0' || name[0] > '9'
}
