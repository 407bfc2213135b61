package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/check/apart"
	"github.com/docent-mcp/docent/internal/compare"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
)

func newDiff(s streams, languages languageList) *cobra.Command {
	known := languages(true)
	q := question{languages: languages}
	var maxTokens int
	var used, all, exitCode bool
	var against string
	const usage = "docent diff [LANG] PACKAGE[@OLD] [[PACKAGE]@NEW] [SYMBOL...]"
	cmd := &cobra.Command{
		Use:   strings.TrimPrefix(usage, "docent "),
		Short: "Print the changes between two versions of a package",
		Long: `Diff compares the declarations of two versions of a package and of the
packages below it: what was removed, moved, changed, deprecated and added. Each change
is breaking, risky or compatible by the rules of the language. Diff does not build or
run anything.

By default, OLD is the version that your project uses, and NEW is the newest version.
NEW can be a package with a different name, such as the next major version. In a
project that uses the package, diff lists only changes that affect the project's code,
and the affected places; --all lists all changes. A question mark after a place means
that the place uses a member with that name, but the member may belong to another
type.

With --against, PACKAGE is the directory of your own package. Diff compares it with an
earlier state: a revision in its git repository (a tag, a branch or a commit) or
another directory. Diff then prints the version number that semantic versioning
requires.

With SYMBOL, diff lists only changes to these symbols and their members. With
--exit-code, the exit code is 1 if a listed change is breaking.`,
		Example:           examplesOf("diff", known, func(h *ecosystem.Help) []string { return []string{h.Versioned} }),
		Args:              languageAndPackage(known, usage),
		ValidArgsFunction: complete(languages, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop := s.withProgress(cmd)
			defer stop()
			l := q.lookup()
			args, err := q.withLanguage(cmd, l, args, true)
			if err != nil {
				return ran(err)
			}
			var report *compare.Report
			if against != "" {
				if !ecosystem.IsDirectory(args[1]) {
					return fmt.Errorf("--against compares your own package: specify its directory, such as . or ./lib, instead of %q", args[1])
				}
				report, err = compareAgainst(cmd.Context(), l, args[0], args[1], against, strings.Join(args[2:], " "))
			} else {
				var c lookup.Comparison
				if c, err = comparisonOf(q.about(cmd, l, args), args[2:]); err != nil {
					return err
				}
				if c.Used = !all; used && c.Old.Project == "" {
					return errors.New("--used needs a project: specify its directory with --project")
				}
				report, err = l.Compare(cmd.Context(), c)
			}
			if err != nil {
				return ran(err)
			}
			if used && !report.Used {
				return ran(fmt.Errorf("the project's code does not use %s: omit --used to see all changes", report.Old.Package))
			}
			if q.json {
				err = encode(cmd.OutOrStdout(), report)
			} else {
				out := s.newScreen(cmd.Context(), known, q.plain)
				if out.rich && !cmd.Flags().Changed("max-tokens") {
					maxTokens = 0 // on a terminal, the output is shown in a pager
				}
				err = out.show(report.Text(answer.Notice, answer.Bytes(maxTokens), compare.Hints{
					All: "--all shows them", Narrow: "name single symbols", Larger: "raise --max-tokens (0 for no limit)",
				}))
			}
			if err == nil && exitCode && report.Breaks() {
				err = &silentError{exitFailure}
			}
			return ran(err)
		},
	}
	q.flags(cmd)
	f := cmd.Flags()
	f.BoolVar(&used, "used", false, "list only changes that affect the project's code (default in a project that uses the package)")
	f.BoolVar(&all, "all", false, "list all changes")
	f.StringVar(&against, "against", "", "compare your own package with a `REVISION|DIR`")
	f.BoolVar(&exitCode, "exit-code", false, "exit with 1 if a listed change is breaking")
	f.IntVar(&maxTokens, "max-tokens", answer.DefaultMaxTokens, "maximum length of the answer in tokens; 0 for no limit")
	cmd.MarkFlagsMutuallyExclusive("used", "all", "against")
	_ = f.MarkHidden("web-docs")
	return cmd
}

// comparisonOf returns the comparison for the packages and symbols on a command line. old is the
// first package on the command line.
func comparisonOf(old lookup.Package, rest []string) (lookup.Comparison, error) {
	c := lookup.Comparison{Old: old, New: old, Types: apart.Types}
	c.New.Name, c.New.Version = "", ""
	if len(rest) > 0 && strings.Contains(rest[0], "@") {
		name, version, _ := cutVersion(rest[0])
		if version == "" {
			return c, fmt.Errorf("%q does not contain a version: write PACKAGE@VERSION or @VERSION", rest[0])
		}
		c.New.Name, c.New.Version = name, version
		rest = rest[1:]
	}
	c.Symbols = strings.Join(rest, " ")
	return c, nil
}

// cutVersion splits PACKAGE@VERSION. The name of a package can also begin with an @.
func cutVersion(s string) (name, version string, ok bool) {
	i := strings.LastIndex(s, "@")
	if i < 0 || i == 0 && strings.Contains(s, "/") {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}
