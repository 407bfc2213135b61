package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/quote"
)

func newCache() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache",
		Short: "Show or clear docent's cache on disk",
		Long: `Docent caches downloads, responses from registries and parsed packages.
All docent processes share this cache. If you clear files, docent downloads or parses them again when it needs them.`,
		Args: onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error { return ran(cmd.Help()) },
	}
	cmd.AddCommand(newCacheSize(), newCacheList(), newCacheClear())
	return cmd
}

func openCache() *cachedir.Cache {
	return cachedir.New(cachedir.Default(os.Getenv), cachedir.Options{})
}

// cacheData is the JSON output of docent cache size.
type cacheData struct {
	Directory string      `json:"directory"`
	Bytes     int64       `json:"bytes"`
	MaxBytes  int64       `json:"maxBytes"`
	Files     int         `json:"files"`
	Owners    []ownerData `json:"owners"`
}

type ownerData struct {
	Owner string `json:"owner"`
	Bytes int64  `json:"bytes"`
	Files int    `json:"files"`
}

// fileData is the JSON output for a file in docent cache list and clear.
type fileData struct {
	Name  string    `json:"name"`
	Bytes int64     `json:"bytes"`
	Used  time.Time `json:"used"`
}

func newCacheSize() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "size",
		Short: "Print the directory and the size of the cache, in total and by owner",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c := openCache()
			all, err := c.Entries()
			if err != nil {
				return ran(err)
			}
			data := cacheData{Directory: c.Dir(), MaxBytes: c.Max(), Files: len(all), Owners: []ownerData{}}
			for _, e := range all {
				data.Bytes += e.Size
				owner, _, _ := strings.Cut(e.Name, "/")
				i := slices.IndexFunc(data.Owners, func(o ownerData) bool { return o.Owner == owner })
				if i < 0 {
					i = len(data.Owners)
					data.Owners = append(data.Owners, ownerData{Owner: owner})
				}
				data.Owners[i].Bytes += e.Size
				data.Owners[i].Files++
			}
			if asJSON {
				return ran(encode(cmd.OutOrStdout(), data))
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "%s: %s of at most %s in %s\n", data.Directory, cachedir.Size(data.Bytes), cachedir.Size(data.MaxBytes), quote.Count(data.Files, "file"))
			for _, o := range data.Owners {
				fmt.Fprintf(w, "  %-10s %s in %s\n", o.Owner, cachedir.Size(o.Bytes), quote.Count(o.Files, "file"))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newCacheList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [OWNER]",
		Short: "List the files in the cache, most recently used first",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			all, err := cached(openCache(), args, 0)
			if err != nil {
				return ran(err)
			}
			return ran(writeFiles(cmd.OutOrStdout(), all, asJSON))
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newCacheClear() *cobra.Command {
	var asJSON, dry bool
	var age string
	cmd := &cobra.Command{
		Use:   "clear [OWNER]",
		Short: "Remove all files from the cache, or the files of one owner",
		Long: `Clear removes files from the cache. OWNER is the kind of files to
remove; docent cache size lists the owners. You can clear the cache while docent is
running.`,
		Example: `  docent cache clear
  docent cache clear packages
  docent cache clear --older-than 30d --dry-run`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			minimum, err := parseAge(age)
			if err != nil {
				return err
			}
			c := openCache()
			all, err := cached(c, args, minimum)
			if err != nil {
				return ran(err)
			}
			var total int64
			for _, e := range all {
				total += e.Bytes
				if !dry {
					err = errors.Join(err, c.Remove(e.Name))
				}
			}
			if err != nil {
				return ran(err)
			}
			if asJSON || dry {
				err = writeFiles(cmd.OutOrStdout(), all, asJSON)
			}
			if !asJSON {
				verb := "Removed"
				if dry {
					verb = "Would remove"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s %s, %s.\n", verb, quote.Count(len(all), "file"), cachedir.Size(total))
			}
			return ran(err)
		},
	}
	cmd.Flags().StringVar(&age, "older-than", "", "remove only files that have not been used for this time, such as 12h or 30d")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "list the files to remove, but do not remove them")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// cached returns the files of an owner, or of all owners, that have not been used for at least age,
// most recently used first.
func cached(c *cachedir.Cache, owner []string, age time.Duration) ([]fileData, error) {
	all, err := c.Entries()
	if err != nil {
		return nil, err
	}
	chosen := []fileData{}
	known := false
	now := time.Now()
	for _, e := range all {
		if len(owner) > 0 && !strings.HasPrefix(e.Name, owner[0]+"/") {
			continue
		}
		known = true
		if now.Sub(e.Used) >= age {
			chosen = append(chosen, fileData{e.Name, e.Size, e.Used.UTC()})
		}
	}
	if len(owner) > 0 && !known {
		return nil, fmt.Errorf("the cache has no files of %.100q; docent cache size lists the owners", owner[0])
	}
	slices.SortStableFunc(chosen, func(a, b fileData) int { return b.Used.Compare(a.Used) })
	return chosen, nil
}

func writeFiles(w io.Writer, all []fileData, asJSON bool) error {
	if asJSON {
		return encode(w, all)
	}
	for _, e := range all {
		if _, err := fmt.Fprintf(w, "%s %10s  %s\n", e.Used.Format(time.RFC3339), cachedir.Size(e.Bytes), e.Name); err != nil {
			return err
		}
	}
	return nil
}

// parseAge parses a duration. The unit may be days, as in 30d.
func parseAge(age string) (time.Duration, error) {
	if age == "" {
		return 0, nil
	}
	if days, ok := strings.CutSuffix(age, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	d, err := time.ParseDuration(age)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("%.50q is not an age; specify hours or days, such as 12h or 30d", age)
	}
	return d, nil
}
