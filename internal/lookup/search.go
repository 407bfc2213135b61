package lookup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/parallel"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/resolve"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/internal/store"
)

// Search is a search for symbols and sections by words.
type Search struct {
	// Package may contain several names, separated by commas or spaces.
	Package Package
	// Query may contain several queries, separated by semicolons or line breaks.
	Query string
	// Fuzzy allows small spelling errors in the query.
	Fuzzy bool
	// Limit is the maximum number of matches for each query, or 20 if zero.
	Limit int
	answer.Options
}

// maxQueries is the maximum number of queries in one search.
const maxQueries = 20

// maxUnread is the maximum number of packages of a family that are named because they were not searched.
const maxUnread = 2

// queries returns the queries of a search, and sets the limit of their matches.
func (s *Search) queries() ([]string, error) {
	s.Limit = cmp.Or(max(s.Limit, 0), 20)
	queries := answer.SplitQueries(s.Query)
	if len(queries) == 0 {
		return nil, fmt.Errorf("%q contains no words to search for; specify words or parts of names, with semicolons between several searches", s.Query)
	}
	return queries[:min(len(queries), maxQueries)], nil
}

// haveHits reports whether any of the results has a match.
func haveHits(results []answer.QueryResult) bool {
	return slices.ContainsFunc(results, func(r answer.QueryResult) bool { return len(r.Hits) > 0 })
}

// searching is the progress text during a search.
const searching = "Searching"

// Search answers a search in packages and in the other packages of their modules. found reports
// whether there are any matches.
func (l *Lookup) Search(ctx context.Context, s Search) (a *answer.Answer, found bool, err error) {
	m, err := l.matches(ctx, s)
	if err != nil {
		return nil, false, err
	}
	a = answer.Search(m.in, append(texts(m.problems), m.unread...), m.results, s.Options)
	return l.withExporters(ctx, a, m.packages, s.Options), haveHits(m.results), nil
}

// Matches returns the results of a search, for programs.
func (l *Lookup) Matches(ctx context.Context, s Search) ([]answer.QueryResult, error) {
	m, err := l.matches(ctx, s)
	if err != nil {
		return nil, err
	}
	return m.results, errors.Join(m.problems...)
}

// matches contains the results of a search in several packages.
type matches struct {
	results  []answer.QueryResult
	in       []*answer.Renderer
	problems []error  // errors for packages that cannot be read, if other packages can be read
	unread   []string // descriptions of what was not searched, by package
	packages []Target
}

// matches searches each package.
func (l *Lookup) matches(ctx context.Context, s Search) (*matches, error) {
	defer progress.Begin(ctx, searching).End()
	ctx = store.Once(ctx)
	names, err := resolve.PackageNames(s.Package.Name)
	if err != nil {
		return nil, err
	}
	var m matches
	for _, name := range names {
		each := s
		each.Package.Name = name
		found, p, unread, err := l.matchesIn(ctx, &each)
		if err != nil {
			m.problems = append(m.problems, err)
			continue
		}
		if slices.Contains(m.in, p.Renderer()) {
			continue
		}
		m.in = append(m.in, p.Renderer())
		m.packages = append(m.packages, Target{Item: p, Origin: &resolve.Package{Item: p, Question: each.Package}})
		switch {
		case len(unread) > 0 && strings.HasPrefix(unread[0], p.Name+"/") && len(p.Unread) > 0:
			m.unread = append(m.unread, fmt.Sprintf("the declarations in %d exports of %s, because the package is too large; to search an export, specify its name, such as %s",
				len(unread), p.Name, unread[0]))
		case len(unread) > 0:
			m.unread = append(m.unread, fmt.Sprintf("%s, because %s has more packages than docent can read at once; to search one of them, specify its name",
				quote.List(unread, maxUnread), cmp.Or(p.Module, p.Name)))
		}
		if m.results == nil {
			m.results, s.Limit = found, each.Limit
			continue
		}
		for i := range m.results {
			result := &m.results[i]
			result.Total += found[i].Total
			all := distinctOf(result.Hits)
			for k := range found[i].Hits {
				h := &found[i].Hits[k]
				if c := matchOf(h); !all.has(c) {
					all.add(c)
					result.Hits = append(result.Hits, *h)
				}
			}
		}
	}
	if len(m.in) == 0 {
		return nil, errors.Join(m.problems...)
	}
	if len(m.in) > 1 {
		for i := range m.results {
			result := &m.results[i]
			result.Hits = best(distinctOf(result.Hits).matches, result.Query, s.Limit)
		}
	}
	return &m, nil
}

// matchesIn searches one package and the other packages of its module. If the package is read in
// parts, it searches the parts that fit instead. unread contains the names of packages that were
// not read.
func (l *Lookup) matchesIn(ctx context.Context, s *Search) (results []answer.QueryResult, p *catalog.Item, unread []string, err error) {
	p, symbol, err := l.resolver.Find(ctx, s.Package)
	if err != nil {
		return nil, nil, nil, err
	}
	if symbol != "" {
		s.Query = symbol + " " + s.Query
	}
	queries, err := s.queries()
	if err != nil {
		return nil, nil, nil, err
	}
	p = l.catalog.WithWeb(ctx, p)
	var others []*catalog.Item
	used := l.usedDialects(s.Package, p.Package)
	prefer := func(a, b string) int {
		return cmp.Compare(dialectFactor(p.Name, b, used, ""), dialectFactor(p.Name, a, used, ""))
	}
	x := l.catalog.Index(ctx, s.Package, p)
	if x != nil && x.IsLarge() {
		entries := x.Matching(p, queries, prefer)
		if l.Single {
			l.catalog.Forget(x.Item)
		}
		others = l.catalog.ReadAll(ctx, s.Package, entries)
	} else {
		others, unread = l.catalog.Family(ctx, s.Package, p)
	}
	if len(p.Unread) > 0 && x == nil { // if there is an index (x != nil), other entry points supply the unread symbols
		names := p.MatchingParts(queries)
		others = append(others, l.catalog.ReadAll(ctx, s.Package, names)...)
		for _, name := range p.Unread {
			if name = p.Name + "/" + name; !slices.Contains(names, name) {
				unread = append(unread, name)
			}
		}
	}
	slices.SortStableFunc(others, func(a, b *catalog.Item) int { return prefer(a.Name, b.Name) }) // of equal matches, the first is kept
	indexes := []*search.Index{p.SearchIndex()}
	for _, other := range others {
		if !slices.Contains(indexes, other.SearchIndex()) {
			indexes = append(indexes, other.SearchIndex())
		}
	}
	language := l.store.Languages().Find(s.Package.Language)
	entryPoints := language != nil && language.Info().Indexes
	results = make([]answer.QueryResult, len(queries))
	parallel.Each(len(queries), func(i int) {
		query := queries[i]
		among := search.NewCorpus(indexes...)
		result := answer.QueryResult{Query: query}
		hits, total := p.SearchIndex().Search(query, search.Options{Fuzzy: s.Fuzzy, Limit: s.Limit, Among: among})
		result.Total = total
		elsewhere := make([][]search.Hit, len(others))
		room := len(hits)
		for k, other := range others {
			elsewhere[k], total = other.SearchIndex().Search(query, search.Options{Limit: s.Limit, Among: among})
			result.Total += total
			room += len(elsewhere[k])
		}
		all := newDistinct(room)
		refer := l.referrer(ctx, s.Package, p)
		for i := range hits {
			all.add(match{&hits[i], p.Renderer(), refer})
		}
		for k, other := range others {
			factor, refer := standing(p.Package, other.Package, entryPoints, query)*dialectFactor(p.Name, other.Name, used, query), l.referrer(ctx, s.Package, other)
			for i := range elsewhere[k] {
				h := match{&elsewhere[k][i], other.Renderer(), refer}
				h.hit.Score *= factor
				if h.hit.Section == nil && !all.has(h) {
					all.add(h)
				}
			}
		}
		result.Hits = best(all.matches, query, s.Limit)
		results[i] = result
	})
	return results, p, unread, nil
}

// match is a match that an answer may show, with the data for answer.Hit. It is small, because most
// matches are not shown.
type match struct {
	hit      *search.Hit
	renderer *answer.Renderer
	refer    answer.Referrer
}

func matchOf(h *answer.Hit) match { return match{&h.Hit, h.Renderer, h.Refer} }

// best sorts matches and returns the first ones, at most limit.
func best(all []match, query string, limit int) []answer.Hit {
	// named is 1 for a symbol whose path equals the query exactly.
	named := func(m match) int {
		if m.hit.Symbol != nil && m.hit.Symbol.Path == query {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(all, func(a, b match) int {
		return cmp.Or(named(b)-named(a), cmp.Compare(b.hit.Score, a.hit.Score))
	})
	hits := make([]answer.Hit, 0, min(len(all), limit))
	for _, c := range all[:cap(hits)] {
		hits = append(hits, answer.Hit{Renderer: c.renderer, Hit: *c.hit, Refer: c.refer})
	}
	return hits
}

// distinct is a list of matches without duplicates. A symbol is a duplicate if another entry point
// exports it, or if a type of another module of the same package inherits it.
type distinct struct {
	matches    []match
	signatures []string // signatures of the matching symbols, for fast comparisons
}

func newDistinct(room int) *distinct {
	return &distinct{make([]match, 0, room), make([]string, 0, room)}
}

func distinctOf(hits []answer.Hit) *distinct {
	d := newDistinct(len(hits))
	for i := range hits {
		d.add(matchOf(&hits[i]))
	}
	return d
}

// has reports whether c is a duplicate of a match in d.
func (d *distinct) has(c match) bool {
	s := c.hit.Symbol
	if s == nil {
		return false
	}
	for i, signature := range d.signatures {
		if signature != s.Signature {
			continue
		}
		other := &d.matches[i]
		if before := other.hit.Symbol; before != nil && (before.Path == s.Path || resolve.SameDeclaration(before, s) && moduleOf(other) == moduleOf(&c)) {
			return true
		}
	}
	return false
}

func (d *distinct) add(c match) {
	signature := ""
	if c.hit.Symbol != nil {
		signature = c.hit.Symbol.Signature
	}
	d.matches, d.signatures = append(d.matches, c), append(d.signatures, signature)
}

// moduleOf returns the name of the module of a match, or of its package if the module is unknown.
func moduleOf(c *match) string {
	p := c.renderer.Package()
	return cmp.Or(p.Module, p.Name)
}
