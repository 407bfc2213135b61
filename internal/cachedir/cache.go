package cachedir

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// Options configure a Cache.
type Options struct {
	// Max is the maximum total size of all files in bytes, each rounded up to whole blocks. If it
	// is zero, it is 2 GiB. It is checked once a minute while files are written, and whenever a
	// process has written a sixteenth of it.
	Max int64
	// Wait is the maximum time that a process waits for another one to fetch a file, before it
	// fetches the file itself. If it is zero, it is 1 minute.
	Wait time.Duration
}

// Cache is a directory of files. It is safe for concurrent use. All Caches for one directory, in
// any process, share one maximum size.
//
// Names are slash-separated and relative. The first element is the owner:
// "npm/tarballs/…".
type Cache struct {
	dir     string // empty if nothing is cached
	max     int64
	wait    time.Duration
	now     func() time.Time
	written atomic.Int64 // bytes written since this process last pruned
}

var (
	// ErrDamaged means that the checksum of a file is wrong. The file has been removed.
	ErrDamaged = errors.New("the cached file was damaged")
	// ErrNotKept means that a file could not be written.
	ErrNotKept = errors.New("the file could not be stored")
)

const (
	// layout is the subdirectory that holds all files. Nothing outside it is removed, so
	// DOCENT_CACHE may name any directory.
	layout = "files-v1"
	// partial is the name prefix of files being written.
	partial = ".part-"
	// touch is the age from which the use of a file renews its modification time.
	touch = time.Hour
)

// New returns the Cache in a directory, which is created when needed. Nothing
// is cached if the directory is "" or cannot be used.
func New(dir string, o Options) *Cache {
	if o.Max <= 0 {
		o.Max = 2 << 30
	}
	if o.Wait <= 0 {
		o.Wait = time.Minute
	}
	return &Cache{dir: dir, max: o.Max, wait: o.Wait, now: time.Now}
}

// Path returns the path of the file called name, which need not exist. It returns
// "" if nothing is cached.
func (c *Cache) Path(name string) string {
	if c.dir == "" {
		return ""
	}
	return filepath.Join(c.dir, layout, filepath.FromSlash(name))
}

// root opens the directory of all files. Operations on it cannot leave the
// directory through symbolic links.
func (c *Cache) root() (*os.Root, error) {
	if c.dir == "" {
		return nil, errors.New("there is no cache directory")
	}
	if err := trustPath(c.Path("")); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(c.Path(""))
	if err != nil {
		return nil, err
	}
	info, err := root.Stat(".")
	if err == nil {
		err = trustDir(c.Path(""), info)
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return root, nil
}

// makeRoot is like root, but creates the directory if necessary.
func (c *Cache) makeRoot() (*os.Root, error) {
	root, err := c.root()
	if !errors.Is(err, fs.ErrNotExist) {
		return root, err
	}
	if err := os.MkdirAll(c.Path(""), 0o700); err != nil {
		return nil, err
	}
	return c.root()
}

// Read returns the content of the file called name, which must not be larger than limit bytes. The
// error is ErrDamaged if the file is damaged. Any other error means that the file is not cached.
func (c *Cache) Read(name string, limit int64) ([]byte, error) {
	var b bytes.Buffer
	err := c.copyTo(&b, name, limit)
	return b.Bytes(), err
}

// ReadString is like Read but returns a string, without copying the content.
func (c *Cache) ReadString(name string, limit int64) (string, error) {
	var b strings.Builder
	err := c.copyTo(&b, name, limit)
	return b.String(), err
}

// copyTo writes the content of the file called name to w. If it returns an error, it may have
// written a part of it.
func (c *Cache) copyTo(w interface {
	io.Writer
	Grow(n int)
}, name string, limit int64) error {
	root, err := c.root()
	if err != nil {
		return err
	}
	defer root.Close()
	f, size, err := c.openRegular(root, name)
	if err != nil {
		return err
	}
	defer f.Close()
	if size > limit {
		return fmt.Errorf("%s is larger than %d bytes", c.Path(name), limit)
	}
	w.Grow(int(size))
	if sum, err := checksum(f, name, size, w); err != nil || sum != trailerOf(f, size) {
		return c.drop(root, f, name)
	}
	c.used(root, f, name)
	return nil
}

// Open opens the file called name. It returns the same errors as Read.
func (c *Cache) Open(name string) (*File, error) {
	root, err := c.root()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, size, err := c.openRegular(root, name)
	if err != nil {
		return nil, err
	}
	sum, err := checksum(f, name, size, io.Discard)
	if err != nil || sum != trailerOf(f, size) {
		return nil, c.drop(root, f, name)
	}
	c.used(root, f, name)
	return newFile(f, size, false), nil
}

// openRegular opens a regular file that ends in a trailer, and returns the size
// of the content before the trailer.
func (c *Cache) openRegular(root *os.Root, name string) (*os.File, int64, error) {
	info, err := root.Lstat(filepath.FromSlash(name)) // Opening a pipe would wait for a writer.
	if err != nil {
		return nil, 0, err
	}
	if size := info.Size() - trailerSize; info.Mode().IsRegular() && size >= 0 {
		f, err := root.Open(filepath.FromSlash(name))
		return f, size, err
	}
	return nil, 0, c.drop(root, nil, name)
}

// drop removes a damaged file. f is nil if it could not be opened.
func (c *Cache) drop(root *os.Root, f *os.File, name string) error {
	if f != nil {
		f.Close()
	}
	_ = root.RemoveAll(filepath.FromSlash(name)) // it may be a directory
	return fmt.Errorf("%s: %w", c.Path(name), ErrDamaged)
}

// Drop removes the file called name, which its reader could not decode.
func (c *Cache) Drop(name string) {
	if root, err := c.root(); err == nil {
		_ = c.drop(root, nil, name)
		root.Close()
	}
}

// used updates the modification time of a file, which records its last use.
func (c *Cache) used(root *os.Root, f *os.File, name string) {
	now := c.now()
	if info, err := f.Stat(); err == nil && now.Sub(info.ModTime()) > touch {
		_ = root.Chtimes(filepath.FromSlash(name), now, now)
	}
}

// List returns the names of the files in a directory of the cache, except those
// being written.
func (c *Cache) List(dir string) []string {
	root, err := c.root()
	if err != nil {
		return nil
	}
	defer root.Close()
	d, err := root.Open(filepath.FromSlash(dir))
	if err != nil {
		return nil
	}
	defer d.Close()
	const maximum = 100_000
	all, _ := d.Readdirnames(maximum)
	names := all[:0]
	for _, name := range all {
		if !strings.HasPrefix(name, partial) {
			names = append(names, name)
		}
	}
	return names
}

// HashName returns prefix and a hash of parts, for use as the name of a file if the parts are too
// long or secret. If an answer depends on a credential, the credential must be among the parts, so
// that the answer is not shown to other users.
func HashName(prefix string, parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return prefix + hex.EncodeToString(sum[:16])
}
