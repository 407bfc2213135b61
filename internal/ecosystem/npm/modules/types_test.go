package modules

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// membersOfX reads files that export X, and lists its members.
func membersOfX(t *testing.T, files map[string]string) string {
	t.Helper()
	const lib = "interface Array<T> { length: number }\ninterface ReadonlyArray<T> { readonly length: number }\n" +
		"type ReturnType<T extends (...args: any) => any> = T extends (...args: any) => infer R ? R : any;"
	files["typescript:lib/lib.esnext.full.d.ts"] = lib
	for _, s := range newWorld(files).read(t).Symbols {
		if s.Path == "X" {
			return strings.ReplaceAll(listing(s.Members), "X.", "")
		}
	}
	t.Fatal("X is not exported")
	return ""
}

// expectMembers reads each source, preceded by lib, and compares the members of X.
func expectMembers(t *testing.T, lib string, tests []struct{ name, src, want string }) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := membersOfX(t, map[string]string{"index.d.ts": lib + tt.src}); got != tt.want {
				t.Errorf("X has\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

func TestWhatGenericComponentsTakeAndExpose(t *testing.T) {
	const lib = `
interface Promise<T> { then: T }
type EmitsToProps<T> = { [K in keyof T]?: T[K] };
interface Functional<P = {}, E = {}, EE = E> { (props: P & EmitsToProps<EE>, ctx: object): any; displayName?: string }
type Instance<P> = { $: 1 } & P;
type Of<T> = T extends { new (): Instance<any> } ? { no: 1 } : T extends Functional<infer Props, infer E> ? Instance<Props> : never;
type Exposed<T> = T extends new (...args: any) => infer E ? E : T extends (props: any, ctx: any, expose: (exposed: infer E) => any, ...args: any) => any ? NonNullable<E> : {};
`
	const component = `declare const f: <T extends string = string>(props: NonNullable<Awaited<typeof setup>>["props"], ctx?: 1,
 exposed?: NonNullable<Awaited<typeof setup>>["expose"], setup?: Promise<{ props: { b: T }; expose: (exposed: { d: 1 }) => void }>) => 1;
declare const g: typeof f;
`
	expectMembers(t, lib, []struct{ name, src, want string }{
		{"what a function takes", "declare const f: (props: { b: 2 }) => 1;\nexport type X = Of<typeof f> & { c: 3 };",
			"$ [property] $: 1\nb [property] b: 2\nc [property] c: 3\n"},
		{"what a parameter says by another one", component + "export type X = Of<typeof g> & { c: 3 };",
			"$ [property] $: 1\nb [property] b: T\nc [property] c: 3\n"},
		{"what it hands to a function", component + "export type X = Exposed<typeof g> & { c: 3 };",
			"d [property] d: 1\nc [property] c: 3\n"},
		{"a function that wants more is none", "declare const f: (props: { b: 2 }, more: 1, most: 2) => 1;\nexport type X = { c: 3 } & (Of<typeof f> | { c: 4 });",
			"c [property] c: 3\n"},
	})
}

func TestAGlobalNameOfAModuleThatAnotherFileImports(t *testing.T) {
	got := membersOfX(t, map[string]string{
		"index.d.ts":       "import { Y } from './other';\nexport interface X extends React.Props<Y> {}",
		"other.d.ts":       "import { Props } from 'react';\nexport type Y = 1;\nexport declare const p: Props<1>;",
		"react:index.d.ts": "export = React;\nexport as namespace React;\ndeclare namespace React { interface Props<T> { a: T } }",
	})
	if got != "a [property] a: Y <- Props\n" {
		t.Errorf("it has\n%s", got)
	}
}

func TestTypesAreWorkedOutAsTypeScriptDoes(t *testing.T) {
	tests := []struct{ name, src, want string }{
		{"a condition is spread over a union", "type Only<T> = T extends { kind: 'a' } ? T : never;\ntype X = Only<{ kind: 'a'; a: 1 } | { kind: 'b'; b: 2 }> & { c: 3 };",
			"kind [property] kind: 'a'\na [property] a: 1\nc [property] c: 3\n"},
		{"what is optional is no required property", "type Of<T> = T extends { a: {} } ? { yes: 1 } : { no: 1 };\ntype X = Of<{ a?: {} }> & { c: 3 };",
			"no [property] no: 1\nc [property] c: 3\n"},
		{"a condition that cannot be told has what both branches have", "type Either<T> = T extends string ? { a: 1; b: 2 } : { b: 3; c: 4 };\ntype X<T> = Either<T> & { d: 5 };",
			"b [property] b: 2 / b: 3\nd [property] d: 5\n"},
		{"what all parts of a union declare", "type X = { z: 0 } & ({ a: 1; b: 2 } | { a: 3; c: 4 });",
			"z [property] z: 0\na [property] a: 1 / a: 3\n"},
		{"a union becomes an intersection by what functions take", "type All<U> = (U extends any ? (k: U) => void : never) extends (k: infer I) => void ? I : never;\ntype X = All<{ a: 1 } | { b: 2 }> & { c: 3 };",
			"a [property] a: 1\nb [property] b: 2\nc [property] c: 3\n"},
		{"a mapped type is spread over a union", "type Flat<T> = { [K in keyof T]: T[K] } & {};\ntype X = Flat<{ a: 1; b: 2 } | { a: 3; c: 4 }> & {};",
			"a [property] a: 1 / a: 3\n"},
		{"names chosen by the types of properties", "type Having<T, V> = { [K in keyof T]: T[K] extends V ? K : never }[keyof T];\ntype X = Pick<{ a: 1; b: 'x'; c: 2 }, Having<{ a: 1; b: 'x'; c: 2 }, number>> & {};",
			"a [property] a: 1\nc [property] c: 2\n"},
		{"parts of a list chosen by a name in them", "declare class A { static ext: { name: 'a' }; x: 1 }\ndeclare class B { static ext: { name: 'b' }; y: 2 }\ndeclare const list: (typeof A | typeof B)[];\ntype Made<T extends any[]> = { [K in T[number]['ext']['name']]: Extract<T[number], { ext: { name: K } }> };\ntype Instance<T> = T extends new (...args: any) => infer R ? R : never;\ntype X = Instance<Made<typeof list>['b']> & Record<keyof Made<typeof list>, 1>;",
			"y [property] y: 2 <- B\na [property] a: 1\nb [property] b: 1\n"},
		{"what a function returns", "declare function make(): { a: 1 };\ntype X = ReturnType<typeof make> & { b: 2 };",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"the values of an enumeration", "declare enum E { a, b }\ntype X = Pick<{ a: 1; b: 2; c: 3 }, keyof typeof E> & {};",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"Omit of names that are not chosen yet leaves none", "type X<K extends string> = { a: 1 } & Omit<{ b: 2; c: 3 }, K>;",
			"a [property] a: 1\n"},
		{"Pick of what an index signature has", "interface Map { [name: string]: 1 }\ntype X = { a: 2 } & Pick<Map, 'p' | 'q'>;",
			"a [property] a: 2\np [property] p\nq [property] q\n"},
		{"a mapped type that gives several names", "type X = { [K in keyof { a: 1; b: 2 } as K | `${K}Capture`]: K } & { c: 3 };",
			"a [property] a: \"a\"\naCapture [property] aCapture: \"a\"\nb [property] b: \"b\"\nbCapture [property] bCapture: \"b\"\nc [property] c: 3\n"},
		{"a template of several unions", "type X = Record<`${'a' | 'b'}-${'c' | Uppercased}`, 1> & {};\ntype Uppercased = 'D';",
			"a-c [property] \"a-c\": 1\na-D [property] \"a-D\": 1\nb-c [property] \"b-c\": 1\nb-D [property] \"b-D\": 1\n"},
		{"what an index signature infers of", "type Values<T> = T extends { [k: string]: infer V } ? V : never;\ntype X = Values<{ only: { a: 1 } }> & { b: 2 };",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"what a component takes", "declare class Base<P> { constructor(props: P) }\ndeclare class C extends Base<{ a: 1 }> {}\ntype Component<P> = ((props: P) => 1) | (new (props: P, context: any) => object);\ntype Props<T> = T extends Component<infer P> ? P : never;\ndeclare const f: (props: { b: 2 }) => 1;\ntype X = Props<typeof C> & Props<typeof f>;",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"any among the parts of a union hides nothing", "type Rest<T> = T extends string ? { a: 1; b: 2 } : Omit<T, 'x'>;\ntype X<T extends 'k' | any[]> = { c: 3 } & (Rest<'k'> | Omit<any, 'y'>);",
			"c [property] c: 3\na [property] a: 1\nb [property] b: 2\n"},
		{"true and false", "type Not<T extends boolean> = T extends true ? { no: 1 } : { yes: 1 };\ntype X = Not<false> & { a: 1 };",
			"yes [property] yes: 1\na [property] a: 1\n"},
		{"the elements of a tuple have names", "type X = [a: string, b?: number] & { c: 1 };",
			"0 [property] 0: string\n1 [property] 1?: number\nlength [property] length: number <- Array\nc [property] c: 1\n"},
		{"so far as their place is known", "type X = [string, ...number[], boolean] & { c: 1 };",
			"0 [property] 0: string\nlength [property] length: number <- Array\nc [property] c: 1\n"},
		{"a list that is only read", "type X = readonly (readonly string[])[] & { c: 1 };",
			"length [property] readonly length: number <- ReadonlyArray\nc [property] c: 1\n"},
		{"names left over by an intersection of records", "type Sub<O extends string, D extends string> = { [K in O]: (Record<D, never> & Record<string, K>)[K] }[O];\ntype X = Pick<{ a: 1; b: 2; c: 3 }, Sub<'a' | 'b' | 'c', 'b'>> & {};",
			"a [property] a: 1\nc [property] c: 3\n"},
		{"never is no part of a union", "type X = { a: 1 } & ({ b: 2 } | (string extends number ? { c: 3 } : never));",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"what a function takes", "type Client = { ask(q: { a: 1 }, more?: { b: 2 }, ...rest: { c: 3 }[]): void };\ntype Taken<T> = T extends (...args: infer P) => any ? P : never;\ntype Args = Taken<Client['ask']>;\ntype X = Args[0] & Args[1];",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"the parts of a literal that a template takes", "type Path<T> = T extends `/${infer A}/${infer B}-${number}` ? { [K in A | B]: 1 } : { none: 1 };\ntype X = Path<'/a/b-12'> & Path<'/c/d-e'> & { z: 1 };",
			"a [property] a: 1\nb [property] b: 1\nnone [property] none: 1\nz [property] z: 1\n"},
		{"a base that is a type argument", "interface Base<T extends object> extends T { b: 1 }\ndeclare class Base<T extends object> {}\ndeclare class Root<T extends object> extends Base<T> { r: 2 }\ntype X = Root<{ a: 3 }> & { c: 4 };",
			"r [property] r: 2 <- Root\nb [property] b: 1 <- Base\na [property] a: 3\nc [property] c: 4\n"},
		{"a base that is made of a type argument", "declare const Made: new <T extends object>() => T;\ndeclare class Root<T extends object> extends Made<T> { private p: 0 }\ntype X = { [K in keyof Root<{ a: 1; p: 2 }>]: 3 };",
			"a [property] a: 3\n"},
		{"a condition on globals", "declare global { var Known: { a: 1 } }\ntype Is<T> = typeof globalThis extends { Known: unknown } ? T : never;\ntype X = Is<{ yes: 1 }>;",
			"yes [property] yes: 1\n"},
		{"names of globals", "declare global { var Known: { a: 1 }; function known(): 2; const hidden: 3 }\ntype Names = keyof typeof globalThis;\ntype Of<K> = K extends Names ? (typeof globalThis)[K] : { none: 1 };\ntype X = Of<'Known'> & Of<'hidden'> & { z: Of<'known'> };",
			"a [property] a: 1\nnone [property] none: 1\nz [property] z: Of<'known'>\n"},
		{"any in a tuple extends all but never", "type Is<T, U> = [T] extends [U] ? { yes: 1 } : { no: 1 };\ntype X = Is<any, { a: 1 }> & Is<any, never>;",
			"yes [property] yes: 1\nno [property] no: 1\n"},
		{"what a template of an alias takes", "type Hidden<K extends string = string> = `#${K}`;\ntype Shown<K> = K extends Hidden<infer N> ? N : never;\ntype X = { [K in Shown<'#a' | 'b'>]: 1 } & { z: 1 };",
			"a [property] a: 1\nz [property] z: 1\n"},
		{"names that a template allows", "type X = { [K in keyof { a: 1; '7': 2; on: 3 } & (`${number}`)]: 1 } & { [K in keyof { a: 1; onB: 3 } & `on${string}` as Lowercase<K>]: 2 };",
			"7 [property] 7: 1\nonb [property] onb: 2\n"},
		{"no names without those that any may have", "type X<E extends Record<string, any>> = { [K in Exclude<'a' | 'b', keyof E['c']>]: 1 } & { d: 2 };",
			"d [property] d: 2\n"},
		{"an intersection with a union is a union", "type Event = { type: 'event' } & ({ method: 'a'; params: { x: 1 } } | { method: 'b'; params: { y: 2 } });\ntype Of<M> = Extract<Event, { method: M }>['params'];\ntype X = { [K in Event['method']]: 0 } & Of<'b'>;",
			"a [property] a: 0\nb [property] b: 0\ny [property] y: 2\n"},
		{"a union whose parts get the names of all", "type Names<T> = T extends T ? keyof T : never;\ntype OneOf<T, K extends Names<T> = Names<T>> = T extends infer I ? { [P in keyof (I & { [Q in Exclude<K, keyof I>]?: undefined })]: 1 } : never;\ntype X = OneOf<{ a: 1 } & ({ b: 1 } | { c: 1 })> & { d: 2 };",
			"a [property] a: 1\nb [property] b?: 1\nc [property] c?: 1\nd [property] d: 2\n"},
		{"what is left of never", "type No<T> = T extends string ? T : never;\ntype X = { a: 1 } & ({ b: 2 } | No<boolean>);",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"an intersection with a union without end", "type Pretty<T> = { [K in keyof T]: T[K] } & {};\ntype Grow<T extends unknown[]> = Grow<[...T, 1]> | Grow<[...T, 2]>;\ntype X<T> = Pretty<{ a: 1 } & (T extends string ? { b: 2 } & (T extends 'x' ? Grow<[]> : { c: 3 }) : Grow<[T]>)>;",
			"a [property] a: 1\n"},
		{"a property that the parts of a union have each of another type", "type Event = { params: { x: 1; s: 3 } } | { params: { y: 2; s: 3 } };\ntype X = Event['params'] & { z: 1 };",
			"s [property] s: 3\nz [property] z: 1\n"},
		{"the elements of a mapped tuple", "type Value<M extends readonly { v: any }[]> = { [K in keyof M]: M[K]['v'] }[number];\ntype One = { v: { a: 1; s: 2 } };\ntype X = Value<readonly [One, { v: { b: 1; s: 3 } }]> & Value<One[]>;",
			"a [property] a: 1\ns [property] s: 2\n"},
		{"what a class inherits from a generic value", "interface Top<T> { type: T }\ninterface Made<T> extends Top<T> { new (): {} }\ndeclare const Base: Made<{ a: 1 }>;\ndeclare class First extends Base {}\ndeclare class Second extends First {}\ndeclare function make<T>(): Made<T>;\ndeclare class Third extends make<{ b: 2 }>() {}\ntype X = (typeof Second)['type'] & (typeof Third)['type'] & { z: 1 };",
			"a [property] a: 1\nb [property] b: 2\nz [property] z: 1\n"},
		{"parts that a literal rules out", "type Some = { on: 1; kind: 'a'; s: 1 } | { on: 2; kind: 'b'; t: 2 } | { kind: 'a' | 'c'; t: 3; s: 3 };\ntype X = Some & { kind: 'a' | 'd' };",
			"kind [property] kind: 'a' / kind: 'a' | 'd' / kind: 'a' | 'c'\ns [property] s: 1 / s: 3\n"},
		{"a number that extends a member of an enumeration", "enum Features { None = 0, Static = 1 }\ndeclare let features: number;\ntype Of<T, F, P> = T extends F ? P : {};\nexport type X = Of<typeof features, Features.Static, { s: 1 }> & {};",
			"s [property] s: 1\n"},
		{"Exclude of an interface with another literal", "interface Of<K> { kind: K; s: 1 }\ninterface A extends Of<'a'> { a: 1 }\ninterface B { kind: 'b'; s: 1 }\ntype X = Exclude<A | B, B> & {};",
			"a [property] a: 1 <- A\nkind [property] kind: 'a' <- Of\ns [property] s: 1 <- Of\n"},
		{"names that a template takes apart", "type Short<K> = K extends `${infer P}.root` ? P : K extends `get${infer P}` ? Uncapitalize<P> : never;\ntype X = { [K in keyof { 'a.root': 1; getBee: 2; other: 3 } as Short<K>]: 1 } & { z: 1 };",
			"a [property] a: 1\nbee [property] bee: 1\nz [property] z: 1\n"},
		{"an import that is a value and a type of the same name", "import { R } from './r.js';\nexport type R = typeof R;\ntype X = { [P in R[keyof R]]?: P };",
			"95 [property] 95?: 95\n12 [property] 12?: 12\n"},
		{"a class that extends a call", "declare function Mix<T>(base?: T): { new (...args: any[]): { m(): 1 } } & T;\ndeclare function Other<T>(base: T): { new (): { o: 2 } } & T;\ndeclare class Base { b: 3; static s: 4 }\ndeclare class X extends Mix(Other(Base)) { x: 5 }",
			"constructor [constructor] constructor()\nx [property] x: 5\nm [method] m(): 1\no [property] o: 2\nb [property] b: 3 <- Base\ns [property] static s: 4 <- Base\n"},
		{"a class that extends a call with options", "declare function Made<T>(options: object, more: string): new () => T;\ndeclare class X extends Made<{ a: 1 }>({ x: [1, 2] }, 'y') {}",
			"constructor [constructor] constructor()\na [property] a: 1\n"},
		{"a base that makes what its type argument says", "declare const Any: new <T extends object>() => T;\ndeclare class Cast<T extends object> extends Any<T> {}\ndeclare class X extends Cast<{ a: 1 }> { b: 2 }",
			"constructor [constructor] constructor<T extends object>()\nb [property] b: 2\na [property] a: 1\n"},
		{"a private member hides that of a base", "declare class A { protected a: 1; static s: 1; b: 2 }\ndeclare class X extends A { private a; private static s }",
			"b [property] b: 2 <- A\n"},
		{"a namespace of a base hides its static member", "declare class A { static p(): 1; static q(): 2 }\ndeclare class B extends A {}\ndeclare namespace B { let p: 3 }\ndeclare class X extends B {}",
			"q [method] static q(): 2 <- A\n"},
		{"numbers as names", "interface X { 0x10: 1; 1_0: 2; 1e2: 3; 0.5: 4; 7: 5 }",
			"16 [property] 0x10: 1\n10 [property] 1_0: 2\n100 [property] 1e2: 3\n0.5 [property] 0.5: 4\n7 [property] 7: 5\n"},
		{"a name that may be any symbol is none", "declare const s: symbol;\ndeclare const u: unique symbol;\ninterface X { [s]: 1; [u]: 2 }",
			"[u] [property] [u]: 2\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := membersOfX(t, map[string]string{"index.d.ts": tt.src + "\nexport { X };", "r.d.ts": "export declare const R: { readonly A: 95; readonly B: 12 };"})
			if got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

func TestAliasesAreWorkedOutOnceForAllEntryPoints(t *testing.T) {
	r := newWorld(map[string]string{
		"package.json": `{"name": "pkg", "exports": {".": {"types": "./index.d.ts"}, "./more": {"types": "./more.d.ts"}}}`,
		"index.d.ts":   "export * from './types';",
		"more.d.ts":    "import { X } from './types';\nexport declare function more(x: X<1>): void;",
		"types.d.ts":   "type Tenth = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';\ntype Even<K> = K extends `${string}${'0' | '2' | '4' | '6' | '8'}` ? K : never;\nexport type X<T> = Pick<{ a: T; '98': 1 }, 'a' | Extract<Even<`${Tenth}${Tenth}`>, '98'>> & { d: 1 };",
	}).reader(t)
	steps := map[string]int{}
	for _, subpath := range []string{".", "./more"} {
		p, err := r.Read(subpath)
		if err != nil {
			t.Fatal(err)
		}
		steps[subpath] = r.steps
		if x := p.At("X"); x == nil || len(x.Members) == 0 {
			t.Errorf("%s lists %+v", subpath, x)
		}
	}
	if steps["./more"]*4 > steps["."] {
		t.Errorf("after %d steps for the package, its other entry point takes %d", steps["."], steps["./more"])
	}
}

// Each undecided condition doubles the types that the next one must consider, so the evaluation
// reaches the nesting limit again and again.
func TestAnEvaluationThatMeetsLimitsAgainAndAgainEndsEarly(t *testing.T) {
	r := newWorld(map[string]string{
		"package.json": `{"name": "pkg", "types": "index.d.ts"}`,
		"index.d.ts":   "type Tree<T, D> = T extends string ? Tree<T, [D, 1]> | Tree<T, [D, 2]> : { b: D };\nexport type X<T> = { a: T } & Tree<T, 0>;",
	}).reader(t)
	p, err := r.Read(".")
	if err != nil {
		t.Fatal(err)
	}
	if x := p.At("X"); x == nil || len(x.Members) == 0 || x.Members[0].Path != "X.a" {
		t.Errorf("the members are %+v", x)
	}
	if r.steps > maxSteps/8 {
		t.Errorf("the evaluation takes %d steps", r.steps)
	}
}

// A condition on a type parameter cannot be decided. If the type is written without
// arguments, it can.
func TestAGenericAliasHasTheMembersThatItHasByDefault(t *testing.T) {
	const lib = "type Narrow<T, U> = [(T extends U ? true : false) & (U extends T ? false : true)] extends [never] ? false : true;\n" +
		"type Form = { block?: (x: any) => any };\n" +
		"type Formed<T extends Form | undefined, F> = Narrow<T, Form> extends true ? T extends { block?: infer B extends (x: any) => any } ? ReturnType<B> : F : F;\n"
	expectMembers(t, lib, []struct{ name, src, want string }{
		{"behind a condition", "export type X<T extends Form | undefined = undefined> = Formed<T, { a: 1 }>;",
			"a [property] a: 1\n"},
		{"of the widest type", "export type X<T extends Form | undefined = Form> = Omit<Formed<T, { a: 1; b: 2 }>, 'b'>;",
			"a [property] a: 1\n"},
		{"by a parameter's default", "export type X<T extends Form | undefined = undefined, F = Formed<T, { a: 1; b: T; c: 3 }>> = Omit<F, 'c'>;",
			"a [property] a: 1\nb [property] b: undefined\n"},
		{"of a type that needs an argument", "export type X<T extends Form | undefined> = Omit<Formed<T, { a: 1; b: 2 }>, 'b'> & { c: 3 };",
			"c [property] c: 3\n"},
	})
}

func TestMembersHaveTheTypesThatMappedTypesCopy(t *testing.T) {
	const lib = `
type Flat<T> = { [K in keyof T]: T[K] } & {};
type Names<T> = T extends T ? keyof T : never;
type OneOf<T, F extends object | undefined = undefined, N extends Names<T> = Names<T>> = T extends infer I ? Flat<I & { [K in Exclude<N, keyof I>]?: F extends object ? F : undefined }> : never;
type Override<T, U> = { [K in keyof T]: K extends keyof U ? U[K] : T[K] };
interface Base<T> { send: () => T; reset: () => void }
interface Idle<T> extends Base<T> { state: 'idle' }
interface Busy<T> extends Base<T> { state: 'busy' }
type Expand<T> = 'all' extends keyof T ? { [K in 'get']: T['all'] } & Omit<T, 'all'> : T;
`
	expectMembers(t, lib, []struct{ name, src, want string }{
		{"in a union of exclusive options", "export type X = OneOf<{ a: 1 | (null); b?: string } | { c: () => 2 }>;",
			"a [property] a?: 1 | null | undefined\nb [property] b?: string | undefined\nc [property] c?: (() => 2) | undefined\n"},
		{"in one union of them in another", "export type X<T> = OneOf<{ a: T } | ({ b: 2 } & OneOf<{ c: 3 } | { d: T }>)>;",
			"a [property] a?: T | undefined\nb [property] b?: 2 | undefined\nc [property] c?: 3 | undefined\nd [property] d?: T | undefined\n"},
		{"where one is replaced", "export type X<T> = Override<Idle<T> | Busy<T>, { send: (x: T) => 2 }> & { e: 3 };",
			"state [property] state: 'idle' | 'busy' <- Idle\nsend [property] send: (x: T) => 2 <- Base\nreset [property] reset: () => void <- Base\ne [property] e: 3\n"},
		{"but not what a condition may choose", "export type X<T> = { [K in keyof Expand<T>]: Expand<T>[K] extends 1 ? [Expand<T>[K]] : never } & { e: 3 };",
			"get [property] get: Expand<T>[\"get\"] extends 1 ? [Expand<T>[\"get\"]] : never\ne [property] e: 3\n"},
	})
}

func TestTypesWithoutEndAreGivenUp(t *testing.T) {
	for name, src := range map[string]string{
		"a condition that asks itself":  "type T<A> = A extends T<[A]> ? T<[A, A]> : T<{ a: A }>;\ntype X = T<1> & { a: 1 };",
		"a union that grows":            "type G<A, B> = G<A | B, [A, B]> | (A extends B ? G<B, A> : A);\ntype X = G<1, 2> & { a: 1 };",
		"a mapped type of itself":       "type M<T> = { [K in keyof M<T>]: M<T[K]> };\ntype X = M<{ b: 1 }> & { a: 1 };",
		"names that lead to themselves": "type K<T> = { [P in K<T>]: P }[K<T>];\ntype X = Pick<{ b: 1 }, K<1>> & { a: 1 };",
		"a call of itself":              "declare function f(): typeof f;\ndeclare class Y extends f(f(f(f()))) {}\ntype X = Y & { a: 1 };",
	} {
		t.Run(name, func(t *testing.T) {
			got := membersOfX(t, map[string]string{"index.d.ts": src + "\nexport { X };"})
			if !strings.Contains(got, "a [property] a: 1\n") {
				t.Errorf("got:\n%s", got)
			}
		})
	}
}

func TestDeclarationsOfSeveralFilesAreOne(t *testing.T) {
	expectListings(t, []listingTest{
		{"what a dependency declares beside its main file", map[string]string{
			"index.d.ts":      "import { add } from 'dep'; export default add;",
			"dep:index.d.ts":  "/// <reference path=\"./common.d.ts\" />\nexport = _;\ndeclare const _: _.Static;\ndeclare namespace _ { interface Static {} }",
			"dep:common.d.ts": "import _ = require('./index');\ndeclare module './index' { interface Static { add(a: 1): 2 } }",
		}, "default [method] add(a: 1): 2\n"},
		{"an import for what it adds", map[string]string{
			"index.d.ts":     "import 'dep'; export { A } from 'other';",
			"other:index.ts": "export interface A { a: 1 }",
			"dep:index.d.ts": "declare module 'other' { interface A { b: 2 } } export {};",
		}, "A [interface] interface A\n  a [property] a: 1\n  b [property] b: 2\n"},
		{"a module imported as its default", map[string]string{
			"index.d.ts":     "import dep from 'dep'; export interface A extends dep.B { a: 1 }",
			"dep:index.d.ts": "export interface B { b: 2 }",
		}, "A [interface] interface A extends dep.B\n  a [property] a: 1\n  b [property] b: 2 <- B\n"},
		{"a global namespace adds to the module of that name", map[string]string{
			"index.d.ts":  "import './global'; declare class p { a: 1 } export default p; export as namespace p;",
			"global.d.ts": "export {}; declare global { namespace p { const x: 1 } }",
		}, "default [class] class p\n  a [property] a: 1\nx [const] const x: 1\n"},
		{"exports beside export = of another file", map[string]string{
			"index.d.ts": "import x = require('pkg/x'); export = x;",
			"x.d.ts":     "declare class C { a: 1 } declare const c: C; export = c; export { C };",
		}, "export= [const] const c: C\nC [class] class C\n  a [property] a: 1\n"},
		{"an interface and a value exported apart", map[string]string{
			"index.d.ts": "export interface A { a: 1 }\ndeclare const A: A;\nexport { A };",
		}, "A [const] interface A / const A: A\n  a [property] a: 1\n"},
		{"a name in the namespace of a base class", map[string]string{
			"index.d.ts":       "import { Events } from 'stream'; export declare class S extends Events { s: 1 }",
			"stream:index.ts":  "import { Events } from 'events'; declare class Stream extends Events {} export = Stream;",
			"events:index.ts":  "declare class Events { on: 1 } declare namespace Events { export { Events } } export { Events };",
			"stream:unused.ts": "",
		}, "S [class] class S extends Events\n  s [property] s: 1\n  on [property] on: 1 <- Events\n"},
	})
}

func TestAValueIsReportedWithATypeThatNobodyCanName(t *testing.T) {
	files := map[string]string{
		"index.d.ts": `/// <reference path="globals.d.ts" />
export const tool: ToolStatic;
export const t: ToolStatic;
export default tool;
export interface Named { c: 1 }
export const named: Named;
export const list: Array<string>;
export const other: import("dep").Other;
interface PartStatic { part(): void }
export const both: PartStatic & Named & (() => void);`,
		"globals.d.ts":                        "interface ToolStatic { (of: string): number; ajax(url: string): void }",
		"dep:index.d.ts":                      "export interface Other { d: 1 }",
		"typescript:lib/lib.esnext.full.d.ts": "interface Array<T> { length: number }",
	}
	p := newWorld(files).read(t)
	members := map[string]string{}
	for _, s := range p.Symbols {
		members[s.Path] = listing(s.Members)
	}
	for path, want := range map[string]string{
		"tool": "tool.() [call signature] (of: string): number <- ToolStatic\ntool.ajax [method] ajax(url: string): void <- ToolStatic\n",
		"both": "both.part [method] part(): void <- PartStatic\n",
		"t":    "", "default": "", "named": "", "list": "", "other": "",
	} {
		if members[path] != want {
			t.Errorf("%s has\n%s", path, members[path])
		}
	}
	p.Style = apidoc.Style{FollowTypes: true, Syntax: Syntax{}, Defaults: []apidoc.Default{{Path: "default"}}}
	for _, path := range []string{"tool.ajax", "t.ajax", "default.ajax"} {
		if s, err := naming.Find(p, path); err != nil || s.Path != "tool.ajax" {
			t.Errorf("%s leads to %+v, %v", path, s, err)
		}
	}
}

// TestAMemberNamedByAStaticOfAnHeir lists the members of an interface, one of which is
// named by a static member of a class that inherits the interface's members.
func TestAMemberNamedByAStaticOfAnHeir(t *testing.T) {
	got := membersOfX(t, map[string]string{
		"index.d.ts": "import { Emitter } from './emitter';\nexport interface First extends Host.Emitter { first(): void }\nexport declare class X extends Emitter { x(): void }",
		"emitter.d.ts": `export declare class Emitter { static readonly rejection: unique symbol; own(): void }
export interface Emitter extends Host.Emitter {}
declare global { namespace Host { interface Emitter { [Emitter.rejection]?(): void; emit(): boolean } } }
`})
	if want := "x [method] x(): void\nown [method] own(): void <- Emitter\n[Emitter.rejection] [method] [Emitter.rejection]?(): void <- Emitter\nemit [method] emit(): boolean <- Emitter\nrejection [property] static readonly rejection: unique symbol <- Emitter\n"; got != want {
		t.Errorf("it has\n%s", got)
	}
}

// TestMembersNamedByPropertiesOfAConstant lists members whose names are properties of a
// constant with a mapped type.
func TestMembersNamedByPropertiesOfAConstant(t *testing.T) {
	got := membersOfX(t, map[string]string{"index.d.ts": `
type Names<T extends string> = { readonly [K in T]: K };
declare const NAMES: Names<"onLog" | "load">;
declare const PLAIN: { readonly end: "end" };
export interface X { [NAMES.onLog](): void; [NAMES.load]: 1; [PLAIN.end]: 2 }
`})
	if want := "onLog [method] [NAMES.onLog](): void\nload [property] [NAMES.load]: 1\nend [property] [PLAIN.end]: 2\n"; got != want {
		t.Errorf("it has\n%s", got)
	}
}

func TestAnInterfaceInheritsTheCallOfAnAlias(t *testing.T) {
	got := membersOfX(t, map[string]string{"index.d.ts": `
type FC<P> = { (props: P): string; new (one: P): 1; [key: string]: any; name?: string };
type Alias<P> = FC<P>;
export interface X extends Alias<{ value: 1 }> { values: 2[] }
`})
	for _, want := range []string{"(props: P): string", "new (one: P): 1", "[key: string]: any"} {
		if !strings.Contains(got, want) {
			t.Errorf("it lacks %q:\n%s", want, got)
		}
	}
}

func TestKeysOfEnumerations(t *testing.T) {
	const src = `
declare enum Kind { NAME = 'Name', FIELD = "Field" }
declare enum Counted { A, B }
interface Name { kind: Kind.NAME; value: string }
interface Field { kind: Kind.FIELD }
type Node = Name | Field;
`
	expectMembers(t, src, []struct{ name, src, want string }{
		{"a member", "export type X = { [N in Node as N['kind']]: N };", "Name [property] Name: Name\nField [property] Field: Field\n"},
		{"an enumeration", "export type X = { [K in Kind]: 1 };", "Name [property] Name: 1\nField [property] Field: 1\n"},
		{"one without values", "export type X = { [K in Counted]: 1 };", ""},
	})
}

// TestAUnionOfRepeatedParts checks that steps remain for the declarations after a union
// in which each part occurs thousands of times.
func TestAUnionOfRepeatedParts(t *testing.T) {
	var src strings.Builder
	src.WriteString("type U0 = A | A & { b: 1 };\ntype A = {")
	for i := range 32 {
		fmt.Fprintf(&src, " a%d: 1;", i)
	}
	src.WriteString(" };\n")
	for i := range 4 {
		fmt.Fprintf(&src, "type U%d = U%d%s;\n", i+1, i, strings.Repeat(fmt.Sprintf(" | U%d", i), 7))
	}
	src.WriteString("export type X<T> = Partial<Partial<U4> & Partial<{ last: 1 }>>;")
	got := membersOfX(t, map[string]string{"index.d.ts": src.String()})
	if n := strings.Count(got, "\n"); n != 33 || !strings.HasSuffix(got, "last [property] last?: 1\n") {
		t.Errorf("it has %d members:\n%s", n, got)
	}
}

// TestMembersAreNotKeptWhenStepsRunOut lists an interface that needs more steps than were
// left for an alias that refers to it first.
func TestMembersAreNotKeptWhenStepsRunOut(t *testing.T) {
	got := membersOfX(t, map[string]string{"index.d.ts": `
type D = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9' | 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j';
type Costly<P extends string> = Pick<{ [K in ` + "`${P}${D}${D}${D}`" + `]: 1 }, ` + "`${P}000`" + `>;
export type First<T> = Partial<X>;
export interface X extends Costly<'a'>, Costly<'b'>, Costly<'c'>, Costly<'d'>, Costly<'e'>, Costly<'f'>, Costly<'g'>, Costly<'h'>, Costly<'i'> {}
`})
	if n := strings.Count(got, "000 [property]"); n != 9 {
		t.Errorf("it has %d members:\n%s", n, got)
	}
}

// TestMembersWithTheTypeOfAnInternalFunction lists the members of a client, as written by
// generators, whose methods are properties with the types of functions in other files.
func TestMembersWithTheTypeOfAnInternalFunction(t *testing.T) {
	p := newWorld(map[string]string{
		"index.d.ts": "import API from './api';\nexport function shown(): void;\nexport class Client extends API { own: typeof shown }\nexport class Second extends API { own: typeof shown }",
		"api.d.ts":   "import find from './find';\nimport { made } from './find';\nexport default class API { find: typeof find; /** Its own words. */ other: typeof find; made: typeof made }",
		"find.d.ts":  "/** Finds them. */\nexport default function find<T>(query: string): T[];\nexport default function find(id: number): string;\nexport declare const made: () => void;",
	}).read(t)
	var got strings.Builder
	for _, s := range p.Symbols {
		for _, m := range s.Members {
			fmt.Fprintf(&got, "%s | %s | %s | %s\n", m.Path, m.Signature, m.Doc, m.From)
			for _, call := range m.Members {
				fmt.Fprintf(&got, "  %s | %s | %s\n", call.Path, strings.ReplaceAll(call.Signature, "\n", " ; "), call.Doc)
			}
		}
	}
	const calls = ".() | <T>(query: string): T[] ; (id: number): string | \n"
	want := ""
	for _, class := range []string{"Client", "Second"} {
		want += class + ".own | own: typeof shown |  | \n" + class + ".find | find: typeof find | Finds them. | API\n  " + class + ".find" + calls +
			class + ".other | other: typeof find | Its own words. | API\n  " + class + ".other" + calls +
			class + ".made | made: typeof made |  | API\n"
	}
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}
