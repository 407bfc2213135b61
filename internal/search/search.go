// Package search finds the symbols and sections of one package that a question is about.
//
// A term of the query can match words of a symbol's signature, documentation and examples. It can
// also match the symbol's complete name, its beginning, the beginning of a word within it, any
// other part of it, or the initials of its words. Each kind of match has a score. Scores are higher
// for names than for prose, and higher for rare words than for common ones. A symbol or section
// that matches more terms of the query ranks before one that matches fewer. A term that matches
// nothing may be misspelled. If the caller allows it, names and words within a small edit distance
// then match instead. The order of results depends only on the package and the query.
package search

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Hit is a match of a query. Exactly one of Symbol, Section and Subpackage is set.
type Hit struct {
	Symbol     *apidoc.Symbol
	Section    *apidoc.Section
	Subpackage *apidoc.Subpackage
	// Score can be used to compare hits of the same query, but not of different queries.
	Score float64
	// Similar is true if the query matches nothing in its exact spelling.
	Similar bool

	// Alike contains fields of other types that have the same name, declaration and first sentence,
	// best match first. They are not returned as separate hits.
	Alike []*apidoc.Symbol

	index *Index
	query *query
	entry int32 // the symbol's entry in the index

	relevance float64 // the score in a form that can be compared across queries
}

// Snippet returns the sentence of the documentation that matches the query best, or otherwise the
// first sentence. It returns "" if there is no documentation.
func (h *Hit) Snippet() string {
	if h.index == nil {
		return ""
	}
	e := &h.index.entries[h.entry]
	return h.query.snippet(e, h.index.path(int(h.entry)))
}

// Options are the options of a search. With the zero value, a search finds only exact spellings and
// returns at most 20 hits.
type Options struct {
	// Fuzzy allows small spelling errors in names and words of the query.
	Fuzzy bool
	// Limit is the maximum number of hits, or 20 if zero.
	Limit int
	// Among is the set of packages that are searched together, including this one. A match has a
	// higher score if its word is rare in these packages. If Among is nil, only this index is
	// considered.
	Among *Corpus
	// Here ranks symbols that exist only on other platforms much lower than other symbols.
	Here bool
}

// minShare is the minimum score of a hit, as a fraction of the best score.
const minShare = 0.1

const (
	maxQuery = 1000 // maximum number of bytes of a query that are used
	maxTerms = 16   // maximum number of terms of a query that are used
)

// Search returns the best hits for the query, best first, and the number of all matches. Matches
// with much lower scores than the best are not returned or counted.
func (x *Index) Search(query string, o Options) (hits []Hit, total int) {
	if o.Limit <= 0 {
		o.Limit = 20
	}
	q := x.parse(query)
	if len(q.terms) == 0 {
		return nil, 0
	}
	b := freeBuffers.Get().(*buffers)
	m := x.score(&q, o, b)
	scores, similar, found := m.total, m.similar, m.found
	relevance := m.relevanceOf(&q)
	if o.Here && x.elsewhere.start < x.elsewhere.end {
		for _, i := range found {
			if i >= x.elsewhere.start && i < x.elsewhere.end {
				scores[i] *= notHere
			}
		}
	}
	better := func(a, b int32) int {
		if scores[a] != scores[b] {
			return cmp.Compare(scores[b], scores[a])
		}
		return cmp.Or(cmp.Compare(len(x.path(int(a))), len(x.path(int(b)))), cmp.Compare(a, b))
	}
	minimum := minShare * highest(scores, found)
	alike := x.withoutRepeated(found, scores, minimum, better)
	best := make([]int32, 0, min(o.Limit, len(found))+1)
	var worst float32 // score of the last entry of best if it contains as many entries as requested
	for _, i := range found {
		s := scores[i]
		if s > minimum {
			total++
		}
		if s < worst || s <= minimum || len(best) == o.Limit && better(i, best[o.Limit-1]) > 0 {
			continue
		}
		index, _ := slices.BinarySearchFunc(best, i, better)
		best = slices.Insert(best, index, i)[:min(len(best)+1, o.Limit)]
		if len(best) == o.Limit {
			worst = scores[best[o.Limit-1]]
		}
	}
	hits = make([]Hit, 0, len(best))
	for _, i := range best {
		e := &x.entries[i]
		hit := Hit{
			Symbol:     e.symbol,
			Section:    e.section,
			Subpackage: e.subpackage,
			Score:      float64(scores[i]),
			relevance:  relevance.score(&m, i),
			Similar:    similar != nil && similar[i],
			index:      x,
			query:      &q,
			entry:      i,
		}
		for _, other := range alike[i] {
			hit.Alike = append(hit.Alike, x.entries[other].symbol)
		}
		hits = append(hits, hit)
	}
	b.reset(found, len(x.entries))
	freeBuffers.Put(b)
	return hits, total
}
