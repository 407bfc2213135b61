package source

import (
	"iter"
	"slices"
	"strings"
)

// PrintType returns a type in the form used by symbol graphs, such as [String :
// Int] or (A) -> B. It omits the names of parameters in function types.
func PrintType(text string) string {
	if plain(text) {
		return text
	}
	var w printer
	w.typ(text)
	return w.b.String()
}

// plain reports whether text is a single name.
func plain(text string) bool {
	for i := range len(text) {
		if class[text[i]]&isIdent == 0 && text[i] != '.' {
			return false
		}
	}
	return true
}

// compositions yields the parts of a bound, such as A and B in A & B.
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

// typ prints a type. It omits the keywords __owned and _const, and Any where it
// is redundant, as in Any & P.
func (w *printer) typ(text string) {
	if plain(text) {
		w.b.WriteString(text)
		return
	}
	w.tokens(text, true)
}

// paramType prints the type of a parameter. Like the compiler, it sorts the
// parts of a composition, as in some P & Q, by name, with protocols of the standard library last.
func (w *printer) paramType(text string) {
	rest, ok := strings.CutPrefix(text, "some ")
	if !ok || !strings.Contains(rest, "&") || strings.Contains(rest, "->") {
		w.typ(text)
		return
	}
	if t, ok := strings.CutPrefix(rest, "("); ok && strings.HasSuffix(t, ")") && groupEnd(rest, 0) == len(rest) {
		rest = t[:len(t)-1]
	}
	parts := slices.SortedStableFunc(compositions(rest), compareBounds)
	w.b.WriteString("some ")
	for i, part := range parts {
		if i > 0 {
			w.b.WriteString(" & ")
		}
		w.typ(part)
	}
}

// expression prints an expression on one line. It does not change anything else.
func (w *printer) expression(text string) {
	if strings.ContainsAny(text, "\r\n") || strings.Contains(text, "/*") {
		w.tokens(text, false)
		return
	}
	w.b.WriteString(text)
}

// tokens prints text on one line without comments. The white space in a type is the same as in the
// compiler's output.
func (w *printer) tokens(text string, isType bool) {
	s := Scanner{Text: text}
	var last Token
	var room [16]byte
	open := room[:0] // open contains the open brackets.
	for t := s.Next(); t.Kind != EOF; t = s.Next() {
		word := s.TokenText(t)
		if isType && t.Kind == Ident && (word == "__owned" || word == "_const" || word == "Any" && s.composition()) {
			continue
		}
		if last.Kind != EOF && spaceBetween(text, last, t, isType, len(open) > 0 && open[len(open)-1] == '[') {
			w.b.WriteByte(' ')
		}
		if t.Kind == Punct {
			switch t.Byte {
			case '(', '[':
				open = append(open, t.Byte)
			case ')', ']':
				open = open[:max(0, len(open)-1)]
			}
		}
		w.b.WriteString(word)
		last = t
	}
}

// composition skips the next token if it is an &. It reports whether it is.
func (s *Scanner) composition() bool {
	before := *s
	if t := s.Next(); t.Kind == Oper && s.TokenText(t) == "&" {
		return true
	}
	*s = before
	return false
}

// spaceBetween reports whether a space is printed between two tokens. square is
// true within square brackets, where a colon belongs to a dictionary type.
func spaceBetween(text string, a, b Token, isType, square bool) bool {
	if !isType {
		return b.Space && b.Byte != ')' && b.Byte != ',' && text[a.Start] != '('
	}
	switch b.Byte {
	case ',', ')', ']', '.', ';':
		return false
	case ':':
		return square
	case '(':
		if a.Kind == Ident {
			word := text[a.Start:a.End]
			return b.Space || word == "any" || word == "some"
		}
	}
	switch text[a.End-1] {
	case '(', '[', '.', '@', '~':
		return false
	case ',', ':':
		return true
	}
	return b.Space
}
