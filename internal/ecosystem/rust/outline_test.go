package rust

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

func TestOutline(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		same                bool
	}{
		{"a body", "fn f(a: u8) -> u8 { a }", "fn f(a: u8) -> u8 { if a > 0 { 1 } else { 2 } }", true},
		{"a comment", "fn f() {}", "// text\nfn f() { /* text */ }", true},
		{"a method", "impl A { fn f(&self) { 1; } }", "impl A { fn f(&self) { 2; } }", true},
		{"a body behind generic parameters", "fn f<A, B>(a: A) where A: Into<B> { 1 }", "fn f<A, B>(a: A) where A: Into<B> { 2 }", true},
		{"a parameter", "fn f(a: u8) {}", "fn f(a: u16) {}", false},
		{"a result", "fn f() -> u8 { 1 }", "fn f() -> u16 { 1 }", false},
		{"a new function", "fn f() {}", "fn f() {} fn g() {}", false},
		{"a function after the changed body", "fn f() { 1; } fn g() {}", "fn f() { 2; } fn g(a: u8) {}", false},
		{"a field beside a function pointer", "struct S { f: fn(u8), g: u8 } struct T { h: u8 }", "struct S { f: fn(u8), g: u8 } struct T { h: u16 }", false},
		{"methods of an implementation for a function pointer", "impl T for fn(u8) { fn f() {} }", "impl T for fn(u8) { fn g() {} }", false},
		{"an implementation in a body", "fn f() { impl T for S { fn g() {} } }", "fn f() { impl T for S { fn h() {} } }", false},
		{"a macro in a body", "fn f() { macro_rules! m { () => { 1 } } }", "fn f() { macro_rules! m { () => { 2 } } }", false},
		{"a call of a macro", "m! { fn f() { 1 } }", "m! { fn f() { 2 } }", false},
		{"the definition of a macro", "macro_rules! m { () => { fn f() { 1 } } }", "macro_rules! m { () => { fn f() { 2 } } }", false},
		{"a constant", "const A: u8 = { 1 };", "const A: u8 = { 2 };", false},
		{"a field after a function that does not return", "fn f() -> ! { 1 } struct S { g: u8 }", "fn f() -> ! { 1 } struct S { h: u8 }", false},
		{"the body of a function that does not return", "fn f() -> ! { 1 }", "fn f() -> ! { 2 }", true},
		{"the block of a constant in a result", "fn f() -> A<{ 1 }> { 1 }", "fn f() -> A<{ 2 }> { 1 }", false},
		{"a body behind the block of a constant", "fn f(a: fn() -> u8) -> A<{ 1 }, B<{ 1 }>> { 1 }", "fn f(a: fn() -> u8) -> A<{ 1 }, B<{ 1 }>> { 2 }", true},
		{"a body behind bounds with results", "fn f<F: Fn() -> u8>(f: F) { 1 }", "fn f<F: Fn() -> u8>(f: F) { 2 }", true},
		{"a body that does not end", "fn f() { 1", "fn f() { 2", false},
		{"tokens that are joined", "struct A; fn f() {}", "structA; fn f() {}", false},
	} {
		if same := outlineOf(c.before) == outlineOf(c.after); same != c.same {
			t.Errorf("%s: the outlines are the same: %v, want %v", c.name, same, c.same)
		}
	}
}

func FuzzOutline(f *testing.F) {
	for _, text := range []string{"fn f(a: u8) { a }", "impl A { fn f() { impl B for C {} } }", "m! { fn f() {} }", "fn f) } {", "fn f() { ((("} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if outlineOf(text) != outlineOf("\n"+text) {
			t.Error("an empty line changes the outline")
		}
	})
}

// TestTypes_ChangedFile checks a project with one Rust, as a server does, while its files change.
func TestTypes_ChangedFile(t *testing.T) {
	w := typesWorld(t)
	rs := w.rust()
	const user = "use super::more::More;\nfn f(m: More) { m.first(); m.second(); m.third() }"
	const extra = "use super::more::{Extra, More};\nfn f(c: shapes::Circle, s: String, m: More) { c.extra(); s.extra(); m.next() }"
	filetest.Write(t, w.project, map[string]string{
		"src/lib.rs":  "mod more;\nmod user;\n",
		"src/more.rs": "pub struct More;\nimpl More {\n\tpub fn first(&self) { 1; }\n}\n",
		"src/user.rs": user,
	})
	check := func(text string) (absent []string, checker *typeChecker) {
		types, err := rs.Types(t.Context(), w.project)
		if err != nil {
			t.Fatal(err)
		}
		checker = types.(*typeChecker)
		f := &ecosystem.SourceFile{Name: "src/user.rs", Dir: w.project, Text: []byte(text)}
		for _, u := range types.Uses([]*ecosystem.SourceFile{f})[f] {
			if u.Fault != ecosystem.NoFault {
				absent = append(absent, u.Path)
			}
		}
		checker.Close()
		return absent, checker
	}
	replace := func(name, text string) {
		file := filepath.Join(w.project, "src", name)
		if err := os.WriteFile(file+"~", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(file+"~", file); err != nil {
			t.Fatal(err)
		}
	}
	_, first := check(user)
	for _, c := range []struct {
		name   string
		change func()
		user   string
		want   []string
		types  bool // whether the types of the project are retained
	}{
		{"nothing changes", func() {}, user, []string{"More::second", "More::third"}, true},
		{"a body changes", func() { replace("more.rs", "pub struct More;\nimpl More {\n\tpub fn first(&self) { 2; }\n}\n") }, user, []string{"More::second", "More::third"}, true},
		{"a method is added", func() {
			replace("more.rs", "pub struct More;\nimpl More {\n\tpub fn first(&self) { 2; }\n\tpub fn second(&self) {}\n}\n")
		}, user, []string{"More::third"}, true},
		{"a method is removed", func() { replace("more.rs", "pub struct More;\nimpl More {\n\tpub fn second(&self) {}\n}\n") }, user, []string{"More::first", "More::third"}, true},
		{"the body of the checked file is edited", func() {}, "use super::more::More;\nfn f(m: More) { m.third() }", []string{"More::third"}, true},
		{"the declarations of the checked file are edited", func() {}, user + "\nimpl More { fn third(&self) {} }", []string{"More::first"}, true},
		{"the edit is withdrawn", func() {}, user, []string{"More::first", "More::third"}, true},
		{"a file is added", func() { replace("new.rs", "impl super::more::More { pub fn third(&self) {} }") }, user, []string{"More::first", "More::third"}, false},
		{"a directory replaces a file", func() {
			if err := errors.Join(os.Remove(filepath.Join(w.project, "src", "new.rs")), os.Mkdir(filepath.Join(w.project, "src", "new.rs"), 0o700)); err != nil {
				t.Fatal(err)
			}
		}, user, []string{"More::first", "More::third"}, false},
		{"a file replaces a directory", func() {
			if err := os.Remove(filepath.Join(w.project, "src", "new.rs")); err != nil {
				t.Fatal(err)
			}
			replace("new.rs", "impl super::more::More { pub fn third(&self) {} }")
		}, user, []string{"More::first", "More::third"}, false},
		{"its module is declared", func() { replace("lib.rs", "mod more;\nmod user;\nmod new;\n") }, user, []string{"More::first"}, true},
		{"a trait is implemented for types of dependencies", func() {
			replace("more.rs", "pub struct More;\npub trait Extra { fn extra(&self); }\nimpl Extra for shapes::Circle { fn extra(&self) {} }\nimpl Extra for String { fn extra(&self) {} }\nimpl Iterator for More { type Item = u8; fn next(&mut self) -> Option<u8> { None } }\n")
		}, extra, nil, true},
		{"an implementation for a type of a dependency is removed", func() {
			replace("more.rs", "pub struct More;\npub trait Extra { fn extra(&self); }\nimpl Extra for String { fn extra(&self) {} }\nimpl Iterator for More { type Item = u8; fn next(&mut self) -> Option<u8> { None } }\n")
		}, extra, []string{"Circle::extra"}, true},
		{"implementations for the standard library are removed", func() {
			replace("more.rs", "pub struct More;\npub trait Extra { fn extra(&self); }\n")
		}, extra, []string{"Circle::extra", "String::extra", "More::next"}, true},
	} {
		before, program := first, first.program
		c.change()
		var got []string
		if got, first = check(c.user); !slices.Equal(got, c.want) {
			t.Errorf("%s: the absent members are %q, want %q", c.name, got, c.want)
		}
		if (first == before) != c.types || c.types && first.program != program {
			t.Errorf("%s: the types are retained: %v, and what was read of the dependencies: %v", c.name, first == before, first.program == program)
		}
	}
}

// TestTypes_GlobsBesideForeignCrates checks files with glob imports, while another file uses a crate that is not required.
func TestTypes_GlobsBesideForeignCrates(t *testing.T) {
	w := typesWorld(t)
	for imports, want := range map[string]string{
		"use shapes::*;":                       "Circle::gone",
		"use std::fmt::*; use shapes::Circle;": "Circle::gone",
		"use shapes::*; use crate::other::*;":  "",
		"use {shapes::*};":                     "",
	} {
		src := imports + " pub mod other; fn f(c: Circle) { c.gone() }"
		types, err := w.rust().Types(t.Context(), w.project)
		if err != nil {
			t.Fatal(err)
		}
		files := []*ecosystem.SourceFile{
			{Name: "src/lib.rs", Dir: w.project, Text: []byte(src)},
			{Name: "src/other.rs", Dir: w.project, Text: []byte("pub use absent::Circle;")},
		}
		var found []string
		for _, u := range types.Uses(files)[files[0]] {
			if u.Fault != ecosystem.NoFault {
				found = append(found, u.Path)
			}
		}
		if strings.Join(found, " ") != want {
			t.Errorf("%s: the absent members are %q, want %q", imports, found, want)
		}
	}
}

// TestTypes_EditedMembers checks that files of several packages of a project see each other's edits.
func TestTypes_EditedMembers(t *testing.T) {
	w := typesWorld(t)
	lock, err := os.ReadFile(filepath.Join(w.project, "Cargo.lock"))
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml":       "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\nmembers = [\"parts\"]\n[dependencies]\nshapes = \"1\"\nparts = { path = \"parts\" }\n",
		"Cargo.lock":       strings.Replace(string(lock), `["shapes"]`, `["shapes", "parts"]`, 1) + "[[package]]\nname = \"parts\"\nversion = \"0.1.0\"\n",
		"parts/Cargo.toml": "[package]\nname = \"parts\"\nversion = \"0.1.0\"\nedition = \"2021\"\n",
		"parts/src/lib.rs": "pub struct Part;\nimpl Part { pub fn one(&self) {} }\n",
		"src/lib.rs":       "",
	})
	rs := w.rust()
	check := func(app, parts string) (found []string) {
		types, err := rs.Types(t.Context(), w.project)
		if err != nil {
			t.Fatal(err)
		}
		defer types.(io.Closer).Close()
		files := []*ecosystem.SourceFile{
			{Name: "src/lib.rs", Dir: w.project, Text: []byte(app)},
			{Name: "parts/src/lib.rs", Dir: w.project, Text: []byte(parts)},
		}
		uses := types.Uses(files)
		for _, f := range files {
			for _, u := range uses[f] {
				if u.Fault != ecosystem.NoFault {
					found = append(found, u.Path)
				}
			}
		}
		return found
	}
	const app = "fn f(p: parts::Part) { p.one(); p.two(); p.push() }"
	for _, c := range []struct{ parts, want string }{
		{"pub struct Part;\nimpl Part { pub fn one(&self) {} }\nfn f(p: Part) { p.one(); p.push() }\n", "Part::two Part::push Part::push"},
		{"pub struct Part;\nimpl Part { pub fn two(&self) {} }\nfn f(p: Part) { p.two(); p.push() }\n", "Part::one Part::push Part::push"},
		{"pub struct Part;\nimpl Part { pub fn one(&self) {} pub fn push(&self) {} }\nfn f(p: Part) { p.one(); p.two() }\n", "Part::two Part::two"},
	} {
		if got := strings.Join(check(app, c.parts), " "); got != c.want {
			t.Errorf("with %s, the absent members are %s, want %s", c.parts, got, c.want)
		}
	}
}
