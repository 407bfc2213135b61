package source

import (
	"fmt"
	"strings"
	"testing"
)

// TestParse_Items checks the kinds and names of items for each construct of Rust's grammar.
func TestParse_Items(t *testing.T) {
	for _, c := range [][2]string{
		{"extern crate a; pub extern crate b as c; extern crate self as d;", "extern crate a extern crate c extern crate d"},
		{"fn a<'b, T: C<D = E>, const N: usize>(self: &Self, (f, g): (H, I), ...) -> impl J + use<'b> where T: 'b {}", "fn a"},
		{"const fn a() {} async unsafe fn b() {} extern fn c() {} extern \"C\" fn d() {} gen fn e() {}", "fn a fn b fn c fn d fn e"},
		{"const A: u8 = { fn b() {} 1 }; const _: () = (); static mut C: u8 = 1; static D: E;", "const A const _ static C static D"},
		{"struct A<T: ?Sized>(pub(in a::b) T, #[c] (D, E)) where T: F; struct G {} struct H();", "struct A(field 0 field 1) struct G struct H"},
		{"struct A { pub(crate) r#type: B, #[cfg(c)] d: E<{ 1 }>, f: fn(g: H) -> I, j: [u8; { 2 }] }", "struct A(field type field d field f field j)"},
		{"enum A { #[b] C = 1 << 2, D(E) = -1, F { g: H } = { 3 }, } enum I {}", "enum A(variant C variant D(field 0) variant F(field g)) enum I"},
		{"pub(super) union A { b: C } fn d(union: E) -> u8 { union.f }", "union A(field b) fn d"},
		{"impl<T> A<T> for B<T> where T: C { type D = E; const F: G = 1; fn h() {} i! {} }", "impl(type D const F fn h call i)"},
		{"unsafe impl !A for B {} impl const C for D {} default impl E for F {} impl<const N: usize> G<{ N }> {}", "impl impl impl impl"},
		{"trait A { const B: C = 1; type D: E = F; fn g(&self); fn h() {} i!(); } pub(crate) unsafe auto trait J {}", "trait A(const B type D fn g fn h call i) trait J"},
		{"extern \"C\" { #[a] pub fn b(c: d, ...); pub static mut E: f; type G; } unsafe extern { safe fn h(); }", "extern(fn b static E type G) extern(fn h)"},
		{"mod a; pub mod b { use c; mod d {} } unsafe mod e {}", "mod a mod b(use mod d) mod e"},
		{"macro_rules! a { () => {} } macro_rules! b(() => {}); pub macro c { () => {} } pub(crate) macro d($e:expr) {}", "rules a rules b macro c macro d"},
		{"a! {} b::c!(); ::d::e![]; crate::f! { g } $crate::h!();", "call a call b::c call ::d::e call crate::f call $crate::h"},
		{"#[a] #![b] /// c\n/** d */ #[cfg(e)] fn f() {}", "fn f"},
		{"#![a]\n//! b\nfn c() {}", "fn c"},
		{"type A<T: B = C>: D = E<T> where T: F; type G;", "type A type G"},
		{"trait A<T> = B<T> + C where T: D; fn e() {}", "alias A fn e"},
		{"fn r#fn() {} struct r#Struct; mod r#mod {}", "fn fn struct Struct mod mod"},
		{"fn a() { 'b: loop {} } fn c<'d>(e: &'d f) { let g = 'h'; let i = '\\''; }", "fn a fn c"},
		{"fn a() { let b = \"\\\"}\"; let c = r##\"}\"#\"##; let d = b'}'; let e = c\"}\"; } fn f() {}", "fn a fn f"},
		{"fn a() { /* } /* } */ */ } // }\nfn b() {}", "fn a fn b"},
		{"fn a() { 1..2; 1.max(2); 1.0e-5_f64; 0x_ff; 'a'..='z' } fn b() {}", "fn a fn b"},
		{"fn a() -> B { c < d > (e) } fn f() { g::<{ 1 }>(); if h < i {} }", "fn a fn f"},
		{";;; fn a() {};", "fn a"},
		{"", ""},
	} {
		if got := outline(Parse(c[0])); got != c[1] {
			t.Errorf("%s:\n got %s\nwant %s", c[0], got, c[1])
		}
	}
}

// TestParse_Errors checks that an item that cannot be read does not hide the ones after it.
func TestParse_Errors(t *testing.T) {
	for _, broken := range []string{
		"fn", "fn ;", "fn a(", "struct", "struct A {", "enum A { B(", "impl", "impl A for", "trait", "use a::{", "use ;", "mod", "extern crate;", "const A", "const A: B =", "static", "type A =", "macro_rules! a", "macro b", "a!", "a::b",
		"#[a", "pub", "pub(", "unsafe", "extern \"C\"", "]", ")", "}", "union A", "fn a<T", "fn a() where", "impl<T", "$", "\"", "r#\"", "/*", "'", "b'", "1", "=", "=> a", "<A as B>::c",
	} {
		f := Parse("fn first() {}\n" + broken)
		if got := outline(f); !strings.HasPrefix(got, "fn first") {
			t.Errorf("%s: the items are %q", broken, got)
		}
		if n := strings.Count(broken, "(") + strings.Count(broken, "{") + strings.Count(broken, "[") + strings.Count(broken, "\"") + strings.Count(broken, "/*") + strings.Count(broken, "'"); n > 0 || strings.HasSuffix(broken, "=") || strings.HasSuffix(broken, "<T") {
			continue // it also contains what follows
		}
		if got := outline(Parse("fn first() {}\n" + broken + "\nfn a() {}\nfn last() {}")); !strings.HasSuffix(got, "fn last") {
			t.Errorf("%s: it hides the last item of %q", broken, got)
		}
	}
}

func TestParse_Uses(t *testing.T) {
	for text, want := range map[string]string{
		"use a;": "a>a", "use a::b;": "a::b>b", "use a::b as c;": "a::b>c", "use a::*;": "a>*", "use *;": ">*", "use ::a;": "::a>a", "use ::{a, b};": "::a>a ::b>b", "use {a, b::c};": "a>a b::c>c",
		"use a::{};": "", "use a::{self};": "a>a", "use a::{self as b};": "a>b", "use a::{b::{c, d::*}, e};": "a::b::c>c a::b::d>* a::e>e", "use a::{b,};": "a::b>b", "use self::a;": "self::a>a", "use super::super::a;": "super::super::a>a",
		"use crate::a::{b as _};": "crate::a::b>_", "use r#a::r#b;": "a::b>b", "use $crate::a;": "crate::a>a", "pub(in a) use b;": "b>b", "use a::{b, // c\n d};": "a::b>b a::d>d", "use a::{b c};": "a::b>b a::c>c", "use a::": "",
	} {
		var got []string
		for _, it := range Parse(text).Items {
			for _, u := range it.Uses {
				as := u.As
				if u.Glob {
					as = "*"
				}
				got = append(got, strings.Join(u.Path, "::")+">"+as)
			}
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", text, s, want)
		}
	}
}

// TestUnquote_Escapes checks the escapes of Rust's literals.
func TestUnquote_Escapes(t *testing.T) {
	for literal, want := range map[string]string{
		`"\t\r\n\0\\\'\""`: "\t\r\n\x00\\'\"", `"\x41\u{1F600}\u{e9}"`: "A\U0001F600é", "\"a\\\n\t b\\\n\n c\"": "abc", `r"\t"`: `\t`, `r##"a"#b"##`: `a"#b`, `c"a"`: "a", `""`: "", `br"\"`: `\`,
	} {
		if got, ok := Unquote(literal); !ok || got != want {
			t.Errorf("%s is %q, %v; want %q", literal, got, ok, want)
		}
	}
	for _, literal := range []string{"", "a", "1", `"`, `"a`, "'"} {
		if got, ok := Unquote(literal); ok {
			t.Errorf("%q is %q", literal, got)
		}
	}
}

// TestCommentText_Stars removes the column of stars of a block comment as rustdoc does.
func TestCommentText_Stars(t *testing.T) {
	for comment, want := range map[string]string{
		"/**\n * a\n *\n * b\n */": " a\n\n b", "/** a\n  * b\n  */": " a\n b", "/**\n * a\n b\n */": " * a\n b", "/**\n * a\n   * b\n */": " * a\n   * b", "//////": "///", "///a": "a", "/***/": "",
	} {
		if got := CommentText(comment); got != want {
			t.Errorf("%q says %q, want %q", comment, got, want)
		}
	}
}

// TestParse_Nesting ends for items and types that nest more deeply than a parser can follow.
func TestParse_Nesting(t *testing.T) {
	const n = 100_000
	for name, text := range map[string]string{
		"modules": strings.Repeat("mod a {", n), "types": "type A = " + strings.Repeat("B<", n), "tuples": "fn a(b: " + strings.Repeat("(", n), "references": "fn a(b: " + strings.Repeat("&", n), "uses": "use " + strings.Repeat("a::{", n),
		"where clauses": "fn a() where " + strings.Repeat("B: C, ", n), "attributes": strings.Repeat("#[a]", n) + "fn b() {}", "attributes of attributes": "#[" + strings.Repeat("a(", n), "comments": strings.Repeat("/*", n), "impls": strings.Repeat("impl A { fn b() { ", n),
		"bounds": "fn a<T: " + strings.Repeat("B + ", n), "strings": strings.Repeat("r#\"", n), "functions": "type A = " + strings.Repeat("fn() -> ", n), "macros": strings.Repeat("a!{", n),
	} {
		t.Run(name, func(*testing.T) { _ = fmt.Sprint(len(Parse(text).Items)) })
	}
}
