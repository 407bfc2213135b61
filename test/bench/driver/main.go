// Command driver compares MCP servers and clients. It starts all of them and measures short rounds.
// In each round, all servers answer the same requests and all clients send the same requests, one
// server or client after another. It prints the median of the rounds' ratios, because ratios of
// measurements close in time are less noisy than the measurements.
//
//	go run ./driver [-rounds N] [-calls N] [-only TEXT] [-page FILE]
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/test/bench/measure"
)

// names contains the names of the servers. All others are compared with the first one. rmcp is
// omitted if it cannot be built.
var names = []string{"ours", "gosdk", "mcpgo", "rmcp", "floor"}

// A scenario is a kind of load.
type scenario struct {
	name     string
	args     []string
	http     bool
	modern   bool
	call     string // the request, without newline
	inFlight int
	calls    int // calls per round, in percent of -calls
	targets  map[string]float64
}

const modernMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0"},"io.modelcontextprotocol/clientCapabilities":{}}`

func toolCall(name, arguments, more string) string {
	return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + name + `","arguments":` + arguments + more + `}}`
}

var scenarios = func() []scenario {
	echo := toolCall("echo", `{"message":"hello, world"}`, "")
	return []scenario{
		{name: "stdio echo, 64 in flight", call: echo, inFlight: 64, calls: 100, targets: map[string]float64{"gosdk": 20, "rmcp": 1, "mcpgo": 4}},
		{name: "stdio echo, 1 in flight", call: echo, inFlight: 1, calls: 25, targets: map[string]float64{"gosdk": 5, "rmcp": 1}},
		{name: "stdio structured, 64 in flight", call: toolCall("structured", `{"a":17,"b":25}`, ""), inFlight: 64, calls: 100, targets: map[string]float64{"gosdk": 18, "rmcp": 1}},
		{name: "stdio text of 64 KiB, 4 in flight", call: toolCall("big", `{"kb":64}`, ""), inFlight: 4, calls: 5, targets: map[string]float64{"gosdk": 8, "rmcp": 1}},
		{name: "stdio text of 1 MiB, 4 in flight", call: toolCall("big", `{"kb":1024}`, ""), inFlight: 4, calls: 1, targets: map[string]float64{"gosdk": 10, "rmcp": 1}},
		{name: "stdio tools/list of 100", args: []string{"-tools", "100"}, call: `{"jsonrpc":"2.0","id":7,"method":"tools/list"}`, inFlight: 16, calls: 5, targets: map[string]float64{"gosdk": 50, "rmcp": 1}},
		{name: "HTTP echo, 64 in flight", http: true, call: echo, inFlight: 64, calls: 25, targets: map[string]float64{"gosdk": 6, "rmcp": 1, "floor": 0.8}},
		{name: "HTTP echo of 2026-07-28, 64 in flight", http: true, modern: true, args: []string{"-stateless"}, call: toolCall("echo", `{"message":"hello, world"}`, ","+modernMeta), inFlight: 64, calls: 25, targets: map[string]float64{"gosdk": 10, "rmcp": 1, "mcpgo": 2.5}},
	}
}()

// A peer is a running server.
type peer interface {
	// load makes n calls, with inFlight calls at a time.
	load(n, inFlight int) error
	pid() int
	stop()
}

func main() {
	rounds := flag.Int("rounds", 9, "rounds of each scenario")
	calls := flag.Int("calls", 20_000, "calls to each server in a round")
	only := flag.String("only", "", "only loads whose name contains this, such as stdio, HTTP, client or memory")
	page := flag.String("page", "", "file for a page in Markdown")
	flag.Parse()
	if err := run(*rounds, *calls, *only, *page); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

func run(rounds, calls int, only, page string) error {
	bin, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	commands := map[string][]string{}
	rust, err := buildRust()
	if err != nil {
		fmt.Fprintln(os.Stderr, "driver: omitting rmcp:", err)
		names = slices.DeleteFunc(names, func(name string) bool { return name == "rmcp" })
	}
	for _, name := range append([]string{"bare"}, names...) {
		if name == "rmcp" {
			commands[name] = []string{rust, "server"}
			continue
		}
		commands[name] = []string{filepath.Join(bin, name)}
		if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, name), "./servers/"+name).CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", name, err, out)
		}
	}
	var out report
	if rust != "" {
		out.cargoLock = "../interop/rust/Cargo.lock"
	}
	fmt.Printf("%-40s %-8s %12s %14s %14s %12s %8s\n", "scenario", "server", "calls/s", "times ours is", "target", "CPU ms/10k", "CPU times")
	for _, s := range scenarios {
		if !strings.Contains(s.name, only) {
			continue
		}
		if err := s.measure(commands, rounds, max(calls*s.calls/100, 2*s.inFlight), &out); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if err := compareClients(commands["bare"][0], rust, rounds, calls, only, &out); err != nil {
		return err
	}
	if strings.Contains(memoryScenario, only) {
		if err := compareMemory(commands, calls, &out); err != nil {
			return fmt.Errorf("%s: %w", memoryScenario, err)
		}
	}
	if page == "" {
		return nil
	}
	return os.WriteFile(page, []byte(out.page(rounds)), 0o644)
}

// result is the measurement of a server in one round.
type result struct{ rate, cpu float64 }

func (s *scenario) measure(commands map[string][]string, rounds, calls int, out *report) error {
	peers := map[string]peer{}
	defer func() {
		for _, p := range peers {
			p.stop()
		}
	}()
	for _, name := range names {
		p, err := s.start(commands[name])
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		peers[name] = p
		if err := watched(p, min(calls, 2000), s.inFlight); err != nil {
			return fmt.Errorf("%s: warming up: %w", name, err)
		}
	}
	results := map[string][]result{}
	for range rounds {
		for _, name := range names {
			p := peers[name]
			cpu, began := measure.CPUTime(p.pid()), time.Now()
			if err := watched(p, calls, s.inFlight); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			took := time.Since(began)
			results[name] = append(results[name], result{
				rate: float64(calls) / took.Seconds(),
				cpu:  float64(measure.CPUTime(p.pid())-cpu) / float64(time.Millisecond) / float64(calls) * 10_000,
			})
		}
	}
	for _, name := range names {
		var rates, ratios, cpus, cpuRatios []float64
		for i, r := range results[name] {
			ours := results["ours"][i]
			rates = append(rates, r.rate)
			ratios = append(ratios, ours.rate/r.rate)
			cpus = append(cpus, r.cpu)
			cpuRatios = append(cpuRatios, r.cpu/ours.cpu)
		}
		line := fmt.Sprintf("%-40s %-8s %12.0f", s.name, name, measure.Median(rates))
		if name != "ours" {
			line += fmt.Sprintf(" %13.2fx", measure.Median(ratios))
			if t, ok := s.targets[name]; ok {
				mark := "reached"
				if measure.Median(ratios) < t {
					mark = "SHORT"
				}
				line += fmt.Sprintf(" %5.4g %8s", t, mark)
			} else {
				line += fmt.Sprintf(" %14s", "")
			}
		} else {
			line += fmt.Sprintf(" %14s %14s", "", "")
		}
		fmt.Printf("%s %12.1f %7.2fx\n", line, measure.Median(cpus), measure.Median(cpuRatios))
		out.server(s.name, name, measure.Median(rates), measure.Median(ratios), measure.Median(cpus))
	}
	return nil
}

// watched calls load. It kills the server if the server stops responding because it has lost a
// call.
func watched(p peer, n, inFlight int) error {
	late := time.AfterFunc(2*time.Minute, p.stop)
	defer late.Stop()
	return p.load(n, inFlight)
}

var errEnded = errors.New("the server ended its output")
