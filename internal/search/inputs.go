package search

import (
	"iter"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// The comments on the fields of an input describe what its operation can do, such as "Leaves open
// what belongs to it". The comment on the type that an operation is named after, such as "The gate that
// keeps water back", describes what it works on. Their words also count for the operation.

const (
	// maxTakers is the maximum number of operations that take an input. The fields of a type that
	// more of them take do not distinguish these operations.
	maxTakers = 3
	// maxInputFields is the maximum number of fields of an input whose words count.
	maxInputFields = 64
)

// operands contains the types in the signature of an operation whose documentation also describes
// the operation.
type operands struct {
	// inputs are types that few other operations mention. The name of an input type contains the name
	// of the operation. The fields of other types, such as options of several functions, describe more
	// than one operation, and their words would find the wrong one.
	inputs []*apidoc.Symbol
	// subject is the type after which the operation, or the type that declares it, is named, such as
	// SluiceGate for WaitUntilSluiceGateIsShut. It is nil if there is none.
	subject *apidoc.Symbol
}

// operands returns the operands of each operation that has some, by the number of its entry.
func (x *Index) operands() map[int32]*operands {
	types := x.typesByName()
	found := map[int32]*operands{}
	if len(types) == 0 {
		return found
	}
	operandsOf := func(entry int32) *operands {
		if found[entry] == nil {
			found[entry] = &operands{}
		}
		return found[entry]
	}
	takers := map[*apidoc.Symbol][]int32{}
	for n := range x.entries {
		s, i := x.entries[n].symbol, int32(n)
		if s == nil || !s.IsCallable() {
			continue
		}
		name, parent, longest := x.name(n), "", 0
		if x.spans[n].isMember() {
			parent = fold(x.parentName(&x.entries[n]))
		}
		for word := range strings.FieldsFuncSeq(s.Signature, func(r rune) bool { return !isLetter(r) }) {
			t := types[word]
			if t == nil || t.Path == s.ParentPath() {
				continue
			}
			folded := fold(word)
			if t.NumMembers() > 0 && strings.Contains(folded, name) {
				if all := takers[t]; len(all) <= maxTakers && (len(all) == 0 || all[len(all)-1] != i) {
					takers[t] = append(all, i)
				}
			}
			if t.Doc != "" && len(folded) > longest && folded != name && (strings.Contains(name, folded) || strings.HasPrefix(parent, folded)) {
				longest = len(folded)
				operandsOf(i).subject = t
			}
		}
	}
	for t, all := range takers {
		if len(all) > maxTakers {
			continue
		}
		for _, i := range all {
			o := operandsOf(i)
			o.inputs = append(o.inputs, t)
		}
	}
	return found
}

// typesByName returns the types of the package, and those of others that its signatures mention. A
// name that several types have is not contained, or maps to nil.
func (x *Index) typesByName() map[string]*apidoc.Symbol {
	types := map[string]*apidoc.Symbol{}
	for _, list := range [...][]apidoc.Symbol{x.pkg.Symbols, x.pkg.Internal} {
		for i := range list {
			s := &list[i]
			if !s.IsType() || s.NumMembers() == 0 && s.Doc == "" {
				continue
			}
			if _, ok := types[baseName(s)]; ok {
				s = nil
			}
			types[baseName(&list[i])] = s
		}
	}
	return types
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
