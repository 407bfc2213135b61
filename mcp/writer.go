package mcp

import (
	"context"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// writer combines lines from several goroutines into few calls to Write. If no write is in
// progress, flush writes all queued data. Small lines share a buffer. A large line that is passed
// to give is not copied.
type writer struct {
	w     io.Writer
	limit int // number of queued bytes above which add blocks

	mu        sync.Mutex
	changed   sync.Cond // signals that fewer bytes are queued or that a write has ended
	queue     []chunk   // data to be written
	waiting   int       // bytes in queue
	free      [][]byte  // buffers that can be reused
	freeBytes int       // capacity of the buffers in free
	writing   bool
	called    bool // whether offer has asked a caller to flush and no flush has started since
	err       error
	failed    func(error) // called once, without holding mu

	budget  *unreadBudget // counts the bytes in queue and in a write, in held; may be nil
	held    *peerClaim
	inWrite int          // bytes being written
	counted atomic.Int64 // number of bytes in held

	behind atomic.Bool // whether more than a quarter of limit has been queued and not yet completely written
	onRoom func()      // called without holding mu after each write while behind; may be nil
}

// chunk is a part of the queue of a writer. It is not empty.
type chunk struct {
	b      []byte
	shared bool // whether b is used elsewhere and must not be modified
}

// keepBuffer is the size in bytes of the buffers that an idle connection keeps. maxBuffer is the
// size in bytes of the buffers that a busy connection keeps.
const (
	keepBuffer = 256 << 10
	maxBuffer  = 8 << 20
)

// flushAt is the number of queued bytes at which add requests a flush.
const flushAt = 64 << 10

// handOverSize is the size in bytes from which give queues a line without
// copying it.
const handOverSize = 16 << 10

// countIn makes the writer count its queued bytes in the claim of its connection.
func (w *writer) countIn(u *unreadBudget, held *peerClaim) { w.budget, w.held = u, held }

// count updates the claim. The first flushAt bytes of a connection are not counted. The caller must
// hold mu.
func (w *writer) count() {
	if w.budget == nil {
		return
	}
	n := w.waiting + w.inWrite
	if n <= flushAt {
		n = 0
	}
	if old := w.counted.Load(); int64(n) != old {
		w.counted.Store(int64(n))
		w.budget.correctPeer(w.held, n)
	}
}

func newWriter(w io.Writer, limit int, failed func(error)) *writer {
	out := &writer{w: w, limit: limit, failed: failed}
	out.changed.L = &out.mu
	return out
}

// add queues line and a newline, and reports whether the caller should flush. It blocks while more
// than limit bytes are queued.
func (w *writer) add(line []byte) (full bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wait()
	w.copy(line)
	return w.waiting > flushAt
}

// give is like add, for a line that the caller will not use again. It returns another buffer
// for the caller.
func (w *writer) give(line []byte) (buf []byte, full bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wait()
	if len(line) < handOverSize || w.err != nil {
		w.copy(line)
		return line, w.waiting > flushAt
	}
	line = append(line, '\n')
	w.queue = append(w.queue, chunk{b: line})
	w.added(len(line))
	return w.takeLocked(), true
}

// addShared is like addNow, for a line that is never modified. It does not copy a large
// line.
func (w *writer) addShared(line []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.share(line)
}

// share queues line in the same way as addShared. The caller must hold mu.
func (w *writer) share(line []byte) {
	if len(line) < handOverSize || w.err != nil {
		w.copy(line)
		return
	}
	w.queue = append(w.queue, chunk{line, true})
	w.added(len(line))
	w.copy(nil) // append the newline
}

// addNow is like add, but does not block.
func (w *writer) addNow(line []byte) (full bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.copy(line)
	return w.waiting > flushAt
}

// waitBelow waits until at most limit bytes are queued, or flushAt while the budget is full. It
// returns false if that takes longer than timeout.
func (w *writer) waitBelow(timeout time.Duration) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.overWithBudget() {
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
	for w.overWithBudget() && !late {
		w.changed.Wait()
	}
	return !w.overWithBudget()
}

// overWithBudget is like over, but uses the limit flushAt while the budget is full. The
// caller must hold mu.
func (w *writer) overWithBudget() bool {
	if w.over() {
		return true
	}
	n := w.counted.Load()
	return n > 0 && w.waiting > flushAt && w.writing && w.err == nil && w.budget.isFull(int(n))
}

// over reports whether more than limit bytes are queued, in which case add must block. The caller
// must hold mu.
func (w *writer) over() bool {
	return w.waiting > w.limit && w.writing && w.err == nil
}

// abort drops the queue and ends the writer with err, as after a failed write.
func (w *writer) abort(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.fail(err)
}

// addUntil is like add, but returns false if ctx is done before it has queued line.
func (w *writer) addUntil(ctx context.Context, line []byte) bool {
	if w.addBelow(line) {
		return true
	}
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

// addBelow does what add does if that does not block. Otherwise, it returns false.
func (w *writer) addBelow(line []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over() {
		return false
	}
	w.copy(line)
	return true
}

// wait blocks while more than limit bytes are queued. The caller must hold mu.
func (w *writer) wait() {
	for w.over() {
		w.changed.Wait()
	}
}

// copy queues a copy of line. The caller must hold mu.
func (w *writer) copy(line []byte) {
	if w.err != nil {
		return
	}
	last := len(w.queue) - 1
	if last < 0 || len(w.queue[last].b) > flushAt || w.queue[last].shared {
		w.queue = append(w.queue, chunk{b: w.takeLocked()})
		last++
	}
	w.queue[last].b = append(append(w.queue[last].b, line...), '\n')
	w.added(len(line) + 1)
}

// added records that n bytes were queued. The caller must hold mu.
func (w *writer) added(n int) {
	w.waiting += n
	w.count()
	if w.waiting > w.limit/4 && !w.behind.Load() {
		w.behind.Store(true)
	}
}

// hasRoom reports whether n more bytes fit into half of limit. There is always room while the peer
// keeps up with reading.
func (w *writer) hasRoom(n int) bool {
	if !w.behind.Load() {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.behind.Load() || w.waiting+n <= w.limit/2
}

// madeRoom is called after a write. The caller must hold mu. It unlocks mu while it calls onRoom.
func (w *writer) madeRoom() {
	if !w.behind.Load() {
		return
	}
	if len(w.queue) == 0 {
		w.behind.Store(false)
	}
	if w.onRoom != nil {
		w.mu.Unlock()
		w.onRoom()
		w.mu.Lock()
	}
}

// takeLocked returns a free buffer, or nil. The caller must hold mu.
func (w *writer) takeLocked() []byte {
	last := len(w.free) - 1
	if last < 0 {
		return nil
	}
	buf := w.free[last]
	w.free[last] = nil
	w.free = w.free[:last]
	w.freeBytes -= cap(buf)
	return buf[:0]
}

// putLocked makes a buffer available for reuse. The caller must hold mu.
func (w *writer) putLocked(buf []byte) {
	maximum := maxBuffer
	if cap(buf) > keepBuffer && (w.counted.Load() > 0 || w.budget != nil && w.budget.hasWaiters()) {
		maximum = keepBuffer // leave the memory to data that is queued, here or on other connections
	}
	if cap(buf) > 0 && w.freeBytes+cap(buf) <= maximum {
		w.free = append(w.free, buf)
		w.freeBytes += cap(buf)
	}
}

// takeBuffer returns a free buffer, or nil.
func (w *writer) takeBuffer() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.takeLocked()
}

// putBuffer makes a buffer available for reuse.
func (w *writer) putBuffer(buf []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.putLocked(buf)
}

// trim frees the buffers that an idle connection does not need.
func (w *writer) trim() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.freeBytes > keepBuffer {
		w.takeLocked()
	}
}

// offer is like add, for lines that may be dropped. It never blocks, and drops line if half
// of the limit is queued. It reports whether it queued line, and whether the caller must arrange a
// call of flush. It keeps line, which must not be modified.
func (w *writer) offer(line []byte) (added, flush bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || w.waiting > w.limit/2 {
		return false, false
	}
	w.share(line)
	flush = !w.writing && !w.called
	w.called = w.called || flush
	return true, flush
}

// pending reports whether flush has data to write, and whether the writer has
// ended.
func (w *writer) pending() (pending, ended bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.queue) > 0 && !w.writing, w.err != nil
}

// flush writes the queue. If another goroutine is writing, that goroutine writes the queue instead.
func (w *writer) flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.called = false
	if w.writing {
		return
	}
	w.writing = true
	for len(w.queue) > 0 && w.err == nil {
		b, shared := w.queue[0].b, w.queue[0].shared
		n := copy(w.queue, w.queue[1:])
		w.queue[n] = chunk{}
		w.queue = w.queue[:n]
		w.waiting -= len(b)
		w.inWrite = len(b)
		w.changed.Broadcast()
		w.mu.Unlock()
		_, err := w.w.Write(b)
		w.mu.Lock()
		w.inWrite = 0
		w.count()
		if !shared {
			w.putLocked(b)
		}
		if err != nil {
			w.fail(err)
		}
		w.madeRoom()
	}
	w.writing = false
	w.changed.Broadcast()
}

// fail ends the writer after a failed write and reports err. The caller must
// hold mu.
func (w *writer) fail(err error) {
	if w.err != nil {
		return
	}
	w.drop(err)
	go w.failed(err)
}

// drop empties the queue and makes later calls of add have no effect. The caller must hold mu.
func (w *writer) drop(err error) {
	w.err = err
	w.queue, w.waiting = nil, 0
	w.count()
	w.behind.Store(false)
	w.changed.Broadcast()
}

// close makes later calls of add have no effect, and wakes callers that are blocked in add.
func (w *writer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.drop(io.ErrClosedPipe)
	}
	w.changed.Broadcast()
}

// drain flushes and waits until everything has been written or dropped. close ends the wait, even
// if a write is still blocked.
func (w *writer) drain() {
	go w.flush()
	w.mu.Lock()
	defer w.mu.Unlock()
	for (w.writing || len(w.queue) > 0) && w.err == nil {
		w.changed.Wait()
	}
}
