package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// terminalSize returns the columns and lines of a terminal, 0 if it does not tell.
func terminalSize(f *os.File) (columns, lines int) {
	var info windows.ConsoleScreenBufferInfo
	if err := windows.GetConsoleScreenBufferInfo(windows.Handle(f.Fd()), &info); err != nil {
		return 0, 0
	}
	return int(info.Window.Right-info.Window.Left) + 1, int(info.Window.Bottom-info.Window.Top) + 1
}
