package console

import (
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// SizeOf returns the size of a terminal. ok is false if the size is unknown.
func SizeOf(f *os.File) (size Size, ok bool) {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return Size{}, false
	}
	return Size{int(info.Window.Right-info.Window.Left) + 1, int(info.Window.Bottom-info.Window.Top) + 1}, true
}

// makeRaw makes the terminal send each key immediately and without an echo, and special keys as
// control sequences.
func makeRaw(in *os.File) (restore func(), err error) {
	return setMode(in, windows.ENABLE_VIRTUAL_TERMINAL_INPUT, windows.ENABLE_ECHO_INPUT|windows.ENABLE_PROCESSED_INPUT|windows.ENABLE_LINE_INPUT)
}

// prepareOutput makes the terminal understand control sequences.
func prepareOutput(out *os.File) (restore func(), err error) {
	return setMode(out, windows.ENABLE_PROCESSED_OUTPUT|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING, 0)
}

// setMode turns bits of the console mode on and off.
func setMode(f *os.File, on, off uint32) (restore func(), err error) {
	handle := windows.Handle(f.Fd())
	var before uint32
	if err := windows.GetConsoleMode(handle, &before); err != nil {
		return nil, err
	}
	if err := windows.SetConsoleMode(handle, before&^off|on); err != nil {
		return nil, err
	}
	return func() { _ = windows.SetConsoleMode(handle, before) }, nil
}

// canSuspend is true if a shell can stop and continue a process.
const canSuspend = false

func stopProcess() {}

// sizeInterval is the interval at which the size of the screen is checked, because the system does
// not report changes to programs that read control sequences.
const sizeInterval = 250 * time.Millisecond

// watchSize returns a channel that gets a value when the size of the screen may have changed.
func watchSize() (changed <-chan time.Time, stop func()) {
	t := time.NewTicker(sizeInterval)
	return t.C, t.Stop
}
