package godoc

import "bytes"

// withoutBodies returns Go source with empty function bodies and unchanged line numbers. The result
// is several times faster to parse, and syntax errors inside a body do not matter. Function
// literals are kept. If src cannot be scanned beyond some point, the rest is returned unchanged.
func withoutBodies(src []byte) []byte {
	out := make([]byte, 0, len(src)/2)
	copied := 0
	s := bodyScanner{src: src}
	for {
		open, ok := s.nextBody()
		if !ok {
			break
		}
		end := bodyEnd(src, open+1)
		if end < 0 {
			break
		}
		out = append(out, src[copied:open+1]...)
		for n := bytes.Count(src[open:end], newline); n > 0; n-- {
			out = append(out, '\n')
		}
		copied, s.pos, s.last = end, end+1, '}'
	}
	return append(out, src[copied:]...)
}

var newline = []byte{'\n'}

// bodyScanner scans Go source for functions at package level.
type bodyScanner struct {
	src []byte
	pos int
	// last is the last byte of the token before pos, or 0 at the start.
	last byte
	// word is the token before pos if it is a name or a keyword.
	word []byte
	// nesting counts the brackets of all kinds that are open at pos.
	nesting int
	// fresh is true if there is no token before pos on its line.
	fresh bool
}

// nextBody finds the next function at package level that has a body and returns
// the position of its opening brace. ok is false if there is no such function.
func (s *bodyScanner) nextBody() (open int, ok bool) {
	s.fresh = s.fresh || s.pos == 0
	for s.pos < len(s.src) {
		begins := s.fresh && s.nesting == 0 && endsDeclaration(s.last)
		if s.next(); begins && string(s.word) == "func" {
			if open, ok := s.body(); ok {
				return open, true
			}
		}
	}
	return 0, false
}

// body looks for the opening brace after a function's signature and returns its
// index. It returns false at the end of a declaration without body.
func (s *bodyScanner) body() (open int, ok bool) {
	for s.pos < len(s.src) {
		if s.nesting == 0 {
			switch c := s.src[s.pos]; {
			case c == '{' && string(s.word) != "struct" && string(s.word) != "interface":
				return s.pos, true
			case c == '\n' && endsDeclaration(s.last):
				return 0, false
			}
		}
		s.next()
	}
	return 0, false
}

// endsDeclaration reports whether a declaration can end after a token that ends in c, in which case
// a new line starts another one.
func endsDeclaration(c byte) bool {
	switch c {
	case 0, ')', ']', '}', '"', '`', '\'', ';':
		return true
	}
	return isLetter(c) || '0' <= c && c <= '9'
}

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= 0x80
}

// next skips one token, comment, space or line end.
func (s *bodyScanner) next() {
	c := s.src[s.pos]
	if after := skipQuoted(s.src, s.pos); after > s.pos {
		if c == '/' {
			s.fresh = s.fresh || bytes.Contains(s.src[s.pos:after], newline)
		} else {
			s.last, s.word, s.fresh = c, nil, false
		}
		s.pos = after
		return
	}
	switch c {
	case '\n':
		s.fresh = true
		s.pos++
		return
	case ' ', '\t', '\r':
		s.pos++
		return
	case '(', '[', '{':
		s.nesting++
	case ')', ']', '}':
		s.nesting--
	}
	start := s.pos
	s.pos++
	s.word = nil
	if isLetter(c) {
		for s.pos < len(s.src) && (isLetter(s.src[s.pos]) || '0' <= s.src[s.pos] && s.src[s.pos] <= '9') {
			s.pos++
		}
		s.word = s.src[start:s.pos]
	}
	s.last, s.fresh = s.src[s.pos-1], false
}

// bodyEnd returns the position of the brace that closes the block open at pos,
// or -1 if there is none.
func bodyEnd(src []byte, pos int) int {
	nesting := 1
	for pos < len(src) {
		switch src[pos] {
		case '{':
			nesting++
		case '}':
			if nesting--; nesting == 0 {
				return pos
			}
		case '"', '`', '\'', '/':
			pos = max(pos+1, skipQuoted(src, pos))
			continue
		}
		pos++
	}
	return -1
}

// skipQuoted returns the end of the string, rune or comment at pos, or pos if
// there is none. A string or rune ends with its line.
func skipQuoted(src []byte, pos int) int {
	rest := src[pos+1:]
	switch quote := src[pos]; quote {
	case '`':
		return pos + 2 + cut(rest, "`")
	case '/':
		switch {
		case len(rest) > 0 && rest[0] == '/':
			return pos + 1 + cut(rest, "\n")
		case len(rest) > 0 && rest[0] == '*':
			return min(len(src), pos+2+cut(rest[1:], "*/")+2)
		}
	case '"', '\'':
		for i := 0; i < len(rest) && rest[i] != '\n'; i++ {
			switch rest[i] {
			case quote:
				return pos + 1 + i + 1
			case '\\':
				i++
			}
		}
		return pos + 1
	}
	return pos
}

// cut returns the position of end in src, or the length of src if it does not occur.
func cut(src []byte, end string) int {
	if i := bytes.Index(src, []byte(end)); i >= 0 {
		return i
	}
	return len(src)
}
