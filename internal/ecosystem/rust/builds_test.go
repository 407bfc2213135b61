package rust

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestBuilds_Alternatives checks members of types that differ between builds, and of those that unstable features extend.
func TestBuilds_Alternatives(t *testing.T) {
	const manifest = "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[features]\nlocal = []\nnightly = []\n[dependencies]\nshapes = \"1\"\n"
	const runtime = "#[cfg(not(feature = \"local\"))]\nmod shared;\n#[cfg(not(feature = \"local\"))]\npub use shared::*;\n#[cfg(feature = \"local\")]\nmod alone;\n#[cfg(feature = \"local\")]\npub use alone::*;\n"
	const alone = "pub struct Swap;\npub type Count = Swap;\npub struct Alone;\n"
	const lib = "mod runtime;\nuse runtime::*;\nfn f(s: Swap, c: Count, a: Alone) { s.gone(); c.gone(); a.gone() }"
	for _, c := range []struct{ name, shared, lib, want string }{
		{"an alias in the other build", "pub type Swap = shapes::Circle;\npub type Count = u8;\n", lib, "Alone::gone"},
		{"a type in the other build", "pub struct Swap;\npub struct Count;\n", lib, "Alone::gone"},
		{"other types in the other build", "pub struct Own;\nimpl Own { type Swap = u8; }\n", lib, "Swap::gone Swap::gone Alone::gone"},
		{"without unstable features", "", "fn f<F: Fn()>(f: F) { f.call(()) }", "Fn::call"},
		{"with an unstable feature", "", "#![cfg_attr(feature = \"nightly\", feature(fn_traits))]\nfn f<F: Fn()>(f: F) { f.call(()) }", ""},
		{"with an unstable feature for documentation", "", "#![cfg_attr(docsrs, feature(doc_cfg))]\nfn f<F: Fn()>(f: F) { f.call(()) }", "Fn::call"},
	} {
		w := typesWorld(t)
		filetest.Write(t, w.project, map[string]string{"Cargo.toml": manifest, "src/lib.rs": c.lib, "src/runtime/mod.rs": runtime, "src/runtime/alone.rs": alone, "src/runtime/shared.rs": c.shared})
		got, err := w.faults(c.lib)
		got = slices.DeleteFunc(got, func(path string) bool { return !strings.Contains(path, "::") }) // unknown words
		if err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: the absent members are %q, error %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestTypes_MacrosOfAliases checks which traits types have if macros are applied to aliases of them.
func TestTypes_MacrosOfAliases(t *testing.T) {
	const trait = "pub trait Make: Sized { fn make() -> Self; }\nimpl<T: Make> Make for Vec<T> { fn make() -> Self { loop {} } }\npub struct Own;\ntype Again = Own;\n"
	const uses = "fn f() { u16::make(); Vec::<u16>::make(); Own::make(); u8::make() }"
	for alias, want := range map[string]string{
		"type Int = u16;": "u16::make Vec::make Own::make u8::make",
		"#[marks::scalar(with = int)]\ntype Int = u16;":               "Own::make u8::make",
		"#[marks::scalar]\ntype Int = Again;":                         "u16::make Vec::make u8::make",
		"#[allow(dead_code)]\n#[cfg(all())]\ntype Int = u16;":         "u16::make Vec::make Own::make u8::make",
		"mod inner { #[marks::scalar]\ntype Int<T> = super::Again; }": "u16::make Vec::make u8::make",
		"#[marks::scalar]\ntype Int = Gone;":                          "u16::make Vec::make Own::make u8::make",
	} {
		w := deriveWorld(t, "#[proc_macro_attribute]\npub fn scalar(a: T, i: T) -> T { quote! { #i impl Make for #name { fn make() -> Self { loop {} } } } }\n", "")
		src := trait + alias + "\n" + uses
		filetest.Write(t, w.project, map[string]string{"src/lib.rs": src})
		if got, err := w.faults(src); err != nil || strings.Join(got, " ") != want {
			t.Errorf("with %s, the absent members are %q, error %v; want %q", alias, got, err, want)
		}
	}
}

// TestTypes_NumberedMembers checks names that a macro may form from the number of a field.
func TestTypes_NumberedMembers(t *testing.T) {
	w := deriveWorld(t, "#[proc_macro_attribute]\npub fn fields(a: T, i: T) -> T { format_ident!(\"get_{}\", n) }\n", "")
	if got, err := w.faults("fn f(x: X) { x.get_0(); x.get_12(); x.got_0(); x.get_x0() }"); err != nil || strings.Join(got, " ") != "got_0 get_x0" {
		t.Errorf("the absent members are %q, error %v", got, err)
	}
}

// TestTypes_UndeclaredCrates checks the first names of paths in expressions.
func TestTypes_UndeclaredCrates(t *testing.T) {
	w := typesWorld(t)
	for src, want := range map[string]string{
		"fn f(x: &lost::Server, v: Vec<gone::One>) -> lost::Two { loop {} }":                             "lost gone lost",
		"use shapes::*; fn f(x: &lost::Server) {}":                                                       "",
		"fn f() { std::colections::HashMap::<u8, u8>::new(); ::std::fs::fiiles::<u8>::read(1) }":         "colections fiiles",
		"call! { lost::run } fn f() { if ::lost::run() {} }":                                             "",
		"fn f() { let s = lost::run(1); s.gone(); lost::Server::new() }":                                 "lost lost",
		"fn f(x: X) { x.gone() }":                                                                        "gone",
		"mod found { pub fn run() {} } fn f() { found::run() }":                                          "",
		"fn f() { mod found { pub fn run() {} } found::run(); lost::run() }":                             "lost",
		"use shapes as found; fn f() { found::Circle::area; crate::f(); self::f(); }":                    "",
		"fn f() { u8::from_str(\"1\"); std::mem::take(&mut 1); core::mem::size_of::<u8>() }":             "",
		"macro_rules! found { () => { mod lost { pub fn run() {} } } } found!(); fn f() { lost::run() }": "",
		"use gone::*; fn f() { lost::run() }":                                                            "gone",
	} {
		if got, err := w.faults(src); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: the absent names are %q, error %v; want %q", src, got, err, want)
		}
	}
}

// TestTypes_UndeclaredCrateMessage checks what the message about an undeclared name suggests.
func TestTypes_UndeclaredCrateMessage(t *testing.T) {
	w := typesWorld(t)
	for src, want := range map[string]string{
		"use lost::run;":   "neither a dependency in Cargo.toml nor an item in scope is named lost; to add the crate, run cargo add lost",
		"use Lost::run;":   "neither a dependency in Cargo.toml nor an item in scope is named Lost",
		"use shaeps::run;": "neither a dependency in Cargo.toml nor an item in scope is named shaeps",
	} {
		types, err := w.rust().Types(t.Context(), w.project)
		if err != nil {
			t.Fatal(err)
		}
		f := &ecosystem.SourceFile{Name: "src/lib.rs", Dir: w.project, Text: []byte(src)}
		uses := types.Uses([]*ecosystem.SourceFile{f})[f]
		if len(uses) != 1 || uses[0].Message != want {
			t.Errorf("%s: the uses are %+v, want one with the message %q", src, uses, want)
		}
		_ = types.(io.Closer).Close()
	}
}

// TestTypes_ItemsBesideDerives checks names in a module with types whose derive macros add no types with these names.
func TestTypes_ItemsBesideDerives(t *testing.T) {
	w := typesWorld(t)
	for derive, want := range map[string]string{"other::Serialize": "Squaer", "From": "Squaer", "EnumIter": "", "Unread": ""} {
		w.vendor("shapes", "1.0.0", "", map[string]string{
			".cargo-checksum.json": `{"files":{}}`,
			"src/lib.rs":           "macro_rules! wrap { ($name:ident) => { #[derive(" + derive + ")] pub struct $name; } } wrap!(Square);",
		})
		if got, err := w.faults("use shapes::{Square, Squaer};"); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: the absent names are %q, error %v; want %q", derive, got, err, want)
		}
	}
}

// TestTypes_ImportsWithTheNameOfTheirCrate checks imports that declare the name of the crate from which they import.
func TestTypes_ImportsWithTheNameOfTheirCrate(t *testing.T) {
	w := typesWorld(t)
	w.vendor("shapes", "1.0.0", "", map[string]string{".cargo-checksum.json": `{"files":{}}`, "src/lib.rs": "pub mod prelude { pub struct Circle; }"})
	for src, want := range map[string]string{
		"pub mod all { pub use shapes::prelude as shapes; }":                  "",
		"pub mod all { pub use shapes::{prelude as shapes, gone as other}; }": "gone",
		"pub mod all { pub use shapes::gone as shapes; }":                     "gone",
	} {
		filetest.Write(t, w.project, map[string]string{"src/lib.rs": src})
		if got, err := w.faults(src); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: the absent names are %q, error %v; want %q", src, got, err, want)
		}
	}
}
