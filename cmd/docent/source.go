package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/markup"
)

const (
	// maxUnaskedLines bounds a declaration that is printed whole without --all.
	maxUnaskedLines = 500
	// linesOfLong is how many lines of a longer one are printed.
	linesOfLong = 60
)

// sourceData is the JSON of the source of a symbol.
type sourceData struct {
	Language string `json:"language"`
	Package  string `json:"package"`
	Version  string `json:"version,omitempty"`
	Path     string `json:"path"`
	File     string `json:"file"`
	First    int    `json:"first"` // line, from 1
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
		Long: `Source prints the declarations of symbols with their bodies and line numbers, as they
are in the package's files at the version that your project uses.

The end of a declaration is found without a parser, by brackets or indentation. If a
declaration has more than 500 lines, only its beginning and its length are printed;
--all prints all of it. If a package ships only declarations and compiled code, the
declaration is printed.`,
		Example: examplesOf("source", known, func(h *ecosystem.Help) []string {
			return slices.DeleteFunc(slices.Clone(h.Describe), func(args string) bool { return !strings.Contains(args, " ") || strings.Contains(args, "--") })
		}),
		Args: languageAndPackage(known, usage), ValidArgsFunction: complete(languages, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			hurry(mostGarbage)
			l := q.lookup()
			args, err := q.withLanguage(cmd, l, args, true)
			if err != nil {
				return ran(err)
			}
			if len(args) < 3 {
				return fmt.Errorf("a symbol is missing after %s; usage: %s", args[1], usage)
			}
			if around < 0 {
				return fmt.Errorf("--context is a number of lines, not %d", around)
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
				writeSource(&b, &found[i], around, all)
			}
			return ran(s.newScreen(cmd.Context(), known, q.plain).show(b.String()))
		},
	}
	q.flags(cmd)
	cmd.Flags().IntVarP(&around, "context", "C", 3, "how many lines to print before and after each declaration")
	cmd.Flags().BoolVar(&all, "all", false, "print long declarations whole")
	_ = cmd.Flags().MarkHidden("web-docs")
	return cmd
}

// sourcesData returns the JSON of sources.
func sourcesData(found []lookup.Source) []sourceData {
	all := make([]sourceData, len(found))
	for i := range found {
		f := &found[i]
		all[i] = sourceData{
			Language: string(f.Package.Ecosystem), Package: f.Package.Name, Version: f.Package.Version, Path: f.Symbol.Path,
			File: f.Symbol.File, First: f.First, Last: f.Last, Code: strings.Join(f.Lines[max(f.First-1, 0):f.Last], "\n"),
		}
	}
	return all
}

// writeSource writes a source as Markdown: a head, and the numbered lines.
func writeSource(b *strings.Builder, f *lookup.Source, around int, all bool) {
	p := f.Package
	name := p.Name
	if p.Version != "" {
		name += "@" + p.Version
	}
	fmt.Fprintf(b, "# %s: %s\n\n> ", name, f.Symbol.Path)
	if f.Notice != "" {
		fmt.Fprintf(b, "%s\n> ", f.Notice)
	}
	first, last := max(f.First-around, 1), min(f.Last+around, len(f.Lines))
	count := f.Last - f.First + 1
	if count > 1 {
		fmt.Fprintf(b, "%s, lines %d to %d", f.Symbol.File, f.First, f.Last)
	} else {
		fmt.Fprintf(b, "%s, line %d", f.Symbol.File, f.First)
	}
	if by := p.Provenance.ChosenBy; by != "" {
		b.WriteString("; " + apidoc.VersionFrom(by))
	}
	if p.Provenance.Source != "" {
		b.WriteString("; read from " + p.Provenance.Source)
	}
	fmt.Fprintf(b, ". %s\n\n", answer.Notice)
	long := count > maxUnaskedLines && !all
	if long {
		last = f.First + linesOfLong - 1
	}
	width := len(fmt.Sprint(last))
	var code strings.Builder
	for number := first; number <= last; number++ {
		code.WriteString(strings.TrimRight(fmt.Sprintf("%*d  %s", width, number, f.Lines[number-1]), " \t") + "\n")
	}
	fence := markup.Fence(code.String())
	language := p.Style.Fence
	if language == "" {
		language = string(p.Ecosystem)
	}
	fmt.Fprintf(b, "%s%s\n%s%s\n", fence, language, code.String(), fence)
	if long {
		fmt.Fprintf(b, "\n%s has %d lines. These are the first %d; --all prints all of them.\n", f.Symbol.Path, count, linesOfLong)
	}
}
