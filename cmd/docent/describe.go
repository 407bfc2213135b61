package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apijson"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/resolve"
)

func newDescribe(s streams, languages languageList) *cobra.Command {
	known := languages(true)
	q := question{languages: languages}
	var maxTokens int
	var section string
	var symbols []string
	var types, examples, brief, all bool
	const usage = "docent describe [LANG] PACKAGE[@VERSION] [SYMBOL...]"
	cmd := &cobra.Command{
		Use:   strings.TrimPrefix(usage, "docent "),
		Short: "Print the documentation of a package or of some of its symbols",
		Long: `Describe prints the documentation of a package, or of some of its
symbols together with everything needed to call them, as Markdown, within a token
budget. Cuts are marked. A small package is printed in full. Describe uses the version
that your project uses. Outside a project, or for a package that the project does not
use, it uses the newest version. The second line of the output shows the version and
the reason for it.

LANG is one of these languages; in a project, you can omit it:
` + languageHelp(known) + `
PACKAGE is the name of a package, as a program imports it, or a
directory of the project. Separate several packages with commas. SYMBOL is a path
within the package, as written in code, or a pattern such as 'With*'. You can specify
several symbols. For a type, describe shows only a summary of its members; specify the
members that you want to call. If the only argument is a number, describe opens the
result with this number from the last search on a terminal. With --section, describe
prints the README, a guide or an example from the package, before any symbols.`,
		Example: examplesOf("describe", known, func(h *ecosystem.Help) []string { return h.Describe }),
		Args: func(cmd *cobra.Command, args []string) error {
			if _, ok := resultNumber(args); ok {
				return nil
			}
			return languageAndPackage(known, usage)(cmd, args)
		},
		ValidArgsFunction: complete(languages, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop := s.withProgress(cmd)
			defer stop()
			l := q.lookup()
			out := s.newScreen(cmd.Context(), known, q.plain)
			if number, ok := resultNumber(args); ok {
				r, err := lastResult(number)
				if err != nil {
					return ran(err)
				}
				args, section = q.open(cmd, r)
			}
			args, err := q.withLanguage(cmd, l, args, true)
			if err != nil {
				return ran(err)
			}
			args = append(args, symbols...)
			about := q.about(cmd, l, args)
			switch {
			case all, maxTokens == 0:
				maxTokens = -1
			case brief:
				maxTokens = briefTokens
			}
			o := answer.Options{MaxTokens: maxTokens, Guide: guide(args)}
			if out.rich {
				o.Guide.Larger = "add --all"
			}
			if section != "" {
				p := lookup.Prose{Package: about, Section: section, Limit: answer.Bytes(maxTokens)}
				if q.json && len(args) > 2 {
					return errors.New("--json prints either a section or symbols: omit one of them")
				}
				if err := writeSections(cmd, out, l, p, q.json, o.Guide); err != nil || len(args) == 2 {
					return ran(err)
				}
				if _, err := io.WriteString(cmd.OutOrStdout(), "\n"); err != nil {
					return ran(err)
				}
			}
			d := lookup.Description{
				Package: about, Symbols: strings.Join(args[2:], " "), WithoutTypes: !types, WithoutExamples: !examples, Options: o,
			}
			if q.json {
				return ran(writeJSON(cmd, l, d))
			}
			a, err := l.Describe(cmd.Context(), d)
			if err != nil {
				return ran(err)
			}
			return ran(out.show(a.Text))
		},
	}
	q.flags(cmd)
	cmd.Flags().StringArrayVar(&symbols, "symbol", nil, "a symbol to describe, like the arguments after PACKAGE; you can repeat this flag")
	cmd.Flags().StringVar(&section, "section", "", "print a section of the package's prose, such as readme, docs/api, examples/basic or changelog")
	cmd.Flags().BoolVar(&types, "types", true, "also print interfaces and type aliases")
	cmd.Flags().BoolVar(&examples, "examples", true, "show examples, too")
	cmd.Flags().BoolVar(&brief, "brief", false, "print only the most important parts")
	cmd.Flags().BoolVar(&all, "all", false, "print everything, like --max-tokens 0")
	cmd.Flags().IntVar(&maxTokens, "max-tokens", answer.DefaultMaxTokens, "maximum length of the answer in tokens; 0 for no limit")
	cmd.MarkFlagsMutuallyExclusive("brief", "all", "max-tokens")
	_ = cmd.RegisterFlagCompletionFunc("section", completeSections(languages))
	return cmd
}

// briefTokens is the budget of an answer with --brief.
const briefTokens = 1000

// languageHelp returns a text that lists the languages, each with its aliases and examples of
// symbols.
func languageHelp(known ecosystem.Languages) string {
	var b strings.Builder
	for _, l := range known {
		i := l.Info()
		names := strings.Join(append([]string{string(i.ID)}, i.Spellings...), ", ")
		fmt.Fprintf(&b, "  %s: symbols such as %s\n", names, strings.Join(i.Help.Symbols, ", "))
	}
	return b.String()
}

// guide returns texts that tell shell users how to see the omitted parts of an answer.
func guide(args []string) answer.Guide {
	about := strings.Join(args[:2], " ")
	if len(resolve.SplitNames(args[1])) > 1 {
		about = args[0] + " PACKAGE"
	}
	return answer.Guide{
		Symbol: "run docent describe " + about + " %s",
		Search: "run docent search " + about + " WORDS",
		Larger: "raise --max-tokens (0 for no limit)",
		More:   "raise --limit (0 shows all)",

		Project: "Specify your project's directory with --project",

		Section: "run docent describe " + about + " --section %s",
	}
}

// writeSections writes the sections that q selects. If asJSON is true, it writes JSON, and
// otherwise text with advice from g.
func writeSections(cmd *cobra.Command, out *screen, l *lookup.Lookup, q lookup.Prose, asJSON bool, g answer.Guide) error {
	if asJSON {
		sections, err := l.Sections(cmd.Context(), q)
		if err != nil {
			return err
		}
		return encode(cmd.OutOrStdout(), sections)
	}
	q.More = answer.Hints{Section: "with --section", Query: "with docent search", Larger: g.Larger, Project: g.Project}
	a, err := l.Prose(cmd.Context(), q)
	if err != nil {
		return err
	}
	return out.show(a.Text)
}

// writeJSON writes the packages or, if d contains symbols, these symbols. It writes one as an
// object and several as a list. It reports missing symbols on standard error.
func writeJSON(cmd *cobra.Command, l *lookup.Lookup, d lookup.Description) error {
	targets, problems, err := l.Select(cmd.Context(), d)
	if err != nil {
		return err
	}
	for _, problem := range problems {
		fmt.Fprintf(cmd.ErrOrStderr(), "docent: %s\n", markup.Clean(problem.Error()))
	}
	var all []any
	for _, t := range targets {
		if t.Symbol == nil {
			all = append(all, apijson.NewPackage(t.Package))
		} else {
			all = append(all, apijson.NewPackageSymbol(t.Package, t.Symbol, t.Notice))
		}
	}
	if len(all) == 1 {
		return encode(cmd.OutOrStdout(), all[0])
	}
	return encode(cmd.OutOrStdout(), all)
}
