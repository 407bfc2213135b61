package auth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// FileStore is a Store in a directory of files that only their owner can read (mode 0600). Values
// are replaced atomically. It refuses directories and files that another user owns or can read, and
// symbolic links. Several processes can share a FileStore.
//
// The files are not encrypted: anyone who can read the user's files can read the tokens.
type FileStore struct {
	// Dir is the directory. FileStore creates it when necessary, with mode 0700.
	Dir string
}

// maxValue is the maximum size of a file of a FileStore in bytes.
const maxValue = 1 << 20

// open opens the directory, which it creates if necessary. It returns an error
// if the directory is not private to the user.
func (s FileStore) open() (*os.Root, error) {
	if s.Dir == "" {
		return nil, errors.New("auth: FileStore.Dir is empty; name a directory for the tokens")
	}
	if err := os.MkdirAll(filepath.Dir(s.Dir), 0o755); err != nil { //nolint:gosec // the parent holds no secrets
		return nil, fmt.Errorf("auth: FileStore: %w", err)
	}
	if err := os.Mkdir(s.Dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("auth: FileStore: %w", err)
	}
	info, err := os.Lstat(s.Dir)
	switch {
	case err != nil:
		return nil, fmt.Errorf("auth: FileStore: %w", err)
	case !info.IsDir():
		return nil, fmt.Errorf("auth: FileStore: %s is a %s, not a directory", s.Dir, kind(info))
	}
	if err := private(info); err != nil {
		return nil, fmt.Errorf("auth: FileStore: %s %w", s.Dir, err)
	}
	root, err := os.OpenRoot(s.Dir)
	if err != nil {
		return nil, fmt.Errorf("auth: FileStore: %w", err)
	}
	// The directory may have been replaced between the two calls.
	opened, err := root.Stat(".")
	if err != nil || !os.SameFile(info, opened) {
		root.Close()
		return nil, fmt.Errorf("auth: FileStore: %s was replaced while it was opened", s.Dir)
	}
	return root, nil
}

func kind(info fs.FileInfo) string {
	if info.Mode()&fs.ModeSymlink != 0 {
		return "symbolic link"
	}
	return "file of type " + info.Mode().Type().String()
}

// fileName returns the name of the file for a key, which may contain any characters.
func fileName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}

// openFile opens a file without following a link. It returns an error if the
// file is not private to the user.
func (s FileStore) openFile(root *os.Root, name string, flags int) (*os.File, error) {
	before, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist) && flags&os.O_CREATE != 0:
		f, err := root.OpenFile(name, flags|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) { // another process created the file first
			return s.openFile(root, name, flags&^os.O_CREATE)
		}
		return f, err
	case err != nil:
		return nil, err
	case !before.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a %s; remove it", filepath.Join(s.Dir, name), kind(before))
	}
	f, err := root.OpenFile(name, flags&^os.O_CREATE, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !os.SameFile(before, info) {
		err = errors.New("was replaced while it was opened")
	}
	if err == nil {
		err = private(info)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s %w", filepath.Join(s.Dir, name), err)
	}
	return f, nil
}

// Load implements Store.
func (s FileStore) Load(_ context.Context, key string) ([]byte, error) {
	root, err := s.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := s.openFile(root, fileName(key)+".json", os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("auth: FileStore: %w", err)
	}
	defer f.Close()
	value, err := io.ReadAll(io.LimitReader(f, maxValue+1))
	if err != nil {
		return nil, fmt.Errorf("auth: FileStore: %w", err)
	}
	if len(value) > maxValue {
		return nil, fmt.Errorf("auth: FileStore: %s is larger than %d bytes; remove it", f.Name(), maxValue)
	}
	return value, nil
}

// Save implements Store.
func (s FileStore) Save(_ context.Context, key string, value []byte) error {
	root, err := s.open()
	if err != nil {
		return err
	}
	defer root.Close()
	name := fileName(key) + ".json"
	if value == nil {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("auth: FileStore: %w", err)
		}
		return nil
	}
	if err := replace(root, name, value); err != nil {
		return fmt.Errorf("auth: FileStore: %w", err)
	}
	return nil
}

// replace writes a file atomically. If it fails, the old content remains.
func replace(root *os.Root, name string, value []byte) error {
	temp := name + "." + randomText() + ".tmp"
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(value)
	if err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		_ = root.Remove(temp)
	}
	return err
}

// Lock implements Store, with a lock that the system releases when the process
// ends.
func (s FileStore) Lock(ctx context.Context, key string) (unlock func(), err error) {
	root, err := s.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := s.openFile(root, fileName(key)+".lock", os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, fmt.Errorf("auth: FileStore: %w", err)
	}
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		locked, err := tryLock(f)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("auth: FileStore: locking %s: %w; use a directory on a file system that supports locks", s.Dir, err)
		}
		if locked {
			return func() {
				unlockFile(f)
				f.Close()
			}, nil
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			f.Close()
			return nil, context.Cause(ctx)
		}
	}
}
