package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/team/internal/pgtest"
)

var (
	replicasTime    = flag.Duration("replicas.time", 20*time.Second, "how long TestReplicas makes calls")
	replicasHAProxy = flag.Bool("replicas.haproxy", false, "use HAProxy in TestReplicas, and restart it once")
)

const (
	docsClients  = 50
	probeClients = 12
	// attemptTimeout limits one attempt of a call, and lostAfter all attempts together.
	attemptTimeout = 15 * time.Second
	lostAfter      = 2 * time.Minute
)

// balanced contains the revisions whose clients a load balancer can send to any replica. A
// connection of revision 2024-11-05 stays in its process.
var balanced = []string{"2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// load counts what clients observe.
type load struct {
	t                                   *testing.T
	calls, retries, wrong, opened, lost atomic.Int64
	streams, touches, tasks, answers    atomic.Int64

	mu        sync.Mutex
	durations []time.Duration // durations of calls of docent's tools
	probes    []time.Duration // durations of other calls, some of which always take 1.5 s
	failures  map[string]int  // number of errors that were retried
}

// try calls f until it succeeds. f returns the text of a response.
func (l *load) try(ctx context.Context, name, want string, f func(ctx context.Context) (string, error)) {
	began := time.Now()
	for attempt := 0; ; attempt++ {
		one, cancel := context.WithTimeout(ctx, attemptTimeout)
		text, err := f(one)
		cancel()
		switch {
		case err == nil && !strings.Contains(text, want):
			l.wrong.Add(1)
			l.t.Errorf("%s: the answer is %.300q, want %q", name, text, want)
			return
		case err == nil:
			l.calls.Add(1)
			l.mu.Lock()
			if strings.Contains(name, " describe ") {
				l.durations = append(l.durations, time.Since(began))
			} else {
				l.probes = append(l.probes, time.Since(began))
			}
			l.mu.Unlock()
			return
		case ctx.Err() != nil:
			return
		case time.Since(began) > lostAfter:
			l.lost.Add(1)
			l.t.Errorf("%s: no answer after %d attempts: %v", name, attempt+1, err)
			return
		}
		l.retries.Add(1)
		l.mu.Lock()
		text = err.Error()
		if i := strings.Index(text, "127.0.0.1"); i >= 0 { // the port is different each time
			text = text[:i]
		}
		l.failures[fmt.Sprintf("%.100s", text)]++
		l.mu.Unlock()
		pause(ctx, 100*time.Millisecond)
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-time.After(d):
	case <-ctx.Done():
	}
}

// counted counts the sessions that servers have opened and those that they no longer know.
type counted struct {
	load *load
	http.Transport
}

func (c *counted) RoundTrip(req *http.Request) (*http.Response, error) {
	response, err := c.Transport.RoundTrip(req)
	if err == nil && req.Method == http.MethodPost {
		switch had := req.Header.Get("Mcp-Session-Id") != ""; {
		case had && response.StatusCode == http.StatusNotFound:
			c.load.t.Errorf("a session was lost")
		case !had && response.Header.Get("Mcp-Session-Id") != "":
			c.load.opened.Add(1)
		}
	}
	return response, err
}

// connect connects to the servers behind the balancer.
func (l *load) connect(ctx context.Context, url, revision string) *mcp.Client {
	for ctx.Err() == nil {
		transport := &counted{load: l}
		c, err := mcp.Connect(ctx, &mcp.HTTPTransport{URL: url, HTTPClient: &http.Client{Transport: transport}, NoSSE: true}, &mcp.ClientOptions{
			Revisions: []string{revision}, Tasks: true, Logger: slog.New(slog.DiscardHandler), Limits: mcp.ClientLimits{MaxBackoff: 2 * time.Second},
			Roots: func(context.Context) ([]mcp.Root, error) { return nil, nil },
			ElicitForm: func(context.Context, *mcp.Elicitation) (mcp.ElicitationResult, error) {
				return mcp.ElicitationResult{Action: mcp.ActionAccept, Content: json.RawMessage(`{"name":"Ada"}`)}, nil
			},
		})
		if err == nil {
			l.t.Cleanup(transport.CloseIdleConnections)
			return c
		}
		l.retries.Add(1)
		pause(ctx, 100*time.Millisecond)
	}
	return nil
}

// docs calls docent's tools until ctx is done.
func (l *load) docs(ctx, all context.Context, url, revision string, n int) {
	c := l.connect(all, url+"/mcp", revision)
	if c == nil {
		return
	}
	defer c.Close()
	questions := []struct{ pkg, symbol, want string }{
		{"fmt", "Sprintf", "func Sprintf(format string, a ...any) string"},
		{"strings", "Cut", "func Cut(s, sep string) (before, after string, found bool)"},
		{"errors", "Is", "func Is(err, target error) bool"},
		{"sort", "Slice", "func Slice(x any, less func(i, j int) bool)"},
		{"io", "Copy", "func Copy(dst Writer, src Reader) (written int64, err error)"},
		{"unicode/utf8", "RuneLen", "func RuneLen(r rune) int"},
	}
	for i := n; ctx.Err() == nil; i++ {
		q := questions[i%len(questions)]
		l.try(all, revision+" describe "+q.pkg, q.want, func(ctx context.Context) (string, error) {
			return mcp.CallTool[string](ctx, c, "describe_go_package", map[string]any{"package": q.pkg, "symbol": q.symbol}, nil)
		})
		pause(ctx, 200*time.Millisecond)
	}
}

// probe uses subscriptions, streams, questions and tasks until ctx is done.
func (l *load) probe(ctx, all context.Context, url, revision string, n int) {
	c := l.connect(all, url+"/probe", revision)
	if c == nil {
		return
	}
	defer c.Close()
	uri := fmt.Sprintf("probe://%d", n)
	var changes *mcp.Subscription
	l.try(all, revision+" subscribe", "", func(ctx context.Context) (string, error) {
		var err error
		changes, err = c.Subscribe(ctx, mcp.Filter{URIs: []string{uri}})
		return "", err
	})
	if changes == nil {
		return
	}
	defer changes.Close()
	for i := 0; ctx.Err() == nil; i++ {
		text := fmt.Sprintf("%d.%d", n, i)
		args := map[string]any{"text": text}
		l.try(all, revision+" slow", "slow "+text, func(ctx context.Context) (string, error) {
			return mcp.CallTool[string](ctx, c, "slow", args, &mcp.CallOptions{Progress: func(mcp.Progress) {}})
		})
		l.streams.Add(1)
		if revision >= "2025-06-18" { // revisions in which servers can ask users questions
			l.try(all, revision+" ask", "accept "+text+" Ada", func(ctx context.Context) (string, error) {
				return mcp.CallTool[string](ctx, c, "ask", args, nil)
			})
			l.answers.Add(1)
		}
		if revision >= "2025-11-25" {
			l.try(all, revision+" task", "slow "+text, func(ctx context.Context) (string, error) {
				task, err := c.CallToolTask(ctx, "slow", args, time.Minute, nil)
				if err != nil {
					return "", err
				}
				result, err := task.Wait(ctx)
				if err != nil {
					return "", err
				}
				data, err := json.Marshal(result.Content)
				return string(data), err
			})
			l.tasks.Add(1)
		}
		// The change of a resource is reported, unless the replica ends at that moment.
		l.try(all, revision+" touch", "changed", func(ctx context.Context) (string, error) {
			if _, err := mcp.CallTool[string](ctx, c, "touch", map[string]any{"uri": uri}, nil); err != nil {
				return "", err
			}
			one, cancel := context.WithTimeout(ctx, 5*time.Second)
			defer cancel()
			if _, err := changes.Next(one); err != nil {
				return "", fmt.Errorf("waiting for the change of a resource: %w", err)
			}
			return "changed", nil
		})
		l.touches.Add(1)
		pause(ctx, 200*time.Millisecond)
	}
}

// Two replicas behind a load balancer must not lose a response, session, subscription or stream
// while they are killed and restarted, and while Redis, PostgreSQL and the balancer are restarted.
func TestReplicas(t *testing.T) {
	redis := startRedis(t)
	postgres := pgtest.Start(t)
	env := []string{redisVariable + "=redis://" + redis.address, postgresVariable + "=" + postgres.Database(t)}
	replicas := []*replicaProcess{newReplica(t, env...), newReplica(t, env...)}
	for _, r := range replicas {
		if err := r.start(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var url string
	services := []service{redis, postgresService{postgres}}
	if *replicasHAProxy {
		proxy := startHAProxy(t, replicas...)
		url, services = proxy.url, append(services, proxy)
	} else {
		url = newBalancer(t, replicas...).url
	}
	l := &load{t: t, failures: map[string]int{}}
	ctx, cancel := context.WithTimeout(t.Context(), *replicasTime)
	defer cancel()
	// Calls that are waiting when ctx ends are completed.
	all, cancelAll := context.WithTimeout(t.Context(), *replicasTime+lostAfter+attemptTimeout)
	defer cancelAll()
	var clients sync.WaitGroup
	for i := range docsClients {
		clients.Go(func() { l.docs(ctx, all, url, balanced[i%len(balanced)], i) })
	}
	for i := range probeClients {
		clients.Go(func() { l.probe(ctx, all, url, balanced[i%len(balanced)], i) })
	}
	kills, restarts, memory, sockets := disturb(ctx, t, replicas, services)
	clients.Wait()
	l.report(kills, restarts, memory, sockets)
}

// A service is a program that replicas need: Redis, PostgreSQL or HAProxy.
type service interface {
	stop()
	start(ctx context.Context) error
}

type postgresService struct{ *pgtest.Server }

func (s postgresService) stop() { _ = s.Stop() } // start returns an error if the process is still running

func (s postgresService) start(ctx context.Context) error { return s.Start(ctx) }

// disturb kills replicas in turn, with and without a warning, and restarts each service once, until
// ctx is done. It returns the number of kills and restarts, and the largest memory and number of
// sockets of a replica.
func disturb(ctx context.Context, t *testing.T, replicas []*replicaProcess, services []service) (kills, restarts, memory, sockets int) {
	t.Helper()
	// Each interval is an eighth of the time, or 15 seconds if that is less.
	interval := min(*replicasTime/8, 15*time.Second)
	again := context.WithoutCancel(ctx)
	for step := 0; ; step++ {
		pause(ctx, interval)
		for _, r := range replicas {
			m, s := r.resources()
			memory, sockets = max(memory, m), max(sockets, s)
		}
		if ctx.Err() != nil {
			return kills, restarts, memory, sockets
		}
		var err error
		if n := step/2 - 1; step%2 == 0 && n >= 0 && n < len(services) {
			services[n].stop()
			restarts++
			pause(ctx, 500*time.Millisecond)
			err = services[n].start(again)
		} else {
			r := replicas[step%len(replicas)]
			signal := os.Signal(syscall.SIGTERM)
			if step/2%2 == 1 {
				signal = os.Kill
			}
			r.stop(signal)
			kills++
			pause(ctx, 500*time.Millisecond)
			err = r.start(again)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// report prints what the clients have observed.
func (l *load) report(kills, restarts, memory, sockets int) {
	if len(l.durations) == 0 || len(l.probes) == 0 {
		l.t.Fatal("no call was answered")
	}
	l.t.Logf("%d clients for %v; replicas were killed %d times, %d services (Redis, PostgreSQL, HAProxy) were restarted", docsClients+probeClients, *replicasTime, kills, restarts)
	l.t.Logf("calls %d (streams %d, answers to questions %d, tasks %d, changes of resources %d), retries %d, wrong %d, lost %d",
		l.calls.Load(), l.streams.Load(), l.answers.Load(), l.tasks.Load(), l.touches.Load(), l.retries.Load(), l.wrong.Load(), l.lost.Load())
	l.t.Logf("with retries: calls of docent's tools: %s; streams, questions and tasks, which take up to 1.5 s by themselves: %s", quantiles(l.durations), quantiles(l.probes))
	l.t.Logf("replica: at most %d MB of memory, %d sockets", memory/1e6, sockets)
	for text, n := range l.failures {
		l.t.Logf("retried %d times: %s", n, text)
	}
	// Each client of a revision with sessions has one session at each server that it uses.
	if want := int64(withSessions(docsClients) + withSessions(probeClients)); l.opened.Load() != want {
		l.t.Errorf("%d sessions were opened, want %d", l.opened.Load(), want)
	}
}

// withSessions returns the number of clients with a session among n clients.
func withSessions(n int) (sessions int) {
	for i := range n {
		if balanced[i%len(balanced)] != "2026-07-28" {
			sessions++
		}
	}
	return sessions
}
