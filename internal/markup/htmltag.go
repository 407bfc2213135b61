package markup

import (
	"io"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// tags contains the recognized HTML elements. Anything else in angle brackets, such as <T> or an
// address, is treated as text.
var tags = func() map[string]bool {
	names := map[string]bool{}
	for n := range strings.FieldsSeq(`a abbr b big blockquote body br button caption center code col colgroup dd del details div dl dt em
		figcaption figure font footer form g h1 h2 h3 h4 h5 h6 head header hr html i iframe img ins kbd li link main meta nav ol p
		picture pre q s samp script section select small source span strike strong style sub summary sup svg table tbody td template tfoot th
		thead tr tt u ul var video article aside`) {
		names[n] = true
	}
	return names
}()

// maxTag is the maximum length of a tag in bytes.
const maxTag = 8000

// tagReader parses tags. It reuses one tokenizer as long as the tags are well
// formed.
type tagReader struct {
	rest      string // the text that begins with the tag
	tokenizer *html.Tokenizer
}

// read parses the tag at the beginning of s. size is 0 if there is none.
func (r *tagReader) read(s string) (tag html.Token, size int) {
	r.rest = s[:min(len(s), maxTag)]
	if r.tokenizer == nil {
		r.tokenizer = html.NewTokenizer(r)
	}
	z := r.tokenizer
	switch z.Next() {
	case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
		z.NextIsNotRawText()
		size = len(z.Raw())
		tag = z.Token()
	}
	if size == 0 || len(r.rest) != min(len(s), maxTag)-size {
		r.tokenizer = nil // The tokenizer is at the end, or has read beyond the tag.
	}
	if !tags[tag.Data] || slices.ContainsFunc(tag.Attr, func(a html.Attribute) bool { return strings.Contains(a.Key, "<") }) {
		return tag, 0
	}
	return tag, size
}

// Read gives the tokenizer only the tag, which ends with a ">".
func (r *tagReader) Read(p []byte) (int, error) {
	n := strings.IndexByte(r.rest, '>') + 1
	if n == 0 {
		return 0, io.EOF
	}
	n = copy(p, r.rest[:n])
	r.rest = r.rest[n:]
	return n, nil
}

// attribute returns the value of an attribute, or "" if there is none.
func attribute(attributes []html.Attribute, name string) string {
	for _, a := range attributes {
		if a.Key == name {
			return strings.TrimSpace(a.Val)
		}
	}
	return ""
}
