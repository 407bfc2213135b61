package project

import "syscall"

// stat returns the modification time, in nanoseconds since 1970, and the size of a file.
// ok is false if it cannot be had. Unlike os.Stat it makes no garbage: most of the files
// that a fingerprint is made of do not exist.
func stat(path string) (modified, size int64, ok bool) {
	var s syscall.Stat_t
	for {
		switch err := syscall.Stat(path, &s); err {
		case nil:
			return s.Mtim.Nano(), s.Size, true
		case syscall.EINTR:
		default:
			return 0, 0, false
		}
	}
}
