package search

import (
	"strings"

	"github.com/docent-mcp/docent/internal/markup"
)

// borrowable returns the documentation of the package's types and values by name.
func (x *Index) borrowable() map[string]string {
	docs := map[string]string{}
	for i := range x.entries {
		if s := x.entries[i].symbol; s != nil && s.Doc != "" && s.ParentPath() == "" && !s.IsCallable() {
			docs[baseName(s)] = s.Doc
		}
	}
	return docs
}

// borrowed returns the first sentence of the documentation of a type in a signature, which is the
// best description of a symbol that has none itself. It uses the first type that has documentation
// and is not the symbol. It returns "" if there is no such type.
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
