package search

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestAPhraseIsFoundAroundOtherWords(t *testing.T) {
	table := readThesaurus("put * together: merge\nin the end: last\nthe end: close\n")
	for query, want := range map[string][]string{
		"put together":                          {"merg"},
		"put two tables together":               {"merg"},
		"put the two large tables together":     nil, // too far apart
		"together put":                          nil,
		"put in the end":                        {"last"},
		"put it together at the end":            {"merg", "clos"},
		"the put of the end in the end of them": {"clos", "last"},
		"put":                                   nil,
	} {
		var terms []term
		for w := range words(query) {
			terms = append(terms, newTerm(w))
		}
		var means []string
		for _, s := range table.sayings(terms) {
			means = append(means, s.means...)
		}
		if !slices.Equal(means, want) {
			t.Errorf("%q means %q, want %q", query, means, want)
		}
	}
}

func TestWhatIsAskedForStandsBeforeWhatIsNamedBesideIt(t *testing.T) {
	type names map[string]string // with their documentation
	for _, test := range []struct {
		query, want string
		other       string
		docs        names
	}{
		{"turn a png into a webp", "webp", "png", names{"webp": "Writes the picture.", "png": "Writes the picture."}},
		{"a leaf without a limb", "sheet", "box", names{"sheet": "Shows a leaf.", "box": "Shows a limb."}},
		{"where in", "whereIn", "where", nil},
		{"let a worker rest for a while", "suspend", "labor", names{"suspend": "Suspends workers.", "labor": "Workers labor."}},
		{"upload file", "store.upload", "beta.upload", nil},
		{"upload file", "betaine.upload", "unstable.upload", nil},
	} {
		for _, order := range [][]string{{test.want, test.other}, {test.other, test.want}} {
			p := &apidoc.Package{Name: "desk"}
			for _, path := range order {
				p.Symbols = append(p.Symbols, apidoc.Symbol{Path: path, Kind: apidoc.Func, Doc: test.docs[path]})
			}
			if hits, _ := New(p).Search(test.query, Options{}); len(hits) == 0 || label(hits[0]) != test.want {
				t.Errorf("%q: found %q, want %s first", test.query, labels(hits), test.want)
			}
		}
	}
}
