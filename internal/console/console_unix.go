//go:build linux || darwin || freebsd || netbsd || dragonfly

package console

import (
	"os"
	"os/signal"
	"syscall"
	"time"
	"unsafe"
)

// The module golang.org/x/term does the same for more systems, but requires a module with the
// system calls of all systems.

// SizeOf returns the size of a terminal. ok is false if the size is unknown.
func SizeOf(f *os.File) (size Size, ok bool) {
	var window struct{ lines, columns, _, _ uint16 }
	if err := ioctl(f, syscall.TIOCGWINSZ, unsafe.Pointer(&window)); err != nil || window.lines == 0 || window.columns == 0 {
		return Size{}, false
	}
	return Size{int(window.columns), int(window.lines)}, true
}

func ioctl(f *os.File, request uintptr, argument unsafe.Pointer) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(argument)); errno != 0 {
		return errno
	}
	return nil
}

// makeRaw makes the terminal send each key immediately and without an echo, as cfmakeraw of the C
// library does.
func makeRaw(in *os.File) (restore func(), err error) {
	get, set := termiosRequests()
	var before syscall.Termios
	if err := ioctl(in, get, unsafe.Pointer(&before)); err != nil {
		return nil, err
	}
	raw := before
	raw.Iflag &^= syscall.IGNBRK | syscall.BRKINT | syscall.PARMRK | syscall.ISTRIP | syscall.INLCR | syscall.IGNCR | syscall.ICRNL | syscall.IXON
	raw.Oflag &^= syscall.OPOST
	raw.Lflag &^= syscall.ECHO | syscall.ECHONL | syscall.ICANON | syscall.ISIG | syscall.IEXTEN
	raw.Cflag &^= syscall.CSIZE | syscall.PARENB
	raw.Cflag |= syscall.CS8
	raw.Cc[syscall.VMIN], raw.Cc[syscall.VTIME] = 1, 0
	if err := ioctl(in, set, unsafe.Pointer(&raw)); err != nil {
		return nil, err
	}
	return func() { _ = ioctl(in, set, unsafe.Pointer(&before)) }, nil
}

// prepareOutput does nothing, because terminals on Unix understand control sequences anyway.
func prepareOutput(*os.File) (restore func(), err error) { return func() {}, nil }

// canSuspend is true if a shell can stop and continue a process.
const canSuspend = true

// stopTime is the maximum time that a process waits to be stopped. The system does not stop it if
// there is no shell that could continue it.
const stopTime = 200 * time.Millisecond

// stopProcess stops all processes of the process group until the shell continues them.
func stopProcess() {
	resumed := make(chan os.Signal, 1)
	signal.Notify(resumed, syscall.SIGCONT)
	defer signal.Stop(resumed)
	_ = syscall.Kill(0, syscall.SIGTSTP)
	select { // the process may not be stopped yet
	case <-resumed:
	case <-time.After(stopTime):
	}
}

// watchSize returns a channel that gets a value when the size of the screen may have changed.
func watchSize() (changed <-chan os.Signal, stop func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGWINCH)
	return c, func() { signal.Stop(c) }
}
