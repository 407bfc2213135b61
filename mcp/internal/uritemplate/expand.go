package uritemplate

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"
)

// Expand returns the URI for the given values. A value is a string, a []string, or a
// map[string]string. The keys of a map are used in sorted order. Undefined variables, nil and empty
// lists or maps are omitted. The prefix modifier applies only to strings.
func (t *Template) Expand(values map[string]any) (string, error) {
	var b []byte
	for _, p := range t.parts {
		if p.op == nil {
			b = append(b, p.literal...)
			continue
		}
		lead := p.op.first
		for _, v := range p.vars {
			items, pairs, err := list(values[v.name], v)
			if err != nil {
				return "", fmt.Errorf("variable %s: %w", v.name, err)
			}
			if len(items) == 0 {
				continue
			}
			if v.explode {
				b = p.op.appendExploded(b, lead, v.name, items, pairs)
			} else {
				b = p.op.appendJoined(b, lead, v, items)
			}
			lead = p.op.sep
		}
	}
	return string(b), nil
}

// list returns a value as a list. A map becomes a list of alternating keys and values.
func list(value any, v variable) (items []string, pairs bool, err error) {
	switch value := value.(type) {
	case nil:
		return nil, false, nil
	case string:
		return []string{value}, false, nil
	case []string:
		items = value
	case map[string]string:
		pairs = true
		for _, key := range slices.Sorted(maps.Keys(value)) {
			items = append(items, key, value[key])
		}
	default:
		return nil, false, fmt.Errorf("a value must be a string, a []string or a map[string]string, not %T", value)
	}
	if v.prefix > 0 {
		return nil, false, errors.New("only a string can have a prefix")
	}
	return items, pairs, nil
}

// appendJoined appends lead and the values of a variable without the explode modifier.
func (op *operator) appendJoined(b []byte, lead byte, v variable, items []string) []byte {
	b = op.appendName(b, lead, v.name, op.named, items[0] == "" && len(items) == 1)
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendEscaped(b, prefix(item, v.prefix, op.reserved), op.reserved)
	}
	return b
}

// appendExploded appends each item, or each pair of key and value, as a
// separate value.
func (op *operator) appendExploded(b []byte, lead byte, name string, items []string, pairs bool) []byte {
	for i := 0; i < len(items); i++ {
		if pairs {
			name = string(appendEscaped(nil, items[i], op.reserved))
			i++
		}
		b = op.appendName(b, lead, name, op.named || pairs, items[i] == "")
		b = appendEscaped(b, items[i], op.reserved)
		lead = op.sep
	}
	return b
}

func (op *operator) appendName(b []byte, lead byte, name string, named, empty bool) []byte {
	if lead != 0 {
		b = append(b, lead)
	}
	if named {
		b = append(b, name...)
		if !empty || !op.bare {
			b = append(b, '=')
		}
	}
	return b
}

// prefix returns the first n characters of s, or s if n is 0. If triplets is
// true, a percent-encoded triplet counts as one character.
func prefix(s string, n int, triplets bool) string {
	if n == 0 {
		return s
	}
	for i := 0; i < len(s); n-- {
		if n == 0 {
			return s[:i]
		}
		if triplets && isTriplet(s[i:]) {
			i += 3
			continue
		}
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return s
}

// appendEscaped appends s with all characters percent-encoded that are not unreserved. If reserved
// is true, it also keeps reserved characters and percent-encoded triplets.
func appendEscaped(b []byte, s string, reserved bool) []byte {
	for i := range len(s) {
		c := s[i]
		class := classes[c]
		if class == unreserved || reserved && class != 0 && (class != percent || isTriplet(s[i:])) {
			b = append(b, c)
		} else {
			b = appendTriplet(b, c)
		}
	}
	return b
}

func appendTriplet(b []byte, c byte) []byte {
	const hex = "0123456789ABCDEF"
	return append(b, '%', hex[c>>4], hex[c&15])
}

// Classes of characters (RFC 3986, section 2), as bits. Characters that are not allowed in a URI
// have no class.
const (
	unreserved uint8 = 1 << iota
	subDelims
	colonAt
	slash
	question
	hash
	bracket
	percent
)

var classes = func() (table [256]uint8) {
	set := func(chars string, class uint8) {
		for _, c := range []byte(chars) {
			table[c] = class
		}
	}
	set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~", unreserved)
	set("!$&'()*+,;=", subDelims)
	set(":@", colonAt)
	set("/", slash)
	set("?", question)
	set("#", hash)
	set("[]", bracket)
	set("%", percent)
	return table
}()
