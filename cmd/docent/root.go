package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/naming"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/teamserver/command"
	"github.com/docent-mcp/docent/internal/terminal"
)

// These exit codes are documented in the help.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2
	exitNotFound    = 3
	exitUnreachable = 4
)

const exitCodes = `Exit codes:
  0  docent printed the answer
  1  docent cannot show or read the package, doctor found a problem, or docent failed
  2  the command line or the question is not valid
  3  the package, version or symbol does not exist, or nothing matches
  4  docent could not reach a registry or proxy
`

// streams contains the input and the outputs of a command.
type streams struct {
	in       io.Reader
	out, err io.Writer
	// These fields report which of the streams are terminals.
	inTerminal, outTerminal, errTerminal bool
	// line shows the progress of the command. It is nil if progress is not shown.
	line *progress.Line
	// browse opens a page in a browser. If it is nil, the user's browser is used.
	browse func(ctx context.Context, page string) error
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string, s streams, languages languageList) int {
	root := newRoot(s, languages)
	root.SetArgs(args)
	root.SetIn(s.in)
	root.SetOut(s.out)
	root.SetErr(s.err)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = ran(errors.New("interrupted"))
	}
	code := exitOf(err)
	if _, quiet := errors.AsType[*silentError](err); !quiet {
		text := "docent: " + markup.Clean(err.Error()) + "\n" // errors can contain text from servers
		if next := nextStep(cmd, languages(true), err, code); next != "" {
			text += next + "\n"
		}
		if s.errTerminal {
			text = terminal.Text(text, s.columns())
		}
		_, _ = io.WriteString(s.err, text)
	}
	return code
}

func newRoot(s streams, languages languageList) *cobra.Command {
	known := languages(true)
	online := languages
	languages = func(offline bool) ecosystem.Languages {
		if offline {
			return known
		}
		return online(false)
	}
	root := &cobra.Command{
		Use:   "docent",
		Short: "Documentation of your project's dependencies, at the versions you use",
		Long: `Docent shows the documentation of your project's dependencies, at the versions you
use, on the command line and to coding agents over the Model Context Protocol. It
reads local installations first, and never runs, imports or builds what it reads.`,
		Example: strings.Join([]string{
			firstExamples("describe", known, func(h *ecosystem.Help) []string { return h.Describe }),
			firstExamples("search", known, func(h *ecosystem.Help) []string { return h.Search }),
			"  docent serve",
		}, "\n"),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          onlyCommands,
		RunE:          func(cmd *cobra.Command, _ []string) error { return ran(cmd.Help()) },
	}
	root.AddCommand(newDescribe(s, languages), newSearch(s, languages), newSource(s, languages), newServe(s, languages), newDoctor(s, languages), newMCP(s), newVersion(languages), newIndex(s, languages), newDeps(s, languages), newWeb(s, languages), newBrowse(s, languages), newFetch(s, languages), newSkills(s, languages), newCache(), newCheck(s, languages), newTypes(s, languages), newDiff(s, languages), newMan())
	root.AddCommand(newAudit(s, languages), newLicenses(s, languages), newSetup(s), newRemove(s))
	root.AddCommand(newToken(), newConfig(), newProject(languages))
	root.Version = version()
	root.SetVersionTemplate("docent {{.Version}}\n")
	root.InitDefaultHelpCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() == "help" { // the arguments of help may be a complete command, including flags
			cmd.FParseErrWhitelist.UnknownFlags = true
		}
	}
	root.SetHelpTemplate(helpTemplate)
	s.wrapHelp(root)
	root.CompletionOptions.SetDefaultShellCompDirective(cobra.ShellCompDirectiveNoFileComp)
	return root
}

// examplesOf returns the languages' examples for a command, one per line.
func examplesOf(command string, known ecosystem.Languages, choose func(*ecosystem.Help) []string) string {
	var lines []string
	for _, l := range known {
		for _, args := range choose(&l.Info().Help) {
			lines = append(lines, "  docent "+command+" "+string(l.Info().ID)+" "+args)
		}
	}
	return strings.Join(lines, "\n")
}

// firstExamples returns each language's first example for a command.
func firstExamples(command string, known ecosystem.Languages, choose func(*ecosystem.Help) []string) string {
	return examplesOf(command, known, func(h *ecosystem.Help) []string {
		all := choose(h)
		return all[:min(len(all), 1)]
	})
}

// helpTemplate is cobra's template, followed by the exit codes of the command or else the general ones.
const helpTemplate = `{{with (or .Long .Short)}}{{. | trimTrailingWhitespaces}}

{{end}}{{if or .Runnable .HasSubCommands}}{{.UsageString}}{{end}}
{{with index .Annotations "` + exitCodesKey + `"}}{{.}}{{else}}` + exitCodes + `{{end}}`

// exitCodesKey is the key of the annotation that exitCodesOf returns.
const exitCodesKey = "exit codes"

// exitCodesOf returns the annotation of a command whose exit codes differ from the general ones. Each
// line describes one code.
func exitCodesOf(lines ...string) map[string]string {
	return map[string]string{exitCodesKey: "Exit codes:\n  " + strings.Join(lines, "\n  ") + "\n"}
}

// wrapHelp wraps the help of commands to the width of the terminal and shows it in a pager.
func (s streams) wrapHelp(root *cobra.Command) {
	if !s.outTerminal {
		return
	}
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := s.newScreen(cmd.Context(), nil, false)
		if !out.rich {
			help(cmd, args)
			return
		}
		root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", fmt.Sprintf(".FlagUsagesWrapped %d ", out.width)))
		_ = out.text(func(w io.Writer) error {
			long := cmd.Long
			cmd.Long = reflow(long, min(out.width, maxHelpWidth))
			cmd.SetOut(w)
			help(cmd, args)
			cmd.SetOut(nil)
			cmd.Long = long
			return nil
		})
	})
}

// maxHelpWidth is the maximum width in columns of prose in a help text.
const maxHelpWidth = 100

// reflow wraps paragraphs to a width. It does not change indented lines.
func reflow(text string, width int) string {
	var out, paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			out = append(out, terminal.Wrap(strings.Join(paragraph, " "), width)...)
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == ' ' {
			end()
			out = append(out, line)
			continue
		}
		paragraph = append(paragraph, line)
	}
	end()
	return strings.Join(out, "\n")
}

// onlyCommands refuses an argument of a command that has only subcommands, and suggests subcommands
// with similar names.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	err := fmt.Errorf("there is no command %.100q in %s", args[0], cmd.CommandPath())
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, " or "))
	}
	return err
}

// ranError marks an error of a running command. Other errors from cobra mean incorrect usage.
type ranError = command.RunError

func ran(err error) error {
	if err == nil {
		return nil
	}
	return &ranError{Err: err}
}

// silentError contains an exit code if the error has already been printed.
type silentError struct{ code int }

func (e *silentError) Error() string { return fmt.Sprintf("exit code %d", e.code) }

// exitOf returns the exit code of an error.
func exitOf(err error) int {
	if quiet, ok := errors.AsType[*silentError](err); ok {
		return quiet.code
	}
	if failed, ok := errors.AsType[*mcpError](err); ok {
		return failed.code
	}
	if _, ok := errors.AsType[*naming.NoSymbolError](err); ok {
		return exitNotFound
	}
	if _, ok := errors.AsType[*naming.NoMatchError](err); ok {
		return exitNotFound
	}
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok {
		switch failed.Reason {
		case ecosystem.NotFound:
			return exitNotFound
		case ecosystem.Unreachable:
			return exitUnreachable
		case ecosystem.Invalid:
			return exitUsage
		}
		return exitFailure
	}
	if _, ok := errors.AsType[*ranError](err); ok {
		return exitFailure
	}
	return exitUsage
}

// nextStep returns advice for an error whose message contains none, or "".
func nextStep(cmd *cobra.Command, known ecosystem.Languages, err error, code int) string {
	if failed, ok := errors.AsType[*naming.NoSymbolError](err); ok {
		args, language := cmd.Flags().Args(), ""
		if len(args) > 0 && known.Find(args[0]) != nil {
			language, args = args[0]+" ", args[1:]
		}
		name := failed.Package // the argument may also contain a symbol, as in chi.Router
		if len(args) > 0 && !strings.Contains(args[0], ",") {
			if _, version, ok := strings.Cut(strings.TrimPrefix(args[0], "@"), "@"); ok {
				name += "@" + version
			}
		}
		return "To see everything in it: docent describe " + language + shellWord(name)
	}
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok && failed.Reason == ecosystem.NotFound {
		if args := cmd.Flags().Args(); len(args) > 1 && known.Find(args[0]) == nil && !strings.ContainsAny(args[0], "@/.:") {
			return args[0] + " is not a language, so docent used it as the name of a package; the languages are: " + strings.Join(known.IDs(), ", ")
		}
	}
	if _, ok := errors.AsType[*ecosystem.Error](err); ok || code != exitUsage {
		return ""
	}
	return "See: " + cmd.CommandPath() + " --help"
}
