package source

import (
	"iter"
	"strings"
)

// PrintType lays a type out as symbol graphs do: [String : Int], (A) -> B, and
// the names of function types' parameters left out.
func PrintType(text string) string {
	if plain(text) {
		return text
	}
	var w printer
	w.typ(text)
	return w.b.String()
}

// plain reports whether a text is one name.
func plain(text string) bool {
	for i := range len(text) {
		if class[text[i]]&isIdent == 0 && text[i] != '.' {
			return false
		}
	}
	return true
}

// compositions yields the parts of a bound: A and B of A & B.
func compositions(bound string) iter.Seq[string] {
	return func(yield func(string) bool) {
		depth, start := 0, 0
		for i := range len(bound) {
			switch bound[i] {
			case '(', '[', '<', '{':
				depth++
			case ')', ']', '}':
				depth--
			case '>':
				if i == 0 || bound[i-1] != '-' {
					depth--
				}
			case '&':
				if depth == 0 {
					if !yield(strings.TrimSpace(bound[start:i])) {
						return
					}
					start = i + 1
				}
			}
		}
		yield(strings.TrimSpace(bound[start:]))
	}
}

// typ prints a type. The words __owned and _const are left out.
func (w *printer) typ(text string) {
	if plain(text) {
		w.b.WriteString(text)
		return
	}
	w.tokens(text)
}

// tokens prints a text with the white space of the compiler's printer.
func (w *printer) tokens(text string) {
	s := Scanner{Text: text}
	var last Token
	generic := 0 // open angle brackets
	square := 0
	for t := s.Next(); t.Kind != EOF; t = s.Next() {
		of := s.Of(t)
		if t.Kind == Ident && (of == "__owned" || of == "_const") {
			continue
		}
		if last.Kind != EOF && spaceBetween(text, last, t, square > 0) {
			w.b.WriteByte(' ')
		}
		switch {
		case t.Kind == Oper && of[0] == '<':
			generic++
		case t.Kind == Punct && of == "[":
			square++
		case t.Kind == Punct && of == "]":
			square--
		}
		w.b.WriteString(of)
		last = t
	}
}

func spaceBetween(text string, a, b Token, square bool) bool {
	before, after := text[a.End-1], b.Byte
	switch after {
	case ',', ')', ']', '.', ';':
		return false
	case ':':
		return square && b.Kind == Punct
	case '(':
		if a.Kind == Ident {
			word := text[a.Start:a.End]
			return b.Space || word == "any" || word == "some"
		}
	}
	switch before {
	case '(', '[', '.', '@', '~':
		return false
	case ',':
		return true
	case ':':
		return true
	}
	return b.Space
}
