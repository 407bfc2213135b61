package npm

import "testing"

// inferLibrary continues valueLibrary with generic functions.
var inferLibrary = map[string]string{
	"node_modules/loom/package.json": `{"name": "loom", "version": "1.0.0", "types": "index.d.ts"}`,
	"node_modules/loom/index.d.ts": `
export interface Bolt { width: number; dye?: Dye }
export interface Dye { hue: string }
export type Ply<T extends Bolt = Bolt> = T | number | string;
export declare function weave<T extends Bolt, R extends Bolt = T>(b: Ply<T>, options?: { in?: (b: T) => R }): R;
export declare class Frame<A = Bolt, B extends Dye = Dye> {
  constructor(options?: FrameOptions<A, B>);
  each(f: (a: A, b: B) => void): void;
  use<N = {}>(f: (x: { a: A } & N) => void): void;
}
export interface FrameOptions<A, B> { first?: A; second?: B; rows?: number }
export interface Job<D, V, E = Error> { run: (v: V) => Promise<D>; done?: (d: D, v: V) => void; failed?: (e: E) => void }
export declare function job<D = unknown, V = void, E = Dye>(o: Job<D, V, E>): { last?: D; start(v: V): void };
type Without<T, K> = Omit<T, K & keyof T>;
export interface Base<D, V> { run?: (v: V) => D; secret?: number }
export interface Derived<D = unknown, V = unknown> extends Without<Base<D, V>, "secret"> {}
export declare const derived: Derived<Bolt, Dye>;
export declare function derive<D, V>(o: Derived<D, V>): { d: D; v: V };
export interface Step<I, O> { (i: I): O }
export declare function map<T, R>(f: (value: T, index: number) => R): Step<T, R>;
export declare function keep<T>(f: (value: T) => boolean): Step<T, T>;
export declare class Flow<T> { pipe<A>(a: Step<T, A>): Flow<A>; pipe<A, B>(a: Step<T, A>, b: Step<A, B>): Flow<B>; value: T }
export declare function flow<T extends unknown[]>(...values: T): Flow<T[number]>;
export declare function pair<T extends [unknown, unknown]>(...values: T): { both: T; first: T[0] };
export declare function last<T extends unknown[]>(list: [string, ...T]): T;
export declare function entries<T>(o: { [name: string]: T } | null): T[];
export declare function fold<T, R>(list: T[], f: (r: R, t: T) => R, start: R): R;
export declare function find<T>(list: T[], f: (t: T) => boolean): T | undefined;
export declare function find<T extends object>(o: T, f: (t: T[keyof T]) => boolean): T[keyof T] | undefined;
export declare function later<S>(init: S | (() => S)): S;
export declare function same<T>(a: Readonly<T>): T;
export declare function fill<T extends Bolt>(a: Partial<T>): T;
export declare function at<T, K extends keyof T>(o: T, key: K, otherwise: T[K]): T;
type Tools = []; type Change<S, M> = M extends [] ? S : number;
export declare function store<S>(): <M extends Tools = []>(init: ((get: () => S) => S) & { tools?: M }) => Change<{ get(): S }, M> & { [K in M[number]]: number };
export declare class Shape<S> { parse(v: unknown): Output<this>; out: S; self(): this }
export type Output<T> = T extends { out: any } ? T["out"] : unknown;
export declare function shape<S>(s: S): Shape<S>;
export type Tagged<T> = T extends string[] | Dye ? T : T extends Record<string, any> ? T & { tag?: string } : T;
export interface Context { req: Dye; res: Bolt }
export interface Open { [name: string]: any }
export declare const context: Context & { state: Open } & (Open & {});
export declare function pick(name: "bolt", f: (b: Bolt) => void): void;
export declare function pick(name: "dye", f: (d: Dye) => void): void;
export declare function send(o: { on: true }): Dye;
export declare function send(o: { on?: false }): Bolt;
export declare function ask<T extends Dye>(q: T): T;
export declare function ask(q: string): Bolt;


export interface Maker<T> { new (...args: any[]): T }
export declare function make<T>(of: Maker<T> | string): T;
export declare function made<T>(of: new () => T): T;
export declare class Loom { static open<T extends Loom>(this: Maker<T>): T; static beams: number; weft: Bolt }
declare const Blend: Maker<Bolt> & Maker<Dye> & Hidden;
export declare class Twill extends Blend { twist: number }
export declare function warp<T>(t: T): Bolt;
export declare function warp<T, M>(t: T, message: M): Dye;
export declare const plain: Bolt & object;
export declare function result(): { bolt: Bolt; pair: [Dye, Bolt]; any: any };
export interface Nothing { readonly tag: "nothing" }
export interface Just<T> { readonly tag: "just"; value: T }
export type Maybe<T> = Nothing | Just<T>;
export declare function just<T>(t: T): Maybe<T>;
export declare function change<A, B>(o: Maybe<A>, f: (a: A) => B): Maybe<B>;
export declare function lift<A, B>(f: (a: A) => B): (o: Maybe<A>) => Maybe<B>;
export declare function through<A, B>(a: A, f: (a: A) => B): B;
export interface Cell<T> { get(): T; content: T }
export interface Formula<T> { readonly content: T }
export declare function watch<T>(source: Cell<T> | Formula<T> | (() => T), f: (t: T) => void): T;
export declare function compute<T>(get: () => T): Formula<T>;
export declare function compute<T>(o: { get: () => T; set(t: T): void }): Cell<T>;
export declare const extended: Cell<Bolt> & { more: 1 };
export declare const absentCell: Cell<Bolt> | null;
export declare function isNamed(c: Cell<Bolt> | null): c is Cell<Bolt> & { name: string };
export interface Slots<T> { [index: number]: T }
export interface Rack extends Slots<Bolt> { label: string }
export declare const rack: Rack, shelf: { [name: string]: Dye };
export declare function tie(of: Dye): Dye;
export declare function tie(of: string): Bolt;
export declare function tie(of: any): Frame;
`,
}

func TestTypes_Inference(t *testing.T) {
	checkValuesOf(t, inferLibrary, `import * as l from "loom"; import { Bolt, Dye, Frame, job, flow, map, keep } from "loom"; declare const bolt: Bolt, dye: Dye, u: unknown;`, []valueCase{
		{"through an alias of a union", `l.weave(bolt).zz; l.weave(1).zz`, "Bolt, Bolt"},
		{"the default of a parameter on which an argument does not depend", `new Frame({ rows: 1 }).each((a, b) => { a.zz; b.zz })`, "Bolt, Dye"},
		{"the fields of an object literal", `new Frame({ first: dye }).each((a, b) => { a.zz; b.zz })`, "Dye, Dye"},
		{"an argument of unknown type", `declare const o: any; new Frame(o.x.y).each(a => { a.zz })`, ""},
		{"the default of a parameter of a callback", `new Frame<Dye>().use(x => { x.a.zz; x.zz })`, "Dye, {}"},
		{"the result and the parameters of a function in a field", `const j = job({ run: async (v: Dye) => bolt, done: (d, v) => { d.zz; v.zz } }); j.last?.zz`, "Bolt, Dye, Bolt"},
		{"fields in another order", `job({ done: (d, v) => { d.zz; v.zz }, run: async (v: Dye) => bolt })`, "Bolt, Dye"},
		{"a function without parameters", `job({ run: async () => bolt, done: d => d.zz, failed: e => e.zz })`, "Bolt, Dye"},
		{"a function that is declared elsewhere", `async function run(v: Bolt) { return dye } job({ run }).last?.zz`, "Dye"},
		{"a property that an interface inherits from a mapped type", `derivedRun(l.derived.run?.(dye)).zz; function derivedRun<T>(t: T) { return t } l.derived.run?.(dye).zz`, "Bolt"},
		{"from a property that an interface inherits from a mapped type", `const d = l.derive({ run: (v: Dye) => bolt }); d.d.zz; d.v.zz`, "Bolt, Dye"},
		{"the type that the context requires", `declare const f: l.Flow<Bolt>; f.pipe(map(b => b.zz)); f.pipe(map(b => dye), keep(d => d.zz > 1)).value.zz`, "Bolt, Dye, Dye"},
		{"a rest parameter", `flow(bolt, dye).value.zz; flow(bolt).pipe(map(b => b.zz))`, "Bolt, Bolt"},
		{"a rest parameter with an unknown argument", `flow(bolt, nothing).value.zz`, ""},
		{"a tuple of arguments", `l.pair(bolt, dye).first.zz`, "Bolt"},
		{"the rest of a tuple", `declare const two: [string, Bolt]; l.last(two)[0].zz`, "Bolt"},
		{"an index signature", `l.entries({ a: bolt })[0].zz`, "Bolt"},
		{"arguments after a callback", `l.fold([bolt], (d, b) => { d.zz; b.zz; return d }, dye).zz`, "Dye, Bolt, Dye"},
		{"a function whose parameter is a function with types", `declare function on<T>(f: (g: (t: T) => void) => void): T; on((g: (d: Dye) => void) => {}).x; declare function under<T>(f: (g: { h(t: T): void }) => void): T; under((g: { h(t: Dye): void }) => {}).x`, ""},
		{"a value or a function", `l.later(bolt).zz; l.later(() => dye).zz`, "Bolt, Dye"},
		{"a mapped type", `l.same(bolt).zz`, "Bolt"},
		{"a mapped type of a parameter with a constraint", `l.fill({}).width; l.fill({ hue: 1 }).width; l.fill(bolt).zz`, "Bolt"},
		{"nothing from T[K]", `l.at(bolt, "dye", dye).zz`, "Bolt"},
		{"a function with a property that it lacks", `declare const s: Bolt; const st = l.store<Bolt>()(get => s); st.get().zz; st.zz`, "Bolt, {}"},
		{"this in the result of a method", `l.shape(bolt).parse(1).zz; l.shape(bolt).self().parse(1).zz`, "Bolt, Bolt"},
		{"objects extend Record<string, any>", `declare const t: l.Tagged<Bolt>; t.zz; t.tag`, "{}"},
		{"spread arguments", `declare const all: any[]; l.fold(...all).zz`, ""},
		{"two references to one alias", `type Both<T, K> = Readonly<T> & { [P in K & string]: Dye }; declare const b: Both<{ a: Bolt }, never>; declare function rest<T, K>(b: Both<T, K>): { t: T; k: [K] extends [never] ? Dye : Bolt }; rest(b).t.zz; rest(b).t.a.zz; rest(b).k.zz`, "{}, Bolt, Dye"},
		{"a new Map", `new Map([["a", bolt]]).get("a")?.zz`, "Bolt"},
	})
}

func TestTypes_InferredFromUnions(t *testing.T) {
	checkValuesOf(t, inferLibrary, `import * as l from "loom"; import { Bolt, Dye } from "loom"; declare const bolt: Bolt, dye: Dye, cell: l.Cell<Dye>, key: string;`, []valueCase{
		{"parts of the same types", `const m = l.just(bolt); l.change(m, b => b.zz); l.change(m, b => dye).zz`, "Bolt, Nothing"},
		{"a function that the context requires", `l.through(l.just(bolt), l.lift(b => b.zz)); l.through(l.just(bolt), l.lift(b => dye)).zz`, "Bolt, Nothing"},
		{"parts of other types", `l.watch(cell, d => d.zz).zz; l.watch(() => bolt, b => b.zz)`, "Dye, Dye, Bolt"},
		{"an intersection", `l.watch(l.extended, b => b.zz)`, "Bolt"},
		{"a function without parameters determines the overload", `l.compute(() => bolt).content.zz; l.compute(() => bolt).zz`, "Bolt, Formula"},
		{"null before a predicate", `if (l.isNamed(l.absentCell)) { l.absentCell.name; l.absentCell.zz }`, "{}"},
		{"elements of an interface", `l.rack[0].zz; l.rack.label`, "Bolt"},
		{"an index signature", `l.shelf.a.zz; l.shelf["b c"].zz; l.shelf[key].zz; l.shelf.a.hue`, "Dye, Dye, Dye"},
	})
}

func TestTypes_ModuleSuffixes(t *testing.T) {
	files := map[string]string{
		"tsconfig.json":      `{"compilerOptions": {"moduleSuffixes": [".ios", ""], "paths": {"@/*": ["src/*"]}}}`,
		"src/button.ts":      `export const button = { size: 1 }; export class Plain { size = 1 }`,
		"src/button.ios.ts":  `export const button = { size: "", touch: 1 }; export class Touch { size = 1 }`,
		"src/label.ts":       `export class Label { size = 1 }`,
		"src/a/index.ios.ts": `export class Index { size = 1 }`,
	}
	checkValuesOf(t, files, ``, []valueCase{
		{"a module with a suffix", `import { button, Touch } from "./src/button"; button.touch; button.zz; new Touch().zz`, "{}, Touch"},
		{"an extension", `import { Touch } from "./src/button.js"; new Touch().zz`, "Touch"},
		{"a mapped path", `import { Touch } from "@/button"; new Touch().zz`, "Touch"},
		{"a directory", `import { Index } from "./src/a"; new Index().zz`, "Index"},
		{"a module without a suffix", `import { Label } from "./src/label"; new Label().zz`, "Label"},
	})
}

func TestTypes_InferredConstructors(t *testing.T) {
	checkValuesOf(t, inferLibrary, `import * as l from "loom"; import { Bolt, Dye, Loom } from "loom"; class Own extends Loom { size = 1 } class Box<T> { item!: T }`, []valueCase{
		{"an interface", `l.make(Own).size; l.make(Own).zz`, "Own"},
		{"a type", `l.made(Own).zz; l.made(Loom).zz`, "Own, Loom"},
		{"this", `Own.open().size; Own.open().zz`, "Own"},
		{"a generic class", `l.made(Box).zz`, ""},
		{"a base of several constructors", `declare const t: l.Twill; t.twist; t.width; t.hue; t.zz; l.Twill.zz`, "Twill"},
		{"an argument for a type parameter is required", `l.warp(1).zz; l.warp(1, 2).zz`, "Bolt, Dye"},
		{"object", `l.plain.width; l.plain.zz`, "{}"},
	})
}

func TestTypes_AbsentInPatterns(t *testing.T) {
	checkValuesOf(t, inferLibrary, `import * as l from "loom"; import { Bolt, Dye } from "loom"; declare const bolt: Bolt, dye: Dye; declare function each(f: (b: Bolt) => void): void;`, []valueCase{
		{"a variable", `const { width, zz } = bolt; const { zz: other } = dye`, "Bolt, Dye"},
		{"a default", `const { zz = 1 } = bolt`, "Bolt"},
		{"nested", `const { bolt: { zz }, pair: [{ zz: a }, { zz: b }], any: { c } } = l.result()`, "Bolt, Dye, Bolt"},
		{"a parameter", `each(({ width, zz }) => {}); function f({ zz }: Dye) {}`, "Bolt, Dye"},
		{"a loop", `for (const { zz } of [bolt, bolt]) {}`, "Bolt"},
		{"a literal", `const { zz = 1 } = {}; const { a, zz: b = 2 } = { a: 1 }`, ""},
		{"the rest", `const { width, ...rest } = bolt; rest.dye?.zz; rest.width`, "Dye, the value has no member width"},
		{"the rest of a union", `declare const b: Bolt | Dye; const { ...rest } = b; rest.width; rest.hue`, ""},
		{"a computed name", `declare const key: string; const { [key]: a } = bolt`, ""},
		{"a value that in narrows", `if ("zz" in bolt) { const { zz } = bolt }`, ""},
		{"a nested default", `const { dye: { zz } = { hue: "", zz: 1 } } = bolt`, ""},
	})
}

func TestTypes_ChosenOverload(t *testing.T) {
	checkValuesOf(t, inferLibrary, `import * as l from "loom"; import { Bolt, Dye } from "loom"; declare const bolt: Bolt, dye: Dye, u: any;`, []valueCase{
		{"a literal determines the function", `l.pick("dye", d => d.zz); l.pick("bolt", b => b.zz)`, "Dye, Bolt"},
		{"a list determines the function", `l.find([bolt], b => b.zz)?.zz`, "Bolt, Bolt"},
		{"an object does not match a list", `l.find({ a: bolt }, b => b.zz)`, "Bolt"},
		{"a primitive value lacks members of an interface", `l.tie("x").zz`, "Bolt"},
		{"a primitive value does not match a constraint", `l.ask("x").zz; l.ask(dye).zz`, "Bolt, Dye"},
		{"any matches all", `l.tie(u).zz`, "Dye"},
		{"a field that the first does not have", `type A = { id: string }; declare function put(a: A): Dye; declare function put(a: A & { bolt: Bolt }): Bolt; put({ id: "", bolt }).zz; put({ id: "" }).zz; const v = { id: "", bolt }; put(v).zz; put({ ...v }).zz`, "Bolt, Dye, Dye, Dye"},
	})
}

func TestTypes_Intersections(t *testing.T) {
	checkValuesOf(t, inferLibrary, `import * as l from "loom"; import { Bolt, Dye } from "loom";`, []valueCase{
		{"an index signature does not hide members of other parts", `l.context.req.zz; l.context.state.zz; l.context.zz`, "Dye"},
		{"a mapped type without keys", `declare const a: Bolt & { [K in keyof (() => void)]: 1 }; a.zz`, "{}"},
		{"a mapped type over an index signature", `declare const a: Bolt & { [K in keyof l.Open]: 1 }; a.zz`, ""},
		{"a type parameter that the context determines through a conditional type", `interface P { as?: string } interface FC<T> { (p: T): void } type W<T> = T extends any ? ("ref" extends keyof T ? Omit<T, "ref"> : T) : T; declare function fr<Q = {}>(r: (p: W<Q>) => void): FC<W<Q>>; const x: FC<P> = fr((p) => { p.as })`, ""},
		{"a base of a base that is not known", `interface A extends Unknown { a: 1 } interface C extends Omit<A, "a"> { c: 1 } declare const c: C & Bolt; c.zz`, ""},
		{"a base of a base that is a mapped type", `type P<T> = { [K in keyof T]?: T[K] }; interface A extends P<Bolt> { a?: 1 } interface C extends A { c?: 1 } declare const c: C; c.zz; c.width; c.a`, "C"},
		{"a base of a base that is a mapped type over a type parameter", `type P<T> = { [K in keyof T]?: T[K] }; interface A<T> extends P<T> { a?: 1 } interface C extends A<Bolt> { c?: 1 } declare const c: C; c.zz; c.width`, ""},
		{"functions of the project", `const f = (a: number) => a; f.zz; function g() {} g.zz`, "Function, typeof g"},
		{"a property that code assigns to a function", `function g() {} g.zz = 1; g.zz.x`, ""},
	})
}

func TestTypes_Predicates(t *testing.T) {
	const context = `import { Bolt, Dye } from "loom"; declare const bolt: Bolt; declare class Nut implements Bolt { width: number; isFlat(): this is Nut & { flat: 1 }; wide(): boolean }
interface List<T> { find<S extends T>(f: (t: T) => t is S): S | undefined; find(f: (t: T) => unknown): T | undefined }
declare const bolts: List<Bolt>, nuts: List<Nut>, both: List<Bolt | Dye>; declare function isNut(b: Bolt): b is Nut;`
	checkValuesOf(t, inferLibrary, context, []valueCase{
		{"a function that reads members", `bolts.find(b => b.width > 1)!.zz; nuts.find(n => n.wide())?.zz`, "Bolt, Nut"},
		{"a function with a declared result", `bolts.find((b): boolean => b instanceof Nut)?.zz`, "Bolt"},
		{"a function that may narrow its parameter", `bolts.find(b => isNut(b))?.zz; bolts.find(b => b instanceof Nut)?.zz; nuts.find(n => n.isFlat())?.flat; both.find(b => "hue" in b)?.hue`, ""},
		{"a predicate", `bolts.find((b): b is Nut => b.width > 1)?.isFlat()`, ""},
	})
}

func TestTypes_Tuples(t *testing.T) {
	const context = `import { Bolt, Dye } from "loom"; declare const bolt: Bolt, dye: Dye, bolts: Bolt[];
declare function all<T extends readonly unknown[] | []>(v: T): { -readonly [P in keyof T]: T[P] };
declare function first<T>(t: T): T extends readonly [infer H, ...unknown[]] ? H : T extends readonly (infer E)[] ? E : never;`
	checkValuesOf(t, inferLibrary, context, []valueCase{
		{"a constant array", `const [b, [d]] = [bolt, [dye, bolt]] as const; b.hue; d.width`, "Bolt of loom@1.0.0 has no member hue, Dye of loom@1.0.0 has no member width"},
		{"a constraint that allows tuples", `const [b, d] = all([bolt, dye]); b.zz; d.zz; all(bolts)[0].zz`, "Bolt, Dye, Bolt"},
		{"an array is no tuple with a first element", `first(bolts).zz`, "Bolt"},
		{"an array", `const c = [bolt, dye]; c[0].width; c[0].hue`, ""},
		{"a constant array without an element", `const c = [, bolt] as const; c[1]?.width; bolt.zz`, "Bolt"},
	})
}

func TestTypes_Records(t *testing.T) {
	const context = `import { Bolt, Dye } from "loom"; declare const bolt: Bolt, key: string; declare const names: Record<string, Bolt>, some: Partial<Record<string, Dye>>;
declare function entries<T>(o: { [name: string]: T } | null): T[]; declare function entries(o: {}): any[];
declare function control<K extends string>(o: { [P in K]: Bolt }): { [P in K]: Dye };
declare function same<T>(l: Bolt[], f: (t: Bolt) => Bolt, start: Bolt): Bolt; declare function same<T>(l: Bolt[], f: (t: T) => T, start: T): T;`
	checkValuesOf(t, inferLibrary, context, []valueCase{
		{"an element", `names["a"].zz; names[key].zz; some["a"]?.zz`, "Bolt, Bolt, Dye"},
		{"an argument with an index signature", `entries(names)[0].zz; entries({ a: bolt })[0].zz`, "Bolt, Bolt"},
		{"the keys of an argument", `control({ a: bolt }).a.zz; control({ a: bolt }).b`, "Dye, the value has no member b"},
		{"an object that requires members accepts no record", `same([bolt], r => r, {} as Record<string, Dye>)["a"].zz`, "Dye"},
	})
}

func TestTypes_LaterDeclarationsFirst(t *testing.T) {
	const full = "node_modules/typescript/lib/lib.esnext.full.d.ts"
	files := map[string]string{
		full: "/// <reference lib=\"es2015.first\" />\n/// <reference lib=\"es2015.second\" />\n" + library[full],
		"node_modules/typescript/lib/lib.es2015.first.d.ts":  `interface Reel { wind(n: number): { early: 1 } } declare var reel: Reel;`,
		"node_modules/typescript/lib/lib.es2015.second.d.ts": `interface Reel { wind(n: number): { late: 1 } }`,
	}
	checkValuesOf(t, files, ``, []valueCase{
		{"a method", `reel.wind(1).late; reel.wind(1).early`, "the value has no member early"},
	})
}
