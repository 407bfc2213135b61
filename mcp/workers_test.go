package mcp

import (
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// inBubble returns the number of goroutines in the caller's bubble.
func inBubble() int {
	stacks := make([]byte, 1<<22)
	all := string(stacks[:runtime.Stack(stacks, true)])
	_, rest, _ := strings.Cut(all, "synctest bubble ") // the caller's goroutine is the first one
	bubble, _, _ := strings.Cut(rest, "]")
	return strings.Count(all, "synctest bubble "+bubble+"]")
}

func TestWorkersThatAreNotNeededEndThoughOthersWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers()
		w.join()
		before := inBubble()
		release := make(chan bool)
		for range 200 {
			w.run(func() { <-release })
		}
		close(release)
		synctest.Wait()
		// Call run often enough to use each worker before it would end.
		var ran atomic.Int32
		for range 1000 {
			w.run(func() { ran.Add(1) })
			time.Sleep(5 * time.Millisecond)
		}
		if more := inBubble() - before; ran.Load() != 1000 || more > 5 {
			t.Errorf("%d calls, %d goroutines are left", ran.Load(), more)
		}
		w.leave() // otherwise, the bubble would not end
	})
}

func TestWorkersEndWithTheLastUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorkers()
		w.join()
		w.join()
		before := inBubble()
		idle := func() int {
			synctest.Wait()
			return inBubble() - before
		}
		release := make(chan bool)
		w.run(func() {})
		w.run(func() { <-release })
		w.leave()
		if idle() == 0 {
			t.Error("workers end though there is a user")
		}
		w.leave()
		close(release)
		if n := idle(); n != 0 {
			t.Errorf("%d workers are left without a user", n)
		}
		done := make(chan bool)
		w.run(func() { close(done) })
		<-done
		if n := idle(); n != 0 {
			t.Errorf("%d workers stay idle without a user", n)
		}
	})
}
