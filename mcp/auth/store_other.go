//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package auth

import (
	"errors"
	"io/fs"
	"os"
)

// private returns an error for all files, because their owners cannot be determined.
func private(fs.FileInfo) error { return errors.ErrUnsupported }

func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func unlockFile(*os.File) {}
