package main

import (
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/depgraph"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/progress"
)

// depsFlags contains the flags of docent deps.
type depsFlags struct {
	project, why                  string
	tree, outdated, json, offline bool
}

func newDeps(s streams, languages languageList) *cobra.Command {
	var o depsFlags
	cmd := &cobra.Command{
		Use:   "deps [LANGUAGE]",
		Short: "List the packages that the project depends on",
		Long: `Deps lists every package that the project depends on, in every
language. For each package, it shows the version, the file that determines the
version, and whether the project requires the package directly or through other
packages. It also shows which packages occur in several versions, and which are not
installed. It reads local files only: lock files, manifests and installed packages.

It lists packages for other platforms and for disabled features as not used on this
machine.

With --outdated, it queries the registries for newer versions: the newest that the
project's manifests allow, and the newest of all. It lists the packages that have a
newer version, and those whose version is deprecated or yanked.`,
		Annotations: exitCodesOf("0  docent listed the packages", "1  docent failed", "2  the command line is not valid",
			"4  docent could not reach a registry"),
		Example: `  docent deps
  docent deps --tree
  docent deps --why NAME
  docent deps --outdated
  docent deps --json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop := s.withProgress(cmd)
			defer stop()
			return ran(runDeps(cmd, s.newScreen(cmd.Context(), nil, false), languages, &o, args))
		},
	}
	f := cmd.Flags()
	projectFlag(cmd, &o.project)
	f.BoolVar(&o.tree, "tree", false, "print the dependencies as a tree")
	f.StringVar(&o.why, "why", "", "for each version of `NAME`, print the packages through which the project requires it")
	f.BoolVar(&o.outdated, "outdated", false, "query the registries, and list packages that have a newer version")
	f.BoolVar(&o.json, "json", false, "print JSON")
	offlineFlag(cmd, &o.offline)
	cmd.MarkFlagsMutuallyExclusive("tree", "why", "json")
	cmd.MarkFlagsMutuallyExclusive("tree", "why", "outdated")
	cmd.ValidArgsFunction = completeLanguage(languages)
	return cmd
}

// projectGraphs returns the packages of a project in the language that args contains, or else in all
// languages.
func projectGraphs(cmd *cobra.Command, languages languageList, offline bool, project string, args []string) (l *lookup.Lookup, dir string, all []depgraph.Language, err error) {
	if dir, err = projectDir(project); err != nil {
		return nil, "", nil, err
	}
	language := ""
	if len(args) > 0 {
		language = args[0]
	}
	l = lookup.New(openStore(languages, offline))
	all, err = l.Graphs(cmd.Context(), dir, language)
	return l, dir, all, err
}

// runDeps prints the packages of the project.
func runDeps(cmd *cobra.Command, out *screen, languages languageList, o *depsFlags, args []string) error {
	l, dir, all, err := projectGraphs(cmd, languages, o.offline || !o.outdated, o.project, args)
	if err != nil {
		return err
	}
	switch {
	case o.outdated:
		return runOutdated(cmd, out, l, dir, all, o.json)
	case o.json:
		return encode(cmd.OutOrStdout(), depgraph.JSON(all))
	case o.tree:
		return out.text(func(w io.Writer) error { return depgraph.Tree(w, all) })
	case o.why != "":
		found := false
		err := out.text(func(w io.Writer) (err error) {
			found, err = depgraph.Why(w, all, o.why)
			return err
		})
		if err == nil && !found {
			return ecosystem.Fail(ecosystem.NotFound, "the project in %s does not depend on %.200q", dir, o.why).WithNear(depgraph.Near(all, o.why)...).WithNext("docent deps lists the packages that it depends on")
		}
		return err
	}
	return out.text(func(w io.Writer) error { return depgraph.Text(w, all) })
}

// runOutdated prints what registries know about the project's packages. It returns a silentError if
// a registry could not be reached.
func runOutdated(cmd *cobra.Command, out *screen, l *lookup.Lookup, dir string, all []depgraph.Language, asJSON bool) error {
	report, end := progress.Count(cmd.Context(), "Looking for newer versions")
	err := l.Releases(cmd.Context(), dir, all, report)
	end()
	if err != nil {
		return err
	}
	if asJSON {
		err = encode(cmd.OutOrStdout(), depgraph.JSON(all))
	} else {
		err = out.text(func(w io.Writer) error { return depgraph.Outdated(w, all, time.Now()) })
	}
	for i := range all {
		for _, r := range all[i].Releases {
			if err == nil && r != nil && lookup.Unreachable(r.Err) {
				err = &silentError{exitUnreachable}
			}
		}
	}
	return err
}
