package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/store"
)

// openStore opens the store that the user's processes share.
func openStore(languages ecosystem.Languages) *store.Store {
	cache := cachedir.New(cachedir.Of(os.Getenv), cachedir.Options{})
	return store.New(languages, store.Options{Cache: cache})
}

// offlineFlag forbids network access.
func offlineFlag(cmd *cobra.Command, offline *bool) {
	cmd.Flags().BoolVar(offline, "offline", false, "ask no network, as DOCENT_OFFLINE=1 does")
}

// question holds the flags that describe and search share.
type question struct {
	languages languageList

	project  string
	platform string
	json     bool
	offline  bool
}

func (q *question) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&q.project, "project", "", `directory of the project that chooses the version (default the working
directory if it is in a project; --project= for none)`)
	f.StringVar(&q.platform, "platform", "", "platform whose files to read (default your own)")
	f.BoolVar(&q.json, "json", false, "print everything as JSON, nothing cut")
	offlineFlag(cmd, &q.offline)
	_ = cmd.MarkFlagDirname("project")
}

// about returns the query for the package that the first two arguments name.
func (q *question) about(cmd *cobra.Command, l *lookup.Lookup, args []string) lookup.Package {
	project := q.project
	if !cmd.Flags().Changed("project") {
		project = workingProject(l.Languages(), args[0])
	}
	return lookup.Package{Language: args[0], Name: args[1], Project: project, Platform: q.platform}
}

// workingProject returns the working directory if it is in a project of the
// language, else "".
func workingProject(languages ecosystem.Languages, language string) string {
	dir, err := os.Getwd()
	if l := languages.Find(language); err != nil || l == nil || !l.HasProject(dir) {
		return ""
	}
	return dir
}

// languageAndPackage checks the first two arguments of describe and search.
func languageAndPackage(usage string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return fmt.Errorf("name a language and a package: %s", usage)
		case len(args) == 1:
			return fmt.Errorf("name a package after %s: %s", args[0], usage)
		}
		return nil
	}
}
