package modules

import (
	"os"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/apidoc/decltest"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/naming"
)

// TestSyntax_Parts compares the parts of each text in a file with the outline that
// follows. A text begins with "> ", and ⏎ represents a line break in it.
func TestSyntax_Parts(t *testing.T) {
	golden, err := os.ReadFile("testdata/syntax.golden")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for block := range strings.SplitSeq(strings.TrimPrefix(string(golden), "> "), "\n> ") {
		line, _, _ := strings.Cut(block, "\n")
		signature := strings.ReplaceAll(line, "⏎", "\n")
		d := apidoc.Decl{Text: signature, Parts: Syntax{}.Parts(&apidoc.Symbol{Signature: signature})}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
		got = append(got, "> "+line+"\n"+decltest.Outline(d))
	}
	filetest.Golden(t, "testdata/syntax.golden", strings.Join(got, ""))
}

func TestSyntax_TextsThatAreNoDeclarations(t *testing.T) {
	for _, signature := range []string{
		"", "function f(", "type A =", "const a: b c", "interface A extends", "(a: A)) : B", "x: {a: }", "x: A<B", "x: `${`", "x: `${A B}`", "export {", "export { a b }",
		"x: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "x: " + strings.Repeat("<A extends ", 50) + "B", "\xff", "x = ,", "class A extends ",
	} {
		if parts := (Syntax{}).Parts(&apidoc.Symbol{Signature: signature}); len(parts) > 0 {
			t.Errorf("%.40q has the parts\n%s", signature, decltest.Outline(apidoc.Decl{Text: signature, Parts: parts}))
		}
	}
}

func TestSyntax_Roles(t *testing.T) {
	doc := newWorld(map[string]string{"index.d.ts": `export class C { constructor(); a: 1; get b(): 1; c(): void; [k: string]: any }
export interface I { (): void; new (): C }
export enum E { x }
export namespace N { const n: 1; function g(): void }
export type T = 1; export let v: 1; export function f(): void;`}).read(t)
	got := map[string]string{}
	for s := range doc.All {
		got[s.Path] = s.Role().String()
	}
	for path, want := range map[string]string{
		"C": "type", "C.constructor": "constructor", "C.a": "field", "C.b": "field", "C.c": "callable", "C.[k: string]": "field", "I": "type", "I.()": "callable", "I.new()": "constructor",
		"E": "type", "E.x": "enum value", "N": "module", "N.n": "value", "N.g": "callable", "T": "type", "v": "value", "f": "callable",
	} {
		if got[path] != want {
			t.Errorf("the role of %s is %q, not %q", path, got[path], want)
		}
	}
}

// expectParts reports symbols of a package whose declarations have no parts, and
// references to symbols that the package does not contain.
func expectParts(t testing.TB, doc *apidoc.Package) {
	t.Helper()
	with := *doc
	with.Style.Syntax = Syntax{}
	r := naming.NewResolver(&with)
	for _, list := range [][]apidoc.Symbol{doc.Symbols, doc.Internal} {
		p := apidoc.Package{Symbols: list}
		for s := range p.All {
			d := r.Decl(s)
			if err := d.Check(); err != nil {
				t.Error(err)
			}
			for i := range d.References(-1) {
				if to := d.Parts[i].Target; to != nil && to.Package == "" && doc.At(to.Path) == nil && !strings.Contains(to.Path, ".") {
					t.Errorf("%s refers to %s, which is not a symbol", s.Path, to.Path)
				}
			}
			if len(d.Parts) == 0 {
				t.Errorf("the declaration of %s has no parts: %q", s.Path, s.Signature)
			}
		}
	}
}

func FuzzSyntax(f *testing.F) {
	for _, seed := range []string{
		"function f<T extends U = V>(this: W, { a }?: T, ...b: T[]): asserts b is T", "class A<in T> extends B(C).D implements E", "type A<T> = T extends (infer U extends V ? W : X) ? `${U}${`${T}`}` : () => void",
		"x?: { [K in T as N]-?: U; (a: A): B; new (): C; [k: string]: D; get e(): F }", "const a = { b: [1] }\nlet c: [d: e, ...f: typeof import('g').h<i>]", "export { a as b } from 'c'",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, signature string) {
		d := apidoc.Decl{Text: signature, Parts: Syntax{}.Parts(&apidoc.Symbol{Signature: signature})}
		if err := d.Check(); err != nil {
			t.Error(err)
		}
	})
}
