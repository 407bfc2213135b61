package search

import (
	"math"
	"slices"
	"strings"
	"sync"
)

// These are the scores of one term for each way to match a name.
const (
	exactPath  = 140
	exactName  = 154
	prefix     = 75   // a name that begins with the term; the score is up to prefix+fullness
	humpPrefix = 20.6 // like prefix, for a word within the name
	initials   = 50
	substring  = 40
	stemmed    = 38 // a name that begins with the term's stem
	parentName = 25 // a term that matches the name of the symbol's parent
	slip       = 30
	fullness   = 14 // added for the part of the name that is matched
	wholeQuery = 60 // the terms concatenated are the name: "read all", ReadAll
)

// These are further scores, and factors of scores.
const (
	wordsAlone     = 40    // words of the name and the documentation, if the query has one term
	wordsOfMany    = 90    // words of the name and the documentation, if the query has several terms
	nameOfMany     = 0.5   // factor for the score of a name if the query has several terms
	nameOfSentence = 0.33  // factor for the score of a name if the query is a sentence
	withinWord     = 0.45  // further factor if the term ends within a word of the name
	coverName      = 70    // the query has all words of the name
	coverTitle     = 0.3   // factor of coverName for the title of a section
	coverParent    = 30    // the query has all words of the parent's name
	adjacent       = 12    // two words of the query stand together in the name
	behind         = 0.75  // factor for the input and output types of operations
	constructs     = 1.25  // factor for a constructor if the query asks for one
	lent           = 0.375 // factor of a section's score that is added to the symbols it names
	joinedPrefix   = 0.6   // factor of wholeQuery for a name that is longer than the terms and begins with them
	wholeName      = 1.5   // factor for a name that is the query: "where in", whereIn
	asWritten      = 2.25  // factor for a name that the query spells exactly
	leastCoverage  = 0.25  // factor for an entry that matches hardly any term
	leastRarity    = 0.25  // the weight of a word that every entry has
	ofMany         = 0.5   // how much a name that covers part of a sentence counts for that part
	memberNamed    = 0.85  // factor for the name of a member, if the query has several terms
	asked          = 1.12  // factor for an operation if a sentence begins with a verb
	askedByName    = 1.06  // factor for an operation if a query made of names begins with a verb
	notGeneric     = 0.5   // factor for symbols without type parameters if the query asks for generic ones
	askedToFail    = 1.2   // factor for an error if the query asks for one
	answers        = 1.2   // factor for a predicate if the query asks whether something is so
	sameName       = 0.75  // factor for an entry behind a better one of the same name
	otherForm      = 0.61  // factor for another form of a word
	inPlace        = 1.12  // factor for a synonym, besides its weight
	leastWord      = 0.15  // the least weight of a word in a name
	fullMatch      = 20    // the score from which a term counts as matched
	leastMeaning   = 0.8   // the least rarity of the meaning of a phrase
	leastAbsent    = 0.45  // the least rarity of a word that only its synonyms stand for
	unmatched      = 0.49  // the weight of a term that matches nothing
)

// reranked is the number of best entries whose names are compared with the
// whole query.
const reranked = 256

// spreadOver is how many of the best entries are compared by name.
const spreadOver = 64

// buffers are slices that are reused from search to search. Scores are zero
// between searches, so that a search clears only the scores that it sets.
type buffers struct {
	scores [3][]float32
	hits   []int32
	found  []int32
	keys   []uint64
	used   []uint32
	seen   map[string]int // empty between searches
}

var freeBuffers = sync.Pool{New: func() any { return &buffers{seen: make(map[string]int, spreadOver)} }}

// next returns slice i of scores with n elements, which are all zero.
func (b *buffers) next(i, n int) []float32 {
	if cap(b.scores[i]) < n {
		b.scores[i] = make([]float32, n)
	}
	return b.scores[i][:n]
}

// reset zeroes the scores of the entries found, which are the only nonzero ones.
func (b *buffers) reset(found []int32) {
	for i := range b.scores {
		scores := b.scores[i][:cap(b.scores[i])]
		for _, j := range found {
			scores[j] = 0
		}
	}
}

// score gives every entry its score for the query and returns the matching
// entries in any order. similar reports whether an entry matches only with
// typing errors.
func (x *Index) score(q *query, o Options, b *buffers) (total []float32, similar []bool, found []int32) {
	n := len(x.entries)
	total = b.next(0, n)
	matched := b.next(1, n) // indexed by entry: the weight of the terms that match
	one := b.next(2, n)
	found = b.found[:0]
	v := x.vocabulary()
	q.number(v)
	var all float32
	rarities := make([]float32, len(q.terms))
	hits := b.hits[:0] // the entries that match one term
	for i := range q.terms {
		t := &q.terms[i]
		hits = x.scoreTerm(v, q, t, one, hits[:0])
		slipped := false
		if len(hits) == 0 && o.Fuzzy && !t.meaning && !t.explained {
			x.scoreSlips(*t, one)
			hits = nonzero(one, hits)
			slipped = true
		}
		if len(hits) == 0 {
			if !t.meaning {
				all += o.unmatchedWeight(t)
			}
			continue
		}
		r := o.rarity(x, *t, len(hits))
		if q.sentence && t.meaning && x.with(Phrases) {
			r = max(r, leastMeaning) // its words are common together, but it is what is asked for
		}
		if !t.meaning && len(v.postingsOf(t.stem)) == 0 {
			r = max(r, leastAbsent)
		}
		weight := t.weight
		if len(q.terms) > 1 {
			weight *= leastRarity + (1-leastRarity)*r
		}
		rarities[i] = weight
		all += weight
		if slipped && similar == nil {
			similar = make([]bool, n)
			for i := range similar {
				similar[i] = total[i] == 0
			}
		}
		for _, j := range hits {
			s := one[j]
			one[j] = 0
			if total[j] == 0 {
				found = append(found, j)
			}
			total[j] += s * weight
			if s < fullMatch {
				matched[j] += weight * (s / fullMatch)
			} else {
				matched[j] += weight
			}
			if !slipped && similar != nil {
				similar[j] = false
			}
		}
	}
	if q.joined != "" {
		hits = x.scoreNames(term{text: q.joined, mask: maskOf(q.joined)}, one, true, hits[:0])
		for _, j := range hits {
			s := one[j]
			one[j] = 0
			if s >= prefix {
				if total[j] == 0 {
					found = append(found, j)
				}
				if s < exactName {
					s *= joinedPrefix
				} else {
					total[j] = max(total[j], exactName)
				}
				total[j] += wholeQuery * s / exactName
				matched[j] = all
			}
		}
	}
	b.hits = hits
	all = max(all, 0.01)
	for _, i := range found {
		coverage := float32(1)
		if matched[i] < all {
			coverage = float32(math.Sqrt(float64(matched[i] / all)))
		}
		total[i] *= (leastCoverage + (1-leastCoverage)*coverage) * x.standings[i]
	}
	b.found = x.rerank(v, q, rarities, total, matched, found, b)
	return total, similar, b.found
}

// nonzero appends the numbers of the entries that have a score.
func nonzero(scores []float32, hits []int32) []int32 {
	for i, s := range scores {
		if s > 0 {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

// scoreTerm sets scores[i] to how well entry i matches the term, and appends the
// entries that match to hits. All scores are 0 before.
func (x *Index) scoreTerm(v *vocabulary, q *query, t *term, scores []float32, hits []int32) []int32 {
	alone := len(q.terms) == 1
	most := float32(wordsOfMany)
	if alone {
		most = wordsAlone
	}
	named := float32(nameOfMany)
	if q.sentence {
		named = nameOfSentence
	}
	if !t.meaning {
		hits = x.scoreNames(*t, scores, alone, hits)
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
			for _, p := range v.postings[t.id] {
				if scores[p.entry] == 0 {
					hits = append(hits, p.entry)
				}
				scores[p.entry] += most * p.weight
			}
		}
	}
	hits = x.scoreParts(v, t, most, scores, hits)
	for _, o := range t.others {
		if o.id < 0 {
			continue
		}
		weight := most * o.weight
		for _, p := range v.postings[o.id] {
			if scores[p.entry] == 0 {
				hits = append(hits, p.entry)
			}
			if s := weight * p.weight; s > scores[p.entry] {
				scores[p.entry] = s
			}
		}
	}
	return hits
}

// scoreParts scores the entries in which all words of a compound name in the query
// occur, even apart from each other: HarvestCrate matches a method whose comment says
// "harvest crate".
func (x *Index) scoreParts(v *vocabulary, t *term, most float32, scores []float32, hits []int32) []int32 {
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
		scores[p.entry] = max(scores[p.entry], most*weight)
	}
	return hits
}

// skipTo returns the postings from an entry on.
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

// rarity returns the weight of a term that matches count entries of x: the
// fewer entries match, the higher it is.
func (o *Options) rarity(x *Index, t term, count int) float32 {
	matches := len(x.vocabulary().postingsOf(t.stem))
	if matches > 0 {
		count = 0
	}
	if o.Among == nil {
		return rarity(matches+count, len(x.entries))
	}
	return rarity(o.Among.count(t.stem)+count, o.Among.entries)
}

// unmatchedWeight returns the weight of a term that nothing in the index matches: its
// weight in the other packages if one of them has it, or else a constant.
func (o *Options) unmatchedWeight(t *term) float32 {
	if o.Among != nil {
		if n := o.Among.count(t.stem); n > 0 {
			return t.weight * (leastRarity + (1-leastRarity)*rarity(n, o.Among.entries))
		}
	}
	return t.weight * unmatched
}

// rerank compares the names of the best of the entries found with the whole query, and
// adjusts their scores. It returns found with the entries that it adds.
func (x *Index) rerank(v *vocabulary, q *query, rarities, total, matched []float32, found []int32, b *buffers) []int32 {
	best := b.best(total, found, reranked)
	if x.with(SectionLinks) {
		n := len(best)
		best = x.lend(v, best, total)
		found = append(found, best[n:]...)
	}
	var most float32 // the weights of all terms together
	for i := range q.terms {
		if !q.terms[i].meaning {
			most += rarities[i]
		}
	}
	used := b.used[:0] // for each entry of best, the set of terms that its name contains
	all := uint32(1)<<len(q.terms) - 1
	compound := x.with(Compounds) && q.compound()
	generic := x.with(Generics) && len(q.terms) > 1 && q.hasStem(genericStem)
	for _, i := range best {
		e := &x.entries[i]
		var c cover
		c.words(x, v, q, x.name(int(i)), v.wordsOf(i), rarities)
		used = append(used, c.used)
		bonus := float32(0)
		// member is true if both the parent and the member are named.
		member := compound && c.used == all && c.part > 0.85
		if x.with(NameCover) {
			share := float32(1)
			if q.sentence && most > 0 {
				share = 1 - ofMany + ofMany*min(1, c.rarity/most)
			}
			bonus += coverName*c.part*c.part*c.rarity*share + adjacent*float32(c.adjacent)
			if e.symbol == nil {
				bonus *= coverTitle
			}
		}
		if x.with(ParentCover) && e.symbol != nil && x.spans[i].isMember() {
			p := cover{used: c.used}
			parent := &v.parents[v.parent[i]]
			p.words(x, v, q, parent.name, parent.words, rarities)
			bonus += coverParent * p.part * p.part * p.rarity * min(1, c.rarity)
			if p.used == all && c.part > 0.85 && (p.part > 0.85 || compound && p.part > 0.5) && p.used != c.used {
				bonus += wholeQuery
				member = true
			}
		}
		total[i] += bonus * e.standing
		if e.symbol != nil && !q.sentence && x.name(int(i)) == q.joined {
			total[i] *= wholeName
		}
		if e.symbol != nil && len(q.written) > 0 && (slices.Contains(q.written, baseName(e.symbol)) || x.with(Spelling) && member) {
			total[i] *= asWritten
		}
		if x.with(Roles) && e.aside != "" && !q.hasStem(e.aside) {
			total[i] *= behind
		}
		if generic && e.symbol != nil && !v.has(genericStem, i) {
			total[i] *= notGeneric
		}
		if x.with(Verbs) && q.acts && e.operation {
			if q.sentence {
				total[i] *= asked
			} else if len(q.terms) > 1 && !q.binds {
				total[i] *= askedByName
			}
		}
		if x.with(Verbs) && q.asks && e.predicate {
			total[i] *= answers
		}
		if x.with(Failures) && q.fails && e.failure {
			total[i] *= askedToFail
		}
		if x.with(Constructors) && q.makes && e.constructor {
			total[i] *= constructs
		}
	}
	if len(q.terms) > 1 && x.with(Attributes) {
		x.preferClasses(best, used, total)
	}
	if len(q.terms) > 1 && x.with(Members) {
		x.preferMembers(q, best, used, total, matched)
	}
	if len(q.terms) > 1 && x.with(Spread) {
		x.spread(best, total, b)
	}
	b.used = used
	return found
}

// spread lowers entries behind better ones of the same name, so that members
// that many types share do not crowd out other entries.
func (x *Index) spread(best []int32, total []float32, b *buffers) {
	b.sort(best, total)
	seen := b.seen
	defer clear(seen) // b would keep the names in memory
	for _, i := range best[:min(len(best), spreadOver)] {
		name := x.name(int(i))
		for range min(seen[name], 4) {
			total[i] *= sameName
		}
		seen[name]++
	}
}

func (x *Index) parentName(e *entry) string {
	path := e.symbol.Path
	path = strings.TrimRight(path[:strings.LastIndexAny(path, ".:#/")], ".:#/")
	return path[strings.LastIndexAny(path, ".:#/")+1:]
}

// best returns those of the entries found that have the best scores, best first.
func (b *buffers) best(total []float32, found []int32, most int) []int32 {
	var highest float32
	for _, i := range found {
		highest = max(highest, total[i])
	}
	if highest == 0 {
		return nil
	}
	best := make([]int32, 0, min(len(found), 2*most))
	if len(found) <= most {
		best = append(best, found...)
		b.sort(best, total)
		return best
	}
	// Count scores in steps, to sort no more than is asked for.
	const steps = 1024
	var counts [steps + 1]int
	step := func(s float32) int { return int(s / highest * steps) }
	for _, i := range found {
		counts[step(total[i])]++
	}
	least, n := steps, counts[steps]
	for least > 0 && n < most {
		least--
		n += counts[least]
	}
	for _, i := range found {
		if step(total[i]) >= least {
			best = append(best, i)
		}
	}
	if len(best) > 8*most { // too many entries have equally good scores
		slices.Sort(best)
		best = best[:8*most]
	}
	b.sort(best, total)
	return best[:min(len(best), most)]
}

// sort sorts entries by score, best first, and entries of equal score by number. It
// compares scores as bits, which have the same order because no score is negative.
func (b *buffers) sort(entries []int32, total []float32) {
	keys := b.keys[:0]
	for _, i := range entries {
		keys = append(keys, uint64(^math.Float32bits(total[i]))<<32|uint64(i))
	}
	slices.Sort(keys)
	for n, key := range keys {
		entries[n] = int32(key)
	}
	b.keys = keys
}

// lend gives the symbols that the best sections name in code a part of the
// sections' scores.
func (x *Index) lend(v *vocabulary, best []int32, total []float32) []int32 {
	var found []int32
	lentTo := map[int32]float32{}
	sections := 0
	for _, i := range best {
		if len(v.named[i]) == 0 {
			continue
		}
		if sections++; sections > 8 {
			break
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

// cover describes how much of a name the query contains.
type cover struct {
	used     uint32  // terms that are in the name
	part     float32 // the part of the name that the query has, weighted by the rarity of its words
	rarity   float32 // sum of the rarities of the used terms
	adjacent int
}

// words compares a query with the words of a name. A term may run over several of
// them.
func (c *cover) words(x *Index, v *vocabulary, q *query, name string, words []word, rarities []float32) {
	before := -1
	var all, covered float32
	taken := c.used
	for n := 0; n < len(words); {
		w := &words[n]
		if !q.mayHave(w.stem, name[w.start]) {
			all += v.weights[w.stem]
			before = -1
			n++
			continue
		}
		text, rest := name[w.start:endOf(words, n, name)], name[w.start:]
		next := n + 1
		found, how := -1, float32(0)
		for i := range q.terms {
			t := &q.terms[i]
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
			for k := range t.others {
				if o := &t.others[k]; o.id == w.stem {
					s = max(s, inPlace*o.weight)
				}
			}
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

// startsAt returns the number of the word after number n that begins at a byte of the
// name, len(words) if the name ends there, 0 if none does.
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
