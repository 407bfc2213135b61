package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/lookup"
	"github.com/docent-mcp/docent/internal/markup"
	"github.com/docent-mcp/docent/internal/progress"
)

// fetchFlags contains the flags of docent fetch.
type fetchFlags struct {
	project             string
	list, json, offline bool
}

func newFetch(s streams, languages languageList) *cobra.Command {
	var o fetchFlags
	cmd := &cobra.Command{
		Use:   "fetch [LANGUAGE]",
		Short: "Read and cache the project's dependencies, so that docent works without a network",
		Long: `Fetch reads the documentation of every package that the project depends
on, in every language, and caches it. It downloads packages that are not installed.
Then docent can answer questions about all these packages without a network, and
"docent search --all" does not have to download any. If a run is interrupted, the
next one continues where it stopped.

At the end, it lists the packages that it could not read.`,
		Annotations: exitCodesOf("0  docent read all packages", "1  docent could not read some packages, or failed", "2  the command line is not valid",
			"4  docent could not reach a registry"),
		Example: `  docent fetch
  docent fetch --list`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return ran(runFetch(cmd, s, languages, &o, args)) },
	}
	f := cmd.Flags()
	projectFlag(cmd, &o.project)
	f.BoolVar(&o.list, "list", false, "only list the packages that docent cannot read without a network")
	f.BoolVar(&o.json, "json", false, "print JSON")
	offlineFlag(cmd, &o.offline)
	cmd.ValidArgsFunction = completeLanguage(languages)
	return cmd
}

// fetchData is the JSON output of docent fetch.
type fetchData struct {
	SchemaVersion int          `json:"schemaVersion"`
	Packages      int          `json:"packages"` // number of packages, including those in Failed
	Failed        []failedData `json:"failed"`
}

type failedData struct {
	lookup.Fetched

	Error string `json:"error"`
}

// runFetch reads the packages of the project or lists those that are missing. It returns a
// silentError if there are any.
func runFetch(cmd *cobra.Command, s streams, languages languageList, o *fetchFlags, args []string) error {
	dir, err := projectDir(o.project)
	if err != nil {
		return err
	}
	language := ""
	if len(args) > 0 {
		language = args[0]
	}
	_, stop := s.withProgress(cmd)
	defer stop()
	report, end := progress.Count(cmd.Context(), readingPackages)
	all, err := lookup.New(openStore(languages, o.offline || o.list)).Fetch(cmd.Context(), dir, language, o.list, report)
	end()
	if err != nil {
		return err
	}
	data := fetchData{1, len(all), []failedData{}}
	code := exitOK
	for i := range all {
		if all[i].Err == nil {
			continue
		}
		data.Failed = append(data.Failed, failedData{all[i], all[i].Err.Error()})
		switch {
		case o.list || !lookup.Unreachable(all[i].Err):
			code = exitFailure
		case code == exitOK:
			code = exitUnreachable
		}
	}
	if o.json {
		err = encode(cmd.OutOrStdout(), data)
	} else {
		err = writeFetched(cmd.OutOrStdout(), &data, o.list)
		if err == nil && !o.list {
			err = writeFull(cmd.OutOrStdout(), openCache())
		}
	}
	if err == nil && code != exitOK {
		err = &silentError{code}
	}
	return err
}

// writeFull writes a note if the cache has reached its size limit, because not everything is kept
// then.
func writeFull(w io.Writer, c *cachedir.Cache) error {
	all, err := c.Entries()
	if err != nil {
		return err
	}
	var size int64
	for _, e := range all {
		size += e.Size
	}
	if size <= c.Max()/10*9 {
		return nil
	}
	_, err = fmt.Fprintf(w, "\nThe cache is full (%s of at most %s), so docent removes the least recently used files.\n", cachedir.Size(size), cachedir.Size(c.Max()))
	return err
}

// writeFetched lists the packages that were read and those that could not be read.
func writeFetched(w io.Writer, data *fetchData, list bool) error {
	read := data.Packages - len(data.Failed)
	summary, heading := "Read %d of %d packages.\n", "\nNot read:\n"
	if list {
		summary, heading = "%d of %d packages can be read without a network.\n", "\nMissing:\n"
	}
	summary = fmt.Sprintf(summary, read, data.Packages)
	if len(data.Failed) > 0 {
		summary += heading
	}
	if _, err := io.WriteString(w, summary); err != nil {
		return err
	}
	for _, f := range data.Failed {
		text := f.Language + " " + f.Package
		if f.Version != "" {
			text += " " + f.Version
		}
		if !list {
			text += ": " + f.Error
		}
		if _, err := fmt.Fprintf(w, "  %s\n", markup.Clean(text)); err != nil {
			return err
		}
	}
	return nil
}
