package command

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/spf13/pflag"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/teamserver"
	"github.com/docent-mcp/docent/internal/upstream"
	"github.com/docent-mcp/docent/mcp"
)

// Flags contains the flags of a command that serves documentation.
type Flags struct {
	// Addr is the address to listen on. If it is empty, the command uses standard input and output.
	Addr string
	// Config is the configuration file.
	Config string
	// LogLevel and LogFile are parameters of Logger.
	LogLevel, LogFile string
	HTTP              mcp.HTTPOptions
	// Offline forbids the use of the network, WebDocs adds documentation from the web, and
	// Structured adds structured content to answers.
	Offline, WebDocs, Structured bool

	// Certificate returns the server's certificate if no files contain it; see teamserver.Options.
	Certificate func(*tls.ClientHelloInfo) (*tls.Certificate, error)

	// IgnoreTeam makes Load ignore settings in the configuration file that are only for
	// docent-team.
	IgnoreTeam bool

	limit    string // limit of the memory
	upstream upstream.Settings
	team     teamFlags
}

// Add adds the flags, except those that all docent commands have.
func (f *Flags) Add(flags *pflag.FlagSet) {
	flags.StringVar(&f.Addr, "http", "", "listen on this address (host:port, :port on loopback, or unix:path) instead of standard input")
	flags.StringVar(&f.Config, "config", "", "a TOML file with groups and settings, which have the same names as flags; flags and variables ("+VariablePrefix+"HTTP) take precedence")
	flags.BoolVar(&f.HTTP.Stateless, "stateless", false, "do not use HTTP sessions, so that any replica can serve any request")
	flags.BoolVar(&f.HTTP.SSE, "sse", false, "also serve HTTP+SSE, the transport of revision 2024-11-05, at /sse")
	flags.StringSliceVar(&f.HTTP.AllowedHosts, "allowed-host", nil, "a host name that HTTP clients may use for the server (default loopback names)")
	flags.StringSliceVar(&f.HTTP.AllowedOrigins, "allowed-origin", nil, "an origin whose web pages may use the server (default none)")
	flags.StringVar(&f.limit, "memory", "", "memory limit for reading several packages at the same time, such as 2GiB (default 512MiB, or "+memoryVariable+")")
	flags.StringVar(&f.LogLevel, "log-level", "", "log at this level and above: debug, info, warn or error (default off)")
	flags.StringVar(&f.LogFile, "log-file", "", "append logs to this file instead of standard error (at level info by default)")
	flags.StringVar(&f.upstream.Server, "upstream", "", "URL of a docent server from which to get packages that are not on this machine, instead of from registries (default "+upstream.Variable+")")
	flags.StringVar(&f.upstream.KeyFile, "upstream-key-file", "", "a file with the key or token for --upstream (default the value of "+upstream.KeyVariable+")")
	flags.StringVar(&f.upstream.Certificates.Cert, "upstream-cert", "", "a PEM file with a client certificate for --upstream (default "+upstream.CertVariable+")")
	flags.StringVar(&f.upstream.Certificates.Key, "upstream-cert-key", "", "a PEM file with the key of --upstream-cert (default the same file, or "+upstream.CertKeyVariable+")")
	flags.StringVar(&f.upstream.Certificates.CA, "upstream-ca", "", "a PEM file with the certificate authorities to trust for --upstream (default the system's, or "+upstream.CAVariable+")")
	flags.BoolVar(&f.Structured, "structured", false, "add structured content to the text of answers, for programs")
	f.team.add(flags)
}

// ForHTTP reports whether the command line contains a flag that has an effect only with HTTP.
func (f *Flags) ForHTTP(flags *pflag.FlagSet) bool {
	return f.HTTP.Stateless || f.HTTP.SSE || f.HTTP.AllowedHosts != nil || f.HTTP.AllowedOrigins != nil || f.team.used(flags)
}

func (f *Flags) http() mcp.HTTPOptions {
	o := f.HTTP
	o.CORS = len(o.AllowedOrigins) > 0
	return o
}

// teamFlags contains the flags for a server that other machines can reach.
type teamFlags struct {
	insecure                  bool
	keys                      string
	oauth                     teamserver.OAuth
	tlsCert, tlsKey, clientCA string
	trustedProxies            []string
	rate                      float64
	concurrent, maxCalls      int
	admin                     string
	accessLog, auditLog       string
	projectsDir               string
	names                     []string // names of the flags
}

// add adds the flags.
func (t *teamFlags) add(flags *pflag.FlagSet) {
	before := map[string]bool{}
	flags.VisitAll(func(f *pflag.Flag) { before[f.Name] = true })
	flags.BoolVar(&t.insecure, "insecure", false, "allow other machines to connect without authentication")
	flags.StringVar(&t.keys, "keys", "", "a file of keys that clients may use; docent token create adds a key")
	flags.StringVar(&t.oauth.Issuer, "issuer", "", "URL of the authorization server (OpenID Connect, OAuth) whose tokens clients may use")
	flags.StringVar(&t.oauth.Audience, "audience", "", "URL of this server's endpoint, which must be the audience of tokens")
	flags.StringSliceVar(&t.oauth.Scopes, "scope", nil, "a scope that tokens must have")
	flags.StringVar(&t.oauth.JWKS, "jwks", "", "URL of the issuer's keys (default the URL in its metadata)")
	flags.BoolVar(&t.oauth.Introspect, "introspect", false, "validate each token with the issuer, for tokens that are not JWTs")
	flags.StringVar(&t.oauth.ClientID, "client-id", "", "this server's OAuth client ID, for --introspect")
	flags.StringVar(&t.oauth.ClientSecret, "client-secret-file", "", "a file with this server's OAuth client secret, for --introspect")
	flags.StringVar(&t.oauth.GroupsClaim, "groups-claim", "groups", "the claim of a token that contains the groups of its owner")
	flags.StringVar(&t.tlsCert, "tls-cert", "", "a PEM file with the TLS certificate")
	flags.StringVar(&t.tlsKey, "tls-key", "", "a PEM file with the key of the certificate")
	flags.StringVar(&t.clientCA, "client-ca", "", "a PEM file with the certificate authorities to trust for client certificates")
	flags.StringSliceVar(&t.trustedProxies, "trusted-proxy", nil, "an address or network of proxies whose X-Forwarded-For headers to trust")
	flags.Float64Var(&t.rate, "rate", 20, "average number of calls of each tool that one principal can make per second")
	flags.IntVar(&t.concurrent, "concurrent", 8, "maximum number of concurrent calls by one principal; further calls wait")
	flags.IntVar(&t.maxCalls, "max-calls", 64, "maximum number of concurrent calls by all principals")
	flags.StringVar(&t.admin, "admin", "", "an address for operators, without authentication, that serves /livez, /readyz, /metrics and /debug/pprof/")
	flags.StringVar(&t.accessLog, "access-log", "", "append a line of JSON for each HTTP request to this file")
	flags.StringVar(&t.auditLog, "audit-log", "", "append a line of JSON for each call to this file, with the client and the package")
	flags.StringVar(&t.projectsDir, "projects-dir", "", "a directory for projects that clients push (default below docent's cache)")
	flags.VisitAll(func(f *pflag.Flag) {
		if !before[f.Name] {
			t.names = append(t.names, f.Name)
		}
	})
}

// used reports whether one of the flags was set.
func (t *teamFlags) used(flags *pflag.FlagSet) bool {
	return slices.ContainsFunc(t.names, flags.Changed)
}

// options returns the server options for the flags. If logger is nil, messages for operators are
// written to standard error.
func (t *teamFlags) options(stderr io.Writer, logger *slog.Logger) (o teamserver.Options, err error) {
	if logger == nil {
		logger = slog.New(slog.NewTextHandler(stderr, nil))
	}
	proxies, err := teamserver.ParsePrefixes(t.trustedProxies)
	if err != nil {
		return o, fmt.Errorf("--trusted-proxy: %w", err)
	}
	projectsDir := t.projectsDir
	if projectsDir == "" {
		cache := cachedir.Default(os.Getenv)
		if cache == "" {
			return o, errors.New("there is no directory for projects that clients push: set HOME, or specify a directory with --projects-dir")
		}
		projectsDir = filepath.Join(cache, "projects")
	}
	return teamserver.Options{
		ProjectsDir: projectsDir,
		Insecure:    t.insecure, Keys: t.keys, OAuth: t.oauth,
		TLSCert: t.tlsCert, TLSKey: t.tlsKey, ClientCA: t.clientCA, TrustedProxies: proxies, Logger: logger,
		Rate: t.rate, Concurrent: t.concurrent, MaxCalls: t.maxCalls, Admin: t.admin, AccessLog: t.accessLog, AuditLog: t.auditLog,
	}, nil
}

// Serve serves HTTP requests until ctx is done. It reloads keys and certificates after SIGHUP. It
// writes the URL of the endpoint to stderr.
func Serve(ctx context.Context, stderr io.Writer, o teamserver.Options) error {
	scheme := "http"
	if o.TLSCert != "" || o.Certificate != nil {
		scheme = "https"
	}
	o.HTTP.OnListen = func(at net.Addr) { fmt.Fprintf(stderr, "docent: listening on %s\n", endpoint(scheme, at)) }
	server, err := teamserver.New(o)
	if err != nil {
		return err
	}
	hangUp := make(chan os.Signal, 1)
	signal.Notify(hangUp, syscall.SIGHUP)
	defer signal.Stop(hangUp)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		for {
			select {
			case <-hangUp:
				server.Reload()
			case <-ctx.Done():
				return
			}
		}
	}()
	return server.Serve(ctx)
}

// endpoint returns the URL of a server that listens on an address.
func endpoint(scheme string, at net.Addr) string {
	if at.Network() == "unix" {
		return "unix:" + at.String() + " (path /mcp)"
	}
	return scheme + "://" + at.String() + "/mcp"
}
