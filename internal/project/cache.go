package project

import (
	"cmp"
	"iter"
	"slices"
	"sync"
)

// Files records the states of files and directories, so that values read from
// them can be discarded when one changes. The zero Files is empty.
type Files struct{ watched []watchedFile }

type watchedFile struct {
	path  string
	stamp Stamp
}

// Add records the state of a file, which may be missing. Call it before the file
// is read, so that no change is missed.
func (f *Files) Add(path string) { f.watched = append(f.watched, watchedFile{path, StampOf(path)}) }

// Has reports whether a path was added.
func (f *Files) Has(path string) bool {
	return slices.ContainsFunc(f.watched, func(w watchedFile) bool { return w.path == path })
}

// Equal reports whether both contain the same states of the same files.
func (f *Files) Equal(other *Files) bool { return slices.Equal(f.watched, other.watched) }

// Paths returns the paths in the order in which they were added.
func (f *Files) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, w := range f.watched {
			if !yield(w.path) {
				return
			}
		}
	}
}

// Current reports whether none of the files has changed since it was added.
func (f *Files) Current() bool {
	return !slices.ContainsFunc(f.watched, func(w watchedFile) bool { return StampOf(w.path) != w.stamp })
}

// Cache caches values until they are no longer current. The zero Cache is ready
// and safe for concurrent use.
type Cache[K comparable, V interface{ Current() bool }] struct {
	// Max is the maximum number of values; 32 if zero. When it is exceeded, the cache is
	// emptied.
	Max int

	mu     sync.Mutex
	values map[K]V
}

// Get returns the cached value of a key if it is current. Otherwise, it returns and caches the
// value that load returns. Errors are not cached.
func (c *Cache[K, V]) Get(key K, load func() (V, error)) (V, error) {
	c.mu.Lock()
	v, ok := c.values[key]
	c.mu.Unlock()
	if ok && v.Current() {
		return v, nil
	}
	v, err := load()
	if err != nil {
		return v, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	maximum := cmp.Or(c.Max, 32)
	if c.values == nil || len(c.values) >= maximum {
		c.values = map[K]V{}
	}
	c.values[key] = v
	return v, nil
}

// FileCache caches the parsed contents of files until they change. The zero
// FileCache is ready and safe for concurrent use.
type FileCache[T any] struct {
	Cache[string, *parsedFile[T]]
}

type parsedFile[T any] struct {
	Files

	value T
}

// Read returns the result of parse for the file at path, which may have at most
// limit bytes. Errors are not cached.
func (c *FileCache[T]) Read(path string, limit int64, parse func([]byte) (T, error)) (T, error) {
	p, err := c.Get(path, func() (*parsedFile[T], error) {
		p := &parsedFile[T]{}
		p.Add(path)
		data, err := ReadFile(path, limit)
		if err == nil {
			p.value, err = parse(data)
		}
		return p, err
	})
	return p.value, err
}
