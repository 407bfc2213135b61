package answer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// detail says how much of each symbol is told.
type detail struct {
	docs     int  // whole, first or none
	members  int  // the same for members, and how else they are listed
	comments bool // keep comments within declarations
	examples bool
	share    int  // percent of the budget that the package's own documentation may take
	prose    bool // the README stands in the answer
	clip     bool // declarations are cut to a line of limited length
	signed   int  // if not zero, one more than the declarations that are told by more than their names
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

// detailWithProse comes first for a package that has a README.
var detailWithProse = detail{docs: whole, members: whole, comments: true, examples: true, share: 100, prose: true}

// clippedDetails come last for a language that clips overviews.
var clippedDetails = []detail{
	{docs: none, members: named, clip: true, share: 20},
	{docs: none, members: none, clip: true, share: 20},
}

// levels are the levels of detail of an overview of p.
func levels(p *apidoc.Package) []detail {
	all := slices.Clone(details)
	if len(p.Sections) > 0 {
		all = slices.Insert(all, 0, detailWithProse)
	}
	if p.Style.ClipOverviews {
		all = append(all, clippedDetails...)
	}
	return all
}

// Package answers a question about a whole package.
func Package(p *apidoc.Package, o Options) *Answer { return NewBook(p).Package(o) }

// Package answers a question about the whole package. The answer must not be
// changed: whoever asks the same gets it too.
func (b *Book) Package(o Options) *Answer {
	b.mu.Lock()
	at := slices.IndexFunc(b.answers, func(g given) bool { return g.to == o })
	if at >= 0 {
		defer b.mu.Unlock()
		return b.answers[at].answer
	}
	b.mu.Unlock()
	a := b.answer(o)
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.answers) == maxGiven {
		b.answers = slices.Delete(b.answers, 0, 1)
	}
	b.answers = append(b.answers, given{o, a})
	return a
}

func (b *Book) answer(o Options) *Answer {
	limit := o.limit()
	for i, d := range b.details {
		if limit > 0 && b.sizes[i].of(b.pages, d, limit)+min(len(b.doc), limit*d.share/100) > limit {
			continue // it is certain not to fit
		}
		if limit > 0 && d.prose && b.proseSize() > limit {
			continue
		}
		if a := b.compose(d, o.Guide, limit); a.fits(limit) {
			return a
		}
	}
	if b.pkg.Style.ClipOverviews {
		if a := b.fill(o, limit); a != nil {
			return a
		}
	}
	return b.cut(o, limit)
}

// fill answers with the names of all declarations, and with as many of the
// first ones told as fit; it is nil if the names alone do not.
func (b *Book) fill(o Options, limit int) *Answer {
	told := detail{docs: none, members: none, clip: true, share: 20}
	gained := make([]int, len(b.pages)+1) // by telling so many, about
	for i := range b.pages {
		p := &b.pages[i]
		gained[i+1] = gained[i] + len(p.signatureAt(told)) + 1 - len(p.declaration.Path) - len(", ")
	}
	var best *Answer
	low, high, next := 0, len(b.pages), 0
	for low <= high {
		told.signed = next + 1
		a := b.compose(told, o.Guide, limit)
		if a.fits(limit) {
			best, low = a, next+1
		} else {
			high = next - 1
		}
		if best == nil {
			return nil
		}
		// What is gained is known but for headings and empty lines.
		room := limit - len(a.Markdown()) + gained[next]
		next, _ = slices.BinarySearch(gained, room)
		if next > high+1 && high < len(b.pages) {
			next = (low + high + 2) / 2 // there is room in the text, though not in the data
		}
		next = max(low, min(high, next-1))
	}
	return best
}

// proseSize is how many bytes the README has.
func (b *Book) proseSize() int {
	n := 0
	for i := range b.sections {
		if isReadme(b.sections[i].ID) {
			n += len(b.sections[i].Body)
		}
	}
	return n
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
			m := newPage(s, p.style)
			n += d.size(&m, d.members, limit-n)
		}
	}
	return n
}

// signatureAt is the declaration at a level of detail.
func (p *page) signatureAt(d detail) string {
	switch {
	case d.clip:
		return clipped(p.collapsed)
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
		if d.signed > 0 && i+1 >= d.signed {
			a.unsigned = c.symbol(a.unsigned, &pages[i], d.docs)
			continue
		}
		a.Symbols = c.symbol(a.Symbols, &pages[i], d.docs)
	}
	c.unsigned = len(a.unsigned)
	if d.docs != whole {
		for i := range a.Symbols { // as little in the data as in the text
			a.Symbols[i].File, a.Symbols[i].Line = "", 0
		}
	}
	for i := range a.unsigned {
		a.unsigned[i].Signature = ""
		a.name(&a.unsigned[i])
	}
	a.Examples = c.examples(b.examples)
	b.tellSections(a, &c)
	a.Subpackages = b.below
	most := maxBelow
	if d.docs == none {
		most /= 3
	}
	if limit > 0 && len(a.Subpackages) > most {
		c.below = len(a.Subpackages) - most
		a.Subpackages = a.Subpackages[:most]
	}
	if d.docs == none {
		below := a.Subpackages
		a.Subpackages = nil
		for _, s := range below {
			a.Subpackages = append(a.Subpackages, Subpackage{Name: s.Name})
		}
	}
	a.Omitted = append(c.omitted(b, g), elsewhere(b.pkg)...)
	return a
}

// name adds a declaration to those that are told by name alone.
func (a *Answer) name(d *Declaration) {
	at := slices.IndexFunc(a.Named, func(n Named) bool { return n.Kind == d.Kind })
	if at < 0 {
		at = len(a.Named)
		a.Named = append(a.Named, Named{Kind: d.Kind})
	}
	a.Named[at].Paths = append(a.Named[at].Paths, d.Path)
}

const (
	// maxBelow is how many packages below another an answer of limited length
	// names.
	maxBelow = 40
	// maxTitles is how many sections it names.
	maxTitles = 40
)

// tellSections adds prose to an answer: the README where there is room for it,
// else what shows most shortly how the package is used; of the rest, titles.
func (b *Book) tellSections(a *Answer, c *composer) {
	if len(b.sections) == 0 {
		return
	}
	told := map[string]bool{}
	excerpt := b.usage()
	for i := range b.sections {
		s := b.sections[i]
		switch {
		case c.prose && isReadme(s.ID), c.limit == 0 && c.docs == whole:
		case i == excerpt:
			if most := c.limit / 8; c.limit > 0 && len(s.Body) > most {
				s.Body = beginning(s.Body, most)
			}
		default:
			continue
		}
		told[s.ID] = true
		if s.Body != "" || c.prose {
			a.Sections = append(a.Sections, s)
		}
	}
	for _, s := range b.outline {
		switch {
		case told[s.ID]:
		case c.limit > 0 && len(a.Sections)-len(told) >= maxTitles:
			c.untitled++
		default:
			a.Sections = append(a.Sections, s)
		}
	}
	c.sections = len(b.sections) - len(told)
}

// usage is the section that shows how the package is used, -1 if none does: the
// first example of code under a heading that says so, else the first at all.
func (b *Book) usage() int {
	at := -1
	for i := range b.sections {
		s := &b.sections[i]
		if !isReadme(s.ID) || !hasProgram(s.Body) {
			continue
		}
		switch words := strings.ToLower(s.Title); {
		case strings.Contains(words, "install") || strings.Contains(words, "package manager"):
		case strings.Contains(words, "usage") || strings.Contains(words, "quick") || strings.Contains(words, "example") ||
			strings.Contains(words, "how to use") || strings.Contains(words, "getting started"):
			return i
		case at < 0:
			at = i
		}
	}
	return at
}

// hasProgram tells whether there is a block of code that is no command line.
func hasProgram(md string) bool {
	inside := false
	for line := range strings.Lines(md) {
		info, fence := strings.CutPrefix(strings.TrimSpace(line), "```")
		if !fence {
			continue
		}
		if inside = !inside; !inside {
			continue
		}
		switch strings.ToLower(strings.TrimSpace(info)) {
		case "sh", "bash", "shell", "console", "zsh", "cmd", "powershell", "text", "txt", "diff", "":
		default:
			return true
		}
	}
	return false
}

// composer counts what goes into an answer and what is left out of it.
type composer struct {
	detail
	limit int // bytes, 0 for none

	docCut, docLength            int // bytes of the documentation asked for left out, and in all
	shortened, members, sections int
	exampleCount                 int
	untitled, below, inherited   int
	unsigned                     int // declarations of which only the names are told
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
	for _, i := range p.inherited {
		if c.detail.members <= named {
			c.inherited += len(i.Members)
		}
	}
	if c.detail.members > named {
		to[len(to)-1].Inherited = p.inherited
	}
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
func (c *composer) omitted(b *Book, g Guide) []string {
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
		said = append(said, "Left out to fit: "+what+". To see them, "+g.symbol(b.sample())+", "+g.Search+", or "+g.Larger+".")
	}
	if c.sections > 0 && g.Section != "" {
		more := ""
		if c.untitled > 0 {
			more = fmt.Sprintf(" (%d more are not named here)", c.untitled)
		}
		said = append(said, "To read a section"+more+", "+strings.Replace(g.Section, "%s", worthReading(b.pkg.Sections), 1)+".")
	}
	if c.below > 0 {
		said = append(said, fmt.Sprintf("Not listed: %s; %s.", plural(c.below, "sub-package", "sub-packages"), g.Larger))
	}
	return said
}

// leftOut lists what a level of detail left out, members in these words.
func (c *composer) leftOut(members string) string {
	var what []string
	if c.unsigned > 0 {
		what = append(what, "the signatures of "+plural(c.unsigned, "declaration", "declarations"))
	}
	if c.shortened > 0 {
		what = append(what, "the full comments of "+plural(c.shortened, "declaration", "declarations"))
	}
	if c.commented > 0 {
		what = append(what, "the comments within "+plural(c.commented, "declaration", "declarations"))
	}
	if c.members > 0 {
		what = append(what, members)
	}
	if c.inherited > 0 {
		what = append(what, plural(c.inherited, "inherited member", "inherited members"))
	}
	if c.clip {
		what = append(what, "the ends of long declarations")
	}
	if c.exampleCount > 0 {
		what = append(what, plural(c.exampleCount, "example", "examples"))
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

// worthReading is the ID of a section to ask for: the first guide, else what
// the README tells of the interface, else anything.
func worthReading(sections []apidoc.Section) string {
	outline := Outline(sections)
	best := "readme"
	for i := range outline {
		title := strings.ToLower(outline[i].Title)
		switch id := outline[i].ID; {
		case !isReadme(id) && id != "changelog":
			return id
		case i == 0, title == "api", strings.HasPrefix(title, "api "), strings.HasPrefix(title, "usage"), title == "options", title == "documentation":
			best = id
		}
	}
	return best
}

// symbol is the guide's way to ask for one.
func (g Guide) symbol(path string) string {
	return strings.Replace(g.Symbol, "%s", path, 1)
}

// sample is a symbol worth asking for: the type of the default export, else the
// class with the most members, else the first symbol that has any, else the
// first.
func sample(p *apidoc.Package) string {
	for _, path := range []string{"default", "export="} {
		at := slices.IndexFunc(p.Symbols, func(s apidoc.Symbol) bool { return s.Path == path })
		if at < 0 {
			continue
		}
		for _, t := range p.TypesOf(&p.Symbols[at]) {
			return oneLine(t.Path)
		}
	}
	var best *apidoc.Symbol
	for i := range p.Symbols {
		s := &p.Symbols[i]
		switch {
		case len(s.Members) == 0:
		case best == nil, s.Kind == apidoc.Class && (best.Kind != apidoc.Class || len(s.Members) > len(best.Members)):
			best = s
		}
	}
	if best != nil {
		return oneLine(p.Called(best.Path))
	}
	if len(p.Symbols) > 0 {
		return oneLine(p.Symbols[0].Path)
	}
	return "Name"
}
