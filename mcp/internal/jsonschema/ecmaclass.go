package jsonschema

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
)

// charSet is the meaning of an escape: the content of a class in Go's syntax, or a single
// character.
type charSet struct {
	inside string
	char   rune // the single character, if inside is ""
}

func (s charSet) alone() []byte {
	if s.inside != "" {
		return []byte("[" + s.inside + "]")
	}
	return appendRune(nil, s.char)
}

// ecmaSpace is the meaning of \s in ECMA-262: white space and line terminators. Go's \s matches
// fewer characters.
const (
	ecmaSpace    = `\t-\r \x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
	ecmaNotSpace = `\x{0}-\x{8}\x{E}-\x{1F}!-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}` +
		`\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`
)

// escape translates an escape after its backslash, inside or outside a class. It returns an error
// for an escape that ECMA-262 does not define.
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
	return charSet{char: c}, nil // an escaped punctuation character stands for itself
}

// hex parses n hexadecimal digits. It returns false if there are fewer.
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

// unicode parses the rest of a \u escape: four digits, a surrogate pair that consists of two such
// escapes, or {digits}.
func (t *translator) unicode() (charSet, error) {
	if t.peek("{") {
		if end := slices.Index(t.in[t.pos:], '}'); end > 1 && end < 9 {
			x, err := strconv.ParseUint(string(t.in[t.pos+1:t.pos+end]), 16, 32)
			if err == nil && x <= unicode.MaxRune {
				t.pos += end + 1
				return t.scalar(rune(x))
			}
		}
		return charSet{}, errors.New(`has a \u{…} that is not a code point`)
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

// property translates \p{…} or, if negated is true, \P{…}.
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

// category returns Go's name for a general category, or for a property such as ASCII,
// or "".
func category(name string) string {
	if short := unicode.CategoryAliases[name]; short != "" {
		name = short
	}
	switch {
	case unicode.Categories[name] != nil, name == "Any", name == "ASCII", name == "Assigned":
		return name
	}
	return ""
}

// class translates a character class after its opening bracket.
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

// appendRune appends a literal character, escaped for use inside and outside a class.
func appendRune(dst []byte, r rune) []byte {
	if '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r == '_' || r == ' ' || r == '/' {
		return append(dst, byte(r))
	}
	return fmt.Appendf(dst, `\x{%X}`, r)
}
