package mcpproxy

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// openTimeout is the maximum time for connecting to the server for a client over HTTP.
const openTimeout = time.Minute

// Serve serves clients over HTTP on the connections that l accepts, until ctx is done. It serves
// Streamable HTTP at /mcp, and HTTP with SSE, the transport of revision 2024-11-05, at /sse.
func (p *Proxy) Serve(ctx context.Context, l net.Listener) error {
	f := p.front()
	defer f.close()
	// While the listener drains, the sessions and their streams end.
	defer context.AfterFunc(ctx, f.close)()
	go f.sweep(ctx)
	// The limits of base on slow clients apply to all handlers.
	return f.base.HTTPHandler(&p.opts.HTTP).Serve(ctx, l, f.handler())
}

// front serves clients over HTTP.
type front struct {
	p    *Proxy
	base *mcp.Server // serves requests that need no upstream
	sse  *mcp.SSEHandler

	mu       sync.Mutex
	sessions map[string]*session
	others   int // sessions that are being opened, and streams of HTTP with SSE
	closed   bool

	sharedMu sync.Mutex // held while a shared bridge is opened
	shared   map[capabilities]*session
}

// maxShared is the maximum number of bridges for clients without sessions. There is one for each
// set of capabilities.
const maxShared = 8

// session is a bridge with its HTTP handler.
type session struct {
	*bridge
	handler *mcp.HTTPHandler

	// The following fields are guarded by front.mu.
	active int // number of requests being served
	used   time.Time
}

func (p *Proxy) front() *front {
	f := &front{p: p, sessions: map[string]*session{}, shared: map[capabilities]*session{}}
	f.base = mcp.NewServer(p.opts.Implementation, &mcp.ServerOptions{Logger: p.log, Limits: mcp.Limits{MaxMessageBytes: p.opts.MaxMessageBytes}})
	f.sse = f.base.SSEHandler(&p.opts.HTTP)
	f.sse.ServeConn = f.serveStream
	return f
}

// handler serves both transports.
func (f *front) handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", f)
	mux.HandleFunc("/sse", f.serveSSE)
	return f.p.opts.HTTP.Screen(mux)
}

// serveSSE serves the transport of revision 2024-11-05, in which a stream counts as a session.
func (f *front) serveSSE(w http.ResponseWriter, req *http.Request) {
	if req.Method == http.MethodGet {
		if !f.admit(w, nil) {
			return
		}
		defer f.dismiss()
	}
	f.sse.ServeHTTP(w, req)
}

// serveStream serves a client of the transport of revision 2024-11-05 until its stream ends.
func (f *front) serveStream(ctx context.Context, conn io.ReadWriteCloser) error {
	err := f.p.ServeConn(ctx, conn)
	if err != nil && ctx.Err() == nil {
		f.p.log.Info("stream ended", "error", err)
	}
	return err
}

const sessionHeader = "Mcp-Session-Id"

func (f *front) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	if id := req.Header.Get(sessionHeader); id != "" {
		if s := f.enter(id); s != nil {
			defer f.leave(s)
			s.handler.ServeHTTP(w, req)
			if req.Method == http.MethodDelete {
				f.end(id)
			}
			return
		}
		refuse(w, http.StatusNotFound, nil, errors.New("the session has ended"))
		return
	}
	var in introduction
	if req.Method == http.MethodPost {
		body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, int64(f.p.opts.MaxMessageBytes)))
		if err != nil {
			refuse(w, http.StatusBadRequest, nil, err)
			return
		}
		req.Body = io.NopCloser(bytes.NewReader(body))
		if in = introduce(body); in.initialize {
			f.initialize(w, req, in)
			return
		}
	}
	s, err := f.common(req.Context(), in.client)
	if err != nil {
		f.p.log.Warn("the server cannot be reached", "error", err)
		refuse(w, http.StatusBadGateway, in.id, err)
		return
	}
	s.handler.ServeHTTP(w, req)
}

// initialize opens a session.
func (f *front) initialize(w http.ResponseWriter, req *http.Request, in introduction) {
	if !f.admit(w, in.id) {
		return
	}
	s, err := f.open(req.Context(), in.client, false)
	f.dismiss()
	if err != nil {
		f.p.log.Warn("the server cannot be reached", "error", err)
		refuse(w, http.StatusBadGateway, in.id, err)
		return
	}
	found := false
	s.handler.ServeHTTP(&headerWatcher{ResponseWriter: w, before: func() {
		if id := w.Header().Get(sessionHeader); id != "" && !found {
			found = f.keep(id, s)
		}
	}}, req)
	if !found {
		s.close()
	}
}

// admit counts a session that is about to open, until dismiss is called. If
// there are too many, it answers the request and returns false.
func (f *front) admit(w http.ResponseWriter, id json.RawMessage) bool {
	f.mu.Lock()
	full := f.closed || len(f.sessions)+f.others >= f.p.opts.HTTP.MaxSessions
	if !full {
		f.others++
	}
	f.mu.Unlock()
	if full {
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusServiceUnavailable, id, errors.New("too many sessions are open"))
	}
	return !full
}

func (f *front) dismiss() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.others--
}

// open makes a bridge.
func (f *front) open(ctx context.Context, c client, shared bool) (*session, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, openTimeout, errors.New("the server did not respond in time"))
	defer cancel()
	b, err := f.p.open(ctx, c, shared)
	if err != nil {
		return nil, err
	}
	opts := f.p.opts.HTTP
	if !shared {
		opts.MaxSessions = 1
	}
	return &session{bridge: b, handler: b.server.HTTPHandler(&opts), used: time.Now()}, nil
}

// keep stores a session under an id until it ends or the connection to its server is lost. It
// returns false if the front is already closed.
func (f *front) keep(id string, s *session) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return false
	}
	f.sessions[id] = s
	go func() {
		select {
		case <-s.done():
			f.p.log.Info("session ended because the connection to its server was lost", "error", s.upstream.Err())
			f.end(id)
		case <-s.ctx.Done():
		}
	}()
	return true
}

// enter returns the session with an id, or nil, and counts a request in it until leave is called.
func (f *front) enter(id string) *session {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := f.sessions[id]
	if s != nil {
		s.active++
	}
	return s
}

func (f *front) leave(s *session) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s.active--
	s.used = time.Now()
}

func (f *front) end(id string) {
	f.mu.Lock()
	s := f.sessions[id]
	delete(f.sessions, id)
	f.mu.Unlock()
	if s != nil {
		s.end()
	}
}

// drainTimeout is how long requests of an ending session may continue.
const drainTimeout = time.Second

func (s *session) end() {
	ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	s.close()
	_ = s.handler.Shutdown(ctx) // remaining requests end with the connection
}

// sweep ends sessions that have not been used for SessionTimeout.
func (f *front) sweep(ctx context.Context) {
	idle := f.p.opts.HTTP.SessionTimeout
	ticker := time.NewTicker(max(idle/4, time.Second))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		f.mu.Lock()
		var over []string
		for id, s := range f.sessions {
			if s.active == 0 && time.Since(s.used) > idle {
				over = append(over, id)
			}
		}
		f.mu.Unlock()
		for _, id := range over {
			f.end(id)
		}
	}
}

// common returns the bridge for clients without sessions that have the same
// capabilities as c.
func (f *front) common(ctx context.Context, c client) (*session, error) {
	f.sharedMu.Lock()
	defer f.sharedMu.Unlock()
	f.mu.Lock()
	closed := f.closed
	f.mu.Unlock()
	if closed {
		return nil, errors.New("the proxy is shutting down")
	}
	can := signature(&c.caps)
	if f.shared[can] == nil && len(f.shared) >= maxShared {
		can, c = capabilities{}, client{}
	}
	if s := f.shared[can]; s != nil {
		if s.upstream.Err() == nil {
			return s, nil
		}
		s.close()
		delete(f.shared, can)
	}
	s, err := f.open(context.WithoutCancel(ctx), client{caps: c.caps, sessionless: true}, true)
	if err != nil {
		return nil, err
	}
	f.shared[can] = s
	return s, nil
}

// close ends all sessions.
func (f *front) close() {
	f.mu.Lock()
	f.closed = true
	all := slices.Collect(maps.Values(f.sessions))
	f.sessions = map[string]*session{}
	f.mu.Unlock()
	f.sharedMu.Lock()
	all = slices.AppendSeq(all, maps.Values(f.shared))
	clear(f.shared)
	f.sharedMu.Unlock()
	var closing sync.WaitGroup
	for _, s := range all {
		closing.Go(s.end)
	}
	closing.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), drainTimeout)
		defer cancel()
		_ = f.sse.Shutdown(ctx) // remaining requests end with the connection
	})
	closing.Wait()
}

// refuse answers a request that cannot be forwarded.
func refuse(w http.ResponseWriter, status int, id json.RawMessage, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(errorResponse(id, err)) // The client may have disconnected.
}

// headerWatcher calls before when the header is about to be sent.
type headerWatcher struct {
	http.ResponseWriter
	before func()
}

func (w *headerWatcher) WriteHeader(status int) {
	w.before()
	w.ResponseWriter.WriteHeader(status)
}

func (w *headerWatcher) Write(b []byte) (int, error) {
	w.before()
	return w.ResponseWriter.Write(b)
}

func (w *headerWatcher) FlushError() error {
	w.before()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

func (w *headerWatcher) Unwrap() http.ResponseWriter { return w.ResponseWriter }
