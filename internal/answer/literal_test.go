package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// literals returns a package with aliases of object literals, which npm packages use for options.
func literals() *apidoc.Package {
	return &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "box", Symbols: []apidoc.Symbol{
		{Path: "open", Kind: "function", Signature: "function open(options: Options, more: Both, size: Size, shape: Shape): void"},
		{Path: "Options", Kind: apidoc.Type, Signature: "type Options = { wide?: boolean; done: (code: number) => void; }", Members: []apidoc.Symbol{
			{Path: "Options.wide", Kind: apidoc.Property, Signature: "wide?: boolean", Doc: "Whether it is wide."},
			{Path: "Options.done", Kind: apidoc.Property, Signature: "done: (code: number) => void"},
		}},
		{Path: "Base", Kind: apidoc.Interface, Signature: "interface Base", Members: []apidoc.Symbol{
			{Path: "Base.id", Kind: apidoc.Property, Signature: "id: string"},
		}},
		{Path: "Both", Kind: apidoc.Type, Signature: "type Both = Base & { high?: boolean; }", Members: []apidoc.Symbol{
			{Path: "Both.id", Kind: apidoc.Property, Signature: "id: string", From: "Base"},
			{Path: "Both.high", Kind: apidoc.Property, Signature: "high?: boolean", Doc: "Whether it is high."},
		}},
		{Path: "Size", Kind: apidoc.Type, Signature: "type Size = { width: number; height: number; }", Members: []apidoc.Symbol{
			{Path: "Size.width", Kind: apidoc.Property, Signature: "width: number"},
			{Path: "Size.height", Kind: apidoc.Property, Signature: "height: number"},
		}},
		{Path: "Shape", Kind: apidoc.Type, Signature: "type Shape = { kind: 'round'; } | { kind: 'flat'; }", Members: []apidoc.Symbol{
			{Path: "Shape.kind", Kind: apidoc.Property, Signature: "kind: 'round'", Doc: "Which."},
			{Path: "Shape.kind", Kind: apidoc.Property, Signature: "kind: 'flat'", Doc: "Which."},
		}},
	}}
}

func TestTheMembersOfALiteralAreWrittenOnce(t *testing.T) {
	p := literals()
	text := describe(t, p, Options{Guide: guide}, "open").Text
	for _, want := range []string{
		"type Options = {\n  // Whether it is wide.\n  wide?: boolean\n  done: (code: number) => void\n}\n",
		"type Both = Base & {\n  id: string\n  // Whether it is high.\n  high?: boolean\n}\n",
		"type Size = { width: number; height: number; }\n", // no comments on its members
		"type Shape = { kind: 'round'; } | { kind: 'flat'; }",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	for path, want := range map[string]string{
		"Options": "type Options = { … }", "Both": "type Both = Base & { … }", "Size": "type Size = { … }",
		"Shape": "type Shape = { kind: 'round'; } | { kind: 'flat'; }",
	} {
		if text := describe(t, p, Options{Guide: guide}, path).Text; !strings.Contains(text, "```ts\n"+want+"\n") {
			t.Errorf("%s: no %q in\n%s", path, want, text)
		}
	}
}

// TestLargeOptionsAreShownInShort checks that options that do not fit are at least shown by name,
// because a reader needs them to call the function.
func TestLargeOptionsAreShownInShort(t *testing.T) {
	options := apidoc.Symbol{Path: "Options", Kind: apidoc.Type}
	var body strings.Builder
	add := func(name, typ string) {
		options.Members = append(options.Members, apidoc.Symbol{Path: "Options." + name, Kind: apidoc.Property, Signature: name + "?: " + typ})
		body.WriteString(name + "?: " + typ + "; ")
	}
	add("name", "string")
	for i := range 40 {
		add(fmt.Sprint("group", i), "{ "+strings.Repeat(fmt.Sprint("setting", i, ": string; "), 20)+"}")
	}
	options.Signature = "type Options = { " + body.String() + "}"
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "box", Symbols: []apidoc.Symbol{
		{Path: "open", Kind: "function", Signature: "function open(options: Options): void"}, options,
	}}
	if text := describe(t, p, Options{Guide: guide}, "open").Text; !strings.Contains(text, "type Options = {\n  name?: string\n  group0?: { … }\n") {
		t.Errorf("the types of the options are not listed:\n%s", text)
	}
	for i := range 400 {
		add(fmt.Sprint("more", i), "{ a: string; b: number; }")
	}
	options.Signature = "type Options = { " + body.String() + "}"
	p.Symbols[1] = options
	if text := describe(t, p, Options{Guide: guide}, "open").Text; !strings.Contains(text, "type Options = { … }\n// has name, group0, group1, ") {
		t.Errorf("the names of the options are not listed:\n%s", text)
	}
}

func TestAnAliasThatOnlyNamesItsMembersNamesThemOnce(t *testing.T) {
	p := literals()
	r := NewRenderer(p)
	text, _, _ := r.listing([]decl{{symbols: p.Symbols[1:2]}}, depth{members: names}, 0, nil)
	if want := p.Symbols[1].Signature + "\n"; text != want {
		t.Errorf("got %q, want %q", text, want)
	}
}

func FuzzWithoutLiterals(f *testing.F) {
	f.Add("type A = B<{ a: 1; }> & { b(c: { d: 1; }): void; e: () => x; }", "e: () => x")
	f.Add("type A = { a: 1; } | B", "a: 1")
	f.Add("type A = }{>", "a")
	r := NewRenderer(&apidoc.Package{Style: npmStyle})
	f.Fuzz(func(t *testing.T, signature, member string) {
		d := r.withoutLiterals(parsed(npmSyntax, apidoc.Type, signature), &apidoc.Symbol{Kind: apidoc.Type, Members: []apidoc.Symbol{{Path: "a", Signature: member}}})
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
