package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
)

// Ways to match a name, best first, as scores for one term.
const (
	exactPath  = 140
	exactName  = 154
	prefix     = 75   // up to prefix+fullness
	humpPrefix = 20.6 // the same for a word within the name
	initials   = 50
	substring  = 40
	stemmed    = 38 // a name that begins with the term's stem
	parentName = 25 // a term that matches what the symbol belongs to
	slip       = 30
	fullness   = 14 // for matching much of the name rather than little
	wholeQuery = 60 // the terms put together are the name: "read all", ReadAll
)

// Weights beside those of names; those below 10 are factors.
const (
	wordsAlone     = 40    // words of the name and the documentation, where the query has one term
	wordsOfMany    = 90    // the same where it has several
	nameOfMany     = 0.5   // what is left of the score of a name where it has several
	nameOfSentence = 0.33  // the same where it is a sentence
	withinWord     = 0.45  // what is left of that if the term ends within a word of the name
	coverName      = 70    // the query has all words of the name
	coverTitle     = 0.3   // the part of that for the title of a section
	coverParent    = 30    // the query has all words of the parent's name
	adjacent       = 12    // two words of the query stand together in the name
	behind         = 0.75  // what goes into an operation or comes out of it
	constructs     = 1.25  // a constructor, if one is asked for
	lent           = 0.375 // the part of the score of a section for what it names
	joinedPrefix   = 0.6   // the part of wholeQuery for a name that goes on
	asWritten      = 2.25  // a name that the query writes letter by letter
	leastCoverage  = 0.25  // what is left of a score if hardly a term matches
	leastRarity    = 0.25  // the weight of a word that everything has
	ofMany         = 0.5   // how far a name that says part of a sentence counts as that part
	memberNamed    = 0.85  // what is left of the score of a name that is a member's, where the query has several terms
	asked          = 1.12  // an operation where the query begins with a verb
	answers        = 1.2   // what is true or false where the query asks for that
	sameName       = 0.75  // what is left of a score behind another of the same name
	otherForm      = 0.61  // for another form of a word
	inPlace        = 1.12  // for a synonym, times its weight
	leastWord      = 0.15  // the least weight of a word of a name
	fullMatch      = 20    // the score from which a term counts as matched
	unmatched      = 0.49  // the weight of a term that nothing matches
)

// reranked is how many of the best entries are looked at closely.
const reranked = 256

// spreadOver is how many of the best entries are compared by name.
const spreadOver = 64

// buffers are slices that one search uses and the next uses again.
type buffers struct {
	scores [3][]float32
	hits   []int32
}

var freeBuffers = sync.Pool{New: func() any { return new(buffers) }}

// next returns n zeros.
func (b *buffers) next(i, n int) []float32 {
	if cap(b.scores[i]) < n {
		b.scores[i] = make([]float32, n)
	}
	b.scores[i] = b.scores[i][:n]
	clear(b.scores[i])
	return b.scores[i]
}

// score gives every entry its score for the query. similar tells of which
// entries nothing but slips matches.
func (x *Index) score(q query, o Options, b *buffers) (total []float32, similar []bool) {
	n := len(x.entries)
	total = b.next(0, n)
	matched := b.next(1, n) // weight of the terms that match
	one := b.next(2, n)
	v := x.vocabulary()
	q.number(v)
	var all float32
	rarities := make([]float32, len(q.terms))
	hits := b.hits[:0] // the entries that one term matches
	for i := range q.terms {
		t := &q.terms[i]
		for _, j := range hits {
			one[j] = 0
		}
		hits = x.scoreTerm(v, &q, t, one, hits[:0])
		slipped := false
		if len(hits) == 0 && o.Fuzzy && !t.meaning {
			x.scoreSlips(*t, one)
			hits = nonzero(one, hits)
			slipped = true
		}
		if len(hits) == 0 {
			if !t.meaning {
				all += unmatched * t.weight
			}
			continue
		}
		r := o.rarity(x, *t, len(hits))
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
		for _, j := range hits {
			one[j] = 0
		}
		hits = x.scoreNames(term{text: q.joined, mask: maskOf(q.joined)}, one, true, hits[:0])
		for _, j := range hits {
			if s := one[j]; s >= prefix {
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
	for i, s := range total {
		if s > 0 {
			coverage := float32(1)
			if matched[i] < all {
				coverage = float32(math.Sqrt(float64(matched[i] / all)))
			}
			total[i] = s * ((leastCoverage + (1-leastCoverage)*coverage) * x.entries[i].standing)
		}
	}
	x.rerank(v, q, rarities, total)
	return total, similar
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
// entries that do to hits. All scores are 0 before.
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
				if e := &x.entries[i]; e.nameStart > e.pathStart {
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

// scoreParts scores the entries that have all words of a name that stands among other
// terms: the comment on carry says "harvest crate", its service is HarvestCratesService.
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
		for _, list := range lists[1:] {
			index, ok := slices.BinarySearchFunc(list, p.entry, func(p posting, entry int32) int { return int(p.entry - entry) })
			if !ok {
				continue next
			}
			weight = min(weight, list[index].weight)
		}
		if scores[p.entry] == 0 {
			hits = append(hits, p.entry)
		}
		scores[p.entry] = max(scores[p.entry], most*weight)
	}
	return hits
}

// rarity tells how much a term says that matches count entries of x.
func (o *Options) rarity(x *Index, t term, count int) float32 {
	n, matches := len(x.entries), len(x.vocabulary().postingsOf(t.stem))
	if matches == 0 {
		matches = count
	}
	for _, y := range o.Among {
		if y != x {
			n += len(y.entries)
			matches += len(y.vocabulary().postingsOf(t.stem))
		}
	}
	return rarity(matches, n)
}

// rerank looks closely at the names of the best entries.
func (x *Index) rerank(v *vocabulary, q query, rarities, total []float32) {
	best := x.best(total, reranked)
	if x.with(SectionLinks) {
		best = x.lend(v, best, total)
	}
	var most float32 // what the whole query says
	for i := range q.terms {
		if !q.terms[i].meaning {
			most += rarities[i]
		}
	}
	used := make([]uint32, len(best)) // terms in the name of each
	for n, i := range best {
		e := &x.entries[i]
		var c cover
		c.words(x, v, &q, x.name(e), v.wordsOf(i), rarities)
		used[n] = c.used
		bonus := float32(0)
		all := uint32(1)<<len(q.terms) - 1
		// member is true if both the parent and the member are named.
		member := x.with(Compounds) && q.compound() && c.used == all && c.part > 0.85
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
		if x.with(ParentCover) && e.symbol != nil && e.nameStart > e.pathStart {
			p := cover{used: c.used}
			parent := &v.parents[v.parent[i]]
			p.words(x, v, &q, parent.name, parent.words, rarities)
			bonus += coverParent * p.part * p.part * p.rarity * min(1, c.rarity)
			if p.used == all && c.part > 0.85 && (p.part > 0.85 || x.with(Compounds) && p.part > 0.5 && q.compound()) && p.used != c.used {
				bonus += wholeQuery
				member = true
			}
		}
		total[i] += bonus * e.standing
		if e.symbol != nil && len(q.written) > 0 && (slices.Contains(q.written, baseName(e.symbol)) || x.with(Spelling) && member) {
			total[i] *= asWritten
		}
		if x.with(Roles) && e.aside != "" && !slices.ContainsFunc(q.terms, func(t term) bool { return t.stem == e.aside }) {
			total[i] *= behind
		}
		if x.with(Verbs) && q.acts && q.sentence && e.operation {
			total[i] *= asked
		}
		if x.with(Verbs) && q.asks && e.predicate {
			total[i] *= answers
		}
		if x.with(Constructors) && q.makes && e.constructor {
			total[i] *= constructs
		}
	}
	if len(q.terms) > 1 && x.with(Attributes) {
		x.preferClasses(best, used, total)
	}
	if len(q.terms) > 1 && x.with(Spread) {
		x.spread(best, total)
	}
}

// spread moves entries behind better ones that have the same name, so that the
// members of many types that share a name leave room for others.
func (x *Index) spread(best []int32, total []float32) {
	slices.SortFunc(best, func(a, b int32) int { return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b)) })
	seen := map[string]int{}
	for _, i := range best[:min(len(best), spreadOver)] {
		name := x.name(&x.entries[i])
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

func highestOf(scores []float32) (highest float32) {
	for _, s := range scores {
		if s > highest {
			highest = s
		}
	}
	return highest
}

// best returns the numbers of the entries with the best scores, best first.
func (x *Index) best(total []float32, most int) []int32 {
	highest := highestOf(total)
	if highest == 0 {
		return nil
	}
	// Count scores in steps, to sort no more than is asked for.
	const steps = 1024
	var counts [steps + 1]int
	step := func(s float32) int { return int(s / highest * steps) }
	for _, s := range total {
		if s > 0 {
			counts[step(s)]++
		}
	}
	least, n := steps, counts[steps]
	for least > 0 && n < most {
		least--
		n += counts[least]
	}
	best := make([]int32, 0, n)
	for i, s := range total {
		if s > 0 && step(s) >= least {
			best = append(best, int32(i))
		}
	}
	if len(best) > 8*most {
		best = best[:8*most] // as good as each other
	}
	slices.SortFunc(best, func(a, b int32) int { return cmp.Or(cmp.Compare(total[b], total[a]), cmp.Compare(a, b)) })
	return best[:min(len(best), most)]
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

// cover tells how much of a name a query has.
type cover struct {
	used     uint32  // terms that are in the name
	part     float32 // of the name, by the rarity of its words
	rarity   float32 // sum of the rarities of these terms
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
				if end == 0 && x.with(Compounds) && len(t.parts) > 1 && rest[len(t.text)] == 's' { // its plural
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
		if found >= 0 {
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

// startsAt is the number of the word behind number n that begins at a byte of the name,
// len(words) if the name ends there, 0 if none does.
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
