package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/teamserver/command"
)

func newConfig() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config",
		Short: "Check a configuration file for docent serve",
		Args:  onlyCommands,
		RunE:  func(cmd *cobra.Command, _ []string) error { return ran(cmd.Help()) },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "check FILE",
		Short: "Check whether docent serve would start with a configuration file",
		Long: `Check reads the file and all files that it refers to, as docent serve
--config FILE does, with the ` + command.VariablePrefix + ` variables of the environment. It does not
open any ports. It accepts settings for docent-team but does not check them; use
docent-team config check FILE.`,
		Example: `  docent config check docent.toml`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			served := &cobra.Command{}
			var o serveFlags
			o.add(served)
			o.Config, o.IgnoreTeam = args[0], true
			config, err := o.Load(served.Flags())
			if err != nil {
				return err
			}
			if err := o.Check(config); err != nil {
				return ran(err)
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is valid: %s, %s.\n", args[0], quote.Count(len(config.Settings), "setting"), quote.Count(len(config.Groups), "group"))
			return ran(err)
		},
	})
	return cmd
}
