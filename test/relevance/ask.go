package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/internal/store"
)

// deepest is the number of hits that are examined. An answer that is not among them counts as not
// found.
const deepest = 50

// wholeFamily is enough time to read all packages of a module even on a busy machine, so that the
// results do not depend on its speed.
const wholeFamily = time.Hour

// outcome is the result of one form of one question.
type outcome struct {
	question *Question
	form     int
	query    string
	// rank is the rank of the first correct answer, counted from 1, or 0 if there is none.
	rank int
	// first holds the names of the first five hits.
	first []string
	// close is false if the answer states that nothing close was found.
	close bool
}

// partSwitch disables a part of the ranking.
type partSwitch struct {
	name  string
	fuzzy bool // exact words alone
	parts search.Parts
}

// switches are the parts of the ranking that can be turned off. Each part of search.Parts has a
// line here.
var switches = []partSwitch{
	{name: "fuzzy", fuzzy: true},
	{name: "first-sentence", parts: search.FirstSentence},
	{name: "synonyms", parts: search.Synonyms},
	{name: "name-cover", parts: search.NameCover},
	{name: "parent-cover", parts: search.ParentCover},
	{name: "roles", parts: search.Roles},
	{name: "constructors", parts: search.Constructors},
	{name: "section-links", parts: search.SectionLinks},
	{name: "descriptions", parts: search.Descriptions},
	{name: "spread", parts: search.Spread},
	{name: "verbs", parts: search.Verbs},
	{name: "light-verbs", parts: search.LightVerbs},
	{name: "introduced", parts: search.Introduced},
	{name: "attributes", parts: search.Attributes},
	{name: "spelling", parts: search.Spelling},
	{name: "compounds", parts: search.Compounds},
	{name: "repeated", parts: search.Repeated},
	{name: "boilerplate", parts: search.Boilerplate},
	{name: "members", parts: search.Members},
	{name: "negation", parts: search.Negation},
	{name: "generics", parts: search.Generics},
	{name: "borrowed", parts: search.Borrowed},
	{name: "failures", parts: search.Failures},
	{name: "traits", parts: search.Traits},
	{name: "phrases", parts: search.Phrases},
	{name: "inputs", parts: search.Inputs},
	{name: "relations", parts: search.Relations},
	{name: "guides", parts: search.Guides},
}

func switchNames() []string {
	var names []string
	for _, s := range switches {
		names = append(names, s.name)
	}
	return names
}

func switchesNamed(names []string) ([]partSwitch, error) {
	if slices.Equal(names, []string{"all"}) {
		return switches, nil
	}
	var found []partSwitch
	for _, name := range names {
		i := slices.IndexFunc(switches, func(s partSwitch) bool { return s.name == name })
		if i < 0 {
			return nil, fmt.Errorf("no part of the ranking is called %q; there are: %s", name, strings.Join(switchNames(), ", "))
		}
		found = append(found, switches[i])
	}
	return found, nil
}

// ask runs a search for every question in each form, like a user's search, in the project of the
// question's language below dir.
func ask(ctx context.Context, packages *store.Store, dir string, questions []Question, without partSwitch) ([]outcome, error) {
	l := lookup.New(packages)
	l.Without = without.parts
	l.FamilyTime = wholeFamily
	var all []outcome
	for i := range questions {
		q := &questions[i]
		for f, form := range forms {
			r := outcome{question: q, form: f, query: form.text(q)}
			results, err := l.Matches(ctx, lookup.Search{
				Package: lookup.Package{Language: q.Language, Name: q.Package, Project: filepath.Join(dir, q.Language)},
				Query:   r.query,
				Fuzzy:   !without.fuzzy,
				Limit:   deepest,
			})
			if err != nil {
				return nil, fmt.Errorf("search %s for %q: %w", q.Package, r.query, err)
			}
			r.close = results[0].Close()
			for n, h := range results[0].Hits {
				if n < 5 {
					r.first = append(r.first, nameOf(h.Hit))
				}
				if r.rank == 0 && (q.answeredBy(h.Hit) || q.answeredBy(qualified(h))) {
					r.rank = n + 1
				}
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// askAbsent runs queries to which their packages contain no answer. It returns the queries for
// which search finds nothing or nothing similar, and the other queries.
func askAbsent(ctx context.Context, packages *store.Store, dir string, absent []Absent) (caught, missed []Absent, err error) {
	l := lookup.New(packages)
	l.FamilyTime = wholeFamily
	for _, a := range absent {
		results, err := l.Matches(ctx, lookup.Search{
			Package: lookup.Package{Language: a.Language, Name: a.Package, Project: filepath.Join(dir, a.Language)},
			Query:   a.Query, Fuzzy: true, Limit: deepest,
		})
		if err != nil {
			return nil, nil, fmt.Errorf("search %s for %q: %w", a.Package, a.Query, err)
		}
		if results[0].Close() {
			missed = append(missed, a)
		} else {
			caught = append(caught, a)
		}
	}
	return caught, missed, nil
}

// qualified returns a hit on a symbol with the name of its package in front of
// its path, as a program writes it.
func qualified(h answer.Hit) search.Hit {
	if h.Symbol == nil {
		return h.Hit
	}
	s := *h.Symbol
	s.Path = h.Package().Name + h.Package().Separator() + s.Path
	return search.Hit{Symbol: &s}
}

func nameOf(h search.Hit) string {
	switch {
	case h.Symbol != nil:
		return h.Symbol.Path
	case h.Section != nil:
		return sectionMark + h.Section.Title
	}
	return h.Subpackage.Name + "/"
}

func (q *Question) answeredBy(h search.Hit) bool {
	var name string
	among := q.symbols
	switch {
	case h.Symbol != nil:
		name = h.Symbol.Path
	case h.Section != nil:
		name, among = h.Section.Title, q.sections
	default:
		return false
	}
	for _, re := range among {
		if re.MatchString(name) {
			return true
		}
	}
	return false
}
