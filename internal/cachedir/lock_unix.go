//go:build darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd

package cachedir

import (
	"errors"
	"os"
	"syscall"
)

// tryLock locks an open file, and reports whether it could. It cannot if the
// file is already locked. The kernel releases the lock when the process ends.
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
