package rootfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/docent-mcp/docent/internal/filetest"
)

const secret = "a secret that no answer may hold"

// links makes symbolic links below a directory.
func links(t *testing.T, dir string, targets map[string]string) {
	t.Helper()
	for link, target := range targets {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, link)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("this system does not let the user make symbolic links, which this test follows (on Windows, turn on developer mode): %v", err)
		}
	}
}

func TestFS(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"a.txt": "a", "b/c.txt": "c", "b/d/e.txt": "e", "b-x/f.txt": "f"})
	if err := fstest.TestFS(New(dir), "a.txt", "b/c.txt", "b/d/e.txt", "b-x/f.txt"); err != nil {
		t.Error(err)
	}
}

func TestFS_Links(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"in/real/x.txt": "x", "in/top.txt": "top", "out/secret.txt": secret, "in/sub/y.txt": "y"})
	links(t, dir, map[string]string{
		"in/file": "real/x.txt", "in/dir": "real", "in/twice": "file", "in/sub/up": "../top.txt",
		"in/away": "../out/secret.txt", "in/awayDir": "../out", "in/absolute": filepath.Join(dir, "out", "secret.txt"), "in/dots": "real/../../out/secret.txt",
		"in/through": "awayDir/secret.txt", "in/back": "../in/top.txt", "in/loop": "loop", "in/a": "b", "in/b": "a", "in/dead": "nowhere", "in/self": ".",
	})
	f := New(filepath.Join(dir, "in"))
	for name, want := range map[string]string{"file": "x", "dir/x.txt": "x", "twice": "x", "sub/up": "top", "self/self/top.txt": "top"} {
		if data, err := fs.ReadFile(f, name); err != nil || string(data) != want {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
	for _, name := range []string{"away", "awayDir/secret.txt", "absolute", "dots", "through", "back", "loop", "a", "dead", "self/away", "../out/secret.txt", "/etc/passwd"} {
		if data, err := fs.ReadFile(f, name); err == nil {
			t.Errorf("%s: %q", name, data)
		}
		if info, err := fs.Stat(f, name); err == nil {
			t.Errorf("%s: %v", name, info)
		}
	}
	if list, err := fs.ReadDir(f, "awayDir"); err == nil {
		t.Errorf("the names in a directory elsewhere: %v", list)
	}
	sub, err := fs.Sub(f, "sub")
	if err != nil {
		t.Fatal(err)
	}
	if data, err := fs.ReadFile(sub, "up"); err != nil || string(data) != "top" {
		t.Errorf("a link within the root, but out of the part of it: %q, %v", data, err)
	}
	if away, err := fs.Sub(f, "awayDir"); err == nil {
		if data, err := fs.ReadFile(away, "secret.txt"); err == nil {
			t.Errorf("a part that is a link: %q", data)
		}
	}
}

// TestFS_LinksThatAreReplaced exchanges a file for a link while it is read, for a
// number of readings. All that is read is the file.
func TestFS_LinksThatAreReplaced(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"in/docs/README.md": "text", "out/README.md": secret})
	links(t, dir, map[string]string{"link": "../../out/README.md", "dirLink": "../out"})
	in := filepath.Join(dir, "in")
	f := New(in)
	stop, done := make(chan struct{}), make(chan struct{})
	swap := func(path, with string) {
		_ = os.Rename(path, path+".was")
		_ = os.Rename(with, path)
		_ = os.Rename(path, with)
		_ = os.Rename(path+".was", path)
	}
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				swap(filepath.Join(in, "docs", "README.md"), filepath.Join(dir, "link"))
				swap(filepath.Join(in, "docs"), filepath.Join(dir, "dirLink"))
			}
		}
	}()
	for range 5000 {
		if data, err := fs.ReadFile(f, "docs/README.md"); err == nil && string(data) != "text" {
			t.Errorf("got %q", data)
			break
		}
	}
	close(stop)
	<-done
}

func TestFS_RootThatIsReplaced(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"in/a.txt": "a", "out/a.txt": secret})
	f := New(filepath.Join(dir, "in"))
	if _, err := fs.ReadFile(f, "a.txt"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(dir, "in"), filepath.Join(dir, "was")); err != nil {
		t.Fatal(err)
	}
	links(t, dir, map[string]string{"in": "out"})
	if data, err := fs.ReadFile(f, "a.txt"); !errors.Is(err, errReplaced) {
		t.Errorf("got %q, %v", data, err)
	}
}

func TestOpen(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{
		"repo/.git/HEAD": "ref: x\n", "repo/top.txt": "top", "repo/sub/own.txt": "own", "repo/sub/more/x": "", "out.txt": secret,
		"plain/sub/own.txt": "own", "plain/top.txt": "top",
	})
	links(t, dir, map[string]string{
		"repo/sub/own": "own.txt", "repo/sub/up": "../top.txt", "repo/sub/away": "../../out.txt", "repo/sub/absolute": filepath.Join(dir, "out.txt"),
		"plain/sub/own": "own.txt", "plain/sub/up": "../top.txt", "repo/sub/dir": "more", "repo/sub/loop": "loop", "user": "repo/sub/away",
	})
	tests := []struct{ name, want string }{
		{"repo/sub/own.txt", "own"}, {"repo/sub/own", "own"}, {"repo/sub/up", "top"}, {"repo/sub/away", ""}, {"repo/sub/absolute", ""},
		{"plain/sub/own", "own"}, {"plain/sub/up", ""}, {"repo/sub/dir", ""}, {"repo/sub/more", ""}, {"repo/sub/loop", ""}, {"repo/sub/none", ""},
	}
	read := func(open func(string) (*os.File, error), name string) string {
		f, err := open(filepath.Join(dir, name))
		if err != nil {
			return ""
		}
		defer f.Close()
		data, err := io.ReadAll(f)
		if err != nil {
			t.Error(err)
		}
		return string(data)
	}
	for _, tt := range tests {
		if got := read(Open, tt.name); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := Open(filepath.Join(dir, "repo", "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if got := read(OpenAnywhere, "user"); got != secret {
		t.Errorf("a file of the user's own: %q", got)
	}
}

// TestOpen_HomeInARepository has links in a directory below a home that is a
// repository of the user's.
func TestOpen_HomeInARepository(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{".git/HEAD": "", "secret": secret, "unpacked/x": ""})
	t.Setenv("HOME", dir)
	t.Setenv("USERPROFILE", dir)
	links(t, dir, map[string]string{"unpacked/link": "../secret"})
	if f, err := Open(filepath.Join(dir, "unpacked", "link")); err == nil {
		f.Close()
		t.Error("the link was followed")
	}
}

func TestNames(t *testing.T) {
	dir := filetest.Dir(t, map[string]string{"b": "", "a/x": "", "c": ""})
	if names, err := Names(dir, -1); err != nil || !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("got %q, %v", names, err)
	}
	if names, err := Names(dir, 2); err != nil || len(names) != 2 {
		t.Errorf("got %q, %v", names, err)
	}
	if _, err := Names(filepath.Join(dir, "b"), 2); err == nil || strings.Contains(err.Error(), "/.:") {
		t.Errorf("the names in a file: %v", err)
	}
}
