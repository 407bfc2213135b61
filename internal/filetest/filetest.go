// Package filetest creates files and archives for tests and compares text with golden files.
package filetest

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Write writes files below dir. Their names have forward slashes.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o750), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// Dir returns a temporary directory with files.
func Dir(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	Write(t, dir, files)
	return dir
}

// Read returns the content of a file.
func Read(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares text with the file at path, which `go test -update` writes. It
// ignores Windows line ends in the file.
func Golden(t testing.TB, path, text string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if want := strings.ReplaceAll(string(Read(t, path)), "\r\n", "\n"); text != want {
		t.Errorf("%s differs; run go test -run %s -update and look at the change. Got:\n%s", path, t.Name(), difference(text, want))
	}
}

// difference returns the first lines of a text from the one that differs from another text.
func difference(text, other string) string {
	lines, others := strings.SplitAfter(text, "\n"), strings.SplitAfter(other, "\n")
	first := 0
	for first < len(lines) && first < len(others) && lines[first] == others[first] {
		first++
	}
	last := min(first+20, len(lines))
	out := fmt.Sprintf("line %d:\n%s", first+1, strings.Join(lines[first:last], ""))
	if last < len(lines) {
		out += "…\n"
	}
	return out
}
