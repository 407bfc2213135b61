package project

import (
	"os"
	"path/filepath"
	"testing"
)

func TestStatIsThatOfThePackageOS(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "go.mod"), filepath.Join(dir, "link")
	if err := os.WriteFile(file, []byte("module app"), 0o600); err != nil {
		t.Fatal(err)
	}
	paths := []string{dir, file, filepath.Join(dir, "none"), filepath.Join(file, "below"), filepath.Join(dir, "a\x00b")}
	if err := os.Symlink(file, link); err == nil { // Windows may not allow it
		paths = append(paths, link)
	}
	for _, path := range paths {
		modified, size, ok := stat(path)
		info, err := os.Stat(path)
		if ok != (err == nil) || ok && (modified != info.ModTime().UnixNano() || size != info.Size()) {
			t.Errorf("stat of %q is %d, %d, %v; of the package os %v, %v", path, modified, size, ok, info, err)
		}
	}
}
