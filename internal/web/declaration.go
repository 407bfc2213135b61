package web

import (
	"html"
	"html/template"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// classOf are the classes of the parts of declarations in style.css.
var classOf = map[apidoc.PartRole]string{
	apidoc.AttributePart: "at", apidoc.ModifierPart: "kw", apidoc.EffectPart: "kw", apidoc.NamePart: "nm", apidoc.LabelPart: "lb",
	apidoc.DefaultPart: "vl", apidoc.ValuePart: "vl", apidoc.CommentPart: "cm", apidoc.ReferencePart: "rf",
}

// declaration writes a declaration as HTML, with links to the symbols that it names.
type declaration struct {
	apidoc.Decl
	// children are the indexes of the parts directly within each part; those of the whole
	// text are at 0, those of part i at i+1.
	children [][]int
	href     func(apidoc.Ref) string
	b        strings.Builder
}

func newDeclaration(d apidoc.Decl, href func(apidoc.Ref) string) *declaration {
	out := &declaration{Decl: d, children: make([][]int, len(d.Parts)+1), href: href}
	for i := range d.Parts {
		parent := d.Parts[i].Parent + 1
		out.children[parent] = append(out.children[parent], i)
	}
	return out
}

// whole returns the whole text.
func (d *declaration) whole() template.HTML {
	d.b.Reset()
	d.span(-1, 0, len(d.Text))
	return template.HTML(d.b.String()) // #nosec G203 -- escaped
}

// part returns the text of a part.
func (d *declaration) part(i int) template.HTML {
	d.b.Reset()
	d.write(i)
	return template.HTML(d.b.String()) // #nosec G203 -- escaped
}

// span writes the text from start to end, which lies within a part.
func (d *declaration) span(parent, start, end int) {
	for _, i := range d.children[parent+1] {
		p := &d.Parts[i]
		d.text(start, p.Start)
		d.write(i)
		start = max(start, p.End)
	}
	d.text(start, end)
}

func (d *declaration) text(start, end int) {
	if start < end {
		d.b.WriteString(html.EscapeString(clean(d.Text[start:end])))
	}
}

// write writes a part with its markup.
func (d *declaration) write(i int) {
	p := &d.Parts[i]
	class, href := classOf[p.Role], ""
	if p.Role == apidoc.NamePart && p.Parent >= 0 && d.Parts[p.Parent].Role != apidoc.DeclarationPart {
		class = "pn" // of a parameter or a member
	}
	if p.Role == apidoc.ReferencePart && p.Target != nil {
		href = d.href(*p.Target)
	}
	switch {
	case href != "":
		d.b.WriteString(`<a href="` + html.EscapeString(href) + `">`)
		d.span(i, p.Start, p.End)
		d.b.WriteString("</a>")
	case class != "":
		d.b.WriteString(`<span class="` + class + `">`)
		d.span(i, p.Start, p.End)
		d.b.WriteString("</span>")
	default:
		d.span(i, p.Start, p.End)
	}
}

// parameter is a row of the table of parameters.
type parameter struct {
	Name, Type, Default template.HTML
	Notes               string
}

// call is one declaration that is called, with its parameters and results.
type call struct {
	Params  []parameter
	Results []parameter
}

// calls returns the parameters of each declaration that has some.
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
