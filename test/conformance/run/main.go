// Command run runs the official conformance suite against everything-server and everything-client.
// It is stricter than the suite. It also fails if there is a warning, or if a scenario is skipped
// or checks nothing, except in known cases.
//
//	go run ./test/conformance/run [-times N] [-keep DIR]
//
// It installs the suite with npm on its first run, from test/conformance/package.json.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A pass is a run of the suite.
type pass struct {
	name      string
	args      []string
	scenarios int // number of scenarios that must run, including those that the suite does not score
}

var passes = []pass{
	{"required of 2025-11-25", []string{"--requirements", "2025-11-25"}, 33},
	{"required of 2026-07-28", []string{"--requirements", "2026-07-28"}, 50},
	{"all of 2025-03-26", []string{"--suite", "all", "--spec-version", "2025-03-26"}, 1},
	{"all of 2025-06-18", []string{"--suite", "all", "--spec-version", "2025-06-18"}, 27},
	{"all of 2025-11-25", []string{"--suite", "all", "--spec-version", "2025-11-25"}, 33},
	{"all of 2026-07-28", []string{"--suite", "all", "--spec-version", "2026-07-28"}, 40},
	{"all, with extensions", []string{"--suite", "all"}, 65},
}

// empty contains the scenarios that the suite always skips.
var empty = []string{"tasks-status-notifications"}

// unsent contains the suite's reasons for skipping checks of messages that a client of the newest
// revision does not send.
var unsent = []string{"did not send a initialize request", "did not send a notifications/initialized request"}

func main() {
	times := flag.Int("times", 1, "how often to run everything")
	keep := flag.String("keep", "", "keep the suite's reports in this directory")
	only := flag.String("only", "", "run only passes whose name contains this")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, *times, *keep, *only)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, times int, keep, only string) error {
	if _, err := os.Stat("test/conformance/package.json"); err != nil {
		return errors.New("run it from the project's root")
	}
	node, err := install(ctx)
	if err != nil {
		return fmt.Errorf("nothing was tested, because the suite could not be installed: %w", err)
	}
	work, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if keep == "" {
		keep = filepath.Join(work, "reports")
	}
	url, stop, err := startServer(ctx, work)
	if err != nil {
		return err
	}
	defer stop()
	client, err := buildClient(ctx, work)
	if err != nil {
		return err
	}
	failed, ran := 0, 0
	for n := range times {
		for _, p := range passes {
			if !strings.Contains(p.name, only) {
				continue
			}
			ran++
			out := filepath.Join(keep, fmt.Sprintf("%d-%s", n+1, strings.ReplaceAll(p.name, " ", "-")))
			r, err := p.run(ctx, node, url, out)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			failed += r.print(n+1, p.name, p.scenarios)
		}
		for _, p := range clientPasses {
			if !strings.Contains(p.name, only) {
				continue
			}
			ran++
			r, err := p.run(ctx, node, client, filepath.Join(keep, fmt.Sprintf("%d-%s", n+1, strings.ReplaceAll(p.name, " ", "-"))))
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			failed += r.print(n+1, p.name, p.number)
		}
	}
	if ran == 0 {
		return fmt.Errorf("nothing was tested: no pass has %q in its name", only)
	}
	if failed > 0 {
		return fmt.Errorf("%d passes failed", failed)
	}
	return nil
}

// install installs the suite if necessary and returns the path of its Node.js.
func install(ctx context.Context) (string, error) {
	node, err := filepath.Abs("test/conformance/node_modules/node/bin/node")
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(node); err == nil {
		return node, nil
	}
	cmd := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
	cmd.Dir = "test/conformance"
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm ci: %w\n%s", err, out)
	}
	if _, err := os.Stat(node); err == nil {
		return node, nil
	}
	// npm may be configured not to run install scripts, but this package needs its install script.
	cmd = exec.CommandContext(ctx, "node", "installArchSpecificPackage")
	cmd.Dir = filepath.Dir(filepath.Dir(node))
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("installing Node.js 22: %w\n%s", err, out)
	}
	return node, nil
}

// startServer builds the server and starts it on a free port.
func startServer(ctx context.Context, work string) (url string, stop func(), err error) {
	server := filepath.Join(work, "everything-server")
	build := exec.CommandContext(ctx, "go", "build", "-o", server, "./test/conformance/everything-server")
	if out, err := build.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("building the server: %w\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	addr := l.Addr().String()
	l.Close()
	cmd := exec.CommandContext(ctx, server, "-http", addr)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	}
	for range 100 {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			return "http://" + addr + "/mcp", stop, nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	stop()
	return "", nil, errors.New("the server did not start listening")
}

// report is the outcome of a pass.
type report struct {
	scenarios, checks int
	problems          []string
}

// run runs the pass and reads its reports.
func (p *pass) run(ctx context.Context, node, url, out string) (*report, error) {
	args := append([]string{"test/conformance/node_modules/@modelcontextprotocol/conformance/dist/index.js", "server", "--url", url, "-o", out}, p.args...)
	cmd := exec.CommandContext(ctx, node, args...)
	log, err := cmd.CombinedOutput()
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		return nil, err
	}
	r := new(report)
	folders, _ := filepath.Glob(filepath.Join(out, "*", "checks.json"))
	slices.Sort(folders)
	for _, file := range folders {
		if err := r.read(file); err != nil {
			return nil, err
		}
	}
	if r.scenarios != p.scenarios {
		r.problems = append(r.problems, fmt.Sprintf("%d scenarios were run, not %d", r.scenarios, p.scenarios))
	}
	if err != nil {
		r.problems = append(r.problems, "the suite failed: "+lastLines(string(log), 3))
	}
	return r, nil
}

func (r *report) read(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var checks []struct {
		ID           string `json:"id"`
		Status       string `json:"status"`
		ErrorMessage string `json:"errorMessage"`
	}
	if err := json.Unmarshal(data, &checks); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	scenario := filepath.Base(filepath.Dir(file))
	known := slices.ContainsFunc(empty, func(name string) bool { return strings.Contains(scenario, name) })
	r.scenarios++
	passed := 0
	for _, c := range checks {
		switch c.Status {
		case "SUCCESS":
			passed++
		case "FAILURE", "WARNING":
			r.problems = append(r.problems, fmt.Sprintf("%s: %s %s: %s", scenario, c.Status, c.ID, c.ErrorMessage))
		case "SKIPPED":
			if !known && !slices.ContainsFunc(unsent, func(name string) bool { return strings.Contains(c.ErrorMessage, name) }) {
				r.problems = append(r.problems, fmt.Sprintf("%s: skipped %s: %s", scenario, c.ID, c.ErrorMessage))
			}
		}
	}
	r.checks += passed
	if passed == 0 && !known {
		r.problems = append(r.problems, scenario+": checked nothing")
	}
	return nil
}

// print prints the outcome of the pass and returns 1 if it failed, otherwise 0.
func (r *report) print(n int, name string, scenarios int) int {
	verdict := "ok"
	if len(r.problems) > 0 {
		verdict = "FAILED"
	}
	fmt.Printf("run %d  %-31s %3d of %d scenarios  %4d checks  %s\n", n, name, r.scenarios, scenarios, r.checks, verdict)
	for _, problem := range r.problems {
		fmt.Println("      ", problem)
	}
	return min(len(r.problems), 1)
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(len(lines)-n, 0):], " | ")
}
