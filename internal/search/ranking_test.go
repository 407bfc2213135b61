package search

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
)

// shop returns a package with operations, their inputs and their outputs.
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
	hits, _ = x.Search("apple pear", Options{Among: NewCorpus(x, word(50, "Apples."))})
	if label(hits[0]) != "B" {
		t.Errorf("among others it found %q", labels(hits))
	}
}

func TestAWordThatOtherPackagesHaveIsMissedByItsRarity(t *testing.T) {
	one := func(name, doc string) *Index {
		return New(&apidoc.Package{Name: "p", Symbols: []apidoc.Symbol{{Path: name, Kind: apidoc.Func, Doc: doc}, {Path: "Other", Kind: apidoc.Func}}})
	}
	score := func(x *Index, among *Corpus) float64 {
		hits, _ := x.Search("grill cheese", Options{Among: among})
		return hits[0].Score
	}
	x, other := one("Grill", "Grill heats."), one("Melt", "Melt heats cheese.")
	alone, together := score(x, NewCorpus(x)), score(x, NewCorpus(x, other))
	if together >= alone {
		t.Errorf("the score is %v alone, %v beside a package that has the other word", alone, together)
	}
}

func TestWhatIsOnOtherPlatformsAloneStandsBehindIfAsked(t *testing.T) {
	x := New(&apidoc.Package{Name: "p", Symbols: []apidoc.Symbol{{Path: "RetryLater", Kind: apidoc.Func}},
		Elsewhere: []apidoc.Symbol{{Path: "Retry", Kind: apidoc.Const}}})
	for here, want := range map[bool]string{false: "Retry RetryLater", true: "RetryLater Retry"} {
		hits, _ := x.Search("retry", Options{Here: here})
		if got := strings.Join(labels(hits), " "); got != want {
			t.Errorf("here is %v: found %s, want %s", here, got, want)
		}
	}
}

func TestTheLengthOfACommentDoesNotLowerItsFirstSentence(t *testing.T) {
	long := "Choose waits for the first branch. " + strings.Repeat("More is told of it here, at length.\n", 500)
	x := New(&apidoc.Package{Name: "p", Symbols: []apidoc.Symbol{
		{Path: "Rest", Kind: apidoc.Func, Doc: "Rest waits for a branch."},
		{Path: "Choose", Kind: apidoc.Func, Doc: long},
	}})
	if hits, _ := x.Search("wait first branch", Options{}); label(hits[0]) != "Choose" {
		t.Errorf("found %q", labels(hits))
	}
}

func TestAQueryThatBeginsWithAVerbAsksForAnOperation(t *testing.T) {
	x := New(&apidoc.Package{Name: "p", Symbols: []apidoc.Symbol{
		{Path: "SortKeyA", Kind: apidoc.Interface}, {Path: "SortKeyB", Kind: apidoc.Func},
	}})
	for query, want := range map[string]string{"sort key": "SortKeyB", "key sort": "SortKeyA"} {
		if hits, _ := x.Search(query, Options{}); label(hits[0]) != want {
			t.Errorf("%q: found %q, want %s first", query, labels(hits), want)
		}
	}
}

func TestStemsKnowWordsOfOneFamily(t *testing.T) {
	for _, family := range [][]string{
		{"concurrent", "concurrency"}, {"connect", "connection", "connections"}, {"validate", "validation", "validator"},
		{"expire", "expires", "expiration"}, {"encode", "encodes", "encoded", "encoding"}, {"document", "documentation"},
		{"verify", "verifies", "verification", "verifier"}, {"visible", "visibility"},
	} {
		for _, w := range family {
			if stem(w) != stem(family[0]) {
				t.Errorf("%s has the stem %s, %s has %s", w, stem(w), family[0], stem(family[0]))
			}
		}
	}
}

func TestProseDescribesSymbolsWithoutDocumentation(t *testing.T) {
	p := &apidoc.Package{Name: "watcher", Symbols: []apidoc.Symbol{
		{Path: "Options", Kind: apidoc.Interface, Members: []apidoc.Symbol{
			{Path: "Options.initial", Kind: apidoc.Property}, {Path: "Options.depth", Kind: apidoc.Property}, {Path: "Options.settle", Kind: apidoc.Property},
			{Path: "Options.poll", Kind: apidoc.Property, Doc: "Documented itself."},
		}},
		{Path: "unwatch", Kind: apidoc.Func},
	}, Sections: []apidoc.Section{{ID: "readme/a", Title: "API", Body: "- `initial` (default false): whether events\n  fire for what exists.\n- **`settle`**: a pause.\n" +
		"* `poll`: about elephants.\n\n| name | use |\n|---|---|\n| `depth` | how many levels of folders are traversed |\n\n```\n- `initial` zebras\n```"},
		{ID: "readme/b", Title: "`unwatch(path)`", Body: "Forgets a giraffe."}}}
	x := New(p).Without(SectionLinks)
	for query, want := range map[string]string{
		"events fire for what exists": "Options.initial", "levels of folders": "Options.depth", "giraffe": "unwatch",
	} {
		hits, _ := x.Search(query, Options{})
		found := slices.DeleteFunc(labels(hits), func(s string) bool { return strings.HasPrefix(s, "§") })
		if len(found) != 1 || found[0] != want {
			t.Errorf("%q: found %q, want %s", query, found, want)
		}
		if hits, _ := x.Without(SectionLinks|Descriptions).Search(query, Options{}); slices.Contains(labels(hits), want) {
			t.Errorf("%q: without descriptions it found %q", query, labels(hits))
		}
	}
	for _, query := range []string{"elephants", "zebras"} {
		if hits, _ := x.Search(query, Options{}); len(hits) > 1 {
			t.Errorf("%q: found %q", query, labels(hits))
		}
	}
}

func TestWhatASentenceAsksForStandsFirst(t *testing.T) {
	x := New(&apidoc.Package{Name: "till", Symbols: []apidoc.Symbol{
		{Path: "Coin", Kind: apidoc.Type, Doc: "A Coin is round."},
		{Path: "Overdue", Kind: apidoc.Func, Signature: "func Overdue() error", Doc: "Overdue is about bills that are late."},
		{Path: "Late", Kind: apidoc.Func, Signature: "func Late() bool", Doc: "Late is about bills that are late."},
		{Path: "Bill.Round", Kind: apidoc.Field, Doc: "Round is how the sum of the bill is rounded."},
		{Path: "Even", Kind: apidoc.Func, Doc: "Even is how the sum of the bill is rounded."},
		{Path: "Popup", Kind: apidoc.Type, Doc: "A Popup opens by a click."},
		{Path: "Bus.on", Kind: apidoc.Method, Doc: "Hears events."},
		{Path: "Bag.add", Kind: apidoc.Method, Doc: "Adds."},
		{Path: "Marker", Kind: apidoc.Type, Doc: "A Marker is put on maps."},
	}})
	for query, want := range map[string]string{
		"are the bills late": "Late", "popup on click": "Popup", "add marker": "Marker", "till.Coin": "Coin", "drawer.Coin": "Coin",
	} {
		hits, _ := x.Search(query, Options{})
		if len(hits) == 0 || label(hits[0]) != want {
			t.Errorf("%q: found %q, want %s first", query, labels(hits), want)
		}
	}
}

func TestMembersOfOneNameLeaveRoom(t *testing.T) {
	p := &apidoc.Package{Name: "store", Symbols: []apidoc.Symbol{{Path: "Lookup", Kind: apidoc.Func, Doc: "Lookup finds an object by its key."}}}
	for _, in := range []string{"Get", "Put", "Copy", "List", "Tag", "Move"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: in + "Input", Kind: apidoc.Type, Members: []apidoc.Symbol{
			{Path: in + "Input.Key", Kind: apidoc.Field, Doc: "Key is the key of the object."},
		}})
	}
	x := New(p)
	if hits, _ := x.Search("object key", Options{Limit: 5}); !slices.Contains(labels(hits), "Lookup") {
		t.Errorf("found %q", labels(hits))
	}
	if hits, _ := x.Without(Spread|Repeated).Search("object key", Options{Limit: 5}); slices.Contains(labels(hits), "Lookup") {
		t.Errorf("all the same without Spread: %q", labels(hits))
	}
	if hits, _ := x.Search("Key", Options{Limit: 6}); slices.Contains(labels(hits), "Lookup") {
		t.Errorf("a name alone found %q", labels(hits))
	}
}

func TestExactNamesMembersAndClassesStandFirst(t *testing.T) {
	x := New(&apidoc.Package{Name: "p", Symbols: []apidoc.Symbol{
		{Path: "FromFn", Kind: "struct", Signature: "pub struct FromFn", Doc: "A middleware from a function."},
		{Path: "from_fn", Kind: "function", Signature: "pub fn from_fn()", Doc: "Makes one."},
		{Path: "TimeDelta", Kind: "struct", Signature: "pub struct TimeDelta", Doc: "A span of days."},
		{Path: "TimeDelta::days", Kind: apidoc.Method, Signature: "pub fn days(n: i64) -> TimeDelta", Doc: "Makes one."},
		{Path: "BasicAuth", Kind: apidoc.Class, Signature: "class BasicAuth", Doc: "Attaches credentials.", Members: []apidoc.Symbol{
			{Path: "BasicAuth.username", Kind: "attribute", Signature: "username: str"},
			{Path: "BasicAuth.password", Kind: "attribute", Signature: "password: str"},
		}},
	}})
	for _, test := range []struct {
		query, want string
		without     Parts
	}{
		{"from_fn middleware", "from_fn", Spelling},
		{"TimeDelta days", "TimeDelta::days", Spelling},
		{"basic username password", "BasicAuth", Attributes},
	} {
		if hits, _ := x.Search(test.query, Options{}); label(hits[0]) != test.want {
			t.Errorf("%q: found %q, want %s first", test.query, labels(hits), test.want)
		}
		if hits, _ := x.Without(test.without).Search(test.query, Options{}); label(hits[0]) == test.want {
			t.Errorf("%q: the part makes no difference", test.query)
		}
	}
}

func TestWhatTheReadmeNamesStandsBeforeTheRest(t *testing.T) {
	x := New(&apidoc.Package{Name: "p", Symbols: []apidoc.Symbol{
		{Path: "openOne", Kind: apidoc.Func, Signature: "function openOne()", Doc: "Opens a door."},
		{Path: "openTwo", Kind: apidoc.Func, Signature: "function openTwo()", Doc: "Opens a door."},
	}, Sections: []apidoc.Section{
		{ID: "readme/use", Title: "Use", Body: "Call `openTwo(1)` first."},
		{ID: "changelog", Title: "1.0", Body: "Added `openOne`."},
	}})
	x = x.Without(SectionLinks)
	if hits, _ := x.Search("open door", Options{}); label(hits[0]) != "openTwo" {
		t.Errorf("found %q", labels(hits))
	}
	if hits, _ := x.Without(SectionLinks|Introduced).Search("open door", Options{}); label(hits[0]) != "openOne" {
		t.Errorf("without the README it found %q", labels(hits))
	}
}

// yard returns a package of services with a type for each kind of thing.
func yard() *apidoc.Package {
	p := &apidoc.Package{Name: "yard"}
	for _, kind := range []string{"Gate", "GateLamp", "GardenWall", "DuckPond", "OakTree"} {
		service := kind + "sService"
		spoken := strings.Join(pieces(kind), " ")
		p.Symbols = append(p.Symbols,
			apidoc.Symbol{Path: kind, Kind: apidoc.Interface, Signature: "interface " + kind, Doc: "It stands outside.", Members: []apidoc.Symbol{
				{Path: kind + ".id", Kind: apidoc.Property, Signature: "id: string", Doc: "Names it for ever."},
			}},
			apidoc.Symbol{Path: service, Kind: apidoc.Class, Members: []apidoc.Symbol{
				{Path: service + ".carry", Kind: apidoc.Method, Signature: "carry(): Promise<" + kind + ">", Doc: "Carries a " + spoken + " elsewhere."},
				{Path: service + ".paint", Kind: apidoc.Method, Signature: "paint(): Promise<" + kind + ">", Doc: "Makes a " + spoken + " green."},
			}})
	}
	return p
}

func TestANameOfSeveralWordsIsFoundWhereTheyStandApart(t *testing.T) {
	x := New(yard())
	for query, want := range map[string]string{"DuckPond carry": "DuckPondsService.carry", "OakTree paint": "OakTreesService.paint"} {
		hits, _ := x.Search(query, Options{})
		rank := slices.Index(labels(hits), want)
		if without, _ := x.Without(Compounds).Search(query, Options{}); rank < 0 || rank > 1 || slices.Index(labels(without), want) == rank {
			t.Errorf("%q: %s stands at %d among %q, without at %d", query, want, rank, labels(hits), slices.Index(labels(without), want))
		}
	}
}

func TestAFieldOfManyTypesIsFoundOnce(t *testing.T) {
	x := New(yard())
	hits, total := x.Search("id", Options{Limit: 3})
	if total != len(hits) || label(hits[0]) != "Gate.id" || len(hits[0].Alike) != 4 {
		t.Fatalf("found %q of %d, alike %d", labels(hits), total, len(hits[0].Alike))
	}
	if hits, _ := x.Search("duck pond id", Options{}); label(hits[0]) != "DuckPond.id" && label(hits[1]) != "DuckPond.id" {
		t.Errorf("the one that is asked for is not among the first: %q", labels(hits))
	}
	if _, total := x.Without(Repeated).Search("id", Options{Limit: 3}); total < 5 {
		t.Errorf("all the same without Repeated: %d", total)
	}
}

func TestEveryLineOfSynonymsCanMatch(t *testing.T) {
	lines := map[string]bool{}
	for line := range strings.Lines(synonymText) {
		line, _, _ = strings.Cut(line, "#")
		from, _, oneWay := strings.Cut(line, ":")
		words := strings.Fields(from)
		if !oneWay {
			continue
		}
		if len(words) == 1 && saysNothing[words[0]] {
			t.Errorf("%q: a query is searched without this word", strings.TrimSpace(line))
		}
		if from = strings.Join(words, " "); lines[from] {
			t.Errorf("%q has two lines", from)
		}
		lines[from] = true
	}
}

// vessel returns a package with a type that has methods, pairs of functions of which one is
// generic, and readers of which one does not change its input.
func vessel() *apidoc.Package {
	style := style
	style.Syntax, style.Boolean = godoc.Syntax{}, "bool"
	return &apidoc.Package{Style: style, Name: "example.com/vessel", LocalName: "vessel", Symbols: []apidoc.Symbol{
		{Path: "Hold", Kind: apidoc.Type, Signature: "type Hold struct {", Doc: "A Hold keeps all crates of a vessel, in rows.\n\nMake one with NewHold; make rows in it before crates are put there.", Members: []apidoc.Symbol{
			{Path: "Hold.AddRows", Kind: apidoc.Method, Signature: "func (h *Hold) AddRows(n int)", Doc: "AddRows makes rows in the hold."},
			{Path: "Hold.Name", Kind: apidoc.Method, Signature: "func (h *Hold) Name() string", Doc: "Name is painted on the door."},
		}},
		{Path: "Find", Kind: apidoc.Func, Signature: "func Find(name string) any", Doc: "Find finds a crate."},
		{Path: "FindAs", Kind: apidoc.Func, Signature: "func FindAs[T any](name string) T", Doc: "FindAs is for callers that know the kind of what is stowed under the name, and panics if it has another kind."},
		{Path: "Next", Kind: apidoc.Func, Signature: "func Next() Crate", Doc: "Next returns the next crate, advancing to the one behind it."},
		{Path: "MarkSeal", Kind: apidoc.Func, Signature: "func MarkSeal(name string) Mark", Doc: "MarkSeal is about the seal of a crate."},
		{Path: "HaveSeal", Kind: apidoc.Func, Signature: "func HaveSeal(name string) bool", Doc: "HaveSeal is about the seal of a crate."},
		{Path: "Front", Kind: apidoc.Func, Signature: "func Front() Crate", Doc: "Front returns the next crate without advancing to the one behind it."},
	}}
}

func TestAQueryWithWordsOfOneKindIsUnderstood(t *testing.T) {
	for _, tt := range []struct {
		name, query, want string
		part              Parts // without this part, another symbol is ranked first
	}{
		{"a type and what one of its methods does", "Hold make rows", "Hold.AddRows", Members},
		{"generic", "generic find crate", "FindAs", Generics},
		{"whether something is so", "is there a seal on a crate", "HaveSeal", Verbs},
		{"without something", "next crate without consuming", "Front", Negation},
		{"nothing of the kind", "find crate", "Find", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			x := New(vessel())
			hits, _ := x.Search(tt.query, Options{})
			if len(hits) == 0 || label(hits[0]) != tt.want {
				t.Errorf("found %q, want %s first", labels(hits), tt.want)
			}
			if tt.part == 0 {
				return
			}
			if hits, _ = x.Without(tt.part).Search(tt.query, Options{}); len(hits) > 0 && label(hits[0]) == tt.want {
				t.Errorf("%s stands first even without this part of the ranking", tt.want)
			}
		})
	}
}

func TestInternalNamesStandBehind(t *testing.T) {
	x := New(&apidoc.Package{Name: "kiln", Symbols: []apidoc.Symbol{
		{Path: "INTERNAL_Glaze", Kind: apidoc.Func, Doc: "Glazes a pot."},
		{Path: "glazePot", Kind: apidoc.Func, Doc: "Glazes a pot."},
	}})
	if hits, _ := x.Search("glaze", Options{}); len(hits) != 2 || hits[0].Symbol.Path != "glazePot" {
		t.Errorf("found %v", labels(hits))
	}
}

// TestOneLetterOfANameMayBeMissing searches for an attribute whose name has a letter that occurs
// nowhere else.
func TestOneLetterOfANameMayBeMissing(t *testing.T) {
	x := New(&apidoc.Package{Name: "kiln", Symbols: []apidoc.Symbol{
		{Path: "Arg", Kind: apidoc.Func, Doc: "Sets the default value."},
		{Path: "Flag", Kind: apidoc.Func, Doc: "Sets the default."},
	}})
	if hits, _ := x.Search("argument default_value_t", Options{}); len(hits) == 0 || hits[0].Symbol.Path != "Arg" {
		t.Errorf("found %v", labels(hits))
	}
}

func TestDeriveInAQueryPrefersGuidesAndSymbolsThatMentionIt(t *testing.T) {
	p := &apidoc.Package{Name: "cli", Symbols: []apidoc.Symbol{
		{Path: "Arg", Kind: apidoc.Struct, Doc: "An argument.", Members: []apidoc.Symbol{
			{Path: "Arg::default_value", Kind: apidoc.Method, Doc: "Sets the default value of the argument."},
		}},
		{Path: "Parser", Kind: apidoc.Trait, Doc: "Parses arguments. Derive it."},
	}, Sections: []apidoc.Section{
		{ID: "_concepts/values", Title: "Values", Level: 2, Body: "An argument has a default value."},
		{ID: "_derive/defaults", Title: "Default values", Level: 2, Body: "An argument has a default value."},
	}}
	// lead returns the score of the method as a multiple of the score of the guide.
	lead := func(x *Index, query string) float64 {
		scores := map[string]float64{}
		hits, _ := x.Search(query, Options{})
		for _, h := range hits {
			scores[label(h)] = h.Score
		}
		return scores["Arg::default_value"] / scores["§Default values"]
	}
	x := New(p)
	with := lead(x, "default value derive")
	if without := lead(x.Without(Guides), "default value derive"); with > 0.7*without {
		t.Errorf("the guide does not gain from its path: the lead of the method is %.2f, and %.2f without", with, without)
	}
	if without := lead(x.Without(Generics), "default value derive"); with > 0.6*without {
		t.Errorf("the method does not lose because it does not mention derive: its lead is %.2f, and %.2f without", with, without)
	}
	if plain := lead(x, "default value"); plain < 2*with {
		t.Errorf("the lead of the method is %.2f for a query without derive, and %.2f with it", plain, with)
	}
}
