package crate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/apicodec"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/rustdoc"
)

func demo(features ...string) *Source {
	return &Source{
		Name: "demo", Package: "demo-crate", FS: os.DirFS("testdata/demo"), Lib: "src/lib.rs", Edition: "2021",
		Features: features, Declared: []string{"default", "extra", "net"}, Target: "x86_64-unknown-linux-gnu",
	}
}

// sourceOf returns a crate that consists of the given files.
func sourceOf(files ...string) *Source {
	m := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		m[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return &Source{Name: "made", Package: "made", FS: m, Lib: "src/lib.rs", Edition: "2021", Target: "x86_64-unknown-linux-gnu"}
}

func read(t *testing.T, src *Source) *apidoc.Package {
	t.Helper()
	p, err := Read(t.Context(), src, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func find(t *testing.T, p *apidoc.Package, path string) *apidoc.Symbol {
	t.Helper()
	p.Style.Separator = "::"
	s := p.At(path)
	if s == nil {
		t.Fatalf("%s has no %s; it has %s", p.Name, path, names(p.Symbols))
	}
	return s
}

func names(symbols []apidoc.Symbol) string {
	var all []string
	for i := range symbols {
		all = append(all, symbols[i].Path)
	}
	return strings.Join(all, " ")
}

// TestSourceAndRustdocAgree compares what is read from the sources of a crate with
// rustdoc's output for the same sources.
func TestSourceAndRustdocAgree(t *testing.T) {
	ours, err := All(t.Context(), demo("default", "net"), nil)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("../rustdoc/testdata/demo.json")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := rustdoc.Load(f)
	if err != nil {
		t.Fatal(err)
	}
	squeeze := func(s *apidoc.Symbol) string {
		text := s.Signature
		if i := strings.Index(text, " = "); i > 0 && (s.Kind == apidoc.Const || s.Kind == apidoc.AssocConst) {
			text = text[:i]
		}
		return strings.NewReplacer(" ", "", "\n", "", "std::", "", "fmt::", "", "ops::", "", "collections::", "", "io::", "", "hash_map::", "", "string::", "", "alloc::", "").Replace(text)
	}
	for _, o := range ours {
		theirs, err := c.Module(o.Name)
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Symbols) != len(theirs.Symbols) {
			t.Errorf("%s: we read %s, rustdoc %s", o.Name, names(o.Symbols), names(theirs.Symbols))
			continue
		}
		for i := range o.Symbols {
			a, b := &o.Symbols[i], &theirs.Symbols[i]
			if a.Path != b.Path || a.Kind != b.Kind || squeeze(a) != squeeze(b) {
				t.Errorf("%s %s:\n%s %s\nrustdoc: %s %s", o.Name, a.Path, a.Kind, a.Signature, b.Kind, b.Signature)
			}
			if !strings.Contains(a.Doc, "](") && a.Doc != b.Doc && !strings.Contains(a.Doc, "`demo::") {
				t.Errorf("%s %s is documented as\n%s\nrustdoc:\n%s", o.Name, a.Path, a.Doc, b.Doc)
			}
			if a.Deprecated != b.Deprecated {
				t.Errorf("%s is deprecated by %q, rustdoc: %q", a.Path, a.Deprecated, b.Deprecated)
			}
			var rest, right []string
			for j := range a.Members {
				if m := &a.Members[j]; m.From == "" {
					rest = append(rest, string(m.Kind)+" "+m.Path+" "+squeeze(m))
				}
			}
			for j := range b.Members {
				if m := &b.Members[j]; !strings.Contains(m.Path, "StructuralPartialEq") {
					right = append(right, string(m.Kind)+" "+m.Path+" "+squeeze(m))
				}
			}
			slices.Sort(rest)
			slices.Sort(right)
			if !slices.Equal(rest, right) {
				t.Errorf("%s has\n%s\nrustdoc:\n%s", a.Path, strings.Join(rest, "\n"), strings.Join(right, "\n"))
			}
		}
	}
}

func TestMembersAreReachedThroughTraitsAndDeref(t *testing.T) {
	p := read(t, demo("net", "extra"))
	for path, from := range map[string]string{
		"Point::greet": "Greet", "Point::twice": "Greet", "Point::shout": "GreetExt", "Point::add": "Add", "Wrapper::far": "Point",
	} {
		if s := find(t, p, path); s.From != from {
			t.Errorf("%s comes from %q, want %s", path, s.From, from)
		}
	}
	for _, path := range []string{"Wrapper::new", "Wrapper::fetch", "Point::unseen", "Point::internal", "Point::secret"} {
		if s := p.At(path); s != nil {
			t.Errorf("%s is documented", path)
		}
	}
}

func TestFeaturesAndTargets(t *testing.T) {
	p := read(t, demo("net"))
	elsewhere := map[string]string{}
	for i := range p.Elsewhere {
		elsewhere[p.Elsewhere[i].Path] = p.Elsewhere[i].Constraint
	}
	for path, want := range map[string]string{"extra": `feature = "extra" (off)`, "Point::far": `feature = "extra" (off)`, "only_windows": "windows (off)"} {
		if elsewhere[path] != want {
			t.Errorf("%s exists with %q, want %q", path, elsewhere[path], want)
		}
	}
	if got := names(p.Symbols); strings.Contains(got, "only_windows") {
		t.Errorf("what is for Windows is among %s", got)
	}
	on := read(t, demo("net", "extra"))
	if got := find(t, on, "Point::far").Constraint; got != `feature = "extra" (on)` {
		t.Errorf("with the feature on, its constraint is %q", got)
	}
	net := demo("net")
	net.Module = "net"
	if got := find(t, read(t, net), "Server").Constraint; got != `feature = "net" (on)` {
		t.Errorf("a type of a gated module has the constraint %q", got)
	}
	off := demo()
	off.Module = "extra"
	q := read(t, off)
	if len(q.Advice) != 1 || !strings.Contains(q.Advice[0], `feature = "extra"`) {
		t.Errorf("the module that is off says %q", q.Advice)
	}
	if len(q.Elsewhere) != 1 || q.Elsewhere[0].Path != "additional" {
		t.Errorf("the module that is off has %v", q.Elsewhere)
	}
}

func TestDocumentation(t *testing.T) {
	p := read(t, demo("net"))
	if want := "A crate for tests. See `demo::net::Server` and [the trait](demo::Greet).\n\n```rust\nlet p = Point::new(1, 2);\n```"; p.Doc != want {
		t.Errorf("the crate is documented as\n%s", p.Doc)
	}
	if got := find(t, p, "Point").Doc; !strings.Contains(got, "Use `demo::Point::new`.") {
		t.Errorf("Point is documented as %s", got)
	}
	if got := find(t, p, "Bits").Doc; got != "Read from the file beside the manifest." {
		t.Errorf("include_str! gives %q", got)
	}
	if got := find(t, p, "Greet").Doc; got != "What greets.\n\nwith stars" {
		t.Errorf("the block comment says %q", got)
	}
	if len(p.Subpackages) != 2 || p.Subpackages[0].Name != "demo::net" || p.Subpackages[0].Synopsis != "Servers." {
		t.Errorf("the modules are %v", p.Subpackages)
	}
}

func TestIndexListsModules(t *testing.T) {
	p, err := index(t, demo("net"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(p.Symbols); got != "demo demo::extra demo::net demo::shapes" {
		t.Errorf("the modules are %s", got)
	}
	if got := names(p.Symbols[3].Members); got != "Circle Square Triangle" {
		t.Errorf("shapes exports %s", got)
	}
	circle := p.Symbols[3].Members[0]
	if circle.Doc == "" || circle.Signature != "" {
		t.Errorf("the outline of Circle is %+v", circle)
	}
}

// TestDependenciesAreFollowed re-exports items, globs and macros of another
// crate, and expands its macros.
func TestDependenciesAreFollowed(t *testing.T) {
	dep := sourceOf("src/lib.rs", `
		pub struct Thing; impl Thing { pub fn go(&self) {} }
		pub mod more { pub fn far() {} }
		#[macro_export] macro_rules! make { ($n:ident) => { pub struct $n { pub inner: $crate::Thing } }; }`)
	dep.Name = "dep"
	src := sourceOf("src/lib.rs", `
		pub use dep::Thing as Renamed;
		pub use dep::more::*;
		pub use missing::Gone;
		pub use missing::all::*;
		dep::make! { Made }
		use dep::make as other;
		other!(Other);
		#[bindgen] #[link(name = "c")] extern "C" { pub type Window; }
		unknown! { x }`)
	src.Deps = map[string]string{"dep": "d", "missing": "m"}
	p, err := Read(t.Context(), src, func(_ *Source, name string) (*Source, error) {
		if name == "dep" {
			return dep, nil
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := names(p.Symbols); got != "Gone Made Other Renamed far Window" {
		t.Errorf("the crate exports %s", got)
	}
	if s := find(t, p, "Renamed::go"); s.From != "dep" {
		t.Errorf("the method of the re-export comes from %q", s.From)
	}
	if got := find(t, p, "Gone").Signature; got != "pub use missing::Gone;" {
		t.Errorf("what is missing is %s", got)
	}
	if got := strings.Join(p.Warnings, "\n"); !strings.Contains(got, "missing::all") || !strings.Contains(got, "Docent did not expand macros that may declare items (2): #[bindgen], unknown!.") {
		t.Errorf("the warnings are %s", got)
	}
}

// rustdoc also lists an implementation with the types in its trait's arguments, even if
// they are behind references or written by macros.
func TestImplementationsThatMacrosWrite(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
		pub struct Unit<T>(T);
		pub struct Rotation<T>(T);
		pub trait Times<R> {}
		macro_rules! one { ($l:ty, $r:ty; $($life:tt),*) => { impl<$($life,)* T> Times<$r> for $l {} } }
		macro_rules! all { ($l:ty, $r:ty) => { one!(&'a $l, &'b $r; 'a, 'b); one!($l, $r;); } }
		all!(Rotation<T>, Unit<T>);`))
	for _, name := range []string{"Unit", "Rotation"} {
		var got []string
		for _, m := range find(t, p, name).Members {
			got = append(got, m.Signature)
		}
		slices.Sort(got)
		if want := []string{"impl<'a, 'b, T> Times<&'b Unit<T>> for &'a Rotation<T>", "impl<T> Times<Unit<T>> for Rotation<T>"}; !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", name, got, want)
		}
	}
}

func TestProcMacros(t *testing.T) {
	src := sourceOf("src/lib.rs", `
		#[proc_macro_derive(Shape, attributes(shape, side))] pub fn derive(i: TokenStream) -> TokenStream { i }
		#[proc_macro_attribute] pub fn traced(a: TokenStream, i: TokenStream) -> TokenStream { i }
		#[proc_macro] pub fn sql(i: TokenStream) -> TokenStream { i }
		fn helper() {}`)
	src.ProcMacro = true
	p := read(t, src)
	for path, want := range map[string]string{
		"Shape":  "#[derive(Shape)]\n{\n    // Attributes available to this derive:\n    #[shape]\n    #[side]\n}",
		"traced": "#[traced]", "sql": "sql!() { /* proc-macro */ }",
	} {
		if got := find(t, p, path).Signature; got != want {
			t.Errorf("%s is %s", path, got)
		}
	}
	if len(p.Symbols) != 3 {
		t.Errorf("the crate exports %s", names(p.Symbols))
	}
}

func TestDerivesAreImplementations(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
		use thiserror::Error;
		#[derive(Debug, Error, ::core::clone::Clone, Unknown)]
		pub enum Failure<T: Iterator> where T::Item: Copy {
			#[error("a")] A(#[from] std::io::Error),
			#[error("b")] B { item: T::Item },
		}`))
	var got []string
	for _, m := range find(t, p, "Failure").Members {
		if m.Kind == apidoc.Impl {
			got = append(got, strings.Join(strings.Fields(m.Signature), " "))
		}
	}
	want := []string{
		"impl<T: Clone + Iterator> Clone for Failure<T> where T::Item: Copy + Clone,",
		"impl<T: Debug + Iterator> Debug for Failure<T> where T::Item: Copy + Debug,",
		"impl<T: Iterator> Display for Failure<T> where T::Item: Copy,",
		"impl<T: Iterator> Error for Failure<T> where T::Item: Copy,",
		"impl<T: Iterator> From<std::io::Error> for Failure<T> where T::Item: Copy,",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the type has\n%s", strings.Join(got, "\n"))
	}
}

// TestDerivedConversions derives From and Into with derive_more, and checks that each
// is listed with the types in its arguments.
func TestDerivedConversions(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", `
		use thiserror::Error;
		#[derive(From, Into)] pub struct One<T>(T, u8);
		#[derive(From)] pub enum Any { A(Held), B, C { x: u8 }, #[from(skip)] D(u16) }
		#[derive(derive_more::From)] pub enum Some { #[from] A(Held), B(u8) }
		#[derive(Error)] pub enum Failure { #[error("a")] A(#[from] Held) }
		pub struct Held;`))
	for path, want := range map[string][]string{
		"One":  {"impl<T> From<(T, u8)> for One<T>", "impl<T> From<One<T>> for (T, u8)"},
		"Any":  {"impl From<Held> for Any", "impl From<u8> for Any"},
		"Some": {"impl From<Held> for Some"},
		"Held": {"impl From<Held> for Any", "impl From<Held> for Failure", "impl From<Held> for Some"},
	} {
		var got []string
		for _, m := range find(t, p, path).Members {
			if m.Kind == apidoc.Impl {
				got = append(got, m.Signature)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s has\n%s", path, strings.Join(got, "\n"))
		}
	}
}

// TestNothingOutsideOfTheCrateIsRead checks that files outside of the crate are not
// read, although the crate refers to them.
func TestNothingOutsideOfTheCrateIsRead(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(dir+"/crate/src", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/secret.rs", []byte("pub fn secret() {}"), 0o600); err != nil {
		t.Fatal(err)
	}
	lib := fmt.Sprintf(`
		#[path = %[1]q] pub mod absolute;
		#[path = "../../secret.rs"] pub mod above;
		#[path = "../../../../../../../../etc/passwd"] pub mod passwd;
		include!("../../secret.rs");
		include!(concat!(env!("CARGO_MANIFEST_DIR"), "/../secret.rs"));
		#[doc = include_str!(%[1]q)]
		#[doc = include_str!("../../secret.rs")]
		#[doc = include_str!("../..")]
		pub fn documented() {}`, dir+"/secret.rs")
	if err := os.WriteFile(dir+"/crate/src/lib.rs", []byte(lib), 0o600); err != nil {
		t.Fatal(err)
	}
	src := sourceOf()
	src.FS, src.Dir = os.DirFS(dir+"/crate"), dir+"/crate"
	all, err := All(t.Context(), src, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		for s := range p.All {
			if s.Path != "documented" || s.Doc != "" {
				t.Errorf("%s has %s: %s", p.Name, s.Path, s.Doc)
			}
		}
	}
}

// TestHostileCratesEnd reads crates that are designed to take a long time.
func TestHostileCratesEnd(t *testing.T) {
	var tower strings.Builder
	for i := range 40 {
		fmt.Fprintf(&tower, "macro_rules! m%d { ($($t:tt)*) => { m%d!{$($t)* $($t)*} m%d!{$($t)* $($t)*} } }\n", i, i+1, i+1)
	}
	tower.WriteString("m0! { a }\n")
	var globs strings.Builder
	for i := range 60 {
		fmt.Fprintf(&globs, "pub mod g%d { pub use super::g%d::*; pub use super::g%d::*; pub use super::*; }\n", i, (i+1)%60, (i+7)%60)
	}
	for name, text := range map[string]string{
		"a macro that calls itself":        "macro_rules! m { () => { m!(); m!(); } } m!();",
		"a macro that grows":               "macro_rules! m { ($($t:tt)*) => { m!{$($t)* $($t)* x} } } m! { a }",
		"a tower of macros":                tower.String(),
		"macros in a type":                 "macro_rules! T { ($t:ty) => { (T![$t], T![$t]) } } pub fn f(x: T![u8]) {}",
		"aliases of themselves":            "type A<T> = B<(T, T)>; type B<T> = A<(T, T)>; pub fn f(x: A<u8>) {}",
		"aliases that double":              "type A<T> = (T, T); type B<T> = A<A<A<A<T>>>>; type C<T> = B<B<B<B<T>>>>; type D<T> = C<C<C<C<T>>>>; pub fn f(x: D<D<u8>>) {}",
		"modules that import each other":   globs.String() + "pub use g0::*;",
		"imports in a circle":              "pub use self::b as a; pub use self::c as b; pub use self::a as c;",
		"nested modules":                   strings.Repeat("pub mod m {", 100_000),
		"nested parentheses":               "pub fn f(x: " + strings.Repeat("(", 200_000) + ") {}",
		"nested angle brackets":            "pub fn f(x: " + strings.Repeat("A<", 200_000) + ") {}",
		"nested references":                "pub fn f(x: " + strings.Repeat("&", 200_000) + "u8) {}",
		"nested conditions":                "#[cfg(" + strings.Repeat("not(", 100_000) + ")] pub fn f() {}",
		"nested imports":                   "use " + strings.Repeat("a::{", 100_000) + ";",
		"a module in its own file":         `#[path = "lib.rs"] pub mod again;`,
		"derefs in a circle":               "pub struct A; pub struct B; impl std::ops::Deref for A { type Target = B; } impl std::ops::Deref for B { type Target = A; }",
		"a trait that requires itself":     "pub trait A: B { type X; } pub trait B: A {} impl<T: A> From<T::Y> for u8 {} pub struct S; impl<T: A> A for T {} impl<T: B> B for T {}",
		"quotes":                           strings.Repeat(`'\`, 300_000),
		"a comment in comments":            strings.Repeat("/*", 300_000),
		"doc links":                        "//! " + strings.Repeat("[", 50_000) + strings.Repeat("[a](", 50_000),
		"conditions on conditional macros": "macro_rules! m { () => { #[cfg(unix)] m!(); #[cfg(unix)] m!(); } } m!();",
	} {
		t.Run(name, func(t *testing.T) {
			src := sourceOf("src/lib.rs", text)
			w := newWorld(t.Context(), nil)
			w.budget.Steps, w.budget.Bytes, w.calls = 1_000_000, 4<<20, 5_000
			k, err := w.open(src)
			if err != nil {
				return // it is refused
			}
			if _, err := k.document(k.root, "", ""); err != nil && !errors.Is(err, errTooMuch) {
				t.Error(err)
			}
		})
	}
}

func TestALargeGeneratedFile(t *testing.T) {
	if testing.Short() {
		t.Skip("-short leaves out a generated file of 20 MB, which takes a second")
	}
	var b strings.Builder
	items := 0
	for ; b.Len() < 20<<20; items++ {
		fmt.Fprintf(&b, "/// Table %d.\npub fn table_%d() -> Vec<u8> {\n    vec![%s]\n}\n", items, items, strings.Repeat("0x7b, '{', \"}\", ", 300))
	}
	p := read(t, sourceOf("src/lib.rs", b.String()))
	if len(p.Symbols) != items {
		t.Errorf("%d of %d functions are read", len(p.Symbols), items)
	}
}

func TestACanceledReadingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(ctx, demo(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestMissingModulesAreNamed(t *testing.T) {
	_, err := Read(t.Context(), func() *Source { s := demo(); s.Module = "nothing::here"; return s }(), nil)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	p := read(t, sourceOf("src/lib.rs", "pub mod gone; pub fn here() {}"))
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0], "gone") {
		t.Errorf("the warnings are %v", p.Warnings)
	}
}

// FuzzRead reads a crate of one file, with a macro that adds conditions to items.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"lib.rs", "macros.rs", "private.rs", "net/mod.rs", "net/other_name.rs"} {
		b, err := os.ReadFile("testdata/demo/src/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(b))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		src := sourceOf("src/lib.rs", text, "README.md", "read me")
		w := newWorld(t.Context(), nil)
		w.budget.Steps, w.budget.Bytes, w.calls = 100_000, 1<<20, 500
		k, err := w.open(src)
		if err != nil {
			return
		}
		p, err := k.document(k.root, "", "")
		if err != nil {
			return
		}
		if e, err := apicodec.Encode(p); err != nil || e.Len() == 0 {
			t.Errorf("the package cannot be encoded: %v", err)
		}
		k.findPaths(func() bool { return false })
	})
}

func BenchmarkRead(b *testing.B) {
	src := demo("net")
	for b.Loop() {
		if _, err := Read(b.Context(), src, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func TestWrapped(t *testing.T) {
	p := read(t, sourceOf("src/lib.rs", "#[wasm_bindgen]\nextern \"C\" {\n    pub fn global(this: &RegExp) -> bool;\n}\n#[link(name = \"z\")]\nextern \"C\" {\n    pub fn plain(a: u8);\n}\npub fn own(a: u8) {}\n"))
	if got := strings.Join(p.Wrapped, " "); got != "global" {
		t.Errorf("wrapped are %q", got)
	}
}
