package search

import "math/bits"

const (
	// These are the limits for ranking a member before its type. The member gets the type's score
	// times beforeType. Its own score must be at least minMember times the type's score.
	beforeType, minMember = 1.02, 0.4
)

// preferMembers puts the best method of a type before the type. The query must contain the exact
// name of the type, but of no other symbol, and several further words, some of which are in the
// method's name. The method must match as much of the query as the type does. used contains, for
// each of the best entries, the terms in its name; matched contains, for each entry, the weight of
// the terms that it matches.
func (x *Index) preferMembers(q *query, best []int32, used []uint32, total, matched []float32) {
	if len(q.written) != 1 || len(q.terms) < 3 {
		return
	}
	types := map[string]int{} // index in best, by path
	for n, i := range best {
		s := x.entries[i].symbol
		if s != nil && s.NumMembers() > 0 && bits.OnesCount32(used[n]) == 1 && q.written[0] == baseName(s) {
			types[s.Path] = n
		}
	}
	if len(types) == 0 {
		return
	}
	members := map[int]int32{} // best method, by the index of its type in best
	for n, i := range best {
		e := &x.entries[i]
		if !e.operation {
			continue // fields are set when a value of the type is created
		}
		t, ok := types[e.symbol.ParentPath()]
		if !ok || used[n]&^used[t] == 0 || matched[i] < matched[best[t]] {
			continue
		}
		if before, ok := members[t]; !ok || total[i] > total[before] || total[i] == total[before] && i < before {
			members[t] = i
		}
	}
	for t, member := range members {
		if score := total[best[t]]; total[member] >= minMember*score {
			total[member] = max(total[member], beforeType*score)
		}
	}
}
