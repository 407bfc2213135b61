package pep508

import (
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/project/pep440"
)

const (
	// maxLength is the maximum size in bytes of the text of a requirement or marker.
	maxLength = 64 << 10
	// maxDepth is the maximum nesting depth of parentheses.
	maxDepth = 100
)

var errSyntax = errors.New("is not a PEP 508 requirement")

// scanner reads the tokens of a requirement. The caller determines which token is expected.
type scanner struct {
	text  string
	pos   int
	depth int
}

func (s *scanner) rest() string { return s.text[s.pos:] }

func (s *scanner) spaces() bool {
	start := s.pos
	for s.pos < len(s.text) && (s.text[s.pos] == ' ' || s.text[s.pos] == '\t') {
		s.pos++
	}
	return s.pos > start
}

func (s *scanner) take(token string) bool {
	if !strings.HasPrefix(s.rest(), token) {
		return false
	}
	s.pos += len(token)
	return true
}

// word reads a token that is not adjacent to a letter, digit or underscore. It returns
// false if the next token is a different one.
func (s *scanner) word(token string) bool {
	if !strings.HasPrefix(s.rest(), token) || s.wordBefore(s.pos) || s.wordAfter(s.pos+len(token)) {
		return false
	}
	s.pos += len(token)
	return true
}

func (s *scanner) wordBefore(end int) bool {
	r, _ := utf8.DecodeLastRuneInString(s.text[:end])
	return end > 0 && isWord(r)
}

func (s *scanner) wordAfter(start int) bool {
	r, _ := utf8.DecodeRuneInString(s.text[start:])
	return start < len(s.text) && isWord(r)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// identifier reads the name of a distribution or extra. It reads the longest name that ends at the
// end of a word. It returns "" if there is none.
func (s *scanner) identifier() string {
	rest := s.rest()
	if rest == "" || !alphanumeric(rest[0]) || s.wordBefore(s.pos) {
		return ""
	}
	end := 0
	for end < len(rest) && (alphanumeric(rest[end]) || strings.IndexByte("._-", rest[end]) >= 0) {
		end++
	}
	for end > 0 && s.wordBefore(s.pos+end) == s.wordAfter(s.pos+end) {
		end--
	}
	s.pos += end
	return rest[:end]
}

func alphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// specifiers reads version clauses and returns their text.
func (s *scanner) specifiers() (string, error) {
	var b strings.Builder
	for {
		n, ok := pep440.ScanSpecifier(s.rest())
		if !ok {
			return b.String(), nil
		}
		b.WriteString(s.rest()[:n])
		s.pos += n
		if rest := s.rest(); strings.HasPrefix(rest, ".*") || len(rest) > 1 && rest[0] == '+' && alphanumeric(rest[1]) {
			return "", errSyntax
		}
		s.spaces()
		if !s.take(",") {
			return b.String(), nil
		}
		b.WriteByte(',')
		s.spaces()
	}
}

// variables are the names of the environment variables that markers may use.
var variables = []string{
	"python_version", "python_full_version", "os.name", "os_name", "sys.platform", "sys_platform",
	"platform_release", "platform_system", "platform.version", "platform_version", "platform.machine", "platform_machine",
	"platform.python_implementation", "platform_python_implementation", "python_implementation",
	"implementation_name", "implementation_version", "extras", "extra", "dependency_groups",
}

// operand reads a variable or a quoted string.
func (s *scanner) operand() (operand, error) {
	for _, name := range variables {
		if s.word(name) {
			name = strings.ReplaceAll(name, ".", "_")
			if name == "python_implementation" {
				name = "platform_python_implementation"
			}
			return operand{name, true}, nil
		}
	}
	rest := s.rest()
	if rest == "" || rest[0] != '\'' && rest[0] != '"' {
		return operand{}, errSyntax
	}
	end := strings.IndexByte(rest[1:], rest[0])
	if end < 0 {
		return operand{}, errSyntax
	}
	s.pos += end + 2
	text, err := unquote(rest[1 : end+1])
	return operand{text, false}, err
}

// operator reads a comparison operator.
func (s *scanner) operator() (string, error) {
	if s.word("in") {
		return "in", nil
	}
	if s.word("not") {
		if !s.spaces() || !s.word("in") {
			return "", errSyntax
		}
		return "not in", nil
	}
	for _, op := range []string{"===", "==", "~=", "!=", "<=", ">=", "<", ">"} {
		if s.take(op) {
			return op, nil
		}
	}
	return "", errSyntax
}

// unquote decodes the escapes in a Python string without its quotes.
func unquote(s string) (string, error) {
	if strings.ContainsAny(s, "\n\r\x00") {
		return "", errSyntax
	}
	if !strings.Contains(s, `\`) {
		return s, nil
	}
	var b strings.Builder
	for s != "" {
		before, after, ok := strings.Cut(s, `\`)
		b.WriteString(before)
		if !ok {
			break
		}
		if after == "" {
			return "", errSyntax
		}
		rest, err := unescape(&b, after)
		if err != nil {
			return "", err
		}
		s = rest
	}
	return b.String(), nil
}

var escapes = map[byte]string{
	'\\': `\`, '\'': "'", '"': `"`, 'a': "\a", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v",
}

// unescape writes the character for an escape. s begins after the backslash.
func unescape(b *strings.Builder, s string) (rest string, err error) {
	if text, ok := escapes[s[0]]; ok {
		b.WriteString(text)
		return s[1:], nil
	}
	switch c := s[0]; {
	case c >= '0' && c <= '7':
		n, size := rune(0), 0
		for size < 3 && size < len(s) && s[size] >= '0' && s[size] <= '7' {
			n = n*8 + rune(s[size]-'0')
			size++
		}
		b.WriteRune(n)
		return s[size:], nil
	case c == 'x' || c == 'u' || c == 'U':
		size := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
		if len(s) < 1+size {
			return "", errSyntax
		}
		n := rune(0)
		for _, c := range []byte(s[1 : 1+size]) {
			digit := strings.IndexByte("0123456789abcdef", c|0x20)
			if digit < 0 || c < '0' {
				return "", errSyntax
			}
			n = n<<4 | rune(digit)
		}
		if n > unicode.MaxRune || n < 0 {
			return "", errSyntax
		}
		b.WriteRune(n)
		return s[1+size:], nil
	case c == 'N': // The escape specifies a character by its name.
		return "", errSyntax
	}
	b.WriteByte('\\')
	return s, nil
}
