package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// Many packages declare the operations on a type separately, as methods of a service or as
// functions with the type in their names. A search that finds the type also lists their names.

// operationsOn returns the functions and methods that take or return a type, and those that are
// named after it and not after a type with a longer name. For example, AmendGate is named after
// Gate, but AmendGateLight is not if there is a type GateLight.
func (r *Renderer) operationsOn(t *apidoc.Symbol) []*apidoc.Symbol {
	makers, takers := r.users(t)
	if len(takers) > commonUses {
		takers = nil
	}
	found := append(slices.Clone(makers), takers...)
	if len(makers) > commonUses {
		return nil // if so many operations return a type, they are not specific to it
	}
	for _, s := range r.namedFor().byType[strings.ToLower(t.Name())] {
		if s.ParentPath() != t.Path && s.Of != t.Path {
			found = appendNew(found, s)
		}
	}
	return found
}

// maxNamedWords is the maximum number of words of a name that are compared with the names of types.
const maxNamedWords = 12

// operationsByName contains the operations whose names contain the name of a type, by the type's name
// in lower case, and the name of the type in lower case by operation.
type operationsByName struct {
	byType map[string][]*apidoc.Symbol
	types  map[*apidoc.Symbol]string
}

// readNamedFor finds the types in the names of operations.
func (r *Renderer) readNamedFor() operationsByName {
	types := map[string]bool{}
	for _, s := range r.symbols() {
		if s.IsType() && s.ParentPath() == "" {
			types[strings.ToLower(s.Name())] = true
		}
	}
	for i := range r.pkg.Internal { // such as the types that only another module exports
		if s := &r.pkg.Internal[i]; s.IsType() {
			types[strings.ToLower(s.Name())] = true
		}
	}
	found := operationsByName{map[string][]*apidoc.Symbol{}, map[*apidoc.Symbol]string{}}
	for _, s := range r.symbols() {
		if !s.IsCallable() || s.Deprecated != "" {
			continue
		}
		words := slices.Collect(wordsOf(baseName(s)))
		words = words[:min(len(words), maxNamedWords)]
		if name := longestOf(types, words); name != "" && len(words) > 1 {
			found.byType[name] = append(found.byType[name], s)
			found.types[s] = name
		}
	}
	return found
}

// longestOf returns the longest of the given names that occurs in a sequence of words, in the
// singular or the plural. It returns "" if none occurs.
func longestOf(names map[string]bool, words []string) string {
	longest := ""
	for from := range words {
		name := ""
		for _, word := range words[from:] {
			for _, each := range []string{name + word, name + strings.TrimSuffix(word, "s")} {
				if len(each) > len(longest) && names[each] {
					longest = each
				}
			}
			name += word
		}
	}
	return longest
}

// operationNames lists the operations on a type, grouped by the type or package that declares them,
// such as "Services: open, close; Client: AmendGate". The list takes at most limit bytes.
func (r *Renderer) operationNames(t *apidoc.Symbol, limit int) string {
	var parents []string
	names := map[string][]string{}
	for _, s := range r.operationsOn(t) {
		parent := oneLine(s.ParentPath())
		if names[parent] == nil {
			parents = append(parents, parent)
		}
		names[parent] = appendNew(names[parent], withoutLabels(oneLine(s.Name())))
	}
	slices.SortStableFunc(parents, func(a, b string) int { return len(names[b]) - len(names[a]) })
	var parts []string
	length := 0
	for _, parent := range parents {
		part := nameSome(names[parent], limit-length-len(parent)-2)
		if parent != "" {
			part = parent + ": " + part
		}
		if length += len(part) + 2; length > limit {
			break
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

const (
	// minOperationsNamed is the minimum number of operations named after one type that are listed
	// together.
	minOperationsNamed = 3
	// maxOfService is the maximum number of methods of a type that are listed together. A type with
	// more methods serves several purposes.
	maxOfService = 24
)

// siblingOperations returns the operations that belong together with an operation, including it:
// those that are named after the same type, or else the methods of a type that has few methods. For a
// type, it returns the operations on it.
func (r *Renderer) siblingOperations(s *apidoc.Symbol) (all []*apidoc.Symbol) {
	if s.IsType() {
		return r.operationsOn(s)
	}
	if !s.IsCallable() || s.Role() == apidoc.ConstructorRole {
		return nil
	}
	named := r.namedFor()
	for _, other := range named.byType[named.types[s]] {
		if other.ParentPath() == s.ParentPath() {
			all = append(all, other)
		}
	}
	if len(all) >= minOperationsNamed || s.ParentPath() == "" {
		return all
	}
	parent := r.byPath.get(s.ParentPath(), func() *apidoc.Symbol { return r.pkg.At(s.ParentPath()) })
	if parent == nil || parent.Form() == apidoc.ContractForm {
		return all
	}
	all = nil
	for i := range parent.Members {
		if m := &parent.Members[i]; m.IsCallable() && m.From == "" && m.Role() != apidoc.ConstructorRole {
			all = append(all, m)
		}
	}
	if len(all) > maxOfService {
		return nil
	}
	return all
}

// operationSet is a set of operations that belong together, some of which a search has found.
type operationSet struct {
	in    *Renderer
	first *apidoc.Symbol // the match that was found first
	all   []*apidoc.Symbol
	full  bool // whether the first match is shown in full, so that a type comes with the names of its operations
	lines int  // number of matches that are listed on a line
	// named is true if other matches are listed only by name.
	named bool
}

// setWith returns the first of sets that contains an operation, other than as its first match. It
// returns nil if there is none.
func setWith(sets []*operationSet, s *apidoc.Symbol) *operationSet {
	index := slices.IndexFunc(sets, func(set *operationSet) bool { return s != nil && set.first != s && slices.Contains(set.all, s) })
	if index < 0 {
		return nil
	}
	return sets[index]
}

// namesLine returns a line with the names of the operations that are not among cited, or "" if no
// matches are listed by name or the text on the type contains the names.
func (set *operationSet) namesLine(cited []*apidoc.Symbol) string {
	if !set.named || set.first.IsType() && set.full {
		return ""
	}
	var names []string
	for _, s := range set.all {
		if !slices.Contains(cited, s) {
			names = appendNew(names, withoutLabels(oneLine(s.Name())))
		}
	}
	before := "- also: "
	if parent := set.first.ParentPath(); set.first.IsType() {
		before = "- " + oneLine(naming.Called(set.in.pkg, set.first.Path)) + " is used by "
	} else if parent != "" {
		before = "- " + oneLine(naming.Called(set.in.pkg, parent)) + " also has "
	}
	return before + nameSome(names, maxOperations) + "\n"
}
