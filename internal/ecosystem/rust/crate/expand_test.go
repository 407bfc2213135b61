package crate

import (
	"io/fs"
	"strings"
	"testing"
)

// TestGatedItemsKeepTheirPlace checks macros that only add attributes to items: their
// conditions apply, even if they are nested, and the line numbers are those of the
// file.
func TestGatedItemsKeepTheirPlace(t *testing.T) {
	src := sourceOf("src/lib.rs", `macro_rules! on { ($($i:item)*) => { $(#[cfg(feature = "on")] #[cfg_attr(docsrs, doc(cfg(feature = "on")))] $i)* } }
macro_rules! off { ($($i:item)*) => { $(#[cfg(feature = "off")] $i)* } }
on! {
	/// One.
	pub fn one() {}
	pub mod inner {
		on! { pub fn two() {} }
		off! { pub fn three() {} }
	}
}
off! { pub fn four() {} }
pub use inner::two;
`)
	src.Features, src.Declared = []string{"on"}, []string{"on", "off"}
	p := read(t, src)
	one, two := find(t, p, "one"), find(t, p, "two")
	if one.Line != 5 || two.Line != 7 || one.Doc != "One." {
		t.Errorf("one is in line %d, two in line %d, the comment is %q", one.Line, two.Line, one.Doc)
	}
	if !strings.Contains(one.Constraint, "on") {
		t.Errorf("one needs %q", one.Constraint)
	}
	if got := names(p.Symbols); got != "one two" {
		t.Errorf("symbols: %s", got)
	}
	if got := names(p.Elsewhere); got != "four" {
		t.Errorf("what is off: %s", got)
	}
}

// TestJoinedNames expands macros whose items have names that paste! joins.
func TestJoinedNames(t *testing.T) {
	src := sourceOf("src/lib.rs", `use paste::paste as join;
macro_rules! tint { ($name:ident) => { join! { #[doc = "Paints " $name] fn $name(&self); fn [<on_ $name>](&self); } } }
macro_rules! made { ($name:ident) => { paste::paste! { pub struct [<$name:camel>]; impl [<$name:camel>] { pub fn [<$name _new>]() {} } } } }
pub trait Tint { tint!(red); }
made!(light_box);
other::join! { pub struct [<A B>]; }
`)
	src.Deps = map[string]string{"paste": "paste"}
	paste := sourceOf("src/lib.rs", "#[proc_macro] pub fn paste(input: TokenStream) -> TokenStream { input }")
	paste.Name, paste.Package, paste.ProcMacro = "paste", "paste", true
	p, err := Read(t.Context(), src, func(*Source, string) (*Source, error) { return paste, nil })
	if err != nil {
		t.Fatal(err)
	}
	if got := names(p.Symbols); got != "LightBox Tint" && got != "Tint LightBox" {
		t.Errorf("symbols: %s", got)
	}
	if got := names(find(t, p, "Tint").Members); got != "Tint::red Tint::on_red" {
		t.Errorf("members of the trait: %s", got)
	}
	if got := names(find(t, p, "LightBox").Members); got != "LightBox::light_box_new" {
		t.Errorf("members of the struct: %s", got)
	}
}

// TestMacrosThatCallThemselves calls macros that process their input one item at a
// time, and macros that never end.
func TestMacrosThatCallThemselves(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
#[macro_export]
macro_rules! each { (@ $($done:ident)* ;) => { $(pub struct $done;)* }; (@ $($done:ident)* ; $next:ident $($rest:tt)*) => { $crate::each!(@ $($done)* $next ; $($rest)*); }; ($($all:tt)*) => { $crate::each! { @ ; $($all)* } } }
each! { A B C }
macro_rules! forever { ($($t:tt)*) => { forever! { $($t)* } } }
forever! { x }
`))
	if got := names(p.Symbols); got != "A B C each" && got != "each A B C" {
		t.Errorf("symbols: %s", got)
	}
	if got := strings.Join(p.Warnings, "\n"); !strings.Contains(got, "did not expand macros that may declare items (1)") || !strings.Contains(got, "forever!") {
		t.Errorf("warnings: %s", got)
	}
}

// TestDependenciesAreOpenedWhenNeeded reads a crate that implements a dependency's
// trait for a type that is in a module other than the one that is read.
func TestDependenciesAreOpenedWhenNeeded(t *testing.T) {
	dep := sourceOf("src/lib.rs", "pub trait Frame { fn size(&self) -> u8; }")
	dep.Name, dep.Package = "dep", "dep"
	for module, want := range map[string]int{"": 0, "inner": 1} {
		src := sourceOf("src/lib.rs", "pub mod inner { pub struct A; impl dep::Frame for A { fn size(&self) -> u8 { 1 } } } pub struct B;")
		src.Deps, src.Module = map[string]string{"dep": "dep"}, module
		opened := 0
		p, err := Read(t.Context(), src, func(_ *Source, name string) (*Source, error) {
			if name != "dep" {
				return nil, fs.ErrNotExist
			}
			opened++
			return dep, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if opened != want {
			t.Errorf("module %q: the dependency was opened %d times, want %d", module, opened, want)
		}
		if module == "inner" {
			if m := find(t, p, "A::size"); m.From != "Frame" {
				t.Errorf("size comes from %q", m.From)
			}
		}
	}
}

// TestMacrosThatStandForTypes expands macros that are not exported and expand to types, such as
// those in libc, and checks that parameters that a condition excludes are omitted.
func TestMacrosThatStandForTypes(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
		#[macro_use] mod rules {
			macro_rules! number { (@ty $t:ty) => { $t }; (@ty) => { u32 }; }
			macro_rules! listed { ($($n:ident: $($t:ty)?),*) => { $(pub const $n: number!(@ty $($t)?) = 0;)* }; }
		}
		listed! { A: i8, B: }
		pub struct Held(u8);
		impl Held { pub fn take(&self, #[cfg(windows)] of: u8, #[allow(unused)] #[cfg(unix)] of: number!(@ty), #[rustfmt::skip] last: u8) {} }`))
	for path, want := range map[string]string{
		"A": "pub const A: i8 = 0;", "B": "pub const B: u32 = 0;", "Held::take": "pub fn take(&self, of: u32, last: u8)",
	} {
		if got := find(t, p, path).Signature; got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}
