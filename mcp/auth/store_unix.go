//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package auth

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// private returns an error for a file that another user owns or can access.
func private(info fs.FileInfo) error {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int64(stat.Uid) != int64(os.Geteuid()) {
		return errors.New("belongs to another user")
	}
	if info.Mode().Perm()&0o077 != 0 {
		return errors.New("can be accessed by other users; remove their permissions (chmod go=)")
	}
	return nil
}

// tryLock tries to lock an open file, and reports whether it succeeded. It
// fails if the file is already locked.
func tryLock(f *os.File) (bool, error) {
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

func unlockFile(f *os.File) { _ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) }
