package source

// groupEnd returns the offset after the bracket that closes the bracket at i,
// or the end of the text. It skips strings, comments and regular expressions.
// Other kinds of brackets need not match, because a closing brace closes all of
// them.
func groupEnd(text string, i int) int {
	s := Scanner{Text: text, Pos: i}
	end, _ := s.group()
	return end
}

// group returns the end of the group that opens at Pos, and whether it is
// closed. In a group in parentheses or square brackets, both kinds are counted,
// and braces inside it must match.
func (s *Scanner) group() (end int, closed bool) {
	text := s.Text
	i := s.Pos
	if text[i] == '{' {
		return s.body(i + 1)
	}
	i++
	depth := 1
	for i < len(text) {
		c := text[i]
		if class[c]&isStop == 0 {
			i++
			continue
		}
		switch c {
		case '(', '[':
			depth++
			i++
		case ')', ']':
			i++
			if depth--; depth == 0 {
				return i, true
			}
		case '{':
			i, _ = s.body(i + 1)
		case '}':
			// The group is not closed before the end of the enclosing braces.
			return i, false
		default:
			i = s.stop(i)
		}
	}
	return i, false
}

// body returns the end of the group in braces whose text begins at i, and
// whether it is closed. It ignores other brackets, so that an unmatched bracket
// has no effect outside the braces.
func (s *Scanner) body(i int) (end int, closed bool) {
	text := s.Text
	for depth := 1; i < len(text); {
		// Most bytes need not be examined.
		for rest := text[i:]; len(rest) >= 4 && (class[rest[0]]|class[rest[1]]|class[rest[2]]|class[rest[3]])&isBodyStop == 0; rest = rest[4:] {
			i += 4
		}
		if i >= len(text) {
			return i, false
		}
		c := text[i]
		switch {
		case class[c]&isBodyStop == 0:
			i++
		case c == '{':
			depth++
			i++
		case c == '}':
			i++
			if depth--; depth == 0 {
				return i, true
			}
		default:
			i = s.stop(i)
		}
	}
	return i, false
}

// stop skips the literal, comment, name in back-quotes or operator at i. It
// returns the index after it.
func (s *Scanner) stop(i int) int {
	switch s.Text[i] {
	case '"':
		return stringEnd(s.Text, i)
	case '/':
		return s.slash(i)
	case '#':
		_, end := s.pound(i)
		return end
	}
	if end := quotedEnd(s.Text, i); end > 0 {
		return end
	}
	return i + 1
}

// slash skips the comment, regular expression or operator at i. It returns the
// index after it.
func (s *Scanner) slash(i int) int {
	if i+1 < len(s.Text) {
		switch s.Text[i+1] {
		case '/':
			return lineEnd(s.Text, i)
		case '*':
			return blockEnd(s.Text, i)
		}
	}
	if end := s.regex(i); end > 0 {
		return end
	}
	return i + 1
}
