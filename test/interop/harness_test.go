// Package interop tests clients from other projects against a server that uses package mcp, and the
// client in package mcp against servers from other projects. `make interop` runs the tests.
package interop

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"}

// server is the path of the server's executable.
var server string

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "interop")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	server = filepath.Join(dir, "server")
	if out, err := exec.Command("go", "build", "-o", dir, "./server", "./servers/...").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "building the servers: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// serveHTTP starts the server and returns its URL without a path. At the end of the test, the
// server must exit without an error.
func serveHTTP(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(server, "-http", "127.0.0.1:0")
	cmd.Stderr = os.Stderr
	return urlOf(t, cmd, func() {
		cmd.Process.Signal(os.Interrupt)
		if err := cmd.Wait(); err != nil {
			t.Errorf("the server did not end in good order: %v", err)
		}
	})
}

// urlOf starts a server that prints its URL, and returns the URL. stop is
// called when the test ends.
func urlOf(t *testing.T, cmd *exec.Cmd, stop func()) string {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server did not say where it listens: %v", err)
	}
	return strings.TrimSpace(url)
}

// events contains the events that a client has received, one line each.
type events chan string

func newEvents() events { return make(events, 1000) }

func (e events) addf(format string, args ...any) { e <- fmt.Sprintf(format, args...) }

// await waits until all events in want have been received, in any order.
func (e events) await(ctx context.Context, t *testing.T, want ...string) {
	t.Helper()
	if err := e.find(ctx, want...); err != nil {
		t.Fatal(err)
	}
}

func (e events) find(ctx context.Context, want ...string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	missing := map[string]bool{}
	for _, w := range want {
		missing[w] = true
	}
	var seen []string
	for len(missing) > 0 {
		select {
		case got := <-e:
			seen = append(seen, got)
			delete(missing, got)
		case <-ctx.Done():
			return fmt.Errorf("the client received %q, and not all of %q", seen, want)
		}
	}
	return nil
}
