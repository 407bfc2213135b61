package answer

import (
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// Boilerplate is a paragraph that occurs in the comments of many symbols and therefore contains no
// information about a particular symbol.

const (
	// minRepeated is the minimum number of comments that must contain a paragraph for it to be
	// boilerplate.
	minRepeated = 4
	// minSymbols is the minimum number of symbols of a package that is searched for boilerplate.
	minSymbols = 60
	// minBoilerplate is the minimum length of boilerplate in bytes.
	minBoilerplate = 60
)

// findBoilerplate returns the paragraphs that occur in the comments of at least minRepeated
// symbols with different names.
func findBoilerplate(symbols []*apidoc.Symbol) map[string]bool {
	names := map[string][]string{} // at most minRepeated names of symbols for each paragraph
	for _, s := range symbols {
		if len(s.Doc) < minBoilerplate || len(s.Doc) > maxRepetitive {
			continue
		}
		for part := range strings.SplitSeq(s.Doc, "\n\n") {
			if len(part) >= minBoilerplate && !strings.HasPrefix(part, "**") && !strings.HasPrefix(part, "- ") {
				if found := names[part]; len(found) < minRepeated && !slices.Contains(found, s.Name()) {
					names[part] = append(found, s.Name())
				}
			}
		}
	}
	found := map[string]bool{}
	for part, n := range names {
		if len(n) >= minRepeated {
			found[part] = true
		}
	}
	return found
}

// telling returns a comment without boilerplate and without pairs of tags that enclose only
// boilerplate.
func (r *Renderer) telling(doc string) string {
	boilerplate := r.boilerplate()
	if len(boilerplate) == 0 || len(doc) < minBoilerplate {
		return doc
	}
	parts := strings.Split(doc, "\n\n")
	if !slices.ContainsFunc(parts, func(part string) bool { return boilerplate[part] }) {
		return doc
	}
	parts = slices.DeleteFunc(parts, func(part string) bool { return boilerplate[part] })
	if len(parts) == 0 {
		return doc // the comment consists only of boilerplate
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

// wordsOfAccess are the words of a comment on a method that sets or returns a field, besides the name of
// the field.
var wordsOfAccess = map[string]bool{
	"a": true, "an": true, "field": true, "get": true, "gets": true, "of": true, "property": true, "return": true, "returns": true,
	"set": true, "sets": true, "the": true, "this": true, "to": true, "value": true,
}

const (
	// maxAccess is the maximum length in bytes of such a comment.
	maxAccess = 60
	// valueCharacters are characters of values, ranges and operators, which such a comment does not contain.
	valueCharacters = "0123456789=<>[]{}|%+*/"
)

// repeatsName reports whether a comment says no more than the path of its symbol, such as "Sets the
// limit." on Options.limit.
func repeatsName(doc, path string) bool {
	if doc == "" || len(doc) > maxAccess || strings.ContainsAny(doc, valueCharacters) {
		return false
	}
	names := map[string]bool{}
	for word := range wordsOf(path) {
		names[word] = true
	}
	repeats := false
	for word := range wordsOf(doc) {
		if !names[word] && !wordsOfAccess[word] {
			return false
		}
		repeats = repeats || names[word]
	}
	return repeats
}
