package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestASessionIsReachedOutsideOfRequests asks and logs after the request has
// ended.
func TestASessionIsReachedOutsideOfRequests(t *testing.T) {
	requests := make(chan *mcp.Request, 1)
	s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	if err := mcp.AddTool(s, mcp.Tool{Name: "t"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		requests <- r
		return "", nil
	}); err != nil {
		t.Fatal(err)
	}
	logs := make(chan string, 1)
	opts := &mcp.ClientOptions{
		Log:   func(m mcp.LogMessage) { logs <- string(m.Data) },
		Roots: func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///a"}}, nil },
	}
	mcptest.EachRevision(t, s, opts, func(t *testing.T, revision string, c *mcp.Client) {
		if _, err := c.CallTool(t.Context(), "t", nil, nil); err != nil {
			t.Fatal(err)
		}
		r := <-requests
		reachSession(t, r, logs, revision != "2026-07-28")
		if err := r.AskInSession(t.Context(), &mcp.Elicitation{Message: "x", Schema: []byte(`{"type":"object","properties":{}}`)}); err == nil {
			t.Error("a client is asked that cannot be")
		}
	})
}

// reachSession asks and logs in the session that r belongs to, if there is one.
func reachSession(t *testing.T, r *mcp.Request, logs <-chan string, session bool) {
	t.Helper()
	roots := &mcp.RootsQuestion{}
	err := r.AskInSession(t.Context(), roots)
	if !session {
		if err == nil {
			t.Error("a client without session is asked")
		}
		r.LogInSession(mcp.LevelError, "", "nobody") // and nothing happens
		return
	}
	if err != nil || len(roots.Result) != 1 {
		t.Errorf("asked: %+v, %v", roots.Result, err)
	}
	r.LogInSession(mcp.LevelDebug, "", "not wanted")
	r.LogInSession(mcp.LevelError, "me", "wanted")
	if got := <-logs; got != `"wanted"` {
		t.Errorf("logged %s", got)
	}
}

func TestGuardRefusesWhatAHandlerWould(t *testing.T) {
	reached := false
	opts := &mcp.HTTPOptions{AllowedOrigins: []string{"https://app.example.com"}, CORS: true, AllowedHosts: []string{"tools.example.com"}}
	guarded := opts.Guard(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	for _, c := range []struct {
		method, host, origin string
		status               int
		reaches              bool
	}{
		{"POST", "tools.example.com", "", 200, true},
		{"POST", "evil.example.com", "", 403, false},
		{"POST", "tools.example.com", "https://evil.example.com", 403, false},
		{"POST", "tools.example.com", "https://app.example.com", 200, true},
		{"OPTIONS", "tools.example.com", "https://app.example.com", 204, false},
	} {
		reached = false
		req := httptest.NewRequestWithContext(t.Context(), c.method, "http://"+c.host+"/mcp", strings.NewReader("{}"))
		if c.origin != "" {
			req.Header.Set("Origin", c.origin)
		}
		if c.method == http.MethodOptions {
			req.Header.Set("Access-Control-Request-Method", "POST")
		}
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, req)
		if w.Code != c.status || reached != c.reaches {
			t.Errorf("%+v: status %d, reached: %v", c, w.Code, reached)
		}
	}
}

func TestFlushWaitsForLogMessages(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, &mcp.ServerOptions{Capabilities: mcp.ServerCapabilities{Logging: true}})
	if err := mcp.AddTool(s, mcp.Tool{Name: "t"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		for range 50 {
			r.Log(mcp.LevelError, "", "x")
		}
		return "", nil
	}); err != nil {
		t.Fatal(err)
	}
	n := 0
	c := mcptest.Connect(t, s, &mcp.ClientOptions{Log: func(mcp.LogMessage) { n++ }})
	if _, err := c.CallTool(t.Context(), "t", nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Flush(t.Context()); err != nil || n != 50 {
		t.Errorf("%d messages, %v", n, err)
	}
	c.Close()
	if err := c.Flush(t.Context()); err != nil {
		t.Errorf("after Close: %v", err)
	}
}

func TestMiddlewareMayReportAMissingResource(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, &mcp.ServerOptions{
		Capabilities: mcp.ServerCapabilities{Resources: true},
		Middleware: []mcp.Middleware{func(next mcp.Handler) mcp.Handler {
			return func(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
				if r.Method() == "resources/read" {
					return nil, mcp.ErrResourceNotFound
				}
				return next(ctx, r)
			}
		}},
	})
	mcptest.EachRevision(t, s, nil, func(t *testing.T, _ string, c *mcp.Client) {
		if _, err := c.ReadResource(t.Context(), "a:b", nil); err == nil || !strings.Contains(err.Error(), "not found") {
			t.Errorf("error %v", err)
		}
	})
}

// TestASessionIsReachedByTheRequestThatOpenedIt keeps initialize, as a gateway
// does whose upstream asks at once.
func TestASessionIsReachedByTheRequestThatOpenedIt(t *testing.T) {
	for _, transport := range []string{"pipe", "http", "sse", "http without sessions"} {
		t.Run(transport, func(t *testing.T) {
			opened := make(chan *mcp.Request, 1)
			s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, &mcp.ServerOptions{
				Capabilities: mcp.ServerCapabilities{Logging: true},
				Middleware: []mcp.Middleware{func(next mcp.Handler) mcp.Handler {
					return func(ctx context.Context, r *mcp.Request) (mcp.Result, error) {
						res, err := next(ctx, r)
						if r.Method() == "initialize" {
							opened <- r
						}
						return res, err
					}
				}},
			})
			logs := make(chan string, 1)
			opts := &mcp.ClientOptions{
				Revisions: []string{"2025-06-18"},
				Log:       func(m mcp.LogMessage) { logs <- string(m.Data) },
				Roots:     func(context.Context) ([]mcp.Root, error) { return []mcp.Root{{URI: "file:///a"}}, nil },
			}
			over := new(mcp.HTTPOptions)
			var way mcp.Transport = &mcp.ServerTransport{Server: s}
			if transport != "pipe" {
				over.Stateless = transport == "http without sessions"
				var h http.Handler = s.HTTPHandler(over)
				if transport == "sse" {
					h = s.SSEHandler(over)
				}
				web := httptest.NewServer(h)
				t.Cleanup(func() {
					web.CloseClientConnections()
					web.Close()
				})
				way = &mcp.HTTPTransport{URL: web.URL}
			}
			c, err := mcp.Connect(t.Context(), way, opts)
			must(t, err)
			defer c.Close()
			reachSession(t, <-opened, logs, !over.Stateless)
		})
	}
}
