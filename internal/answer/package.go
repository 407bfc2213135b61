package answer

import (
	"fmt"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
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
func Package(p *apidoc.Package, o Options) *Answer {
	limit := o.limit()
	for _, d := range details {
		a := compose(p, o, d, limit)
		if a != nil && fits(a.Markdown(), limit) {
			return a
		}
	}
	return cut(p, o, limit)
}

// compose makes an answer at one level of detail; nil if it is certain not to
// fit.
func compose(p *apidoc.Package, o Options, d detail, limit int) *Answer {
	c := composer{detail: d, limit: limit}
	a := &Answer{Package: about(p), Notice: Notice, Symbols: []Declaration{}, Warnings: clean(p.Warnings), detail: d}
	a.Doc = c.packageDoc(p.Doc)
	for i := 0; i < len(p.Symbols); {
		n := 1
		if g := p.Symbols[i].Group; g > 0 && g <= len(p.Groups) {
			for i+n < len(p.Symbols) && p.Symbols[i+n].Group == g {
				n++
			}
			a.Symbols = append(a.Symbols, c.group(&p.Groups[g-1], p.Symbols[i:i+n]))
		} else {
			a.Symbols = c.symbol(a.Symbols, &p.Symbols[i], d.docs, false)
		}
		i += n
		if c.over() {
			return nil
		}
	}
	a.Examples = c.examples(p.Examples)
	for i := range p.Sections {
		s := &p.Sections[i]
		shown := Section{ID: s.ID, Title: oneLine(s.Title)}
		if d.docs == whole {
			shown.Body = c.text(s.Body)
		} else {
			c.sections++
		}
		a.Sections = append(a.Sections, shown)
	}
	for i := range p.Subpackages {
		s := &p.Subpackages[i]
		shown := Subpackage{Name: oneLine(s.Name)}
		if d.docs != none {
			shown.Synopsis = oneLine(s.Synopsis)
		}
		a.Subpackages = append(a.Subpackages, shown)
	}
	if c.over() {
		return nil
	}
	a.Omitted = append(c.omitted(p, o.Guide), elsewhere(p)...)
	return a
}

// composer counts what goes into an answer and what is left out of it.
type composer struct {
	detail
	limit int // bytes, 0 for none
	used  int // bytes, at least

	docCut, docLength            int // bytes of the package's documentation left out, and in all
	shortened, members, sections int
	exampleCount                 int
	commented                    int // declarations whose comments were left out
}

// over is true as soon as the answer is certain not to fit.
func (c *composer) over() bool { return c.limit > 0 && c.used > c.limit }

// text cleans what is taken into the answer and counts it.
func (c *composer) text(s string) string {
	c.used += len(s)
	return markup.Clean(s)
}

func (c *composer) packageDoc(doc string) string {
	doc = markup.Clean(doc)
	c.docLength = len(doc)
	if c.limit > 0 && len(doc) > c.limit*c.share/100 {
		doc = beginning(doc, c.limit*c.share/100)
		c.docCut = c.docLength - len(doc)
	}
	c.used += len(doc)
	return doc
}

// symbol appends a symbol and what belongs to it.
func (c *composer) symbol(to []Declaration, s *apidoc.Symbol, docs int, member bool) []Declaration {
	d := c.declaration(s)
	d.Doc, d.member = c.comment(s.Doc, docs), member
	at := len(to)
	to = append(to, d)
	for i := range s.Members {
		m := &s.Members[i]
		switch {
		case len(m.Members) == 0 && declares(s.Signature, lastName(m.Path)):
			// The declaration of the type shows it.
		case c.detail.members == none:
			c.members++
		case c.detail.members == named:
			c.members++
			name := oneLine(lastName(m.Path))
			to[at].Members = append(to[at].Members, name)
			c.used += len(name)
		default:
			to = c.symbol(to, m, c.detail.members, true)
		}
		if c.over() {
			break
		}
	}
	return to
}

// declaration is one symbol alone, without its comment.
func (c *composer) declaration(s *apidoc.Symbol) Declaration {
	return Declaration{
		Path:       oneLine(s.Path),
		Kind:       oneLine(string(s.Kind)),
		Signature:  c.signature(s.Signature),
		Deprecated: oneLine(s.Deprecated),
		Of:         oneLine(s.Of),
		From:       oneLine(s.From),
		Constraint: oneLine(s.Constraint),
		File:       oneLine(s.File),
		Line:       s.Line,
		Examples:   c.examples(s.Examples),
	}
}

// group is one declaration of several symbols.
func (c *composer) group(g *apidoc.Group, symbols []apidoc.Symbol) Declaration {
	s := &symbols[0]
	d := Declaration{
		Path:       oneLine(s.Path),
		Kind:       oneLine(string(s.Kind)),
		Signature:  c.signature(g.Signature),
		Of:         oneLine(s.Of),
		Constraint: oneLine(s.Constraint),
		File:       oneLine(s.File),
		Line:       s.Line,
	}
	if len(symbols) > 1 {
		for i := range symbols {
			d.Names = append(d.Names, oneLine(symbols[i].Path))
			d.Examples = append(d.Examples, c.examples(symbols[i].Examples)...)
		}
	}
	d.Doc = c.comment(g.Doc, c.docs)
	return d
}

// comment is a documentation comment as the level of detail wants it.
func (c *composer) comment(doc string, docs int) string {
	switch docs {
	case whole:
		return c.text(doc)
	case first:
		s := c.text(oneLine(markup.Synopsis(doc)))
		if len(s) < len(doc)*9/10 {
			c.shortened++
		}
		return s
	}
	if doc != "" {
		c.shortened++
	}
	return ""
}

func (c *composer) signature(s string) string {
	s = markup.Clean(s)
	switch {
	case c.comments:
	case c.docs == none:
		s = collapsed(onOneLineIfCall(s))
	default:
		short := withoutComments(s)
		if len(short) < len(s) {
			c.commented++
		}
		s = short
	}
	c.used += len(s)
	return s
}

// onOneLineIfCall folds the signature of a function, and leaves declarations
// with a body of lines as they are.
func onOneLineIfCall(s string) string {
	if strings.Contains(s, "{\n") || strings.Contains(s, "(\n\t") && !strings.HasPrefix(s, "func") {
		return s
	}
	return onOneLine(s)
}

func (c *composer) examples(examples []apidoc.Example) []Example {
	if !c.detail.examples {
		c.exampleCount += len(examples)
		return nil
	}
	var shown []Example
	for i := range examples {
		e := &examples[i]
		shown = append(shown, Example{
			Name: oneLine(e.Name), Doc: c.text(e.Doc), Code: c.text(e.Code), Output: c.text(e.Output),
		})
	}
	return shown
}

// omitted says what a level of detail left out.
func (c *composer) omitted(p *apidoc.Package, g Guide) []string {
	var said []string
	if c.docCut > 0 {
		said = append(said, fmt.Sprintf("The package's own documentation is cut after %d of its %d bytes; %s.",
			c.docLength-c.docCut, c.docLength, g.Larger))
	}
	var what []string
	if c.shortened > 0 {
		what = append(what, "the full comments of "+plural(c.shortened, "declaration", "declarations"))
	}
	if c.commented > 0 {
		what = append(what, "the comments within "+plural(c.commented, "declaration", "declarations"))
	}
	if c.members > 0 {
		said := plural(c.members, "member", "members") + " of types"
		if c.detail.members == named {
			said = "all but the names of " + said
		}
		what = append(what, said)
	}
	if c.exampleCount > 0 {
		what = append(what, plural(c.exampleCount, "example", "examples"))
	}
	if c.sections > 0 {
		what = append(what, "the text of "+plural(c.sections, "section", "sections"))
	}
	if len(what) > 0 {
		said = append(said, "Left out to fit: "+list(what)+". To see them, "+g.symbol(sample(p))+", "+g.Search+", or "+g.Larger+".")
	}
	return said
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

func clean(lines []string) []string {
	var cleaned []string
	for _, l := range lines {
		cleaned = append(cleaned, oneLine(l))
	}
	return cleaned
}
