package source

// groupEnd returns the offset behind the bracket that closes the one at i, or
// the end of the text. Strings, comments and regular expressions are skipped.
// Brackets of the other kinds need not match: a brace closes what is open.
func groupEnd(text string, i int) int {
	s := Scanner{Text: text, Pos: i}
	return s.group()
}

// group skips the group that opens at Pos and returns its end.
//
// Only the braces are counted in braces, and all brackets in others. In braces
// that is quicker, and a bracket too much does not reach out of them.
func (s *Scanner) group() int {
	text := s.Text
	i := s.Pos
	open := text[i]
	i++
	braces, others := 0, 1
	if open == '{' {
		braces, others = 1, 0
	}
	for i < len(text) {
		c := text[i]
		if class[c]&isStop == 0 {
			i++
			continue
		}
		switch c {
		case '{':
			braces++
			i++
		case '}':
			if braces--; braces < 0 {
				// The group is not closed inside the braces around it.
				return i
			}
			i++
			if braces == 0 && open == '{' {
				return i
			}
		case '(', '[':
			if braces == 0 {
				others++
			}
			i++
		case ')', ']':
			i++
			if braces == 0 {
				if others--; others == 0 {
					return i
				}
			}
		case '"':
			i = stringEnd(text, i)
		case '/':
			i = s.slash(i)
		case '#':
			_, i = s.pound(i)
		case '`':
			if end := quotedEnd(text, i); end > 0 {
				i = end
			} else {
				i++
			}
		}
	}
	return i
}

// slash skips the comment, regular expression or operator at i.
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
