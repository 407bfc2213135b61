package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// firstCollection is the heap size, in bytes, at which the first garbage
// collection of a command runs.
const firstCollection = 64 << 20

// hurry delays the first garbage collection: most commands end before they need
// one. Later collections run as usual.
var hurry = sync.OnceFunc(func() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return // the user has said how
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(firstCollection)
	runtime.AddCleanup(new([64]byte), func(limit int64) {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
	}, limit)
})
