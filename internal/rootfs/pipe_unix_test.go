//go:build unix

package rootfs

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/docent-mcp/docent/internal/filetest"
)

// TestPipesAndDevices hangs if a pipe is opened as a file is.
func TestPipesAndDevices(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"in/x": "x"})
	in := filepath.Join(dir, "in")
	if err := syscall.Mkfifo(filepath.Join(in, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	links(t, in, map[string]string{"link": "pipe", "zero": "/dev/zero", "null": "/dev/null"})
	f := New(in)
	for _, name := range []string{"pipe", "link"} {
		if _, err := f.Open(name); !errors.Is(err, ErrIrregular) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := f.ReadDir(name); err == nil {
			t.Errorf("%s was listed", name)
		}
	}
	for _, name := range []string{"pipe", "link", "zero", "null"} {
		if file, err := Open(filepath.Join(in, name)); err == nil {
			file.Close()
			t.Errorf("%s was opened", name)
		}
		if file, err := OpenAnywhere(filepath.Join(in, name)); err == nil {
			file.Close()
			t.Errorf("%s was opened as the user's", name)
		}
	}
	pipe := New(filepath.Join(in, "pipe"))
	if _, err := fs.ReadDir(pipe, "."); err == nil {
		t.Error("a pipe is a directory")
	}
	if _, err := Names(filepath.Join(in, "pipe"), -1); err == nil {
		t.Error("a pipe has names")
	}
	if _, err := Open(filepath.Join(in, "pipe", "x")); err == nil {
		t.Error("a pipe has files")
	}
	for _, device := range []string{"/dev/zero", "/dev/null"} {
		if file, err := OpenAnywhere(device); err == nil {
			file.Close()
			t.Errorf("%s was opened", device)
		}
	}
}
