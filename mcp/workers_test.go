package mcp

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestWorkersThatAreNotNeededEndThoughOthersWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers()
		before := runtime.NumGoroutine()
		release := make(chan bool)
		for range 200 {
			w.run(func() { <-release })
		}
		close(release)
		synctest.Wait()
		// A call now and then, often enough to use each worker before it would end.
		var ran atomic.Int32
		for range 1000 {
			w.run(func() { ran.Add(1) })
			time.Sleep(5 * time.Millisecond)
		}
		if more := runtime.NumGoroutine() - before; ran.Load() != 1000 || more > 5 {
			t.Errorf("%d calls, %d goroutines are left", ran.Load(), more)
		}
		time.Sleep(2 * workerIdle)
	})
}
