package project_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/project"
)

func TestAFileIsFoundInTheNearestDirectoryAbove(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a", "b", "c")
	if err := os.MkdirAll(filepath.Join(dir, "a", "b", "lock"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a", "lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := project.FindUp(deep, "lock"); got != filepath.Join(dir, "a", "lock") {
		t.Errorf("got %q", got)
	}
	if got := project.FindUp(deep, "no such file anywhere"); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestAFileIsReadUpToItsLimit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, size := range []int{0, 1, 511, 512, 5000} {
		want := bytes.Repeat([]byte("x"), size)
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := project.ReadFile(path, int64(size)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
		if _, err := project.ReadFile(path, int64(size)-1); err == nil {
			t.Errorf("%d bytes were read with a limit of one less", size)
		}
	}
	if _, err := project.ReadFile(dir, 100); err == nil {
		t.Error("a directory was read")
	}
	if project.StampOf(path) == project.StampOf(filepath.Join(dir, "missing")) || project.StampOf("") != (project.Stamp{}) {
		t.Error("stamps do not tell files apart")
	}
}

func TestAPipeIsNotWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "go.mod")
	if out, err := exec.Command("mkfifo", path).CombinedOutput(); err != nil {
		t.Skipf("mkfifo cannot make the named pipe that this test reads: %v %s; to run it, use Linux or macOS", err, out)
	}
	if _, err := project.ReadFile(path, 100); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("%v", err)
	}
}
