package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/internal/teamserver/apikey"
	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/team/internal/pgtest"
)

var (
	loadTime    = flag.Duration("load.time", 2*time.Second, "how long TestLoad makes calls")
	loadClients = flag.Int("load.clients", 20, "number of clients of TestLoad")
	loadRate    = flag.Float64("load.rate", 20, "calls per second of all clients of TestLoad")
	loadProfile = flag.String("load.profile", "", "directory in which TestLoad stores profiles of the server: cpu.pprof and heap.pprof")
)

const (
	// loadKeys is the number of keys that the clients of TestLoad share.
	loadKeys = 100
	// connecting is the number of clients that connect at the same time.
	connecting = 16
)

// revisions contains all revisions. Clients of revision 2024-11-05 use HTTP+SSE.
var revisions = append([]string{"2024-11-05"}, balanced...)

// A question is a tool call and text that its result must contain.
type question struct {
	kind, tool string
	arguments  map[string]any
	want       string
}

// loadQuestions returns the calls of TestLoad, with the share of each kind. Half of them request
// symbols, a tenth a complete package, a fifth search a package, a tenth search all packages, and a
// tenth request source code.
func loadQuestions() []question {
	symbols := []string{
		"fmt Sprintf", "fmt Fprintln", "strings Cut", "strings Builder", "errors Is", "errors As", "sort Slice", "io Copy", "io ReadAll", "unicode/utf8 RuneLen",
		"net/http Client.Do", "net/http Handler", "net/http NewRequestWithContext", "os ReadFile", "os OpenFile", "path/filepath WalkDir", "encoding/json Marshal", "encoding/json Decoder.Decode",
		"context WithTimeout", "sync WaitGroup", "sync/atomic Int64", "time ParseDuration", "time Timer", "bufio Scanner", "bytes Buffer", "regexp MustCompile", "strconv ParseInt", "slices SortFunc",
		"maps Keys", "log/slog New", "net/url Parse", "crypto/sha256 Sum256", "archive/zip OpenReader", "compress/gzip NewReader", "text/template Template.Execute", "go/ast Inspect",
		"database/sql DB.QueryContext", "math/rand/v2 IntN", "testing/fstest MapFS", "html/template New",
	}
	packages := []string{"errors", "io/fs", "maps", "slices", "unicode/utf8", "sync", "context", "path", "bufio", "embed"}
	searches := []string{"net/http cancel request after timeout", "os create temporary directory", "strings split by separator", "encoding/json unknown fields", "time format date", "context deadline", "io limit reader", "sync run once"}
	everywhere := []string{"parse duration", "walk directory tree", "compare slices", "hash sha256", "read lines from file", "format json with indentation"}
	var all []question
	for i := range symbols {
		name, symbol, _ := strings.Cut(symbols[i], " ")
		_, last, ok := strings.Cut(symbol, ".")
		if !ok {
			last = symbol
		}
		describe := question{"symbol", "describe_go_package", map[string]any{"package": name, "symbol": symbol}, last}
		all = append(all, describe, describe)
		all = append(all, describe, describe, describe)
		p := packages[i%len(packages)]
		all = append(all, question{"package", "describe_go_package", map[string]any{"package": p}, p + "@"})
		for n := range 2 {
			p, query, _ := strings.Cut(searches[(2*i+n)%len(searches)], " ")
			all = append(all, question{"search in a package", "search_package_docs", map[string]any{"package": p, "query": query, "language": "go"}, p})
		}
		all = append(all, question{"search in all packages", "search_package_docs", map[string]any{"query": everywhere[i%len(everywhere)], "language": "go"}, "that this server has read"})
		all = append(all, question{"source code", "describe_go_package", map[string]any{"package": name, "symbol": symbol, "source": "true"}, last})
	}
	return all
}

// measured contains what the clients of TestLoad have measured.
type measured struct {
	t        *testing.T
	errors   atomic.Int64
	failures sync.Map // errors that have been reported

	mu        sync.Mutex
	durations map[string][]time.Duration // durations by kind, measured from the moment at which a call was due
}

// ask makes one call. due is the time at which the call should have started.
func (m *measured) ask(ctx context.Context, c *mcp.Client, q *question, due time.Time) {
	ctx, cancel := context.WithTimeout(ctx, attemptTimeout)
	defer cancel()
	text, err := mcp.CallTool[string](ctx, c, q.tool, q.arguments, nil)
	took := time.Since(due)
	if err == nil && !strings.Contains(text, q.want) {
		err = fmt.Errorf("%s %v: the answer is %.200q, want %q", q.tool, q.arguments, text, q.want)
	}
	if err != nil {
		m.errors.Add(1)
		if _, known := m.failures.LoadOrStore(fmt.Sprintf("%.100s", err), true); !known {
			m.t.Errorf("%s: %v", q.kind, err)
		}
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.durations[q.kind] = append(m.durations[q.kind], took)
}

type loadServer struct {
	url, admin string
	keys       []string
	pid        int
	postgres   *pgtest.Server
}

func startLoadServer(t *testing.T) *loadServer {
	t.Helper()
	s := &loadServer{postgres: pgtest.Start(t), admin: freeAddress(t)}
	file := filepath.Join(t.TempDir(), "keys.json")
	for i := range loadKeys {
		key, _, err := apikey.Create(file, fmt.Sprint("client", i), nil, time.Time{})
		if err != nil {
			t.Fatal(err)
		}
		s.keys = append(s.keys, key)
	}
	cmd := program(t, "--http", "127.0.0.1:0", "--sse", "--keys", file, "--admin", s.admin)
	cmd.Dir = t.TempDir()
	cmd.Env = append(cmd.Env, postgresVariable+"="+s.postgres.Database(t))
	s.url = serve(t, cmd)
	s.pid = cmd.Process.Pid
	return s
}

// connect connects a client. It closes the client at the end of the test.
func (s *loadServer) connect(t *testing.T, i int) (*mcp.Client, error) {
	revision := revisions[i%len(revisions)]
	transport := &mcp.HTTPTransport{
		URL: s.url + "/mcp", HTTPClient: &http.Client{Transport: &http.Transport{}}, NoSSE: true,
		Header: http.Header{"Authorization": {"Bearer " + s.keys[i%len(s.keys)]}},
	}
	if revision == "2024-11-05" {
		transport.URL, transport.NoSSE, transport.OnlySSE = s.url+"/sse", false, true
	}
	c, err := mcp.Connect(t.Context(), transport, &mcp.ClientOptions{Revisions: []string{revision}, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return nil, fmt.Errorf("a client of %s cannot connect: %w", revision, err)
	}
	t.Cleanup(func() { c.Close() })
	return c, nil
}

// profile stores a profile of the server. path is the path of the profile at the address for
// operators.
func (s *loadServer) profile(t *testing.T, path, file string) {
	response, err := http.Get("http://" + s.admin + "/debug/pprof/" + path)
	if err != nil {
		t.Error(err)
		return
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, data)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(*loadProfile, file), data, 0o600)
	}
	if err != nil {
		t.Errorf("profile %s: %v", path, err)
	}
}

// gauge returns the value of a metric of the server.
func (s *loadServer) gauge(t *testing.T, name string) float64 {
	t.Helper()
	for line := range strings.Lines(get(t, "http://"+s.admin+"/metrics")) {
		if text, ok := strings.CutPrefix(line, name+" "); ok {
			value, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				t.Fatal(err)
			}
			return value
		}
	}
	t.Fatalf("the server has no metric %s", name)
	return 0
}

// TestLoad uses one server with PostgreSQL and many clients of all revisions. The clients make
// calls at a constant rate, regardless of how long the responses take. The test prints latencies,
// memory and processor time. By default it is short; make team-load uses 1,000 clients.
func TestLoad(t *testing.T) {
	s := startLoadServer(t)
	clients := make([]*mcp.Client, *loadClients)
	began := time.Now()
	var connections sync.WaitGroup
	for first := range connecting {
		connections.Go(func() {
			for i := first; i < len(clients); i += connecting {
				var err error
				if clients[i], err = s.connect(t, i); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	connections.Wait()
	if t.Failed() {
		t.FailNow()
	}
	t.Logf("%d clients connected in %v, with %.0f connections", len(clients), time.Since(began).Round(time.Millisecond), s.gauge(t, "docent_connections"))
	questions := loadQuestions()
	warm := &measured{t: t, durations: map[string][]time.Duration{}}
	for i := range questions { // call the questions about all packages after all packages have been read
		if questions[i].kind != "search in all packages" {
			warm.ask(t.Context(), clients[i%len(clients)], &questions[i], time.Now())
		}
	}
	for i := range questions {
		if questions[i].kind == "search in all packages" {
			warm.ask(t.Context(), clients[i%len(clients)], &questions[i], time.Now())
		}
	}
	if warm.errors.Load() > 0 {
		t.FailNow()
	}
	m := &measured{t: t, durations: map[string][]time.Duration{}}
	var profiling sync.WaitGroup
	if *loadProfile != "" {
		if err := os.MkdirAll(*loadProfile, 0o700); err != nil {
			t.Fatal(err)
		}
		profiling.Go(func() { s.profile(t, fmt.Sprintf("profile?seconds=%.0f", max(loadTime.Seconds()-1, 1)), "cpu.pprof") })
	}
	before := s.processorTimes()
	began = time.Now()
	calls := m.run(t.Context(), clients, questions)
	elapsed := time.Since(began)
	after := s.processorTimes()
	if *loadProfile != "" {
		s.profile(t, "heap", "heap.pprof")
	}
	profiling.Wait()
	m.report(s, calls, elapsed, before, after)
}

// run makes calls at the rate of the flag until the time of the flag has passed. It waits for the
// responses and returns the number of calls.
func (m *measured) run(ctx context.Context, clients []*mcp.Client, questions []question) (calls int) {
	var waiting sync.WaitGroup
	defer waiting.Wait()
	interval := time.Duration(float64(time.Second) / *loadRate)
	began := time.Now()
	for due := began; due.Sub(began) < *loadTime; due = due.Add(interval) {
		pause(ctx, time.Until(due))
		// The steps have no common divisors with typical numbers of clients and questions.
		c, q := clients[calls*7%len(clients)], &questions[calls*211%len(questions)]
		waiting.Go(func() { m.ask(ctx, c, q, due) })
		calls++
	}
	return calls
}

// processorTimes returns the processor time that the processes of the test have used.
func (s *loadServer) processorTimes() map[string]time.Duration {
	return map[string]time.Duration{"server": processorTime(s.pid, true), "PostgreSQL": processorTime(s.postgres.PID(), true), "clients": processorTime(os.Getpid(), false)}
}

// tick is the unit of processor times in /proc.
const tick = 10 * time.Millisecond

// processorTime returns the processor time of a process, optionally including its children, from
// the data of Linux. It is zero on other systems.
func processorTime(pid int, children bool) (total time.Duration) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// The second field is the name of the program in parentheses.
		own, _, _ := strings.Cut(string(data), " ")
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		if len(fields) < 15 {
			continue
		}
		times := fields[11:13] // time in user mode and in the kernel
		switch {
		case own == strconv.Itoa(pid) && children:
			times = fields[11:15] // including children that have ended
		case own != strconv.Itoa(pid) && (!children || fields[1] != strconv.Itoa(pid)):
			continue
		}
		for _, text := range times {
			n, _ := strconv.Atoi(text)
			total += time.Duration(n) * tick
		}
	}
	return total
}

// peakMemory returns the largest resident memory size of a process in bytes, from the data of
// Linux.
func peakMemory(pid int) int {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, _ := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "kB")))
			return kib << 10
		}
	}
	return 0
}

// quantiles returns the median, the 99th percentile and the maximum of durations, which it sorts.
func quantiles(all []time.Duration) string {
	slices.Sort(all)
	quantile := func(q float64) time.Duration {
		return all[min(int(q*float64(len(all))), len(all)-1)].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("p50 %v, p99 %v, longest %v", quantile(0.5), quantile(0.99), quantile(1))
}

// report prints the measurements.
func (m *measured) report(s *loadServer, calls int, elapsed time.Duration, before, after map[string]time.Duration) {
	m.t.Helper()
	var all []time.Duration
	for _, durations := range m.durations {
		all = append(all, durations...)
	}
	if len(all) == 0 {
		m.t.Fatal("no call was answered")
	}
	m.t.Logf("%d calls in %v: %.1f answers per second, %d errors", calls, elapsed.Round(time.Millisecond), float64(len(all))/elapsed.Seconds(), m.errors.Load())
	m.t.Logf("all calls, from when each was due: %s", quantiles(all))
	for _, kind := range slices.Sorted(maps.Keys(m.durations)) {
		m.t.Logf("  %s: %d calls, %s", kind, len(m.durations[kind]), quantiles(m.durations[kind]))
	}
	m.t.Logf("server: at most %d MB of memory, %.0f goroutines, %.0f connections", peakMemory(s.pid)/1e6, s.gauge(m.t, "docent_goroutines"), s.gauge(m.t, "docent_connections"))
	for _, name := range slices.Sorted(maps.Keys(after)) {
		m.t.Logf("processor time of %s: %.2f processors, %.2f ms per call", name, (after[name]-before[name]).Seconds()/elapsed.Seconds(), (after[name]-before[name]).Seconds()*1000/float64(calls))
	}
}
