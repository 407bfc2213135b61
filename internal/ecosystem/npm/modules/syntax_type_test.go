package modules

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestSyntax_TypesInEveryPlace reads a type as that of an alias, of a parameter, of a result and of a
// property. In each place, the declaration must have parts, and its references must be those of the
// type, without those to the language's own types: names that the declaration binds are in angle
// brackets.
func TestSyntax_TypesInEveryPlace(t *testing.T) {
	for _, tt := range []struct{ typ, references string }{
		{"A", "A"},
		{"A.B.C", "A.B.C"},
		{"A<B, C[]>", "A B C"},
		{"readonly A[] | undefined", "A"},
		{"[A, b?: B, ...C[]]", "A B C"},
		{"[first: A, second?: B, ...rest: C[]]", "A B C"},
		{"A | B & C", "A B C"},
		{"| A\n  | B", "A B"},
		{"(a: A, b?: B, ...c: C[]) => D", "A B C D"},
		{"new (a: A) => B", "A B"},
		{"abstract new () => A", "A"},
		{"<T extends A = B>(a: T) => T[]", "A B <T> <T>"},
		{"<const T extends readonly A[]>(a: T) => T", "A <T> <T>"},
		{"(this: A, { b, c }: B, [d]: C) => void", "A B C"},
		{"(a: A) => a is B", "A B"},
		{"(a: A) => asserts a is B", "A B"},
		{"(a: A) => asserts a", "A"},
		{"{ a: A; readonly b?: B; [c: string]: C; d(e: D): E; get f(): F; new (): G; <T>(): T }", "A B C D E F G <T>"},
		{"{ -readonly [K in keyof A]-?: A[K] }", "A A <K>"},
		{"{ [K in A as `get${Capitalize<K>}`]?: B }", "A <K> B"},
		{"{ +readonly [K in A]+?: B }", "A B"},
		{"keyof typeof a.b", "a.b"},
		{"typeof a<B>", "a B"},
		{"unique symbol", ""},
		{"A['b'][number][C]", "A C"},
		{"A extends B ? C : D", "A B C D"},
		{"A extends (infer U extends B)[] ? U : never", "A B <U>"},
		{"A extends (...a: infer P) => infer R ? [P, R] : C", "A <P> <R> C"},
		{"A extends () => B extends C ? D : E ? F : G", "A B C D E F G"},
		{"A extends new () => B ? C : D", "A B C D"},
		{"A extends { b: infer U } ? U extends C ? D : U : E", "A <U> C D <U> E"},
		{"(A extends B ? C : D)[]", "A B C D"},
		{"`a${A}b${B | 'c'}`", "A B"},
		{"`a${`b${A}`}`", "A"},
		{"'a' | 1 | -1 | 10n | true | null | undefined", ""},
		{"import('./other').A<B>", "import('./other').A B"},
		{"typeof import('./other')", "import('./other')"},
		{"import('other', { with: { 'resolution-mode': 'import' } }).A", "import('other', { with: { 'resolution-mode': 'import' } }).A"},
		{"(A)", "A"},
		{"((a: A) => B) | (() => C)", "A B C"},
		{"A<(b: B) => C>", "A B C"},
		{"asserts | is | infer", "asserts is infer"},
		{"/* a */ A", "A"},
		{"{}", ""},
		{"[]", ""},
		{"A<{ b: B }>['b']", "A B"},
		{"{ a: { b: { c: A } } }", "A"},
		{"(a?: A, b?) => B", "A B"},
		{"{ async: A; readonly: B; get: C; new: D; in?: E; 'a-b': F; 1: G; [Symbol.iterator](): H }", "A B C D E F G H"},
		{"A<typeof b[number]>", "A b"},
		{"A!", "A"},
	} {
		typ := strings.TrimSuffix(tt.typ, "!")
		for place, signature := range map[string]string{"alias": "type X = " + typ, "parameter": "function f(x: " + typ + "): void", "property": "readonly x?: " + typ, "constant": "const x: " + typ, "argument": "class X extends Y<" + typ + ">"} {
			d := apidoc.Decl{Text: signature, Parts: Syntax{}.Parts(&apidoc.Symbol{Signature: signature})}
			if err := d.Check(); err != nil {
				t.Errorf("%s as that of %s: %v", tt.typ, place, err)
			}
			var got []string
			for i := range d.References(-1) {
				switch flags := d.Parts[i].Flags; {
				case flags&apidoc.Local != 0:
					got = append(got, "<"+d.PartText(i)+">")
				case flags&apidoc.Builtin == 0:
					got = append(got, d.PartText(i))
				}
			}
			want := tt.references
			if place == "argument" {
				want = strings.TrimSpace("Y " + want)
			}
			if s := strings.Join(got, " "); len(d.Parts) == 0 || s != want {
				t.Errorf("%s as that of %s: %d parts, references %q, want %q", tt.typ, place, len(d.Parts), s, want)
			}
		}
	}
}
