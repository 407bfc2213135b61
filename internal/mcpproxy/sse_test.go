package mcpproxy

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// overWeb makes a proxy to a server with a URL, in one revision.
func overWeb(url, revision string) *Proxy {
	return New(Options{
		Implementation: mcp.Implementation{Name: "proxy", Version: "1"},
		Connect: func(ctx context.Context, change func(*mcp.ClientOptions)) (*mcp.Client, error) {
			opts := &mcp.ClientOptions{Revisions: []string{revision}}
			change(opts)
			return mcp.Connect(ctx, &mcp.HTTPTransport{URL: url}, opts)
		},
	})
}

// serveWeb serves h until the test ends, then drops what is open.
func serveWeb(t *testing.T, h http.Handler) string {
	t.Helper()
	web := httptest.NewServer(h)
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
	})
	return web.URL
}

func TestAServerOf2024StandsBehind(t *testing.T) {
	for _, front := range mcp.Revisions() {
		for _, behind := range []string{"2024-11-05", "2025-11-25"} {
			t.Run(front+" to "+behind, func(t *testing.T) {
				u := newUpstream(t)
				url := serveWeb(t, u.SSEHandler(nil))
				n := new(notes)
				c, err := mcp.Connect(t.Context(), overPipe(t, overWeb(url, behind)), n.options(front))
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				passEverything(t, c, u, n, front, behind)
			})
		}
	}
}

func TestAStreamHasAnUpstreamOfItsOwn(t *testing.T) {
	var clients []*mcp.Client
	u := newUpstream(t)
	p := counting(u, "2025-06-18", &clients, Options{HTTP: mcp.HTTPOptions{MaxSessions: 2}})
	url := overHTTP(t, p) + "/sse"
	connect := func() (*mcp.Client, error) {
		return mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: url}, &mcp.ClientOptions{Logger: quiet})
	}
	one, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	two, err := connect()
	if err != nil {
		t.Fatal(err)
	}
	defer two.Close()
	if _, err := connect(); err == nil || !strings.Contains(err.Error(), "too many sessions") {
		t.Errorf("a stream too many: %v", err)
	}
	if len(clients) != 2 || clients[0].Server().Revision != "2025-06-18" || one.Server().Revision != "2025-11-25" {
		t.Fatalf("%d upstreams", len(clients))
	}
	if err := one.Close(); err != nil {
		t.Error(err)
	}
	<-clients[0].Done() // The upstream connection ends with the stream.
	if clients[1].Err() != nil {
		t.Errorf("the other one ends, too: %v", clients[1].Err())
	}
	clients[1].Close() // The connection to the server is lost.
	for tries := 0; len(clients) < 3 && tries < 100; tries++ {
		_, err = two.CallTool(t.Context(), "echo", nil, nil)
	}
	if got := text(two.CallTool(t.Context(), "echo", nil, nil)); got != "nothing" {
		t.Errorf("after the server was lost: %s, before that %v", got, err)
	}
}

func TestAStreamFromAnotherHostOrOriginReachesNoServer(t *testing.T) {
	var clients []*mcp.Client
	url := overHTTP(t, counting(newUpstream(t), "2025-11-25", &clients, Options{})) + "/sse?sessionId=1"
	for name, change := range map[string]func(*http.Request){
		"host":   func(req *http.Request) { req.Host = "evil.example.com" },
		"origin": func(req *http.Request) { req.Header.Set("Origin", "https://evil.example.com") },
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("{}"))
			if err != nil {
				t.Fatal(err)
			}
			change(req)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			if resp.Body.Close(); resp.StatusCode != http.StatusForbidden {
				t.Errorf("%s from another %s: status %d", method, name, resp.StatusCode)
			}
		}
	}
	if len(clients) > 0 {
		t.Errorf("%d connections to the server", len(clients))
	}
}

func TestAClientThatSaysNothingHoldsNothingUp(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- New(Options{}).ServeConn(ctx, far) }()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestAServerThatRestarts checks that each client keeps working, along with its
// subscription, after the server behind the proxy has lost its sessions.
func TestAServerThatRestarts(t *testing.T) {
	for _, front := range []struct{ transport, revision string }{
		{"pipe", "2024-11-05"}, {"pipe", "2026-07-28"}, {"http", "2025-06-18"}, {"http", "2026-07-28"}, {"sse", "2024-11-05"},
	} {
		for _, behind := range []struct{ transport, revision string }{{"http", "2025-06-18"}, {"http", "2026-07-28"}, {"sse", "2024-11-05"}} {
			t.Run(fmt.Sprintf("%s over %s to %s over %s", front.revision, front.transport, behind.revision, behind.transport), func(t *testing.T) {
				var server atomic.Pointer[upstream]
				var handler atomic.Pointer[http.Handler]
				var web *httptest.Server
				restart := func() {
					u := newUpstream(t)
					var h http.Handler = u.HTTPHandler(nil)
					if behind.transport == "sse" {
						h = u.SSEHandler(nil)
					}
					server.Store(u)
					handler.Store(&h)
				}
				restart()
				web = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { (*handler.Load()).ServeHTTP(w, req) }))
				t.Cleanup(func() {
					web.CloseClientConnections()
					web.Close()
				})
				p := overWeb(web.URL, behind.revision)
				c, err := mcp.Connect(t.Context(), frontOf(t, p, front.transport), new(notes).options(front.revision))
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				sub, err := c.Subscribe(t.Context(), mcp.Filter{URIs: []string{"doc://one"}})
				if err != nil {
					t.Fatal(err)
				}
				defer sub.Close()
				for range 2 {
					if got := text(c.CallTool(t.Context(), "echo", map[string]string{"text": "hi"}, nil)); got != "hi" {
						t.Errorf("a call: %s", got)
					}
					server.Load().ResourceUpdated("doc://one")
					if change, err := sub.Next(t.Context()); err != nil || change.Kind != mcp.ChangeResource {
						t.Fatalf("change %+v, %v", change, err)
					}
					restart()
					web.CloseClientConnections()
					// Changes that were missed are announced when the upstream is back.
					if change, err := sub.Next(t.Context()); err != nil || change.URI != "doc://one" {
						t.Fatalf("change %+v, %v", change, err)
					}
				}
			})
		}
	}
}
