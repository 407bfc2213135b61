package main

import (
	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/check/apart"
)

func newTypes(s streams, languages languageList) *cobra.Command {
	return &cobra.Command{
		Use:    apart.Command,
		Short:  "Check the types of the files named on standard input",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			usualPercent.Store(typesPercent)
			maxMemory.Store(typesMemory)
			return ran(apart.Serve(cmd.Context(), s.in, cmd.OutOrStdout(), languages(true)))
		},
	}
}
