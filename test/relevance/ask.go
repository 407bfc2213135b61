package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/search"
)

// deepest is how many hits are looked at. An answer that is not among them
// counts as not found.
const deepest = 50

// outcome is what one form of one question found.
type outcome struct {
	question *Question
	form     int
	query    string
	// rank is the place of the first right answer, from 1; 0 if there is none.
	rank int
	// first holds the names of the first five hits.
	first []string
}

// defaultOptions are those of docent's search tool.
func defaultOptions() search.Options { return search.Options{Fuzzy: true, Limit: deepest} }

// partSwitch turns a part of the ranking off.
type partSwitch struct {
	name  string
	off   func(*search.Options) // nil if parts say what is left out
	parts search.Parts
}

// switches are the parts of the ranking that can be turned off. A part that
// gets a field in search.Options or is one of search.Parts gets a line here.
var switches = []partSwitch{
	{"fuzzy", func(o *search.Options) { o.Fuzzy = false }, 0},
	{"first-sentence", nil, search.FirstSentence},
	{"synonyms", nil, search.Synonyms},
	{"name-cover", nil, search.NameCover},
	{"parent-cover", nil, search.ParentCover},
	{"roles", nil, search.Roles},
	{"constructors", nil, search.Constructors},
	{"section-links", nil, search.SectionLinks},
	{"descriptions", nil, search.Descriptions},
	{"spread", nil, search.Spread},
	{"verbs", nil, search.Verbs},
	{"light-verbs", nil, search.LightVerbs},
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

// indexesWithout are the indexes as they are without a part of the ranking.
func indexesWithout(indexes []index, parts search.Parts) []index {
	if parts == 0 {
		return indexes
	}
	changed := slices.Clone(indexes)
	for i := range changed {
		changed[i].Index = changed[i].Without(parts)
	}
	return changed
}

// ask searches for every question in each form.
func ask(indexes []index, questions []Question, o search.Options) []outcome {
	var all []outcome
	for i := range questions {
		q := &questions[i]
		at := slices.IndexFunc(indexes, func(x index) bool { return x.language == q.Language && x.name == q.Package })
		for f, form := range forms {
			r := outcome{question: q, form: f, query: form.text(q)}
			hits, _ := indexes[at].Search(r.query, o)
			for n, h := range hits {
				if n < 5 {
					r.first = append(r.first, nameOf(h))
				}
				if r.rank == 0 && q.answeredBy(h) {
					r.rank = n + 1
				}
			}
			all = append(all, r)
		}
	}
	return all
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
