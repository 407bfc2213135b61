package main

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/docserver"
)

func newServe(s streams, languages languageList) *cobra.Command {
	var level, file string
	var offline, structured bool
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve documentation to coding agents over MCP on standard input and output",
		Long: `Serve speaks the Model Context Protocol on standard input and output, in every
published revision of it, until input ends. Nothing else is ever written to
standard output. Logs are off unless asked for, and go to standard error.

A host starts it by itself. For most, this goes into their configuration:

  {"mcpServers": {"docent": {"command": "docent", "args": ["serve"]}}}`,
		Example: `  docent serve
  docent serve --log-level debug --log-file /tmp/docent.log`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			logger, closeLog, err := newLogger(level, file, s.err)
			if err != nil {
				return err
			}
			defer closeLog()
			server, err := docserver.New(docserver.Options{Store: openStore(languages(offline)), Version: version(), Logger: logger, Structured: structured})
			if err != nil {
				return ran(err)
			}
			err = server.ServeStdio(cmd.Context())
			if cmd.Context().Err() != nil {
				return nil // a host may end its servers with a signal
			}
			return ran(err)
		},
	}
	cmd.Flags().StringVar(&level, "log-level", "", "log at this level and above: debug, info, warn or error (default off)")
	cmd.Flags().StringVar(&file, "log-file", "", "append logs to this file instead of standard error (level info unless given)")
	cmd.Flags().BoolVar(&structured, "structured", false, "answer with structured content beside the text, for programs")
	offlineFlag(cmd, &offline)
	return cmd
}

// newLogger makes the logger that the flags ask for; nil if they ask for none.
func newLogger(level, file string, stderr io.Writer) (logger *slog.Logger, closeLog func(), err error) {
	closeLog = func() {}
	if level == "" && file == "" || strings.EqualFold(level, "off") {
		return nil, closeLog, nil
	}
	least := slog.LevelInfo
	if level != "" {
		if err := least.UnmarshalText([]byte(level)); err != nil {
			return nil, nil, fmt.Errorf("%q is no log level: give debug, info, warn, error or off", level)
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
