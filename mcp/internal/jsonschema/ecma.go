package jsonschema

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const (
	maxTranslated = 64 << 10 // maximum size in bytes of a translated pattern
	maxRepeat     = 1000     // maximum repeat count in Go's regexp
	maxGroups     = 100      // maximum nesting depth of groups
)

// translatePattern translates an ECMA-262 pattern to the syntax of Go's regexp. It returns an
// error for a pattern that is malformed or that Go's regexp cannot express.
func translatePattern(source string) (string, error) {
	t := translator{in: []rune(source)}
	if err := t.alternatives(0); err != nil {
		return "", err
	}
	if t.more() {
		return "", errors.New("has a ')' without '('")
	}
	return string(t.out), nil
}

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

// term translates an atom or assertion and its quantifier.
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
			return errors.New("has an unterminated group name")
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

// quantifier translates the quantifier after an atom, if there is one. If a count exceeds Go's
// limit, it repeats the atom.
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
		t.pos++ // lazy and greedy quantifiers match the same strings
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

// braces parses {n}, {n,} or {n,m}. high is -1 if there is no upper limit. If there are no braces,
// it returns false and does not advance.
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
