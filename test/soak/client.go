package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

const (
	clientWorkers = 8 // number of concurrent rounds
	callTime      = 50 * time.Millisecond
	// roundTime is the maximum duration of a round, far longer than callTime.
	roundTime = 20 * time.Second
)

// impatient are the options of clients of hostile servers.
var impatient = mcp.ClientOptions{
	Revisions: []string{"2025-11-25"},
	Timeout:   roundTime / 2,
	Logger:    slog.New(slog.DiscardHandler),
	Limits: mcp.ClientLimits{
		MaxMessageBytes: 10_000, MaxListPages: 50, MaxListEntries: 100, MaxReconnects: 1, MaxBackoff: time.Millisecond,
		CloseTimeout: 50 * time.Millisecond,
	},
}

// A hostile is a server that the client is tested with. One round connects, makes one request, and
// closes.
type hostile struct {
	name string
	// answer writes arbitrary data after a request has been read.
	answer func(w io.Writer, method string, id json.RawMessage) error
	lists  bool // the request is tools/list, not tools/call
	fine   bool // the request succeeds
	web    bool // over HTTP, each request is answered with an event stream
}

func reply(w io.Writer, id json.RawMessage, result string) error {
	_, err := fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
	return err
}

// pour writes the text repeatedly until a write fails.
func pour(w io.Writer, text string) error {
	text = strings.Repeat(text, 1+4096/len(text))
	for {
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
}

const (
	noise = `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"error","data":1}}
{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":99,"progress":1}}
{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}
`
	lies = `{"jsonrpc":"2.0","id":99,"result":{}}
{"jsonrpc":"2.0","id":"1","result":{"content":[]}}
{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}
`
	question = `{"jsonrpc":"2.0","id":1,"method":"roots/list"}` + "\n"
)

var hostiles = []hostile{
	{name: "stalls", answer: func(io.Writer, string, json.RawMessage) error { return nil }},
	{name: "hangs up", answer: func(io.Writer, string, json.RawMessage) error { return io.EOF }},
	{name: "floods with notifications", answer: func(w io.Writer, _ string, _ json.RawMessage) error { return pour(w, noise) }},
	{name: "floods with questions", answer: func(w io.Writer, _ string, _ json.RawMessage) error { return pour(w, question) }},
	{name: "lies about ids", answer: func(w io.Writer, _ string, _ json.RawMessage) error {
		_, err := io.WriteString(w, strings.Repeat(lies, 100))
		return err
	}},
	{name: "repeats a cursor", lists: true, answer: func(w io.Writer, _ string, id json.RawMessage) error {
		return reply(w, id, `{"tools":[],"nextCursor":"again"}`)
	}},
	{name: "has new cursors for ever", lists: true, answer: func(w io.Writer, _ string, id json.RawMessage) error {
		return reply(w, id, fmt.Sprintf(`{"tools":[],"nextCursor":"%s"}`, id))
	}},
	{name: "lists too much", lists: true, answer: func(w io.Writer, _ string, id json.RawMessage) error {
		entry := `{"name":"x","inputSchema":{}}`
		return reply(w, id, fmt.Sprintf(`{"tools":[%s],"nextCursor":"%s"}`, strings.Repeat(entry+",", 40)+entry, id))
	}},
	{name: "sends an oversized message", answer: func(w io.Writer, _ string, id json.RawMessage) error {
		return reply(w, id, `{"content":[{"type":"text","text":"`+strings.Repeat("x", 50_000)+`"}]}`)
	}},
	{name: "sends a message without end", answer: func(w io.Writer, _ string, _ json.RawMessage) error { return pour(w, "x") }},
	{name: "asks after close", fine: true, answer: func(w io.Writer, _ string, id json.RawMessage) error {
		if err := reply(w, id, `{"content":[]}`); err != nil {
			return err
		}
		return pour(w, question)
	}},
	{name: "stalls over HTTP", web: true, answer: func(io.Writer, string, json.RawMessage) error { return nil }},
	{name: "hangs up over HTTP", web: true, answer: func(io.Writer, string, json.RawMessage) error { return io.EOF }},
	{name: "floods a stream over HTTP", web: true, answer: func(w io.Writer, _ string, _ json.RawMessage) error {
		return pour(w, "data: "+strings.SplitAfter(noise, "\n")[0]+"\n")
	}},
	{name: "sends an event without end over HTTP", web: true, answer: func(w io.Writer, _ string, _ json.RawMessage) error {
		return pour(w, "data: x\n")
	}},
}

// request contains the parts of a request that the servers read.
type request struct {
	ID     json.RawMessage
	Method string
}

const welcome = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true}},"serverInfo":{"name":"hostile","version":"1"}}`

// servePipe acts as the server until the connection ends.
func (h *hostile) servePipe(conn net.Conn) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		var r request
		if json.Unmarshal(lines.Bytes(), &r) != nil || len(r.ID) == 0 || r.Method == "" {
			continue
		}
		answer := h.answer
		if r.Method == "initialize" {
			answer = func(w io.Writer, _ string, id json.RawMessage) error { return reply(w, id, welcome) }
		}
		if answer(conn, r.Method, r.ID) != nil {
			return
		}
	}
}

func (h *hostile) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var r request
	if req.Method != http.MethodPost || json.NewDecoder(req.Body).Decode(&r) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	switch {
	case len(r.ID) == 0:
		w.WriteHeader(http.StatusAccepted)
	case r.Method == "initialize":
		w.Header().Set("Content-Type", "application/json")
		_ = reply(w, r.ID, welcome)
	default:
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		if h.answer(w, r.Method, r.ID) != nil {
			panic(http.ErrAbortHandler)
		}
		<-req.Context().Done()
	}
}

// round returns how long the caller waited for its error, and for Close.
func (h *hostile) round(url string) (waited, closed time.Duration, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), roundTime)
	defer cancel()
	var transport mcp.Transport = &mcp.HTTPTransport{URL: url, NoSSE: true}
	if !h.web {
		near, far := net.Pipe()
		go h.servePipe(far)
		transport = &mcp.ConnTransport{Conn: near}
	}
	opts := impatient
	c, err := mcp.Connect(ctx, transport, &opts)
	if err != nil {
		return 0, 0, fmt.Errorf("connecting: %w", err)
	}
	began := time.Now()
	var failed error
	if h.lists {
		for _, failed = range c.Tools(ctx) {
			if failed != nil {
				break
			}
		}
	} else {
		var call mcp.CallOptions
		if !h.fine {
			call.Timeout = callTime
		}
		_, failed = c.CallTool(ctx, "tool", nil, &call)
	}
	waited = time.Since(began)
	began = time.Now()
	_ = c.Close() // errors about a closed server do not matter
	closed = time.Since(began)
	switch {
	case ctx.Err() != nil:
		err = fmt.Errorf("the caller waited %v, and %v for Close; the request failed with: %w", waited, closed, failed)
	case h.fine && failed != nil:
		err = failed
	case !h.fine && failed == nil:
		err = fmt.Errorf("the request succeeded")
	}
	return waited, closed, err
}

// runClient tries the client with each hostile server, and the guard of a server
// with stolen tokens.
func runClient(rounds int, only string) error {
	fmt.Printf("%-66s %7s %10s %10s %10s %12s %14s\n", "server", "rounds", "error p50", "error max", "close max", "goroutines", "heap MiB")
	try := func(name string, run func() error) error {
		if !strings.Contains(name, only) {
			return nil
		}
		if err := run(); err != nil {
			return fmt.Errorf("who %s: %w", name, err)
		}
		return nil
	}
	for _, h := range hostiles {
		if err := try(h.name, func() error { return h.run(rounds) }); err != nil {
			return err
		}
	}
	for _, a := range attacks {
		if err := try("signing in: "+a.name, func() error { return a.run(rounds) }); err != nil {
			return err
		}
	}
	for _, t := range thefts {
		if err := try("a client "+t.name, func() error { return t.run(rounds) }); err != nil {
			return err
		}
	}
	return nil
}

func (h *hostile) run(rounds int) error {
	web := httptest.NewServer(h)
	defer web.Close()
	return measure(h.name, rounds, func() (waited, closed time.Duration, err error) { return h.round(web.URL) })
}

// measure prints how long callers wait in rounds, and how many goroutines and how much memory
// remain.
func measure(name string, rounds int, round func() (waited, closed time.Duration, err error)) error {
	if _, _, err := round(); err != nil { // The first round is not measured.
		return err
	}
	routines, heap := settled(0)
	var (
		mu             sync.Mutex
		waited, closed []time.Duration
		failed         error
		remaining      atomic.Int64
		workers        sync.WaitGroup
	)
	remaining.Store(int64(rounds))
	for range clientWorkers {
		workers.Go(func() {
			for remaining.Add(-1) >= 0 {
				w, c, err := round()
				mu.Lock()
				waited, closed = append(waited, w), append(closed, c)
				if err != nil {
					failed = err
					remaining.Store(0)
				}
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	if failed != nil {
		return failed
	}
	slices.Sort(waited)
	longest := slices.Max(closed)
	count := len(waited)
	median, worst := waited[count/2], waited[count-1]
	waited, closed = nil, nil
	routinesAfter, heapAfter := settled(routines)
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1fms", float64(d)/float64(time.Millisecond)) }
	fmt.Printf("%-66s %7d %10s %10s %10s %5d -> %3d %6.1f -> %4.1f\n", name, count, ms(median), ms(worst), ms(longest),
		routines, routinesAfter, heap, heapAfter)
	if routinesAfter > routines+moreGoroutines || heapAfter > heap+moreMemory>>20 {
		return fmt.Errorf("goroutines or memory have grown")
	}
	return nil
}

// settled returns the number of goroutines and the heap in MiB, once there are at most enough
// goroutines, or their number has not decreased for settleTime.
func settled(enough int) (routines int, heap float64) {
	for end := time.Now().Add(settleTime); enough > 0 && runtime.NumGoroutine() > enough && time.Now().Before(end); {
		<-time.After(10 * time.Millisecond)
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), float64(m.HeapAlloc) / (1 << 20)
}
