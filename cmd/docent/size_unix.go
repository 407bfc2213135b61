//go:build linux || darwin || freebsd || netbsd || dragonfly

package main

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalSize returns the columns and lines of a terminal, 0 if it does not tell. The
// module golang.org/x/term would do the same with all system calls of all systems.
func terminalSize(f *os.File) (columns, lines int) {
	var size struct{ lines, columns, _, _ uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	if errno != 0 {
		return 0, 0
	}
	return int(size.columns), int(size.lines)
}
