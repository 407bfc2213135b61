package search

import "math/bits"

const (
	// beforeType is the factor for the score of a member over that of its type, and
	// leastMember the part of that score that the member has at least by itself.
	beforeType, leastMember = 1.02, 0.4
)

// preferMembers puts the best method of a type before the type if the query names the
// type and no other letter by letter and has several words besides, some of them in the
// member's name, if it matches as much of the query as the type does. used are the terms in the
// name of each of the best entries, matched the weights of the terms that entries match.
func (x *Index) preferMembers(q *query, best []int32, used []uint32, total, matched []float32) {
	if len(q.written) != 1 || len(q.terms) < 3 {
		return
	}
	types := map[string]int{} // place in best, by path
	for n, i := range best {
		s := x.entries[i].symbol
		if s != nil && s.NumMembers() > 0 && bits.OnesCount32(used[n]) == 1 && q.written[0] == baseName(s) {
			types[s.Path] = n
		}
	}
	if len(types) == 0 {
		return
	}
	members := map[int]int32{} // the best method, by place of the type
	for n, i := range best {
		e := &x.entries[i]
		if !e.operation {
			continue // a field is set where a value of the type is made
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
		if score := total[best[t]]; total[member] >= leastMember*score {
			total[member] = max(total[member], beforeType*score)
		}
	}
}
