package modules

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/dts"
)

// TestExtends compares types: yes says that the first extends the second.
func TestExtends(t *testing.T) {
	const lib = "interface A { a: string }\ninterface B extends A { b: number }\ndeclare class C { c: 1 }\ndeclare class D extends C { d: 2 }\n" +
		"declare class P { private p: 1 }\ndeclare class PP extends P {}\ndeclare class H { #p }\ndeclare class Q { private q?: 1 }\n" +
		"interface Call { (): void; name?: string }\ninterface Make { new (): A; name?: string }\ndeclare enum E { x, y }\ndeclare enum S { p = 'p', q = 'q' }\ntype If<T, U> = [T] extends [U] ? { yes: 1 } : { no: 1 };\ntype Each<T, U> = T extends U ? { yes: 1 } : { no: 1 };\ntype Brand<T> = T & { brand: 1 };\n"
	for _, tt := range []struct{ t, u, want string }{
		{"string", "string", "yes"},
		{"string", "number", "no"},
		{"string", "unknown", "yes"},
		{"string", "any", "yes"},
		{"string", "{}", "yes"},
		{"string", "object", "no"},
		{"string", "'a'", "no"},
		{"'a'", "string", "yes"},
		{"'a'", "'a'", "yes"},
		{"'a'", "'b'", "no"},
		{"'a'", "'a' | 'b'", "yes"},
		{"'a' | 'b'", "'a'", "no"},
		{"'a'", "number", "no"},
		{"'a'", "{}", "yes"},
		{"'a'", "A", "no"},
		{"'a'", "A | string", "yes"},
		{"'a'", "() => void", "no"},
		{"1", "number", "yes"},
		{"1", "string", "no"},
		{"1 | 'a'", "string | number", "yes"},
		{"true", "boolean", "yes"},
		{"boolean", "true", "no"},
		{"null", "undefined", "no"},
		{"null", "null", "yes"},
		{"null", "{}", "no"},
		{"undefined", "void", "yes"},
		{"void", "undefined", "no"},
		{"undefined", "unknown", "yes"},
		{"never", "string", "yes"},
		{"string", "never", "no"},
		{"never", "never", "yes"},
		{"unknown", "string", "no"},
		{"unknown", "unknown", "yes"},
		{"symbol", "string", "no"},
		{"bigint", "number", "no"},
		{"1n", "number", "no"},
		{"0", "1 & any", "yes"},
		{"0", "1 & string", "no"},
		{"undefined", "{ a?: string }['a']", "yes"},
		{"undefined", "{ a: string }['a']", "no"},
		{"Brand<string>", "string", "yes"},
		{"string", "Brand<string>", "no"},
		{"B", "A", "yes"},
		{"A", "B", "no"},
		{"B", "{ a: string }", "yes"},
		{"{ a: string; b: number }", "B", "yes"},
		{"{ a: string }", "{ a: string; b?: number }", "yes"},
		{"{ a?: string }", "{ a: string }", "no"},
		{"A", "object", "yes"},
		{"A", "string", "no"},
		{"A", "{}", "yes"},
		{"A | B", "A", "yes"},
		{"A | string", "A", "no"},
		{"A & { b: number }", "B", "yes"},
		{"B", "A & { b: number }", "yes"},
		{"{ a: 1 }", "{ b?: 1 }", "no"},
		{"{ name?: string }", "Call", "no"},
		{"Call", "{ name?: string }", "yes"},
		{"{ (): void; name?: string }", "Make", "no"},
		{"new () => A", "Make", "yes"},
		{"{ a: 1; b: 1 }", "{ b?: 1 }", "yes"},
		{"{}", "{ b?: 1 }", "yes"},
		{"string & { brand: 'x' }", "string & { brand: 'x' }", "yes"},
		{"string & { brand: 'x' }", "string & { brand: 'y' }", "no"},
		{"string & { brand: 'x' }", "string", "yes"},
		{"string & { brand: 'x' }", "{ brand: string }", "yes"},
		{"string", "string & { brand: 'x' }", "no"},
		{"'a'", "string & { brand: 'x' }", "no"},
		{"'a'", "string & {}", "yes"},
		{"1", "string & {}", "no"},
		{"number & { brand: 'x' }", "string", "no"},
		{"A", "A & { b: number }", "no"},
		{"D", "C", "yes"},
		{"C", "D", "no"},
		{"C", "{ c: 1 }", "yes"},
		{"{ p: 1 }", "P", "no"},
		{"A", "P", "no"},
		{"PP", "P", "yes"},
		{"{ p: 1 }", "H", "no"},
		{"A", "Q", "no"},
		{"{ q: 1 }", "Q", "no"},
		{"{ kind: 'a' }", "{ kind: 'b' }", "no"},
		{"{ kind: 'a' }", "{ kind: string }", "yes"},
		{"[string]", "[string]", "yes"},
		{"[string]", "[number]", "no"},
		{"[string, number]", "[string]", "no"},
		{"[string]", "any[]", "yes"},
		{"string[]", "any[]", "yes"},
		{"() => void", "(...a: any[]) => any", "yes"},
		{"A", "() => void", "no"},
		{"new () => A", "new (...a: any[]) => any", "yes"},
		{"() => void", "new () => void", "no"},
		{"`a${string}`", "string", "yes"},
		{"`a${string}`", "number", "no"},
		{"'ab'", "`a${string}`", "yes"},
		{"'ba'", "`a${string}`", "no"},
		{"'a1'", "`a${number}`", "yes"},
		{"'ab'", "`a${number}`", "no"},
		{"'a-b-c'", "`${string}-${string}`", "yes"},
		{"'atrue'", "`a${boolean}`", "yes"},
		{"'a'", "`${string}${string}${string}`", "no"},
		{"keyof A", "'a'", "yes"},
		{"keyof B", "'a'", "no"},
		{"A['a']", "string", "yes"},
		{"E", "number", "yes"},
		{"E.x", "number", "yes"},
		{"E", "string", "no"},
		{"number", "E", "yes"},
		{"E.x", "E", "yes"},
		{"S", "string", "yes"},
		{"string", "S", "no"},
		{"S.p", "S", "yes"},
		{"Each<string, string>", "{ yes: 1 }", "yes"},
		{"Each<string | number, string>", "{ yes: 1 }", "no"},
		{"Each<never, string>", "never", "yes"},
	} {
		files := map[string]string{"index.d.ts": lib + "export type X = If<" + tt.t + ", " + tt.u + "> & { z: 1 };"}
		got := "undecided"
		if members := membersOfX(t, files); strings.Contains(members, "yes") != strings.Contains(members, "no ") {
			got = strings.Fields(members)[0]
		}
		if got != tt.want {
			t.Errorf("%s extends %s: %s, want %s", tt.t, tt.u, got, tt.want)
		}
	}
}

// TestExtends_NoText compares a type whose node has no text, such as that of an expression.
func TestExtends_NoText(t *testing.T) {
	u := typeRef{node: &dts.Node{Kind: dts.Keyword, Text: "string"}}
	if _, known, _ := (&evaluator{}).primitiveExtends(typeRef{node: &dts.Node{Kind: dts.Keyword}}, u); known {
		t.Error("the condition is decided")
	}
}
