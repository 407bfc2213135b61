package source

import "strings"

// spaced reports whether a keyword may precede a type instead of being the name of one.
func spaced(word string) bool {
	switch word {
	case "mut", "const", "dyn", "impl", "as", "for", "where", "unsafe", "in", "ref", "move", "async", "extern":
		return true
	}
	return false
}

// Format returns a type, bounds or a list of them with the spaces that rustfmt
// writes, without comments and trailing commas. A path that begins within the
// crate (crate::, self::, super::) is written as its last name.
func Format(text string) string {
	var b strings.Builder
	b.Grow(len(text))
	s := Scanner{Text: text}
	var before Token // before is the token that was written last.
	word := ""       // word is the text of that token if it is an identifier.
	commas := make([]int, 0, 16)
	called := make([]bool, 0, 16) // called contains, for each open bracket, whether it opens arguments.
	for t := s.Next(); t.Kind != EOF; t = s.Next() {
		if t.Kind == DocInner || t.Kind == DocOuter {
			continue
		}
		raw := text[t.Start:t.End]
		if t.Kind == Punct && t.Byte == '#' { // Skip an attribute.
			if pos := s.Pos; s.at(pos) == '[' {
				s.Pos = skip(text, pos)
				continue
			}
		}
		if t.Kind == Ident && !(before.Kind == Punct && before.Byte == ':' && strings.HasSuffix(b.String(), "::")) {
			if rest, ok := local(text, t); ok {
				s.Pos = rest
				t = s.Next()
				raw = text[t.Start:t.End]
			}
		}
		if t.Kind == Ident {
			raw = strings.TrimPrefix(raw, "r#")
		}
		if t.Kind == Punct {
			switch t.Byte {
			case ':':
				// A::<T> is A<T> in a type.
				ahead := Scanner{Text: text, Pos: s.Pos}
				if second, third := ahead.Next(), ahead.Next(); before.Kind == Ident && second.Kind == Punct && second.Byte == ':' && second.Start == t.End && third.Kind == Punct && third.Byte == '<' {
					s.Pos = second.End
					continue
				}
			case ',':
				// The trailing comma is kept in a tuple of one element.
				next := (&Scanner{Text: text, Pos: s.Pos}).Next()
				if n := len(commas); n > 0 {
					commas[n-1]++
				}
				if next.Kind == EOF || next.Kind == Punct && (next.Byte == ')' || next.Byte == ']' || next.Byte == '>' || next.Byte == '}') {
					n := len(commas)
					if next.Kind == EOF || next.Byte != ')' || n == 0 || commas[n-1] != 1 || called[n-1] {
						continue
					}
				}
			case '(', '[', '{':
				commas = append(commas, 0)
				called = append(called, t.Byte == '(' && (before.Kind == Ident && !spaced(word) || before.Kind == Punct && before.Byte == '>' && !strings.HasSuffix(b.String(), "->")))
			case ')', ']', '}':
				if n := len(commas); n > 0 {
					commas, called = commas[:n-1], called[:n-1]
				}
			case '<':
				if next := (&Scanner{Text: text, Pos: s.Pos}).Next(); next.Kind == Punct && next.Byte == '>' {
					s.Pos = next.End // The path has no arguments.
					continue
				}
				commas = append(commas, 0)
				called = append(called, true)
			case '>':
				if n := len(commas); n > 0 && !(before.Kind == Punct && (before.Byte == '-' || before.Byte == '=') && before.End == t.Start) {
					commas, called = commas[:n-1], called[:n-1]
				}
			}
		}
		if space(b.String(), before, word, t) {
			b.WriteByte(' ')
		}
		if t.Kind == Ident && strings.HasPrefix(raw, CrateMark) {
			raw = "$crate"
		}
		b.WriteString(raw)
		before = t
		word = ""
		if t.Kind == Ident {
			word = raw
		}
	}
	return b.String()
}

// local reports whether a path that begins with t begins within the crate, and returns the position
// at which its last name begins.
func local(text string, t Token) (last int, ok bool) {
	switch w := text[t.Start:t.End]; {
	case w == "crate", w == "self", w == "super", strings.HasPrefix(w, CrateMark):
	default:
		return 0, false
	}
	s := Scanner{Text: text, Pos: t.End}
	for {
		a, b, c := s.Next(), s.Next(), s.Next()
		if a.Kind != Punct || a.Byte != ':' || b.Kind != Punct || b.Byte != ':' || c.Kind != Ident {
			return last, ok
		}
		last, ok = c.Start, true
		s.Pos = c.End
	}
}

// space reports whether a space belongs between two tokens.
func space(written string, a Token, word string, b Token) bool {
	if a.Kind == EOF {
		return false
	}
	if b.Kind == Punct {
		switch b.Byte {
		case '.':
			return a.Kind == Punct && a.Byte == ','
		case ',', ';', ')', ']', '>', '?', '!':
			if b.Byte == '>' && a.Kind == Punct && (a.Byte == '-' || a.Byte == '=') && a.End == b.Start {
				return false
			}
			if b.Byte == '!' || b.Byte == '?' {
				return spaceAfter(written, a) && !(a.Kind == Ident)
			}
			return false
		case ':':
			// No space precedes the colons within a path.
			return false
		case '<':
			if a.Kind == Ident {
				return spaced(word) && word != "for" && word != "impl"
			}
			return spaceAfter(written, a)
		case '(', '[':
			if a.Kind == Ident {
				return spaced(word)
			}
			if a.Kind == Punct && a.Byte == '>' && b.Byte == '(' {
				return strings.HasSuffix(written, "->")
			}
			return spaceAfter(written, a)
		case '=', '+', '{', '|', '}', '%':
			return !(a.Kind == Punct && a.End == b.Start && (a.Byte == '=' || a.Byte == '.' || a.Byte == '<' || a.Byte == '|'))
		case '-':
			if a.Kind == Punct && (a.Byte == '=' || a.Byte == '{' || a.Byte == ',') {
				return true
			}
			return a.Kind != Punct || a.Byte == ')' || a.Byte == '>' || a.Byte == ']'
		case '*', '/':
			return a.Kind != Punct && !spaced(word) || spaceAfter(written, a)
		}
		return spaceAfter(written, a)
	}
	return spaceAfter(written, a)
}

// spaceAfter reports whether a space belongs between a token and a following
// word.
func spaceAfter(written string, a Token) bool {
	if a.Kind != Punct {
		return true
	}
	switch a.Byte {
	case '<', '(', '[', '&', '*', '!', '?', '.', '#', '$', '~':
		return false
	case ':':
		return !strings.HasSuffix(written, "::")
	case '-':
		return false
	}
	return true
}

// Split splits a list at commas that are not within brackets. It omits parts that are empty or only consist of comments.
func Split(text string) []string {
	var parts []string
	s := Scanner{Text: text}
	depth, start := 0, 0
	var before Token
	end := 0 // of the last token
	add := func(to int) {
		if end > start {
			parts = append(parts, strings.TrimSpace(text[start:to]))
		}
	}
	for t := s.Next(); t.Kind != EOF; t = s.Next() {
		if t.Kind != Punct || t.Byte != ',' {
			end = t.End
		}
		if t.Kind == Punct {
			switch t.Byte {
			case '(', '[', '{':
				s.Pos = skip(text, t.Start)
				before = Token{}
				continue
			case '<':
				depth++
			case '>':
				if !arrow(before, t) {
					depth--
				}
			case ',':
				if depth <= 0 {
					add(t.Start)
					start = t.End
				}
			}
		}
		before = t
	}
	add(len(text))
	return parts
}

// Cut splits text at the first occurrence of separator that is not within brackets. A colon that is
// part of :: does not count. found is false if there is none.
func Cut(text string, separator byte) (before, after string, found bool) {
	s := Scanner{Text: text}
	depth := 0
	var last Token
	for t := s.Next(); t.Kind != EOF; t = s.Next() {
		if t.Kind == Punct {
			switch {
			case t.Byte == separator && depth <= 0:
				if separator == ':' && s.at(t.End) == ':' {
					s.Pos = t.End + 1
					last = Token{}
					continue
				}
				if separator != '=' || s.at(t.End) != '=' && s.at(t.End) != '>' {
					return strings.TrimSpace(text[:t.Start]), strings.TrimSpace(text[t.End:]), true
				}
			case t.Byte == '(' || t.Byte == '[' || t.Byte == '{':
				s.Pos = skip(text, t.Start)
				last = Token{}
				continue
			case t.Byte == '<':
				depth++
			case t.Byte == '>' && !arrow(last, t):
				depth--
			}
		}
		last = t
	}
	return strings.TrimSpace(text), "", false
}

// Squeeze returns an expression on one line and without comments, but otherwise
// unchanged.
func Squeeze(text string) string {
	var b strings.Builder
	s := Scanner{Text: text}
	end := 0
	for t := s.Next(); t.Kind != EOF; t = s.Next() {
		if t.Kind == DocInner || t.Kind == DocOuter {
			continue
		}
		if b.Len() > 0 && t.Start > end {
			b.WriteByte(' ')
		}
		raw := text[t.Start:t.End]
		if t.Kind == Ident && strings.HasPrefix(raw, CrateMark) {
			raw = "$crate"
		}
		b.WriteString(raw)
		end = t.End
	}
	return b.String()
}

// PathOf returns the names of the path at the beginning of a type, without
// arguments. ok is false for a type that is not a path.
func PathOf(text string) (segs []string, ok bool) {
	s := Scanner{Text: text}
	t := s.Next()
	if t.Kind == Punct && t.Byte == ':' {
		if t = s.Next(); t.Kind != Punct || t.Byte != ':' {
			return nil, false
		}
		segs = append(segs, "")
		t = s.Next()
	}
	for t.Kind == Ident {
		word := text[t.Start:t.End]
		switch word {
		case "dyn", "impl", "fn", "unsafe", "extern", "for", "mut", "const":
			return nil, false
		}
		segs = append(segs, strings.TrimPrefix(word, "r#"))
		if t = s.Next(); t.Kind != Punct || t.Byte != ':' {
			break
		}
		if t = s.Next(); t.Kind != Punct || t.Byte != ':' {
			break
		}
		t = s.Next()
	}
	return segs, len(segs) > 0 && segs[len(segs)-1] != ""
}
