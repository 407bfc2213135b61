package setup

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// readFile returns the content of a file, or nil if it does not exist.
func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSize {
		return nil, fmt.Errorf("%s is not a regular file, or is larger than %d bytes", path, maxSize)
	}
	data, err := os.ReadFile(path)
	if err == nil && data == nil {
		data = []byte{}
	}
	return data, err
}

// replace writes a file atomically, so that readers see either the old or the new content. It keeps
// the mode and the owner; a new file gets mode. It fails if the content is no longer before.
func replace(path string, before, after []byte, mode fs.FileMode) error {
	info, err := os.Stat(path)
	if err == nil {
		mode = info.Mode().Perm()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	current, err := readFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(current, before) || (current == nil) != (before == nil) {
		return fmt.Errorf("%s has been changed by another program; run the command again", path)
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".docent-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(after)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil && info != nil {
		err = setOwner(f, info)
	}
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("%s cannot be written: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}

// makeDirs creates a directory and its parents, and returns the directories created, the innermost
// first.
func makeDirs(dir string) (created []string, err error) {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			break
		}
		created = append(created, d)
	}
	return created, os.MkdirAll(dir, 0o755) //nolint:gosec // hosts create their directories with this mode
}

// backUp stores a copy of a file and returns its path.
func backUp(stateDir, path string, data []byte) (string, error) {
	sum := sha256.Sum256([]byte(path))
	dir := filepath.Join(stateDir, "backups")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	backup := filepath.Join(dir, hex.EncodeToString(sum[:6])+"-"+filepath.Base(path))
	f, err := os.OpenFile(backup, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	return backup, errors.Join(err, f.Close())
}
