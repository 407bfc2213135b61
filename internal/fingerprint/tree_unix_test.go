//go:build unix

package fingerprint

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/docent-mcp/docent/internal/rootfs"
)

func TestPipesAreNotOpenedAsThatWaitsForAWriter(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(dir+"/pipe", 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pipe", dir+"/link"); err != nil {
		t.Fatal(err)
	}
	tree := NewTree(rootfs.New(dir), dir)
	for _, name := range []string{"pipe", "link"} {
		if _, err := fs.ReadFile(tree, name); !errors.Is(err, rootfs.ErrIrregular) {
			t.Errorf("reading %s gave %v", name, err)
		}
	}
}
