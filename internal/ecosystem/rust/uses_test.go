package rust

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/usetest"
)

func TestUses_Rust(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"p\"\n[dependencies]\na = \"1\"\ng = \"1\"\n[target.'cfg(unix)'.dependencies]\nl.workspace = true\n[dev-dependencies]\ni = \"1\"\n",
	})
	usetest.Run(t, &Rust{}, dir, []usetest.Case{
		{Name: "use", File: "src/lib.rs", Src: "use a::b::{self, c::D, E as F, *};\npub use ::g::H;\nuse std::fmt;\nextern crate i;\n",
			Want: []string{"1:5 a", "1:21 a::b::c D", "1:24 a::b E", "2:11 g", "2:14 g H", "3:10 std fmt"}},
		{Name: "paths", File: "src/lib.rs", Src: "fn f() { a::b::c(1); a::b::D::new(); D::e(); x.y::<a::F>(); $crate::g(); }\n",
			Want: []string{"1:16 a::b c (1)", "1:28 a::b D", "1:55 a F"}},
		{Name: "calls", File: "src/lib.rs", Src: "fn f() { a::b(1, |x, y| (x, y), [2, 3], move || c, g(4, 5)); a::c(); a::d(x::<T, U>()); a::e!(1); a::f(x,); }\n",
			Want: []string{"1:13 a b (5)", "1:65 a c (0)", "1:73 a d", "1:92 a e", "1:102 a f (1)"}},
		{Name: "what the project has", File: "src/lib.rs", Src: "mod a;\nuse crate::b::C;\nuse self::d::E;\nuse a::F;\nfn g() { a::h(); u8::max(1, 2); Self::i(); str::from_utf8(j) }\n", Want: nil},
		{Name: "crates that are not required", File: "src/lib.rs", Src: "use z::Y;\nfn f() { z::x() }\n", Want: []string{"1:5 z"}},
		{Name: "crates that may be modules", File: "src/lib.rs", Src: "use super::*;\nuse z::Y;\n", Want: nil},
		{Name: "modules that are imported by self", File: "src/lib.rs", Src: "use crate::http::{g, a::{x, self}, l::{self}};\nfn f() { a::b(); l::m(); g::h() }\n", Want: nil},
		{Name: "crates of the compiler", File: "src/lib.rs", Src: "use rustc_ast::ast;\nuse z::Y;\n", Want: []string{"2:5 z"}},
		{Name: "modules named test", File: "src/lib.rs", Src: "table! { test { id -> Integer } }\nfn f() { test::table; }\n", Want: nil},
		{Name: "the crate test", File: "src/lib.rs", Src: "use test::Bencher;\nfn f() { test::black_box(1) }\n", Want: []string{"1:11 test Bencher", "2:16 test black_box (1)"}},
		{Name: "macros of the project", File: "src/lib.rs", Src: "macro_rules! i { () => {} }\npub(crate) use i;\npub(crate) use other;\nuse a;\n", Want: []string{"4:5 a"}},
		{Name: "imported modules", File: "src/lib.rs", Src: "use a::b;\nfn f() { b::c() }\n", Want: []string{"1:5 a", "1:8 a b"}},
		{Name: "conditions", File: "src/lib.rs", Src: "#[cfg(feature = \"x\")]\nuse a::B;\n#[cfg(unix)]\nmod c { use d::E; fn f() { g::h() } }\n#[cfg(test)]\nmod t { use i::J; }\n#[derive(K)]\nuse l::M;\n",
			Want: []string{"6:13 i", "6:16 i J", "8:5 l", "8:8 l M"}},
		{Name: "conditional imports", File: "src/lib.rs", Src: "#[cfg(feature = \"a\")]\n#[allow(x)]\npub(crate) use crate::b::a;\nfn f() { a::B::new(); g::h() }\n", Want: []string{"4:26 g h (0)"}},
		{Name: "conditions of items with type parameters", File: "src/lib.rs", Src: "#[cfg(unix)]\nimpl<T, U> X<T, U> { fn f() { a::b() } }\n#[cfg(unix)]\npub fn f<T, U>(t: T) { g::h() }\nfn i(#[cfg(unix)] j: K, k: a::L) {}\n",
			Want: []string{"5:31 a L"}},
		{Name: "a file under a condition", File: "src/lib.rs", Src: "#![cfg(windows)]\nuse a::B;\n", Want: nil},
		{Name: "code that a macro adds to other crates", File: "src/lib.rs", Src: "fn f() { quote! { use z::Y; ::a::b() }; x! { use a::C; } quote_spanned!(s => a::d()) }\n", Want: []string{"1:50 a", "1:53 a C"}},
		{Name: "code that other macros pass to quote", File: "src/lib.rs", Src: "fn f() { quote_diagnostics! { impl a::B {} } made!(impl a::C for #name {}); list!(#(a::d()),*); made!(#[a] a::E) }\n", Want: []string{"1:111 a E"}},
		{Name: "strings and comments", File: "src/lib.rs", Src: "// use a::B;\n/// use c::D;\nconst S: &str = \"use e::F;\";\nmacro_rules! m { () => { g::h() } }\n", Want: []string{"4:29 g h (0)"}},
	})
}

func TestUses_RustRenamedCrates(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"Cargo.toml": "[package]\nname = \"p\"\n[dependencies]\na = \"1\"\n",
		"src/lib.rs": "extern crate a as b;\nextern crate core as std;\nextern crate a;\n", "tests/lib.rs": "extern crate a as c;\n", "tests/all/mod.rs": "", "src/deep/mod.rs": "",
	})
	got := append(usetest.List(&Rust{}, dir, "src/deep/mod.rs", "use b::X;\nuse a::Y;\nuse c::Z;\nfn f() { b::g() }\n"), usetest.List(&Rust{}, dir, "tests/all/mod.rs", "use c::X;\nuse b::Y;\nuse d::Z;\n")...)
	if want := []string{"2:5 a", "2:8 a Y", "3:5 c", "3:5 d"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %q, want %q", got, want)
	}
}

func TestUses_RustLeavesOutModules(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"src/main.rs": "", "src/db/mod.rs": "", "src/ui.rs": ""})
	got := usetest.List(&Rust{}, dir, "src/main.rs", "use db::A;\nuse ui::B;\nuse other::C;\n")
	if want := []string{"3:5 other", "3:12 other C"}; !slices.Equal(got, want) {
		t.Errorf("the uses are %v, want %v", got, want)
	}
}

func FuzzUses(f *testing.F) {
	usetest.Fuzz(f, &Rust{}, "a.rs", "use a::{b, c::{self, D}};\n", "#[cfg(x)]\nfn f() { a::b() }", "use {", "#![cfg(", "a::b::C::d")
}
