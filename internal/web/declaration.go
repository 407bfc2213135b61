package web

import (
	"cmp"
	"html"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/highlight"
	"github.com/docent-mcp/docent/internal/markup"
)

// classOf maps the roles of a declaration's parts to the CSS classes in style.css.
var classOf = map[apidoc.PartRole]string{
	apidoc.AttributePart: "at", apidoc.ModifierPart: "kw", apidoc.EffectPart: "kw", apidoc.NamePart: "nm", apidoc.LabelPart: "lb",
	apidoc.DefaultPart: "vl", apidoc.ValuePart: "vl", apidoc.CommentPart: "cm", apidoc.ReferencePart: "rf",
}

// declaration writes a declaration as HTML, with links to the symbols that it names. Names are
// marked by their role in the declaration; in the text between its parts, keywords and literals are
// highlighted.
type declaration struct {
	apidoc.Decl
	tokens []token
	// children holds the indexes of the parts that are directly within each part: children[0] for
	// the whole text, children[i+1] for part i.
	children [][]int
	href     func(apidoc.Ref) string
	b        strings.Builder
}

// token is a piece of a declaration with its class.
type token struct {
	class string
	end   int // offset in the text
}

func newDeclaration(d apidoc.Decl, lexis *highlight.Lexis, href func(apidoc.Ref) string) *declaration {
	out := &declaration{Decl: d, children: make([][]int, len(d.Parts)+1), href: href}
	for i := range d.Parts {
		parent := d.Parts[i].Parent + 1
		out.children[parent] = append(out.children[parent], i)
	}
	end := 0
	for class, piece := range pieces(d.Text, lexis) {
		end += len(piece)
		out.tokens = append(out.tokens, token{class, end})
	}
	return out
}

// writeComment writes a comment, in which Markdown links to other sites are links, and other links
// are shown as their text.
func writeComment(b *strings.Builder, text string) {
	b.WriteString(`<span class="` + classOf[apidoc.CommentPart] + `">`)
	for piece, target := range markup.SplitLinks(text) {
		if u, err := url.Parse(target); err == nil && u.Host != "" && (u.Scheme == "https" || u.Scheme == "http") {
			b.WriteString(`<a href="` + html.EscapeString(u.String()) + `" rel="noreferrer noopener external">` + html.EscapeString(piece) + "</a>")
		} else {
			b.WriteString(html.EscapeString(piece))
		}
	}
	b.WriteString("</span>")
}

// whole returns the whole declaration.
func (d *declaration) whole() template.HTML {
	d.b.Reset()
	d.span(-1, 0, len(d.Text), true)
	return template.HTML(d.b.String()) // #nosec G203 -- escaped
}

// part returns the text of a part.
func (d *declaration) part(i int) template.HTML {
	d.b.Reset()
	d.write(i)
	return template.HTML(d.b.String()) // #nosec G203 -- escaped
}

// span writes the text from start to end. parent is the index of the part that contains it, or -1
// if no part does. If marked is true, keywords and literals are highlighted.
func (d *declaration) span(parent, start, end int, marked bool) {
	for _, i := range d.children[parent+1] {
		p := &d.Parts[i]
		d.text(start, p.Start, marked)
		d.write(i)
		start = max(start, p.End)
	}
	d.text(start, end, marked)
}

// text writes the text from start to end, which contains no part.
func (d *declaration) text(start, end int, marked bool) {
	if start >= end {
		return
	}
	if !marked {
		writePiece(&d.b, "", clean(d.Text[start:end]))
		return
	}
	first, _ := slices.BinarySearchFunc(d.tokens, start+1, func(t token, offset int) int { return cmp.Compare(t.end, offset) })
	for _, t := range d.tokens[first:] {
		if piece := clean(d.Text[start:min(t.end, end)]); t.class == classOf[apidoc.CommentPart] {
			writeComment(&d.b, piece)
		} else {
			writePiece(&d.b, t.class, piece)
		}
		if start = t.end; start >= end {
			return
		}
	}
}

// write writes a part with its markup.
func (d *declaration) write(i int) {
	p := &d.Parts[i]
	class, href := classOf[p.Role], ""
	if p.Role == apidoc.NamePart && p.Parent >= 0 && d.Parts[p.Parent].Role != apidoc.DeclarationPart {
		class = "pn" // name of a parameter or member
	}
	if p.Role == apidoc.ReferencePart && p.Target != nil {
		href = d.href(*p.Target)
	}
	switch {
	case p.Role == apidoc.CommentPart && len(d.children[i+1]) == 0:
		writeComment(&d.b, clean(d.Text[p.Start:p.End]))
	case href != "":
		d.b.WriteString(`<a href="` + html.EscapeString(href) + `">`)
		d.span(i, p.Start, p.End, false)
		d.b.WriteString("</a>")
	case class != "":
		d.b.WriteString(`<span class="` + class + `">`)
		d.span(i, p.Start, p.End, false)
		d.b.WriteString("</span>")
	default:
		d.span(i, p.Start, p.End, true)
	}
}

// parameter is a row of the table of parameters.
type parameter struct {
	Name, Type, Default template.HTML
	Notes               string
}

// call holds the parameters and results of one declaration of a function.
type call struct {
	Params  []parameter
	Results []parameter
}

// calls returns the parameters and results of each declaration that has parameters.
func (d *declaration) calls() []call {
	var all []call
	for i := range d.Within(-1, apidoc.DeclarationPart) {
		var c call
		for k := range d.Within(i, apidoc.ParamPart) {
			if d.Parts[k].Flags&apidoc.Self == 0 {
				c.Params = append(c.Params, d.parameter(k))
			}
		}
		for k := range d.Within(i, apidoc.ResultPart) {
			c.Results = append(c.Results, d.parameter(k))
		}
		if len(c.Params) > 0 {
			all = append(all, c)
		}
	}
	return all
}

func (d *declaration) parameter(i int) parameter {
	var p parameter
	if name := d.Child(i, apidoc.NamePart); name >= 0 {
		p.Name = d.part(name)
	}
	if t := d.TypeOf(i); t >= 0 {
		p.Type = d.part(t)
	}
	if value := d.Child(i, apidoc.DefaultPart); value >= 0 {
		p.Default = d.part(value)
	}
	var notes []string
	flags := d.Parts[i].Flags
	for _, note := range []struct {
		flag apidoc.PartFlags
		text string
	}{{apidoc.Optional, "optional"}, {apidoc.Variadic, "any number"}, {apidoc.KeywordOnly, "by name only"}, {apidoc.PositionalOnly, "by position only"}} {
		if flags&note.flag != 0 {
			notes = append(notes, note.text)
		}
	}
	if label := d.ChildText(i, apidoc.LabelPart); label != "" {
		notes = append(notes, "label "+clean(label))
	}
	p.Notes = strings.Join(notes, ", ")
	return p
}
