package search

import "math"

// These are the scores from which a hit is relevant that matches every term of a query
// made of names, or of a sentence, whose words say less. They were chosen by questions
// that their packages cannot answer: make relevance says how many it tells apart.
const (
	relevantNames    = 42
	relevantSentence = 22
)

// Close reports whether one of the best hits of a query is about what it asks for.
// Otherwise the package probably has nothing of the kind: the hits share some words
// with the query.
func Close(hits []Hit) bool {
	for i := range hits[:min(len(hits), looked)] {
		if hits[i].Relevance >= 1 {
			return true
		}
	}
	return false
}

// looked is the number of hits that Close looks at.
const looked = 5

// relevance computes the relevance of the hits of one query.
type relevance struct {
	words    int     // the number of terms
	weight   float64 // the weights of all terms together
	absent   float64 // the share of the terms that nothing in the package matches
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

// of returns the relevance of an entry: a high score is worth less if the entry lacks
// terms, and still less if the whole package lacks them. Whatever matches a single word
// is about it.
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
