package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/check"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// maxSource bounds, in bytes, one source file that is checked.
const maxSource = 4 << 20

// checkFlags are the flags of docent check.
type checkFlags struct {
	project, filename, failOn string
	stdin, offline            bool
	json, sarif, github       bool
}

func newCheck(s streams, languages languageList) *cobra.Command {
	var o checkFlags
	cmd := &cobra.Command{
		Use:   "check [PATH...]",
		Short: "Find uses of packages that the project's versions do not offer",
		Long: `Check reads source files and reports what they use of packages although the
packages, at the versions that the project uses, do not have it: packages that
do not exist, names that are absent or not public, calls with arguments that no
declaration accepts, fields that a type does not have, and deprecated symbols.
Nothing is built or run. What cannot be decided is counted and not reported.

Without a PATH, check reads the whole project, except what its .gitignore files
leave out. A comment "docent:ignore REASON" suppresses the findings of its line, or
of the next line if it stands alone.

Exit codes: 0 no findings, 1 findings, 2 wrong usage, 4 a package could not be
looked up.`,
		Example: `  docent check
  docent check internal/db cmd/main.go
  docent check --sarif > docent.sarif
  docent check --stdin --filename internal/db/db.go < internal/db/db.go`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.stdin != (o.filename != "") || o.stdin && len(args) > 0 {
				return errors.New("--stdin needs --filename, and takes no other file")
			}
			if o.failOn != "error" && o.failOn != "warning" && o.failOn != "never" {
				return fmt.Errorf("--fail-on is error, warning or never, not %q", o.failOn)
			}
			hurry()
			return ran(runCheck(cmd, s, languages, &o, args))
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.project, "project", "", "directory of the project (default the working directory)")
	f.BoolVar(&o.offline, "offline", false, "read only what is on this machine")
	f.BoolVar(&o.stdin, "stdin", false, "check standard input as the content of --filename")
	f.StringVar(&o.filename, "filename", "", "name of the file on standard input, relative to the project")
	f.StringVar(&o.failOn, "fail-on", "error", "the least finding that makes the exit code 1: error, warning or never")
	f.BoolVar(&o.json, "json", false, "print JSON")
	f.BoolVar(&o.sarif, "sarif", false, "print SARIF 2.1.0, for code scanning")
	f.BoolVar(&o.github, "github", false, "print annotations for GitHub Actions")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif", "github")
	_ = cmd.MarkFlagDirname("project")
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
	known := languages(o.offline)
	checker := &check.Checker{Packages: openStore(known), Languages: known}
	fsys := rootfs.New(dir)
	read := func(name string) ([]byte, error) { return readSource(fsys, name) }
	var names []string
	if o.stdin {
		text, err := io.ReadAll(io.LimitReader(s.in, maxSource+1))
		if err != nil {
			return err
		}
		if len(text) > maxSource {
			return fmt.Errorf("standard input has more than %d bytes", maxSource)
		}
		name, err := within(dir, o.filename)
		if err != nil {
			return err
		}
		names, read = []string{name}, func(string) ([]byte, error) { return text, nil }
	} else if names, err = sourceFiles(checker, fsys, dir, args); err != nil {
		return err
	}
	report, err := checker.Files(cmd.Context(), dir, names, read)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	switch {
	case o.json:
		err = encode(out, report)
	case o.sarif:
		err = report.SARIF(out, version())
	case o.github:
		err = report.GitHub(out)
	default:
		err = report.Text(out)
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

// within returns the path of a file relative to a directory, which must hold it.
func within(dir, name string) (string, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(dir, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", fmt.Errorf("%s is not in the project %s; name its directory with --project", name, dir)
	}
	return filepath.ToSlash(rel), nil
}

// sourceFiles returns the source files that the arguments name, by default those of the
// whole project.
func sourceFiles(c *check.Checker, fsys fs.FS, dir string, args []string) (names []string, err error) {
	if len(args) == 0 {
		args = []string{dir}
	}
	for _, arg := range args {
		name, err := within(dir, arg)
		if err != nil {
			return nil, err
		}
		info, err := fs.Stat(fsys, name)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s cannot be read: %w", arg, err)
		case info.IsDir():
			below, more, err := c.Tree(fsys, name)
			if err != nil {
				return nil, err
			}
			if more {
				return nil, fmt.Errorf("%s has more than %d source files; name a directory below it", arg, len(below))
			}
			names = append(names, below...)
		case !c.IsSource(name):
			return nil, fmt.Errorf("%s is not source code that docent checks (its extension is %q)", arg, path.Ext(name))
		default:
			names = append(names, name)
		}
	}
	return names, nil
}

// readSource reads a source file of a project.
func readSource(fsys fs.FS, name string) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("it is no regular file")
	case info.Size() > maxSource:
		return nil, fmt.Errorf("it has %d bytes, more than %d", info.Size(), maxSource)
	}
	return io.ReadAll(io.LimitReader(f, maxSource))
}
