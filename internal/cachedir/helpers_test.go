package cachedir

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// TestMain is also the program of other processes that use a cache.
func TestMain(m *testing.M) {
	if url := os.Getenv("TEST_FETCH"); url != "" {
		if err := fetchMain(url); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// fetchMain prints what a URL holds, by way of the cache in the working
// directory.
func fetchMain(url string) error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	f, err := New(dir, Options{}).Fetch(context.Background(), some, func(w *os.File) error {
		r, err := http.Get(url)
		if err != nil {
			return err
		}
		defer r.Body.Close()
		if _, err := io.Copy(w, r.Body); err != nil {
			return err
		}
		if r.StatusCode != http.StatusOK {
			return errors.New(r.Status)
		}
		return nil
	})
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(os.Stderr, f)
	return err
}

// content fills a file.
func content(text string) func(*os.File) error {
	return func(f *os.File) error {
		_, err := f.WriteString(text)
		return err
	}
}

func mustWrite(t *testing.T, c *Cache, name, text string) {
	t.Helper()
	if err := c.Write(name, content(text)); err != nil {
		t.Fatal(err)
	}
}

// wantFile fails unless the file called name is kept and holds the text.
func wantFile(t *testing.T, c *Cache, name, text string) {
	t.Helper()
	if got, err := c.Read(name, 1<<20); err != nil || string(got) != text {
		t.Errorf("%s holds %.40q, %v", name, got, err)
	}
}

// put makes files of some size, last used that long before noon.
func put(t *testing.T, c *Cache, name string, size int, before time.Duration) {
	t.Helper()
	file := c.Path(name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, make([]byte, size), 0o600); err != nil {
		t.Fatal(err)
	}
	setTime(t, file, before)
}

func setTime(t *testing.T, file string, before time.Duration) {
	t.Helper()
	if err := os.Chtimes(file, noon, noon.Add(-before)); err != nil {
		t.Fatal(err)
	}
}

// names lists the files in the directory of a cache, except for the marker.
func names(t *testing.T, c *Cache) string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(c.Path(""), func(path string, _ os.DirEntry, err error) error {
		if rel, _ := filepath.Rel(c.Path(""), path); rel != "." && rel != marker {
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
