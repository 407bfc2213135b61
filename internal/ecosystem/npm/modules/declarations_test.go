package modules

import "testing"

func TestExportEquals_Forms(t *testing.T) {
	expectListings(t, []listingTest{
		{"a class and a namespace", map[string]string{
			"index.d.ts": "declare class A { x: 1 }\ndeclare namespace A { interface Opts { y: 2 } }\nexport = A;",
		}, "export= [class] class A\n  x [property] x: 1\nOpts [interface] interface Opts\n  y [property] y: 2\n"},
		{"a constant and a namespace of types", map[string]string{
			"index.d.ts": "declare const a: a.Static;\ndeclare namespace a { interface Static { run(): void } }\nexport = a;",
		}, "export= [const] const a: a.Static\nStatic [interface] interface Static\n  run [method] run(): void\n"},
		{"an interface and a constant", map[string]string{
			"index.d.ts": "interface A { run(): void }\ndeclare const A: A;\nexport = A;",
		}, "export= [const] interface A / const A: A\n  run [method] run(): void\n"},
		{"an enum", map[string]string{
			"index.d.ts": "declare enum E { a, b }\nexport = E;",
		}, "export= [enum] enum E\n  a [enum value] a\n  b [enum value] b\n"},
		{"a namespace in two parts", map[string]string{
			"index.d.ts": "declare namespace n { const a: 1 }\ndeclare namespace n { const b: 2 }\nexport = n;",
		}, "a [const] const a: 1\nb [const] const b: 2\n"},
		{"a namespace with an export list", map[string]string{
			"index.d.ts": "declare namespace n { const a: 1; const b: 2; export { a as c } }\nexport = n;",
		}, "c [const] const c: 1\n"},
		{"a dotted name", map[string]string{
			"index.d.ts": "declare namespace n { namespace m { const a: 1 } }\nexport = n.m;",
		}, "a [const] const a: 1\n"},
		{"an import", map[string]string{
			"index.d.ts": "import x = require('./x');\nexport = x;",
			"x.d.ts":     "declare function f(): void;\ndeclare namespace f { const a: 1 }\nexport = f;",
		}, "export= [function] function f(): void\na [const] const a: 1\n"},
		{"a name of it", map[string]string{
			"index.d.ts": "export { a as b } from './x';",
			"x.d.ts":     "declare namespace n { const a: 1 }\nexport = n;",
		}, "b [const] const b: 1\n"},
		{"the default of it", map[string]string{
			"index.d.ts": "export { default } from './x';",
			"x.d.ts":     "declare function f(): void;\nexport = f;",
		}, "default [function] function f(): void\n"},
		{"members that another module adds", map[string]string{
			"index.d.ts": "/// <reference path='./more.d.ts' />\ndeclare function f(): void;\ndeclare namespace f { interface Opts { a: 1 } }\nexport = f;",
			"more.d.ts":  "import f = require('./index');\ndeclare module './index' { interface Opts { b: 2 } }",
		}, "export= [function] function f(): void\nOpts [interface] interface Opts\n  a [property] a: 1\n  b [property] b: 2\n"},
	})
}

func TestAugmentations_OfModules(t *testing.T) {
	expectListings(t, []listingTest{
		{"a member of a class", map[string]string{
			"index.d.ts": "export * from './x'; import './more';",
			"x.d.ts":     "export declare class A { a: 1 }",
			"more.d.ts":  "declare module './x' { interface A { b(): void } }\nexport {};",
		}, "A [class] class A / interface A\n  a [property] a: 1\n  b [method] b(): void\n"},
		{"a function", map[string]string{
			"index.d.ts": "export * from './x'; import './more';",
			"x.d.ts":     "export declare const a: 1;",
			"more.d.ts":  "declare module './x' { function f(): void; const c: 2 }\nexport {};",
		}, "a [const] const a: 1\nf [function] function f(): void\nc [const] const c: 2\n"},
		{"a static member of a class", map[string]string{
			"index.d.ts": "export * from './x'; import './more';",
			"x.d.ts":     "export declare class A { a: 1 }",
			"more.d.ts":  "declare module './x' { namespace A { function make(): A } }\nexport {};",
		}, "A [class] class A\n  a [property] a: 1\n  make [function] function make(): A\n"},
		{"a file that nothing imports", map[string]string{
			"index.d.ts": "export * from './x';",
			"x.d.ts":     "export interface A { a: 1 }",
			"more.d.ts":  "declare module './x' { interface A { b: 2 } }\nexport {};",
		}, "A [interface] interface A\n  a [property] a: 1\n"},
		{"the package by its name", map[string]string{
			"index.d.ts": "export interface A { a: 1 }\nimport './more';",
			"more.d.ts":  "declare module 'pkg' { interface A { b: 2 } }\nexport {};",
		}, "A [interface] interface A\n  a [property] a: 1\n  b [property] b: 2\n"},
		{"a dependency that is exported", map[string]string{
			"index.d.ts":     "export { A } from 'dep';\ndeclare module 'dep' { interface A { b: 2 } }",
			"dep:index.d.ts": "export interface A { a: 1 }",
		}, "A [interface] interface A\n  a [property] a: 1\n  b [property] b: 2\n"},
		{"an overload of a method", map[string]string{
			"index.d.ts": "export interface A { m(a: 1): void }\nimport './more';",
			"more.d.ts":  "declare module './index' { interface A { m(a: 2): string } }\nexport {};",
		}, "A [interface] interface A\n  m [method] m(a: 1): void / m(a: 2): string\n"},
		{"a member of an interface in a namespace", map[string]string{
			"index.d.ts": "export declare namespace N { interface A { a: 1 } }\nimport './more';",
			"more.d.ts":  "declare module './index' { namespace N { interface A { b: 2 } } }\nexport {};",
		}, "N [namespace] namespace N\n  A [interface] interface A\n    a [property] a: 1\n    b [property] b: 2\n"},
		{"a base of an interface", map[string]string{
			"index.d.ts": "export interface A { a: 1 }\nimport './more';",
			"more.d.ts":  "interface Base { b: 2 }\ndeclare module './index' { interface A extends Base {} }\nexport {};",
		}, "A [interface] interface A / interface A extends Base\n  a [property] a: 1\n  b [property] b: 2 <- Base\n"},
		{"a value of an enum", map[string]string{
			"index.d.ts": "export declare enum E { a = 1 }\nimport './more';",
			"more.d.ts":  "declare module './index' { enum E { b = 2 } }\nexport {};",
		}, "E [enum] enum E\n  a [enum value] a = 1\n  b [enum value] b = 2\n"},
	})
}

func TestOverloads_Order(t *testing.T) {
	expectListings(t, []listingTest{
		{"functions in the order of the file", map[string]string{
			"index.d.ts": "export declare function f(a: string): 1;\nexport declare function f(a: number): 2;\nexport declare function f(a: any): 3;",
		}, "f [function] function f(a: string): 1 / function f(a: number): 2 / function f(a: any): 3\n"},
		{"the implementation is no overload", map[string]string{
			"package.json": `{"exports": "./index.ts"}`,
			"index.ts":     "export function f(a: string): void;\nexport function f(a: number): void;\nexport function f(a: any) {}",
		}, "f [function] function f(a: string): void / function f(a: number): void\n"},
		{"constructors", map[string]string{
			"index.d.ts": "export declare class A { constructor(a: string); constructor(a: number) }",
		}, "A [class] class A\n  constructor [constructor] constructor(a: string) / constructor(a: number)\n"},
		{"static methods beside methods", map[string]string{
			"index.d.ts": "export declare class A { m(a: 1): void; static m(a: 2): void; m(a: 3): void }",
		}, "A [class] class A\n  m [method] m(a: 1): void / m(a: 3): void\n  m [method] static m(a: 2): void\n"},
		{"comments of each", map[string]string{
			"index.d.ts": "/** First. */\nexport declare function f(a: 1): void;\n/** Second. */\nexport declare function f(a: 2): void;",
		}, "f [function] function f(a: 1): void / function f(a: 2): void // First.⏎⏎Second.\n"},
		{"a comment of the first", map[string]string{
			"index.d.ts": "/** First. */\nexport declare function f(a: 1): void;\nexport declare function f(a: 2): void;",
		}, "f [function] function f(a: 1): void / function f(a: 2): void // First.\n"},
		{"interfaces that are merged", map[string]string{
			"index.d.ts": "export interface A { m(a: 1): void; m(a: 2): void }\nexport interface A { m(a: 3): void }",
		}, "A [interface] interface A\n  m [method] m(a: 1): void / m(a: 2): void / m(a: 3): void\n"},
		{"call signatures", map[string]string{
			"index.d.ts": "export interface F { (a: 1): void; new (a: 2): F; (a: 3): void }",
		}, "F [interface] interface F\n  () [call signature] (a: 1): void / (a: 3): void\n  new() [construct signature] new (a: 2): F\n"},
		{"overloads that a class replaces", map[string]string{
			"index.d.ts": "declare class B { m(a: 1): void; m(a: 2): void }\nexport declare class A extends B { m(a: 3): void }",
		}, "B [class] class B\n  m [method] m(a: 1): void / m(a: 2): void\nA [class] class A extends B\n  m [method] m(a: 3): void\n"},
		{"a function and a namespace", map[string]string{
			"index.d.ts": "export declare function f(a: 1): void;\nexport declare namespace f { const x: 1 }\nexport declare function f(a: 2): void;",
		}, "f [function] function f(a: 1): void / function f(a: 2): void\n  x [const] const x: 1\n"},
	})
}

func TestMembers_OfMixins(t *testing.T) {
	expectListings(t, []listingTest{
		{"a base that is an intersection of constructors", map[string]string{
			"index.d.ts": "declare class B { b: 1 }\ninterface M { m(): void }\ndeclare const Base: typeof B & (new (...a: any[]) => M);\nexport declare class A extends Base { a: 1 }",
		}, "B [class] class B\n  b [property] b: 1\nM [interface] interface M\n  m [method] m(): void\nBase [const] const Base: typeof B & (new (...a: any[]) => M)\n  constructor [constructor] constructor(...a: any[])\n  b [property] b: 1 <- B\n  m [method] m(): void <- M\nA [class] class A extends Base\n  constructor [constructor] constructor(...a: any[])\n  a [property] a: 1\n  b [property] b: 1 <- B\n  m [method] m(): void <- M\n"},
		{"a base that a function returns", map[string]string{
			"index.d.ts":                          "declare class B { b: 1 }\ndeclare function mix<T extends new (...a: any[]) => {}>(t: T): T & (new (...a: any[]) => { m(): void });\ndeclare const A_base: ReturnType<typeof mix>;\nexport declare class A extends mix(B) { a: 1 }",
			"typescript:lib/lib.esnext.full.d.ts": "interface Array<T> { length: number }",
		}, "B [class] class B\n  b [property] b: 1\nmix [function] function mix<T extends new (...a: any[]) => {}>(t: T): T & (new (...a: any[]) => { m(): void; })\nA_base [const] const A_base: ReturnType<typeof mix>\nA [class] class A extends mix(B)\n  constructor [constructor] constructor(...a: any[])\n  a [property] a: 1\n  b [property] b: 1 <- B\n  m [method] m(): void\n"},
		{"an interface of the class's name", map[string]string{
			"index.d.ts": "interface M { m(): void }\nexport interface A extends M {}\nexport declare class A { a: 1 }",
		}, "M [interface] interface M\n  m [method] m(): void\nA [class] interface A extends M / class A\n  a [property] a: 1\n  m [method] m(): void <- M\n"},
		{"a constant that TypeScript writes for a base", map[string]string{
			"index.d.ts": "interface M { m(): void }\ndeclare const A_base: new () => M;\nexport declare class A extends A_base { a: 1 }",
		}, "M [interface] interface M\n  m [method] m(): void\nA_base [const] const A_base: new () => M\n  constructor [constructor] constructor()\nA [class] class A extends A_base\n  constructor [constructor] constructor()\n  a [property] a: 1\n  m [method] m(): void <- M\n"},
		{"a base with several constructors", map[string]string{
			"index.d.ts": "interface M { m(): void }\ndeclare const A_base: { new (a: 1): M; new (a: 2): M; s: 1 };\nexport declare class A extends A_base { a: 1 }",
		}, "M [interface] interface M\n  m [method] m(): void\nA_base [const] const A_base: { new (a: 1): M; new (a: 2): M; s: 1; }\n  new() [construct signature] new (a: 1): M / new (a: 2): M\n  s [property] s: 1\nA [class] class A extends A_base\n  constructor [constructor] constructor(a: 1) / constructor(a: 2)\n  a [property] a: 1\n  m [method] m(): void <- M\n  s [property] s: 1\n"},
		{"an intersection of two", map[string]string{
			"index.d.ts": "interface M { m(): void }\ninterface N { n(): void }\ndeclare const A_base: (new () => M) & (new () => N);\nexport declare class A extends A_base {}",
		}, "M [interface] interface M\n  m [method] m(): void\nN [interface] interface N\n  n [method] n(): void\nA_base [const] const A_base: (new () => M) & (new () => N)\n  constructor [constructor] constructor()\n  m [method] m(): void <- M\n  n [method] n(): void <- N\nA [class] class A extends A_base\n  constructor [constructor] constructor()\n  m [method] m(): void <- M\n  n [method] n(): void <- N\n"},
		{"static members of a base", map[string]string{
			"index.d.ts": "declare class B { static make(): B; b: 1 }\nexport declare class A extends B { static other(): A }",
		}, "B [class] class B\n  b [property] b: 1\n  make [method] static make(): B\nA [class] class A extends B\n  b [property] b: 1 <- B\n  other [method] static other(): A\n  make [method] static make(): B <- B\n"},
		{"private members of a base", map[string]string{
			"index.d.ts": "declare class B { private b; protected c: 1; #d: 2 }\nexport declare class A extends B {}",
		}, "B [class] class B\n  c [property] protected c: 1\nA [class] class A extends B\n  c [property] protected c: 1 <- B\n"},
		{"a base that is missing", map[string]string{
			"index.d.ts": "import { B } from 'missing';\nexport declare class A extends B { a: 1 }",
		}, "A [class] class A extends B\n  a [property] a: 1\n"},
	})
}

func TestDefaults_OfParameters(t *testing.T) {
	source := func(src string) map[string]string {
		return map[string]string{"package.json": `{"exports": "./index.ts"}`, "index.ts": src}
	}
	expectListings(t, []listingTest{
		{"literals", source("export function f(a = 1, b = 'x', c = true, d = null, e = 1n) {}"), "f [function] function f(a?: number, b?: string, c?: boolean, d?: null, e?: bigint)\n"},
		{"a type and a value", source("export function f(a: string = 'x', b: number | null = null) {}"), "f [function] function f(a?: string, b?: number | null)\n"},
		{"a negative number", source("export function f(a = -1.5) {}"), "f [function] function f(a?: number)\n"},
		{"a function", source("export function f(a = () => 1, b = function (x: string): void {}) {}"), "f [function] function f(a?: () => any, b?: (x: string) => void)\n"},
		{"an object that is made", source("export function f(a = new Date(), b = new Map<string, number>()) {}"), "f [function] function f(a?: Date, b?: Map<string, number>)\n"},
		{"another parameter", source("export function f(a: string, b = a) {}"), "f [function] function f(a: string, b?: typeof a)\n"},
		{"a pattern", source("export function f({ a = 1, b: { c = 'x' } = {} }: { a?: number; b?: { c?: string } } = {}) {}"), "f [function] function f({ a = 1, b: { c = 'x' } = {} }?: { a?: number; b?: { c?: string; }; })\n"},
		{"a template", source("export function f(a = `x${1}`) {}"), "f [function] function f(a?: string)\n"},
		{"a cast", source("export function f(a = {} as Date) {}"), "f [function] function f(a?: Date)\n"},
		{"a constructor and its property", source("export class A { constructor(public a = 1, private b = 'x') {} }"), "A [class] class A\n  constructor [constructor] constructor(public a?: number, private b?: string)\n  a [property] public a: number\n"},
		{"type parameters", source("export function f<T = string, U extends T[] = T[]>(a: T, b: U): void {}"), "f [function] function f<T = string, U extends T[] = T[]>(a: T, b: U): void\n"},
		{"properties of a class", source("export class A { a = 1; b = 'x'; static c = true; readonly d = 'x'; e?: string }"), "A [class] class A\n  a [property] a: number\n  b [property] b: string\n  d [property] readonly d = 'x'\n  e [property] e?: string\n  c [property] static c: boolean\n"},
	})
}
