// Command public repeats the public comparison of MCP servers by http4k (benchmark-mcp-servers-v2)
// on this machine. In the comparison, 50 users call tools that use Redis and an HTTP service. All
// servers run at the same time. Each round loads them one after another, in a different order in
// each round, so that the measurements of a round are close in time. The command prints a table and
// writes a page.
//
//	go run ./public [-rounds N] [-time 30s] [-only NAMES] [-k6 FILE] [-page FILE]
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
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/docent-mcp/docent/test/bench/measure"
)

// A server is one of the compared servers.
type server struct {
	name    string // name in the table
	program string // folder in servers, or "rust"
	args    []string
	url     string
	process *exec.Cmd
	rounds  []round
}

// A round contains the measurements of a server in one round.
type round struct {
	rate float64 // requests per second, without notifications and ends of sessions
	cpu  float64 // processor time of the server in seconds for 10,000 of these requests
	p95  float64 // 95th percentile of the response times in milliseconds
}

const (
	ours     = "docent/mcp"
	floor    = "net/http by hand"
	sessions = ", sessions"
)

func servers() []*server {
	return []*server{
		{name: floor, program: "floor"},
		{name: floor + sessions, program: "floor", args: []string{"-sessions"}},
		{name: ours, program: "ours"},
		{name: ours + sessions, program: "ours", args: []string{"-sessions"}},
		{name: "rmcp", program: "rust"},
		{name: "mcp-go", program: "mcpgo"},
		{name: "go-sdk", program: "gosdk"},
	}
}

func main() {
	rounds := flag.Int("rounds", 6, "rounds")
	length := flag.Duration("time", 30*time.Second, "how long a server is loaded in a round")
	only := flag.String("only", "", "names of servers, separated by commas; part of a name is enough")
	k6 := flag.String("k6", "k6", "the program k6")
	page := flag.String("page", "", "file for a page in Markdown")
	profile := flag.String("profile", "", "directory for profiles of the CPU")
	flag.Parse()
	if err := run(*rounds, *length, *only, *k6, *page, *profile); err != nil {
		fmt.Fprintln(os.Stderr, "public:", err)
		os.Exit(1)
	}
}

func run(rounds int, length time.Duration, only, k6, page, profile string) error {
	for _, program := range []string{k6, "redis-server"} {
		if _, err := exec.LookPath(program); err != nil {
			fmt.Fprintln(os.Stderr, "public: skipping the comparison:", err)
			return nil
		}
	}
	bin, err := os.MkdirTemp("", "public")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	var stops []func()
	defer func() {
		for _, stop := range slices.Backward(stops) {
			stop()
		}
	}()
	start := func(program string, args ...string) (*exec.Cmd, error) {
		cmd := exec.Command(program, args...)
		cmd.Dir, cmd.Stderr = bin, os.Stderr
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		stops = append(stops, func() {
			_ = cmd.Process.Signal(syscall.SIGTERM)
			_ = cmd.Wait()
		})
		return cmd, nil
	}
	store, err := measure.FreeAddr()
	if err != nil {
		return err
	}
	catalog, err := measure.FreeAddr()
	if err != nil {
		return err
	}
	_, port, _ := net.SplitHostPort(store)
	if _, err := start("redis-server", "--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--loglevel", "warning"); err != nil {
		return err
	}
	if err := build(bin, "catalog", "./public/catalog"); err != nil {
		return err
	}
	if _, err := start(filepath.Join(bin, "catalog"), catalog); err != nil {
		return err
	}
	if err := errors.Join(measure.Reach(store), measure.Reach(catalog)); err != nil {
		return err
	}
	compared := servers()
	compared = slices.DeleteFunc(compared, func(s *server) bool {
		return only != "" && !slices.ContainsFunc(strings.Split(only, ","), func(name string) bool { return strings.Contains(s.name, name) })
	})
	for i := 0; i < len(compared); i++ {
		s := compared[i]
		program := filepath.Join(bin, s.program)
		if s.program == "rust" {
			if program, err = buildRust(); err != nil {
				fmt.Fprintf(os.Stderr, "public: skipping %s: %v\n", s.name, err)
				compared = slices.Delete(compared, i, i+1)
				i--
				continue
			}
		} else if err := build(bin, s.program, "./public/servers/"+s.program); err != nil {
			return err
		}
		addr, err := measure.FreeAddr()
		if err != nil {
			return err
		}
		s.url = "http://" + addr + "/mcp"
		args := append(slices.Clone(s.args), "-addr", addr, "-redis", store, "-catalog", "http://"+catalog)
		if profile != "" && s.program != "rust" {
			args = append(args, "-profile", filepath.Join(profile, strings.NewReplacer("/", "-", ", ", "-", " ", "-").Replace(s.name)+".pprof"))
		}
		if s.process, err = start(program, args...); err != nil {
			return err
		}
		if err := measure.Reach(addr); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	script, err := filepath.Abs("public/load.js")
	if err != nil {
		return err
	}
	for i := range rounds + 1 { // the first round is only a warm-up
		time := length
		if i == 0 {
			time = length / 3
		}
		for j := range compared {
			s := compared[(i+j)%len(compared)]
			if err := seed(store); err != nil {
				return err
			}
			r, err := s.load(k6, script, time)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			if i > 0 {
				s.rounds = append(s.rounds, r)
				fmt.Printf("round %d: %-22s %6.0f requests/s, %.2f CPU s for 10,000, 95%% in %.0f ms\n", i, s.name, r.rate, r.cpu, r.p95)
			}
		}
	}
	text := table(compared)
	fmt.Print("\n", text)
	if page != "" {
		return os.WriteFile(page, []byte(pageOf(compared, text, rounds, length)), 0o644)
	}
	return nil
}

func build(bin, name, dir string) error {
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, name), dir).CombinedOutput(); err != nil {
		return fmt.Errorf("building %s: %w\n%s", name, err, out)
	}
	return nil
}

// buildRust builds the server with rmcp and returns its path.
func buildRust() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	target := filepath.Join(cache, "docent-bench", "rust")
	if dir := os.Getenv("BENCH_RUST"); dir != "" {
		target = dir
	}
	cmd := exec.Command("cargo", "build", "-q", "--release", "--locked")
	cmd.Dir = filepath.Join("public", "rust")
	cmd.Env = append(os.Environ(), "CARGO_TARGET_DIR="+target)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cargo build: %w\n%s", err, out)
	}
	return filepath.Join(target, "release", "rmcp-shop"), nil
}

// load runs k6 against the server.
func (s *server) load(k6, script string, length time.Duration) (round, error) {
	ctx, cancel := context.WithTimeout(context.Background(), length+2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, k6, "run", "--quiet", "--no-usage-report", "--address", "", "--duration", length.String(), "-e", "URL="+s.url, script)
	cmd.Stderr = os.Stderr
	began := measure.CPUTime(s.process.Process.Pid)
	out, err := cmd.Output()
	if err != nil {
		return round{}, fmt.Errorf("k6: %w", err)
	}
	took := measure.CPUTime(s.process.Process.Pid) - began
	var summary struct{ Requests, Rate, Failed, Wrong, P95 float64 }
	if err := json.Unmarshal(out, &summary); err != nil {
		return round{}, fmt.Errorf("k6 wrote %.200q: %w", out, err)
	}
	if summary.Failed+summary.Wrong > 0 || summary.Requests == 0 {
		return round{}, fmt.Errorf("of %v requests, %v failed and %v results were wrong", summary.Requests, summary.Failed, summary.Wrong)
	}
	return round{rate: summary.Rate, cpu: took.Seconds() / summary.Requests * 10_000, p95: summary.P95}, nil
}
