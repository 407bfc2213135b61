package mcp

import (
	"context"
	"io"
	"sync"
	"time"
)

// writer joins the lines that several goroutines write at a time into few
// calls of Write: whoever finds nobody writing writes all there is, until
// there is no more. Small lines wait in one buffer; a large one that is handed
// over is never copied.
type writer struct {
	w     io.Writer
	limit int // bytes waiting above which add blocks

	mu      sync.Mutex
	changed sync.Cond // less waits, or writing ended
	queue   [][]byte  // buffers to write, none of them empty
	waiting int       // bytes in queue
	free    [][]byte  // buffers to use again
	kept    int       // bytes that free has room for
	writing bool
	called  bool // somebody has been told to flush and has not begun
	err     error
	failed  func(error) // called once, without mu
}

// keepBuffer is the most that an idle connection's buffers may hold on to,
// maxBuffer those of a busy one.
const (
	keepBuffer = 256 << 10
	maxBuffer  = 8 << 20
)

// flushAt is how much is gathered at most before it is written.
const flushAt = 64 << 10

// worthGiving is the size from which a line is handed over instead of copied.
const worthGiving = 16 << 10

func newWriter(w io.Writer, limit int, failed func(error)) *writer {
	out := &writer{w: w, limit: limit, failed: failed}
	out.changed.L = &out.mu
	return out
}

// add appends line and a newline to what waits, without writing it, and
// reports whether it is time to flush. It blocks while too much waits.
func (w *writer) add(line []byte) (full bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wait()
	w.copy(line)
	return w.waiting > flushAt
}

// give is add for a line that the caller has no further use for. It returns a
// buffer to use in its place.
func (w *writer) give(line []byte) (buf []byte, full bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wait()
	if len(line) < worthGiving || w.err != nil {
		w.copy(line)
		return line, w.waiting > flushAt
	}
	line = append(line, '\n')
	w.queue = append(w.queue, line)
	w.waiting += len(line)
	return w.take(), true
}

// addNow is add that never blocks.
func (w *writer) addNow(line []byte) (full bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.copy(line)
	return w.waiting > flushAt
}

// waitBelow waits until no more than the limit waits to be written. It reports
// false if that takes longer than timeout.
func (w *writer) waitBelow(timeout time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over() {
		return true
	}
	late := false
	timer := time.AfterFunc(timeout, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		late = true
		w.changed.Broadcast()
	})
	defer timer.Stop()
	for w.over() && !late {
		w.changed.Wait()
	}
	return !w.over()
}

// over reports whether so much waits to be written that add blocks. The caller
// holds mu.
func (w *writer) over() bool {
	return w.waiting > w.limit && w.writing && w.err == nil
}

// abort drops all that waits and reports err as that of a write.
func (w *writer) abort(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail(err)
}

// addUntil is add that waits no longer than ctx. It reports false if that ended
// first.
func (w *writer) addUntil(ctx context.Context, line []byte) bool {
	defer context.AfterFunc(ctx, func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.changed.Broadcast()
	})()
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.over() && ctx.Err() == nil {
		w.changed.Wait()
	}
	if ctx.Err() != nil {
		return false
	}
	w.copy(line)
	return true
}

// wait waits while too much waits to be written. The caller holds mu.
func (w *writer) wait() {
	for w.over() {
		w.changed.Wait()
	}
}

// copy adds a copy of line. The caller holds mu.
func (w *writer) copy(line []byte) {
	if w.err != nil {
		return
	}
	last := len(w.queue) - 1
	if last < 0 || len(w.queue[last]) > flushAt {
		w.queue = append(w.queue, w.take())
		last++
	}
	w.queue[last] = append(append(w.queue[last], line...), '\n')
	w.waiting += len(line) + 1
}

// take returns an empty buffer that is not in use, nil if there is none. The
// caller holds mu.
func (w *writer) take() []byte {
	last := len(w.free) - 1
	if last < 0 {
		return nil
	}
	buf := w.free[last]
	w.free[last] = nil
	w.free = w.free[:last]
	w.kept -= cap(buf)
	return buf[:0]
}

// put keeps a buffer for whoever needs one next. The caller holds mu.
func (w *writer) put(buf []byte) {
	if cap(buf) > 0 && w.kept+cap(buf) <= maxBuffer {
		w.free = append(w.free, buf)
		w.kept += cap(buf)
	}
}

// borrow is take for who does not hold mu.
func (w *writer) borrow() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.take()
}

// lend is put for who does not hold mu.
func (w *writer) lend(buf []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.put(buf)
}

// trim lets go of what an idle connection need not hold.
func (w *writer) trim() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.kept > keepBuffer {
		w.take()
	}
}

// offer is add for what may be lost: it never blocks, and adds nothing if half
// the limit waits already. It reports whether it did, and whether the caller
// has to see to a flush.
func (w *writer) offer(line []byte) (added, flush bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || w.waiting > w.limit/2 {
		return false, false
	}
	w.copy(line)
	flush = !w.writing && !w.called
	w.called = w.called || flush
	return true, flush
}

// pending reports whether flush has something to do.
func (w *writer) pending() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue) > 0 && !w.writing
}

// flush writes what waits. If another goroutine is writing, that one does.
func (w *writer) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.called = false
	if w.writing {
		return
	}
	w.writing = true
	for len(w.queue) > 0 && w.err == nil {
		b := w.queue[0]
		n := copy(w.queue, w.queue[1:])
		w.queue[n] = nil
		w.queue = w.queue[:n]
		w.waiting -= len(b)
		w.changed.Broadcast()
		w.mu.Unlock()
		_, err := w.w.Write(b)
		w.mu.Lock()
		w.put(b)
		if err != nil {
			w.fail(err)
		}
	}
	w.writing = false
	w.changed.Broadcast()
}

// fail drops all that waits. The caller holds mu.
func (w *writer) fail(err error) {
	if w.err != nil {
		return
	}
	w.drop(err)
	go w.failed(err)
}

// drop lets go of all that waits, and of all that comes. The caller holds mu.
func (w *writer) drop(err error) {
	w.err = err
	w.queue, w.waiting = nil, 0
	w.changed.Broadcast()
}

// close makes every later add a no-op and wakes who waits in one.
func (w *writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.drop(io.ErrClosedPipe)
	}
	w.changed.Broadcast()
}

// drain flushes and waits until everything is written or lost; close ends the
// wait, even if a write still blocks.
func (w *writer) drain() {
	go w.flush()
	w.mu.Lock()
	defer w.mu.Unlock()
	for (w.writing || len(w.queue) > 0) && w.err == nil {
		w.changed.Wait()
	}
}
