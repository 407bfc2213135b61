package mcp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// HTTPOptions change what an HTTPHandler does. The zero value is right for
// most.
type HTTPOptions struct {
	// AllowedHosts are the names, without port, by which clients may reach the
	// server. If it is empty, a request that comes in on a loopback address
	// must name a loopback host, which keeps web pages from reaching a local
	// server by DNS rebinding; one that comes in on another address may name
	// any. Name the public host here if a proxy on the same machine forwards to
	// the server.
	AllowedHosts []string
	// AllowedOrigins are the origins ("https://app.example.com") whose web
	// pages may use the server, beside its own; "*" allows all. Pages of other
	// origins get status 403.
	AllowedOrigins []string
	// CORS answers preflight requests of the AllowedOrigins and lets their
	// pages read responses.
	CORS bool
	// Stateless serves the revisions up to 2025-11-25 without sessions: nothing
	// is kept between requests, the server cannot ask clients anything, and
	// any replica can serve any request. It means nothing for 2026-07-28,
	// which is always served so.
	Stateless bool
	// SessionIdle ends a session that has had no request or open stream for so
	// long; default 30 minutes.
	SessionIdle time.Duration
	// MaxSessions bounds the open sessions; default 100,000. At the bound a
	// new one is refused with status 503.
	MaxSessions int
	// ReplayBytes is how much of its streams' events a session keeps, for
	// clients that lost their connection; default 256 KiB.
	ReplayBytes int
	// StreamAfter is how long a request of a session may take before its
	// answer becomes an event stream, which the client can resume; default
	// 500 milliseconds.
	StreamAfter time.Duration
	// KeepAlive is the time between comments on an open stream; default 15
	// seconds.
	KeepAlive time.Duration
}

// An HTTPHandler serves MCP over Streamable HTTP: every revision from
// 2025-03-26 on, with and without sessions, at the one path where it is
// mounted. It is made by Server.HTTPHandler.
//
// A request is answered with JSON, or, if its handler sends something before
// its result or takes long, with an event stream. When a client of 2026-07-28
// closes its connection, its request is cancelled; a client of a session is
// expected to come back for the answer.
type HTTPHandler struct {
	s    *Server
	opts HTTPOptions
	sessions
}

// HTTPHandler returns a handler that serves s. A nil opts is the zero value.
func (s *Server) HTTPHandler(opts *HTTPOptions) *HTTPHandler {
	h := &HTTPHandler{s: s}
	if opts != nil {
		h.opts = *opts
	}
	orDefault(&h.opts.MaxSessions, 100_000)
	orDefault(&h.opts.ReplayBytes, 256<<10)
	durationOrDefault(&h.opts.SessionIdle, 30*time.Minute)
	durationOrDefault(&h.opts.StreamAfter, 500*time.Millisecond)
	durationOrDefault(&h.opts.KeepAlive, 15*time.Second)
	h.open = map[string]*httpSession{}
	return h
}

func durationOrDefault(d *time.Duration, value time.Duration) {
	if *d <= 0 {
		*d = value
	}
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
	if why := h.opts.refuses(req); why != "" {
		writeError(w, http.StatusForbidden, nil, errorf(CodeInvalidRequest, "%s", why))
		return
	}
	if h.opts.CORS && h.opts.allowOrigin(w, req) {
		return
	}
	if !h.enter() {
		w.Header().Set("Retry-After", "5")
		writeError(w, http.StatusServiceUnavailable, nil, errorf(CodeInternalError, "The server is shutting down"))
		return
	}
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

func (h *HTTPHandler) notAllowed(w http.ResponseWriter, _ *http.Request) {
	allow := "POST, GET, DELETE"
	if h.opts.Stateless {
		allow = "POST"
	}
	w.Header().Set("Allow", allow)
	writeError(w, http.StatusMethodNotAllowed, nil, errorf(CodeInvalidRequest, "Method not allowed"))
}

// refuses says why a request's Host or Origin is not accepted, "" if it is.
func (o *HTTPOptions) refuses(req *http.Request) string {
	host := hostname(req.Host)
	switch {
	case len(o.AllowedHosts) > 0:
		if !slices.ContainsFunc(o.AllowedHosts, func(allowed string) bool { return strings.EqualFold(allowed, host) }) {
			return "Forbidden host; the server's AllowedHosts do not list it"
		}
	case onLoopback(req) && !isLoopback(host):
		return "Forbidden host: a server on a loopback address answers to localhost; list other names in its AllowedHosts"
	}
	origin := req.Header.Get("Origin")
	if origin == "" || o.allowsOrigin(origin) {
		return ""
	}
	if u, err := url.Parse(origin); err == nil && strings.EqualFold(u.Host, req.Host) {
		return ""
	}
	return "Forbidden origin; the server's AllowedOrigins do not list it"
}

func (o *HTTPOptions) allowsOrigin(origin string) bool {
	return slices.Contains(o.AllowedOrigins, origin) || slices.Contains(o.AllowedOrigins, "*")
}

// allowOrigin sets CORS headers. It reports whether it has answered a
// preflight request.
func (o *HTTPOptions) allowOrigin(w http.ResponseWriter, req *http.Request) bool {
	origin := req.Header.Get("Origin")
	if origin == "" || !o.allowsOrigin(origin) {
		return false
	}
	head := w.Header()
	head.Set("Access-Control-Allow-Origin", origin)
	head.Add("Vary", "Origin")
	head.Set("Access-Control-Expose-Headers", headerSession)
	if req.Method != http.MethodOptions || req.Header.Get("Access-Control-Request-Method") == "" {
		return false
	}
	head.Set("Access-Control-Allow-Methods", "POST, GET, DELETE")
	head.Set("Access-Control-Allow-Headers", "Accept, Authorization, Content-Type, Last-Event-ID, "+
		headerVersion+", "+headerSession+", "+headerMethod+", "+headerName)
	head.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

// onLoopback reports whether the request came in on a loopback address or a
// Unix socket, or by no network at all.
func onLoopback(req *http.Request) bool {
	addr, _ := req.Context().Value(http.LocalAddrContextKey).(net.Addr)
	switch addr := addr.(type) {
	case *net.TCPAddr:
		return addr.IP.IsLoopback()
	case *net.UnixAddr:
		return false
	}
	return addr != nil
}

// bodies are buffers for what is read and written.
var bodies = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func releaseBody(b *bytes.Buffer) {
	if b.Cap() <= keepBuffer {
		b.Reset()
		bodies.Put(b)
	}
}

func (h *HTTPHandler) post(w http.ResponseWriter, req *http.Request) {
	head := req.Header
	if kind, _, _ := strings.Cut(head.Get("Content-Type"), ";"); !strings.EqualFold(strings.TrimSpace(kind), "application/json") {
		writeError(w, http.StatusUnsupportedMediaType, nil, errorf(CodeInvalidRequest, "Content-Type must be application/json"))
		return
	}
	json, sse := accepts(head)
	if !json && !sse {
		writeError(w, http.StatusNotAcceptable, nil, errorf(CodeInvalidRequest, "Accept must list application/json and text/event-stream"))
		return
	}
	body := bodies.Get().(*bytes.Buffer)
	defer releaseBody(body)
	limit := int64(h.s.opts.MaxMessageBytes)
	if _, err := body.ReadFrom(io.LimitReader(req.Body, limit+1)); err != nil {
		return // the client is gone
	}
	if int64(body.Len()) > limit {
		writeError(w, http.StatusRequestEntityTooLarge, nil, errorf(CodeInvalidRequest, "Invalid request: the message is over the size limit"))
		return
	}
	x := &exchange{h: h, w: w, req: req, json: json, sse: sse}
	data := body.Bytes()
	if jsonrpc.IsBatch(data) {
		h.batch(x, data)
		return
	}
	var m jsonrpc.Message
	if err := jsonrpc.Parse(data, &m); err != nil {
		e, _ := errors.AsType[*jsonrpc.ParseError](err)
		writeError(w, http.StatusBadRequest, e.ID, &Error{Code: e.Code, Message: e.Message})
		return
	}
	if h.modern(head, &m) {
		h.postModern(x, &m)
	} else {
		h.postLegacy(x, &m)
	}
}

// accepts reports which forms of answer the client takes. A client that does
// not say takes both.
func accepts(head http.Header) (json, sse bool) {
	values := head.Values("Accept")
	if len(values) == 0 {
		return true, true
	}
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			kind, _, _ := strings.Cut(part, ";")
			switch strings.ToLower(strings.TrimSpace(kind)) {
			case "application/json", "application/*":
				json = true
			case "text/event-stream", "text/*":
				sse = true
			case "*/*":
				return true, true
			}
		}
	}
	return json, sse
}

// modern reports whether a message is one of 2026-07-28: it says so in _meta,
// or in its header alone.
func (h *HTTPHandler) modern(head http.Header, m *jsonrpc.Message) bool {
	version := head.Get(headerVersion)
	if revision.Parse(version).Modern() {
		return true
	}
	if m.Params == nil || !bytes.Contains(m.Params, []byte("protocolVersion")) {
		return false
	}
	var p params
	var meta requestMeta
	return p.read(m.Params) == nil && meta.read(p.meta) == nil && meta.protocolVersion != nil
}

// postModern serves a message of 2026-07-28 on the request's own goroutine.
func (h *HTTPHandler) postModern(x *exchange, m *jsonrpc.Message) {
	switch m.Kind {
	case jsonrpc.Notification:
		x.w.WriteHeader(http.StatusAccepted)
		return
	case jsonrpc.Response:
		writeError(x.w, http.StatusBadRequest, nil, errorf(CodeInvalidRequest, "Invalid request: clients of 2026-07-28 send no responses"))
		return
	}
	r := h.request(x, m, x.req.Context())
	e := h.s.prepare(r, m.Params, nil)
	if e == nil || e.Code == CodeUnsupportedVersion {
		if mismatch := checkHeaders(r, x.req.Header); mismatch != nil {
			e = mismatch
		}
	}
	if e != nil {
		r.rev = revision.Latest
		writeError(x.w, http.StatusBadRequest, r.id, e)
		return
	}
	out := bodies.Get().(*bytes.Buffer)
	response := h.s.handle(r, out.AvailableBuffer())
	x.finish(r, response)
	keep(out, response)
}

// keep puts back a buffer whose room response was appended to.
func keep(b *bytes.Buffer, response []byte) {
	if cap(response) > b.Cap() && cap(response) <= keepBuffer {
		*b = *bytes.NewBuffer(response[:0])
	}
	releaseBody(b)
}

// request makes a Request of m, whose parts point into a buffer that is used
// again.
func (h *HTTPHandler) request(x *exchange, m *jsonrpc.Message, parent context.Context) *Request {
	r := &Request{method: m.Method, id: append(jsonrpc.ID(nil), m.ID...), out: x, server: h.s}
	r.ctx.parent, r.ctx.req = parent, r
	return r
}

// httpStatus is the status of an answer that is JSON (specification
// 2026-07-28: Streamable HTTP).
func httpStatus(r *Request) int {
	if !r.rev.Modern() {
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

// writeError answers with an error that belongs to no exchange.
func writeError(w http.ResponseWriter, status int, id jsonrpc.ID, e *Error) {
	writeJSON(w, status, appendError(nil, id, revision.Latest, e))
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	head := w.Header()
	head["Content-Type"] = jsonType
	head["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	w.Write(body)
}

var jsonType = []string{"application/json"}

// ListenAndServe serves s at the path "/mcp" of addr, "host:port" or
// "unix:path", until ctx ends; then it takes no new requests, ends
// subscriptions and streams, and gives what is in flight until
// ServerOptions.DrainTimeout. An addr without a host listens on loopback only:
// to be reached from elsewhere, name the address to listen on, such as
// "0.0.0.0:8080".
func (s *Server) ListenAndServe(ctx context.Context, addr string, opts *HTTPOptions) error {
	network := "tcp"
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		network, addr = "unix", path
	} else if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	l, err := new(net.ListenConfig).Listen(ctx, network, addr)
	if err != nil {
		return err
	}
	h := s.HTTPHandler(opts)
	mux := http.NewServeMux()
	mux.Handle("/mcp", h)
	return h.Serve(ctx, l, mux)
}

// Serve serves HTTP on l with handler, in which h is mounted somewhere, until
// ctx ends, as Server.ListenAndServe does. It sets the timeouts that keep slow
// clients from holding connections.
func (h *HTTPHandler) Serve(ctx context.Context, l net.Listener, handler http.Handler) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	server := &http.Server{
		Handler:           handler,
		Protocols:         protocols,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.s.opts.DrainTimeout)
	defer cancel()
	err := h.Shutdown(late)
	if closed := server.Shutdown(late); closed != nil {
		server.Close()
	}
	return err
}
