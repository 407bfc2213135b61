package rust

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestModuleFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) { filetest.Write(t, dir, map[string]string{name: ""}) }
	write("parts/a.rs")
	var files moduleFiles
	if d := files.directory(dir); d == files.directory(dir) {
		t.Error("a directory that may change again at the same time is cached")
	}
	files.now = func() time.Time { return time.Now().Add(time.Hour) }
	check := func(name string, want bool) {
		t.Helper()
		d := files.directory(dir)
		for range 2 { // the second answer is cached
			if d.has(name) != want {
				t.Errorf("%s: %v", name, !want)
			}
		}
		if d != files.directory(dir) {
			t.Error("the directory is not cached")
		}
	}
	check("shapes", false)
	check("parts", false)
	write("parts/mod.rs")
	check("parts", true)
	write("shapes.rs")
	check("shapes", true)
	if files.directory(filepath.Join(dir, "none")).has("shapes") || files.directory(filepath.Join(dir, "shapes.rs")).has("mod") {
		t.Error("a directory that does not exist has modules")
	}
}
