//go:build darwin || freebsd || netbsd || dragonfly

package console

import "syscall"

// termiosRequests returns the requests that read and write the modes of a terminal.
func termiosRequests() (get, set uintptr) { return syscall.TIOCGETA, syscall.TIOCSETA }
