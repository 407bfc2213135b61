package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// Notifications may be dropped while a server is slow to read, but responses must not be, because
// the server's handlers wait for them.

func TestAResponseToTheServerIsSentHoweverMuchWaitsOnAPipe(t *testing.T) {
	for _, fails := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ran(t, "2025-11-25", "pipe")
			p := mcptest.NewPeer(t)
			release := make(chan struct{})
			roots := func(context.Context) ([]mcp.Root, error) {
				<-release
				if fails {
					return nil, &mcp.Error{Code: 7, Message: "no roots"}
				}
				return nil, nil
			}
			c := p.Connect("2025-11-25", &mcp.ClientOptions{Roots: roots, Limits: mcp.ClientLimits{MaxQueuedBytes: 1 << 10}})
			p.Send(`{"jsonrpc":"2.0","id":1,"method":"roots/list"}`)
			const calls = 3
			ended := make(chan error, calls)
			for range calls {
				go func() {
					_, err := c.CallTool(t.Context(), "tool", map[string]string{"x": strings.Repeat("x", 1<<10)}, nil)
					ended <- err
				}()
			}
			synctest.Wait() // one call is being written, and the queue is full
			close(release)
			synctest.Wait()
			answered := ""
			for range calls + 1 {
				if m := p.Receive(); m.Method == "" {
					answered = m.Line
				} else {
					p.Reply(m, emptyContent)
				}
			}
			for range calls {
				must(t, <-ended)
			}
			if want := `"roots":[]`; fails == strings.Contains(answered, want) || answered == "" {
				t.Errorf("the server was answered with %q", answered)
			}
		})
	}
}

// stalled is a server that does not read notifications/cancelled until release
// is closed. Its tool "ask" asks the client for its roots.
type stalled struct {
	release chan struct{}
	answers chan string // responses from the client
}

func (s *stalled) RoundTrip(req *http.Request) (*http.Response, error) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct{ Name string }
	}
	var text []byte
	if req.Body != nil {
		text, _ = io.ReadAll(req.Body)
		json.Unmarshal(text, &m)
	}
	respond := func(status int, kind string, body io.ReadCloser) *http.Response {
		return &http.Response{StatusCode: status, Request: req, Body: body, Header: http.Header{"Content-Type": {kind}, "Mcp-Session-Id": {"s"}}}
	}
	accepted := respond(http.StatusAccepted, "", http.NoBody)
	switch {
	case m.Method == "initialize":
		return respond(http.StatusOK, "application/json", io.NopCloser(strings.NewReader(fmt.Sprintf(
			`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, m.ID)))), nil
	case req.Method == http.MethodGet:
		return respond(http.StatusMethodNotAllowed, "", http.NoBody), nil
	case m.Method == "notifications/cancelled":
		<-s.release
		return accepted, nil
	case m.Method == "" && m.ID != nil:
		s.answers <- string(text)
		return accepted, nil
	case m.Params.Name == "ask":
		out, w := io.Pipe()
		go func() {
			io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}\n\n")
			select {
			case answer := <-s.answers:
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[{\"type\":\"text\",\"text\":%q}]}}\n\n", m.ID, answer)
			case <-req.Context().Done():
			}
			w.Close()
		}()
		return respond(http.StatusOK, "text/event-stream", out), nil
	case m.Method == "tools/call":
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	return accepted, nil
}

func TestAResponseToTheServerIsSentHoweverManyNotificationsWaitOverHTTP(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran(t, "2025-11-25", "http")
		s := &stalled{make(chan struct{}), make(chan string)}
		c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: "http://localhost/mcp", HTTPClient: &http.Client{Transport: s}}, &mcp.ClientOptions{
			Revisions: []string{"2025-11-25"},
			Logger:    textLogger(io.Discard),
			Roots:     func(context.Context) ([]mcp.Root, error) { return nil, nil },
		})
		must(t, err)
		ctx, cancel := context.WithCancel(t.Context())
		for range 100 {
			go c.CallTool(ctx, "wait", nil, nil)
		}
		synctest.Wait()
		cancel() // the limit of notifications in transit is reached
		synctest.Wait()
		result, err := c.CallTool(t.Context(), "ask", nil, nil)
		if err != nil || !strings.Contains(fmt.Sprint(result.Content[0]), `"roots":[]`) {
			t.Errorf("the call ended with %+v, %v", result, err)
		}
		close(s.release)
		must(t, c.Close())
	})
}

// slowSSE is a server that uses HTTP with SSE and does not finish reading POST requests.
type slowSSE struct {
	events *io.PipeWriter
	posts  atomic.Int32 // number of POST requests in progress
}

func (s *slowSSE) RoundTrip(req *http.Request) (*http.Response, error) {
	respond := func(status int, body io.ReadCloser) *http.Response {
		return &http.Response{StatusCode: status, Request: req, Body: body, Header: http.Header{"Content-Type": {"text/event-stream"}}}
	}
	if req.Method == http.MethodGet {
		out, w := io.Pipe()
		context.AfterFunc(req.Context(), func() { w.CloseWithError(req.Context().Err()) })
		s.events = w
		go fmt.Fprint(w, "event: endpoint\ndata: /post\n\n")
		return respond(http.StatusOK, out), nil
	}
	text, _ := io.ReadAll(req.Body)
	switch {
	case req.URL.Path != "/post":
		return respond(http.StatusMethodNotAllowed, http.NoBody), nil
	case strings.Contains(string(text), `"method":"initialize"`):
		go fmt.Fprint(s.events, `data: {"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}}`, "\n\n")
	case strings.Contains(string(text), `"method":"tools/call"`):
		s.posts.Add(1)
		defer s.posts.Add(-1)
		<-req.Context().Done()
		return nil, req.Context().Err()
	}
	return respond(http.StatusAccepted, http.NoBody), nil
}

func TestACallThatIsGivenUpIsNoLongerPosted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ran(t, "2024-11-05", "sse")
		s := new(slowSSE)
		c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: "http://localhost/mcp", HTTPClient: &http.Client{Transport: s}}, &mcp.ClientOptions{
			Revisions: []string{"2024-11-05"},
			Logger:    textLogger(io.Discard),
			Timeout:   time.Second,
		})
		must(t, err)
		for range 10 {
			if _, err := c.CallTool(t.Context(), "tool", nil, nil); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			synctest.Wait()
			if n := s.posts.Load(); n != 0 {
				t.Errorf("%d calls are still being posted", n)
			}
		}
		must(t, c.Close())
	})
}
