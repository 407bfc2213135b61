package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/search"
)

// locks returns a package whose operations return the changed value in a field. Its errors all have
// the same fields.
func locks() *apidoc.Package {
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go", Imports: true}, Name: "example.com/locks", Version: "v1.0.0"}
	for _, kind := range []string{"Busy", "Missing"} {
		p.Symbols = append(p.Symbols, apidoc.Symbol{
			Path: kind + "Error", Kind: apidoc.Type, Doc: kind + "Error is what a lock that is " + strings.ToLower(kind) + " fails with.",
			Signature: "type " + kind + "Error struct {\n\t// Message is what the service says, for people.\n\tMessage string `json:\"message\"`\n\t// ID is the one that was asked for.\n\tID string `json:\"id\"`\n}",
		})
	}
	p.Symbols = append(p.Symbols,
		apidoc.Symbol{Path: "Client", Kind: apidoc.Type, Signature: "type Client struct {\n\t// Has unexported fields.\n}", Members: []apidoc.Symbol{
			{Path: "Client.Amend", Kind: apidoc.Method, Signature: "func (c *Client) Amend(in *AmendInput) (*AmendOutput, error)", Doc: "Amend changes a chamber in which ships are lifted."},
		}},
		apidoc.Symbol{Path: "AmendInput", Kind: apidoc.Type, Signature: "type AmendInput struct {\n\tID string\n}"},
		apidoc.Symbol{Path: "AmendOutput", Kind: apidoc.Type, Signature: "type AmendOutput struct {\n\tLock *Lock\n}", Members: []apidoc.Symbol{{Path: "AmendOutput.Lock", Kind: apidoc.Field, Signature: "Lock *Lock"}}},
		apidoc.Symbol{Path: "Lock", Kind: apidoc.Type, Signature: "type Lock struct {\n\tID string\n\tDraught float64\n}", Doc: "Lock is a chamber in which ships are lifted."},
	)
	return p
}

func TestSeveralSymbolsAreOneBlockOfCode(t *testing.T) {
	text := describe(t, locks(), Options{Guide: guide}, "Client.Amend Lock").Text
	const want = "```go\n// Amend changes a chamber in which ships are lifted.\nfunc (c *Client) Amend(in *AmendInput) (*AmendOutput, error)\n\n" +
		"type AmendInput struct {\n\tID string\n}\n\ntype AmendOutput struct {\n\tLock *Lock\n}\n\n" +
		"// Lock is a chamber in which ships are lifted.\ntype Lock struct {\n\tID string\n\tDraught float64\n}\n```\n"
	if !strings.HasSuffix(text, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", text, want)
	}
}

func TestCodeWithinDocumentationStaysABlockOfItsOwn(t *testing.T) {
	p := locks()
	p.Symbols[0].Doc += "\n\n```go\nvar busy *BusyError\n```"
	text := describe(t, p, Options{Guide: guide}, "BusyError MissingError").Text
	if !strings.Contains(text, "## BusyError (type)\n") || !strings.Contains(text, "\n```go\nvar busy *BusyError\n```\n") {
		t.Errorf("got\n%s", text)
	}
}

// A declaration that does not contain the symbol's name as users write it has a title.
func TestAMemberWhoseDeclarationNamesNoTypeHasATitle(t *testing.T) {
	p := locks()
	p.Symbols[2].Members[0].Signature = "amend(input: AmendInput): AmendOutput"
	text := describe(t, p, Options{Guide: guide}, "Client.Amend Lock").Text
	if !strings.Contains(text, "## Client.Amend (method)\n\n```go\n// Amend changes") || strings.Contains(text, "## Lock") {
		t.Errorf("got\n%s", text)
	}
}

func TestABodyThatSeveralDeclarationsShareIsShownOnce(t *testing.T) {
	text := describe(t, locks(), Options{Guide: guide}, "BusyError MissingError").Text
	if strings.Count(text, "Message string") != 1 || strings.Contains(text, "json:") {
		t.Errorf("got\n%s", text)
	}
	if !strings.Contains(text, "type MissingError struct { … } // the same as in BusyError\n") {
		t.Errorf("it does not say what MissingError has:\n%s", text)
	}
	p := locks()
	p.Symbols[1].Signature = strings.Replace(p.Symbols[1].Signature, "for people", "for programs", 1)
	if text := describe(t, p, Options{Guide: guide}, "BusyError MissingError").Text; !strings.Contains(text, "for people") || !strings.Contains(text, "for programs") {
		t.Errorf("bodies that differ are not both shown:\n%s", text)
	}
}

// Types that implement the same interface have the same methods.
func TestMethodsThatAnotherTypeHasListedAreOnlyNamed(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go", Imports: true}, Name: "example.com/logs"}
	add := func(name, param string) {
		handler := apidoc.Symbol{Path: name, Kind: apidoc.Type, Signature: "type " + name + " struct {\n\t// Has unexported fields.\n}"}
		for _, m := range []string{"Handle(" + param + ", r Record) error", "Enabled(l Level) bool"} {
			short, _, _ := strings.Cut(m, "(")
			handler.Members = append(handler.Members, apidoc.Symbol{Path: name + "." + short, Kind: apidoc.Method, Signature: "func (h *" + name + ") " + m})
		}
		p.Symbols = append(p.Symbols, handler, apidoc.Symbol{Path: "New" + name, Kind: apidoc.Func, Of: name, Signature: "func New" + name + "() *" + name})
	}
	add("Text", "ctx context.Context")
	add("JSON", "_ context.Context")
	add("Slow", "ctx context.Context, more int")
	text := describe(t, p, Options{Guide: guide}, "NewText NewJSON NewSlow").Text
	for want, times := range map[string]int{"func (h *Text) Handle(": 1, "func (h *JSON) Handle(": 0, "// has Handle, Enabled": 1, "func (h *Slow) Handle(": 1} {
		if n := strings.Count(text, want); n != times {
			t.Errorf("%q is there %d times, expected %d:\n%s", want, n, times, text)
		}
	}
}

func TestWhatAnExampleOfOneOfSeveralPrintsIsShort(t *testing.T) {
	p := locks()
	p.Symbols[0].Examples = []apidoc.Example{{Code: "list()", Output: "1\n2\n3\n4\n5\n6\n7\n"}}
	if text := describe(t, p, Options{Guide: guide}, "BusyError MissingError").Text; !strings.Contains(text, "\n4\n5\n…\n") || strings.Contains(text, "\n6\n") {
		t.Errorf("got\n%s", text)
	}
	if text := describe(t, p, Options{Guide: guide}, "BusyError").Text; !strings.Contains(text, "\n6\n7\n") {
		t.Errorf("one alone is cut:\n%s", text)
	}
}

func TestExample_TextBehindTheCode(t *testing.T) {
	p := locks()
	p.Symbols[0].Examples = []apidoc.Example{{Doc: "Before.", Code: "list()", After: "See also more."}}
	if text := describe(t, p, Options{Guide: guide}, "BusyError").Text; !strings.Contains(text, "Before.\n\n```go\nlist()\n```\n\nSee also more.") {
		t.Errorf("got\n%s", text)
	}
}

// TestNeeds_ItemsOfAPage expects an operation to be shown with the type that the few fields of its
// result contain.
func TestNeeds_ItemsOfAPage(t *testing.T) {
	p := locks()
	if text := describe(t, p, Options{Guide: guide}, "Client.Amend BusyError").Text; !strings.Contains(text, "type Lock struct {\n\tID string") {
		t.Errorf("got\n%s", text)
	}
	widenOutput(p)
	if text := describe(t, p, Options{Guide: guide}, "Client.Amend BusyError").Text; strings.Contains(text, "type Lock struct") {
		t.Errorf("a field of a result with many fields is shown:\n%s", text)
	}
}

// widenOutput adds so many fields to AmendOutput that it is not a page.
func widenOutput(p *apidoc.Package) {
	output := &p.Symbols[4]
	for i := range maxPageFields {
		field := apidoc.Symbol{Path: fmt.Sprint("AmendOutput.N", i), Kind: apidoc.Field, Signature: fmt.Sprintf("N%d int", i)}
		output.Members = append(output.Members, field)
		output.Signature = strings.TrimSuffix(output.Signature, "}") + "\t" + field.Signature + "\n}"
	}
}

func TestWhatAnOperationReturnsIsALineBehindIt(t *testing.T) {
	p := locks()
	widenOutput(p)
	r := NewRenderer(p)
	var results []QueryResult
	for _, query := range []string{"amend a chamber in which ships are lifted", "busy"} {
		hits, total := search.New(r.pkg).Search(query, search.Options{})
		w := QueryResult{Query: query, Total: total}
		for _, h := range hits {
			w.Hits = append(w.Hits, Hit{Renderer: r, Hit: h})
		}
		results = append(results, w)
	}
	text := Search([]*Renderer{r}, nil, results, Options{Guide: guide}).Text
	if !strings.Contains(text, "func (c *Client) Amend(") || !strings.Contains(text, "- `type Lock struct { …`: is a chamber") {
		t.Errorf("got\n%s", text)
	}
}

func TestOptionsOfEveryCallComeWithoutTheTypesOfTheirFields(t *testing.T) {
	p := locks()
	p.Symbols = append(p.Symbols,
		apidoc.Symbol{Path: "Options", Kind: apidoc.Type, Signature: "type Options struct {\n\tCarrier Carrier\n}"},
		apidoc.Symbol{Path: "Carrier", Kind: apidoc.Type, Signature: "type Carrier struct {\n\tSpeed int\n}"})
	call := func(n int) {
		name := fmt.Sprintf("Call%d", n)
		p.Symbols = append(p.Symbols, apidoc.Symbol{Path: name, Kind: apidoc.Func, Signature: "func " + name + "(o *Options)"})
	}
	call(0)
	call(1)
	if text := describe(t, p, Options{Guide: guide}, "Call0 Call1").Text; !strings.Contains(text, "type Carrier struct") {
		t.Errorf("options of two calls come without the types of their fields:\n%s", text)
	}
	for n := range commonUses {
		call(2 + n)
	}
	if text := describe(t, p, Options{Guide: guide}, "Call0 Call1").Text; strings.Contains(text, "type Carrier struct") || !strings.Contains(text, "type Options struct") {
		t.Errorf("options of all calls come with the types of their fields:\n%s", text)
	}
}

func TestAConstantOfAGroupIsShownOnceInIt(t *testing.T) {
	p := web()
	text := describe(t, p, Options{Guide: guide}, "Missing Get").Text
	if strings.Count(text, "Missing") != 1 || !strings.Contains(text, "```go\n// Status codes.\nconst (\n\t// All went well.\n\tOK = 200\n\tMissing = 404 // not there\n)\n```") {
		t.Errorf("got\n%s", text)
	}
}

func TestConditionalTypesDoNotComeWithSeveralSymbols(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "route", Version: "1.0.0", Symbols: []apidoc.Symbol{
		{Path: "get", Kind: apidoc.Func, Signature: "function get<P extends string>(path: Path): Joined<P, '/'>"},
		{Path: "put", Kind: apidoc.Func, Signature: "function put<P extends string>(path: Path): Joined<P, '/'>"},
		{Path: "Path", Kind: apidoc.Type, Signature: "type Path = 'a' | 'b'"},
		{Path: "Joined", Kind: apidoc.Type, Signature: "type Joined<A extends string, B extends string> = B extends '' ? Joined<A, '/'> : A extends '' ? B : A extends '/' ? B : never"},
	}}
	text := describe(t, p, Options{Guide: guide}, "get put").Text
	if strings.Contains(text, "type Joined") || strings.Count(text, "type Path") != 1 {
		t.Errorf("got\n%s", text)
	}
	if text := describe(t, p, Options{Guide: guide}, "get").Text; !strings.Contains(text, "type Joined") {
		t.Errorf("one alone comes without what it returns:\n%s", text)
	}
}

// A class that is created with an explicit constructor is shown with only that constructor as a
// parameter.
func TestWhatAClassInheritsIsNotNeededToMakeIt(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "python", Style: apidoc.Style{Syntax: pythonSyntax, Name: "Python", Fence: "python", LineComment: "# ", Nested: true, Indented: true}, Name: "jars", Version: "1.0.0", Symbols: []apidoc.Symbol{
		{Path: "send", Kind: apidoc.Func, Signature: "def send(jar: Jar)"},
		{Path: "Jar", Kind: apidoc.Class, Signature: "class Jar(Base)", File: "jars.py", Line: 1, Members: []apidoc.Symbol{
			{Path: "Jar.__init__", Kind: "constructor", Signature: "def __init__(self, policy=None)", File: "base.py", Line: 9, From: "Base"},
			{Path: "Jar.get", Kind: apidoc.Method, Signature: "def get(self)", File: "jars.py", Line: 2},
			{Path: "Jar.quote_re", Kind: "attribute", Signature: "quote_re = re.compile('x')", File: "base.py", Line: 3, From: "Base"},
		}},
	}}
	text := describe(t, p, Options{Guide: guide}, "send").Text
	if strings.Contains(text, "quote_re") || !strings.Contains(text, "def __init__(self, policy=None)") {
		t.Errorf("got\n%s", text)
	}
}

func TestAFunctionThatTakesItsResultDoesNotMakeTheFirst(t *testing.T) {
	p := locks()
	p.Symbols = append(p.Symbols,
		apidoc.Symbol{Path: "Level", Kind: apidoc.Type, Signature: "type Level int"},
		apidoc.Symbol{Path: "Parse", Kind: apidoc.Func, Of: "Level", Signature: "func Parse(s string) Level"},
		apidoc.Symbol{Path: "SetLevel", Kind: apidoc.Func, Of: "Level", Signature: "func SetLevel(l Level) (old Level)"},
		apidoc.Symbol{Path: "Log", Kind: apidoc.Func, Signature: "func Log(l Level)"})
	text := describe(t, p, Options{Guide: guide}, "Log").Text
	if !strings.Contains(text, "func Parse(") || strings.Contains(text, "SetLevel") {
		t.Errorf("got\n%s", text)
	}
}

// TestSearch_CommentsOnFieldsOfAnInput expects the best match of each of several queries, if it is an
// operation with an input of its own, to be shown with the comments on the fields of the input.
func TestSearch_CommentsOnFieldsOfAnInput(t *testing.T) {
	p := locks()
	p.Symbols[2].Members[0].Doc += "\n\n" + strings.Repeat("It fails if the lock is busy, or if the caller may not do it. ", 6)
	input := &p.Symbols[3]
	input.Signature = "type AmendInput struct {\n"
	for i := range 7 {
		name, doc := fmt.Sprint("Weight", i), fmt.Sprintf("Weight%d is what gate number %d carries at most, in tons.", i, i)
		input.Members = append(input.Members, apidoc.Symbol{Path: "AmendInput." + name, Kind: apidoc.Field, Signature: name + " int", Doc: doc})
		input.Signature += "\t// " + doc + "\n\t" + name + " int\n"
	}
	input.Signature += "}"
	r := NewRenderer(p)
	var results []QueryResult
	for _, query := range []string{"amend a chamber in which ships are lifted", "busy", "missing", "lock", "client"} {
		hits, total := search.New(r.pkg).Search(query, search.Options{})
		w := QueryResult{Query: query, Total: total}
		for _, h := range hits {
			w.Hits = append(w.Hits, Hit{Renderer: r, Hit: h})
		}
		results = append(results, w)
	}
	text := Search([]*Renderer{r}, nil, results, Options{Guide: guide}).Text
	if !strings.Contains(text, "// Weight6 is what gate number 6 carries at most, in tons.\n") {
		t.Errorf("the comments on the fields are missing:\n%s", text)
	}
}
