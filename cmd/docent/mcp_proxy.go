package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/mcpproxy"
	"github.com/docent-mcp/docent/internal/teamserver/command"
	"github.com/docent-mcp/docent/mcp"
)

func (m *mcpCommand) newProxy() *cobra.Command {
	var addr, level string
	over := mcp.HTTPOptions{MaxSessions: 100}
	cmd := &cobra.Command{
		Use:   "proxy URL | proxy --http ADDR -- COMMAND...",
		Short: "Make a server available over another transport",
		Long: `Proxy makes a server available over another transport. Without --http,
it uses standard input and output, for hosts that can only start commands. If the
server requires you to sign in, proxy opens the browser. With --http, it listens on an address
and serves Streamable HTTP at /mcp and, for older clients, HTTP with SSE at /sse. It
listens only on loopback, unless the address contains a host. Anyone who can reach the
proxy can use the server, so put authentication in front of it before you allow others
to reach it.

Clients and the server may use different revisions of the protocol. The proxy forwards
tools, prompts, resources, completion, subscriptions, progress, cancellation, log
messages, questions to the user and tasks. Each HTTP session has its own server
process or connection to the server.`,
		Example: `  docent mcp proxy https://mcp.example.com/mcp
  docent mcp proxy --http :8080 -- npx some-server
  docent mcp proxy --http 0.0.0.0:8080 --allowed-host tools.example.com https://mcp.example.com/mcp`,
	}
	cmd.Flags().StringVar(&addr, "http", "", "listen on this address (host:port, :port on loopback, or unix:path) instead of standard input")
	cmd.Flags().StringSliceVar(&over.AllowedHosts, "allowed-host", nil, "a host name that HTTP clients may use for the proxy (default loopback names)")
	cmd.Flags().StringSliceVar(&over.AllowedOrigins, "allowed-origin", nil, "an origin whose web pages may use the proxy (default none)")
	cmd.Flags().IntVar(&over.MaxSessions, "max-sessions", 100, "maximum number of open sessions, each with its own connection or process")
	cmd.Flags().StringVar(&level, "log-level", "", "log to standard error: debug, info, warn or error (default off)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		resumeGC(math.MaxInt64)
		if addr == "" && (over.AllowedHosts != nil || over.AllowedOrigins != nil || cmd.Flags().Changed("max-sessions")) {
			return errors.New("these flags apply only to HTTP; specify an address with --http")
		}
		over.CORS = len(over.AllowedOrigins) > 0
		logger, _, err := command.Logger(level, "", m.streams.err)
		if err != nil {
			return err
		}
		// The client uses standard input, so the user cannot be asked questions there.
		m.signIn.unattended, m.streams.inTerminal = !m.noInput, false
		if _, rest, err := m.target(cmd, args); err != nil {
			return err
		} else if len(rest) > 0 {
			return errors.New("proxy takes no arguments other than the server")
		}
		defer m.close()
		proxy := mcpproxy.New(mcpproxy.Options{
			Connect: func(ctx context.Context, change func(*mcp.ClientOptions)) (*mcp.Client, error) {
				return m.dial(ctx, cmd, args, change)
			},
			Implementation: mcp.Implementation{Name: "docent", Version: version()},
			HTTP:           over,
			Logger:         logger,
		})
		if addr == "" {
			err := proxy.ServeConn(cmd.Context(), inOut{m.streams.in, m.streams.out})
			if cmd.Context().Err() != nil {
				return nil // a host may end its servers with a signal
			}
			return lost(err)
		}
		l, err := listen(cmd.Context(), addr)
		if err != nil {
			return ran(fmt.Errorf("the proxy cannot listen on %s: %w", addr, err))
		}
		fmt.Fprintf(m.streams.err, "docent: listening on %s\n", l.Addr())
		return ran(proxy.Serve(cmd.Context(), l))
	}
	return cmd
}

// dial connects to the server on the command line and returns the client. Each call creates a new
// transport. For a command, that is a new process.
func (m *mcpCommand) dial(ctx context.Context, cmd *cobra.Command, args []string, change func(*mcp.ClientOptions)) (*mcp.Client, error) {
	t, _, err := m.target(cmd, args)
	if err != nil {
		return nil, err
	}
	return m.connect(ctx, t, change)
}

// lost wraps an error that ended a proxy's connection, with its exit code.
func lost(err error) error {
	if err == nil || is[*mcpError](err) {
		return err
	}
	return &mcpError{exitUnreachable, err}
}

// listen returns a listener for "host:port", ":port" on loopback, or "unix:path".
func listen(ctx context.Context, addr string) (net.Listener, error) {
	network := "tcp"
	if path, ok := strings.CutPrefix(addr, "unix:"); ok {
		network, addr = "unix", path
	} else if host, port, err := net.SplitHostPort(addr); err == nil && host == "" {
		addr = net.JoinHostPort("127.0.0.1", port)
	}
	return new(net.ListenConfig).Listen(ctx, network, addr)
}

// inOut combines standard input and output into one connection.
type inOut struct {
	io.Reader
	io.Writer
}

var discard = slog.New(slog.DiscardHandler)
