package ecosystem_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestDirectoryFacts(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, dir, value, problem string }{
		{"one that is there", root, root, ""},
		{"one that is not there yet", filepath.Join(root, "new"), "new (does not exist yet)", ""},
		{"a file", file, file, "it is not a directory"},
		{"below a file", filepath.Join(file, "x"), "x", "it cannot be read: "},
		{"none", "", "nowhere", "set HOME"},
	} {
		f := ecosystem.DirectoryFact("cache", tt.dir, "set HOME")
		if f.Name != "cache" || !strings.HasSuffix(f.Value, tt.value) || !strings.HasPrefix(f.Problem, tt.problem) || (f.Problem == "") != (tt.problem == "") {
			t.Errorf("%s: %+v", tt.name, f)
		}
	}
}
