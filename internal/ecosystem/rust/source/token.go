package source

import (
	"strings"
	"unicode/utf8"
)

// Kind is the kind of a token.
type Kind uint8

// These are the kinds of tokens.
const (
	EOF      Kind = iota
	Ident         // a name or keyword; r#name with its prefix
	Lifetime      // 'a
	Literal       // a string, character or number
	Punct         // one byte of punctuation
	DocOuter      // /// or /** */
	DocInner      // //! or /*! */
)

// Token is a token and its place in the text.
type Token struct {
	Kind       Kind
	Byte       byte // byte of punctuation
	Start, End int
}

// IsName reports whether a text is a name or keyword.
func IsName(text string) bool {
	s := Scanner{Text: text}
	t := s.Next()
	return t.Kind == Ident && t.End == len(text)
}

// These marks surround a fragment that a macro substituted and that other macros see as
// one token tree. Elsewhere they count as white space.
const (
	FragmentStart = '\x01'
	FragmentEnd   = '\x02'
)

var unmark = strings.NewReplacer(string(rune(FragmentStart)), " ", string(rune(FragmentEnd)), " ")

// Unmarked returns text in which the marks around fragments are replaced with spaces.
func Unmarked(text string) string {
	if strings.IndexByte(text, FragmentStart) < 0 {
		return text
	}
	return unmark.Replace(text)
}

// CrateMark begins an identifier that replaces $crate in expanded text. The
// name of the crate follows it.
const CrateMark = "©"

// These are classes of bytes, as bits.
const (
	isIdent = 1 << iota
	isSpace
	isStop // a brace, or the first byte of a literal or a comment
	isDigit
	isPrefix // a letter that may begin a literal or a raw name
	// isRound and isSquare are like isStop, with these brackets instead of braces.
	isRound
	isSquare
)

var class = func() (c [256]uint8) {
	for b := range 256 {
		switch {
		case b >= '0' && b <= '9':
			c[b] = isIdent | isDigit
		case b == '_' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80:
			c[b] = isIdent
		case b == ' ' || b >= '\t' && b <= '\r' || b == FragmentStart || b == FragmentEnd:
			c[b] = isSpace
		}
	}
	for stop, bytes := range map[uint8]string{isStop: "{}", isRound: "()", isSquare: "[]"} {
		for _, b := range []byte(bytes + "\"'/") {
			c[b] |= stop
		}
	}
	for _, b := range []byte("rbc") {
		c[b] |= isPrefix
	}
	return c
}()

// Scanner splits the text of a Rust file into tokens.
type Scanner struct {
	Text string
	Pos  int
	// Fragments makes Next return FragmentStart and FragmentEnd, which surround fragments,
	// as tokens.
	Fragments bool
}

func (s *Scanner) at(i int) byte {
	if i < len(s.Text) {
		return s.Text[i]
	}
	return 0
}

// Next returns the next token. It skips white space and comments that are not
// documentation.
func (s *Scanner) Next() Token {
	text, i := s.Text, s.Pos
	for i < len(text) {
		c := text[i]
		switch kind := class[c]; {
		case kind&isSpace != 0:
			i++
			if c <= FragmentEnd && s.Fragments {
				s.Pos = i
				return Token{Punct, c, i - 1, i}
			}
		case kind&isDigit != 0:
			s.Pos = i
			s.number()
			return Token{Literal, 0, i, s.Pos}
		case kind&isIdent != 0:
			end := i + 1
			if kind&isPrefix != 0 {
				if after := prefixed(text, i); after > 0 {
					s.Pos = identEnd(text, after)
					return Token{Literal, 0, i, s.Pos}
				}
				if c == 'r' && s.at(end) == '#' && class[s.at(end+1)]&isIdent != 0 {
					end++
				}
			}
			end = identEnd(text, end)
			s.Pos = end
			return Token{Ident, 0, i, end}
		case kind&isStop == 0 || c == '{' || c == '}':
			s.Pos = i + 1
			return Token{Punct, c, i, i + 1}
		case c == '/' && s.at(i+1) == '/':
			end := len(text)
			if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
				end = i + n
			}
			if k := lineComment(text[i:end]); k != EOF {
				s.Pos = end
				return Token{k, 0, i, end}
			}
			i = end
		case c == '/' && s.at(i+1) == '*':
			end := blockEnd(text, i)
			if k := blockComment(text[i:end]); k != EOF {
				s.Pos = end
				return Token{k, 0, i, end}
			}
			i = end
		case c == '"':
			s.Pos = identEnd(text, stringEnd(text, i))
			return Token{Literal, 0, i, s.Pos}
		case c == '\'':
			if end := charEnd(text, i); end > 0 {
				s.Pos = end
				return Token{Literal, 0, i, end}
			}
			s.Pos = identEnd(text, i+1)
			return Token{Lifetime, 0, i, s.Pos}
		default: // the byte is a slash
			s.Pos = i + 1
			return Token{Punct, c, i, i + 1}
		}
	}
	s.Pos = len(text)
	return Token{EOF, 0, len(text), len(text)}
}

// identEnd returns the end of the identifier that continues at the given position.
func identEnd(text string, i int) int {
	for i < len(text) && class[text[i]]&isIdent != 0 {
		i++
	}
	return i
}

func (s *Scanner) ident() { s.Pos = identEnd(s.Text, s.Pos) }

// number skips a number, such as 0xff_u8 or 1.5e-3. In 1..2 it stops before the
// dots.
func (s *Scanner) number() {
	start := s.Pos
	s.ident()
	if s.at(s.Pos) == '.' && class[s.at(s.Pos+1)]&isDigit != 0 {
		s.Pos++
		s.ident()
	} else if s.at(s.Pos) == '.' && s.at(s.Pos+1) != '.' && class[s.at(s.Pos+1)]&isIdent == 0 {
		s.Pos++
	}
	if c := s.at(s.Pos); c == '+' || c == '-' {
		last := s.Text[s.Pos-1]
		hex := strings.HasPrefix(s.Text[start:s.Pos], "0x")
		if (last == 'e' || last == 'E') && !hex && class[s.at(s.Pos+1)]&isDigit != 0 {
			s.Pos++
			s.ident()
		}
	}
}

func lineComment(text string) Kind {
	switch {
	case strings.HasPrefix(text, "//!"):
		return DocInner
	case strings.HasPrefix(text, "///") && !strings.HasPrefix(text, "////"):
		return DocOuter
	}
	return EOF
}

func blockComment(text string) Kind {
	switch {
	case strings.HasPrefix(text, "/*!"):
		return DocInner
	case strings.HasPrefix(text, "/**") && !strings.HasPrefix(text, "/***") && len(text) > 4:
		return DocOuter
	}
	return EOF
}

// blockEnd returns the end of the comment at i, which may contain other
// comments.
func blockEnd(text string, i int) int {
	depth := 1
	for i += 2; i < len(text); {
		switch {
		case text[i] == '*' && i+1 < len(text) && text[i+1] == '/':
			i += 2
			if depth--; depth == 0 {
				return i
			}
		case text[i] == '/' && i+1 < len(text) && text[i+1] == '*':
			depth++
			i += 2
		default:
			i++
		}
	}
	return len(text)
}

// stringEnd returns the end of the string whose quote is at i.
func stringEnd(text string, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// rawEnd returns the end of the raw string whose quote is at i.
func rawEnd(text string, i, hashes int) int {
	for i++; ; {
		quote := strings.IndexByte(text[i:], '"')
		if quote < 0 {
			return len(text)
		}
		i += quote + 1
		n := 0
		for n < hashes && i+n < len(text) && text[i+n] == '#' {
			n++
		}
		if n == hashes {
			return i + n
		}
	}
}

// maxEscape is the maximum number of bytes of an escaped character literal.
const maxEscape = 32

// charEnd returns the end of the character literal at i, or 0 if it is a lifetime.
func charEnd(text string, i int) int {
	if i+1 >= len(text) {
		return 0
	}
	if text[i+1] == '\\' {
		for j := i + 3; j < min(len(text), i+maxEscape) && text[j] != '\n'; j++ {
			if text[j] == '\'' {
				return j + 1
			}
		}
		return min(i+3, len(text))
	}
	_, n := utf8.DecodeRuneInString(text[i+1:])
	if end := i + 1 + n; end < len(text) && text[end] == '\'' {
		return end + 1
	}
	return 0
}

// prefixed returns the end of the literal with a prefix at i, such as r"",
// r#""#, b"", br"", b'x', c"" or cr"". It returns 0 if there is none.
func prefixed(text string, i int) int {
	j := i + 1
	if j < len(text) && class[text[j]]&isIdent != 0 && text[j] != 'r' {
		return 0 // the prefix is the beginning of a name
	}
	raw := text[i] == 'r'
	if !raw && j < len(text) && text[j] == 'r' {
		raw = true
		j++
	}
	hashes := 0
	for raw && j < len(text) && text[j] == '#' {
		hashes++
		j++
	}
	switch {
	case j >= len(text):
		return 0
	case text[j] == '"' && raw:
		return rawEnd(text, j, hashes)
	case text[j] == '"':
		return stringEnd(text, j)
	case text[j] == '\'' && text[i] == 'b' && !raw:
		return charEnd(text, j)
	}
	return 0
}

// skip returns the position after the group that begins at i with "{", "(" or
// "[". It ignores other kinds of brackets within the group, so that a missing
// bracket does not affect the items that follow. It examines only bytes that
// can begin a bracket of the same kind, a string, a character or a comment.
func skip(text string, i int) int {
	opener, closer, stop := text[i], byte('}'), uint8(isStop)
	switch opener {
	case '(':
		closer, stop = ')', isRound
	case '[':
		closer, stop = ']', isSquare
	}
	depth := 0
	for i < len(text) {
		c := text[i]
		if class[c]&stop == 0 {
			i++
			continue
		}
		switch c {
		case opener:
			depth++
			i++
		case closer:
			i++
			if depth--; depth == 0 {
				return i
			}
		case '"':
			if hashes, raw := rawBefore(text, i); raw {
				i = rawEnd(text, i, hashes)
			} else {
				i = stringEnd(text, i)
			}
		case '\'':
			if end := charEnd(text, i); end > 0 {
				i = end
			} else {
				i++
			}
		default: // the byte is a slash
			switch {
			case i+1 < len(text) && text[i+1] == '/':
				end := strings.IndexByte(text[i:], '\n')
				if end < 0 {
					return len(text)
				}
				i += end
			case i+1 < len(text) && text[i+1] == '*':
				i = blockEnd(text, i)
			default:
				i++
			}
		}
	}
	return len(text)
}

// rawBefore reports whether the quote at i begins a raw string, and the number
// of hashes that end it.
func rawBefore(text string, i int) (hashes int, raw bool) {
	for i > 0 && text[i-1] == '#' {
		i--
		hashes++
	}
	if i == 0 || text[i-1] != 'r' {
		return 0, false
	}
	i--
	if i > 0 && (text[i-1] == 'b' || text[i-1] == 'c') {
		i--
	}
	return hashes, i == 0 || class[text[i-1]]&isIdent == 0
}

// GroupEnd returns the position after the group at the beginning of the text.
func GroupEnd(text string) int { return skip(text, 0) }
