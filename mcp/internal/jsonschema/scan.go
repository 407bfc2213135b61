package jsonschema

import "bytes"

// The functions in this file scan JSON text. They return -1 for malformed text, and never read
// beyond data.

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// skipSpace returns the index of the first byte at or after i that is not white space, or len(data).
func skipSpace(data []byte, i int) int {
	for i < len(data) && isSpace(data[i]) {
		i++
	}
	return i
}

// shortString is the number of bytes of a string that are scanned one by one. The rest is scanned
// with bytes.IndexByte.
const shortString = 32

// scanString returns the index after the string that starts at data[i], and whether the string
// contains escapes.
func scanString(data []byte, i int) (end int, escaped bool) {
	i++
	if i > len(data) {
		return -1, false
	}
	near := min(len(data), i+shortString)
	for j, c := range data[i:near] {
		if c == '"' {
			return i + j + 1, false
		}
		if c == '\\' {
			near = i + j
			break
		}
	}
	i = near
	for i < len(data) {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return -1, false
		}
		part := data[i : i+n]
		i += n + 1
		slashes := 0
		for slashes < len(part) && part[len(part)-1-slashes] == '\\' {
			slashes++
		}
		escaped = escaped || slashes > 0 || bytes.IndexByte(part, '\\') >= 0
		if slashes%2 == 0 {
			return i, escaped
		}
	}
	return -1, false
}

// scanNumber returns the index after the number that starts at data[i].
func scanNumber(data []byte, i int) int {
	for i < len(data) {
		switch c := data[i]; {
		case '0' <= c && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
			i++
		default:
			return i
		}
	}
	return i
}

// scanLiteral returns the index after word if it starts at data[i], and otherwise -1.
func scanLiteral(data []byte, i int, word string) int {
	if len(data)-i < len(word) || string(data[i:i+len(word)]) != word {
		return -1
	}
	return i + len(word)
}

// skipValue returns the index after the value that starts at data[i], or -1. It does not recurse,
// and does not check the content of arrays and objects.
func skipValue(data []byte, i int) int {
	if i < 0 || i >= len(data) {
		return -1
	}
	switch data[i] {
	case '"':
		end, _ := scanString(data, i)
		return end
	case 't':
		return scanLiteral(data, i, "true")
	case 'f':
		return scanLiteral(data, i, "false")
	case 'n':
		return scanLiteral(data, i, "null")
	case '{', '[':
	default:
		end := scanNumber(data, i)
		if end == i {
			return -1
		}
		return end
	}
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		case '"':
			if i, _ = scanString(data, i); i < 0 {
				return -1
			}
			continue
		}
		i++
	}
	return -1
}

// nextElement iterates over an array or object. i is the index after the opening bracket or after a
// value. nextElement returns the index of the next key or element. At the end, it returns the index
// of the closing bracket, and done is true. If the text is malformed, it returns -1.
func nextElement(data []byte, i int, first bool, closing byte) (next int, done bool) {
	i = skipSpace(data, i)
	if i >= len(data) {
		return -1, true
	}
	if data[i] == closing {
		return i, true
	}
	if !first {
		if data[i] != ',' {
			return -1, true
		}
		i = skipSpace(data, i+1)
	}
	if i >= len(data) {
		return -1, true
	}
	return i, false
}

// afterColon returns the index of the value whose key ends before i, or -1.
func afterColon(data []byte, i int) int {
	i = skipSpace(data, i)
	if i >= len(data) || data[i] != ':' {
		return -1
	}
	i = skipSpace(data, i+1)
	if i >= len(data) {
		return -1
	}
	return i
}
