package answer

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// styleOf is the style of a package with what its language leaves open filled in.
func styleOf(p *apidoc.Package) apidoc.Style {
	s := p.Style
	s.Name = cmp.Or(s.Name, string(p.Ecosystem))
	s.Fence = cmp.Or(s.Fence, string(p.Ecosystem))
	s.LineComment = cmp.Or(s.LineComment, "// ")
	s.Separator = cmp.Or(s.Separator, ".")
	if s.Headings == nil {
		s.Headings = apidoc.DefaultHeadings
	}
	return s
}

// sectionOf is the heading that a declaration stands under.
func (w *writer) sectionOf(d *Declaration) string {
	switch d.Path {
	case "default":
		return "Default export"
	case "export=":
		return "What require and import give (export =)"
	}
	return w.style.Headings[headingOf(w.style.Headings, d.Kind)].Title
}

// headingOf is the index of the heading for a kind of symbol.
func headingOf(headings []apidoc.Heading, kind string) int {
	i := slices.IndexFunc(headings, func(h apidoc.Heading) bool { return slices.Contains(h.Kinds, apidoc.Kind(kind)) })
	if i < 0 {
		i = len(headings) - 1
	}
	return i
}

// rank orders the declarations of a package whose language orders none: what an
// import binds as a whole, then by heading.
func rank(headings []apidoc.Heading, d *Declaration) int {
	if d.Path == "default" || d.Path == "export=" {
		return -1
	}
	return headingOf(headings, d.Kind)
}
