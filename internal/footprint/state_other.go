//go:build !linux && !darwin

package footprint

import "io/fs"

// state tells when something changed last, and its number if the system has one.
func state(info fs.FileInfo) (changed int64, id uint64) { return info.ModTime().UnixNano(), 0 }
