package mcp

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// exchange is an HTTP request and its response. The response contains messages that belong to the
// MCP request. It is JSON or, if messages are sent before the result, an event stream.
//
// Several goroutines may write: the handler, goroutines that send notifications, and the keep-alive
// timer. None may use w after ServeHTTP has returned; see close.
type exchange struct {
	h       *HTTPHandler
	w       http.ResponseWriter
	req     *http.Request
	serving *Request // the request that the goroutine of ServeHTTP serves
	first   Request  // the first MCP request; others in a batch are allocated
	ticket  ticket   // ticket of first, if there is a session

	// The following fields are used only in sessions, and are guarded by eventsMu.
	session  *httpSession
	stream   *eventStream // nil until the stream starts
	open     int          // number of unanswered requests of a batch
	answers  []byte       // responses to a batch, each preceded by a comma
	batch    claim        // claim on the budget for the responses to a batch
	counted  int          // number of bytes of responses that the session's admission counts
	began    int          // value of the session's ticks when the exchange started
	upgraded bool         // whether it was upgraded to an event stream after StreamAfter

	held peerClaim // claim for the response that is being written

	json, sse bool // forms of response that the client accepts

	form           answerForm    // guarded by mu, as are the following fields
	ended          bool          // whether nothing more may be written
	writing        bool          // whether a goroutine is writing to w
	mu             sync.Mutex    // never held during a blocking call
	quiet          *sync.Cond    // signals that writing is false; nil if no goroutine has ever waited
	panic          any           // value of a panic in w; ServeHTTP panics with it again
	out            *writer       // writes the event stream
	keepAliveTimer *time.Timer   // sends comments on the event stream
	done           chan struct{} // closed by end; nil if no goroutine waits for it
}

func newExchange(h *HTTPHandler, w http.ResponseWriter, req *http.Request) *exchange {
	x := &exchange{h: h, w: w, req: req}
	x.held.owner = x
	x.json, x.sse = accepts(req.Header)
	return x
}

// answerForm is the form of the response to an HTTP request.
type answerForm uint8

const (
	undecided answerForm = iota
	asJSON
	asEvents
)

var errEnded = errors.New("the exchange has ended")

// A client may take up to writeTimeout to read writeAtOnce bytes.
const (
	writeTimeout = 30 * time.Second
	writeAtOnce  = 64 << 10
)

// chooseJSON decides that the response is JSON, which only the caller may then write, with reply.
// It returns false if an event stream has started or the exchange has ended.
func (x *exchange) chooseJSON() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended || x.form != undecided {
		return false
	}
	x.form, x.writing = asJSON, true
	return true
}

// write calls f. While f runs, no other goroutine writes to w. It returns an error if the exchange
// has ended.
func (x *exchange) write(f func() error) error {
	x.mu.Lock()
	for x.writing {
		x.wait()
	}
	if x.ended {
		x.mu.Unlock()
		return errEnded
	}
	x.writing = true
	x.mu.Unlock()
	defer x.written()
	return x.guard(f)
}

// guard calls f, which calls methods of w. If w panics, as a wrapper of the ResponseWriter may,
// guard ends the exchange and stores the value, with which ServeHTTP panics later. The caller must
// hold mu or have set writing.
func (x *exchange) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			x.panic, err = p, errEnded
		}
	}()
	return f()
}

// written resets writing after write.
func (x *exchange) written() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.writing = false
	x.changed()
}

// wait waits until changed is called. The caller must hold mu; wait unlocks it while it waits.
func (x *exchange) wait() {
	if x.quiet == nil {
		x.quiet = sync.NewCond(&x.mu)
	}
	x.quiet.Wait()
}

// changed wakes the goroutines that are blocked in wait. The caller must hold mu.
func (x *exchange) changed() {
	if x.quiet != nil {
		x.quiet.Broadcast()
	}
}

// reply writes the complete response after chooseJSON has returned true. If body is nil, it writes
// only the status. The claim of body, which may be nil, passes to the connection.
func (x *exchange) reply(status int, body []byte, claimed *claim) {
	defer x.written()
	_ = x.guard(func() error {
		switch {
		case body == nil:
			x.w.WriteHeader(status)
		case len(body) <= uncountedAnswer:
			writeJSON(x.w, status, body)
		default:
			u := x.h.s.unread
			u.correctPeer(&x.held, len(body))
			defer u.correctPeer(&x.held, 0)
			if claimed != nil {
				u.correct(claimed, 0)
			}
			writeJSON(pacedResponse{x.w, x}, status, body)
		}
		return nil
	})
}

// pacedResponse writes in parts, to measure how fast the client reads.
type pacedResponse struct {
	http.ResponseWriter
	x *exchange
}

func (r pacedResponse) Write(b []byte) (n int, err error) {
	for {
		wrote, err := r.ResponseWriter.Write(b[n:min(n+writeAtOnce, len(b))])
		r.x.held.took.Add(int64(wrote))
		if n += wrote; err != nil || n == len(b) {
			return n, err
		}
		if r.x.hasEnded() {
			return n, errEnded
		}
	}
}

func (x *exchange) hasEnded() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ended
}

// cutOff ends the exchange, including a write that waits for the client.
func (x *exchange) cutOff() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.endLocked()
	if x.writing {
		_ = http.NewResponseController(x.w).SetWriteDeadline(time.Unix(1, 0))
	}
}

// answer writes the response to a request, as JSON or as the only event of a stream, depending on
// what the client accepts. The claim of the response, which may be nil, passes to the connection.
func (x *exchange) answer(status int, response []byte, claimed *claim) {
	switch {
	case (x.json || status != http.StatusOK) && x.chooseJSON():
		x.reply(status, response, claimed)
	case x.startStream():
		x.out.addShared(appendEvent("", response))
		if claimed != nil {
			x.h.s.unread.correct(claimed, 0)
		}
		x.out.drain()
	}
}

// startStream starts the event stream if necessary, and reports whether events
// can be written.
func (x *exchange) startStream() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended || !x.sse || x.form == asJSON {
		return false
	}
	if x.form == asEvents {
		return true
	}
	x.form = asEvents
	err := x.guard(func() error {
		head := x.w.Header()
		head["Content-Type"] = sseType
		head["Cache-Control"] = noCache
		head["X-Accel-Buffering"] = noBuffering
		x.w.WriteHeader(http.StatusOK)
		return nil
	})
	if err != nil {
		x.endLocked()
		return false
	}
	x.out = newWriter(eventWriter{x}, x.h.s.opts.Limits.MaxQueuedBytes, func(error) { x.end() })
	x.out.countIn(x.h.s.unread, &x.held)
	x.keepAliveTimer = time.AfterFunc(x.h.opts.KeepAlive, x.keepAlive)
	return true
}

var (
	sseType     = []string{"text/event-stream"}
	noCache     = []string{"no-cache, no-transform"}
	noBuffering = []string{"no"}
)

// flushHeader sends the header of an event stream before the first event.
func (x *exchange) flushHeader() {
	_ = x.write(func() error { return flushResponse(x.w) })
}

// keepAlive sends a comment, so that proxies keep the connection open and a broken connection is
// detected.
func (x *exchange) keepAlive() {
	if _, flush := x.out.offer([]byte(":\n")); flush {
		x.out.flush()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ended {
		x.keepAliveTimer.Reset(x.h.opts.KeepAlive)
	}
}

// eventWriter writes to the HTTP response until the exchange ends, with a
// deadline for clients that do not read.
type eventWriter struct{ x *exchange }

func (w eventWriter) Write(b []byte) (n int, err error) {
	err = w.x.write(func() error {
		c := http.NewResponseController(w.x.w)
		// The end of the response may be written long after the last event, so remove
		// the deadline.
		defer c.SetWriteDeadline(time.Time{})
		for n < len(b) {
			c.SetWriteDeadline(time.Now().Add(writeTimeout))
			wrote, err := w.x.w.Write(b[n:min(n+writeAtOnce, len(b))])
			n += wrote
			w.x.held.took.Add(int64(wrote))
			if err == nil {
				err = flushResponse(w.x.w)
			}
			if err == nil && n < len(b) && w.x.hasEnded() {
				err = errEnded
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// flushResponse flushes w, if w can be flushed.
func flushResponse(w http.ResponseWriter) error {
	err := http.NewResponseController(w).Flush()
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// end ends the exchange without blocking. A write in progress continues, but no further write
// starts.
func (x *exchange) end() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.endLocked()
}

// endLocked does the work of end. The caller must hold mu.
func (x *exchange) endLocked() {
	if x.ended {
		return
	}
	x.ended = true
	if x.out != nil {
		x.keepAliveTimer.Stop()
		x.out.close()
	}
	if x.done != nil {
		close(x.done)
	}
}

// close ends the exchange and waits until no goroutine writes. After that, ServeHTTP may return.
func (x *exchange) close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.endLocked()
	for x.writing {
		x.wait()
	}
}

// closeHere is called by ServeHTTP. It does what close does, panics again with a stored value, and
// sets a deadline for the end of an event stream.
func (x *exchange) closeHere() {
	x.close()
	if x.form == asEvents && x.panic == nil {
		_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(writeTimeout))
	}
	if x.panic != nil {
		panic(x.panic)
	}
}

// appendEvent returns data as an event without the final empty line. If id is empty, the event has
// no ID.
func appendEvent(id string, data []byte) []byte {
	b := make([]byte, 0, len("id: \nevent: message\ndata: \n")+len(id)+len(data))
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	b = append(append(b, "event: message\ndata: "...), data...)
	return append(b, '\n')
}

// notify sends a notification. It does not block, because the caller may hold
// the request's mu.
func (x *exchange) notify(line []byte) {
	if _, out := x.offer(line); out != nil {
		x.h.s.workers.run(out.flush)
	}
}

func (x *exchange) push(line []byte) { x.notify(line) }

func (x *exchange) send(_ context.Context, line []byte) bool {
	sent, out := x.offer(line)
	if out != nil {
		x.h.s.workers.run(out.flush) // flush runs on a worker, because it may block for longer than ctx allows
	}
	return sent
}

// offer adds a message to the event stream, which it starts if necessary. It reports whether the
// client can receive the message. If the caller must flush a writer, offer returns it.
func (x *exchange) offer(line []byte) (sent bool, flush *writer) {
	if x.session != nil {
		return x.session.offer(x, line)
	}
	if x.gone() || !x.startStream() {
		return false, nil
	}
	added, toFlush := x.out.offer(appendEvent("", line))
	if toFlush {
		flush = x.out
	}
	return added, flush
}

// gone reports whether the client has closed its connection.
func (x *exchange) gone() bool {
	return errors.Is(x.req.Context().Err(), context.Canceled)
}

func (x *exchange) beginSession(*session) *session { return nil }
func (x *exchange) handOver()                      {}
func (x *exchange) connection() any                { return nil }
func (x *exchange) unread() int                    { return 0 }
func (x *exchange) ending() bool                   { return x.h.closed.Load() }

// finish answers with the response to r, a request without a session.
func (x *exchange) finish(r *Request, response []byte) {
	if !r.cancelled() && !x.gone() {
		x.mu.Lock()
		streaming := x.out != nil
		x.mu.Unlock()
		if streaming {
			x.out.addShared(appendEvent("", response))
			x.h.s.unread.correct(&r.answer, 0) // x.out counts the response
			x.out.drain()
		} else {
			x.answer(httpStatus(r), response, &r.answer)
		}
	} else if x.chooseJSON() {
		x.reply(http.StatusServiceUnavailable, nil, nil) // the client has disconnected
	}
	x.end()
}

// abandoned sends the response if a handler has ended the goroutine of ServeHTTP; see
// Server.abandoned. With HTTP/1, net/http then closes the connection without ending the response,
// so JSON is written with its length.
func (x *exchange) abandoned() {
	r := x.serving
	if r == nil {
		return
	}
	response := x.h.s.abandoned(r)
	if x.req.ProtoMajor == 1 && x.json && x.chooseJSON() {
		x.w.Header().Set("Content-Length", strconv.Itoa(len(response)))
		x.w.Header().Set("Connection", "close")
		x.reply(httpStatus(r), response, nil)
		x.flushHeader()
	}
	x.finish(r, response)
}

var _ sink = (*exchange)(nil)
