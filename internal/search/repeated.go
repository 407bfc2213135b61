package search

import (
	"slices"

	"github.com/docent-mcp/docent/internal/markup"
)

// A field that at least minRepeated types share is found only once. If at least manyRepeated
// types share it, it is not specific to any of these types.
const minRepeated, manyRepeated = 4, 12

// ofEveryType is the factor for the score of fields that manyRepeated types share.
const ofEveryType = 0.8

// findRepeated assigns a number to all fields that have the same name, declaration and first
// sentence in several types. An example is the ID of each kind of resource.
func (x *Index) findRepeated() {
	type field struct{ name, signature, synopsis string }
	groups := map[field][]int32{}
	for i := range x.entries {
		if s := x.entries[i].symbol; s != nil && s.IsField() {
			key := field{baseName(s), s.Signature, markup.Synopsis(s.Doc)}
			groups[key] = append(groups[key], int32(i))
		}
	}
	for _, group := range groups {
		if len(group) < minRepeated {
			continue
		}
		for _, i := range group {
			e := &x.entries[i]
			e.repeated = group[0] + 1
			if len(group) >= manyRepeated {
				e.standing *= ofEveryType
			}
		}
	}
}

// withoutRepeated finds the entries of each field that several types share, and sets the scores of
// all except the best one to 0. It returns the others by the number of the best entry, best first.
func (x *Index) withoutRepeated(found []int32, scores []float32, minimum float32, better func(a, b int32) int) map[int32][]int32 {
	if !x.repeats {
		return nil
	}
	var groups map[int32][]int32
	for _, i := range found {
		if group := x.entries[i].repeated; group > 0 && scores[i] > minimum {
			if groups == nil {
				groups = map[int32][]int32{}
			}
			groups[group] = append(groups[group], i)
		}
	}
	others := make(map[int32][]int32, len(groups))
	for _, group := range groups {
		slices.SortFunc(group, better)
		others[group[0]] = group[1:]
		for _, i := range group[1:] {
			scores[i] = 0
		}
	}
	return others
}
