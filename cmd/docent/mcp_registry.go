package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/setup"
	"github.com/docent-mcp/docent/mcp/registry"
)

const (
	registryVariable = "DOCENT_MCP_REGISTRY"
	searchLimit      = 20      // default number of servers that a search prints
	maxServerJSON    = 1 << 20 // maximum size of a server.json in bytes
)

// registryFlags contains the flags of the commands that read a registry of MCP servers.
type registryFlags struct {
	url string
}

func (f *registryFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "registry", "", "the registry's address (default $"+registryVariable+", or "+registry.DefaultURL+")")
}

func (m *mcpCommand) registry(f *registryFlags) (*registry.Client, error) {
	env := environ.Parse(nil)
	if env.Offline() {
		return nil, errors.New("docent cannot read the registry, because DOCENT_OFFLINE disables network access")
	}
	address := cmp.Or(f.url, env.Get(registryVariable), registry.DefaultURL)
	if !isURL(address) {
		return nil, fmt.Errorf("the registry %q is not an http or https URL", address)
	}
	return &registry.Client{URL: address, HTTP: &http.Client{Timeout: m.timeout}, UserAgent: "docent/" + version()}, nil
}

// registryFailure returns an error of the registry with the exit code for its kind.
func registryFailure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, registry.ErrNotFound):
		return &mcpError{exitNotFound, err}
	case is[*registry.Error](err):
		return &mcpError{exitServerError, err}
	}
	return &mcpError{exitUnreachable, err}
}

func (m *mcpCommand) newSearch() *cobra.Command {
	var f registryFlags
	var limit int
	var versions bool
	cmd := &cobra.Command{
		Use:   "search [WORD...]",
		Short: "Search the MCP registry for servers",
		Long: `Search lists servers in the MCP registry, at their newest versions. The
name of a server must contain the first word, and the name, title or description must
contain the other words; the registry itself searches only names. Nobody has reviewed
the servers, so check who publishes a server before you install it.`,
		Example: `  docent mcp search weather
  docent mcp search io.github.someone/
  docent mcp search --versions io.github.someone/weather`,
		RunE: func(cmd *cobra.Command, words []string) error {
			if versions && len(words) != 1 || limit < 1 {
				return errors.New("--versions requires exactly one server name, and --limit must be at least 1")
			}
			client, err := m.registry(&f)
			if err != nil {
				return ran(err)
			}
			stop := m.askRegistry(cmd.Context())
			if versions {
				entries, err := client.Versions(cmd.Context(), words[0])
				stop()
				if err != nil {
					return registryFailure(err)
				}
				return m.printEntries(entries, true)
			}
			entries, more, err := searchServers(cmd.Context(), client, words, limit)
			stop()
			if err != nil {
				return registryFailure(err)
			}
			if err := m.printEntries(entries, false); err != nil {
				return err
			}
			switch {
			case more:
				fmt.Fprintf(m.streams.err, "There are more servers; --limit %d lists more of them.\n", 5*limit)
			case len(entries) == 0:
				fmt.Fprintln(m.streams.err, "No server matches.")
				return &silentError{exitNotFound}
			}
			return nil
		},
	}
	f.register(cmd)
	cmd.Flags().IntVar(&limit, "limit", searchLimit, "number of servers to print")
	cmd.Flags().BoolVar(&versions, "versions", false, "list all versions of one server")
	cmd.Flags().BoolVar(&m.json, "json", false, "print the servers as JSON")
	return cmd
}

// searchServers returns up to limit servers that contain all words, and whether there are more
// servers.
func searchServers(ctx context.Context, client *registry.Client, words []string, limit int) (found []*registry.Entry, more bool, err error) {
	query := &registry.Query{}
	if len(words) > 0 {
		query.Text = words[0]
	}
	for entry, err := range client.Search(ctx, query) {
		if err != nil {
			return nil, false, err
		}
		text := strings.ToLower(entry.Server.Name + " " + entry.Server.Title + " " + entry.Server.Description)
		if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) }) {
			continue
		}
		if len(found) == limit {
			return found, true, nil
		}
		found = append(found, entry)
	}
	return found, false, nil
}

// shownEntry is an entry in the form that --json prints.
type shownEntry struct {
	*registry.Server
	Status        registry.Status `json:"status,omitempty"`
	StatusMessage string          `json:"statusMessage,omitempty"`
	Published     string          `json:"publishedAt,omitempty"`
	Latest        bool            `json:"isLatest"`
}

func (m *mcpCommand) printEntries(entries []*registry.Entry, versions bool) error {
	if m.json {
		shown := make([]shownEntry, len(entries))
		for i, e := range entries {
			shown[i] = shownEntry{&e.Server, e.Status, e.StatusMessage, date(e), e.Latest}
		}
		return encode(m.streams.out, shown)
	}
	p := m.printer()
	for _, e := range entries {
		var kinds []string
		for _, launcher := range e.Server.Ways() {
			if !slices.Contains(kinds, launcher.Kind) {
				kinds = append(kinds, launcher.Kind)
			}
		}
		state := ""
		if e.Status != "" && e.Status != registry.StatusActive {
			state = "  " + p.line(string(e.Status)+": "+e.StatusMessage)
		}
		if versions {
			p.printf("%s  %s%s\n", p.line(e.Server.Version), date(e), state)
			continue
		}
		p.printf("%s %s  (%s)%s\n", p.line(e.Server.Name), p.line(e.Server.Version), p.line(strings.Join(kinds, ", ")), state)
		p.paragraph("    ", p.line(e.Server.Description))
	}
	return p.err
}

func date(e *registry.Entry) string {
	if e.PublishedAt.IsZero() {
		return ""
	}
	return e.PublishedAt.Format("2006-01-02")
}

// installFlags contains the flags of docent mcp install.
type installFlags struct {
	setupFlags
	registryFlags
	using, name string
	set         []string
}

func (m *mcpCommand) newInstall() *cobra.Command {
	var f installFlags
	cmd := &cobra.Command{
		Use:   "install NAME[@VERSION]",
		Short: "Add a server from the MCP registry to the coding agents on this machine",
		Long: `Install looks up a server in the MCP registry, shows what it will
change in the hosts' configuration, asks for confirmation once, and writes the entry.
It does not change anything else in the files. Without a terminal, --yes is required.
"docent mcp uninstall" undoes the changes.

The publisher of the server chose the command that the hosts will start. Nobody has
reviewed it, so read it before you confirm. Docent writes the values of secrets to the
files, but does not show them.`,
		Example: `  docent mcp install io.github.someone/weather
  docent mcp install io.github.someone/weather@1.2.0 --host cursor --set API_KEY
  docent mcp install com.example/files --using remote --project . --dry-run`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return m.install(cmd, args[0], &f) },
	}
	f.add(cmd)
	f.register(cmd)
	flags := cmd.Flags()
	flags.StringVar(&f.using, "using", "", "how to start or reach the server, as listed by \"docent mcp search\" (default the first way that works on this machine)")
	flags.StringVar(&f.name, "name", "", "the name of the entry (default the last part of NAME)")
	flags.StringArrayVar(&f.set, "set", nil, "a value that the server needs, as NAME=VALUE, or NAME to use the environment variable NAME")
	return cmd
}

// askRegistry shows that the command waits for the registry. The caller must call stop.
func (m *mcpCommand) askRegistry(ctx context.Context) (stop func()) {
	line := m.streams.newLine()
	progress.Begin(progress.With(ctx, line), "Asking the registry")
	return line.Stop
}

func (m *mcpCommand) install(cmd *cobra.Command, arg string, f *installFlags) error {
	name, version, _ := strings.Cut(arg, "@")
	values, err := f.values()
	if err != nil {
		return err
	}
	entryName, err := f.entryName(name)
	if err != nil {
		return err
	}
	client, err := m.registry(&f.registryFlags)
	if err != nil {
		return ran(err)
	}
	stop := m.askRegistry(cmd.Context())
	entry, err := client.Get(cmd.Context(), name, version)
	stop()
	if err != nil {
		return registryFailure(err)
	}
	p := m.printer()
	switch message := p.line(entry.StatusMessage); entry.Status {
	case registry.StatusDeleted:
		return ran(fmt.Errorf("%s %s was deleted from the registry, so docent does not install it. %s", p.line(name), p.line(entry.Server.Version), message))
	case registry.StatusDeprecated:
		fmt.Fprintf(m.streams.err, "%s %s is deprecated. %s\n", p.line(name), p.line(entry.Server.Version), message)
	}
	launcher, launch, err := f.launch(p, &entry.Server, values)
	if err != nil {
		return ran(err)
	}
	for _, input := range launcher.Inputs() {
		if value := values[input.Name]; input.Secret && value != "" {
			f.secrets = append(f.secrets, value)
		}
	}
	p.printf("%s %s: %s\n\n", p.line(name), p.line(entry.Server.Version), p.line(entry.Server.Description))
	if base := launcher.Package; base != nil && base.RegistryBaseURL != "" {
		fmt.Fprintf(m.streams.err, "According to the publisher, the package is in the registry %s. However, your own settings determine the registry that the command uses.\n\n", p.line(base.RegistryBaseURL))
	}
	server := &setup.Server{
		Name: entryName, Description: p.line(entry.Server.Description), Command: launch.Command, Args: launch.Args, Env: launch.Env,
		URL: launch.URL, Headers: launch.Headers, SSE: launch.SSE,
	}
	return f.run(cmd, m.streams, func(machine setup.Machine, o setup.Options) (*setup.Plan, error) {
		o.Server = server
		return setup.Setup(machine, o)
	})
}

// values returns the values of --set.
func (f *installFlags) values() (map[string]string, error) {
	values := map[string]string{}
	for _, text := range f.set {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			if value, ok = os.LookupEnv(name); !ok {
				return nil, fmt.Errorf("--set %s: the variable %[1]s is not set; write --set %[1]s=VALUE", name)
			}
		}
		values[name] = value
	}
	return values, nil
}

var validEntryName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// entryName returns the name of a server's entry.
func (f *installFlags) entryName(server string) (string, error) {
	name := f.name
	if name == "" {
		name = server[strings.LastIndexByte(server, '/')+1:]
	}
	if !validEntryName().MatchString(name) || name == "docent" {
		return "", fmt.Errorf("%.100q cannot be the name of the entry; choose another one with --name", name)
	}
	return name, nil
}

// launch selects a package or a remote address of the server.
func (f *installFlags) launch(p *printer, s *registry.Server, values map[string]string) (registry.Way, *registry.Launch, error) {
	var failures []string
	for _, launcher := range s.Ways() {
		if f.using != "" && launcher.Kind != f.using {
			continue
		}
		program := launcher.Program()
		if program != "" && f.using == "" && environ.Parse(nil).LookPath(program) == "" {
			failures = append(failures, fmt.Sprintf("%s: the program %s is not in PATH", launcher.Kind, program))
			continue
		}
		launch, err := launcher.Launch(values)
		if missing, ok := errors.AsType[*registry.MissingError](err); ok {
			return launcher, nil, missingValues(p, missing)
		}
		if err == nil {
			return launcher, launch, nil
		}
		failures = append(failures, launcher.Kind+": "+p.line(err.Error()))
	}
	if len(failures) == 0 {
		return registry.Way{}, nil, fmt.Errorf("%s cannot be used in the way that --using %q specifies", p.line(s.Name), f.using)
	}
	return registry.Way{}, nil, fmt.Errorf("%s cannot be installed: %s", p.line(s.Name), strings.Join(failures, "; "))
}

func missingValues(p *printer, missing *registry.MissingError) error {
	var b strings.Builder
	b.WriteString("the server needs values; set each value with --set NAME=VALUE, or with --set NAME to use the environment variable NAME:")
	for _, input := range missing.Inputs {
		fmt.Fprintf(&b, "\n  %s", p.line(input.Name))
		if input.Description != "" {
			b.WriteString("  " + p.line(input.Description))
		}
		if len(input.Choices) > 0 {
			b.WriteString(" (" + p.line(strings.Join(input.Choices, ", ")) + ")")
		}
	}
	return errors.New(b.String())
}

func (m *mcpCommand) newUninstall() *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "uninstall NAME",
		Short: "Remove a server that docent mcp install added",
		Long: `Uninstall removes the entry with this name that "docent mcp install"
wrote to the hosts' configuration, and restores any entry that the installation
replaced. It keeps entries that docent did not write. It shows the changes and asks
for confirmation once; without a terminal, --yes is required.`,
		Example: "  docent mcp uninstall weather",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !validEntryName().MatchString(args[0]) || args[0] == "docent" {
				return fmt.Errorf("%.100q is not the name of an entry; to remove docent itself, use \"docent remove\"", args[0])
			}
			return f.run(cmd, m.streams, func(machine setup.Machine, o setup.Options) (*setup.Plan, error) {
				o.Server = &setup.Server{Name: args[0]}
				return setup.Remove(machine, o)
			})
		},
	}
	f.add(cmd)
	return cmd
}

func (m *mcpCommand) newPublish() *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "publish --check FILE",
		Short: "Check a server.json before it is published to the MCP registry",
		Long: `Publish --check validates a server.json against the schema and the rules of
the official MCP registry. It also checks the directory that contains the file for the
markers that the registry uses to verify that you own the packages: mcpName in
package.json, mcp-name in a README, an image's label, a module's owner. It sends
nothing. Docent does not publish servers; use the registry's publisher tool.`,
		Example: "  docent mcp publish --check server.json",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if !check {
				return errors.New("docent only checks a server.json and does not publish it; use --check")
			}
			file := "server.json"
			if len(args) > 0 {
				file = args[0]
			}
			return m.checkServerJSON(file)
		},
	}
	cmd.Flags().BoolVar(&check, "check", false, "check the file (required)")
	return cmd
}

func (m *mcpCommand) checkServerJSON(file string) error {
	info, err := os.Stat(file)
	if err != nil {
		return ran(err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxServerJSON {
		return ran(fmt.Errorf("%s is not a regular file of at most %d bytes", file, maxServerJSON))
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return ran(err)
	}
	problems := registry.Check(data)
	if s, err := registry.ParseServer(data); err == nil {
		root, err := os.OpenRoot(filepath.Dir(file))
		if err != nil {
			return ran(err)
		}
		defer root.Close()
		marks, err := registry.CheckOwnership(s, root.FS())
		if err != nil {
			return ran(err)
		}
		problems = append(problems, marks...)
	}
	p := m.printer()
	for _, problem := range problems {
		p.printf("%s: %s\n", file, p.line(problem.String()))
	}
	if len(problems) > 0 {
		return &silentError{exitFailure}
	}
	p.printf("%s is ready to be published.\n", file)
	return p.err
}
