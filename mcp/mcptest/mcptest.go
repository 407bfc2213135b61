// Package mcptest contains helpers for tests of servers and clients that use package mcp.
//
// Connect connects a client to a server in memory, without a port or a process:
//
//	func TestGreet(t *testing.T) {
//		c := mcptest.Connect(t, newServer(), nil)
//		text, err := mcp.CallTool[string](t.Context(), c, "greet", map[string]any{"name": "Ada"}, nil)
//		…
//	}
//
// A Recorder also connects a client and records the messages, which Golden compares with a file for
// each revision of the protocol. A Peer is a server whose messages the test writes. They can be
// invalid.
//
// All of them can be used in a testing/synctest bubble to test timeouts, retries and polls without
// waiting.
package mcptest

import (
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// Connect connects a client to s in memory. It closes the connection at the end of the test, and
// fails the test if it cannot connect. A nil opts means the zero value.
func Connect(t testing.TB, s *mcp.Server, opts *mcp.ClientOptions) *mcp.Client {
	t.Helper()
	return connect(t, &mcp.ServerTransport{Server: s}, opts)
}

func connect(t testing.TB, transport mcp.Transport, opts *mcp.ClientOptions) *mcp.Client {
	t.Helper()
	c, err := mcp.Connect(t.Context(), transport, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("closing the client: %v", err)
		}
	})
	return c
}

// EachRevision runs f in a subtest for each revision. The client of a subtest is connected to s and
// uses the subtest's revision. A nil opts means the zero value.
func EachRevision(t *testing.T, s *mcp.Server, opts *mcp.ClientOptions, f func(t *testing.T, revision string, c *mcp.Client)) {
	t.Helper()
	for _, revision := range mcp.Revisions() {
		t.Run(revision, func(t *testing.T) {
			copied := mcp.ClientOptions{}
			if opts != nil {
				copied = *opts
			}
			copied.Revisions = []string{revision}
			f(t, revision, Connect(t, s, &copied))
		})
	}
}

// A Recorder is a client together with a record of all messages between the client and its server.
type Recorder struct {
	// Client is the client whose messages are recorded.
	*mcp.Client

	t    testing.TB
	mu   sync.Mutex
	text strings.Builder
	part [2][]byte // incomplete messages, by direction
}

// Record connects a client to s as Connect does, and records their messages.
func Record(t testing.TB, s *mcp.Server, opts *mcp.ClientOptions) *Recorder {
	t.Helper()
	r := &Recorder{t: t}
	near, far := net.Pipe()
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = s.ServeConn(context.Background(), far) // ignored, because the client notices the end of the connection
	}()
	t.Cleanup(func() { <-served }) // runs after the client's own cleanup
	r.Client = connect(t, &mcp.ConnTransport{Conn: &recorded{near, r}}, opts)
	return r
}

// recorded is the client's end of the connection.
type recorded struct {
	io.ReadWriteCloser
	r *Recorder
}

func (c *recorded) Write(b []byte) (int, error) {
	c.r.note(0, "> ", b)
	return c.ReadWriteCloser.Write(b)
}

func (c *recorded) Read(b []byte) (int, error) {
	n, err := c.ReadWriteCloser.Read(b)
	c.r.note(1, "< ", b[:n])
	return n, err
}

// note records data that was sent in one direction. mark is the prefix of each line of the record.
func (r *Recorder) note(direction int, mark string, b []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.part[direction] = append(r.part[direction], b...)
	for {
		line, rest, ok := strings.Cut(string(r.part[direction]), "\n")
		if !ok {
			return
		}
		r.part[direction] = []byte(rest)
		r.text.WriteString(mark + line + "\n")
	}
}

// changing matches members whose values are different in each run.
var changing = regexp.MustCompile(`"(requestState|taskId|createdAt|lastUpdatedAt|nextCursor|cursor)":"[^"]*"`)

// Transcript returns the messages so far, one per line. Messages from the client begin with "> ",
// and messages from the server with "< ". Values that are different in each run, such as those of
// requestState and taskId, are replaced by "…".
func (r *Recorder) Transcript() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return changing.ReplaceAllString(r.text.String(), `"$1":"…"`)
}

// Golden compares the transcript with a file and fails the test if they differ. The file is usually
// in testdata, with the revision in its name. If the environment contains MCPTEST_UPDATE=1, Golden
// writes the file instead.
func (r *Recorder) Golden(path string) {
	r.t.Helper()
	got := r.Transcript()
	if os.Getenv("MCPTEST_UPDATE") == "1" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // others may read the file, too
			r.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil { //nolint:gosec // a file of the test's own repository
			r.t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		r.t.Fatalf("%v; MCPTEST_UPDATE=1 writes it", err)
	}
	if diff := difference(string(want), got); diff != "" {
		r.t.Errorf("%s differs from the recorded messages (MCPTEST_UPDATE=1 rewrites it):\n%s", path, diff)
	}
}

// difference returns the first lines that differ, or "".
func difference(want, got string) string {
	if want == got {
		return ""
	}
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	line := func(lines []string) string {
		if i < len(lines) && lines[i] != "" {
			return lines[i]
		}
		return "(nothing)"
	}
	return "want " + line(a) + "\ngot  " + line(b)
}
