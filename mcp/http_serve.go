package mcp

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"time"
)

// ListenAndServe serves s over HTTP at the path "/mcp" of addr, "host:port" or "unix:path", until
// ctx is done. Then it accepts no new requests, ends subscriptions and streams, and waits for
// requests in flight, including those that have arrived only in part, for at most
// Limits.DrainTimeout. It returns nil if all of them were answered. If addr has no host, the server
// listens on loopback only. To make it reachable from other machines, specify the address, such as
// "0.0.0.0:8080", and set HTTPOptions.Protect. HTTPOptions.Fallback serves additional paths. Use
// HTTPHandler.Serve for TLS or with your own listener.
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
	if opts != nil && opts.OnListen != nil {
		opts.OnListen(l.Addr())
	}
	h := s.HTTPHandler(opts)
	protect := h.opts.Protect
	if protect == nil {
		protect = func(next http.Handler) http.Handler { return next }
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", protect(h))
	if h.opts.Fallback != nil {
		mux.Handle("/", h.opts.Fallback)
	}
	if !h.opts.SSE {
		return h.Serve(ctx, l, mux)
	}
	old := s.SSEHandler(opts)
	mux.Handle("/sse", protect(old))
	return s.serveHTTP(ctx, l, mux, h.Shutdown, old.Shutdown)
}

// Serve accepts connections on l and serves HTTP on them until ctx is done, as
// Server.ListenAndServe does. It calls handler, which must pass requests to h. If handler is nil,
// it calls h. It also serves HTTP/2; without TLS, only to clients that use it from the start. These
// limits keep slow clients from holding connections open: 10 seconds for a request's header, which
// may have at most 64 KiB; 60 seconds for the whole request; 2 minutes between requests; 30 seconds
// for each 64 KiB written.
func (h *HTTPHandler) Serve(ctx context.Context, l net.Listener, handler http.Handler) error {
	if handler == nil {
		handler = h
	}
	return h.s.serveHTTP(ctx, l, handler, h.Shutdown)
}

func (s *Server) serveHTTP(ctx context.Context, l net.Listener, handler http.Handler, shutdown ...func(context.Context) error) error {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	protocols.SetHTTP2(true)
	protocols.SetUnencryptedHTTP2(true)
	conns := newServedConns()
	server := &http.Server{
		Handler:           conns.handler(handler),
		ConnState:         conns.track,
		ConnContext:       conns.context,
		Protocols:         protocols,
		HTTP2:             &http.HTTP2Config{WriteByteTimeout: writeTimeout},
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(servedListener{l, conns}) }()
	var errs []error
	select {
	case err := <-served:
		errs = append(errs, err)
		served <- nil
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.opts.Limits.DrainTimeout)
	defer cancel()
	ended := make(chan error)
	for _, f := range shutdown {
		go func() { ended <- f(drain) }()
	}
	for range shutdown {
		errs = append(errs, <-ended)
	}
	conns.finish(drain)
	if server.Shutdown(drain) != nil {
		_ = server.Close()
	}
	<-served //nolint:errcheck // ends because of Shutdown or Close
	return errors.Join(errs...)
}

// patient wraps w so that it sets write deadlines where servedConn cannot do so: with HTTP/2, which
// has flow control per response, and with TLS.
func patient(w http.ResponseWriter, req *http.Request) http.ResponseWriter {
	if req.ProtoMajor < 2 && req.TLS == nil {
		return w
	}
	return patientResponse{w}
}

type patientResponse struct{ http.ResponseWriter }

func (r patientResponse) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// Write sets a deadline. The deadline also applies to data that net/http writes after the handler
// has returned. After that, net/http removes the deadline.
func (r patientResponse) Write(b []byte) (n int, err error) {
	c := http.NewResponseController(r.ResponseWriter)
	for {
		_ = c.SetWriteDeadline(time.Now().Add(writeTimeout))
		wrote, err := r.ResponseWriter.Write(b[n:min(n+writeAtOnce, len(b))])
		if n += wrote; err != nil || n == len(b) {
			return n, err
		}
	}
}
