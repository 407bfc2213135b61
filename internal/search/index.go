package search

import (
	"slices"
	"strings"
	"sync"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Index is a search index of a package. It is safe for concurrent use. The package must not change
// while the Index is in use.
type Index struct {
	pkg     *apidoc.Package
	entries []entry
	spans   []span // position of each entry's name in names
	names   string // the folded paths of all entries, concatenated

	signatures signatures // signatures of the folded paths

	standings []float32                  // copy of each entry's standing, which every score needs
	repeats   bool                       // whether some entries are repeated
	elsewhere struct{ start, end int32 } // range of entries that exist only on other platforms

	vocabulary func() *vocabulary // computed when it is first needed
	without    Parts              // parts of the ranking that are skipped to measure their effect
}

// entry is a symbol, a section or a subpackage that a search can find.
type entry struct {
	symbol      *apidoc.Symbol
	section     *apidoc.Section
	subpackage  *apidoc.Subpackage
	standing    float32
	constructor bool
	operation   bool
	failure     bool     // whether the name is that of an error
	repeated    int32    // number that equal fields of several types share, or 0 for other entries
	class       int32    // entry of the class to which an undocumented attribute belongs, or -1
	guide       []string // for a section, the stems of the words of its guide's path
	aside       string   // for an input or output type of an operation, the stem of the last word of its name
}

// New returns an Index of everything in p that has a name or a heading. Names are indexed
// immediately, and the words of the documentation are indexed by the first search.
func New(p *apidoc.Package) *Index { return newIndex(p, 0) }

func newIndex(p *apidoc.Package, without Parts) *Index {
	x := &Index{pkg: p, without: without}
	var names strings.Builder
	seen := once(p)
	x.reserve(&names)
	foreign := fromForeignTrait(p)
	old := map[string]bool{} // paths of deprecated types, whose members are also treated as deprecated
	for s := range p.All {
		if s.NumMembers() > 0 && s.Deprecated != "" {
			old[s.Path] = true
		}
		if seen(s) {
			e := entry{symbol: s, standing: standing(s, p.Style.Weights)}
			if s.Deprecated == "" && old[s.ParentPath()] {
				e.standing *= outdated
			}
			if x.with(Traits) && foreign(s) {
				e.standing *= ofForeignTrait
			}
			x.add(&names, e, s.Path)
		}
	}
	elsewhere := apidoc.Package{Symbols: p.Elsewhere}
	x.elsewhere.start = int32(len(x.entries))
	for s := range elsewhere.All {
		x.add(&names, entry{symbol: s, standing: otherPlatform * standing(s, p.Style.Weights)}, s.Path)
	}
	x.elsewhere.end = int32(len(x.entries))
	for _, s := range docSections(p) {
		x.add(&names, entry{section: s, standing: sectionStanding}, strings.ReplaceAll(s.Title, " ", "-"))
	}
	for i := range p.Sections {
		s := &p.Sections[i]
		standing := float32(sectionStanding)
		if s.ID == "changelog" {
			standing = 0.3 // a changelog mentions everything
		}
		if s.Level <= 1 && fold(s.Title) == fold(p.Name) {
			standing *= 0.7
		}
		if isOutdated(s) {
			standing *= outdated
		}
		x.add(&names, entry{section: s, standing: standing, guide: guideOf(s)}, strings.ReplaceAll(s.Title, " ", "-"))
	}
	for i := range p.Subpackages {
		s := &p.Subpackages[i]
		x.add(&names, entry{subpackage: s, standing: subpackageStanding}, s.Name[strings.LastIndexByte(s.Name, '/')+1:])
	}
	x.names = names.String()
	x.sign()
	x.rankRoles()
	x.findAttributes()
	if x.with(Repeated) {
		x.findRepeated()
	}
	if x.with(Introduced) {
		x.rankIntroduced()
	}
	x.standings = make([]float32, len(x.entries))
	for i := range x.entries {
		x.standings[i] = x.entries[i].standing
		x.repeats = x.repeats || x.entries[i].repeated > 0
	}
	x.vocabulary = sync.OnceValue(x.readWords)
	return x
}

// once returns a function that reports whether to index a symbol. If a declaration has several
// paths, it selects the shortest one, and it prefers the path in the type that declares a member to
// the paths in types that inherit it. In a language without aliases it selects every symbol.
func once(p *apidoc.Package) func(*apidoc.Symbol) bool {
	if !p.Style.Aliased {
		return func(*apidoc.Symbol) bool { return true }
	}
	type declaration struct {
		file, name string
		line       int
	}
	declarationOf := func(s *apidoc.Symbol) declaration { return declaration{s.File, s.Name(), s.Line} }
	best := map[declaration]*apidoc.Symbol{}
	for s := range p.All {
		if s.File == "" {
			continue
		}
		before := best[declarationOf(s)]
		if before == nil || s.From == "" && before.From != "" || (s.From == "") == (before.From == "") && len(s.Path) < len(before.Path) {
			best[declarationOf(s)] = s
		}
	}
	return func(s *apidoc.Symbol) bool { return s.File == "" || best[declarationOf(s)] == s }
}

// docSections splits the package's own documentation into sections.
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

// guideOf returns the stems of the words of the path of a section's guide, such as "deriv" for
// "_derive/arg-attributes".
func guideOf(s *apidoc.Section) []string {
	path := s.ID[:max(strings.LastIndexByte(s.ID, '/'), 0)]
	var stems []string
	for _, w := range pieces(path) {
		stems = append(stems, stem(strings.ToLower(w)))
	}
	return stems
}

// These are the standings of entries other than symbols.
const (
	sectionStanding    = 0.4
	subpackageStanding = 0.51
)

// otherPlatform is the standing of symbols that exist only on other platforms. notHere is an
// additional factor for their scores if Options.Here is set.
const otherPlatform, notHere = 0.7, 0.4

const unreached = 0.45
const implemented = 0.5 // implemented is the factor for the implementation of a trait, because the trait documents it
const namedForMember = 0.9
const seldomVerb = 0.75

// unstable is the factor for a symbol whose path shows that it does not belong to the stable API.
const unstable = 0.8

// isUnstable reports whether a name in a path begins with a word, such as "unstable", that marks an
// API that may still change. A name that consists only of that word is ignored, because a function
// may be called beta.
func isUnstable(path string) bool {
	for path != "" {
		name := path
		end := strings.IndexAny(path, ".:#/")
		if end >= 0 {
			name, path = path[:end], path[end+1:]
		} else {
			path = ""
		}
		for _, word := range [...]string{"beta", "unstable", "experimental"} {
			n := len(word)
			if len(name) < n || !strings.EqualFold(name[:n], word) {
				continue
			}
			if n < len(name) && (name[n] < 'a' || name[n] > 'z') || n == len(name) && end >= 0 {
				return true
			}
		}
	}
	return false
}

// outdated is the factor for the standing of deprecated symbols.
const outdated = 0.3

// isOutdated reports whether the title or the first word of a section states that its subject is
// deprecated.
func isOutdated(s *apidoc.Section) bool {
	const word = "deprecated"
	start := strings.TrimLeft(s.Body, "> *_`[!:\n")
	return strings.Contains(strings.ToLower(s.Title), word) || len(start) > len(word) && strings.EqualFold(start[:len(word)], word)
}

// standing returns a symbol's factor in the ranking. Symbols that users search for more often come
// before others that match equally well.
func standing(s *apidoc.Symbol, weights map[apidoc.Kind]float32) float32 {
	w := float32(1)
	if weight, ok := weights[s.Kind]; ok {
		w = weight
	}
	if s.Deprecated != "" {
		w *= outdated
	}
	if s.From != "" {
		w *= 0.85
	}
	name := baseName(s)
	if s.IsImplementation() {
		w *= implemented
	}
	if isUnstable(s.Path) {
		w *= unstable
	}
	// Users rarely use these symbols directly.
	if strings.HasPrefix(name, "_") || strings.HasPrefix(name, "()") || strings.Contains(s.Path, "nternal") || strings.Contains(s.Path, "INTERNAL") || strings.Contains(s.Doc, "@internal") {
		w *= unreached
	}
	// A type that is named after its operation is usually used in tests.
	if parent := s.ParentPath(); len(name) > 5 && len(parent) > len(name) && strings.Contains(parent, name) {
		w *= namedForMember
	}
	// Users search more often for operations that change a resource than for operations that delete
	// or get it.
	if strings.HasPrefix(name, "Delete") || strings.HasPrefix(name, "delete") || strings.HasPrefix(name, "Get") || strings.HasPrefix(name, "get") {
		w *= seldomVerb
	}
	return w
}

// baseName returns the last name of a symbol's path without argument labels.
func baseName(s *apidoc.Symbol) string {
	name, _ := apidoc.CutLabels(s.Name())
	return name
}

// reserve allocates space for the symbols of the package.
func (x *Index) reserve(names *strings.Builder) {
	n, size := len(x.pkg.Sections)+len(x.pkg.Subpackages), 0
	for s := range x.pkg.All {
		n, size = n+1, size+len(s.Path)
	}
	names.Grow(size)
	x.entries, x.spans = make([]entry, 0, n), make([]span, 0, n)
}

// hasProse reports whether there are sections.
func (x *Index) hasProse() bool {
	return slices.ContainsFunc(x.entries, func(e entry) bool { return e.section != nil })
}

func (x *Index) add(names *strings.Builder, e entry, path string) {
	path, _ = apidoc.CutLabels(path)
	name := path[strings.LastIndexAny(path, ".:#/")+1:]
	folded := fold(path[:len(path)-len(name)])
	foldedName := fold(name)
	start := int32(names.Len())
	nameStart := start + int32(len(folded))
	x.spans = append(x.spans, span{start, nameStart, nameStart + int32(len(foldedName)), foldedHumps(name)})
	names.WriteString(folded)
	names.WriteString(foldedName)
	x.entries = append(x.entries, e)
}

// foldedHumps is like humps, but returns positions in the folded form of a name.
func foldedHumps(name string) uint64 {
	if !strings.ContainsAny(name, "_-") {
		return humps(name)
	}
	var starts uint64
	pos := 0
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '_' || r == '-' }) {
		if pos >= 64 {
			break
		}
		starts |= humps(part) << pos
		pos += len(part)
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
