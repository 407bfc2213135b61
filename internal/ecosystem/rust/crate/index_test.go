package crate

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// consts declares constants with the names A0, A1 and so on.
func consts(name string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "pub const %s%d: u32 = %d;\n", name, i, i)
	}
	return b.String()
}

// TestIndexOfAGiantCrate reads a crate that has more names than an index outlines. Most
// of them are in modules that are off, one of which re-exports names from another.
func TestIndexOfAGiantCrate(t *testing.T) {
	src := sourceOf(
		"src/lib.rs", `pub mod a; #[cfg(feature = "x")] pub mod b; #[cfg(feature = "x")] pub mod c; #[cfg(feature = "x")] pub mod d;`,
		"src/a.rs", consts("ON", maxOutlined),
		"src/b.rs", "pub mod below; "+consts("B", 500)+"pub struct Pair(pub u8);\nimpl Clone for Pair {}",
		"src/b/below.rs", "//! Is below.\n"+consts("BELOW", 500),
		"src/c.rs", "#[doc(hidden)] pub fn hidden() {} pub fn f() {}",
		"src/d.rs", "pub use crate::b::below::*; "+consts("D", 500))
	src.Declared = []string{"x"}
	w := newWorld(t.Context(), nil)
	k, err := w.open(src)
	if err != nil {
		t.Fatal(err)
	}
	x := &indexer{k: k, seen: map[*module]bool{}}
	x.list(k.root, "made", false)
	want := map[string]int{"made": 0, "made::a": maxOutlined, "made::b": 501, "made::b::below": 500, "made::c": 1, "made::d": 1000}
	for _, s := range x.symbols {
		n, ok := want[s.Path]
		if !ok || n != len(s.Members) {
			t.Errorf("%s has %d names, want %d", s.Path, len(s.Members), n)
		}
		delete(want, s.Path)
	}
	for path := range want {
		t.Errorf("%s is not listed", path)
	}
	if len(x.seen) != 5 {
		t.Errorf("%d modules were found, want 5", len(x.seen))
	}
	for m := range x.seen {
		switch m.name {
		case "b": // The module b was read again because of d.
		case "a":
			if !m.loaded {
				t.Error("a is dropped, although it is on")
			}
		default:
			if m.loaded {
				t.Errorf("%s is in memory", m.name)
			}
		}
	}
	if len(k.impls) > 0 {
		t.Error("implementations of modules that were dropped are kept")
	}

	index, err := index(t, src, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := index.Symbols[slices.IndexFunc(index.Symbols, func(s apidoc.Symbol) bool { return s.Path == "made::b" })]
	if first, last := b.Members[0], b.Members[500]; first.Path != "Pair" || first.Kind != "struct" || last.Path != "B99" || last.Doc != "" {
		t.Errorf("the names begin with %+v and end with %+v", first, last)
	}
}

// TestUnloadedModulesAreReadAgain reads the comment of a module whose contents were
// dropped.
func TestUnloadedModulesAreReadAgain(t *testing.T) {
	src := sourceOf("src/lib.rs", "/// First.\n#[cfg(feature = \"x\")] pub mod a;", "src/a.rs", "//! Second.\npub fn f() {}")
	src.Declared = []string{"x"}
	k, err := newWorld(t.Context(), func(*Source, string) (*Source, error) { return nil, fs.ErrNotExist }).open(src)
	if err != nil {
		t.Fatal(err)
	}
	m := k.root.names["a"][0].def.sub
	for range 2 {
		m.ensure()
		p, err := k.document(m, "a", "")
		if err != nil || p.Doc != "First.\nSecond." || len(p.Advice) > 0 || m.names["f"] == nil {
			t.Errorf("got %+v, %v", p, err)
		}
		m.unload()
		if m.names["f"] != nil {
			t.Error("the names of the module are kept")
		}
		if len(m.def.item.Inner) > 0 {
			t.Error("the attributes of the file are kept, without its text")
		}
	}
}

// TestIndexListsModulesOfDependencies checks that an index lists the modules that the
// root re-exports by name and those below them, but not whole dependencies or names
// imported by a glob.
func TestIndexListsModulesOfDependencies(t *testing.T) {
	dep := sourceOf("src/lib.rs", "pub mod vec { pub struct Vec; impl Vec { pub fn retain(&mut self) {} } pub mod splice { pub struct Splice; } } pub mod arch { pub fn far() {} } mod all { pub mod other {} } pub use all::*;")
	dep.Name = "dep"
	src := sourceOf("src/lib.rs", "pub use dep; pub use dep::vec; pub mod inner { pub use dep::arch; pub mod own {} } pub mod glob { pub use dep::*; } #[doc(hidden)] pub use dep::arch;")
	src.Deps = map[string]string{"dep": "dep"}
	imp := func(*Source, string) (*Source, error) { return dep, nil }
	p, err := index(t, src, imp)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(p.Symbols); got != "made made::glob made::inner made::inner::own made::vec made::vec::splice" {
		t.Errorf("the modules are %s", got)
	}
	if got := names(p.Symbols[4].Members); got != "Vec" {
		t.Errorf("made::vec has %s", got)
	}
	src.Module = "vec"
	if p, err := Read(t.Context(), src, imp); err != nil || names(p.Symbols) != "Vec" || len(p.Subpackages) != 1 || p.Subpackages[0].Name != "made::vec::splice" {
		t.Errorf("the module is %+v, %v", p, err)
	}
	src.Module = "vec::splice"
	if p, err := Read(t.Context(), src, imp); err != nil || names(p.Symbols) != "Splice" {
		t.Errorf("the module is %+v, %v", p, err)
	}
}

// index reads the index of a crate with outlines.
func index(t *testing.T, src *Source, imp Importer) (*apidoc.Package, error) {
	t.Helper()
	r, err := NewReader(t.Context(), src, imp)
	if err != nil {
		return nil, err
	}
	return r.Index(t.Context(), false)
}

// TestIndexOfNames reads an index without outlines, and then documents a module with the same Reader.
func TestIndexOfNames(t *testing.T) {
	src := sourceOf("src/lib.rs", "pub mod a { /// Made here.\npub struct Thing; impl Thing { pub fn make() {} } }")
	r, err := NewReader(t.Context(), src, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Index(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if thing := p.Symbols[1].Members[0]; thing.Path != "Thing" || thing.Kind != "struct" || thing.Doc != "" || len(thing.Members) > 0 {
		t.Errorf("the index contains %+v", thing)
	}
	module, err := r.Read(t.Context(), "a")
	if err != nil || len(module.Symbols) != 1 || module.Symbols[0].Doc != "Made here." || names(module.Symbols[0].Members) != "Thing::make" {
		t.Errorf("the module is %+v, %v", module, err)
	}
	p, err = r.Index(t.Context(), false)
	if err != nil || p.Symbols[1].Members[0].Doc != "Made here." || names(p.Symbols[1].Members[0].Members) != "Thing::make" {
		t.Errorf("the index with outlines contains %+v, %v", p.Symbols[1].Members, err)
	}
}
