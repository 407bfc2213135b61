// Relevance runs docent's search with questions whose answers are known, and prints how highly the
// answers are ranked. `make relevance` runs it.
//
// The questions are in testdata/questions, a file for each language. There are eight more sets in folders of
// testdata. The ranking is tuned to the default set, "more", "broad", "wide" and the tuning half of "varied"; single
// questions of "heldout", "fresh", "broad-heldout", "wide-heldout" and the held-out half of "varied" must not be
// examined. Each question is asked in three forms; see [Question]. The folder absent contains queries
// that a package cannot answer: for them, the answer should state that nothing close was found. The packages
// are installed by the language's own client at the versions that the manifests in testdata pin. A language
// whose client or registry cannot be reached is skipped by name.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/store"
)

func main() {
	dir := flag.String("dir", ".relevance", "where packages are installed")
	verbose := flag.Bool("v", false, "list the misses with the first five found")
	only := flag.String("language", "", "ask the questions of these languages alone, separated by commas")
	ablate := flag.String("ablate", "", "measure again without each of these parts of the ranking, separated by commas, or all: "+
		strings.Join(switchNames(), ", "))
	set := flag.String("set", "", "ask the questions of this folder of testdata: more, broad, wide, varied, heldout, fresh, broad-heldout, wide-heldout")
	part := flag.String("half", "", "ask only half of the questions: "+tuningHalf+" or "+heldoutHalf)
	fits := flag.Bool("fit", false, "fit the weights of the evidence for close matches to the questions for tuning, after their packages are installed")
	words := flag.String("words", "", "print internal/search/words.txt; the value is a list of files with the names of packages, separated by commas")
	flag.Parse()
	if *part != "" && *part != tuningHalf && *part != heldoutHalf {
		fmt.Fprintf(os.Stderr, "relevance: -half is %q instead of %s or %s\n", *part, tuningHalf, heldoutHalf)
		os.Exit(2)
	}
	if *fits || *words != "" {
		if err := prepare(context.Background(), os.Stdout, *dir, *fits, splitList(*words)); err != nil {
			fmt.Fprintln(os.Stderr, "relevance:", err)
			os.Exit(1)
		}
		return
	}
	testdata := filepath.Join("test", "relevance", "testdata", *set)
	*dir = filepath.Join(*dir, *set)
	if err := run(context.Background(), os.Stdout, testdata, *dir, half(*part), splitList(*only), splitList(*ablate), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "relevance:", err)
		os.Exit(1)
	}
}

func newStore() *store.Store {
	var readers ecosystem.Languages
	for _, l := range languages {
		readers = append(readers, l.reader())
	}
	return store.New(readers, store.Options{MaxPackages: 10_000, MaxBytes: 1 << 30, MaxAge: time.Hour})
}

// prepare prints what internal/search needs to recognize close matches: weights, or words with the
// given lists of package names.
func prepare(ctx context.Context, w io.Writer, dir string, fits bool, lists []string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if fits {
		return fitEvidence(ctx, w, newStore(), dir)
	}
	return writeWords(ctx, w, newStore(), dir, lists)
}

func splitList(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
}

func run(ctx context.Context, w io.Writer, testdata, dir string, part half, only, ablate []string, verbose bool) error {
	off, err := switchesNamed(ablate)
	if err != nil {
		return err
	}
	questions, err := loadQuestions(filepath.Join(testdata, "questions"))
	if err != nil {
		return fmt.Errorf("%w; run it at the root of the repository", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	packages := newStore()
	var requests []Question
	for _, language := range languagesOf(questions) {
		if len(only) > 0 && !slices.Contains(only, language) {
			continue
		}
		mine := slices.DeleteFunc(slices.Clone(questions), func(q Question) bool { return q.Language != language || !part.contains(q.Package, q.Sentence) })
		err := readable(ctx, packages, language, filepath.Join(testdata, language), filepath.Join(dir, language), mine)
		if skip := (*skipError)(nil); errors.As(err, &skip) {
			fmt.Fprintf(w, "%s: %d questions skipped, %s\n", language, len(mine), skip.why)
			continue
		}
		if err != nil {
			return err
		}
		requests = append(requests, mine...)
	}
	if len(requests) == 0 {
		return nil
	}
	all, err := ask(ctx, packages, dir, requests, partSwitch{})
	if err != nil {
		return err
	}
	printFigures(w, figures(all))
	absent, err := loadAbsent(filepath.Join(testdata, "absent"))
	if err != nil {
		return err
	}
	installed := languagesOf(requests)
	absent = slices.DeleteFunc(absent, func(a Absent) bool {
		return !slices.Contains(installed, a.Language) || !part.contains(a.Package, a.Query)
	})
	caught, missed, err := askAbsent(ctx, packages, dir, absent)
	if err != nil {
		return err
	}
	printAbsent(w, caught, missed, verbose)
	for _, s := range off {
		rest, err := ask(ctx, packages, dir, requests, s)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\nwithout %s:\n", s.name)
		printFigures(w, figures(rest))
	}
	if verbose {
		printMisses(w, all)
	}
	return nil
}
