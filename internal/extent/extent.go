// Package extent finds where a declaration ends in source code. It does not parse the language, so
// it never fails. It uses only brackets, indentation, strings, comments and the words of the
// language. If these are not sufficient to find the end, the result can be a few lines off.
package extent

import (
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/highlight"
)

// Rules describe how declarations of a language end.
type Rules struct {
	// Indented is true if blocks are delimited by indentation instead of brackets.
	Indented bool
	// Newline is true if a declaration can end with a line, without a semicolon.
	Newline bool
	// Comma is true if a comma at the end of a line ends the declaration of a member.
	Comma bool
}

// Last returns the last line of the declaration that begins on a line of code. Lines count
// from 1. The result is between the line and the last line of code.
func Last(code string, line int, lexis *highlight.Lexis, rules Rules) int {
	lines := scan(code, lexis)
	first := min(max(line, 1), len(lines)) - 1
	var last int
	if rules.Indented {
		last = indented(lines, first)
	} else {
		last = bracketed(lines, first, rules)
	}
	for last > first && lines[last].blank() {
		last--
	}
	return last + 1
}

// scanned is a line of code without its comments and the contents of its strings.
type scanned struct {
	// code is the text with spaces for comments, and quotation marks for strings.
	code string
	// inside is true if the line begins within a string or a comment.
	inside bool
	// comment is true if there is a comment on the line.
	comment bool
}

func (l *scanned) blank() bool { return strings.TrimSpace(l.code) == "" && !l.comment && !l.inside }

// indent returns the width of the white space at the beginning.
func (l *scanned) indent() int {
	width := 0
	for _, c := range []byte(l.code) {
		switch c {
		case ' ':
			width++
		case '\t':
			width += 8 - width%8
		default:
			return width
		}
	}
	return width
}

// scan returns the lines of code.
func scan(code string, lexis *highlight.Lexis) []scanned {
	lines := []scanned{{}}
	var text strings.Builder
	for class, piece := range highlight.Each(code, lexis) {
		opaque := class == highlight.Comment || class == highlight.String
		for i, part := range strings.Split(piece, "\n") {
			if i > 0 {
				lines[len(lines)-1].code = text.String()
				text.Reset()
				lines = append(lines, scanned{inside: opaque})
			}
			switch class {
			case highlight.Comment:
				lines[len(lines)-1].comment = lines[len(lines)-1].comment || part != ""
				text.WriteByte(' ')
			case highlight.String:
				text.WriteString(`"`)
			default:
				text.WriteString(part)
			}
		}
	}
	lines[len(lines)-1].code = text.String()
	return lines
}

// indented returns the last line of a declaration whose block is delimited by
// indentation.
func indented(lines []scanned, first int) int {
	position, depth := first, 0
	head := func() {
		for ; position < len(lines); position++ {
			code := strings.TrimRight(lines[position].code, " \t\r")
			depth += balance(code)
			if depth <= 0 && !strings.HasSuffix(code, `\`) && !(position+1 < len(lines) && lines[position+1].inside) {
				return
			}
		}
		position = len(lines) - 1
	}
	head()
	for strings.HasPrefix(strings.TrimSpace(lines[first].code), "@") && position+1 < len(lines) { // Skip decorators.
		first, depth = position+1, 0
		position = first
		head()
	}
	if !strings.HasSuffix(strings.TrimRight(lines[position].code, " \t\r"), ":") {
		return position
	}
	last := position
	for i := position + 1; i < len(lines); i++ {
		l := &lines[i]
		if l.inside || depth > 0 {
			depth, last = max(depth+balance(l.code), 0), i
			continue
		}
		if strings.TrimSpace(l.code) == "" {
			continue
		}
		if l.indent() <= lines[first].indent() {
			break
		}
		depth, last = max(depth+balance(l.code), 0), i
	}
	return last
}

// balance returns how many more brackets a line opens than it closes.
func balance(code string) (n int) {
	for _, c := range []byte(code) {
		switch c {
		case '(', '[', '{':
			n++
		case ')', ']', '}':
			n--
		}
	}
	return n
}

// bracketed returns the last line of a declaration whose block is delimited by brackets.
func bracketed(lines []scanned, first int, rules Rules) int {
	depth, angles := 0, 0
	where := false // where is true if a comma can separate constraints.
	for i := first; i < len(lines); i++ {
		code := lines[i].code
		where = where || hasWord(code, "where") || hasWord(code, "implements") || hasWord(code, "extends")
		for k := range len(code) {
			switch c := code[k]; c {
			case '(', '[', '{':
				depth++
			case ')', ']', '}':
				if depth == 0 { // This is the end of the enclosing block.
					return max(i-1, first)
				}
				depth--
				if c == '}' && depth == 0 && ends(code[k+1:]) && !goesOn(lines, i) {
					return i
				}
			case '<':
				angles++
			case '>':
				if k > 0 && code[k-1] != '-' && code[k-1] != '=' {
					angles = max(angles-1, 0)
				}
			case ';':
				if depth == 0 {
					return i
				}
			}
		}
		if depth > 0 || i+1 < len(lines) && lines[i+1].inside {
			continue
		}
		text := strings.TrimSpace(code)
		switch {
		case text == "" || strings.HasPrefix(text, "@") && attribute(text):
		case strings.HasSuffix(text, ","):
			if rules.Comma && angles == 0 && !where {
				return i
			}
		case rules.Newline && !strings.ContainsRune("=(&|+-*:<.?\\", rune(text[len(text)-1])) && !strings.HasSuffix(text, "=>") && !strings.HasSuffix(text, "->") && !goesOn(lines, i):
			return i
		}
	}
	return len(lines) - 1
}

// ends reports whether rest, the text after a closing bracket on its line, ends the
// declaration.
func ends(rest string) bool {
	rest = strings.TrimSpace(rest)
	return rest == "" || rest[0] == ';' || rest[0] == ',' || rest[0] == ')' || rest[0] == '}'
}

// attribute reports whether a line that begins with an attribute contains nothing else.
func attribute(text string) bool {
	return strings.HasSuffix(text, ")") && !strings.Contains(text, ") ") || !strings.ContainsAny(text, " \t(")
}

// goesOn reports whether the next line with code continues a declaration.
func goesOn(lines []scanned, i int) bool {
	for i++; i < len(lines); i++ {
		text := strings.TrimSpace(lines[i].code)
		if text == "" {
			if !lines[i].comment {
				return false
			}
			continue
		}
		if strings.HasPrefix(text, "->") || strings.HasPrefix(text, "=>") || strings.ContainsRune("{|&.?:=", rune(text[0])) {
			return true
		}
		word, _, _ := strings.Cut(text, " ")
		return word == "where" || word == "throws" || word == "async" || word == "extends" || word == "implements"
	}
	return false
}

// hasWord reports whether code contains a word.
func hasWord(code, word string) bool {
	for rest := code; ; {
		before, after, found := strings.Cut(rest, word)
		if !found {
			return false
		}
		if !endsInWord(before) && (after == "" || !isWord(rune(after[0]))) {
			return true
		}
		rest = after
	}
}

func endsInWord(s string) bool { return s != "" && isWord(rune(s[len(s)-1])) }

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
