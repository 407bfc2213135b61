package fingerprint

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/docent-mcp/docent/internal/filetest"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// later is so long after all that a test does that no change is too fresh.
func later() time.Time { return time.Now().Add(time.Hour) }

// read reads a file, so that the tree records it.
func read(fsys fs.FS, name string) { _, _ = fs.ReadFile(fsys, name) }

func TestMarksHoldUntilSomethingThatWasLookedAtChanges(t *testing.T) {
	old := time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC) // This is the time that npm gives all files.
	tests := []struct {
		name   string
		change func(dir string) error
		holds  bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"a file that was read", func(dir string) error { return os.WriteFile(dir+"/lib/a.d.ts", []byte("longer"), 0o644) }, false},
		{"a file that was not read", func(dir string) error { return os.WriteFile(dir+"/lib/b.d.ts", []byte("longer"), 0o644) }, true},
		{"a file that was looked for in vain", func(dir string) error { return os.WriteFile(dir+"/lib/a.ts", nil, 0o644) }, false},
		{"a directory that was looked for in vain", func(dir string) error { return os.Mkdir(dir+"/node_modules", 0o755) }, false},
		{"a file in a directory that nobody looked into", func(dir string) error { return os.WriteFile(dir+"/other/x", nil, 0o644) }, true},
		{"a file that was read is gone", func(dir string) error { return os.Remove(dir + "/lib/a.d.ts") }, false},
		{"a directory in place of a file", func(dir string) error {
			return errors.Join(os.Remove(dir+"/lib/a.d.ts"), os.Mkdir(dir+"/lib/a.d.ts", 0o755))
		}, false},
		{"another file of the same size and time in its place", func(dir string) error {
			return errors.Join(os.WriteFile(dir+"/new", []byte("B"), 0o644), os.Chtimes(dir+"/new", old, old), os.Rename(dir+"/new", dir+"/lib/a.d.ts"))
		}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{"lib/a.d.ts", "lib/b.d.ts", "other/y"} {
				filetest.Write(t, dir, map[string]string{name: "A"})
				if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
					t.Fatal(err)
				}
			}
			var f Fingerprint
			tree := NewTree(rootfs.New(dir), dir)
			tree.Watch(&f)
			for _, name := range []string{"lib/a.ts", "lib/a.d.ts", "node_modules/x/package.json"} {
				if _, err := fs.Stat(tree, name); err == nil {
					read(tree, name)
				}
			}
			stamps, _, ok := f.Reusable(later())
			if !ok {
				t.Fatal("it cannot be relied on")
			}
			wait(t, dir)
			if err := tt.change(dir); err != nil {
				t.Fatal(err)
			}
			if holds := !slices.ContainsFunc(stamps, func(m Stamp) bool { return !m.Unchanged() }); holds != tt.holds {
				t.Errorf("holds: %v, want %v, of %+v", holds, tt.holds, stamps)
			}
		})
	}
}

// wait returns once the file system's clock has moved, so that the next change
// has another time than those before.
func wait(t *testing.T, dir string) {
	t.Helper()
	dir = filepath.Dir(dir)
	probe := map[string]string{"probe": ""}
	filetest.Write(t, dir, probe)
	for before := StampOf(filepath.Join(dir, "probe")); before.Unchanged(); {
		filetest.Write(t, dir, probe)
	}
}

func TestATreeIsAFileSystem(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"a.txt": "a", "b/c.txt": "c", "b/d/e.txt": "e", "b-x/f.txt": "f"})
	if err := fstest.TestFS(NewTree(rootfs.New(dir), dir), "a.txt", "b/c.txt", "b/d/e.txt", "b-x/f.txt"); err != nil {
		t.Error(err)
	}
}

func TestLinksAreFollowedWithinTheTreeOnly(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"out.txt": "out", "in/real/x.txt": "x"})
	for link, target := range map[string]string{"in/link": "real", "in/away": "../out.txt", "in/dead": "nowhere"} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("this system does not let the user make symbolic links, which this test follows (on Windows, turn on developer mode): %v", err)
		}
	}
	var f Fingerprint
	tree := NewTree(rootfs.New(dir+"/in"), dir+"/in")
	tree.Watch(&f)
	if data, err := fs.ReadFile(tree, "link/x.txt"); err != nil || string(data) != "x" {
		t.Errorf("through a link: %q, %v", data, err)
	}
	for _, name := range []string{"away", "dead", "link/y.txt"} {
		if _, err := fs.Stat(tree, name); err == nil {
			t.Errorf("%s is there", name)
		}
		if _, err := fs.ReadFile(tree, name); err == nil {
			t.Errorf("%s can be read", name)
		}
	}
	stamps, _, _ := f.Reusable(later())
	for _, m := range stamps {
		if !m.Unchanged() {
			t.Errorf("%+v does not hold, though nothing has changed", m)
		}
	}
}

func TestWhatCannotBeReliedOn(t *testing.T) {
	dir := t.TempDir()
	var spoiled, young, limited, many Fingerprint
	spoiled.Invalidate()
	if _, _, ok := spoiled.Reusable(later()); ok {
		t.Error("what is spoiled is relied on")
	}
	if spoiled.Unchanged() {
		t.Error("what is spoiled is unchanged")
	}
	young.Add(dir)
	if _, _, ok := young.Reusable(time.Now()); ok {
		t.Error("a directory that has only just changed is relied on")
	}
	limited.LimitAge(time.Hour)
	limited.LimitAge(time.Minute)
	limited.LimitAge(time.Hour)
	if _, age, ok := limited.Reusable(later()); !ok || age != time.Minute {
		t.Errorf("the limit is %v, %v", age, ok)
	}
	for i := range maxStamps + 1 {
		many.record(Stamp{Path: string(rune(i))})
	}
	if _, _, ok := many.Reusable(later()); ok {
		t.Error("more stamps than can be looked at again are relied on")
	}
	var none *Fingerprint
	none.Add(dir)
	none.Invalidate()
	none.LimitAge(1)
}
