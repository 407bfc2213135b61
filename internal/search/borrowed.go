package search

import (
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// borrowable are the types and values of the package that have documentation, by name.
func (x *Index) borrowable() map[string]string {
	docs := map[string]string{}
	for i := range x.entries {
		if s := x.entries[i].symbol; s != nil && s.Doc != "" && s.ParentPath() == "" && !isOperation(s) {
			docs[baseName(s)] = s.Doc
		}
	}
	return docs
}

// borrowed is the first sentence of the documentation of the first type in a signature
// that has any, but for the symbol itself: what says most of a symbol that has none.
func borrowed(name, signature string, docs map[string]string) string {
	if len(docs) == 0 {
		return ""
	}
	for word := range strings.FieldsFuncSeq(signature, func(r rune) bool { return !isLetter(r) }) {
		if doc := docs[word]; doc != "" && word != name {
			return markup.Synopsis(doc)
		}
	}
	return ""
}
