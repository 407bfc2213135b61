// Command soak runs floods against one server made with mcp, one after another, while steady
// clients use it. For each flood, it prints the resources that the server used and how long the
// steady clients waited. It fails if a steady client loses a call, if a hostile request is served,
// or if memory or goroutines do not return close to their previous values.
//
//	go run ./test/soak [-time 3m] [-only TEXT]
//
// With -client it tests the client with hostile servers instead, its sign-in with hostile
// authorization servers, and the guard of a server with stolen tokens. For each, it prints how long
// the caller waited for its error, and the goroutines and memory before and after. It fails if
// these grow, if a caller has to wait for long, or if an attack succeeds.
//
//	go run ./test/soak -client [-rounds 1000] [-only TEXT]
//
// Everything runs on the loopback network and ends on its own.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

const (
	settleTime     = 30 * time.Second // limit for the server after a flood
	moreMemory     = 48 << 20         // that may be left after a flood, in bytes
	moreGoroutines = 50               // that may be left after a flood
)

func main() {
	whole := flag.Duration("time", 3*time.Minute, "how long all floods take together, without the time in which the server settles")
	only := flag.String("only", "", "only floods whose name contains this")
	server := flag.Bool("serve", false, "be the server")
	client := flag.Bool("client", false, "try the client with hostile servers")
	rounds := flag.Int("rounds", 1000, "connections to each hostile server")
	flag.Parse()
	act := func() error { return run(*whole, *only) }
	if *client {
		act = func() error { return runClient(*rounds, *only) }
	}
	if *server {
		act = serve
	}
	if err := act(); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// target is the server that is flooded.
type target struct {
	web, pipes string // addresses
}

func start() (*target, func(), error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(self, "-serve")
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	stop := func() {
		in.Close()
		late := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
		defer late.Stop()
		_ = cmd.Wait()
	}
	t := new(target)
	line, err := bufio.NewReader(out).ReadString('\n')
	if _, scanned := fmt.Sscan(line, &t.web, &t.pipes); err != nil || scanned != nil {
		stop()
		return nil, nil, fmt.Errorf("the server did not say where it listens: %q: %w", line, errors.Join(err, scanned))
	}
	return t, stop, nil
}

// usage returns the resources that the server uses.
func (t *target) usage(collect bool) (u usage, err error) {
	query := ""
	if collect {
		query = "?collect=1"
	}
	resp, err := http.Get("http://" + t.web + "/usage" + query)
	if err != nil {
		return u, err
	}
	defer resp.Body.Close()
	return u, json.NewDecoder(io.LimitReader(resp.Body, 1000)).Decode(&u)
}

func run(whole time.Duration, only string) error {
	t, stop, err := start()
	if err != nil {
		return err
	}
	defer stop()
	var chosen []flood
	for _, f := range floods {
		if strings.Contains(f.name, only) {
			chosen = append(chosen, f)
		}
	}
	if len(chosen) == 0 {
		return fmt.Errorf("no flood has a name that contains %q", only)
	}
	clients, err := t.steady()
	if err != nil {
		return err
	}
	defer clients.stop()
	<-time.After(2 * time.Second) // Wait until the pools of a busy server are full.
	clients.take()
	before, err := t.usage(true)
	if err != nil {
		return err
	}
	fmt.Printf("%-28s %8s %8s %9s %9s %9s %9s %7s %5s %9s %9s\n", "flood", "RSS MiB", "heap MiB", "goroutin.", "RSS after", "heap aft.", "gor. aft.", "calls", "lost", "p50", "p99")
	fmt.Printf("%-28s %8s %8s %9s %9d %9d %9d\n", "(before)", "", "", "", before.RSS>>20, before.Heap>>20, before.Goroutines)
	failed := 0
	for _, f := range chosen {
		problems, err := t.soak(f, clients, whole/time.Duration(len(chosen)), before)
		if err != nil {
			return err
		}
		for _, problem := range problems {
			fmt.Printf("    FAILED: %s: %s\n", f.name, problem)
			failed++
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d failures", failed)
	}
	return nil
}

// soak runs one flood, prints its line and returns the errors.
func (t *target) soak(f flood, clients *steady, long time.Duration, before usage) (problems []string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), long)
	defer cancel()
	run := &flooding{target: t, ctx: ctx}
	var all sync.WaitGroup
	for range f.workers {
		all.Go(func() {
			for ctx.Err() == nil {
				f.act(run)
			}
		})
	}
	var peak usage
	for ctx.Err() == nil {
		u, err := t.usage(false)
		if err != nil {
			cancel()
			all.Wait()
			return nil, fmt.Errorf("%s: the server does not answer: %w", f.name, err)
		}
		peak = usage{max(peak.RSS, u.RSS), max(peak.Heap, u.Heap), max(peak.Goroutines, u.Goroutines)}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	all.Wait()
	calls := clients.take()
	var after usage
	settled := false
	for deadline := time.Now().Add(settleTime); !settled && time.Now().Before(deadline); {
		if after, err = t.usage(true); err != nil {
			return nil, err
		}
		settled = after.RSS <= before.RSS+moreMemory && after.Heap <= before.Heap+moreMemory && after.Goroutines <= before.Goroutines+moreGoroutines
		if !settled {
			<-time.After(500 * time.Millisecond)
		}
	}
	calls.add(clients.take())
	fmt.Printf("%-28s %8d %8d %9d %9d %9d %9d %7d %5d %9s %9s\n", f.name, peak.RSS>>20, peak.Heap>>20, peak.Goroutines,
		after.RSS>>20, after.Heap>>20, after.Goroutines, len(calls.took), len(calls.lost), calls.quantile(50), calls.quantile(99))
	if !settled {
		problems = append(problems, fmt.Sprintf("%v after it the server holds more than before", settleTime))
	}
	if len(calls.lost) > 0 {
		problems = append(problems, fmt.Sprintf("steady clients lost %d calls, the first: %v", len(calls.lost), calls.lost[0]))
	}
	if len(calls.took) == 0 {
		problems = append(problems, "steady clients got no answer")
	}
	if text := run.problem.Load(); text != nil {
		problems = append(problems, *text)
	}
	return problems, nil
}
