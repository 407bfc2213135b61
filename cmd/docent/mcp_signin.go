package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// signIn contains the flags for signing in to servers.
type signIn struct {
	clientID string
	scopes   []string
	paste    bool
	private  bool
	// unattended allows the browser to be opened without a terminal. It is used by a proxy that a
	// host has started.
	unattended bool
}

// secretVariable is the environment variable for the secret of the client in --client-id.
const secretVariable = "DOCENT_CLIENT_SECRET" //nolint:gosec // a name

func (s *signIn) flags(cmd *cobra.Command) {
	flags := cmd.PersistentFlags()
	flags.StringVar(&s.clientID, "client-id", "", "sign in as this preregistered client; its secret, if any, is in "+secretVariable)
	flags.StringArrayVar(&s.scopes, "scope", nil, "request this scope in addition to the scopes that the server requires")
	flags.BoolVar(&s.paste, "paste", false, "use a browser on another machine to sign in, and paste the URL of the last page")
	flags.BoolVar(&s.private, "allow-private", false, "allow the sign-in to access private networks")
}

// errNoUser is returned if a server requires the user to sign in and no user is present.
var errNoUser = errors.New("the server requires you to sign in, which needs a terminal")

// authorizer returns the Authorizer for a server.
func (m *mcpCommand) authorizer(server string) (mcp.Authorizer, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, ran(fmt.Errorf("docent cannot store tokens: %w", err))
	}
	c := &auth.OAuthClient{
		Server: server, Name: "Docent", Scopes: m.signIn.scopes, AllowPrivate: m.signIn.private,
		Browser: m.streams.browse,
		Store:   auth.FileStore{Dir: filepath.Join(dir, "docent", "sign-ins")},
	}
	if m.signIn.clientID != "" {
		c.Registrations = []auth.Registration{{ClientID: m.signIn.clientID, ClientSecret: os.Getenv(secretVariable)}}
	}
	switch {
	case m.interactive() && m.signIn.paste:
		c.Receive = auth.Paste(m.streams.in, m.streams.err)
	case !m.interactive() && (!m.signIn.unattended || m.noInput):
		c.Browser = func(context.Context, string) error { return errNoUser }
	}
	return c, nil
}

func (m *mcpCommand) newSignOut() *cobra.Command {
	return &cobra.Command{
		Use:     "sign-out URL",
		Short:   "Delete the stored tokens for a server",
		Example: "  docent mcp sign-out https://mcp.example.com/mcp",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !isURL(args[0]) {
				return fmt.Errorf("%q is not the URL of a server", args[0])
			}
			authorizer, err := m.authorizer(args[0])
			if err != nil {
				return err
			}
			return ran(authorizer.(*auth.OAuthClient).SignOut(cmd.Context(), args[0]))
		},
	}
}
