package search

import (
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Index is one package made ready for searching. It is safe for concurrent
// use; the package must not change while it lives.
type Index struct {
	pkg     *apidoc.Package
	entries []entry
	names   string // the folded paths of all entries, one after the other

	prose func() prose // built when first asked for
}

// prose is where each word of the documentation occurs, by its stem.
type prose struct {
	ids      map[string]int32
	stems    []string    // by id
	masks    []uint64    // by id
	postings [][]posting // by id, in the order of entries
}

func (p *prose) of(stem string) []posting {
	if id, ok := p.ids[stem]; ok {
		return p.postings[id]
	}
	return nil
}

// entry is one thing that can be found.
type entry struct {
	symbol     *apidoc.Symbol
	section    *apidoc.Section
	subpackage *apidoc.Subpackage

	// Where the folded path, and the name at its end, stand in Index.names.
	pathStart, nameStart, nameEnd int32
	humps                         uint64 // bytes of the folded name at which words begin
	mask                          uint64 // of the folded path
	standing                      float32
}

// posting says that a word occurs in an entry, and how much that tells.
type posting struct {
	entry  int32
	weight float32
}

// New makes an Index of everything in p that has a name or a heading. Names
// are made ready at once, the words of the documentation at the first search.
func New(p *apidoc.Package) *Index {
	x := &Index{pkg: p}
	var names strings.Builder
	told := once(p)
	old := map[string]bool{} // paths of deprecated types, whose members are no better
	for s := range p.All {
		if len(s.Members) > 0 && s.Deprecated != "" {
			old[s.Path] = true
		}
		if told(s) {
			e := entry{symbol: s, standing: standing(s)}
			if s.Deprecated == "" && old[s.ParentPath()] {
				e.standing *= outdated
			}
			x.add(&names, e, s.Path)
		}
	}
	elsewhere := apidoc.Package{Symbols: p.Elsewhere}
	for s := range elsewhere.All {
		x.add(&names, entry{symbol: s, standing: 0.7 * standing(s)}, s.Path)
	}
	for _, s := range docSections(p) {
		x.add(&names, entry{section: s, standing: 0.8}, strings.ReplaceAll(s.Title, " ", "-"))
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		standing := float32(0.8)
		if s.ID == "changelog" {
			standing = 0.3 // it has a word of everything
		}
		if isOutdated(s) {
			standing *= outdated
		}
		x.add(&names, entry{section: s, standing: standing}, strings.ReplaceAll(s.Title, " ", "-"))
	}
	for i := range p.Subpackages {
		s := &p.Subpackages[i]
		x.add(&names, entry{subpackage: s, standing: 0.8}, s.Name[strings.LastIndexByte(s.Name, '/')+1:])
	}
	x.names = names.String()
	x.prose = sync.OnceValue(x.readProse)
	return x
}

// once picks, of the paths that lead to one declaration, the shortest, and that
// of the type which declares a member before those that inherit it. In a
// language without aliases it picks all.
func once(p *apidoc.Package) func(*apidoc.Symbol) bool {
	if !p.Style.Aliased {
		return func(*apidoc.Symbol) bool { return true }
	}
	type declaration struct {
		file, name string
		line       int
	}
	of := func(s *apidoc.Symbol) declaration { return declaration{s.File, s.Name(), s.Line} }
	best := map[declaration]*apidoc.Symbol{}
	for s := range p.All {
		before := best[of(s)]
		if before == nil || s.From == "" && before.From != "" || (s.From == "") == (before.From == "") && len(s.Path) < len(before.Path) {
			best[of(s)] = s
		}
	}
	return func(s *apidoc.Symbol) bool { return s.File == "" || best[of(s)] == s }
}

// docSections makes sections of the package's own documentation.
func docSections(p *apidoc.Package) []*apidoc.Section {
	var sections []*apidoc.Section
	for _, part := range markup.Parts(p.Doc) {
		s := &apidoc.Section{ID: "doc", Title: part.Title, Level: part.Level, Body: part.Body}
		if part.Title == "" {
			s.Title = "Overview"
		}
		sections = append(sections, s)
	}
	return sections
}

// outdated is the standing of what is deprecated beside what is not.
const outdated = 0.5

// isOutdated tells whether a section says of itself that what it is about is
// deprecated, in its title or with its first word.
func isOutdated(s *apidoc.Section) bool {
	const word = "deprecated"
	start := strings.TrimLeft(s.Body, "> *_`[!:\n")
	return strings.Contains(strings.ToLower(s.Title), word) || len(start) > len(word) && strings.EqualFold(start[:len(word)], word)
}

// standing makes what is asked for more often stand before the rest of what
// matches as well.
func standing(s *apidoc.Symbol) float32 {
	w := float32(1)
	switch s.Kind {
	case apidoc.Field, apidoc.Property, apidoc.EnumValue:
		w = 0.9
	case apidoc.Const, apidoc.Var:
		w = 0.95
	}
	if s.Deprecated != "" {
		w *= outdated
	}
	if s.From != "" {
		w *= 0.85
	}
	return w
}

func (x *Index) add(names *strings.Builder, e entry, path string) {
	name := path[strings.LastIndexAny(path, ".:#/")+1:]
	folded := fold(path[:len(path)-len(name)])
	foldedName := fold(name)
	e.pathStart = int32(names.Len())
	e.nameStart = e.pathStart + int32(len(folded))
	e.nameEnd = e.nameStart + int32(len(foldedName))
	e.humps = foldedHumps(name)
	names.WriteString(folded)
	names.WriteString(foldedName)
	e.mask = maskOf(folded) | maskOf(foldedName)
	x.entries = append(x.entries, e)
}

// foldedHumps is humps for the folded form of a name.
func foldedHumps(name string) uint64 {
	if !strings.ContainsAny(name, "_-") {
		return humps(name)
	}
	var starts uint64
	at := 0
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '-' }) {
		if at >= 64 {
			break
		}
		starts |= humps(part) << at
		at += len(part)
	}
	return starts
}

func (e *entry) doc() string {
	switch {
	case e.symbol != nil:
		return e.symbol.Doc
	case e.section != nil:
		return e.section.Body
	}
	return e.subpackage.Synopsis
}

// lengthy is how many bytes of documentation are more than others have.
const lengthy = 3000

// readProse counts the words of every entry.
func (x *Index) readProse() prose {
	p := prose{ids: make(map[string]int32)}
	var counts []float32 // by id, of the entry at hand
	var seen []int32     // ids that the entry at hand has
	add := func(text string, weight float32) {
		for w := range words(text) {
			w = stem(w)
			id, ok := p.ids[w]
			if !ok {
				id = int32(len(counts))
				w = strings.Clone(w) // do not keep the text that it was cut from
				p.ids[w] = id
				p.stems = append(p.stems, w)
				p.masks = append(p.masks, maskOf(w))
				p.postings = append(p.postings, nil)
				counts = append(counts, 0)
			}
			if counts[id] == 0 {
				seen = append(seen, id)
			}
			counts[id] += weight
		}
	}
	for i := range x.entries {
		e := &x.entries[i]
		doc := e.doc()
		add(markup.Synopsis(doc), 2)
		add(doc, 1)
		if e.symbol != nil {
			add(e.symbol.Signature, 0.7)
			for j := range e.symbol.Examples {
				add(e.symbol.Examples[j].Code, 0.2)
			}
		}
		// A long text has a word of everything.
		dense := float32(1)
		if len(doc) > lengthy {
			dense = lengthy / float32(len(doc))
		}
		for _, id := range seen {
			p.postings[id] = append(p.postings[id], posting{int32(i), weigh(counts[id] * dense)})
			counts[id] = 0
		}
		seen = seen[:0]
	}
	return p
}

// weigh turns a count of occurrences, where those in the first sentence count
// more, into a score: the first says much, each further one less.
func weigh(n float32) float32 {
	if n >= 3 {
		return inText + (inSynopsis-inText)*min(1, (n-2)/4)
	}
	return inText * n / (n + 0.5)
}
