package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/terminal"
)

func newSearch(s streams, languages languageList) *cobra.Command {
	known := languages(true)
	q := question{languages: languages}
	var fuzzy, all bool
	var limit, maxTokens, number int
	const usage = "docent search [LANG] PACKAGE[@VERSION] QUERY..."
	cmd := &cobra.Command{
		Use:   strings.TrimPrefix(usage, "docent "),
		Short: "Find symbols and sections in a package",
		Long: `Search finds symbols and sections in a package by their names, by parts
and initials of names, and by words in signatures, documentation and examples. It
prints the best matches first, in full and with everything needed to call them.
Separate several searches with semicolons, as in 'request timeout; retry with
backoff', and several packages with commas. With --all, docent searches everything
that the project depends on; do not name a package. On a terminal, search prints a
numbered list of results that fits on the screen; use docent describe NUMBER to open a
result.`,
		Example: examplesOf("search", known, func(h *ecosystem.Help) []string { return h.Search }),
		Args: func(cmd *cobra.Command, args []string) error {
			if all && (len(args) == 0 || len(args) == 1 && known.Find(args[0]) != nil) {
				return errors.New("specify a query, as in docent search [LANG] --all QUERY")
			}
			return languageAndPackage(known, usage)(cmd, args)
		},
		ValidArgsFunction: complete(languages, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, stop := s.withProgress(cmd)
			defer stop()
			l := q.lookup()
			named := known.Find(args[0]) != nil
			args, err := q.withLanguage(cmd, l, args, !all)
			if err != nil {
				return ran(err)
			}
			if len(args) < 3 && !all {
				return fmt.Errorf("specify a query after %s: %s", args[1], usage)
			}
			out := s.newScreen(cmd.Context(), known, q.plain)
			listed := number > 0 || out.rich && !q.json
			fit := listed && number == 0 && !cmd.Flags().Changed("limit")
			switch {
			case limit <= 0:
				limit = math.MaxInt32
			case number > limit:
				limit = number
			case fit:
				limit = terminal.Fitting(out.height - linesOfTitle)
			}
			maxTokens = cmp.Or(maxTokens, -1)
			if all && !listed {
				return ran(searchAll(cmd, l, &q, args, named, limit, maxTokens))
			}
			if all {
				args = append([]string{args[0], ""}, args[1:]...)
			}
			request := lookup.Search{
				Package: q.about(cmd, l, args), Query: strings.Join(args[2:], " "), Fuzzy: fuzzy, Limit: limit,
				Options: answer.Options{MaxTokens: maxTokens, Guide: guide(args), Lines: limit},
			}
			if q.json {
				return ran(writeMatches(cmd, l, request))
			}
			if listed {
				if all && !named {
					request.Package.Language = ""
				}
				return ran(q.list(cmd, out, l, request, all, fit, number))
			}
			a, found, err := l.Search(cmd.Context(), request)
			if err == nil {
				_, err = io.WriteString(cmd.OutOrStdout(), a.Text)
			}
			if err == nil && !found {
				err = &silentError{exitNotFound}
			}
			return ran(err)
		},
	}
	q.flags(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "search everything that the project depends on")
	cmd.Flags().BoolVar(&fuzzy, "fuzzy", true, "also match misspelled names and words")
	cmd.Flags().IntVar(&limit, "limit", 10, "number of matches to print for each search; 0 for all")
	cmd.Flags().IntVarP(&number, "open", "o", 0, "describe the result with this number instead of listing the results")
	cmd.Flags().IntVar(&maxTokens, "max-tokens", answer.DefaultMaxTokens, "maximum length of the answer in tokens; 0 for no limit")
	return cmd
}

// linesOfTitle is the number of lines on the screen that are reserved for the title of search
// results, the line below it, and the next prompt.
const linesOfTitle = 3

// list shows the results of a search as a numbered list or, if number is not 0, describes the
// result with that number. If there are no results, it returns a silentError. If fit is true, it
// shows only as many results as fit on the screen.
func (q *question) list(cmd *cobra.Command, out *screen, l *lookup.Lookup, s lookup.Search, all, fit bool, number int) error {
	var queries []answer.QueryResult
	var notes []string
	var err error
	if all {
		report, end := progress.Count(cmd.Context(), readingPackages)
		queries, notes, err = l.ProjectMatches(cmd.Context(), lookup.Dependencies{Search: s, Patience: allPatience, Progress: report})
		end()
	} else {
		queries, err = l.Matches(cmd.Context(), s)
	}
	if err != nil {
		return err
	}
	results, shown := numbered(queries, s.Package.Project, s.Package.Version)
	if number > 0 {
		r, err := pick(results, number)
		if err != nil {
			return err
		}
		args, section := q.open(cmd, r)
		o := answer.Options{Guide: guide(args)}
		if section != "" {
			return writeSections(cmd, out, l, lookup.Prose{Package: q.about(cmd, l, args), Section: section, Limit: answer.Bytes(answer.DefaultMaxTokens)}, false, o.Guide)
		}
		a, err := l.Describe(cmd.Context(), lookup.Description{Package: q.about(cmd, l, args), Symbols: strings.Join(args[2:], " "), Options: o})
		if err != nil {
			return err
		}
		return out.show(a.Text)
	}
	var below []string
	for _, note := range notes {
		below = append(below, terminal.Wrap(note, max(out.width, 1))...)
	}
	if len(below) > 0 {
		below = append([]string{""}, below...)
	}
	if room := terminal.Fitting(out.height - linesOfTitle - len(below)); fit && len(results) > room {
		results, shown = results[:room], shown[:room]
	}
	saveResults(results)
	text := terminal.Results(shown, terminal.Options{Width: out.width, Lexis: out.known.Lexis})
	if len(below) > 0 {
		text += strings.Join(below, "\n") + "\n"
	}
	if len(results) == 0 {
		if _, err := fmt.Fprintf(out.out, "%sNothing matches %q. Try fewer or different words.\n", text, s.Query); err != nil {
			return err
		}
		return &silentError{exitNotFound}
	}
	return out.write(titleOf(queries, len(results)) + "\n\n" + text)
}

// allPatience is how long a search waits until all dependencies of the project have been read. A
// server waits for a shorter time, because the next search can have a more complete answer.
const allPatience = 30 * time.Second

// readingPackages is the progress text while the packages of a project are read.
const readingPackages = "Reading packages"

// searchAll searches the dependencies of the project and writes the results. If there are none, it
// returns a silentError.
func searchAll(cmd *cobra.Command, l *lookup.Lookup, q *question, args []string, named bool, limit, maxTokens int) error {
	about := q.about(cmd, l, args)
	about.Name = ""
	if !named {
		about.Language = "" // without a language, a note lists the project's other languages
	}
	report, end := progress.Count(cmd.Context(), readingPackages)
	defer end()
	request := lookup.Dependencies{
		Search: lookup.Search{
			Package: about, Query: strings.Join(args[1:], " "), Limit: limit,
			Options: answer.Options{MaxTokens: maxTokens, Lines: limit, Guide: answer.Guide{
				Symbol: "run docent describe " + args[0] + " PACKAGE %s", More: "raise --limit (0 shows all)",
			}},
		},
		Patience: allPatience, Progress: report,
	}
	if q.json {
		results, notes, err := l.DependencyMatches(cmd.Context(), request)
		if err != nil {
			return err
		}
		data, found := lookup.NewResults(results)
		if err := encode(cmd.OutOrStdout(), allData{notes, data}); err != nil || found {
			return err
		}
		return &silentError{exitNotFound}
	}
	a, found, err := l.SearchDependencies(cmd.Context(), request)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(cmd.OutOrStdout(), a.Text); err != nil {
		return err
	}
	if !found {
		return &silentError{exitNotFound}
	}
	return nil
}

// allData is the JSON output for the results of a search in all dependencies of a project.
type allData struct {
	Notes   []string         `json:"notes"` // notes about packages that were or were not searched
	Queries []lookup.Results `json:"wishes"`
}

// writeMatches writes search results as JSON. If there are several searches, it writes a list. If
// there are no results, it returns a silentError.
func writeMatches(cmd *cobra.Command, l *lookup.Lookup, s lookup.Search) error {
	results, err := l.Matches(cmd.Context(), s)
	if err != nil {
		return err
	}
	all, found := lookup.NewResults(results)
	if len(all) == 1 {
		err = encode(cmd.OutOrStdout(), all[0])
	} else {
		err = encode(cmd.OutOrStdout(), all)
	}
	if err == nil && !found {
		err = &silentError{exitNotFound}
	}
	return err
}
