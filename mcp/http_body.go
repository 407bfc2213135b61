package mcp

import (
	"container/list"
	"io"
	"net/http"
	"sync"
	"time"
)

// bodyReads tracks the request bodies that an HTTPHandler is reading. It limits their memory and
// drops slow ones.
type bodyReads struct {
	memory int // HTTPOptions.MaxBodyMemory
	rate   int // HTTPOptions.MinBodyRate

	mu      sync.Mutex
	open    map[*bodyRead]struct{}
	held    int       // total size in bytes of all buffers, not counting freeBody for each
	holders list.List // the *bodyReads whose memory held counts, least recent data first
	ticking bool      // whether a timer will call tick
}

// bodyRead is a request body that is being read. The mutex of bodyReads guards it.
type bodyRead struct {
	w       http.ResponseWriter
	window  time.Time     // start of the current bodyWindow
	came    int           // number of bytes received in the current bodyWindow
	held    int           // size in bytes of the buffer, not counting freeBody
	holder  *list.Element // nil if not in holders
	dropped int           // HTTP status for the response; 0 if the body was not dropped
}

const (
	freeBody   = 4 << 10          // number of bytes of each body that MaxBodyMemory does not count
	bodyWindow = 10 * time.Second // period over which MinBodyRate is averaged
	bodyTick   = time.Second      // time between two calls to tick
)

// read reads a body of at most limit bytes. length is its Content-Length, or -1 if it is unknown;
// the buffer grows with the data. If the body was dropped, read returns the status for the
// response, and otherwise 0.
func (h *bodyReads) read(w http.ResponseWriter, from io.Reader, limit int, length int64) (body []byte, dropped int, err error) {
	b := h.begin(w)
	if length < 0 {
		length = 511
	}
	body = make([]byte, 0, min(length+1, freeBody)) // one more byte to detect the end
	for len(body) < limit {
		if len(body) == cap(body) {
			size := min(2*cap(body), limit)
			if length >= int64(cap(body)) {
				size = min(size, int(length)+1)
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

// end stops tracking b. If b was dropped, end returns the status for the response, and otherwise 0.
func (h *bodyReads) end(b *bodyRead) (dropped int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.open, b)
	h.release(b)
	return b.dropped
}

// progress records that n bytes were read. It returns false if b was dropped.
func (h *bodyReads) progress(b *bodyRead, n int) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	b.came += n
	if b.holder != nil {
		h.holders.MoveToBack(b.holder)
	}
	return b.dropped == 0
}

// grow reserves memory for a buffer of size bytes. If there is not enough memory, it drops the
// bodies that have waited longest for data. It returns false if b itself was dropped.
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

// drop makes the Read of b fail. It returns false if that is not possible; b then ends when its
// Read returns. The caller must hold mu.
func (h *bodyReads) drop(b *bodyRead, status int) bool {
	b.dropped = status
	return http.NewResponseController(b.w).SetReadDeadline(time.Unix(1, 0)) == nil
}

// release frees the reservation of b. The caller must hold mu.
func (h *bodyReads) release(b *bodyRead) {
	h.held -= b.held
	b.held = 0
	if b.holder != nil {
		h.holders.Remove(b.holder)
		b.holder = nil
	}
}

// tick drops bodies that are slower than MinBodyRate. It calls itself again
// after bodyTick while bodies are being read.
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
