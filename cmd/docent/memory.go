package main

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	// firstCollection is the heap size, in bytes, at which the first garbage
	// collection of a command runs.
	firstCollection = 64 << 20
	// mostGarbage is the memory limit, in bytes, that the garbage collector tries
	// to stay below by running more often.
	mostGarbage = 160 << 20
	// mostOfCheck is mostGarbage for a check, which holds all dependencies of a project.
	mostOfCheck = 384 << 20
)

// hurry delays the first garbage collection: most commands end before they need
// one. Later collections run as usual, and more often if memory exceeds limit bytes.
func hurry(limit int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return // the user has set the variable
	}
	percent := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstCollection)
	runtime.AddCleanup(new([64]byte), func(percent int) {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}, percent)
}
