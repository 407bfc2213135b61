package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/teamserver/apikey"
)

// keysVariable is the environment variable with the path of the key file if no flag specifies it.
const keysVariable = "DOCENT_SERVE_KEYS"

// keyAge is the default validity of a key.
const keyAge = "365d"

func newToken() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "token",
		Short: "Manage the keys of a server's clients",
		Long: `Token manages the keys that clients use to sign in to docent serve --http --keys FILE.
The file contains the hash of each key, its name, groups, dates and last four
characters, but not the key itself. The server reloads the file when it changes.`,
		Args: onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return ran(cmd.Help()) },
	}
	cmd.PersistentFlags().StringVar(&file, "keys", "", "the key file (default "+keysVariable+")")
	path := func() (string, error) {
		if file == "" {
			file = os.Getenv(keysVariable)
		}
		if file == "" {
			return "", errors.New("specify the key file with --keys, or in " + keysVariable)
		}
		return file, nil
	}
	cmd.AddCommand(newTokenCreate(path), newTokenList(path), newTokenRevoke(path))
	return cmd
}

func newTokenCreate(path func() (string, error)) *cobra.Command {
	var groups []string
	var age string
	cmd := &cobra.Command{
		Use:   "create NAME",
		Short: "Create a key and print it once",
		Example: `  docent token create alice --keys keys.json
  docent token create ci --group payments --expires 90d --keys keys.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := path()
			if err != nil {
				return err
			}
			var expires time.Time
			if age != "never" {
				valid, err := parseAge(age)
				if err != nil || valid <= 0 {
					return fmt.Errorf("--expires %.50q: specify hours or days, such as 12h or 90d, or never", age)
				}
				expires = time.Now().Add(valid)
			}
			for _, name := range append([]string{args[0]}, groups...) {
				if err := apikey.CheckName(name); err != nil {
					return err
				}
			}
			text, key, err := apikey.Create(file, args[0], groups, expires)
			if err != nil {
				return ran(err)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "Key %s for %s, which expires %s. Docent will not show it again:\n", key.ID, key.Name, expiry(&key))
			_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
			return ran(err)
		},
	}
	cmd.Flags().StringSliceVar(&groups, "group", nil, "a group of the key's owner")
	cmd.Flags().StringVar(&age, "expires", keyAge, "how long the key is valid, such as 12h or 90d, or never")
	return cmd
}

func newTokenList(path func() (string, error)) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the keys in a file",
		Example: `  docent token list --keys keys.json`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			file, err := path()
			if err != nil {
				return err
			}
			keys, err := apikey.Load(file)
			if err != nil {
				return ran(err)
			}
			if asJSON {
				type listed struct {
					apikey.Key
					SHA256  string `json:"sha256,omitempty"` // omits the hash from the output
					Expired bool   `json:"expired"`
				}
				all := []listed{}
				for _, k := range keys {
					all = append(all, listed{Key: k, Expired: k.Expired(time.Now())})
				}
				return ran(encode(cmd.OutOrStdout(), all))
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ID\tNAME\tGROUPS\tCREATED\tEXPIRES\tKEY")
			for _, k := range keys {
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t…%s\n", k.ID, k.Name, strings.Join(k.Groups, ","), k.Created.Format(time.DateOnly), expiry(&k), k.LastFour)
			}
			return ran(w.Flush())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newTokenRevoke(path func() (string, error)) *cobra.Command {
	return &cobra.Command{
		Use:     "revoke ID|NAME",
		Short:   "Revoke a key, or all keys with the same name",
		Example: `  docent token revoke ci --keys keys.json`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file, err := path()
			if err != nil {
				return err
			}
			keys, err := apikey.Revoke(file, args[0])
			if err != nil {
				return ran(err)
			}
			for _, k := range keys {
				fmt.Fprintf(cmd.OutOrStdout(), "Revoked key %s for %s (…%s).\n", k.ID, k.Name, k.LastFour)
			}
			return nil
		},
	}
}

// expiry returns the expiry time of a key as text.
func expiry(k *apikey.Key) string {
	switch {
	case k.Expires.IsZero():
		return "never"
	case k.Expired(time.Now()):
		return k.Expires.Format(time.DateOnly) + " (expired)"
	}
	return k.Expires.Format(time.DateOnly)
}
