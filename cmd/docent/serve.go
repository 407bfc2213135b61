package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/ecosystem"
	offered "github.com/docent-mcp/docent/internal/languages"
	"github.com/docent-mcp/docent/internal/teamserver/command"
)

// serveFlags contains the flags of docent serve.
type serveFlags struct {
	command.Flags
	port uint16
}

func newServe(s streams, languages languageList) *cobra.Command {
	var o serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve documentation to coding agents over MCP",
		Long: `Serve implements the Model Context Protocol, in every published
revision, on standard input and output, until the input ends. It never writes anything
else to standard output. Logs are off by default. With logs on, it writes a line to
standard error for each call, each request to a registry, and each error.

With --http, it listens on an address instead and serves Streamable HTTP at /mcp. It
listens only on loopback unless the address contains a host. On loopback, clients can
read whatever the server's user can read. An address that other machines can reach
requires authentication: keys (docent token create), tokens of an authorization
server, or client certificates. With authentication, clients can use only those
directories on this machine that you allow.

MCP hosts start docent serve automatically. Most hosts need this entry in their configuration:

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
	o.Add(f)
	f.Uint16Var(&o.port, "port", 0, "listen on this port of 127.0.0.1, as --http 127.0.0.1:PORT does; 0 for any free port")
	cmd.MarkFlagsMutuallyExclusive("http", "port")
	webDocsFlag(cmd, &o.WebDocs)
	offlineFlag(cmd, &o.Offline)
}

// run serves requests until the context is done.
func (o *serveFlags) run(cmd *cobra.Command, s streams, languages languageList) error {
	resumeGC(math.MaxInt64)
	forHTTP := o.ForHTTP(cmd.Flags())
	config, err := o.Load(cmd.Flags())
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("port") {
		o.Addr = fmt.Sprintf("127.0.0.1:%d", o.port)
	}
	if o.Addr == "" && forHTTP {
		return errors.New("these flags apply only to HTTP; specify an address with --http, or a port with --port")
	}
	logger, closeLog, err := command.Logger(o.LogLevel, o.LogFile, s.err)
	if err != nil {
		return err
	}
	defer closeLog()
	program := &command.Program{Version: version(), Stderr: s.err, Languages: func(env []string, offline bool) ecosystem.Languages {
		if env == nil {
			return languages(offline)
		}
		return offered.New(ecosystem.Options{Env: env, Version: version(), Offline: offline})
	}}
	if o.Addr != "" {
		options, err := o.Options(program, config, logger)
		if err != nil {
			return err
		}
		return ran(command.Serve(cmd.Context(), s.err, options))
	}
	budget, err := o.Memory()
	if err != nil {
		return err
	}
	documentation, err := o.Documentation(program, budget)
	if err != nil {
		return err
	}
	documentation.Logger = logger
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
