package jsonrpc

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"unicode/utf8"

	"github.com/docent-mcp/docent/mcp/internal/wire"
)

// MaxDepth is the maximum nesting depth of arrays and objects in a message.
const MaxDepth = 512

// Errors of Skip and Object.
var (
	errSyntax = errors.New("malformed JSON")
	errUTF8   = errors.New("invalid UTF-8 in a JSON string")
	errDepth  = errors.New("JSON nested too deeply")
	errEnd    = errors.New("unexpected end of JSON")
)

// skipSpace returns the index of the first byte at or after i that is not
// JSON white space.
func skipSpace(data []byte, i int) int {
	for i < len(data) {
		switch data[i] {
		case ' ', '\t', '\r', '\n':
			i++
		default:
			return i
		}
	}
	return i
}

// Skip checks the JSON value at data[i], which must not be white space, and
// returns the index after it. It checks grammar, UTF-8 and nesting, but not
// whether surrogate escapes are paired.
func Skip(data []byte, i int) (int, error) {
	// kinds has one bit for each level: 1 for an object, 0 for an array.
	var kinds [MaxDepth / 64]uint64
	depth := 0
	for {
		if i >= len(data) {
			return i, errEnd
		}
		var err error
		switch c := data[i]; {
		case c == '"':
			i, err = skipString(data, i)
		case c == '{' || c == '[':
			if depth == MaxDepth {
				return i, errDepth
			}
			bit := uint64(1) << (depth & 63)
			if c == '{' {
				kinds[depth>>6] |= bit
			} else {
				kinds[depth>>6] &^= bit
			}
			depth++
			i = skipSpace(data, i+1)
			if i < len(data) && data[i] == c+2 { // the closing bracket of c
				depth--
				i++
				break
			}
			if c == '{' {
				if i, err = skipName(data, i); err != nil {
					return i, err
				}
			}
			continue
		case c == '-' || c-'0' < 10:
			i, err = skipNumber(data, i)
		case c == 't':
			i, err = skipWord(data, i, "true")
		case c == 'f':
			i, err = skipWord(data, i, "false")
		case c == 'n':
			i, err = skipWord(data, i, "null")
		default:
			err = errSyntax
		}
		if err != nil {
			return i, err
		}
		// The value is complete. Close the objects and arrays that end here, or continue with the
		// next value.
		for {
			if depth == 0 {
				return i, nil
			}
			object := kinds[(depth-1)>>6]>>((depth-1)&63)&1 == 1
			i = skipSpace(data, i)
			if i >= len(data) {
				return i, errEnd
			}
			if c := data[i]; c == ',' {
				i = skipSpace(data, i+1)
				if object {
					if i, err = skipName(data, i); err != nil {
						return i, err
					}
				}
				break
			} else if object && c == '}' || !object && c == ']' {
				depth--
				i++
			} else {
				return i, errSyntax
			}
		}
	}
}

// skipName skips the member name at data[i], the colon, and the white space around it. It returns
// the index after them.
func skipName(data []byte, i int) (int, error) {
	if i >= len(data) {
		return i, errEnd
	}
	if data[i] != '"' {
		return i, errSyntax
	}
	i, err := skipString(data, i)
	if err != nil {
		return i, err
	}
	i = skipSpace(data, i)
	if i >= len(data) {
		return i, errEnd
	}
	if data[i] != ':' {
		return i, errSyntax
	}
	return skipSpace(data, i+1), nil
}

// skipString skips the string whose opening quote is data[i], and returns the
// index after it.
func skipString(data []byte, i int) (int, error) {
	i++
	for {
		for i+8 <= len(data) {
			if m := wire.Special(binary.LittleEndian.Uint64(data[i:])); m != 0 {
				i += bits.TrailingZeros64(m) >> 3
				break
			}
			i += 8
		}
		if i >= len(data) {
			return i, errEnd
		}
		switch c := data[i]; {
		case c == '"':
			return i + 1, nil
		case c == '\\':
			if i+1 >= len(data) {
				return i, errEnd
			}
			switch data[i+1] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
				i += 2
			case 'u':
				if i+6 > len(data) {
					return i, errEnd
				}
				for _, h := range data[i+2 : i+6] {
					if !isHex(h) {
						return i, errSyntax
					}
				}
				i += 6
			default:
				return i, errSyntax
			}
		case c < ' ':
			return i, errSyntax
		case c < utf8.RuneSelf:
			i++
		default:
			r, n := utf8.DecodeRune(data[i:])
			if r == utf8.RuneError && n <= 1 {
				return i, errUTF8
			}
			i += n
		}
	}
}

func isHex(c byte) bool {
	return c-'0' < 10 || c|0x20-'a' < 6
}

func skipNumber(data []byte, i int) (int, error) {
	if data[i] == '-' {
		i++
	}
	switch {
	case i >= len(data):
		return i, errEnd
	case data[i] == '0':
		i++
	default:
		n := skipDigits(data, i)
		if n == i {
			return i, errSyntax
		}
		i = n
	}
	if i < len(data) && data[i] == '.' {
		n := skipDigits(data, i+1)
		if n == i+1 {
			return i, errSyntax
		}
		i = n
	}
	if i < len(data) && data[i]|0x20 == 'e' {
		i++
		if i < len(data) && (data[i] == '+' || data[i] == '-') {
			i++
		}
		n := skipDigits(data, i)
		if n == i {
			return i, errSyntax
		}
		i = n
	}
	return i, nil
}

func skipDigits(data []byte, i int) int {
	for i < len(data) && data[i]-'0' < 10 {
		i++
	}
	return i
}

func skipWord(data []byte, i int, word string) (int, error) {
	if len(data)-i < len(word) || string(data[i:i+len(word)]) != word {
		return i, errSyntax
	}
	return i + len(word), nil
}
