package search

import (
	"iter"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// The comments on the fields of an input describe what its operation can do, such as "Leaves open
// what belongs to it". Their words also count for the operation.

const (
	// maxTakers is the maximum number of operations that take an input. The fields of a type that
	// more of them take do not distinguish these operations.
	maxTakers = 3
	// maxInputFields is the maximum number of fields of an input whose words count.
	maxInputFields = 64
)

// inputs returns the input types in the signature of each operation that few other operations
// mention, by the number of the operation's entry. The name of an input type contains the name of
// the operation. The fields of other types, such as options of several functions, describe more than
// one operation, and their words would find the wrong one.
func (x *Index) inputs() map[int32][]*apidoc.Symbol {
	types := map[string]*apidoc.Symbol{}
	add := func(all []apidoc.Symbol) {
		for i := range all {
			s := &all[i]
			if !s.IsType() || s.NumMembers() == 0 {
				continue
			}
			if _, ok := types[baseName(s)]; ok {
				s = nil // several types have the name
			}
			types[baseName(&all[i])] = s
		}
	}
	add(x.pkg.Symbols)
	add(x.pkg.Internal)
	takers := map[*apidoc.Symbol][]int32{}
	for i := range x.entries {
		s := x.entries[i].symbol
		if s == nil || !s.IsCallable() || len(types) == 0 {
			continue
		}
		for word := range strings.FieldsFuncSeq(s.Signature, func(r rune) bool { return !isLetter(r) }) {
			t := types[word]
			if t == nil || t.Path == s.ParentPath() || !strings.Contains(fold(word), x.name(i)) {
				continue
			}
			if all := takers[t]; len(all) <= maxTakers && (len(all) == 0 || all[len(all)-1] != int32(i)) {
				takers[t] = append(all, int32(i))
			}
		}
	}
	inputs := map[int32][]*apidoc.Symbol{}
	for t, all := range takers {
		if len(all) > maxTakers {
			continue
		}
		for _, i := range all {
			inputs[i] = append(inputs[i], t)
		}
	}
	return inputs
}

// inputFields returns an iterator over the fields of an input.
func inputFields(t *apidoc.Symbol) iter.Seq[*apidoc.Symbol] {
	return func(yield func(*apidoc.Symbol) bool) {
		members := t.AllMembers()
		for i := range members[:min(len(members), maxInputFields)] {
			if members[i].IsField() && !yield(&members[i]) {
				return
			}
		}
	}
}
