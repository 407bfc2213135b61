package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/progress"
)

func newDoctor(s streams, languages languageList) *cobra.Command {
	var project string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Print what docent finds on this machine, and any problems",
		Long: `Doctor prints everything that docent would use to find packages:
toolchains, caches, registries, proxies, whether credentials are present (never their
values), the project, and the files of MCP hosts that docent setup writes. Doctor does
not use the network. To check that they respond, it starts the servers called docent in
the user configuration of your MCP hosts, but not those in files of the project; it does
not run any other program. The exit code is 1 if there is a problem.`,
		Example: `  docent doctor
  docent doctor --project ~/src/app`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			explicit := cmd.Flags().Changed("project")
			if dir, err := os.Getwd(); !explicit && err == nil {
				project = dir
			}
			s, stop := s.withProgress(cmd)
			defer stop()
			task := progress.Begin(cmd.Context(), "Examining this machine")
			defer task.End()
			store := openStore(languages, false)
			known := store.Languages()
			facts := []ecosystem.Fact{
				{Name: "docent", Value: version()},
				{Name: "platform", Value: runtime.GOOS + "/" + runtime.GOARCH},
				store.Doctor(),
			}
			if fact, ok := store.Upstream(); ok {
				facts = append(facts, fact)
			}
			projects := 0
			var manifests []string
			for _, l := range known {
				dir := ""
				if project != "" && l.HasProject(project) {
					dir = project
					projects++
				}
				facts = append(facts, l.Doctor(dir)...)
				manifests = append(manifests, l.Info().Manifests...)
			}
			facts = append(facts, hostFacts(cmd.Context())...)
			if project != "" {
				facts = append(facts, projectHostFacts(project)...)
			}
			if explicit && project != "" && projects == 0 {
				facts = append(facts, ecosystem.Fact{
					Name: "project", Value: project, Problem: noneOf(manifests) + " is there or in any directory above",
				})
			}
			if asJSON {
				return ran(report(cmd.OutOrStdout(), facts, true))
			}
			return ran(s.newScreen(cmd.Context(), nil, false).text(func(w io.Writer) error { return report(w, facts, false) }))
		},
	}
	cmd.Flags().StringVar(&project, "project", "", "project directory to examine (default the working directory if it is in a project)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the facts as JSON")
	_ = cmd.MarkFlagDirname("project")
	return cmd
}

// noneOf joins the names as "neither a, b nor c".
func noneOf(names []string) string {
	if len(names) == 1 {
		return "no " + names[0]
	}
	return "neither " + strings.Join(names[:len(names)-1], ", ") + " nor " + names[len(names)-1]
}

// report prints facts and returns a silentError if one of them is a problem.
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
