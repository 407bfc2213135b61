//go:build unix

package cachedir

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const stranger = 54321 // stranger is the ID of another user.

func TestADirectoryThatAnotherUserMayChangeIsNotUsed(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make files of another user, which this test reads; to run it, use root")
	}
	mkdir := func(path string, mode os.FileMode) error {
		return errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, mode))
	}
	tests := []struct {
		name string
		make func(dir string) error // makes dir, which DOCENT_CACHE names
		says string                 // empty if the directory is used
	}{
		{"not there", func(string) error { return nil }, ""},
		{"the user's own", func(dir string) error { return mkdir(dir, 0o755) }, ""},
		{"a group's", func(dir string) error { return mkdir(dir, 0o775) }, ""},
		{"the user's own link", func(dir string) error {
			return errors.Join(mkdir(dir+"-real", 0o700), os.Symlink(dir+"-real", dir))
		}, ""},
		{"the user's own relative link", func(dir string) error {
			return errors.Join(mkdir(dir+"-real", 0o700), os.Symlink("../x/"+filepath.Base(dir)+"-real", dir))
		}, ""},
		{"another's directory", func(dir string) error {
			return errors.Join(mkdir(dir, 0o755), os.Chown(dir, stranger, stranger))
		}, " belongs to another user"},
		{"anybody's directory", func(dir string) error { return mkdir(dir, 0o777) }, " is writable by everyone"},
		{"anybody's directory with the sticky bit", func(dir string) error { return mkdir(dir, 0o777|os.ModeSticky) }, " is writable by everyone"},
		{"another's link", func(dir string) error {
			return errors.Join(mkdir(dir+"-real", 0o700), os.Symlink(dir+"-real", dir), os.Lchown(dir, stranger, stranger))
		}, " is a symbolic link that belongs to another user"},
		{"another's link behind the user's own", func(dir string) error {
			return errors.Join(mkdir(dir+"-real", 0o700), os.Symlink(dir+"-real", dir+"-link"),
				os.Lchown(dir+"-link", stranger, stranger), os.Symlink(dir+"-link", dir))
		}, " is a symbolic link that belongs to another user"},
		{"a link to itself", func(dir string) error { return os.Symlink(dir, dir) }, "too many"},
		{"another's directory inside", func(dir string) error {
			inside := filepath.Join(dir, layout)
			return errors.Join(mkdir(dir, 0o700), mkdir(inside, 0o755), os.Chown(inside, stranger, stranger))
		}, " belongs to another user"},
		{"another's link inside", func(dir string) error {
			inside := filepath.Join(dir, layout)
			return errors.Join(mkdir(dir, 0o700), mkdir(dir+"-real", 0o700), os.Symlink(dir+"-real", inside), os.Lchown(inside, stranger, stranger))
		}, " is a symbolic link that belongs to another user"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "x")
			if err := os.Mkdir(above, 0o700); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(above, "docent")
			if err := tt.make(dir); err != nil {
				t.Fatal(err)
			}
			c := New(dir, Options{})
			err := c.Write(some, content("text"))
			_, problem := c.Describe()
			if tt.says == "" {
				if err != nil || problem != "" {
					t.Errorf("not used: %v; %s", err, problem)
				}
				wantFile(t, c, some, "text")
				return
			}
			if !errors.Is(err, ErrNotKept) || !strings.Contains(err.Error(), tt.says) || !strings.Contains(problem, tt.says) {
				t.Errorf("used: %v; %s", err, problem)
			}
			if unlock, err := c.Lock(t.Context(), some); err != nil {
				t.Error(err)
			} else {
				unlock()
			}
			err = filepath.WalkDir(above, func(path string, e os.DirEntry, err error) error {
				if err == nil && e.Type().IsRegular() {
					t.Errorf("%s was written", path)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestALinkInTheCacheLeadsNowhereElse(t *testing.T) {
	c := New(t.TempDir(), Options{Max: 1})
	elsewhere := t.TempDir()
	mustWrite(t, c, "go/x", "text")
	if err := os.Symlink(elsewhere, c.Path("npm")); err != nil {
		t.Fatal(err)
	}
	precious := filepath.Join(elsewhere, "precious")
	if err := os.WriteFile(precious, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	setTime(t, precious, 1000*touch)
	if err := c.Write("npm/y", content("text")); !errors.Is(err, ErrNotKept) {
		t.Errorf("written through the link: %v", err)
	}
	mustWrite(t, c, "go/y", "text") // Writing this file prunes the cache.
	if rest, err := os.ReadDir(elsewhere); err != nil || len(rest) != 1 {
		t.Errorf("left are %v, %v", rest, err)
	}
}

func TestAPipeInThePlaceOfAFileIsRemoved(t *testing.T) {
	c := New(t.TempDir(), Options{})
	mustWrite(t, c, some, "text")
	c.Drop(some)
	if err := syscall.Mkfifo(c.Path(some), 0o600); err != nil {
		t.Skip("this system does not let the user make named pipes, which this test opens: ", err)
	}
	if _, err := c.Read(some, 10); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	mustWrite(t, c, some, "text")
	wantFile(t, c, some, "text")
}
