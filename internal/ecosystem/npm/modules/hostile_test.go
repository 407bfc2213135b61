package modules

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

// shape is a kind of structure that is expensive to read. files returns about size bytes of it, in
// the form that newWorld accepts.
type shape struct {
	name  string
	files func(size int) map[string]string
}

// fill appends the text that f returns for 0, 1, 2 … until the result has the given
// size.
func fill(size int, f func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(f(i))
	}
	return b.String()
}

func fillN(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func count(size, each int) int { return max(size/each, 2) }

var sp = fmt.Sprintf

func always(text string) func(int) string { return func(int) string { return text } }

// one returns a shape that consists of one file: the text that f writes, between
// before and after.
func one(before string, f func(i int) string, after string) func(size int) map[string]string {
	return func(size int) map[string]string {
		return map[string]string{"index.d.ts": before + fill(size, f) + after}
	}
}

// nest returns a shape that consists of one file: open n times, the middle, and end n
// times.
func nest(before string, open func(i int) string, middle, end, after string) func(size int) map[string]string {
	return func(size int) map[string]string {
		n := count(size, len(open(1000))+len(end))
		return map[string]string{"index.d.ts": before + fillN(n, open) + middle + strings.Repeat(end, n) + after}
	}
}

// modular returns a shape that consists of n files m0, m1 …, each of about the given
// number of bytes. The package exports the first one.
func modular(each int, f func(i, n int) string) func(size int) map[string]string {
	return func(size int) map[string]string {
		n := count(size, each)
		m := map[string]string{"index.d.ts": "export * from './m0'\n"}
		for i := range n {
			m[sp("m%d.d.ts", i)] = f(i, n)
		}
		return m
	}
}

// packages returns a shape that consists of n packages.
func packages(each int, f func(i, n int) string) func(size int) map[string]string {
	return func(size int) map[string]string {
		n := count(size, each)
		m := map[string]string{"index.d.ts": "export * from 'p0'\n"}
		for i := range n {
			m[sp("p%d:index.d.ts", i)] = f(i, n)
		}
		return m
	}
}

var shapes = []shape{
	{"modules that export two", modular(90, func(i, n int) string {
		return sp("export * from './m%d'\nexport * from './m%d'\nexport const x%d: 1\n", (2*i+1)%n, (2*i+2)%n, i)
	})},
	{"modules that export each other in a ring", modular(60, func(i, n int) string { return sp("export * from './m%d'\nexport const x%d: 1\n", (i+1)%n, i) })},
	{"packages that export each other", func(size int) map[string]string {
		n := 2
		for n*n*22 < size {
			n++
		}
		m := map[string]string{"index.d.ts": "export * from 'p0'\n"}
		for i := range n {
			m[sp("p%d:index.d.ts", i)] = fillN(n, func(j int) string { return sp("export * from 'p%d'\n", j) }) + sp("export interface X%d { x: X%d }\n", i, (i+1)%n)
		}
		return m
	}},
	{"packages that export two", packages(90, func(i, n int) string {
		return sp("export * from 'p%d'\nexport * from 'p%d'\nexport interface X%d { x: X%d }\n", (2*i+1)%n, (2*i+2)%n, i, (i+7)%n)
	})},
	{"packages that export each other as namespaces", packages(90, func(i, n int) string {
		return sp("export * as a from 'p%d'\nexport * as b from 'p%d'\nexport const x%d: 1\n", (2*i+1)%n, (2*i+2)%n, i)
	})},
	{"modules that export each other as namespaces", modular(90, func(i, n int) string {
		return sp("export * as a from './m%d'\nexport * as b from './m%d'\nexport const x%d: 1\n", (2*i+1)%n, (2*i+2)%n, i)
	})},
	{"names exported in a ring", modular(60, func(i, n int) string { return sp("export { x, y as x%d } from './m%d'\n", i, (i+1)%n) })},
	{"names imported and exported of a chain", modular(80, func(i, _ int) string {
		return sp("import { x } from './m%d'\nexport { x }\nexport const y%d: typeof x\n", i+1, i)
	})},
	{"unknown names", one("", func(i int) string { return sp("export function f%d(a: Gone%d): Gone.X%d\n", i, i, i) }, "")},
	{"methods of a class", one("export class A {", func(i int) string { return sp("m%d(): void;", i) }, "}")},
	{"static methods of a class", one("export class A {", func(i int) string { return sp("static m%d(): void;", i) }, "}")},
	{"private members", one("export class A {", func(i int) string { return sp("private m%d;", i) }, "}")},
	{"overloads of a method", one("export class A {", func(i int) string { return sp("m(a: %d): void;", i) }, "}")},
	{"overloads of a function", one("", func(i int) string { return sp("export function m(a: %d): void;", i) }, "")},
	{"overloads of constructors", one("export class A {", func(i int) string { return sp("constructor(a: %d);", i) }, "}\nexport class B extends A {}\nexport class C extends B { constructor(a: string) }")},
	{"call signatures", one("export interface A {", func(i int) string { return sp("(a: %d): void;", i) }, "}\nexport interface B extends A { (a: string): void }")},
	{"index signatures", one("export interface A {", func(i int) string { return sp("[a%d: string]: B%d;", i, i) }, "}\nexport interface B extends A {}")},
	{"computed members", one("export class A {", func(i int) string { return sp("[A.x%d]: B%d;", i, i) }, "}")},
	{"computed static members", one("export class A {", func(i int) string { return sp("static [A.x%d]: B%d; static readonly x%d: 'y%d';", i, i, i, i) }, "}")},
	{"static members of a class as types", one("export class A {", func(i int) string { return sp("static a%d: typeof A.a%d;", i, i+1) }, "}")},
	{"members with implements", one("interface I {", func(i int) string { return sp("m%d(): void;", i) }, "}\nexport class A implements I, I, I { m1(): void; m2(): void }")},
	{"implements of many", one("export interface I { m(): void }\nexport class A implements ", always("I, "), "I { m(): void }")},
	{"extends of many", func(size int) map[string]string {
		n := count(size, 60)
		return map[string]string{"index.d.ts": fillN(n, func(i int) string { return sp("export interface I%d { m%d(): void }\n", i, i) }) + "export interface A extends " + fillN(n, func(i int) string { return sp("I%d, ", i) }) + "I0 {}"}
	}},
	{"chain of bases", one("", func(i int) string { return sp("export interface I%d extends I%d { m%d(): void }\n", i, i+1, i) }, "")},
	{"ring of bases", func(size int) map[string]string {
		n := count(size, 60)
		return map[string]string{"index.d.ts": fillN(n, func(i int) string {
			return sp("export interface I%d extends I%d, I%d { m%d(): void }\n", i, (2*i+1)%n, (2*i+2)%n, i)
		})}
	}},
	{"chain of classes", one("", func(i int) string {
		return sp("export class I%d extends I%d { m%d(): void; static s%d: 1 }\n", i, i+1, i, i)
	}, "")},
	{"ring of classes", func(size int) map[string]string {
		n := count(size, 60)
		return map[string]string{"index.d.ts": fillN(n, func(i int) string {
			return sp("export class I%d extends I%d { m%d(): void; static s%d: typeof I%d.s }\n", i, (i+1)%n, i, i, i)
		})}
	}},
	{"generic bases", one("", func(i int) string {
		return sp("export interface I%d<T> extends I%d<T[]>, I%d<I%d<T>> { m%d(): T }\n", i, i+1, i+2, i, i)
	}, "")},
	{"merged interfaces", one("", func(i int) string { return sp("export interface A { m%d(): void }\n", i) }, "")},
	{"merged interfaces with bases", one("", func(i int) string { return sp("export interface A extends B%d { m(): void }\n", i) }, "")},
	{"merged namespaces", one("", func(i int) string { return sp("export namespace A { const m%d: 1 }\n", i) }, "")},
	{"merged namespaces of one name", one("", always("export namespace A { const m: 1; interface X { y: 1 } }\n"), "")},
	{"namespaces", one("", func(i int) string { return sp("export namespace A%d { const m: typeof A%d.m }\n", i, i+1) }, "")},
	{"nested namespaces", nest("", func(i int) string { return sp("export namespace A%d { ", i) }, "const x: 1", "}", "")},
	{"nested namespaces of one name", nest("", always("export namespace A { interface B extends A.B {} "), "const x: 1", "}", "")},
	{"dotted namespace", one("export namespace A", func(i int) string { return sp(".A%d", i) }, " { const x: 1 }")},
	{"dotted name", one("export const a: A", func(i int) string { return sp(".A%d", i) }, "; declare namespace A {}")},
	{"namespace aliases", one("export namespace A { const x: 1 }", func(i int) string { return sp("export import A%d = A%d.x;\n", i, i+1) }, "")},
	{"declare module", one("", func(i int) string { return sp("declare module 'm%d' { export const x: 1 }\n", i) }, "")},
	{"declare module of one name", one("", func(i int) string { return sp("declare module 'pkg' { export const x%d: 1 }\n", i) }, "")},
	{"declare module with patterns", one("", func(i int) string { return sp("declare module '*.m%d' { export * from 'x.n%d' }\n", i, i) }, "")},
	{"declare module of each other", func(size int) map[string]string {
		n := count(size, 80)
		return map[string]string{"index.d.ts": fillN(n, func(i int) string {
			return sp("declare module 'm%d' { export * from 'm%d'; export * from 'm%d'; export const x%d: 1 }\n", i, (2*i+1)%n, (2*i+2)%n, i)
		})}
	}},
	{"declare module in a ring", func(size int) map[string]string {
		n := count(size, 60)
		return map[string]string{"index.d.ts": fillN(n, func(i int) string {
			return sp("declare module 'm%d' { export * from 'm%d'; export const x%d: 1 }\n", i, (i+1)%n, i)
		})}
	}},
	{"augmentations", one("export {}\n", func(i int) string { return sp("declare module './b' { interface A%d { x: 1 } }\n", i) }, "")},
	{"augmentations of one module", func(size int) map[string]string {
		return map[string]string{"index.d.ts": "export * from './b'\n" + fill(size, func(i int) string { return sp("declare module './b' { interface A { x%d: 1 } }\n", i) }), "b.d.ts": "export interface A {}\nexport class C<T> implements A {}"}
	}},
	{"augmentations of a module with stars", func(size int) map[string]string {
		m := modular(120, func(i, _ int) string { return sp("export * from './m%d'\nexport const x%d: 1\n", i+1, i) })(size / 2)
		m["index.d.ts"] += fill(size/2, func(i int) string { return sp("declare module './m0' { interface x%d { x%d: 1 } }\n", i, i) })
		return m
	}},
	{"declare global", one("export {}\n", func(i int) string { return sp("declare global { interface A%d { x: 1 } }\n", i) }, "")},
	{"imports", one("", func(i int) string { return sp("import { a%d } from './m%d'\n", i, i) }, "export const x: typeof a1")},
	{"imports of a package", one("", func(i int) string { return sp("import a%d from 'm%d'\n", i, i) }, "export const x: typeof a1; export const y: Gone")},
	{"exports of missing modules", one("", func(i int) string { return sp("export * from './m%d'\n", i) }, "export const x: Gone")},
	{"exports of one module", one("export const x: 1\n", always("export * from './index'\n"), "")},
	{"export list", one("declare const x: 1\nexport {", func(i int) string { return sp("x as x%d, ", i) }, "}")},
	{"references", one("", func(i int) string { return sp("/// <reference path='./m%d.d.ts' />\n", i) }, "export const x: 1")},
	{"union", one("export type A = ", func(i int) string { return sp("'a%d' | ", i) }, "'z'; export type B = { [K in A]: K }; export type C = Omit<B, 'a1'>; export interface D extends C {}")},
	{"union of objects", one("export type A = ", func(i int) string { return sp("{ a%d: 1, b: %d } | ", i, i) }, "{ b: 1 }; export interface B extends A {}")},
	{"union of names", func(size int) map[string]string {
		n := count(size, 40)
		return map[string]string{"index.d.ts": fillN(n, func(i int) string { return sp("export type A%d = { x: A%d }\n", i, i) }) + "export type A = " + fillN(n, func(i int) string { return sp("A%d | ", i) }) + "A0; export const x: A"}
	}},
	{"unions of unions", one("", func(i int) string { return sp("export type A%d = A%d | A%d | 'a%d'\n", i, i+1, i+2, i) }, "")},
	{"intersections of intersections", one("", func(i int) string { return sp("export type A%d = A%d & A%d & { a%d: 1 }\n", i, i+1, i+2, i) }, "")},
	{"intersection", one("export type A = ", func(i int) string { return sp("{ a%d: 1 } & ", i) }, "{ b: 1 }; export interface B extends A {}")},
	{"intersections of unions", one("export type A = ", func(i int) string { return sp("('a%d' | 'b%d') & ", i, i) }, "string; export type B = { [K in A]: 1 }")},
	{"conditional types", one("export type A<T> = ", func(i int) string { return sp("T extends 'a%d' ? %d : ", i, i) }, "never; export type B = { [K in A<'a'>]: 1 }")},
	{"nested conditional types", nest("export type A<T> = ", func(i int) string { return sp("T extends (infer U%d)[] ? (", i) }, "1", ") : 2", "; export type B = { [K in A<1>]: 1 }")},
	{"aliases of conditional types", one("", func(i int) string {
		return sp("export type A%d<T> = T extends A%d<T> ? A%d<T[]> : A%d<[T]>\n", i, i+1, i+2, i+3)
	}, "export type B = { [K in A0<'a'>]: 1 }")},
	{"mapped types", one("", func(i int) string {
		return sp("export type A%d<T> = { [K in keyof A%d<T>]: A%d<T>[K] }\n", i, i+1, i+1)
	}, "export interface B extends A0<{ x: 1 }> {}")},
	{"nested mapped types", nest("export type A<T> = ", func(i int) string { return sp("{ [K%d in keyof T]: ", i) }, "1", "}", "; export interface B extends A<{ x: 1 }> {}")},
	{"nested objects", nest("export const a: ", func(i int) string { return sp("{ a%d: ", i) }, "1", "}", "")},
	{"nested functions", nest("export function f(", func(i int) string { return sp("a%d: (", i) }, "", ") => void", "): void")},
	{"nested parentheses", nest("export type A = ", always("("), "1", ")", "")},
	{"nested arrays", nest("export type A = ", always("["), "1", "]", "")},
	{"array of arrays", one("export type A = 1", always("[]"), "")},
	{"nested type arguments", nest("export type A = ", func(i int) string { return sp("A%d<", i) }, "1", ">", "")},
	{"nested generics", nest("export function f", func(i int) string { return sp("<T%d extends (", i) }, "", ")>", "(): void")},
	{"operators", one("export type A = ", always("keyof "), "B")},
	{"parameters", one("export function f(", func(i int) string { return sp("a%d: A%d, ", i, i) }, "): void")},
	{"type parameters", one("export function f<", func(i int) string { return sp("T%d extends T%d, ", i, i+1) }, "U>(): void")},
	{"type parameters in a ring and types", one("export class F<", func(i int) string { return sp("T%d extends T%d, ", i, i+1) }, "U> { x: T1; y: U }\nexport class G extends F<1, 2> {}")},
	{"tuple", one("export type A = [", func(i int) string { return sp("a%d: A%d, ", i, i) }, "B]; export interface B extends A {}")},
	{"template literals", one("export type A = `a", func(i int) string { return sp("${'a%d' | 'b%d'}", i, i) }, "`; export type B = { [K in A]: 1 }")},
	{"nested template literals", nest("export type A = ", always("`${"), "1", "}`", "")},
	{"indexed access", one("export type A = B", func(i int) string { return sp("['a%d']", i) }, "; export interface B { a0: B, a1: B }")},
	{"enum", one("export enum A {", func(i int) string { return sp("a%d = %d,", i, i) }, "}\nexport const x: A.a1; export type B = { [K in A]: 1 }")},
	{"enum members as types", func(size int) map[string]string {
		n := count(size, 36)
		return map[string]string{"index.d.ts": "export enum A {" + fillN(n, func(i int) string { return sp("a%d,", i) }) + "}\n" + fillN(n, func(i int) string { return sp("export const b%d: typeof A.a%d.x\n", i, i) })}
	}},
	{"static members as types", func(size int) map[string]string {
		n := count(size, 50)
		return map[string]string{"index.d.ts": "export class A {" + fillN(n, func(i int) string { return sp("static a%d: 1;", i) }) + "}\n" + fillN(n, func(i int) string { return sp("export class B%d extends A.a%d {}\n", i, i) })}
	}},
	{"typeof in a ring", func(size int) map[string]string {
		n := count(size, 40)
		return map[string]string{"index.d.ts": fillN(n, func(i int) string { return sp("export const x%d: typeof x%d\n", i, (i+1)%n) })}
	}},
	{"type aliases in a ring", func(size int) map[string]string {
		n := count(size, 40)
		return map[string]string{"index.d.ts": fillN(n, func(i int) string { return sp("export type X%d = X%d\n", i, (i+1)%n) }) + "export interface Y extends X0 {}"}
	}},
	{"constants", one("", func(i int) string { return sp("export const x%d = %d\n", i, i) }, "")},
	{"constants in a line", one("export const ", func(i int) string { return sp("x%d: A%d, ", i, i) }, "y: 1")},
	{"constants of one name", one("", always("export declare var x: 1\n"), "")},
	{"destructured constants", one("export const {", func(i int) string { return sp("x%d, ", i) }, "y}: { x1: 1 }")},
	{"decorators", one("export class A { ", always("@a() "), "x: 1 }")},
	{"doc tags", one("/**\n", func(i int) string { return sp(" * @param a%d - b\n", i) }, " */\nexport function f(a1: 1): void")},
	{"doc tags of one name", one("/**\n", always(" * @throws a\n"), " */\nexport function f(a1: 1): void")},
	{"doc examples", one("/**\n", always(" * @example\n * ```ts\n * a\n * ```\n"), " */\nexport function f(a1: 1): void")},
	{"doc examples, open", one("/**\n", always(" * @example\n * ```ts\n"), " */\nexport function f(a1: 1): void")},
	{"doc links", one("/**\n", func(i int) string { return sp(" * {@link A%d | b}\n", i) }, " */\nexport function f(a1: 1): void")},
	{"doc links, open", one("/** ", always("{@link "), " */\nexport function f(a1: 1): void")},
	{"doc braces", one("/** @param ", always("{"), " */\nexport function f(a1: 1): void")},
	{"doc lists", one("/**\n", func(i int) string { return " * " + strings.Repeat(" ", i%80) + "- a\n" }, " */\nexport function f(a1: 1): void")},
	{"doc comments", one("", always("/** a */\n"), "export function f(a1: 1): void")},
	{"doc in overloads", one("", func(i int) string { return sp("/** a\n * @throws x%d */\nexport function f(a1: %d): void;\n", i, i) }, "")},
	{"inherited docs", one("", func(i int) string {
		return sp("export class I%d extends I%d { /** {@inheritDoc} */ m(): void }\n", i, i+1)
	}, "")},
	{"comment", one("/* ", always("a * / "), "*/ export const x: 1")},
	{"open comments", one("", always("/* "), "")},
	{"strings", one("export const x: '", always("a\\'"), "'")},
	{"open strings", one("export const x: ", always("'a "), "")},
	{"open templates", one("export const x: ", always("`a${ "), "")},
	{"open brackets", one("export const x: ", always("[(<{"), "")},
	{"closing brackets", one("", always("})]>"), "")},
	{"open angles", one("export type A = ", always("A<"), "")},
	{"open functions", one("", always("export function f("), "")},
	{"open classes", one("", always("export class A extends B<{"), "")},
	{"arrows", one("export type A = ", always("() => "), "void")},
	{"constructors as types", one("export type A = ", always("new () => "), "void; export class B extends A {}")},
	{"question marks", one("export type A = ", always("A extends B ? "), "")},
	{"predicates", one("export function f(a): ", always("asserts a is "), "B")},
	{"a long name", one("export const ", always("abc"), ": 1")},
	{"semicolons", one("", always(";"), "")},
	{"at signs", one("", always("@"), "")},
	{"exports of CommonJS", func(size int) map[string]string {
		return map[string]string{"index.js": fill(size, func(i int) string { return sp("exports.a%d = exports.a%d\n", i, i+1) })}
	}},
	{"exports of an object", func(size int) map[string]string {
		return map[string]string{"index.js": "module.exports = {" + fill(size, func(i int) string { return sp("a%d: require('./m%d'), ", i, i) }) + "}"}
	}},
	{"assigned members", func(size int) map[string]string {
		return map[string]string{"index.js": "function A() {}\nmodule.exports = A\n" + fill(size, func(i int) string { return sp("A.prototype.m%d = function () {}\nA.s%d = 1\n", i, i) })}
	}},
	{"chained assignments", func(size int) map[string]string {
		return map[string]string{"index.js": "module.exports = " + fill(size, func(i int) string { return sp("exports.a%d = ", i) }) + "1"}
	}},
	{"typedefs", func(size int) map[string]string {
		return map[string]string{"index.js": fill(size, func(i int) string { return sp("/** @typedef {A%d} B%d */\n", i, i) }) + "/** @type {B1} */\nexports.x = 1"}
	}},
	{"typedef properties", func(size int) map[string]string {
		return map[string]string{"index.js": "/** @typedef {Object} A\n" + fill(size, func(i int) string { return sp(" * @property {A} a%d.b\n", i) }) + "*/\n/** @type {A} */\nexports.x = 1"}
	}},
	{"regular expressions", func(size int) map[string]string {
		return map[string]string{"index.js": "exports.x = " + strings.Repeat("/a", size/2)}
	}},
	{"markup", func(size int) map[string]string {
		return map[string]string{"index.tsx": "export const x = " + strings.Repeat("<a b={", size/6)}
	}},
	{"bodies", func(size int) map[string]string {
		return map[string]string{"index.ts": fill(size, func(i int) string { return sp("export function f%d() { return { a: f%d() } }\n", i, i+1) })}
	}},
	{"nested bodies", func(size int) map[string]string {
		n := count(size, 20)
		return map[string]string{"index.ts": strings.Repeat("export const f = () => {", n) + strings.Repeat("}", n)}
	}},
	{"exports of package.json", func(size int) map[string]string {
		return map[string]string{"index.d.ts": "export const x: 1", "package.json": `{"exports": {` + fill(size, func(i int) string { return sp(`"./a%d": "./index.d.ts", `, i) }) + `".": "./index.d.ts"}}`}
	}},
	{"patterns of package.json", func(size int) map[string]string {
		return map[string]string{"index.d.ts": "import './x'\nexport const x: 1", "package.json": `{"exports": {` + fill(size, func(i int) string { return sp(`"./a%d/*": "./*.d.ts", `, i) }) + `".": "./index.d.ts"}}`}
	}},
	{"conditions of package.json", func(size int) map[string]string {
		n := min(count(size, 12), 60)
		return map[string]string{"index.d.ts": "export const x: 1", "package.json": `{"exports": ` + strings.Repeat(`{"types": `, n) + `"./index.d.ts"` + strings.Repeat("}", n) + `}`}
	}},
}

// quadratic contains the shapes whose documentation or types grow faster than their
// text. Reading one may run out of steps.
var quadratic = map[string]bool{
	"chain of bases": true, "ring of bases": true, "chain of classes": true, "ring of classes": true, "generic bases": true, "inherited docs": true,
	"declare module of each other": true, "declare module in a ring": true, "nested namespaces of one name": true,
	"unions of unions": true, "intersections of intersections": true, "aliases of conditional types": true, "typeof in a ring": true,
}

// readingOf returns a reading that reads a package with the given files.
func readingOf(files map[string]string) modeltest.Reading {
	w := newWorld(files)
	return func(ctx context.Context) error {
		r, err := Open(ctx, w["pkg"], w.open)
		if err == nil {
			_, err = r.Read(".")
		}
		return err
	}
}

func TestRead_BoundsTheCostOfHostileShapes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			modeltest.Bounded(t, quadratic[s.name], func(size int) modeltest.Reading { return readingOf(s.files(size)) })
		})
	}
}

// mixed returns several of the shapes in one package. Their declarations have the
// same names, so that they refer to each other.
func mixed(seed uint64) map[string]string {
	random := rand.New(rand.NewPCG(seed, 0))
	parts := 1 + random.IntN(4)
	m := map[string]string{}
	for range parts {
		for name, text := range shapes[random.IntN(len(shapes))].files(modeltest.HostileSize / parts) {
			if name == "package.json" {
				m[name] = text
			} else {
				m[name] += text + "\n"
			}
		}
	}
	return m
}

// FuzzRead_HostileShapes reads structures that a seed generates.
func FuzzRead_HostileShapes(f *testing.F) {
	modeltest.FuzzBounded(f, func(seed uint64) modeltest.Reading { return readingOf(mixed(seed)) })
}

func TestRead_StopsWhenCanceled(t *testing.T) {
	for _, s := range shapes {
		for _, checks := range []int{2, 40, 300} {
			if quadratic[s.name] {
				modeltest.Canceled(t, s.name, checks, readingOf(s.files(modeltest.HostileSize)))
			}
		}
	}
}

// TestRead_TuplesThatSpreadThemselves reads a type whose evaluation does not end, as the names in a
// route's pattern do for any string.
func TestRead_TuplesThatSpreadThemselves(t *testing.T) {
	_, _, _, err := modeltest.Cost(t.Context(), readingOf(map[string]string{"index.d.ts": "export type Names<P extends string | readonly string[]> = P extends `${infer Head}/${infer Tail}` ? [...Names<Head>, ...Names<Tail>] : P extends `:${infer S}` ? [S] : [];\n" +
		"export type Params<P extends string | readonly string[] = any> = P extends string ? { [K in Names<P>[number]]?: string } : Record<string, string>;\n"}))
	if err != nil {
		t.Error(err)
	}
}
