package source

import (
	"strings"

	"github.com/docent-mcp/docent/internal/work"
)

// These are the classes of bytes. Classes below classLine matter everywhere, and the others only in
// a statement that is read and not within brackets.
const (
	classPlain = iota
	classNewline
	classHash
	classQuote
	classOpen
	classClose
	classBackslash
	classColon
	classEqual
	classSemicolon
	classLambda // the letter l, which may begin lambda
)

// classes contains the classes of bytes for reading a statement, and skipped contains the
// classes for skipping one.
var classes, skipped [256]uint8

func init() {
	for c, class := range map[byte]uint8{
		'\n': classNewline, '#': classHash, '"': classQuote, '\'': classQuote,
		'(': classOpen, '[': classOpen, '{': classOpen, ')': classClose, ']': classClose, '}': classClose, '\\': classBackslash,
	} {
		classes[c], skipped[c] = class, class
	}
	classes[':'], classes['='], classes[';'], classes['l'] = classColon, classEqual, classSemicolon, classLambda
}

// idents is true for bytes that occur in names.
var idents = func() (table [256]bool) {
	for c := range table {
		table[c] = c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
	}
	return table
}()

func isIdent(c byte) bool { return idents[c] }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\f' || c == '\r' }

// scanner finds the ends of strings and logical lines.
type scanner struct {
	s string
	// unclosed is true for each quote, " and ', that is not followed by a closing triple
	// quote, so that the scanner need not search again.
	unclosed [2]bool
	// failed is the number of unterminated f-strings.
	failed int
	meter  *work.Meter
}

// stepBytes is the number of bytes in a logical line after which its steps are
// counted.
const stepBytes = 4096

// step counts the steps from one position to another.
func (c *scanner) step(from, to int) { c.meter.Step((to - from) / 16) }

func quoteIndex(q byte) int {
	if q == '"' {
		return 0
	}
	return 1
}

// maxFailed is the number of unterminated f-strings after which no further f-strings are examined.
const maxFailed = 1000

// stringEnd returns the index after the string literal whose quote is at i, and
// whether the literal is closed. A literal on one line ends with the line.
func (c *scanner) stringEnd(i int) (end int, closed bool) {
	if i > 0 && isFormat(c.s, i) && c.failed < maxFailed {
		if end := c.formatEnd(i, min(len(c.s), i+maxFormat), 0); end > 0 {
			return end, true
		}
		c.failed++
	}
	return c.plainEnd(i)
}

func (c *scanner) plainEnd(i int) (end int, closed bool) {
	s, q := c.s, c.s[i]
	if i+2 < len(s) && s[i+1] == q && s[i+2] == q {
		if c.unclosed[quoteIndex(q)] {
			return i + 3, false
		}
		for j := i + 3; j < len(s); {
			k := strings.IndexByte(s[j:], q)
			if k < 0 {
				break
			}
			k += j
			if backslashes(s, i+3, k)%2 == 1 {
				j = k + 1
				continue
			}
			if k+2 < len(s) && s[k+1] == q && s[k+2] == q {
				return k + 3, true
			}
			j = k + 1
		}
		c.unclosed[quoteIndex(q)] = true
		return i + 3, false
	}
	for j := i + 1; j < len(s); j++ {
		switch s[j] {
		case q:
			return j + 1, true
		case '\n':
			return j, false
		case '\\':
			if j+2 < len(s) && s[j+1] == '\r' && s[j+2] == '\n' {
				j++
			}
			j++
		}
	}
	return len(s), false
}

// backslashes counts the backslashes directly before index k of s, as far back
// as start.
func backslashes(s string, start, k int) int {
	n := 0
	for k-1-n >= start && s[k-1-n] == '\\' {
		n++
	}
	return n
}

// isFormat reports whether the string at i is an f-string or a t-string.
func isFormat(s string, i int) bool {
	for n := 1; n <= 2 && i-n >= 0; n++ {
		switch s[i-n] {
		case 'f', 'F', 't', 'T':
			return i-n == 0 || !isIdent(s[i-n-1]) || n == 1 && strings.IndexByte("rR", s[i-2]) >= 0 && (i < 3 || !isIdent(s[i-3]))
		case 'r', 'R':
		default:
			return false
		}
	}
	return false
}

// maxFormat is the maximum number of bytes searched for the end of an f-string that
// contains a string with the same quotes.
const maxFormat = 16 << 10

// formatEnd returns the index after an f-string whose expressions in braces may contain
// strings with the same quotes. It returns -1 if the f-string has no end before limit.
func (c *scanner) formatEnd(i, limit, depth int) int {
	s, q := c.s, c.s[i]
	triple := i+2 < len(s) && s[i+1] == q && s[i+2] == q
	j := i + 1
	if triple {
		j = i + 3
	}
	if depth > maxNesting {
		return -1
	}
	braces := 0
	for j < limit {
		switch b := s[j]; {
		case braces > 0 && (b == '"' || b == '\''):
			// A quote of the string itself ends it, as in code for older interpreters in
			// which the brace has no meaning.
			end := c.formatEnd(j, limit, depth+1)
			if !isFormat(s, j) {
				end = c.shortEnd(j, limit)
			}
			if end < 0 {
				return -1
			}
			j = end
			continue
		case b == '{' && braces == 0 && j+1 < limit && s[j+1] == '{', b == '}' && braces == 0 && j+1 < limit && s[j+1] == '}':
			j++
		case b == '{':
			braces++
		case b == '}' && braces > 0:
			braces--
		case b == '\\' && braces == 0:
			j++
		case b == '\n' && !triple && braces == 0:
			return -1
		case b == q && braces == 0:
			if !triple {
				return j + 1
			}
			if j+2 < limit && s[j+1] == q && s[j+2] == q {
				return j + 3
			}
		}
		j++
	}
	return -1
}

// shortEnd returns the end of a plain string before limit, or -1 if the string does not end there.
func (c *scanner) shortEnd(i, limit int) int {
	s, q := c.s, c.s[i]
	for j := i + 1; j < limit; j++ {
		switch s[j] {
		case q:
			return j + 1
		case '\n':
			return -1
		case '\\':
			j++
		}
	}
	return -1
}

// line is a logical line, or a statement that ends at a semicolon.
type line struct {
	end     int  // end of its text
	next    int  // the position where the next line begins
	colon   int  // position of the first colon outside brackets and lambdas, or -1
	equals  int  // position of the first = of an assignment, or -1
	chained bool // whether the assignment may have another =
	semi    int  // position of the semicolon that ends it, or -1
	comment int  // position of the comment at its end, or -1
	problem string
}

// statement finds the end of the logical line that begins at i.
func (c *scanner) statement(i int) line {
	s := c.s
	l := line{colon: -1, equals: -1, semi: -1, comment: -1}
	depth, lambdas, counted := 0, 0, i
	c.step(i, i)
	for j := i; ; j++ {
		if j-counted >= stepBytes {
			c.step(counted, j)
			counted = j
		}
		for j < len(s) && classes[s[j]] == classPlain {
			j++
		}
		if j >= len(s) {
			break
		}
		switch class := classes[s[j]]; class {
		case classNewline:
			if depth == 0 || startsDeclaration(s, j+1) {
				if depth > 0 {
					l.problem = "a bracket is never closed"
				}
				l.end, l.next = j, j+1
				return l.trim(s, i)
			}
		case classHash:
			if depth == 0 {
				l.comment = j
			}
			if k := strings.IndexByte(s[j:], '\n'); k >= 0 {
				j += k - 1
			} else {
				j = len(s)
			}
		case classQuote:
			end, closed := c.stringEnd(j)
			if !closed {
				l.problem = "a string is never closed"
			}
			j = end - 1
		case classBackslash:
			if j+1 < len(s) && s[j+1] == '\r' {
				j++
			}
			j++
		case classOpen:
			depth++
		case classClose:
			depth = max(0, depth-1)
		default:
			if depth > 0 {
				continue
			}
			switch {
			case class == classColon && lambdas > 0:
				lambdas--
			case class == classColon && l.colon < 0 && !(j+1 < len(s) && s[j+1] == '='):
				l.colon = j
			case class == classEqual && j+1 < len(s) && s[j+1] == '=':
				j++
			case class == classEqual && l.equals >= 0:
				l.chained = true
			case class == classEqual && l.equals < 0 && lambdas == 0 && (j == i || strings.IndexByte("!<>:", s[j-1]) < 0 || j-1 > i && (s[j-2:j] == "<<" || s[j-2:j] == ">>")):
				l.equals = j
			case class == classSemicolon:
				l.semi, l.end, l.next = j, j, j+1
				return l.trim(s, i)
			case class == classLambda && strings.HasPrefix(s[j:], "lambda") && (j == 0 || !isIdent(s[j-1])) && j+6 < len(s) && !isIdent(s[j+6]):
				lambdas++
			}
		}
	}
	l.end, l.next = len(s), len(s)
	if depth > 0 {
		l.problem = "a bracket is never closed"
	}
	return l.trim(s, i)
}

// trim ends a line before its comment and the white space before the comment.
func (l line) trim(s string, i int) line {
	if l.comment >= 0 {
		l.end = l.comment
	}
	for l.end > i && isSpace(s[l.end-1]) {
		l.end--
	}
	return l
}

// startsDeclaration reports whether the physical line at i begins with the
// declaration of a function or class, which cannot occur in brackets.
func startsDeclaration(s string, i int) bool {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	rest := s[i:]
	if len(rest) < 6 || rest[0] != 'd' && rest[0] != 'c' && rest[0] != 'a' {
		return false
	}
	for _, word := range [...]string{"async def ", "def ", "class "} {
		if strings.HasPrefix(rest, word) {
			n := len(word)
			for n < len(rest) && isIdent(rest[n]) {
				n++
			}
			return n > len(word) && n < len(rest) && (rest[n] == '(' || rest[n] == ':' || rest[n] == '[')
		}
	}
	return false
}

// skip returns the beginning of the logical line that follows the one at i.
func (c *scanner) skip(i int) int {
	s := c.s
	depth, counted := 0, i
	c.step(i, i)
	for j := i; ; j++ {
		if j-counted >= stepBytes {
			c.step(counted, j)
			counted = j
		}
		for j < len(s) && skipped[s[j]] == classPlain {
			j++
		}
		if j >= len(s) {
			return len(s)
		}
		switch skipped[s[j]] {
		case classNewline:
			if depth == 0 || startsDeclaration(s, j+1) {
				return j + 1
			}
		case classHash:
			k := strings.IndexByte(s[j:], '\n')
			if k < 0 {
				return len(s)
			}
			j += k - 1
		case classQuote:
			end, _ := c.stringEnd(j)
			j = end - 1
		case classOpen:
			depth++
		case classClose:
			depth = max(0, depth-1)
		case classBackslash:
			if j+1 < len(s) && s[j+1] == '\r' {
				j++
			}
			j++
		}
	}
}

// matching returns the index of the bracket that closes the one at i, or -1 if there is
// none before end.
func (c *scanner) matching(i, end int) int {
	s := c.s
	depth := 0
	for j := i; j < end; j++ {
		switch skipped[s[j]] {
		case classOpen:
			depth++
		case classClose:
			if depth--; depth == 0 {
				return j
			}
		case classQuote:
			e, _ := c.stringEnd(j)
			j = e - 1
		case classHash:
			k := strings.IndexByte(s[j:end], '\n')
			if k < 0 {
				return -1
			}
			j += k
		case classBackslash:
			j++
		}
	}
	return -1
}
