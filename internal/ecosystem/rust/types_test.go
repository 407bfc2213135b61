package rust

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// typesWorld is a project with a vendored dependency and a standard library.
func typesWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	rustup := t.TempDir()
	w.env = append(w.env, "RUSTUP_HOME="+rustup)
	library := "toolchains/1.90.0-" + hostTriple() + "/lib/rustlib/src/rust/library/"
	filetest.Write(t, rustup, map[string]string{
		library + "std/Cargo.toml": "[package]\nname = \"std\"\nversion = \"0.0.0\"\nedition = \"2024\"\n",
		library + "std/src/lib.rs": "pub mod vec;\n",
		library + "std/src/vec.rs": "pub struct Vec<T>(T);\nimpl<T> Vec<T> { pub fn push(&mut self, value: T) {} pub fn len(&self) -> usize { 0 } }\n",
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
macro_rules! forms { ($name:ident) => { paste! { impl Circle { pub fn [<set_ $name>](&mut self) {} pub fn [<$name _mut>](&mut self) {} } } } }
`,
	})
	return w
}

// faults returns the members in the code of src/lib.rs that do not exist.
func (w *world) faults(text string) (found []string, err error) {
	types, err := w.rust().Types(w.t.Context(), w.project)
	if err != nil {
		return nil, err
	}
	f := &ecosystem.SourceFile{Name: "src/lib.rs", Dir: w.project, Text: []byte(text)}
	for _, u := range types.Uses([]*ecosystem.SourceFile{f})[f] {
		if u.Fault == ecosystem.AbsentFault {
			found = append(found, u.Path)
		}
	}
	return found, nil
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
		{"names in calls of macros", "fn f(x: X) { x.width(); x.widht() }", []string{"widht"}},
		{"names that macros form", "fn f(x: X) { x.set_radius(); x.radius_mut(); x.set_raduis(); x.radius_ref() }", []string{"set_raduis", "radius_ref"}},
		{"ranges, numbers and awaits", "fn f(x: X) { x..end; 0..=last; 1.5e3; x.await; x?.0.1 }", nil},
		{"arguments of macros", "fn f(x: X) { assert_eq!(x.lenn(), 1); html!(div.klass); macro_rules! m { () => { x.other() } } }", []string{"lenn"}},
		{"conditions", "#[cfg(feature = \"x\")]\nfn f(x: X) { x.other() }\n#[cfg(test)]\nmod t { fn f(x: X) { x.absent() } }", []string{"absent"}},
		{"crates that are not required", "use unknown::X;\nfn f(x: X) { x.other() }", nil},
	} {
		got, err := w.faults(c.src)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: the absent members are %q, error %v; want %q", c.name, got, err, c.want)
		}
	}
}

// TestTypes_MembersNeedAllSources removes sources that may declare any member.
func TestTypes_MembersNeedAllSources(t *testing.T) {
	const src = "fn f(x: X) { x.other() }"
	w := typesWorld(t)
	if got, err := w.faults(src); err != nil || len(got) != 1 {
		t.Fatalf("the absent members are %q, error %v", got, err)
	}
	filetest.Write(t, w.project, map[string]string{"schema/a.proto": "message A { string other = 1; }\n"})
	if got, err := w.faults(src); err != nil || len(got) != 0 {
		t.Errorf("with a schema, the absent members are %q, error %v", got, err)
	}
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n[dependencies]\nshapes = \"1\"\n[build-dependencies]\nbindgen = \"1\"\n"})
	if got, err := w.faults(src); err == nil {
		t.Errorf("with generated bindings, the absent members are %q", got)
	}
	w = typesWorld(t)
	w.config("")
	filetest.Write(t, w.project, map[string]string{".cargo/config.toml": "[source.crates-io]\nreplace-with = \"vendored\"\n[source.vendored]\ndirectory = \"" + filepath.ToSlash(t.TempDir()) + "\"\n"})
	if got, err := w.faults(src); err == nil {
		t.Errorf("without the sources of a dependency, the absent members are %q", got)
	}
	w = typesWorld(t)
	w.env = append(w.env, "RUSTUP_HOME="+t.TempDir())
	if got, err := w.faults(src); err == nil {
		t.Errorf("without the standard library, the absent members are %q", got)
	}
}

func FuzzWords(f *testing.F) {
	for _, text := range []string{"fn a(b: C) { d.e() }", "x . y", "..z", "r#type [<set_ $a>]", "é.ü", "1.5e3 _"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := &words{names: map[uint64]struct{}{}, affixes: map[string]bool{}}
		w.add(text)
		l := &library{ctx: t.Context(), packages: []*words{w}, known: map[string]bool{}}
		w.once.Do(func() {})
		l.has(text)
	})
}
