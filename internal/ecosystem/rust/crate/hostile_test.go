package crate

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/modeltest"
)

// shape is a kind of structure that is expensive to read. text returns about size bytes of it.
type shape struct {
	name string
	text func(size int) string
}

// fill appends the text that f returns for 0, 1, 2 … until the result has the given
// size.
func fill(size int, f func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(f(i))
	}
	return b.String()
}

func count(size, each int) int { return max(size/each, 2) }

var shapes = []shape{
	{"globs in a ring", func(size int) string {
		n := count(size, 50)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub mod m%d { pub use super::m%d::*; pub struct S%d; }\n", i, (i+1)%n, i)
		})
	}},
	{"two globs a module", func(size int) string {
		n := count(size, 80)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub mod m%d { pub use super::m%d::*; pub use super::m%d::*; pub struct S%d; }\n", i, (2*i+1)%n, (2*i+2)%n, i)
		})
	}},
	{"unknown name in globs of a tree", func(size int) string {
		n := count(size, 90)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub mod m%d { pub use super::m%d::*; pub use super::m%d::*; pub fn f%d(x: Gone%d) {} }\n", i, (2*i+1)%n, (2*i+2)%n, i, i)
		})
	}},
	{"fan of globs", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub mod m%d { pub struct S%d; }\npub use m%d::*;\n", i, i, i)
		})
	}},
	{"chain of globs", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub mod m%d { pub use super::m%d::*; pub struct S%d; }\n", i, i+1, i)
		})
	}},
	{"chain of imports", func(size int) string {
		n := count(size, 40)
		return fillN(n, func(i int) string { return fmt.Sprintf("pub use self::a%d as a%d;\n", i+1, i) }) + fmt.Sprintf("pub struct a%d;", n)
	}},
	{"imports in a ring", func(size int) string {
		n := count(size, 40)
		return fillN(n, func(i int) string { return fmt.Sprintf("pub use self::a%d as a%d;\n", (i+1)%n, i) })
	}},
	{"imports of two", func(size int) string {
		n := count(size, 100)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub mod m%d { pub use super::m%d::x; pub use super::m%d::x; pub use super::m%d::y as x; }\n", i, (2*i+1)%n, (2*i+2)%n, (i+1)%n)
		})
	}},
	{"same name imported", func(size int) string {
		return fill(size, func(_ int) string { return "pub use a::X;\n" }) + "pub mod a { pub struct X; }"
	}},
	{"bounds in a where clause", func(size int) string {
		return "pub fn f<T>() where " + fill(size, func(i int) string { return fmt.Sprintf("T: B%d, ", i) }) + "{}"
	}},
	{"bounds of parameters", func(size int) string {
		return "pub fn f<" + fill(size, func(i int) string { return fmt.Sprintf("T%d: B%d, ", i, i) }) + ">() {}"
	}},
	{"bounds with plus", func(size int) string {
		return "pub struct S<T: " + fill(size, func(i int) string { return fmt.Sprintf("B%d + ", i) }) + "X>(T);\nimpl<T: " + fill(size, func(i int) string { return fmt.Sprintf("B%d + ", i) }) + "X> Clone for S<T> {}"
	}},
	{"conditions of an impl", func(size int) string {
		return "pub struct S<T>(T); pub trait Q { type A; }\nimpl<T: Q> S<T> where " + fill(size, func(i int) string { return fmt.Sprintf("T::A%d: B%d, ", i, i) }) + "{}"
	}},
	{"derives with conditions", func(size int) string {
		return "#[derive(Clone)]\npub struct S<T>(T) where " + fill(size, func(i int) string { return fmt.Sprintf("T::A%d: B%d, ", i, i) }) + ";"
	}},
	{"derives of many fields", func(size int) string {
		return "#[derive(Clone, Debug)]\npub struct S<T> {" + fill(size, func(i int) string { return fmt.Sprintf("f%d: T::A%d, ", i, i) }) + "}"
	}},
	{"impls of one type", func(size int) string {
		return "pub struct S;\n" + fill(size, func(i int) string { return fmt.Sprintf("impl S { pub fn f%d() {} }\n", i) })
	}},
	{"impls of one trait", func(size int) string {
		return "pub trait T {}\n" + fill(size, func(i int) string { return fmt.Sprintf("pub struct S%d; impl T for S%d {}\n", i, i) })
	}},
	{"traits of one type", func(size int) string {
		return "pub struct S;\n" + fill(size, func(i int) string {
			return fmt.Sprintf("pub trait T%d { fn f%d(&self) {} } impl T%d for S {}\n", i, i, i)
		})
	}},
	{"blanket impls", func(size int) string {
		return "pub struct S;\nimpl T0 for S {}\n" + fill(size, func(i int) string {
			return fmt.Sprintf("pub trait T%d { fn f%d(&self) {} } impl<X: T%d> T%d for X {} pub struct S%d; impl T%d for S%d {}\n", i, i, i, i+1, i, i, i)
		})
	}},
	{"same impl again", func(size int) string {
		return "pub struct S;\npub trait T {}" + fill(size, func(_ int) string { return "impl T for S {}\n" })
	}},
	{"impls with arguments", func(size int) string {
		return "pub struct S;\n" + fill(size, func(i int) string {
			return fmt.Sprintf("impl From<A%d> for S {} pub struct A%d; impl X<S, S, S> for A%d {}\n", i, i, i)
		})
	}},
	{"supertraits in a ring", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub trait T%d: T%d + T%d { fn f%d(&self); }\n", i, (2*i+1)%n, (2*i+2)%n, i)
		}) + "pub struct S; impl<X: T0> S<X> { pub fn f(x: X::Item) {} } impl T0 for S {}"
	}},
	{"aliases in a ring", func(size int) string {
		n := count(size, 30)
		return fillN(n, func(i int) string { return fmt.Sprintf("pub type A%d = A%d;\n", i, (i+1)%n) })
	}},
	{"impls of a chain of aliases", func(size int) string {
		n := count(size, 50)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub type A%d = A%d; impl A%d { pub fn f%d() {} }\n", i, (i+1)%n, i, i)
		})
	}},
	{"derefs in a ring", func(size int) string {
		n := count(size, 120)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub struct S%d; impl std::ops::Deref for S%d { type Target = S%d; } impl S%d { pub fn f%d(&self) {} }\n", i, i, (i+1)%n, i, i)
		})
	}},
	{"nested generics", func(size int) string {
		n := count(size, 4)
		return "pub fn f(x: " + strings.Repeat("A<", n) + strings.Repeat(">", n) + ") {}"
	}},
	{"nested tuples", func(size int) string {
		n := count(size, 2)
		return "pub fn f(x: " + strings.Repeat("(", n) + strings.Repeat(")", n) + ") {}"
	}},
	{"nested references", func(size int) string { return "pub fn f(x: " + strings.Repeat("&", size) + "u8) {}" }},
	{"nested function types", func(size int) string {
		n := count(size, 6)
		return "pub fn f(x: " + strings.Repeat("fn(", n) + strings.Repeat(")", n) + ") {}"
	}},
	{"nested qualified paths", func(size int) string {
		n := count(size, 8)
		return "pub fn f(x: " + strings.Repeat("<", n) + "T" + strings.Repeat(" as A>::B", n) + ") {}"
	}},
	{"nested arrays", func(size int) string {
		n := count(size, 5)
		return "pub fn f(x: " + strings.Repeat("[", n) + "u8" + strings.Repeat("; 2]", n) + ") {}"
	}},
	{"lengths of constants", func(size int) string {
		n := count(size, 200)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("pub const A%d: usize = %s1;\n", i, strings.Repeat(fmt.Sprintf("A%d + ", i+1), 20))
		}) + fmt.Sprintf("pub const A%d: usize = 1; pub fn f(x: [u8; A0]) {}", n)
	}},
	{"nested lengths", func(size int) string {
		n := count(size, 9)
		return "pub fn f(x: [u8; " + strings.Repeat("(1 + ", n) + strings.Repeat(")", n) + "]) {}"
	}},
	{"opening brackets", func(size int) string { return "pub fn f(" + strings.Repeat("[(<{", size/4) }},
	{"angle brackets", func(size int) string { return "pub type A = " + strings.Repeat("a<b>c<", size/6) + ";" }},
	{"nested modules", func(size int) string {
		n := count(size, 12)
		return strings.Repeat("pub mod m { ", n) + strings.Repeat("}", n)
	}},
	{"nested use", func(size int) string {
		n := count(size, 6)
		return "pub use " + strings.Repeat("a::{", n) + "b" + strings.Repeat("}", n) + ";"
	}},
	{"wide use", func(size int) string {
		return "pub use a::{" + fill(size, func(i int) string { return fmt.Sprintf("b%d, ", i) }) + "};"
	}},
	{"wide nested use", func(size int) string {
		n := count(size, 20)
		return "pub use " + fillN(n, func(i int) string { return fmt.Sprintf("a%d::{x%d, y%d, ", i, i, i) }) + "b" + strings.Repeat("}", n) + ";"
	}},
	{"long path", func(size int) string {
		return "pub use " + strings.Repeat("a::", size/3) + "b;\npub fn f(x: " + strings.Repeat("a::", size/3) + "b) {}"
	}},
	{"long name", func(size int) string {
		return "pub fn f" + strings.Repeat("a", size) + "() {}\npub use f" + strings.Repeat("a", size) + " as g;"
	}},
	{"long number", func(size int) string { return "pub const A: u8 = " + strings.Repeat("1", size) + ";" }},
	{"raw string", func(size int) string {
		return "pub const A: &str = r" + strings.Repeat("#", size/2) + "\"" + strings.Repeat("\"#", size/4)
	}},
	{"raw strings", func(size int) string { return "pub fn f() {" + strings.Repeat("r###\" \"## ", size/10) + "}" }},
	{"nested comments", func(size int) string { return "pub fn f() {}" + strings.Repeat("/* ", size/3) }},
	{"quotes", func(size int) string { return "pub fn f(x: " + strings.Repeat("'", size) }},
	{"cfg nested", func(size int) string {
		n := count(size, 6)
		return "#[cfg(" + strings.Repeat("all(", n) + "unix" + strings.Repeat(")", n) + ")]\npub fn f() {}"
	}},
	{"cfg not and any", func(size int) string {
		n := count(size, 24)
		return "#[cfg(" + strings.Repeat("not(any(unix, feature=\"a\",", n) + "windows" + strings.Repeat("))", n) + ")]\npub fn f() {}"
	}},
	{"cfg_attr nested", func(size int) string {
		n := count(size, 16)
		return "#[" + strings.Repeat("cfg_attr(unix, ", n) + "inline" + strings.Repeat(")", n) + "]\npub fn f() {}"
	}},
	{"cfg_attr fan", func(size int) string {
		return "#[cfg_attr(unix, " + fill(size, func(i int) string { return fmt.Sprintf("a%d, ", i) }) + ")]\npub fn f() {}"
	}},
	{"cfg of modules", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string { return fmt.Sprintf("#[cfg(feature = \"f%d\")] pub mod m%d {", i, i) }) + "pub fn f() {}" + strings.Repeat("}", n)
	}},
	{"attributes", func(size int) string { return strings.Repeat("#[a(b)]\n", size/8) + "pub fn f() {}" }},
	{"doc attributes", func(size int) string { return strings.Repeat("#[doc = \"a\"]\n", size/13) + "pub fn f() {}" }},
	{"doc aliases", func(size int) string {
		return strings.Repeat("#[deprecated(note = \"a\")]\n", size/26) + "pub fn f() {}"
	}},
	{"doc comment", func(size int) string { return strings.Repeat("/// a\n", size/6) + "pub fn f() {}" }},
	{"doc links", func(size int) string {
		return fill(size, func(i int) string { return fmt.Sprintf("/// [`X%d`] [a](X::Y) [X%d]: Z\n", i, i) }) + "pub fn f() {}"
	}},
	{"doc brackets", func(size int) string { return "/// " + strings.Repeat("[", size) + "\npub fn f() {}" }},
	{"doc backquotes", func(size int) string {
		return "/// " + fill(size, func(i int) string { return strings.Repeat("`", i%400+1) + " " }) + "\npub fn f() {}"
	}},
	{"doc stars", func(size int) string { return "/// " + strings.Repeat("*a **b ", size/7) + "\npub fn f() {}" }},
	{"doc lists", func(size int) string {
		return fill(size, func(i int) string { return "/// " + strings.Repeat(" ", i%60) + "- a\n" }) + "pub fn f() {}"
	}},
	{"doc quotes", func(size int) string { return "/// " + strings.Repeat("> ", size/2) + "a\npub fn f() {}" }},
	{"doc references", func(size int) string {
		return fill(size, func(i int) string { return fmt.Sprintf("/// [a%d]: b\n", i) }) + "///\n" + fill(size, func(i int) string { return fmt.Sprintf("/// [a%d]\n", i) }) + "pub fn f() {}"
	}},
	{"doc table", func(size int) string {
		return "/// " + strings.Repeat("|a", size/4) + "\n/// " + strings.Repeat("|-", size/4) + "\n///" + strings.Repeat("|a", size/4) + "\npub fn f() {}"
	}},
	{"doc html", func(size int) string { return "/// " + strings.Repeat("<a ", size/3) + "\npub fn f() {}" }},
	{"doc fences", func(size int) string { return strings.Repeat("/// ```\n/// # a\n", size/15) + "pub fn f() {}" }},
	{"indented docs", func(size int) string {
		return fill(size, func(i int) string { return "#[doc = \"" + strings.Repeat(" ", i%50) + "a\"]\n" }) + "pub fn f() {}"
	}},
	{"macro that doubles", func(size int) string {
		return "macro_rules! m { ($($t:tt)*) => { m!($($t)* $($t)*); } }\nm!(a);" + strings.Repeat("m!(a b);", size/8)
	}},
	{"macros that double", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("macro_rules! m%d { ($($t:tt)*) => { m%d!($($t)*); m%d!($($t)* a); } }\n", n-i, n-i-1, n-i-1)
		}) + fmt.Sprintf("macro_rules! m0 { ($($t:tt)*) => { pub fn f() {} } }\nm%d!();", n)
	}},
	{"macro with repetitions", func(size int) string {
		return "macro_rules! m { ($($($($a:ident)*)*)*) => { $($($(pub fn $a() {})*)*)* } }\nm!(" + fill(size, func(i int) string { return fmt.Sprintf("a%d ", i) }) + ");"
	}},
	{"macro with many arms", func(size int) string {
		return "macro_rules! m { " + fill(size, func(i int) string { return fmt.Sprintf("(a%d $x:ty) => {};", i) }) + "}\n" + fill(size, func(i int) string { return fmt.Sprintf("m!(b%d);", i) })
	}},
	{"macro muncher", func(size int) string {
		return "macro_rules! m { () => {}; ($a:ident $($t:tt)*) => { pub fn $a() {} m!($($t)*); } }\nm!(" + fill(size, func(i int) string { return fmt.Sprintf("a%d ", i) }) + ");"
	}},
	{"macro accumulator", func(size int) string {
		return "macro_rules! m { ([$($o:tt)*]) => {$($o)*}; ([$($o:tt)*] $a:ident $($t:tt)*) => { m!([$($o)* pub fn $a() {}] $($t)*); } }\nm!([] " + fill(size, func(i int) string { return fmt.Sprintf("a%d ", i) }) + ");"
	}},
	{"macro calls", func(size int) string {
		return "macro_rules! m { ($a:expr) => {}; }\n" + strings.Repeat("m!(1 + 2);", size/10)
	}},
	{"unknown macro calls", func(size int) string { return fill(size, func(i int) string { return fmt.Sprintf("m%d!(1 + 2);", i) }) }},
	{"macros in scope", func(size int) string {
		return fill(size, func(i int) string { return fmt.Sprintf("macro_rules! m%d { () => {} }\n n!(); m0!();", i) })
	}},
	{"macros that define macros", func(size int) string {
		n := count(size, 60)
		return fillN(n, func(i int) string {
			return fmt.Sprintf("m%d!{} macro_rules! a%d { () => { macro_rules! m%d { () => { a%d!{} } } } }\n", i, i, i, i+1)
		}) + "a0!{}"
	}},
	{"macro expressions", func(size int) string {
		return "macro_rules! m { ($($a:expr),*) => {}; ($($a:ty),*) => {}; ($($a:pat),*) => {}; ($($a:item)*) => {} }\nm!(" + strings.Repeat("a + (b < c) - ", size/14) + ");"
	}},
	{"macro nested groups", func(size int) string {
		n := min(count(size, 2), 180)
		return "macro_rules! m { ($($a:tt)*) => { m!{$(($a))*} }; }\n" + strings.Repeat("m!("+strings.Repeat("(", n)+strings.Repeat(")", n)+");", size/(2*n+6)+1)
	}},
	{"include of itself", func(size int) string { return strings.Repeat("include!(\"lib.rs\");\n", size/20) }},
	{"path to itself", func(size int) string {
		return "#[path = \"lib.rs\"] pub mod a;\n#[path = \"lib.rs\"] pub mod b;\n" + strings.Repeat("#[path = \"lib.rs\"] mod c;\n", size/2600)
	}},
	{"variants", func(size int) string {
		return "#[derive(EnumIs, Clone)] pub enum E { " + fill(size, func(i int) string { return fmt.Sprintf("V%d, ", i) }) + "}"
	}},
	{"fields of variants", func(size int) string {
		return "#[derive(From, Debug)] pub enum E<T> { " + fill(size, func(i int) string { return fmt.Sprintf("V%d(A%d, T::X%d), ", i, i, i) }) + "}"
	}},
	{"members of a trait", func(size int) string {
		return "pub trait T { " + fill(size, func(i int) string { return fmt.Sprintf("fn f%d(&self); type A%d; ", i, i) }) + "}\npub struct S; impl T for S {" + fill(size, func(i int) string { return fmt.Sprintf("fn f%d(&self) {} ", i) }) + "}"
	}},
	{"overloads", func(size int) string { return fill(size, func(_ int) string { return "pub fn f() {}\n" }) }},
	{"extern blocks", func(size int) string {
		return fill(size, func(i int) string { return fmt.Sprintf("extern \"C\" { #[a] pub fn f%d(); }\n", i) })
	}},
	{"constant blocks", func(size int) string {
		n := count(size, 16)
		return strings.Repeat("const _: () = { ", n) + "impl A {}" + strings.Repeat("};", n)
	}},
	{"lifetimes", func(size int) string {
		return "pub fn f<" + fill(size, func(i int) string { return fmt.Sprintf("'a%d, ", i) }) + ">(x: &'a0 u8) {}"
	}},
	{"for lifetimes", func(size int) string { return "pub fn f(x: " + strings.Repeat("for<'a> ", size/8) + "fn()) {}" }},
	{"parameters", func(size int) string {
		return "pub fn f(" + fill(size, func(i int) string { return fmt.Sprintf("a%d: impl A%d, ", i, i) }) + ") {}"
	}},
	{"elided lifetimes", func(size int) string {
		return "pub struct R<'a>(&'a u8);\nimpl<'a> R<'a> { pub fn f(&self, " + fill(size, func(i int) string { return fmt.Sprintf("a%d: R, ", i) }) + ") -> R {} }"
	}},
	{"impl in impl", func(size int) string {
		n := count(size, 20)
		return "pub fn f(x: " + strings.Repeat("impl A<Output = ", n) + "u8" + strings.Repeat(">", n) + ") {}"
	}},
	{"associated in self", func(size int) string {
		return "pub trait T { type A; fn f() -> " + strings.Repeat("Self::A, ", size/9) + "; }"
	}},
	{"crates", func(size int) string {
		return fill(size, func(i int) string { return fmt.Sprintf("extern crate c%d; pub use c%d::*;\n", i, i) })
	}},
	{"sibling modules", func(size int) string {
		return fill(size, func(i int) string { return fmt.Sprintf("pub mod m%d {}\n", i) })
	}},
	{"missing modules", func(size int) string {
		return fill(size, func(i int) string { return fmt.Sprintf("pub mod m%d;\n", i) })
	}},
	{"restricted visibility", func(size int) string {
		return fill(size, func(_ int) string { return "pub(in " + strings.Repeat("super::", 9) + "a) fn f() {}\n" })
	}},
	{"empty items", func(size int) string { return strings.Repeat(";", size) }},
	{"stray closers", func(size int) string { return strings.Repeat("}", size) }},
	{"pub", func(size int) string { return strings.Repeat("pub ", size/4) }},
	{"hash", func(size int) string { return strings.Repeat("#", size) }},
	{"hash brackets", func(size int) string { return strings.Repeat("#[", size/2) }},
	{"fn fn", func(size int) string { return strings.Repeat("fn ", size/3) }},
	{"impl impl", func(size int) string { return strings.Repeat("impl ", size/5) }},
	{"impl open", func(size int) string { return strings.Repeat("impl A {", size/8) }},
	{"macro open", func(size int) string { return strings.Repeat("a!{", size/3) }},
	{"macro_rules open", func(size int) string { return strings.Repeat("macro_rules! a{", size/15) }},
	{"type open", func(size int) string { return strings.Repeat("type A = B<", size/11) }},
	{"where", func(size int) string { return "fn f() where " + strings.Repeat("where A:B<", size/10) }},
	{"struct open", func(size int) string { return strings.Repeat("struct A(", size/9) }},
	{"use open", func(size int) string { return strings.Repeat("use a::{", size/8) }},
	{"const open", func(size int) string { return strings.Repeat("const A: [u8; {", size/15) }},
	{"enum open", func(size int) string { return strings.Repeat("enum A{A=", size/9) }},
}

func fillN(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

// quadratic contains the shapes whose documentation or macro expansions grow faster
// than their text. Reading one may run out of steps.
var quadratic = map[string]bool{"globs in a ring": true, "two globs a module": true, "unknown name in globs of a tree": true, "chain of globs": true, "macro that doubles": true, "macros that double": true, "macro with many arms": true, "macro accumulator": true, "include of itself": true, "path to itself": true, "macro muncher": true, "macro nested groups": true}

// readingOf returns a reading that reads a text as a crate.
func readingOf(text string) modeltest.Reading {
	return func(ctx context.Context) error {
		_, err := Read(ctx, sourceOf("src/lib.rs", text), nil)
		return err
	}
}

func TestRead_BoundsTheCostOfHostileShapes(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			modeltest.Bounded(t, quadratic[s.name], func(size int) modeltest.Reading { return readingOf(s.text(size)) })
		})
	}
}

// mixed returns several of the shapes in one text. The shapes declare the same names
// and therefore refer to one another.
func mixed(seed uint64) string {
	random := rand.New(rand.NewPCG(seed, 0))
	parts := 1 + random.IntN(4)
	var b strings.Builder
	for range parts {
		b.WriteString(shapes[random.IntN(len(shapes))].text(modeltest.HostileSize/parts) + "\n")
	}
	return b.String()
}

// FuzzRead_HostileShapes reads structures that a seed generates.
func FuzzRead_HostileShapes(f *testing.F) {
	modeltest.FuzzBounded(f, func(seed uint64) modeltest.Reading { return readingOf(mixed(seed)) })
}

func TestRead_StopsWhenCanceled(t *testing.T) {
	for _, s := range shapes {
		for _, checks := range []int{2, 40, 300} {
			if quadratic[s.name] {
				modeltest.Canceled(t, s.name, checks, readingOf(s.text(modeltest.HostileSize)))
			}
		}
	}
}
