package signature

import "strings"

// ImplName returns the name of an implementation in a path, such as impl From<Error> for A.
func ImplName(header string) string {
	_, rest, _ := strings.Cut(header, "impl")
	_, rest = CutGenerics(rest)
	return "impl " + lastNames(strings.TrimSpace(rest))
}

// CutGenerics splits text after the generic parameters at its beginning. generics is empty if there
// are none.
func CutGenerics(text string) (generics, rest string) {
	if !strings.HasPrefix(text, "<") {
		return "", text
	}
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '<':
			depth++
		case '>':
			if i > 0 && (text[i-1] == '-' || text[i-1] == '=') {
				continue
			}
			depth--
		}
		if depth == 0 {
			return text[1:i], text[i+1:]
		}
	}
	return "", text
}

// lastNames replaces each path with its last name.
func lastNames(t string) string {
	var b strings.Builder
	start := 0
	for i := 0; i < len(t); {
		if strings.HasPrefix(t[i:], "::") {
			// Drop the name before the colons.
			text := b.String() + t[start:i]
			end := strings.LastIndexFunc(text, func(r rune) bool {
				return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '$' && r < 0x80
			})
			b.Reset()
			b.WriteString(text[:end+1])
			i += 2
			start = i
			continue
		}
		i++
	}
	b.WriteString(t[start:])
	return notInNames.Replace(b.String())
}

// notInNames removes characters that separate the names of paths in any
// language.
var notInNames = strings.NewReplacer(".", "", "#", "", "/", "", ":", "")
