package web

import (
	"html"
	"html/template"
	"strings"

	"github.com/docent-mcp/docent/internal/highlight"
)

// classOfCode maps the classes of pieces of code to the CSS classes in style.css.
var classOfCode = map[highlight.Class]string{highlight.Comment: "cm", highlight.String: "vl", highlight.Number: "vl", highlight.Keyword: "kw"}

// code returns code as HTML with its comments, strings, numbers and keywords marked. lexis may
// be nil.
func code(text string, lexis *highlight.Lexis) template.HTML {
	var b strings.Builder
	for class, piece := range pieces(clean(text), lexis) {
		writePiece(&b, class, piece)
	}
	return template.HTML(b.String()) // #nosec G203 -- escaped
}

// pieces yields the CSS class and the text of each piece of code.
func pieces(text string, lexis *highlight.Lexis) func(yield func(string, string) bool) {
	return func(yield func(string, string) bool) {
		if lexis == nil {
			yield("", text)
			return
		}
		for class, piece := range highlight.Each(text, lexis) {
			if !yield(classOfCode[class], piece) {
				return
			}
		}
	}
}

// writePiece writes text, in a span if it has a class.
func writePiece(b *strings.Builder, class, text string) {
	text = html.EscapeString(text)
	switch {
	case text == "":
	case class == "":
		b.WriteString(text)
	default:
		b.WriteString(`<span class="` + class + `">` + text + "</span>")
	}
}
