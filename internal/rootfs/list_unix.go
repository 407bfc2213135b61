//go:build unix

package rootfs

import (
	"io/fs"
	"os"
	"syscall"
)

// nonblocking opens a pipe without waiting for its writer.
const nonblocking = syscall.O_NONBLOCK

// list reads a directory. It uses a duplicate of the descriptor, because a file that was
// opened through an os.Root would also get the state of each entry.
func list(dir *os.File) ([]fs.DirEntry, error) {
	raw, err := dir.SyscallConn()
	if err != nil {
		return nil, err
	}
	var plain *os.File
	if err := raw.Control(func(fd uintptr) {
		if copied, err := dup(int(fd)); err == nil {
			plain = os.NewFile(uintptr(copied), dir.Name())
		}
	}); err != nil {
		return nil, err
	}
	if plain == nil {
		return dir.ReadDir(-1)
	}
	defer plain.Close()
	return plain.ReadDir(-1)
}

// dup duplicates a descriptor. Programs that docent starts do not inherit the duplicate.
func dup(fd int) (int, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	copied, err := syscall.Dup(fd)
	if err == nil {
		syscall.CloseOnExec(copied)
	}
	return copied, err
}
