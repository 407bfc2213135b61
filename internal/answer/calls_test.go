package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// curried returns a package of values that are called in two ways and have long comments.
func curried() *apidoc.Package {
	p := &apidoc.Package{Name: "flow", Version: "1.0.0", Style: apidoc.Style{Syntax: npmSyntax, Fence: "ts", LineComment: "// "}}
	for i, name := range []string{"each", "retry", "partition", "tryAll", "spread", "repeat", "after", "never"} {
		const first = "<A, B>(f: (a: A, i: number) => Flow<B>, options?: { readonly concurrency?: Concurrency | undefined; readonly discard?: boolean | undefined; }): (items: Iterable<A>) => Flow<B[]>"
		second := "<A, B>(items: Iterable<A>, f: (a: A, i: number) => Flow<B>, options?: { readonly concurrency?: Concurrency | undefined; }): Flow<B[]>"
		s := apidoc.Symbol{
			Path: name, Kind: apidoc.Const, File: "flow.d.ts", Line: 10 * (i + 1),
			Signature: "const " + name + ": { " + first + "; " + second + "; }",
			Doc:       fmt.Sprintf("It is the flow number %d.\n\n**Example**\n\n```ts\nflow.%s()\n```\n\n%s", i, name, strings.Repeat("It has much to say about flows. ", 60)),
		}
		s.Members = []apidoc.Symbol{{Path: name + ".()", Kind: "call signature", Signature: first + "\n" + second, Doc: s.Doc}}
		p.Symbols = append(p.Symbols, s)
	}
	return p
}

func TestSeveralSymbols_DeclarationsAreWholeBeforeCommentsAre(t *testing.T) {
	p := curried()
	var names []string
	for i := range p.Symbols {
		names = append(names, p.Symbols[i].Path)
	}
	text := describe(t, p, Options{Guide: guide}, strings.Join(names, ", ")+", gone, missing, lost, absent").Text
	for i := range p.Symbols {
		s := &p.Symbols[i]
		if !strings.Contains(text, s.Signature+"\n") || !strings.Contains(text, fmt.Sprintf("flow number %d.", i)) {
			t.Errorf("the declaration of %s or the beginning of its comment is not in\n%s", s.Path, text)
		}
	}
	if strings.Contains(text, "Members:") {
		t.Errorf("ways to call a value are listed below its declaration, which has them:\n%s", text)
	}
}

func TestCallsOfAValue_AreListedUnlessTheDeclarationHasThem(t *testing.T) {
	const literal = "const f: { (a: string): void; (a: number): void; }"
	for name, tt := range map[string]struct {
		signature  string
		member     apidoc.Symbol
		declaresIt bool
	}{
		"it has them":                       {literal, apidoc.Symbol{Signature: "(a: string): void\n(a: number): void"}, true},
		"with the same comment":             {literal, apidoc.Symbol{Signature: "(a: string): void", Doc: "Calls it."}, true},
		"with another comment":              {literal, apidoc.Symbol{Signature: "(a: string): void", Doc: "Only text."}, false},
		"deprecated":                        {literal, apidoc.Symbol{Signature: "(a: number): void", Deprecated: "pass text"}, false},
		"it has only some":                  {literal, apidoc.Symbol{Signature: "(a: string): void\n(a: boolean): void"}, false},
		"an alias, whose literal is elided": {"type F = { (a: string): void; }", apidoc.Symbol{Signature: "(a: string): void"}, false},
		"it names a type":                   {"const f: F", apidoc.Symbol{Signature: "(a: string): void"}, false},
	} {
		s := apidoc.Symbol{Path: "f", Kind: apidoc.Const, Signature: tt.signature, Doc: "Calls it."}
		if strings.HasPrefix(name, "an alias") {
			s.Kind = apidoc.Type
		}
		r := NewRenderer(&apidoc.Package{Style: npmStyle})
		tt.member.Path, tt.member.Kind = "f.()", apidoc.CallSignature
		if got := r.saysCalls(&s, &tt.member); got != tt.declaresIt {
			t.Errorf("%s: got %t", name, got)
		}
	}
}
