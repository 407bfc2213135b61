package search

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/markup"
)

// snippet returns the sentence of an entry's documentation that has the most
// words of the query. It does not count words that the entry's path has
// already, and prefers the first of equal sentences.
func (q *query) snippet(e *entry, path string) string {
	doc := e.doc()
	best := markup.Synopsis(doc)
	rest := query{terms: slices.DeleteFunc(slices.Clone(q.terms), func(t term) bool { return strings.Contains(path, t.text) })}
	if len(doc) > maxSnippetDoc {
		doc = doc[:maxSnippetDoc]
	}
	most := rest.count(best)
	if most == len(rest.terms) {
		return clip(best)
	}
	for p := range strings.SplitSeq(doc, "\n\n") {
		if rest.count(p) <= most {
			continue
		}
		text := markup.PlainLinks(strings.Join(strings.Fields(p), " "))
		for s := range markup.Sentences(text) {
			if n := rest.count(s); n > most {
				best, most = s, n
			}
		}
	}
	return clip(best)
}

const (
	maxSnippet    = 300     // maximum size in bytes of a snippet
	maxSnippetDoc = 1 << 16 // maximum size in bytes of documentation searched for a snippet
)

func clip(s string) string {
	if len(s) <= maxSnippet {
		return s
	}
	cut := strings.LastIndexByte(s[:maxSnippet], ' ')
	if cut < maxSnippet/2 {
		cut = maxSnippet
	}
	return strings.ToValidUTF8(s[:cut], "") + " …"
}

// count returns how many of the query's terms occur in a text.
func (q *query) count(text string) int {
	n := 0
	var have [maxTerms]bool
	for w := range rawWords(text) {
		st := ""
		for i := range q.terms {
			t := &q.terms[i]
			if have[i] || len(t.text) < 2 || !beginAlike(t.text, w) { // words with the same stem begin with the same letters
				continue
			}
			if st == "" {
				w = strings.ToLower(w)
				st = stem(w)
			}
			if t.stem == st || t.text == w {
				have[i] = true
				n++
			}
		}
		if n == len(q.terms) {
			break
		}
	}
	return n
}

// beginAlike reports whether the first two bytes of a word are those of a text in lower
// case.
func beginAlike(lower, word string) bool {
	if word[0] >= utf8.RuneSelf || word[1] >= utf8.RuneSelf {
		word = strings.ToLower(word)
		return lower[:2] == word[:min(2, len(word))]
	}
	for i := range 2 {
		c := word[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if lower[i] != c {
			return false
		}
	}
	return true
}
