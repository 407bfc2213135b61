package cachedir

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// pruned prunes the files of a cache at noon.
func pruned(t *testing.T, c *Cache) {
	t.Helper()
	c.now = func() time.Time { return noon }
	root, err := c.makeRoot()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	c.prune(root, c.max)
}

func TestPrune(t *testing.T) {
	for _, test := range []struct {
		name string
		max  int64
		make func(t *testing.T, c *Cache)
		want string
	}{
		{"below the bound all stays", 3 * block, func(t *testing.T, c *Cache) {
			put(t, c, "a/x", block, 48*time.Hour)
			put(t, c, "b/y", block, time.Hour)
		}, "a a/x b b/y"},
		{"above it what was used last stays, whosever it is", 5 * block / 2, func(t *testing.T, c *Cache) {
			put(t, c, "a/x", block, 3*time.Hour)
			put(t, c, "b/y", block, 2*time.Hour)
			put(t, c, "b/z", block, time.Hour)
		}, "a b b/y b/z"},
		{"an empty file takes a block", 3 * block / 2, func(t *testing.T, c *Cache) {
			put(t, c, "a/x", 1, 3*time.Hour)
			put(t, c, "a/y", 1, 2*time.Hour)
		}, "a a/y"},
		{"the newest stays though it is too large alone", 100, func(t *testing.T, c *Cache) {
			put(t, c, "x", 1000, time.Hour)
			put(t, c, "y", 1000, 0)
		}, "y"},
		{"what nobody will finish goes", 3 * block, func(t *testing.T, c *Cache) {
			put(t, c, ".part-1", 10, 2*abandoned)
			put(t, c, "a/.part-2", 10, abandoned/2)
			put(t, c, "locks/1", 0, 2*abandoned)
			put(t, c, "locks/2", 0, abandoned/2)
		}, "a a/.part-2 locks locks/2"},
		{"empty directories go once they are old", block, func(t *testing.T, c *Cache) {
			for name, before := range map[string]time.Duration{"old/inner": 2 * abandoned, "new/inner": abandoned / 2} {
				put(t, c, name+"/file", 1, 0)
				if err := os.Remove(c.Path(name + "/file")); err != nil {
					t.Fatal(err)
				}
				setTime(t, c.Path(name), before)
				setTime(t, filepath.Dir(c.Path(name)), before)
			}
		}, "new new/inner"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := New(t.TempDir(), Options{Max: test.max})
			put(t, c, "first", 1, 0)
			if err := os.Remove(c.Path("first")); err != nil {
				t.Fatal(err)
			}
			test.make(t, c)
			pruned(t, c)
			if got := names(t, c); got != test.want {
				t.Errorf("left are %q", got)
			}
		})
	}
}

func TestNothingBesideTheFilesOfTheCacheIsRemoved(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "go", "src", "precious.go")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, make([]byte, 10*block), 0o600); err != nil {
		t.Fatal(err)
	}
	setTime(t, file, 1000*touch)
	c := New(dir, Options{Max: block})
	mustWrite(t, c, "go/a", "text")
	mustWrite(t, c, "go/b", "text")
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
}

func TestPruningIsRareWhileLittleIsWritten(t *testing.T) {
	c := New(t.TempDir(), Options{Max: 100 * block})
	now := noon
	c.now = func() time.Time { return now }
	mustWrite(t, c, "first", "text") // Writing this file prunes the cache.
	put(t, c, ".part-1", 1, 2*abandoned)
	exists := func() bool {
		_, err := os.Stat(c.Path(".part-1"))
		return err == nil
	}
	mustWrite(t, c, "second", "text")
	if !exists() {
		t.Error("pruned again at once")
	}
	now = now.Add(pruneEvery)
	mustWrite(t, c, "third", "text")
	if exists() {
		t.Error("not pruned after a minute")
	}
	put(t, c, ".part-1", 1, 2*abandoned)
	mustWrite(t, c, "large", strings.Repeat("x", 10*block))
	if exists() {
		t.Error("not pruned after much was written")
	}
}

func TestManyWhoWriteAtOnceStayWithinTheBound(t *testing.T) {
	dir := t.TempDir()
	const maximum = 20 * block
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			c := New(dir, Options{Max: maximum}) // This represents the cache in another process.
			for j := range 30 {
				name := fmt.Sprintf("npm/%d-%d", i, j%7)
				f, err := c.Fetch(t.Context(), name, content(name))
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				b := make([]byte, f.Size())
				if _, err := f.ReadAt(b, 0); err != nil || string(b) != name {
					t.Errorf("%s holds %q, %v", name, b, err)
				}
				f.Close()
			}
		})
	}
	all.Wait()
	c := New(dir, Options{Max: maximum})
	mustWrite(t, c, "last", "text")
	pruned(t, c)
	root, err := c.root()
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if remaining, _, err := entries(root, noon); err != nil || sum(remaining) > maximum {
		t.Errorf("%d bytes in %d files, %v", sum(remaining), len(remaining), err)
	}
}

func TestDescribe(t *testing.T) {
	c := New(t.TempDir(), Options{Max: 512 << 20})
	put(t, c, "npm/x", 6000, 0)
	put(t, c, "go/y", 1, 0)
	if value, problem := c.Describe(); value != c.dir+", 12 KiB of at most 512 MiB (go 4 KiB, npm 8 KiB)" || problem != "" {
		t.Errorf("%s ! %s", value, problem)
	}
	before := names(t, c)
	if c.Describe(); names(t, c) != before {
		t.Errorf("left are %q", names(t, c))
	}
	none := filepath.Join(t.TempDir(), "none", "yet")
	if value, problem := New(none, Options{}).Describe(); value != none+", not created yet; at most 2 GiB" || problem != "" {
		t.Errorf("%s ! %s", value, problem)
	}
	if _, problem := New(filepath.Join(c.Path("npm/x"), "y"), Options{}).Describe(); !strings.Contains(problem, "DOCENT_CACHE") {
		t.Errorf("of a file: %s", problem)
	}
	if _, problem := New("", Options{}).Describe(); !strings.Contains(problem, "DOCENT_CACHE") {
		t.Errorf("of none: %s", problem)
	}
}
