package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// tap is a connection that checks what a client sends against the official schema of the revision,
// and records both directions.
type tap struct {
	io.ReadWriteCloser
	t        testing.TB
	revision string

	mu      sync.Mutex
	partial []byte
	sent    []string
}

func (c *tap) Write(b []byte) (int, error) {
	c.mu.Lock()
	c.partial = append(c.partial, b...)
	for {
		line, rest, ok := bytes.Cut(c.partial, []byte("\n"))
		if !ok {
			break
		}
		c.sent = append(c.sent, string(line))
		conformsToClient(c.t, c.revision, line)
		c.partial = append([]byte(nil), rest...)
	}
	c.mu.Unlock()
	return c.ReadWriteCloser.Write(b)
}

func (c *tap) lines(method string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []string
	for _, line := range c.sent {
		var m struct{ Method string }
		json.Unmarshal([]byte(line), &m)
		if method == "" || m.Method == method {
			found = append(found, line)
		}
	}
	return found
}

// conformsToClient validates a message sent by a client.
func conformsToClient(t testing.TB, revision string, line []byte) {
	t.Helper()
	var m struct {
		JSONRPC string
		ID      json.RawMessage
		Method  string
		Params  json.RawMessage
		Error   json.RawMessage
	}
	if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
		t.Errorf("client sent %.300s: %v", line, err)
		return
	}
	if m.Method == "initialize" && revision == "2026-07-28" || strings.HasPrefix(m.Method, "example/") || m.Method == "notifications/example" {
		return
	}
	if m.Method == "server/discover" {
		revision = "2026-07-28" // server/discover
	}
	schema := official(t, revision)
	if schema == nil {
		return
	}
	prefix := "#/$defs/"
	if revision < "2025-11-25" {
		prefix = "#/definitions/"
	}
	definition := "ClientNotification"
	switch {
	case m.Method == "" && m.Error != nil && revision >= "2025-11-25":
		definition = "JSONRPCErrorResponse"
	case m.Method == "" && m.Error != nil:
		definition = "JSONRPCError"
	case m.Method == "":
		definition = "JSONRPCResponse"
	case strings.HasPrefix(m.Method, "tasks/") && revision >= "2026-07-28":
		definition = "JSONRPCRequest"
	case m.ID != nil:
		definition = "ClientRequest"
	}
	sub, err := schema.Sub(prefix + definition)
	if err != nil {
		t.Errorf("%s %s: %v", revision, definition, err)
		return
	}
	if err := sub.Validate(line); err != nil {
		t.Errorf("%s: not a %s: %v\n%s", revision, definition, err, line)
	}
}

// reached is a client that uses a given revision and is connected to a server.
type reached struct {
	*mcp.Client
	tap *tap // nil over HTTP
}

// reach connects a client to s over a pipe.
func reach(t testing.TB, s *mcp.Server, revision string, opts mcp.ClientOptions) *reached {
	t.Helper()
	near, far := net.Pipe()
	served := make(chan error, 1)
	go func() { served <- s.ServeConn(context.Background(), far) }()
	r := &reached{tap: &tap{ReadWriteCloser: near, t: t, revision: revision}}
	opts.Revisions = []string{revision}
	c, err := mcp.Connect(t.Context(), &mcp.ConnTransport{Conn: r.tap}, &opts)
	must(t, err)
	ran(t, revision, "pipe")
	r.Client = c
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
		if err := <-served; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("ServeConn: %v", err)
		}
	})
	return r
}

// reachHTTP connects a client to s over HTTP. For 2024-11-05, it uses HTTP with SSE.
func reachHTTP(t testing.TB, s *mcp.Server, revision string, opts mcp.ClientOptions) *mcp.Client {
	t.Helper()
	opts.Revisions = []string{revision}
	web := httptest.NewServer(s.HTTPHandler(nil))
	transport := "http"
	if revision == "2024-11-05" {
		web.Close()
		sse := s.SSEHandler(nil)
		web = httptest.NewServer(sse)
		transport = "sse"
	}
	t.Cleanup(web.Close)
	c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: web.URL + "/mcp"}, &opts)
	must(t, err)
	ran(t, revision, transport)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return c
}

// eachClient runs f with a client of every revision on every transport of the revision. optsOf
// returns the options, and may be nil.
func eachClient(t *testing.T, s *mcp.Server, optsOf func() mcp.ClientOptions, f func(t *testing.T, revision string, c *mcp.Client)) {
	t.Helper()
	if optsOf == nil {
		optsOf = func() mcp.ClientOptions { return mcp.ClientOptions{} }
	}
	for _, revision := range revisions {
		t.Run(revision+"/pipe", func(t *testing.T) { f(t, revision, reach(t, s, revision, optsOf()).Client) })
		t.Run(revision+"/http", func(t *testing.T) { f(t, revision, reachHTTP(t, s, revision, optsOf())) })
	}
}

func TestAClientCallsTools(t *testing.T) {
	s := sumServer(t)
	eachClient(t, s, nil, func(t *testing.T, revision string, c *mcp.Client) {
		if got := c.Server(); got.Revision != revision || got.Name != "test" || !got.Capabilities.Tools || got.Capabilities.Prompts {
			t.Errorf("server: %+v", got)
		}
		ctx := t.Context()
		res, err := c.CallTool(ctx, "echo", map[string]any{"message": "hé\n\"llo\""}, nil)
		if err != nil || len(res.Content) != 1 || res.Content[0].(*mcp.TextContent).Text != "hé\n\"llo\"" {
			t.Fatalf("echo: %+v, %v", res, err)
		}
		text, err := mcp.CallTool[string](ctx, c, "echo", echoInput{"plain"}, nil)
		if err != nil || text != "plain" {
			t.Errorf("text: %q, %v", text, err)
		}
		sum, err := mcp.CallTool[sumOutput](ctx, c, "sum", sumInput{17, 25}, nil)
		if err != nil || sum.Sum != 42 {
			t.Errorf("sum: %+v, %v", sum, err)
		}
		_, err = mcp.CallTool[string](ctx, c, "fail", nil, nil)
		var failed *mcp.ToolError
		if !errors.As(err, &failed) || !strings.Contains(err.Error(), "disk is full") {
			t.Errorf("a tool that fails: %v", err)
		}
		_, err = c.CallTool(ctx, "refuse", nil, nil)
		var refused *mcp.Error
		if !errors.As(err, &refused) || refused.Code != -1 || !strings.Contains(string(refused.Data), "retry") {
			t.Errorf("a tool that refuses: %v", err)
		}
		if got := namesIn(c.Tools(ctx), func(tool *mcp.Tool) string { return tool.Name }); got != "echo fail panic refuse sum" {
			t.Errorf("tools: %s", got)
		}
		for prompt, err := range c.Prompts(ctx) {
			t.Errorf("a server without prompts has %v, %v", prompt, err)
		}
		if err := c.Ping(ctx); err != nil {
			t.Errorf("ping: %v", err)
		}
	})
}

// mute is a connection on which nothing is ever received.
type mute struct {
	wrote  chan struct{} // receives after the first write
	closed chan struct{}
	once   sync.Once
	mu     sync.Mutex
	sent   []byte
}

func tapped(*testing.T) (near io.ReadWriteCloser, far *mute) {
	m := &mute{wrote: make(chan struct{}, 100), closed: make(chan struct{})}
	return m, m
}

func (m *mute) Read([]byte) (int, error) { <-m.closed; return 0, io.EOF }

func (m *mute) Write(b []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sent = append(m.sent, b...)
	m.wrote <- struct{}{}
	return len(b), nil
}

func (m *mute) Close() error {
	m.once.Do(func() { close(m.closed) })
	return nil
}

func (m *mute) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return string(m.sent)
}
