package source

import (
	"strconv"
	"strings"
)

// Meta is the content of an attribute, which has the form path, path(args) or path = value.
type Meta struct {
	Path  string
	Args  string // contents of the brackets
	Value string // the expression after the equals sign
	// HasArgs distinguishes path() from path.
	HasArgs bool
}

// ParseMeta reads the content of an attribute.
func ParseMeta(text string) Meta {
	s := Scanner{Text: text}
	var m Meta
	for {
		t := s.Next()
		switch {
		case t.Kind == Ident, t.Kind == Punct && t.Byte == ':':
			if t.Kind == Ident && m.Path != "" && !strings.HasSuffix(m.Path, ":") {
				return m
			}
			if m.Path == "" && t.Kind == Ident && s.at(s.Pos) != ':' {
				m.Path = text[t.Start:t.End] // This is the common case, which needs no copy.
			} else {
				m.Path += text[t.Start:t.End]
			}
		case t.Kind == Literal && m.Path == "": // The item is a literal in a list.
			m.Path = text[t.Start:t.End]
		case t.Kind == Punct && t.Byte == '=':
			m.Value = strings.TrimSpace(text[t.End:])
			return m
		case t.Kind == Punct && (t.Byte == '(' || t.Byte == '[' || t.Byte == '{'):
			end := skip(text, t.Start)
			m.HasArgs = true
			m.Args = strings.TrimSpace(text[t.End:max(t.End, end-1)])
			return m
		default:
			return m
		}
	}
}

// Unquote returns the value of a string literal, and whether literal is a string literal.
func Unquote(literal string) (string, bool) {
	s := strings.Trim(literal, " \t\r\n\x01\x02")
	if len(s) > 1 && (s[0] == 'c' || s[0] == 'b') {
		s = s[1:]
	}
	if strings.HasPrefix(s, "r") {
		inner := strings.TrimLeft(s[1:], "#")
		hashes := len(s) - 1 - len(inner)
		if len(inner) < 2+hashes || inner[0] != '"' {
			return "", false
		}
		return inner[1 : len(inner)-1-hashes], true
	}
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return "", false
	}
	s = s[1 : len(s)-1]
	if !strings.Contains(s, `\`) {
		return s, true
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case '0':
			b.WriteByte(0)
		case '\n', '\r': // A backslash continues the line.
			for i+1 < len(s) && strings.IndexByte(" \t\r\n", s[i+1]) >= 0 {
				i++
			}
		case 'x':
			if i+2 < len(s) {
				if n, err := strconv.ParseUint(s[i+1:i+3], 16, 7); err == nil {
					b.WriteByte(byte(n))
				}
				i += 2
			}
		case 'u':
			if end := strings.IndexByte(s[i:min(len(s), i+16)], '}'); end > 2 {
				if n, err := strconv.ParseUint(strings.ReplaceAll(s[i+2:i+end], "_", ""), 16, 32); err == nil {
					b.WriteRune(rune(n))
				}
				i += end
			}
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), true
}

// CommentText returns the text of a doc comment, without its delimiters.
func CommentText(comment string) string {
	if strings.HasPrefix(comment, "//") {
		return strings.TrimSuffix(comment[3:], "\r")
	}
	text := strings.TrimSuffix(comment[3:], "*/")
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	// The first and the last line may be empty except for stars.
	if strings.Trim(lines[0], "* \t") == "" {
		lines = lines[1:]
	}
	if n := len(lines); n > 0 && strings.Trim(lines[n-1], "* \t") == "" {
		lines = lines[:n-1]
	}
	// A column of stars is not part of the text. Empty lines at the beginning and end, and
	// the line with the opening delimiter, need not begin with a star.
	from, to := 0, len(lines)
	if to > 0 && !strings.HasPrefix(strings.TrimLeft(lines[0], " \t"), "*") {
		from = 1
	}
	for from < to && strings.TrimSpace(lines[from]) == "" {
		from++
	}
	for to > from && strings.TrimSpace(lines[to-1]) == "" {
		to--
	}
	column := -1
	for _, l := range lines[from:to] {
		star := strings.IndexByte(l, '*')
		if star < 0 || strings.TrimLeft(l[:star], " \t") != "" || column >= 0 && star != column {
			column = -1
			break
		}
		column = star
	}
	if column >= 0 {
		for i := from; i < to; i++ {
			lines[i] = lines[i][column+1:]
		}
	}
	return strings.Join(lines, "\n")
}
