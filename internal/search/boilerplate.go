package search

import (
	"maps"
	"slices"
	"strings"
)

const (
	// A paragraph that appears in the comments of minShared symbols with different names is not
	// specific to any of them. If the names have a word in common, manyShared symbols must share
	// it. minParagraph is the minimum length of such a paragraph in bytes.
	minShared    = 4
	manyShared   = 10
	minParagraph = 60
)

// boilerplate returns the paragraphs, other than first paragraphs, that the comments on several
// symbols share, such as "Requests are signed with the account of the client." A paragraph is not
// returned if the names of the symbols have a word in common and fewer than manyShared symbols
// share it, because it explains that word.
func (x *Index) boilerplate() map[string]bool {
	type paragraph struct {
		names  []string        // names of the symbols, at most manyShared
		common map[string]bool // words that all names have
	}
	found := map[string]*paragraph{}
	for i := range x.entries {
		s := x.entries[i].symbol
		if s == nil || s.From != "" {
			continue
		}
		_, rest, _ := strings.Cut(s.Doc, "\n\n")
		for part := range strings.SplitSeq(rest, "\n\n") {
			if len(part) < minParagraph {
				continue
			}
			p := found[part]
			if p == nil {
				p = &paragraph{common: map[string]bool{}}
				found[part] = p
				for _, w := range pieces(baseName(s)) {
					p.common[stem(fold(w))] = true
				}
			}
			if len(p.common) > 0 {
				has := map[string]bool{}
				for _, w := range pieces(baseName(s)) {
					has[stem(fold(w))] = true
				}
				maps.DeleteFunc(p.common, func(w string, _ bool) bool { return !has[w] })
			}
			if len(p.names) < manyShared && !slices.Contains(p.names, s.Name()) {
				p.names = append(p.names, s.Name())
			}
		}
	}
	shared := map[string]bool{}
	for part, p := range found {
		if len(p.names) == manyShared || len(p.names) >= minShared && len(p.common) == 0 {
			shared[part] = true
		}
	}
	return shared
}

// withoutParagraphs returns text without its paragraphs that are in some. It keeps the first
// paragraph.
func withoutParagraphs(doc string, some map[string]bool) string {
	if len(some) == 0 || len(doc) < minParagraph || !strings.Contains(doc, "\n\n") {
		return doc
	}
	parts := strings.Split(doc, "\n\n")
	rest := slices.DeleteFunc(parts[1:], func(part string) bool { return some[part] })
	return strings.Join(parts[:1+len(rest)], "\n\n")
}
