package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
	"github.com/docent-mcp/docent/internal/store"
)

// A word that is in the names of usualNames packages or more is a topic. A word in the names of
// fewer than minNames packages is not a topic. minTopic is the minimum topicality of a word in
// words.txt.
const minNames, usualNames, minTopic = 100, 1000, 0.2

// writeWords prints words.txt for internal/search. Its lines consist of a stem, the percentage of the
// packages of the tuning sets that contain it, and its topicality in percent. lists are files with
// the names of packages, one in each line, followed by a space or tab.
func writeWords(ctx context.Context, w io.Writer, packages *store.Store, dir string, lists []string) error {
	names := map[string]int{}
	for _, list := range lists {
		if err := countNames(names, list); err != nil {
			return err
		}
	}
	shares := map[string]float64{}
	count := 0.0
	seen := map[string]bool{}
	for _, set := range tuningSets {
		questions, err := loadQuestions(filepath.Join("test", "relevance", "testdata", set, "questions"))
		if err != nil {
			return err
		}
		for _, q := range questions {
			if seen[q.Language+" "+q.Package] {
				continue
			}
			seen[q.Language+" "+q.Package] = true
			p, err := packages.Describe(ctx, q.Language, ecosystem.Query{Package: q.Package, ProjectDir: filepath.Join(dir, set, q.Language)})
			if err != nil {
				continue // the language's client is missing
			}
			var text strings.Builder
			text.WriteString(p.Doc)
			for s := range p.All {
				text.WriteString(" " + s.Path + " " + s.Signature + " " + s.Doc)
			}
			for i := range p.Sections {
				text.WriteString(" " + p.Sections[i].Title + " " + p.Sections[i].Body)
			}
			count++
			for _, stem := range search.Lexemes(text.String()) {
				shares[stem]++
			}
		}
	}
	fmt.Fprintln(w, "# A stem, the percentage of packages that contain it, and its topicality in percent.")
	fmt.Fprintf(w, "# go run ./test/relevance -words LISTS printed this on 28 November 2026 for %.0f packages.\n", count)
	for stem := range shares {
		names[stem] += 0
	}
	for _, stem := range slices.Sorted(maps.Keys(names)) {
		share, topic := shares[stem]/count, 0.0
		if share < search.LeastShare {
			share = 0
		}
		if n := float64(names[stem]); n > minNames {
			topic = min(1, math.Log(n/minNames)/math.Log(usualNames/minNames))
			if share > 0 {
				topic *= math.Log(share) / math.Log(search.LeastShare)
			}
			if topic < minTopic {
				topic = 0
			}
		}
		if share > 0 || topic > 0 {
			fmt.Fprintf(w, "%s %.0f %.0f\n", stem, 100*share, 100*topic)
		}
	}
	return nil
}

// countNames counts for each stem the names of packages in a list that contain it.
func countNames(count map[string]int, list string) error {
	f, err := os.Open(list)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		name, _, _ := strings.Cut(strings.ReplaceAll(lines.Text(), "\t", " "), " ")
		for _, stem := range search.Lexemes(strings.ReplaceAll(strings.ToLower(name), "_", "-")) {
			if stem[0] >= 'a' && stem[0] <= 'z' {
				count[stem]++
			}
		}
	}
	return lines.Err()
}
