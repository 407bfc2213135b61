package rust

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/crate"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestModulesOfACrateAreReadOfOneReading requests several modules of a crate
// concurrently, then a module that has changed, and then another crate.
func TestModulesOfACrateAreReadOfOneReading(t *testing.T) {
	w := newWorld(t)
	w.vendor("parts", "1.0.0", "", map[string]string{"src/lib.rs": "pub mod a; pub mod b;", "src/a.rs": "pub fn one() {}", "src/b.rs": "pub fn two() {}"})
	w.vendor("other", "1.0.0", "", map[string]string{"src/lib.rs": "pub fn other() {}"})
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\nparts = \"1\"\nother = \"1\"\n",
		"Cargo.lock": lockOf("parts 1.0.0", "other 1.0.0"), "src/lib.rs": "",
	})
	rs := w.rust()
	ask := func(name string) *apidoc.Package {
		p, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: name, ProjectDir: w.project}, nil)
		if err != nil {
			t.Error(err)
			return &apidoc.Package{Symbols: make([]apidoc.Symbol, 1)}
		}
		return p
	}
	current := func() (r *reading, reader *crate.Reader) {
		rs.readings.mu.Lock()
		defer rs.readings.mu.Unlock()
		if len(rs.readings.all) != 1 {
			t.Fatalf("%d readings are kept", len(rs.readings.all))
		}
		for _, r = range rs.readings.all {
			reader = r.reader
		}
		return r, reader
	}
	ask("parts")
	first, reader := current()
	var group sync.WaitGroup
	for range 4 {
		for name, want := range map[string]string{"parts::a": "one", "parts::b": "two"} {
			group.Go(func() {
				if p := ask(name); p.Symbols[0].Path != want {
					t.Errorf("%s has %s", name, p.Symbols[0].Path)
				}
			})
		}
	}
	group.Wait()
	if p, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: "parts", ProjectDir: w.project, Index: true, Names: true}, nil); err != nil || len(p.Symbols) != 3 {
		t.Errorf("the index is %+v, %v", p, err)
	}
	if _, again := current(); again != reader {
		t.Error("the crate was read again")
	}
	filetest.Write(t, filepath.Join(w.project, "vendor", "parts"), map[string]string{"src/b.rs": "pub fn changed() {}"})
	if p := ask("parts::b"); p.Symbols[0].Path != "changed" {
		t.Errorf("after a change, parts::b has %s", p.Symbols[0].Path)
	}
	ask("other")
	if _, other := current(); other == reader || first.reader != nil {
		t.Error("the crate that was used before is still kept")
	}
}
