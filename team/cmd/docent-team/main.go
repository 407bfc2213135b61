// Docent-team serves the documentation of packages to a team over HTTP, as docent serve --http
// does. It is a separate command so that docent itself does not depend on database clients.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/check/apart"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/languages"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/teamserver/command"
	"github.com/docent-mcp/docent/team/internal/telemetry"
)

// tag is the version of a release. The build sets it (-ldflags "-X main.tag=v1.2.3").
var tag string

var version = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return command.Version(tag, info)
})

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the process
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// run executes one command line and returns the exit code, which is 1 for a failure and 2 for
// incorrect usage.
func run(ctx context.Context, args []string, stdout, stderr *os.File) int {
	root := newRoot(stderr)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "docent-team: %s\n", markup.Clean(err.Error()))
	if _, failed := errors.AsType[*command.RunError](err); failed {
		return 1
	}
	return 2
}

func ran(err error) error {
	if err == nil {
		return nil
	}
	return &command.RunError{Err: err}
}

// allLanguages returns the languages, configured by the environment variables in env.
func allLanguages(env []string, offline bool) ecosystem.Languages {
	return languages.New(ecosystem.Options{Env: env, Version: version(), Offline: offline})
}

type teamFlags struct {
	command.Flags
	postgres postgresFlags
	redis    redisFlags
	acme     acmeFlags
}

func (t *teamFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	t.Add(f)
	f.BoolVar(&t.WebDocs, "web-docs", false, "also read the llms.txt of a package's homepage and the docs/ directory of its repository at its version")
	f.BoolVar(&t.Offline, "offline", false, "do not use the network; the same as DOCENT_OFFLINE=1")
	t.postgres.add(f)
	t.redis.add(f)
	t.acme.add(f)
}

func newRoot(stderr *os.File) *cobra.Command {
	var flags teamFlags
	root := &cobra.Command{
		Use:   "docent-team",
		Short: "Serve package documentation to a team over HTTP",
		Long: `Docent-team serves package documentation over HTTP to coding agents, as
docent serve --http does, with the same flags, variables and configuration file.

With --postgres, all replicas share the packages that they read: one replica reads a
package while the others wait for it, and a search without package and project covers
all of them. A group's packages are shown only to the group. While PostgreSQL cannot
be reached, each replica reads packages itself.

With --redis, all replicas share client sessions, so that a load balancer can send
each request to any replica.`,
		Example: `  docent-team --config docent.toml
  docent-team --http 0.0.0.0:8443 --keys keys.json --tls-cert cert.pem --tls-key key.pem --postgres postgres://docent@db/docent
  docent-team --http 0.0.0.0:8443 --keys keys.json --tls-cert cert.pem --tls-key key.pem`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		Args:          cobra.NoArgs,
		RunE:          func(cmd *cobra.Command, _ []string) error { return flags.run(cmd, stderr) },
	}
	flags.add(root)
	root.SetVersionTemplate("docent-team {{.Version}}\n")
	root.AddCommand(newConfig(), newTypes())
	return root
}

// run serves documentation until the context is done.
func (t *teamFlags) run(cmd *cobra.Command, stderr *os.File) error {
	if err := t.postgres.checkCommandLine(cmd.Flags()); err != nil {
		return err
	}
	if err := t.redis.checkCommandLine(cmd.Flags()); err != nil {
		return err
	}
	config, err := t.Load(cmd.Flags())
	if err != nil {
		return err
	}
	if t.Addr == "" {
		return errors.New("specify an address with --http, or http in the configuration file")
	}
	logger, closeLog, err := command.Logger(t.LogLevel, t.LogFile, stderr)
	if err != nil {
		return err
	}
	defer closeLog()
	if t.Certificate, err = t.acme.certificate(operators(logger, stderr)); err != nil {
		return err
	}
	recorded, err := telemetry.New(cmd.Context(), version(), operators(logger, stderr))
	if err != nil {
		return err
	}
	if recorded != nil {
		defer closeTelemetry(cmd.Context(), recorded, operators(logger, stderr))
		t.postgres.tracer = recorded.Queries()
	}
	program := &command.Program{Version: version(), Stderr: stderr, Languages: allLanguages}
	closeStore, err := t.postgres.open(cmd.Context(), program, operators(logger, stderr))
	if err != nil {
		return err
	}
	defer closeStore()
	options, err := t.Options(program, config, logger)
	if err != nil {
		return err
	}
	if recorded != nil {
		options.Handler, options.Documentation.Middleware = recorded.Handler, recorded.Middleware()
	}
	closeRedis, err := t.redis.open(cmd.Context(), &options, operators(logger, stderr))
	if err != nil {
		return err
	}
	defer closeRedis()
	return ran(command.Serve(cmd.Context(), stderr, options))
}

// closeTelemetry sends the last traces and metrics.
func closeTelemetry(ctx context.Context, t *telemetry.Telemetry, log *slog.Logger) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := t.Close(ctx); err != nil {
		log.Warn("the last traces and metrics were not sent", "error", err)
	}
}

// operators returns the logger for messages to operators.
func operators(logger *slog.Logger, stderr io.Writer) *slog.Logger {
	if logger != nil {
		return logger
	}
	return slog.New(slog.NewTextHandler(stderr, nil))
}

func newConfig() *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Check a configuration file for docent-team"}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check whether docent-team would start with a configuration file",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			served := &cobra.Command{}
			var flags teamFlags
			flags.add(served)
			flags.Config = args[0]
			config, err := flags.Load(served.Flags())
			if err != nil {
				return err
			}
			if flags.Certificate, err = flags.acme.certificate(slog.New(slog.DiscardHandler)); err != nil {
				return ran(fmt.Errorf("the configuration %s: %w", args[0], err))
			}
			if err := flags.Check(config); err != nil {
				return ran(err)
			}
			if _, err := flags.postgres.options(); err != nil {
				return ran(fmt.Errorf("the configuration %s: %w", args[0], err))
			}
			if _, err := flags.redis.check(flags.HTTP.Stateless); err != nil {
				return ran(fmt.Errorf("the configuration %s: %w", args[0], err))
			}
			if err := telemetry.Check(); err != nil {
				return ran(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is valid: %d settings, %d groups.\n", args[0], len(config.Settings), len(config.Groups))
			return ran(err)
		},
	})
	return cmd
}

func newTypes() *cobra.Command {
	return &cobra.Command{
		Use:    apart.Command,
		Short:  "Check the types of the files named on standard input",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ran(apart.Serve(cmd.Context(), os.Stdin, cmd.OutOrStdout(), allLanguages(nil, true)))
		},
	}
}
