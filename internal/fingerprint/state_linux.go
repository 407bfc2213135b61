package fingerprint

import (
	"io/fs"
	"syscall"
)

// state returns the inode change time and inode number of a file.
func state(info fs.FileInfo) (changed int64, id uint64) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctim.Nano(), s.Ino
	}
	return info.ModTime().UnixNano(), 0
}
