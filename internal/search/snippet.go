package search

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/markup"
)

// snippet returns the sentence of an entry's documentation that contains the most words of the
// query. It ignores words that are in the entry's path. If several sentences contain the same
// number of words, it returns the first of them.
func (q *query) snippet(e *entry, path string) string {
	doc := e.doc()
	best := markup.Synopsis(doc)
	rest := newCounter(slices.DeleteFunc(slices.Clone(q.terms), func(t term) bool { return strings.Contains(path, t.text) }))
	if len(doc) > maxSnippetDoc {
		doc = doc[:maxSnippetDoc]
	}
	maximum := rest.count(best)
	for p := range strings.SplitSeq(doc, "\n\n") {
		if maximum == bits.OnesCount32(rest.every) {
			break
		}
		if rest.count(p) <= maximum {
			continue
		}
		for item := range items(p) {
			text := markup.PlainLinks(strings.Join(strings.Fields(item), " "))
			for s := range markup.Sentences(text) {
				if n := rest.count(s); n > maximum && !isLabel(s) {
					best, maximum = s, n
				}
			}
		}
	}
	return clip(best)
}

// isLabel reports whether a sentence is only the title of a list, such as "**Raises:**".
func isLabel(sentence string) bool {
	return strings.HasPrefix(sentence, "**") && strings.HasSuffix(sentence, ":**")
}

// items returns an iterator over the items of a list, without the marks of items and quotations. A
// paragraph is a single item.
func items(paragraph string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		if !strings.ContainsAny(paragraph, "->*+") {
			yield(paragraph)
			return
		}
		var item strings.Builder
		for line := range strings.Lines(paragraph) {
			text := strings.TrimLeft(line, " \t")
			for strings.HasPrefix(text, ">") {
				text = strings.TrimLeft(text[1:], " ")
			}
			if strings.HasPrefix(text, "- ") || strings.HasPrefix(text, "* ") || strings.HasPrefix(text, "+ ") {
				if item.Len() > 0 && !yield(item.String()) {
					return
				}
				item.Reset()
				text = text[2:]
			}
			item.WriteString(text)
		}
		if item.Len() > 0 {
			yield(item.String())
		}
	}
}

const (
	maxSnippet    = 300     // maximum size of a snippet in bytes
	maxSnippetDoc = 1 << 16 // maximum size in bytes of documentation that is searched for a snippet
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

// counter counts the terms of a query that occur in texts.
type counter struct {
	terms []term
	every uint32                // set of all terms
	begin [utf8.RuneSelf]uint32 // set of the terms that begin with a byte
}

func newCounter(terms []term) *counter {
	c := &counter{terms: terms}
	for i := range terms {
		if text := terms[i].text; len(text) >= 2 {
			c.every |= 1 << i
			if text[0] < utf8.RuneSelf {
				c.begin[text[0]] |= 1 << i
			}
		}
	}
	return c
}

// count returns the number of terms that occur in text.
func (c *counter) count(text string) int {
	n := 0
	missing := c.every
	for w := range rawWords(text) {
		set := missing
		if first := w[0]; first < utf8.RuneSelf { // words with the same stem begin with the same letters
			if 'A' <= first && first <= 'Z' {
				first += 'a' - 'A'
			}
			set &= c.begin[first]
		}
		st := ""
		for ; set != 0; set &= set - 1 {
			i := bits.TrailingZeros32(set)
			t := &c.terms[i]
			if !beginAlike(t.text, w) {
				continue
			}
			if st == "" {
				w = strings.ToLower(w)
				st = stem(w)
			}
			if t.stem == st || t.text == w {
				missing &^= 1 << i
				n++
			}
		}
		if missing == 0 {
			break
		}
	}
	return n
}

// beginAlike reports whether the first two bytes of a word in lower case equal those of lower.
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
