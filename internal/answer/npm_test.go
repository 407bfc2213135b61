package answer

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/search"
)

// typescript is the style of packages that have types and values in the order
// of files.
var typescript = apidoc.Style{
	Name: "npm", Fence: "ts",
	SortByKind: true, FollowTypes: true, Aliased: true, NameInherited: true, JoinMembers: true, ClipOverviews: true,
}

// till is a package shaped as the npm reader shapes one.
func till() *apidoc.Package {
	return &apidoc.Package{
		Ecosystem: "npm", Style: typescript, Name: "till", Module: "till", Version: "2.1.0", Doc: "Counts coins", Synopsis: "Counts coins",
		Provenance: apidoc.Provenance{Source: "node_modules", Location: "/app/node_modules/till", ChosenBy: "package-lock.json of app", Integrity: "none, as installed"},
		Symbols: []apidoc.Symbol{
			{Path: "Coins", Kind: apidoc.Type, Signature: "type Coins = readonly number[]", Doc: "All of them.", File: "i.d.ts", Line: 1},
			{Path: "Options", Kind: apidoc.Interface, Signature: "interface Options", File: "i.d.ts", Line: 2, Members: []apidoc.Symbol{
				{Path: "Options.size", Kind: apidoc.Property, Signature: "size?: number", File: "i.d.ts", Line: 3},
				{Path: "Options.[key: string]", Kind: "index signature", Signature: "[key: string]: unknown", File: "i.d.ts", Line: 4},
			}},
			{Path: "Till", Kind: apidoc.Class, Signature: "class Till extends Box", Doc: "A till. It opens.", File: "i.d.ts", Line: 5, Members: []apidoc.Symbol{
				{Path: "Till.constructor", Kind: "constructor", Signature: "constructor(options?: Options)", File: "i.d.ts", Line: 6},
				{Path: "Till.[Symbol.iterator]", Kind: apidoc.Method, Signature: "[Symbol.iterator](): Iterator<number>", File: "i.d.ts", Line: 7},
				{Path: "Till.count", Kind: apidoc.Method, Signature: "count(): number\ncount(coin: number): number", Doc: "Counts. Again.", File: "i.d.ts", Line: 8,
					Examples: []apidoc.Example{{Code: "till.count()"}}},
				{Path: "Till.open", Kind: apidoc.Method, Signature: "open(): void", From: "Box", File: "box.d.ts", Line: 2},
				{Path: "Till.shut", Kind: apidoc.Method, Signature: "shut(): void", From: "Box", File: "box.d.ts", Line: 3},
			}},
			{Path: "Thin", Kind: apidoc.Interface, Signature: "interface Thin extends Box", File: "i.d.ts", Line: 9, Members: []apidoc.Symbol{
				{Path: "Thin.open", Kind: apidoc.Method, Signature: "open(): void", From: "Box", File: "box.d.ts", Line: 2},
			}},
			{Path: "OldTill", Kind: apidoc.Class, Signature: "class Till extends Box", Deprecated: "Use Till.", File: "i.d.ts", Line: 5},
			{Path: "count", Kind: "function", Signature: "function count(coins: Coins): number\nfunction count(...coins: number[]): number", Doc: "Counts coins.", File: "i.d.ts", Line: 10},
			{Path: "default", Kind: apidoc.Const, Signature: "const till: Till", File: "i.d.ts", Line: 11},
		},
		Sections: []apidoc.Section{
			{ID: "readme/till", Title: "Till", Level: 1, Body: "Counts coins.", File: "README.md"},
			{ID: "readme/install", Title: "Install", Level: 2, Body: "```sh\nnpm i till\n```", File: "README.md"},
			{ID: "readme/usage", Title: "Usage", Level: 2, Body: "```js\nimport till from 'till'\n```", File: "README.md"},
			{ID: "docs/api", Title: "API", Level: 1, Body: "All about it.", File: "docs/api.md"},
			{ID: "docs/api/size", Title: "Size", Level: 2, Body: "Big.", File: "docs/api.md"},
			{ID: "examples/basic", Title: "examples/basic.js", Level: 1, Body: "```js\nx\n```", File: "examples/basic.js"},
		},
		Subpackages: []apidoc.Subpackage{{Name: "till/mini"}},
		Warnings:    []string{"members inherited from Error are left out, as it is not to be found"},
	}
}

var npmGuide = Guide{
	Symbol: "ask for symbol %s", Search: "search the package", Larger: "ask for more tokens", Section: "read section %s",
}

func TestTheDataHoldsWhatTheTextShows(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: typescript, Name: "many", Version: "1.0.0"}
	for i := range 400 {
		kind := []apidoc.Kind{"function", apidoc.Const, apidoc.Type}[i%3]
		name := fmt.Sprintf("name%d", i)
		p.Symbols = append(p.Symbols, apidoc.Symbol{
			Path: name, Kind: kind, Signature: string(kind) + " " + name + strings.Repeat("(): A", i%7), File: "dist/types/src/index.d.ts", Line: i + 1,
		})
	}
	for _, tokens := range []int{2000, 3000, 8000, -1} {
		a := Package(p, Options{MaxTokens: tokens, Guide: npmGuide})
		data, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		text := a.Markdown()
		if limit := 2 * Bytes(tokens); tokens > 0 && len(data) > limit {
			t.Errorf("within %d tokens the data has %d bytes beside a text of %d", tokens, len(data), len(text))
		}
		told := len(a.Symbols)
		for _, n := range a.Named {
			for _, path := range n.Paths {
				if told++; !strings.Contains(text, path) {
					t.Errorf("%s is in the data alone", path)
				}
			}
		}
		if told != len(p.Symbols) {
			t.Errorf("within %d tokens the data tells %d symbols of %d", tokens, told, len(p.Symbols))
		}
		if line := a.Symbols[0].Line; (line == 0) != (tokens > 0 && tokens < 8000) {
			t.Errorf("within %d tokens the line is %d", tokens, line)
		}
	}
}

func TestGoldenNPM(t *testing.T) {
	p := till()
	o := Options{Guide: npmGuide}
	symbol := func(path string) string {
		s, err := p.Find(path)
		if err != nil {
			t.Fatal(err)
		}
		return Symbol(p, s, o).Markdown()
	}
	b := NewBook(p)
	hits, total := search.New(p).Search("size", search.Options{})
	for name, text := range map[string]string{
		"npm_whole":      Package(p, o).Markdown(),
		"npm_sentences":  b.compose(b.details[3], npmGuide, 8000).Markdown(),
		"npm_names":      b.compose(b.details[6], npmGuide, 8000).Markdown(),
		"npm_bare":       b.compose(detail{docs: none, members: none, clip: true, signed: 3, share: 20}, npmGuide, 8000).Markdown(),
		"npm_class":      symbol("Till"),
		"npm_thin":       symbol("Thin"),
		"npm_default":    symbol("till"),
		"npm_alias":      symbol("OldTill"),
		"npm_lean":       Package(Lean(p, false, false), o).Markdown(),
		"npm_search":     Search(p, "size", hits, total, o).Markdown(),
		"npm_doc":        Sections(p, Readme(p.Sections), 20_000, byTool).Markdown(),
		"npm_doc_folder": Sections(p, p.Sections[3:5], 20_000, byTool).Markdown(),
	} {
		t.Run(name, func(t *testing.T) { golden(t, name, text) })
	}
}

func TestAnswersAboutNPMPackagesFitTheirBudget(t *testing.T) {
	for _, n := range []int{0, 10, 100, 1000, 5000} {
		p := till()
		for i := range n {
			name := fmt.Sprintf("Type%d", i)
			p.Symbols = append(p.Symbols,
				apidoc.Symbol{Path: name, Kind: apidoc.Interface, Signature: "interface " + name + " extends " + strings.Repeat("Base<string>, ", i%40)},
				apidoc.Symbol{Path: "make" + name, Kind: "function", Signature: "function make" + name + "(" + strings.Repeat("a: string, ", i%40) + "): " + name, Doc: "Makes one. It is new."})
			p.Sections = append(p.Sections, apidoc.Section{ID: fmt.Sprintf("docs/%d", i), Title: name, Level: 1, Body: "Text.", File: fmt.Sprintf("docs/%d.md", i)})
			p.Subpackages = append(p.Subpackages, apidoc.Subpackage{Name: "till/" + name})
		}
		before := 0
		for _, tokens := range []int{500, 2000, 8000, 50_000} {
			o := Options{MaxTokens: tokens, Guide: npmGuide}
			a := Package(p, o)
			text := a.Markdown()
			if len(text) > o.limit() {
				t.Errorf("%d types in %d tokens: %d bytes, allowed %d", n, tokens, len(text), o.limit())
			}
			if len(text) < before || n >= 1000 && len(text) < o.limit()*8/10 {
				t.Errorf("%d types in %d tokens: only %d bytes of %d", n, tokens, len(text), o.limit())
			}
			if before = len(text); n > 100 && tokens > 500 && !strings.Contains(text, "Left out to fit") {
				t.Errorf("%d types in %d tokens: nothing is said of what was left out", n, tokens)
			}
		}
	}
}

func TestWithoutTypesValuesStay(t *testing.T) {
	p := &apidoc.Package{Symbols: []apidoc.Symbol{
		{Path: "T", Kind: apidoc.Type}, {Path: "I", Kind: apidoc.Interface}, {Path: "C", Kind: apidoc.Class}, {Path: "E", Kind: apidoc.Enum},
		{Path: "both", Kind: apidoc.Const, Signature: "interface both\nconst both: 1", Members: []apidoc.Symbol{{Path: "both.x", Kind: apidoc.Property}}},
		{Path: "types", Kind: apidoc.Namespace, Members: []apidoc.Symbol{{Path: "types.T", Kind: apidoc.Type}}},
		{Path: "mixed", Kind: apidoc.Namespace, Members: []apidoc.Symbol{{Path: "mixed.T", Kind: apidoc.Type}, {Path: "mixed.f", Kind: "function"}}},
	}}
	var got []string
	for s := range Lean(p, false, true).All {
		got = append(got, s.Path)
	}
	if strings.Join(got, " ") != "C E both both.x mixed mixed.f" {
		t.Errorf("got %q", got)
	}
	if len(p.Symbols) != 7 || len(p.Symbols[6].Members) != 2 {
		t.Error("the package itself was changed")
	}
}

func TestTheClassWithTheMostMembersIsTheOneToAskFor(t *testing.T) {
	symbol := func(path string, kind apidoc.Kind, members int) apidoc.Symbol {
		return apidoc.Symbol{Path: path, Kind: kind, Members: make([]apidoc.Symbol, members)}
	}
	for _, tt := range []struct {
		symbols []apidoc.Symbol
		want    string
	}{
		{[]apidoc.Symbol{symbol("f", "function", 0), symbol("Options", apidoc.Interface, 9), symbol("Failure", apidoc.Class, 1), symbol("Client", apidoc.Class, 5)}, "Client"},
		{[]apidoc.Symbol{symbol("f", "function", 0), symbol("Options", apidoc.Interface, 2), symbol("More", apidoc.Interface, 9)}, "Options"},
		{[]apidoc.Symbol{symbol("f", "function", 0), symbol("g", "function", 0)}, "f"},
		{nil, "Name"},
	} {
		if got := sample(&apidoc.Package{Ecosystem: "npm", Style: typescript, Symbols: tt.symbols}); got != tt.want {
			t.Errorf("of %d symbols it is %s, want %s", len(tt.symbols), got, tt.want)
		}
	}
}
