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
		for w := range rawWords(query) {
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
	type names map[string]string // also test with documentation
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

func TestASymbolWithoutDocumentationBorrowsThatOfATypeInItsSignature(t *testing.T) {
	p := &apidoc.Package{Name: "desk", Symbols: []apidoc.Symbol{
		{Path: "Blotter", Kind: apidoc.Type, Signature: "type Blotter struct{}", Doc: "A Blotter soaks up ink. It wears out."},
		{Path: "Attach", Kind: apidoc.Func, Signature: "func Attach(n int, b Blotter, l Lamp)"},
		{Path: "Detach", Kind: apidoc.Func, Signature: "func Detach(b Blotter)", Doc: "Detach undoes it."},
		{Path: "Lamp", Kind: apidoc.Type, Signature: "type Lamp struct{}", Doc: "A Lamp glows."},
	}}
	for query, want := range map[string][]string{
		"ink":      {"Blotter", "Attach"},
		"glow":     {"Lamp"},
		"wear out": {"Blotter"},
	} {
		if hits, _ := New(p).Search(query, Options{}); !slices.Equal(labels(hits), want) {
			t.Errorf("%q: found %q, want %q", query, labels(hits), want)
		}
	}
	if hits, _ := New(p).Without(Borrowed).Search("ink", Options{}); len(hits) != 1 {
		t.Errorf("without borrowing it found %q", labels(hits))
	}
}

func TestAnErrorStandsFirstWhereOneIsAskedFor(t *testing.T) {
	p := &apidoc.Package{Name: "desk", Symbols: []apidoc.Symbol{
		{Path: "Pens", Kind: apidoc.Var, Doc: "Pens are there or it is an error."},
		{Path: "ErrPens", Kind: apidoc.Var, Doc: "What is told of lacking pens."},
	}}
	if hits, _ := New(p).Search("error when there are no pens", Options{}); label(hits[0]) != "ErrPens" {
		t.Errorf("found %q", labels(hits))
	}
	if hits, _ := New(p).Without(Failures).Search("error when there are no pens", Options{}); label(hits[0]) != "Pens" {
		t.Errorf("without it found %q", labels(hits))
	}
}

func TestTheMemberThatDoesItStandsBeforeItsType(t *testing.T) {
	p := &apidoc.Package{Name: "desk", Symbols: []apidoc.Symbol{
		{Path: "Root", Kind: apidoc.Type, Doc: "Root may be used to access files within a single directory tree.", Members: []apidoc.Symbol{
			{Path: "Root.Close", Kind: apidoc.Method, Doc: "Close closes the Root."},
			{Path: "Root.Mkdir", Kind: apidoc.Method, Doc: "Mkdir creates a new directory in the root."},
			{Path: "Root.MkdirAll", Kind: apidoc.Method, Doc: "MkdirAll creates a new directory in the root, along with any necessary parents."},
		}},
		{Path: "OpenRoot", Kind: apidoc.Func, Of: "Root", Doc: "OpenRoot opens the directory with this name."},
	}}
	if hits, _ := New(p).Search("Root make directories with parents", Options{}); label(hits[0]) != "Root.MkdirAll" {
		t.Errorf("found %q", labels(hits))
	}
}

func TestSynonymsOfSynonymsAreDistant(t *testing.T) {
	table := readThesaurus("halt stop\nstop end\nend: last\n")
	for word, want := range map[string][]string{"halt": {"end"}, "stop": {"last"}, "last": nil} {
		if got := table.distant[word]; !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
	x := New(&apidoc.Package{Name: "loom", Symbols: []apidoc.Symbol{{Path: "Knot", Kind: apidoc.Func, Doc: "Ties the yarn."}}})
	for query, want := range map[string]bool{"how do I survive a torn yarn": true, "survive yarn": false} {
		q := x.parse(query)
		i := slices.IndexFunc(q.terms, func(t term) bool { return t.text == "survive" })
		// A synonym of survive is retry, and a synonym of retry is attempt.
		if got := slices.Contains(q.terms[i].others, other{stem: "attempt", weight: distant}); got != want {
			t.Errorf("%q: survive stands for an attempt: %v", query, got)
		}
	}
}

func TestThePhraseCountsMoreThanItsWords(t *testing.T) {
	p := &apidoc.Package{Name: "scribe", Symbols: []apidoc.Symbol{
		{Path: "Error.line", Kind: apidoc.Method, Doc: "Where the error is."},
		{Path: "tidy", Kind: apidoc.Func, Doc: "Ends each verse with a newline."},
	}}
	for i := range 8 { // make the word newline common
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "Pen" + string(rune('A'+i)), Kind: apidoc.Type, Doc: "Writes text, and ink dries before a newline."})
	}
	const query = "the poem with line breaks"
	parsed := New(p).parse(query)
	i := slices.IndexFunc(parsed.terms, func(t term) bool { return t.text == "breaks" })
	if len(parsed.terms[i].others) > 0 {
		t.Errorf("the breaks of lines stand for %v", parsed.terms[i].others)
	}
	if hits, _ := New(p).Search(query, Options{}); len(hits) == 0 || label(hits[0]) != "tidy" {
		t.Errorf("found %q", labels(hits))
	}
	if hits, _ := New(p).Without(Phrases).Search(query, Options{}); len(hits) == 0 || label(hits[0]) == "tidy" {
		t.Errorf("without phrases it found the same: %q", labels(hits))
	}
}

func TestAWordOfAPhraseIsNoTypingError(t *testing.T) {
	x := New(&apidoc.Package{Name: "scribe", Symbols: []apidoc.Symbol{
		{Path: "tidy", Kind: apidoc.Func, Doc: "Ends each verse with a newline."},
		{Path: "breads", Kind: apidoc.Var, Doc: "What scribes eat."},
	}})
	for query, want := range map[string][]string{
		"the poem with line breaks": {"tidy"},
		"the poem about breaks":     {"breads"},
	} {
		if hits, _ := x.Search(query, Options{Fuzzy: true}); !slices.Equal(labels(hits), want) {
			t.Errorf("%q: found %q, want %q", query, labels(hits), want)
		}
	}
}

func TestAWordThatThePackageLacksIsRarerThanItsSynonym(t *testing.T) {
	p := &apidoc.Package{Name: "mill", Symbols: []apidoc.Symbol{
		{Path: "Mirror", Kind: apidoc.Func, Doc: "Mirror flips an image."},
		{Path: "Flag", Kind: apidoc.Func, Doc: "Flag waves. A wet one is of no use."},
	}}
	for range 20 {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "Paint", Kind: apidoc.Func, Doc: "Paint puts colour on an image."})
	}
	score := func(query string) float64 {
		hits, _ := New(p).Search(query, Options{})
		return hits[slices.Index(labels(hits), "Mirror")].Score
	}
	if lacked, common := score("wet picture"), score("wet image"); lacked <= common {
		t.Errorf("an image scores %v if a picture is asked for, %v if an image is", lacked, common)
	}
}
