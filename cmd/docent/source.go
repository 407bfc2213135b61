package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/markup"
)

// sourceData is the JSON output for the source of a symbol.
type sourceData struct {
	Language string `json:"language"`
	Package  string `json:"package"`
	Version  string `json:"version,omitempty"`
	Path     string `json:"path"`
	File     string `json:"file"`
	First    int    `json:"first"` // line number, starting with 1
	Last     int    `json:"last"`
	Code     string `json:"code"`
}

func newSource(s streams, languages languageList) *cobra.Command {
	known := languages(true)
	q := question{languages: languages}
	var around int
	var all bool
	const usage = "docent source [LANG] PACKAGE[@VERSION] SYMBOL..."
	cmd := &cobra.Command{
		Use:   strings.TrimPrefix(usage, "docent "),
		Short: "Print the source of symbols",
		Long: `Source prints the declarations of symbols with their bodies and line numbers, from the package's files at the version that your project uses.

Docent finds the end of a declaration by brackets or indentation, without a parser. If
a declaration has more than 500 lines, source prints only its beginning and its
length; --all prints the whole declaration. If a package contains only declarations
and compiled code, source prints the declaration.`,
		Example: examplesOf("source", known, func(h *ecosystem.Help) []string {
			return slices.DeleteFunc(slices.Clone(h.Describe), func(args string) bool { return !strings.Contains(args, " ") || strings.Contains(args, "--") })
		}),
		Args: languageAndPackage(known, usage), ValidArgsFunction: complete(languages, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop := s.withProgress(cmd)
			defer stop()
			l := q.lookup()
			args, err := q.withLanguage(cmd, l, args, true)
			if err != nil {
				return ran(err)
			}
			if len(args) < 3 {
				return fmt.Errorf("specify a symbol after %s; usage: %s", args[1], usage)
			}
			if around < 0 {
				return fmt.Errorf("--context must be a number of lines, not %d", around)
			}
			found, problems, err := l.Sources(cmd.Context(), lookup.Description{Package: q.about(cmd, l, args), Symbols: strings.Join(args[2:], " ")})
			if err != nil {
				return ran(err)
			}
			for _, problem := range problems {
				fmt.Fprintf(cmd.ErrOrStderr(), "docent: %s\n", markup.Clean(problem.Error()))
			}
			if q.json {
				return ran(encode(cmd.OutOrStdout(), sourcesData(found)))
			}
			var b strings.Builder
			for i := range found {
				if i > 0 {
					b.WriteString("\n")
				}
				b.WriteString(found[i].Markdown(lookup.SourceView{Around: around, Whole: all, Rest: func(lookup.Lines) string { return "--all prints them" }}))
			}
			return ran(s.newScreen(cmd.Context(), known, q.plain).show(b.String()))
		},
	}
	q.flags(cmd)
	cmd.Flags().IntVarP(&around, "context", "C", lookup.AroundSource, "number of lines to print before and after each declaration")
	cmd.Flags().BoolVar(&all, "all", false, "print the whole declaration, even if it is long")
	_ = cmd.Flags().MarkHidden("web-docs")
	return cmd
}

// sourcesData returns the JSON output for sources.
func sourcesData(found []lookup.Source) []sourceData {
	all := make([]sourceData, len(found))
	for i := range found {
		f := &found[i]
		all[i] = sourceData{
			Language: string(f.Ecosystem), Package: f.Name, Version: f.Version, Path: f.Symbol.Path,
			File: f.Symbol.File, First: f.First, Last: f.Last, Code: strings.Join(f.Lines[max(f.First-1, 0):f.Last], "\n"),
		}
	}
	return all
}
