package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

const (
	// firstCollection is the heap size in bytes at which the first garbage collection of a command
	// runs.
	firstCollection = 64 << 20
	// mostGarbage is a memory limit in bytes. Near the limit, the garbage collector runs more
	// often.
	mostGarbage = 160 << 20
	// liveShare is the minimum ratio of the memory limit to the memory in use.
	liveShare = 1.25
	// mostOfCheck replaces mostGarbage for docent check, which keeps all dependencies of a project in
	// memory.
	mostOfCheck = 384 << 20
)

// hurried is true once hurry has changed the settings of the process.
var hurried atomic.Bool

// hurry delays the first garbage collection, because most commands end before they need one. Later
// collections run as usual, or more often if memory exceeds limit bytes.
func hurry(limit int64) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return // the user has set the variable
	}
	if hurried.Swap(true) {
		return // a process runs one command, except in tests, which could not restore the setting
	}
	percent := debug.SetGCPercent(-1)
	debug.SetMemoryLimit(firstCollection)
	runtime.AddCleanup(new([64]byte), func(percent int) {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(percent)
		keepUp(limit)
	}, percent)
}

// keepUp raises a memory limit to at least liveShare times the memory in use after each garbage
// collection. Close to the limit, the collector would use half of the processors and free little
// memory.
func keepUp(limit int64) {
	runtime.AddCleanup(new([64]byte), func(limit int64) {
		live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		if metrics.Read(live); live[0].Value.Kind() == metrics.KindUint64 {
			if needed := int64(float64(live[0].Value.Uint64()) * liveShare); needed > limit {
				limit = needed
				debug.SetMemoryLimit(limit)
			}
		}
		keepUp(limit)
	}, limit)
}
