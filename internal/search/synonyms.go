package search

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed synonyms.txt
var synonymText string

// thesaurus is the content of synonyms.txt. Its words are stems.
type thesaurus struct {
	words   map[string][]string // synonyms of a word
	distant map[string][]string // synonyms of a word's synonyms, without the word and its synonyms
	phrases map[string][]phrase // phrases by their first word
}

// phrase consists of several words of a query that together have one meaning. The word "*"
// represents up to maxBetween other words.
type phrase struct{ words, means []string }

const (
	anything   = "*"
	maxBetween = 3
)

// saying is an occurrence of a phrase in a query.
type saying struct {
	terms uint64 // bit set of the indices of the phrase's terms
	means []string
}

// sayings returns the phrases in a query. It omits a phrase if all its words belong to a longer
// one.
func (t *thesaurus) sayings(terms []term) []saying {
	var found []saying
	for i := range terms {
		for _, p := range t.phrases[terms[i].stem] {
			if matched, ok := p.in(terms, i); ok {
				found = append(found, saying{matched, p.means})
			}
		}
	}
	longest := make([]saying, 0, len(found))
	for _, s := range found {
		if !slices.ContainsFunc(found, func(o saying) bool { return s.terms != o.terms && s.terms&^o.terms == 0 }) {
			longest = append(longest, s)
		}
	}
	return longest
}

// in returns the set of terms that match the words of the phrase, starting at term i, and whether
// all of them match.
func (p *phrase) in(terms []term, i int) (matched uint64, ok bool) {
	between := 0
	for _, w := range p.words {
		if w == anything {
			between = maxBetween
			continue
		}
		for ; between > 0 && i < len(terms) && terms[i].stem != w; between-- {
			i++
		}
		if i >= len(terms) || terms[i].stem != w {
			return 0, false
		}
		matched |= 1 << i
		i++
		between = 0
	}
	return matched, true
}

// synonyms returns the thesaurus, which is read during the first call.
var synonyms = sync.OnceValue(func() *thesaurus { return readThesaurus(synonymText) })

func readThesaurus(text string) *thesaurus {
	t := &thesaurus{words: map[string][]string{}, phrases: map[string][]phrase{}}
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		from, to, oneWay := strings.Cut(line, ":")
		if words := stems(from); !oneWay {
			for _, a := range words {
				for _, b := range words {
					if a != b {
						t.words[a] = append(t.words[a], b)
					}
				}
			}
		} else if len(words) == 1 {
			t.words[words[0]] = append(t.words[words[0]], stems(to)...)
		} else {
			t.phrases[words[0]] = append(t.phrases[words[0]], phrase{words, stems(to)})
		}
	}
	t.distant = make(map[string][]string, len(t.words))
	for word, means := range t.words {
		var all []string
		for _, w := range means {
			for _, far := range t.words[w] {
				if far != word && !slices.Contains(means, far) && !slices.Contains(all, far) {
					all = append(all, far)
				}
			}
		}
		t.distant[word] = all
	}
	return t
}

func stems(text string) []string {
	all := strings.Fields(text)
	for i, w := range all {
		all[i] = stem(w)
	}
	return all
}
