package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/upstream"
)

// serverVariable is the default of the flag --server.
const serverVariable = "DOCENT_SERVER"

// maxServerAnswer is the maximum number of bytes that are read of a server's response.
const maxServerAnswer = 4 << 20

// projectFlags contains the flags of docent project.
type projectFlags struct {
	server, group, name, project string
}

func newProject(languages languageList) *cobra.Command {
	var o projectFlags
	cmd := &cobra.Command{
		Use:   "project",
		Short: "Tell a shared server which versions a project uses",
		Long: `The subcommands of project tell a shared server (docent serve --http
with authentication) which packages a project uses, so that its answers match those
versions. Tools then accept project:NAME as projectPath.

Docent sends only the names and versions of packages and the dependencies between
them, as docent deps --json prints them. The server removes a project that nobody has
pushed or used for 30 days.

The key or token for the server comes from ` + upstream.KeyVariable + `. Client certificates
come from the same variables as for docent serve --upstream (` + upstream.CertVariable + `).`,
		Args: cobra.NoArgs,
	}
	cmd.PersistentFlags().StringVar(&o.server, "server", "", "URL of the server (default "+serverVariable+")")
	cmd.PersistentFlags().StringVar(&o.group, "group", "", "the group that the project belongs to (default only you)")
	push := &cobra.Command{
		Use:     "push",
		Short:   "Send the names and versions of the project's packages",
		Example: "  docent project push --server https://docs.example.com/mcp\n  docent project push --name shop --group payments",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return ran(pushProject(cmd, languages, &o))
		},
	}
	projectFlag(push, &o.project)
	push.Flags().StringVar(&o.name, "name", "", "name of the project on the server (default the name of its directory)")
	cmd.AddCommand(push, &cobra.Command{
		Use:   "list",
		Short: "List the projects on the server",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return ran(listProjects(cmd, &o)) },
	}, &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a project from the server",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := o.send(cmd.Context(), http.MethodDelete, args[0], nil)
			return ran(err)
		},
	})
	return cmd
}

// pushedProject is the server's information about a project.
type pushedProject struct {
	ProjectPath string
	Name        string
	Packages    int
	Skipped     []string
	Pushed      time.Time
}

// maxSkipped is the maximum number of packages that are listed because the server does not accept
// them.
const maxSkipped = 20

func pushProject(cmd *cobra.Command, languages languageList, o *projectFlags) error {
	dir, err := projectDir(o.project)
	if err != nil {
		return err
	}
	all, err := lookup.New(openStore(languages, true)).Graphs(cmd.Context(), dir, "")
	if err != nil {
		return err
	}
	// Directories reveal information about this machine, and the server does not need them.
	data := depgraph.JSON(all)
	for i := range data.Languages {
		l := &data.Languages[i]
		l.Root, l.Problems = "", nil
		for n := range l.Packages {
			l.Packages[n].Dir, l.Packages[n].File = "", ""
			if filepath.IsAbs(l.Packages[n].Location) || strings.HasPrefix(l.Packages[n].Location, "file:") {
				l.Packages[n].Location = ""
			}
		}
	}
	body, err := json.Marshal(data)
	if err != nil {
		return err
	}
	name := o.name
	if name == "" {
		name = projectName(dir)
	}
	answer, err := o.send(cmd.Context(), http.MethodPut, name, body)
	if err != nil {
		return err
	}
	var p pushedProject
	if err := json.Unmarshal(answer, &p); err != nil {
		return fmt.Errorf("the server's response cannot be read: %w", quote.Error(err))
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "Pushed %s. The server's tools accept projectPath %s\n", quote.Count(p.Packages, "package"), markup.Clean(p.ProjectPath))
	if len(p.Skipped) > 0 {
		fmt.Fprintf(out, "Not pushed, because these packages do not come from a registry: %s\n", markup.Clean(quote.List(p.Skipped, maxSkipped)))
	}
	return nil
}

var notInName = lazyregexp.New(`[^A-Za-z0-9._-]+`)

// projectName returns a name for the project in a directory.
func projectName(dir string) string {
	name := strings.Trim(notInName().ReplaceAllString(filepath.Base(dir), "-"), "._-")
	return name[:min(len(name), 64)]
}

func listProjects(cmd *cobra.Command, o *projectFlags) error {
	answer, err := o.send(cmd.Context(), http.MethodGet, "", nil)
	if err != nil {
		return err
	}
	var list struct{ Projects []pushedProject }
	if err := json.Unmarshal(answer, &list); err != nil {
		return fmt.Errorf("the server's response cannot be read: %w", quote.Error(err))
	}
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, p := range list.Projects {
		fmt.Fprintf(w, "project:%s\t%s\tpushed %s\n", markup.Clean(p.Name), quote.Count(p.Packages, "package"), p.Pushed.Format(time.DateOnly))
	}
	return w.Flush()
}

// projectsURL returns the URL of a project on the server, or of all projects if name is "".
func (o *projectFlags) projectsURL(name string) (*url.URL, error) {
	server := o.server
	if server == "" {
		server = os.Getenv(serverVariable)
	}
	if server == "" {
		return nil, errors.New("specify the server with --server URL or " + serverVariable)
	}
	u, err := upstream.ParseServer(server)
	if err != nil {
		return nil, err
	}
	u = u.JoinPath("v1", "projects")
	if name != "" {
		u = u.JoinPath(name)
	}
	if o.group != "" {
		u.RawQuery = url.Values{"group": {o.group}}.Encode()
	}
	return u, nil
}

// projectTimeout is the maximum time of a request to the server.
const projectTimeout = time.Minute

// send sends a request about projects, and returns the body of the response.
func (o *projectFlags) send(ctx context.Context, method, name string, body []byte) ([]byte, error) {
	u, err := o.projectsURL(name)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, projectTimeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	key := os.Getenv(upstream.KeyVariable)
	if err := upstream.Authorize(r, key); err != nil {
		return nil, err
	}
	certificates := upstream.CertificatesOf(upstream.Certificates{}, os.Getenv)
	if err := certificates.Check(u); err != nil {
		return nil, err
	}
	response, err := certificates.Client().Do(r)
	if err != nil {
		return nil, ecosystem.Fail(ecosystem.Unreachable, "%s cannot be reached: %v", u.Host, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxServerAnswer))
	switch text := quote.Line(string(answer), quote.Max); {
	case err != nil:
		return nil, fmt.Errorf("the response from %s cannot be read: %w", u.Host, err)
	case response.StatusCode == http.StatusUnauthorized && key != "":
		return nil, fmt.Errorf("%s does not accept the key or token in %s: it is unknown, revoked or expired; ask the operator of the server for a new one", u.Host, upstream.KeyVariable)
	case response.StatusCode == http.StatusUnauthorized:
		return nil, fmt.Errorf("%s needs a key, a token or a client certificate: set %s (docent token create creates keys) or %s", u.Host, upstream.KeyVariable, upstream.CertVariable)
	case response.StatusCode == http.StatusNotFound && method != http.MethodDelete:
		return nil, fmt.Errorf("%s does not accept projects: it is not a shared docent server, or its version is too old", u.Host)
	case response.StatusCode >= http.StatusMultipleChoices:
		return nil, fmt.Errorf("%s rejected the request: %s (HTTP status %d)", u.Host, text, response.StatusCode)
	}
	return answer, nil
}
