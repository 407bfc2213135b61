package mcp

import (
	"container/list"
	"io"
	"net/http"
	"sync"
	"time"
)

// bodyReads are the request bodies that an HTTPHandler is reading. Together they
// are bounded in memory, and each has a least rate.
type bodyReads struct {
	memory int // HTTPOptions.BodyMemory
	rate   int // HTTPOptions.MinBodyRate

	mu      sync.Mutex
	open    map[*bodyRead]struct{}
	held    int       // bytes of all buffers, beyond freeBody each
	holders list.List // the *bodyReads that hold some, least recent data first
	ticking bool
}

// bodyRead is one body being read. The bodyReads' mu guards it.
type bodyRead struct {
	w       http.ResponseWriter
	window  time.Time // begin of the current bodyWindow
	came    int       // bytes in the current bodyWindow
	held    int
	holder  *list.Element // nil if it is not in holders
	dropped int           // status to answer with; 0 if it may go on
}

const (
	freeBody   = 4 << 10          // bytes of each body that BodyMemory does not count
	bodyWindow = 10 * time.Second // over which MinBodyRate is an average
	bodyTick   = time.Second
)

// read reads from to its end, but no more than limit bytes. Expected is the
// Content-Length, -1 if it is not known; the buffer grows with what has come. If
// the body was dropped, read returns the status to answer with, otherwise 0.
func (h *bodyReads) read(w http.ResponseWriter, from io.Reader, limit int, expected int64) (body []byte, dropped int, err error) {
	b := h.begin(w)
	if expected < 0 {
		expected = 511
	}
	body = make([]byte, 0, min(expected+1, freeBody)) // one more to see the end
	for len(body) < limit {
		if len(body) == cap(body) {
			size := min(2*cap(body), limit)
			if expected >= int64(cap(body)) {
				size = min(size, int(expected)+1)
			}
			if !h.grow(b, size) {
				break
			}
			body = append(make([]byte, 0, size), body...)
		}
		var n int
		n, err = from.Read(body[len(body):min(cap(body), limit)])
		body = body[:len(body)+n]
		if err != nil || !h.progress(b, n) {
			break
		}
	}
	if err == io.EOF {
		err = nil
	}
	return body, h.end(b), err
}

func (h *bodyReads) begin(w http.ResponseWriter) *bodyRead {
	b := &bodyRead{w: w, window: time.Now()}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open[b] = struct{}{}
	if !h.ticking {
		h.ticking = true
		time.AfterFunc(bodyTick, h.tick)
	}
	return b
}

// end returns the status to answer with if b was dropped.
func (h *bodyReads) end(b *bodyRead) (dropped int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, b)
	h.release(b)
	return b.dropped
}

// progress notes that n bytes have come. It reports false if b was dropped.
func (h *bodyReads) progress(b *bodyRead, n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	b.came += n
	if b.holder != nil {
		h.holders.MoveToBack(b.holder)
	}
	return b.dropped == 0
}

// grow reserves memory for a buffer of so many bytes. If there is none, bodies
// are dropped that have waited longest for data, b itself at last; then it
// reports false.
func (h *bodyReads) grow(b *bodyRead, size int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	more := max(size-freeBody, 0) - b.held
	for b.dropped == 0 && h.held+more > h.memory {
		first := h.holders.Front()
		if first == nil || first == b.holder {
			b.dropped = http.StatusServiceUnavailable
			break
		}
		h.holders.Remove(first)
		other := first.Value.(*bodyRead)
		other.holder = nil
		if h.drop(other, http.StatusServiceUnavailable) {
			h.release(other)
		}
	}
	if b.dropped != 0 {
		return false
	}
	h.held += more
	b.held += more
	if b.holder == nil && b.held > 0 {
		b.holder = h.holders.PushBack(b)
	}
	return true
}

// drop has the Read of b fail. It reports false if that is not possible; then b
// ends when its Read returns. The caller holds mu.
func (h *bodyReads) drop(b *bodyRead, status int) bool {
	b.dropped = status
	return http.NewResponseController(b.w).SetReadDeadline(time.Unix(1, 0)) == nil
}

// release gives back what b holds. The caller holds mu.
func (h *bodyReads) release(b *bodyRead) {
	h.held -= b.held
	b.held = 0
	if b.holder != nil {
		h.holders.Remove(b.holder)
		b.holder = nil
	}
}

// tick drops bodies that come too slowly.
func (h *bodyReads) tick() {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := time.Now()
	for b := range h.open {
		switch {
		case b.dropped != 0 || now.Sub(b.window) < bodyWindow:
		case b.came < int(bodyWindow/time.Second)*h.rate:
			h.drop(b, http.StatusRequestTimeout)
		default:
			b.window, b.came = now, 0
		}
	}
	if h.ticking = len(h.open) > 0; h.ticking {
		time.AfterFunc(bodyTick, h.tick)
	}
}
