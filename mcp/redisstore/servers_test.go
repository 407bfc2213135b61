package redisstore_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/redisstore"
)

// process is one process of a server.
type process struct {
	*mcp.Server
	store   *redisstore.Store
	began   chan *mcp.Request
	release chan string
	ended   chan error // errors of the contexts of cancelled calls
	url     string
	stop    func()
}

// logs collects the log messages of all processes in a test.
type logs struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *logs) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// newProcess starts a process of an HTTP server.
func newProcess(t *testing.T, name, redisURL, prefix string, log io.Writer) *process {
	t.Helper()
	p := &process{began: make(chan *mcp.Request, 100), release: make(chan string, 100), ended: make(chan error, 100)}
	p.store = openAt(t, redisURL, &redisstore.Options{Prefix: prefix, Timeout: 2 * time.Second})
	p.Server = mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, &mcp.ServerOptions{
		SealKey: []byte("0123456789abcdef0123456789abcdef"),
		Logger:  slog.New(slog.NewTextHandler(log, nil)),
		Tasks:   mcp.TaskOptions{Store: p.store, PollInterval: 10 * time.Millisecond},
	})
	work := func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		for i := range 3 {
			r.Progress(float64(i+1), 0, fmt.Sprintf("%s: %d", name, i+1))
		}
		p.began <- r
		select {
		case text := <-p.release:
			return text, nil
		case <-ctx.Done():
			p.ended <- ctx.Err()
			return "", ctx.Err()
		}
	}
	mcp.Must(mcp.AddTool(p.Server, mcp.Tool{Name: "name"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return name, nil }))
	mcp.Must(mcp.AddTool(p.Server, mcp.Tool{Name: "work", TaskSupport: mcp.TaskSupportOptional}, work))
	mcp.Must(mcp.AddTool(p.Server, mcp.Tool{Name: "ask", TaskSupport: mcp.TaskSupportOptional}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
		form, action, err := mcp.Elicit[struct {
			Name string `json:"name"`
		}](ctx, r, "Who are you?")
		return string(action) + " " + form.Name, err
	}))
	h := p.HTTPHandler(&mcp.HTTPOptions{Sessions: p.store, StreamAfter: 50 * time.Millisecond})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = h.Serve(ctx, l, nil) // calls may still be running when a test ends
	}()
	p.stop = sync.OnceFunc(func() {
		cancel()
		<-served
	})
	t.Cleanup(p.stop)
	p.url = "http://" + l.Addr().String()
	return p
}

// balancer sends each request to the process that next returns.
type balancer struct {
	url  string
	next func(req *http.Request) string
}

func newBalancer(t *testing.T, next func(req *http.Request) string) *balancer {
	t.Helper()
	b := &balancer{next: next}
	proxy := &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			target, _ := url.Parse(b.next(r.In))
			r.SetURL(target)
			r.Out.Host = "localhost"
		},
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	b.url = s.URL
	return b
}

// roundRobin sends each request to a different process.
func roundRobin(processes ...*process) func(*http.Request) string {
	var n atomic.Int64
	return func(*http.Request) string { return processes[int(n.Add(1))%len(processes)].url }
}

func connect(t *testing.T, url string, opts *mcp.ClientOptions) *mcp.Client {
	t.Helper()
	c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: url}, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// eachRevision runs f with two processes in each revision with sessions.
func eachRevision(t *testing.T, f func(t *testing.T, revision string, one, two *process, log *logs)) {
	t.Helper()
	address := redisURL(t)
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			prefix, log := fmt.Sprintf("servers%d", prefixes.Add(1)), new(logs)
			f(t, revision, newProcess(t, "one", address, prefix, log), newProcess(t, "two", address, prefix, log), log)
		})
	}
}

// A client behind a load balancer that sends each request to a different process must see a single
// server.
func TestServers_BehindABalancer(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string, one, two *process, log *logs) {
		b := newBalancer(t, roundRobin(one, two))
		changed := make(chan string, 100)
		c := connect(t, b.url, &mcp.ClientOptions{
			Revisions: []string{revision},
			ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
				return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(`{"name":"Ada"}`)}, nil
			},
			Notification: func(method string, _ json.RawMessage) { changed <- method },
		})
		names := map[string]int{}
		for range 10 {
			name, err := mcp.CallTool[string](t.Context(), c, "name", nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			names[name]++
		}
		if names["one"] == 0 || names["two"] == 0 {
			t.Errorf("calls were served by %v", names)
		}
		if revision >= "2025-06-18" {
			for range 4 { // the answers to questions reach the process that asked them
				text, err := mcp.CallTool[string](t.Context(), c, "ask", nil, nil)
				if err != nil || text != "accept Ada" {
					t.Errorf("%q, %v", text, err)
				}
			}
		}
		// Messages that do not belong to a request come from both processes.
		for _, p := range []*process{one, two} {
			if err := p.Notify("x/news", nil); err != nil {
				t.Fatal(err)
			}
			if method := <-changed; method != "x/news" {
				t.Errorf("notification %s", method)
			}
		}
		// A cancellation reaches the process that serves the call.
		for range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan error, 1)
			go func() {
				_, err := c.CallTool(ctx, "work", nil, nil)
				done <- err
			}()
			p := one
			select {
			case <-one.began:
			case <-two.began:
				p = two
			}
			cancel()
			if err := <-done; !errors.Is(err, context.Canceled) {
				t.Errorf("the call ended with %v", err)
			}
			<-p.ended
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if text := log.String(); text != "" {
			t.Errorf("logs are %s", text)
		}
	})
}

// A client is moved from one process to the other during a call. Its connection is closed, and the
// client resumes the stream at the other process.
func TestServers_MovedInTheMiddleOfACall(t *testing.T) {
	eachRevision(t, func(t *testing.T, revision string, one, two *process, _ *logs) {
		var target atomic.Pointer[process]
		target.Store(one)
		b := newBalancer(t, func(*http.Request) string { return target.Load().url })
		front := newCutter(t, strings.TrimPrefix(b.url, "http://"))
		reports := make(chan string, 100)
		c := connect(t, "http://"+front.addr, &mcp.ClientOptions{Revisions: []string{revision}, Limits: mcp.ClientLimits{MaxBackoff: 50 * time.Millisecond}})
		type outcome struct {
			text string
			err  error
		}
		done := make(chan outcome, 1)
		go func() {
			text, err := mcp.CallTool[string](t.Context(), c, "work", nil, &mcp.CallOptions{Progress: func(p mcp.Progress) { reports <- p.Message }})
			done <- outcome{text, err}
		}()
		r := <-one.began
		for i := range 3 {
			if m := <-reports; m != fmt.Sprintf("one: %d", i+1) {
				t.Errorf("report %q", m)
			}
		}
		target.Store(two)
		front.cut()
		r.Progress(10, 0, "after the move")
		if m := <-reports; m != "after the move" {
			t.Errorf("report %q", m)
		}
		one.release <- "done by one"
		if got := <-done; got.err != nil || got.text != "done by one" {
			t.Errorf("the call returned %q, %v", got.text, got.err)
		}
		// The session continues at the other process, even after the first one has stopped.
		one.stop()
		if name, err := mcp.CallTool[string](t.Context(), c, "name", nil, nil); err != nil || name != "two" {
			t.Errorf("after the first process has stopped: %q, %v", name, err)
		}
	})
}

// cutter is a proxy that forwards connections and can close all of them.
type cutter struct {
	addr  string
	mu    sync.Mutex
	conns []net.Conn
}

func newCutter(t *testing.T, target string) *cutter {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cutter{addr: l.Addr().String()}
	t.Cleanup(func() {
		l.Close()
		c.cut()
	})
	go func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", target)
			if err != nil {
				near.Close()
				continue
			}
			c.mu.Lock()
			c.conns = append(c.conns, near, far)
			c.mu.Unlock()
			pipe := func(to, from net.Conn) {
				_, _ = io.Copy(to, from)
				to.Close()
				from.Close()
			}
			go pipe(near, far)
			go pipe(far, near)
		}
	}()
	return c
}

func (c *cutter) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, conn := range c.conns {
		conn.Close()
	}
	c.conns = nil
}

// TestServers_RedisRestarts stops Redis during a session and starts it again.
func TestServers_RedisRestarts(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"with its data", []string{"--appendonly", "yes", "--appendfsync", "always"}},
		{"without its data", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			redis := ownServer(t, append(c.args, "--requirepass", "hunter2")...)
			log := new(logs)
			address := "redis://:hunter2@" + redis.addr
			one, two := newProcess(t, "one", address, "restart", log), newProcess(t, "two", address, "restart", log)
			b := newBalancer(t, roundRobin(one, two))
			client := connect(t, b.url, &mcp.ClientOptions{Revisions: []string{"2025-11-25"}, Limits: mcp.ClientLimits{MaxBackoff: 50 * time.Millisecond}})
			name := func(ctx context.Context) error {
				_, err := mcp.CallTool[string](ctx, client, "name", nil, nil)
				return err
			}
			if err := name(t.Context()); err != nil {
				t.Fatal(err)
			}
			redis.stop()
			err := name(t.Context())
			if err == nil || !strings.Contains(err.Error(), "503") || !strings.Contains(err.Error(), "cannot be reached; try again later") {
				t.Errorf("without Redis: %v", err)
			}
			if err := redis.start(); err != nil {
				t.Fatal(err)
			}
			// If Redis still has its data, the session continues. Otherwise, the client opens a new
			// session.
			for end := time.Now().Add(20 * time.Second); ; {
				err := name(t.Context())
				if err == nil {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("after the restart: %v", err)
				}
			}
			for range 4 {
				if err := name(t.Context()); err != nil {
					t.Errorf("after the restart: %v", err)
				}
			}
			if text := log.String(); !strings.Contains(text, "the session store failed") || strings.Contains(text, "hunter2") {
				t.Errorf("logs are %s", text)
			}
		})
	}
}

// All processes can access all tasks.
func TestServers_Tasks(t *testing.T) {
	address := redisURL(t)
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			prefix, log := fmt.Sprintf("servers%d", prefixes.Add(1)), new(logs)
			one, two := newProcess(t, "one", address, prefix, log), newProcess(t, "two", address, prefix, log)
			b := newBalancer(t, roundRobin(one, two))
			c := connect(t, b.url, &mcp.ClientOptions{Revisions: []string{revision}, Tasks: true})
			for range 2 {
				task, err := c.CallToolTask(t.Context(), "work", nil, time.Minute, nil)
				if err != nil {
					t.Fatal(err)
				}
				runs := one
				select {
				case <-one.began:
				case <-two.began:
					runs = two
				}
				for range 4 {
					state, err := task.State(t.Context())
					if err != nil || state.Status != mcp.TaskStatusWorking {
						t.Fatalf("the task is %+v, %v", state, err)
					}
				}
				done := make(chan error, 1)
				go func() {
					res, err := task.Wait(t.Context())
					if err == nil && !strings.Contains(fmt.Sprint(res.Content[0].(*mcp.TextContent).Text), "done") {
						err = fmt.Errorf("result %+v", res)
					}
					done <- err
				}()
				runs.release <- "done"
				if err := <-done; err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// A task that runs in one process can be cancelled in another, which can also wait for its result.
func TestServers_TasksOfAnotherProcess(t *testing.T) {
	address := redisURL(t)
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(revision, func(t *testing.T) {
			prefix, log := fmt.Sprintf("servers%d", prefixes.Add(1)), new(logs)
			one, two := newProcess(t, "one", address, prefix, log), newProcess(t, "two", address, prefix, log)
			var target atomic.Pointer[process]
			b := newBalancer(t, func(*http.Request) string { return target.Load().url })
			target.Store(one)
			c := connect(t, b.url, &mcp.ClientOptions{
				Revisions: []string{revision}, Tasks: true,
				ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
					return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(`{"name":"Ada"}`)}, nil
				},
			})
			start := func(tool string) *mcp.Task {
				t.Helper()
				target.Store(one)
				task, err := c.CallToolTask(t.Context(), tool, nil, time.Minute, nil)
				if err != nil {
					t.Fatal(err)
				}
				target.Store(two)
				return task
			}
			task := start("work")
			<-one.began
			if err := task.Cancel(t.Context()); err != nil {
				t.Fatal(err)
			}
			<-one.ended
			if state, err := task.State(t.Context()); err != nil || state.Status != mcp.TaskStatusCancelled {
				t.Errorf("after Cancel: %+v, %v", state, err)
			}
			// The questions of the task reach the client, and the answers reach the handler.
			res, err := start("ask").Wait(t.Context())
			if err != nil || res.Content[0].(*mcp.TextContent).Text != "accept Ada" {
				t.Errorf("a task that asks: %+v, %v", res, err)
			}
			if text := log.String(); text != "" {
				t.Errorf("logs are %s", text)
			}
		})
	}
}

// BenchmarkCall calls a tool over HTTP in a session that is stored in memory or in
// Redis.
func BenchmarkCall(b *testing.B) {
	address := redisURL(b)
	for _, shared := range []bool{false, true} {
		b.Run(fmt.Sprintf("redis=%t", shared), func(b *testing.B) {
			store := openAt(b, address, &redisstore.Options{Prefix: fmt.Sprintf("bench%d", prefixes.Add(1))})
			s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
			mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "name"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "name", nil }))
			opts := &mcp.HTTPOptions{}
			if shared {
				opts.Sessions = store
			}
			front := httptest.NewServer(s.HTTPHandler(opts))
			defer front.Close()
			c, err := mcp.Connect(b.Context(), &mcp.HTTPTransport{URL: front.URL}, &mcp.ClientOptions{Revisions: []string{"2025-11-25"}})
			if err != nil {
				b.Fatal(err)
			}
			defer c.Close()
			for b.Loop() {
				if _, err := mcp.CallTool[string](b.Context(), c, "name", nil, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
