package mcp

import (
	"io"
	"sync"
)

// writer joins the lines that several goroutines write at a time into few
// calls of Write: whoever finds nobody writing writes all there is, until
// there is no more.
type writer struct {
	w     io.Writer
	limit int // bytes waiting above which add blocks

	mu      sync.Mutex
	changed sync.Cond // buf got shorter, or writing ended
	buf     []byte
	spare   []byte
	writing bool
	called  bool // somebody has been told to flush and has not begun
	err     error
	failed  func(error) // called once, without mu
}

// keepBuffer is the most that an idle connection's buffer may hold on to,
// maxBuffer that of a busy one.
const (
	keepBuffer = 256 << 10
	maxBuffer  = 4 << 20
)

// flushAt is how much is gathered at most before it is written.
const flushAt = 64 << 10

func newWriter(w io.Writer, limit int, failed func(error)) *writer {
	out := &writer{w: w, limit: limit, failed: failed}
	out.changed.L = &out.mu
	return out
}

// add appends line and a newline to what waits, without writing it, and
// reports whether it is time to flush. It blocks while too much waits.
func (w *writer) add(line []byte) (full bool) {
	w.mu.Lock()
	w.wait()
	if w.err == nil {
		w.buf = append(append(w.buf, line...), '\n')
	}
	full = len(w.buf) > flushAt
	w.mu.Unlock()
	return full
}

// wait waits while too much waits to be written. The caller holds mu.
func (w *writer) wait() {
	for len(w.buf) > w.limit && w.writing && w.err == nil {
		w.changed.Wait()
	}
}

// give is add for a line that the caller has no further use for: a large one
// is not copied. It returns a buffer to use in its place.
func (w *writer) give(line []byte) (buf []byte, full bool) {
	if len(line) < worthGiving {
		return line, w.add(line)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wait()
	if w.err != nil {
		return line, false
	}
	if len(w.buf) > 0 {
		w.buf = append(append(w.buf, line...), '\n')
		return line, true
	}
	line = append(line, '\n')
	buf, w.buf = w.buf, line
	if cap(w.spare) > cap(buf) {
		buf, w.spare = w.spare, buf
	}
	return buf, true
}

// worthGiving is the size from which a line is handed over instead of copied.
const worthGiving = 16 << 10

// borrow returns a buffer that is not in use, nil if there is none.
func (w *writer) borrow() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	buf := w.spare
	w.spare = nil
	return buf
}

// lend gives a buffer to whoever needs it next.
func (w *writer) lend(buf []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cap(buf) > cap(w.spare) && cap(buf) <= maxBuffer {
		w.spare = buf
	}
}

// trim lets go of what an idle connection need not hold.
func (w *writer) trim() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if cap(w.spare) > keepBuffer {
		w.spare = nil
	}
}

// offer is add for what may be lost: it never blocks, and adds nothing if half
// the limit waits already. It reports whether it did, and whether the caller
// has to see to a flush.
func (w *writer) offer(line []byte) (added, flush bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.fits(line) {
		return false, false
	}
	flush = !w.writing && !w.called
	w.called = w.called || flush
	return true, flush
}

// fits adds line unless half the limit waits already. The caller holds mu.
func (w *writer) fits(line []byte) bool {
	if w.err != nil || len(w.buf) > w.limit/2 {
		return false
	}
	w.buf = append(append(w.buf, line...), '\n')
	return true
}

// pending reports whether flush has something to do.
func (w *writer) pending() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.buf) > 0 && !w.writing
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
	for len(w.buf) > 0 && w.err == nil {
		b := w.buf
		w.buf = w.spare[:0]
		w.spare = nil
		w.changed.Broadcast()
		w.mu.Unlock()
		_, err := w.w.Write(b)
		w.mu.Lock()
		if cap(b) <= maxBuffer && cap(b) > cap(w.spare) {
			w.spare = b
		}
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
	w.err = err
	w.buf = nil
	w.changed.Broadcast()
	go w.failed(err)
}

// close makes every later add a no-op and wakes who waits in one.
func (w *writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = io.ErrClosedPipe
		w.buf = nil
	}
	w.changed.Broadcast()
}

// drain flushes and waits until everything is written or lost; close ends the
// wait, even if a write still blocks.
func (w *writer) drain() {
	go w.flush()
	w.mu.Lock()
	defer w.mu.Unlock()
	for (w.writing || len(w.buf) > 0) && w.err == nil {
		w.changed.Wait()
	}
}
