package rust

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/fingerprint"
)

func TestWords_NestedDirectories(t *testing.T) {
	for _, tt := range []struct {
		name    string
		depth   int
		partial bool
	}{
		{"the files of a package", 3, false},
		{"directories that are nested too deeply", maxWordDepth + 2, true},
	} {
		dir := t.TempDir()
		filetest.Write(t, dir, map[string]string{"src/lib.rs": "fn kiln() {}", strings.Repeat("d/", tt.depth) + "deep.rs": "fn flue() {}"})
		w := &words{dirs: []string{dir}, seen: &fingerprint.Fingerprint{}}
		w.load(t.Context(), nil)
		if w.partial != tt.partial || !w.has("flue") || w.has("damper") != tt.partial {
			t.Errorf("%s: partial is %v, want %v; has flue: %v, has damper: %v", tt.name, w.partial, tt.partial, w.has("flue"), w.has("damper"))
		}
	}
}

func TestClosers(t *testing.T) {
	for text, want := range map[string]int{
		"(a[b]{c})d": 8,
		"a(b)c":      3, // no bracket at the first token, so the end of the next group
		"a)b":        1,
		"((a)":       4, // not closed
		strings.Repeat("(", 1000) + strings.Repeat(")", 1000): 1999,
	} {
		r := newUsesReader(&ecosystem.SourceFile{Text: []byte(text)}, nil, nil)
		if got := r.group(0); got != want {
			t.Errorf("the group at the first token of %.20s ends at %d, want %d", text, got, want)
		}
	}
}

// TestTypes_NoDependencies checks members in a project that needs no Cargo.lock.
func TestTypes_NoDependencies(t *testing.T) {
	w := typesWorld(t)
	if err := os.Remove(filepath.Join(w.project, "Cargo.lock")); err != nil {
		t.Fatal(err)
	}
	filetest.Write(t, w.project, map[string]string{"Cargo.toml": "[package]\nname = \"app\"\nversion = \"0.1.0\"\n"})
	if got, err := w.faults("fn f(o: Own, v: Vec<u8>) { o.other(); v.other() }\npub struct Own;"); err != nil || !slices.Equal(got, []string{"Own::other", "Vec::other"}) {
		t.Errorf("the absent members are %q, error %v", got, err)
	}
}
