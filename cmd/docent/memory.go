package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// firstCollection is how many bytes a command that answers one question may
// hold before the first garbage is collected.
const firstCollection = 64 << 20

// hurry puts off the first collection: most commands end before they hold much,
// and what they would be looked through for ends with them. From then on
// memory is managed as usual.
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
