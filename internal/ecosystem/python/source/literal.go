package source

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Unquote returns the value of a string literal, or of several adjacent ones.
// It fails for bytes and f-strings.
func Unquote(s string) (value string, ok bool) {
	c := scanner{s: s}
	var b strings.Builder
	found := false
	for i := 0; i < len(s); {
		switch {
		case isSpace(s[i]) || s[i] == '\n':
			i++
			continue
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '\r'):
			i += 2
			continue
		case s[i] == '#':
			k := strings.IndexByte(s[i:], '\n')
			if k < 0 {
				return b.String(), found
			}
			i += k
			continue
		}
		quote := stringPrefix(s[i:])
		if quote < 0 {
			return "", false
		}
		raw := strings.ContainsAny(s[i:i+quote], "rR")
		end, closed := c.plainEnd(i + quote)
		if !closed {
			return "", false
		}
		size := 1
		if strings.HasPrefix(s[i+quote:], `"""`) && end-i-quote >= 6 || strings.HasPrefix(s[i+quote:], `'''`) && end-i-quote >= 6 {
			size = 3
		}
		if body := s[i+quote+size : end-size]; raw || strings.IndexByte(body, '\\') < 0 {
			body = strings.ReplaceAll(body, "\r\n", "\n")
			if !found && end == len(s) {
				return body, true
			}
			b.WriteString(body)
		} else {
			unescape(&b, body)
		}
		found = true
		i = end
	}
	return b.String(), found
}

// unescape writes the value of the body of a string literal.
func unescape(b *strings.Builder, s string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			continue
		}
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch e := s[i]; e {
		case '\n':
		case '\r':
			if i+1 < len(s) && s[i+1] == '\n' {
				i++
			}
		case '\\', '\'', '"':
			b.WriteByte(e)
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'a':
			b.WriteByte('\a')
		case 'b':
			b.WriteByte('\b')
		case 'f':
			b.WriteByte('\f')
		case 'v':
			b.WriteByte('\v')
		case '0', '1', '2', '3', '4', '5', '6', '7':
			n := 1
			for n < 3 && i+n < len(s) && s[i+n] >= '0' && s[i+n] <= '7' {
				n++
			}
			v, _ := strconv.ParseUint(s[i:i+n], 8, 32)
			b.WriteRune(rune(v))
			i += n - 1
		case 'x', 'u', 'U':
			n := map[byte]int{'x': 2, 'u': 4, 'U': 8}[e]
			if i+n >= len(s) {
				n = len(s) - i - 1
			}
			v, err := strconv.ParseUint(s[i+1:i+1+n], 16, 32)
			if err != nil || v > utf8.MaxRune {
				b.WriteByte('\\')
				b.WriteByte(e)
				continue
			}
			b.WriteRune(rune(v))
			i += n
		case 'N':
			if end := strings.IndexByte(s[i:], '}'); i+1 < len(s) && s[i+1] == '{' && end > 0 {
				b.WriteString(named(s[i+2 : i+end]))
				i += end
				continue
			}
			b.WriteString(`\N`)
		default:
			b.WriteByte('\\')
			b.WriteByte(e)
		}
	}
}

// named returns the character with a Unicode name. It supports only the few names that are used in
// documentation, and returns other names unchanged.
func named(name string) string {
	switch strings.ToUpper(name) {
	case "EM DASH":
		return "—"
	case "EN DASH":
		return "–"
	case "BULLET":
		return "•"
	case "DEGREE SIGN":
		return "°"
	case "MICRO SIGN":
		return "µ"
	case "HORIZONTAL ELLIPSIS":
		return "…"
	case "RIGHT SINGLE QUOTATION MARK":
		return "’"
	case "LEFT SINGLE QUOTATION MARK":
		return "‘"
	}
	return "{" + name + "}"
}

// Flat returns an expression on one line. It removes comments, and the white
// space at line breaks within brackets.
func Flat(s string) string {
	if strings.IndexByte(s, '\n') < 0 && strings.IndexByte(s, '#') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	c := scanner{s: s}
	var last byte
	for i := 0; i < len(s); {
		switch {
		case s[i] == '#':
			k := strings.IndexByte(s[i:], '\n')
			if k < 0 {
				k = len(s) - i
			}
			i += k
		case s[i] == '"' || s[i] == '\'':
			end, _ := c.stringEnd(i)
			b.WriteString(s[i:end])
			last = s[i]
			i = end
		case isSpace(s[i]) || s[i] == '\n' || s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '\r'):
			broken := false
			for i < len(s) && (isSpace(s[i]) || s[i] == '\n' || s[i] == '\\' || s[i] == '#') {
				broken = broken || s[i] == '\n'
				if s[i] == '#' {
					k := strings.IndexByte(s[i:], '\n')
					if k < 0 {
						k = len(s) - i
					}
					i += k - 1
				}
				i++
			}
			if i >= len(s) || b.Len() == 0 {
				continue
			}
			closing := s[i] == ')' || s[i] == ']' || s[i] == '}'
			if broken && (last == '(' || last == '[' || last == '{' || closing || s[i] == '.') {
				continue
			}
			b.WriteByte(' ')
			last = ' '
		default:
			b.WriteByte(s[i])
			last = s[i]
			i++
		}
	}
	return strings.TrimSpace(b.String())
}

// format splits an f-string that consists of one literal and contains only plain
// expressions. It returns the strings and the trees of the expressions. ok is false for
// all others.
func format(literal string) (parts []*Tree, ok bool) {
	quote := strings.IndexAny(literal, `"'`)
	if quote != 1 || literal[0] != 'f' || strings.HasPrefix(literal[1:], `"""`) || strings.HasPrefix(literal[1:], "'''") {
		return nil, false
	}
	body, closed := strings.CutSuffix(literal[quote+1:], literal[quote:quote+1])
	if !closed || strings.ContainsAny(body, `\"'`) || strings.Contains(body, "{{") || strings.Contains(body, "}}") {
		return nil, false
	}
	for body != "" {
		text, rest, found := strings.Cut(body, "{")
		if text != "" {
			parts = append(parts, &Tree{Kind: String, Text: text, Name: text})
		}
		if !found {
			return parts, true
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed || strings.ContainsAny(inner, ":!={") {
			return nil, false
		}
		parts = append(parts, Parse(inner))
		body = after
	}
	return parts, true
}
