package mcp_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/mcptest"
)

// TestASessionIsReachedOutsideOfRequests asks questions and sends log messages after the request
// has ended.
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
		if err := askOnly(t.Context(), r.Session(), &mcp.Elicitation{Message: "x", Schema: []byte(`{"type":"object","properties":{}}`)}); err == nil {
			t.Error("a client is asked that cannot be")
		}
	})
}

// reachSession asks a question and sends a log message in the session of r, if there is one.
func reachSession(t *testing.T, r *mcp.Request, logs <-chan string, session bool) {
	t.Helper()
	answers, err := r.Session().Ask(t.Context(), &mcp.RootsQuestion{})
	if !session {
		if err == nil {
			t.Error("a client without session is asked")
		}
		r.Session().Log(mcp.LevelError, "", "nobody") // these calls have no effect
		return
	}
	if err != nil || len(answers[0].(*mcp.RootsResult).Roots) != 1 {
		t.Errorf("asked: %+v, %v", answers, err)
	}
	r.Session().Log(mcp.LevelDebug, "", "not wanted")
	r.Session().Log(mcp.LevelError, "me", "wanted")
	if got := <-logs; got != `"wanted"` {
		t.Errorf("logged %s", got)
	}
}

func TestHTTPOptions_ScreenRefusesWhatAHandlerWould(t *testing.T) {
	reached := false
	opts := &mcp.HTTPOptions{AllowedOrigins: []string{"https://app.example.com"}, CORS: true, AllowedHosts: []string{"tools.example.com"}}
	guarded := opts.Screen(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
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
		Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
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

// TestASessionIsReachedByTheRequestThatOpenedIt stores the initialize request and uses its session
// later. A gateway does this if its upstream server asks a question immediately.
func TestASessionIsReachedByTheRequestThatOpenedIt(t *testing.T) {
	for _, transport := range []string{"pipe", "http", "sse", "http without sessions"} {
		t.Run(transport, func(t *testing.T) {
			opened := make(chan *mcp.Request, 1)
			s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, &mcp.ServerOptions{
				Capabilities: mcp.ServerCapabilities{Logging: true},
				Middleware: []mcp.Middleware{func(next mcp.MessageHandler) mcp.MessageHandler {
					return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
						res, err := next(ctx, r)
						if r.Method() == "initialize" {
							opened <- r.Request
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

// TestSession_ListAndNotify lists the sessions of two clients, and sends an extension's
// notification to both clients and then to one of them.
func TestSession_ListAndNotify(t *testing.T) {
	s := mcp.NewServer(mcp.Implementation{Name: "a", Version: "1"}, nil)
	type notice struct{ client, method, params string }
	notices := make(chan notice, 4)
	connect := func(name, revision string) *mcp.Client {
		c, err := mcp.Connect(t.Context(), &mcp.ServerTransport{Server: s, Context: mcp.WithPrincipal(t.Context(), "user of "+name)}, &mcp.ClientOptions{
			Info:      mcp.Implementation{Name: name, Version: "1"},
			Revisions: []string{revision},
			Notification: func(method string, params json.RawMessage) {
				notices <- notice{name, method, string(params)}
			},
		})
		must(t, err)
		must(t, c.Ping(t.Context())) // after the ping, the server has received notifications/initialized
		return c
	}
	old, newest := connect("old", "2024-11-05"), connect("newest", "2026-07-28")
	defer newest.Close()
	other := connect("other", "2025-11-25")
	defer other.Close()

	sessions := map[string]*mcp.Session{}
	for one := range s.Sessions() {
		sessions[one.Client().Name] = one
	}
	if len(sessions) != 2 || sessions["old"] == nil || sessions["other"] == nil {
		t.Fatalf("sessions: %v", sessions)
	}
	one := sessions["old"]
	if one.Revision() != "2024-11-05" || one.ID() == "" || one.ID() == sessions["other"].ID() || one.Principal() != "user of old" {
		t.Errorf("session %q of %q, revision %s", one.ID(), one.Principal(), one.Revision())
	}
	must(t, s.Notify("notifications/com.example/moved", map[string]int{"x": 1}))
	for _, got := range []notice{<-notices, <-notices} {
		if got.method != "notifications/com.example/moved" || got.params != `{"x":1}` || got.client == "newest" {
			t.Errorf("got %+v", got)
		}
	}
	must(t, one.Notify("notifications/com.example/done", nil))
	if got := <-notices; got != (notice{"old", "notifications/com.example/done", ""}) {
		t.Errorf("got %+v", got)
	}
	for _, wrong := range []string{"notifications/message", "notifications/tools/list_changed", "", "a\nb"} {
		if s.Notify(wrong, nil) == nil || one.Notify(wrong, nil) == nil {
			t.Errorf("%q is sent", wrong)
		}
	}
	if s.Notify("notifications/a", 7) == nil {
		t.Error("params that are no object are sent")
	}
	var none *mcp.Session
	if none.ID()+none.Revision()+none.Principal()+none.Client().Name != "" || none.ClientCapabilities().Roots != nil ||
		none.CloseStream(0) || none.ElicitationComplete("a") || none.Notify("notifications/a", nil) != nil || askOnly(t.Context(), none) == nil {
		t.Error("a client without a session has one")
	}
	old.Close()
}
