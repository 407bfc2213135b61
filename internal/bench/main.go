// Bench measures the docent command, including the start of the process, and prints a table. `make
// bench` runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
)

func main() {
	runs := flag.Int("n", 20, "how often each thing is measured")
	only := flag.String("only", "", "one table: go, search, npm, python, rust, swift, project or check (default all of these), or popular")
	flag.Parse()
	if err := bench(context.Background(), *runs, *only); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(ctx context.Context, runs int, only string) error {
	dir, err := os.MkdirTemp("", "docent-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	docent := filepath.Join(dir, "docent")
	if runtime.GOOS == "windows" {
		docent += ".exe"
	}
	build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", docent, "./cmd/docent")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build ./cmd/docent: %w", err)
	}

	cacheDir := cache(filepath.Join(dir, "cache"))
	if err := os.Setenv("DOCENT_CACHE", string(cacheDir)); err != nil {
		return err
	}
	for _, language := range []struct {
		name  string
		bench func(ctx context.Context, dir, docent string, caches cache, runs int) error
	}{{"go", benchGo}, {"search", searchTable}, {"npm", benchNPM}, {"python", benchPython}, {"rust", benchRust}, {"swift", benchSwift}, {"project", benchProject}, {"check", benchChecks}, {"popular", benchPopular}} {
		if only == "" && language.name != "popular" || only == language.name {
			if err := language.bench(ctx, dir, docent, cacheDir, runs); err != nil {
				return err
			}
		}
	}
	return nil
}

func searchTable(ctx context.Context, dir, docent string, _ cache, runs int) error {
	return benchSearches(ctx, dir, docent, runs)
}

// benchGo measures packages of Go's standard library.
func benchGo(ctx context.Context, dir, docent string, cacheDir cache, runs int) error {
	t := newTable()
	row := t.times

	// Runs alternate, so that a slow phase of the machine affects all of them equally.
	var cold, ours, theirs []time.Duration
	for range runs {
		errA := cacheDir.forget()
		a, errB := run(ctx, dir, docent, "describe", "go", "net/http", "--project=")
		b, errC := run(ctx, dir, docent, "describe", "go", "net/http", "--project=")
		c, errD := run(ctx, dir, "go", "doc", "-all", "net/http")
		if err := errors.Join(errA, errB, errC, errD); err != nil {
			return err
		}
		cold, ours, theirs = append(cold, a), append(ours, b), append(theirs, c)
	}
	row("docent describe go net/http, whole process, empty disk cache", cold, "no more than go doc -all")
	row("docent describe go net/http, whole process, warm disk", ours, "")
	row("go doc -all net/http, whole process", theirs, "")

	var opened []time.Duration
	for range runs {
		s, took, err := open(ctx, dir, docent)
		if err != nil {
			return err
		}
		opened = append(opened, took)
		if err := s.close(); err != nil {
			return err
		}
	}
	row("docent serve, from exec to the answer to initialize", opened, "10 ms")

	s, _, err := open(ctx, dir, docent)
	if err != nil {
		return err
	}
	idle, known := resident(ctx, s.process())
	for _, call := range []struct{ what, arguments string }{
		{"net/http", `{"package":"net/http"}`},
		{"net/http Client.Do", `{"package":"net/http","symbol":"Client.Do"}`},
		{"encoding/json", `{"package":"encoding/json"}`},
	} {
		times, err := s.calls(max(10*runs, 50), "describe_go_package", call.arguments)
		if err != nil {
			return err
		}
		row("describe_go_package "+call.what+", warm, over stdio", times, "1 ms")
	}
	for _, query := range []string{"limit the time of a request", "read the body of a request; set a cookie; stop the server"} {
		times, err := s.calls(max(10*runs, 50), "search_package_docs", fmt.Sprintf(`{"package":"net/http","query":%q,"language":"go"}`, query))
		if err != nil {
			return err
		}
		row(fmt.Sprintf("search_package_docs in net/http for %q, warm, over stdio", query), times, "2 ms, p99 10 ms")
	}
	busy, _ := resident(ctx, s.process())
	if err := s.close(); err != nil {
		return err
	}
	if known {
		fmt.Fprintf(t, "docent serve, resident memory when idle\t%.1f MiB\t\t\t20 MiB\n", idle)
		fmt.Fprintf(t, "docent serve, resident memory after these calls\t%.1f MiB\t\t\t\n", busy)
	}
	return t.Flush()
}

// cache is a directory for docent's cache.
type cache string

func (c cache) open() *cachedir.Cache { return cachedir.New(string(c), cachedir.Options{}) }

func (c cache) packages() string { return c.open().Path("packages") }

// forget removes the cached packages.
func (c cache) forget() error { return os.RemoveAll(c.packages()) }

// settle repeats a query until its answer is cached, because answers from files that have just
// changed are not cached.
func (c cache) settle(ask func() error) error {
	if err := c.forget(); err != nil {
		return err
	}
	for start := time.Now(); time.Since(start) < 10*time.Second; {
		if err := ask(); err != nil {
			return err
		}
		if entries, err := os.ReadDir(c.packages()); err == nil && len(entries) > 0 {
			return nil
		}
	}
	return errors.New("what was read is not kept on disk")
}

// table is the printed result.
type table struct{ *tabwriter.Writer }

func newTable() table {
	t := table{tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)}
	fmt.Fprintf(t, "WHAT\tMEDIAN\tBEST\tP99\tGOAL\n")
	return t
}

func (t table) times(what string, times []time.Duration, goal string) {
	slices.Sort(times)
	fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", what, short(times[len(times)/2]), short(times[0]), short(times[len(times)*99/100]), goal)
}

// rates adds a row with the throughput in MB (a million bytes) per second.
func (t table) rates(what string, bytes int64, times []time.Duration, goal string) {
	slices.Sort(times)
	rate := func(d time.Duration) string { return fmt.Sprintf("%.0f MB/s", float64(bytes)/1e6/d.Seconds()) }
	fmt.Fprintf(t, "%s\t%s\t%s\t\t%s\n", what, rate(times[len(times)/2]), rate(times[0]), goal)
}

// run runs a process and measures the time from start to exit.
func run(ctx context.Context, dir, name string, args ...string) (time.Duration, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if err != nil {
		return 0, fmt.Errorf("%s %v: %w", name, args, err)
	}
	return took, nil
}

// short formats a duration with about three digits.
func short(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
	}
	return fmt.Sprintf("%d ms", d.Milliseconds())
}
