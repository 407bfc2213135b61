package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
)

// An SSEHandler serves HTTP with SSE, the transport of revision 2024-11-05, for clients that
// support no other transport. Server.SSEHandler creates one. Mount it at a different path from the
// HTTPHandler.
//
// A GET request opens a connection, which is an event stream. Its first event, "endpoint", contains
// the URI for the client's POST requests. Then the server's messages follow as "message" events.
// The connection and its requests end with the stream.
type SSEHandler struct {
	// ServeConn serves a connection with newline-delimited messages until it ends. Nil means
	// Server.ServeConn. Set it, if at all, before the handler is used. A gateway, for example, can
	// use it to choose a server by the client's first message. Reading from conn fails when ctx is
	// done.
	ServeConn func(ctx context.Context, conn io.ReadWriteCloser) error

	h *HTTPHandler // contains the options and counts connections

	mu     sync.Mutex
	open   map[string]*sseConn
	closed bool
}

// SSEHandler returns a handler that serves s. A nil opts means the zero value. The handler uses the
// options for hosts, origins and bodies, and KeepAlive. MaxSessions limits the number of open
// connections, and SessionTimeout the time until a client's first message.
func (s *Server) SSEHandler(opts *HTTPOptions) *SSEHandler {
	if opts != nil && opts.Sessions != nil { // ignore the store, because connections cannot move to another process
		copied := *opts
		copied.Sessions = nil
		opts = &copied
	}
	return &SSEHandler{h: s.HTTPHandler(opts), open: map[string]*sseConn{}}
}

// sseConn is one connection of HTTP with SSE. Its Read method returns the messages from the
// client's POST requests.
type sseConn struct {
	principal string
	cancel    context.CancelFunc
	idle      *time.Timer // runs until the first message arrives

	lines   chan []byte   // messages from the client's POST requests
	waiting atomic.Int64  // size in bytes of the messages that have not been read
	rest    []byte        // rest of the line that is being read
	once    sync.Once     // guards ended
	ended   chan struct{} // closed when no more lines will be read

	unread <-chan struct{} // closed if the client does not read its stream
	cutOff func()          // interrupts a write that waits for the client
}

func (c *sseConn) Read(b []byte) (int, error) {
	if len(c.rest) == 0 {
		select {
		case c.rest = <-c.lines:
		case <-c.ended:
			return 0, io.EOF
		case <-c.unread:
			return 0, io.EOF
		}
	}
	n := copy(b, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (c *sseConn) Close() error {
	c.once.Do(func() {
		close(c.ended)
		c.cutOff()
	})
	return nil
}

// eventLines writes each line as an event.
type eventLines struct {
	x      *exchange
	inside bool // whether a line has started but not ended
}

func (w *eventLines) Write(b []byte) (int, error) {
	events := make([]byte, 0, len(b)+64)
	for line := range bytes.Lines(b) {
		if !w.inside {
			events = append(events, "event: message\ndata: "...)
		}
		events = append(events, line...)
		if w.inside = line[len(line)-1] != '\n'; !w.inside {
			events = append(events, '\n')
		}
	}
	if _, err := (eventWriter{w.x}).Write(events); err != nil {
		return 0, err
	}
	return len(b), nil
}

// ServeHTTP serves one HTTP request (specification 2024-11-05: Transports,
// HTTP with SSE).
func (h *SSEHandler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w = patient(w, req)
	if h.h.opts.screen(w, req) {
		return
	}
	h.h.enter(1)
	defer h.h.leave()
	switch req.Method {
	case http.MethodGet:
		h.get(w, req)
	case http.MethodPost:
		h.post(w, req)
	default:
		refuseMethod(w, "GET, POST")
	}
}

func (h *SSEHandler) get(w http.ResponseWriter, req *http.Request) {
	x := newExchange(h.h, w, req)
	if !x.sse {
		writeError(w, http.StatusNotAcceptable, nil, errorf(CodeInvalidRequest, "Accept must list text/event-stream"))
		return
	}
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	x.done = make(chan struct{})
	c := &sseConn{principal: principalOf(ctx), cancel: cancel, lines: make(chan []byte), ended: make(chan struct{}), unread: x.done, cutOff: x.cutOff}
	id := rand.Text()
	h.mu.Lock()
	if h.closed || len(h.open) >= h.h.opts.MaxSessions {
		h.mu.Unlock()
		w.Header().Set("Retry-After", "60")
		writeError(w, http.StatusServiceUnavailable, nil, errorf(CodeInternalError, "Too many connections are open; try again later"))
		return
	}
	h.open[id] = c
	c.idle = time.AfterFunc(h.h.opts.SessionTimeout, cancel)
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		c.idle.Stop()
		delete(h.open, id)
	}()
	defer x.closeHere()
	if !x.startStream() {
		return
	}
	x.out.add([]byte("event: endpoint\ndata: " + endpoint(req, id) + "\n"))
	x.out.flush()
	serve := h.ServeConn
	if serve == nil {
		serve = func(ctx context.Context, conn io.ReadWriteCloser) error { return h.h.s.ServeConn(ctx, conn) }
	} else {
		defer context.AfterFunc(ctx, func() { c.Close() })()
	}
	_ = serve(ctx, struct {
		io.ReadCloser
		io.Writer
	}{c, &eventLines{x: x}}) // errors are caused by the client, so ignore them
}

// endpoint returns the URI for the client's POST requests. It is the path of the stream, including
// a prefix that an outer handler has removed.
func endpoint(req *http.Request, id string) string {
	path := req.URL.EscapedPath()
	if u, err := url.ParseRequestURI(req.RequestURI); err == nil {
		path = u.EscapedPath()
	}
	return path + "?sessionId=" + id
}

func (h *SSEHandler) post(w http.ResponseWriter, req *http.Request) {
	id := req.URL.Query().Get("sessionId")
	if id == "" {
		writeError(w, http.StatusBadRequest, nil, errorf(CodeInvalidRequest, "Invalid request: this is the transport of 2024-11-05; open an event stream with GET, and post to the endpoint in its first event"))
		return
	}
	h.mu.Lock()
	c := h.open[id]
	h.mu.Unlock()
	// A connection that belongs to another principal must not be found.
	if c == nil || c.principal != principalOf(req.Context()) {
		writeError(w, http.StatusNotFound, nil, errorf(CodeInvalidRequest, "No event stream with that sessionId is open; open one with GET"))
		return
	}
	line, ok := h.h.readBody(w, req)
	if !ok {
		return
	}
	c.idle.Stop()
	var err error
	if jsonrpc.IsBatch(line) {
		_, err = jsonrpc.Batch(line, maxBatch)
	} else {
		err = jsonrpc.Parse(line, new(jsonrpc.Message))
	}
	// A malformed response is passed on, so that the question it belongs to fails.
	if err != nil && !parseError(err).Response {
		refuseBody(w, err)
		return
	}
	// In valid JSON, line breaks are white space.
	for i, b := range line {
		if b == '\n' || b == '\r' {
			line[i] = ' '
		}
	}
	// Messages wait while the client does not read its stream.
	size := int64(len(line))
	defer c.waiting.Add(-size)
	if all := c.waiting.Add(size); all > size && all > int64(h.h.s.opts.Limits.MaxQueuedBytes) {
		w.Header().Set("Retry-After", "1")
		writeError(w, http.StatusTooManyRequests, nil, errorf(CodeInternalError, "Too many messages are waiting to be read; read the event stream, then retry this one"))
		return
	}
	select {
	case c.lines <- append(line, '\n'):
		if err != nil {
			refuseBody(w, err)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	case <-c.ended:
		writeError(w, http.StatusNotFound, nil, errorf(CodeInvalidRequest, "The event stream has ended; open another one with GET"))
	case <-req.Context().Done():
	}
}

// Shutdown refuses new connections. It closes open ones when their requests in flight have been
// answered, or after Limits.DrainTimeout. If ctx is done first, it returns the error of ctx.
func (h *SSEHandler) Shutdown(ctx context.Context) error {
	h.mu.Lock()
	h.closed = true
	for _, c := range h.open {
		c.cancel()
	}
	h.mu.Unlock()
	return h.h.Shutdown(ctx)
}
