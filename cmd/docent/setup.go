package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/setup"
)

// setupFlags contains the flags of docent setup and docent remove.
type setupFlags struct {
	hosts             []string
	project           string
	user, yes, dryRun bool
	noRule, hooks     bool
	secrets           []string // values that must not be shown
}

func (f *setupFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringSliceVar(&f.hosts, "host", nil, "a host to change; repeat the flag for several hosts (default all hosts on this machine)")
	flags.StringVar(&f.project, "project", "", "change the files in this project directory")
	flags.BoolVar(&f.user, "user", false, "change the user's files (default)")
	flags.BoolVar(&f.yes, "yes", false, "do not ask")
	flags.BoolVar(&f.dryRun, "dry-run", false, "only show the changes")
	cmd.MarkFlagsMutuallyExclusive("project", "user")
	cmd.MarkFlagsMutuallyExclusive("yes", "dry-run")
	_ = cmd.MarkFlagDirname("project")
	_ = cmd.RegisterFlagCompletionFunc("host", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return setup.Names(), cobra.ShellCompDirectiveNoFileComp
	})
}

func newSetup(s streams) *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "setup",
		Short: "Add docent to the coding agents on this machine",
		Long: `Setup finds the coding agents on this machine, shows what it will
change in their configuration, and asks for confirmation once. Then it writes the
entry for docent's server, and a rule that tells the agent to look up packages before
it writes code. With --hooks, it also writes a hook that runs "docent check" after the
agent has edited a file, for Claude Code, Codex, Cursor and Gemini CLI. It replaces an
entry called docent that has different settings, and does not change anything else in
the files. Without a terminal, --yes is required. "docent remove" undoes the changes,
and restores a replaced entry.`,
		Example: `  docent setup
  docent setup --hooks
  docent setup --host claude-code --host codex --yes
  docent setup --project . --dry-run`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, s, setup.Setup) },
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&f.noRule, "no-rule", false, "do not write the rule")
	cmd.Flags().BoolVar(&f.hooks, "hooks", false, "also write the hook that checks edited files")
	return cmd
}

func newRemove(s streams) *cobra.Command {
	var f setupFlags
	cmd := &cobra.Command{
		Use:   "remove",
		Short: "Remove docent from the coding agents on this machine",
		Long: `Remove deletes what "docent setup" wrote to the hosts' configuration:
the entry for docent's server, the rule and the hook. It keeps other changes to the
files. It shows what it will change and asks for confirmation once; without a
terminal, --yes is required.`,
		Example: `  docent remove
  docent remove --host cursor --yes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd, s, setup.Remove) },
	}
	f.add(cmd)
	return cmd
}

func (f *setupFlags) run(_ *cobra.Command, s streams, makePlan func(setup.Machine, setup.Options) (*setup.Plan, error)) error {
	if !f.yes && !f.dryRun && !s.inTerminal {
		return errors.New("docent cannot ask for confirmation without a terminal; use --yes to make the changes, or --dry-run to see them")
	}
	project := f.project
	if project != "" {
		var err error
		if project, err = filepath.Abs(project); err != nil {
			return ran(err)
		}
		if info, err := os.Stat(project); err != nil || !info.IsDir() {
			return fmt.Errorf("--project %s is not a directory", f.project)
		}
	}
	m := setup.Machine{OS: runtime.GOOS, Env: environ.Parse(nil)}
	program, err := ownCommand(m.Env)
	if err != nil {
		return ran(err)
	}
	p, err := makePlan(m, setup.Options{Hosts: f.hosts, Project: project, NoRule: f.noRule, Hooks: f.hooks, Command: program})
	if err != nil {
		return ran(err)
	}
	return ran(f.carryOut(s, m, p))
}

// redact removes secrets from a diff, including their escaped forms.
func (f *setupFlags) redact(diff string) string {
	for _, secret := range f.secrets {
		quoted, _ := json.Marshal(secret)
		for _, form := range []string{secret, string(quoted[1 : len(quoted)-1])} {
			diff = strings.ReplaceAll(diff, form, "[redacted]")
		}
	}
	return diff
}

// carryOut shows a plan, asks for confirmation, and executes it.
func (f *setupFlags) carryOut(s streams, m setup.Machine, p *setup.Plan) error {
	for i := range p.Changes {
		c := &p.Changes[i]
		fmt.Fprintf(s.out, "%s:\n%s\n", strings.Join(c.Hosts, ", "), f.redact(c.Diff()))
	}
	for _, note := range p.Notes {
		fmt.Fprintln(s.err, note)
	}
	var failure error
	if p.Failed {
		failure = &silentError{exitFailure}
	}
	if len(p.Changes) == 0 {
		fmt.Fprintln(s.out, "Nothing to change.")
		return failure
	}
	if f.dryRun {
		return failure
	}
	if !f.yes {
		fmt.Fprint(s.out, "Make these changes? [y/N] ")
		answer, _ := bufio.NewReader(s.in).ReadString('\n')
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
		default:
			fmt.Fprintln(s.out, "Nothing was changed.")
			return failure
		}
	}
	backups, err := p.Apply(m)
	if err != nil {
		return err
	}
	fmt.Fprintf(s.out, "Changed files: %d. Restart the hosts to apply the changes.\n", len(p.Changes))
	for _, backup := range backups {
		fmt.Fprintf(s.out, "Backup: %s\n", backup)
	}
	return failure
}

// ownCommand returns the command that starts this program. It is the program's name if it is in
// PATH, and otherwise its path.
func ownCommand(env environ.Env) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	executable, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if found := env.LookPath("docent"); found != "" {
		if info, err := os.Stat(found); err == nil && os.SameFile(info, executable) {
			return "docent", nil
		}
	}
	return path, nil
}
