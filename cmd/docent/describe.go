package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

func newDescribe(languages languageList) *cobra.Command {
	known := languages(true)
	q := question{languages: languages}
	var maxTokens int
	var section string
	var types, examples bool
	const usage = "docent describe LANG PACKAGE[@VERSION] [SYMBOL]"
	cmd := &cobra.Command{
		Use:   strings.TrimPrefix(usage, "docent "),
		Short: "Print the documentation of a package or of one of its symbols",
		Long: `Describe prints the documentation of a package, or of one symbol of it, as
Markdown that fits a budget of tokens; what does not fit is counted at the end.
The version is the one that your project uses. Outside a project, or for a
package that it does not use, it is the newest; the second line says which it
was and what chose it.

LANG is one of these:
` + languageHelp(known) + `
PACKAGE is what a program imports, or a directory of the project. SYMBOL is a
path within the package, as it is written in code. With --section, the README, a
guide or an example that comes with the package is printed instead.`,
		Example:           examplesOf("describe", known, func(h *ecosystem.Help) []string { return h.Describe }),
		Args:              languageAndPackage(3, usage),
		ValidArgsFunction: complete(languages, true),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := q.describe(cmd.Context(), cmd, args)
			if err != nil {
				return ran(err)
			}
			if maxTokens == 0 {
				maxTokens = -1
			}
			if section != "" {
				return ran(writeSections(cmd.OutOrStdout(), p, section, maxTokens, q.json, guide(args)))
			}
			var s *apidoc.Symbol
			if len(args) == 3 {
				if s, err = p.Find(args[2]); err != nil {
					return ran(err)
				}
			}
			if q.json {
				return ran(writeJSON(cmd.OutOrStdout(), p, s))
			}
			o := answer.Options{MaxTokens: maxTokens, Guide: guide(args)}
			var a *answer.Answer
			switch {
			case s == nil:
				a = answer.Package(answer.Lean(p, types, examples), o)
			case examples:
				a = answer.Symbol(p, s, o)
			default:
				a = answer.Symbol(p, answer.WithoutExamples(s), o)
			}
			_, err = io.WriteString(cmd.OutOrStdout(), a.Markdown())
			return ran(err)
		},
	}
	q.flags(cmd)
	cmd.Flags().StringVar(&section, "section", "", "print a section of prose: readme, docs/api, examples/basic, changelog")
	cmd.Flags().BoolVar(&types, "types", true, "show interfaces and type aliases, too")
	cmd.Flags().BoolVar(&examples, "examples", true, "show examples, too")
	cmd.Flags().IntVar(&maxTokens, "max-tokens", answer.DefaultMaxTokens, "budget of the answer, 0 for no bound")
	_ = cmd.RegisterFlagCompletionFunc("section", completeSections(languages))
	return cmd
}

// languageHelp lists the languages, each with its other spellings and symbols.
func languageHelp(known ecosystem.Languages) string {
	var b strings.Builder
	for _, l := range known {
		i := l.Info()
		names := strings.Join(append([]string{string(i.ID)}, i.Spellings...), ", ")
		fmt.Fprintf(&b, "  %s: symbols such as %s\n", names, strings.Join(i.Help.Symbols, ", "))
	}
	return b.String()
}

// guide tells a person in a shell how to get the rest.
func guide(args []string) answer.Guide {
	about := strings.Join(args[:2], " ")
	return answer.Guide{
		Symbol: "run docent describe " + about + " %s",
		Search: "run docent search " + about + " WORDS",
		Larger: "raise --max-tokens (0 leaves nothing out)",
		More:   "raise --limit (0 shows all)",

		Section: "run docent describe " + about + " --section %s",
	}
}

// writeSections writes prose of a package.
func writeSections(w io.Writer, p *apidoc.Package, section string, maxTokens int, asJSON bool, g answer.Guide) error {
	sections, err := answer.FindSections(p, section)
	if err != nil {
		return err
	}
	if asJSON {
		return encode(w, sections)
	}
	way := answer.Way{Section: "with --section", Query: "with docent search", Larger: g.Larger}
	_, err = io.WriteString(w, answer.Sections(p, sections, answer.Bytes(maxTokens), way).Markdown())
	return err
}

// symbolData is one symbol with the package that it belongs to.
type symbolData struct {
	Ecosystem  apidoc.Ecosystem  `json:"ecosystem"`
	Package    string            `json:"package"`
	Module     string            `json:"module,omitempty"`
	Version    string            `json:"version,omitempty"`
	Platform   string            `json:"platform,omitempty"`
	Provenance apidoc.Provenance `json:"provenance"`
	Symbol     *apidoc.Symbol    `json:"symbol"`
	// Namesakes are the others at the symbol's path, such as the static member
	// beside that of instances.
	Namesakes []*apidoc.Symbol `json:"namesakes,omitempty"`
	// Group is the declaration that the symbol shares with others.
	Group *apidoc.Group `json:"group,omitempty"`
}

// writeJSON writes all of a package, or all of one of its symbols.
func writeJSON(w io.Writer, p *apidoc.Package, s *apidoc.Symbol) error {
	if s == nil {
		return encode(w, p)
	}
	data := symbolData{p.Ecosystem, p.Name, p.Module, p.Version, p.Platform, p.Provenance, s, p.Namesakes(s), nil}
	if s.Group > 0 && s.Group <= len(p.Groups) {
		data.Group = &p.Groups[s.Group-1]
	}
	return encode(w, data)
}

func encode(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
