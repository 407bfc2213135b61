package search

import (
	"slices"
	"strings"
)

// reranked is the number of the best entries whose names are compared with the whole query.
const reranked = 256

// spreadOver is the number of the best entries whose names are compared with each other.
const spreadOver = 64

// rerank compares the names of the best matches with the whole query and adjusts their scores. It
// returns the found entries, including those that it adds.
func (x *Index) rerank(v *vocabulary, q *query, all matches, b *buffers) []int32 {
	rarities, total, found := all.rarities, all.total, all.found
	best := b.best(b.top[:0], total, found, reranked)
	if x.with(SectionLinks) && len(v.named) > 0 {
		n := len(best)
		best = x.lend(v, best, total)
		found = append(found, best[n:]...)
	}
	var maximum float32 // sum of the weights of all terms
	for i := range q.terms {
		if !q.terms[i].meaning {
			maximum += rarities[i]
		}
	}
	used := b.used[:0] // for each entry of best, the set of terms in its name
	every := uint32(1)<<len(q.terms) - 1
	compound := x.with(Compounds) && q.compound()
	requirements := x.requirements(q)
	m := &b.terms
	m.prepare(q, v)
	for _, i := range best {
		e := &x.entries[i]
		var c cover
		c.words(x, v, m, x.name(int(i)), v.wordsOf(i), rarities)
		used = append(used, c.used)
		bonus := float32(0)
		// member is true if the query contains the names of both the parent and the member.
		member := compound && c.used == every && c.part > 0.85
		if x.with(NameCover) {
			share := float32(1)
			if q.sentence && maximum > 0 {
				share = 1 - ofMany + ofMany*min(1, c.rarity/maximum)
			}
			bonus += coverName*c.part*c.part*c.rarity*share + adjacent*float32(c.adjacent)
			if e.symbol == nil {
				bonus *= coverTitle
			}
			for _, r := range q.relations {
				if containsWords(x.name(int(i)), x.spans[i].humps, r) {
					bonus += relation
					break
				}
			}
		}
		if x.with(ParentCover) && c.used != 0 && e.symbol != nil && x.spans[i].isMember() {
			p := cover{used: c.used}
			parent := &v.parents[v.parent[i]]
			p.words(x, v, m, parent.name, parent.words, rarities)
			bonus += coverParent * p.part * p.part * p.rarity * min(1, c.rarity)
			if p.used == every && c.part > 0.85 && (p.part > 0.85 || compound && p.part > 0.5) && p.used != c.used {
				bonus += wholeQuery
				member = true
			}
		}
		total[i] += bonus * e.standing
		if e.symbol != nil && !q.sentence && x.name(int(i)) == q.joined {
			total[i] *= wholeName
		}
		if e.symbol != nil && len(q.written) > 0 && (q.writes(e.symbol) || x.with(Spelling) && member) {
			total[i] *= asWritten
		}
		if x.with(Roles) && e.aside != "" && !q.hasStem(e.aside) {
			total[i] *= behind
		}
		for _, stem := range requirements {
			if e.symbol != nil && !v.has(stem, i) {
				total[i] *= withoutRequirement
			}
		}
		if x.with(Verbs) && q.acts && e.operation {
			if q.sentence {
				total[i] *= requests
			} else if len(q.terms) > 1 && !q.binds {
				total[i] *= operationVerb
			}
		}
		if x.with(Verbs) && q.asks && e.symbol != nil && x.isPredicate(e.symbol) {
			total[i] *= answers
		}
		if x.with(Guides) && len(q.terms) > 1 && slices.ContainsFunc(e.guide, q.hasStem) {
			total[i] *= ofGuide
		}
		if x.with(Failures) && q.fails && e.failure {
			total[i] *= errorQuery
		}
		if x.with(Constructors) && q.makes && e.constructor {
			total[i] *= constructs
		}
	}
	if len(q.terms) > 1 && x.with(Attributes) {
		x.preferClasses(best, used, total)
	}
	if len(q.terms) > 1 && x.with(Members) {
		x.preferMembers(q, best, used, total, all.matched)
	}
	if len(q.terms) > 1 && x.with(Spread) {
		x.spread(best, total, b)
	}
	b.used, b.top = used, best
	return found
}

// containsWords reports whether a name contains text that begins and ends with words of the name.
func containsWords(name string, humps uint64, text string) bool {
	start := strings.Index(name, text)
	if start < 0 || start >= 64 || humps&(1<<start) == 0 {
		return false
	}
	end := start + len(text)
	return end >= min(len(name), 64) || humps&(1<<end) != 0
}

// requirements returns the stems of the query that a symbol should have even if it matches all other
// terms: those for generic declarations and for attributes of derived implementations.
func (x *Index) requirements(q *query) []string {
	var stems []string
	for _, stem := range [...]string{genericStem, "deriv"} {
		if len(q.terms) > 1 && x.with(Generics) && q.hasStem(stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

// spread lowers the rank of entries that come after better ones with the same name, so that members
// that many types share leave room for other entries.
func (x *Index) spread(best []int32, total []float32, b *buffers) {
	var entries [spreadOver]int32
	var names [spreadOver]string
	var last [128]uint8          // 1 + the index of the last name with a given hash
	var before [spreadOver]uint8 // for each name, 1 + the index of the previous name with the same hash
	for n, i := range b.best(entries[:0], total, best, spreadOver) {
		name := x.name(int(i))
		hash := len(name)
		if name != "" {
			hash += 5*int(name[0]) + 31*int(name[len(name)-1])
		}
		hash %= len(last)
		same := 0
		for k := last[hash]; k > 0; k = before[k-1] {
			if names[k-1] == name {
				same++
			}
		}
		names[n], before[n], last[hash] = name, last[hash], uint8(n+1)
		for range min(same, 4) {
			total[i] *= sameName
		}
	}
}

func (x *Index) parentName(e *entry) string {
	path := e.symbol.Path
	path = strings.TrimRight(path[:strings.LastIndexAny(path, ".:#/")], ".:#/")
	return path[strings.LastIndexAny(path, ".:#/")+1:]
}

// lend adds a part of the scores of the best sections to the symbols that these sections mention in
// code.
func (x *Index) lend(v *vocabulary, best []int32, total []float32) []int32 {
	var found []int32
	var lentTo map[int32]float32
	sections := 0
	for _, i := range best {
		if x.entries[i].section == nil || len(v.named[i]) == 0 {
			continue
		}
		if sections++; sections > 8 {
			break
		}
		if lentTo == nil {
			lentTo = map[int32]float32{}
		}
		for _, j := range v.named[i] {
			if _, ok := lentTo[j]; !ok {
				found = append(found, j)
			}
			lentTo[j] = max(lentTo[j], total[i]*lent)
		}
	}
	for _, j := range found {
		if total[j] == 0 {
			best = append(best, j)
		}
		total[j] += lentTo[j] * x.entries[j].standing
	}
	return best
}
