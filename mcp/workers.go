package mcp

import (
	"slices"
	"sync"
	"time"
)

// workers is a pool of goroutines, which avoids growing a new stack for each call. The worker that
// became idle last is used first, so that superfluous workers end after workerIdle. If there are no
// users, workers do not stay idle.
type workers struct {
	mu    sync.Mutex
	idle  []chan func() // idle workers, the oldest first
	users int           // number of connections that may need workers
}

// workerIdle is how long a worker stays idle before it ends.
const workerIdle = 2 * time.Second

func newWorkers() *workers { return new(workers) }

// run calls f on a worker.
func (w *workers) run(f func()) {
	w.mu.Lock()
	last := len(w.idle) - 1
	if last < 0 {
		w.mu.Unlock()
		go w.work(f)
		return
	}
	next := w.idle[last]
	w.idle = w.idle[:last]
	w.mu.Unlock()
	next <- f
}

// join adds a user.
func (w *workers) join() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.users++
}

// leave removes a user. When the last user leaves, idle workers end, and other workers end after
// their current function.
func (w *workers) leave() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.users--; w.users > 0 {
		return
	}
	for _, next := range w.idle {
		close(next)
	}
	w.idle = nil
}

// apart calls f on a worker and waits for it. It returns false if f called runtime.Goexit instead
// of returning. If f panics, apart panics.
func (w *workers) apart(f func()) (returned bool) {
	done := make(chan any, 1)
	w.run(func() {
		defer func() {
			p := recover()
			done <- p
		}()
		f()
		returned = true
	})
	if p := <-done; p != nil {
		panic(p)
	}
	return returned
}

func (w *workers) work(f func()) {
	next := make(chan func(), 1)
	timer := time.NewTimer(workerIdle)
	defer timer.Stop()
	for {
		f()
		w.mu.Lock()
		if w.users <= 0 {
			w.mu.Unlock()
			return
		}
		w.idle = append(w.idle, next)
		w.mu.Unlock()
		timer.Reset(workerIdle)
		select {
		case f = <-next:
			if f == nil {
				return // the worker has ended
			}
			continue
		case <-timer.C:
		}
		w.mu.Lock()
		i := slices.Index(w.idle, next)
		if i >= 0 {
			w.idle = slices.Delete(w.idle, i, i+1)
		}
		w.mu.Unlock()
		if i >= 0 {
			return
		}
		// run or leave has taken this worker from the list
		if f = <-next; f == nil {
			return
		}
	}
}
