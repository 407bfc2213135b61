package rust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
)

// documented is rustdoc's JSON for a crate with one function.
const documented = `{"root": "0:0", "crate_version": "1.0.0", "index": {
"0:0": {"id": "0:0", "crate_id": 0, "name": "gaps", "visibility": "public", "docs": "Of rustdoc.", "inner": {"module": {"is_crate": true, "items": ["0:1"], "is_stripped": false}}},
"0:1": {"id": "0:1", "crate_id": 0, "name": "declared", "visibility": "public", "docs": "Is declared.", "inner": {"function": {"sig": {"inputs": [], "output": null, "is_c_variadic": false}, "generics": {"params": [], "where_predicates": []}, "header": {"is_const": false, "is_unsafe": false, "is_async": false, "abi": "Rust"}, "has_body": true}}}
}, "paths": {}, "external_crates": {}, "format_version": 39}`

func TestWhatRustdocWroteFillsGaps(t *testing.T) {
	w := newWorld(t)
	w.vendor("gaps", "1.0.0", "", map[string]string{"src/lib.rs": "pub fn plain() {}\nunknown::declare! { declared }\n"})
	w.vendor("whole", "1.0.0", "", map[string]string{"src/lib.rs": "pub fn plain() {}\n"})
	filetest.Write(t, w.project, map[string]string{
		"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[dependencies]\ngaps = \"1\"\nwhole = \"1\"\n",
		"Cargo.lock": lockOf("gaps 1.0.0", "whole 1.0.0"), "src/lib.rs": "",
	})
	ask := func(name string) string {
		t.Helper()
		p, err := ecosystem.Describe(t.Context(), w.rust(), ecosystem.Query{Package: name, ProjectDir: w.project}, nil)
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, s := range p.Symbols {
			text += s.Path + " "
		}
		return text + strings.Join(p.Warnings, " ")
	}
	file := filepath.Join(w.project, "target", "doc", "gaps.json")
	if got := ask("gaps"); !strings.HasPrefix(got, "plain Docent did not expand macros") {
		t.Errorf("without the file: %s", got)
	}
	filetest.Write(t, w.project, map[string]string{"target/doc/gaps.json": documented, "target/doc/whole.json": strings.ReplaceAll(documented, "gaps", "whole")})
	if got := ask("gaps"); !strings.HasPrefix(got, "declared ") || !strings.Contains(got, "the declarations are from "+file) {
		t.Errorf("with the file: %s", got)
	}
	if got := ask("whole"); got != "plain " {
		t.Errorf("where nothing is missing: %s", got)
	}
	for name, text := range map[string]string{
		"it is for version 2.0.0": strings.ReplaceAll(documented, "1.0.0", "2.0.0"), "format version 9999 is not supported": strings.ReplaceAll(documented, "39", "9999"),
		"Docent did not use ": documented[:200],
	} {
		filetest.Write(t, w.project, map[string]string{"target/doc/gaps.json": text})
		if got := ask("gaps"); !strings.HasPrefix(got, "plain ") || !strings.Contains(got, name) {
			t.Errorf("%s: %s", name, got)
		}
	}
	filetest.Write(t, w.project, map[string]string{"target/doc/gaps.json": documented})
	if err := os.Chtimes(file, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if got := ask("gaps"); !strings.HasPrefix(got, "plain ") {
		t.Errorf("with a file older than Cargo.lock: %s", got)
	}
}
