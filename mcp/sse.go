package mcp

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// exchange is one HTTP request and the answer to it, as the sink of the MCP
// request that it carries. The answer is JSON, unless something has to be sent
// before it is ready: then it is an event stream.
type exchange struct {
	h         *HTTPHandler
	w         http.ResponseWriter
	req       *http.Request
	json, sse bool // what the client takes

	// Of a session only:
	session *httpSession
	stream  *eventStream // nil until it begins
	open    int          // requests of a batch that are not answered yet
	answers []byte       // to a batch, each after a comma

	mu    sync.Mutex
	out   *writer // nil until the event stream begins
	ended bool    // nothing more may be written
	done  chan struct{}
	beat  *time.Timer
}

var errEnded = errors.New("the exchange has ended")

// writeTimeout is how long a client may take to read what is written at once.
const writeTimeout = 30 * time.Second

// startStream begins the event stream, unless that has been done, and reports
// whether events can be written.
func (x *exchange) startStream() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended || !x.sse {
		return false
	}
	if x.out != nil {
		return true
	}
	head := x.w.Header()
	head["Content-Type"] = sseType
	head["Cache-Control"] = noCache
	head["X-Accel-Buffering"] = noBuffering
	x.w.WriteHeader(http.StatusOK)
	x.out = newWriter(eventWriter{x}, x.h.s.opts.MaxQueuedBytes, func(error) { x.end() })
	x.beat = time.AfterFunc(x.h.opts.KeepAlive, x.keepAlive)
	return true
}

var (
	sseType     = []string{"text/event-stream"}
	noCache     = []string{"no-cache, no-transform"}
	noBuffering = []string{"no"}
)

// keepAlive sends a comment, so that nobody on the way takes the connection
// for dead.
func (x *exchange) keepAlive() {
	if x.out.put([]byte(":\n")) {
		x.out.flush()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.ended {
		x.beat.Reset(x.h.opts.KeepAlive)
	}
}

// eventWriter writes to the HTTP response for as long as that is allowed.
type eventWriter struct{ x *exchange }

func (w eventWriter) Write(b []byte) (int, error) {
	x := w.x
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return 0, errEnded
	}
	c := http.NewResponseController(x.w)
	c.SetWriteDeadline(time.Now().Add(writeTimeout))
	n, err := x.w.Write(b)
	if err == nil {
		err = c.Flush()
	}
	return n, err
}

// end lets the HTTP request return.
func (x *exchange) end() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.ended {
		return
	}
	x.ended = true
	if x.beat != nil {
		x.beat.Stop()
	}
	if x.out != nil {
		x.out.close()
	}
	if x.done != nil {
		close(x.done)
	}
}

// appendEvent appends one event without the empty line behind it; id is empty
// for none.
func appendEvent(b []byte, id string, data []byte) []byte {
	if id != "" {
		b = append(append(append(b, "id: "...), id...), '\n')
	}
	b = append(append(b, "event: message\ndata: "...), data...)
	return append(b, '\n')
}

func (x *exchange) notify(line []byte) {
	if x.offer(line) {
		x.out.flush()
	}
}

func (x *exchange) push(line []byte) {
	if x.offer(line) {
		x.h.s.workers.run(x.out.flush)
	}
}

func (x *exchange) send(line []byte) { x.notify(line) }

// offer puts one message on the event stream, which it begins, and reports
// whether there is something to flush.
func (x *exchange) offer(line []byte) bool {
	if x.session != nil {
		return x.session.offer(x, line)
	}
	return x.startStream() && x.out.put(appendEvent(nil, "", line))
}

func (x *exchange) begin(*session) bool { return false }
func (x *exchange) handOver()           {}

// finish answers with the response to r.
func (x *exchange) finish(r *Request, response []byte) {
	if r.cancelled() || x.session == nil && x.req.Context().Err() != nil {
		response = nil
	}
	if x.session != nil {
		x.session.finish(x, r, response)
		return
	}
	defer x.end()
	x.mu.Lock()
	streaming := x.out != nil
	x.mu.Unlock()
	switch {
	case response == nil:
	case !streaming && x.json:
		writeJSON(x.w, httpStatus(r), response)
	case x.startStream():
		x.out.add(appendEvent(nil, "", response))
		x.out.drain()
	}
}

// eventStream is one stream of events of a session. It outlives the
// connections that carry it, so that a client can resume it.
type eventStream struct {
	id     int64
	last   int64    // number of the last event
	events [][]byte // the last ones, complete
	done   bool     // the response has been sent
	conn   *exchange
}

func (s *eventStream) eventID(n int64) string {
	return strconv.FormatInt(s.id, 10) + "-" + strconv.FormatInt(n, 10)
}

// after are the events kept that follow event n.
func (s *eventStream) after(n int64) [][]byte {
	first := s.last - int64(len(s.events)) + 1
	return s.events[min(max(n+1-first, 0), int64(len(s.events))):]
}

// appendPriming appends an event without data, which tells the client from
// where to resume and, if retry is not zero, how long to wait before it does.
func appendPriming(b []byte, id string, retry time.Duration) []byte {
	b = append(append(b, "id: "...), id...)
	if retry > 0 {
		b = strconv.AppendInt(append(b, "\nretry: "...), retry.Milliseconds(), 10)
	}
	return append(b, "\ndata:\n"...)
}

// CloseStream ends the connection that carries the request's event stream,
// while the request goes on: the client comes back after retry for what
// follows. It saves connections while something takes long, on Streamable HTTP
// with clients of 2025-11-25; elsewhere it does nothing.
func (r *Request) CloseStream(retry time.Duration) {
	if x, ok := r.out.(*exchange); ok && x.session != nil && r.rev.HasPolling() {
		x.session.closeStream(x, retry)
	}
}

var _ sink = (*exchange)(nil)

// parseEventID is the inverse of eventStream.eventID.
func parseEventID(id string) (stream, n int64, ok bool) {
	for i := range len(id) {
		if id[i] == '-' {
			stream, err1 := strconv.ParseInt(id[:i], 10, 64)
			n, err2 := strconv.ParseInt(id[i+1:], 10, 64)
			return stream, n, err1 == nil && err2 == nil && n >= 0
		}
	}
	return 0, 0, false
}

// batch serves a body that is an array, which only sessions of 2025-03-26
// have.
func (h *HTTPHandler) batch(x *exchange, data []byte) {
	session, ok := h.findSession(x)
	if !ok {
		return
	}
	if session == nil || !session.rev.HasBatch() {
		var m jsonrpc.Message
		e, _ := errors.AsType[*jsonrpc.ParseError](jsonrpc.Parse(data, &m))
		writeError(x.w, http.StatusBadRequest, nil, &Error{Code: e.Code, Message: e.Message})
		return
	}
	elements, err := jsonrpc.Batch(data, maxBatch)
	if err != nil {
		e, _ := errors.AsType[*jsonrpc.ParseError](err)
		writeError(x.w, http.StatusBadRequest, nil, &Error{Code: e.Code, Message: e.Message})
		return
	}
	x.session = session
	var requests []*Request
	for _, element := range elements {
		var m jsonrpc.Message
		if err := jsonrpc.Parse(element, &m); err != nil {
			e, _ := errors.AsType[*jsonrpc.ParseError](err)
			if len(e.ID) > 0 || !isNotification(e.Method) {
				x.answers = append(append(x.answers, ','), appendError(nil, e.ID, session.rev, &Error{Code: e.Code, Message: e.Message})...)
			}
			continue
		}
		if m.Kind != jsonrpc.Request {
			session.take(&m)
			continue
		}
		r := h.request(x, &m, x.req.Context())
		e := h.s.prepare(r, m.Params, &session.session)
		if m.Method == "initialize" {
			e = errorf(CodeInvalidRequest, "Invalid request: initialize cannot be part of a batch")
		}
		if e != nil {
			x.answers = append(append(x.answers, ','), appendError(nil, r.id, r.rev, e)...)
			continue
		}
		requests = append(requests, r)
	}
	switch {
	case len(requests) > 0:
		x.open = len(requests)
		session.serve(x, requests)
	case len(x.answers) > 0:
		x.answers[0] = '['
		writeJSON(x.w, http.StatusOK, append(x.answers, ']'))
	default:
		x.w.WriteHeader(http.StatusAccepted)
	}
}
