package search

import (
	"math"
	"slices"
	"sync"
)

// buffers contains slices that are reused for every search. Scores are zero between searches, so a
// search must reset the scores that it sets.
type buffers struct {
	scores [3][]float32
	sets   [3][]uint64
	hits   []int32
	found  []int32
	top    []int32
	keys   []uint64
	ends   [steps + 1]int32
	used   []uint32
	terms  matcher
}

var freeBuffers = sync.Pool{New: func() any { return new(buffers) }}

// next returns slice i of scores with n elements, all of which are zero.
func (b *buffers) next(i, n int) []float32 {
	if cap(b.scores[i]) < n {
		b.scores[i] = make([]float32, n)
	}
	return b.scores[i][:n]
}

// set returns set number i with n words. The words have arbitrary values.
func (b *buffers) set(i, n int) []uint64 {
	if cap(b.sets[i]) < n {
		b.sets[i] = make([]uint64, n)
	}
	return b.sets[i][:n]
}

// reset sets the scores of the entries in found to zero. All other scores of the n entries are
// already zero.
func (b *buffers) reset(found []int32, n int) {
	for i := range b.scores {
		scores := b.next(i, n)
		if len(found) > n/8 {
			clear(scores)
			continue
		}
		for _, j := range found {
			scores[j] = 0
		}
	}
}

// addPostings adds the weights of postings, multiplied by factor, to scores. It appends the entries
// whose scores were 0 to hits, which must have capacity for them and one more. In the same way as
// matches.add, it does not branch on scores.
func addPostings(list []posting, factor float32, scores []float32, hits []int32) []int32 {
	k := len(hits)
	hits = hits[:cap(hits)]
	for _, p := range list {
		before := scores[p.entry]
		hits[k] = p.entry
		if before == 0 {
			k++
		}
		scores[p.entry] = before + factor*p.weight
	}
	return hits[:k]
}

// raiseToPostings is like addPostings, but does not add weights. It raises a score to the
// weight, multiplied by factor, if that is higher.
func raiseToPostings(list []posting, factor float32, scores []float32, hits []int32) []int32 {
	k := len(hits)
	hits = hits[:cap(hits)]
	for _, p := range list {
		before := scores[p.entry]
		hits[k] = p.entry
		if before == 0 {
			k++
		}
		scores[p.entry] = larger(before, factor*p.weight)
	}
	return hits[:k]
}

// add moves the scores of the entries that match one term to the scores for the query. It does not
// branch on scores, because such branches cannot be predicted.
func (m *matches) add(one []float32, weight float32, hits []int32) {
	k := len(m.found)
	found := m.found[:cap(m.found)]
	for _, j := range hits {
		s, before := one[j], m.total[j]
		one[j] = 0
		found[k] = j
		if before == 0 {
			k++
		}
		m.total[j] = before + s*weight
		m.matched[j] += weight * smaller(s/fullMatch, 1)
	}
	m.found = found[:k]
}

// larger and smaller return the larger and the smaller of two non-negative numbers. The bits of
// such numbers have the same order and can be compared faster.
func larger(a, b float32) float32 {
	return math.Float32frombits(max(math.Float32bits(a), math.Float32bits(b)))
}

func smaller(a, b float32) float32 {
	return math.Float32frombits(min(math.Float32bits(a), math.Float32bits(b)))
}

// highest returns the highest score of the given entries.
func highest(scores []float32, entries []int32) float32 {
	var maximum uint32 // bits of the highest score
	for _, i := range entries {
		maximum = max(maximum, math.Float32bits(scores[i]))
	}
	return math.Float32frombits(maximum)
}

// nonzero appends the numbers of the entries whose scores are not zero.
func nonzero(scores []float32, hits []int32) []int32 {
	for i, s := range scores {
		if s > 0 {
			hits = append(hits, int32(i))
		}
	}
	return hits
}

// steps is the number of steps into which best divides scores before it sorts them.
const steps = 1024

// best appends to entries up to maximum of the entries in found that have the best scores, best first.
// Entries with equal scores are ordered by number.
func (b *buffers) best(entries []int32, total []float32, found []int32, maximum int) []int32 {
	highest := highest(total, found)
	if highest == 0 {
		return entries
	}
	n := len(entries)
	if len(found) <= min(maximum, fewScores) {
		entries = append(entries, found...)
		b.sort(entries[n:], total)
		return entries
	}
	step := func(s float32) int { return int(s / highest * steps) }
	ends := &b.ends // indexed by step; initially the number of entries of the step
	clear(ends[:])
	for _, i := range found {
		ends[step(total[i])]++
	}
	minimum, count := steps, int(ends[steps])
	for minimum > 0 && count < maximum {
		minimum--
		count += int(ends[minimum])
	}
	if count > 8*maximum { // too many entries have similar scores
		for _, i := range found {
			if step(total[i]) >= minimum {
				entries = append(entries, i)
			}
		}
		slices.Sort(entries[n:])
		entries = entries[:n+8*maximum]
		b.sort(entries[n:], total)
		return entries[:n+maximum]
	}
	// Move each entry to the position at which its step begins. Then sort the few entries of each
	// step.
	start := int32(0)
	for s := steps; s >= minimum; s-- {
		ends[s], start = start, start+ends[s]
	}
	keys := slices.Grow(b.keys[:0], count)[:count]
	unlikely := (float32(minimum) - 0.5) / steps * highest // scores below it belong to a lower step, so no division is needed
	for _, i := range found {
		s := total[i]
		if s < unlikely {
			continue
		}
		if s := step(s); s >= minimum {
			keys[ends[s]] = sortKey(i, total)
			ends[s]++
		}
	}
	start = 0
	for s := steps; s >= minimum; s-- {
		if end := ends[s]; end-start > 1 {
			slices.Sort(keys[start:end])
		}
		start = ends[s]
	}
	for _, key := range keys[:min(maximum, count)] {
		entries = append(entries, int32(key))
	}
	b.keys = keys
	return entries
}

// fewScores is the maximum number of scores that are sorted without steps.
const fewScores = 48

// sortKey returns a number by which entries are sorted. They are sorted by score, best first, and
// then by number. Scores are compared as bits, which have the same order because scores are not
// negative.
func sortKey(i int32, total []float32) uint64 {
	return uint64(^math.Float32bits(total[i]))<<32 | uint64(i)
}

// sort sorts entries by sortKey.
func (b *buffers) sort(entries []int32, total []float32) {
	keys := b.keys[:0]
	for _, i := range entries {
		keys = append(keys, sortKey(i, total))
	}
	slices.Sort(keys)
	for n, key := range keys {
		entries[n] = int32(key)
	}
	b.keys = keys
}
