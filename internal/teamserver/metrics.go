package teamserver

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"net"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/internal/docserver"
)

// latencies contains the upper bounds of the histogram's buckets for call durations, in seconds.
var latencies = [...]float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30}

// A meter counts events in the server. Its labels have a limited number of values. These are names
// of tools, outcomes and status codes, but never text from clients.
type meter struct {
	started     time.Time
	connections atomic.Int64 // number of open connections
	requests    atomic.Int64 // number of HTTP requests that are being served

	mu       sync.Mutex
	calls    map[callLabels]int64
	duration map[string]*histogram // number of HTTP responses by status
	statuses map[int]int64         // HTTP responses
}

type callLabels struct{ tool, outcome string }

type histogram struct {
	counts [len(latencies) + 1]int64 // number of values in each bucket
	sum    float64
}

func newMeter() *meter {
	return &meter{started: time.Now(), calls: map[callLabels]int64{}, duration: map[string]*histogram{}, statuses: map[int]int64{}}
}

func (m *meter) call(c docserver.Call) {
	seconds := c.Took.Seconds()
	bucket, _ := slices.BinarySearch(latencies[:], seconds)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[callLabels{c.Tool, c.Outcome}]++
	h := m.duration[c.Tool]
	if h == nil {
		h = &histogram{}
		m.duration[c.Tool] = h
	}
	h.counts[bucket]++
	h.sum += seconds
}

func (m *meter) response(status int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.statuses[status]++
}

// gauge is a metric whose value is determined when it is read.
type gauge struct {
	name, help string
	value      float64
}

// write writes all metrics in the OpenMetrics text format.
func (m *meter) write(out io.Writer, more ...gauge) error {
	w := bufio.NewWriter(out)
	family := func(name, kind, help string) { fmt.Fprintf(w, "# TYPE %s %s\n# HELP %s %s\n", name, kind, name, help) }
	m.mu.Lock()
	family("docent_calls", "counter", "Tool calls that have ended.")
	for _, l := range slices.SortedFunc(maps.Keys(m.calls), func(a, b callLabels) int {
		return cmp.Or(cmp.Compare(a.tool, b.tool), cmp.Compare(a.outcome, b.outcome))
	}) {
		fmt.Fprintf(w, "docent_calls_total{tool=%s,outcome=%s} %d\n", label(l.tool), label(l.outcome), m.calls[l])
	}
	family("docent_call_duration_seconds", "histogram", "Time from the start of a call to its answer.")
	for _, tool := range slices.Sorted(maps.Keys(m.duration)) {
		h, count := m.duration[tool], int64(0)
		for i, n := range h.counts {
			count += n
			bound := "+Inf"
			if i < len(latencies) {
				bound = number(latencies[i])
			}
			fmt.Fprintf(w, "docent_call_duration_seconds_bucket{tool=%s,le=\"%s\"} %d\n", label(tool), bound, count)
		}
		fmt.Fprintf(w, "docent_call_duration_seconds_count{tool=%s} %d\n", label(tool), count)
		fmt.Fprintf(w, "docent_call_duration_seconds_sum{tool=%s} %s\n", label(tool), number(h.sum))
	}
	family("docent_http_responses", "counter", "HTTP responses by status.")
	for _, status := range slices.Sorted(maps.Keys(m.statuses)) {
		fmt.Fprintf(w, "docent_http_responses_total{status=\"%d\"} %d\n", status, m.statuses[status])
	}
	m.mu.Unlock()
	gauges := append([]gauge{
		{"docent_http_requests_active", "HTTP requests that are being served.", float64(m.requests.Load())},
		{"docent_connections", "Open connections.", float64(m.connections.Load())},
		{"docent_start_time_seconds", "When the server started.", float64(m.started.UnixMilli()) / 1000},
	}, append(processGauges(), more...)...)
	for _, g := range gauges {
		family(g.name, "gauge", g.help)
		fmt.Fprintf(w, "%s %s\n", g.name, number(g.value))
	}
	fmt.Fprintln(w, "# EOF")
	return w.Flush()
}

// processGauges returns metrics for the memory and the goroutines of the process.
func processGauges() []gauge {
	samples := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/objects:bytes"}, {Name: "/sched/goroutines:goroutines"},
	}
	metrics.Read(samples)
	return []gauge{
		{"docent_memory_bytes", "Memory that the process has obtained from the system.", float64(samples[0].Value.Uint64())},
		{"docent_heap_bytes", "Memory used by objects, live or not yet collected.", float64(samples[1].Value.Uint64())},
		{"docent_goroutines", "Goroutines.", float64(samples[2].Value.Uint64())},
	}
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// label returns the value of a label in quotes.
func label(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(value) + `"`
}

// countedListener counts the open connections.
type countedListener struct {
	net.Listener
	open *atomic.Int64
}

func (l countedListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	l.open.Add(1)
	return &countedConn{Conn: c, open: l.open}, nil
}

type countedConn struct {
	net.Conn
	open   *atomic.Int64
	closed atomic.Bool
}

func (c *countedConn) Close() error {
	if !c.closed.Swap(true) {
		c.open.Add(-1)
	}
	return c.Conn.Close()
}
