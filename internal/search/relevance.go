package search

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
)

// Evidence describes how well a hit answers its query. Its elements are independent of each other,
// and can be compared across queries and packages.
type Evidence [len(evidenceWeights)]float64

// These are the elements of Evidence.
const (
	scoreEvidence  = iota // logarithm of the score, which is lower if terms do not match
	absentTopic           // highest topicality of a term that is nowhere in the package
	uncoveredTopic        // highest topicality of a term that is not in the entry
	coveredTopic          // highest topicality of a term that is in the entry
	coveredWord           // highest specificity of a term that is in the entry
)

// evidenceWeights are the weights of the elements of Evidence. A hit is close if the weighted sum is
// at least minEvidence. "go run ./test/relevance -fit" printed them on 28 November 2026. It fits a
// logistic regression to the questions for tuning.
var evidenceWeights = [...]float64{scoreEvidence: 2.074, absentTopic: -3.151, uncoveredTopic: -2.024, coveredTopic: -1.217, coveredWord: 1.565}

// minEvidence is the sum below which a hit is not close. It is lower than the sum that the fit prints
// for 2 % of the answerable questions for tuning, because the share is higher for questions about
// packages that the weights are not fitted to.
const minEvidence = -0.6

// Looked is the number of hits that Close examines.
const Looked = 5

// Close reports whether one of the best hits of a query is a close match. If not, the package
// probably contains nothing that matches, and the hits only share some words with the query.
func Close(hits []Hit) bool {
	for i := range hits[:min(len(hits), Looked)] {
		h := &hits[i]
		if h.index == nil || h.IsWhole() {
			return true
		}
		var sum float64
		for k, e := range h.Evidence() {
			sum += evidenceWeights[k] * e
		}
		if sum >= minEvidence {
			return true
		}
	}
	return false
}

// IsWhole reports whether the query is a single word. Every match of it is close.
func (h *Hit) IsWhole() bool {
	words := 0
	for i := range h.query.terms {
		if !h.query.terms[i].meaning {
			words++
		}
	}
	return words == 1
}

// Evidence returns the evidence that the hit answers its query.
func (h *Hit) Evidence() Evidence {
	x, q := h.index, h.query
	v := x.vocabulary()
	b := freeBuffers.Get().(*buffers)
	defer freeBuffers.Put(b)
	named := h.named(v, &b.terms)
	e := Evidence{scoreEvidence: math.Log(minScore + h.relevance)}
	for i := range q.terms {
		t := &q.terms[i]
		if t.meaning {
			continue
		}
		inDoc := h.documented(v, t)
		covered := max(named[i], min(1, fullyCovered*inDoc))
		specific, topic := specificity(t), topicality(t)
		e[coveredWord] = max(e[coveredWord], specific*covered)
		e[coveredTopic] = max(e[coveredTopic], topic*covered)
		e[uncoveredTopic] = max(e[uncoveredTopic], topic*(1-covered))
		if t.id < 0 && named[i] == 0 {
			e[absentTopic] = max(e[absentTopic], topic)
		}
	}
	return e
}

const (
	minScore     = 0.01 // added to a score before its logarithm is computed
	fullyCovered = 1.4  // factor for the weight of a word in an entry that fully covers it with a lower weight
	inWord       = 0.7  // coverage of a term that matches a part of the name
	byParent     = 0.6  // coverage of a term that matches the name of the parent
)

// named returns how well the names of the entry and its parent cover each term, from 0 to 1.
func (h *Hit) named(v *vocabulary, m *matcher) (covered [maxTerms]float64) {
	x, q := h.index, h.query
	m.prepare(q, v)
	i, span := int(h.entry), &x.spans[h.entry]
	name := x.name(i)
	var c, p cover
	var equal [maxTerms]float32
	c.words(x, v, m, name, v.wordsOf(h.entry), equal[:len(q.terms)])
	if x.entries[i].symbol != nil && span.isMember() {
		parent := &v.parents[v.parent[i]]
		p.words(x, v, m, parent.name, parent.words, equal[:len(q.terms)])
	}
	joined := q.joined != "" && strings.HasPrefix(name, q.joined)
	for k := range q.terms {
		t := &q.terms[k]
		if joined || c.used&(1<<k) != 0 {
			covered[k] = 1
			continue
		}
		if p.used&(1<<k) != 0 {
			covered[k] = byParent
		}
		if dot := strings.LastIndexByte(t.text, '.'); dot >= 0 {
			if x.matchPath(t.text, dot, i) > 0 {
				covered[k] = 1
			}
		} else if name != "" && !t.meaning {
			switch s := matchName(name, span.humps, t.text); {
			case s >= prefix:
				covered[k] = 1
			case s > 0 && endsWord(name, span.humps, t):
				covered[k] = max(covered[k], inWord)
			}
		}
	}
	return covered
}

// documented returns the weight of a term, of its synonyms or of the meaning of its phrase in the
// texts of the entry.
func (h *Hit) documented(v *vocabulary, t *term) float64 {
	weight := v.weight(t.id, h.entry)
	for _, o := range t.others {
		weight = max(weight, o.weight*v.weight(o.id, h.entry))
	}
	if t.explained {
		for i := range h.query.terms {
			if m := &h.query.terms[i]; m.meaning {
				for _, o := range m.others {
					weight = max(weight, o.weight*v.weight(o.id, h.entry))
				}
			}
		}
	}
	if len(t.parts) > 1 {
		least := float32(1)
		for _, part := range t.parts {
			least = min(least, v.weight(v.id(part), h.entry))
		}
		weight = max(weight, least)
	}
	return float64(weight)
}

//go:embed words.txt
var wordText string

// statistics are the shares of packages and the topicality of a word from words.txt.
type statistics struct{ share, topic float64 }

// wordStatistics returns the content of words.txt by stem. It is read during the first call.
var wordStatistics = sync.OnceValue(func() map[string]statistics {
	all := map[string]statistics{}
	for line := range strings.Lines(wordText) {
		fields := strings.Fields(line)
		if len(fields) != 3 || fields[0] == "#" {
			continue
		}
		share, _ := strconv.Atoi(fields[1])
		topic, _ := strconv.Atoi(fields[2])
		all[fields[0]] = statistics{float64(share) / 100, float64(topic) / 100}
	}
	return all
})

// LeastShare is the share of packages below which a word is specific. words.txt does not contain
// lower shares.
const LeastShare = 0.1

const (
	minSpecific = 0.1 // specificity of a word that every package contains
	ofVerb      = 0.5 // factor for the specificity of a verb
)

// specificity returns how much a term says about what the query asks for: little if all packages
// contain it, and much if few do.
func specificity(t *term) float64 {
	specific := 1.0
	if s := wordStatistics()[t.stem]; s.share > 0 && len(t.parts) == 0 {
		specific = minSpecific + (1-minSpecific)*math.Log(s.share)/math.Log(LeastShare)
	}
	if lightVerbs[t.text] || verbs[t.text] {
		specific *= ofVerb
	}
	return specific * float64(t.weight)
}

// topicality returns how likely a term is the topic of a package, from 0 to 1. Examples of topics are
// "pdf" and "kafka". They are in the names of many packages, but not in the documentation of most.
func topicality(t *term) float64 {
	if lightVerbs[t.text] || verbs[t.text] {
		return 0
	}
	return wordStatistics()[t.stem].topic
}

// relevance computes the scores of the hits of one query in a form that can be compared across
// queries.
type relevance struct {
	weight float64 // sum of the weights of all terms
	absent float64 // share of the terms that match nothing in the package
	usual  float64 // usual score of a hit that matches every term
}

// These are the usual scores of a hit that matches every term. The words of sentences are less
// specific than names.
const (
	usualNames    = 42
	usualSentence = 22
)

func (m *matches) relevanceOf(q *query) relevance {
	r := relevance{usual: usualNames}
	if q.sentence {
		r.usual = usualSentence
	}
	absent, words := 0, 0
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
		words++
	}
	if words > 0 {
		r.absent = float64(absent) / float64(words)
	}
	return r
}

// score returns the relevance of an entry. Terms that the entry does not contain reduce the effect of
// a high score, and terms that the whole package does not contain reduce it further.
func (r *relevance) score(m *matches, entry int32) float64 {
	lacking := r.absent
	if r.weight > 0 {
		lacking += 1 - min(float64(m.matched[entry])/r.weight, 1)
	}
	return float64(m.total[entry]) * math.Exp(-lacking) / r.usual
}
