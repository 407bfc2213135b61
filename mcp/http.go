package mcp

import (
	"bytes"
	"errors"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// HTTPOptions configure an HTTPHandler. The zero value is suitable for most servers. A limit or
// time that is zero or negative means the default.
type HTTPOptions struct {
	// AllowedHosts are the host names, without port, that clients may use for the server. If it is
	// empty, a request to a loopback address must be for a loopback host, which prevents web pages
	// from reaching a local server by DNS rebinding. A request to another address may then be for
	// any host. If the server is behind a proxy on the same machine, list the public host here.
	AllowedHosts []string
	// AllowedOrigins are the origins ("https://app.example.com") whose web pages may use the
	// server; "*" allows all. Pages of the server's own origin may also use the server if its host
	// is a loopback name, an IP address or one of AllowedHosts. Requests from pages of other
	// origins get status 403.
	AllowedOrigins []string
	// CORS answers preflight requests from the AllowedOrigins and lets their
	// pages read responses.
	CORS bool
	// Stateless serves the revisions up to 2025-11-25 without sessions. The server then stores
	// nothing between requests. Any replica can serve any request, but the server cannot ask
	// clients questions. A client that closes its connection cancels its request. Revision
	// 2026-07-28 is always served in this way.
	Stateless bool
	// OnListen is called by Server.ListenAndServe with the address, as soon as it accepts
	// connections there. It may be nil.
	OnListen func(net.Addr)
	// Protect wraps the handlers that Server.ListenAndServe mounts at "/mcp" and "/sse", to check
	// who sends a request. Use auth.APIKeys.Protect, for example, or your own function that calls
	// WithPrincipal. If it is nil, everyone has access.
	Protect func(next http.Handler) http.Handler
	// Fallback serves the other paths of Server.ListenAndServe, such as "/health".
	// Protect, AllowedHosts and AllowedOrigins do not apply to it; see Screen. If it is
	// nil, they get status 404.
	Fallback http.Handler
	// SSE makes Server.ListenAndServe also serve HTTP with SSE, the transport of revision
	// 2024-11-05, at the path "/sse"; see SSEHandler.
	SSE bool
	// Sessions stores the sessions, so that several processes of the server can share them behind a
	// load balancer: each can serve any request, and resume the streams of the others.
	// ServerOptions.SealKey must then be set to the same key in all of them. While the store fails,
	// requests in sessions get status 503. If Sessions is nil, sessions are kept in this process.
	// The sessions of SSEHandler always stay in their process.
	Sessions SessionStore
	// SessionTimeout is the time after which a session without a request or an open stream ends;
	// default 30 minutes.
	SessionTimeout time.Duration
	// MaxSessions is the maximum number of open sessions; default 100,000. Additional sessions are
	// refused with status 503.
	MaxSessions int
	// MaxReplayBytes is the maximum size in bytes of the events that a session keeps for clients
	// that lose their connection; default 256 KiB. The oldest are dropped first.
	MaxReplayBytes int
	// StreamAfter is the time after which the response to a request in a session becomes an event
	// stream, which the client can resume; default 500 milliseconds. The change may be late by up
	// to a quarter of that time or 20 milliseconds, whichever is longer.
	StreamAfter time.Duration
	// KeepAlive is the time between comments on an open stream; default 15
	// seconds.
	KeepAlive time.Duration
	// MaxBodyMemory is the maximum memory for all request bodies being read, not counting the first
	// 4 KiB of each; default 64 MiB, but at least Limits.MaxMessageBytes. At the limit, the body
	// that has waited longest for data is dropped, and its request gets status 503 and a
	// Retry-After header.
	MaxBodyMemory int
	// MinBodyRate is the minimum number of bytes per second for a request's body, averaged over 10
	// seconds; default 1024. A request with a slower body gets status 408.
	MinBodyRate int
}

// An HTTPHandler serves MCP over Streamable HTTP, on the path where it is mounted. It supports the
// revisions 2025-03-26, 2025-06-18 and 2025-11-25, with or without sessions
// (HTTPOptions.Stateless), and 2026-07-28, which has no sessions. It also serves clients that use
// revision 2024-11-05 over Streamable HTTP. Clients that support only that revision's own
// transport, HTTP with SSE, need an additional SSEHandler. Server.HTTPHandler creates an
// HTTPHandler. Its method Serve runs an http.Server for it and for your own handlers, with limits
// for slow clients and an orderly shutdown; Server.ListenAndServe does that on an address.
//
// The response to a request is JSON, or an event stream if the handler sends messages before its
// result or is slow. A client of revision 2026-07-28 that closes its connection cancels its
// request; a client with a session may resume the stream.
//
// At most Limits.MaxConcurrent requests of a session are served at a time. When MaxWaiting requests
// are waiting, additional ones get status 429.
type HTTPHandler struct {
	s    *Server
	opts HTTPOptions
	sessions
	reads bodyReads

	name        string       // random name that identifies the messages of this process
	leaveShared func()       // ends the subscription to messages from other processes; nil without one
	complained  atomic.Int64 // when storeFailed last logged an error, in nanoseconds since 1970
}

// HTTPHandler returns a handler that serves s. A nil opts means the zero value.
func (s *Server) HTTPHandler(opts *HTTPOptions) *HTTPHandler {
	h := &HTTPHandler{s: s}
	s.workers.join() // join is not undone, because a handler is never closed
	if opts != nil {
		h.opts = *opts
	}
	orDefault(&h.opts.MaxSessions, 100_000)
	orDefault(&h.opts.MaxReplayBytes, 256<<10)
	orDefault(&h.opts.SessionTimeout, 30*time.Minute)
	orDefault(&h.opts.StreamAfter, 500*time.Millisecond)
	orDefault(&h.opts.KeepAlive, 15*time.Second)
	for _, doubt := range h.opts.doubts() {
		s.log.Warn("HTTPOptions." + doubt)
	}
	orDefault(&h.opts.MaxBodyMemory, 64<<20)
	orDefault(&h.opts.MinBodyRate, 1024)
	h.reads.memory = max(h.opts.MaxBodyMemory, s.opts.Limits.MaxMessageBytes)
	h.reads.rate = h.opts.MinBodyRate
	h.reads.open = map[*bodyRead]struct{}{}
	h.open = map[string]*httpSession{}
	if h.opts.Stateless {
		h.opts.Sessions = nil
	}
	if h.opts.Sessions != nil {
		h.joinShared()
	}
	return h
}

// Names of the headers that the protocol defines.
const (
	headerVersion = "Mcp-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
)

// ServeHTTP serves one HTTP request (specification: Transports, Streamable
// HTTP).
func (h *HTTPHandler) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	w = patient(w, req)
	if h.opts.screen(w, req) {
		return
	}
	h.enter(1)
	defer h.leave()
	switch req.Method {
	case http.MethodPost:
		h.post(w, req)
	case http.MethodGet:
		h.get(w, req)
	case http.MethodDelete:
		h.delete(w, req)
	default:
		h.notAllowed(w, req)
	}
}

// postOnly reports whether the client of req uses no sessions, and therefore cannot request
// streams.
func (h *HTTPHandler) postOnly(req *http.Request) bool {
	return h.opts.Stateless || revision.Parse(header(req.Header, headerVersion)).Stateless()
}

func (h *HTTPHandler) notAllowed(w http.ResponseWriter, req *http.Request) {
	allow := "POST, GET, DELETE"
	if h.postOnly(req) {
		allow = "POST"
	}
	refuseMethod(w, allow)
}

func refuseMethod(w http.ResponseWriter, allow string) {
	w.Header().Set("Allow", allow)
	writeError(w, http.StatusMethodNotAllowed, nil, errorf(CodeInvalidRequest, "Method not allowed; the server accepts %s here", allow))
}

func shuttingDown(w http.ResponseWriter, id jsonrpc.ID) {
	w.Header().Set("Retry-After", "5")
	writeError(w, http.StatusServiceUnavailable, id, errorf(CodeInternalError, "The server is shutting down"))
}

// bodies contains buffers for requests and responses.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func releaseBody(b *bytes.Buffer) {
	if b.Cap() <= keepBuffer {
		b.Reset()
		bodies.Put(b)
	}
}

func (h *HTTPHandler) post(w http.ResponseWriter, req *http.Request) {
	x := newExchange(h, w, req)
	if !x.json && !x.sse {
		writeError(w, http.StatusNotAcceptable, nil, errorf(CodeInvalidRequest, "Accept must list application/json and text/event-stream"))
		return
	}
	body, ok := h.readBody(w, req)
	if !ok {
		return
	}
	returned := false
	defer func() {
		p := recover() // the value of a panic in w; see exchange.panic
		if !returned && p == nil {
			x.abandoned()
		}
		x.closeHere()
		if x.session == nil { // otherwise, run does this, possibly later
			h.s.unread.correct(&x.first.answer, 0)
			h.s.unread.correct(&x.batch, 0)
		}
		if p != nil {
			panic(p)
		}
	}()
	if req.ProtoMajor > 1 { // with HTTP/2, a response ends when this goroutine returns, but not when runtime.Goexit ends it
		returned = h.s.workers.apart(func() { h.message(x, body) })
	} else {
		h.message(x, body)
		returned = true
	}
}

// message serves the message or batch in the body of x.
func (h *HTTPHandler) message(x *exchange, body []byte) {
	w, req := x.w, x.req
	modern := revision.Parse(header(req.Header, headerVersion)).Stateless()
	if jsonrpc.IsBatch(body) && !modern {
		h.batch(x, body)
		return
	}
	var parsed jsonrpc.Message
	m := &parsed
	if err := jsonrpc.Parse(body, m); err != nil {
		if e := parseError(err); e.Response {
			if session, err := h.lookUp(req); err == nil && session != nil {
				_ = session.answerMalformed(e) // an error is logged, and the question waits for a valid answer
			}
		}
		refuseBody(w, err)
		return
	}
	switch {
	case m.Kind == jsonrpc.Request && h.closed.Load():
		shuttingDown(w, m.ID)
	case modern || isModern(req.Header, m):
		h.postModern(x, m)
	default:
		h.postLegacy(x, m)
	}
}

// header returns the first value of a header, or "". name must be in canonical form.
func header(head http.Header, name string) string {
	if values := head[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}

// readBody reads the body of a POST request. If its type is not JSON or it is
// too large, readBody answers the request and returns false.
func (h *HTTPHandler) readBody(w http.ResponseWriter, req *http.Request) ([]byte, bool) {
	whole := header(req.Header, "Content-Type")
	if kind, _, _ := strings.Cut(whole, ";"); whole != "application/json" && !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		writeError(w, http.StatusUnsupportedMediaType, nil, errorf(CodeInvalidRequest, "Content-Type must be application/json"))
		return nil, false
	}
	limit := h.s.opts.Limits.MaxMessageBytes
	var body []byte
	var dropped int
	var err error
	if req.ContentLength <= int64(limit) {
		body, dropped, err = h.reads.read(w, req.Body, limit+1, req.ContentLength)
	}
	if dropped != 0 {
		h.refuseDropped(w, req, dropped)
		return nil, false
	}
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok || req.ContentLength > int64(limit) || len(body) > limit {
		writeError(w, http.StatusRequestEntityTooLarge, nil, errorf(CodeInvalidRequest, "Invalid request: the message is larger than the limit of %d bytes", limit))
		return nil, false
	}
	if err != nil {
		status := http.StatusBadRequest
		if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
			status = http.StatusRequestTimeout
		}
		writeError(w, status, nil, errorf(CodeInvalidRequest, "Invalid request: the body could not be read to its end"))
	}
	return body, err == nil
}

// refuseDropped answers a request whose body was dropped. It closes the connection, because the
// rest of the body would be read as the next request.
func (h *HTTPHandler) refuseDropped(w http.ResponseWriter, req *http.Request, status int) {
	if req.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
	if status == http.StatusRequestTimeout {
		writeError(w, status, nil, errorf(CodeInvalidRequest, "Invalid request: the body arrived at less than %d bytes a second; send it faster or make it smaller", h.reads.rate))
		return
	}
	w.Header().Set("Retry-After", "1")
	writeError(w, status, nil, errorf(CodeInternalError, "The bodies of requests being read take too much memory; try again later"))
}

// accepts reports which forms of response the client accepts. Without an Accept header, it accepts
// both.
func accepts(head http.Header) (json, sse bool) {
	values := head["Accept"]
	if len(values) == 0 {
		return true, true
	}
	var forJSON, forSSE preference
	for _, value := range values {
		switch value { // values that nearly all clients send
		case "application/json, text/event-stream", "text/event-stream, application/json":
			return true, true
		}
		for part := range strings.SplitSeq(value, ",") {
			kind, parameters, _ := strings.Cut(part, ";")
			acceptable := !refusedByWeight(parameters)
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case "application/json":
				forJSON.add(3, acceptable)
			case "text/event-stream":
				forSSE.add(3, acceptable)
			case "application/*":
				forJSON.add(2, acceptable)
			case "text/*":
				forSSE.add(2, acceptable)
			case "*/*":
				forJSON.add(1, acceptable)
				forSSE.add(1, acceptable)
			}
		}
	}
	return forJSON.acceptable, forSSE.acceptable
}

// preference describes whether an Accept header allows a media type. The most specific media range
// that matches the type applies (RFC 9110, section 12.5.1).
type preference struct {
	precision  int  // how specific the matching media range is, from 1 for */* to 3; 0 if none matches
	acceptable bool // whether the client accepts the media type
}

func (p *preference) add(precision int, acceptable bool) {
	switch {
	case precision > p.precision:
		*p = preference{precision, acceptable}
	case precision == p.precision:
		p.acceptable = p.acceptable || acceptable
	}
}

// refusedByWeight reports whether the parameters of a media range have weight
// 0: "q=0" or "q=0.000".
func refusedByWeight(parameters string) bool {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, weight, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if strings.EqualFold(name, "q") && weight != "" && weight[0] == '0' {
			return strings.Trim(weight[1:], ".0") == ""
		}
	}
	return false
}

// isModern reports whether m is a request of revision 2026-07-28 according to its _meta. A request
// in a session may also contain its revision there.
func isModern(head http.Header, m *jsonrpc.Message) bool {
	if m.Params == nil || !bytes.Contains(m.Params, []byte("protocolVersion")) {
		return false
	}
	var p params
	var meta requestMeta
	if p.read(m.Params) != nil {
		return false
	}
	_ = meta.read(p.meta) // errors are reported by prepare
	if meta.protocolVersion == nil {
		return false
	}
	version, _ := jsonrpc.String(meta.protocolVersion)
	return header(head, headerSession) == "" || !revision.Parse(version).HasSessions()
}

// postModern serves a message of revision 2026-07-28 on the goroutine of its HTTP request.
func (h *HTTPHandler) postModern(x *exchange, m *jsonrpc.Message) {
	switch m.Kind {
	case jsonrpc.Notification:
		if e := checkNotification(m, x.req.Header); e != nil {
			writeError(x.w, http.StatusBadRequest, nil, e)
			return
		}
		h.ignore(x, m, nil)
		x.w.WriteHeader(http.StatusAccepted)
		return
	case jsonrpc.Response:
		writeError(x.w, http.StatusBadRequest, nil, errorf(CodeInvalidRequest, "Invalid request: clients of 2026-07-28 send no responses"))
		return
	}
	r := h.request(x, m)
	e := h.s.prepare(r, m.Params, nil)
	switch {
	case e == nil && r.rev == revision.None: // a ping of an older revision without a session
		r.rev = revision.Latest
	case e == nil, e.Code == CodeUnsupportedVersion:
		if mismatch := checkHeaders(r, x.req.Header); mismatch != nil {
			e = mismatch
		}
	}
	if e != nil {
		writeError(x.w, http.StatusBadRequest, r.id, e)
		return
	}
	if r.method == "subscriptions/listen" && !x.sse {
		writeError(x.w, http.StatusNotAcceptable, r.id, errorf(CodeInvalidRequest, "Accept must list text/event-stream to listen"))
		return
	}
	out := bodies.Get().(*bytes.Buffer)
	response := h.s.handle(r, out.AvailableBuffer())
	x.finish(r, response)
	keep(out, response)
}

// keep returns a buffer to the pool. If appending the response needed a larger buffer, that one is
// kept.
func keep(b *bytes.Buffer, response []byte) {
	if cap(response) > b.Cap() && cap(response) <= keepBuffer {
		*b = *bytes.NewBuffer(response[:0])
	}
	releaseBody(b)
}

// request returns a Request for m.
func (h *HTTPHandler) request(x *exchange, m *jsonrpc.Message) *Request {
	r := &x.first
	if r.server != nil { // x.first is already in use, so this is another request in a batch
		r = new(Request)
	}
	r.method, r.id, r.out, r.server = m.Method, m.ID, x, h.s
	r.ctx.parent, r.ctx.req = x.req.Context(), r
	x.serving = r
	return r
}

// httpStatus returns the status for a JSON response (specification 2026-07-28: Streamable HTTP).
func httpStatus(r *Request) int {
	if !r.rev.HasErrorStatus() {
		return http.StatusOK
	}
	switch r.failed {
	case CodeMethodNotFound:
		return http.StatusNotFound
	case CodeHeaderMismatch, CodeMissingCapability, CodeUnsupportedVersion:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// parseError returns the *jsonrpc.ParseError in err, or nil.
func parseError(err error) *jsonrpc.ParseError {
	e, _ := errors.AsType[*jsonrpc.ParseError](err)
	return e
}

// refuseBody answers a body that is not a message. If the body is an invalid response, the error
// has no ID. With an ID, the client could take it for the response to one of its own requests.
func refuseBody(w http.ResponseWriter, err error) {
	e := parseError(err)
	id := e.ID
	if e.Response {
		id = nil
	}
	writeError(w, http.StatusBadRequest, id, &Error{Code: e.Code, Message: e.Message})
}

// writeError answers an HTTP request with a JSON-RPC error before the message is handled.
func writeError(w http.ResponseWriter, status int, id jsonrpc.ID, e *Error) {
	writeJSON(w, status, appendError(nil, id, revision.Latest, e))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	head := w.Header()
	head["Content-Type"] = jsonType
	if len(body) > 2000 { // net/http sets the Content-Length of shorter bodies by itself
		head["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	w.WriteHeader(status)
	w.Write(body)
}

var jsonType = []string{"application/json"}
