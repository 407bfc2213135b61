// Package uritemplate expands URI templates (RFC 6570, level 4), and matches URIs against them.
// Parse compiles a template. Matching takes linear time.
package uritemplate

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxLength is the maximum length in bytes of a template, and of a URI that is matched.
const MaxLength = 8 << 10

// A Template is a compiled URI template. It is immutable and safe for
// concurrent use.
type Template struct {
	text     string
	parts    []part // parts in their order in the template
	matched  []part // see prepareMatch
	names    []string
	literals int
	repeats  bool // whether a name occurs more than once
}

// A part is an expression, or a literal if op is nil.
type part struct {
	literal string
	op      *operator
	vars    []variable

	alias byte  // another character with which the expression can begin, besides op.first; 0 if there is none
	class uint8 // classes of the characters in values and separators
	items int   // maximum number of values; 0 for any
	split bool  // whether the separator separates values and cannot be part of a value
	limit int   // maximum length of a single value in characters; 0 for any
}

// An operator describes the expressions that begin with a particular character (RFC 6570, appendix
// A).
type operator struct {
	first, sep byte // first is 0 if there is no character before the values
	named      bool
	bare       bool // whether "=" is omitted after a name with an empty value
	reserved   bool // whether reserved characters in values are not encoded
}

var operators = map[byte]*operator{
	0:   {sep: ','},
	'+': {sep: ',', reserved: true},
	'#': {first: '#', sep: ',', reserved: true},
	'.': {first: '.', sep: '.'},
	'/': {first: '/', sep: '/'},
	';': {first: ';', sep: ';', named: true, bare: true},
	'?': {first: '?', sep: '&', named: true},
	'&': {first: '&', sep: '&', named: true},
}

type variable struct {
	name    string
	key     string // normalized name
	explode bool
	prefix  int // maximum length of the value in characters; 0 for any
}

// Parse compiles a template. It returns an error if the template is too long or
// not valid.
func Parse(text string) (*Template, error) {
	if len(text) > MaxLength {
		return nil, fmt.Errorf("a template may have at most %d bytes, not %d", MaxLength, len(text))
	}
	t := &Template{text: text}
	for rest := text; rest != ""; {
		offset := len(text) - len(rest)
		end := strings.IndexAny(rest, "{}")
		switch {
		case end < 0:
			end = len(rest)
		case rest[end] == '}':
			return nil, fmt.Errorf("the } at byte %d does not close anything", offset+end)
		}
		if end > 0 {
			if err := checkLiteral(rest[:end], offset); err != nil {
				return nil, err
			}
			t.parts = append(t.parts, part{literal: string(appendEscaped(nil, rest[:end], true))})
			t.literals += end
			rest = rest[end:]
			continue
		}
		end = strings.IndexByte(rest, '}')
		if end < 0 {
			return nil, fmt.Errorf("the { at byte %d is not closed", offset)
		}
		p, err := parseExpression(rest[1:end])
		if err != nil {
			return nil, fmt.Errorf("the expression at byte %d: %w", offset, err)
		}
		t.parts = append(t.parts, p)
		rest = rest[end+1:]
	}
	for _, p := range t.parts {
		for _, v := range p.vars {
			if slices.Contains(t.names, v.name) {
				t.repeats = true
			} else {
				t.names = append(t.names, v.name)
			}
		}
	}
	t.prepareMatch()
	return t, nil
}

// String returns the text of the template.
func (t *Template) String() string { return t.text }

// Names returns the names of the variables in the order of their first occurrence.
func (t *Template) Names() []string { return slices.Clone(t.names) }

// Exploded reports whether a variable has the explode modifier in one of the expressions.
func (t *Template) Exploded(name string) bool {
	for _, p := range t.parts {
		if slices.ContainsFunc(p.vars, func(v variable) bool { return v.name == name && v.explode }) {
			return true
		}
	}
	return false
}

// Literals returns the number of bytes outside expressions.
func (t *Template) Literals() int { return t.literals }

// checkLiteral returns an error if s, which is text outside expressions, contains a character that
// is not allowed (RFC 6570, section 2.1, with erratum 6937, which allows the apostrophe). offset is
// the position of s in the template in bytes.
func checkLiteral(s string, offset int) error {
	for i, r := range s {
		switch {
		case r == '%' && !isTriplet(s[i:]):
			return fmt.Errorf("the %% at byte %d must be followed by two hexadecimal digits", offset+i)
		case r == utf8.RuneError, r <= ' ', 0x7F <= r && r < 0xA0, strings.ContainsRune("\"<>\\^`|", r):
			return fmt.Errorf("%q at byte %d must be percent-encoded", r, offset+i)
		}
	}
	return nil
}

func parseExpression(s string) (part, error) {
	if s == "" {
		return part{}, fmt.Errorf("it names no variable")
	}
	p := part{op: operators[0]}
	if op := operators[s[0]]; op != nil {
		p.op, s = op, s[1:]
	} else if strings.IndexByte("=,!@|", s[0]) >= 0 {
		return part{}, fmt.Errorf("the operator %q is unknown", s[0])
	}
	for spec := range strings.SplitSeq(s, ",") {
		v, err := parseVariable(spec)
		if err != nil {
			return part{}, err
		}
		p.vars = append(p.vars, v)
	}
	return p, nil
}

func parseVariable(spec string) (variable, error) {
	name, prefix, cut := strings.Cut(spec, ":")
	v := variable{}
	if cut {
		if len(prefix) == 0 || len(prefix) > 4 || prefix[0] == '0' {
			return v, fmt.Errorf("%q: the length of a prefix must be a number from 1 to 9999", spec)
		}
		for _, c := range []byte(prefix) {
			if c-'0' >= 10 {
				return v, fmt.Errorf("%q: the length of a prefix must be a number from 1 to 9999", spec)
			}
			v.prefix = v.prefix*10 + int(c-'0')
		}
	} else {
		name, v.explode = strings.CutSuffix(name, "*")
	}
	dot := true // whether the previous character is a dot or does not exist
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '.' && !dot:
			dot = true
			continue
		case isAlphanumeric(c), c == '_':
		case isTriplet(name[i:]):
			i += 2
		default:
			return v, fmt.Errorf("%q is not a valid variable name: a name consists of letters, digits and underscores, with single dots between them", name)
		}
		dot = false
	}
	if dot {
		return v, fmt.Errorf("%q is not a valid variable name: a name consists of letters, digits and underscores, with single dots between them", name)
	}
	v.name = name
	v.key, _ = normalize(name)
	return v, nil
}

func isAlphanumeric(c byte) bool { return c|0x20-'a' < 26 || c-'0' < 10 }

// isTriplet reports whether s begins with a percent sign and two hexadecimal
// digits.
func isTriplet(s string) bool {
	return len(s) >= 3 && s[0] == '%' && unhex(s[1]) < 16 && unhex(s[2]) < 16
}

// unhex returns the value of a hexadecimal digit. It returns 16 for any other character.
func unhex(c byte) byte {
	switch {
	case c-'0' < 10:
		return c - '0'
	case c|0x20-'a' < 6:
		return c | 0x20 - 'a' + 10
	}
	return 16
}
