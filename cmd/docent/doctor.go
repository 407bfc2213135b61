package main

import (
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang"
	"github.com/docent-mcp/docent/internal/ecosystem/npm"
)

func newDoctor() *cobra.Command {
	var project string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Print what docent finds on this machine, and what is amiss",
		Long: `Doctor prints what packages would be looked for with: toolchains, caches,
registries, proxies, whether credentials are present (never their values), and
the project. It runs nothing and asks no network. It exits with 1 if something is amiss.`,
		Example: `  docent doctor
  docent doctor --project ~/src/app`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			given := cmd.Flags().Changed("project")
			if dir, err := os.Getwd(); !given && err == nil {
				project = dir
			}
			worlds := []world{golang.New(golang.Options{Version: version()}), npm.New(npm.Options{Version: version()})}
			facts := []ecosystem.Fact{
				{Name: "docent", Value: version()},
				{Name: "platform", Value: runtime.GOOS + "/" + runtime.GOARCH},
				openStore(true).Doctor(),
			}
			of := 0
			for _, w := range worlds {
				dir := ""
				if project != "" && w.HasProject(project) {
					dir = project
					of++
				}
				facts = append(facts, w.Doctor(dir)...)
			}
			if given && project != "" && of == 0 {
				facts = append(facts, ecosystem.Fact{
					Name: "project", Value: project, Problem: "neither go.mod, go.work nor package.json is there or in any directory above",
				})
			}
			return ran(report(cmd.OutOrStdout(), facts, asJSON))
		},
	}
	cmd.Flags().StringVar(&project, "project", "", "directory of a project to look at (default the working directory if it is in one)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the facts as JSON")
	_ = cmd.MarkFlagDirname("project")
	return cmd
}

// world is a package world that can tell what it finds on this machine.
type world interface {
	HasProject(dir string) bool
	Doctor(projectDir string) []ecosystem.Fact
}

// report prints facts, and fails silently if one of them is a problem.
func report(w io.Writer, facts []ecosystem.Fact, asJSON bool) error {
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
