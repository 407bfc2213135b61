package jsonschema

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxShown      = 60   // maximum size in bytes of a value in a message
	maxNamesShown = 20   // maximum number of property names or allowed values in a message
	maxListShown  = 400  // maximum size in bytes of a list of names or values
	maxForms      = 4    // maximum number of branches of anyOf in a message
	maxPointer    = 1000 // maximum size in bytes of a pointer
	maxToken      = 200  // maximum size in bytes of one name in a pointer
)

// pointer returns the JSON Pointer of the value or key at pos.
func (v *validator) pointer(pos int) string {
	var b strings.Builder
	d := v.data
	i := skipSpace(d, 0)
	for i >= 0 && i < pos && b.Len() < maxPointer && (d[i] == '{' || d[i] == '[') {
		object := d[i] == '{'
		closing := d[i] + 2
		inner := i + 1
		for n := 0; ; n++ {
			next, done := nextElement(d, inner, n == 0, closing)
			if done || next < 0 {
				return b.String()
			}
			val := next
			if object {
				if val = keyEnd(d, next); val < 0 {
					return b.String()
				}
			}
			end := skipValue(d, val)
			if end < 0 {
				return b.String()
			}
			if pos >= end {
				inner = end
				continue
			}
			if !object {
				b.WriteString("/" + strconv.Itoa(n))
			} else if pos != next || pos == val {
				b.WriteString("/" + escapePointer(cutString(v.keyAt(next), maxToken)))
			}
			i = val
			break
		}
	}
	return b.String()
}

// keyAt returns the string that starts at pos.
func (v *validator) keyAt(pos int) string {
	end, escaped := scanString(v.data, pos)
	if end < 0 {
		return ""
	}
	raw := v.data[pos+1 : end-1]
	if !escaped {
		return string(raw)
	}
	return string(appendUnescaped(nil, raw))
}

func (v *validator) runes(pos int) int { return utf8.RuneCountInString(v.keyAt(pos)) }

// shown returns the value at pos, shortened for a message.
func (v *validator) shown(pos int) string {
	end := skipValue(v.data, pos)
	if end < 0 {
		return "the value"
	}
	k, _ := kindAt(v.data[pos])
	if end-pos <= maxShown {
		return string(v.data[pos:end])
	}
	switch k {
	case kindString:
		return quote(v.keyAt(pos))
	case kindNumber:
		return string(v.data[pos:pos+maxShown]) + "…"
	}
	return "this " + strings.TrimPrefix(strings.TrimPrefix(k.String(), "an "), "a ")
}

// shownWithType returns the type of the value at pos, with the value if that is informative.
func (v *validator) shownWithType(pos int) string {
	k, ok := kindAt(v.data[pos])
	switch {
	case !ok:
		return "this value"
	case k == kindNull || k == kindObject || k == kindArray:
		return k.String()
	}
	return k.String() + " (" + v.shown(pos) + ")"
}

// show describes the value of a keyword for an error about a schema.
func show(v *value) string {
	switch v.kind {
	case kindObject, kindArray, kindNull:
		return v.kind.String()
	}
	return showShort(v)
}

func showShort(v *value) string {
	if len(v.raw) <= maxShown {
		return string(v.raw)
	}
	if v.kind == kindString {
		return quote(v.str)
	}
	return cutString(string(v.raw), maxShown) + "…"
}

// cutString returns the longest prefix of s of at most n bytes and whole characters.
func cutString(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
