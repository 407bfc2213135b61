package cachedir

import (
	"errors"
	"io/fs"
	"path/filepath"
	"time"
)

// Entry is a file of a cache.
type Entry struct {
	Name string // its name in the cache; the first element is its owner
	Size int64  // bytes
	Used time.Time
}

// Entries lists the files of the cache, except those being written. A cache that was
// never used has none.
func (c *Cache) Entries() ([]Entry, error) {
	root, err := c.root()
	if err != nil {
		return nil, ignoreMissing(err)
	}
	defer root.Close()
	all, _, err := entries(root, time.Time{})
	list := make([]Entry, len(all))
	for i, e := range all {
		list[i] = Entry{filepath.ToSlash(e.name), e.size, e.used}
	}
	return list, ignoreMissing(err)
}

// Remove removes a file. Processes that have it open are not affected, and others fetch it again
// when they need it. It is not an error if the file does not exist.
func (c *Cache) Remove(name string) error {
	root, err := c.root()
	if err != nil {
		return ignoreMissing(err)
	}
	defer root.Close()
	return ignoreMissing(root.Remove(filepath.FromSlash(name)))
}

// Dir returns the directory of the cache, or "" if there is none.
func (c *Cache) Dir() string { return c.dir }

// Max returns the size in bytes above which the least recently used files are removed.
func (c *Cache) Max() int64 { return c.max }

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
