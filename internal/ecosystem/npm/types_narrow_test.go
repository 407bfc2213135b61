package npm

import (
	"fmt"
	"maps"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// narrowLibrary continues valueLibrary with classes and predicates.
var narrowLibrary = map[string]string{
	"node_modules/wire/package.json": `{"name": "wire", "version": "1.0.0", "types": "index.d.ts"}`,
	"node_modules/wire/index.d.ts": `
export declare class WireError<D = any> { status: number; body: D; cause?: { code: string } }
export declare class Timeout extends WireError { after: number }
export declare function isWireError<D = any>(e: any): e is WireError<D>;
export declare function isOpen(s: Socket): boolean;
export interface Socket { send(text: string): void; peer?: Socket }
export interface Request { url: string }
export declare class Good<T> { value: T; isGood(): this is Good<T> }
export declare class Bad { fault: Request; isGood(): this is Good<never> }
export type Answer<T> = Good<T> | Bad;
export declare function isTimeout(e: WireError): e is Timeout;
export declare class Server {
  on(event: "connection", f: (socket: Socket, request: Request) => void): this;
  on(event: "error", f: (e: WireError) => void): this;
  on(event: string, f: (...args: any[]) => void): this;
  use(f: (socket: Socket) => void): void;
  use(path: string, f: (socket: Socket) => void): void;
  ask(f: (s: Socket) => Socket): Server;
  ask(f: (...args: any[]) => any): Server;
}
declare function wire(url: string): Socket;
declare namespace wire { const version: string; interface Options { secure?: boolean } }
export default wire;
`,
}

func checkNarrowing(t *testing.T, cases []valueCase) {
	t.Helper()
	checkValuesOf(t, narrowLibrary, `import wire, { WireError, Timeout, isWireError, isOpen, Socket, Server } from "wire"; declare const server: Server, u: unknown, s: Socket | WireError;`, cases)
}

// checkValuesOf is like checkValues, for a project with other files. Each file of the project begins with head.
func checkValuesOf(t *testing.T, more map[string]string, head string, cases []valueCase) {
	t.Helper()
	files := maps.Clone(library)
	maps.Copy(files, valueLibrary)
	maps.Copy(files, more)
	dir := filetest.Dir(t, files)
	checked, err := New(ecosystem.Options{Offline: true}).Types(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		f := &ecosystem.SourceFile{Name: fmt.Sprintf("case%d.ts", i), Dir: dir, Text: []byte(head + "\n" + c.src + "\nexport {}")}
		if got := owners(t, checked, f); got != c.want {
			t.Errorf("%s: %s\nthe types are %q, want %q", c.name, c.src, got, c.want)
		}
	}
}

func TestTypes_Narrowing(t *testing.T) {
	checkNarrowing(t, []valueCase{
		{"a predicate narrows a caught value", `try {} catch (e) { if (isWireError(e)) { e.zz; e.cause?.zz; e.body.x } e.any }`, "WireError, {}"},
		{"a predicate with type arguments", `try {} catch (e) { if (isWireError<{ id: number }>(e)) e.body.zz }`, "{}"},
		{"instanceof narrows any and unknown", `if (u instanceof WireError) u.zz; try {} catch (e: unknown) { if (e instanceof Timeout) e.zz }`, "WireError, Timeout"},
		{"a constructor that is a variable", `interface Fault { text: string } declare const Fault: { new (): Fault; readonly prototype: Fault }; try {} catch (e) { if (e instanceof Fault) { e.zz } }`, "Fault"},
		{"instanceof of a class that is not known", `try {} catch (e) { if (e instanceof Other) { e.x } }`, ""},
		{"a union is narrowed to some of its parts", `if (s instanceof WireError) { s.status; s.zz }`, "WireError"},
		{"the rest of a block after a return", `function f(e: unknown) { if (!(e instanceof WireError)) return; e.zz }`, "WireError"},
		{"the rest of a block after a throw", `function f(e: unknown) { if (!isWireError(e)) { throw e } const c = e.cause; c.zz }`, "{}"},
		{"the rest of a loop after continue", `declare const all: unknown[]; for (const e of all) { if (!(e instanceof Timeout)) continue; e.zz }`, "Timeout"},
		{"a block that does not end does not narrow the rest", `function f(e: any) { if (!(e instanceof WireError)) { wire("") } e.x }`, ""},
		{"else", `function f(e: any) { if (!isWireError(e)) e.x; else e.zz }`, "WireError"},
		{"conditional expressions", `function f(e: any) { return e instanceof WireError ? e.zz : e.x }`, "WireError"},
		{"logical operators", `function f(e: any) { e instanceof WireError && e.zz; !isWireError(e) || e.zz; e.x }`, "WireError, WireError"},
		{"conjunctions", `function f(e: any, s: Socket) { if (s && e instanceof WireError && isOpen(s)) e.zz }`, "WireError"},
		{"a member that in proves after a predicate", `if (isWireError(u) && "x" in u && u.x) u.x; if (u instanceof Timeout && "x" in u) { u.x } else if (isWireError(u) && u.zz) {}`, "WireError"},
		{"disjunctions do not narrow", `function f(e: any) { if (e instanceof WireError || e instanceof Error) e.x }`, ""},
		{"while", `function f(e: any) { while (e instanceof WireError) { e.zz } }`, "WireError"},
		{"a condition within narrows further", `function f(e: any) { if (e instanceof WireError) { if (e instanceof Timeout) { e.after; e.zz } e.after } }`, "Timeout"},
		{"a member", `function f(o: { error: any }) { if (o.error instanceof WireError) { o.error.zz } o.error.x }`, "WireError"},
		{"an assignment within", `function f(e: any) { if (e instanceof WireError) { e = u; e.x } }`, ""},
		{"an assignment to a value before", `function f(o: { e: any }, p: any) { if (o.e instanceof WireError) { o = p; o.e.x } }`, ""},
		{"an assignment to a pattern", `function f(e: any) { if (e instanceof WireError) { [e] = [u]; e.x } }`, ""},
		{"a function within may run later", `try {} catch (e) { if (e instanceof WireError) { wire(() => e.x) } }`, ""},
		{"a class within", `try {} catch (e) { if (e instanceof WireError) { class A { m() { return e.x } } } }`, ""},
		{"another condition on the same value", `function f(e: unknown) { if (e instanceof WireError && "x" in e) { e.x } }`, ""},
		{"a condition on the same value before", `function f(e: unknown) { if (!(e && typeof e == "object" && "x" in e)) return; if (e instanceof WireError) e.x }`, ""},
		{"an assertion before", `declare function assertHas(e: unknown): asserts e is { x: 1 }; function f(e: unknown) { assertHas(e); if (e instanceof WireError) e.x }`, ""},
		{"a disjunction around", `function f(e: any) { if (e instanceof WireError || e instanceof Timeout) { if (isOther(e)) e.status } } declare function isOther(e: any): e is { other: 1 }`, ""},
		{"a condition around with another type", `function f(e: any) { if (isWireError(e)) { if (isOther(e)) { e.status; e.zz } } } declare function isOther(e: any): e is { other: 1 }`, "{}"},
		{"a condition in a variable", `function f(e: any) { const other = e instanceof Timeout; if (other && isWireError(e)) e.after }`, ""},
		{"the alternatives of else", `function f(e: any) { if (e instanceof Timeout) e.after; else if (isWireError(e)) e.zz; }`, "WireError"},
		{"an element", `function f(list: WireError[], i: number) { if (list[0] instanceof Timeout) list[0].after; if (list[i] instanceof Timeout) list[i].after; for (const e of list) e.zz }`, "WireError"},
		{"a switch is not narrowed", `function f(e: any) { switch (true) { case e instanceof WireError: e.x } }`, ""},
	})
}

func TestTypes_PredicatesOfUnions(t *testing.T) {
	checkValuesOf(t, narrowLibrary, `import { Answer, Good, Bad, Socket, Timeout, WireError, isTimeout } from "wire"; declare const a: Answer<Socket>, e: WireError;`, []valueCase{
		{"a part of the union", `if (a.isGood()) { a.value.zz; a.zz }`, "Socket, Good"},
		{"the other parts", `if (a.isGood()) {} else { a.fault; a.zz }`, "Good"},
		{"before and after the condition", `a.zz; if (a.isGood()) {} a.zz`, "Good, Good"},
		{"after a return", `function f(a: Answer<Socket>) { if (!a.isGood()) return; a.value.zz; a.zz }`, "Socket, Good"},
		{"after a loop whose condition adds members", `function f(e: WireError) { while (!isTimeout(e)) { e.zz } e.after; e.status }`, "WireError"},
		{"a part of else", `function f(e: WireError) { if (!isTimeout(e)) { e.zz } else return; e.zz; e.after }`, "WireError, WireError"},
		{"after else that leaves", `function f(e: WireError) { if (isTimeout(e)) { e.zz } else return; e.zz; e.after }`, "Timeout, WireError"},
		{"a switch", `function f(e: WireError) { switch (true) { case isTimeout(e): e.after; e.status } }`, ""},
	})
}

func TestTypes_FirstOverload(t *testing.T) {
	checkNarrowing(t, []valueCase{
		{"the event determines the parameters", `server.on("connection", (s, r) => { s.zz; r.zz; s.peer?.zz })`, "Socket, Request, Socket"},
		{"another event", `server.on("error", e => e.zz)`, "WireError"},
		{"any event", `server.on("other", e => e.zz)`, ""},
		{"an event that is not known", `declare const event: string; server.on(event, e => e.zz)`, ""},
		{"more parameters than the overload has", `server.on("connection", (a, b, c) => { a.zz })`, ""},
		{"parameters with types", `server.on("error", (e: Socket) => e.zz)`, "Socket"},
		{"a result that the overload requires", `server.ask(s => s.zz)`, ""},
		{"rest parameters", `declare function route<P extends string>(path: P, ...all: Array<(s: Socket) => void>): void; declare function route(path: string, ...all: Array<((e: WireError, s: Request) => void) | Array<(s: Request) => void>>): void; route("/", s => s.zz, (s) => s.zz); route("/", (e, s) => { e.zz; s.zz })`, "Socket, Socket"},
		{"more parameters than a part of a union has", `declare function use(...all: Array<((s: Socket) => void) | ((e: WireError, s: Socket) => void)>): void; use((e, s) => { e.zz; s.zz })`, ""},
		{"the number of arguments", `server.use(s => s.zz); server.use("/", s => s.zz)`, "Socket, Socket"},
	})
}

func TestTypes_OverloadOfLiteralField(t *testing.T) {
	checkValuesOf(t, narrowLibrary, `import { Socket, Request } from "wire";
interface Base { text: string; stream?: boolean | null }
interface Whole extends Base { stream?: false | null }
interface Parts extends Base { stream: true }
declare function create(p: Whole, more?: { id: string }): Request;
declare function create(p: Parts, more?: { id: string }): Socket;
declare const base: Base, whole: Whole, parts: Parts, text: string, stream: boolean;`, []valueCase{
		{"the literal has the field", `create({ text, stream: true }).zz; create({ text, stream: false }).zz; create({ text }).zz`, "Socket, Request, Request"},
		{"the field follows a spread", `create({ ...base, stream: true }).zz; create({ ...base, stream: true }, { id: text }).zz`, "Socket, Socket"},
		{"a value of a type with the field", `create(whole).zz; create(parts).zz`, "Request, Socket"},
		{"a value of another type", `create({ ...base }).send(""); create({ text, stream }).send("")`, ""},
		{"a spread of a type with the field", `create({ ...parts }).send("")`, ""},
	})
}

func TestTypes_FunctionsOfPackages(t *testing.T) {
	checkNarrowing(t, []valueCase{
		{"a function with a namespace", `wire.version.zz; wire.zz; wire.name; wire.toString()`, "String, typeof wire"},
		{"a function", `isOpen.zz; isOpen.call`, "typeof isOpen"},
	})
}

// TestTypes_Plugin checks a function that a plugin of the same package adds to it.
func TestTypes_Plugin(t *testing.T) {
	files := maps.Clone(narrowLibrary)
	files["node_modules/wire/plugin.d.ts"] = `export {}; declare module "wire" { function zz(): void }`
	const head = `import wire from "wire"; `
	checkValuesOf(t, files, head, []valueCase{{"without the plugin", `wire.zz`, "typeof wire"}})
	checkValuesOf(t, files, head+`import "wire/plugin";`, []valueCase{{"with the plugin", `wire.zz`, ""}})
}
