package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/inspector"
	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
	"github.com/docent-mcp/docent/mcp/host"
)

// uiAddress is the default address on which docent mcp ui listens. If the port is in use, any free
// port is used.
const uiAddress = "127.0.0.1:8430"

func (m *mcpCommand) newUI() *cobra.Command {
	var addr string
	var noOpen bool
	cmd := &cobra.Command{
		Use:   "ui URL | ui -- COMMAND...",
		Short: "Inspect a server in a browser",
		Long: `UI shows a server in a browser: its tools with forms made from their
input schemas, its resources, templates and prompts with completion, results with
structured content, progress and tasks. You answer the server's questions yourself:
forms, pages to visit, sampling and roots. The page also shows every message and the
server's standard error. UI prints the address of the page and, in a terminal, opens
it. The address contains a random token, and docent refuses requests without it.
Docent listens only on this machine, and the page can reach only the servers on the
command line. With --config and without --server, it can reach all servers in the
file.`,
		Example: `  docent mcp ui -- docent serve
  docent mcp ui https://mcp.example.com/mcp
  docent mcp ui --config .mcp.json`,
	}
	cmd.Flags().StringVar(&addr, "addr", uiAddress, "loopback address and port to listen on; port 0 for any free port")
	cmd.Flags().BoolVar(&noOpen, "no-open", false, "do not open the page in the browser")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		resumeGC(math.MaxInt64)
		servers, err := m.inspected(cmd, args)
		if err != nil {
			return err
		}
		defer m.close()
		o := inspector.Options{Servers: servers, Version: version(), Revision: m.revision, Timeout: m.timeout, ConnectTimeout: max(m.timeout, 10*time.Minute)}
		if m.log != "" {
			w, err := m.openLog()
			if err != nil {
				return err
			}
			o.Trace = func(sent bool, message json.RawMessage) { w.message(sent, message) }
			o.StderrLine = w.line
		}
		pages, err := inspector.New(o)
		if err != nil {
			return err
		}
		defer pages.Close()
		listener, err := listenOnLoopback(cmd, addr, uiAddress)
		if err != nil {
			return ran(err)
		}
		if len(servers) == 1 {
			if err := pages.Connect(0); err != nil {
				return err
			}
		}
		site := "http://" + listener.Addr().String()
		fmt.Fprintf(m.streams.err, "docent: the page is at %s\n", site+pages.Path())
		if m.interactive() && !noOpen {
			m.streams.open(cmd.Context(), site+pages.OncePath())
		}
		return ran(servePages(cmd.Context(), listener, pages))
	}
	return cmd
}

// inspected returns the servers on the command line.
func (m *mcpCommand) inspected(cmd *cobra.Command, args []string) ([]inspector.Server, error) {
	// The page shows the address for signing in, so no terminal is needed.
	m.signIn.unattended = !m.noInput
	if m.config != "" && m.server == "" && len(args) == 0 {
		return m.allConfigured()
	}
	_, rest, err := m.target(cmd, args)
	if err != nil {
		return nil, err
	}
	if len(rest) > 0 {
		return nil, errors.New("ui takes no arguments other than the server")
	}
	if m.config != "" {
		return m.allConfigured()
	}
	s := inspector.Server{Name: args[0], Target: args[0], HTTP: true, Transport: func(show func(page string)) (mcp.Transport, error) {
		t, _, err := m.target(cmd, args)
		return m.showSignIn(t, show), err
	}}
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		s.Name, s.Target, s.HTTP = args[dash], strings.Join(args[dash:], " "), false
	}
	return []inspector.Server{s}, nil
}

// allConfigured returns the servers of --config, or only the server in --server.
func (m *mcpCommand) allConfigured() ([]inspector.Server, error) {
	configs, err := m.configuration()
	if err != nil {
		return nil, err
	}
	var servers []inspector.Server
	for i := range configs {
		config := configs[i]
		if m.server != "" && config.Name != m.server || m.server == "" && config.Disabled {
			continue
		}
		servers = append(servers, inspector.Server{Name: config.Name, Target: targetOf(config), HTTP: config.URL != "", Transport: func(show func(page string)) (mcp.Transport, error) {
			config, err := config.Expand(os.LookupEnv)
			if err != nil {
				return nil, err
			}
			t, err := m.transport(config)
			return m.showSignIn(t, show), err
		}})
	}
	if len(servers) == 0 {
		return nil, fmt.Errorf("all servers in %s are disabled", m.config)
	}
	return servers, nil
}

// targetOf returns the URL or the command line of a server.
func targetOf(config host.ServerConfig) string {
	if config.URL != "" {
		return config.URL
	}
	return strings.Join(append([]string{config.Command}, config.Args...), " ")
}

// showSignIn makes a transport show the address of a sign-in page before the browser opens it.
func (m *mcpCommand) showSignIn(t mcp.Transport, show func(page string)) mcp.Transport {
	web, ok := t.(*mcp.HTTPTransport)
	if !ok {
		return t
	}
	client, ok := web.Authorizer.(*auth.OAuthClient)
	if !ok || m.noInput {
		return t
	}
	browse := client.Browser
	if browse == nil {
		browse = auth.OpenBrowser
	}
	client.Browser = func(ctx context.Context, page string) error {
		show(page)
		return browse(ctx, page)
	}
	return t
}
