package search

import "math"

// These are the minimum scores of a relevant hit that matches every term of the query. Sentences
// need a different score, because their words are less specific than names. The values were chosen
// with the help of questions that packages cannot answer. The command "make relevance" prints how
// many of these are recognized.
const (
	relevantNames    = 42
	relevantSentence = 22
)

// Close reports whether one of the best hits of a query is a close match. If not, the package
// probably contains nothing that matches, and the hits only share some words with the query.
func Close(hits []Hit) bool {
	for i := range hits[:min(len(hits), looked)] {
		if hits[i].Relevance >= 1 {
			return true
		}
	}
	return false
}

// looked is the number of hits that Close examines.
const looked = 5

// relevance computes the relevance of the hits of one query.
type relevance struct {
	words    int     // number of terms
	weight   float64 // sum of the weights of all terms
	absent   float64 // share of the terms that match nothing in the package
	relevant float64
}

func (m *matches) relevanceOf(q *query) relevance {
	r := relevance{relevant: relevantNames}
	if q.sentence {
		r.relevant = relevantSentence
	}
	absent := 0
	for i := range q.terms {
		t := &q.terms[i]
		switch weight := float64(m.rarities[i]); {
		case t.meaning:
			r.weight += weight
			continue
		case weight == 0:
			r.weight += float64(t.weight)
			absent++
		default:
			r.weight += weight
		}
		r.words++
	}
	if r.words > 0 {
		r.absent = float64(absent) / float64(r.words)
	}
	return r
}

// of returns the relevance of an entry. Terms that the entry does not contain reduce the effect of
// a high score, and terms that the whole package does not contain reduce it further. Every match of
// a single word is relevant.
func (r *relevance) of(m *matches, entry int32) float64 {
	if r.words == 1 {
		return 1
	}
	lacking := r.absent
	if r.weight > 0 {
		lacking += 1 - min(float64(m.matched[entry])/r.weight, 1)
	}
	return float64(m.total[entry]) * math.Exp(-lacking) / r.relevant
}
