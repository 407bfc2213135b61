package cachedir

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// Write creates the file called name with fill. The file gets its name when it is complete; if fill
// fails, nothing remains. Write does not sync the file to disk, because damage from a crash is
// detected when the file is read. The error is the error of fill, or ErrNotKept.
func (c *Cache) Write(name string, fill func(*os.File) error) error {
	root, err := c.makeRoot()
	if err != nil {
		return notKept(err)
	}
	defer root.Close()
	size, err := c.write(root, name, fill)
	if err == nil {
		c.prune(root, size)
	}
	return err
}

func (c *Cache) write(root *os.Root, name string, fill func(*os.File) error) (size int64, err error) {
	f, err := createPart(root, path.Dir(name))
	if err != nil {
		return 0, notKept(err)
	}
	part := path.Join(path.Dir(name), filepath.Base(f.Name()))
	defer func() {
		if err != nil {
			f.Close()
			_ = root.Remove(filepath.FromSlash(part))
		}
	}()
	if err := fill(f); err != nil {
		if failed, ok := errors.AsType[*fs.PathError](err); ok && failed.Path == f.Name() {
			return 0, notKept(err)
		}
		return 0, err
	}
	if size, err = c.seal(root, f, part, name); err != nil {
		return 0, notKept(err)
	}
	return size, nil
}

// seal appends the trailer to a complete file and renames it.
func (c *Cache) seal(root *os.Root, f *os.File, part, name string) (size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size = info.Size()
	sum, err := checksum(f, name, size, io.Discard)
	if err != nil {
		return 0, err
	}
	if _, err := f.WriteAt([]byte(sum), size); err != nil {
		return 0, err
	}
	if err := f.Close(); err != nil {
		return 0, err
	}
	now := c.now()
	part, name = filepath.FromSlash(part), filepath.FromSlash(name)
	if err := root.Chtimes(part, now, now); err != nil { // Use the same clock as prune.
		return 0, err
	}
	if err = root.Rename(part, name); err != nil {
		// A directory with the name of the file counts as damage, too.
		if info, none := root.Lstat(name); none != nil || !info.IsDir() {
			return 0, err
		}
		_ = root.RemoveAll(name)
		err = root.Rename(part, name)
	}
	return size, err
}

// createPart creates a partial file in the directory of its final name.
func createPart(root *os.Root, dir string) (f *os.File, err error) {
	part := filepath.FromSlash(path.Join(dir, partial+rand.Text()))
	for range 2 { // prune may remove the directory if it has been empty for a long time, so try twice.
		if err := mkdirs(root, dir); err != nil {
			return nil, err
		}
		f, err = root.OpenFile(part, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return f, err
}

// mkdirs creates a directory and its parents. It removes files that have the
// names of directories, which only damage can cause.
func mkdirs(root *os.Root, dir string) error {
	err := root.MkdirAll(filepath.FromSlash(dir), 0o700)
	if err == nil {
		return nil
	}
	above := ""
	for elem := range strings.SplitSeq(dir, "/") {
		above = filepath.Join(above, elem)
		if info, none := root.Stat(above); none == nil && !info.IsDir() {
			_ = root.Remove(above)
			return root.MkdirAll(filepath.FromSlash(dir), 0o700)
		}
	}
	return err
}

func notKept(err error) error {
	if errors.Is(err, ErrNotKept) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrNotKept, err)
}

// Fetch opens the file called name. If the file is not cached, Fetch first creates it with fill. If
// several processes need the file, one creates it while the others wait. If the file cannot be
// cached, Fetch returns a temporary one, for which it may call fill a second time. The error is the
// error of fill or of the context, or ErrNotKept if there is no space for a temporary file either.
func (c *Cache) Fetch(ctx context.Context, name string, fill func(*os.File) error) (*File, error) {
	if f, err := c.Open(name); err == nil {
		return f, nil
	}
	unlock, err := c.Lock(ctx, name)
	if err != nil {
		return nil, err
	}
	defer unlock()
	if f, err := c.Open(name); err == nil {
		return f, nil
	}
	err = c.Write(name, fill)
	if err == nil {
		var f *File
		if f, err = c.Open(name); err == nil {
			return f, nil
		}
		err = notKept(err)
	}
	if !errors.Is(err, ErrNotKept) || ctx.Err() != nil {
		return nil, err
	}
	return temporary(fill)
}

// temporary creates a temporary file with fill.
func temporary(fill func(*os.File) error) (_ *File, err error) {
	f, err := os.CreateTemp("", "docent-")
	if err != nil {
		return nil, notKept(err)
	}
	file := newFile(f, 0, true)
	defer func() {
		if err != nil {
			file.Close()
		}
	}()
	if err := fill(f); err != nil {
		if failed, ok := errors.AsType[*fs.PathError](err); ok && failed.Path == f.Name() {
			err = notKept(err)
		}
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, notKept(err)
	}
	return newFile(f, info.Size(), true), nil
}
