//go:build !linux && !darwin

package footprint

import "io/fs"

func changed(info fs.FileInfo) int64 { return info.ModTime().UnixNano() }
