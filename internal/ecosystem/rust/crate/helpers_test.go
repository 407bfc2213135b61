package crate

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestHelperAttributesFromTheMacroSource reads a derive macro whose attributes are shown only by
// comments in its source.
func TestHelperAttributesFromTheMacroSource(t *testing.T) {
	macros := func() *Source {
		src := sourceOf("src/lib.rs", `
			mod attr;
			/// Draws a shape.
			#[proc_macro_derive(Shape, attributes(shape))] pub fn shape(i: TokenStream) -> TokenStream { i }
			/// Measures the field with `+"`#[length(unit = \"m\")]`"+`.
			#[proc_macro_derive(Long, attributes(length))] pub fn long(i: TokenStream) -> TokenStream { i }
			#[proc_macro_derive(Plain)] pub fn plain(i: TokenStream) -> TokenStream { i }`,
			"src/attr.rs", `
// Reads #[shape(...)] and #[shape(hidden)].
impl Field {
    fn read() {
        // #[shape(name = "a]b")]
        // #[shape(...)]
        // #[shape(name = "a]b")]
        // #[other(name)]
        // #[shaped]
        // #[shape(
        /// `+"`#[shape]`"+`
    }
}
// #[shape(skip)]
impl<'a, T: Into<Vec<u8>>> Parse for Container<'a, T> {
    // #[shape(all(x, y))]
    // #[shape(name = "a]b")]
}
`)
		src.Name, src.Package, src.ProcMacro, src.Documentation = "made_macros", "made-macros", true, "https://shapes.example/attributes.html"
		return src
	}
	read := func(lib string) *apidoc.Package {
		t.Helper()
		src := sourceOf("src/lib.rs", lib)
		src.Deps = map[string]string{"made_macros": "made_macros"}
		dep := macros()
		p, err := Read(t.Context(), src, func(_ *Source, name string) (*Source, error) {
			return map[string]*Source{"made_macros": dep}[name], nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := read("pub use made_macros::*;")
	for path, want := range map[string]string{
		"Shape": "Draws a shape.\n\nForms of its attributes, from comments in the source of the macro, each with the types that read it:\n\n" +
			"- `#[shape(name = \"a]b\")]`: Field, Container\n- `#[shape]`: Field\n- `#[shape(skip)]`\n- `#[shape(all(x, y))]`: Container\n\n" +
			"Its attributes, `#[shape]`, are documented at https://shapes.example/attributes.html.",
		"Long":  "Measures the field with `#[length(unit = \"m\")]`.",
		"Plain": "",
	} {
		if got := find(t, p, path).Doc; got != want {
			t.Errorf("the documentation of %s is:\n%s\nwant:\n%s", path, got, want)
		}
	}
	p = read("//! Use `#[shape(skip)]` to skip a field.\npub use made_macros::Shape;")
	if got, want := find(t, p, "Shape").Doc, "Draws a shape."; got != want {
		t.Errorf("if the crate documents the attributes, the documentation of Shape is %q, want %q", got, want)
	}
}

// TestGuidesAreSections reads modules that exist only in the crate's own documentation.
func TestGuidesAreSections(t *testing.T) {
	src := sourceOf("src/lib.rs", `
		#[cfg(feature = "unstable-doc")] pub mod _derive;
		#[cfg(feature = "unstable-doc")] pub mod code;
		#[cfg(feature = "net")] pub mod net;
		#[cfg(feature = "unstable-doc")] #[doc(hidden)] pub mod secret;
		#[doc(hidden)] pub use made_macros::Parser;
		pub use made_macros::Args;
		/// Parses.
		pub trait Parser {}
		pub mod plain;`,
		"src/_derive/mod.rs", "//! # Reference\n//!\n//! ## Arguments\n//!\n//! Use `#[arg(default_value_t)]`.\n\npub mod tutorial;\npub use crate::plain;",
		"src/_derive/tutorial.rs", "//! First steps with `default_value_t`.",
		"src/code.rs", "//! Documented code.\npub struct Code;",
		"src/net.rs", "//! Networks.",
		"src/secret.rs", "//! Secret.",
		"src/plain.rs", "//! Plain.")
	src.Declared = []string{"unstable-doc", "net"}
	macros := sourceOf("src/lib.rs", `
		#[proc_macro_derive(Parser, attributes(arg))] pub fn parser(i: TokenStream) -> TokenStream { i }
		#[proc_macro_derive(Args, attributes(arg))] pub fn args(i: TokenStream) -> TokenStream { i }`)
	macros.Name, macros.Package, macros.ProcMacro = "made_macros", "made-macros", true
	src.Deps = map[string]string{"made_macros": "made_macros"}
	p, err := Read(t.Context(), src, func(*Source, string) (*Source, error) { return macros, nil })
	if err != nil {
		t.Fatal(err)
	}
	var got string
	for _, s := range p.Sections {
		got += s.ID + " " + s.File + "\n"
	}
	if got, want := find(t, p, "Parser").Doc, "Parses.\n\n`#[derive(Parser)]` implements it; its attributes are `#[arg]`, which the section _derive documents."; got != want {
		t.Errorf("the documentation of the trait is %q, want %q", got, want)
	}
	if got, want := find(t, p, "Args").Doc, "Its attributes, `#[arg]`, are documented in the section _derive."; got != want {
		t.Errorf("the documentation of the derive macro is %q, want %q", got, want)
	}
	if want := "_derive src/_derive/mod.rs\n_derive/arguments src/_derive/mod.rs\n_derive/tutorial src/_derive/tutorial.rs\n"; got != want {
		t.Errorf("the sections are\n%s\nwant\n%s", got, want)
	}
}
