package answer

import (
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// detail says how much of each symbol is told.
type detail struct {
	docs     int  // whole, first or none
	members  int  // the same for members, and how else they are listed
	comments bool // keep comments within declarations
	examples bool
	share    int // percent of the budget that the package's own documentation may take
}

const (
	none  = iota
	named // by name alone, beside the type
	bare  // listed, without documentation
	first // the first sentence
	whole
)

// details of a package, the richest first.
var details = []detail{
	{docs: whole, members: whole, comments: true, examples: true, share: 100},
	{docs: whole, members: whole, comments: true, share: 100},
	{docs: first, members: first, comments: true, share: 100},
	{docs: first, members: first, share: 50},
	{docs: first, members: bare, share: 40},
	{docs: first, members: named, share: 30},
	{docs: none, members: named, share: 25},
	{docs: none, members: none, share: 20},
}

// Package answers a question about a whole package.
func Package(p *apidoc.Package, o Options) *Answer { return NewBook(p).Package(o) }

// Package answers a question about the whole package.
func (b *Book) Package(o Options) *Answer {
	limit := o.limit()
	for i, d := range details {
		if limit > 0 && b.sizes[i].of(b.pages, d, limit)+min(len(b.doc), limit*d.share/100) > limit {
			continue // it is certain not to fit
		}
		if a := b.compose(d, o.Guide, limit); a.fits(limit) {
			return a
		}
	}
	return b.cut(o, limit)
}

// size is how many bytes a declaration and its members take at a level of
// detail, at least. It stops counting above limit.
func (d detail) size(p *page, docs, limit int) int {
	n := len(p.signatureAt(d)) + 1 + len(p.docAt(docs))
	if d.docs == whole {
		n += len("\n```go\n```\n") // a block of code each
	}
	if p.docAt(docs) != "" {
		n += len("\n\n")
	}
	if d.examples {
		for i := range p.examples {
			n += len(p.examples[i].Code)
		}
	}
	if d.members == named {
		for _, name := range p.names {
			n += len(name) + 2
		}
	}
	if d.members <= named {
		return n
	}
	for s, inside := range p.each {
		if n > limit {
			break
		}
		if !inside {
			m := newPage(s)
			n += d.size(&m, d.members, limit-n)
		}
	}
	return n
}

// signatureAt is the declaration at a level of detail.
func (p *page) signatureAt(d detail) string {
	switch {
	case d.comments:
		return p.signature
	case d.docs == none:
		return p.collapsed
	}
	return p.short
}

// docAt is the comment, whole, its first sentence or nothing.
func (p *page) docAt(docs int) string {
	switch docs {
	case whole:
		return p.doc
	case first:
		return p.synopsis
	}
	return ""
}

// compose makes an answer at one level of detail.
func (b *Book) compose(d detail, g Guide, limit int) *Answer {
	c := composer{detail: d, limit: limit}
	a := &Answer{Package: b.about, Notice: Notice, Warnings: b.warnings, detail: d}
	a.Doc = c.packageDoc(b.doc)
	pages := b.pages
	if d.members > named {
		pages = b.whole()
	}
	a.Symbols = make([]Declaration, 0, len(pages))
	for i := range pages {
		a.Symbols = c.symbol(a.Symbols, &pages[i], d.docs)
	}
	a.Examples = c.examples(b.examples)
	a.Sections = b.sections
	if d.docs != whole {
		a.Sections = nil
		for _, s := range b.sections {
			a.Sections = append(a.Sections, Section{ID: s.ID, Title: s.Title})
		}
		c.sections = len(b.sections)
	}
	a.Subpackages = b.below
	if d.docs == none {
		a.Subpackages = nil
		for _, s := range b.below {
			a.Subpackages = append(a.Subpackages, Subpackage{Name: s.Name})
		}
	}
	a.Omitted = append(c.omitted(b.pkg, g), elsewhere(b.pkg)...)
	return a
}

// composer counts what goes into an answer and what is left out of it.
type composer struct {
	detail
	limit int // bytes, 0 for none

	docCut, docLength            int // bytes of the documentation asked for left out, and in all
	shortened, members, sections int
	exampleCount                 int
	commented                    int // declarations whose comments were left out
}

// packageDoc is the part of the documentation that may be told.
func (c *composer) packageDoc(doc string) string {
	c.docLength = len(doc)
	if most := c.limit * c.share / 100; c.limit > 0 && len(doc) > most {
		doc = beginning(doc, most)
		c.docCut = c.docLength - len(doc)
	}
	return doc
}

// symbol appends a declaration and its members.
func (c *composer) symbol(to []Declaration, p *page, docs int) []Declaration {
	to = append(to, c.declaration(p, docs))
	if c.detail.members <= named {
		c.members += len(p.names)
		if c.detail.members == named {
			to[len(to)-1].Members = p.names
		}
		return to
	}
	for i := range p.members {
		if m := &p.members[i]; !m.inside {
			to = c.symbol(to, m, c.detail.members)
		}
	}
	return to
}

// declaration is one declaration at the level of detail.
func (c *composer) declaration(p *page, docs int) Declaration {
	d := p.declaration
	d.Signature, d.Doc = p.signatureAt(c.detail), p.docAt(docs)
	if !c.comments && len(p.short) < len(p.signature) {
		c.commented++
	}
	if len(d.Doc) < len(p.doc)*9/10 {
		c.shortened++
	}
	d.Examples = c.examples(p.examples)
	return d
}

func (c *composer) examples(examples []Example) []Example {
	if !c.detail.examples {
		c.exampleCount += len(examples)
		return nil
	}
	return examples
}

// omitted says what a level of detail left out of a package.
func (c *composer) omitted(p *apidoc.Package, g Guide) []string {
	var said []string
	if c.docCut > 0 {
		said = append(said, fmt.Sprintf("The package's own documentation is cut after %d of its %d bytes; %s.",
			c.docLength-c.docCut, c.docLength, g.Larger))
	}
	members := plural(c.members, "member", "members") + " of types"
	if c.detail.members == named {
		members = "all but the names of " + members
	}
	if what := c.leftOut(members); what != "" {
		said = append(said, "Left out to fit: "+what+". To see them, "+g.symbol(sample(p))+", "+g.Search+", or "+g.Larger+".")
	}
	return said
}

// leftOut lists what a level of detail left out, members in these words.
func (c *composer) leftOut(members string) string {
	var what []string
	if c.shortened > 0 {
		what = append(what, "the full comments of "+plural(c.shortened, "declaration", "declarations"))
	}
	if c.commented > 0 {
		what = append(what, "the comments within "+plural(c.commented, "declaration", "declarations"))
	}
	if c.members > 0 {
		what = append(what, members)
	}
	if c.exampleCount > 0 {
		what = append(what, plural(c.exampleCount, "example", "examples"))
	}
	if c.sections > 0 {
		what = append(what, "the text of "+plural(c.sections, "section", "sections"))
	}
	return list(what)
}

// elsewhere names the symbols that exist only on other platforms.
func elsewhere(p *apidoc.Package) []string {
	if len(p.Elsewhere) == 0 {
		return nil
	}
	const most = 20
	var names []string
	for i := range p.Elsewhere {
		if i == most {
			names = append(names, plural(len(p.Elsewhere)-most, "more symbol", "more symbols"))
			break
		}
		s := &p.Elsewhere[i]
		names = append(names, oneLine(s.Path)+" ("+oneLine(s.Constraint)+")")
	}
	return []string{"Not on " + p.Platform + ", so not shown: " + list(names) + "."}
}

// symbol is the guide's way to ask for one.
func (g Guide) symbol(path string) string {
	return strings.Replace(g.Symbol, "%s", path, 1)
}

// sample is a symbol worth asking for: the first type that has members, else
// the first symbol.
func sample(p *apidoc.Package) string {
	for i := range p.Symbols {
		if len(p.Symbols[i].Members) > 0 {
			return oneLine(p.Symbols[i].Path)
		}
	}
	if len(p.Symbols) > 0 {
		return oneLine(p.Symbols[0].Path)
	}
	return "Name"
}
