package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/check/apart"
	"github.com/docent-mcp/docent/internal/git"
)

// checkFlags contains the flags of docent check.
type checkFlags struct {
	project, filename, failOn, hook, changed string
	stdin, offline, markdown                 bool
	json, sarif, github                      bool
}

func newCheck(s streams, languages languageList) *cobra.Command {
	var o checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find uses of packages that do not match the project's versions",
		Long: `Check reads source files and reports uses of packages that do not match the
versions that the project uses: packages that do not exist, names that are missing or not public,
calls with arguments that no declaration accepts, fields that a type does not have,
and deprecated symbols. Check does not build or run anything. It only counts the uses that it cannot check.

Without PATH, check reads the whole project, except files that .gitignore files
exclude. A comment "docent:ignore REASON" suppresses the findings on its line. If the
comment is on a line of its own, it suppresses the findings on the next line.`,
		Annotations: exitCodesOf("0  there are no findings", "1  there are findings, or docent failed", "2  the command line is not valid",
			"4  docent could not look up a package"),
		Example: `  docent check
  docent check internal/db cmd/main.go
  docent check --changed=main
  docent check --markdown README.md docs
  docent check --sarif > docent.sarif
  docent check --stdin --filename internal/db/db.go < internal/db/db.go`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.stdin != (o.filename != "") || o.stdin && len(args) > 0 {
				return errors.New("--stdin requires --filename and accepts no other files")
			}
			if o.failOn != "error" && o.failOn != "warning" && o.failOn != "never" {
				return fmt.Errorf("--fail-on must be error, warning or never, not %q", o.failOn)
			}
			if _, known := hookHosts[o.hook]; o.hook != "" && !known {
				return fmt.Errorf("--hook must be claude, codex, cursor or gemini, not %q", o.hook)
			}
			maxMemory.Store(checkMemory)
			if o.hook != "" {
				packages := openStore(languages, o.offline)
				return ran(runHook(cmd.Context(), &check.Checker{Packages: packages, Languages: packages.Languages(), Types: apart.Types, Markdown: o.markdown}, o.hook, o.project, s.in, cmd.OutOrStdout()))
			}
			s, stop := s.withProgress(cmd)
			defer stop()
			return ran(runCheck(cmd, s, languages, &o, args))
		},
	}
	f := cmd.Flags()
	projectFlag(cmd, &o.project)
	f.BoolVar(&o.offline, "offline", false, "use only files on this machine")
	f.BoolVar(&o.stdin, "stdin", false, "check standard input as the content of the file in --filename")
	f.StringVar(&o.filename, "filename", "", "name of the file on standard input, in the project")
	f.BoolVar(&o.markdown, "markdown", false, "also check fenced code blocks in Markdown files")
	f.StringVar(&o.failOn, "fail-on", "error", "the lowest severity for which the exit code is 1: error, warning or never")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.sarif, "sarif", false, "print SARIF 2.1.0, for code scanning")
	f.BoolVar(&o.github, "github", false, "print annotations for GitHub Actions")
	f.StringVar(&o.changed, "changed", "", "check only files that differ from a git `REVISION`, by default HEAD: --changed=main")
	f.Lookup("changed").NoOptDefVal = "HEAD"
	f.StringVar(&o.hook, "hook", "", "respond to an agent's hook event on standard input: claude, codex, cursor or gemini")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif", "github", "hook")
	cmd.MarkFlagsMutuallyExclusive("changed", "stdin", "hook")
	_ = cmd.RegisterFlagCompletionFunc("hook", cobra.FixedCompletions(slices.Sorted(maps.Keys(hookHosts)), cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("fail-on", cobra.FixedCompletions([]string{"error", "warning", "never"}, cobra.ShellCompDirectiveNoFileComp))
	cmd.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	return cmd
}

// runCheck checks files and prints the report. It returns a silentError if there are
// findings.
func runCheck(cmd *cobra.Command, s streams, languages languageList, o *checkFlags, args []string) error {
	dir, err := projectDir(o.project)
	if err != nil {
		return err
	}
	packages := openStore(languages, o.offline)
	checker := &check.Checker{Packages: packages, Languages: packages.Languages(), Types: apart.Types, Markdown: o.markdown, Versions: true}
	var report *check.Report
	if o.stdin {
		text, err := io.ReadAll(io.LimitReader(s.in, check.MaxSource+1))
		if err != nil {
			return err
		}
		if report, err = checker.Text(cmd.Context(), dir, o.filename, text); err != nil {
			return err
		}
	} else if o.changed != "" {
		if report, err = checker.Changed(cmd.Context(), dir, o.changed, args); err != nil {
			return err
		}
	} else if report, err = checker.Paths(cmd.Context(), dir, args); err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if !o.json {
		report.Below(projectPath(dir, o.sarif || o.github))
	}
	switch {
	case o.json:
		err = encode(out, report)
	case o.sarif:
		err = report.SARIF(out, version())
	case o.github:
		err = report.GitHub(out)
	default:
		err = s.newScreen(cmd.Context(), nil, false).text(report.Text)
	}
	switch {
	case err != nil:
		return err
	case report.Fails(o.failOn):
		return &silentError{exitFailure}
	case len(report.Problems) > 0:
		return &silentError{exitUnreachable}
	}
	return nil
}

// projectPath returns the path of a project's directory relative to the working directory or, if inRepository is true,
// to the top directory of its git repository, as code scanning and annotations need it.
func projectPath(dir string, inRepository bool) string {
	base, err := os.Getwd()
	if top, failed := git.WorkTree(dir); inRepository && failed == nil {
		base, err = top, nil
	}
	rel, failed := filepath.Rel(base, dir)
	if err != nil || failed != nil {
		return dir
	}
	return rel
}
