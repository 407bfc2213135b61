package ecosystem

import "strings"

// PlainPath returns a path without parentheses, pointers and arguments in square brackets, and with
// dots instead of number signs: "(*Pointer[T]).Load()" becomes "Pointer.Load".
func PlainPath(path string) string {
	var b strings.Builder
	depth := 0
	for _, r := range path {
		switch {
		case r == '[':
			depth++
		case r == ']':
			depth = max(0, depth-1)
		case depth > 0, strings.ContainsRune("()*& \t", r):
		case r == '#':
			b.WriteByte('.')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// UsedPath returns a path without the punctuation that code writes around the name of an attribute or
// macro, and without type arguments in angle brackets: "@Test", "#expect", "#[tokio::main]" and "vec!"
// become "Test", "expect", "tokio::main" and "vec"; "Deque<Int>.append(_:)" and "Vec::<u8>::push"
// become "Deque.append(_:)" and "Vec::push".
func UsedPath(path string) string {
	if inner, ok := strings.CutPrefix(path, "#["); ok {
		path = strings.TrimSuffix(inner, "]")
	}
	path = strings.TrimSuffix(strings.TrimLeft(path, "@#"), "!")
	for from := 0; ; {
		start := strings.IndexByte(path[from:], '<') + from
		if start <= from { // There is no opening bracket, or the bracket begins an operator.
			return path
		}
		length := bracketed(path[start:])
		if length == 0 {
			return path
		}
		path = strings.TrimSuffix(path[:start], "::") + path[start+length:]
		from = min(start, len(path))
	}
}

// bracketed returns the length of the text in angle brackets at the start of s, or 0 if the
// brackets do not close.
func bracketed(s string) int {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '<':
			depth++
		case '>':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}
