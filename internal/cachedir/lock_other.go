//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd || windows)

package cachedir

import (
	"errors"
	"os"
)

// tryLock always fails: callers proceed without a lock.
func tryLock(*os.File) (bool, error) { return false, errors.ErrUnsupported }

func unlockFile(*os.File) {}
