package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/ecosystem/golang"
)

func newDoctor() *cobra.Command {
	var project string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Print what docent finds on this machine, and what is amiss",
		Long: `Doctor prints what packages would be looked for with: toolchains, caches,
proxies, whether credentials are present (never their values), and the project.
It runs nothing and asks no network. It exits with 1 if something is amiss.`,
		Example: `  docent doctor
  docent doctor --project ~/src/app`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			g := golang.New(golang.Options{Version: version()})
			if !cmd.Flags().Changed("project") {
				if dir, err := os.Getwd(); err == nil && g.HasProject(dir) {
					project = dir
				}
			}
			facts := append([]golang.Fact{
				{Name: "docent", Value: version()},
				{Name: "platform", Value: runtime.GOOS + "/" + runtime.GOARCH},
			}, g.Doctor(project)...)
			return ran(report(cmd.OutOrStdout(), facts, asJSON))
		},
	}
	cmd.Flags().StringVar(&project, "project", "", "directory of a project to look at (default the working directory if it is in one)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the facts as JSON")
	_ = cmd.MarkFlagDirname("project")
	return cmd
}

// report prints facts, and fails silently if one of them is a problem.
func report(w io.Writer, facts []golang.Fact, asJSON bool) error {
	amiss := false
	width := 0
	for _, f := range facts {
		amiss = amiss || f.Problem != ""
		width = max(width, len(f.Name))
	}
	if asJSON {
		if err := encode(w, facts); err != nil {
			return err
		}
	} else {
		for _, f := range facts {
			if f.Value != "" {
				fmt.Fprintf(w, "%-*s  %s\n", width, f.Name, f.Value)
			}
			if f.Problem != "" {
				fmt.Fprintf(w, "%-*s  ! %s\n", width, f.Name, f.Problem)
			}
		}
	}
	if amiss {
		return &silentError{exitFailure}
	}
	return nil
}
