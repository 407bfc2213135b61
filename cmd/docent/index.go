package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/depindex"
	"github.com/docent-mcp/docent/internal/lookup"
)

func newIndex(s streams, languages languageList) *cobra.Command {
	var project string
	var stdout, check bool
	var maxBytes int
	cmd := &cobra.Command{
		Use:   "index",
		Short: "Write an index of the project's dependencies into AGENTS.md",
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir := project
			if dir == "" {
				var err error
				if dir, err = os.Getwd(); err != nil {
					return ran(err)
				}
			}
			l := lookup.New(openStore(languages(true)))
			all, err := l.DependencyIndex(cmd.Context(), dir, nil)
			if err != nil {
				return ran(err)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), depindex.Text(all, maxBytes))
			return ran(err)
		},
	}
	cmd.Flags().StringVar(&project, "project", "", "directory of the project (default the working directory)")
	cmd.Flags().BoolVar(&stdout, "stdout", false, "")
	cmd.Flags().BoolVar(&check, "check", false, "")
	cmd.Flags().IntVar(&maxBytes, "max-bytes", depindex.MaxBytes, "bound of the index in bytes")
	return cmd
}
