// Package teamserver serves docent over HTTP to many people. It identifies the senders of requests,
// prevents clients on other machines from accessing local files, and allows operators to monitor
// the server.
//
// A server without authentication on a loopback address or a Unix socket serves the user of this
// machine, who can use any directory as a project. Every other server is remote. It needs
// authentication, and clients can use only the directories that the operator allows for their
// groups.
package teamserver

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/internal/teamserver/apikey"
	"github.com/docent-mcp/docent/internal/teamserver/pushed"
	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/ratelimit"
)

// Options configure New.
type Options struct {
	// Addr is the address to listen on. It has the form host:port, :port for loopback, or
	// unix:path.
	Addr string
	HTTP mcp.HTTPOptions
	// Insecure allows a server without authentication that other machines can reach.
	Insecure bool
	// Keys is the path of a key file (see package apikey). It is empty if there are no keys.
	Keys  string
	OAuth OAuth
	// TLSCert and TLSKey are PEM files with the server's certificate and its key. Without them, the
	// server does not use TLS. ClientCA is a PEM file with the certificate authorities for client
	// certificates.
	TLSCert, TLSKey, ClientCA string
	// Certificate, if not nil, returns the server's certificate instead of reading it from files.
	// It also returns certificates for the ACME challenge TLS-ALPN-01.
	Certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)
	// TrustedProxies are the proxies whose X-Forwarded-For header is trusted.
	TrustedProxies []netip.Prefix
	Groups         map[string]Group
	// ProjectsDir is the directory for the projects that clients of a remote server push.
	ProjectsDir string
	// Projects stores these projects for all replicas. It is nil if there is only one server.
	Projects pushed.Shared
	// Rate is the number of calls to each tool per second that a principal of a remote server can
	// make over time; default 20. Concurrent is the maximum number of its calls that run at a time;
	// default 8. MaxCalls is the maximum number for all principals together; default 64.
	Rate                 float64
	Concurrent, MaxCalls int
	// Admin is an address for probes, metrics and profiles. Probes are also available at Addr, as
	// are metrics if Admin is empty.
	Admin string
	// AccessLog and AuditLog are files to which the server appends a line of JSON for each HTTP
	// request or each tool call. Both may be empty.
	AccessLog, AuditLog string
	// Documentation configures the MCP server. New sets the fields that depend on the client.
	Documentation docserver.Options
	// NewStore returns the store of a group. The store reads packages with the environment
	// variables env.
	NewStore func(group string, env []string) *store.Store
	// Handler wraps the handler of all requests, if it is not nil.
	Handler func(http.Handler) http.Handler
	// SharedUp reports whether the store that the replicas share can be reached. It is nil if there
	// is no such store.
	SharedUp func() bool
	// Logger receives messages for operators; nil discards them.
	Logger *slog.Logger
}

// drainTimeout is how long requests in flight may take when the server stops.
const drainTimeout = 30 * time.Second

// maxWaitingEach is the maximum number of waiting calls of a principal.
const maxWaitingEach = 64

// A Server serves documentation over HTTP.
type Server struct {
	options      Options
	remote       bool
	authenticate authenticator
	certificates *certificates // nil if TLS is not used
	meter        *meter
	queue        *queue
	pushed       *pushed.Store // nil if the server is not remote
	log          *slog.Logger
	access       *slog.Logger // may be nil
	audit        *slog.Logger // may be nil
	serving      atomic.Bool

	filesMu sync.Mutex
	files   []*logFile // access log and audit log
}

func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }

// New returns a server. If an option is not valid, the error describes what to change. New reads
// the key file and the certificates, but does not listen yet.
func New(o Options) (*Server, error) {
	if o.Rate <= 0 {
		o.Rate = 20
	}
	if o.Concurrent <= 0 {
		o.Concurrent = 8
	}
	if o.MaxCalls <= 0 {
		o.MaxCalls = 64
	}
	s := &Server{options: o, log: o.Logger, meter: newMeter(), queue: newQueue(o.MaxCalls, o.Concurrent, maxWaitingEach)}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	s.authenticate.certificates, s.authenticate.groupsClaim, s.authenticate.log = o.ClientCA != "", o.OAuth.GroupsClaim, s.log
	if o.Keys != "" {
		keys, err := apikey.Open(o.Keys)
		if err != nil {
			return nil, err
		}
		s.authenticate.keys = keys
	}
	if o.OAuth.Issuer != "" {
		guard, err := o.OAuth.guard(s.log)
		if err != nil {
			return nil, err
		}
		s.authenticate.guard = guard
	}
	if o.TLSCert != "" || o.Certificate != nil {
		s.certificates = &certificates{certFile: o.TLSCert, keyFile: o.TLSKey, clientCA: o.ClientCA, get: o.Certificate}
		if err := s.certificates.reload(); err != nil {
			return nil, err
		}
	}
	local := localAddress(o.Addr)
	if !local && !s.authenticate.required() && !o.Insecure {
		return nil, errorf("other machines can reach %s, so the server needs authentication; specify --keys FILE (docent token create), --issuer URL or --client-ca FILE, or listen on loopback; --insecure allows all clients without authentication", o.Addr)
	}
	s.remote = !local || s.authenticate.required()
	return s, nil
}

// check returns an error for options that contradict each other.
func (s *Server) check() error {
	o := &s.options
	switch {
	case (o.TLSCert == "") != (o.TLSKey == ""):
		return errors.New("TLS needs a certificate and its key; specify both --tls-cert and --tls-key")
	case o.TLSCert != "" && o.Certificate != nil:
		return errors.New("the server can have only one source of certificates; specify either --tls-cert and --tls-key, or --acme-domain")
	case o.ClientCA != "" && o.TLSCert == "" && o.Certificate == nil:
		return errors.New("client certificates need TLS; also specify --tls-cert and --tls-key")
	case (o.OAuth.Issuer == "") != (o.OAuth.Audience == ""):
		return errors.New("tokens from an authorization server need both --issuer and --audience; the audience is the URL of this server's endpoint, such as https://docent.example.com/mcp")
	case o.OAuth.Issuer == "" && (o.OAuth.Introspect || o.OAuth.JWKS != "" || len(o.OAuth.Scopes) > 0):
		return errors.New("--introspect, --jwks and --scope apply to an authorization server; specify it with --issuer")
	case o.OAuth.Introspect && o.OAuth.ClientID == "":
		return errors.New("--introspect needs --client-id and --client-secret-file, which the server uses to authenticate to the authorization server")
	}
	for name, group := range o.Groups {
		if name != everyone {
			if err := apikey.CheckName(name); err != nil {
				return fmt.Errorf("groups: %w", err)
			}
		}
		if err := group.check(name); err != nil {
			return err
		}
	}
	return nil
}

// Serve listens and serves requests until ctx is done. Then it waits for the requests in flight.
func (s *Server) Serve(ctx context.Context) (err error) {
	if err := s.openLogs(); err != nil {
		return err
	}
	defer func() {
		for _, f := range s.logs() {
			f.close()
		}
	}()
	if s.remote {
		if s.pushed, err = pushed.Open(s.options.ProjectsDir, s.options.Documentation.Store.Languages()); err != nil {
			return err
		}
		s.pushed.Shared = s.options.Projects
	}
	all, err := s.newEndpoints()
	if err != nil {
		return err
	}
	listener, err := listen(ctx, s.options.Addr)
	if err != nil {
		return err
	}
	admin, stopAdmin, err := s.startAdmin(ctx)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	defer stopAdmin()
	address := listener.Addr()
	listener = countedListener{listener, &s.meter.connections}
	if s.certificates != nil {
		listener = tls.NewListener(listener, s.certificates.serverConfig())
	}
	s.serving.Store(true)
	if s.options.HTTP.OnListen != nil {
		s.options.HTTP.OnListen(address)
	}
	s.announce(address, admin)
	ended := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(ended)
		s.serving.Store(false)
		s.log.Info("the server is stopping, after completing the requests in progress")
		all.shutdown(context.WithoutCancel(ctx))
	})
	err = all.everyone.streamable.Serve(ctx, listener, s.handler(all))
	if !stop() {
		<-ended
	}
	return err
}

// openLogs opens the access log and the audit log.
func (s *Server) openLogs() error {
	access, err := openLog(s.options.AccessLog)
	if err != nil {
		return err
	}
	s.access = access.logger()
	audit, err := openLog(s.options.AuditLog)
	if err != nil {
		return err
	}
	s.audit = audit.logger()
	s.filesMu.Lock()
	defer s.filesMu.Unlock()
	s.files = []*logFile{access, audit}
	return nil
}

// logs returns the open log files. Reload may be called before Serve has opened them.
func (s *Server) logs() []*logFile {
	s.filesMu.Lock()
	defer s.filesMu.Unlock()
	return s.files
}

// handler returns the handler of all requests.
func (s *Server) handler(all *endpoints) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/mcp", s.authenticate.protect(http.HandlerFunc(all.serveStreamable)))
	if s.options.HTTP.SSE {
		mux.Handle("/sse", s.authenticate.protect(http.HandlerFunc(all.serveSSE)))
	}
	if guard := s.authenticate.guard; guard != nil {
		const wellKnown = "/.well-known/oauth-protected-resource"
		mux.Handle(wellKnown, guard.Metadata())
		if path := guard.MetadataPath(); path != wellKnown {
			mux.Handle(path, guard.Metadata())
		}
	}
	s.addAPI(mux, all)
	if s.remote {
		s.addPushing(mux)
	}
	s.addProbes(mux)
	handler := s.observed(s.withPages(mux, all))
	if s.options.Handler != nil {
		handler = s.options.Handler(handler)
	}
	return handler
}

// documentation returns the options of the MCP servers.
func (s *Server) documentation() docserver.Options {
	o := s.options.Documentation
	o.Observe = s.observe
	o.Limits.DrainTimeout = drainTimeout
	if s.remote {
		o.Projects = s.projects().resolve
		o.Middleware = append(slices.Clip(o.Middleware), ratelimit.New(&ratelimit.Options{PerSecond: s.options.Rate}), s.queue.middleware)
	}
	return o
}

// Reload reloads the keys and certificates and reopens the logs. Settings that cannot be reloaded
// do not change.
func (s *Server) Reload() {
	var errs []error
	if s.authenticate.keys != nil {
		errs = append(errs, s.authenticate.keys.Reload())
	}
	if s.certificates != nil {
		errs = append(errs, s.certificates.reload())
	}
	for _, f := range s.logs() {
		errs = append(errs, f.reopen())
	}
	if err := errors.Join(errs...); err != nil {
		s.log.Error("files cannot be reloaded; the previous settings remain valid", "error", err)
		return
	}
	s.log.Info("keys and certificates were reloaded")
}

// announce logs the settings of the server, with warnings about unsafe ones.
func (s *Server) announce(at net.Addr, admin string) {
	attributes := []any{"address", at.String(), "remote", s.remote, "tls", s.certificates != nil, "stateless", s.options.HTTP.Stateless}
	if s.authenticate.keys != nil {
		attributes = append(attributes, "keys", s.authenticate.keys.Len())
	}
	if s.authenticate.guard != nil {
		attributes = append(attributes, "issuer", s.options.OAuth.Issuer)
	}
	if s.authenticate.certificates {
		attributes = append(attributes, "clientCertificates", true)
	}
	if s.remote {
		attributes = append(attributes, "rate", s.options.Rate, "concurrent", s.options.Concurrent, "maxCalls", s.options.MaxCalls, "groups", len(s.options.Groups))
	}
	for _, setting := range [][2]string{{"admin", admin}, {"accessLog", s.options.AccessLog}, {"auditLog", s.options.AuditLog}} {
		if setting[1] != "" {
			attributes = append(attributes, setting[0], setting[1])
		}
	}
	s.log.Info("the server is listening", attributes...)
	switch {
	case !localAddress(s.options.Addr) && !s.authenticate.required():
		s.log.Warn("the server has no authentication; anyone who can reach it can use it")
	case !localAddress(s.options.Addr) && s.certificates == nil && len(s.options.TrustedProxies) == 0:
		s.log.Warn("keys and tokens reach the server unencrypted; use --tls-cert and --tls-key, or a proxy with TLS")
	}
}
