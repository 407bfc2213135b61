package modules

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// readX reads a package that consists of a file of declarations and a second file.
func readX(t *testing.T, index, other string) *apidoc.Package {
	t.Helper()
	return newWorld(map[string]string{"index.d.ts": index, "other.d.ts": other}).read(t)
}

// expectSignatures compares the signatures of the symbols at the given paths.
func expectSignatures(t *testing.T, p *apidoc.Package, signatures map[string]string) {
	t.Helper()
	for path, want := range signatures {
		if s := p.At(path); s == nil || s.Signature != want {
			t.Errorf("%s is %+v, want %q", path, s, want)
		}
	}
}

func TestTypesThatNobodyCanImportComeWithThoseWhoNeedThem(t *testing.T) {
	p := readX(t, `import { Hidden, Deep as Deeper, Router as RouterClassic } from "./other";
export { Router } from "./other";
export declare function f(o: Hidden, d: Deeper): RouterClassic;
interface Local { l: 1 }
export interface Shown extends Local { s: Array<Local> }`,
		`export interface Hidden { inner: Innermost }
export type Innermost = { most: 1 };
export interface Deep { d: 1 }
export interface Unused { u: 1 }
export class Router { r: 1 }`)
	var internal []string
	for i := range p.Internal {
		internal = append(internal, p.Internal[i].Path)
	}
	if want := []string{"Hidden", "Deep", "Local", "Innermost"}; !slices.Equal(sortedCopy(internal), sortedCopy(want)) {
		t.Errorf("internal types are %q, want %q", internal, want)
	}
	if s := p.At("Innermost.most"); s == nil || s.Signature != "most: 1" {
		t.Errorf("the member of an internal type is %+v", s)
	}
	f := p.At("f")
	if want := []apidoc.Ref{{Name: "Deeper", Path: "Deep"}, {Name: "RouterClassic", Path: "Router"}}; !slices.Equal(f.Refs, want) {
		t.Errorf("f refers to %v, want %v", f.Refs, want)
	}
	if found, _ := naming.Select(p, "*"); slices.ContainsFunc(found, p.IsInternal) {
		t.Error("a pattern selects an internal type")
	}
}

func TestInternalTypes_OfTheNameOfAGlobal(t *testing.T) {
	p := readX(t, `import { Other } from "./other";
export declare function first(r: Response): void;
export declare function second(o: Other): void;`, `interface Response { own: 1 }
export interface Other { r: Response }`)
	first, other := p.At("first"), p.At("Other")
	r := naming.NewResolver(p)
	if ref, ok := r.Refer(first, "Response"); ok {
		t.Errorf("the global of first is %v", ref)
	}
	if other == nil {
		t.Fatal("there is no internal type Other")
	}
	ref, ok := r.Refer(p.At("Other.r"), "Response")
	if s := p.At(ref.Path); !ok || s == nil || p.At(ref.Path+".own") == nil {
		t.Errorf("Response of Other is %v", ref)
	}
}

func TestInternalTypesOfOneNameAreDistinguished(t *testing.T) {
	p := readX(t, `import { Options as Other } from "./other";
export interface Options { mine: 1 }
export declare function f(o: Options, p: Other): void;`, "export interface Options { theirs: 2 }")
	if refs := p.At("f").Refs; !slices.Equal(refs, []apidoc.Ref{{Name: "Other", Path: "Options_2"}}) {
		t.Errorf("f refers to %v", refs)
	}
	if p.At("Options_2.theirs") == nil || p.At("Options.mine") == nil {
		t.Error("one of the two is missing")
	}
}

func TestSymbolsAreShownByTheNamesThatUsersImport(t *testing.T) {
	p := readX(t, `import { Base as App$1, Token as Token$1 } from "./other";
export declare class Token {}
export declare function find(t: Token$1): void;
declare class ɵHandle {}
declare class Handle { near(h: ɵHandle): Handle }
export { Handle as ɵɵHandle, ɵHandle };
type Handler = () => void;
export { Handler as OnOpen, Handler as OnShut };
export declare function listen(h: Handler): void;
interface Options$1 { next?: Options$1 }
interface Hidden$1 { h: 1 }
declare class _Client { static of(o: Options$1, r: Request$1 | Request): _Client; }
interface Request$1 { own: 1 }
declare const make$1: { (): _Client };
type Maker_2 = typeof make$1;
declare class App extends App$1<Hidden$1> {}
export { type Options$1 as Options, _Client as Client, make$1 as make, App, type Request$1 as Request, type Maker_2 as Maker };
export declare const v1_2: Hidden$1;`,
		`declare class App<T> { run(o: T): App<T>; }
export { App as Base };
export interface Token { t: 1 }`)
	expectSignatures(t, p, map[string]string{
		"Options":       "interface Options",
		"Options.next":  "next?: Options",
		"Client":        "class Client",
		"Client.of":     "static of(o: Options, r: Request$1 | Request): Client",
		"make":          "const make: { (): Client; }",
		"Maker":         "type Maker = typeof make",
		"App":           "class App extends Base<Hidden>",
		"App.run":       "run(o: Hidden): App<Hidden>",
		"v1_2":          "const v1_2: Hidden",
		"Hidden.h":      "h: 1",
		"find":          "function find(t: Token$1): void",
		"ɵɵHandle":      "class ɵɵHandle",
		"listen":        "function listen(h: Handler): void",
		"ɵɵHandle.near": "near(h: ɵHandle): ɵɵHandle",
	})
	if refs := p.At("Client.of").Refs; !slices.Equal(refs, []apidoc.Ref{{Name: "Request$1", Path: "Request"}, {Name: "Request"}}) {
		t.Errorf("Client.of refers to %v", refs)
	}
	if from := p.At("App.run").From; from != "Base" {
		t.Errorf("App.run is inherited from %q", from)
	}
}

func TestTypesOfOtherPackagesHaveTheNamesThatTheyHaveThere(t *testing.T) {
	w := newWorld(map[string]string{
		"index.d.ts": `import * as React$1 from "react";
import { Node as Node$1 } from "react";
export interface Options { on: 1 }
export interface Box<T> { get(o: Box<import("./index").Options>): T }
export declare const Panel: (p: React$1.Props<{}>) => Node$1;`,
		"react:index.d.ts": "export interface Props<T> { p: T }\nexport interface Node { n: 1 }",
	})
	p := w.read(t)
	expectSignatures(t, p, map[string]string{
		"Panel":   "const Panel: (p: React.Props<{}>) => Node",
		"Box.get": "get(o: Box<Options>): T",
	})
}

func sortedCopy(s []string) []string { return slices.Sorted(slices.Values(s)) }

func TestAliasesHaveTheMembersOfWhatNobodyCanName(t *testing.T) {
	for name, tt := range map[string]struct{ src, want string }{
		"of an internal type":       {"interface In { a: 1 }\ntype X = In;", "a"},
		"of a part":                 {"export interface O { a: 1; b: 2 }\ntype X = Pick<O, 'a'>;", "a"},
		"of an exported type":       {"export interface O { a: 1; b: 2 }\ntype X = O;", ""},
		"of a property":             {"export interface O { in: { c: 3 } }\ntype X = O['in'];", "c"},
		"of a value":                {"declare const v: { d: 4 };\ntype X = typeof v;", "d"},
		"of a mapped type":          {"export interface O { a: 1; b: 2 }\ntype X = { [K in keyof O as Uppercase<K>]: O[K] };", "A b"},
		"of a global namespace":     {"declare global { namespace G { interface In { e: 5 } } }\ntype X = G.In;", "e"},
		"of a union":                {"interface In { f: 6; g: 1 }\nexport interface O { f: 6 }\nexport type Shown = In;\ntype X = O | In;", "f"},
		"of exported types":         {"export interface In { f: 6; g: 1 }\nexport interface O { f: 6 }\nexport type Shown = In;\ntype X = O | In;", ""},
		"of an array, which is not": {"type X = { a: 1 }[];", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := readX(t, tt.src+"\nexport { X };", "")
			var names []string
			for _, m := range p.At("X").Members {
				names = append(names, m.Name())
			}
			if got := strings.Join(names, " "); got != strings.Replace(tt.want, "A b", "A B", 1) {
				t.Errorf("X has %q, want %q", got, tt.want)
			}
		})
	}
}

func TestDestructuredExportsAreThePropertiesThatTheyAre(t *testing.T) {
	p := readX(t, `interface Instance {
	/** Adds. */
	add<T>(a: T): T; add(a: string, b: number): string; readonly version: string; nested: { inner: 1 }; Node: NodeCtor }
interface NodeCtor { new (): Node }
export interface Node { size: number }
export const { add, version: v, nested: { inner }, Node }: Instance;
export const { all }: Record<string, Instance>;
declare const list: [1, 2];
export const [one, two] = list;`, "")
	expectSignatures(t, p, map[string]string{
		"add":   "function add<T>(a: T): T\nfunction add(a: string, b: number): string",
		"v":     "const v: string",
		"inner": "const inner: 1",
		"all":   "const all: Instance",
		"Node":  "const Node: NodeCtor\ninterface Node",
	})
	if s := p.At("Node.size"); s == nil {
		t.Error("the interface of the same name has no members")
	}
	if s := p.At("add"); s.Doc != "Adds." || s.Kind != apidoc.Const {
		t.Errorf("add is a %s with the comment %q", s.Kind, s.Doc)
	}
}

func TestCommentsAreInherited(t *testing.T) {
	p := readX(t, `export interface I {
	/** From I. */
	a(): void;
	/** B of I. */
	b(): void;
}
export class Base {
	/** From Base. */
	c(): void;
	/**
	 * Counts.
	 * @returns a number
	 * @deprecated
	 */
	d(): number;
}
export class X extends Base implements I {
	a(): void;
	/** @inheritDoc */
	b(): void;
	/**
	 * More of it.
	 * @inheritdoc
	 */
	c(): void;
	/** @returns one */
	d(): number;
}`, "")
	for path, want := range map[string]string{"X.a": "From I.", "X.b": "B of I.", "X.c": "From Base.\n\nMore of it.", "X.d": "Counts.\n\n**Returns:** one"} {
		if s := p.At(path); s.Doc != want {
			t.Errorf("the comment on %s is %q, want %q", path, s.Doc, want)
		}
	}
}

func TestCommentsAreInheritedFromInterfacesOfOtherPackages(t *testing.T) {
	p := newWorld(map[string]string{
		"index.d.ts":       "import { I, Model } from 'dep';\nexport declare class X implements I { a: Model['a']; b(): void }",
		"dep:index.d.ts":   "export type Model = {\n\t/** From the model. */\n\ta: 1;\n};\nexport interface I extends Model {\n\t/** B of I. */\n\tb(): void;\n}",
		"dep:package.json": `{"types": "./index.d.ts"}`,
	}).read(t)
	for path, want := range map[string]string{"X.a": "From the model.", "X.b": "B of I."} {
		if s := p.At(path); s.Doc != want {
			t.Errorf("the comment on %s is %q, want %q", path, s.Doc, want)
		}
	}
}

func TestAMemberOfAUnionOfInstancesHasTheTypesOfAll(t *testing.T) {
	p := readX(t, `type Options = { plain: { user: string }; token: { secret: string } };
type One<K> = K extends keyof Options ? { mechanism: K } & Options[K] : never;
export type X = One<keyof Options>;`, "")
	expectSignatures(t, p, map[string]string{"X.mechanism": `mechanism: "plain" | "token"`})
}

func TestGlobalsOfNodeAreNotThePackages(t *testing.T) {
	p := newWorld(map[string]string{
		"index.d.ts":               "export { Emitter } from 'events';\nexport declare function open(url: URL, own: Own): void;\ninterface Own { a: 1 }",
		"@types/node:index.d.ts":   "declare module 'events' { export class Emitter { on(): void } }\ninterface URL { href: string }",
		"@types/node:package.json": `{"types": "./index.d.ts"}`,
	}).read(t)
	var found []string
	for _, s := range slices.Concat(p.Symbols, p.Internal) {
		found = append(found, s.Path)
	}
	if slices.Contains(found, "URL") || !slices.Contains(found, "Own") || !slices.Contains(found, "Emitter") {
		t.Errorf("the symbols are %q", found)
	}
}

func TestWhatOverloadsThrowIsWrittenOnce(t *testing.T) {
	p := readX(t, `/** One.
 * @throws {Error} if closed
 * @throws {Error} if closed
 */
export function f(a: 1): void;
/** Two.
 * @throws {Error} if closed
 */
export function f(a: 2): void;`, "")
	if doc := p.At("f").Doc; strings.Count(doc, "if closed") != 1 || !strings.Contains(doc, "Two.") {
		t.Errorf("the comment is %q", doc)
	}
}

func TestErrorsAreKnownWithoutTypeScript(t *testing.T) {
	p := readX(t, "export class Broken extends TypeError { code: 1 }", "")
	expectSignatures(t, p, map[string]string{
		"Broken.constructor": "constructor(message?: string, options?: ErrorOptions)",
		"Broken.message":     "message: string", "Broken.cause": "cause?: unknown", "Broken.code": "code: 1",
	})
	if len(p.Warnings) > 0 {
		t.Errorf("there are warnings: %q", p.Warnings)
	}
}
