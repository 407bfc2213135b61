//go:build !unix

package rootfs

import (
	"io/fs"
	"os"
)

// nonblocking is 0 because opening a pipe by its name does not wait on this system.
const nonblocking = 0

// list reads a directory.
func list(dir *os.File) ([]fs.DirEntry, error) { return dir.ReadDir(-1) }
