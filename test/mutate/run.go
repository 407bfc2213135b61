package main

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

//go:embed switch.go.txt
var switchSource string

// wanted reports whether the settings select a line.
func (s *settings) wanted(ctx context.Context, dir string) (func(file string, line int) bool, error) {
	var names []string
	if s.files != "" {
		names = strings.Split(s.files, ",")
	}
	inFiles := func(file string) bool { return names == nil || slices.Contains(names, file) }
	if s.since == "" {
		return func(file string, _ int) bool { return inFiles(file) }, nil
	}
	diff := exec.CommandContext(ctx, "git", "diff", "-U0", "--no-color", "--no-ext-diff", s.since, "--", ".")
	diff.Dir, diff.Stderr = dir, os.Stderr
	output, err := diff.Output()
	if err != nil {
		return nil, fmt.Errorf("comparing with %s: %w", s.since, err)
	}
	lines := changedLines(string(output))
	return func(file string, line int) bool { return inFiles(file) && lines[file][line] }, nil
}

var (
	diffFile = regexp.MustCompile(`^\+\+\+ b/(?:.*/)?([^/]+)$`)
	diffHunk = regexp.MustCompile(`^@@ -\S+ \+(\d+)(?:,(\d+))? @@`)
)

// changedLines returns the lines that a diff without context adds, by file
// name.
func changedLines(diff string) map[string]map[int]bool {
	lines := map[string]map[int]bool{}
	file := ""
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		if m := diffFile.FindStringSubmatch(line); m != nil {
			file = m[1]
			lines[file] = map[int]bool{}
		} else if m := diffHunk.FindStringSubmatch(line); m != nil && lines[file] != nil {
			first, _ := strconv.Atoi(m[1])
			count := 1
			if m[2] != "" {
				count, _ = strconv.Atoi(m[2])
			}
			for n := range count {
				lines[file][first+n] = true
			}
		}
	}
	return lines
}

// build compiles the tests with all changes in the package, and returns the
// binary.
func (p *pack) build(ctx context.Context, work, tests string) (string, error) {
	replace := map[string]string{filepath.Join(p.dir, "mutate_switch.go"): filepath.Join(work, "switch.go")}
	if err := os.WriteFile(filepath.Join(work, "switch.go"), fmt.Appendf(nil, switchSource, p.name), 0o600); err != nil {
		return "", err
	}
	for i, file := range p.files {
		source, err := p.rewritten(file)
		if err != nil {
			return "", err
		}
		path := filepath.Join(work, strconv.Itoa(i)+".go")
		if err := os.WriteFile(path, source, 0o600); err != nil {
			return "", err
		}
		replace[p.fset.Position(file.FileStart).Filename] = path
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(work, "overlay.json"), overlay, 0o600); err != nil {
		return "", err
	}
	bin := filepath.Join(work, "tests.exe")
	build := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", filepath.Join(work, "overlay.json"), "-o", bin, ".")
	build.Dir = tests
	if output, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the tests of %s: %w\n%s", tests, err, output)
	}
	return bin, nil
}

// verdict is the result of the tests for a change.
type verdict string

const (
	killed    verdict = "noticed"
	hung      verdict = "does not end"
	survived  verdict = "survived"
	unreached verdict = "reached by no test"
)

// runner runs the test binary.
type runner struct {
	bin, dir, work string
	workers        int
	reach          [][]string               // the tests that reach each mutant
	took           map[string]time.Duration // by test
	rest           []string                 // tests that are not run, and why
}

// exec runs tests with one change, or without changes if it is 0.
func (r *runner) exec(ctx context.Context, tests []string, mutant int, limit time.Duration, record string) (output []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit+5*time.Second)
	defer cancel()
	test := exec.CommandContext(ctx, r.bin, "-test.failfast", "-test.timeout="+limit.String(), "-test.run=^("+strings.Join(tests, "|")+")$")
	test.Dir = r.dir
	test.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(mutant), "MUTANT_RECORD="+record)
	test.WaitDelay = time.Second
	return test.CombinedOutput()
}

// each calls f with the numbers up to n, as many concurrently as there are workers.
func (r *runner) each(ctx context.Context, n int, f func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(r.workers, 1) {
		wg.Go(func() {
			for i := range next {
				f(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
}

// measure runs each test alone, to record which changes it reaches and how long it takes.
func (r *runner) measure(ctx context.Context, skip string, slowest time.Duration, mutants int) error {
	list := exec.CommandContext(ctx, r.bin, "-test.list=^(Test|Example|Fuzz)")
	list.Dir = r.dir
	output, err := list.Output()
	if err != nil {
		return fmt.Errorf("listing the tests: %w", err)
	}
	skipped, err := regexp.Compile(skip)
	if err != nil {
		return err
	}
	tests := strings.Fields(string(output))
	r.reach, r.took = make([][]string, mutants+1), map[string]time.Duration{}
	var mu sync.Mutex
	r.each(ctx, len(tests), func(i int) {
		name := tests[i]
		record := filepath.Join(r.work, name+".record")
		why := "it is left out"
		var took time.Duration
		if skip == "" || !skipped.MatchString(name) {
			began := time.Now()
			_, err := r.exec(ctx, []string{name}, 0, time.Minute, record)
			took = time.Since(began)
			switch {
			case err != nil:
				why = "it fails without a change"
			case took > slowest:
				why = "it takes " + took.Round(time.Millisecond).String()
			default:
				why = ""
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if why != "" {
			r.rest = append(r.rest, name+": "+why)
			return
		}
		r.took[name] = took
		for _, id := range recorded(record) {
			r.reach[id] = append(r.reach[id], name)
		}
	})
	slices.Sort(r.rest)
	return ctx.Err()
}

// recorded returns the changes that a test has reached.
func recorded(path string) (ids []int) {
	file, err := os.Open(path)
	if err != nil {
		return nil // it has reached none
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if id, err := strconv.Atoi(lines.Text()); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// try runs the tests that reach each mutant, and passes the verdict to report.
func (r *runner) try(ctx context.Context, mutants []*mutant, report func(*mutant, verdict)) {
	reached := map[string]int{}
	for _, tests := range r.reach {
		for _, name := range tests {
			reached[name]++
		}
	}
	var mu sync.Mutex
	r.each(ctx, len(mutants), func(i int) {
		m := mutants[i]
		tests := slices.Clone(r.reach[m.id])
		// Tests that reach the fewest mutants are the most specific.
		slices.SortFunc(tests, func(a, b string) int { return reached[a] - reached[b] })
		v := survived
		if len(tests) == 0 {
			v = unreached
		}
		for size := 8; len(tests) > 0 && v == survived; size *= 8 {
			n := min(size, len(tests))
			v = r.verdict(ctx, tests[:n], m.id)
			tests = tests[n:]
		}
		if ctx.Err() != nil {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		report(m, v)
	})
}

func (r *runner) verdict(ctx context.Context, tests []string, id int) verdict {
	limit := 5 * time.Second
	for _, name := range tests {
		limit += 5 * r.took[name]
	}
	output, err := r.exec(ctx, tests, id, limit, "")
	switch {
	case err == nil:
		return survived
	case errors.Is(err, context.DeadlineExceeded) || strings.Contains(string(output), "panic: test timed out"):
		return hung
	}
	return killed
}
