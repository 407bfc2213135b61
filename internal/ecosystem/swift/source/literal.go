package source

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// literal is a string literal that is being skipped.
type literal struct {
	hashes int
	multi  bool
	parens int // open parentheses of the interpolation that is being skipped
}

// maxLiterals is the maximum nesting of strings in interpolations.
const maxLiterals = 32

// opening reads the opening quotes of a literal at i, including hashes. end is
// the index after them.
func opening(text string, i int) (l literal, end int) {
	for i < len(text) && text[i] == '#' {
		l.hashes++
		i++
	}
	// #"""# is a raw string that contains one quote.
	if strings.HasPrefix(text[i:], `"""`) && (l.hashes == 0 || !closes(text, i+2, l.hashes)) {
		l.multi = true
		return l, i + 3
	}
	return l, i + 1
}

// closes reports whether the quote at i is followed by the given number of
// hashes.
func closes(text string, i, hashes int) bool {
	if len(text)-i-1 < hashes {
		return false
	}
	for j := range hashes {
		if text[i+1+j] != '#' {
			return false
		}
	}
	return true
}

// stringEnd returns the end of the string literal at i, which begins with a
// quote or hashes. An unclosed single-line literal extends to the end of the
// line, and an unclosed multiline literal to the end of the text.
func stringEnd(text string, i int) int {
	if text[i] == '"' && !strings.HasPrefix(text[i:], `"""`) {
		if end := plainEnd(text, i+1); end > 0 {
			return end
		}
	}
	return nestedEnd(text, i)
}

// plainEnd returns the end of a string literal on one line whose text begins at
// i, or 0 if it has an interpolation.
func plainEnd(text string, i int) int {
	for ; i < len(text); i++ {
		switch text[i] {
		case '"':
			return i + 1
		case '\n', '\r':
			return i
		case '\\':
			if i++; i < len(text) && (text[i] == '(' || text[i] == '\n' || text[i] == '\r') {
				return 0
			}
		}
	}
	return len(text)
}

// nestedEnd is like stringEnd, for literals of all kinds.
func nestedEnd(text string, i int) int {
	l, i := opening(text, i)
	var room [maxLiterals]literal
	stack := append(room[:0], l)
	inside := true // inside is true if i is in the text of the literal and not in an interpolation.
	for i < len(text) {
		l := &stack[len(stack)-1]
		c := text[i]
		if !inside {
			switch c {
			case '(':
				l.parens++
			case ')':
				if l.parens--; l.parens == 0 {
					inside = true
				}
			case '"', '#':
				j := i
				for j < len(text) && text[j] == '#' {
					j++
				}
				if j == len(text) || text[j] != '"' {
					i = max(j, i+1)
					continue
				}
				if len(stack) == maxLiterals {
					return lineEnd(text, i)
				}
				var inner literal
				inner, i = opening(text, i)
				stack = append(stack, inner)
				inside = true
				continue
			case '\n', '\r':
				if !l.multi && !anyMulti(stack) {
					return i
				}
			case '/':
				if i+1 < len(text) && text[i+1] == '*' {
					i = blockEnd(text, i)
					continue
				}
			}
			i++
			continue
		}
		switch c {
		case '"':
			if l.multi && !strings.HasPrefix(text[i:], `"""`) {
				break
			}
			quotes := 1
			if l.multi {
				quotes = 3
			}
			if !closes(text, i+quotes-1, l.hashes) {
				break
			}
			i += quotes + l.hashes
			stack = stack[:len(stack)-1]
			if len(stack) == 0 {
				return i
			}
			inside = false
			continue
		case '\\':
			if !closes(text, i, l.hashes) {
				break
			}
			i += 1 + l.hashes
			if i < len(text) && text[i] == '(' {
				inside = false
				l.parens = 1
				i++
			} else if i < len(text) && text[i] != '\n' && text[i] != '\r' {
				i++
			}
			continue
		case '\n', '\r':
			if !l.multi {
				// An unclosed inner literal ends with its line, and so do the
				// enclosing ones up to a multiline literal.
				for len(stack) > 0 && !stack[len(stack)-1].multi {
					stack = stack[:len(stack)-1]
				}
				if len(stack) == 0 {
					return i
				}
				inside = false
			}
		}
		i++
	}
	return len(text)
}

func anyMulti(stack []literal) bool {
	for _, l := range stack {
		if l.multi {
			return true
		}
	}
	return false
}

// Segment is a part of a string literal: text, or the expression of an
// interpolation.
type Segment struct {
	Text string
	// Expr is the text between \( and ).
	Expr string
}

// Segments splits a string literal, with its quotes, into text and
// interpolations. It resolves escapes and removes the indentation of a
// multiline literal.
func Segments(lit string) []Segment {
	l, i := opening(lit, 0)
	end := len(lit)
	quotes := 1
	if l.multi {
		quotes = 3
	}
	if end-quotes-l.hashes >= i && closes(lit, end-l.hashes-1, l.hashes) && lit[end-l.hashes-1] == '"' {
		end -= quotes + l.hashes
	}
	indent := ""
	if l.multi {
		if i < end && lit[i] == '\r' {
			i++
		}
		if i < end && lit[i] == '\n' {
			i++
		}
		if n := strings.LastIndexByte(lit[:end], '\n'); n >= i-1 && n >= 0 && strings.TrimLeft(lit[n:end], " \t\r\n") == "" {
			indent = lit[n+1 : end]
			end = max(n, i)
			if end > i && lit[end-1] == '\r' {
				end--
			}
		}
	}
	var all []Segment
	var b strings.Builder
	start := true // start is true if i is at the start of a line.
	for i < end {
		if start && indent != "" {
			i += len(commonPrefix(lit[i:end], indent))
			start = false
			continue
		}
		start = false
		c := lit[i]
		switch {
		case c == '\\' && closes(lit[:end], i, l.hashes):
			i += 1 + l.hashes
			if i < end && lit[i] == '(' {
				after := groupEnd(lit[:end], i)
				if b.Len() > 0 {
					all = append(all, Segment{Text: b.String()})
					b.Reset()
				}
				inner := strings.TrimSuffix(lit[i+1:after], ")")
				all = append(all, Segment{Expr: inner})
				i = after
				continue
			}
			i = escape(&b, lit[:end], i)
			start = i > 0 && lit[i-1] == '\n'
		case c == '\r' && l.multi && i+1 < end && lit[i+1] == '\n':
			i++
		default:
			b.WriteByte(c)
			start = c == '\n' && l.multi
			i++
		}
	}
	if b.Len() > 0 || len(all) == 0 {
		all = append(all, Segment{Text: b.String()})
	}
	return all
}

// Unquote returns the value of a string literal, and whether it has no
// interpolation.
func Unquote(lit string) (value string, ok bool) {
	all := Segments(lit)
	if len(all) != 1 || all[0].Expr != "" {
		return "", false
	}
	return all[0].Text, true
}

// escape writes the escaped character at i, after the backslash, and returns
// the offset after it.
func escape(b *strings.Builder, lit string, i int) int {
	if i >= len(lit) {
		return i
	}
	switch c := lit[i]; c {
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'r':
		b.WriteByte('\r')
	case '0':
		b.WriteByte(0)
	case 'u':
		if n := strings.IndexByte(lit[i:], '}'); n > 2 && lit[i+1] == '{' && n <= 12 {
			if v, err := strconv.ParseUint(lit[i+2:i+n], 16, 32); err == nil && v <= utf8.MaxRune {
				b.WriteRune(rune(v))
				return i + n + 1
			}
		}
		b.WriteByte('u')
	case ' ', '\t', '\r', '\n':
		// A backslash at the end of a line joins it with the next line.
		if j := i + len(lit[i:]) - len(strings.TrimLeft(lit[i:], " \t\r")); j < len(lit) && lit[j] == '\n' {
			return j + 1
		}
		b.WriteByte(c)
	default:
		b.WriteByte(c)
	}
	return i + 1
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return a[:n]
}
