package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/project"
)

func TestAFileIsParsedAgainOnlyIfItChanged(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lock")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var c project.FileCache[string]
	c.Max = 1
	parsed, refused := 0, errors.New("refused")
	read := func(file string) (string, error) {
		return c.Read(file, 10, func(data []byte) (string, error) {
			if parsed++; string(data) == "bad" {
				return "", refused
			}
			return string(data), nil
		})
	}
	for _, step := range []struct {
		name, text string // text, unless empty, is written to the file first
		want       string
		err        error
		parsed     int
	}{
		{"new", "one", "one", nil, 1},
		{"unchanged", "", "one", nil, 1},
		{"changed", "three", "three", nil, 2},
		{"not parsed", "bad", "", refused, 3},
		{"an error is not cached", "", "", refused, 4},
		{"too large", "12345678901", "", project.ErrTooLarge, 4},
	} {
		if step.text != "" {
			write(step.text)
		}
		if got, err := read(file); got != step.want || !errors.Is(err, step.err) || parsed != step.parsed {
			t.Errorf("%s: %q, %v, parsed %d times", step.name, got, err, parsed)
		}
	}
	write("a")
	other := filepath.Join(filepath.Dir(file), "other")
	if err := os.WriteFile(other, []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	parsed = 0
	for range 2 {
		for _, f := range []string{file, other} {
			if _, err := read(f); err != nil {
				t.Fatal(err)
			}
		}
	}
	if parsed != 4 {
		t.Errorf("a cache of one value parsed two files in turn %d times", parsed)
	}
}

func TestGlobsLeadToDirectories(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"a/b/c", "a/.hidden/d", "a/skipped/e", "f"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		globs, want []string
	}{
		{nil, nil},
		{[]string{"f"}, []string{"a", "f"}},
		{[]string{"./a/*/"}, []string{"a", "a/b", "f"}},
		{[]string{"a/**"}, []string{"a", "a/b", "a/b/c", "f"}},
		{[]string{"**/**/**/**"}, nil},
	} {
		var visited []string
		project.WalkGlobs(root, tt.globs, []string{"skipped"}, func(dir, rel string) {
			if dir != filepath.Join(root, filepath.FromSlash(rel)) {
				t.Errorf("%s is not %s", dir, rel)
			}
			visited = append(visited, rel)
		})
		if !slices.Equal(visited, tt.want) {
			t.Errorf("%q: %q", tt.globs, visited)
		}
	}
	for _, tt := range []struct {
		glob, name string
		want       bool
	}{
		{"a/*", "a/b", true},
		{"a/*", "a/b/c", false},
		{"./a/*/", "a/b", true},
		{"a/**", "a", true},
		{"**/c", "a/b/c", true},
		{"a", "a/b", false},
		{"a/b", "a", false},
	} {
		if project.MatchGlob(tt.glob, tt.name) != tt.want {
			t.Errorf("%q matches %q: %v", tt.glob, tt.name, !tt.want)
		}
	}
}
