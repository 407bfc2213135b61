// Package wire appends JSON to buffers.
package wire

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// Special finds the first of eight bytes, loaded in little-endian order, that is a quote, a
// backslash, a control character or not ASCII. The lowest bit that is set in the result is the high
// bit of that byte. If there is no such byte, the result is 0.
func Special(w uint64) uint64 {
	quote := w ^ ones*'"'
	slash := w ^ ones*'\\'
	return ((quote - ones) | (slash - ones) | (w - ones*' ') | w) & highs
}

// String appends s as a JSON string. Invalid UTF-8 becomes U+FFFD. U+2028 and U+2029 are escaped,
// because some parsers treat them as line ends.
func String[S string | []byte](b []byte, s S) []byte {
	b = append(b, '"')
	b = Text(b, s)
	return append(b, '"')
}

// Text appends s in the same way as String, without the quotes.
func Text[S string | []byte](b []byte, s S) []byte {
	const hex = "0123456789abcdef"
	// Text without escapes is checked and copied eight bytes at a time.
	b = slices.Grow(b, len(s)+len(s)/32+8)
	var word [8]byte
	i := 0
	for i < len(s) {
		room, n := b[:cap(b)], len(b)
		for i+8 <= len(s) && n+8 <= len(room) {
			copy(word[:], s[i:i+8])
			w := binary.LittleEndian.Uint64(word[:])
			binary.LittleEndian.PutUint64(room[n:], w)
			if m := Special(w); m != 0 {
				plain := bits.TrailingZeros64(m) >> 3
				i, n = i+plain, n+plain
				break
			}
			i, n = i+8, n+8
		}
		b = room[:n]
		if i == len(s) {
			break
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			if n := plainRunes(s[i:]); n > 0 {
				b = append(b, s[i:i+n]...)
				i += n
				continue
			}
			r, n := decodeRune(s[i:])
			switch {
			case r == utf8.RuneError && n < 3:
				b = append(b, "\uFFFD"...)
			case r == '\u2028', r == '\u2029':
				b = append(b, `\u202`...)
				b = append(b, hex[r&15])
			default:
				b = append(b, s[i:i+n]...)
			}
			i += n
			continue
		}
		i++
		switch {
		case c == '"', c == '\\':
			b = append(b, '\\', c)
		case c >= ' ':
			b = append(b, c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return b
}

// plainRunes returns the length of the prefix of s that consists of runes of
// two or three bytes that need no escape. It excludes runes that begin with
// 0xE2, such as U+2028.
func plainRunes[S string | []byte](s S) int {
	for i := 0; ; {
		switch {
		case i+1 < len(s) && 0xC2 <= s[i] && s[i] <= 0xDF && s[i+1]&0xC0 == 0x80:
			i += 2
		case i+2 < len(s) && 0xE3 <= s[i] && s[i] <= 0xEF && s[i] != 0xED && s[i+1]&0xC0 == 0x80 && s[i+2]&0xC0 == 0x80:
			i += 3
		default:
			return i
		}
	}
}

func decodeRune[S string | []byte](s S) (rune, int) {
	var window [utf8.UTFMax]byte
	n := copy(window[:], s[:min(len(s), utf8.UTFMax)])
	return utf8.DecodeRune(window[:n])
}

// Base64 appends data as a JSON string in standard base64.
func Base64(b, data []byte) []byte {
	b = append(b, '"')
	b = base64.StdEncoding.AppendEncode(b, data)
	return append(b, '"')
}

// Float appends f. It writes an integer without fraction or exponent. NaN and
// infinities, which JSON does not have, become 0.
func Float(b []byte, f float64) []byte {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return append(b, '0')
	case f == math.Trunc(f) && math.Abs(f) < 1<<53:
		return strconv.AppendInt(b, int64(f), 10)
	}
	return strconv.AppendFloat(b, f, 'g', -1, 64)
}

// Name appends a member's name and a colon, after a comma unless it is the first member. The name
// must not contain characters that need an escape.
func Name(b []byte, name string) []byte {
	b = Comma(b)
	b = append(b, '"')
	b = append(b, name...)
	return append(b, '"', ':')
}

// Comma appends a comma, except after the opening bracket of an array or
// object.
func Comma(b []byte) []byte {
	switch b[len(b)-1] {
	case '{', '[':
		return b
	}
	return append(b, ',')
}

// Field appends a string member.
func Field(b []byte, name, value string) []byte {
	return String(Name(b, name), value)
}

// Optional appends a string member, unless the value is empty.
func Optional(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	return Field(b, name, value)
}

// Raw appends a member whose value is JSON text, unless the value is empty.
func Raw(b []byte, name string, value []byte) []byte {
	if len(value) == 0 {
		return b
	}
	return append(Name(b, name), value...)
}

// Bool appends a boolean member.
func Bool(b []byte, name string, value bool) []byte {
	return strconv.AppendBool(Name(b, name), value)
}

// Int appends an integer member.
func Int(b []byte, name string, value int64) []byte {
	return strconv.AppendInt(Name(b, name), value, 10)
}
