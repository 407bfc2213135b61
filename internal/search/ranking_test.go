package search

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// shop is a package with operations, what goes into them and comes out of them.
func shop() *apidoc.Package {
	return &apidoc.Package{Name: "shop", Symbols: []apidoc.Symbol{
		{Path: "PutObjectInput", Kind: apidoc.Type, Doc: "PutObjectInput is what PutObject takes to upload a file."},
		{Path: "PutObjectOutput", Kind: apidoc.Type, Doc: "PutObjectOutput is what PutObject returns when a file was uploaded."},
		{Path: "Client", Kind: apidoc.Type, Doc: "A Client asks the shop.", Members: []apidoc.Symbol{
			{Path: "Client.PutObject", Kind: apidoc.Method, Signature: "func (c *Client) PutObject(in PutObjectInput) PutObjectOutput", Doc: "PutObject adds an object."},
			{Path: "Client.Walk", Kind: apidoc.Method, Doc: "Walk visits every object."},
		}},
		{Path: "NewClient", Kind: apidoc.Func, Of: "Client", Signature: "func NewClient() *Client", Doc: "NewClient makes a client."},
		{Path: "LevelVar", Kind: apidoc.Type, Doc: "A LevelVar may be used by multiple handlers."},
		{Path: "MultiHandler", Kind: apidoc.Type, Doc: "A MultiHandler invokes all of them."},
		{Path: "Set", Kind: apidoc.Type, Signature: "type Set[T comparable] struct{}", Doc: "A Set holds values."},
		{Path: "Bag", Kind: apidoc.Type, Signature: "type Bag struct{}", Doc: "A Bag holds values."},
		{Path: "RoutePatterns", Kind: apidoc.Func, Doc: "RoutePatterns are the patterns of the route."},
		{Path: "RoutePattern", Kind: apidoc.Func, Doc: "RoutePattern is the pattern of the route."},
		{Path: "ExportKey", Kind: apidoc.Func, Doc: "ExportKey writes a key, the opposite of an import."},
		{Path: "ReadKey", Kind: apidoc.Func, Doc: "ReadKey imports a key."},
		{Path: "Limit", Kind: apidoc.Type, Doc: "A Limit bounds concurrency."},
		{Path: "Insecure", Kind: apidoc.Func, Doc: "Insecure leaves the channel plain."},
	}, Sections: []apidoc.Section{{ID: "readme/tidying", Title: "Tidying up", Body: "To tidy up everything, call `Client.Walk`."}}}
}

func TestTheBestAnswerStandsFirst(t *testing.T) {
	x := New(shop())
	for query, want := range map[string]string{
		"upload file put object":      "Client.PutObject",
		"put object output":           "PutObjectOutput",
		"create a client":             "NewClient",
		"multiple handlers":           "MultiHandler",
		"generic set":                 "Set",
		"values generic":              "Set",
		"route pattern":               "RoutePattern",
		"route patterns":              "RoutePatterns",
		"import key":                  "ReadKey",
		"run at most four concurrent": "Limit",
		"traverse all objects":        "Client.Walk",
		"unencrypted channel":         "Insecure",
	} {
		hits, _ := x.Search(query, Options{})
		if len(hits) == 0 || label(hits[0]) != want {
			t.Errorf("%q: found %q, want %s first", query, labels(hits), want)
		}
	}
}

func TestASectionLendsWeightToWhatItNames(t *testing.T) {
	hits, _ := New(shop()).Search("tidy up", Options{})
	if len(hits) != 2 || label(hits[1]) != "Client.Walk" {
		t.Errorf("found %q", labels(hits))
	}
	if hits, _ := New(shop()).Without(SectionLinks).Search("tidy up", Options{}); len(hits) != 1 {
		t.Errorf("without links it found %q", labels(hits))
	}
}

func TestOnlySimilarMatchesAreMarked(t *testing.T) {
	x := New(library())
	hits, _ := x.Search("NewReqeust", Options{Fuzzy: true})
	if len(hits) == 0 || !hits[0].Similar {
		t.Errorf("found %+v", hits)
	}
	if hits, _ := x.Search("NewRequest", Options{Fuzzy: true}); len(hits) == 0 || hits[0].Similar {
		t.Errorf("found %+v", hits)
	}
}

func TestWordsAreAsRareAsInAllPackagesThatAreSearched(t *testing.T) {
	word := func(n int, text string) *Index {
		p := &apidoc.Package{Name: "p"}
		for range n {
			p.Symbols = append(p.Symbols, apidoc.Symbol{Path: "X", Kind: apidoc.Func, Doc: text})
		}
		return New(p)
	}
	x := New(&apidoc.Package{Name: "q", Symbols: []apidoc.Symbol{
		{Path: "A", Kind: apidoc.Func, Doc: "Apples."}, {Path: "B", Kind: apidoc.Func, Doc: "Pears."}, {Path: "C", Kind: apidoc.Func, Doc: "Pears."},
	}})
	hits, _ := x.Search("apple pear", Options{})
	if label(hits[0]) != "A" {
		t.Errorf("found %q", labels(hits))
	}
	hits, _ = x.Search("apple pear", Options{Among: []*Index{x, word(50, "Apples.")}})
	if label(hits[0]) != "B" {
		t.Errorf("among others it found %q", labels(hits))
	}
}

func TestStemsKnowWordsOfOneFamily(t *testing.T) {
	for _, family := range [][]string{
		{"concurrent", "concurrency"}, {"connect", "connection", "connections"}, {"validate", "validation", "validator"},
		{"expire", "expires", "expiration"}, {"encode", "encodes", "encoded", "encoding"}, {"document", "documentation"},
	} {
		for _, w := range family {
			if stem(w) != stem(family[0]) {
				t.Errorf("%s has the stem %s, %s has %s", w, stem(w), family[0], stem(family[0]))
			}
		}
	}
}
