package jsonschema

import (
	"slices"
	"strings"
)

// spot is the location of a schema in its document. Its text is created only when it is shown,
// because the paths of all schemas in a hostile document could be much larger than the document.
type spot struct {
	up      *spot
	text    string // text of the outermost spot, which is "#" or the document's URI and "#"
	key     string // the keyword
	sub     string // name or index within the keyword's value
	through bool   // whether sub is set
}

const maxSpot = 1000 // maximum number of bytes of a path in a message

// in returns the spot of the schema that is the value of a keyword.
func (s *spot) in(key string) *spot { return &spot{up: s, key: key} }

// entry returns the spot of one of several schemas in the value of a keyword.
func (s *spot) entry(key, sub string) *spot { return &spot{up: s, key: key, sub: sub, through: true} }

// String returns a JSON Pointer as a fragment, such as "#/properties/limit", truncated to maxSpot
// bytes.
func (s *spot) String() string {
	var steps []*spot
	for ; s.up != nil; s = s.up {
		steps = append(steps, s)
	}
	var b strings.Builder
	b.WriteString(s.text)
	for _, step := range slices.Backward(steps) {
		b.WriteString("/" + escapePointer(step.key))
		if step.through {
			b.WriteString("/" + escapePointer(cutString(step.sub, maxSpot)))
		}
		if b.Len() > maxSpot {
			b.WriteString("/…")
			break
		}
	}
	return b.String()
}

// fail returns an error about the schema at s. keyword is "" if the mistake is not in one
// keyword.
func (s *spot) fail(keyword, message string) error {
	return &CompileError{Location: s.String(), Keyword: keyword, Message: message}
}

// escapePointer returns a member name escaped as a token of a JSON Pointer.
func escapePointer(s string) string {
	if !strings.ContainsAny(s, "~/") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}

func unescapePointer(s string) string {
	if !strings.Contains(s, "~") {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "~1", "/"), "~0", "~")
}
