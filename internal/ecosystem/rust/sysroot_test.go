package rust

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// TestACompilerThatIsAScript finds the toolchain if a script in PATH starts the
// compiler, as with asdf and mise.
func TestACompilerThatIsAScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not run shell scripts, such as the one that stands in for rustc in this test; to run it, use another system")
	}
	w := newWorld(t)
	toolchain, shims := t.TempDir(), t.TempDir()
	filetest.Write(t, toolchain, map[string]string{
		"lib/rustlib/src/rust/library/std/src/lib.rs": "//! The library.\npub mod vec { pub struct Vec; }",
		"lib/rustlib/src/rust/library/std/Cargo.toml": "[package]\nname = \"std\"\nversion = \"0.0.0\"\nedition = \"2024\"\n",
	})
	log := filepath.Join(shims, "log")
	script := "#!/bin/sh\necho asked >> '" + log + "'\necho a message\necho '" + toolchain + "'\n"
	if err := os.WriteFile(filepath.Join(shims, "rustc"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	w.env = append(w.env, "PATH="+shims+":/usr/bin:/bin")
	rs := w.rust()
	for range 2 {
		p, err := ecosystem.Describe(t.Context(), rs, ecosystem.Query{Package: "std"}, nil)
		if err != nil || p.Doc != "The library." || !strings.HasPrefix(p.Provenance.Location, toolchain) {
			t.Fatalf("got %+v, %v", p, err)
		}
	}
	if request, err := os.ReadFile(log); err != nil || string(request) != "asked\n" {
		t.Errorf("the wrapper was started: %q, %v", request, err)
	}
}

func TestTypesOfThePreludeAreNoCrates(t *testing.T) {
	w := newWorld(t)
	for name, want := range map[string]string{
		"Vec.iter":              "request the package std::vec and the symbol Vec::iter",
		"Option::map":           "request the package std::option and the symbol Option::map",
		"Iterator":              "request the package std::iter and the symbol Iterator",
		"u32.checked_add":       "request the package std and the symbol u32::checked_add",
		"String::from_utf8@1.0": "request the package std::string and the symbol String::from_utf8",
	} {
		if e := w.failure(ecosystem.Query{Package: name}); e == nil || !strings.Contains(e.Next, want) {
			t.Errorf("%s: %v", name, e)
		}
	}
}
