package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/catalog"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/resolve"
	"github.com/docent-mcp/docent/internal/store"
	"github.com/docent-mcp/docent/internal/teamserver/command"
	"github.com/docent-mcp/docent/internal/upstream"
	"github.com/docent-mcp/docent/internal/webdocs"
)

// openStore returns the store. All processes of the user share its cache on disk. It requests
// packages that are not on this machine from the server that the environment specifies.
func openStore(languages languageList, offline bool) *store.Store {
	cache := cachedir.New(cachedir.Default(os.Getenv), cachedir.Options{})
	up := command.Upstream(upstream.Settings{}, version(), offline)
	return store.New(languages(offline || up != nil), store.Options{Cache: cache, Upstream: up})
}

// webDocs returns the reader of documentation from the web, or nil if neither the flag nor the
// environment enables it.
func webDocs(enabled, offline bool) catalog.Web { return command.WebDocs(version(), enabled, offline) }

// webDocsFlag adds the flag that enables documentation from the web.
func webDocsFlag(cmd *cobra.Command, request *bool) {
	cmd.Flags().BoolVar(request, "web-docs", false, `also read the llms.txt of a package's homepage and the docs/ directory of its
repository at its version, as `+webdocs.Variable+`=1 does`)
}

// projectFlag adds the flag for the project's directory.
func projectFlag(cmd *cobra.Command, project *string) {
	cmd.Flags().StringVar(project, "project", "", "directory of the project (default the working directory)")
	_ = cmd.MarkFlagDirname("project")
}

// offlineFlag adds the flag that forbids network access.
func offlineFlag(cmd *cobra.Command, offline *bool) {
	cmd.Flags().BoolVar(offline, "offline", false, "do not use the network; the same as DOCENT_OFFLINE=1")
}

// question contains the flags that describe, search and other commands share.
type question struct {
	languages languageList

	project  string
	version  string
	platform string
	features string
	json     bool
	offline  bool
	webDocs  bool
	plain    bool
}

func (q *question) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&q.project, "project", "", `directory of the project that determines the version (default the
working directory if it is in a project; --project= for no project)`)
	f.StringVar(&q.version, "version", "", "version of the package, like PACKAGE@VERSION (default the project's version, or else the newest)")
	f.StringVar(&q.platform, "platform", "", "platform for which to read the package (default this machine's platform)")
	f.StringVar(&q.features, "features", "", "additional features or traits of the package to enable, separated by commas, or all")
	f.BoolVar(&q.json, "json", false, "print the complete result as JSON")
	f.BoolVar(&q.plain, "plain", false, "print plain Markdown, as models receive it, even on a terminal")
	offlineFlag(cmd, &q.offline)
	webDocsFlag(cmd, &q.webDocs)
	_ = cmd.MarkFlagDirname("project")
}

// lookup opens the store and returns a Lookup for the question.
func (q *question) lookup() *lookup.Lookup {
	l := lookup.New(openStore(q.languages, q.offline))
	l.Web, l.Single = webDocs(q.webDocs, q.offline), true
	return l
}

// about returns the question for the package in the first two arguments.
func (q *question) about(cmd *cobra.Command, l *lookup.Lookup, args []string) lookup.Package {
	project := q.project
	if !cmd.Flags().Changed("project") {
		project = workingProject(l.Languages(), args[0])
	}
	return lookup.Package{Language: args[0], Name: args[1], Version: q.version, Project: project, Platform: q.platform, Features: q.features}
}

// workingProject returns the working directory if it is in a project of the language, and otherwise
// "".
func workingProject(languages ecosystem.Languages, language string) string {
	dir, err := os.Getwd()
	if l := languages.Find(language); err != nil || l == nil || !l.HasProject(dir) {
		return ""
	}
	return dir
}

// withLanguage returns the arguments with the language as the first one. In a project, the language
// may be omitted. It then defaults to the project's language. If the project has several languages,
// the first one is used or, if packaged is true, the first one that contains the package.
func (q *question) withLanguage(cmd *cobra.Command, l *lookup.Lookup, args []string, packaged bool) ([]string, error) {
	project := q.project
	if dir, err := os.Getwd(); err == nil && !cmd.Flags().Changed("project") {
		project = dir
	}
	if language := packageNamedAsLanguage(l.Languages(), project, args); language != "" && packaged {
		return append([]string{language}, args...), nil
	}
	if l.Languages().Find(args[0]) != nil {
		if len(args) == 1 && packaged {
			return nil, ecosystem.Fail(ecosystem.Invalid, "specify a package after %s: %s", args[0], cmd.UseLine())
		}
		return args, nil
	}
	about := lookup.Package{Name: args[0], Project: project}
	find := func() (*ecosystem.Info, error) { return l.LanguageOf(cmd.Context(), about) }
	switch {
	case project == "" || !slices.ContainsFunc(l.Languages(), func(each ecosystem.Language) bool { return each.HasProject(project) }):
		if !packaged {
			return nil, ecosystem.Fail(ecosystem.Invalid, "a search of all dependencies needs a project").WithNext("specify its directory with --project, or a package instead of --all")
		}
		return nil, q.ambiguous(cmd, args)
	case !packaged:
		find = func() (*ecosystem.Info, error) { return l.LanguageOfProject(about) }
	}
	language, err := find()
	if err != nil {
		return nil, err
	}
	return append([]string{string(language.ID)}, args...), nil
}

// ambiguous returns the error for a package without a language outside of a project. It lists
// commands with a language.
func (q *question) ambiguous(cmd *cobra.Command, args []string) error {
	known := q.languages(true)
	e := ecosystem.Fail(ecosystem.Invalid, "%q is not one of the languages %s; outside a project, specify the language", args[0], strings.Join(known.IDs(), ", "))
	candidates := resolve.Candidates(cmd.Context(), known, args[0])
	if len(candidates) == 0 {
		return e.WithNext("specify the language and the package")
	}
	var lines strings.Builder
	for _, c := range candidates {
		fmt.Fprintf(&lines, "\n  %s %s %s", cmd.CommandPath(), c.Language, c.Package)
		words := args[1:]
		if c.Symbol != "" {
			words = slices.Insert(slices.Clone(words), 0, c.Symbol)
		}
		for _, word := range words {
			lines.WriteString(" " + shellWord(word))
		}
		if !c.Local {
			lines.WriteString(" (queries the registry)")
		}
	}
	return e.WithNext("it can be one of these:%s", lines.String())
}

// shellWord returns a word, quoted for a shell if necessary.
func shellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("._-/:@,+", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// languageAndPackage returns a function that checks the first two arguments of
// describe and search.
func languageAndPackage(known ecosystem.Languages, usage string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return fmt.Errorf("specify a language and a package: %s", usage)
		case len(args) == 1 && slices.Contains(known.IDs(), args[0]):
			return fmt.Errorf("specify a package after %s: %s", args[0], usage)
		}
		return nil
	}
}

// packageNamedAsLanguage returns the language of the package in the first word of a command line,
// if that word is also an alias of a language. The project must have a package with that name, and
// no package with the name in the second word. The ID of a language always means the language.
func packageNamedAsLanguage(languages ecosystem.Languages, dir string, args []string) string {
	spelled := languages.Find(args[0])
	if spelled == nil || dir == "" || slices.Contains(languages.IDs(), args[0]) {
		return ""
	}
	for _, language := range languages {
		if lookup.HasPackage(language, dir, args[0]) && !(len(args) > 1 && lookup.HasPackage(spelled, dir, args[1])) {
			return string(language.Info().ID)
		}
	}
	return ""
}
