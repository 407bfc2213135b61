//go:build !(linux || darwin || freebsd || netbsd || dragonfly || windows)

package console

import (
	"errors"
	"os"
)

// SizeOf returns false: how a terminal tells its size is not known here.
func SizeOf(*os.File) (size Size, ok bool) { return Size{}, false }

func makeRaw(*os.File) (restore func(), err error) {
	return nil, errors.New("docent does not know how to do that on this system")
}

func prepareOutput(*os.File) (restore func(), err error) { return func() {}, nil }

// canSuspend is true where a shell can stop a process and let it go on.
const canSuspend = false

func stopProcess() {}

// watchSize returns a channel that gets nothing: a change of the size is not known here.
func watchSize() (changed <-chan struct{}, stop func()) { return nil, func() {} }
