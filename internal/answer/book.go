package answer

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Book is a package made ready for answers: its text cleaned, its first
// sentences found, its declarations shortened. What no answer has needed yet is
// left alone: members are many, and most answers about a large package have no
// room for them. It is safe for concurrent use; the package must not change
// while it lives.
type Book struct {
	pkg      *apidoc.Package
	about    About
	doc      string
	pages    []page        // of the package's symbols, groups as one, members by name
	whole    func() []page // the same with their members
	examples []Example
	sections []Section
	outline  []Section // titles alone
	below    []Subpackage
	warnings []string
	details  []detail // the levels of detail, the richest first
	sizes    []size   // of the declarations, by level of detail
	sample   func() string

	mu      sync.Mutex
	answers []given // the last ones
}

// given is an answer that was given.
type given struct {
	to     Options
	answer *Answer
}

// maxGiven is how many answers a book keeps.
const maxGiven = 4

// size is how many bytes the declarations take at a level of detail: at least
// so many, or just so many. It is counted as far as limits have asked for it.
type size struct{ doubled atomic.Int64 } // and one more if it is exact

// of counts until it is known whether there are more than limit.
func (s *size) of(pages []page, d detail, limit int) int {
	known := int(s.doubled.Load())
	if known/2 > limit || known%2 == 1 {
		return known / 2
	}
	n := 0
	for i := range pages {
		if n += d.size(&pages[i], d.docs, limit-n); n > limit {
			s.doubled.Store(int64(2 * n))
			return n
		}
	}
	s.doubled.Store(int64(2*n + 1))
	return n
}

// page is one declaration made ready.
type page struct {
	of          *apidoc.Symbol // whose members it has; nil for several symbols
	declaration Declaration    // what is told at any level of detail
	signature   string         // the whole declaration
	short       string         // without the comments within it
	collapsed   string         // and without what goes on for long
	doc         string         // the whole comment
	synopsis    string         // its first sentence
	examples    []Example
	inside      bool     // the declaration that it is a member of shows it
	names       []string // of members that the declaration does not show
	inherited   []Inherited
	members     []page
	style       *apidoc.Style
}

// NewBook makes p ready.
func NewBook(p *apidoc.Package) *Book {
	b := &Book{
		pkg: p, about: about(p), doc: markup.Clean(p.Doc), examples: examples(p.Examples),
		pages: pages(p, newPage), whole: sync.OnceValue(func() []page { return pages(p, wholePage) }),
		details: levels(p), sample: sync.OnceValue(func() string { return sample(p) }),
	}
	b.sizes = make([]size, len(b.details))
	for i := range p.Sections {
		s := &p.Sections[i]
		b.sections = append(b.sections, Section{ID: s.ID, Title: oneLine(s.Title), Body: markup.Clean(s.Body), level: s.Level})
	}
	for _, s := range Outline(p.Sections) {
		b.outline = append(b.outline, Section{ID: s.ID, Title: oneLine(s.Title), level: s.Level})
	}
	for i := range p.Subpackages {
		s := &p.Subpackages[i]
		b.below = append(b.below, Subpackage{Name: oneLine(s.Name), Synopsis: oneLine(s.Synopsis)})
	}
	for _, w := range p.Warnings {
		b.warnings = append(b.warnings, oneLine(w))
	}
	return b
}

// pages makes the symbols of a package ready, one or those of a group at a time.
func pages(p *apidoc.Package, one func(s *apidoc.Symbol, style *apidoc.Style) page) []page {
	all := make([]page, 0, len(p.Symbols))
	for i := 0; i < len(p.Symbols); {
		n := 1
		if g := p.Symbols[i].Group; g > 0 && g <= len(p.Groups) {
			for i+n < len(p.Symbols) && p.Symbols[i+n].Group == g {
				n++
			}
			all = append(all, groupPage(&p.Groups[g-1], p.Symbols[i:i+n]))
		} else {
			all = append(all, one(&p.Symbols[i], &p.Style))
		}
		i += n
	}
	if p.Style.SortByKind {
		headings := styleOf(p).Headings
		slices.SortStableFunc(all, func(a, b page) int {
			return cmp.Compare(rank(headings, &a.declaration), rank(headings, &b.declaration))
		})
	}
	return all
}

// newPage makes one symbol ready, and the names of its members. If the style
// says so, inherited members are listed by name alone, unless there are no
// others.
func newPage(s *apidoc.Symbol, style *apidoc.Style) page {
	p := page{
		of: s, style: style,
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
	if style.NameInherited && slices.ContainsFunc(s.Members, func(m apidoc.Symbol) bool { return m.From == "" }) {
		p.inherited = inherited(s.Members)
	}
	p.names = make([]string, 0, len(s.Members))
	for m, inside := range p.each {
		if !inside {
			p.names = append(p.names, memberName(m))
		}
	}
	return p
}

// inherited lists the members of other types by their names.
func inherited(members []apidoc.Symbol) []Inherited {
	var all []Inherited
	for i := range members {
		m := &members[i]
		if m.From == "" {
			continue
		}
		from := oneLine(m.From)
		at := slices.IndexFunc(all, func(i Inherited) bool { return i.From == from })
		if at < 0 {
			at = len(all)
			all = append(all, Inherited{From: from})
		}
		all[at].Members = append(all[at].Members, memberName(m))
	}
	return all
}

// memberName is how a member is called within what it belongs to.
func memberName(s *apidoc.Symbol) string { return oneLine(s.Name()) }

// wholePage makes one symbol ready, and its members.
func wholePage(s *apidoc.Symbol, style *apidoc.Style) page {
	p := newPage(s, style)
	if len(s.Members) == 0 {
		return p
	}
	p.members = make([]page, 0, len(s.Members))
	for s, inside := range p.each {
		m := wholePage(s, style)
		m.declaration.member, m.inside = true, inside
		p.members = append(p.members, m)
	}
	return p
}

// each calls yield for every member that is told by more than its name, and
// whether the declaration shows it.
func (p *page) each(yield func(m *apidoc.Symbol, inside bool) bool) {
	if p.of == nil || len(p.of.Members) == 0 {
		return
	}
	shown := map[string]bool{}
	for _, name := range declared(p.signature) {
		shown[name] = true
	}
	for i := range p.of.Members {
		m := &p.of.Members[i]
		if m.From != "" && len(p.inherited) > 0 {
			continue
		}
		if !yield(m, len(m.Members) == 0 && shown[memberName(m)]) {
			return
		}
	}
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
	if overloads(p.signature) != nil {
		p.doc = once(p.doc)
	}
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
