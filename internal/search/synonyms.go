package search

import (
	_ "embed"
	"strings"
	"sync"
)

//go:embed synonyms.txt
var synonymText string

// thesaurus is the table of synonyms.txt. Words are stems.
type thesaurus struct {
	words   map[string][]string // synonyms of a word
	phrases map[string][]phrase // by their first word
}

// phrase is several words of a query that mean one thing.
type phrase struct{ words, means []string }

// synonyms reads the table when it is first asked for.
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
	return t
}

func stems(text string) []string {
	all := strings.Fields(text)
	for i, w := range all {
		all[i] = stem(w)
	}
	return all
}
