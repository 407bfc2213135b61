package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
	"github.com/docent-mcp/docent/mcp/host"
)

// These are exit codes of docent mcp in addition to the general ones.
const (
	exitServerError = 5
	exitToolError   = 6
	exitSignIn      = 7
)

const mcpExitCodes = `Exit codes:
  0  done
  1  docent failed, or was interrupted
  2  the command line is not valid, or the arguments do not match the schema
  3  the server does not have the tool, prompt or resource
  4  the server could not be started or reached, or did not respond in time
  5  the server answered with an error
  6  the tool ran and reported a failure
  7  the server requires you to sign in, or rejects the credentials
`

// mcpCommand contains the state of all subcommands of docent mcp.
type mcpCommand struct {
	streams  streams
	line     *progress.Line // nil if no progress is shown
	waiting  *progress.Task // the request that is being answered; nil if no progress is shown
	json     bool
	headers  []string
	env      []string
	dir      string
	config   string
	server   string
	revision string
	log      string
	timeout  time.Duration
	noInput  bool
	signIn   signIn

	mu      sync.Mutex // guards wire and closers
	wire    *wireLog
	closers []func()
}

func newMCP(s streams) *cobra.Command {
	m := &mcpCommand{streams: s}
	cmd := &cobra.Command{
		Use:   "mcp",
		Short: "Inspect any MCP server, bridge its transports, or install it from the registry",
		Long: `The subcommands of mcp communicate with any Model Context Protocol
server, in any published revision. Specify the server with a URL before other
arguments, or with a command after "--", which docent starts and stops. With --config,
docent uses a server from a host's configuration file, which contains "mcpServers" or
"servers".

The subcommands search, install and publish use the MCP registry instead.

Docent shows questions from the server in the terminal. Without a terminal, or with
--no-input, it tells the server that there is no user to ask.`,
		Example: `  docent mcp tools -- docent serve
  docent mcp info https://mcp.example.com/mcp
  docent mcp call search query='read a file' limit:=3 -- docs-server --verbose
  docent mcp tools --config .mcp.json --server files`,
		Args: onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return ran(cmd.Help()) },
	}
	cmd.AddCommand(
		m.newInfo(), m.newTools(), m.newCall(), m.newPrompts(), m.newPrompt(), m.newResources(), m.newRead(),
		m.newComplete(), m.newPing(), m.newWatch(), m.newUI(), m.newProxy(), m.newSignOut(),
		m.newSearch(), m.newInstall(), m.newUninstall(), m.newPublish(),
	)
	for _, sub := range cmd.Commands() {
		find := completeNone
		switch sub.Name() {
		case "call":
			find = completeCall
		case "tools":
			find = completeTools
		case "prompts":
			find = completePrompts
		case "prompt":
			find = completePrompt
		case "read":
			find = completeResources
		}
		sub.ValidArgsFunction = m.completeWith(find)
	}
	flags := cmd.PersistentFlags()
	flags.StringArrayVar(&m.headers, "header", nil, "send this header with each HTTP request, as 'Name: value'")
	flags.StringArrayVar(&m.env, "env", nil, "set this environment variable for the command, as NAME=value, or NAME to use the current value")
	flags.StringVar(&m.dir, "cwd", "", "start the command in this directory")
	flags.StringVar(&m.config, "config", "", "a file with \"mcpServers\" or \"servers\"")
	flags.StringVar(&m.server, "server", "", "the server to use, if the file contains several")
	flags.StringVar(&m.revision, "revision", "", "use only this protocol revision (default the newest that the server supports)")
	flags.StringVar(&m.log, "log", "", "append all messages and the command's standard error to this file, with secrets redacted; - for standard error")
	flags.DurationVar(&m.timeout, "timeout", time.Minute, "maximum time to wait for the connection, and for each answer or progress report")
	flags.BoolVar(&m.noInput, "no-input", false, "never ask the user anything")
	m.signIn.flags(cmd)
	_ = cmd.RegisterFlagCompletionFunc("server", m.completeServers)
	_ = cmd.RegisterFlagCompletionFunc("revision", cobra.FixedCompletions(mcp.Revisions(), cobra.ShellCompDirectiveNoFileComp))
	for _, file := range []string{"config", "log"} {
		_ = cmd.MarkPersistentFlagFilename(file)
	}
	_ = cmd.MarkPersistentFlagDirname("cwd")
	cmd.SetHelpTemplate(strings.Replace(helpTemplate, exitCodes, mcpExitCodes, 1))
	return cmd
}

// sub makes cmd a subcommand that connects to a server and calls run. run gets the arguments after
// the server: at least minimum and at most maximum of them, or any number if maximum is negative. sub
// returns cmd.
func (m *mcpCommand) sub(cmd *cobra.Command, minimum, maximum int, run func(ctx context.Context, c *mcp.Client, args []string) error) *cobra.Command {
	cmd.Flags().BoolVar(&m.json, "json", false, "print the protocol's JSON")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		t, rest, err := m.target(cmd, args)
		if err != nil {
			return err
		}
		if len(rest) < minimum || maximum >= 0 && len(rest) > maximum {
			return fmt.Errorf("too many arguments; usage: %s", cmd.UseLine())
		}
		defer m.close()
		defer m.showProgress()()
		c, err := m.connect(cmd.Context(), t, nil)
		if err != nil {
			return err
		}
		defer c.Close()
		m.waiting = progress.Begin(progress.With(cmd.Context(), m.line), "Waiting for the server")
		defer m.waiting.End()
		return m.failed(run(cmd.Context(), c, rest))
	}
	return cmd
}

// showProgress shows what the command is waiting for, until the command writes something or calls
// stop. It shows nothing if --log prints messages.
func (m *mcpCommand) showProgress() (stop func()) {
	if m.log == "-" {
		return func() {}
	}
	if m.line = m.streams.newLine(); m.line != nil {
		m.streams.out, m.streams.err = m.line.Before(m.streams.out), m.line.Before(m.streams.err)
	}
	return m.line.Stop
}

func (m *mcpCommand) close() {
	for _, f := range m.closers {
		f()
	}
	m.closers = nil
}

// target returns the server on the command line and the other arguments.
func (m *mcpCommand) target(cmd *cobra.Command, args []string) (mcp.Transport, []string, error) {
	if known := mcp.Revisions(); m.revision != "" && !slices.Contains(known, m.revision) {
		return nil, nil, fmt.Errorf("%q in --revision is not a protocol revision; the revisions are %s", m.revision, strings.Join(known, ", "))
	}
	dash := cmd.ArgsLenAtDash()
	if m.config != "" && dash >= 0 {
		return nil, nil, errors.New("specify the server with --config or with a command after --, not both")
	}
	if dash < 0 || dash == len(args) {
		return m.named(cmd, args)
	}
	t, err := m.transport(host.ServerConfig{Name: "the server", Command: args[dash], Args: args[dash+1:]})
	return t, args[:dash], err
}

// named is like target, for a server with a URL or from --config.
func (m *mcpCommand) named(cmd *cobra.Command, args []string) (mcp.Transport, []string, error) {
	config := host.ServerConfig{Name: "the server"}
	switch {
	case m.config != "":
		var err error
		if config, err = m.configured(); err != nil {
			return nil, nil, err
		}
	case len(args) > 0 && isURL(args[0]):
		config.URL, args = args[0], args[1:]
	default:
		return nil, nil, fmt.Errorf("specify a server: %s URL, or %[1]s -- COMMAND", cmd.CommandPath())
	}
	t, err := m.transport(config)
	return t, args, err
}

func isURL(arg string) bool {
	return strings.HasPrefix(arg, "https://") || strings.HasPrefix(arg, "http://")
}

// configured returns the server that --config and --server specify.
func (m *mcpCommand) configured() (host.ServerConfig, error) {
	servers, err := m.configuration()
	if err != nil {
		return host.ServerConfig{}, err
	}
	var names []string
	for i := range servers {
		names = append(names, servers[i].Name)
		if servers[i].Name == m.server || m.server == "" && len(servers) == 1 {
			return servers[i].Expand(os.LookupEnv)
		}
	}
	return host.ServerConfig{}, fmt.Errorf("choose a server from %s with --server: %s", m.config, strings.Join(names, ", "))
}

// configuration returns the servers in the file of --config.
func (m *mcpCommand) configuration() ([]host.ServerConfig, error) {
	data, err := os.ReadFile(m.config)
	if err != nil {
		return nil, fmt.Errorf("the configuration cannot be read: %w", err)
	}
	servers, err := host.ParseConfig(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.config, err)
	}
	return servers, nil
}

// transport returns the transport for a server, with the settings from flags.
func (m *mcpCommand) transport(config host.ServerConfig) (mcp.Transport, error) {
	t, err := config.Transport()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case *mcp.CommandTransport:
		if len(m.headers) > 0 {
			return nil, errors.New("--header applies only to servers with a URL")
		}
		for _, variable := range m.env {
			name, _, hasValue := strings.Cut(variable, "=")
			if value, set := os.LookupEnv(name); !hasValue && set {
				variable += "=" + value
			} else if !hasValue {
				return nil, fmt.Errorf("--env %s: the variable is not set; specify a value with %[1]s=value", name)
			}
			t.Env = append(t.Env, variable)
		}
		if m.dir != "" {
			t.Dir = m.dir
		}
	case *mcp.HTTPTransport:
		if len(m.env) > 0 || m.dir != "" {
			return nil, errors.New("--env and --cwd apply only to servers that docent starts")
		}
		for _, header := range m.headers {
			name, value, ok := strings.Cut(header, ":")
			name, value = strings.TrimSpace(name), strings.TrimSpace(value)
			if !ok || name == "" || strings.ContainsAny(header, "\r\n") {
				return nil, errors.New("--header needs a name, a colon and a value, as in --header 'X-Key: value'")
			}
			t.Header.Add(name, value)
		}
		if t.Header.Get("Authorization") == "" {
			var err error
			if t.Authorizer, err = m.authorizer(t.URL); err != nil {
				return nil, err
			}
		}
	}
	return t, nil
}

// connect connects to the server and returns the client. change can change the client's options. It
// may be nil.
func (m *mcpCommand) connect(ctx context.Context, t mcp.Transport, change func(*mcp.ClientOptions)) (*mcp.Client, error) {
	opts, err := m.options(t)
	if err != nil {
		return nil, err
	}
	if change != nil {
		change(opts)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, m.connectTimeout(), fmt.Errorf("the server did not respond within %v (--timeout)", m.timeout))
	defer cancel()
	task := progress.Begin(progress.With(ctx, m.line), "Connecting to the server")
	c, err := mcp.Connect(ctx, t, opts)
	task.End()
	switch {
	case err == nil:
		return c, nil
	case m.revision == "":
	case errors.Is(err, mcp.ErrNoRevision):
		err = fmt.Errorf("%w\n--revision allows only %s; omit the flag, or specify an older revision", err, m.revision)
	default:
		err = fmt.Errorf("%w; only revision %s was tried (--revision)", err, m.revision)
	}
	return nil, connecting(err)
}

// connectTimeout returns the time limit for connecting. It is longer than --timeout if the user may
// have to sign in.
func (m *mcpCommand) connectTimeout() time.Duration {
	if m.interactive() || m.signIn.unattended {
		return max(m.timeout, 10*time.Minute)
	}
	return m.timeout
}

// interactive reports whether the user can be asked questions.
func (m *mcpCommand) interactive() bool {
	return m.streams.inTerminal && m.streams.errTerminal && !m.noInput
}

// options returns the client's options. With --log, messages and the server's standard error are
// written to the log.
func (m *mcpCommand) options(t mcp.Transport) (*mcp.ClientOptions, error) {
	opts := &mcp.ClientOptions{
		Info:    mcp.Implementation{Name: "docent", Version: version(), Title: "Docent"},
		Timeout: m.timeout,
		Tasks:   true,
		Logger:  discard,
	}
	if m.revision != "" {
		opts.Revisions = []string{m.revision}
	}
	if m.interactive() {
		ask := newPrompter(m.streams, func() { m.line.Stop() })
		opts.ElicitForm, opts.ElicitURL = ask.form, ask.visit
	}
	if m.log == "" {
		return opts, nil
	}
	w, err := m.openLog()
	if err != nil {
		return nil, err
	}
	opts.Trace = w.message
	if command, ok := t.(*mcp.CommandTransport); ok {
		command.StderrLine = w.line
	}
	return opts, nil
}

// openLog returns the wire log. It opens the log during the first call.
func (m *mcpCommand) openLog() (*wireLog, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.wire == nil && m.log == "-" {
		m.wire = &wireLog{w: m.streams.err}
	}
	if m.wire != nil {
		return m.wire, nil
	}
	f, err := os.OpenFile(m.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, ran(fmt.Errorf("the log cannot be opened: %w", err))
	}
	m.closers = append(m.closers, func() { f.Close() })
	m.wire = &wireLog{w: f}
	return m.wire, nil
}

// A wireLog writes messages with redacted secrets, one per line. Sent messages begin with ">",
// received messages with "<", and lines of the server's standard error with "#".
type wireLog struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *wireLog) message(sent bool, message json.RawMessage) {
	mark := "<"
	if sent {
		mark = ">"
	}
	l.write(mark, string(mcp.Redact(message, nil)))
}

func (l *wireLog) line(line string) { l.write("#", line) }

func (l *wireLog) write(mark, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.w, "%s %s %s\n", time.Now().Format("15:04:05.000"), mark, text)
}

// mcpError is an error together with its exit code.
type mcpError struct {
	code int
	err  error
}

func (e *mcpError) Error() string { return e.err.Error() }
func (e *mcpError) Unwrap() error { return e.err }

// connecting wraps an error of mcp.Connect with its exit code.
func connecting(err error) error {
	if needsSignIn(err) {
		return signInError(err)
	}
	return &mcpError{exitUnreachable, err}
}

// failed wraps an error of a request with its exit code.
func (m *mcpCommand) failed(err error) error {
	if err == nil {
		return nil
	}
	for _, known := range []func(error) bool{is[*mcpError], is[*silentError]} {
		if known(err) {
			return err
		}
	}
	code := exitFailure
	switch {
	case needsSignIn(err):
		return signInError(err)
	case errors.Is(err, mcp.ErrResourceNotFound):
		code = exitNotFound
	case is[*mcp.Error](err):
		code = exitServerError
	case errors.Is(err, context.DeadlineExceeded), is[*mcp.HTTPError](err):
		code = exitUnreachable
	}
	return &mcpError{code, err}
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func needsSignIn(err error) bool {
	if is[*auth.SignInError](err) || errors.Is(err, errNoUser) {
		return true
	}
	status, ok := errors.AsType[*mcp.HTTPError](err)
	return ok && (status.StatusCode == http.StatusUnauthorized || status.StatusCode == http.StatusForbidden)
}

func signInError(err error) error {
	if is[*auth.SignInError](err) && !errors.Is(err, errNoUser) {
		return &mcpError{exitSignIn, fmt.Errorf("%w\nPass the ID of a registered client with --client-id, or other credentials with --header 'Authorization: …'", err)}
	}
	return &mcpError{exitSignIn, fmt.Errorf("%w\nSign in from a terminal, or specify credentials with --header 'Authorization: …'", err)}
}
