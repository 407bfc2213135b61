package main

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestResumeGC(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	percent, limit := debug.SetGCPercent(50), debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(limit)
	defer debug.SetGCPercent(percent)
	delayGC()
	if got := debug.SetMemoryLimit(-1); got != firstCollection {
		t.Errorf("the first collection is at %d bytes", got)
	}
	resumeGC(math.MaxInt64)
	resumeGC(1) // a second call changes nothing
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("the memory limit is %d afterwards", got)
	}
	if got := debug.SetGCPercent(percent); got != 50 {
		t.Errorf("the percentage is %d afterwards", got)
	}
}

// TestEndDelay checks that collections run less often in commands, and as usual in servers.
func TestEndDelay(t *testing.T) {
	for factor, want := range map[int]int{1: 50, commandFactor: 50 * commandFactor} {
		percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(-1)
		usualPercent.Store(50)
		endDelay(math.MaxInt64, factor)
		if got := debug.SetGCPercent(percent); got != want {
			t.Errorf("factor %d: the percentage is %d, want %d", factor, got, want)
		}
		debug.SetMemoryLimit(limit)
	}
}
