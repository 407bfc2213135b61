package mcp_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

func TestWhatWaitsInASessionIsBoundedInBytes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newStage(t, &mcp.ServerOptions{Limits: mcp.Limits{MaxConcurrent: 1, MaxWaiting: 100, MaxQueuedBytes: 10_000}})
		w := host(t, g.Server, nil).open("2025-06-18")
		wait := func(i int) *answer {
			return w.post(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"wait","arguments":{},"_meta":{"x":%q}}}`, i, strings.Repeat("x", 4000)))
		}
		for round := range 5 { // earlier requests that have been answered free their space
			for i := range 3 {
				wait(10*round + i).want(200).close()
			}
			a := wait(10*round + 3)
			if a.wantError(http.StatusTooManyRequests, mcp.CodeInternalError); a.head.Get("Retry-After") == "" {
				t.Errorf("%v", a.head)
			}
			for range 3 {
				g.release <- "x"
				settle()
			}
		}
		if len(g.began) != 15 {
			t.Errorf("%d calls have begun", len(g.began))
		}
	})
}

func TestALengthOverTheLimitIsRefusedBeforeTheBodyComes(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), nil)
		for _, path := range []string{"/mcp", endpoint.pair("2024-11-05", `{}`).endpoint} {
			began := time.Now()
			c := endpoint.raw("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n")
			line := make([]byte, 12)
			if _, err := io.ReadFull(c, line); err != nil || string(line) != "HTTP/1.1 413" || time.Since(began) > time.Second {
				t.Errorf("%s: %q, %v after %v", path, line, err, time.Since(began))
			}
			c.Close()
		}
	})
}

func TestASessionDoesNotBeginWhileShuttingDown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		initializing, release := make(chan struct{}), make(chan struct{})
		slow := func(next mcp.MessageHandler) mcp.MessageHandler {
			return func(ctx context.Context, r mcp.Message) (mcp.Result, error) {
				if r.Method() == "initialize" {
					close(initializing)
					<-release
				}
				return next(ctx, r)
			}
		}
		endpoint := host(t, echoServer(t, &mcp.ServerOptions{Middleware: []mcp.Middleware{slow}}), nil)
		answered := make(chan *answer, 1)
		go func() { answered <- endpoint.web().post(initializeLine) }()
		<-initializing
		stopped := endpoint.stopping()
		close(release)
		a := <-answered
		m := a.wantError(http.StatusServiceUnavailable, mcp.CodeInternalError)
		if a.head.Get("Mcp-Session-Id") != "" || !strings.Contains(m.Error.Message, "shutting down") {
			t.Errorf("%v: %s", a.head, m.line)
		}
		if err := <-stopped; err != nil {
			t.Errorf("Serve returned %v", err)
		}
	})
}

func TestRefusalsSayWhatToDo(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, headerServer(t), nil)
		legacy, today := endpoint.open("2025-11-25"), endpoint.open("2026-07-28").with("Mcp-Method: tools/call", "Mcp-Name: query", "Mcp-Param-Region: eu")
		ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
		query := today.request(1, "tools/call", callParams("query", `{"region":"eu"}`))
		for name, test := range map[string]struct {
			a    *answer
			says string
		}{
			"no session":               {legacy.with("Mcp-Session-Id:").post(ping), "open a session with initialize, or use 2026-07-28"},
			"a session that has ended": {legacy.with("Mcp-Session-Id: x").post(ping), "open a new one with initialize"},
			"another type of content":  {legacy.with("Content-Type: text/plain").post(ping), "Content-Type must be application/json"},
			"another type of answer":   {legacy.with("Accept: text/html").post(ping), "Accept must list application/json and text/event-stream"},
			"another method of HTTP":   {legacy.do(http.MethodPut, nil), "the server accepts POST, GET, DELETE here"},
			"a stream of today":        {today.do(http.MethodGet, nil), "the server accepts POST here"},
			"a foreign page":           {legacy.with("Origin: https://app.example.com").post(ping), "AllowedOrigins"},
			"a foreign name":           {legacy.with("Host: mcp.example.com").post(ping), "AllowedHosts"},
			"a large message":          {legacy.post(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 5<<20) + `"}`), "larger than the limit of 4194304 bytes"},
			"no header for the method": {today.with("Mcp-Method:").post(query), "Header Mcp-Method is missing"},
			"no header for the name":   {today.with("Mcp-Name:").post(query), "Header Mcp-Name is missing"},
			"no header for a value":    {today.with("Mcp-Param-Region:").post(query), "Header Mcp-Param-Region is missing"},
			"another value":            {today.with("Mcp-Param-Region: us").post(query), "Header Mcp-Param-Region differs from the body"},
			"another revision":         {today.with("MCP-Protocol-Version: 2027-01-01", "Mcp-Method:").post(ping), `"supported":["2026-07-28"`},
		} {
			if test.a.status < 400 || !strings.Contains(test.a.body, test.says) {
				t.Errorf("%s: status %d: %s", name, test.a.status, test.a.body)
			}
		}
		if a := today.do(http.MethodGet, nil); a.head.Get("Allow") != "POST" {
			t.Errorf("Allow is %q", a.head.Get("Allow"))
		}
	})
}

func TestShutdownClosesWhatNobodyReads(t *testing.T) {
	for _, kind := range []string{"the stream of a session", "a subscription"} {
		t.Run(kind, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := changing(t, &mcp.ServerOptions{Limits: mcp.Limits{DrainTimeout: 5 * time.Second}})
				endpoint := host(t, s, nil)
				w, request := endpoint.open("2026-07-28").with("Mcp-Method: subscriptions/listen"), "POST /mcp HTTP/1.1\r\n"
				line := w.request(1, "subscriptions/listen", listenAll)
				if kind == "the stream of a session" {
					w, request, line = endpoint.open("2025-11-25"), "GET /mcp HTTP/1.1\r\n", ""
				}
				var head strings.Builder
				w.head.Write(&head)
				c := endpoint.raw(fmt.Sprintf("%sHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s", request, &head, len(line), line))
				settle()
				began := time.Now()
				_ = endpoint.stop() // stop fails, because the deadline passes before the unread response ends
				if took := time.Since(began); took > 6*time.Second {
					t.Errorf("it took %v", took)
				}
				settle()
				if _, err := c.Write([]byte("x")); err == nil {
					t.Error("the connection is still open")
				}
			})
		})
	}
}
