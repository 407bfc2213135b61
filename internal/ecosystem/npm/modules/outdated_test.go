package modules

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// noticed lists symbols and their members, one per line, with the deprecation notice.
func noticed(symbols []apidoc.Symbol) string {
	var lines []string
	for i := range symbols {
		for s := range (&apidoc.Package{Symbols: symbols[i : i+1]}).All {
			line := s.Path + ": " + strings.ReplaceAll(s.Signature, "\n", " / ")
			if s.Doc != "" {
				line += " // " + s.Doc
			}
			if s.Deprecated != "" {
				line += " DEPRECATED: " + s.Deprecated
			}
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

func TestDeprecatedOverloads_AreToldFromOthers(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{
			"of a function",
			"/** Opens. */ export declare function open(a: string): void;\n/** @deprecated pass text */ export declare function open(a: number): void;",
			"open: function open(a: string): void // Opens.\nopen: function open(a: number): void DEPRECATED: pass text",
		},
		{
			"that come first",
			"/** @deprecated pass text */ export declare function open(a: number): void;\nexport declare function open(a: string): void;",
			"open: function open(a: string): void\nopen: function open(a: number): void DEPRECATED: pass text",
		},
		{
			"if all are, there is one symbol",
			"/** @deprecated use b */ export declare function a(x: number): void;\n/** @deprecated use c */ export declare function a(x: string): void;",
			"a: function a(x: number): void / function a(x: string): void DEPRECATED: use b",
		},
		{
			"of the calls of an interface",
			"export interface Make {\n (x: string[]): void;\n /** @deprecated pass an array */ (x: object): void;\n /** @deprecated pass an array */ (x: object, y: 1): void;\n}\nexport declare const make: Make;",
			"Make: interface Make\nMake.(): (x: string[]): void\nMake.(): (x: object): void / (x: object, y: 1): void DEPRECATED: pass an array\nmake: const make: Make",
		},
		{
			"of a method, also where it is inherited",
			"export declare class A {\n m(x: string): void;\n /** @deprecated pass text */ m(x: number): void;\n}\nexport declare class B extends A { }",
			"A: class A\nA.m: m(x: string): void\nA.m: m(x: number): void DEPRECATED: pass text\n" +
				"B: class B extends A\nB.m: m(x: string): void\nB.m: m(x: number): void DEPRECATED: pass text",
		},
		{
			"whose comment is the only one",
			"export declare function open(a: string): void;\n/** Opens.\n * @deprecated pass text */ export declare function open(a: number): void;\n" +
				"export declare class A {\n m(x: string): void;\n /** Opens.\n @deprecated pass text */ m(x: number): void;\n}\nexport declare class B extends A { }",
			"open: function open(a: string): void // Opens.\nopen: function open(a: number): void DEPRECATED: pass text\n" +
				"A: class A\nA.m: m(x: string): void // Opens.\nA.m: m(x: number): void DEPRECATED: pass text\n" +
				"B: class B extends A\nB.m: m(x: string): void // Opens.\nB.m: m(x: number): void DEPRECATED: pass text",
		},
		{
			"of a constructor",
			"export declare class A {\n /** @deprecated pass text */ constructor(x: number);\n constructor(x: string);\n}",
			"A: class A\nA.constructor: constructor(x: string)\nA.constructor: constructor(x: number) DEPRECATED: pass text",
		},
		{
			"of a function behind a value",
			"declare function f(x: string): void;\n/** @deprecated pass text */ declare function f(x: number): void;\nexport declare const g: typeof f;\nexport {};",
			"g: const g: typeof f\ng.(): (x: string): void\ng.(): (x: number): void DEPRECATED: pass text",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := noticed(newWorld(map[string]string{"index.d.ts": tt.src}).read(t).Symbols)
			if got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}
