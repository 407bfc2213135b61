package npm

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// library is a small part of TypeScript's library, and a package that the project has installed.
var library = map[string]string{
	"package.json":                         `{"name": "shop", "dependencies": {"kiln": "1.0.0"}}`,
	"node_modules/typescript/package.json": `{"name": "typescript", "version": "5.0.0"}`,
	"node_modules/typescript/lib/lib.esnext.full.d.ts": `
interface Object { toString(): string }
interface Function { call(this: Function, ...args: any[]): any; name: string }
interface String { length: number; trim(): string; split(by: string): string[] }
interface Number { toFixed(): string }
interface Boolean { valueOf(): boolean }
interface Iterator<T> { next(): T }
interface SymbolConstructor { readonly iterator: unique symbol }
declare var Symbol: SymbolConstructor;
interface Array<T> {
  length: number;
  concat(): T[];
  map<U>(f: (value: T, index: number) => U): U[];
  flatMap<U>(f: (value: T) => U | ReadonlyArray<U>): U[];
  filter<S extends T>(f: (value: T) => value is S): S[];
  filter(f: (value: T) => unknown): T[];
  [Symbol.iterator](): Iterator<T>;
}
interface ReadonlyArray<T> { length: number; map<U>(f: (value: T, index: number) => U): U[] }
interface PromiseLike<T> { then<R>(f: (value: T) => R | PromiseLike<R>): PromiseLike<R> }
interface Promise<T> { then<R>(f: (value: T) => R | PromiseLike<R>): Promise<R> }
`,
	"node_modules/kiln/package.json": `{"name": "kiln", "version": "1.0.0", "types": "index.d.ts"}`,
	"node_modules/kiln/index.d.ts": `
export interface Door { open: boolean; shut(): Promise<Kiln> }
export declare class Kiln<T = string> { constructor(name: T); name: T; doors: Door[]; self(): this; private heat: number }
export interface Oven extends Door { bake(): void }
export declare function open<T>(value: T, f: (value: T, door: Door) => void): { value: T };
export declare function isOven(door: Door): door is Oven;
export declare function read(): { kind: "a"; a: Door } | { kind: "b"; b: Door };
export declare const firsts: { [K in keyof Lists]: Lists[K][0] };
export interface Lists { door: [Door] }
export interface Registry {}
export declare function pick(name?: string): Door;
export declare function pick(n: number): Kiln;
export declare function pick<T>(value: T): T;
export declare const registered: Registry extends { door: infer D } ? D : { none: true };
export type View = { kind: string } & ({ x: number } | { y: number });
export interface Options { heat?: number; door?: { open: boolean }; onOpen?(d: Door): void }
export declare function fire(o: Options | string, ...rest: Options[]): void;
export declare function glaze<T extends Options>(o: T, by: number, times?: number): T;
export type Loose = Door & Record<string, unknown>;
`,
	"vendored.ts": "// @ts-nocheck\n!function (t) { module.exports = t() }(() => ({ one: 1 }))",
	"own.ts": `
import { Door } from "kiln";
export class Base { private secret = 1; protected door!: Door; static count = 0 }
export const settings = { level: 1, door: null as Door | null };
export function double(n: number) { return { twice: n * 2 }; }
`,
}

// findings returns the members that a file of a project uses but that do not exist.
func findings(t *testing.T, name, src string) (all []string) {
	t.Helper()
	dir := filetest.Dir(t, library)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: name, Dir: dir, Text: []byte(src)}
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault == ecosystem.AbsentFault {
			all = append(all, fmt.Sprintf("%d: %s", u.Line, u.Message))
		}
	}
	return all
}

const imports = `import { Kiln, Door, Oven, open, isOven, read, pick, fire, View, glaze, Options, firsts, registered, Loose } from "kiln"; import * as own from "./own"; import { Base, settings, double } from "./own"; `

func TestTypes_AbsentMembers(t *testing.T) {
	for src, want := range map[string]string{
		`new Kiln("a").doors.map(d => d.opne)`:        "Door of kiln@1.0.0 has no member opne",
		`for (const d of new Kiln(1).doors) d.shtu()`: "Door of kiln@1.0.0 has no member shtu",
		`declare function state<S>(first: S | (() => S)): [S, (s: S) => void]; const [l] = state<string[]>([]); l.lengthX`:                                                                                                              "Array of typescript@5.0.0 has no member lengthX",
		`declare function log<L extends string = never>(o?: L[]): Door & { [K in L]: Door }; log().opne; declare function over<T extends Kiln>(n: string): T; declare function over<T>(n: string, o?: T): Door; over<Options>("").opne`: "the value has no member opne; Door of kiln@1.0.0 has no member opne",
		`declare const d: Door; d.isOpen(d); d.opne`:                                                        "Door of kiln@1.0.0 has no member isOpen; Door of kiln@1.0.0 has no member opne",
		`declare global { namespace JSX { interface Door extends Kiln {} } } declare const d: Door; d.opne`: "Door of kiln@1.0.0 has no member opne",
		`class Base2<D extends Door> { constructor(o: D) {} } class Sub<T> extends Base2<{ open: boolean; shut: null; more: T }> {} new Sub({ open: true, shut: null, more: 1 })`: "",
		`new Kiln("a").self().nameX`:                          "Kiln of kiln@1.0.0 has no member nameX",
		`new Kiln(1).name.toFixde()`:                          "Number of typescript@5.0.0 has no member toFixde",
		`async function f(d: Door) { (await d.shut()).naem }`: "Kiln of kiln@1.0.0 has no member naem",
		`open(1, (n, door) => door.opne)`:                     "Door of kiln@1.0.0 has no member opne",
		`open("a", () => {}).value.tirm()`:                    "String of typescript@5.0.0 has no member tirm",
		`const { doors: [first] } = new Kiln(""); first.opne`: "Door of kiln@1.0.0 has no member opne",
		`class Bell<T = Door> { constructor(); constructor(n: number, t?: T); ring!: T } new Bell(1).ring.opne`:                                          "Door of kiln@1.0.0 has no member opne",
		`new Kiln("a").doors[0].shut(1).then(k => k.naem)`:                                                                                               "Kiln of kiln@1.0.0 has no member naem",
		`class Deep<T> { constructor(public t: T) {} } interface Wide<T> extends Deep<T>, Bare {} interface Bare {} declare const w: Wide<Door>; w.opne`: "Wide has no member opne",
		`pick().opne; pick("a").name; pick(1).naem`:                                                                                                      "Door of kiln@1.0.0 has no member opne; Door of kiln@1.0.0 has no member name; Kiln of kiln@1.0.0 has no member naem",
		`new Kiln("a").doors[0].opne`:                                       "Door of kiln@1.0.0 has no member opne",
		`firsts.door.opne`:                                                  "Door of kiln@1.0.0 has no member opne",
		`const r = read(); if (r.kind === "a") r.c`:                         "the value has no member c",
		`class A extends Base { m() { this.door.opne; return this.doro } }`: "Door of kiln@1.0.0 has no member opne; A has no member doro",
		`Base.cuont`:                                         "typeof Base has no member cuont",
		`own.settingsX`:                                      "the value has no member settingsX",
		`settings.door?.opne; settings.levelX`:               "Door of kiln@1.0.0 has no member opne; the value has no member levelX",
		`double(1).twcie`:                                    "the value has no member twcie",
		`const f = (d: Door | null) => d ? d.opne : 0`:       "Door of kiln@1.0.0 has no member opne",
		`function g<T extends Door>(x: T) { return x.opne }`: "Door of kiln@1.0.0 has no member opne",
		"const s = `${'a'.lengthX}`":                         "String of typescript@5.0.0 has no member lengthX",
		`class A<T extends Oven> { constructor(private oven: T) { oven.bkae } }`: "Oven of kiln@1.0.0 has no member bkae",
	} {
		got := findings(t, "main.ts", imports+src)
		var text string
		for i, f := range got {
			if i > 0 {
				text += "; "
			}
			text += f[len("1: "):]
		}
		if text != want {
			t.Errorf("%s\n%q, want %q", src, text, want)
		}
	}
}

// TestTypes_Order checks that the types of a file are known after it was checked.
func TestTypes_Order(t *testing.T) {
	dir := filetest.Dir(t, library)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	own := &ecosystem.SourceFile{Name: "own.ts", Dir: dir, Text: []byte(library["own.ts"])}
	main := &ecosystem.SourceFile{Name: "main.ts", Dir: dir, Text: []byte(imports + `double(1).twcie; settings.levelX; class A extends Base { m() { this.doro } }`)}
	for range 2 {
		var got []string
		for _, u := range checked.Uses([]*ecosystem.SourceFile{own, main})[main] {
			if u.Fault == ecosystem.AbsentFault {
				got = append(got, u.Text)
			}
		}
		if want := []string{"twcie", "levelX", "doro"}; !slices.Equal(got, want) {
			t.Errorf("missing members: %q, want %q", got, want)
		}
	}
}

// TestTypes_MethodAsArgument checks a method with several declarations that is passed to a function with several.
func TestTypes_MethodAsArgument(t *testing.T) {
	src := `interface M { m(a: string): Door; m(a: number): Kiln } declare const v: M;
declare function f(a: boolean): Door; declare function f(a: (x: any) => void): Door; f(v.m).open`
	if got := findings(t, "main.ts", imports+src); len(got) > 0 {
		t.Errorf("findings: %q", got)
	}
}

func TestTypes_Arguments(t *testing.T) {
	for src, want := range map[string]string{
		`fire({ heta: 1 })`:                                     "heta",
		`fire("", { door: { opne: true } })`:                    "opne",
		`const o: Options = { heat: 1, dor: { open: true } }`:   "dor",
		`const l: Options[] = [{ heta: 1 }]`:                    "heta",
		`function f(): Options { return { heta: 1 } }`:          "heta",
		`const f = async (): Promise<Options> => ({ heta: 1 })`: "heta",
		`({ heta: 1 }) satisfies Options`:                       "heta",
		`class A { o: Options = { heta: 1 } }`:                  "heta",
		`const v: Partial<View>[] = [{ x: 1 }, { y: 1 }]`:       "",
		`glaze({})`:                        "it needs arguments for by",
		`glaze({}, 1, 2, 3)`:               "it takes at most 3 arguments, but 4 are passed",
		`double()`:                         "it needs arguments for n",
		`pick("", "", "")`:                 "none of its 3 declarations accepts 3 arguments",
		`declare const d: Door; d.shut(1)`: "it takes at most 0 arguments, but 1 are passed",
		`fire({ heat: 1, door: { open: true }, onOpen(d) { d.open } })`: "",
		`fire(); fire("", {}, {})`:                                      "it needs arguments for o",
		`glaze({ heat: 1, size: 2 }, 1)`:                                "",
		`const o = { heat: 1, size: 2 }; fire(o); fire({ ...o })`:       "",
		`type Args<T extends abstract new (...args: any) => any> = T extends abstract new (...args: infer P) => any ? P : never; declare var Stream: { new (a: { byte: 1 }): Door; new (a?: Options): Door }; declare function f(...args: Args<typeof Stream>): void; f({ heat: 1 }); f()`: "",
		`fire({ heat: 1, size: 2 } as Options)`:                                                                                                                                             "",
		`const a: {} = { a: 1 }; const r: Record<string, 1> = { a: 1 }`:                                                                                                                     "",
		`const n: { heat: number; [key: number]: Door } = { heat: 1, 0: null as any }`:                                                                                                      "",
		`const u: Options | { size: 1 } = { size: 1 }; glaze(...[1, 2])`:                                                                                                                    "",
		`declare function g(o: Loose): void; g({ open: true, size: 2, shut() { return null! } })`:                                                                                           "",
		`declare function g(o: Loose): void; g({ open: true, size: 2 })`:                                                                                                                    "it requires shut",
		`const d: Door | string = { open: true }; const l: Door[] = [{ ...d }]; const o: Object = { a: 1 }`:                                                                                 "it requires shut",
		`declare function load<T>(o: { key: string; found?: (t: T) => void }): T; load({ key: "", fuond: 1 }); load({}); load<Door>({ key: "", found: (d) => d.open })`:                     "fuondit requires key",
		`declare function same<T extends Options>(o: T): T; declare function with2<T>(o: T & { key: string }): T; same({ a: 1 }); with2({ key: "", a: 1 }); glaze<Options>({ heta: 1 }, 1)`: "heta",
		`function h(a = 1, b?: number, ...c: number[]) {} h(); h(1, 2, 3)`:                                                                                                                  "",
		`// @ts-expect-error` + "\n" + `fire({ heta: 1 }, glaze()); fire({` + "\n" + `heta: 1,` + "\n" + `// @ts-expect-error` + "\n" + `door: 1 })`:                                        "",
		`declare const p: (v: void) => void; p(); new Promise<void>(r => r())`:                                                                                                              "",
	} {
		if got := faults(t, src); got != want {
			t.Errorf("%s\n%q, want %q", src, got, want)
		}
	}
}

// faults returns the fields that a file of a project uses but that do not exist, and what is wrong with arguments.
func faults(t *testing.T, src string) (got string) {
	t.Helper()
	dir := filetest.Dir(t, library)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "main.ts", Dir: dir, Text: []byte(imports + "\n" + src)}
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		switch u.Fault {
		case ecosystem.FieldsFault:
			got += u.Fields[0].Name
		case ecosystem.ArgumentsFault:
			got += u.Message
		}
	}
	return got
}

func TestTypes_JavaScript(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"main.mjs", `import { Kiln } from "kiln"; const k = new Kiln("a"); k.naem; k.doors.map(d => d.opne)`, `["1: Kiln of kiln@1.0.0 has no member naem" "1: Door of kiln@1.0.0 has no member opne"]`},
		{"main.cjs", `const { Kiln } = require("kiln"); new Kiln("a").naem`, `["1: Kiln of kiln@1.0.0 has no member naem"]`},
		{"main.cjs", `const kiln = require("kiln"); function f() { const k = new kiln.Kiln("a"); return k.naem }`, `["1: Kiln of kiln@1.0.0 has no member naem"]`},
		{"main.jsx", `import { pick } from "kiln"; export const A = () => <b>{pick("").opne}</b>`, `["1: Door of kiln@1.0.0 has no member opne"]`},
		{"A.vue", "<template/>\n<script setup lang=\"ts\">\nimport { pick } from 'kiln'\nconst n: number = pick('').opne\n</script>", `["4: Door of kiln@1.0.0 has no member opne"]`},
		{"A.svelte", "<script>\nimport { pick } from 'kiln'\n$: x = pick('').opne\n</script>\n<b/>", `["3: Door of kiln@1.0.0 has no member opne"]`},
		{"main.mjs", `import { Kiln } from "kiln"; let k = new Kiln("a"); k = other(); k.naem; new Kiln("b").extra = 1; new Kiln("c").extra; new Kiln("d").lamps; "".lamps; "".lengthX; const o = {}; o.x; [1].foo`, `[]`},
		{"main.mjs", `import { fire } from "kiln"; fire(); fire({ size: 1 }); class A { m() { this.x } } new A().y; function f(a) { a.b; return arguments }`, `[]`},
	} {
		if got := fmt.Sprintf("%q", findings(t, test.name, test.src)); got != test.want {
			t.Errorf("%s: %s\n%s, want %s", test.name, test.src, got, test.want)
		}
	}
}

func TestTypes_References(t *testing.T) {
	files := maps.Clone(library)
	files["node_modules/low/package.json"] = `{"name": "low", "version": "1.0.0", "types": "index.d.ts"}`
	files["node_modules/low/index.d.ts"] = `/// <reference path="./list.d.ts" />
export = _;
declare const _: _.Static;
declare namespace _ { interface Static {} }`
	files["node_modules/low/list.d.ts"] = `import _ = require("./index"); declare module "./index" { interface Static { chunk(n: number): void } }`
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "main.ts", Dir: dir, Text: []byte(`import _ from "low"; import * as all from "low"; _.chunk(1); _.chnuk(1); all.chnuk(1)`)}
	var got []string
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault != ecosystem.NoFault {
			got = append(got, u.Message)
		}
	}
	if want := []string{"Static of low@1.0.0 has no member chnuk", "Static of low@1.0.0 has no member chnuk"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTypes_ModuleThatAugmentsItself(t *testing.T) {
	files := maps.Clone(library)
	files["node_modules/goose/package.json"] = `{"name": "goose", "version": "1.0.0", "types": "index.d.ts"}`
	files["node_modules/goose/index.d.ts"] = `/// <reference path="./connection.d.ts" />
declare class Native {}
declare module "goose" { import goose = require("goose"); export function version(): string; export default goose }
import "kiln";`
	files["node_modules/goose/connection.d.ts"] = `declare module "goose" { function connect(): void }`
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "main.ts", Dir: dir, Text: []byte(`import goose from "goose"; import * as g from "goose"; goose.connect(); g.connect()`)}
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault != ecosystem.NoFault {
			t.Error(u.Message)
		}
	}
}

func TestTypes_NoGuess(t *testing.T) {
	for _, src := range []string{
		`function f(d: Door) { if (isOven(d)) d.bake(); }`,
		`function f(d: Door) { if ("bake" in d) d.bake(); }`,
		`function f(d: Door) { if (d instanceof Other) d.bake(); }`,
		`function f(d: Door) { const e = d as Oven; e.bake(); (d as any).x; }`,
		`const r = read(); if (r.kind === "a") r.a.open; r.b`,
		`declare const l: Loose; l.anything`,
		`firsts.door.open`,
		`import * as vendored from "./vendored"; vendored.one`,
		`type Mutable<T> = { -readonly [K in keyof T]: T[K] }; declare const m: Mutable<readonly Door[]>; m.map(d => d)`,
		`declare const v: any; pick(v).name; pick(true).valueOf(); declare const n: number | string; pick(n).name`,
		`let x; x.y; let n = null; n.y`,
		`function f() {} f.extra = 1`,
		`class A { [key: string]: unknown; m() { return this.anything } }`,
		`class A extends Unknown { m() { return this.anything } }`,
		`class A<T extends Door> { x!: T } class B extends A<Oven> { m() { this.x.bake() } }`,
		`new Kiln("a").doors.filter(isOven).map(d => d.bake())`,
		`// @ts-expect-error` + "\n" + `new Kiln("a").nameX`,
		`function f(Kiln: any) { return new Kiln("a").nameX }`,
		`{ const settings = { other: 1 }; settings.other }`,
		`new Kiln("a").toString(); open.call`,
		`[1].flatMap(n => { if (n) return [new Kiln(n)]; return []; }).map(k => k.name)`,
		`[1].flatMap(n => read().kind === "a" ? [new Kiln(n)] : []).map(k => k.name)`,
		`declare global { interface Number { half(): number } } (1).half()`,
		`type Only<T> = number extends T["length" & keyof T] ? { many: 1 } : T extends [infer A] ? { one: A } : never; declare const o: Only<[Door]>; o.one.open`,
		`type Data<T, O> = O extends { x: false } ? string : O extends { x: true } | undefined ? T : Door; interface Have { x?: boolean; y: 1 } declare const v: Data<{ z: 1 }, Have & { x: true }>; v.z`,
		`type Of<T extends abstract new (...args: any) => any> = T extends abstract new (...args: any) => infer R ? R : any; class P { x = 1; static make<T extends typeof P>(this: T): Of<T> { return null! } } class Q extends P { go!: 1; static start() { const q = this.make(); q.go } } Q.make().go`,
		`class A<T extends Door> { constructor(protected x: T) {} get d() { return this.x } e() { return this.x } f = this.x } class B extends A<Oven> {} declare const b: B; b.d.bake(); b.e().bake(); b.f.bake()`,
		`type Make = (name: string, init?: number | { status: number }) => void; const make: Make = (name, init = 302) => { if (typeof init !== "number") init.status }`,
		`type Run = { run?(this: Door, n: number, d: Door): void }; const r: Run = { run(this, n, d) { d.open() } }; const q: Run = { run(this: Run, n, d) { d.open(); n.toFixed() } }`,
		`type Steps<T = { a: 1 }> = { heat: () => T }; type Chain = { [K in keyof Steps]: Steps<Chain>[K] }; declare const c: Chain; c.heat().heat()`,
	} {
		if got := findings(t, "main.ts", imports+"\n"+src); len(got) > 0 {
			t.Errorf("%s\n%q", src, got)
		}
	}
}

// TestTypes_UnreadAugmentations checks a file that names a package that may add members to the types of others.
func TestTypes_UnreadAugmentations(t *testing.T) {
	const body = imports + "new Kiln(\"a\").doors[0].lock; open(1, (n, d) => d.lock); own.absent"
	for before, want := range map[string]int{
		"":                                      3,
		"import \"absent-plugin\";":             1,
		"/// <reference types=\"absent\" />\n":  1,
		"/// <reference types=\"node\" />\n":    3,
		"/// <reference types=\"kiln\" />\n":    3,
		"import \"kiln\"; import \"./own\";":    3,
		"import \"kiln/style.css\";":            3,
		"import { x } from \"absent-library\";": 3,
	} {
		if got := findings(t, "main.ts", before+body); len(got) != want {
			t.Errorf("%s: %q, want %d", before, got, want)
		}
	}
}

func TestTypes_Augmentations(t *testing.T) {
	files := maps.Clone(library)
	files["node_modules/chai/package.json"] = `{"name": "chai", "version": "1.0.0"}`
	files["node_modules/chai/index.d.ts"] = `declare global { interface Object { should: any } interface Array<T> extends Chainable<T> {} } export {}`
	files["node_modules/setup/package.json"] = `{"name": "setup", "version": "1.0.0"}`
	files["node_modules/setup/index.d.ts"] = `export type { Assertion } from 'chai'`
	files["node_modules/bench/package.json"] = `{"name": "bench", "version": "1.0.0"}`
	files["node_modules/bench/unused.d.ts"] = `declare module "kiln" { interface Door { knock(): void } } export {}`
	files["node_modules/pottery/package.json"] = `{"name": "pottery", "version": "1.0.0"}`
	files["node_modules/pottery/index.d.ts"] = `declare module "." { interface Door { glaze(): void } } export interface Door {}`
	files["tsconfig.json"] = `{"compilerOptions": {"types": ["setup"]}}`
	files["node_modules/bench/index.d.ts"] = `declare module "kiln" { namespace Kiln { export { light as ignite }; function clean(): void } } export {}`
	files["node_modules/@types/sauna/package.json"] = `{"name": "@types/sauna", "version": "1.0.0"}`
	files["node_modules/@types/sauna/index.d.ts"] = `interface Sauna { heat: number }`
	files["node_modules/@types/sauna/stove.d.ts"] = `declare module "kiln" { interface Stove { light(): void } }`
	files["src/kiln.ts"] = `import "kiln"; declare module "kiln" { interface Door { lock(): void } }`
	files["env.d.ts"] = `interface String { shout(): void }`
	files["node_modules/choir/package.json"] = `{"name": "choir", "version": "1.0.0", "types": "index.d.ts"}`
	files["node_modules/choir/index.d.ts"] = `
declare module "choir" { interface Songs<R> { carol: { sing(n: number): R } } }
export interface Songs<R> {}
type Meet<U> = (U extends any ? (k: U) => void : never) extends (k: infer I) => void ? I : never;
type Values<T> = T[keyof T];
type All<T = any> = Meet<Values<Pick<Songs<T>, Objects<Songs<T>, object>>>>;
type Objects<T, U> = { [K in keyof T]: T[K] extends U ? K : never }[keyof T];
export declare const choir: { [K in keyof All]: All<boolean>[K] };`
	files["node_modules/goose/package.json"] = `{"name": "goose", "version": "1.0.0", "types": "index.d.ts"}`
	files["node_modules/goose/index.d.ts"] = `declare module "goose" { function honk(): void }`
	files["src/choir.ts"] = `import "choir"; declare module "choir" { interface Songs<R> { canon: { echo(): R } } }`
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "main.ts", Dir: dir, Text: []byte(imports + `
import "bench"; import "pottery"; import { choir } from "choir"; import { honk } from "goose";
choir.sing(1); honk(); choir.echo(); choir.snig(1);
declare module "kiln" { interface Door { unlock(): void } }
declare const door: Door;
door.unlock(); door.should; Kiln.ignite; Kiln.clean(); door.lock(); "".shout(); [1].chain();
declare const oven: Oven; oven.lock(); (oven as Door & { kind: string }).light();
door.opne; door.shoud; "".trmi(); (1).heat; oven.light(); door.knock(); door.glaze();`)}
	var got []string
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault == ecosystem.AbsentFault {
			got = append(got, u.Text)
		}
	}
	if want := []string{"snig", "light", "opne", "shoud", "trmi", "heat", "light", "knock", "glaze"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestTypes_ModuleInSeveralFiles checks uses of a module that refers to itself and that referenced files continue.
func TestTypes_ModuleInSeveralFiles(t *testing.T) {
	files := maps.Clone(library)
	files["node_modules/goose/package.json"] = `{"name": "goose", "version": "1.0.0", "types": "types/index.d.ts"}`
	files["node_modules/goose/types/index.d.ts"] = `/// <reference path="./more.d.ts" />
/// <reference path="./plugin.d.ts" />
declare module 'goose' { import goose = require('goose'); export function honk(): void; export interface Egg { crack(): void } export default goose }`
	files["node_modules/goose/types/plugin.d.ts"] = `export {}; declare module 'goose' { interface Egg { hatch(): void } export function lay(): Egg }`
	files["node_modules/goose/types/more.d.ts"] = `declare module 'goose' { export function connect(): void }`
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "main.ts", Dir: dir, Text: []byte("import goose from 'goose'; goose.honk(); goose.connect(); goose.lay().crack(); goose.lay().hatch(); goose.conect(); goose.lay().crak();")}
	var got []string
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault == ecosystem.AbsentFault {
			got = append(got, u.Text)
		}
	}
	if want := []string{"conect", "crak"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTypes_WithoutLibrary(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"package.json":                          `{"name": "shop"}`,
		"node_modules/@types/node/package.json": `{"name": "@types/node", "version": "22.0.0", "types": "index.d.ts"}`,
		"node_modules/@types/node/index.d.ts":   `interface Uint8Array { toHex(): string } interface String { isHex(): boolean }`,
	})
	for d, want := range map[string][]string{dir: {"A has no member b"}, t.TempDir(): nil} {
		checked, err := New(ecosystem.Options{Offline: true}).Types(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		f := &ecosystem.SourceFile{Name: "main.ts", Dir: d, Text: []byte(`"a".lengthX; class A { a = 1 } new A().b; new A().toString(); declare const u: Uint8Array; u.length; u.toHex();`)}
		var got []string
		for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
			if u.Fault != ecosystem.NoFault {
				got = append(got, u.Message)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func FuzzTypes(f *testing.F) {
	f.Add(imports + `open(1, (n, door) => door.open); class A<T> extends Base { m = this.m; f = (x = this) => [x, ...x] }`)
	f.Add(imports + "new Kiln('').opne /* @jsxImportSource\u00a0")
	f.Add(`const a = b, b = a; function f() { return f().x } type T = T | T[]; const {x = y, y = x} = f();`)
	dir := f.TempDir()
	filetest.Write(f, dir, library)
	n := New(ecosystem.Options{Offline: true})
	f.Fuzz(func(t *testing.T, src string) {
		checked, err := n.Types(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		checked.Uses([]*ecosystem.SourceFile{{Name: "main.tsx", Dir: dir, Text: []byte(src)}})
	})
}

// TestTypes_Members checks that the members that exist have the type that the package declares.
func TestTypes_Members(t *testing.T) {
	dir := filetest.Dir(t, library)
	types, err := New(ecosystem.Options{}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	file := &ecosystem.SourceFile{Name: "a.ts", Dir: dir, Text: []byte("import { Kiln } from \"kiln\";\nnew Kiln(\"a\").doors.map((d) => d.open);\n")}
	var got []string
	for _, u := range types.Uses([]*ecosystem.SourceFile{file})[file] {
		got = append(got, fmt.Sprintf("%d %s:%s", u.Column, u.Package, u.Path))
	}
	if want := "[15 kiln:Kiln.doors 21 :Array.map 34 kiln:Door.open]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// TestTypes_Overloads checks calls whose signatures come from a union, the type of a method or a constructor, and members
// of a type that inherits from an interface without members.
func TestTypes_Overloads(t *testing.T) {
	dir := filetest.Dir(t, library)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	f := &ecosystem.SourceFile{Name: "main.ts", Dir: dir, Text: []byte(imports + `
interface Out { write(a: string): void; write(a: string, b: string, c: string): void }
declare const out: { write: Out["write"] };
out.write("", "", ""); out.write("", "");
declare const either: { get(): { a: Door } } | { get(): { b: Door } };
either.get().b; either.get().c;
interface Bare {} interface Oak extends Door, Bare {}
declare const oak: Oak; oak.shut(); oak.shot();
declare const doors: Door[] | undefined; doors![0].opne;
new Kiln("a").name; new Kiln("a", 1);
class Bench { constructor(a: string, b?: number) {} } new Bench("", 1); new Bench(); new Bench("", 1, 2);
class Stool extends Bench {} new Stool("x"); new Bench!(""); new Stool("x", 1, 2);
const keys: { [K in keyof Options & { extra: 1 }]: string } = { extra: "" };`)}
	var got []string
	for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault != ecosystem.NoFault {
			got = append(got, u.Text)
		}
	}
	if want := []string{"write", "c", "shot", "opne", "Kiln", "Bench", "Bench", "Stool"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestTypes_OwnersInFindings(t *testing.T) {
	for src, want := range map[string]string{
		`const v: Speed = { quick: 1 }; type Speed = number | { fast: number }`:   "Speed",
		`import { Options } from "kiln"; const v: boolean | Options = { hot: 1 }`: "Options",
		`declare const p: P; type P = { a: 1 }; p.b`:                              "P",
		`const v: U = { c: 1 }; type U = { a: 1 } | { b: 1 }`:                     "U",
	} {
		dir := filetest.Dir(t, library)
		checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		f := &ecosystem.SourceFile{Name: "a.ts", Dir: dir, Text: []byte(src)}
		got := ""
		for _, u := range checked.Uses([]*ecosystem.SourceFile{f})[f] {
			if u.Fault != ecosystem.NoFault {
				owner, _, _ := strings.Cut(u.Path, ".")
				if got = owner; u.Message != "" {
					got, _, _ = strings.Cut(u.Message, " ")
				}
				if got != owner {
					t.Errorf("%s: the path is %s, and the message %q", src, u.Path, u.Message)
				}
			}
		}
		if got != want {
			t.Errorf("%s: the owner is %q, want %q", src, got, want)
		}
	}
}
