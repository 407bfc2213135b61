package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/answer"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/quote"
	"github.com/docent-mcp/docent/internal/terminal"
)

// foundResult is a result of the last search. It can be opened by its number.
type foundResult struct {
	Language string `json:"language"`
	Package  string `json:"package"`
	Version  string `json:"version,omitempty"`
	Project  string `json:"project,omitempty"`
	Symbol   string `json:"symbol,omitempty"`
	Section  string `json:"section,omitempty"`
}

const (
	// resultsFile is the name of the file in the cache's directory that contains the results of the
	// last search.
	resultsFile = "results.json"
	// maxResultsFile is the maximum size in bytes of this file.
	maxResultsFile = 1 << 20
	// maxResults is the maximum number of results of one search that have numbers.
	maxResults = 999
)

// numbered returns the results of a search in the order of their numbers, and whether they are
// shown as matches or as a list.
func numbered(results []answer.QueryResult, project, version string) (all []foundResult, shown []terminal.Result) {
	for i := range results {
		for k := range results[i].Hits {
			h := &results[i].Hits[k]
			p := h.Package()
			r := foundResult{Language: string(p.Ecosystem), Package: p.Name, Version: version, Project: project}
			s := terminal.Result{Note: "in " + p.Name, Info: string(p.Ecosystem), Text: h.Snippet()}
			switch {
			case h.Section != nil:
				r.Section = h.Section.ID
				s.Title, s.Note = h.Section.Title, "section of "+p.Name
			case h.Subpackage != nil:
				r.Package = h.Subpackage.Name
				s.Title, s.Note = h.Subpackage.Name, "package"
			default:
				r.Symbol = h.Symbol.Path
				s.Title, s.Code, s.Note = h.Symbol.Path, h.Symbol.Signature, string(h.Symbol.Kind)+" "+s.Note
				if h.Symbol.Deprecated != "" {
					s.Note += ", deprecated"
				}
			}
			if len(all) < maxResults {
				all, shown = append(all, r), append(shown, s)
			}
		}
	}
	return all, shown
}

// saveResults stores the results of a search for docent describe. It ignores errors when writing to
// the cache.
func saveResults(all []foundResult) {
	cache := cachedir.New(cachedir.Default(os.Getenv), cachedir.Options{})
	_ = cache.Write(resultsFile, func(f *os.File) error { return json.NewEncoder(f).Encode(all) })
}

// lastResult returns a result of the last search by its number.
func lastResult(number int) (foundResult, error) {
	cache := cachedir.New(cachedir.Default(os.Getenv), cachedir.Options{})
	data, err := cache.Read(resultsFile, maxResultsFile)
	var all []foundResult
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil || len(all) == 0 {
		return foundResult{}, fmt.Errorf("there is no result %d: search on a terminal first, as in docent search PACKAGE QUERY", number)
	}
	return pick(all, number)
}

func pick(all []foundResult, number int) (foundResult, error) {
	if number < 1 || number > len(all) {
		return foundResult{}, fmt.Errorf("there is no result %d: the last search had results 1 to %d", number, len(all))
	}
	return all[number-1], nil
}

// resultNumber returns the number of a result if it is the only argument.
func resultNumber(args []string) (number int, ok bool) {
	if len(args) != 1 || len(args[0]) > len(strconv.Itoa(maxResults)) {
		return 0, false
	}
	number, err := strconv.Atoi(args[0])
	return number, err == nil
}

// open sets the flags for a result. It returns the arguments of describe and the section in the
// result.
func (q *question) open(cmd *cobra.Command, r foundResult) (args []string, section string) {
	q.version = r.Version
	_ = cmd.Flags().Set("project", r.Project)
	args = []string{r.Language, r.Package}
	if r.Symbol != "" {
		args = append(args, r.Symbol)
	}
	return args, r.Section
}

// titleOf returns the line above the results of a search.
func titleOf(results []answer.QueryResult, shown int) string {
	total := 0
	near := false
	for i := range results {
		total += results[i].Total
		near = near || results[i].Close()
	}
	if !near {
		return fmt.Sprintf("No close match; showing %d of %d results that share words with the query; use docent describe NUMBER to open one", shown, max(total, shown))
	}
	if total > shown {
		return fmt.Sprintf("%d of %d results, best first; use docent describe NUMBER to open one", shown, total)
	}
	return fmt.Sprintf("%s, best first; use docent describe NUMBER to open one", quote.Count(shown, "result"))
}
