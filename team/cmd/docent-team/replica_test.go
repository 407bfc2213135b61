package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/redisstore"
)

// A replicaProcess is a process with docent-team and, at another address, a server for features
// that docent-team does not use: notifications, streams and tasks. Both servers share sessions in
// Redis.
type replicaProcess struct {
	docs, probe string // addresses of the servers
	env         []string
	cmd         *exec.Cmd
	log         *os.File
}

// replicaVariable makes the test binary act as a replica. Its value is the address of the probe.
const replicaVariable = "DOCENT_TEST_PROBE"

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func newReplica(t *testing.T, env ...string) *replicaProcess {
	t.Helper()
	r := &replicaProcess{docs: freeAddress(t), probe: freeAddress(t)}
	r.env = append([]string{"DOCENT_CACHE=" + t.TempDir(), replicaVariable + "=" + r.probe}, env...)
	var err error
	if r.log, err = os.Create(filepath.Join(t.TempDir(), "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.stop(os.Kill)
		if t.Failed() {
			text, _ := os.ReadFile(r.log.Name())
			t.Logf("the end of the log of %s: %s", r.docs, text[max(len(text)-2000, 0):])
		}
		r.log.Close()
	})
	return r
}

// start starts the process and waits until it is ready.
func (r *replicaProcess) start(ctx context.Context) error {
	r.cmd = exec.Command(os.Args[0], "--http", r.docs)
	r.cmd.Env = append(append(os.Environ(), "DOCENT_TEST_RUN=1", "DOCENT_OFFLINE=1"), r.env...)
	r.cmd.Dir = filepath.Dir(r.log.Name())
	r.cmd.Stdout, r.cmd.Stderr = r.log, r.log
	if err := r.cmd.Start(); err != nil {
		return err
	}
	if err := waitReady(ctx, "http://"+r.docs); err != nil {
		return fmt.Errorf("the replica is not ready: %w", err)
	}
	return nil
}

// stop sends a signal to the process and waits until it has ended.
func (r *replicaProcess) stop(signal os.Signal) {
	if r.cmd == nil {
		return
	}
	_ = r.cmd.Process.Signal(signal)
	_ = r.cmd.Wait() // the exit status depends on the signal
	r.cmd = nil
}

// resources returns the resident memory in bytes and the number of sockets of the process, from the
// data of Linux.
func (r *replicaProcess) resources() (memory, sockets int) {
	dir := fmt.Sprintf("/proc/%d/", r.cmd.Process.Pid)
	status, _ := os.ReadFile(dir + "status")
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kib, _ := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "kB")))
			memory = kib << 10
		}
	}
	files, _ := os.ReadDir(dir + "fd")
	for _, f := range files {
		if target, err := os.Readlink(dir + "fd/" + f.Name()); err == nil && strings.HasPrefix(target, "socket:") {
			sockets++
		}
	}
	return memory, sockets
}

// serveProbe serves the probe of a replica until the process ends.
func serveProbe(address string) {
	ctx := context.Background()
	store, err := redisstore.Open(ctx, os.Getenv(redisVariable), &redisstore.Options{Prefix: "probe"})
	for end := time.Now().Add(startTimeout); err != nil && time.Now().Before(end); {
		<-time.After(100 * time.Millisecond) // Redis may still be starting
		store, err = redisstore.Open(ctx, os.Getenv(redisVariable), &redisstore.Options{Prefix: "probe"})
	}
	if err != nil {
		panic(err)
	}
	key, err := store.SealKey(ctx)
	if err != nil {
		panic(err)
	}
	s := mcp.NewServer(mcp.Implementation{Name: "probe", Version: "1"}, &mcp.ServerOptions{
		SealKey: key, Logger: slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Tasks: mcp.TaskOptions{Store: store, PollInterval: 100 * time.Millisecond},
	})
	// touched is a message that reports a change of a resource to all replicas.
	type touched struct {
		Probe string `json:"probe"`
	}
	store.Subscribe(func(message []byte) {
		var m touched
		if json.Unmarshal(message, &m) == nil && m.Probe != "" {
			go s.ResourceUpdated(m.Probe)
		}
	})
	mcp.Must(s.AddResourceTemplate(mcp.ResourceTemplate{URITemplate: "probe://{name}", Name: "probe"}, func(_ context.Context, _ *mcp.Request, uri string, _ mcp.Variables) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{{URI: uri, Text: uri}}, nil
	}))
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "touch"}, func(ctx context.Context, _ *mcp.Request, in struct {
		URI string `json:"uri"`
	}) (string, error) {
		data, err := json.Marshal(touched{in.URI})
		if err != nil {
			return "", err
		}
		return "touched " + in.URI, store.Publish(ctx, data)
	}))
	// The tool slow returns its result on an event stream.
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "slow", TaskSupport: mcp.TaskSupportOptional}, func(ctx context.Context, r *mcp.Request, in struct {
		Text string `json:"text"`
	}) (string, error) {
		for i := range 5 {
			r.Progress(float64(i+1), 5, in.Text)
			select {
			case <-time.After(300 * time.Millisecond):
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
		return "slow " + in.Text, nil
	}))
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.Request, in struct {
		Text string `json:"text"`
	}) (string, error) {
		form, action, err := mcp.Elicit[struct {
			Name string `json:"name"`
		}](ctx, r, in.Text)
		return fmt.Sprintf("%s %s %s", action, in.Text, form.Name), err
	}))
	panic(s.ListenAndServe(ctx, address, &mcp.HTTPOptions{Sessions: store, StreamAfter: 100 * time.Millisecond, KeepAlive: time.Second}))
}

// A balancer sends requests to the replicas in turn, in the same way as HAProxy with "retry-on
// conn-failure 503".
type balancer struct {
	replicas []*replicaProcess
	next     atomic.Int64
	url      string
}

func newBalancer(t *testing.T, replicas ...*replicaProcess) *balancer {
	t.Helper()
	b := &balancer{replicas: replicas}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite:       func(r *httputil.ProxyRequest) { r.Out.URL.Scheme, r.Out.Host = "http", "localhost" },
		Transport:     b,
		ErrorLog:      slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l)
	}()
	t.Cleanup(func() {
		server.Close()
		<-served
	})
	b.url = "http://" + l.Addr().String()
	return b
}

// RoundTrip implements http.RoundTripper.
func (b *balancer) RoundTrip(req *http.Request) (*http.Response, error) {
	var body []byte
	if req.Body != nil {
		var err error
		if body, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		req.Body.Close()
	}
	first := b.next.Add(1)
	for i := range b.replicas {
		r := b.replicas[int(first+int64(i))%len(b.replicas)]
		out := req.Clone(req.Context())
		out.URL.Host, out.URL.Path = r.docs, "/mcp"
		if req.URL.Path == "/probe" {
			out.URL.Host = r.probe
		}
		if body != nil {
			out.Body = io.NopCloser(bytes.NewReader(body))
		}
		response, err := http.DefaultTransport.RoundTrip(out)
		last := i == len(b.replicas)-1
		switch {
		case err == nil && (response.StatusCode != http.StatusServiceUnavailable || last):
			return response, nil
		case err == nil:
			response.Body.Close()
		case last || !errors.Is(err, syscall.ECONNREFUSED):
			return nil, err
		}
	}
	return nil, errors.New("there are no replicas")
}

// redisServer is a redis-server that keeps its data when it is restarted.
type redisServer struct {
	dir, address string
	cmd          *exec.Cmd
}

// startRedis starts a Redis for a test. It skips the test if Redis is not installed.
func startRedis(t *testing.T) *redisServer {
	t.Helper()
	if _, err := exec.LookPath("redis-server"); err != nil {
		t.Skipf("this test stores sessions in Redis, which is not installed: %v; make team-test installs it and runs this test", err)
	}
	s := &redisServer{dir: t.TempDir(), address: freeAddress(t)}
	if err := s.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	return s
}

func (s *redisServer) start(ctx context.Context) error {
	_, port, _ := net.SplitHostPort(s.address)
	s.cmd = exec.Command("redis-server", "--bind", "127.0.0.1", "--port", port, "--dir", s.dir, "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--logfile", "log")
	if err := s.cmd.Start(); err != nil {
		return err
	}
	for {
		conn, err := net.Dial("tcp", s.address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("redis-server accepts no connections: %w", err)
		}
	}
}

func (s *redisServer) stop() {
	if s.cmd != nil {
		_ = s.cmd.Process.Signal(os.Interrupt)
		_ = s.cmd.Wait()
		s.cmd = nil
	}
}
