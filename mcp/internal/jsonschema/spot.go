package jsonschema

import (
	"slices"
	"strings"
)

// spot is the place of a schema in its document. The text of it is only made when it is shown: written out for
// every schema, the paths of a hostile document would take far more room than the document.
type spot struct {
	up      *spot
	text    string // of the outermost spot: "#", or the document's URI and "#"
	key     string // the keyword
	sub     string // the name or index below it
	through bool   // whether there is a sub
}

const maxSpot = 1000 // bytes of a path that is shown

// in returns the spot of the schema under a keyword.
func (s *spot) in(key string) *spot { return &spot{up: s, key: key} }

// at returns the spot of one of the schemas under a keyword.
func (s *spot) at(key, sub string) *spot { return &spot{up: s, key: key, sub: sub, through: true} }

// String returns a JSON Pointer as a fragment, such as "#/properties/limit". It is cut when it is very long.
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

// fail is an error about the schema at s. Keyword is "" when the fault is not in one keyword.
func (s *spot) fail(keyword, message string) error {
	return &CompileError{Location: s.String(), Keyword: keyword, Message: message}
}

// escapePointer writes a member name as a token of a JSON Pointer.
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
