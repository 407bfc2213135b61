package search

import (
	"math"
	"slices"
	"strings"
)

// These are the scores of one term for each way to match a name.
const (
	exactPath  = 140
	exactName  = 154
	prefix     = 75   // the name begins with the term; the score is at most prefix+fullness
	humpPrefix = 20.6 // like prefix, for a word within the name
	initials   = 50
	substring  = 40
	stemmed    = 38 // the name begins with the term's stem
	parentName = 25 // the term matches the name of the symbol's parent
	slip       = 30
	fullness   = 14 // added for the share of the name that is matched
	wholeQuery = 60 // the name is the concatenation of the terms, such as "read all" for ReadAll
)

// These are additional scores, and factors of scores.
const (
	wordsAlone         = 40    // for words of the name and the documentation, if the query has one term
	wordsOfMany        = 90    // for words of the name and the documentation, if the query has several terms
	nameOfMany         = 0.5   // factor for the score of a name if the query has several terms
	nameOfSentence     = 0.33  // factor for the score of a name if the query is a sentence
	withinWord         = 0.45  // further factor if the term ends within a word of the name
	coverName          = 70    // the query contains all words of the name
	coverTitle         = 0.3   // factor for coverName in the title of a section
	coverParent        = 30    // the query contains all words of the parent's name
	adjacent           = 12    // two words of the query are adjacent in the name
	relation           = 60    // a preposition and the word after it are in the name
	behind             = 0.75  // factor for the input and output types of operations
	constructs         = 1.25  // factor for a constructor if the query asks for one
	lent               = 0.375 // factor of a section's score that is added to the symbols that the section mentions
	joinedPrefix       = 0.6   // factor for wholeQuery if a name is longer than the terms and begins with them
	wholeName          = 1.5   // factor for a name that equals the query, such as whereIn for "where in"
	asWritten          = 2.25  // factor for a name that the query contains exactly
	minCoverage        = 0.25  // factor for an entry that matches almost no term
	minRarity          = 0.25  // weight of a word that every entry contains
	ofMany             = 0.5   // weight of a name's share in the covered part of a sentence
	memberNamed        = 0.85  // factor for the name of a member, if the query has several terms
	requests           = 1.12  // factor for an operation if a sentence begins with a verb
	operationVerb      = 1.06  // factor for an operation if a query that consists of names begins with a verb
	withoutRequirement = 0.5   // factor for symbols without type parameters if the query asks for generic ones, and the like
	ofGuide            = 1.6   // factor for a section if the query contains a word of its guide's path, such as "derive"
	errorQuery         = 1.2   // factor for an error if the query asks for one
	answers            = 1.2   // factor for a predicate if the query is a yes-or-no question
	sameName           = 0.75  // factor for an entry that comes after a better one with the same name
	otherForm          = 0.61  // factor for another form of a word
	inPlace            = 1.12  // additional factor for a synonym
	minWord            = 0.15  // minimum weight of a word in a name
	fullMatch          = 20    // minimum score of a term that counts as matched
	minMeaning         = 0.8   // minimum rarity of the meaning of a phrase
	minAbsent          = 0.45  // minimum rarity of a word of which only synonyms occur
	unmatched          = 0.49  // weight of a term that matches nothing
)

// score sets the score of every entry for the query.
func (x *Index) score(q *query, o Options, b *buffers) matches {
	v := x.vocabulary()
	q.number(v)
	m := x.match(v, q, o, b)
	m.found = x.rerank(v, q, m, b)
	b.found = m.found
	return m
}

// matches contains the entries that match a query, with their scores.
type matches struct {
	total    []float32 // score of each entry
	matched  []float32 // weight of the terms that each entry matches
	similar  []bool    // whether each entry matches only with typing errors; nil if no entry does
	found    []int32   // matching entries in any order
	rarities []float32 // weight of each term, or 0 if it matches nothing
}

// match computes a score for every entry from the terms that it matches, considering each term
// separately. It includes entries that cannot be among the best, because the number of all matches
// depends on their scores.
func (x *Index) match(v *vocabulary, q *query, o Options, b *buffers) matches {
	n := len(x.entries)
	if cap(b.found) <= n {
		b.found, b.hits = make([]int32, 0, n+1), make([]int32, 0, n+1)
	}
	one := b.next(2, n)
	m := matches{total: b.next(0, n), matched: b.next(1, n), found: b.found[:0], rarities: make([]float32, len(q.terms))}
	var all float32
	for i := range q.terms {
		t := &q.terms[i]
		hits := x.scoreTerm(v, q, t, one, b)
		slipped := false
		if len(hits) == 0 && o.Fuzzy && !t.meaning && !t.explained {
			x.scoreSlips(t, one, b)
			hits = nonzero(one, hits)
			slipped = true
		}
		if len(hits) == 0 {
			if !t.meaning {
				all += o.unmatchedWeight(t)
			}
			continue
		}
		weight := x.weigh(v, q, o, t, len(hits))
		m.rarities[i] = weight
		all += weight
		if slipped && m.similar == nil {
			m.similar = make([]bool, n)
			for i := range m.similar {
				m.similar[i] = m.total[i] == 0
			}
		}
		if !slipped && m.similar != nil {
			for _, j := range hits {
				m.similar[j] = false
			}
		}
		m.add(one, weight, hits)
	}
	if q.joined != "" {
		for _, j := range x.scoreNames(&term{text: q.joined, mask: maskOf(q.joined)}, one, true, b.hits[:0], b) {
			s := one[j]
			one[j] = 0
			if s >= prefix {
				if m.total[j] == 0 {
					m.found = append(m.found, j)
				}
				if s < exactName {
					s *= joinedPrefix
				} else {
					m.total[j] = max(m.total[j], exactName)
				}
				m.total[j] += wholeQuery * s / exactName
				m.matched[j] = all
			}
		}
	}
	all = max(all, 0.01)
	for _, i := range m.found {
		coverage := float32(1)
		if m.matched[i] < all {
			coverage = float32(math.Sqrt(float64(m.matched[i] / all)))
		}
		m.total[i] *= (minCoverage + (1-minCoverage)*coverage) * x.standings[i]
	}
	return m
}

// weigh returns the weight of a term that matches count entries.
func (x *Index) weigh(v *vocabulary, q *query, o Options, t *term, count int) float32 {
	if len(q.terms) == 1 {
		return t.weight
	}
	r := o.rarity(x, t, count)
	if q.sentence && t.meaning && x.with(Phrases) {
		r = max(r, minMeaning) // the words of the phrase are common, but the query asks for its meaning
	}
	if !t.meaning && len(v.postingsOf(t.stem)) == 0 {
		r = max(r, minAbsent)
	}
	return t.weight * (minRarity + (1-minRarity)*r)
}

// scoreTerm sets scores[i] to the score of entry i for the term, and returns the matching entries
// in a slice of b. All scores must be 0 before the call.
func (x *Index) scoreTerm(v *vocabulary, q *query, t *term, scores []float32, b *buffers) []int32 {
	hits := b.hits[:0]
	alone := len(q.terms) == 1
	maximum := float32(wordsOfMany)
	if alone {
		maximum = wordsAlone
	}
	named := float32(nameOfMany)
	if q.sentence {
		named = nameOfSentence
	}
	if !t.meaning {
		hits = x.scoreNames(t, scores, alone, hits, b)
		if !alone {
			for _, i := range hits {
				if x.spans[i].isMember() {
					scores[i] *= memberNamed
				}
				scores[i] *= named
			}
		}
		if strings.Contains(t.text, ".") {
			return hits
		}
		if t.id >= 0 {
			hits = addPostings(v.list(t.id), maximum, scores, hits)
		}
	}
	hits = x.scoreParts(v, t, maximum, scores, hits)
	for _, o := range t.others {
		if o.id < 0 {
			continue
		}
		hits = raiseToPostings(v.list(o.id), maximum*o.weight, scores, hits)
	}
	return hits
}

// scoreParts computes scores for the entries in which all words of a compound name in the query
// occur, even if they are not adjacent. For example, HarvestCrate matches a method whose comment
// contains "harvest crate".
func (x *Index) scoreParts(v *vocabulary, t *term, maximum float32, scores []float32, hits []int32) []int32 {
	if len(t.parts) < 2 {
		return hits
	}
	lists := make([][]posting, len(t.parts))
	for i, part := range t.parts {
		if lists[i] = v.postingsOf(part); len(lists[i]) == 0 {
			return hits
		}
	}
	slices.SortFunc(lists, func(a, b []posting) int { return len(a) - len(b) })
next:
	for _, p := range lists[0] {
		weight := p.weight
		for i := range lists[1:] {
			list := skipTo(lists[1+i], p.entry)
			if lists[1+i] = list; len(list) == 0 {
				return hits
			}
			if list[0].entry != p.entry {
				continue next
			}
			weight = min(weight, list[0].weight)
		}
		if scores[p.entry] == 0 {
			hits = append(hits, p.entry)
		}
		scores[p.entry] = max(scores[p.entry], maximum*weight)
	}
	return hits
}

// skipTo returns the postings that begin with the given entry or a later one.
func skipTo(list []posting, entry int32) []posting {
	step := 1
	for step < len(list) && list[step].entry <= entry {
		step *= 2
	}
	list = list[step/2:]
	for len(list) > 0 && list[0].entry < entry {
		list = list[1:]
	}
	return list
}

// rarity returns the weight of a term that matches count entries of x. The weight is higher if
// fewer entries match.
func (o *Options) rarity(x *Index, t *term, count int) float32 {
	matches := len(x.vocabulary().postingsOf(t.stem))
	if matches > 0 {
		count = 0
	}
	if o.Among == nil {
		return rarity(matches+count, len(x.entries))
	}
	return rarity(o.Among.count(t.stem)+count, o.Among.entries)
}

// unmatchedWeight returns the weight of a term that matches nothing in the index. If another
// package contains the term, it is the weight there; otherwise, it is a constant.
func (o *Options) unmatchedWeight(t *term) float32 {
	if o.Among != nil {
		if n := o.Among.count(t.stem); n > 0 {
			return t.weight * (minRarity + (1-minRarity)*rarity(n, o.Among.entries))
		}
	}
	return t.weight * unmatched
}
