package answer

import (
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Book is a package made ready for answers: its text cleaned, its first
// sentences found, its declarations shortened. It costs as much to make as an
// answer at full length, and answers from it cost little. It does not change
// and is safe for concurrent use; the package must not change while it lives.
type Book struct {
	pkg      *apidoc.Package
	about    About
	doc      string
	pages    []page // of the package's symbols, groups as one
	examples []Example
	sections []Section
	below    []Subpackage
	warnings []string
	sizes    []int // of the declarations, by level of detail
}

// page is one declaration made ready.
type page struct {
	declaration Declaration // what is told at any level of detail
	signature   string      // the whole declaration
	short       string      // without the comments within it
	collapsed   string      // and without what goes on for long
	doc         string      // the whole comment
	synopsis    string      // its first sentence
	examples    []Example
	inside      bool // the declaration that it is a member of shows it
	members     []page
}

// NewBook makes p ready.
func NewBook(p *apidoc.Package) *Book {
	b := &Book{pkg: p, about: about(p), doc: markup.Clean(p.Doc), examples: examples(p.Examples)}
	for i := 0; i < len(p.Symbols); {
		n := 1
		if g := p.Symbols[i].Group; g > 0 && g <= len(p.Groups) {
			for i+n < len(p.Symbols) && p.Symbols[i+n].Group == g {
				n++
			}
			b.pages = append(b.pages, groupPage(&p.Groups[g-1], p.Symbols[i:i+n]))
		} else {
			b.pages = append(b.pages, newPage(&p.Symbols[i]))
		}
		i += n
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		b.sections = append(b.sections, Section{ID: s.ID, Title: oneLine(s.Title), Body: markup.Clean(s.Body)})
	}
	for i := range p.Subpackages {
		s := &p.Subpackages[i]
		b.below = append(b.below, Subpackage{Name: oneLine(s.Name), Synopsis: oneLine(s.Synopsis)})
	}
	for _, w := range p.Warnings {
		b.warnings = append(b.warnings, oneLine(w))
	}
	for _, d := range details {
		b.sizes = append(b.sizes, d.size(b.pages, d.docs))
	}
	return b
}

// newPage makes one symbol ready, and its members.
func newPage(s *apidoc.Symbol) page {
	p := page{
		declaration: Declaration{
			Path:       oneLine(s.Path),
			Kind:       oneLine(string(s.Kind)),
			Deprecated: oneLine(s.Deprecated),
			Of:         oneLine(s.Of),
			From:       oneLine(s.From),
			Constraint: oneLine(s.Constraint),
			File:       oneLine(s.File),
			Line:       s.Line,
		},
		examples: examples(s.Examples),
	}
	p.write(s.Signature, s.Doc)
	if len(s.Members) == 0 {
		return p
	}
	inside := declared(p.signature)
	p.members = make([]page, 0, len(s.Members))
	for i := range s.Members {
		m := newPage(&s.Members[i])
		m.declaration.member = true
		m.inside = len(m.members) == 0 && slices.Contains(inside, lastName(m.declaration.Path))
		p.members = append(p.members, m)
	}
	return p
}

// groupPage makes one declaration of several symbols ready.
func groupPage(g *apidoc.Group, symbols []apidoc.Symbol) page {
	s := &symbols[0]
	p := page{declaration: Declaration{
		Path:       oneLine(s.Path),
		Kind:       oneLine(string(s.Kind)),
		Of:         oneLine(s.Of),
		Constraint: oneLine(s.Constraint),
		File:       oneLine(s.File),
		Line:       s.Line,
	}}
	for i := range symbols {
		if len(symbols) > 1 {
			p.declaration.Names = append(p.declaration.Names, oneLine(symbols[i].Path))
		}
		p.examples = append(p.examples, examples(symbols[i].Examples)...)
	}
	p.write(g.Signature, g.Doc)
	return p
}

// write sets the texts of a page.
func (p *page) write(signature, doc string) {
	p.signature = markup.Clean(signature)
	p.short = withoutComments(p.signature)
	p.collapsed = collapsed(p.short)
	p.doc = markup.Clean(doc)
	p.synopsis = oneLine(markup.Synopsis(p.doc))
}

func examples(from []apidoc.Example) []Example {
	var ready []Example
	for i := range from {
		e := &from[i]
		ready = append(ready, Example{
			Name: oneLine(e.Name), Doc: markup.Clean(e.Doc), Code: markup.Clean(e.Code), Output: markup.Clean(e.Output),
		})
	}
	return ready
}
