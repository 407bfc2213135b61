package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/test/bench/measure"
	"github.com/docent-mcp/docent/test/bench/side"
)

// A caller is a connected client.
type caller struct {
	name  string
	call  func(ctx context.Context) error // calls the echo tool
	close func() error
	// makes, if not nil, has another process call the tool n times, inFlight at a time.
	makes func(n, inFlight int) error
}

// A race is a kind of load on clients. The others are compared with the first
// caller.
type race struct {
	name      string
	inFlight  int
	calls     int // per round, in percent of -calls
	target    float64
	maxAllocs float64 // target for our library; 0 means no target
	connect   func(ctx context.Context, bare, rust string) ([]caller, error)
}

var races = []race{
	{name: "client and server in memory, 1 in flight", inFlight: 1, calls: 25, target: 8, maxAllocs: 25, connect: inMemory},
	{name: "client and server in memory, 64 in flight", inFlight: 64, calls: 25, target: 8, maxAllocs: 25, connect: inMemory},
	{name: "client on a pipe, 64 in flight", inFlight: 64, calls: 50, target: 10, connect: onPipe},
	{name: "client over HTTP, 64 in flight", inFlight: 64, calls: 10, target: 4, connect: overHTTP},
}

func compareClients(bare, rust string, rounds, calls int, only string, out *report) error {
	fmt.Printf("\n%-44s %-14s %12s %14s %14s %12s\n", "scenario", "client", "calls/s", "times ours is", "target", "allocs/call")
	for _, r := range races {
		if !strings.Contains(r.name, only) {
			continue
		}
		if err := r.run(bare, rust, rounds, max(calls*r.calls/100, 2*r.inFlight), out); err != nil {
			return fmt.Errorf("%s: %w", r.name, err)
		}
	}
	return nil
}

func (r *race) run(bare, rust string, rounds, calls int, out *report) (err error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	callers, err := r.connect(ctx, bare, rust)
	defer func() {
		for _, c := range callers {
			err = errors.Join(err, c.close())
		}
	}()
	if err != nil {
		return err
	}
	rates, allocs := map[string][]float64{}, map[string][]float64{}
	for round := range rounds + 1 {
		for _, c := range callers {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			began := time.Now()
			if err := c.load(ctx, calls, r.inFlight); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			took := time.Since(began)
			runtime.ReadMemStats(&after)
			if round > 0 { // the first warms up
				rates[c.name] = append(rates[c.name], float64(calls)/took.Seconds())
				allocs[c.name] = append(allocs[c.name], float64(after.Mallocs-before.Mallocs)/float64(calls))
			}
		}
	}
	ours := callers[0].name
	for _, c := range callers {
		ratio, mark := "", ""
		if c.name != ours {
			var ratios []float64
			for i, rate := range rates[c.name] {
				ratios = append(ratios, rates[ours][i]/rate)
			}
			ratio = fmt.Sprintf("%.2fx", measure.Median(ratios))
			target := r.target
			if c.makes != nil {
				target = 1 // rmcp
			}
			mark = verdict(fmt.Sprintf("%.4gx", target), measure.Median(ratios) >= target)
		} else if r.maxAllocs > 0 {
			mark = verdict(fmt.Sprintf("<=%g allocs", r.maxAllocs), measure.Median(allocs[ours]) <= r.maxAllocs)
		}
		count := fmt.Sprintf("%.1f", measure.Median(allocs[c.name]))
		if c.makes != nil {
			count = ""
		}
		fmt.Printf("%-44s %-14s %12.0f %14s %22s %8s\n", r.name, c.name, measure.Median(rates[c.name]), ratio, mark, count)
		out.client(r.name, c.name, measure.Median(rates[c.name]), strings.TrimSuffix(ratio, "x"), count)
	}
	return nil
}

func verdict(target string, reached bool) string {
	if reached {
		return target + " reached"
	}
	return target + " SHORT"
}

// load makes n calls, inFlight at a time.
func (c *caller) load(ctx context.Context, n, inFlight int) error {
	if c.makes != nil {
		return c.makes(n, inFlight)
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	calls := make([]func() error, inFlight)
	for i := range calls {
		calls[i] = func() error { return c.call(ctx) }
	}
	return share(n, calls)
}

// share makes n calls with functions that run concurrently, each for one call at a time.
func share(n int, calls []func() error) error {
	var remaining atomic.Int64
	remaining.Store(int64(n))
	errs := make(chan error, len(calls))
	var wg sync.WaitGroup
	for _, call := range calls {
		wg.Go(func() {
			for remaining.Add(-1) >= 0 {
				if err := call(); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

const message = "hello, world"

var errWrongAnswer = errors.New("the call was not answered with " + message)

func ourCaller(ctx context.Context, t mcp.Transport) (caller, error) {
	c, err := mcp.Connect(ctx, t, &mcp.ClientOptions{Revisions: []string{"2025-11-25"}})
	if err != nil {
		return caller{}, err
	}
	args := side.EchoIn{Message: message}
	return caller{name: "ours", call: func(ctx context.Context) error {
		res, err := c.CallTool(ctx, "echo", args, nil)
		if err != nil {
			return err
		}
		if text, ok := res.Content[0].(*mcp.TextContent); !ok || text.Text != message {
			return errWrongAnswer
		}
		return nil
	}, close: c.Close}, nil
}

func sdkCaller(ctx context.Context, name string, t gosdk.Transport) (caller, error) {
	client := gosdk.NewClient(&gosdk.Implementation{Name: "bench", Version: "1.0"}, nil)
	c, err := client.Connect(ctx, t, &gosdk.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		return caller{}, err
	}
	args := side.EchoIn{Message: message}
	return caller{name: name, call: func(ctx context.Context) error {
		res, err := c.CallTool(ctx, &gosdk.CallToolParams{Name: "echo", Arguments: args})
		if err != nil {
			return err
		}
		if text, ok := res.Content[0].(*gosdk.TextContent); !ok || text.Text != message {
			return errWrongAnswer
		}
		return nil
	}, close: c.Close}, nil
}

func pair(ours caller, err error) func(caller, error) ([]caller, error) {
	return func(theirs caller, err2 error) ([]caller, error) {
		if err := errors.Join(err, err2); err != nil {
			return nil, err
		}
		return []caller{ours, theirs}, nil
	}
}

// inMemory connects each client to a server of the same library.
func inMemory(ctx context.Context, _, _ string) ([]caller, error) {
	s := mcp.NewServer(mcp.Implementation{Name: "ours", Version: "1.0"}, nil)
	if err := mcp.AddTool(s, mcp.Tool{Name: "echo", Description: side.AboutEcho},
		func(_ context.Context, _ *mcp.Request, in side.EchoIn) (string, error) { return in.Message, nil }); err != nil {
		return nil, err
	}
	theirs := gosdk.NewServer(&gosdk.Implementation{Name: "gosdk", Version: "1.0"}, nil)
	gosdk.AddTool(theirs, &gosdk.Tool{Name: "echo", Description: side.AboutEcho},
		func(_ context.Context, _ *gosdk.CallToolRequest, in side.EchoIn) (*gosdk.CallToolResult, any, error) {
			return &gosdk.CallToolResult{Content: []gosdk.Content{&gosdk.TextContent{Text: in.Message}}}, nil, nil
		})
	near, far := gosdk.NewInMemoryTransports()
	if _, err := theirs.Connect(ctx, far, nil); err != nil {
		return nil, err
	}
	return pair(ourCaller(ctx, &mcp.ServerTransport{Server: s}))(sdkCaller(ctx, "gosdk", near))
}

// onPipe starts the bare server for each client.
func onPipe(ctx context.Context, bare, rust string) ([]caller, error) {
	callers, err := pair(ourCaller(ctx, &mcp.CommandTransport{Command: bare, Args: []string{"stdio"}}))(
		sdkCaller(ctx, "gosdk", &gosdk.CommandTransport{Command: exec.Command(bare, "stdio")}))
	if err != nil {
		return nil, err
	}
	return addRust(callers, rust, bare, "stdio")
}

// overHTTP starts one bare server for all clients. The client of the Go SDK is
// measured with net/http's default client, which keeps two connections alive, and with a client
// that keeps one for each concurrent call.
func overHTTP(ctx context.Context, bare, rust string) ([]caller, error) {
	addr, err := measure.FreeAddr()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, bare, "http", addr)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	if err := measure.Reach(addr); err != nil {
		return nil, err
	}
	url := "http://" + addr + "/mcp"
	callers, err := pair(ourCaller(ctx, &mcp.HTTPTransport{URL: url}))(
		sdkCaller(ctx, "gosdk", &gosdk.StreamableClientTransport{Endpoint: url}))
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	tuned, err := sdkCaller(ctx, "gosdk, 64 conns", &gosdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		return callers, err
	}
	return addRust(append(callers, tuned), rust, url)
}
