package redisstore_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/docent-mcp/docent/mcp/redisstore"
)

func TestMain(m *testing.M) {
	redis.SetLogger(quiet{})
	code := m.Run()
	if shared != nil {
		shared.stop()
		os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// quiet discards go-redis's log messages about connections that tests interrupt.
type quiet struct{}

func (quiet) Printf(context.Context, string, ...any) {}

type server struct {
	dir  string
	addr string
	args []string
	cmd  *exec.Cmd
}

var (
	shared     *server
	sharedErr  error
	sharedOnce sync.Once
	prefixes   atomic.Int64
)

// redisURL returns the URL of a redis-server that several tests share.
func redisURL(t testing.TB) string {
	t.Helper()
	sharedOnce.Do(func() { shared, sharedErr = newServer() })
	mustStart(t, sharedErr)
	return "redis://" + shared.addr
}

// ownServer starts a separate redis-server, which the test can stop.
func ownServer(t testing.TB, args ...string) *server {
	t.Helper()
	s, err := newServer(args...)
	mustStart(t, err)
	t.Cleanup(func() {
		s.stop()
		os.RemoveAll(s.dir)
	})
	return s
}

// ownServerTLS starts a separate redis-server that accepts only TLS connections.
func ownServerTLS(t testing.TB, args ...string) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	l.Close()
	s := ownServer(t, append(args, "--tls-port", port)...)
	s.addr = net.JoinHostPort("127.0.0.1", port)
	if err := s.wait(); err != nil {
		t.Fatal(err)
	}
	return s
}

// mustStart skips the test if redis-server is not installed, and fails the test if redis-server
// does not start.
func mustStart(t testing.TB, err error) {
	t.Helper()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		t.Skipf("redis-server is not installed, and this test stores data in it: %v; to install it and run the test, use make redis-test", err)
	case err != nil:
		t.Fatalf("redis-server cannot be started: %v", err)
	}
}

func newServer(args ...string) (*server, error) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "redisstore")
	if err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir, addr: l.Addr().String(), args: args}
	l.Close()
	return s, s.start()
}

// start starts the server and waits until it accepts connections.
func (s *server) start() error {
	_, port, _ := net.SplitHostPort(s.addr)
	args := []string{"--bind", "127.0.0.1", "--port", port, "--dir", s.dir, "--save", "", "--logfile", filepath.Join(s.dir, "log")}
	s.cmd = exec.Command("redis-server", append(args, s.args...)...)
	if err := s.cmd.Start(); err != nil {
		return err
	}
	return s.wait()
}

func (s *server) wait() error {
	for end := time.Now().Add(10 * time.Second); ; {
		conn, err := net.Dial("tcp", s.addr)
		if err == nil {
			conn.Close()
			return nil
		}
		if time.Now().After(end) {
			text, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("it accepts no connections: %s", text)
		}
	}
}

// stop ends the server in the same way as a reboot, so that it can still write its files.
func (s *server) stop() {
	if s.cmd != nil && s.cmd.Process != nil {
		s.cmd.Process.Signal(os.Interrupt)
		if err := s.cmd.Wait(); err != nil {
			log.Print(err)
		}
		s.cmd = nil
	}
}

// open returns an empty Store.
func open(t testing.TB, opts *redisstore.Options) *redisstore.Store {
	t.Helper()
	copied := redisstore.Options{}
	if opts != nil {
		copied = *opts
	}
	if copied.Prefix == "" {
		copied.Prefix = fmt.Sprintf("test%d", prefixes.Add(1))
	}
	return openAt(t, redisURL(t), &copied)
}

func openAt(t testing.TB, url string, opts *redisstore.Options) *redisstore.Store {
	t.Helper()
	s, err := redisstore.Open(t.Context(), url, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
