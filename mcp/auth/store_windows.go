package auth

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// private accepts all files, because access control lists protect the files in the user's
// directory.
func private(fs.FileInfo) error { return nil }

// tryLock tries to lock an open file, and reports whether it succeeded. It
// fails if the file is already locked.
func tryLock(f *os.File) (bool, error) {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) || errors.Is(err, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil, err
}

func unlockFile(f *os.File) {
	_ = windows.UnlockFileEx(windows.Handle(f.Fd()), 0, 1, 0, new(windows.Overlapped))
}
