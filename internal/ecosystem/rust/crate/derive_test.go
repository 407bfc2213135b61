package crate

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestDerivesOfProceduralMacros checks that the trait of a derive macro is found if only the macro is
// imported, whether the trait is declared in the crate that exports the macro or in a dependency.
func TestDerivesOfProceduralMacros(t *testing.T) {
	macros := sourceOf("src/lib.rs", `
		#[proc_macro_derive(Part)] pub fn part(i: TokenStream) -> TokenStream { i }
		#[proc_macro_derive(Shown)] pub fn shown(i: TokenStream) -> TokenStream { i }
		#[proc_macro_derive(Getters)] pub fn getters(i: TokenStream) -> TokenStream { i }
		#[proc_macro_derive(Away)] pub fn away(i: TokenStream) -> TokenStream { i }`)
	macros.Name, macros.Package, macros.ProcMacro = "made_macros", "made-macros", true
	shown := sourceOf("src/lib.rs", `pub use made_macros::*; pub trait Shown {} mod inner { pub use made_macros::Away; pub trait Away {} }`)
	shown.Name, shown.Package, shown.Deps = "shown", "shown", map[string]string{"made_macros": "made_macros"}
	src := sourceOf("src/lib.rs", `
		pub mod part { pub use made_macros::Part; pub trait Part {} }
		mod other { pub trait Getters {} }
		use made_macros::{Part, Shown, Getters, Away};
		#[derive(Part, Shown, Getters, Away)] pub struct Whole<T>(T);
		#[derive(made_macros::Part)] pub enum Whether { #[default] A }`)
	src.Deps = map[string]string{"made_macros": "made_macros", "shown": "shown"}
	p, err := Read(t.Context(), src, func(_ *Source, name string) (*Source, error) {
		return map[string]*Source{"made_macros": macros, "shown": shown}[name], nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"Whole":   {"impl<T> Part for Whole<T>", "impl<T> Shown for Whole<T>"},
		"Whether": {"impl Part for Whether"},
	} {
		var got []string
		for _, m := range find(t, p, path).Members {
			if m.Kind == apidoc.Impl {
				got = append(got, m.Signature)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", path, got, want)
		}
	}
}

// TestBoundsOfDerives checks the bounds that the compiler adds to the parameters of a
// type.
func TestBoundsOfDerives(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
		#[derive(Default)] pub enum Maybe<T> { #[default] No, Yes(T) }
		#[derive(Default)] pub struct One<T>(T);
		#[derive_const(PartialEq)] pub struct Fixed<T>(T);
		pub struct Held<A>(A);
		impl<A> Held<A> { pub fn go<S: Copy>(self) where S: Copy + Send, S: Send, {} }`))
	for path, want := range map[string]string{
		"Maybe": "impl<T> Default for Maybe<T>", "One": "impl<T: Default> Default for One<T>", "Fixed": "impl<T: [const] PartialEq> PartialEq for Fixed<T>",
	} {
		members := find(t, p, path).Members
		if got := members[len(members)-1].Signature; got != want {
			t.Errorf("%s has %s, want %s", path, got, want)
		}
	}
	if got := strings.Join(strings.Fields(find(t, p, "Held::go").Signature), " "); got != "pub fn go<S>(self) where S: Copy + Send," {
		t.Errorf("the method is %s", got)
	}
}

// TestHiddenDerivesOfTraits checks that a hidden derive is mentioned with its trait.
func TestHiddenDerivesOfTraits(t *testing.T) {
	macros := sourceOf("src/lib.rs", `
		#[proc_macro_derive(Parser, attributes(command, arg))] pub fn parser(i: TokenStream) -> TokenStream { i }
		#[proc_macro_derive(Args)] pub fn args(i: TokenStream) -> TokenStream { i }
		#[proc_macro_derive(Shown)] pub fn shown(i: TokenStream) -> TokenStream { i }`)
	macros.Name, macros.ProcMacro = "made_macros", true
	src := sourceOf("src/lib.rs", `
		/// Parses.
		pub trait Parser {} pub trait Args {}
		pub trait Shown {} pub use made_macros::Shown;
		#[doc(hidden)] pub use made_macros::{Args, Parser};`)
	src.Deps = map[string]string{"made_macros": "made_macros"}
	p, err := Read(t.Context(), src, func(*Source, string) (*Source, error) { return macros, nil })
	if err != nil {
		t.Fatal(err)
	}
	if got := names(p.Symbols); got != "Args Parser Shown Shown" {
		t.Errorf("the crate exports %s", got)
	}
	for path, want := range map[string]string{
		"Parser": "Parses.\n\n`#[derive(Parser)]` implements it; its attributes are `#[command]`, `#[arg]`.", "Args": "`#[derive(Args)]` implements it.", "Shown": "",
	} {
		if got := find(t, p, path).Doc; got != want {
			t.Errorf("%s has the comment %q, want %q", path, got, want)
		}
	}
}
