package main

import (
	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
)

// depsFlags are the flags of docent deps.
type depsFlags struct {
	project, why string
	tree, json   bool
}

func newDeps(languages languageList) *cobra.Command {
	var o depsFlags
	cmd := &cobra.Command{
		Use:   "deps [LANGUAGE]",
		Short: "List the packages that the project depends on",
		Long: `Deps lists every package of the project in every language: its version, the file
that says so, whether the project requires it itself or which packages do, what
is used in several versions, and what is not installed. It reads local files
only: lock files, manifests, and what is installed.

Packages for other platforms, and for features that are off, are listed as not
used on this machine.`,
		Example: `  docent deps
  docent deps --tree
  docent deps --why NAME
  docent deps --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			hurry(mostGarbage)
			return ran(runDeps(cmd, languages, &o, args))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.project, "project", "", "directory of the project (default the working directory)")
	f.BoolVar(&o.tree, "tree", false, "print what requires what as a tree")
	f.StringVar(&o.why, "why", "", "print through which packages the project requires the one with this `NAME`")
	f.BoolVar(&o.json, "json", false, "print JSON")
	cmd.MarkFlagsMutuallyExclusive("tree", "why", "json")
	_ = cmd.MarkFlagDirname("project")
	cmd.ValidArgsFunction = completeLanguage(languages)
	return cmd
}

// runDeps prints the packages of the project.
func runDeps(cmd *cobra.Command, languages languageList, o *depsFlags, args []string) error {
	dir, err := projectDir(o.project)
	if err != nil {
		return err
	}
	language := ""
	if len(args) > 0 {
		language = args[0]
	}
	all, err := lookup.New(openStore(languages(true))).Graphs(cmd.Context(), dir, language)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	switch {
	case o.json:
		return encode(out, depgraph.JSON(all))
	case o.tree:
		return depgraph.Tree(out, all)
	case o.why != "":
		found, err := depgraph.Why(out, all, o.why)
		if err == nil && !found {
			return ecosystem.Fail(ecosystem.NotFound, "the project in %s does not depend on %.200q", dir, o.why).WithNext("docent deps lists its packages")
		}
		return err
	}
	return depgraph.Text(out, all)
}
