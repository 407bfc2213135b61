package npm

import (
	"regexp"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// valueLibrary continues library with more of TypeScript's own types and a module of the project.
var valueLibrary = map[string]string{
	"node_modules/typescript/lib/lib.esnext.full.d.ts": library["node_modules/typescript/lib/lib.esnext.full.d.ts"] + `
interface BigInt { toLocaleString(): string }
interface Symbol { readonly description: string | undefined }
interface SymbolConstructor { (name?: string): symbol; readonly asyncIterator: unique symbol }
interface RegExp { test(s: string): boolean }
interface Iterable<T> { [Symbol.iterator](): Iterator<T> }
interface IterableIterator<T> extends Iterator<T> { [Symbol.iterator](): IterableIterator<T> }
interface AsyncIterator<T> { next(): Promise<T> }
interface AsyncIterable<T> { [Symbol.asyncIterator](): AsyncIterator<T> }
interface Map<K, V> { get(key: K): V | undefined; values(): IterableIterator<V>; [Symbol.iterator](): IterableIterator<[K, V]>; readonly size: number }
interface MapConstructor { new <K, V>(entries?: readonly (readonly [K, V])[] | null): Map<K, V>; readonly prototype: Map<any, any> }
declare var Map: MapConstructor;
interface PromiseConstructor { all<T>(values: (T | PromiseLike<T>)[]): Promise<T[]>; resolve<T>(value: T | PromiseLike<T>): Promise<T>; new <T>(executor: (resolve: (value: T) => void) => void): Promise<T> }
declare var Promise: PromiseConstructor;
interface Error { message: string }
interface ErrorConstructor { new (message?: string): Error; (message?: string): Error }
declare var Error: ErrorConstructor;
type Partial<T> = { [P in keyof T]?: T[P] };
type Required<T> = { [P in keyof T]-?: T[P] };
type Readonly<T> = { readonly [P in keyof T]: T[P] };
type Pick<T, K extends keyof T> = { [P in K]: T[P] };
type Record<K extends keyof any, T> = { [P in K]: T };
type Exclude<T, U> = T extends U ? never : T;
type Extract<T, U> = T extends U ? T : never;
type Omit<T, K extends keyof any> = Pick<T, Exclude<keyof T, K>>;
type NonNullable<T> = T & {};
type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;
type Parameters<T extends (...args: any) => any> = T extends (...args: infer P) => any ? P : never;
type InstanceType<T extends abstract new (...args: any) => any> = T extends abstract new (...args: any) => infer R ? R : any;
`,
	"node_modules/rack/package.json": `{"name": "rack", "version": "1.0.0", "types": "index.d.ts"}`,
	"node_modules/rack/index.d.ts":   `export declare namespace tools { const knife: { sharp: boolean }; class Saw { teeth: number } }`,
	"shop.ts": `
import { Door, Kiln } from "kiln";
export enum Glaze { Matt, Gloss = 4 }
export enum Clay { Red = "red", White = "white" }
export class Jar { #lid = 1; static made = 0; static of(n: number) { return new Jar(n) } readonly label = "jar"; constructor(public size: number, private door?: Door) {} get lid() { return this.#lid } fill(): this { return this } }
export class Crate<T> { constructor(public item: T) {} first(): T { return this.item } }
export default function make(name = "x") { return { name, kiln: new Kiln(name) } }
export function wrap<T>(value: T): { inner: T } { return { inner: value } }
export const list = [1, 2];
`,
}

var absentMember = regexp.MustCompile(`^(.*?)(?: of [a-z]+@[0-9.]+)? has no member zz$`)

// owners returns the names of the types of all values in a file whose member zz is used and absent, in
// the order of the file. A type without a name is {}.
func owners(t *testing.T, checked ecosystem.Types, file *ecosystem.SourceFile) string {
	t.Helper()
	var all []string
	for _, u := range checked.Uses([]*ecosystem.SourceFile{file})[file] {
		if u.Fault != ecosystem.AbsentFault {
			continue
		}
		m := absentMember.FindStringSubmatch(u.Message)
		switch {
		case m == nil:
			all = append(all, u.Message)
		case m[1] == "the value":
			all = append(all, "{}")
		default:
			all = append(all, m[1])
		}
	}
	return strings.Join(all, ", ")
}

// A valueCase has code that uses the member zz, which no type has, of values, and the types of those of the values
// that are known.
type valueCase struct{ name, src, want string }

func checkValues(t *testing.T, cases []valueCase) {
	t.Helper()
	checkValuesOf(t, nil, imports+`import make, { Glaze, Clay, Jar, Crate, wrap, list } from "./shop"; import { tools } from "rack"; import * as shop from "./shop";`, cases)
}

func TestTypes_Primitives(t *testing.T) {
	checkValues(t, []valueCase{
		{"literals", `"a".zz; (1.5).zz; true.zz`, "String, Number, Boolean"},
		{"templates", "`a${1}`.zz; declare const t: `a${string}`; t.zz", "String, String"},
		{"interfaces that extend an index signature", `type Fields = { readonly [x: PropertyKey]: object }; interface Rows { [row: string]: Door } type Is<T> = T extends Fields ? Kiln : Door; declare const a: Is<Door>, b: Is<Rows>, c: Is<{ d: Door }>, d: Door extends { [k: string]: any } ? Kiln : Door; a.zz; b.zz; c.zz; d.zz`, "Door, Kiln, Kiln, Kiln"},
		{"literals of a mapped type", "type Flat<T> = { [K in keyof T]: T[K] } & unknown; type Names = Flat<'isOne' | 'isTwo'> extends `is${infer N}` ? (N extends `${infer C}${infer R}` ? `${Lowercase<C>}${R}` : never) : never; declare const n: Names | Door; n.length", ""},
		{"keywords", `declare const b: bigint, s: symbol, n: number; b.zz; s.zz; n.zz`, "BigInt, Symbol, Number"},
		{"a unique symbol", `declare const s: unique symbol; s.zz; Symbol.iterator.zz`, "Symbol, Symbol"},
		{"literal types", `declare const a: "x" | "y", b: 1 | 2, c: true, d: -1, e: 1n; a.zz; b.zz; c.zz; d.zz; e.zz`, "String, Number, Boolean, Number, BigInt"},
		{"keys of a type", `declare const k: keyof Door; k.zz`, "String"},
		{"null and undefined have no members", `declare const d: Door | null | undefined; d!.zz; d?.zz`, "Door, Door"},
		{"any and unknown", `declare const a: any, u: unknown; a.zz; (u as any).zz`, ""},
		{"never", `declare const n: never; declare const d: Door | never; d.zz`, "Door"},
	})
}

func TestTypes_Operators(t *testing.T) {
	checkValues(t, []valueCase{
		{"unary operators", `const d = pick(""); (!d).zz; (typeof d).zz; (delete (d as any).open).zz`, "Boolean, String, Boolean"},
		{"arithmetic", `const a = 1, b = 2; (a - b).zz; (a ** b).zz; (a + b).zz; ("n" + a).zz; (a + "n").zz`, "Number, Number, Number, String, String"},
		{"comparisons", `const a = 1; (a < 2).zz; (a === 1).zz; ("open" in pick("")).zz; (pick("") instanceof Kiln).zz`, "Boolean, Boolean, Boolean, Boolean"},
		{"the right operand of and, of a sequence", `declare const d: Door; (d.open && d).zz; (1, d).zz`, "Door, Door"},
		{"either operand of or", `declare const d: Door | undefined; (d ?? pick("")).zz; (d || pick("")).zz`, "Door, Door"},
		{"operands with different types", `declare const d: Door | undefined; (d ?? new Kiln(1)).zz`, "Door"},
		{"both branches of a condition", `(list.length ? pick("") : pick("x")).zz; (list.length ? 1 : 2).zz`, "Door, Number"},
		{"an assignment has the value's type", `let d; (d = pick("")).zz; let n = 1; (n = 2).zz`, "Door, Number"},
		{"as, satisfies and the non-null assertion", `(list as unknown as Door).zz; (pick("") satisfies Door).zz; (pick("") as Door | null)!.zz; (<Door>pick("")).zz`, "Door, Door, Door, Door"},
		{"as const", `const c = ["a", "b"] as const; c[0].zz; const o = { a: 1 } as const; o.a.zz`, "String, Number"},
		{"parentheses", `((pick(""))).zz`, "Door"},
	})
}

func TestTypes_Elements(t *testing.T) {
	checkValues(t, []valueCase{
		{"of an array", `const l = [pick("")]; l.zz; l[0].zz; list[0].zz`, "Array, Door, Number"},
		{"of a tuple", `declare const t: [Door, Kiln, string?]; const [d, k, s] = t; d.zz; k.zz; s!.zz; t.zz`, "Door, Kiln, String, Array"},
		{"of a tuple with names", `declare const t: [door: Door, n: number]; t[0].zz; const [d, n] = t; d.zz; n.zz`, "Door, Door, Number"},
		{"of a tuple with a rest", `declare const t: [Door, ...Door[]]; const [d, e] = t; d.zz; e.zz`, "Door, Door"},
		{"of a readonly array", `declare const r: readonly Door[], a: ReadonlyArray<Door>; r[0].zz; a[0].zz; a.zz`, "Door, Door, ReadonlyArray"},
		{"a property by its name", `pick("")["open"].zz; ({ a: 1 })["a"].zz`, "Boolean, Number"},
		{"in a loop", `for (const d of new Kiln("").doors) d.zz; for (const k in pick("")) k.zz; for (const c of "ab") c.zz`, "Door, String, String"},
		{"of a map in a loop", `declare const m: Map<string, Door>; for (const [k, d] of m) { k.zz; d.zz } for (const d of m.values()) d.zz`, "String, Door, Door"},
		{"of an asynchronous iterator", `declare const s: AsyncIterable<Door>; async () => { for await (const d of s) d.zz }`, "Door"},
		{"of an array of promises", `declare const s: Promise<Door>[]; async () => { for await (const d of s) d.zz }`, "Door"},
		{"of arrays that are spread", `const l = [...list, ...list]; l[0].zz; const m = [...[pick("")]]; m[0].zz`, "Number, Door"},
	})
}

func TestTypes_Patterns(t *testing.T) {
	checkValues(t, []valueCase{
		{"properties", `{ const { open, shut: close } = pick(""); open.zz; close().zz }`, "Boolean, Promise"},
		{"elements by their indexes", `const { 0: d, 1: { zz } } = [pick(""), pick("")]`, ""},
		{"a default", `const { x = 1 } = {} as { x?: number }; x.zz; const { y = pick("") } = {} as { y?: Door }; y.zz`, "Number, Door"},
		{"a rest of an array", `const [a, ...rest] = [1, 2]; a.zz; rest.zz; rest[0].zz`, "Number, Array, Number"},
		{"a hole", `const [, b] = [pick(""), pick("")]; b.zz`, "Door"},
		{"nested patterns", `const { doors: [{ open: ajar }] } = new Kiln(""); ajar.zz`, "Boolean"},
		{"parameters", `function f({ doors: [d] }: Kiln, [n]: number[], { w = "" }: { w?: string }) { d.zz; n.zz; w.zz }`, "Door, Number, String"},
		{"a loop", `for (const { open } of new Kiln("").doors) open.zz`, "Boolean"},
		{"the result of a function", `const { name, kiln } = make(); name.zz; kiln.doors[0].zz`, "String, Door"},
		{"names that are declared again in a block", `const d = pick(""); { const d = 1; d.zz } d.zz`, "Number, Door"},
		{"var in a block belongs to the function", `function f() { if (list) { var d = pick("") } d.zz }`, "Door"},
	})
}

func TestTypes_Promises(t *testing.T) {
	checkValues(t, []valueCase{
		{"await", `async () => { (await pick("").shut()).zz; (await pick("")).zz; (await 1).zz }`, "Kiln, Door, Number"},
		{"await of a promise of a promise", `declare const p: Promise<Promise<Door>>; async () => { (await p).zz }`, "Door"},
		{"await of either", `declare const p: Promise<Door> | Door; async () => { (await p).zz }`, "Door"},
		{"await of a subclass", `interface Later extends Promise<Door> { cancel(): void } declare const l: Later; async () => { (await l).zz; l.zz }`, "Door, Later"},
		{"await of another object with then", `declare const t: { then(f: (d: Door) => void): void }; async () => { (await t).zz }`, ""},
		{"asynchronous functions", `async function f() { return pick("") } f().zz; async () => { (await f()).zz }; (async () => 1)().zz`, "Promise, Door, Promise"},
		{"an asynchronous method", `class A { async m() { return pick("") } } async () => { (await new A().m()).zz }`, "Door"},
		{"then", `pick("").shut().then(k => { k.zz; return 1 }).then(n => n.zz)`, "Kiln, Number"},
		{"then with a promise", `pick("").shut().then(k => k.doors[0].shut()).then(k => k.zz)`, "Kiln"},
		{"all", `async () => { const l = await Promise.all([pick("").shut(), pick("x").shut()]); l[0].zz }`, "Kiln"},
		{"resolve", `async () => { (await Promise.resolve(pick(""))).zz }`, "Door"},
	})
}

func TestTypes_Enumerations(t *testing.T) {
	checkValues(t, []valueCase{
		{"members of a numeric enumeration are numbers", `Glaze.Matt.zz; declare const g: Glaze; g.zz; g.toFixed().zz`, "Number, Glaze, String"},
		{"members of an enumeration of strings are strings", `Clay.Red.zz; declare const c: Clay; c.zz; c.length.zz`, "String, Clay, Number"},
		{"a member that does not exist", `Glaze.zz; Clay.zz`, "typeof Glaze, typeof Clay"},
		{"through a namespace import", `shop.Glaze.Matt.zz; shop.Clay.zz`, "Number, typeof Clay"},
	})
}

func TestTypes_Classes(t *testing.T) {
	checkValues(t, []valueCase{
		{"instances, statics and getters", `new Jar(1).zz; Jar.zz; Jar.made.zz; Jar.of(1).zz; new Jar(1).lid.zz`, "Jar, typeof Jar, Number, Jar, Number"},
		{"properties from parameters, and readonly ones", `new Jar(1).size.zz; new Jar(1).label.zz`, "Number, String"},
		{"this as a result", `new Jar(1).fill().zz; class Pot extends Jar { own = 1 } new Pot(1).fill().zz`, "Jar, Pot"},
		{"private names", `class A { #d = pick(""); static #n = 1; m() { this.#d.zz; A.#n.zz } }`, "Door, Number"},
		{"private members inside the class", `class A { private d = pick(""); constructor(private k: Kiln) {} m() { this.d.zz; this.k.zz } }`, "Door, Kiln"},
		{"inherited members", `class A extends Jar { m() { this.size.zz; this.zz; super.fill() } }`, "Number, A"},
		{"statics are inherited", `class A extends Jar {} A.made.zz; A.zz`, "Number, typeof A"},
		{"the prototype of a class", `Jar.prototype.zz`, "Jar"},
		{"accessors", `class A { get d() { return pick("") } set d(v) {} get n(): number { return 1 } } new A().d.zz; new A().n.zz`, "Door, Number"},
		{"this in an arrow function, not in a function", `class A { d = 1; m() { () => this.zz; function f(this: Door) { this.zz } } }`, "A, Door"},
		{"initializers of properties", `class A { d = pick(""); n = this.d.open; l = [this.d] } new A().n.zz; new A().l[0].zz`, "Boolean, Door"},
		{"static blocks", `class A { static n = 1; static { A.n.zz; this.n.zz } }`, "Number, Number"},
		{"namespaces of packages", `tools.zz; tools.knife.zz; new tools.Saw().zz; new tools.Saw().teeth.zz`, "typeof tools, {}, Saw, Number"},
	})
}

func TestTypes_Constructors(t *testing.T) {
	checkValues(t, []valueCase{
		{"type arguments", `new Kiln<Door>(pick("")).name.zz; new Crate<Door>(pick("")).first().zz`, "Door, Door"},
		{"inferred type arguments", `new Crate(1).first().zz; new Crate(pick("")).item.zz; new Crate(new Crate("")).first().first().zz`, "Number, Door, String"},
		{"a construct signature", `declare const C: { new (n: number): Door }; new C(1).zz`, "Door"},
		{"an interface with a construct signature", `new Error("x").zz; Error("x").zz; new Map<string, Door>().get("")!.zz`, "Error, Error, Door"},
		{"an inherited constructor", `class A extends Crate<Door> {} new A(pick("")).item.zz`, "Door"},
		{"defaults of type parameters", `class A<T = Door> { constructor(n: number, d?: T) {} d!: T } declare const a: A, k: Kiln; a.d.zz; k.name.zz`, "Door, String"},
		{"new without arguments", `class A { n = 1 } (new A).n.zz; new A().n.zz`, "Number, Number"},
	})
}

func TestTypes_InferredArguments(t *testing.T) {
	checkValues(t, []valueCase{
		{"the type of a parameter", `wrap(pick("")).inner.zz; wrap(1).inner.zz; wrap(wrap("")).inner.inner.zz`, "Door, Number, String"},
		{"of an array", `declare function first<T>(l: T[]): T; first([pick("")]).zz; first(list).zz; declare const r: readonly Door[]; declare function ro<T>(l: readonly T[]): T; ro(r).zz`, "Door, Number, Door"},
		{"of a type with arguments", `declare function item<T>(c: Crate<T>): T; item(new Crate(1)).zz; item(new Crate(pick(""))).zz`, "Number, Door"},
		{"of a type that the argument inherits from", `class Box extends Crate<Door> {} declare function item<T>(c: Crate<T>): T; item(new Box(pick(""))).zz`, "Door"},
		{"of the result of a function", `declare function run<T>(f: () => T): T; run(() => pick("")).zz; run(() => { return 1 }).zz; run(async () => 1).zz`, "Door, Number, Promise"},
		{"of a union with an array", `declare function flat<T>(v: T | ReadonlyArray<T>): T; flat([1]).zz; flat("").zz`, "Number, String"},
		{"of a union with undefined", `declare function def<T>(v: T | undefined): T; declare const d: Door | undefined; def(d).zz`, "Door"},
		{"of a union with a promise", `declare function wait<T>(v: T | Promise<T>): T; wait(pick("").shut()).zz; wait(1).zz`, "Kiln, Number"},
		{"explicit type arguments", `declare function get<T>(key: string): T; get<Door>("").zz; get<Door[]>("")[0].zz`, "Door, Door"},
		{"a default", `declare function get<T = Door>(key: string): T; get("").zz`, "Door"},
		{"parameters of callbacks", `list.map(n => n.zz); [pick("")].filter(d => d.zz); wrap((d: Door) => d.zz)`, "Number, Door, Door"},
		{"results of callbacks", `list.map(n => pick("")).map(d => d.zz); list.map(n => [n])[0][0].zz`, "Door, Number"},
		{"two arguments for one parameter", `declare function both<T>(a: T, b: T): T; both(1, 2).zz; both(pick(""), pick("")).zz`, "Number, Door"},
		{"overloads", `pick("").zz; pick(1).zz; pick().zz; declare function f(a: string, b: number): Door; declare function f(a: number): Kiln; f("", 1).zz; f(1).zz`, "Door, Kiln, Door, Door, Kiln"},
		{"overloads for booleans and literals", `declare function f(a: boolean): Door; declare function f(a: any): Kiln; declare function g<T>(a: T): Door; declare function g(a: any): Kiln; declare function h(a: "x" | "y"): Door; declare function h(a: any): Kiln; declare const b: boolean, s: string, l: "x" | "y"; f(b).zz; f(s).zz; g(b).zz; h(l).zz; h(s).zz`, "Door, Kiln, Door, Door, Kiln"},
	})
}

func TestTypes_UtilityTypes(t *testing.T) {
	checkValues(t, []valueCase{
		{"a mapped type of a primitive type", "type Shown<T> = { [K in keyof T]: T[K] } & unknown; declare const s: Shown<`a${string}`>, n: Shown<number>; s.length; s.zz; n.zz", "{}, {}"},
		{"Partial, Required and Readonly", `declare const a: Partial<Door>, b: Required<Options>, c: Readonly<Door>; a.zz; b.heat.zz; c.open.zz`, "{}, Number, Boolean"},
		{"Pick and Omit", `declare const a: Pick<Door, "open">, b: Omit<Oven, "bake">; a.open.zz; b.open.zz; b.zz`, "Boolean, Boolean, {}"},
		{"Record", `declare const r: Record<"a" | "b", Door>; r.a.zz; r.zz; declare const s: Record<string, Door>; s.zz`, "Door, {}"},
		{"NonNullable, Exclude and Extract", `declare const a: NonNullable<Door | null>, b: Exclude<string | Door, string>, c: Extract<string | number, string>; a.zz; b.zz; c.zz`, "Door, Door, String"},
		{"ReturnType and Parameters", `declare const r: ReturnType<typeof read>, p: Parameters<typeof isOven>, m: ReturnType<Door["shut"]>; r.zz; p[0].zz; m.zz`, "{}, Door, Promise"},
		{"InstanceType", `declare const j: InstanceType<typeof Jar>; j.zz; j.size.zz`, "Jar, Number"},
		{"typeof a value", `declare const f: typeof firsts, j: typeof Jar; f.door.zz; j.zz`, "Door, typeof Jar"},
		{"indexed access", `declare const d: Kiln["doors"][number], o: Lists["door"][0]; interface Lists { door: [Door] } d.zz; o.zz`, "Door, Door"},
		{"a mapped type with a condition", `type Only<T> = { [K in keyof T]: T[K] extends boolean ? string : Door }; declare const o: Only<Oven>; o.open.zz; o.bake.zz`, "String, Door"},
		{"a mapped type that renames", "type Get<T> = { [K in keyof T as `get${K & string}`]: () => T[K] }; declare const g: Get<{ A: Door }>; g.getA().zz; g.zz", "Door, {}"},
		{"intersections", `declare const a: Door & { more: number }; a.open.zz; a.more.zz; a.zz`, "Boolean, Number, {}"},
	})
}

func TestTypes_ConditionalTypes(t *testing.T) {
	const use = "; declare const v: If; v.zz"
	checkValues(t, []valueCase{
		{"a primitive", `type If = "a" extends string ? Door : Kiln` + use, "Door"},
		{"an object does not extend a primitive", `type If = Door extends string ? Door : Kiln` + use, "Kiln"},
		{"an object with the properties", `type If = Oven extends { open: boolean } ? Door : Kiln` + use, "Door"},
		{"an object without a property", `type If = Door extends { bake(): void } ? Door : Kiln` + use, "Kiln"},
		{"a subclass", `type If = Oven extends Door ? Door : Kiln` + use, "Door"},
		{"a union is distributed", `type D<T> = T extends string ? Door : T; type If = D<string | Door>` + use, "Door"},
		{"a union in a tuple is not distributed", `type D<T> = [T] extends [string] ? Door : Kiln; type If = D<string | number>` + use, "Kiln"},
		{"infer an element", `type E<T> = T extends (infer U)[] ? U : never; type If = E<Door[]>` + use, "Door"},
		{"infer an argument", `type A<T> = T extends Promise<infer U> ? U : T; type If = A<Promise<Kiln>>` + use, "Kiln"},
		{"infer a result", `type R<T> = T extends (...a: any[]) => infer U ? U : never; type If = R<() => Door>` + use, "Door"},
		{"infer a parameter", `type P<T> = T extends (a: infer U) => void ? U : never; type If = P<(d: Door) => void>` + use, "Door"},
		{"infer the result of a constructor", `type N<T> = T extends new (...a: any[]) => infer U ? U : never; type If = N<typeof Jar>` + use, "Jar"},
		{"infer a property", `type Q<T> = T extends { open: infer U } ? U : never; type If = Q<Door>` + use, "Boolean"},
		{"infer the head of a tuple", `type H<T> = T extends [infer A, infer B] ? A : never; type If = H<[Door, Kiln]>` + use, "Door"},
		{"a tuple of another length", `type H<T> = T extends [infer A] ? A : Kiln; type If = H<[Door, Door]>` + use, "Kiln"},
		{"a function", `type If = (() => void) extends Function ? Door : Kiln` + use, "Door"},
		{"an intersection", `type If = Oven extends Door & { open: boolean } ? Door : Kiln` + use, "Door"},
		{"object is no primitive", `type If = Door extends object ? Door : Kiln` + use, "Door"},
		{"an optional property does not fit a required one", `type If = { a?: 1 } extends { a: 1 } ? Door : Kiln` + use, "Kiln"},
		{"a readonly tuple does not extend a tuple", `type M<T> = T extends [string] ? Door : Kiln; type If = M<readonly ["a"]>` + use, "Kiln"},
		{"a readonly array does not extend an array", `type M<T> = T extends unknown[] ? Door : Kiln; type If = M<readonly string[]>` + use, "Kiln"},
		{"ReadonlyArray does not extend an array", `type M<T> = T extends unknown[] ? Door : Kiln; type If = M<ReadonlyArray<string>>` + use, "Kiln"},
		{"a readonly tuple extends a readonly tuple", `type M<T> = T extends readonly [string] ? Door : Kiln; type If = M<readonly ["a"]>` + use, "Door"},
		{"an element that is optional", `type M<T> = T extends readonly [string, number?] ? Door : Kiln; type If = M<["a"]>` + use, ""},
		{"Readonly of a tuple", `type M<T> = T extends readonly [string] ? Door : Kiln; type If = M<Readonly<[string]>>` + use, ""},
		{"an array by its interface", `interface List extends Array<string> {} type M<T> = T extends readonly unknown[] ? Door : Kiln; type If = M<List>` + use, ""},
		{"strings with one pattern in another", "type P<T> = T extends `/${infer X}` ? Door : Kiln; type If = P<`/${string}`>" + use, ""},
		{"any string and a pattern", "type P<T> = T extends `/${string}` ? Door : Kiln; type If = P<string>" + use, "Kiln"},
		{"a number in a string", "type P<T> = T extends `${number}` ? Door : Kiln; type If = P<\"1e3\">" + use, ""},
		{"no number in a string", "type P<T> = T extends `${number}` ? Door : Kiln; type If = P<\"x\">" + use, "Kiln"},
		{"a unique symbol is a symbol", `declare const s: unique symbol; type If = typeof s extends symbol ? Door : Kiln` + use, "Door"},
		{"different unique symbols", `declare const s: unique symbol, u: unique symbol; type If = typeof s extends typeof u ? Door : Kiln` + use, "Kiln"},
		{"members of a primitive", `type If = string extends { length: number } ? Door : Kiln` + use, ""},
		{"no members of a primitive", `type If = "a" extends { open: boolean } ? Door : Kiln` + use, "Kiln"},
		{"a nested condition", `type S<T> = T extends string ? Door : T extends number ? Kiln : never; type If = S<1>` + use, "Kiln"},
	})
}

func TestTypes_Functions(t *testing.T) {
	checkValues(t, []valueCase{
		{"results of bodies", `function f() { return pick("") } f().zz; const g = () => ({ d: pick("") }); g().d.zz`, "Door, Door"},
		{"several returns", `function f(b: boolean) { if (b) return pick(""); return pick("x") } f(true).zz; function g(b: boolean) { if (b) return; return pick("") } g(true)!.zz`, "Door, Door"},
		{"default values of parameters", `function f(n = 1, s = "") { n.zz; s.zz }`, "Number, String"},
		{"rest parameters", `function f(...l: Door[]) { l.zz; l[0].zz }`, "Array, Door"},
		{"optional parameters", `function f(d?: Door) { d!.zz; d?.zz }`, "Door, Door"},
		{"a function that calls itself", `function f(n: number) { return n ? f(n - 1) : pick("") } f(1).zz`, ""},
		{"members of functions", `isOven.zz; pick("").shut.zz; ((a: string) => a).name.zz`, "typeof isOven, {}, String"},
		{"functions in objects", `const o = { m() { return pick("") }, a: () => 1, get g() { return pick("") } }; o.m().zz; o.a().zz`, "Door, Number"},
		{"callbacks of options", `fire({ onOpen(d) { d.zz } }); fire({ onOpen: d => d.zz }); const o: Options = { onOpen: (d) => { d.zz } }`, "Door, Door, Door"},
		{"the export default and renamed imports", `make().kiln.zz; shop.default().name.zz`, "Kiln, String"},
		{"blocks of statements", `try { pick("").zz } catch (e) { e.zz } finally { list.zz } switch (list.length) { case 1: list[0].zz; default: pick("").zz } do { list.zz } while (list.zz); label: for (;;) { list.zz; break label }`,
			"Door, Array, Number, Door, Array, Array, Array"},
	})
}
