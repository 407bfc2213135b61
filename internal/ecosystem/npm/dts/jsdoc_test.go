package dts

import (
	"strings"
	"testing"
)

// signatures returns the signatures of all declarations of a file and, in braces, of their members.
func signatures(t *testing.T, name, src string) string {
	t.Helper()
	var list func(n *Node) []string
	list = func(n *Node) (all []string) {
		overloaded := ""
		for c := range n.Children() {
			if c.Kind >= Variable && c.Kind <= Namespace || c.IsMember() {
				if c.Has(FlagBody) && overloaded == c.Text && c.Text != "" {
					continue // the implementation of overloads
				}
				if overloaded = ""; c.Kind == Function || c.Kind == Method {
					overloaded = c.Text
				}
				text := c.Signature()
				if c.Kind == Class || c.Kind == Interface || c.Kind == Enum || c.Kind == Namespace {
					text += " {" + strings.Join(list(c), "; ") + "}"
				}
				all = append(all, text)
			}
		}
		return all
	}
	f := parse(t, name, src)
	text := strings.Join(list(f.Root), "; ")
	for _, w := range f.Warnings {
		text += " ! " + w.Text
	}
	return text
}

// checkSignatures compares the signatures of sources. Pairs contain a source and its signatures.
func checkSignatures(t *testing.T, name string, pairs ...[2]string) {
	t.Helper()
	for _, c := range pairs {
		if got := signatures(t, name, c[0]); got != c[1] {
			t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// TestJSDoc_Types checks the types of JSDoc, whose syntax and names differ from those of TypeScript.
func TestJSDoc_Types(t *testing.T) {
	for typ, want := range map[string]string{
		"string": "string", "String": "string", "Number": "number", "Boolean": "boolean", "Object": "any", "object": "object", "Undefined": "undefined", "Null": "null", "Void": "void",
		"function": "Function", "Function": "Function", "array": "any[]", "Array": "any[]", "Promise": "Promise<any>", "*": "any", "?": "any",
		"?string": "string | null", "string?": "string | null", "!Date": "Date", "Date!": "Date", "Array.<string>": "Array<string>", "Array<Number>": "Array<number>",
		"Object.<string, Number>": "Record<string, number>", "Object<number, Date>": "Record<number, Date>", "Promise.<void>": "Promise<void>",
		"function(string, Number): boolean": "(arg0: string, arg1: number) => boolean", "function(): void": "() => void", "function(...string)": "(...arg0: string[]) => any", "function(string=)": "(arg0?: string) => any",
		"function(this:Date, string): void": "(this: Date, arg1: string) => void", "function(new:Date, string)": "new (arg1: string) => Date",
		"{ a: String, b?: number }": "{ a: string; b?: number; }", "string | Number": "string | number", "(string|number)[]": "(string | number)[]", "'a'|'b'": "'a' | 'b'", "typeof x": "typeof x", "import('x').Y": "import('x').Y",
		"[string, Number]": "[string, number]", "(a: string) => Number": "(a: string) => number", "keyof Date": "keyof Date", "Map<string, Array.<Date>>": "Map<string, Array<Date>>", "A.B.C": "A.B.C", "readonly string[]": "readonly string[]",
	} {
		checkSignatures(t, "a.js", [2]string{"/** @type {" + typ + "} */ var a", "var a: " + want})
	}
}

func TestJSDoc_Parameters(t *testing.T) {
	checkSignatures(t, "a.js", [][2]string{
		{"/** @param {string} a\n * @param {number} [b]\n * @param {Date} [c=now] text\n * @param {...boolean} d\n * @returns {void} */ function f(a, b, c, ...d) {}", "function f(a: string, b?: number, c?: Date, ...d: boolean[]): void"},
		{"/** @param {string=} a\n * @param {number=} b */ function f(a, b) {}", "function f(a?: string, b?: number)"},
		{"/** @arg {string} a\n * @argument {number} b\n * @return {Date} */ function f(a, b) {}", "function f(a: string, b: number): Date"},
		{"/** @param {Object} o\n * @param {string} o.a\n * @param {number} [o.b]\n * @param {Object} o.c\n * @param {Date} o.c.d */ function f(o) {}", "function f(o: { a: string; b?: number; c: { d: Date; }; })"},
		{"/** @param {Object[]} l\n * @param {string} l[].a */ function f(l) {}", "function f(l: { a: string; }[])"},
		{"/** @param {Object} options\n * @param {string} options.a */ function f({ a, b }) {}", "function f({ a, b }: { a: string; })"},
		{"/** @param a text only */ function f(a, b = 1) {}", "function f(a, b?: number)"},
		{"/** @param {string} other */ function f(a) {}", "function f(a)"},
		{"/** @type {function(string): number} */ function f(a) {}", "function f(arg0: string): number"},
		{"/** @type {(a: string, b?: number) => void} */ const f = (a, b) => {}", "const f: (a: string, b?: number) => void"},
		{"/** @param {string} a */ const f = (a) => {}", "const f: (a: string) => any"},
		{"/** @this {Date} */ function f() {}", "function f()"},
		{"/** @returns {asserts a is string} */ function f(a) {}", "function f(a): asserts a is string"},
		{"/** @param {string} a */ export default function (a) {}", "function (a: string)"},
	}...)
}

func TestJSDoc_TypeParameters(t *testing.T) {
	checkSignatures(t, "a.js", [][2]string{
		{"/** @template T\n * @param {T} a\n * @returns {T} */ function f(a) {}", "function f<T>(a: T): T"},
		{"/** @template {string} K the key\n * @template V\n * @param {Map<K, V>} a */ function f(a) {}", "function f<K extends string, V>(a: Map<K, V>)"},
		{"/** @template T, U\n * @param {T} a\n * @param {U} b */ function f(a, b) {}", "function f<T, U>(a: T, b: U)"},
		{"/** @template [T=string]\n * @template {object} [U={}]\n * @param {T} a\n * @param {U} b */ function f(a, b) {}", "function f<T = string, U extends object = {}>(a: T, b: U)"},
		{"/** @template const T\n * @param {T} a */ function f(a) {}", "function f<T>(a: T)"},
		{"/** @template T */ class A { /** @type {T} */ a; /** @template U\n * @param {U} u */ m(u) {} }", "class A<T> {a: T; m<U>(u: U)}"},
	}...)
}

func TestJSDoc_Declarations(t *testing.T) {
	checkSignatures(t, "a.js", [][2]string{
		{"/** @typedef {string | number} Id */", "type Id = string | number"},
		{"/** @typedef {Object} O\n * @property {string} a\n * @prop {number} [b]\n * @property {Date=} c\n */", "type O = { a: string; b?: number; c?: Date; }"},
		{"/** @typedef O\n * @type {Object}\n * @property {string} a */", "type O = { a: string; }"},
		{"/** @typedef {Object} O\n * @property {Object} a\n * @property {string} a.b */", "type O = { a: { b: string; }; }"},
		{"/** @template T\n * @typedef {T[]} List */", "type List<T> = T[]"},
		{"/** @callback F\n * @param {string} a\n * @param {number} [b]\n * @returns {void} */", "type F = (a: string, b?: number) => void"},
		{"/** @template T\n * @callback F\n * @param {T} a\n * @return {T} */", "type F<T> = (a: T) => T"},
		{"/** @typedef {string} A */ /** @typedef {A} B */\n/** @type {B} */ var c", "var c: B; type A = string; type B = A"},
		{"/** @typedef {string} A\n * @typedef {number} B */", "type A = string; type B = number"},
		{"/** @typedef */ var a; /** @callback */ var b", "var a; var b"},
		{"/** @typedef {Object[]} L\n * @property {string} a */", "type L = { a: string; }[]"},
	}...)
}

func TestJSDoc_Classes(t *testing.T) {
	checkSignatures(t, "a.js", [][2]string{
		{"/** @extends {Map<string, Date>} */ class A extends Map {}", "class A extends Map<string, Date> {}"},
		{"/** @augments Map<string, Date> */ class A extends Map {}", "class A extends Map<string, Date> {}"},
		{"class A { /** @private */ a; /** @protected */ b() {} /** @readonly */ c = 1; /** @public */ d; /** @abstract */ e() {} }", "class A {private a; protected b(); readonly c = 1; d; abstract e()}"},
		{"class A { constructor() { /** @type {string} */ this.a = x; this.b = 1; /** @private @type {Date} */ this.c = null; } }", "class A {constructor(); a: string; b: number; private c: Date}"},
		{"class A { /** @returns {string} */ get a() {} /** @param {string} v */ set a(v) {} /** @type {Date} */ static b = x }", "class A {get a(): string; set a(v: string); static b: Date}"},
		{"class A { /** @overload\n * @param {string} a\n * @returns {string} */ /** @overload\n * @param {number} a\n * @returns {number} */ m(a) {} }", "class A {m(a: string): string; m(a: number): number}"},
		{"/** @overload\n * @param {string} a\n * @returns {string} *//** @overload\n * @param {number} a\n * @returns {number} */\nfunction f(a) {}", "function f(a: string): string; function f(a: number): number"},
	}...)
}
