package source

import "strings"

// token is one token of an expression.
type token struct {
	kind tokenKind
	text string
	pos  int
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenName
	tokenNumber
	tokenString
	tokenOperator
)

// operators of three and two bytes, the longest first.
var operators = [...]string{"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "<>", "->", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@="}

// next reads the token at or after i, and returns it with the position at which it ends.
func (c *scanner) next(i int) (token, int) {
	s := c.s
	for i < len(s) {
		switch {
		case isSpace(s[i]) || s[i] == '\n' || s[i] == '\\':
			i++
			continue
		case s[i] == '#':
			k := strings.IndexByte(s[i:], '\n')
			if k < 0 {
				return token{pos: len(s)}, len(s)
			}
			i += k
			continue
		}
		break
	}
	if i >= len(s) {
		return token{pos: len(s)}, len(s)
	}
	start := i
	switch b := s[i]; {
	case b >= '0' && b <= '9' || b == '.' && i+1 < len(s) && s[i+1] >= '0' && s[i+1] <= '9':
		for i < len(s) && (isIdent(s[i]) || s[i] == '.' || (s[i] == '+' || s[i] == '-') && (s[i-1] == 'e' || s[i-1] == 'E') && !strings.HasPrefix(s[start:], "0x")) {
			i++
		}
		return token{tokenNumber, s[start:i], start}, i
	case b == '"' || b == '\'':
		end, _ := c.stringEnd(i)
		return token{tokenString, s[start:end], start}, end
	case isIdent(b):
		for i < len(s) && isIdent(s[i]) {
			i++
		}
		if i < len(s) && i-start <= 2 && (s[i] == '"' || s[i] == '\'') && isPrefix(s[start:i]) {
			end, _ := c.stringEnd(i)
			return token{tokenString, s[start:end], start}, end
		}
		return token{tokenName, s[start:i], start}, i
	}
	for _, op := range operators {
		if strings.HasPrefix(s[i:], op) {
			return token{tokenOperator, op, start}, i + len(op)
		}
	}
	return token{tokenOperator, s[i : i+1], start}, i + 1
}

// isPrefix reports whether s can precede the quote of a string.
func isPrefix(s string) bool {
	for i := range len(s) {
		if strings.IndexByte("rRbBuUfFtT", s[i]) < 0 {
			return false
		}
	}
	return true
}
