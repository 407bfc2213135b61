package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
)

func newSearch(languages languageList) *cobra.Command {
	q := question{languages: languages}
	var fuzzy bool
	var limit, maxTokens int
	const usage = "docent search LANG PACKAGE[@VERSION] QUERY..."
	cmd := &cobra.Command{
		Use:   strings.TrimPrefix(usage, "docent "),
		Short: "Find symbols and sections of a package",
		Long: `Search finds symbols and sections of a package by name, by parts and initials
of names, and by the words of signatures, documentation and examples. The best
match comes first.`,
		Example:           examplesOf("search", languages(true), func(h *ecosystem.Help) []string { return h.Search }),
		Args:              languageAndPackage(0, usage),
		ValidArgsFunction: complete(languages, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 3 {
				return fmt.Errorf("say what to look for after %s: %s", args[1], usage)
			}
			p, err := q.describe(cmd.Context(), cmd, args)
			if err != nil {
				return ran(err)
			}
			query := strings.Join(args[2:], " ")
			if limit <= 0 {
				limit = math.MaxInt32
			}
			hits, total := search.New(p).Search(query, search.Options{Fuzzy: fuzzy, Limit: limit})
			if maxTokens == 0 || q.json {
				maxTokens = -1
			}
			r := answer.Search(p, query, hits, total, answer.Options{MaxTokens: maxTokens, Guide: guide(args)})
			if q.json {
				err = encode(cmd.OutOrStdout(), r)
			} else {
				_, err = io.WriteString(cmd.OutOrStdout(), r.Markdown())
			}
			if err == nil && total == 0 {
				err = &silentError{exitNotFound}
			}
			return ran(err)
		},
	}
	q.flags(cmd)
	cmd.Flags().BoolVar(&fuzzy, "fuzzy", true, "find names and words with a slip of the keyboard, too")
	cmd.Flags().IntVar(&limit, "limit", 20, "how many matches to show, 0 for all")
	cmd.Flags().IntVar(&maxTokens, "max-tokens", answer.DefaultMaxTokens, "budget of the answer, 0 for no bound")
	return cmd
}
