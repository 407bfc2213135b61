package main

import (
	"fmt"
	"testing"

	"github.com/docent-mcp/docent/internal/search"
)

// madeUp returns examples in which the second element of the evidence shows whether there is an
// answer.
func madeUp() []example {
	var all []example
	for i := range 200 {
		answerable := i%3 > 0
		e := search.Evidence{float64(i % 7), 0.2 + 0.1*float64(i%4)}
		if answerable {
			e[1] += 0.5
		}
		all = append(all, example{group: fmt.Sprint(i % 20), answerable: answerable, hits: []search.Evidence{e, {}}})
	}
	return all
}

func TestFit_SeparatesQueriesWithAnswersFromOthers(t *testing.T) {
	all := madeUp()
	m := fit(all)
	if m[1] <= 0 || m[1] < 5*m[0] {
		t.Fatalf("weights %v, want a high second weight", m)
	}
	scores := crossValidated(all)
	if answerable, absent := below(all, scores, threshold(all, scores, 0)); answerable != 0 || absent < 0.9 {
		t.Errorf("below the lowest score of answerable queries are %.2f of them and %.2f of the others, want 0 and at least 0.9", answerable, absent)
	}
}

func TestFit_SingleWordsAreAlwaysClose(t *testing.T) {
	all := append(madeUp(), example{group: "one", close: true, hits: []search.Evidence{{}}})
	scores := crossValidated(all)
	if _, absent := below(all[200:], scores[200:], 1e9); absent != 0 {
		t.Error("a single word is not close")
	}
}
