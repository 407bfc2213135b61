package rust

import (
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/usetest"
)

func TestUse_Trees(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"Cargo.toml": "[package]\nname = \"p\"\n[dependencies]\na = \"1\"\nb-c = \"1\"\nd = { package = \"e\", version = \"1\" }\n"})
	usetest.Run(t, &Rust{}, dir, []usetest.Case{
		{Name: "nested trees", File: "src/lib.rs", Src: "use a::{b::{c::D, E}, F};\n", Want: []string{"1:5 a", "1:16 a::b::c D", "1:19 a::b E", "1:23 a F"}},
		{Name: "a trailing comma", File: "src/lib.rs", Src: "use a::{B, C,};\n", Want: []string{"1:5 a", "1:9 a B", "1:12 a C"}},
		{Name: "an empty tree", File: "src/lib.rs", Src: "use a::{};\n", Want: []string{"1:5 a"}},
		{Name: "a rename", File: "src/lib.rs", Src: "use a::B as C;\nfn f() { C::new() }\n", Want: []string{"1:5 a", "1:8 a B"}},
		{Name: "a rename without a name", File: "src/lib.rs", Src: "use a::B as _;\n", Want: []string{"1:5 a", "1:8 a B"}},
		{Name: "a glob in a tree", File: "src/lib.rs", Src: "use a::{b::*, C};\n", Want: []string{"1:5 a", "1:15 a C"}},
		{Name: "self in a tree", File: "src/lib.rs", Src: "use a::b::{self as c, D};\nfn f() { c::g() }\n", Want: []string{"1:5 a", "1:23 a::b D"}},
		{Name: "a name with a hyphen in the manifest", File: "src/lib.rs", Src: "use b_c::D;\n", Want: []string{"1:5 b_c", "1:10 b_c D"}},
		{Name: "the members of a crate that the manifest renames are not looked up", File: "src/lib.rs", Src: "use d::X;\nuse e::Y;\n", Want: []string{"1:5 d", "2:5 e"}},
		{Name: "visibility", File: "src/lib.rs", Src: "pub use a::B;\npub(crate) use a::C;\npub(in crate::m) use a::D;\n", Want: []string{"1:9 a", "1:12 a B", "2:16 a", "2:19 a C", "3:22 a", "3:25 a D"}},
		{Name: "a leading separator", File: "src/lib.rs", Src: "use ::a::{B, c::D};\n", Want: []string{"1:7 a", "1:11 a B", "1:17 a::c D"}},
		{Name: "in functions and modules", File: "src/lib.rs", Src: "fn f() { use a::B; }\nmod m { use a::C; }\n", Want: []string{"1:14 a", "1:17 a B", "2:13 a", "2:16 a C"}},
		{Name: "comments between the names", File: "src/lib.rs", Src: "use a /* b */ :: // c\n\tB;\n", Want: []string{"1:5 a", "2:2 a B"}},
		{Name: "the standard library", File: "src/lib.rs", Src: "use std::{fmt, io::{self, Read}};\nuse core::mem;\nextern crate alloc;\nuse alloc::vec;\n", Want: []string{"1:11 std fmt", "1:27 std::io Read", "2:11 core mem", "4:12 alloc vec"}},
		{Name: "an item of the file that has the name of a crate", File: "src/lib.rs", Src: "mod a { pub struct B; }\nuse a::B;\n", Want: nil},
		{Name: "precise captures are no use declaration", File: "src/lib.rs", Src: "fn f<'x, T>() -> impl Sized + use<'x, T> {}\nuse a::B;\n", Want: []string{"2:5 a", "2:8 a B"}},
		{Name: "a declaration that does not end", File: "src/lib.rs", Src: "use a::{B, c::{D", Want: []string{"1:5 a", "1:9 a B", "1:16 a::c D"}},
	})
}

func TestUse_Paths(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"Cargo.toml": "[package]\nname = \"p\"\n[dependencies]\na = \"1\"\n"})
	usetest.Run(t, &Rust{}, dir, []usetest.Case{
		{Name: "types, bounds and attributes", File: "src/lib.rs", Src: "fn f<T: a::B>(t: &a::c::D) -> a::E {}\n#[a::test]\nfn g() {}\n", Want: []string{"1:12 a B", "1:25 a::c D", "1:34 a E"}},
		{Name: "type arguments", File: "src/lib.rs", Src: "fn f(v: Vec<a::B<a::C>>) {}\n", Want: []string{"1:16 a B", "1:21 a C"}},
		{Name: "patterns", File: "src/lib.rs", Src: "fn f(x: X) { match x { a::B::C(y) => {} a::D { .. } => {} } }\n", Want: []string{"1:27 a B", "1:44 a D"}},
		{Name: "macros", File: "src/lib.rs", Src: "fn f() { a::b!(1, 2); a::c::d!{} }\n", Want: []string{"1:13 a b", "1:29 a::c d"}},
		{Name: "arguments of nested calls", File: "src/lib.rs", Src: "fn f() { a::b(a::c(1), x) }\n", Want: []string{"1:13 a b (2)", "1:18 a c (1)"}},
		{Name: "arguments with brackets", File: "src/lib.rs", Src: "fn f() { a::b((1, 2), [3, 4], { 5 }); a::c(#[x] 1) }\n", Want: []string{"1:13 a b (3)", "1:42 a c"}},
		{Name: "arguments that are closures", File: "src/lib.rs", Src: "fn f() { a::b(|| 1, |x| x, async move |y, z| y) }\n", Want: []string{"1:13 a b (3)"}},
		{Name: "implementations", File: "src/lib.rs", Src: "impl a::B for X {}\nimpl<T> a::C<T> for Y<T> {}\n", Want: []string{"1:9 a B", "2:12 a C"}},
		{Name: "primitive types and modules of the project", File: "src/lib.rs", Src: "mod m;\nfn f() { m::a::b(); u8::MAX; str::len(s); crate::a::c(); super::a::d(); self::a::e() }\n", Want: nil},
		{Name: "cfg conditions of statements", File: "src/lib.rs", Src: "fn f() { #[cfg(x)] a::b(); a::c(); #[cfg(test)] a::d(); }\n", Want: []string{"1:31 a c (0)", "1:52 a d (0)"}},
		{Name: "cfg_attr removes nothing", File: "src/lib.rs", Src: "#[cfg_attr(x, derive(Y))]\nstruct S { b: a::B }\n", Want: []string{"2:18 a B"}},
		{Name: "a condition of a struct with type parameters", File: "src/lib.rs", Src: "#[cfg(x)]\nstruct S<T, U>(a::B, T, U);\nstruct R(a::C);\n", Want: []string{"3:13 a C"}},
		{Name: "a condition of a field", File: "src/lib.rs", Src: "struct S { #[cfg(x)] b: a::B, c: a::C }\n", Want: []string{"1:37 a C"}},
		{Name: "a condition of an arm", File: "src/lib.rs", Src: "fn f() { match x { #[cfg(x)] 1 => a::b(), _ => a::c() } }\n", Want: []string{"1:51 a c (0)"}},
	})
}

func TestImports_Names(t *testing.T) {
	const modules = `
pub mod m { pub struct Here; pub fn here() {} pub enum Kind { One, Two } pub const LIMIT: u8 = 1; pub mod deep { pub trait Far {} } }
`
	checkFaults(t, modules, []faultCase{
		{"items of a module of the project", "use m::{Here, here, LIMIT, deep::Far};", ""},
		{"a crate that is not required", "use gone::Here;", "gone"},
		{"a crate with a leading separator", "use ::gone::Here; use ::shapes::Circle;", "gone"},
		{"several crates in a tree", "use {shapes::Circle, gone::Here, std::fmt};", "gone"},
		{"an absent name of a dependency", "use shapes::{Circle, Square};", "Square"},
		{"an absent name that is renamed", "use shapes::Square as Circle; use shapes::Circle as Square;", "Square"},
		{"an absent name of a module beside macros and attributes of the language", "use shapes::plain::{Here, Gone};", "Gone"},
		{"an absent module of a dependency", "use shapes::round::Circle;", "round"},
		{"variants of an enum of the project", "use m::Kind::{One, Two}; use m::Kind as Sort; use Sort::One as First;", ""},
		{"names in the standard library", "use std::{fmt::{self, Display}, colections::HashMap, io::Raed};", "colections, Raed"},
		{"a module of the standard library without a use", "fn f() { std::mem::swop(1, 2); std::fs::read(\"a\"); }", "swop"},
		{"a raw name", "use r#std::r#fmt::r#Display; use std::r#fmt::r#Dispaly;", "Dispaly"},
		{"a renamed crate", "extern crate shapes as forms; use forms::Circle; use forms::Square;", "Square"},
		{"a crate that is renamed in other builds", "#[cfg(missing)] extern crate core as std; use std::{fs, fss};", "fss"},
		{"a crate that is renamed in this build", "#[cfg(not(missing))] extern crate core as std; use std::{fs, fss}; use core::memm; mod m { use std::fs; }", "memm"},
		{"a use in a block", "fn f() { { use shapes::Square; } if true { use gone::X; } }", "Square, gone"},
		{"a path through an import", "use std::collections as c; fn f() { let m: c::HashMap<u8, u8>; } use c::HashMpa;", "HashMpa"},
		{"a macro of the project", "macro_rules! make { () => { () } } use make as build; fn f() { build!() }", ""},
		{"a condition that is false", "#[cfg(missing)] use gone::Here; #[cfg(not(missing))] use shapes::Square;", "Square"},
	})
}
