package rust

import (
	"context"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestImporter_SharesTheStandardLibrary imports core from each crate that depends on it. Crates of
// the standard library name core in their manifests; others name it only in paths.
func TestImporter_SharesTheStandardLibrary(t *testing.T) {
	w := newWorld(t)
	rustup := t.TempDir()
	w.env = append(w.env, "RUSTUP_HOME="+rustup)
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n", "src/lib.rs": "", "rust-toolchain.toml": "[toolchain]\nchannel = \"1.90.0\"\n"})
	library := "toolchains/1.90.0-" + hostTriple() + "/lib/rustlib/src/rust/library/"
	for name, dependencies := range map[string]string{"std": "core = { path = \"../core\" }\nalloc = { path = \"../alloc\" }\n", "alloc": "core = { path = \"../core\" }\n", "core": ""} {
		filetest.Write(t, rustup, map[string]string{
			library + name + "/Cargo.toml": "[package]\nname = \"" + name + "\"\nversion = \"0.0.0\"\nedition = \"2024\"\n[dependencies]\n" + dependencies,
			library + name + "/src/lib.rs": "",
		})
	}
	ask, err := parseQuestion(ecosystem.Query{Package: "std", ProjectDir: w.project})
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.rust().newFinder(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	std, err := f.standard("std")
	if err != nil {
		t.Fatal(err)
	}
	imp, from := f.importer(func() context.Context { return t.Context() }), f.source(std)
	core, err := imp(from, "core")
	if err != nil {
		t.Fatal(err)
	}
	alloc, err := imp(from, "alloc")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := imp(alloc, "core"); err != nil || got != core {
		t.Errorf("alloc imports another core than std: %p, %p, error %v", got, core, err)
	}
	from.Deps = nil
	if got, err := imp(from, "core"); err != nil || got != core {
		t.Errorf("a path leads to another core than the manifest: %p, %p, error %v", got, core, err)
	}
}
