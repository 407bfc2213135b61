package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// A paragraph that many siblings repeat says nothing of any of them.

const (
	// leastRepeated is how many comments repeat a paragraph that is boilerplate.
	leastRepeated = 4
	// leastSymbols is how many symbols a package has at least that is looked
	// through for boilerplate.
	leastSymbols = 60
	// leastBoilerplate is how many bytes such a paragraph has at least.
	leastBoilerplate = 60
)

// findBoilerplate returns the paragraphs that the comments on at least
// leastRepeated symbols of different names repeat.
func findBoilerplate(symbols []*apidoc.Symbol) map[string]bool {
	names := map[string][]string{} // by paragraph, as many as have to be counted
	for _, s := range symbols {
		if len(s.Doc) < leastBoilerplate || len(s.Doc) > maxRepetitive {
			continue
		}
		for part := range strings.SplitSeq(s.Doc, "\n\n") {
			if len(part) >= leastBoilerplate && !strings.HasPrefix(part, "**") && !strings.HasPrefix(part, "- ") {
				if found := names[part]; len(found) < leastRepeated && !slices.Contains(found, s.Name()) {
					names[part] = append(found, s.Name())
				}
			}
		}
	}
	found := map[string]bool{}
	for part, n := range names {
		if len(n) >= leastRepeated {
			found[part] = true
		}
	}
	return found
}

// telling returns a comment without boilerplate and without marks that frame
// nothing any more.
func (r *Renderer) telling(doc string) string {
	boilerplate := r.boilerplate()
	if len(boilerplate) == 0 || len(doc) < leastBoilerplate {
		return doc
	}
	parts := strings.Split(doc, "\n\n")
	if !slices.ContainsFunc(parts, func(part string) bool { return boilerplate[part] }) {
		return doc
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return boilerplate[part] })
	if len(parts) == 0 {
		return doc // there is nothing else to tell
	}
	for i := 0; i+1 < len(parts); {
		name, ok := strings.CutPrefix(parts[i], "<")
		if ok && parts[i+1] == "</"+name {
			parts = slices.Delete(parts, i, i+2)
			i = max(0, i-1)
			continue
		}
		i++
	}
	return strings.Join(parts, "\n\n")
}
