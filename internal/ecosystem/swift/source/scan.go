package source

import (
	"iter"
	"strings"
	"unicode/utf8"
)

// TokenKind is the kind of a token.
type TokenKind uint8

// These are the kinds of tokens.
const (
	EOF TokenKind = iota
	// Ident is a name or keyword, `name` with its back-quotes, $0 or _.
	Ident
	Integer
	Float
	// String is a whole literal with its quotes and interpolations.
	String
	Regex
	// Oper is an operator: the longest run of operator characters.
	Oper
	// Punct is one of ( ) [ ] { } , : ; . @ \ ` or a byte that cannot begin a
	// token.
	Punct
	// Pound is # and the word after it, such as #if, #selector or #line.
	Pound
)

// Token is a token and its position in the text.
type Token struct {
	Kind TokenKind
	// Byte is the first byte of the token.
	Byte byte
	// Newline is true if there is a line break between the previous token and this
	// one.
	Newline bool
	// Space is true if there is white space or a comment between them.
	Space      bool
	Start, End int
}

// These are classes of bytes, as bits.
const (
	isIdent = 1 << iota
	isSpace
	isStop     // ends the quick scan of a group
	isBodyStop // ends the quick scan of a group in braces
	isDigit
	isOper
	isPunct // is always a separate token
	isHigh  // is part of a character beyond ASCII
)

var class = func() (c [256]uint8) {
	for b := range 256 {
		switch {
		case b >= '0' && b <= '9':
			c[b] = isIdent | isDigit
		case b == '_' || b == '$' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80:
			c[b] = isIdent
		case b == ' ' || b >= '\t' && b <= '\r' || b == 0:
			c[b] = isSpace
		}
	}
	for b := utf8.RuneSelf; b < 256; b++ {
		c[b] |= isHigh
	}
	for _, b := range []byte("/=-+!*%<>&|^~?") {
		c[b] |= isOper
	}
	for _, b := range []byte("(){}[]\"/#`") {
		c[b] |= isStop
	}
	for _, b := range []byte("(){}[],:;@\\") {
		c[b] |= isPunct
	}
	for _, b := range []byte("{}\"/#`") {
		c[b] |= isBodyStop
	}
	return c
}()

// Scanner splits the text of a Swift file into tokens.
type Scanner struct {
	Text string
	// Pos is the offset at which the next token is read.
	Pos int
	// docStart and docEnd delimit the documentation comment before the last
	// token. docStart is -1 if there is none.
	docStart, docEnd int
	// commentEnd is the end of the previous comment before the same token.
	commentEnd int
	// noRegex is the offset before which a regular expression cannot begin,
	// because an earlier one has no end.
	noRegex int
}

// NewScanner returns a scanner at the beginning of text, after a byte order mark and a shebang, if
// any.
func NewScanner(text string) *Scanner {
	s := &Scanner{Text: text, docStart: -1}
	rest := strings.TrimPrefix(text, "\uFEFF")
	s.Pos = len(text) - len(rest)
	if strings.HasPrefix(rest, "#!") {
		s.Pos = lineEnd(text, s.Pos)
	}
	return s
}

// TokenText returns the text of a token.
func (s *Scanner) TokenText(t Token) string { return s.Text[t.Start:t.End] }

func (s *Scanner) at(i int) byte {
	if i < len(s.Text) {
		return s.Text[i]
	}
	return 0
}

// Next returns the next token. It skips white space and comments. At the end of
// the text it always returns EOF.
func (s *Scanner) Next() Token {
	t := Token{}
	text := s.Text
	i := s.Pos
	switch {
	case i >= len(text):
		s.docStart = -1
	case text[i] == ' ' && i+1 < len(text) && class[text[i+1]]&isIdent != 0: // This is the most common case.
		t.Space = true
		s.docStart = -1
		i++
	case class[text[i]]&isSpace != 0 || text[i] == '/':
		s.blank(&t)
		i = s.Pos
	default:
		s.docStart = -1
	}
	t.Start = i
	if i >= len(text) {
		t.End = i
		return t
	}
	c := text[i]
	t.Byte = c
	switch {
	case class[c]&isPunct != 0:
		t.Kind = Punct
		s.Pos = i + 1
	case c < utf8.RuneSelf && class[c]&(isIdent|isDigit) == isIdent:
		t.Kind = Ident
		i++
		for i < len(text) && class[text[i]]&(isIdent|isHigh) == isIdent {
			i++
		}
		if i < len(text) && text[i] >= utf8.RuneSelf {
			i = identEnd(text, i)
		}
		s.Pos = i
	case class[c]&isDigit != 0:
		t.Kind, s.Pos = number(text, i)
	case c == '"':
		t.Kind = String
		s.Pos = stringEnd(text, i)
	case c == '#':
		t.Kind, s.Pos = s.pound(i)
	case c == '`':
		t.Kind = Ident
		if s.Pos = quotedEnd(text, i); s.Pos == 0 {
			t.Kind = Punct
			s.Pos = i + 1
		}
	case c == '/':
		if end := s.regex(i); end > 0 {
			t.Kind = Regex
			s.Pos = end
			break
		}
		t.Kind = Oper
		s.Pos = operEnd(text, i)
	case class[c]&isOper != 0 || c == '.' && (class[s.at(i+1)]&isOper != 0 || s.at(i+1) == '.'):
		t.Kind = Oper
		if s.Pos = operEnd(text, i); s.Pos == i+1 && c == '.' { // A dot before a comment is a separate token.
			t.Kind = Punct
		}
	case c >= utf8.RuneSelf:
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n <= 1:
			t.Kind = Punct
			s.Pos = i + 1
		case isOperRune(r):
			t.Kind = Oper
			s.Pos = operEnd(text, i)
		default:
			t.Kind = Ident
			s.Pos = identEnd(text, i)
		}
	default:
		t.Kind = Punct
		s.Pos = i + 1
	}
	t.End = s.Pos
	return t
}

// blank skips white space and comments, and records the documentation comment
// among them, if any.
func (s *Scanner) blank(t *Token) {
	text := s.Text
	s.docStart = -1
	i := s.Pos
	for i < len(text) {
		c := text[i]
		if class[c]&isSpace != 0 {
			t.Space = true
			if c == '\n' || c == '\r' {
				t.Newline = true
			}
			for i++; i < len(text) && text[i] == ' '; i++ {
			}
			continue
		}
		if c != '/' || i+1 >= len(text) {
			break
		}
		var end int
		switch text[i+1] {
		case '/':
			end = lineEnd(text, i)
		case '*':
			end = blockEnd(text, i)
			if !t.Newline && strings.IndexByte(text[i:end], '\n') >= 0 {
				t.Newline = true
			}
		default:
			s.Pos = i
			return
		}
		s.comment(i, end)
		t.Space = true
		i = end
	}
	s.Pos = i
}

// comment records a comment. Consecutive documentation comments count as one,
// up to an empty line; other comments between them are ignored.
func (s *Scanner) comment(start, end int) {
	before := s.commentEnd
	s.commentEnd = end
	if end < start+3 || s.Text[start+2] != s.Text[start+1] { // The comment begins with neither /// nor /**, so it is not documentation.
		return
	}
	if s.docStart < 0 || hasEmptyLine(s.Text[before:start]) {
		s.docStart = start
	}
	s.docEnd = end
}

// hasEmptyLine reports whether white space has more than one line break.
func hasEmptyLine(blank string) bool {
	lines := 0
	for i := range len(blank) {
		if blank[i] == '\n' {
			lines++
		}
	}
	return lines > 1
}

// pound reads a token that begins with #: a raw string, a regular expression with
// hashes, a directive, a macro, or a run of hashes. It returns the kind of the
// token and the index after it.
func (s *Scanner) pound(i int) (TokenKind, int) {
	text := s.Text
	j := i
	for j < len(text) && text[j] == '#' {
		j++
	}
	switch c := s.at(j); {
	case c == '"':
		return String, stringEnd(text, i)
	case c == '/':
		if end := s.hashRegex(i, j); end > 0 {
			return Regex, end
		}
	case j == i+1 && class[c]&isIdent != 0 && class[c]&isDigit == 0:
		return Pound, identEnd(text, j)
	}
	return Punct, j
}

// regex returns the end of the regular expression at the given offset, or 0 if the slash there is
// an operator. A slash begins a regular expression if it does not follow an operand, is not
// followed by white space, and is closed on the same line by another slash that does not follow
// white space.
func (s *Scanner) regex(i int) int {
	text := s.Text
	if i < s.noRegex || i+1 >= len(text) {
		return 0
	}
	if i > 0 {
		switch c := text[i-1]; c {
		case '(', '[', '{', ',', ';', ':', '=', '!':
		case '/': // This is the end of a comment.
			if i < 2 || text[i-2] != '*' {
				return 0
			}
		default:
			if class[c]&isSpace == 0 {
				return 0
			}
		}
	}
	switch text[i+1] {
	case ' ', '\t', '\n', '\r', '/', '*', ')', ',':
		return 0
	}
	parens := 0
	set := false
	j := i + 1
	for ; j < len(text); j++ {
		switch text[j] {
		case '\\':
			j++
			if s.at(j) == '\n' {
				s.noRegex = j
				return 0
			}
			continue
		case '[':
			set = true
			continue
		case ']':
			set = false
			continue
		case '\n', '\r':
			s.noRegex = j
			return 0
		case '(':
			if !set {
				parens++
			}
			continue
		case ')':
			if set {
				continue
			}
			if parens--; parens < 0 {
				s.noRegex = j
				return 0
			}
			continue
		case '/':
			if text[j-1] == ' ' || text[j-1] == '\t' {
				return 0
			}
			return j + 1
		}
	}
	s.noRegex = j
	return 0
}

// hashRegex returns the end of the regular expression whose hashes begin at i and
// whose slash is at j, or 0. It may span several lines if a line break follows
// the slash. If it is not closed, it extends to the end of its line.
func (s *Scanner) hashRegex(i, j int) int {
	text := s.Text
	closing := "/" + text[i:j]
	k := j + 1
	for k < len(text) && (text[k] == ' ' || text[k] == '\t') {
		k++
	}
	if k < len(text) && (text[k] == '\n' || text[k] == '\r') && i >= s.noRegex {
		if n := strings.Index(text[j+1:], closing); n >= 0 {
			return j + 1 + n + len(closing)
		}
		s.noRegex = len(text)
	}
	for k = j + 1; k < len(text) && text[k] != '\n'; k++ {
		if text[k] == '/' && strings.HasPrefix(text[k:], closing) {
			return k + len(closing)
		}
	}
	return k
}

// lineEnd returns the offset of the line break that ends the line at i.
func lineEnd(text string, i int) int {
	n := strings.IndexByte(text[i:], '\n')
	if n < 0 {
		return len(text)
	}
	return i + n
}

// blockEnd returns the end of the comment that begins with /* at i. Comments
// nest. An unclosed comment extends to the end of the text.
func blockEnd(text string, i int) int {
	depth := 1
	i += 2
	for {
		n := strings.IndexByte(text[i:], '*')
		if n < 0 {
			// the comment is not closed
			return len(text)
		}
		star := i + n
		// Each opening mark between here and the star needs its own star.
		switch {
		case star > i && text[star-1] == '/':
			depth++
			i = star + 1
		case star+1 < len(text) && text[star+1] == '/':
			i = star + 2
			if depth--; depth == 0 {
				return i
			}
		default:
			i = star + 1
		}
		if i >= len(text) {
			return len(text)
		}
	}
}

func identEnd(text string, i int) int {
	for i < len(text) {
		c := text[i]
		if class[c]&isIdent == 0 {
			return i
		}
		if c < utf8.RuneSelf {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n <= 1 || isOperRune(r) && !isCombining(r) {
			return i
		}
		i += n
	}
	return i
}

// quotedEnd returns the end of the back-quoted name at i, or 0.
func quotedEnd(text string, i int) int {
	for j := i + 1; j < len(text); j++ {
		switch text[j] {
		case '`':
			if j == i+1 {
				return 0
			}
			return j + 1
		case '\n', '\r':
			return 0
		}
	}
	return 0
}

// maxOper is the maximum length of an operator, in bytes.
const maxOper = 64

func operEnd(text string, i int) int {
	dots := text[i] == '.'
	start := i
	for i < len(text) && i-start < maxOper {
		c := text[i]
		switch {
		case c == '/' && i > start && i+1 < len(text) && (text[i+1] == '/' || text[i+1] == '*'):
			return i
		case class[c]&isOper != 0 || c == '.' && dots:
			i++
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(text[i:])
			if !isOperRune(r) {
				return i
			}
			i += n
		default:
			return i
		}
	}
	return i
}

// isOperRune reports whether a character beyond ASCII is an operator character.
func isOperRune(r rune) bool {
	switch {
	case r < 0xA1:
		return false
	case r < 0x2016:
		switch {
		case r <= 0xA7, r == 0xA9, r == 0xAB, r == 0xAC, r == 0xAE, r == 0xB0, r == 0xB1, r == 0xB6, r == 0xBB, r == 0xBF, r == 0xD7, r == 0xF7:
			return true
		}
		return isCombining(r)
	case r <= 0x2017, r >= 0x2020 && r <= 0x2027, r >= 0x2030 && r <= 0x203E, r >= 0x2041 && r <= 0x2053, r >= 0x2055 && r <= 0x205E,
		r >= 0x2190 && r <= 0x23FF, r >= 0x2500 && r <= 0x2775, r >= 0x2794 && r <= 0x2BFF, r >= 0x2E00 && r <= 0x2E7F,
		r >= 0x3001 && r <= 0x3003, r >= 0x3008 && r <= 0x3020, r == 0x3030:
		return true
	}
	return isCombining(r)
}

// isCombining reports whether a character can continue an operator or a name.
func isCombining(r rune) bool {
	return r >= 0x300 && r <= 0x36F || r >= 0x1DC0 && r <= 0x1DFF || r >= 0x20D0 && r <= 0x20FF || r >= 0xFE00 && r <= 0xFE0F || r >= 0xFE20 && r <= 0xFE2F ||
		r >= 0xE0100 && r <= 0xE01EF
}

// number returns the kind and end of the number at i.
func number(text string, i int) (TokenKind, int) {
	j := i + 1
	if text[i] == '0' && j < len(text) && (text[j] == 'x' || text[j] == 'b' || text[j] == 'o') {
		hex := text[j] == 'x'
		j = identEnd(text, j)
		// A hexadecimal fraction such as 0x1.8p3 has an exponent.
		if hex && j+1 < len(text) && text[j] == '.' && class[text[j+1]]&isIdent != 0 {
			if end := identEnd(text, j+1); strings.ContainsAny(text[j:end], "pP") && class[text[j+1]]&isDigit != 0 {
				return Float, sign(text, end)
			}
		}
		if hex && strings.ContainsAny(text[i:j], "pP") {
			return Float, sign(text, j)
		}
		return Integer, j
	}
	kind := Integer
	j = identEnd(text, j)
	if j+1 < len(text) && text[j] == '.' && class[text[j+1]]&isDigit != 0 {
		kind = Float
		j = identEnd(text, j+1)
	}
	if strings.ContainsAny(text[i:j], "eE") {
		kind = Float
		j = sign(text, j)
	}
	return kind, j
}

// sign continues a number whose text ends with the letter of its exponent. It
// returns the index after the number.
func sign(text string, j int) int {
	switch text[j-1] {
	case 'e', 'E', 'p', 'P':
		if j+1 < len(text) && (text[j] == '+' || text[j] == '-') && class[text[j+1]]&isDigit != 0 {
			return identEnd(text, j+1)
		}
	}
	return j
}

// Words returns the words in a text that may be names, including those in comments and strings.
func Words(text string) iter.Seq[string] {
	return strings.FieldsFuncSeq(text, func(r rune) bool {
		return !(r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0x80)
	})
}
