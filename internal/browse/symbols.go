package browse

import (
	"cmp"
	"context"
	"path"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/console"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/naming"
)

// symbols is the page that lists the contents of a package: its overview, guides, subpackages and
// symbols.
type symbols struct {
	list
	target target
	in     *apidoc.Package // nil until it is read
}

func newSymbols(t target) *symbols {
	return &symbols{list: list{noun: "symbols", scope: "of the package"}, target: t}
}

// newEntry returns the page that is opened first.
func newEntry(o Options) page {
	m := Model{options: o}
	t := target{question: m.question(o.Language, o.Package), symbol: o.Symbol}
	if o.Symbol != "" {
		return newDocument(t)
	}
	return newSymbols(t)
}

// read is a package that was read, with its items.
type read struct {
	question lookup.Package
	in       *apidoc.Package
	symbol   *apidoc.Symbol
	items    []item
	err      error
}

func (s *symbols) start(m *Model) []console.Command {
	if !s.first() {
		return nil
	}
	return command(s, func(ctx context.Context) any {
		r := m.resolve(ctx, s.target)
		if r.err == nil {
			r.items = itemsIn(r.in, r.question)
		}
		return r
	})
}

func (s *symbols) update(m *Model, value any) []console.Command {
	switch value := value.(type) {
	case read:
		if s.err = value.err; s.err != nil {
			return nil
		}
		s.target.question, s.in = value.question, value.in
		s.search = func(m *Model, query string) console.Command { return m.searchPackage(s.target.question, query) }
		s.setItems(value.items)
		if value.symbol != nil { // The user gave the package with a symbol, as in json.Marshal.
			t := s.target
			t.symbol = value.symbol.Path
			return m.open(t)
		}
	case found:
		return s.found(m, s, value)
	}
	return nil
}

func (s *symbols) key(m *Model, key console.Key) []console.Command { return s.listKey(m, s, key) }

func (s *symbols) crumbs() []crumb { return []crumb{packageCrumb(s.target, s.in)} }

// packageCrumb returns the crumb of a package. p is nil until the package has been read.
func packageCrumb(t target, p *apidoc.Package) crumb {
	name := t.question.Name
	if version := cmp.Or(versionOf(p), t.question.Version, t.version); version != "" {
		name += "@" + version
	}
	return crumb{name, &target{question: t.question, version: t.version}}
}

func versionOf(p *apidoc.Package) string {
	if p == nil {
		return ""
	}
	return p.Version
}

// resolve reads the package of a target and finds its symbol.
func (m *Model) resolve(ctx context.Context, t target) read {
	l := m.options.Lookup
	q := t.question
	if q.Language == "" {
		language, err := l.LanguageOf(ctx, q)
		if err != nil {
			return read{err: err}
		}
		q = m.question(string(language.ID), q.Name)
	}
	about := lookup.Description{Package: q, Symbols: t.symbol}
	targets, problems, err := l.Select(ctx, about)
	if t.version != "" && (err != nil || len(targets) > 0 && targets[0].Version != t.version) {
		about.Package.Version = t.version // The project has several versions of the package.
		targets, problems, err = l.Select(ctx, about)
	}
	if err == nil && len(targets) == 0 {
		err = problems[0]
	}
	if err != nil {
		return read{err: err}
	}
	q = about.Package
	if q.Version == "" && strings.LastIndexByte(q.Name, '@') > 0 { // The name contained a version.
		q.Version = targets[0].Version
	}
	q.Name = targets[0].Name
	return read{question: q, in: targets[0].Package, symbol: targets[0].Symbol}
}

// maxCalled is the maximum number of symbols of a package whose names are replaced with readable
// ones, which takes time for each symbol.
const maxCalled = 5000

// maxFirstPackages is the maximum number of packages below a package that are listed before its
// symbols. If there are more, they are listed after them.
const maxFirstPackages = 10

// itemsIn returns the items of a package.
func itemsIn(p *apidoc.Package, q lookup.Package) []item {
	about := func(name, kind, text string) item {
		return item{name: oneLine(name), first: oneLine(kind), text: text, target: target{question: q}}
	}
	overview := about("Overview", "package", synopsis(cmp.Or(p.Doc, p.Synopsis)))
	overview.target.overview, overview.about = true, p.Doc
	items := []item{overview}
	files := map[string]bool{}
	for i := range p.Sections {
		section := &p.Sections[i]
		id, _, _ := strings.Cut(section.ID, "#")
		file := cmp.Or(section.File, id)
		if file == "" || files[file] {
			continue
		}
		files[file] = true
		guide := about(file, "guide", oneLine(section.Title))
		if strings.EqualFold(guide.text, path.Base(file)) {
			guide.text = ""
		}
		guide.target.section, guide.about = file, section.Body
		items = append(items, guide)
	}
	packages := func() {
		for i := range p.Subpackages {
			below := about(p.Subpackages[i].Name, "package", synopsis(p.Subpackages[i].Synopsis))
			below.target.question.Name = p.Subpackages[i].Name
			items = append(items, below)
		}
	}
	few := len(p.Subpackages) <= maxFirstPackages
	if few {
		packages()
	}
	friendly := p.Count() <= maxCalled
	add := func(s *apidoc.Symbol, hidden bool) {
		name := s.Path
		if friendly {
			name = naming.Called(p, name)
		}
		it := about(name, string(s.Kind), synopsis(s.Doc))
		it.hidden, it.faint, it.in, it.symbol, it.target.symbol = hidden, s.Deprecated != "", p, s, s.Path
		items = append(items, it)
	}
	top := map[*apidoc.Symbol]bool{}
	for i := range p.Symbols {
		top[&p.Symbols[i]] = true
	}
	for s := range p.All {
		add(s, !top[s])
	}
	for _, others := range [][]apidoc.Symbol{p.Elsewhere, p.Internal} {
		for i := range others {
			add(&others[i], true)
		}
	}
	if !few {
		packages()
	}
	return items
}

// searchPackage returns a command that searches a package and the other packages of its module.
func (m *Model) searchPackage(q lookup.Package, query string) console.Command {
	return func(ctx context.Context) any {
		f := found{query: query, complete: true}
		matches, err := m.options.Lookup.Matches(ctx, lookup.Search{Package: q, Query: oneQuery(query), Fuzzy: true, Limit: maxResults})
		f.err = err
		f.items = m.itemsOf(matches)
		return f
	}
}
