package mcp

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// exchange is one HTTP request and the answer to it, as the sink of the MCP
// request that it carries. The answer is JSON, unless something has to be sent
// before it is ready: then it is an event stream.
//
// Several goroutines may write at a time: the handler of the request, those
// that tell of changes, the timer that keeps the connection alive. None of
// them may touch w after ServeHTTP has returned; see close.
type exchange struct {
	h       *HTTPHandler
	w       http.ResponseWriter
	req     *http.Request // nil once its connection has been taken over
	conn    net.Conn      // taken over, or nil
	serving *Request      // by the goroutine of the HTTP request
	first   Request       // that it carries; the others of a batch are on their own
	ticket  ticket        // of first, in a session

	// Of a session only, and guarded by its em:
	session *httpSession
	stream  *eventStream // nil until it begins
	open    int          // requests of a batch that are not answered yet
	answers []byte       // to a batch, each after a comma
	began   int          // in ticks of the session
	late    bool         // it has become a stream for that it takes long

	json, sse bool // what the client takes

	form    answerForm    // guarded by mu, as all that follows
	ended   bool          // nothing more may be written
	writing bool          // somebody writes to w
	mu      sync.Mutex    // never held while something blocks
	quiet   *sync.Cond    // writing is false again; nil if nobody has waited
	panic   any           // of w, whose server it is for
	out     *writer       // of an event stream
	beat    *time.Timer   // of an event stream
	done    chan struct{} // closed by end; nil if nobody waits
}

func newExchange(h *HTTPHandler, w http.ResponseWriter, req *http.Request) *exchange {
	x := &exchange{h: h, w: w, req: req}
	x.json, x.sse = accepts(req.Header)
	return x
}

// answerForm is what the answer to an HTTP request will be.
type answerForm uint8

const (
	undecided answerForm = iota
	asJSON
	asEvents
)

var errEnded = errors.New("the exchange has ended")

// A client may take writeTimeout to read writeAtOnce bytes.
const (
	writeTimeout = 30 * time.Second
	writeAtOnce  = 64 << 10
)

// chooseJSON reserves the answer for reply, which has to follow. It reports
// false if an event stream has begun or the exchange has ended.
func (x *exchange) chooseJSON() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended || x.form != undecided {
		return false
	}
	x.form, x.writing = asJSON, true
	return true
}

// write calls f to write to w, while nobody else does. Once the exchange has
// ended it fails.
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

// guard calls f, which calls methods of w. Whoever has wrapped w may panic
// there: that ends the answer, and goes on where ServeHTTP returns, but not on
// a background goroutine. The caller holds mu or has set writing.
func (x *exchange) guard(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			x.panic, err = p, errEnded
		}
	}()
	return f()
}

// written notes that what was being written has been.
func (x *exchange) written() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.writing = false
	x.changed()
}

// wait waits until something has changed. The caller holds mu.
func (x *exchange) wait() {
	if x.quiet == nil {
		x.quiet = sync.NewCond(&x.mu)
	}
	x.quiet.Wait()
}

// changed wakes those who wait. The caller holds mu.
func (x *exchange) changed() {
	if x.quiet != nil {
		x.quiet.Broadcast()
	}
}

// reply writes the whole answer, which chooseJSON has reserved; with a nil
// body the status alone.
func (x *exchange) reply(status int, body []byte) {
	defer x.written()
	_ = x.guard(func() error {
		if body == nil {
			x.w.WriteHeader(status)
		} else {
			writeJSON(x.w, status, body)
		}
		return nil
	})
}

// answer writes the response to a request for which nothing has been sent, in
// a form that the client takes.
func (x *exchange) answer(status int, response []byte) {
	switch {
	case (x.json || status != http.StatusOK) && x.chooseJSON():
		x.reply(status, response)
	case x.startStream():
		x.out.add(appendEvent("", response))
		x.out.drain()
	}
}

// startStream begins the event stream, unless that has been done, and reports
// whether events can be written.
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
		x.endHeld()
		return false
	}
	x.out = newWriter(eventWriter{x}, x.h.s.opts.Limits.MaxQueuedBytes, func(error) { x.end() })
	x.beat = time.AfterFunc(x.h.opts.KeepAlive, x.keepAlive)
	return true
}

var (
	sseType     = []string{"text/event-stream"}
	noCache     = []string{"no-cache, no-transform"}
	noBuffering = []string{"no"}
)

// flushHeader sends the header of an event stream that has no event yet.
func (x *exchange) flushHeader() {
	_ = x.write(func() error { return flushResponse(x.w) })
}

// keepAlive sends a comment, so that nobody on the way takes the connection
// for dead, and a dead one is found out.
func (x *exchange) keepAlive() {
	if _, flush := x.out.offer([]byte(":\n")); flush {
		x.out.flush()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ended {
		x.beat.Reset(x.h.opts.KeepAlive)
	}
}

// eventWriter writes to the HTTP response for as long as that is allowed, and
// gives up on a client that does not read.
type eventWriter struct{ x *exchange }

func (w eventWriter) Write(b []byte) (n int, err error) {
	err = w.x.write(func() error {
		c := http.NewResponseController(w.x.w)
		// The end of the answer may be written long after the last event.
		defer c.SetWriteDeadline(time.Time{})
		for n < len(b) {
			c.SetWriteDeadline(time.Now().Add(writeTimeout))
			wrote, err := w.x.w.Write(b[n:min(n+writeAtOnce, len(b))])
			n += wrote
			if err == nil {
				err = flushResponse(w.x.w)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// flushResponse flushes w, if it can be: without, events come late.
func flushResponse(w http.ResponseWriter) error {
	err := http.NewResponseController(w).Flush()
	if errors.Is(err, http.ErrNotSupported) {
		return nil
	}
	return err
}

// end ends the exchange. What is being written goes on, nothing new begins. It
// does not block.
func (x *exchange) end() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.endHeld()
}

// endHeld is end for who holds mu.
func (x *exchange) endHeld() {
	if x.ended {
		return
	}
	x.ended = true
	if x.out != nil {
		x.beat.Stop()
		x.out.close()
	}
	if x.done != nil {
		close(x.done)
	}
	if x.conn != nil {
		go x.conn.Close()
	}
}

// close ends the exchange and waits until nobody writes any more. Unless its
// connection has been taken over, ServeHTTP returns after it.
func (x *exchange) close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.endHeld()
	for x.writing {
		x.wait()
	}
}

// closeHere is close where ServeHTTP returns: net/http hears of a panic of w, and
// has writeTimeout to write the end of an event stream.
func (x *exchange) closeHere() {
	x.close()
	if x.form == asEvents && x.panic == nil {
		_ = http.NewResponseController(x.w).SetWriteDeadline(time.Now().Add(writeTimeout))
	}
	if x.panic != nil {
		panic(x.panic)
	}
}

// appendEvent makes an event without the empty line behind it; id is empty for
// none.
func appendEvent(id string, data []byte) []byte {
	b := make([]byte, 0, len("id: \nevent: message\ndata: \n")+len(id)+len(data))
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	b = append(append(b, "event: message\ndata: "...), data...)
	return append(b, '\n')
}

// notify does not block: r.mu may be held.
func (x *exchange) notify(line []byte) {
	if _, out := x.offer(line); out != nil {
		x.h.s.workers.run(out.flush)
	}
}

func (x *exchange) push(line []byte) { x.notify(line) }

func (x *exchange) send(_ context.Context, line []byte) bool {
	sent, out := x.offer(line)
	if out != nil {
		x.h.s.workers.run(out.flush) // which may block for longer than the context
	}
	return sent
}

// offer puts one message on the event stream, which it begins. It reports
// whether the client can get it, and what is to be flushed, if anything.
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
	return x.req != nil && errors.Is(x.req.Context().Err(), context.Canceled)
}

func (x *exchange) beginSession(*session) bool { return false }
func (x *exchange) handOver()                  {}
func (x *exchange) connection() any            { return nil }
func (x *exchange) ending() bool               { return x.h.closed.Load() }

// finish answers with the response to r, which belongs to no session.
func (x *exchange) finish(r *Request, response []byte) {
	if !r.cancelled() && !x.gone() {
		x.mu.Lock()
		streaming := x.out != nil
		x.mu.Unlock()
		if streaming {
			x.out.add(appendEvent("", response))
			x.out.drain()
		} else {
			x.answer(httpStatus(r), response)
		}
	} else if x.chooseJSON() {
		x.reply(http.StatusServiceUnavailable, nil) // nobody reads it
	}
	x.end()
}

// abandoned answers when the handler ends the goroutine of ServeHTTP: see
// Server.abandoned. Of HTTP/1 net/http then closes the connection without
// ending the response, so JSON is written with its length.
func (x *exchange) abandoned() {
	r := x.serving
	if r == nil {
		return
	}
	response := x.h.s.abandoned(r)
	if x.req != nil && x.req.ProtoMajor == 1 && x.json && x.chooseJSON() {
		x.w.Header().Set("Content-Length", strconv.Itoa(len(response)))
		x.w.Header().Set("Connection", "close")
		x.reply(httpStatus(r), response)
		x.flushHeader()
	}
	x.finish(r, response)
}

var _ sink = (*exchange)(nil)
