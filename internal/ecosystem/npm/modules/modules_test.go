package modules

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

// world contains packages by name. A file's path begins with the package's name and a
// colon: "dep:index.d.ts".
type world map[string]*Package

func newWorld(files map[string]string) world {
	w := world{}
	for path, src := range files {
		name, file, ok := strings.Cut(path, ":")
		if !ok {
			name, file = "pkg", path
		}
		p := w[name]
		if p == nil {
			p = &Package{Name: name, Version: "1.0.0", FS: fstest.MapFS{}}
			w[name] = p
		}
		p.FS.(fstest.MapFS)[file] = &fstest.MapFile{Data: []byte(src)}
	}
	return w
}

func (w world) open(_ context.Context, _ *Package, name string) (*Package, error) {
	if p := w[name]; p != nil {
		return p, nil
	}
	return nil, fs.ErrNotExist
}

func (w world) reader(t testing.TB) *Reader {
	t.Helper()
	r, err := Open(context.Background(), w["pkg"], w.open)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (w world) read(t testing.TB) *apidoc.Package {
	t.Helper()
	doc, err := w.reader(t).Read(".")
	if err != nil {
		t.Fatal(err)
	}
	expectParts(t, doc)
	return doc
}

// listing prints symbols, one per line, with members indented.
func listing(symbols []apidoc.Symbol) string {
	var b strings.Builder
	var list func(s []apidoc.Symbol, indent, prefix string)
	list = func(s []apidoc.Symbol, indent, prefix string) {
		for _, x := range s {
			fmt.Fprintf(&b, "%s%s [%s] %s", indent, strings.TrimPrefix(x.Path, prefix), x.Kind, strings.ReplaceAll(x.Signature, "\n", " / "))
			if x.From != "" {
				fmt.Fprintf(&b, " <- %s", x.From)
			}
			if x.Doc != "" {
				fmt.Fprintf(&b, " // %s", strings.ReplaceAll(x.Doc, "\n", "⏎"))
			}
			b.WriteString("\n")
			list(x.Members, indent+"  ", x.Path+".")
		}
	}
	list(symbols, "", "")
	return b.String()
}

// A listingTest consists of the files of a package and the expected listing of its
// symbols.
type listingTest struct {
	name  string
	files map[string]string
	want  string
}

func expectListings(t *testing.T, tests []listingTest) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := listing(newWorld(tt.files).read(t).Symbols); got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

func TestExportsAreFollowed(t *testing.T) {
	expectListings(t, []listingTest{
		{"declarations in order", map[string]string{
			"index.d.ts": "export declare const a: string;\nexport declare function b(): void;\nexport interface C {}\nexport type D = 1;\nexport declare class E {}\nexport declare enum F { x = 1 }\ndeclare const hidden: 1;\nexport {};",
		}, "a [const] const a: string\nb [function] function b(): void\nC [interface] interface C\nD [type] type D = 1\nE [class] class E\nF [enum] enum F\n  x [enum value] x = 1\n"},
		{"an ambient module without an export list exports everything", map[string]string{
			"index.d.ts": "export declare const a: 1;\ndeclare const b: 2;\nimport './x';",
		}, "a [const] const a: 1\nb [const] const b: 2\n"},
		{"renames, stars and namespaces across files", map[string]string{
			"index.d.ts": "export { a as b, default as c } from './x.js';\nexport * from './x';\nexport * as ns from './y';\nimport * as all from './y';\nexport { all };",
			"x.d.ts":     "export declare const a: 1;\nexport default function f(): void;\nexport { z } from './y';",
			"y.d.ts":     "export declare const z: 3;",
		}, "b [const] const a: 1\nc [function] function c(): void\nns [namespace] namespace ns\n  z [const] const z: 3\nall [namespace] namespace all // The same as `ns`.\na [const] const a: 1\nz [const] const z: 3\n"},
		{"the first star wins and default is not in it", map[string]string{
			"index.d.ts": "export * from './x'; export * from './y';",
			"x.d.ts":     "export declare const a: 'x'; export default a;",
			"y.d.ts":     "export declare const a: 'y';",
		}, "a [const] const a: 'x'\n"},
		{"cycles of stars and of aliases", map[string]string{
			"index.d.ts": "export * from './x'; export { q } from './x';",
			"x.d.ts":     "export * from './index'; export { q } from './index'; export declare const a: 1; export {};",
		}, "q [unresolved] export { q } from \"./x\"\na [const] const a: 1\n"},
		{"dependencies", map[string]string{
			"index.d.ts":        "export * from 'dep'; export { x } from '@scope/dep/sub'; export { gone } from 'missing';",
			"dep:index.d.ts":    "export declare const d: 1;",
			"@scope/dep:sub.ts": "export const x = 5;",
		}, "x [const] const x = 5\ngone [unresolved] export { gone } from \"missing\"\nd [const] const d: 1\n"},
		{"types of a dependency from DefinitelyTyped", map[string]string{
			"index.d.ts":                   "export { d } from 'dep'; export { s } from '@scope/dep';",
			"dep:index.js":                 "exports.d = 1",
			"@types/dep:index.d.ts":        "export const d: 'typed';",
			"@types/scope__dep:index.d.ts": "export const s: 'typed';",
		}, "d [const] const d: 'typed'\ns [const] const s: 'typed'\n"},
		{"export = with a namespace", map[string]string{
			"index.d.ts": "/** Makes. */\ndeclare function f(): f.Opts;\ndeclare namespace f { interface Opts { a: 1 }\n const b: 2 }\nexport = f;",
		}, "export= [function] function f(): f.Opts // Makes.\nOpts [interface] interface Opts\n  a [property] a: 1\nb [const] const b: 2\n"},
		{"import x = require and an exported alias", map[string]string{
			"index.d.ts": "import x = require('./x'); export import Y = x.Inner.Y; export { x };",
			"x.d.ts":     "declare namespace n { namespace Inner { interface Y {} } } export = n;",
		}, "Y [interface] interface Y\nx [namespace] namespace x\n  Inner [namespace] namespace Inner\n    Y [interface] interface Y\n"},
		{"merged declarations", map[string]string{
			"index.d.ts": "export interface A { a: 1 }\nexport interface A { b: 2 }\nexport declare const A: ACtor;\ninterface ACtor {}\nexport declare class B { x: 1 }\nexport declare namespace B { const y: 2 }\nexport declare function c(a: 1): 1;\nexport declare function c(a: 2): 2;\nexport {}",
		}, "A [const] interface A / const A: ACtor\n  a [property] a: 1\n  b [property] b: 2\nB [class] class B\n  x [property] x: 1\n  y [const] const y: 2\nc [function] function c(a: 1): 1 / function c(a: 2): 2\n"},
		{"augmentations", map[string]string{
			"index.d.ts": "export * from './x'; import './more';",
			"x.d.ts":     "export interface A { a: 1 }",
			"more.d.ts":  "import './x'; declare module './x' { interface A { b: 2 } interface New {} } declare global { interface Err { c: 3 } } export {};",
		}, "A [interface] interface A\n  a [property] a: 1\n  b [property] b: 2\nNew [interface] interface New\n"},
		{"a module that a script declares by name", map[string]string{
			"package.json": `{"types": "types.d.ts"}`,
			"types.d.ts":   "declare module 'pkg' { export const a: 1; } declare module '*.css' { const x: string; export default x; }",
		}, "a [const] const a: 1\n"},
		{"a script of globals and modules", map[string]string{
			"index.d.ts": "/// <reference path=\"other.d.ts\" />\ndeclare const g: 1;\ndeclare module 'fs' { export const read: 2; export = x; const x: 3 }",
			"other.d.ts": "declare module 'node:fs' { export * from 'fs'; export const more: 1 }",
		}, "g [const] const g: 1\nfs [module] module \"fs\"\n  export= [const] const x: 3\n  read [const] const read: 2\nnode:fs [module] module \"node:fs\"\n  more [const] const more: 1\n  read [const] const read: 2\n"},
		{"a namespace that exports itself", map[string]string{
			"index.d.ts": "import * as z from './z'; export * from './z'; export { z }; export default z;",
			"z.d.ts":     "export declare const s: 1; export * as core from './core';",
			"core.d.ts":  "export declare const c: 1; export * as self from './core';",
		}, "z [namespace] namespace z\n  s [const] const s: 1\n  core [namespace] namespace core // The same as `core`.\ndefault [namespace] namespace default // The same as `z`.\ns [const] const s: 1\ncore [namespace] namespace core\n  c [const] const c: 1\n  self [namespace] namespace self // The same as `core`.\n"},
		{"plain TypeScript", map[string]string{
			"package.json": `{"exports": "./src/index.ts"}`,
			"src/index.ts": "import { hidden } from './x.ts'; export function f(a: number): void; export function f(a: any) { return }\nexport const arrow = (a: string): number => 1, n = 5;\nexport default class { private p = 1; constructor(readonly q: string) {} get r() { return 1 } }",
		}, "f [function] function f(a: number): void\narrow [const] const arrow: (a: string) => number\nn [const] const n = 5\ndefault [class] class\n  constructor [constructor] constructor(readonly q: string)\n  q [property] readonly q: string\n  r [accessor] get r()\n"},
		{"JavaScript", map[string]string{
			"index.js": "const dep = require('./dep');\n/** Adds.\n * @param {number} a\n * @returns {number} sum */\nfunction add(a) {}\nadd.VERSION = '1';\nfunction Old() {}\nOld.prototype.run = function (x) {};\nlate.added = 1; function late() {}\nmodule.exports = { add, Old, dep, late, ...require('./more') };\nmodule.exports.extra = 1;",
			"dep.js":   "exports.inner = 1;", "more.js": "exports.fromMore = () => 1;",
		}, "add [function] function add(a: number): number // Adds.⏎⏎**Parameters:**⏎⏎- `a`⏎⏎**Returns:** sum\n  VERSION [const] const VERSION = '1'\nOld [function] function Old()\n  run [method] run(x)\ndep [namespace] namespace dep\n  inner [const] const inner = 1\nlate [function] function late()\n  added [const] const added = 1\nextra [const] const extra = 1\nfromMore [function] function fromMore()\n"},
		{"overloads in comments", map[string]string{
			"index.js": `/**
 * Opens by name.
 * @overload
 * @param {string} name
 * @param {object} [options]
 * @param {boolean} options.wait
 * @returns {Promise<void>}
 */
/**
 * Opens several.
 * @template T
 * @overload
 * @param {...T} names
 * @returns {T[]}
 */
/** @param {any} name */
export function open(name, options) {}
export class Door {
	/**
	 * @overload
	 * @param {number} width
	 * @return {number}
	 * @overload
	 * @param {string} label
	 * @return {string}
	 */
	static measure(what) {}
}
/** Not one. @overload
 * @param {string} a */

export const later = 1;
/** Shuts. */
export function shut(hard) {}`,
		}, "open [function] function open(name: string, options?: { wait: boolean; }): Promise<void> / function open<T>(...names: T[]): T[] // Opens by name.⏎⏎**Parameters:**⏎⏎- `name`⏎- `options`⏎- `options.wait`⏎⏎Opens several.⏎⏎**Type parameters:**⏎⏎- `T`⏎⏎**Parameters:**⏎⏎- `names`\nDoor [class] class Door\n  measure [method] static measure(width: number): number / static measure(label: string): string // **Parameters:**⏎⏎- `width`⏎- `label`\nlater [const] const later = 1 // Not one. @overload⏎⏎**Parameters:**⏎⏎- `a`\nshut [function] function shut(hard) // Shuts.\n"},
		{"a prototype that is written as an object", map[string]string{
			"index.js": "function Old() {}\nOld.prototype = { constructor: Old, run: function (x) {}, 'stop now'() {}, size: 3 };\nOld.prototype.late = function () {};\nvar Odd = function (a) {};\nOdd.prototype = Object.create(Error.prototype);\nmodule.exports = { Old, Odd };",
		}, "Old [function] function Old()\n  run [method] run(x)\n  stop now [method] 'stop now'()\n  size [property] size: number\n  late [method] late()\nOdd [var] var Odd: (a) => any\n"},
		{"an object that a module makes with new", map[string]string{
			"index.js": "var Gate = require('./gate');\nexports = module.exports = new Gate();\nexports.Gate = Gate;\nvar kinds = 1;\nexports.kinds = {};\nexports.kinds.Small = Gate;",
			"gate.js":  "function Gate() { this.open = true; }\n/** Sets it up. @private */\nGate.prototype.init = function () { this._lock = 1; };\nGate.prototype.shut = function (hard) {};\nGate.prototype.name = 'gate';\nfunction wait(ms) {}\nGate.prototype.wait = wait;\nmodule.exports = Gate;",
		}, "export= [const] const default: Gate\nGate [function] function Gate()\n  open [property] open: boolean\n  _lock [property] _lock: number\n  shut [method] shut(hard)\n  name [property] name: string\n  wait [method] wait(ms)\nkinds [const] const kinds\n  Small [function] function Gate()\n    open [property] open: boolean\n    _lock [property] _lock: number\n    shut [method] shut(hard)\n    name [property] name: string\n    wait [method] wait(ms)\nopen [property] open: boolean\ninit [function] function init() // Sets it up. @private\n  _lock [property] _lock: number\n_lock [property] _lock: number\nshut [function] function shut(hard)\nname [property] name: string\nwait [function] function wait(ms)\n"},
		{"what the function of a universal module returns", map[string]string{
			"index.js": "(function (global, factory) {\n  typeof exports === 'object' && typeof module !== 'undefined' ? module.exports = factory() :\n  typeof define === 'function' && define.amd ? define(factory) : (global.box = factory());\n}(this, (function () { 'use strict';\n  function seal(lid) { if (lid) { return 1; } }\n  var box = { size: 1, lid: undefined };\n  box.seal = seal;\n  return box;\n})));",
		}, "export= [var] var box\nsize [property] size: number\nlid [property] lid: undefined\nseal [function] function seal(lid)\n"},
		{"modules that a loader hands to a function", map[string]string{
			"index.js": "define(['exports', './a'], function (exports, a) {\n  exports.a = a;\n  exports.object = object;\n  function object(list) {}\n});",
		}, "a [var] var a\nobject [function] function object(list)\n"},
		{"what is assigned to exports", map[string]string{
			"index.js": "function late() {}\nObject.assign(module.exports, { one: 1, late, two() {} }, require('./more'));",
			"more.js":  "exports.three = 3;",
		}, "one [const] const one = 1\nlate [function] function late()\ntwo [function] function two()\nthree [const] const three = 3\n"},
		{"parts of required modules", map[string]string{
			"index.js": "const { Gate: Base } = require('./gate');\nconst low = require('./gate').low;\nclass Door extends Base { open() {} }\nmodule.exports = { Door, low, high: require('./gate').high };",
			"gate.js":  "class Gate { shut(hard) {} }\nmodule.exports = { Gate, low: 1, high: 2 };",
		}, "Door [class] class Door extends Base\n  open [method] open()\n  shut [method] shut(hard) <- Gate\nlow [property] low: number\nhigh [property] high: number\n"},
		{"the build for development rather than the one for production", map[string]string{
			"index.js": "if (process.env.NODE_ENV === 'production') {\n  module.exports = require('./p.min.js');\n} else {\n  module.exports = require('./d.js');\n}",
			"p.min.js": "exports.add=function(e,t){}", "d.js": "exports.add = function (left, right) {};",
		}, "add [function] function add(left, right)\n"},
		{"a default function with members", map[string]string{
			"index.mjs":    "export default function wrap(x) {}\nwrap.version = '1';\nwrap.prototype.value = function () {};",
			"package.json": `{"name": "dep", "version": "1.0.0", "exports": "./index.mjs"}`,
		}, "default [function] function wrap(x)\n  value [method] value()\n  version [const] const version = '1'\n"},
	})
}

func TestMembersAreThoseThatTypeScriptSees(t *testing.T) {
	const lib = "interface Error { name: string; message: string; }\ninterface ErrorConstructor { new (message?: string): Error; readonly prototype: Error; captureStackTrace(): void }\ndeclare var Error: ErrorConstructor;\ninterface Array<T> { length: number; push(x: T): void }"
	tests := []struct{ name, src, want string }{
		{"own and inherited, with comments of what is overridden", "interface A { /** From A. */ a: 1; b: 2 }\ninterface X extends A { a: 1; c: 3 }",
			"a [property] a: 1 // From A.\nc [property] c: 3\nb [property] b: 2 <- A\n"},
		{"classes with statics, privates and constructors", "declare class A { constructor(x: 1); static s: 1; private p; #q; protected r: 1 }\ndeclare class X extends A { static t: 2; m(): void }",
			"constructor [constructor] constructor(x: 1) <- A\nm [method] m(): void\nr [property] protected r: 1 <- A\nt [property] static t: 2\ns [property] static s: 1 <- A\n"},
		{"signatures without a name", "interface X { (a: 1): 2; new (a: 3): X; [k: string]: unknown; (b: 4): 5 }",
			"() [call signature] (a: 1): 2 / (b: 4): 5\nnew() [construct signature] new (a: 3): X\n[k: string] [index signature] [k: string]: unknown\n"},
		{"accessors and overloads", "declare class X { get a(): 1; set a(v: 1); m(a: 1): 1; m(a: 2): 2 }",
			"a [accessor] get a(): 1 / set a(v: 1)\nm [method] m(a: 1): 1 / m(a: 2): 2\n"},
		{"a class of the library", "declare class X extends Error { code: 1 }",
			"constructor [constructor] constructor(message?: string)\ncode [property] code: 1\nname [property] name: string <- Error\nmessage [property] message: string <- Error\ncaptureStackTrace [method] captureStackTrace(): void <- ErrorConstructor\n"},
		{"an object with an index signature is no list", "type Each<T> = T extends Map<infer K, infer V> ? K : { [K in keyof T]: T[K] };\ninterface Map<K, V> { get(key: K): V }\nexport type X = Each<{ a: 1 } & Record<string, unknown>>;",
			"a [property] a: 1\n"},
		{"Omit and Pick", "interface A { a: 1; b: 2; c: 3 }\ntype K = 'a' | 'b';\ninterface X extends Omit<A, K>, Pick<A, Exclude<K, 'b'>> {}",
			"c [property] c: 3 <- A\na [property] a: 1 <- A\n"},
		{"Partial and Record", "interface A { a: 1 }\ninterface X extends Partial<A>, Record<'r' | 's-t', number> {}",
			"a [property] a?: 1 <- A\nr [property] r: number\ns-t [property] \"s-t\": number\n"},
		{"mapped types with renaming", "interface A { a: 1; b: 2 }\ntype M<T> = { [K in keyof T as `get${K}`]: T[K] };\ntype F<T> = { [K in keyof T as K extends 'a' ? never : K]: T[K] };\ninterface X extends M<A>, F<A> {}",
			"geta [property] geta: 1 <- A\ngetb [property] getb: 2 <- A\nb [property] b: 2 <- A\n"},
		{"intersections behind an alias", "type A<T> = { a: 1 } & T;\ninterface X extends A<{ b: 2 }> { c: 3 }",
			"c [property] c: 3\na [property] a: 1\nb [property] b: 2\n"},
		{"a base that is a value", "interface I { i: 1 }\ninterface C<T> { new (): I & T; make(): void }\ndeclare const Base: C<{ t: 2 }>;\ndeclare class X extends Base {}",
			"constructor [constructor] constructor()\ni [property] i: 1 <- I\nt [property] t: 2\nmake [method] make(): void <- C\n"},
		{"a mixin", "declare class A { a: 1 }\ndeclare const Base: typeof A & (new (...args: any[]) => { m: 2 });\ndeclare class X extends Base {}",
			"constructor [constructor] constructor(...args: any[])\na [property] a: 1 <- A\nm [property] m: 2\n"},
		{"conditions", "type If<T> = T extends { k: infer V } ? V : { no: 1 };\ninterface X extends If<{ k: { yes: 1 } }>, If<{ other: 1 }> {}",
			"yes [property] yes: 1\nno [property] no: 1\n"},
		{"names by constants", "declare const id: 'the-id';\ndeclare const sym: unique symbol;\ndeclare enum E { a = 'ea' }\ninterface X { [id]: 1; [sym]: 2; [Symbol.iterator](): 3; [E.a]: 4; ['q']: 5 }",
			"the-id [property] [id]: 1\n[sym] [property] [sym]: 2\n[Symbol.iterator] [method] [Symbol.iterator](): 3\nea [property] [E.a]: 4\nq [property] ['q']: 5\n"},
		{"typeof and indexed access", "declare const o: { a: 1 };\ninterface I { in: { b: 2 } }\ntype T = typeof o;\ntype U = I['in'];\ninterface X extends T, U {}",
			"a [property] a: 1\nb [property] b: 2\n"},
		{"an interface that extends itself", "interface X extends Y { a: 1 }\ninterface Y extends X { b: 2 }",
			"a [property] a: 1\nb [property] b: 2 <- Y\n"},
		{"a type without end", "type T<A> = { [K in keyof T<[A]>]: 1 } & T<A>;\ninterface X extends T<1> { a: 1 }",
			"a [property] a: 1\n"},
		{"an array", "interface X extends Array<string> {}", "length [property] length: number <- Array\npush [method] push(x: string): void <- Array\n"},
		{"a missing base", "interface X extends Missing { a: 1 }", "a [property] a: 1\n"},
		{"an alias of a type literal", "type X = { a: 1; b(): void };", "a [property] a: 1\nb [method] b(): void\n"},
		{"a variable of a type literal", "declare const X: { a: 1; (): void };", "() [call signature] (): void\na [property] a: 1\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(map[string]string{
				"index.d.ts":                          tt.src + "\nexport { X };",
				"typescript:lib/lib.esnext.full.d.ts": "/// <reference lib=\"es5\" />",
				"typescript:lib/lib.es5.d.ts":         lib,
			})
			doc := w.read(t)
			if len(doc.Symbols) != 1 {
				t.Fatalf("got %s", listing(doc.Symbols))
			}
			got := strings.ReplaceAll(listing(doc.Symbols[0].Members), "X.", "")
			if got != tt.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, tt.want)
			}
		})
	}
}

func TestPlacesAndCommentsOfSymbols(t *testing.T) {
	w := newWorld(map[string]string{
		"index.d.ts":       "/**\n * The package.\n * @packageDocumentation\n */\n\n/** Old.\n * @deprecated use b\n * @example a() */\nexport declare const a: 1;\nexport { d } from 'dep';",
		"dep:lib.d.ts":     "\nexport declare const d: 1;",
		"dep:package.json": `{"types": "./lib.d.ts"}`,
	})
	doc := w.read(t)
	if doc.Doc != "The package." {
		t.Errorf("doc of the package is %q", doc.Doc)
	}
	a, d := doc.Symbols[0], doc.Symbols[1]
	if a.Doc != "Old." || a.Deprecated != "use b" || len(a.Examples) != 1 || a.Examples[0].Code != "a()" {
		t.Errorf("a is %+v", a)
	}
	if a.File != "index.d.ts" || a.Line != 9 || d.File != "node_modules/dep/lib.d.ts" || d.Line != 2 {
		t.Errorf("a is at %s:%d, d at %s:%d", a.File, a.Line, d.File, d.Line)
	}
}

func TestTheGlobalNameOfAModuleQualifiesIt(t *testing.T) {
	p := newWorld(map[string]string{"index.d.ts": "export as namespace Till;\nexport const coins: number;"}).read(t)
	if len(p.Qualifiers) != 1 || p.Qualifiers[0] != "Till" {
		t.Errorf("it is qualified by %q", p.Qualifiers)
	}
}

func TestWhatIsMissingIsReportedByWarnings(t *testing.T) {
	doc := newWorld(map[string]string{
		"index.d.ts": "export * from 'gone';\nexport { x } from 'away';\nexport interface A extends Unknown { }\nexport type B = ;",
	}).read(t)
	got := strings.Join(doc.Warnings, "\n")
	for _, want := range []string{`"gone"`, `"away"`, "Unknown", "index.d.ts, line 4"} {
		if !strings.Contains(got, want) {
			t.Errorf("no warning tells of %s:\n%s", want, got)
		}
	}
}

func TestErrorsNameWhatIsThere(t *testing.T) {
	w := newWorld(map[string]string{
		"package.json": `{"exports": {".": "./index.js", "./sub": {"types": "./sub.d.ts"}}}`,
		"index.d.ts":   "export {}", "sub.d.ts": "export {}",
	})
	_, err := w.reader(t).Read("./none")
	var e *ecosystem.Error
	if !errors.As(err, &e) || e.Reason != ecosystem.NotFound || fmt.Sprint(e.Near) != "[pkg/sub pkg]" {
		t.Errorf("got %#v", err)
	}
	_, err = newWorld(map[string]string{"style.css": ""}).reader(t).Read(".")
	if !errors.As(err, &e) || e.Reason != ecosystem.NoneExported {
		t.Errorf("got %#v", err)
	}
	broken := newWorld(map[string]string{"package.json": "{"})
	if _, err := Open(context.Background(), broken["pkg"], nil); !errors.As(err, &e) || e.Reason != ecosystem.Unreadable {
		t.Errorf("got %#v", err)
	}
}

func TestACancelledContextEndsReading(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	w := newWorld(map[string]string{"index.d.ts": "export * from './x'", "x.d.ts": "export const a: 1"})
	r, err := Open(ctx, w["pkg"], w.open)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := r.Read("."); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestEachFileIsOpenedOnceAndOnlyIfReached(t *testing.T) {
	w := newWorld(map[string]string{
		"index.d.ts": "export * from './a'; export * from './b'; import {d} from 'dep';",
		"a.d.ts":     "export * from './b'; export const a: 1;",
		"b.d.ts":     "import './a'; export const b: 1;",
		"other.d.ts": "export const no: 1;", "dep:index.d.ts": "export const d: 1;",
	})
	opened := map[string]int{}
	for _, p := range w {
		p.FS = counting{p.FS, opened}
	}
	w.read(t)
	if got := fmt.Sprint(opened["index.d.ts"], opened["a.d.ts"], opened["b.d.ts"], opened["other.d.ts"]); got != "1 1 1 0" {
		t.Errorf("opened %s times", got)
	}
}

// counting counts the number of times that files are opened.
type counting struct {
	fs.FS
	opened map[string]int
}

func (c counting) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.FS.Open(name)
}

func (c counting) Stat(name string) (fs.FileInfo, error) { return fs.Stat(c.FS, name) }

func TestCommentsInHTMLBecomeMarkdown(t *testing.T) {
	doc := newWorld(map[string]string{
		"package.json": `{"types": "i.d.ts"}`,
		"i.d.ts": `
/**
 * <p>Adds an <code>Object</code> to a bucket.</p>
 *          <ul>
 *             <li>
 *                <p>It is <b>whole</b>.</p>
 *             </li>
 *          </ul>
 */
export declare function put(): void;
/** Wraps what is in <p>paragraphs</p> into a <Box>. */
export declare function wrap(): void;`,
	}).read(t)
	if got := doc.Symbols[0].Doc; got != "Adds an `Object` to a bucket.\n\n- It is **whole**." {
		t.Errorf("HTML became %q", got)
	}
	if got := doc.Symbols[1].Doc; got != "Wraps what is in <p>paragraphs</p> into a <Box>." {
		t.Errorf("a comment about HTML became %q", got)
	}
}
