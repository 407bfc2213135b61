package mcp_test

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// transportsOf returns the transports of a revision: "pipe", "http", "sse", and
// "stateless", which is HTTP without sessions for a revision that has them.
func transportsOf(revision string) []string {
	switch revision {
	case latest:
		return []string{"pipe", "http"}
	case "2024-11-05":
		return []string{"pipe", "http", "stateless", "sse"}
	}
	return []string{"pipe", "http", "stateless"}
}

// connectOver connects a peer over the given transport. Over HTTP, the peer has no stream for
// messages that do not belong to a request.
func connectOver(t testing.TB, s *mcp.Server, revision, transport string) *peer {
	t.Helper()
	if transport == "pipe" {
		return connect(t, s)
	}
	b := &bridge{revision: revision, transport: transport}
	b.changed.L = &b.mu
	endpoint := host(t, s, &mcp.HTTPOptions{Stateless: transport == "stateless"})
	p := &peer{in: b, out: b, lines: bufio.NewReaderSize(b, 1<<20), served: make(chan error, 1)}
	p.t, p.transport = t, "http"
	p.served <- nil
	if transport == "sse" {
		p.transport = "sse"
		stream := endpoint.pair("", "")
		b.web, b.path = stream.web, stream.endpoint
		go b.follow(stream.answer, false)
	} else {
		b.web, b.path = endpoint.web(), "/mcp"
		if revision == latest || transport == "stateless" {
			b.head.Set("Mcp-Protocol-Version", revision)
		}
	}
	t.Cleanup(p.close)
	return p
}

// bridge sends each line that is written to it as a separate POST request. The messages in the
// responses are the lines that can be read from it.
type bridge struct {
	*web
	revision, transport, path string

	mu      sync.Mutex
	changed sync.Cond
	lines   bytes.Buffer
	open    int // number of responses that have not ended
	closed  bool
}

func (b *bridge) Write(text []byte) (int, error) {
	w := b.web
	if b.revision == latest {
		w = w.with()
		w.head["Mcp-Method"], w.head["Mcp-Name"] = mirrored(text)
	}
	a, err := w.try(http.MethodPost, b.path, bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	if id := a.head.Get("Mcp-Session-Id"); id != "" {
		b.head.Set("Mcp-Session-Id", id)
		if b.revision >= "2025-06-18" {
			b.head.Set("Mcp-Protocol-Version", b.revision)
		}
	}
	switch {
	case a.events:
		b.mu.Lock()
		b.open++
		b.mu.Unlock()
		go b.follow(a, true)
	case a.body != "":
		b.add(a.body)
	}
	return len(text), nil
}

// mirrored returns the headers that repeat the method of a request and the name of its tool, prompt
// or resource. They are empty if the request does not have them.
func mirrored(text []byte) (method, name []string) {
	var m struct {
		Method string
		Params map[string]json.RawMessage
	}
	json.Unmarshal(text, &m)
	var about string
	switch kind, _, _ := strings.Cut(m.Method, "/"); kind {
	case "resources":
		json.Unmarshal(m.Params["uri"], &about)
	case "tasks":
		json.Unmarshal(m.Params["taskId"], &about)
	default:
		json.Unmarshal(m.Params["name"], &about)
	}
	if strings.ContainsFunc(about, func(r rune) bool { return r < ' ' || r > '~' }) || strings.TrimSpace(about) != about {
		about = "=?base64?" + base64.StdEncoding.EncodeToString([]byte(about)) + "?="
	}
	return []string{m.Method}, []string{about}
}

func (b *bridge) follow(a *answer, counted bool) {
	for {
		e, err := a.read()
		if err != nil {
			break
		}
		if e.data != "" {
			b.add(e.data)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if counted {
		b.open--
	}
	b.changed.Broadcast()
}

func (b *bridge) add(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.lines.WriteString(strings.TrimSuffix(line, "\n") + "\n")
	b.changed.Broadcast()
}

func (b *bridge) Read(text []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.lines.Len() == 0 {
		if b.closed && b.open == 0 {
			return 0, io.EOF
		}
		b.changed.Wait()
	}
	return b.lines.Read(text)
}

func (b *bridge) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	b.changed.Broadcast()
	return nil
}
