package mcp

import "time"

// workers are goroutines that wait for the next function to run, so that
// stacks which have grown are used again.
type workers struct {
	idle chan func()
}

// workerIdle is how long a goroutine waits for work before it ends.
const workerIdle = 2 * time.Second

func newWorkers() *workers {
	return &workers{idle: make(chan func())}
}

// run calls f on another goroutine.
func (w *workers) run(f func()) {
	select {
	case w.idle <- f:
	default:
		go w.work(f)
	}
}

// apart calls f on another goroutine, waits until that is done with it, and
// reports whether f has returned: it may have ended the goroutine. If f panics,
// apart does.
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
	timer := time.NewTimer(workerIdle)
	defer timer.Stop()
	for {
		f()
		timer.Reset(workerIdle)
		select {
		case f = <-w.idle:
		case <-timer.C:
			return
		}
	}
}
