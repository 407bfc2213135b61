package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// pipe has as many overloads as n, each with one parameter more.
func pipe(n int) *apidoc.Package {
	var signatures, docs []string
	for i := 1; i <= n; i++ {
		var parameters, items []string
		for j := range i {
			parameters = append(parameters, fmt.Sprintf("step%d: (value: unknown) => unknown", j))
			items = append(items, fmt.Sprintf("- `step%d`: One step.", j))
		}
		signatures = append(signatures, "function pipe("+strings.Join(parameters, ", ")+"): void")
		docs = append(docs, "Calls one after another.\n\n**Parameters:**\n\n"+strings.Join(items, "\n")+"\n\n**Returns:** Nothing.")
	}
	return &apidoc.Package{Ecosystem: "npm", Style: typescript, Name: "pipe", Version: "1.0.0", Symbols: []apidoc.Symbol{
		{Path: "pipe", Kind: "function", Signature: strings.Join(signatures, "\n"), Doc: strings.Join(docs, "\n\n")},
	}}
}

func TestManyOverloadsAreToldByTheFirstAndTheLast(t *testing.T) {
	p := pipe(20)
	s := &p.Symbols[0]
	lines := strings.Split(s.Signature, "\n")
	a := Symbol(p, s, Options{Guide: npmGuide})
	text := a.Markdown()
	short := a.Symbols[0].Signature
	if limit := Bytes(DefaultMaxTokens) / overloadShare; len(short) > limit+len("\n// … 20 more overloads\n") {
		t.Errorf("the overloads take %d bytes of %d", len(short), limit)
	}
	if !strings.HasPrefix(short, lines[0]+"\n"+lines[1]+"\n") || !strings.HasSuffix(short, " more overloads\n"+lines[19]) {
		t.Errorf("not the first and the last overloads, but\n%s", short)
	}
	left := 20 - strings.Count(short, "function pipe(")
	if want := fmt.Sprintf("%d overloads are left out; %s.", left, npmGuide.Larger); !strings.Contains(text, want) {
		t.Errorf("no %q in\n%s", want, text)
	}
	if all := Symbol(p, s, Options{MaxTokens: -1, Guide: npmGuide}); all.Symbols[0].Signature != s.Signature || len(all.Omitted) > 0 {
		t.Errorf("without a bound there are\n%s\n%q", all.Symbols[0].Signature, all.Omitted)
	}
	few := pipe(3)
	if a := Symbol(few, &few.Symbols[0], Options{}); a.Symbols[0].Signature != few.Symbols[0].Signature {
		t.Errorf("of three overloads there are\n%s", a.Symbols[0].Signature)
	}
}

func TestCommentsOfOverloadsAreToldOnce(t *testing.T) {
	p := pipe(3)
	want := "Calls one after another.\n\n**Returns:** Nothing.\n\n**Parameters:**\n\n- `step0`: One step.\n- `step1`: One step.\n- `step2`: One step."
	for _, tokens := range []int{0, -1} {
		if got := Symbol(p, &p.Symbols[0], Options{MaxTokens: tokens}).Symbols[0].Doc; got != want {
			t.Errorf("within %d tokens:\n%s", tokens, got)
		}
	}
	for name, doc := range map[string]string{
		"different lists":          "A.\n\n**Parameters:**\n\n- `a`: One.\n\nB.\n\n**Parameters:**\n\n- `b`: Two.",
		"empty lines within code":  "A.\n\n```ts\nf()\n\nf()\n```",
		"lists of different names": "**Parameters:**\n\n- `a`: One.\n\n**Type parameters:**\n\n- `a`: One.\n- `b`: Two.",
	} {
		if got := once(doc); got != doc {
			t.Errorf("%s: %q became\n%s", name, doc, got)
		}
	}
}

func TestOverloadsAreDeclarationsOfOneName(t *testing.T) {
	for signature, want := range map[string]int{
		"function f(a: A): B\nfunction f<T>(a: T): B": 2,
		"new (a: A): B\nnew (): B":                    2,
		"class F\ninterface F<T>":                     0,
		"interface F {\n\tf(): void\n}":               0,
		"function f(): void\nfunction g(): void":      0,
		"function f(): void":                          0,
		"const f: {\n(): void\n}":                     0,
	} {
		if got := len(overloads(signature)); got != want {
			t.Errorf("%q has %d", signature, got)
		}
	}
}

func TestADefaultExportIsCalledByItsName(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: typescript, Name: "p-queue", Version: "1.0.0", Symbols: []apidoc.Symbol{
		{Path: "default", Kind: apidoc.Class, Signature: "class PQueue", Members: []apidoc.Symbol{
			{Path: "default.add", Kind: apidoc.Method, Signature: "add(): void", Doc: "Adds."},
			{Path: "default.add", Kind: apidoc.Method, Signature: "static add(): void", Doc: "Adds to all."},
		}},
	}}
	text := Symbol(p, &p.Symbols[0].Members[0], Options{}).Markdown()
	for _, want := range []string{
		"# PQueue.add (method) in p-queue@1.0.0\n", "(PQueue is the default export)", "## Of the same name\n\n```ts\nstatic add(): void\n```\n\nAdds to all.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}
