// Package command contains the common parts of the commands that serve documentation, docent serve
// and docent-team. It reads their flags, environment variables and configuration files, and starts
// the server.
package command

import (
	"cmp"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/check/apart"
	"github.com/docent-mcp/docent/internal/docserver"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/memory"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/internal/teamserver"
	"github.com/docent-mcp/docent/internal/teamserver/pushed"
	"github.com/docent-mcp/docent/internal/upstream"
	"github.com/docent-mcp/docent/internal/webdocs"
)

// A Program is a command that serves documentation.
type Program struct {
	// Version is the program's version, which is sent to clients and registries.
	Version string
	// Languages returns the languages. They are configured by the variables in env, or by the
	// environment of the process if env is nil.
	Languages func(env []string, offline bool) ecosystem.Languages
	// Stderr is standard error.
	Stderr io.Writer
	// Shared is the store that all replicas share, or nil. Build identifies the program in this
	// store.
	Shared store.Backend
	Build  string
	// SharedUp reports whether Shared can be reached.
	SharedUp func() bool
	// Projects stores, for all replicas, the projects that clients push. It is nil if there is no
	// such store.
	Projects pushed.Shared

	pushed string // the directory of pushed projects
}

// A RunError is an error of a running command. All other errors mean incorrect usage.
type RunError struct{ Err error }

func (e *RunError) Error() string { return e.Err.Error() }

func (e *RunError) Unwrap() error { return e.Err }

func ran(err error) error {
	if err == nil {
		return nil
	}
	return &RunError{err}
}

// Documentation returns the options of an MCP server, without Logger.
func (f *Flags) Documentation(p *Program, budget *memory.Budget) (docserver.Options, error) {
	up, err := f.upstreamClient(p.Version)
	if err != nil {
		return docserver.Options{}, err
	}
	return docserver.Options{
		Types: new(apart.Server).Types, Store: p.newStore("", p.Languages(nil, f.Offline || up != nil), os.Getenv, budget, up), Version: p.Version,
		Structured: f.Structured, SingleClient: f.Addr == "", Web: WebDocs(p.Version, f.WebDocs, f.Offline),
	}, nil
}

// upstreamClient returns the client of the upstream server, or nil if there is none.
func (f *Flags) upstreamClient(version string) (*upstream.Client, error) {
	up := Upstream(f.upstream, version, f.Offline)
	if up == nil {
		return nil, nil
	}
	if err := up.Check(); err != nil {
		return nil, ran(fmt.Errorf("--upstream: %w", err))
	}
	return up, nil
}

// newStore returns the store of a group. The variables specify its cache directory. up may be nil.
func (p *Program) newStore(group string, languages ecosystem.Languages, getenv func(string) string, budget *memory.Budget, up *upstream.Client) *store.Store {
	return store.New(languages, store.Options{
		Cache: cachedir.New(cachedir.Default(getenv), cachedir.Options{}), Memory: budget, Shared: p.Shared, Group: group, Build: p.Build, Pushed: p.pushed, Upstream: up,
	})
}

// Upstream returns the client of the server that provides packages that are not on this machine.
// The server comes from the settings or, if they do not contain one, from the environment. Upstream
// returns nil if there is no server or the network must not be used.
func Upstream(o upstream.Settings, version string, offline bool) *upstream.Client {
	if offline || environ.Parse(nil).Offline() {
		return nil
	}
	return upstream.New(o, version, os.Getenv)
}

// Options returns the options of a server at f.Addr with the groups of a configuration. If logger
// is nil, messages for operators are written to standard error.
func (f *Flags) Options(p *Program, config *teamserver.Config, logger *slog.Logger) (teamserver.Options, error) {
	budget, err := f.Memory()
	if err != nil {
		return teamserver.Options{}, err
	}
	o, err := f.team.options(p.Stderr, logger)
	if err != nil {
		return o, err
	}
	p.pushed, o.Projects, o.SharedUp = o.ProjectsDir, p.Projects, p.SharedUp
	o.Addr, o.HTTP, o.Groups, o.Certificate = f.Addr, f.http(), config.Groups, f.Certificate
	if o.Documentation, err = f.Documentation(p, budget); err != nil {
		return o, err
	}
	o.Documentation.Logger = logger
	o.NewStore = func(group string, env []string) *store.Store {
		return p.newStore(group, p.Languages(env, f.Offline), environ.Parse(env).Get, budget, nil)
	}
	return o, nil
}

// Memory returns the memory budget for packages that are read at the same time.
func (f *Flags) Memory() (*memory.Budget, error) {
	limit, err := memoryBudget(f.limit)
	if err != nil {
		return nil, err
	}
	return memory.New(limit), nil
}

// Check returns an error if a server with the settings of a configuration file could not start.
func (f *Flags) Check(config *teamserver.Config) error {
	o, err := f.team.options(io.Discard, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	if _, err := f.Memory(); err != nil {
		return err
	}
	if _, err := f.upstreamClient(""); err != nil {
		return err
	}
	o.Addr, o.HTTP, o.Groups, o.Certificate = f.Addr, f.http(), config.Groups, f.Certificate
	o.Addr = cmp.Or(o.Addr, ":0")
	if _, err := teamserver.New(o); err != nil {
		return fmt.Errorf("the configuration %s: %w", f.Config, err)
	}
	return nil
}

// WebDocs returns the reader of documentation from the web, or nil if neither a flag nor the
// environment enables it.
func WebDocs(version string, enabled, offline bool) catalog.Web {
	env := environ.Parse(os.Environ())
	if !enabled && !webdocs.Enabled(env) {
		return nil
	}
	return webdocs.New(webdocs.Options{
		Version: version, Offline: offline || env.Offline(),
		Cache: cachedir.New(cachedir.Default(os.Getenv), cachedir.Options{}),
	})
}

// Logger returns a logger at a level that appends to a file, or writes to stderr if file is empty.
// It returns a nil logger if both are empty.
func Logger(level, file string, stderr io.Writer) (logger *slog.Logger, closeLog func(), err error) {
	closeLog = func() {}
	if level == "" && file == "" || strings.EqualFold(level, "off") {
		return nil, closeLog, nil
	}
	minimum := slog.LevelInfo
	if level != "" {
		if err := minimum.UnmarshalText([]byte(level)); err != nil {
			return nil, nil, fmt.Errorf("%q is not a log level; use debug, info, warn, error or off", level)
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
	return slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{Level: minimum})), closeLog, nil
}

// Version returns the version of a binary. It is the tag of a release, the version of "go install
// …@version", or "devel" with the commit if that is known. info may be nil.
func Version(tag string, info *debug.BuildInfo) string {
	if tag != "" {
		return tag
	}
	if info == nil {
		return "devel"
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit, fromCheckout := settings["vcs.revision"]
	switch {
	case fromCheckout:
		v := "devel-" + commit[:min(len(commit), 12)]
		if settings["vcs.modified"] == "true" {
			v += "-dirty"
		}
		return v
	case info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return "devel"
}
