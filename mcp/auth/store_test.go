package auth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

func stores(t *testing.T) map[string]Store {
	return map[string]Store{"memory": new(MemoryStore), "files": FileStore{Dir: filepath.Join(t.TempDir(), "a", "tokens")}}
}

func TestStores(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			want := func(key, text string) {
				t.Helper()
				got, err := s.Load(t.Context(), key)
				if err != nil || string(got) != text || text == "" && got != nil {
					t.Errorf("%s: %q, %v, want %q", key, got, err, text)
				}
			}
			save := func(key string, value []byte) {
				t.Helper()
				if err := s.Save(t.Context(), key, value); err != nil {
					t.Error(err)
				}
			}
			want("a", "")
			save("a", nil)
			save("a", []byte("one"))
			save("../b", []byte("two"))
			want("a", "one")
			want("../b", "two")
			save("a", []byte("three"))
			want("a", "three")
			save("a", nil)
			want("a", "")
			want("../b", "two")
		})
	}
}

func TestLocksOfStores(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			var all sync.WaitGroup
			var inside, count atomic.Int32
			for range 20 {
				all.Go(func() {
					unlock, err := s.Lock(t.Context(), "k")
					if err != nil {
						t.Error(err)
						return
					}
					if inside.Add(1) != 1 {
						t.Error("two hold the lock")
					}
					count.Add(1)
					runtime.Gosched()
					inside.Add(-1)
					unlock()
				})
			}
			all.Wait()
			if n := count.Load(); n != 20 {
				t.Errorf("%d had the lock", n)
			}
			unlock, err := s.Lock(t.Context(), "k")
			if err != nil {
				t.Fatal(err)
			}
			other, err := s.Lock(t.Context(), "other")
			if err != nil {
				t.Fatal(err)
			}
			other()
			gone, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := s.Lock(gone, "k"); !errors.Is(err, context.Canceled) {
				t.Errorf("%v", err)
			}
			unlock()
			if unlock, err = s.Lock(t.Context(), "k"); err != nil {
				t.Fatal(err)
			}
			unlock()
		})
	}
}

func TestFilesAreTheirOwners(t *testing.T) {
	proves(t, "auth.sec.storage", "auth.sec.storage.client", "auth.refresh.confidential")
	if runtime.GOOS == "windows" {
		t.Skip("Windows has access control lists instead of the modes and owners that this test sets; to run it, use another system")
	}
	s := FileStore{Dir: filepath.Join(t.TempDir(), "tokens")}
	if err := s.Save(t.Context(), "k", []byte("secret")); err != nil {
		t.Fatal(err)
	}
	unlock, err := s.Lock(t.Context(), "k")
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if info, err := os.Stat(s.Dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	files, err := os.ReadDir(s.Dir)
	if err != nil || len(files) != 2 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, f := range files {
		if info, err := f.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f.Name(), info.Mode(), err)
		}
	}
}

func TestFilesThatAreNotTrusted(t *testing.T) {
	proves(t, "auth.sec.storage", "auth.sec.storage.client", "auth.refresh.confidential")
	if runtime.GOOS == "windows" {
		t.Skip("Windows has access control lists instead of the modes and owners that this test sets; to run it, use another system")
	}
	const key = "k"
	for name, tt := range map[string]struct {
		spoil func(dir, file, lock, elsewhere string) error
		says  string
		save  bool // whether Save replaces the file
	}{
		"a file that others can read":  {func(_, file, _, _ string) error { return os.Chmod(file, 0o640) }, "other users", true},
		"a file that others can write": {func(_, file, _, _ string) error { return os.Chmod(file, 0o602) }, "other users", true},
		"a file that others can run":   {func(_, file, _, _ string) error { return os.Chmod(file, 0o610) }, "other users", true},
		"a directory to write to":      {func(dir, _, _, _ string) error { return os.Chmod(dir, 0o720) }, "other users", false},
		"a directory to enter":         {func(dir, _, _, _ string) error { return os.Chmod(dir, 0o701) }, "other users", false},
		"a link": {func(_, file, _, elsewhere string) error {
			return errors.Join(os.Remove(file), os.Symlink(elsewhere, file))
		}, "symbolic link", true},
		"a directory for a file":           {func(_, file, _, _ string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o700)) }, "remove it", false},
		"a directory that others can read": {func(dir, _, _, _ string) error { return os.Chmod(dir, 0o750) }, "other users", false},
		"a directory that is a link": {func(dir, _, _, _ string) error {
			return errors.Join(os.Rename(dir, dir+"2"), os.Symlink(dir+"2", dir))
		}, "symbolic link", false},
		"a file for a directory":      {func(dir, _, _, _ string) error { return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)) }, "not a directory", false},
		"a file of another user":      {func(_, file, _, _ string) error { return os.Chown(file, 4711, -1) }, "another user", true},
		"a directory of another user": {func(dir, _, _, _ string) error { return os.Chown(dir, 4711, -1) }, "another user", false},
		"a large file":                {func(_, file, _, _ string) error { return os.Truncate(file, maxValue+1) }, "larger than", true},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "another user") && os.Geteuid() != 0 {
				t.Skip("only root can make the file of another owner that this test reads; to run it, use root")
			}
			s := FileStore{Dir: filepath.Join(t.TempDir(), "tokens")}
			if err := s.Save(t.Context(), key, []byte("secret")); err != nil {
				t.Fatal(err)
			}
			elsewhere := filepath.Join(t.TempDir(), "precious")
			if err := os.WriteFile(elsewhere, []byte("precious"), 0o600); err != nil {
				t.Fatal(err)
			}
			file, lock := filepath.Join(s.Dir, fileName(key)+".json"), filepath.Join(s.Dir, fileName(key)+".lock")
			if err := tt.spoil(s.Dir, file, lock, elsewhere); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Load(t.Context(), key); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%q, %v", got, err)
			}
			if err := s.Save(t.Context(), key, []byte("new")); (err == nil) != tt.save {
				t.Errorf("save: %v", err)
			}
			if text, err := os.ReadFile(elsewhere); err != nil || string(text) != "precious" {
				t.Errorf("a file elsewhere is %q, %v", text, err)
			}
		})
	}
	s := FileStore{Dir: filepath.Join(t.TempDir(), "tokens")}
	if err := s.Save(t.Context(), key, []byte("secret")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(t.TempDir(), "target"), filepath.Join(s.Dir, fileName(key)+".lock")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Lock(t.Context(), key); err == nil || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("a lock that is a link: %v", err)
	}
	if _, err := (FileStore{}).Load(t.Context(), key); err == nil || !strings.Contains(err.Error(), "Dir is empty") {
		t.Errorf("%v", err)
	}
}

// TestAFileIsReplacedWhole reads a file while others write it.
func TestAFileIsReplacedWhole(t *testing.T) {
	s := FileStore{Dir: filepath.Join(t.TempDir(), "tokens")}
	text := func(n int) []byte { return []byte(strings.Repeat(fmt.Sprint(n%10), 20_000+n)) }
	if err := s.Save(t.Context(), "k", text(0)); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			if err := s.Save(t.Context(), "k", text(n)); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			got, err := s.Load(t.Context(), "k")
			if err != nil || len(got) < 20_000 || strings.Trim(string(got), string(got[:1])) != "" {
				// If the file was replaced between two checks, Load returns an error. It never
				// returns part of a value.
				if err == nil || !strings.Contains(err.Error(), "replaced") {
					t.Errorf("%d bytes, %v", len(got), err)
				}
			}
		})
	}
	all.Wait()
	files, err := os.ReadDir(s.Dir)
	if err != nil || len(files) != 1 {
		t.Errorf("left over: %v, %v", files, err)
	}
}
