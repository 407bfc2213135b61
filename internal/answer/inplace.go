package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
)

// If a field is requested together with its type, it is not declared a second time, because the
// declaration of the type shows it.

// typeAsked returns the index in requests of the type to which the i-th symbol belongs as a field. It
// returns -1 if that type was not requested or the symbol is not a field.
func typeAsked(requests []Subject, i int) int {
	s := requests[i].Symbol
	if !s.IsField() {
		return -1
	}
	return slices.IndexFunc(requests, func(a Subject) bool { return a.Renderer == requests[i].Renderer && a.Symbol.Path == s.ParentPath() })
}

// fieldsBehindTypes returns requests with each field directly after its type, if both were requested.
func fieldsBehindTypes(requests []Subject) []Subject {
	fields := map[int][]Subject{} // keyed by the index of the type
	moved := make([]bool, len(requests))
	for i := range requests {
		if index := typeAsked(requests, i); index >= 0 {
			fields[index] = append(fields[index], requests[i])
			moved[i] = true
		}
	}
	var all []Subject
	for i := range requests {
		if !moved[i] {
			all = append(append(all, requests[i]), fields[i]...)
		}
	}
	return all
}

// inPlace returns the types that a field needs. about is the text of the answer about the type that
// declares the field. inPlace returns "" if about does not contain the declaration or the comment
// of the field.
func (a *Subject) inPlace(about string, limit int, shown shownSet) string {
	signature := withoutTags(withoutComments(a.concise(a.Symbol))).Text
	about = plainWords(about)
	if !strings.Contains(about, plainWords(firstLine(signature))) || !strings.Contains(about, plainWords(markup.Clean(a.Symbol.Doc))) {
		return ""
	}
	var w writer
	w.block("## " + symbolTitle(a) + ": above, in " + oneLine(naming.Called(a.pkg, a.Symbol.ParentPath())))
	if limit <= 0 {
		limit = 1 << 30
	}
	params, results, _ := a.needs(a.Symbol, max(limit-w.b.Len(), 0), true, shown)
	var both strings.Builder
	join(&both, params)
	join(&both, results)
	w.code(fence(a.pkg), both.String())
	return w.b.String()
}

// plainWords returns a text without the characters that mark comments and Markdown, and with single
// spaces between words.
func plainWords(text string) string {
	text = strings.NewReplacer("//", " ", "#", " ", "*", " ", "`", "", "[", "", "]", "").Replace(text)
	return strings.Join(strings.Fields(text), " ")
}
