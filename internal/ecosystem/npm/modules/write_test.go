package modules

import "testing"

func TestMembersOfAliasesHaveTheModifiersAndTypesThatTheyGetThere(t *testing.T) {
	const lib = "export {};\ninterface Conf { a: string; readonly b?: number; get c(): 1; d(x: 1): 2 }\n" +
		"interface Box<T> { value: T; map<U>(f: (x: T) => U): Box<U> }\n" +
		"declare function make(): { made: Conf };\n"
	expectMembers(t, lib, []struct{ name, src, want string }{
		{"Partial", "export type X = Partial<Conf>;",
			"a [property] a?: string <- Conf\nb [property] readonly b?: number <- Conf\nc [property] readonly c?: 1 <- Conf\nd [method] d?(x: 1): 2 <- Conf\n"},
		{"Required and Readonly", "export type X = Required<Readonly<Pick<Conf, 'a' | 'b'>>>;",
			"a [property] readonly a: string <- Conf\nb [property] readonly b: number <- Conf\n"},
		{"signs of a mapped type", "export type X = { -readonly [K in keyof Conf]-?: () => Conf[K] };",
			"a [property] a: () => string <- Conf\nb [property] b: () => number <- Conf\nc [property] c: () => 1 <- Conf\nd [property] d: () => ((x: 1) => 2) <- Conf\n"},
		{"conditions on names", "export type X = { [K in keyof Conf]: K extends 'a' ? null : K extends 'b' | 'c' ? Conf[K] | undefined : Conf[K] };",
			"a [property] a: null <- Conf\nb [property] readonly b?: number | undefined <- Conf\nc [property] readonly c: 1 | undefined <- Conf\nd [property] d: (x: 1) => 2 <- Conf\n"},
		{"overloads", "interface O { o(x: 1): 1; o(x: 2): 2; p?: 1 | 2 }\nexport type X = { [K in keyof O]: O[K] | 1 };",
			"o [property] o: O[\"o\"] | 1 <- O\np [property] p?: 1 | 2 <- O\n"},
		{"an intersection", "export type X = { a?: 1 } & { a: 1; readonly b: 2 };",
			"a [property] a: 1\nb [property] readonly b: 2\n"},
		{"a union", "export type X = { kind: 'a'; a: 1 } | { kind: 'b'; readonly b: 2 };",
			"kind [property] kind: 'a' / kind: 'b'\n"},
		{"type arguments", "export type X = Box<string | number>;",
			"value [property] value: string | number <- Box\nmap [method] map<U>(f: (x: string | number) => U): Box<U> <- Box\n"},
		{"of a generic literal", "type Pair<K, V> = { key: K; values: V[]; of(k: K): V };\nexport type X = Pair<'k', () => 1>;",
			"key [property] key: 'k'\nvalues [property] values: (() => 1)[]\nof [method] of(k: 'k'): () => 1\n"},
		{"what a function gives", "export type X = ReturnType<typeof make>['made'];",
			"a [property] a: string <- Conf\nb [property] readonly b?: number <- Conf\nc [accessor] get c(): 1 <- Conf\nd [method] d(x: 1): 2 <- Conf\n"},
		{"what is set before it is got", "interface S { set s(v: string); get s(): string; set only(v: 1) }\nexport type X = Partial<S>;",
			"s [property] s?: string <- S\nonly [property] only?: 1 <- S\n"},
		{"an event or its handler", "type Or<E> = { [K in keyof E]: E[K] extends (...a: any) => any ? E[K] : (e: E[K]) => void };\nexport type X = Or<{ a: Conf; b: (x: 1) => 2 }>;",
			"a [property] a: (e: Conf) => void\nb [property] b: (x: 1) => 2\n"},
		{"a condition on a union as a whole", "type M<T> = { [K in keyof T]: T[K] extends Conf ? 'conf' : T[K] };\nexport type X = M<{ a: Conf | null; b: Conf }>;",
			"a [property] a: Conf | null\nb [property] b: 'conf'\n"},
		{"a condition on each part of a union", "type No<T> = T extends null | undefined ? never : T;\ntype M<T> = { a: No<T>; b: T extends null ? 0 : T };\nexport type X = M<Conf | null>;",
			"a [property] a: No<Conf | null>\nb [property] b: Conf | 0\n"},
		{"a condition on a type parameter that is free", "export type X<T> = { [K in 'a']: T extends string ? 1 : 2 };",
			"a [property] a: T extends string ? 1 : 2\n"},
		{"a condition that is decided by a guess", "interface G { f(): string }\ntype M<T> = { [K in keyof T]: T[K] extends { f(): string } ? 1 : 2 };\nexport type X = M<{ a: G }>;",
			"a [property] a: G extends { f(): string; } ? 1 : 2\n"},
		{"what an indexed access gives of an exported type", "export interface E { e: 1 }\nexport type X = { of: E }['of'];",
			"e [property] e: 1 <- E\n"},
		{"what an exported alias makes of another type", "export type Flat<T> = { [K in keyof T]: T[K] } & {};\nexport type X = Flat<{ a: 1 } & { b: 2 }>;",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"what a mapped type shows with unknown", "type Flat<T> = { [K in keyof T]: T[K] } & unknown;\nexport type X = Flat<{ a: 1 } & ({ b: 2; c: 3 } | { b: 4 })>;",
			"a [property] a: 1\nb [property] b: 2 / b: 4\n"},
		{"what a generic alias decides", "type Bind<T, S> = [T] extends [Conf] ? { of: S } : Box<T>;\ntype M<T, S> = { [K in keyof T]: Bind<T[K], S> };\nexport type X = M<{ a: string; b: Conf }, 's'>;",
			"a [property] a: Box<string>\nb [property] b: { of: 's'; }\n"},
		{"a list that grows", "type Words<S, A extends unknown[]> = S extends `${infer W} ${infer R}` ? Words<R, [...A, W]> : [...A, S];\nexport type X = { [K in 'a b c']: Words<K, []> };",
			"a b c [property] \"a b c\": [\"a\", \"b\", \"c\"]\n"},
		{"what the parts of a union make of a member", "type To<T> = T extends { a: 1 } ? { [K in 'v']?: undefined } : T extends { b: 1 } ? { v?: string } : { [K in 'v']?: string };\nexport type X = To<{ a: 1 } | { b: 1 } | { c: 1 }>;",
			"v [property] v?: string\n"},
		{"a mapped list has none", "type Second<T extends [1, 2][]> = { [K in keyof T]: T[K][1] };\nexport type X<T extends [1, 2][]> = Second<T>;", ""},
		{"a list has none", "export type X = Array<Conf>;", ""},
		{"nor has a union with a list", "export type X = Conf | Conf[];", ""},
	})
}

func TestAUnionOfExportedTypesIsDescribedWithThem(t *testing.T) {
	got := membersOfX(t, map[string]string{"index.d.ts": "export interface A { k: 1 }\nexport interface B { k: 2 }\nexport type X = A | (B);"})
	if got != "" {
		t.Errorf("it has\n%s", got)
	}
}

func TestAConstWithConstructSignaturesHasWhatItMakes(t *testing.T) {
	got := membersOfX(t, map[string]string{
		"index.d.ts": "import { Core } from 'core';\ntype Constructor<T> = new (...args: any[]) => T;\ndeclare function plugin(): { rest: 1 };\n" +
			"export declare const X: typeof Core & Constructor<ReturnType<typeof plugin> & { more: 2 }>;\nexport type X = InstanceType<typeof X>;",
		"core:index.d.ts": "export declare class Core { static version: string; constructor(options?: { a: 1 }); auth(): void }",
	})
	const want = "constructor [constructor] constructor(options?: { a: 1; })\nauth [method] auth(): void <- Core\nrest [property] rest: 1\nmore [property] more: 2\nversion [property] static version: string <- Core\n"
	if got != want {
		t.Errorf("it has\n%s", got)
	}
}

func TestAConstWithTheTypeOfAFunctionIsCalledAsThat(t *testing.T) {
	const lib = "export {};\n/** Works it out. */\ndeclare function made<T>(from: () => T): T;\ndeclare function made(): 0;\n"
	for _, test := range []struct{ name, src, want string }{
		{"that nobody can name", "export declare const X: typeof made;", "() [call signature] <T>(from: () => T): T / (): 0\n"},
		{"that is exported", "export { made };\nexport declare const X: typeof made;", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := membersOfX(t, map[string]string{"index.d.ts": lib + test.src}); got != test.want {
				t.Errorf("it has\n%s", got)
			}
		})
	}
}

func TestPlainJavaScript(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"the body that a module is wrapped in", "(function (root, factory) { factory(root.exports = {}) })(this, function (exports) {\n  /** @param {number} a\n   * @returns {number} */\n  function add(a) { return a }\n  exports.plus = add;\n});",
			"plus [function] function plus(a: number): number // **Parameters:**⏎⏎- `a`\n"},
		{"one that ends with module.exports", "(function () { function f(a) {}\n module.exports = f; }());",
			"export= [function] function f(a)\n"},
		{"several bodies, as in a bundle", "(function () { var a = { 1: function (exports) { exports.x = 1; }, 2: function (exports) { exports.y = 1; } }; })();",
			"x [const] const x\ny [const] const y\n"},
		{"options that a comment lists", "/** @param {Object} [options] how\n * @param {string} options.name\n * @param {number} [options.deep.size]\n * @param {boolean=} options.on */\nexports.f = function (options) {};",
			"f [function] function f(options?: { name: string; on?: boolean; }) // **Parameters:**⏎⏎- `options`: how⏎- `options.name`⏎- `options.deep.size`⏎- `options.on`\n"},
		{"options within options", "/** @param {Object} options\n * @param {Object} options.deep\n * @param {number} [options.deep.size]\n * @param {Object[]} list\n * @param {string} list[].name */\nexports.f = function (options, list) {};",
			"f [function] function f(options: { deep: { size?: number; }; }, list: { name: string; }[]) // **Parameters:**⏎⏎- `options`⏎- `options.deep`⏎- `options.deep.size`⏎- `list`⏎- `list[].name`\n"},
		{"what new makes with a function", "/** @constructor */\nfunction X(name) {\n  /** @type {string} */\n  this.name = name;\n  this.on = true;\n  later(function () { this.other = 1 });\n}\nX.prototype.get = function (k) {};\nmodule.exports = { X };",
			"X [function] function X(name)\n  name [property] name: string\n  on [property] on: boolean\n  get [method] get(k)\n"},
		{"a sequence of assignments", "exports.a = function (n) {}, exports.b = 1, f(2), exports.c = 3;",
			"a [function] function a(n)\nb [const] const b = 1\nc [const] const c = 3\n"},
		{"a variable that is assigned what the module exports", "const app = exports = module.exports = { on: true };\napp.stop = function (how) {};",
			"export= [const] const app\non [property] on: boolean\nstop [function] function stop(how)\n"},
		{"a class that is assigned to a variable too", "const Gate = module.exports = class extends Base { open() {} };",
			"export= [class] class Gate extends Base\n  open [method] open()\n"},
		{"what new makes with a function in a variable", "const X = function (a) { this.size = 1; };\nmodule.exports = new X(1);\nObject.defineProperty(module.exports, 'late', { get() {} });",
			"export= [const] const default: X\nlate [const] const late\nsize [property] size: number\n"},
		{"methods of the object that is exported", "module.exports = { run(how) {}, get size() { return 1 } };",
			"run [function] function run(how)\nsize [accessor] get size()\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := listing(newWorld(map[string]string{"index.js": test.src}).read(t).Symbols); got != test.want {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

func TestAnInterfaceInheritsUnnamedMembersOfItsBases(t *testing.T) {
	expectMembers(t, "export {};\n", []struct{ name, src, want string }{
		{"beside its own", "interface Y { (a: 1): 2; [key: string]: unknown }\nexport interface X extends Y { (b: 3): 4 }",
			"() [call signature] (b: 3): 4 / (a: 1): 2\n[key: string] [index signature] [key: string]: unknown <- Y\n"},
		{"of an alias of a function", "type Y<T> = (() => T) & { [tag: number]: 1 };\nexport interface X extends Y<2> {}",
			"() [call signature] (): T\n[tag: number] [index signature] [tag: number]: 1\n"},
	})
}
