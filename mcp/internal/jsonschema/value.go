package jsonschema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// kind is the JSON type of a value.
type kind uint8

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

var kindNames = [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}

func (k kind) String() string { return kindNames[k] }

// value is a parsed JSON value in a schema. Instances are not parsed but validated as text.
type value struct {
	kind  kind
	raw   []byte         // text of the value
	str   string         // unescaped text of a string
	keys  []string       // unescaped keys of an object, in their original order
	items []*value       // elements of an array, or values of an object
	index map[string]int // indexes by key, for an object with many members
}

const indexFrom = 12 // number of members from which an object has an index

// get returns the member named key, or nil.
func (v *value) get(key string) *value {
	if v.kind != kindObject {
		return nil
	}
	if v.index != nil {
		if i, ok := v.index[key]; ok {
			return v.items[i]
		}
		return nil
	}
	for i, k := range v.keys {
		if k == key {
			return v.items[i]
		}
	}
	return nil
}

func (v *value) isTrue() bool { return v.kind == kindBool && v.raw[0] == 't' }

// parseValue parses a JSON text without duplicate member names. It returns an error if the text is
// nested more than maxDepth levels deep.
func parseValue(data []byte, maxDepth int) (*value, error) {
	if !utf8.Valid(data) {
		return nil, fmt.Errorf("it is not valid UTF-8")
	}
	if !json.Valid(data) {
		var x any
		err := json.Unmarshal(data, &x)
		return nil, fmt.Errorf("it is not valid JSON: %w", err)
	}
	p := parser{data: data, room: maxDepth}
	v, _, err := p.value(skipSpace(data, 0))
	return v, err
}

// parser parses valid JSON text into a tree.
type parser struct {
	data []byte
	room int // number of further levels that may be nested
}

func (p *parser) value(i int) (*value, int, error) {
	v := &value{}
	start := i
	switch p.data[i] {
	case '{', '[':
		return p.container(v, i)
	case '"':
		v.kind = kindString
		end, esc := scanString(p.data, i)
		i = end
		if s := p.data[start+1 : end-1]; esc {
			v.str = string(appendUnescaped(nil, s))
		} else {
			v.str = string(s)
		}
	case 'n':
		v.kind, i = kindNull, i+4
	case 't':
		v.kind, i = kindBool, i+4
	case 'f':
		v.kind, i = kindBool, i+5
	default:
		v.kind, i = kindNumber, scanNumber(p.data, i)
	}
	v.raw = p.data[start:i]
	return v, i, nil
}

func (p *parser) container(v *value, i int) (*value, int, error) {
	if p.room == 0 {
		return nil, 0, fmt.Errorf("it is nested too deeply")
	}
	p.room--
	start := i
	v.kind = kindArray
	if p.data[i] == '{' {
		v.kind = kindObject
	}
	i = skipSpace(p.data, i+1)
	for p.data[i] != '}' && p.data[i] != ']' {
		if p.data[i] == ',' {
			i = skipSpace(p.data, i+1)
		}
		if v.kind == kindObject {
			key, end, _ := p.value(i)
			if v.get(key.str) != nil {
				return nil, 0, fmt.Errorf("it contains the member %s twice in one object", quote(key.str))
			}
			v.keys = append(v.keys, key.str)
			if v.index != nil {
				v.index[key.str] = len(v.keys) - 1
			}
			i = skipSpace(p.data, end)
			i = skipSpace(p.data, i+1) // skip the colon
		}
		item, end, err := p.value(i)
		if err != nil {
			return nil, 0, err
		}
		v.items = append(v.items, item)
		if v.kind == kindObject && len(v.keys) == indexFrom {
			v.index = make(map[string]int, 2*indexFrom)
			for j, k := range v.keys {
				v.index[k] = j
			}
		}
		i = skipSpace(p.data, end)
	}
	p.room++
	v.raw = p.data[start : i+1]
	return v, i + 1, nil
}

// equalValues reports whether two values are equal as JSON. Numbers are compared by value, and the
// order of members is ignored.
func equalValues(a, b *value) bool {
	if a.kind != b.kind || len(a.items) != len(b.items) {
		return false
	}
	switch a.kind {
	case kindBool:
		return a.raw[0] == b.raw[0]
	case kindNumber:
		return parseDecimal(a.raw).cmp(parseDecimal(b.raw)) == 0
	case kindString:
		return a.str == b.str
	case kindArray:
		for i := range a.items {
			if !equalValues(a.items[i], b.items[i]) {
				return false
			}
		}
	case kindObject:
		for i, k := range a.keys {
			if other := b.get(k); other == nil || !equalValues(a.items[i], other) {
				return false
			}
		}
	}
	return true
}

// appendUnescaped appends the text of a JSON string without its quotes. A malformed escape or lone surrogate
// becomes U+FFFD.
func appendUnescaped(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		c := s[i]
		if c != '\\' {
			dst = append(dst, c)
			i++
			continue
		}
		if i+1 >= len(s) {
			return append(dst, "\uFFFD"...)
		}
		switch c = s[i+1]; c {
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		case 'u':
			r, n := decodeUnicodeEscape(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		dst = append(dst, c)
		i += 2
	}
	return dst
}

// countEscaped returns the number of characters that appendUnescaped would append for s.
func countEscaped(s []byte) (n int) {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return n + utf8.RuneCount(s)
		}
		n += utf8.RuneCount(s[:i]) + 1
		s = s[i:]
		size := min(2, len(s))
		if size == 2 && s[1] == 'u' {
			_, size = decodeUnicodeEscape(s)
		}
		s = s[size:]
	}
}

// decodeUnicodeEscape parses \u and four hexadecimal digits at the start of s, or two such escapes
// that form a surrogate pair. It returns the code point and the number of bytes parsed.
func decodeUnicodeEscape(s []byte) (rune, int) {
	r, ok := hex4(s)
	if !ok {
		return utf8.RuneError, min(6, len(s))
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hex4(s[6:]); ok {
		if r := utf16.DecodeRune(r, low); r != utf8.RuneError {
			return r, 12
		}
	}
	return utf8.RuneError, 6
}

// hex4 parses \u and four hexadecimal digits. It returns false if s does not start
// with that.
func hex4(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for _, c := range s[2:6] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// quote returns s as a JSON string, shortened for a message.
func quote(s string) string {
	if len(s) > maxShown {
		s = cutString(s, maxShown) + "…"
	}
	return string(appendQuoted(nil, s))
}

// appendQuoted appends s as a JSON string with only the required escapes.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s { // bytes that are not valid UTF-8 become U+FFFD
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, '\\', 'n')
		case r == '\t':
			dst = append(dst, '\\', 't')
		case r < ' ':
			dst = fmt.Appendf(dst, "\\u%04x", r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
