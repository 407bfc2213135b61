package crate

import (
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// dependent returns a crate that exports items of a dependency with the given files, and the importer that
// finds the dependency.
func dependent(files ...string) (*Source, Importer) {
	dep := sourceOf(files...)
	dep.Name, dep.Package = "dep", "dep"
	src := sourceOf("src/lib.rs", "pub use dep::{a::A, a::b::B, E, m, F};\npub use dep::c::*;\npub struct Own { pub g: dep::d::Deep }\nimpl dep::T for Own {}\ndep::m!(Made);\n/// [dep::d::Deep] and [dep::c]\npub fn f(_: dep::d::Deep) -> dep::a::A {}")
	src.Deps = map[string]string{"dep": "dep"}
	return src, func(*Source, string) (*Source, error) { return dep, nil }
}

var depFiles = []string{
	"src/lib.rs", "pub mod a;\npub mod c;\npub mod d;\nmod e;\npub use e::{E, F};\nmod macros;\npub trait T { fn t(&self) {} }\nmod late { crate::mod_impl!(); }\nmod unused;",
	"src/a.rs", "//! Has files below it.\npub mod b;\npub struct A;\nimpl crate::T for A {}\nimpl b::B { pub fn in_a(&self) {} }\nimpl Clone for A {}",
	"src/a/b.rs", "pub struct B;\nimpl B { /** x */ pub fn in_b(&self) {} }\nimpl super::A { pub fn in_b(&self) -> super::A {} }",
	"src/c/mod.rs", "mod inner; pub use inner::*; pub const C: u8 = 1;\nimpl crate::a::A { pub fn in_c(&self) {} }",
	"src/c/inner.rs", "pub enum I { X }\nimpl From<I> for crate::a::A {}\nimpl core::ops::Deref for crate::E { type Target = I; }",
	"src/d.rs", "#[derive(Debug)]\npub struct Deep(pub u8);",
	"src/e.rs", "pub struct E;\npub struct F { pub e: E }\nimpl E { pub fn new() -> F {} }",
	"src/macros.rs", "#[macro_export]\nmacro_rules! m { ($n:ident) => { pub struct $n; } }\n#[macro_export]\nmacro_rules! mod_impl { () => { impl crate::E { pub fn late(&self) {} } } }",
	"src/unused.rs", "pub struct Unused;\nimpl Unused { pub fn f() {} }",
}

// TestDeferredModules compares the documentation of a crate if the files of its dependency are read on
// demand with that if all of them are read.
func TestDeferredModules(t *testing.T) {
	src, imp := dependent(depFiles...)
	deferred, err := Read(t.Context(), src, imp)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Clone(depFiles)
	all[1] += "\n// " + generator + "\n"
	src, imp = dependent(all...)
	eager, err := Read(t.Context(), src, imp)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(deferred, eager) {
		t.Errorf("on demand: %+v\n\nat once: %+v", deferred, eager)
	}
	var members []string
	for _, path := range []string{"A", "B", "E"} {
		for _, m := range find(t, deferred, path).Members {
			members = append(members, m.Path)
		}
	}
	if got, want := strings.Join(members, " "), "A::in_b A::in_c A::impl Clone for A A::impl From<I> for A A::impl T for A A::t B::in_b B::in_a E::new E::late E::impl Deref for E"; got != want {
		t.Errorf("members:\n got %s\nwant %s", got, want)
	}
	if find(t, deferred, "Made").Signature != "pub struct Made;" {
		t.Error("the exported macro is not expanded")
	}
}

// TestDeferredModules_AreNotRead checks that files of a dependency are not read unless they are needed.
func TestDeferredModules_AreNotRead(t *testing.T) {
	src, imp := dependent(depFiles...)
	w := newWorld(t.Context(), imp)
	k, err := w.open(src)
	if err != nil {
		t.Fatal(err)
	}
	dep := k.dep("dep")
	loaded := func() string {
		var names []string
		for _, e := range dep.root.order {
			if e.def != nil && e.def.sub != nil && e.def.sub.loaded {
				names = append(names, e.name)
			}
		}
		return strings.Join(names, " ")
	}
	if got := loaded(); got != "c macros late" {
		t.Errorf("at first, these modules are read: %s", got)
	}
	if d := dep.resolve(dep.root, []string{"crate", "d", "Deep"}, types); d == nil {
		t.Error("dep::d::Deep is not found")
	} else if p, _ := dep.pathOf(d); p != "d::Deep" {
		t.Errorf("its path is %s", p)
	}
	if got := loaded(); strings.Contains(got, "unused") || !strings.Contains(got, "d") {
		t.Errorf("then, these modules are read: %s", got)
	}
}

// opened is a file system that records the names of the files that are opened.
type opened struct {
	fs.FS
	names []string
}

func (o *opened) Open(name string) (fs.File, error) {
	o.names = append(o.names, name)
	return o.FS.Open(name)
}

func (o *opened) Stat(name string) (fs.FileInfo, error) { return fs.Stat(o.FS, name) }

// TestScans checks that a file of a dependency that does not change is opened only by the first of several
// crates, unless a name in its module is looked up.
func TestScans(t *testing.T) {
	scans := &Scans{}
	var before *apidoc.Package
	for i, first := range []bool{true, false} {
		src, imp := dependent(depFiles...)
		dep, err := imp(src, "dep")
		if err != nil {
			t.Fatal(err)
		}
		files := &opened{FS: dep.FS}
		dep.FS, dep.Scans = files, scans
		p, err := Read(t.Context(), src, imp)
		if err != nil {
			t.Fatal(err)
		}
		if before != nil && !reflect.DeepEqual(p, before) {
			t.Errorf("the documentation differs: %+v\n\n%+v", p, before)
		}
		before = p
		count := 0
		for _, name := range files.names {
			if name == "src/d.rs" {
				count++
			}
		}
		if want := map[bool]int{true: 2, false: 1}[first]; count != want {
			t.Errorf("reading %d opens src/d.rs %d times instead of %d", i, count, want)
		}
	}
}

// TestInertModules reads a crate with private modules, of which only those that affect other modules are
// kept in memory. The names of the others are found nevertheless.
func TestInertModules(t *testing.T) {
	files := []string{
		"src/lib.rs", "mod codec;\nmod types;\nmod rules;\nmod windows;\npub mod shown;\nmod parts;\npub use codec::{encode, Text, LIMIT};\npub use parts::part as piece;\npub struct Message(pub codec::Text);\npub mod all { pub use crate::codec::*; }",
		"src/codec.rs", "//! Private.\nuse std::fmt::Debug;\n/// Writes it.\npub fn encode(x: &crate::Message, d: &dyn Debug) {}\npub type Text = String;\npub const LIMIT: u8 = 9;\nfn hidden() {}",
		"src/types.rs", "impl crate::Message { pub fn in_types(&self) {} }",
		"src/rules.rs", "macro_rules! own { () => { impl crate::Message { pub fn in_rules(&self) {} } } }\nown!();",
		"src/windows.rs", "#![cfg(windows)]\npub fn f() {}",
		"src/shown.rs", "pub fn f() {}",
		"src/parts.rs", "pub fn part() {}",
	}
	src := sourceOf(files...)
	r, err := NewReader(t.Context(), src, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, loaded := range map[string]bool{"codec": false, "parts": false, "types": true, "rules": true, "windows": true, "shown": true} {
		if m := r.k.root.names[name][0].def.sub; m.loaded != loaded {
			t.Errorf("%s is in memory: %v", name, m.loaded)
		}
	}
	lazy, err := r.Read(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(lazy.Symbols), "encode Text LIMIT piece Message"; !sameWords(got, want) {
		t.Errorf("the crate exports %s, want %s", got, want)
	}
	if got, want := names(find(t, lazy, "Message").Members), "Message::0 Message::in_types Message::in_rules"; !sameWords(got, want) {
		t.Errorf("the members are %s, want %s", got, want)
	}
	if s := find(t, lazy, "encode"); s.Doc != "Writes it." || s.Line != 4 || s.File != "src/codec.rs" {
		t.Errorf("got %+v", s)
	}
	all, err := r.Read(t.Context(), "all")
	if err != nil || !sameWords(names(all.Symbols), "encode Text LIMIT") {
		t.Errorf("the glob exports %s, %v", names(all.Symbols), err)
	}
	for i := 1; i < len(files); i += 2 {
		files[i] += "\nmod nothing {}" // Then no file is inert.
	}
	eager := read(t, sourceOf(files...))
	eager.Style = lazy.Style
	if !reflect.DeepEqual(lazy, eager) {
		t.Errorf("read again: %+v\n\nkept: %+v", lazy, eager)
	}
}

// sameWords reports whether two texts contain the same words, in any order.
func sameWords(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}
