package search

import "strings"

// introduced is the factor for the standing of a symbol that the README or the
// package's own documentation mentions in a code span.
const introduced = 1.1

// rankIntroduced raises the rank of symbols that the README or the package's documentation mentions
// in a code span. It ignores names that several symbols have.
func (x *Index) rankIntroduced() {
	if !x.hasProse() {
		return
	}
	byName := map[string]int32{}
	for i := range x.entries {
		s := x.entries[i].symbol
		if s == nil {
			continue
		}
		name := baseName(s)
		if _, ok := byName[name]; ok && name != s.Path {
			byName[name] = -1
		} else {
			byName[name] = int32(i)
		}
	}
	seen := map[int32]bool{}
	for i := range x.entries {
		s := x.entries[i].section
		if s == nil || s.ID != "doc" && !strings.HasPrefix(s.ID, "readme") {
			continue
		}
		for code := range codeIn(s.Body) {
			for name := range strings.FieldsFuncSeq(code, func(r rune) bool { return !isLetter(r) }) {
				if j, ok := byName[name]; ok && j >= 0 && !seen[j] {
					seen[j] = true
					x.entries[j].standing *= introduced
				}
			}
		}
	}
}
