//go:build !(linux || darwin || freebsd || netbsd || dragonfly || windows)

package console

import (
	"errors"
	"os"
)

// SizeOf returns false, because the size of a terminal cannot be found on this system.
func SizeOf(*os.File) (size Size, ok bool) { return Size{}, false }

func makeRaw(*os.File) (restore func(), err error) {
	return nil, errors.New("docent does not support full-screen mode on this operating system")
}

func prepareOutput(*os.File) (restore func(), err error) { return func() {}, nil }

// canSuspend is true if a shell can stop and continue a process.
const canSuspend = false

func stopProcess() {}

// watchSize returns a nil channel, because changes of the size cannot be detected on this system.
func watchSize() (changed <-chan struct{}, stop func()) { return nil, func() {} }
