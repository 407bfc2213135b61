package footprint

import (
	"io/fs"
	"syscall"
)

func changed(info fs.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Ctimespec.Nano()
	}
	return info.ModTime().UnixNano()
}
