package dts

import "testing"

// TestParse_InferredValues checks the types that declarations have because of their values, as in the declarations that
// TypeScript writes.
func TestParse_InferredValues(t *testing.T) {
	for value, want := range map[string]string{
		"1": "a = 1", "-1": "a = -1", "'x'": "a = 'x'", "true": "a = true", "`t`": "a = `t`", "`${b}`": "a: string", "10n": "a = 10n",

		"b": "a: typeof b", "b.c": "a: typeof b.c", "new B()": "a: B", "new B<C>(d)": "a: B<C>", "new b.C()": "a: b.C", "b as C": "a: C",
		"(b: C): D => d": "a: (b: C) => D", "<T>(b: T) => b": "a: <T>(b: T) => any", "async (b: C): Promise<D> => d": "a: (b: C) => Promise<D>", "function (b: C): D {}": "a: (b: C) => D", "b => c": "a: (b) => any",
		"(b = 1, c?: D, ...e: F[]) => {}": "a: (b?: number, c?: D, ...e: F[]) => any", "({ b }: C) => 1": "a: ({ b }: C) => any",
	} {
		checkSignatures(t, "a.ts", [2]string{"export const a = " + value, "const " + want})
	}
	checkSignatures(t, "a.ts", [][2]string{
		{"export let a = 1, b = 'x', c = true", "let a: number; let b: string; let c: boolean"},
		{"export var a: B = c, d!: E", "var a: B; var d: E"},
		{"export const { a, b: c, ...d } = e, [f, , g] = h", `const a: typeof e["a"]; const c: typeof e["b"]; const d; const f: typeof h["0"]; const g: typeof h["2"]`},
		{"export function f(a = 1, b = 'x', c = d, { e } = g) {}", "function f(a?: number, b?: string, c?: typeof d, { e }?: typeof g)"},
		{"export class A { a = 1; readonly b = 1; static c = 'x'; d = new B<C>(); e = (f: G): H => i; #j = 1; declare k: L }", "class A {a: number; readonly b = 1; static c: string; d: B<C>; e: (f: G) => H; #j: number; k: L}"},
	}...)
}

func TestParse_Classes(t *testing.T) {
	checkSignatures(t, "a.ts", [][2]string{
		{"export abstract class A<T extends B = C> extends D<T> implements E, F<T> { abstract a(): void; protected abstract readonly b: string }", "abstract class A<T extends B = C> extends D<T> implements E, F<T> {abstract a(): void; protected abstract readonly b: string}"},
		{"export class A { constructor(public a: B, private readonly c = 1, d?: E) { super() } }", "class A {constructor(public a: B, private readonly c?: number, d?: E)}"},
		{"export class A { get a(): B { return c } set a(v: B) {} static get d() { return 1 } }", "class A {get a(): B; set a(v: B); static get d()}"},
		{"export class A { [key: string]: B; static [key: number]: C; readonly [Symbol.iterator]: D; ['e']: F; 1: G; 'h-i'?(): J }", "class A {[key: string]: B; static [key: number]: C; readonly [Symbol.iterator]: D; ['e']: F; 1: G; 'h-i'?(): J}"},
		{"export class A { a(b: C): D; a(b: E): F; a(b: any) { } }", "class A {a(b: C): D; a(b: E): F}"},
		{"export class A { async a(): Promise<B> {} *b(): Generator<C> {} async *d(): AsyncGenerator<E> {} override f(): G {} accessor h: I = j }", "class A {a(): Promise<B>; b(): Generator<C>; d(): AsyncGenerator<E>; override f(): G; accessor h: I}"},
		{"@dec export class A { @b() c: D; @e f(@g h: I): void {} }", "class A {c: D; f(h: I): void}"},
		{"export class A { static { this.a = 1 } b(this: A): this { return this } c(d: E): d is F { return true } g(): asserts this is H {} }", "class A {b(this: A): this; c(d: E): d is F; g(): asserts this is H}"},
		{"export class A { get; set; static; async; readonly; declare; abstract; type: B; get get() { return 1 } static static = 1 }", "class A {get; set; static; async; readonly; declare; abstract; type: B; get get(); static static: number}"},
		{"export class A<in out T, const U> { a?: T; b!: U }", "class A<in out T, const U> {a?: T; b: U}"},
	}...)
}

func TestParse_Types(t *testing.T) {
	for _, typ := range []string{
		"A | B & C", "(A | B)[]", "A[][]", "readonly A[]", "keyof A", "unique symbol", "typeof a.b", "typeof a<B>", "A['b'][number]", "[a: A, b?: B, ...c: C[]]", "[A?, ...B[]]", "() => void", "(a: A, ...b: B[]) => a is C",
		"new (a: A) => B", "abstract new () => A", "<T extends A = B>(a: T) => T", "(a: A) => asserts a", "{ a: A; readonly b?: B; c(): C; new (): D; (e: E): F; [g: string]: H; get i(): J; set i(k: J); }",
		"{ [K in keyof A]?: A[K]; }", "{ readonly [K in A as B<K>]: C; }", "{ -readonly [K in A]-?: B; }", "{ +readonly [K in A]+?: B; }", "A extends B ? C : D", "A extends (infer B extends C)[] ? B : never",
		"A extends { a: infer B; b: infer C; } ? [B, C] : never", "A extends B ? C extends D ? 1 : 2 : 3", "`a${A}b${B}`", "import('a').B<C>", "import('a')", "typeof import('a')", "import('a', { with: { 'resolution-mode': 'import' } }).B",
		"'a' | \"b\" | 1 | -1 | 1n | true | null | undefined", "A<B<C<D>>>", "this", "asserts", "infer", "keyof typeof a", "(keyof A)[]", "(() => void)[]", "(new () => A) | B", "A.B.C<D>", "string & {}", "object", "bigint", "intrinsic",
	} {
		checkSignatures(t, "a.d.ts", [2]string{"type X = " + typ + ";", "type X = " + typ})
	}
	checkSignatures(t, "a.d.ts", [][2]string{
		{"type X = | A | B", "type X = A | B"}, {"type X = & A & B", "type X = A & B"}, {"type X = { a, b: B, }", "type X = { a; b: B; }"}, {"type X = [A,]", "type X = [A]"}, {"type X = ((A))", "type X = ((A))"},
		{"type X = {\n a: A\n b: B\n (): C\n}", "type X = { a: A; b: B; (): C; }"}, {"type X =\n // comment\n A /* b */ | B", "type X = A | B"}, {"type X<T,> = Array<T,>", "type X<T> = Array<T>"},
	}...)
}

func TestParse_Declarations(t *testing.T) {
	checkSignatures(t, "a.d.ts", [][2]string{
		{"declare enum A { B, C = 1, D = 'x', 'e-f' = 1 << 2, G = B | C } declare const enum H { I }", "enum A {B; C = 1; D = 'x'; 'e-f' = 1 << 2; G = B | C}; const enum H {I}"},
		{"declare namespace A.B { const c: C; namespace D { type E = F } export import G = H.I }", "namespace A {namespace B {const c: C; namespace D {type E = F}}}"},
		{"declare module 'a' { export function f(): void } declare module 'b'; declare global { interface C { d: E } }", "module 'a' {function f(): void}; module 'b' {}"},
		{"export default interface A extends B<C>, D { e: F }", "interface A extends B<C>, D {e: F}"},
		{"export default function f<T>(a: T): T; export default abstract class A { }", "function f<T>(a: T): T; abstract class A {}"},
		{"interface A { <T>(a: T): T; new (a: B): C; readonly [k: string]: D; e?<T>(): T; get f(): G; set f(v: G) }", "interface A {<T>(a: T): T; new (a: B): C; readonly [k: string]: D; e?<T>(): T; get f(): G; set f(v: G)}"},
		{"declare function f(this: A, a?: B, ...c: D[]): asserts a is E; declare function f(): unique symbol", "function f(this: A, a?: B, ...c: D[]): asserts a is E; function f(): unique symbol"},
		{"declare var a: A, b: B; declare let c: C; declare const d: D, e = 1, f: unique symbol", "var a: A; var b: B; let c: C; const d: D; const e = 1; const f: unique symbol"},
		{"type A = B; declare const type: C; declare function of(): D; declare const as: E", "type A = B; const type: C; function of(): D; const as: E"},
	}...)
}

// TestParse_CutOff reads each beginning of a file. No beginning may hide the declarations before its last one.
func TestParse_CutOff(t *testing.T) {
	const first = "export interface First { a: string }\n"
	for _, rest := range []string{
		"export declare class A<T extends { b: C[] }> extends D<T> { e(f?: (g: H) => I): J[K]; static get l(): M }", "export type A = B extends (infer C)[] ? { [K in keyof C as `x${K}`]?: C[K] } : never;", "/** Doc {@link A} */ export declare const a: unique symbol;",
		"export * as a from './b'; import { type C, d as e } from \"f\"; export = g;", "export const a = { b: `c${d}e`, f() { return /g/ }, ...h } satisfies I;", "declare namespace A.B { enum C { D = 1 << 2 } }",
	} {
		for _, name := range []string{"a.d.ts", "a.ts", "a.js"} {
			for i := range len(rest) {
				f := parse(t, name, first+rest[:i])
				if n := f.Root.first; name != "a.js" && (n == nil || n.Signature() != "interface First") {
					t.Errorf("%s: %q hides the declaration before it", name, rest[:i])
				}
			}
		}
	}
}
