package project

import "syscall"

// stat returns the modification time, in nanoseconds since 1970, and the size of a file.
// ok is false if these cannot be determined. Unlike os.Stat, it does not allocate memory
// for missing files, and most files in a fingerprint are missing.
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
