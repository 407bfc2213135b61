//go:build !linux

package project

import "os"

// stat returns the modification time, in nanoseconds since 1970, and the size of a file.
// ok is false if these cannot be determined.
func stat(path string) (modified, size int64, ok bool) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, 0, false
	}
	return info.ModTime().UnixNano(), info.Size(), true
}
