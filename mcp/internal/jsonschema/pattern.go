package jsonschema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

const (
	maxPattern    = 8 << 10  // bytes of a pattern as the schema has it
	maxTranslated = 64 << 10 // bytes of its translation
	maxRepeat     = 1000     // what Go's regexp repeats at most
	maxGroups     = 100      // nesting of groups
)

// unsupported is said of a pattern that is correct but needs what Go's regexp does not have.
type unsupported string

func (u unsupported) Error() string { return "uses " + string(u) + ", which is not supported" }

const (
	errLookaround    = unsupported("lookahead or lookbehind")
	errBackReference = unsupported("a back-reference")
)

func isUnsupported(err error) bool {
	var u unsupported
	return errors.As(err, &u)
}

// newPattern compiles a regular expression of ECMA-262 in Unicode mode. What Go's regexp cannot do in linear
// time, lookaround and back-references, is refused.
func newPattern(source string) (*pattern, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("has more than %d bytes", maxPattern)
	}
	t := translator{in: []rune(source)}
	if err := t.alternatives(0); err != nil {
		return nil, err
	}
	if t.pos < len(t.in) {
		return nil, fmt.Errorf("has a ')' without '('")
	}
	out := string(t.out)
	parsed, err := syntax.Parse(out, syntax.Perl)
	if err != nil {
		return nil, fmt.Errorf("cannot be used: %w", err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return nil, fmt.Errorf("cannot be used: %w", err)
	}
	re, err := regexp.Compile(out)
	if err != nil {
		return nil, fmt.Errorf("cannot be used: %w", err)
	}
	return &pattern{source: source, re: re, cost: len(prog.Inst)}, nil
}

// translator writes a pattern of ECMA-262 in the syntax of Go.
type translator struct {
	in  []rune
	pos int
	out []byte
}

func (t *translator) more() bool { return t.pos < len(t.in) }

func (t *translator) peek(s string) bool {
	for i, r := range []rune(s) {
		if t.pos+i >= len(t.in) || t.in[t.pos+i] != r {
			return false
		}
	}
	return true
}

func (t *translator) alternatives(depth int) error {
	if depth > maxGroups {
		return errors.New("nests groups too deeply")
	}
	for t.more() && t.in[t.pos] != ')' {
		if t.in[t.pos] == '|' {
			t.out = append(t.out, '|')
			t.pos++
			continue
		}
		if err := t.term(depth); err != nil {
			return err
		}
		if len(t.out) > maxTranslated {
			return errors.New("is too large")
		}
	}
	return nil
}

// term translates one atom or assertion and the quantifier behind it.
func (t *translator) term(depth int) error {
	start := len(t.out)
	c := t.in[t.pos]
	t.pos++
	assertion := false
	switch c {
	case '^':
		t.out = append(t.out, `\A`...)
		assertion = true
	case '$':
		t.out = append(t.out, `\z`...)
		assertion = true
	case '.':
		t.out = append(t.out, `[^\n\r\x{2028}\x{2029}]`...)
	case '(':
		if err := t.group(depth); err != nil {
			return err
		}
	case '[':
		if err := t.class(); err != nil {
			return err
		}
	case '\\':
		if t.more() && (t.in[t.pos] == 'b' || t.in[t.pos] == 'B') {
			t.out = append(t.out, '\\', byte(t.in[t.pos]))
			t.pos++
			assertion = true
			break
		}
		set, err := t.escape(false)
		if err != nil {
			return err
		}
		t.out = append(t.out, set.alone()...)
	case '*', '+', '?':
		return fmt.Errorf("has nothing to repeat before %q", c)
	case '{':
		t.pos--
		if _, _, ok := t.braces(); ok {
			return errors.New("has nothing to repeat before '{'")
		}
		t.pos++
		t.out = appendRune(t.out, '{')
	default:
		t.out = appendRune(t.out, c)
	}
	return t.quantifier(start, assertion)
}

func (t *translator) group(depth int) error {
	switch {
	case t.peek("?:"):
		t.pos += 2
	case t.peek("?="), t.peek("?!"), t.peek("?<="), t.peek("?<!"):
		return errLookaround
	case t.peek("?<"):
		end := slices.Index(t.in[t.pos:], '>')
		if end <= 2 {
			return errors.New("has a group name without end")
		}
		t.pos += end + 1
	case t.peek("?"):
		return errors.New("has a group that starts with (? and is not (?: or (?<name>")
	}
	t.out = append(t.out, "(?:"...)
	if err := t.alternatives(depth + 1); err != nil {
		return err
	}
	if !t.more() {
		return errors.New("has a '(' without ')'")
	}
	t.pos++
	t.out = append(t.out, ')')
	return nil
}

// quantifier translates what follows an atom. Counts above those that Go allows are written out.
func (t *translator) quantifier(start int, assertion bool) error {
	if !t.more() {
		return nil
	}
	low, high := 0, -1
	switch t.in[t.pos] {
	case '*':
		t.pos++
	case '+':
		low = 1
		t.pos++
	case '?':
		high = 1
		t.pos++
	case '{':
		var ok bool
		if low, high, ok = t.braces(); !ok {
			return nil
		}
		if high >= 0 && high < low {
			return errors.New("has a repetition with its limits out of order")
		}
	default:
		return nil
	}
	if assertion {
		return errors.New("repeats an assertion")
	}
	if t.more() && t.in[t.pos] == '?' {
		t.pos++ // lazy or greedy finds the same strings
	}
	atom := string(t.out[start:])
	t.out = t.out[:start]
	if low == 0 && high == 0 {
		return nil
	}
	optional := high - low
	for low > 0 {
		n := min(low, maxRepeat)
		if high < 0 && low == n {
			break
		}
		t.repeat(atom, n, n)
		low -= n
		if len(t.out) > maxTranslated {
			return errors.New("repeats too often")
		}
	}
	if high < 0 {
		t.repeat(atom, low, -1)
		return nil
	}
	for optional > 0 {
		n := min(optional, maxRepeat)
		t.repeat(atom, 0, n)
		optional -= n
		if len(t.out) > maxTranslated {
			return errors.New("repeats too often")
		}
	}
	return nil
}

func (t *translator) repeat(atom string, low, high int) {
	t.out = append(append(append(t.out, "(?:"...), atom...), ')')
	switch {
	case low == 0 && high < 0:
		t.out = append(t.out, '*')
	case low == 1 && high < 0:
		t.out = append(t.out, '+')
	case low == 0 && high == 1:
		t.out = append(t.out, '?')
	case low == 1 && high == 1:
	case high < 0:
		t.out = fmt.Appendf(t.out, "{%d,}", low)
	default:
		t.out = fmt.Appendf(t.out, "{%d,%d}", low, high)
	}
}

// braces reads {n}, {n,} or {n,m}; high is -1 without a limit. It moves only when that is what is there.
func (t *translator) braces() (low, high int, ok bool) {
	end := slices.Index(t.in[t.pos:], '}')
	if end < 0 {
		return 0, 0, false
	}
	text := string(t.in[t.pos+1 : t.pos+end])
	first, second, comma := strings.Cut(text, ",")
	low, ok = count(first)
	if !ok {
		return 0, 0, false
	}
	high = low
	if comma {
		high = -1
		if second != "" {
			if high, ok = count(second); !ok {
				return 0, 0, false
			}
		}
	}
	t.pos += end + 1
	return low, high, true
}

func count(s string) (int, bool) {
	if s == "" || strings.Trim(s, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	if err != nil || n > maxCount {
		return maxCount, true
	}
	return n, true
}

// charSet is what an escape stands for: the inside of a class in Go's syntax, or a single character.
type charSet struct {
	inside string
	char   rune // when inside is ""
}

func (s charSet) alone() []byte {
	if s.inside != "" {
		return []byte("[" + s.inside + "]")
	}
	return appendRune(nil, s.char)
}

// ecmaSpace is \s: white space and line terminators, which is more than Go's \s.
const (
	ecmaSpace    = `\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
	ecmaNotSpace = `\x{0}-\x{8}\x{E}-\x{1F}!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}` +
		`\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`
)

// escape translates what follows a backslash, inside or outside of a class.
func (t *translator) escape(inClass bool) (charSet, error) {
	if !t.more() {
		return charSet{}, errors.New("ends in a backslash")
	}
	c := t.in[t.pos]
	t.pos++
	switch c {
	case 'd', 'D', 'w', 'W':
		return charSet{inside: `\` + string(c)}, nil
	case 's':
		return charSet{inside: ecmaSpace}, nil
	case 'S':
		return charSet{inside: ecmaNotSpace}, nil
	case 'p', 'P':
		return t.property(c == 'P')
	case 't':
		return charSet{char: '\t'}, nil
	case 'n':
		return charSet{char: '\n'}, nil
	case 'v':
		return charSet{char: '\v'}, nil
	case 'f':
		return charSet{char: '\f'}, nil
	case 'r':
		return charSet{char: '\r'}, nil
	case 'b':
		if inClass {
			return charSet{char: '\b'}, nil
		}
	case '0':
		if !t.more() || t.in[t.pos] < '0' || t.in[t.pos] > '9' {
			return charSet{char: 0}, nil
		}
	case 'c':
		if t.more() && (t.in[t.pos]|0x20 >= 'a' && t.in[t.pos]|0x20 <= 'z') {
			t.pos++
			return charSet{char: t.in[t.pos-1] & 0x1f}, nil
		}
	case 'x':
		if r, ok := t.hex(2); ok {
			return charSet{char: r}, nil
		}
	case 'u':
		return t.unicode()
	case 'k':
		return charSet{}, errBackReference
	}
	switch {
	case '1' <= c && c <= '9' && !inClass:
		return charSet{}, errBackReference
	case c < 0x80 && (unicode.IsLetter(c) || unicode.IsDigit(c)):
		return charSet{}, fmt.Errorf("has the unknown escape \\%c", c)
	}
	return charSet{char: c}, nil // an escaped sign stands for itself
}

// hex reads n hexadecimal digits.
func (t *translator) hex(n int) (rune, bool) {
	if t.pos+n > len(t.in) {
		return 0, false
	}
	x, err := strconv.ParseUint(string(t.in[t.pos:t.pos+n]), 16, 32)
	if err != nil {
		return 0, false
	}
	t.pos += n
	return rune(x), true
}

// unicode reads what follows \u: four digits, two such escapes as a surrogate pair, or {digits}.
func (t *translator) unicode() (charSet, error) {
	if t.peek("{") {
		end := slices.Index(t.in[t.pos:], '}')
		if end > 1 && end < 9 {
			x, err := strconv.ParseUint(string(t.in[t.pos+1:t.pos+end]), 16, 32)
			if err == nil && x <= unicode.MaxRune {
				t.pos += end + 1
				return t.scalar(rune(x))
			}
		}
		return charSet{}, errors.New(`has a \u{…} that is no code point`)
	}
	r, ok := t.hex(4)
	if !ok {
		return charSet{}, errors.New(`has a \u without four hexadecimal digits`)
	}
	if utf16.IsSurrogate(r) && t.peek(`\u`) {
		save := t.pos
		t.pos += 2
		if low, ok := t.hex(4); ok {
			if pair := utf16.DecodeRune(r, low); pair != unicode.ReplacementChar {
				return charSet{char: pair}, nil
			}
		}
		t.pos = save
	}
	return t.scalar(r)
}

func (t *translator) scalar(r rune) (charSet, error) {
	if utf16.IsSurrogate(r) {
		return charSet{}, errors.New("names half of a surrogate pair, which no string contains")
	}
	return charSet{char: r}, nil
}

// property translates \p{…}.
func (t *translator) property(negated bool) (charSet, error) {
	end := -1
	if t.peek("{") {
		end = slices.Index(t.in[t.pos:], '}')
	}
	if end < 2 {
		return charSet{}, errors.New(`has a \p without {property}`)
	}
	text := string(t.in[t.pos+1 : t.pos+end])
	t.pos += end + 1
	key, val, pair := strings.Cut(text, "=")
	name := ""
	switch {
	case pair && (key == "Script" || key == "sc" || key == "Script_Extensions" || key == "scx"):
		if unicode.Scripts[val] != nil {
			name = val
		}
	case pair && (key == "General_Category" || key == "gc"):
		name = category(val)
	case !pair:
		name = category(key)
	}
	if name == "" {
		return charSet{}, fmt.Errorf(`uses the unknown Unicode property %q`, text)
	}
	letter := "p"
	if negated {
		letter = "P"
	}
	return charSet{inside: `\` + letter + "{" + name + "}"}, nil
}

// category returns Go's name of a general category or of a property like ASCII, or "".
func category(name string) string {
	if short := unicode.CategoryAliases[name]; short != "" {
		name = short
	}
	switch {
	case unicode.Categories[name] != nil:
		return name
	case name == "Any", name == "ASCII", name == "Assigned":
		return name
	}
	return ""
}

// class translates a character class; the bracket has been read.
func (t *translator) class() error {
	negated := t.peek("^")
	if negated {
		t.pos++
	}
	var inside []byte
	for {
		if !t.more() {
			return errors.New("has a '[' without ']'")
		}
		if t.in[t.pos] == ']' {
			t.pos++
			break
		}
		low, err := t.classAtom()
		if err != nil {
			return err
		}
		if !t.peek("-") || t.pos+1 < len(t.in) && t.in[t.pos+1] == ']' {
			inside = append(inside, low.within()...)
			continue
		}
		t.pos++
		if !t.more() {
			return errors.New("has a '[' without ']'")
		}
		high, err := t.classAtom()
		if err != nil {
			return err
		}
		switch {
		case low.inside != "" || high.inside != "":
			inside = append(append(append(inside, low.within()...), `\-`...), high.within()...)
		case low.char > high.char:
			return errors.New("has a range with its ends out of order")
		default:
			inside = append(append(append(inside, low.within()...), '-'), high.within()...)
		}
	}
	switch {
	case len(inside) == 0 && negated:
		t.out = append(t.out, `[\x{0}-\x{10FFFF}]`...)
	case len(inside) == 0:
		t.out = append(t.out, `[^\x{0}-\x{10FFFF}]`...)
	case negated:
		t.out = append(append(append(t.out, "[^"...), inside...), ']')
	default:
		t.out = append(append(append(t.out, '['), inside...), ']')
	}
	return nil
}

func (t *translator) classAtom() (charSet, error) {
	c := t.in[t.pos]
	t.pos++
	if c == '\\' {
		return t.escape(true)
	}
	return charSet{char: c}, nil
}

func (s charSet) within() []byte {
	if s.inside != "" {
		return []byte(s.inside)
	}
	return appendRune(nil, s.char)
}

// appendRune writes a character so that it means itself, inside and outside of a class.
func appendRune(dst []byte, r rune) []byte {
	if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r == ' ' || r == '/' {
		return append(dst, byte(r))
	}
	return fmt.Appendf(dst, `\x{%X}`, r)
}
