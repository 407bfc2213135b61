package search

import (
	"math/bits"
	"strings"
)

// matcher finds the terms of a query that may match a word.
type matcher struct {
	terms []term
	begin [256]uint32   // set of the terms that begin with a byte
	rows  []uint16      // by ID of a stem: 1 + its index in stems, or 0 if it belongs to no term
	stems []matchedStem // stems of the terms and of their synonyms
}

// matchedStem is a stem that matches terms.
type matchedStem struct {
	id      int32
	terms   uint32            // set of terms that the stem matches
	weights [maxTerms]float32 // weight of the stem as a synonym of each term
}

// prepare sets up m for a query whose stems have the IDs of v.
func (m *matcher) prepare(q *query, v *vocabulary) {
	for i := range m.stems {
		m.rows[m.stems[i].id] = 0
	}
	clear(m.begin[:])
	m.terms, m.stems = q.terms, m.stems[:0]
	if len(m.rows) < len(v.stems) {
		m.rows = make([]uint16, len(v.stems))
	}
	for i := range q.terms {
		t := &q.terms[i]
		if !t.meaning {
			m.begin[t.text[0]] |= 1 << i
			m.add(t.id, i, 0)
		}
		for _, o := range t.others {
			m.add(o.id, i, inPlace*o.weight)
		}
	}
}

// add adds a stem that term i matches. It ignores an ID below 0, which belongs to no word.
func (m *matcher) add(id int32, i int, weight float32) {
	if id < 0 {
		return
	}
	if m.rows[id] == 0 {
		m.stems = append(m.stems, matchedStem{id: id})
		m.rows[id] = uint16(len(m.stems))
	}
	s := &m.stems[m.rows[id]-1]
	s.terms |= 1 << i
	s.weights[i] = max(s.weights[i], weight)
}

// noStem has no terms.
var noStem matchedStem

// find returns the set of terms that may match a word according to its stem or its first byte. It
// also returns the entry of the stem, or noStem.
func (m *matcher) find(stem int32, first byte) (set uint32, s *matchedStem) {
	s = &noStem
	if row := m.rows[stem]; row > 0 {
		s = &m.stems[row-1]
	}
	return m.begin[first] | s.terms, s
}

// cover describes how much of a name the query contains.
type cover struct {
	used     uint32  // terms that are in the name
	part     float32 // share of the name that the query contains, weighted by the rarity of its words
	rarity   float32 // sum of the rarities of the terms in used
	adjacent int
}

// words compares the terms of a query with the words of a name. A term may match several words.
func (c *cover) words(x *Index, v *vocabulary, m *matcher, name string, words []word, rarities []float32) {
	before := -1
	var all, covered float32
	taken := c.used
	for n := 0; n < len(words); {
		w := &words[n]
		set, stem := m.find(w.stem, name[w.start])
		if set == 0 {
			all += v.weights[w.stem]
			before = -1
			n++
			continue
		}
		text, rest := name[w.start:endOf(words, n, name)], name[w.start:]
		next := n + 1
		found, how := -1, float32(0)
		for ; set != 0; set &= set - 1 {
			i := bits.TrailingZeros32(set)
			t := &m.terms[i]
			var s float32
			switch {
			case t.meaning:
			case t.text == text:
				s = 1
			case t.id == w.stem:
				s = otherForm
			case len(t.text) > len(text) && strings.HasPrefix(rest, t.text):
				end := startsAt(words, n, name, int(w.start)+len(t.text))
				if end == 0 && x.with(Compounds) && len(t.parts) > 1 && rest[len(t.text)] == 's' { // the name is the plural of the term
					end = startsAt(words, n, name, int(w.start)+len(t.text)+1)
				}
				if end > 0 {
					s = 1
					next, text = end, t.text
				}
			}
			s = max(s, stem.weights[i])
			if s > how && taken&(1<<i) == 0 {
				found, how = i, s
			}
		}
		all += v.weights[w.stem]
		if found >= 0 && found < len(rarities) {
			covered += v.weights[w.stem] * how
			c.used |= 1 << found
			c.rarity += rarities[found] * how
			if before >= 0 && found == before+1 {
				c.adjacent++
			}
		}
		before = found
		n = next
	}
	if all > 0 {
		c.part = covered / all
	}
}

// startsAt returns the index of the word after word n that begins at a byte of the name. It returns
// len(words) if the name ends there, and 0 if no word begins there.
func startsAt(words []word, n int, name string, pos int) int {
	for n++; n < len(words); n++ {
		if int(words[n].start) == pos {
			return n
		}
	}
	if len(name) == pos {
		return len(words)
	}
	return 0
}
