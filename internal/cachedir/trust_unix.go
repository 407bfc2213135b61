//go:build unix

package cachedir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// maxLinks is the maximum number of symbolic links in a path.
const maxLinks = 40

// trustPath returns an error for a path with a symbolic link of another user,
// or with a parent directory that another user can change. Missing directories
// are accepted.
func trustPath(path string) error {
	if err := trustLinks(path); err != nil {
		return err
	}
	above := filepath.Dir(path)
	info, err := os.Stat(above)
	if err != nil {
		return err
	}
	return trustDir(above, info)
}

func trustLinks(path string) error {
	resolved, rest := "/", strings.Split(path, "/")
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == "" || name == "." {
			continue
		}
		next := filepath.Join(resolved, name) // In a resolved path, ".." is the parent directory.
		info, err := os.Lstat(next)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			resolved = next
			continue
		}
		if links++; links > maxLinks {
			return fmt.Errorf("the path %s contains too many links", path)
		}
		if !owned(info) {
			return fmt.Errorf("%s is a symbolic link that belongs to another user", next)
		}
		target, err := os.Readlink(next)
		if err != nil {
			return err
		}
		if filepath.IsAbs(target) {
			resolved = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return nil
}

// trustDir returns an error for a directory that another user can change.
func trustDir(path string, info fs.FileInfo) error {
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", path)
	case !owned(info):
		return fmt.Errorf("%s belongs to another user", path)
	case info.Mode().Perm()&0o002 != 0:
		return fmt.Errorf("%s is writable by everyone", path)
	}
	return nil
}

// owned reports whether this user or root owns a file.
func owned(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return !ok || stat.Uid == 0 || int64(stat.Uid) == int64(os.Geteuid())
}
