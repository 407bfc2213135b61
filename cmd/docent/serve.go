package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/mcp"
)

// serveFlags are the flags of docent serve.
type serveFlags struct {
	level, file, addr, limit, config string
	port                             uint16
	http                             mcp.HTTPOptions
	team                             teamFlags
	offline, structured, web         bool
}

func newServe(s streams, languages languageList) *cobra.Command {
	var o serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve documentation to coding agents over MCP",
		Long: `Serve speaks the Model Context Protocol on standard input and output, in every
published revision of it, until input ends. Nothing else is ever written to
standard output. Logs are off unless asked for, and go to standard error: a line
for each call and each request to a registry, and errors.

With --http it listens on an address instead and serves Streamable HTTP at /mcp,
on loopback only unless the address names a host. There it may read whatever its user
can. An address that other machines can reach needs authentication: keys (docent token
create), tokens of an authorization server, or client certificates. With authentication,
clients can name only those directories of this machine that you allow.

A host starts it by itself. For most, this goes into their configuration:

  {"mcpServers": {"docent": {"command": "docent", "args": ["serve"]}}}`,
		Example: `  docent serve
  docent serve --log-level debug --log-file docent.log
  docent serve --port 8080
  docent serve --http unix:/run/docent.sock
  docent serve --http 0.0.0.0:8443 --keys keys.json --tls-cert cert.pem --tls-key key.pem
  docent serve --http 0.0.0.0:8080 --issuer https://login.example.com --audience https://docs.example.com/mcp --trusted-proxy 10.0.0.0/8
  docent serve --config docent.toml`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.run(cmd, s, languages)
		},
	}
	o.add(cmd)
	return cmd
}

// add adds the flags to a command.
func (o *serveFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.addr, "http", "", "listen on this address (host:port, :port on loopback, or unix:path) instead of standard input")
	f.Uint16Var(&o.port, "port", 0, "listen on this port of 127.0.0.1, as --http 127.0.0.1:PORT does; 0 for any free port")
	cmd.MarkFlagsMutuallyExclusive("http", "port")
	f.StringVar(&o.config, "config", "", "a TOML file with groups and settings, which are named like flags; flags and variables ("+settingPrefix+"HTTP) come first")
	f.BoolVar(&o.http.Stateless, "stateless", false, "keep no sessions over HTTP, so that any replica can serve any request")
	f.BoolVar(&o.http.SSE, "sse", false, "also serve HTTP+SSE, the transport of revision 2024-11-05, at /sse")
	f.StringSliceVar(&o.http.AllowedHosts, "allowed-host", nil, "a name by which HTTP clients may reach the server (default loopback names)")
	f.StringSliceVar(&o.http.AllowedOrigins, "allowed-origin", nil, "an origin whose web pages may use the server (default none)")
	f.StringVar(&o.limit, "memory", "", "memory limit for packages that are read at the same time, such as 2GiB (default 512MiB, or "+memoryVariable+")")
	f.StringVar(&o.level, "log-level", "", "log at this level and above: debug, info, warn or error (default off)")
	f.StringVar(&o.file, "log-file", "", "append logs to this file instead of standard error (at level info by default)")
	f.BoolVar(&o.structured, "structured", false, "add structured content to the text of answers, for programs")
	o.team.add(f)
	webDocsFlag(cmd, &o.web)
	offlineFlag(cmd, &o.offline)
}

// run serves until the context is done.
func (o *serveFlags) run(cmd *cobra.Command, s streams, languages languageList) error {
	forHTTP := o.team.used(cmd.Flags())
	config, err := o.load(cmd.Flags())
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("port") {
		o.addr = fmt.Sprintf("127.0.0.1:%d", o.port)
	}
	if o.addr == "" && (o.http.Stateless || o.http.SSE || o.http.AllowedHosts != nil || o.http.AllowedOrigins != nil || forHTTP) {
		return errors.New("these flags apply to HTTP only: give an address with --http, or a port with --port")
	}
	o.http.CORS = len(o.http.AllowedOrigins) > 0
	limit, err := memoryBudget(o.limit)
	if err != nil {
		return err
	}
	logger, closeLog, err := newLogger(o.level, o.file, s.err)
	if err != nil {
		return err
	}
	defer closeLog()
	budget := memory.New(limit)
	documentation := docserver.Options{
		Types: typesApart, Store: newServedStore(languages(o.offline), os.Getenv, budget), Version: version(),
		Logger: logger, Structured: o.structured, SingleClient: o.addr == "", Web: webDocs(o.web, o.offline),
	}
	if o.addr != "" {
		options, err := o.team.options(s.err, logger)
		if err != nil {
			return err
		}
		options.Addr, options.HTTP, options.Documentation, options.Groups = o.addr, o.http, documentation, config.Groups
		options.NewStore = func(env []string) *store.Store {
			return newServedStore(languagesIn(env, o.offline), environ.Of(env).Get, budget)
		}
		return ran(serveHTTP(cmd.Context(), s.err, options))
	}
	server, err := docserver.New(documentation)
	if err != nil {
		return ran(err)
	}
	err = server.ServeStdio(cmd.Context())
	if cmd.Context().Err() != nil {
		return nil // a host may end its servers with a signal
	}
	return ran(err)
}

// newServedStore returns a store whose cache is where the variables say.
func newServedStore(languages ecosystem.Languages, getenv func(string) string, budget *memory.Budget) *store.Store {
	return store.New(languages, store.Options{Cache: cachedir.New(cachedir.Of(getenv), cachedir.Options{}), Memory: budget})
}

// newLogger returns the logger for the flags, nil if they ask for none.
func newLogger(level, file string, stderr io.Writer) (logger *slog.Logger, closeLog func(), err error) {
	closeLog = func() {}
	if level == "" && file == "" || strings.EqualFold(level, "off") {
		return nil, closeLog, nil
	}
	least := slog.LevelInfo
	if level != "" {
		if err := least.UnmarshalText([]byte(level)); err != nil {
			return nil, nil, fmt.Errorf("%q is not a log level: give debug, info, warn, error or off", level)
		}
	}
	out := stderr
	if file != "" {
		f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, ran(fmt.Errorf("the log file cannot be opened: %w", err))
		}
		out, closeLog = f, func() { f.Close() }
	}
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: least})), closeLog, nil
}
