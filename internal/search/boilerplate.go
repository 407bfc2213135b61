package search

import (
	"slices"
	"strings"
)

const (
	// A paragraph is boilerplate, which says nothing about any one symbol, if the
	// comments on at least leastShared symbols of different names share it and it
	// has at least leastParagraph bytes.
	leastShared    = 4
	leastParagraph = 60
)

// boilerplate returns the paragraphs behind the first that the comments on several
// symbols share: "Requests are signed with the account of the client."
func (x *Index) boilerplate() map[string]bool {
	names := map[string][]string{} // symbol names by paragraph, at most as many as must be counted
	for i := range x.entries {
		s := x.entries[i].symbol
		if s == nil || s.From != "" {
			continue
		}
		_, rest, _ := strings.Cut(s.Doc, "\n\n")
		for part := range strings.SplitSeq(rest, "\n\n") {
			if found := names[part]; len(part) >= leastParagraph && len(found) < leastShared && !slices.Contains(found, s.Name()) {
				names[part] = append(found, s.Name())
			}
		}
	}
	shared := map[string]bool{}
	for part, found := range names {
		if len(found) == leastShared {
			shared[part] = true
		}
	}
	return shared
}

// withoutParagraphs returns a text without some of the paragraphs behind its
// first.
func withoutParagraphs(doc string, some map[string]bool) string {
	if len(some) == 0 || len(doc) < leastParagraph || !strings.Contains(doc, "\n\n") {
		return doc
	}
	parts := strings.Split(doc, "\n\n")
	rest := slices.DeleteFunc(parts[1:], func(part string) bool { return some[part] })
	return strings.Join(parts[:1+len(rest)], "\n\n")
}
