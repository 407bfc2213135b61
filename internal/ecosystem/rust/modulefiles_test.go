package rust

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/internal/filetest"
)

func TestModuleFiles(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) { filetest.Write(t, dir, map[string]string{name: ""}) }
	write("parts/a.rs")
	synctest.Test(t, func(t *testing.T) {
		var files moduleFiles
		if d := files.directory(dir); d == files.directory(dir) {
			t.Error("a directory that may change again at the same time is cached")
		}
		time.Sleep(100 * 365 * 24 * time.Hour) // after the directory was changed
		check := func(name string, want bool) {
			t.Helper()
			d := files.directory(dir)
			if d.has(name) != want || d.has(name) != want {
				t.Errorf("%s: %v", name, !want)
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
	})
}
