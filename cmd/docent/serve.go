package main

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/mcp"
)

func newServe(s streams, languages languageList) *cobra.Command {
	var level, file, addr, limit string
	var port uint16
	var over mcp.HTTPOptions
	var offline, structured, web bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve documentation to coding agents over MCP",
		Long: `Serve speaks the Model Context Protocol on standard input and output, in every
published revision of it, until input ends. Nothing else is ever written to
standard output. Logs are off unless asked for, and go to standard error: a line
for each call and each request to a registry, and errors.

With --http it listens on an address instead and serves Streamable HTTP at /mcp,
on loopback only unless the address names a host. Anyone who can reach the server can
read whatever its user can: put authentication in front of it before others can reach
it.

A host starts it by itself. For most, this goes into their configuration:

  {"mcpServers": {"docent": {"command": "docent", "args": ["serve"]}}}`,
		Example: `  docent serve
  docent serve --log-level debug --log-file docent.log
  docent serve --port 8080
  docent serve --http unix:/run/docent.sock
  docent serve --http 0.0.0.0:8080 --allowed-host docs.example.com --allowed-origin https://app.example.com`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cmd.Flags().Changed("port") {
				addr = fmt.Sprintf("127.0.0.1:%d", port)
			}
			if addr == "" && (over.Stateless || over.SSE || over.AllowedHosts != nil || over.AllowedOrigins != nil) {
				return errors.New("these flags are about HTTP: name an address with --http, or a --port")
			}
			over.CORS = len(over.AllowedOrigins) > 0
			budget, err := memoryBudget(limit)
			if err != nil {
				return err
			}
			logger, closeLog, err := newLogger(level, file, s.err)
			if err != nil {
				return err
			}
			defer closeLog()
			server, err := docserver.New(docserver.Options{Types: typesApart, Store: store.New(languages(offline), store.Options{Cache: cachedir.New(cachedir.Of(os.Getenv), cachedir.Options{}), Memory: memory.New(budget)}), Version: version(), Logger: logger, Structured: structured, SingleClient: addr == "", Web: webDocs(web, offline)})
			if err != nil {
				return ran(err)
			}
			if addr != "" {
				over.OnListen = func(at net.Addr) { fmt.Fprintf(s.err, "docent: listening on %s\n", endpoint(at)) }
				return ran(server.ListenAndServe(cmd.Context(), addr, &over))
			}
			err = server.ServeStdio(cmd.Context())
			if cmd.Context().Err() != nil {
				return nil // a host may end its servers with a signal
			}
			return ran(err)
		},
	}
	cmd.Flags().StringVar(&addr, "http", "", "listen on this address (host:port, :port on loopback, or unix:path) instead of standard input")
	cmd.Flags().Uint16Var(&port, "port", 0, "listen on this port of 127.0.0.1, as --http 127.0.0.1:PORT does; 0 for any free port")
	cmd.MarkFlagsMutuallyExclusive("http", "port")
	cmd.Flags().BoolVar(&over.Stateless, "stateless", false, "keep no sessions over HTTP, so that any replica can serve any request")
	cmd.Flags().BoolVar(&over.SSE, "sse", false, "serve HTTP+SSE, the transport of 2024-11-05, at /sse, too")
	cmd.Flags().StringSliceVar(&over.AllowedHosts, "allowed-host", nil, "a name by which HTTP clients may reach the server (default loopback names)")
	cmd.Flags().StringSliceVar(&over.AllowedOrigins, "allowed-origin", nil, "an origin whose web pages may use the server (default none)")
	cmd.Flags().StringVar(&limit, "memory", "", "memory for packages that are read at the same time, such as 2GiB (default 512MiB, or "+memoryVariable+")")
	cmd.Flags().StringVar(&level, "log-level", "", "log at this level and above: debug, info, warn or error (default off)")
	cmd.Flags().StringVar(&file, "log-file", "", "append logs to this file instead of standard error (level info unless given)")
	cmd.Flags().BoolVar(&structured, "structured", false, "answer with structured content beside the text, for programs")
	webDocsFlag(cmd, &web)
	offlineFlag(cmd, &offline)
	return cmd
}

// endpoint returns the URL of a server that listens on an address.
func endpoint(at net.Addr) string {
	if at.Network() == "unix" {
		return "unix:" + at.String() + " (path /mcp)"
	}
	return "http://" + at.String() + "/mcp"
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
