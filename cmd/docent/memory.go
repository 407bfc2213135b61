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
	// liveShare is the minimum ratio of the memory limit to the memory in use.
	liveShare = 1.4
	// checkMemory replaces maxMemory for docent check, which keeps all dependencies of a project
	// in memory.
	checkMemory = 384 << 20
	// typesPercent replaces the usual percentage of the garbage collector in the process that checks
	// types, which produces much garbage and has little in use, and typesMemory replaces maxMemory.
	typesPercent = 400
	typesMemory  = 224 << 20
	// commandFactor multiplies the percentage of the garbage collector in commands that end soon. The
	// memory limit still applies.
	commandFactor = 2
)

var (
	// maxMemory is the memory limit of a command in bytes. Near the limit, the garbage collector runs
	// more often.
	maxMemory atomic.Int64
	// usualPercent is the percentage that resumeGC restores, or 0 if collections run as usual.
	usualPercent atomic.Int32
)

// delayGC delays the first garbage collection, because most commands end before they need one. Later
// collections run less often than usual, unless memory exceeds maxMemory.
func delayGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return // the user has set the variable
	}
	maxMemory.Store(160 << 20)
	usualPercent.Store(int32(debug.SetGCPercent(-1))) // #nosec G115 -- a percentage
	debug.SetMemoryLimit(firstCollection)
	runtime.AddCleanup(new([64]byte), func(int) { endDelay(maxMemory.Load(), commandFactor) }, 0)
}

// resumeGC lets garbage collections run as usual within a memory limit in bytes. Commands that run
// until they are stopped call it at their start.
func resumeGC(limit int64) { endDelay(limit, 1) }

// endDelay ends the delay of the first garbage collection. It multiplies the usual percentage by factor.
func endDelay(limit int64, factor int) {
	if percent := usualPercent.Swap(0); percent != 0 {
		debug.SetMemoryLimit(limit)
		debug.SetGCPercent(int(percent) * factor)
		keepUp(limit)
	}
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
