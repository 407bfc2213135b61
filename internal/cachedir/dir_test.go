package cachedir

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// put makes files of some size, last used that long before noon.
func put(t *testing.T, dir, name string, size int, before time.Duration) {
	t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, noon, noon.Add(-before)); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, dir string) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(dir, path); rel != "." {
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return strings.Join(all, " ")
}

func TestPrune(t *testing.T) {
	for _, test := range []struct {
		name string
		max  int64
		make func(dir string)
		want string
	}{
		{"below the bound all stays", 3000, func(dir string) {
			put(t, dir, "a/x", 1000, 48*time.Hour)
			put(t, dir, "b/y", 1000, time.Hour)
		}, "a a/x b b/y"},
		{"above it what was used last stays, wherever it lies", 2500, func(dir string) {
			put(t, dir, "a/x", 1000, 3*time.Hour)
			put(t, dir, "b/y", 1000, 2*time.Hour)
			put(t, dir, "b/z", 1000, time.Hour)
		}, "a b b/y b/z"},
		{"the newest stays though it is too large alone", 100, func(dir string) {
			put(t, dir, "x", 1000, time.Hour)
			put(t, dir, "y", 1000, 0)
		}, "y"},
		{"what nobody will finish goes", 3000, func(dir string) {
			put(t, dir, ".part-1", 10, 2*time.Hour)
			put(t, dir, "a/.part-2", 10, time.Minute)
		}, "a a/.part-2"},
		{"without a bound nothing goes", 0, func(dir string) { put(t, dir, "x", 1000, time.Hour) }, "x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			test.make(dir)
			Dir{dir, test.max}.Prune(noon)
			if got := names(t, dir); got != test.want {
				t.Errorf("left are %q", got)
			}
		})
	}
	Dir{filepath.Join(t.TempDir(), "none"), 1}.Prune(noon)
	Dir{"", 1}.Prune(noon)
}

func TestEmptyDirectoriesAreRemovedOnceOld(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old", "old/inner", "new"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"old/inner", "old"} {
		if err := os.Chtimes(filepath.Join(dir, name), noon, noon.Add(-2*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chtimes(filepath.Join(dir, "new"), noon, noon); err != nil {
		t.Fatal(err)
	}
	Dir{dir, 1000}.Prune(noon)
	if got := names(t, dir); got != "new" {
		t.Errorf("left are %q", got)
	}
}

func TestDescribe(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a/x", 1536, 0)
	if value, problem := (Dir{dir, 512 << 20}).Describe(); value != dir+", 1.5 KiB of at most 512 MiB" || problem != "" {
		t.Errorf("%s ! %s", value, problem)
	}
	none := filepath.Join(dir, "none", "yet")
	if value, problem := (Dir{none, 1 << 30}).Describe(); value != none+", not there yet; at most 1 GiB" || problem != "" {
		t.Errorf("%s ! %s", value, problem)
	}
	if _, problem := (Dir{filepath.Join(dir, "a", "x", "y"), 1}).Describe(); !strings.Contains(problem, "DOCENT_CACHE") {
		t.Errorf("of a file it is said: %s", problem)
	}
	if _, problem := (Dir{}).Describe(); !strings.Contains(problem, "DOCENT_CACHE") {
		t.Errorf("of none it is said: %s", problem)
	}
	if got := names(t, dir); got != "a a/x" {
		t.Errorf("left are %q", got)
	}
}
