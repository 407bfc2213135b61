package main

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/apidoc"
)

func newDescribe() *cobra.Command {
	var q question
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

LANG is go or npm. PACKAGE is what a program imports, or a directory such as
./internal/db. SYMBOL is a path within the package, as it is written in code:
Marshal, Client.Do, axios.get. With --section, the README, a guide or an example
that comes with the package is printed instead.`,
		Example: `  docent describe go encoding/json
  docent describe go encoding/json Marshal
  docent describe go net/http Client.Do
  docent describe go github.com/spf13/cobra@v1.8.0 Command
  docent describe go ./internal/db --project ~/src/app
  docent describe npm axios axios.get
  docent describe npm fastify --section docs/reference/hooks
  docent describe npm zod/mini --json
  docent describe go os/signal --platform windows/amd64 --json`,
		Args:              languageAndPackage(3, usage),
		ValidArgsFunction: complete(true),
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
	cmd.Flags().BoolVar(&types, "types", true, "show npm packages' interfaces and type aliases, too")
	cmd.Flags().BoolVar(&examples, "examples", true, "show examples, too")
	cmd.Flags().IntVar(&maxTokens, "max-tokens", answer.DefaultMaxTokens, "budget of the answer, 0 for no bound")
	_ = cmd.RegisterFlagCompletionFunc("section", completeSections)
	return cmd
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
