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
