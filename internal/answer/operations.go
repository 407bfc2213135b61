package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
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
	for _, s := range r.namedFor()[strings.ToLower(t.Name())] {
		if s.ParentPath() != t.Path && s.Of != t.Path {
			found = appendNew(found, s)
		}
	}
	return found
}

// maxNamedWords is the maximum number of words of a name that are compared with the names of types.
const maxNamedWords = 12

// readNamedFor returns the operations whose names contain the name of a type, by the type's name in
// lower case.
func (r *Renderer) readNamedFor() map[string][]*apidoc.Symbol {
	types := map[string]bool{}
	for _, s := range r.symbols() {
		if s.IsType() && s.ParentPath() == "" {
			types[strings.ToLower(s.Name())] = true
		}
	}
	found := map[string][]*apidoc.Symbol{}
	for _, s := range r.symbols() {
		if !s.IsCallable() || s.Deprecated != "" {
			continue
		}
		words := slices.Collect(wordsOf(baseName(s)))
		words = words[:min(len(words), maxNamedWords)]
		if name := longestOf(types, words); name != "" && len(words) > 1 {
			found[name] = append(found[name], s)
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
