package npm

import "testing"

func TestTypes_Calls(t *testing.T) {
	for src, want := range map[string]string{
		// what is called
		`const f = (a: string) => (b: number) => a; f("")(); f("")(1)`:                                                                                             "it needs arguments for b",
		`const list: ((a: string) => void)[] = []; list[0](); list.map(f => f(""))`:                                                                                "it needs arguments for a",
		`declare const f: ((a: string) => void) | undefined; f!(); f?.("")`:                                                                                        "it needs arguments for a",
		`const all: Record<string, (a: string) => void> = {}; all.x(); all["x"](); all.x("")`:                                                                      "it needs arguments for ait needs arguments for a",
		`type Two = (a: string, b: string) => void; declare const a: { [k: string]: Two }, b: Record<string, Two>; a.toString(); b.toString(); a.x("x"); b.x("x")`: "it needs arguments for bit needs arguments for b",
		`declare const f: (...args: [a: string, b?: number]) => void; f(); f("", 1, 2); f(""); f("", 1)`:                                                           "it needs arguments for ait takes at most 2 arguments, but 3 are passed",
		`declare const f: (...args: [string, ...number[]]) => void; f(); f("", 1, 2)`:                                                                              "it needs arguments for args[0]",
		`declare const f: <T extends unknown[]>(...args: T) => void; f(); f("", 1, 2)`:                                                                             "",
		`declare const f: (a: any) => void; f()`:                                                                                                                   "it needs arguments for a",
		// constructors
		`class A { a = 1 } new A(1); new A()`:                                                                                                     "it takes at most 0 arguments, but 1 are passed",
		`class A { constructor(a: string) {} } class B extends A {} new B(); new B("")`:                                                           "it needs arguments for a",
		`class A {} class B extends A {} new B(1)`:                                                                                                "it takes at most 0 arguments, but 1 are passed",
		`declare const Any: new (a: string) => Door; class A extends Any {} new A("")`:                                                            "",
		`declare function mixin(): new (a: string) => Door; class A extends mixin() {} new A("")`:                                                 "",
		`class A { constructor(a: string) {} } class B extends A { constructor() { super() } } class C extends A { constructor() { super("") } }`: "it needs arguments for a",
		`class A<T> { constructor(o: { t: T }) {} } class B extends A<number> { constructor() { super({ t: 1, u: 1 }) } }`:                        "u",
		// object literals
		`declare const f: (o: Options | ((d: Door) => Options)) => void; f({ heta: 1 }); f({ heat: 1 }); f(() => ({}))`:                                "heta",
		`declare const f: (o: { a: string } | (() => void)) => void; f({}); f(() => {})`:                                                               "it requires a",
		`const a: { kind: "a"; a: 1 } | { kind: "b"; b: 1 } = { kind: "a", b: 1 }`:                                                                     "b",
		`const a: { [K in "x" | "y"]: number } = { x: 1 }`:                                                                                             "it requires y",
		`const a: { [K in keyof Door]?: number } = {}; const b: { [K in keyof Options]: 1 } = {}`:                                                      "",
		`const a: { kind: "a"; a: 1 } | { kind: "b"; b: 1 } = { kind: "b" }`:                                                                           "it requires b",
		`const a: { kind: "a"; a: 1 } | { kind: string; b: 1 } = { kind: "a", b: 1 }`:                                                                  "",
		`const a: { kind: string; a: 1 } | { kind: number; b: 1 } = { kind: "a", a: 1, b: 1 }`:                                                         "",
		`const a: { kind: "a"; a: 1 } | { b: 1 } = { kind: "a", b: 1 }`:                                                                                "",
		`declare const r: Door, n: number; const a: Options = { ...r, heta: 1 }; const b: Options = { ...(n ? { heat: 1 } : {}), heta: 1 }`:            "hetaheta",
		`declare const r: any; const a: Options = { ...r, heta: 1 }; function f<T extends Door>(t: T): Options { return { ...t, heta: 1, door: {} } }`: "",
		// types of arguments
		`declare function f(a: string): void; declare function f(a: number, b: string): void; f(1); f("", ""); f(""); f(1, "")`:        "none of its 2 declarations accepts the types of these argumentsnone of its 2 declarations accepts the types of these arguments",
		`declare function f(a: string, b: number): void; f("", ""); f("", 1); f(1 as any, 1); f("" as never, 1)`:                       "it does not accept the type of the argument for b",
		`declare function f(a: Door[]): void; declare const d: Door, n: null; f(d); f([d]); f(n)`:                                      "it does not accept the type of the argument for a",
		`declare function f(a: Options): void; f(() => {}); f({}); declare function g(a: Door): void; g(() => {}); g(new Kiln(""))`:    "it does not accept the type of the argument for ait does not accept the type of the argument for ait does not accept the type of the argument for a",
		`declare function f(a: string): void; function g<T extends number>(t: T, d: Door) { f(t); if (typeof d === "string") f(d) }`:   "",
		`declare function f<T>(a: T, b: T[]): void; f(1, [""]); declare function g(a: "x" | (string & {})): void; const s = "y"; g(s)`: "",
		`type Parameters<F extends (...a: any) => any> = F extends (...a: infer P) => any ? P : never; declare const f: { <L extends (...a: any[]) => any, F extends (...a: any[]) => any>(n: Parameters<F>["length"], f: F): L & F; <L extends (...a: any[]) => any, F extends (...a: any[]) => any>(is: (a: Door) => boolean, f: F): L & F }; const g: { (d: Door): (k: Kiln) => void; (k: Kiln, d: Door): void } = f(2, (k: Kiln, d: Door) => {})`: "",
		// inferred types
		`declare function f<A extends unknown[]>(g: (s: string, ...a: A) => void): (...a: A) => void; f((s, n: number) => {})(); f((s, n: number) => {})(1); f((s: string, n: number, m?: number) => {})(1, 2, 3); f(s => {})(1)`:                          "it needs arguments for nit takes at most 2 arguments, but 3 are passedit takes at most 0 arguments, but 1 are passed",
		`declare function f<A extends unknown[], R>(g: (...a: A) => R): (...a: A) => R; declare function g(n: number, ...s: string[]): void; f(g)(); f(g)(1, "", "")`:                                                                                      "it needs arguments for n",
		`declare function f<T>(a: T): T; declare function f<T>(a: T | null): T; f<string>(); f("")`:                                                                                                                                                        "none of its 2 declarations accepts 0 arguments",
		`new Promise<void>(r => r()); declare const f: (a: void | Door) => void; f()`:                                                                                                                                                                      "",
		`type One<K extends string, S> = ({ [P in K]: S } & { id?: string }) | ({ [P in K]?: S } & { id: string }); declare function f<S extends string>(a: One<"text", S> & { size?: string }): void; f({ text: "", siez: "" }); f({ id: "", size: "" })`: "siez",
		`type Rest<F> = F extends (...a: infer P) => any ? P : never; const f = (o: { a: string }) => o; const o: Rest<typeof f>[0] = { a: "", z: 1 }`:                                                                                                     "z",
	} {
		if got := faults(t, src); got != want {
			t.Errorf("%s\n%q, want %q", src, got, want)
		}
	}
}
