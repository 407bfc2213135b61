package cachedir

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Describe describes the directory for users: its path, its size in total and by owner, its maximum
// size, and the problem if files cannot be cached in it.
func (c *Cache) Describe() (value, problem string) {
	if c.dir == "" {
		return "nowhere", "docent caches nothing between questions; set HOME, or set DOCENT_CACHE to a directory"
	}
	value = c.dir
	root, err := c.root()
	switch {
	case err == nil:
		remaining, _, _ := entries(root, time.Time{})
		root.Close()
		value += ", " + Size(sum(remaining)) + " of at most " + Size(c.max) + parts(remaining)
	case errors.Is(err, fs.ErrNotExist):
		value += ", not created yet; at most " + Size(c.max)
	}
	if err := c.tryWrite(); err != nil {
		problem = "docent cannot store files there (" + reason(err) + "); use a directory that only you can write to, or set DOCENT_CACHE to another directory"
	}
	return value, problem
}

// parts lists the sizes by owner. It returns "" for an empty list.
func parts(remaining []entry) string {
	sizes := map[string]int64{}
	for _, e := range remaining {
		first, _, _ := strings.Cut(filepath.ToSlash(e.name), "/")
		sizes[first] += e.size
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(sizes)) {
		list = append(list, name+" "+Size(sizes[name]))
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// tryWrite tries to write a file in the directory, or in the parent directory
// in which it would be created.
func (c *Cache) tryWrite() error {
	root, err := c.root()
	if err == nil {
		defer root.Close()
		var f *os.File
		if f, err = createPart(root, "."); err == nil {
			f.Close()
			return root.Remove(filepath.Base(f.Name()))
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dir := c.Path("")
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(dir) != dir {
		dir = filepath.Dir(dir)
		_, err = os.Stat(dir)
	}
	f, err := os.CreateTemp(dir, partial)
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// reason returns the text of an error without the name of the probe file.
func reason(err error) string {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return failed.Err.Error()
	}
	return err.Error()
}

// Size formats a number of bytes for people.
func Size(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.3g GiB", float64(n)/(1<<30))
	case n >= 1<<20:
		return fmt.Sprintf("%.3g MiB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.3g KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
