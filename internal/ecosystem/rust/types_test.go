package rust

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/project"
)

// typesWorld is a project with a vendored dependency and a standard library.
func typesWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	rustup := t.TempDir()
	w.env = append(w.env, "RUSTUP_HOME="+rustup)
	library := "toolchains/1.90.0-" + hostTriple() + "/lib/rustlib/src/rust/library/"
	filetest.Write(t, rustup, map[string]string{
		library + "std/Cargo.toml":   "[package]\nname = \"std\"\nversion = \"0.0.0\"\nedition = \"2024\"\n",
		library + "std/src/lib.rs":   "pub mod vec;\n",
		library + "std/src/names.rs": "fn iter() {} fn filter() {} fn map() {} fn for_each() {} fn enumerate() {} fn into_iter() {} fn rev() {} fn next() {} fn collect() {} fn trim() {} fn split() {} fn drop() {} fn get() {} fn borrow() {} fn flatten() {} fn join() {} fn partial_cmp() {}",
		library + "std/src/vec.rs":   "pub struct Vec<T>(T);\nimpl<T> Vec<T> { pub fn push(&mut self, value: T) {} pub fn len(&self) -> usize { 0 } }\npub trait Clone { fn clone(&self) -> Self; }\nimpl<T> Option<T> { pub fn unwrap(self) -> T { loop {} } }\n",
	})
	filetest.Write(t, w.project, map[string]string{
		"rust-toolchain.toml": "[toolchain]\nchannel = \"1.90.0\"\n",
		"Cargo.toml":          "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nshapes = \"1\"\n",
		"src/lib.rs":          "pub struct Own { pub size: u8 }\n",
		"Cargo.lock": `version = 3
[[package]]
name = "app"
version = "0.1.0"
dependencies = ["shapes"]
[[package]]
name = "shapes"
version = "1.0.0"
source = "` + lockedSource + `"
`,
	})
	w.vendor("shapes", "1.0.0", "", map[string]string{
		".cargo-checksum.json": `{"files":{}}`,
		"src/lib.rs": `pub struct Circle { pub radius: f64 }
impl Circle { pub fn area(&self) -> f64 { self.radius.hidden() } }
macro_rules! getter { ($name:ident) => { impl Circle { pub fn $name(&self) {} } } }
getter!(width);
/// A comment with worrd.
fn helper(argument: u8) { let lokal = "litteral"; build!(called); format!("{}", printed); }
pub mod plain { #[macro_use] #[path = "."] mod inner { #[macro_export] macro_rules! made { () => { mod inside {} } } } pub struct Here; }
macro_rules! forms { ($name:ident) => { paste! { impl Circle { pub fn [<set_ $name>](&mut self) {} pub fn [<$name _mut>](&mut self) {} } } } }
`,
	})
	return w
}

// faults returns the members in the code of src/lib.rs that do not exist.
func (w *world) faults(text string) (found []string, err error) { return w.faultsOf(w.rust(), text) }

func (w *world) faultsOf(rs *Rust, text string) (found []string, err error) {
	types, partial := rs.Types(w.t.Context(), w.project)
	if types == nil {
		return nil, partial
	}
	defer types.(io.Closer).Close()
	f := &ecosystem.SourceFile{Name: "src/lib.rs", Dir: w.project, Text: []byte(text)}
	for _, u := range types.Uses([]*ecosystem.SourceFile{f})[f] {
		switch u.Fault {
		case ecosystem.AbsentFault:
			found = append(found, u.Path)
		case ecosystem.UnexportedFault:
			found = append(found, "private "+u.Path)
		case ecosystem.ArgumentsFault:
			found = append(found, "arguments "+u.Path)
		case ecosystem.FieldsFault:
			found = append(found, "fields "+u.Path)
		}
	}
	return found, partial
}

func TestTypes_Members(t *testing.T) {
	w := typesWorld(t)
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"methods and fields of all crates", "fn f(x: X) { x.push(1).area(); x.radius; x.size; x.r#size }", nil},
		{"members that no crate declares", "fn f(x: X) { x.psuh(1).area(); x\n .raduis.len(); x.r#sized }", []string{"psuh", "raduis", "sized"}},
		{"members that are only used", "fn f(x: X) { x.hidden() }", []string{"hidden"}},
		{"words that declare no members", "fn f(x: X) { x.worrd(); x.lokal; x.printed }", []string{"worrd", "lokal", "printed"}},
		{"words that may declare members", "fn f(x: X) { x.helper(); x.argument; x.litteral; x.called; x.build() }", []string{"build"}},
		{"names in calls of macros", "fn f(x: X) { x.width(); x.widht() }", []string{"widht"}},
		{"names that macros form", "fn f(x: X) { x.set_radius(); x.radius_mut(); x.set_raduis(); x.radius_ref() }", []string{"set_raduis", "radius_ref"}},
		{"ranges, numbers and awaits", "fn f(x: X) { x..end; 0..=last; 1.5e3; x.await; x?.0.1 }", nil},
		{"arguments of macros", "fn f(x: X) { assert_eq!(x.lenn(), 1); html!(div.klass); macro_rules! m { () => { x.other() } } }", []string{"lenn"}},
		{"conditions", "#[cfg(feature = \"x\")]\nfn f(x: X) { x.other() }\n#[cfg(test)]\nmod t { fn f(x: X) { x.absent() } }", []string{"absent"}},
		{"crates that are not required", "use unknown::X;\nfn f(x: X) { x.other() }", []string{"unknown"}},
		{"crates that are not required, in globs and blocks", "use unknown::*;\nmod m { use ::absent::{a, b}; use other::c as o; }", []string{"unknown", "absent", "other"}},
		{"crates that are not required, in functions", "fn f() { use absent::a; }\nfn g() { if h { use std::fmt; use fmt::Debug; use unknown::*; } }", []string{"absent", "unknown"}},
		{"modules, items and macros at the beginning of paths", "mod m { pub mod n { pub struct S; } }\nuse m::n;\nuse n::S;\nenum E { A }\nmacro_rules! k { () => {} }\npub(crate) use k as l;\nuse E::A;\nfn f() { mod inner { pub fn g() {} } use inner::g; }", nil},
		{"names that macros may declare", "unread! { mod made }\nuse made::X;", nil},
		{"globs that are not known", "use shapes::*;\nuse super::more::*;\nuse perhaps::X;", nil},
		{"names that the outline of the standard library lacks", "extern crate alloc;\nuse std::{arch::x86_64::*, intrinsics::copy, mem::offset_of, pin::{pin, Pin}, ptr::{addr_of, addr_of_mut}};\nuse core::arch::asm;\nuse alloc::{format, vec};", nil},
		{"names in the standard library", "use std::{fmt::{Dispaly, Debug as D, self}, io::{self, Read}, colections::HashMap};\nuse core::option::Option::{Some, Sme};\nfn f() { use std::path::PathBfu; }", []string{"Dispaly", "colections", "Option::Sme", "PathBfu"}},
		{"modules with the names of primitive types", "use std::str;\nfn f() { std::str::from_uft8(b); core::f64::consts::PIE; std::u8::MAX; str::from_utf8(b); std::f32::EPSILON; std::char::from_digit(1, 2) }", []string{"from_uft8", "PIE"}},
		{"fields of a crate with a file that cannot be read", "include!(concat!(env!(\"OUT_DIR\"), \"/absent.rs\"));\nstruct A { size: u8 }\nfn f() { A { siez: 1 } }", []string{"fields A"}},
		{"names that macros declare in functions", "macro_rules! read { ($($t:tt)*) => {} } fn f() { read! { posts, 1 } posts::ID; absent::ID; self::read!(users); let x: users::ID; }", []string{"absent"}},
		{"names that unknown macros may declare in functions", "fn f() { m::unread!(1); other::ID; }", []string{"m"}},
		{"a macro at the beginning", "macro_rules! m { () => { fn f() -> fmt::Result {} } }", nil},
		{"names that macros of crates declare in functions", "fn f() { shapes::made!(); inside::g(); outside::g() }", []string{"outside"}},
		{"paths in code for other crates", "fn f() { syn::parse_quote! { root::Type }; syn::html! { x.member } }", []string{"syn", "syn"}},
		{"the library of the project", "use app::Own;\nfn f(x: Own) { x.other() }", []string{"other"}},
	} {
		got, err := w.faults(c.src)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: the absent members are %q, error %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestTypes_NamesLikeThatOfAnAbsentMember(t *testing.T) {
	w := typesWorld(t)
	types, err := w.rust().Types(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	defer types.(io.Closer).Close()
	f := &ecosystem.SourceFile{Name: "src/lib.rs", Dir: w.project, Text: []byte(`pub struct Own { pub size: u8 }
impl Own { fn grow_fast(&mut self) {} }
impl Drop for Own { fn drop(&mut self) {} }
fn f(o: &Own, c: shapes::Circle) { o.grow_slowly_fast(); o.sizes; o.dropp(); c.areas(); Own { sizes: 1, size: 2 }; Own { siez: 1 }; Own {}; }
use std::collections::{HashMpa, BTreeMap}; use std::colections::HashSet;
`)}
	var got []string
	for _, u := range types.Uses([]*ecosystem.SourceFile{f})[f] {
		switch u.Fault {
		case ecosystem.FieldsFault:
			got = append(got, strings.Join(append([]string{u.Path, u.Fields[0].Name + u.Message}, u.Near...), " "))
		case ecosystem.ArgumentsFault:
			got = append(got, u.Path+" "+u.Message)
		case ecosystem.AbsentFault:
			got = append(got, strings.Join(append([]string{u.Path}, u.Near...), " "))
		}
	}
	want := []string{"Own::grow_slowly_fast grow_fast", "Own::sizes size", "Own::dropp", "Circle::areas area", "Own sizes size", "Own siez size", "Own it lacks the field size", "HashMpa HashMap hash_map", "colections collections"}
	if !slices.Equal(got, want) {
		t.Errorf("the absent members and the names like them are %q, want %q", got, want)
	}
}

// isPartial reports whether an error is that of partial types whose reason contains a text.
func isPartial(err error, text string) bool {
	partial, ok := errors.AsType[*ecosystem.PartialError](err)
	return ok && strings.Contains(partial.Reason, text)
}

// TestTypes_MembersNeedAllSources removes sources that may declare any member.
func TestTypes_MembersNeedAllSources(t *testing.T) {
	const src = "fn f(x: X) { x.other() }"
	const imports = "use std::{mme, path::Pahts};\nuse shapes::Squares;\nuse library_of_shapes::X;\nfn g() { std::mem::swap(a, b, c) }\n" // the last may be the library of shapes
	w := typesWorld(t)
	if got, err := w.faults(src); err != nil || len(got) != 1 {
		t.Fatalf("the absent members are %q, error %v", got, err)
	}
	filetest.Write(t, w.project, map[string]string{"schema/a.proto": "message A { string other = 1; }\n"})
	if got, err := w.faults(src); err != nil || len(got) != 0 {
		t.Errorf("with a schema, the absent members are %q, error %v", got, err)
	}
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\nshapes = \"1\"\n[build-dependencies]\nbindgen = \"1\"\n"})
	if got, err := w.faults(src); !isPartial(err, "bindgen") || len(got) != 0 {
		t.Errorf("with generated bindings, the absent members are %q, error %v", got, err)
	}
	w = typesWorld(t)
	w.config("")
	filetest.Write(t, w.project, map[string]string{".cargo/config.toml": "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"" + filepath.ToSlash(t.TempDir()) + "\"\n"})
	rs := w.rust()
	for range 2 { // the second check must not use what the first one has read
		if got, err := w.faultsOf(rs, imports+src); !isPartial(err, "shapes; run cargo fetch") || strings.Join(got, " ") != "mme Pahts" {
			t.Errorf("without the sources of a dependency, the absent names are %q, error %v", got, err)
		}
	}
	if err := os.Remove(filepath.Join(w.project, "Cargo.lock")); err != nil {
		t.Fatal(err)
	}
	if got, err := w.faults(imports + src); !isPartial(err, "no Cargo.lock") || strings.Join(got, " ") != "mme Pahts" {
		t.Errorf("without Cargo.lock, the absent names are %q, error %v", got, err)
	}
	w = typesWorld(t)
	w.env = append(w.env, "RUSTUP_HOME="+t.TempDir())
	if got, err := w.faults(src + "\npub struct Own;\nfn g(o: Own, v: Vec<u8>) { o.other(); v.other() }"); err != nil || !slices.Equal(got, []string{"Own::other", "Vec::other"}) {
		t.Errorf("without the sources of the standard library, the absent members are %q, error %v", got, err)
	}
}

// TestTypes_StandardOutline checks members without the sources of the standard library.
func TestTypes_StandardOutline(t *testing.T) {
	const src = "use std::{fs::Fiel, pin::Pni, cmp::Ordering::Les};\nfn f(v: Vec<u8>, x: X) { v.push(1); v.other(); x.psuh(); x.encode_wide() }"
	const imports = "Fiel Pni Ordering::Les"
	for _, c := range []struct{ version, prefix, want string }{
		{"1.90.0 (1159e78c4 2025-09-14)", "", imports + " Vec::other psuh"},
		{"1.90.0 (1159e78c4 2025-09-14)", "use std::os::unix::ffi::OsStrExt;\n", imports + " Vec::other psuh"},
		{"1.90.0 (1159e78c4 2025-09-14)", "use std::os::windows::ffi::OsStrExt;\n", "Fiel Pni"},
		{"1.90.0 (1159e78c4 2025-09-14)", "#![feature(extend_one)]\n", ""},
		{"1.90.0 (1159e78c4 2025-09-14)", "#![cfg_attr(feature = \"nightly\", feature(read_buf))]\n#[cfg(feature = \"all\")]\nuse std::io::BorrowedBfu;\n", imports + " Vec::other psuh"},
		{"1.90.0-nightly (1159e78c4 2025-09-14)", "", ""},
		{"1.900.0 (1159e78c4 2025-09-14)", "", ""},
		{"", "", ""},
	} {
		w := typesWorld(t)
		rustup := t.TempDir()
		w.env = append(w.env, "RUSTUP_HOME="+rustup)
		filetest.Write(t, rustup, map[string]string{"toolchains/1.90.0-" + hostTriple() + "/lib/rustlib/multirust-channel-manifest.toml": "[pkg.rust]\nversion = \"" + c.version + "\"\n"})
		manifest, err := os.ReadFile(filepath.Join(w.project, "Cargo.toml"))
		if err != nil {
			t.Fatal(err)
		}
		filetest.Write(t, w.project, map[string]string{"Cargo.toml": string(manifest) + "[features]\nnightly = []\nall = [\"nightly\"]\n"})
		if got, err := w.faults(c.prefix + src); err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("with version %q and %q, the absent members are %q, error %v; want %q", c.version, c.prefix, got, err, c.want)
		}
	}
}

// TestTypes_FeaturesOfNightlyCompilers checks a call of a function that differs with a feature, which the condition of an attribute for
// nightly compilers mentions.
func TestTypes_FeaturesOfNightlyCompilers(t *testing.T) {
	for condition, want := range map[string]string{
		`feature = "fast"`:                                                 "arguments run",
		`any(nightly, all(feature = "fast"))`:                              "arguments run",
		`all(any(nightly, feature = "fast"), feature = "fast")`:            "arguments run",
		`all(feature = "fast", nightly)`:                                   "",
		`any(all(feature = "fast", not(feature = "other")), not(nightly))`: "",
	} {
		src := "#![cfg_attr(" + condition + ", feature(portable_simd))]\n#[cfg(feature = \"fast\")] fn run(a: u8, b: u8) {}\n#[cfg(not(feature = \"fast\"))] fn run(a: u8) {}\nfn f() { run(1, 2) }"
		w := typesWorld(t)
		rustup := t.TempDir()
		w.env = append(w.env, "RUSTUP_HOME="+rustup)
		filetest.Write(t, rustup, map[string]string{"toolchains/1.90.0-" + hostTriple() + "/lib/rustlib/multirust-channel-manifest.toml": "[pkg.rust]\nversion = \"1.90.0 (1159e78c4 2025-09-14)\"\n"})
		manifest, err := os.ReadFile(filepath.Join(w.project, "Cargo.toml"))
		if err != nil {
			t.Fatal(err)
		}
		filetest.Write(t, w.project, map[string]string{"Cargo.toml": string(manifest) + "[features]\nfast = []\nother = []\n", "src/lib.rs": src})
		if got, err := w.faults(src); err != nil || strings.Join(got, " ") != want {
			t.Errorf("with %s, the wrong calls are %q, error %v; want %q", condition, got, err, want)
		}
		rs := w.rust() // its second check uses what the first one has read
		for _, c := range []struct{ src, want string }{{src, want}, {strings.Replace(src, condition, "nightly", 1), ""}} {
			if got, err := w.faultsOf(rs, c.src); err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("%s\nwith retained types, the wrong calls are %q, error %v; want %q", c.src, got, err, c.want)
			}
		}
	}
}

// TestTypes_ToolchainThatIsNotInstalled checks imports from the standard library of a toolchain whose name is a version.
func TestTypes_ToolchainThatIsNotInstalled(t *testing.T) {
	for channel, want := range map[string]string{"1.70": "Fiel", "1.70.0": "Fiel", "1.900": "", "stable": "", "nightly-2025-01-01": ""} {
		w := typesWorld(t)
		filetest.Write(t, w.project, map[string]string{"rust-toolchain.toml": "[toolchain]\nchannel = \"" + channel + "\"\n"})
		if got, err := w.faults("use std::fs::Fiel;"); err != nil || strings.Join(got, " ") != want {
			t.Errorf("with the toolchain %s, the absent names are %q, error %v; want %q", channel, got, err, want)
		}
	}
}

// TestTypes_MisspelledCrate checks the names of crates where a derive macro may declare items.
func TestTypes_MisspelledCrate(t *testing.T) {
	w := typesWorld(t)
	const src = "macro_rules! shappes { () => {} }\n#[derive(Unread)]\nstruct S;\nuse %s;\n"
	for path, want := range map[string]string{"shaeps::Circle": "shaeps", "shaeps": "shaeps", "shappes": "", "shaeps::Square": "", "generated::Circle": "", "shapes::Circle": ""} {
		if got, err := w.faults(strings.Replace(src, "%s", path, 1)); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%s: the absent names are %q, error %v; want %q", path, got, err, want)
		}
	}
}

// TestTypes_GeneratedFiles checks members of a crate that includes a file that its build script writes.
func TestTypes_GeneratedFiles(t *testing.T) {
	for script, want := range map[string]string{
		`fn main() { std::fs::write(out, "pub mod inner { pub struct Other; }"); }`:            "Circle::volume",
		`fn main() { std::fs::write(out, std::fs::read_to_string("circle").unwrap()); }`:       "",
		`fn main() { std::fs::write(out, "pub use inner::Circle; pub fn volume(&self) {}"); }`: "",
	} {
		w := typesWorld(t)
		w.vendor("shapes", "1.0.0", "", map[string]string{
			"build.rs":   script,
			"src/lib.rs": "pub struct Circle;\nimpl Circle { pub fn area(&self) {} }\npub fn volume() {}\ninclude!(concat!(env!(\"OUT_DIR\"), \"/generated.rs\"));\n",
		})
		if got, err := w.faults("fn f(c: shapes::Circle) { c.area(); c.volume() }"); err != nil || strings.Join(got, " ") != want {
			t.Errorf("with %s, the absent members are %q, error %v; want %q", script, got, err, want)
		}
	}
}

// TestTypes_OtherFeatures checks members that other features or an attribute may provide.
func TestTypes_OtherFeatures(t *testing.T) {
	for lib, want := range map[string]string{
		"#[cfg(not(feature = \"small\"))] mod large;":                    "Point::volume",
		"#[cfg(feature = \"other\")] mod large;":                         "Circle::volume Point::volume",
		"impl Circle { fn volume(&self) {} }":                            "private Circle::volume Point::volume",
		"impl Circle { #[internal::public(large)] fn volume(&self) {} }": "Point::volume",
	} {
		w := typesWorld(t)
		manifest := "\n[features]\ndefault = [\"small\"]\nsmall = []\n"
		w.vendor("shapes", "1.0.0", manifest, map[string]string{
			"src/lib.rs":   "pub struct Circle;\npub struct Point;\nimpl Circle { pub fn area(&self) {} }\n" + lib,
			"src/large.rs": "use super::Circle;\nimpl Circle { pub fn volume(&self) {} }\n",
		})
		if got, err := w.faults("fn f(c: shapes::Circle, p: shapes::Point) { c.area(); c.volume(); p.volume() }"); err != nil || strings.Join(got, " ") != want {
			t.Errorf("with %s, the absent members are %q, error %v; want %q", lib, got, err, want)
		}
	}
}

// TestTypes_ConditionalGlobs checks functions that come from different modules in different builds.
func TestTypes_ConditionalGlobs(t *testing.T) {
	w := typesWorld(t)
	manifest, err := os.ReadFile(filepath.Join(w.project, "Cargo.toml"))
	if err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": string(manifest) + "[features]\none = []\ntwo = []\n"})
	const modules = "mod one { pub fn get(a: u8) {} pub fn same(a: u8) {} }\nmod two { pub fn get(a: u8, b: u8) {} pub use super::one::same; }\nfn f() { get(1); get(1, 2); same(1, 2) }\n"
	for globs, want := range map[string]string{
		"#[cfg(feature = \"one\")] use one::*;\n#[cfg(feature = \"two\")] use two::*;\n": "arguments same",
		"#[cfg(feature = \"one\")] use one::*;\n":                                        "arguments get arguments same",
	} {
		if got, err := w.faults(globs + modules); err != nil || strings.Join(got, " ") != want {
			t.Errorf("with %q, the faults are %q, error %v; want %q", globs, got, err, want)
		}
	}
}

// TestTypes_OtherBuilds checks a member that no build has, although modules that are off contain the name of its type.
func TestTypes_OtherBuilds(t *testing.T) {
	for lib, want := range map[string]string{
		"#[cfg(not(feature = \"small\"))] mod large;":                                                                                      "",
		"#[cfg(not(feature = \"small\"))] mod large;\n#[cfg(feature = \"small\")] mod large;":                                              "Circle::gone",
		"#[cfg(not(feature = \"small\"))] mod made;":                                                                                       "",
		"#[cfg(not(feature = \"small\"))] mod own;":                                                                                        "Circle::gone",
		"#[cfg(not(feature = \"small\"))] mod user;":                                                                                       "Circle::gone",
		"#[cfg(not(feature = \"small\"))] mod maker;":                                                                                      "",
		"#[cfg(feature = \"extra\")] mod extra;\n#[cfg(feature = \"extra\")] pub use self::extra::Imported;":                               "Circle::gone",
		"#[cfg(feature = \"extra\")] mod extra;\n#[cfg(feature = \"extra\")] pub use self::extra::Trait as Imported;":                      "",
		"#[cfg(feature = \"extra\")] mod extra;\n#[cfg(feature = \"extra\")] pub use crate::extra::Imported;\nuse shapes::round::Missing;": "Circle::gone",
	} {
		w := typesWorld(t)
		w.vendor("shapes", "1.0.0", "\n[features]\ndefault = [\"small\"]\nsmall = []\nextra = []\n", map[string]string{
			"src/lib.rs":   "pub struct Circle;\n" + lib,
			"src/large.rs": "use super::Circle;\nimpl Circle { pub fn volume(&self) {} }\n",
			"src/own.rs":   "pub struct Circle;\nimpl Circle { pub fn gone(&self) {} }\n",
			"src/made.rs":  "use super::Circle;\nimpl super::Make for u8 { type Circle = Circle; }\nimpl Circle { pub fn gone(&self) {} }\n",
			"src/user.rs":  "use super::Circle;\npub fn area(c: Circle) { impls(c.gone()) }\n",
			"src/maker.rs": "mod inner { make! { super::Circle gone } }\n",
			"src/extra.rs": "pub struct Imported;\npub trait Trait { fn gone(&self) {} }\n",
		})
		if got, err := w.faults("use shapes::Imported;\nfn f(c: shapes::Circle) { c.gone() }"); err != nil || strings.Join(slices.DeleteFunc(got, func(name string) bool { return name == "Imported" }), " ") != want {
			t.Errorf("with %s, the absent members are %q, error %v; want %q", lib, got, err, want)
		}
	}
}

// deriveWorld is a project with a dependency that declares derive macros in its root and their code in another file.
func deriveWorld(t *testing.T, root, code string) *world {
	w := typesWorld(t)
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nshapes = \"1\"\nmarks = \"1\"\n",
		"Cargo.lock": "version = 3\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [\"shapes\", \"marks\"]\n[[package]]\nname = \"shapes\"\nversion = \"1.0.0\"\nsource = \"" + lockedSource + "\"\n[[package]]\nname = \"marks\"\nversion = \"1.0.0\"\nsource = \"" + lockedSource + "\"\n",
	})
	w.vendor("shapes", "1.0.0", "", map[string]string{".cargo-checksum.json": `{"files":{}}`, "src/lib.rs": "pub struct Circle;\nimpl Circle { pub fn gone(&self) {} }\n"})
	w.vendor("marks", "1.0.0", "[lib]\nproc-macro = true\n", map[string]string{".cargo-checksum.json": `{"files":{}}`, "src/lib.rs": "mod code;\n" + root, "src/code.rs": code})
	return w
}

func TestTypes_DeriveMacros(t *testing.T) {
	for code, want := range map[string]string{
		"quote! { impl Mark for #name {} }":                             "Own::gone",
		"quote! { impl #name { pub fn gone(&self) {} } }":               "",
		"quote! { impl Mark for #name {} impl #name { #(#methods)* } }": "",
		"shapes::generate(input)":                                       "",
	} {
		w := deriveWorld(t, "#[proc_macro_derive(Mark, attributes(mark))]\npub fn mark(input: TokenStream) -> TokenStream { code::of(input) }\n#[cfg(target_os = \"none\")]\n#[proc_macro_derive(Other)]\npub fn other(input: TokenStream) -> TokenStream { code::of(input) }\n",
			"pub fn of(input: TokenStream) -> TokenStream { "+code+" }\n")
		if got, err := w.faults("use marks::Mark;\n#[derive(Mark)]\n#[mark(deep)]\nstruct Own;\nfn f(o: Own) { o.gone() }"); err != nil || strings.Join(got, " ") != want {
			t.Errorf("with %s, the absent members are %q, error %v; want %q", code, got, err, want)
		}
		if got, err := w.faults("use marks::{Mark, Mork, Other};"); err != nil || strings.Join(got, " ") != "Mork" {
			t.Errorf("with %s, the absent imports are %q, error %v", code, got, err)
		}
	}
}

// TestTypes_SeveralDeriveMacros checks that the code of one macro in a crate does not count as that of others.
func TestTypes_SeveralDeriveMacros(t *testing.T) {
	for code, want := range map[string]string{
		"pub fn mark(i: I) -> T { quote! { impl Mark for #name {} } } pub fn other(i: I) -> T { quote! { impl #name { pub fn gone(&self) {} } } }":                                                                                                                       "Own::gone",
		"pub fn mark(i: I) -> T { quote! { impl #name { pub fn gone(&self) {} } } } pub fn other(i: I) -> T { quote! { impl Mark for #name {} } }":                                                                                                                       "Twin::gone",
		"pub fn mark(i: I) -> T { text(i) } pub fn other(i: I) -> T { quote! { impl Mark for #name {} } } fn text(i: I) -> T { made(i) }":                                                                                                                                "Twin::gone",
		"pub fn mark(i: I) -> T { Code::new(i).tokens() } pub fn other(i: I) -> T { mark(i) } struct Code; impl Code { fn tokens(self) -> T { quote!(impl Mark for #name {}) } }":                                                                                        "Own::gone Twin::gone",
		"pub fn mark(i: I) -> T { let c: Code = i.parse(); quote! { impl Mark for #name {} #c } } pub fn other(i: I) -> T { quote! { impl Mark for #name {} } } struct Code(Inner); struct Inner; impl ToTokens for Inner { fn to(&self) { quote! { impl #name {} } } }": "Twin::gone",
		"use self::inherent as helper; pub fn mark(i: I) -> T { helper(quote! { impl Mark for #name {} }) } pub fn other(i: I) -> T { quote! { impl Mark for #name {} } } fn inherent(t: T) -> T { quote! { impl #name {} } }":                                           "Twin::gone",
		"pub fn mark(i: I) -> T { i.extra(); quote! { impl Mark for #name {} } } pub fn other(i: I) -> T { quote! { impl Mark for #name {} } } impl Extra for syn::Data { fn extra(&self) -> T { quote! { impl #name {} } } }":                                           "Twin::gone",
		"made! { hidden } pub fn mark(i: I) -> T { quote! { impl Mark for #name {} } } pub fn other(i: I) -> T { mark(i) }":                                                                                                                                              "Own::gone Twin::gone",
	} {
		w := deriveWorld(t, "#[proc_macro_derive(Mark)]\npub fn mark_macro(input: I) -> T { code::mark(input) }\n#[proc_macro_derive(Other)]\npub fn other_macro(input: I) -> T { code::other(input) }\n", code)
		if got, err := w.faults("use marks::{Mark, Other};\n#[derive(Mark)] struct Own;\n#[derive(Other)] struct Twin;\nfn f(o: Own, t: Twin) { o.gone(); t.gone() }"); err != nil || strings.Join(got, " ") != want {
			t.Errorf("with %s, the absent members are %q, error %v; want %q", code, got, err, want)
		}
	}
}

// TestTypes_UnreadableProject checks that the error says which file of a project was not read, and that others are those of packages.
func TestTypes_UnreadableProject(t *testing.T) {
	for _, c := range []struct {
		name, file, text, want string
	}{
		{"a large manifest", "Cargo.toml", "[package]\nname = \"app\"\n" + strings.Repeat("# a comment\n", 400_000), "Cargo.toml is larger than"},
		{"a large lock file", "Cargo.lock", strings.Repeat("# a comment\n", 6_000_000), "Cargo.lock is larger than"},
		{"a damaged manifest", "Cargo.toml", "[package\n", "Cargo.toml: it is not valid TOML"},
	} {
		w := typesWorld(t)
		filetest.Write(t, w.project, map[string]string{c.file: c.text})
		_, err := w.rust().Types(t.Context(), w.project)
		if _, ok := errors.AsType[*ecosystem.Error](err); err == nil || ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v", c.name, err)
		}
	}
	_, err := typesWorld(t).rust().Types(t.Context(), t.TempDir())
	if _, ok := errors.AsType[*ecosystem.Error](err); !ok {
		t.Errorf("without a project: error %v", err)
	}
}

// TestTypes_BuildScript checks a build script, which sees the build dependencies and neither the library nor its dependencies.
func TestTypes_BuildScript(t *testing.T) {
	w := typesWorld(t)
	lock, err := os.ReadFile(filepath.Join(w.project, "Cargo.lock"))
	if err != nil {
		t.Fatal(err)
	}
	w.vendor("tool-kit", "1.0.0", "[lib]\nname = \"tools\"\n", map[string]string{"src/lib.rs": "pub struct Tool;\nimpl Tool { pub fn run(&self) {} }\n"})
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\nbuild = \"src/gen.rs\"\n[dependencies]\nshapes = \"1\"\n[build-dependencies]\ntool-kit = \"1\"\n",
		"Cargo.lock": strings.Replace(string(lock), `["shapes"]`, `["shapes", "tool-kit"]`, 1) + "[[package]]\nname = \"tool-kit\"\nversion = \"1.0.0\"\nsource = \"" + lockedSource + "\"\n",
		"src/gen.rs": "",
	})
	rs := w.rust()
	for text, want := range map[string]string{
		"use tools::Tool;\nfn main() { Tool.run(); Tool.walk(); }": "Tool::walk",
		"use tools::{Tool, Hammer};\nfn main() {}":                 "Hammer",
	} {
		types, err := rs.Types(t.Context(), w.project)
		if err != nil {
			t.Fatal(err)
		}
		f := &ecosystem.SourceFile{Name: "src/gen.rs", Dir: w.project, Text: []byte(text)}
		var got []string
		for _, u := range types.Uses([]*ecosystem.SourceFile{f})[f] {
			if u.Fault != ecosystem.NoFault {
				got = append(got, u.Path)
			}
		}
		types.(io.Closer).Close()
		if strings.Join(got, " ") != want {
			t.Errorf("%s: the absent names are %q, want %q", text, got, want)
		}
	}
}

// TestTypes_Roots checks a file of a test whose root file the manifest names.
func TestTypes_Roots(t *testing.T) {
	w := typesWorld(t)
	manifest, err := os.ReadFile(filepath.Join(w.project, "Cargo.toml"))
	if err != nil {
		t.Fatal(err)
	}
	const part = "use super::*;\nfn f(c: Circle) { c.area(); c.enum_iter() }"
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml":          string(manifest) + "\n[[test]]\nname = \"all\"\npath = \"tests/all.rs\"\n",
		"tests/all.rs":        "use shapes::Circle;\nmod part;\n",
		"tests/part.rs":       part,
		"tests/one.rs":        "use shapes::*;\nmod common;\n",
		"tests/common/mod.rs": part,
	})
	types, err := w.rust().Types(t.Context(), w.project)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tests/part.rs", "tests/common/mod.rs"} {
		f := &ecosystem.SourceFile{Name: name, Dir: w.project, Text: []byte(part)}
		if uses := types.Uses([]*ecosystem.SourceFile{f})[f]; len(uses) != 2 || uses[0].Path != "Circle::enum_iter" || uses[1].Text != "area" || uses[1].Fault != ecosystem.NoFault {
			t.Errorf("%s: the uses are %+v", name, uses)
		}
	}
}

// TestTypes_Retained checks a project several times with one Rust, as a server does.
func TestTypes_Retained(t *testing.T) {
	w := typesWorld(t)
	rs := w.rust()
	const src = "fn f(o: Own, c: shapes::Circle) { o.size; o.weight; c.area(); c.volume() }"
	types := func() *typeChecker {
		c, err := rs.Types(t.Context(), w.project)
		if err != nil {
			t.Fatal(err)
		}
		return c.(*typeChecker)
	}
	first := types()
	first.Close()
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"the edited file is not retained", nil, []string{"Circle::volume", "weight"}},
		{"a file of the project changes", map[string]string{"src/lib.rs": "pub struct Own { pub size: u8 }\nmod more;\n"}, []string{"Circle::volume", "weight"}},
		{"a new file declares a member", map[string]string{"src/other.rs": "fn weight() {}"}, []string{"Circle::volume"}},
		{"a dependency changes", map[string]string{"vendor/shapes/.cargo-checksum.json": "{}", "vendor/shapes/src/lib.rs": "pub struct Circle; impl Circle { pub fn volume(&self) {} }"}, []string{"Circle::area"}},
	} {
		filetest.Write(t, w.project, c.files)
		if got, err := w.faultsOf(rs, src); err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: the absent members are %q, error %v; want %q", c.name, got, err, c.want)
		}
	}
	last := types()
	if last == first {
		t.Error("the types are those from before the changes")
	}
	if c := types(); c == last {
		t.Error("the types are used twice at the same time")
	}
	last.Close()
	if c := types(); c != last {
		t.Error("the types are not retained")
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	rs.retained.put(last)
	c, err := rs.Types(stopped, w.project)
	if err != nil {
		t.Fatal(err)
	}
	c.(io.Closer).Close()
	if types() == last {
		t.Error("the types are retained although reading was stopped")
	}
}

func FuzzValues(f *testing.F) {
	for _, text := range []string{"use a::B;\nfn f(b: &B) { let c = b.d()?.e; c.f::<G>().await }", "impl<T> A<T> for B { fn c(self) { match d { e => e.f() } } }", "fn f() { use a; let b: C<D = E { |g| h!(i) } }", "fn f(", "mod a { trait B<C> { fn d() {", "fn f() {", "fn f() { match a { b =>", "fn f() { 'a: loop { break 'a", "fn f() { let a: &'b C = |d| -1 + if e { f } else {"} {
		f.Add(text)
	}
	dir := filetest.Dir(f, map[string]string{"src/lib.rs": ""})
	var program *crate.Program
	n := 0
	f.Fuzz(func(_ *testing.T, text string) {
		src := &crate.Source{Name: "a", FS: editedFS{os.DirFS(dir), dir, map[string]string{filepath.Join(dir, "src", "lib.rs"): text}}, Lib: "src/lib.rs", Edition: "2021"}
		if n++; n%100 == 1 { // a program reads the standard library
			program = crate.NewProgram(context.Background(), nil)
		}
		scope := program.Scope(src, "src/lib.rs")
		if scope == nil {
			return
		}
		r := newUsesReader(&ecosystem.SourceFile{Text: []byte(text)}, &moduleFiles{}, &project.FileCache[[]string]{})
		v := &valueReader{usesReader: r, program: program, scope: scope, member: func(int, crate.Member) {}, present: func(int, *crate.Source) {}, fault: func(int, ecosystem.Fault, item, string) {}}
		v.items(0, len(r.tokens), scope, 0)
	})
}

func FuzzWords(f *testing.F) {
	for _, text := range []string{"fn a(b: C) { d.e() }", "x . y", "..z", "r#type [<set_ $a>]", "é.ü", "1.5e3 _", "\"\\\". y", "\"$y\""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w, names := &words{affixes: map[string]bool{}}, wordSet{}
		addWords(text, names)
		w.addAffixes(text)
		eachDeclared(text, func(word string) {
			if word == "" || !strings.Contains(text, word) {
				t.Errorf("%q is not a word of %q", word, text)
			}
		})
		w.names = names.hashes()
		read := &words{}
		data, err := w.encode()
		if err == nil {
			err = read.decode(data)
		}
		if err != nil && !utf8.ValidString(text) {
			return // cargo does not build such a file
		}
		if err != nil || !slices.Equal(read.names, w.names) || !maps.Equal(read.affixes, w.affixes) {
			t.Errorf("the words of %q are cached as %v %v, error %v; want %v %v", text, read.names, read.affixes, err, w.names, w.affixes)
		}
		_ = read.decode([]byte(text)) // must not panic
	})
}

// TestTypes_Values looks for members that other types have.
func TestTypes_Values(t *testing.T) {
	w := typesWorld(t)
	w.vendor("shapes", "1.0.0", "[features]\nextra = []\n", map[string]string{
		".cargo-checksum.json": `{"files":{}}`,
		"src/lib.rs": `use std::{future::Future, ops::Deref};
#[derive(Clone, Debug)]
pub struct Circle { pub radius: f64, secret: u8, pub center: Point }
#[derive(Clone)]
pub struct Point { pub x: f64 }
pub struct Builder { name: String }
pub struct Error;
pub type Result<T> = std::result::Result<T, Error>;
#[cfg(feature = "extra")] mod deep { use super::*; pub struct Deep; pub mod deeper {} }
#[cfg(feature = "extra")] pub use self::deep::*;
#[cfg(feature = "extra")] pub struct Hidden;
#[cfg(feature = "extra")] pub trait Masked { fn build(&self); }
impl Circle {
    pub fn new() -> Self { loop {} }
    pub fn builder() -> Builder { loop {} }
    pub fn area(&self) -> f64 { 0.0 }
    fn hidden(&self) {}
    #[cfg(unknown_option)]
    pub fn optional(&self) {}
    #[cfg(feature = "extra")]
    pub fn extra(&self) {}
}
impl Builder {
    pub fn name(mut self, name: &str) -> Self { self }
    pub fn build(self) -> Result<Circle> { loop {} }
    pub async fn fetch(self) -> Option<Circle> { loop {} }
    pub fn send(self) -> impl Future<Output = Result<Circle>> + Send { async { loop {} } }
}
pub struct Guard<T> { value: T }
impl<T> Guard<T> { pub fn of(value: T) -> Guard<T> { loop {} } pub fn lock(&self) -> Option<&T> { loop {} } }
impl<T> Deref for Guard<T> { type Target = T; fn deref(&self) -> &T { loop {} } }
pub fn guarded() -> Guard<Circle> { loop {} }
pub struct Cell<T>(T, pub u8);
impl<T> Deref for Cell<T> { type Target = T; fn deref(&self) -> &T { loop {} } }
pub trait Draw { fn draw(&self) -> Point; }
impl Draw for Circle { fn draw(&self) -> Point { loop {} } }
pub trait Measure { fn measure(&self) {} }
pub trait DrawExt { fn draw_twice(&self) {} }
impl<T: ?Sized> DrawExt for T where T: Draw {}
pub trait MeasureExt { fn measure_twice(&self) {} }
impl<T: Measure> MeasureExt for &T {}
pub struct Both<A, B>(pub A, pub B);
impl<A: Draw, B: Draw> Draw for Both<A, B> { fn draw(&self) -> Point { loop {} } }
macro_rules! traits { ($name:ident) => { pub trait Named { fn $name(&self) {} } } }
traits!(named);
mod other { use super::Area as Size; impl Size for super::Circle {} }
pub trait Area { fn size(&self) {} }
pub trait AreaExt { fn resize(&self) {} }
impl<T: Area> AreaExt for T {}
pub mod open {
    pub use unknown::hidden;
    #[surprising] pub struct Attributed { pub x: u8 }
    #[derive(Surprise)] pub struct Derived { pub x: u8 }
    pub fn attributed() -> Attributed { loop {} }
    pub fn derived() -> Derived { loop {} }
}
pub enum Shape { Round(Circle), Empty }
`,
	})
	const prefix = "use shapes::{Circle, Builder, Shape, Guard};\nuse shapes::{Draw as _, Measure as _, DrawExt as _, MeasureExt as _, AreaExt as _, *};\n"
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"constructors", "fn f() { let c = Circle::new(); c.area(); c.name(); c.x; c.radius; Circle::new().build(); Circle::build(); }", []string{"Circle::name", "Circle::x", "Circle::build", "Circle::build"}},
		{"chains", "fn f() { Circle::builder().name(\"a\").name(\"b\").build()?.center.radius; Circle::builder().build().unwrap().area().name(); Circle::builder().area() }", []string{"Point::radius", "f64::name", "Builder::area"}},
		{"functions that run their futures", "#[tokio::main(flavor = \"current_thread\")] async fn run(b: Builder) -> Builder { b } fn f(b: Builder) { run(b).missing(); run(b).fetch() }", []string{"Builder::missing"}},
		{"futures", "async fn f(b: Builder) { b.fetch().await.unwrap().build(); b.send().await?.build(); b.fetch().build(); }", []string{"Circle::build", "Circle::build", "Future::build"}},
		{"parameters", "fn f(c: &mut Circle, o: Option<Circle>, b: Box<Circle>) { c.build(); o.build(); o.unwrap().build(); b.build() }", []string{"Circle::build", "Option::build", "Circle::build", "Circle::build"}},
		{"variables with types", "fn f() { let c: Circle = x(); c.build(); let c: Vec<Circle> = y(); c.build(); }", []string{"Circle::build", "Vec::build"}},
		{"shadowed variables", "fn f() { let c = Circle::new(); { let c = c.build(); c.build(); } c.lock(); let c = other(); c.build() }", []string{"Circle::build", "Circle::lock"}},
		{"variables of patterns", "fn f(c: Circle) { match x { c => c.build() } }\nfn g(c: Circle) { y(|c| c.build()) }\nfn h(c: Circle) { if let Some(c) = z { c.build() } }\nfn i(c: Circle) { pin!(c); c.build() }\nfn j(c: Circle) { for c in k { c.build() } }", nil},
		{"self", "impl Own { fn f(&self) { self.size; self.radius; self.area(); self.f() } }\npub struct Own { pub size: u8 }", []string{"Own::radius", "Own::area"}},
		{"dereferenced values", "fn f() { shapes::guarded().area(); shapes::guarded().lock().unwrap().area(); shapes::guarded().build(); Guard::of(1).build() }", []string{"Guard::build", "Guard::build"}},
		{"private elements of a type that dereferences", "struct Own(Builder);\nfn f(c: Cell<Own>) { c.0.build(); c.0.area(); c.1.area() }", []string{"Builder::area", "u8::area"}},
		{"traits", "fn f(c: Circle) { c.draw().radius; c.measure(); c.clone() }", []string{"Point::radius", "Circle::measure"}},
		{"implementations of traits for all types", "fn f(c: Circle) { c.draw_twice(); c.measure_twice(); c.named(); c.resize(); Both(Both(c, c), c).draw_twice() }", []string{"Circle::measure_twice", "Circle::named"}},
		{"traits of the project", "mod m { pub trait Own2 { fn own(&self) {} } impl<T> Own2 for T {} pub trait Own3 { fn other(&self) {} } }\nuse m::*;\nfn f(c: Circle) { c.own(); c.other() }", []string{"Circle::other"}},
		{"traits that are not imported", "mod m { pub trait Own2 { fn own(&self) {} } impl<T> Own2 for T {} pub trait Own3 { fn other(&self); } impl Own3 for shapes::Circle { fn other(&self) {} } }\nfn f(c: Circle) { c.own(); c.other() }", []string{"Circle::own"}},
		{"macros that are not expanded", "fn f(b: Builder) { b.area() }\nunknown! { impl Circle { fn build(&self) {} } }\nimpl Own { fn f(&self) { self.radius } }\npub struct Own { pub size: u8 }", []string{"Builder::area", "Own::radius"}},
		{"options and features", "fn f(c: Circle) { c.optional(); c.extra() }", nil},
		{"types with unknown macros", "fn f() { shapes::open::attributed().radius; shapes::open::derived().radius }", nil},
		{"enums", "fn f(s: Shape) { Shape::Empty.area(); Shape::Round(c).area(); s.area(); Shape::area() }", []string{"Shape::area", "Shape::area", "Shape::area", "Shape::area"}},
		{"own traits", "trait T { fn build(&self); }\nimpl T for Circle { fn build(&self) {} }\nfn f(c: Circle) { c.build() }", nil},
		{"items in functions", "fn f() { use shapes::Builder as Circle; Circle::x().build(); let c: Circle = y(); c.area() }", []string{"Builder::x", "Builder::area"}},
		{"implementations in functions", "impl Own { fn f(&self) { struct A<T, U> { x: T, y: U }\nimpl<T, U> A<T, U> { fn g(&self) { self.x; self.y } } } }\npub struct Own { pub size: u8 }", nil},
		{"types of functions", "fn f() { struct A; impl A { fn g(&self) {} } let a = A; a.g(); a.h(); }", []string{"A::h"}},
		{"type parameters", "fn f<Circle>(c: Circle) { c.build() }", nil},
		{"patterns", "fn f(o: Option<Circle>, s: Shape, p: (Circle, Builder), v: &[Circle]) { if let Some(c) = &o { c.build() } let Some(c) = o else { return }; c.name(); match s { Shape::Round(c) if c.x > 1 => c.x(), Shape::Round(Circle { center, .. }) => center.y, _ => {} } let (a, mut b) = p; a.build(); b.area(); if let [first, .., last] = v { first.y; last.z } }",
			[]string{"Circle::build", "Circle::name", "Circle::x", "Circle::x", "Point::y", "Circle::build", "Builder::area", "Circle::y", "Circle::z"}},
		{"closures and iterators", "fn f(v: Vec<Circle>, o: Option<Circle>) { v.iter().filter(|c| c.build()).map(|c| c.clone().center).for_each(|p| p.radius); for (i, c) in v.iter().enumerate() { c.name(); i.name() } o.map(|c| c.center).unwrap().radius; v.into_iter().rev().next().unwrap().x; }",
			[]string{"Circle::build", "Point::radius", "Circle::name", "usize::name", "Point::radius", "Circle::x"}},
		{"collections", "use std::{collections::HashMap, sync::{Arc, Mutex}};\nfn f(m: HashMap<String, Arc<Mutex<Circle>>>) { for (k, c) in &m { k.area(); c.lock().unwrap().build() } let mut v = Vec::new(); v.push(Circle::new()); v[0].build(); m[\"a\"].lock().unwrap().area(); let n: Vec<_> = v.iter().map(|c| c.center.clone()).collect(); n[0].radius }",
			[]string{"String::area", "Circle::build", "Circle::build", "Point::radius"}},
		{"types of the standard library", "fn f(s: &str, v: Vec<u8>, o: Option<u8>) { s.len().trim(); s.push('a'); v.pushh(1); v.iter().collect_all(); o.is_sum(); s.trim().split(',').next().unwrap().to_vec(); String::from(s).lengthen(); (1u8).shout(); [1u8][0].whisper() }",
			[]string{"usize::trim", "str::push", "Vec::pushh", "Iter::collect_all", "Option::is_sum", "str::to_vec", "String::lengthen", "u8::shout", "u8::whisper"}},
		{"more collections", "use std::{cell::RefCell, collections::{BTreeMap, HashMap}, rc::Rc, sync::Mutex};\nfn f(b: BTreeMap<String, Vec<Circle>>, r: Rc<RefCell<Circle>>, m: Mutex<HashMap<String, Circle>>, v: Vec<Option<Circle>>, w: Vec<Circle>) { for (k, v) in &b { k.area(); v[0].build() } b.get(\"a\").area(); r.borrow().build(); m.lock().unwrap().get(\"a\").unwrap().build(); for c in v.iter().flatten() { c.build() } w.get(0).unwrap().build(); w.get(0..1).unwrap().area(); std::thread::spawn(|| Circle::new()).join().unwrap().build() }",
			[]string{"String::area", "Circle::build", "Option::area", "Circle::build", "Circle::build", "Circle::build", "Circle::build", "slice::area", "Circle::build"}},
		{"traits with macros", "pub trait Tint { fn tint(&self); shades!(red); }\nmacro_rules! shades { ($name:ident) => { paste! { fn [<on_ $name>](&self); fn $name(&self); } } }\nimpl Tint for Circle { fn tint(&self) {} }\nfn f(c: Circle) { c.red(); c.tint(); c.build() }", []string{"Circle::build"}},
		{"functions that are no methods", "use std::ops::Deref;\npub struct Own(Circle);\nimpl Own { fn area(size: u8) {} }\nimpl Deref for Own { type Target = Circle; fn deref(&self) -> &Circle { loop {} } }\nfn f(o: Own) { o.area().build(); o.build() }", []string{"f64::build", "Own::build"}},
		{"implementations for trait objects", "pub trait Show {}\nimpl Clone for Box<dyn Show> { fn clone(&self) -> Self { loop {} } }\nimpl Measure for dyn Show + '_ {}\nfn f(s: &dyn Show, d: &dyn Draw) { s.measure(); s.build(); d.measure() }", []string{"Show::build", "Draw::measure"}},
		{"variants in patterns", "fn f(s: Shape) { match s { Shape::Gone => {} Shape::Lost(_) => {} Shape::Empty => {} Shape::Round(c) => {} } if let Shape::Flat { .. } = s {} }", []string{"Shape::Gone", "Shape::Lost", "Shape::Flat"}},
		{"functions of modules", "use shapes::open;\nuse std::{f64, fs};\nfn f() { open::derived(); open::made(); fs::read(\"a\"); fs::read_lines(\"a\"); f64::max(1.0, 2.0); std::mem::transmute(1); open::hidden(); shapes::gone() }", []string{"made", "read_lines", "gone"}},
		{"arms with conditions", "fn f(s: Shape) { match s { #[cfg(missing)] Shape::Round(c) => c.build(), #[cfg(not(missing))] Shape::Round(c) => c.build(), _ => {} } }", []string{"Circle::build"}},
		{"methods of tuples", "fn f(c: Circle) { (1u8, 2u8).partial_cmp(&(1, 2)); c.build() }", []string{"Circle::build"}},
		{"a module of which another build has a glob", "use shapes::{Deep, deeper, Depp, Circel};", []string{"Depp", "Circel"}},
		{"a constructor that several implementations have", "use std::borrow::Cow;\nfn f(a: Unknown) { let c = Cow::from(a); c.trim(); c.size() }", nil},
		{"implementations of a trait with several arguments", "pub trait Get<K> { type Out; fn fetch(&self, k: K) -> Self::Out; fn same(&self, k: K) -> K; }\nimpl Get<u8> for Circle { type Out = Circle; fn fetch(&self, k: u8) -> Circle { loop {} } fn same(&self, k: u8) -> u8 { k } }\nimpl Get<&str> for Circle { type Out = Point; fn fetch(&self, k: &str) -> Point { loop {} } fn same(&self, k: &str) -> &str { k } }\nfn f(c: Circle) { c.fetch(1u8).area(); c.same(\"a\").trim(); c.build() }", []string{"Circle::build"}},
		{"bounds of types that are no parameters", "use std::ops::Range;\nfn f<T: Copy>(r: Range<T>, s: Range<u8>) where Range<T>: ExactSizeIterator<Item = T> { r.len(); s.len(); r.size() }", []string{"Range::size"}},
		{"a range that is an iterator", "use std::ops::Range;\nstruct Own(Range<usize>);\nimpl Own { fn iter(&self) -> impl Iterator<Item = usize> { self.0.clone().into_iter() } }", nil},
		{"bounds that contain themselves", "struct Own<T>(T);\nimpl<T> Own<T> where T: std::ops::Add<Output = T> + Copy { fn new() -> Self { Self::build() } fn build() -> Self { loop {} } }", nil},
		{"an attribute of a trait that may implement others", "#[tagged::build] pub trait Tree { fn child(&self); }\npub trait Oak { fn child(&self); }\npub trait Grow { fn trim(&self); }\nfn f(a: Box<dyn Tree>, b: Box<dyn Oak>) { a.trim(); b.trim() }", []string{"Box::trim"}},
		{"an operator that a program adds to a primitive type", "pub struct Affine;\nimpl std::ops::Mul<Affine> for f64 { type Output = Affine; fn mul(self, _: Affine) -> Affine { loop {} } }\nfn lerp<R, T: Copy + std::ops::Mul<R, Output = R>>(r: impl Into<std::ops::RangeInclusive<R>>, t: T) -> R { loop {} }\nfn f(a: Affine) { a.next(); lerp(1.0..=2.0, 3f64).trim() }", []string{"Affine::next"}},
		{"imports that do not exist", "use shapes::{Circle, Gone};\nfn f(c: Circle) { c.build() }", []string{"Gone", "Circle::build"}},
		{"bounds", "fn f<T: Draw, I: Iterator<Item = Circle>>(t: T, i: I, d: &dyn Draw, e: impl Draw + Clone) { t.draw().radius; t.area(); d.build(); e.clone().draw(); e.build(); i.map(|c| c.build()).next() }",
			[]string{"Point::radius", "Draw::area", "Draw::build", "Draw::build", "Circle::build"}},
		{"bounds of Self and of references", "pub trait Show { fn show(&self) where Self: Draw { self.draw(); self.show(); self.build() } }\nfn f<T: Draw>(t: T) where for<'a> &'a T: Clone { t.clone().draw(); t.build() }", []string{"Show::build", "Draw::build"}},
		{"conditions with a negation", "fn f(c: Circle) { if !ready() { c.area(); } c.build() }", []string{"Circle::build"}},
		{"an import that may be a trait", "use crate::gone::Maker;\nfn f(c: Circle) { c.build() }", nil},
		{"imports that do not exist", "use shapes::{Square, round::Maker};\nfn f(c: Circle) { c.build() }", []string{"Square", "round", "Circle::build"}},
		{"an import of a struct that is off", "use shapes::Hidden;\nfn f(c: Circle) { c.build() }", []string{"Circle::build"}},
		{"an import of a trait that is off", "use shapes::Masked;\nfn f(c: Circle) { c.build() }", nil},
		{"imports that are no traits", "use crate::gone::{maker, Kind, Shade, THE_ONE};\nfn f(c: Circle) -> Shade { Kind::Red; c.build() }", []string{"Circle::build"}},
		{"parameters with conditions", "pub struct Two<A, #[cfg(missing)] B, #[cfg(not(missing))] B = u8, C = u8> { a: A, b: B, c: C }\nfn f(t: Two<u8, u8, Circle>) { t.c.area(); t.c.build() }", []string{"Circle::build"}},
		{"values that may be references", "fn f(b: &Box<str>, c: Box<Circle>) { (&**b, 0).measure_all(); (*c).area(); (*c).build() }\ntrait All { fn measure_all(&self); }\nimpl All for (&str, u16) { fn measure_all(&self) {} }", []string{"Circle::build"}},
		{"derived traits of types in functions", "fn f() { Inner::default().x; Inner::created(); #[derive(Default)] struct Inner { x: u8 } }", []string{"Inner::created"}},
		{"fields with conditions", "pub struct Own { #[cfg(missing)] a: Circle, #[cfg(not(missing))] a: u8, #[cfg(missing)] b: Circle }\nfn f(o: Own) { o.a.area(); o.b.area() }", []string{"u8::area"}},
		{"private fields", "mod m { pub struct Outer { point: u8 } impl std::ops::Deref for Outer { type Target = In; fn deref(&self) -> &In { loop {} } } pub struct In { pub point: super::Circle } }\nfn f(o: m::Outer) { o.point.area() }", nil},
		{"a trait with another name", "use std::ops::Deref as __Deref;\nstruct ONE;\nimpl __Deref for ONE { type Target = Circle; fn deref(&self) -> &Circle { loop {} } }\nfn f() { ONE.area(); ONE.build() }", []string{"ONE::build"}},
		{"an import for another platform", "#[cfg(missing)]\nuse crate::gone::Maker;\nfn f(c: Circle) { c.build() }", []string{"Circle::build"}},
		{"code whose condition is true", "#[cfg(not(missing))]\nfn f(c: Circle) { c.build() }\n#[cfg(missing)]\nfn g(c: Circle) { c.make() }", []string{"Circle::build"}},
		{"methods of references", "pub trait Area2 { fn area(&self, n: u8) -> u8; }\nimpl Area2 for &Circle { fn area(&self, n: u8) -> u8 { n } }\nfn f(c: Circle) { (&c).area(1); c.build() }", []string{"Circle::build"}},
		{"implementations", "pub struct Own(Circle);\nimpl std::fmt::Display for Own { fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result { self.0.area(); self.0.build(); self.fmt(f); f.write_all(b\"\"); write!(f, \"{}\", self.1) } }",
			[]string{"Circle::build", "Formatter::write_all"}},
		{"arguments", "fn f(c: Circle) { c.area(1); Circle::new(2); Circle::area(&c); Builder::name(b); Some(1, 2); \"a\".split(); helper(); }\nfn helper(a: u8) {}",
			[]string{"arguments Circle::area", "arguments Circle::new", "arguments Builder::name", "arguments Option::Some", "arguments str::split", "arguments helper"}},
		{"items of implementations", "impl shapes::Draw for Own { fn draw(&self) -> Point { loop {} } fn paint(&self) {} }\npub struct Own;", []string{"Draw::paint"}},
		{"literals of structs", "pub struct Own { pub size: u8, pub weight: u8 }\nfn f() { Own { size: 1, weight: 2 }; Own { size: 1, height: 2, weight: 3 }; Own { size: 1 }; Own { size: 1, ..other() }; }",
			[]string{"fields Own", "arguments Own"}},
		{"macros with unknown syntax", "fn f(c: Circle) { pin_mut!(c); c.build(); let d = make!(e); d.build(); format!(\"{}\", Circle::new().build()); vec![Circle::new()][0].build(); }", []string{"Circle::build", "Circle::build"}},
		{"crates that are not required", "use absent::Thing;\nmod inner { fn f() { use missing::Thing; #[cfg(missing)] use gone::Thing;} fn g() { quote! { use quoted::Thing; } } fn h() { fn i() { mod local { pub struct A; } use local::A; } } }", []string{"absent", "missing"}},
		{"a module that another function sees", "mod m { pub mod elsewhere { pub struct A; } }\nfn f(n: u8, c: Circle) { use elsewhere::A; match n { #[cfg(missing)] 1 => { use elsewhere::B; c.build() } _ => {} } }", []string{"elsewhere"}},
		{"items of macros that are not expanded", "unknown! {}\nuse made::Thing;\n#[surprising] pub struct Own;\nmod inner { use super::*; use made::Thing; #[surprising] fn f() {} use own::Thing as Other; }", nil},
		{"private members", "fn f(c: Circle) { c.secret; c.hidden() }", []string{"private Circle::secret", "private Circle::hidden"}},
	} {
		filetest.Write(t, w.project, map[string]string{"src/lib.rs": prefix + c.src})
		got, err := w.faults(prefix + c.src)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: the absent members are %q, error %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestTypes_EditedFile checks a text that differs from the file on this machine.
func TestTypes_EditedFile(t *testing.T) {
	w := typesWorld(t)
	for src, want := range map[string][]string{
		"pub struct Own { pub size: u8, pub weight: u8 }\nimpl Own { fn lift(&self) { self.weight; self.lift(); self.drop() } }":              {"Own::drop"},
		"use shapes::Circle as Own;\nfn f(o: Own) { o.radius; o.area(); o.size }":                                                             {"Circle::size"},
		"pub struct Own { pub size: u8 }\ntrait Lift { fn lift(&self); }\nimpl Lift for Own { fn lift(&self) {} }\nfn f(o: Own) { o.lift() }": nil,
	} {
		if got, err := w.faults(src); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: the absent members are %q, error %v; want %q", src, got, err, want)
		}
	}
}

// TestTypes_CachesWords changes a package's files. Docent reads them again only when the checksum changes, because
// cargo does not allow changes without a new one.
func TestTypes_CachesWords(t *testing.T) {
	const src = "fn f(x: X) { x.other() }"
	w := typesWorld(t)
	rs := w.rust()
	want := func(n int) {
		t.Helper()
		if got, err := w.faultsOf(rs, src); err != nil || len(got) != n {
			t.Errorf("the absent members are %q, error %v; want %d", got, err, n)
		}
	}
	want(1)
	w.vendor("shapes", "1.0.0", "", map[string]string{"src/lib.rs": "pub fn other() {}\n"})
	want(1)
	w.vendor("shapes", "1.0.0", "", map[string]string{"src/lib.rs": "pub fn other() {}\n", ".cargo-checksum.json": `{"files":{"src/lib.rs":""}}`})
	want(0)
}
