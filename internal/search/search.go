// Package search finds the symbols and sections of one package that a
// question is about.
//
// A term of the query can match the name of a symbol (all of it, its
// beginning, the beginning of a word within it, anywhere within it, the
// initials of its words) or the words of its signature, documentation and
// examples. Each way has a score, better for names than for prose and for rare
// words than for common ones. What matches more terms of the query stands
// before what matches fewer. A term that matches nothing may be a slip of the
// keyboard: if the caller allows it, names and words within a small edit
// distance stand in. The order of results depends on nothing but the package
// and the query.
package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Hit is one place that a query matches: exactly one of Symbol, Section and
// Subpackage is set.
type Hit struct {
	Symbol     *apidoc.Symbol
	Section    *apidoc.Section
	Subpackage *apidoc.Subpackage
	// Score compares hits of one query; it means nothing across queries.
	Score float64
	// Snippet is the sentence of the documentation that matches best, or its
	// first.
	Snippet string
}

// Options say how to search. The zero value finds what is spelled right, at
// most 20 hits.
type Options struct {
	// Fuzzy also finds what is spelled a little differently.
	Fuzzy bool
	// Limit is how many hits are returned at most; 20 if zero.
	Limit int
}

// leastShare is the part of the best score that a hit has at least.
const leastShare = 0.1

const (
	maxQuery = 1000 // bytes of a query that are looked at
	maxTerms = 16   // terms of a query that are looked at
)

// Search returns the best hits for the query, best first, and how many there
// are in all. What matches far worse than the best is left out of both.
func (x *Index) Search(query string, o Options) (hits []Hit, total int) {
	if o.Limit <= 0 {
		o.Limit = 20
	}
	q := x.parse(query)
	if len(q.terms) == 0 {
		return nil, 0
	}
	scores := x.score(q, o.Fuzzy)
	better := func(a, b int32) int {
		return cmp.Or(
			cmp.Compare(scores[b], scores[a]),
			cmp.Compare(x.entries[a].nameEnd-x.entries[a].pathStart, x.entries[b].nameEnd-x.entries[b].pathStart),
			cmp.Compare(a, b),
		)
	}
	var highest float32
	for _, s := range scores {
		highest = max(highest, s)
	}
	best := make([]int32, 0, min(o.Limit, len(scores))+1)
	for i, s := range scores {
		if s <= highest*leastShare {
			continue
		}
		total++
		if len(best) == o.Limit && better(int32(i), best[o.Limit-1]) > 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(best, int32(i), better)
		best = slices.Insert(best, at, int32(i))[:min(len(best)+1, o.Limit)]
	}
	hits = make([]Hit, 0, len(best))
	for _, i := range best {
		e := &x.entries[i]
		hits = append(hits, Hit{
			Symbol:     e.symbol,
			Section:    e.section,
			Subpackage: e.subpackage,
			Score:      float64(scores[i]),
			Snippet:    q.snippet(e, x.path(e)),
		})
	}
	return hits, total
}

// Names of the ways to match, best first, as scores for one term.
const (
	exactPath  = 140
	exactName  = 110
	prefix     = 75 // up to prefix+fullness
	humpPrefix = 60 // the same for a word within the name
	initials   = 50
	substring  = 40
	withinWord = 0.7 // the part of a score for a name that is left to a word of several that ends within a word of the name
	stemmed    = 38  // a name that begins with the term's stem
	parentName = 25  // a term that matches what the symbol belongs to
	slip       = 30
	fullness   = 20 // for matching much of the name rather than little
	wholeQuery = 60 // the terms put together are the name: "read all", ReadAll
	inSynopsis = 34
	inText     = 22
)

// score gives every entry its score for the query.
func (x *Index) score(q query, fuzzy bool) []float32 {
	n := len(x.entries)
	alone := len(q.terms) == 1
	total := make([]float32, n)
	matched := make([]uint8, n)
	one := make([]float32, n)
	for _, t := range q.terms {
		clear(one)
		count := x.scoreTerm(t, one, alone)
		if count == 0 && fuzzy {
			count = x.scoreSlips(t, one)
		}
		if count == 0 {
			continue
		}
		weight := float32(1)
		if len(q.terms) > 1 {
			weight = 0.4 + 0.6*rarity(count, n)
		}
		for i, s := range one {
			if s > 0 {
				total[i] += s * weight
				matched[i]++
			}
		}
	}
	if q.joined != "" {
		clear(one)
		x.scoreNames(term{text: q.joined, mask: maskOf(q.joined)}, one, true)
		for i, s := range one {
			if s >= prefix {
				total[i] += wholeQuery * s / exactName
				matched[i] = uint8(len(q.terms))
			}
		}
	}
	for i := range total {
		if matched[i] > 0 {
			coverage := float32(matched[i]) / float32(len(q.terms))
			total[i] *= coverage * x.entries[i].standing
		}
	}
	return total
}

// query is a question taken apart.
type query struct {
	terms  []term
	joined string // the terms put together, if they are several
}

// term is one word of a query.
type term struct {
	text string // lower case, without "_" and "-"; components separated by "."
	stem string
	mask uint64 // of text
}

// parse splits a query at white space and what is in no name. A qualifier that
// is the package's own name is dropped from a term: "json.Marshal" asks for
// Marshal. Words that say nothing are dropped unless there are no others, or
// there are few and it is the name of a symbol: "errors is".
func (x *Index) parse(s string) query {
	if len(s) > maxQuery {
		s = strings.ToValidUTF8(s[:maxQuery], "")
	}
	var all, telling []term
	for _, field := range strings.FieldsFunc(s, notInQuery) {
		field = strings.Trim(field, ".:#/-_")
		for _, own := range []string{x.pkg.Name, x.pkg.LocalName} {
			rest, ok := strings.CutPrefix(field, own)
			if ok && own != "" && rest != "" && strings.ContainsRune(".:#", rune(rest[0])) {
				field = strings.TrimLeft(rest, ".:#")
				break
			}
		}
		text := fold(field)
		if text == "" || slices.ContainsFunc(all, func(t term) bool { return t.text == text }) {
			continue
		}
		t := term{text: text, stem: stem(text), mask: maskOf(text)}
		all = append(all, t)
	}
	for _, t := range all {
		if !saysNothing[t.text] || len(all) <= 3 && x.has(t.text) {
			telling = append(telling, t)
		}
	}
	if len(telling) == 0 {
		telling = all
	}
	q := query{terms: telling[:min(len(telling), maxTerms)]}
	if len(all) > 1 && len(all) <= 6 {
		for _, t := range all {
			q.joined += t.text
		}
	}
	return q
}

// has is true if a symbol or section has the folded name.
func (x *Index) has(name string) bool {
	for i := range x.entries {
		if x.name(&x.entries[i]) == name {
			return true
		}
	}
	return false
}

// saysNothing holds words of questions that are not about anything. Names of
// one word that Go or another language uses for symbols ("new", "get", "all")
// are not among them.
var saysNothing = func() map[string]bool {
	words := make(map[string]bool)
	for w := range strings.FieldsSeq(`a an and are as at be by can do does for from how i if in into is it its
		me my of on or should so some than that the their them there these they this to use used using
		was what when where which who why will with you your`) {
		words[w] = true
	}
	return words
}()

// snippet picks the sentence of an entry's documentation that has most of the
// query's words, those aside that its path has already; the first sentence
// among equals.
func (q query) snippet(e *entry, path string) string {
	doc := e.doc()
	best := markup.Synopsis(doc)
	rest := query{terms: slices.DeleteFunc(slices.Clone(q.terms), func(t term) bool { return strings.Contains(path, t.text) })}
	if len(doc) > maxSnippetDoc {
		doc = doc[:maxSnippetDoc]
	}
	most := rest.count(best)
	if most == len(rest.terms) {
		return clip(best)
	}
	for p := range strings.SplitSeq(doc, "\n\n") {
		if rest.count(p) <= most {
			continue
		}
		text := markup.PlainLinks(strings.Join(strings.Fields(p), " "))
		for s := range markup.Sentences(text) {
			if n := rest.count(s); n > most {
				best, most = s, n
			}
		}
	}
	return clip(best)
}

const (
	maxSnippet    = 300     // bytes
	maxSnippetDoc = 1 << 16 // bytes of documentation searched for a snippet
)

func clip(s string) string {
	if len(s) <= maxSnippet {
		return s
	}
	cut := strings.LastIndexByte(s[:maxSnippet], ' ')
	if cut < maxSnippet/2 {
		cut = maxSnippet
	}
	return strings.ToValidUTF8(s[:cut], "") + " …"
}

// count is how many of the query's terms occur in a text.
func (q query) count(text string) int {
	n := 0
	var have [maxTerms]bool
	for w := range words(text) {
		st := stem(w)
		for i := range q.terms {
			if !have[i] && (q.terms[i].stem == st || q.terms[i].text == w) {
				have[i] = true
				n++
			}
		}
	}
	return n
}
