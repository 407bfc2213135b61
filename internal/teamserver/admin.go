package teamserver

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strings"
	"time"
)

func live(w http.ResponseWriter, _ *http.Request) { writeText(w, http.StatusOK, "ok\n") }

// ready reports whether the server accepts requests.
func (s *Server) ready(w http.ResponseWriter, _ *http.Request) {
	switch {
	case !s.serving.Load():
		writeText(w, http.StatusServiceUnavailable, "the server is starting or stopping\n")
	case s.authenticate.keys != nil && s.authenticate.keys.Err() != nil:
		writeText(w, http.StatusServiceUnavailable, "the key file cannot be read\n")
	default:
		writeText(w, http.StatusOK, "ok\n")
	}
}

// metrics returns the server's metrics.
func (s *Server) metrics(w http.ResponseWriter, _ *http.Request) {
	packages, bytes := s.options.Documentation.Store.Cached()
	running, waiting := s.queue.load()
	gauges := []gauge{
		{"docent_cached_packages", "Packages cached in memory.", float64(packages)},
		{"docent_cached_bytes", "Estimated memory of cached packages.", float64(bytes)},
		{"docent_calls_active", "Tool calls that are running.", float64(running)},
		{"docent_calls_waiting", "Tool calls that are waiting to run.", float64(waiting)},
	}
	if s.options.SharedUp != nil {
		up := 0.0
		if s.options.SharedUp() {
			up = 1
		}
		gauges = append(gauges, gauge{"docent_shared_store_up", "Whether the store that replicas share can be reached.", up})
	}
	w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
	_ = s.meter.write(w, gauges...)
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

// addProbes adds the probes. It also adds the metrics unless they are at Options.Admin. Clients can
// read metrics only after authentication.
func (s *Server) addProbes(mux *http.ServeMux) {
	mux.HandleFunc("GET /livez", live)
	mux.HandleFunc("GET /readyz", s.ready)
	if s.options.Admin == "" {
		mux.Handle("GET /metrics", s.options.HTTP.Screen(s.authenticate.protect(http.HandlerFunc(s.metrics))))
	}
}

// screenAdmin refuses requests from web pages to the address for operators. These are requests with
// the name of another host or with an origin that is not allowed. Programs may use the names of
// this machine and any of its addresses, because a page of another site cannot have an address as
// its host name.
func (s *Server) screenAdmin(next http.Handler) http.Handler {
	screened := s.options.HTTP.Screen(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		_, err = netip.ParseAddr(strings.Trim(host, "[]"))
		if (err == nil || strings.EqualFold(host, "localhost")) && r.Header.Get("Origin") == "" {
			next.ServeHTTP(w, r)
			return
		}
		screened.ServeHTTP(w, r)
	})
}

// serveAdmin serves probes, metrics and profiles on a separate address until ctx ends, without
// authentication.
func (s *Server) serveAdmin(ctx context.Context, l net.Listener) error {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", live)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /metrics", s.metrics)
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: s.screenAdmin(mux), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 32 << 10}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// startAdmin serves the address Options.Admin, if there is one. It returns the address, and a
// function that stops it.
func (s *Server) startAdmin(ctx context.Context) (at string, stop func(), err error) {
	if s.options.Admin == "" {
		return "", func() {}, nil
	}
	l, err := listen(ctx, s.options.Admin)
	if err != nil {
		return "", nil, err
	}
	// The server for operators outlives ctx, so that probes can detect that the main server is
	// stopping.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := s.serveAdmin(ctx, l); err != nil {
			s.log.Error("the admin server has stopped", "error", err)
		}
	}()
	return l.Addr().String(), func() { cancel(); <-ended }, nil
}
