// Command mutate changes a package in small ways, one at a time, and reports
// the changes that no test notices: conditions that always or never hold,
// constants that are off by one, results that are dropped, statements that are removed.
//
//	go run ./test/mutate -pkg ./mcp -since main
//
// All changes are compiled into one test binary, each behind a switch, so a change requires only a
// run of the tests that reach it, not a build. The source on disk is not modified.
package main

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// settings are the values of the flags.
type settings struct {
	pkg     string        // directory of the package to change
	tests   string        // directory of the package whose tests run
	files   string        // base names to change, separated by commas; empty for all
	since   string        // revision: only lines changed since
	skip    string        // tests that are not run
	sample  int           // how many mutants to try; 0 for all
	seed    uint64        // seed of the sample
	workers int           // maximum number of concurrent test processes
	slowest time.Duration // tests that take longer are not run
}

func main() {
	var s settings
	flag.StringVar(&s.pkg, "pkg", "./mcp", "`directory` of the package to change")
	flag.StringVar(&s.tests, "tests", "", "`directory` of the package whose tests run (default: that of -pkg)")
	flag.StringVar(&s.files, "files", "", "change only these `files` of the package, separated by commas")
	flag.StringVar(&s.since, "since", "", "change only lines that differ from this git `revision`")
	flag.StringVar(&s.skip, "skip", "", "do not run tests that match this `pattern`")
	flag.IntVar(&s.sample, "n", 0, "try this `many` changes, drawn at random; 0 tries all")
	flag.Uint64Var(&s.seed, "seed", 1, "draw them with this `seed`")
	flag.IntVar(&s.workers, "workers", runtime.NumCPU(), "run so `many` tests at a time")
	flag.DurationVar(&s.slowest, "slowest", 2*time.Second, "do not run tests that take longer than this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, &s, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, s *settings, out io.Writer) error {
	s.tests = cmp.Or(s.tests, s.pkg)
	dir, err := filepath.Abs(s.pkg)
	if err != nil {
		return err
	}
	pkg, err := load(ctx, dir)
	if err != nil {
		return err
	}
	include, err := s.wanted(ctx, dir)
	if err != nil {
		return err
	}
	pkg.find(include)
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	bin, err := pkg.build(ctx, work, s.tests)
	if err != nil {
		return err
	}
	r := &runner{bin: bin, dir: s.tests, work: work, workers: s.workers}
	if err := r.measure(ctx, s.skip, s.slowest, len(pkg.mutants)); err != nil {
		return err
	}
	for _, name := range r.rest {
		fmt.Fprintln(out, "not run:", name)
	}
	mutants := pkg.mutants
	if s.sample > 0 && s.sample < len(mutants) {
		draw := rand.New(rand.NewPCG(s.seed, s.seed))
		draw.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
		mutants = mutants[:s.sample]
		slices.SortFunc(mutants, func(a, b *mutant) int { return a.id - b.id })
	}
	counts := map[verdict]int{}
	r.try(ctx, mutants, func(m *mutant, v verdict) {
		counts[v]++
		if v == survived || v == unreached {
			fmt.Fprintf(out, "%s: %s: %s (%d tests reach it)\n", strings.TrimPrefix(m.position, dir+string(filepath.Separator)), v, m.change, len(r.reach[m.id]))
		}
	})
	fmt.Fprintf(out, "%d changes: %d noticed, %d of them by not ending; %d survived; %d that no test reaches\n",
		len(mutants), counts[killed]+counts[hung], counts[hung], counts[survived], counts[unreached])
	return ctx.Err()
}
