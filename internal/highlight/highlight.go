// Package highlight finds the comments, strings, numbers and keywords of source code, for
// display. It does not know any language itself; a Lexis describes the words of a
// language. Code that cannot be classified without parsing, such as a regular expression,
// remains plain.
package highlight

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Class is the kind of a piece of code.
type Class uint8

// These are the classes of pieces.
const (
	Plain Class = iota
	Comment
	String
	Number
	Keyword
)

// Lexis describes the words of a language.
type Lexis struct {
	// Keywords are the language's keywords.
	Keywords map[string]bool
	// LineComment begins a comment that ends with the line. It is empty if the language has no such
	// comments.
	LineComment string
	// BlockComments is true if /* begins a comment that ends with */.
	BlockComments bool
	// TripleQuotes is true if three quotes begin a string that ends with three quotes.
	TripleQuotes bool
	// Lifetimes is true if a quote can also begin a name, such as 'a.
	Lifetimes bool
}

// Each yields the pieces of code in order; together they are the code. A piece that spans
// several lines is one piece.
func Each(code string, lexis *Lexis) func(yield func(Class, string) bool) {
	return func(yield func(Class, string) bool) {
		plain := 0 // plain is the beginning of the plain text that has not been yielded yet.
		for i := 0; i < len(code); {
			class, end := piece(code, i, lexis)
			if class == Plain {
				i = end
				continue
			}
			if plain < i && !yield(Plain, code[plain:i]) || !yield(class, code[i:end]) {
				return
			}
			i, plain = end, end
		}
		if plain < len(code) {
			yield(Plain, code[plain:])
		}
	}
}

// piece returns the class of the piece that begins at i, and its end.
func piece(code string, i int, lexis *Lexis) (Class, int) {
	rest := code[i:]
	switch c := rest[0]; {
	case lexis.LineComment != "" && strings.HasPrefix(rest, lexis.LineComment):
		return Comment, i + until(rest, "\n")
	case lexis.BlockComments && strings.HasPrefix(rest, "/*"):
		return Comment, i + 2 + past(rest[2:], "*/")
	case c == '"' || c == '\'' || c == '`':
		return quoted(code, i, lexis)
	case isDigit(c):
		end := i + 1
		for end < len(code) {
			r, size := utf8.DecodeRuneInString(code[end:])
			if !isWord(r) && (r != '.' || end+1 == len(code) || !isDigit(code[end+1])) {
				break
			}
			end += size
		}
		return Number, end
	}
	r, size := utf8.DecodeRuneInString(rest)
	if !isWord(r) {
		return Plain, i + size
	}
	end := i + strings.IndexFunc(rest, func(r rune) bool { return !isWord(r) })
	if end < i {
		end = len(code)
	}
	if lexis.Keywords[code[i:end]] && (i == 0 || code[i-1] != '.') {
		return Keyword, end
	}
	return Plain, end
}

// quoted returns the class of the piece that begins with a quotation mark, and its end. A
// string that is not closed on its line is plain.
func quoted(code string, i int, lexis *Lexis) (Class, int) {
	rest, mark := code[i:], code[i:i+1]
	if triple := mark + mark + mark; lexis.TripleQuotes && strings.HasPrefix(rest, triple) {
		return String, i + 3 + past(rest[3:], triple)
	}
	if mark == "'" && lexis.Lifetimes {
		r, size := utf8.DecodeRuneInString(rest[1:])
		if isWord(r) && !strings.HasPrefix(rest[1+size:], "'") {
			return Plain, i + 1
		}
	}
	for k := 1; k < len(rest); k++ {
		switch {
		case rest[k] == mark[0]:
			return String, i + k + 1
		case rest[k] == '\\' && mark != "`":
			k++
		case rest[k] == '\n' && mark != "`":
			return Plain, i + 1
		}
	}
	return Plain, i + 1
}

// until returns the index of end in s, and past returns the index after it. Both return
// the length of s if s does not contain end.
func until(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i
	}
	return len(s)
}

func past(s, end string) int { return min(until(s, end)+len(end), len(s)) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWord(r rune) bool {
	return r == '_' || r == '$' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// Words returns the set of the words in text, for Lexis.Keywords.
func Words(text string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		words[word] = true
	}
	return words
}
