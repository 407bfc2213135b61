package modules

import (
	"strings"
	"testing"
)

// TestComponent_PropTypes checks how the types of props are written: literals instead of names and operators, without undefined.
func TestComponent_PropTypes(t *testing.T) {
	const types = `import * as React from "react"; type Size = "s" | "m"; type All = Size | "l"; interface Sizes { s: 1; m: 2 } declare const sizes: { s: number; m: number }; interface Base { a: string; b?: number; c(d: Date): void }
type Box<T> = { value: T; set(v: T): void }; enum Level { Low, High } type Any = string & {}; type Maybe<T> = T | undefined; `
	for _, c := range [][2]string{
		{"p: Size", `p: "s" | "m"`}, {"p?: Size | undefined", `p?: "s" | "m"`}, {"p: Exclude<All, 'l'>", `p: "s" | "m"`}, {"p: Extract<All, Size | 'x'>", `p: "s" | "m"`}, {"p: keyof Sizes", `p: "s" | "m"`}, {"p: keyof typeof sizes", `p: "s" | "m"`},
		{"p: Sizes[keyof Sizes]", "p: 1 | 2"}, {"p: Size | Any", `p: "s" | "m" | (string & {})`}, {"p: 'a' | 'b'", `p: "a" | "b"`}, {"p: Box<'a' | (number & {}) | (string & {})>['value']", `p: "a" | (number & {}) | (string & {})`}, {"p: Size | boolean", `p: "s" | "m" | boolean`}, {"p: Size | null", `p: "s" | "m" | null`},
		{"p: `${Size}-x`", "p: `${Size}-x`"}, {"p: 'a' extends All ? 1 : 's'", `p: "s"`}, {"p?: Maybe<Size>", `p?: "s" | "m"`}, {"p: Size[]", "p: Size[]"}, {"p: (s: Size) => void", "p: (s: Size) => void"}, {"p(s: Size): void", "p(s: Size): void"},
		{"p: (Size)", `p: "s" | "m"`}, {"p: (Size | 'l') | 'x'", `p: "s" | "m" | "l" | "x"`}, {"p: Base['a']", "p: string"}, {"p: Date", "p: Date"}, {"p: number | string", "p: number | string"}, {"p: React.ReactNode", "p: React.ReactNode"},
		{"readonly p: string", "p: string"}, {"'p-q': string", `"p-q": string`}, {"p: { a: Size }", "p: { a: Size; }"}, {"p?: never", ""}, {"p", "p: any"},
	} {
		got := described(t, map[string]string{
			"package.json": `{"types":"index.d.ts"}`, "index.d.ts": types + "export declare const X: React.FC<{ " + c[0] + " }>;",
			"@types/react:package.json": `{"types":"index.d.ts"}`, "@types/react:index.d.ts": reactTypes, "react:package.json": `{"main":"index.js"}`, "react:index.js": ``,
		})
		if got = strings.TrimSpace(strings.ReplaceAll(got, "prop ", "")); got != c[1] {
			t.Errorf("%s is written as %q, want %q", c[0], got, c[1])
		}
	}
}

// TestComponent_MergedProps checks props that several parts of an intersection or a union declare, and props of generic objects.
func TestComponent_MergedProps(t *testing.T) {
	const types = `import * as React from "react"; type Box<T> = { value: T; set(v: T): void }; interface Base { a: string; b?: number } interface Wide extends Base { c: boolean } type Opt<T> = { [K in keyof T]?: T[K] }; `
	for _, c := range [][2]string{
		{"{ p: 'a' | 'b' } & { p: 'b' | 'c' }", `p: "b"`}, {"{ p: string } & { p: 'b' | 'c' }", `p: "b" | "c"`}, {"{ p: 'a' } | { p: 'b'; q: number }", `p: "a" | "b"; q?: number`}, {"{ p?: 1 } & { p: number }", "p: 1 & number"},
		{"Box<string>", "value: string; set(v: string): void"}, {"Box<'a' | 'b'>", `value: "a" | "b"; set(v: 'a' | 'b'): void`}, {"Partial<Base>", "a?: string; b?: number"}, {"Required<Base>", "a: string; b: number"}, {"Opt<Base>", "a?: string; b?: number"},
		{"Pick<Wide, 'a' | 'c'>", "c: boolean; a: string"}, {"Omit<Wide, 'a'>", "c: boolean; b?: number"}, {"Record<'a' | 'b', Date>", "a: Date; b: Date"}, {"Readonly<Wide>", "c: boolean; a: string; b?: number"}, {"Base & { b: number }", "a: string; b: number"},
		{"Omit<Wide, 'b'> & { b: Date }", "c: boolean; a: string; b: Date"}, {"React.PropsWithChildren<Base>", "a: string; b?: number; + 1 props from @types/react"},
	} {
		got := described(t, map[string]string{
			"package.json": `{"types":"index.d.ts"}`, "index.d.ts": types + "export declare const X: React.FC<" + c[0] + ">;",
			"@types/react:package.json": `{"types":"index.d.ts"}`, "@types/react:index.d.ts": reactTypes, "react:package.json": `{"main":"index.js"}`, "react:index.js": ``,
		})
		if got = strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(got, "prop ", "")), "\n", "; "); got != c[1] {
			t.Errorf("the props of %s are %q, want %q", c[0], got, c[1])
		}
	}
}
