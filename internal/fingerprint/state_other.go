//go:build !linux && !darwin

package fingerprint

import "io/fs"

// state returns the modification time of a file; there is no inode number.
func state(info fs.FileInfo) (changed int64, id uint64) { return info.ModTime().UnixNano(), 0 }
