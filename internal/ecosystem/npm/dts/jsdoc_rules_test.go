package dts

import "testing"

func TestJSDoc_DefaultValues(t *testing.T) {
	checkSignatures(t, "a.js", [][2]string{
		{"/** @param {number} [a=1] */ function f(a) {}", "function f(a?: number)"},
		{"/** @param {string} [a='x y'] text */ function f(a) {}", "function f(a?: string)"},
		{"/** @param {number[]} [a=[1, 2]] text */ function f(a) {}", "function f(a?: number[])"},
		{"/** @param {string} a */ function f(a = 'x') {}", "function f(a?: string)"},
		{"/** @param {number} [a=1] */ function f(a = 2) {}", "function f(a?: number)"},
		{"/** @param {Object} [o={}]\n * @param {number} [o.a=1] */ function f(o) {}", "function f(o?: { a?: number; })"},
		{"/** @typedef {Object} O\n * @property {number} [a=1] */", "type O = { a?: number; }"},
		{"/** @template [T=string] */ class A {}", "class A<T = string> {}"},
		{"class A { /** @param {number} [a=1] */ m(a) {} /** @type {number} */ b = 1 }", "class A {m(a?: number); b: number}"},
		{"/** @type {number | undefined} */ let a = 1", "let a: number | undefined"},
	}...)
}

func TestJSDoc_Callbacks(t *testing.T) {
	checkSignatures(t, "a.js", [][2]string{
		{"/** @callback F */", "type F = () => any"},
		{"/** @callback F\n * @param {...string} a */", "type F = (...a: string[]) => any"},
		{"/** @callback F\n * @param {Object} o\n * @param {string} o.a\n * @returns {Promise<void>} */", "type F = (o: { a: string; }) => Promise<void>"},
		{"/** @callback F\n * @param {string} a\n * @callback G\n * @param {number} b */", "type F = (a: string) => any; type G = (b: number) => any"},
		{"/** @callback F\n * @param a text */", "type F = (a) => any"},
		{"/** @callback F\n * @param {any} a\n * @returns {a is string} */", "type F = (a: any) => a is string"},
	}...)
}

func TestJSDoc_Tags(t *testing.T) {
	checkSignatures(t, "a.js", [][2]string{
		{"/** @const */ var a = 1", "var a: number"},
		{"/** @constructor\n * @param {string} a */ function A(a) {}", "function A(a: string)"},
		{"/** @import { B } from './b' */\n/** @type {B} */ var a", "var a: B"},
		{"/** @property {string} a */ class A {}", "class A {}"},
		{"class A { /** @override */ m() {} /** @static */ n() {} }", "class A {m(); n()}"},
		{"/** @nonsense {string} a */ function f(a) {}", "function f(a)"},
		{"/** @type {string} *//** no tag */ var a", "var a"},
		{"// @type {string}\nvar a", "var a"},
		{"/* @type {string} */ var a", "var a"},
		{"/** @type {string */ var a", "var a"},
		{"/** @type {} */ var a", "var a"},
		{"/** @param {string} */ function f(a) {}", "function f(a)"},
		{"/** @param {{ a: string, b: { c: number } }} o */ function f(o) {}", "function f(o: { a: string; b: { c: number; }; })"},
		{"/** @param {string} a - the {number} of it */ function f(a) {}", "function f(a: string)"},
		{"/** @returns {{ a: string }} it */ function f() {}", "function f(): { a: string; }"},
		{"/** @typedef {import('./b').B} B */\n/** @param {B} b */ function f(b) {}", "function f(b: B); type B = import('./b').B"},
		{"/** @returns {a is Date} */ function f(a) {}", "function f(a): a is Date"},
		{"/** @return {a is Date | null} it */ const f = (a) => true", "const f: (a) => a is Date | null"},
		{"class A { /** @returns {this is B} */ m() {} }", "class A {m(): this is B}"},
		{"/** @typedef {(a: string) => void} F */", "type F = (a: string) => void"},
		{"/** @typedef {'a'\n * | 'b'} T */", "type T = 'a' | 'b'"},
		{"/**\n * @typedef {{\n *   a: string,\n *   b?: number\n * }} T\n */", "type T = { a: string; b?: number; }"},
	}...)
}
