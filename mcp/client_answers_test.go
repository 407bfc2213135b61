package mcp_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// TestAnswersAreReadInEachForm makes servers answer every request in each form that an HTTP
// response can have.
func TestAnswersAreReadInEachForm(t *testing.T) {
	forms := []struct{ kind, body string }{
		{"application/json", "MESSAGE"},
		{"application/json; charset=utf-8", "\n MESSAGE\r\n"},
		{"Application/JSON;charset=UTF-8", "MESSAGE"},
		{"text/event-stream", "data: MESSAGE\n\n"},
		{"text/event-stream; charset=utf-8", "data: MESSAGE\n\n"},
		{"TEXT/Event-Stream;charset=\"utf-8\"", "data:MESSAGE\r\n\r\n"},
		{"text/event-stream", ":\n\n:\n\ndata: MESSAGE\n\n"},
		{"text/event-stream", ": data: {}\n:\n:event: other\nevent: message\n: x\ndata: MESSAGE\n:id: 5\n: the end\n\n"},
		{"text/event-stream", ":data: {\r: another\rdata: START\r: in between\r:\rdata: REST\r:\r\r"},
		{"text/event-stream", "event: other\n: a comment\ndata: WRONG\n\n:\nevent: x\n:\n:\ndata: WRONG\n\ndata: MESSAGE\n\n"},
		{"text/event-stream", "\uFEFF: mark\n\nid: 1\nevent: other\ndata: {}\n\nretry: 5\n\ndata\n\nunknown: MESSAGE\ndata: MESSAGE\n\n"},
	}
	revisionsOf(t, "http.post.client-handles-both", func(t *testing.T, revision string) {
		proves(t, "http.sse.comment-ignored")
		for _, form := range forms {
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				result := `{"content":[{"type":"text","text":"é"}],"contents":[],"messages":[],"tools":[]}`
				switch {
				case p.Method == "initialize":
					w.Header().Set("Mcp-Session-Id", "one")
					result = fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"x","version":"1"}}`, revision)
				case p.Method == "server/discover":
					result = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{}}}`
				case p.Request.Method == http.MethodGet:
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				case p.ID == nil:
					w.WriteHeader(http.StatusAccepted)
					return
				}
				start, rest := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,`, p.ID), fmt.Sprintf(`"result":%s}`, result)
				w.Header().Set("Content-Type", form.kind)
				fmt.Fprint(w, strings.NewReplacer("WRONG", start+`"result":[]}`, "MESSAGE", start+rest, "START", start, "REST", rest).Replace(form.body))
			})
			ran(t, revision, "http")
			c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL, NoSSE: true}, &mcp.ClientOptions{Revisions: []string{revision}})
			if err != nil {
				t.Errorf("%s %q: %v", form.kind, form.body, err)
				continue
			}
			text, err := mcp.CallTool[string](t.Context(), c, "x", nil, nil)
			_, err2 := c.GetPrompt(t.Context(), "x", nil, nil)
			_, err3 := c.ReadResource(t.Context(), "x:a", nil)
			if text != "é" || err != nil || err2 != nil || err3 != nil {
				t.Errorf("%s %q: %q, %v, %v, %v", form.kind, form.body, text, err, err2, err3)
			}
			must(t, lastOf(c.Tools(t.Context())), c.Ping(t.Context()), c.Close())
		}
	})
}

// TestEveryLostRequestIsSentAgain interrupts the responses to requests with each method, first an
// event stream before its response and then a body in the middle.
func TestEveryLostRequestIsSentAgain(t *testing.T) {
	revisionsOf(t, "http.sse.lost-request-reissue", func(t *testing.T, revision string) {
		proves(t, "http.param.all-steps", "mrtr.client.original-params", "mrtr.client.echo-state", "mrtr.client.same-keys")
		tries := map[string]int{}
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			if p.Method == "server/discover" {
				p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{},"completions":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`)
				return
			}
			if strings.Contains(p.body, `"asking"`) && !strings.Contains(p.body, "inputResponses") {
				p.reply(w, `{"resultType":"input_required","requestState":"s","inputRequests":{"q":{"method":"roots/list"}}}`)
				return
			}
			tries[p.Method]++
			if tries[p.Method] == 4 && strings.Contains(p.body, "inputResponses") {
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"mismatch"}}`, p.ID)
				return
			}
			switch tries[p.Method] {
			case 1:
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, ": soon\n\nid: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/example\"}\n\ndata: {\"jsonrpc\"")
				w.(http.Flusher).Flush()
				panic(http.ErrAbortHandler)
			case 2:
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Content-Length", "1000")
				fmt.Fprint(w, `{"jsonrpc":"2.0",`)
			case 3:
				w.Header().Set("Content-Type", "application/json")
				w.Header().Set("Content-Length", "1000")
				w.WriteHeader(http.StatusOK)
			default:
				p.reply(w, `{"resultType":"complete","content":[],"contents":[],"messages":[],"tools":[{"name":"asking","inputSchema":{"type":"object","properties":{"a":{"type":"integer","x-mcp-header":"A"}}}}],"prompts":[],"resourceTemplates":[],"completion":{"values":[]},"taskId":"t","status":"working"}`)
			}
		})
		c := s.dialed(t, revision, &mcp.HTTPTransport{})
		calls := callsOf(c)
		calls["tasks/get"] = func(ctx context.Context) error { _, err := c.Task("t").State(ctx); return err }
		calls["tasks/cancel"] = func(ctx context.Context) error { return c.Task("t").Cancel(ctx) }
		calls["resources/templates/list"] = func(ctx context.Context) error { return lastOf(c.ResourceTemplates(ctx)) }
		for method, call := range calls {
			if err := call(t.Context()); err != nil {
				t.Errorf("%s: %v", method, err)
			}
			ids := map[string]bool{}
			for _, p := range s.requests(method) {
				ids[string(p.ID)] = true
				if p.Header.Get("Last-Event-Id") != "" {
					t.Errorf("%s is resumed", method)
				}
			}
			if sent := len(s.requests(method)); sent != 4 || len(ids) != 4 {
				t.Errorf("%s is sent %d times with %d ids", method, sent, len(ids))
			}
		}
		// The second round of a request is interrupted, and then refused because of its headers.
		clear(tries)
		opts := answering()
		opts.Revisions, opts.Limits.MaxBackoff = []string{revision}, time.Millisecond
		requester, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL}, &opts)
		must(t, err)
		must(t, lastOf(requester.Tools(t.Context())))
		before := len(s.requests("tools/call"))
		_, err = requester.CallTool(t.Context(), "asking", map[string]int{"a": 1}, nil)
		must(t, err, requester.Close())
		for i, p := range s.requests("tools/call")[before:] {
			if inputs := strings.Contains(p.body, `"inputResponses":{"q":{"roots":[{"uri":"file:///src"`) && strings.Contains(p.body, `"requestState":"s"`); inputs != (i > 0) || !strings.Contains(p.body, `"arguments":{"a":1}`) || p.Header.Get("Mcp-Param-A") != "1" {
				t.Errorf("request %d is %s with %v", i, p.body, p.Header)
			}
		}
		if n := len(s.requests("tools/call")) - before; n != 6 {
			t.Errorf("%d requests", n)
		}
		if n := len(s.requests(http.MethodGet)); n > 0 {
			t.Errorf("%d GET requests", n)
		}
	})
}

// TestSessionsThatEndAreOpenedAgain ends several sessions, each in a different way.
func TestSessionsThatEndAreOpenedAgain(t *testing.T) {
	ends := []string{"", "<html>", `{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}`, `{"jsonrpc":"2.0","id":ID,"error":{"code":-32600,"message":"Session not found"}}`}
	revisionsOf(t, "session.client-reinitialize", func(t *testing.T, revision string) {
		proves(t, "session.client-sends", "lifecycle.init.initialized")
		if revision == "2025-03-26" {
			proves(t, "base.batch.no-initialize")
		}
		var mu sync.Mutex // the client opens session streams at the same time
		opened := 0
		used := map[string]bool{}
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			mu.Lock()
			defer mu.Unlock()
			if p.Method == "initialize" {
				opened++
			}
			id := p.Header.Get("Mcp-Session-Id")
			switch {
			case p.session(w, revision, fmt.Sprint("session-", opened)):
			case used[id]:
				w.WriteHeader(http.StatusNotFound)
				fmt.Fprint(w, strings.Replace(ends[opened%len(ends)], "ID", string(p.ID), 1))
			default:
				used[id] = true
				p.reply(w, `{"content":[],"contents":[],"messages":[],"tools":[],"prompts":[],"completion":{"values":[]}}`)
			}
		})
		c := s.dialed(t, revision, &mcp.HTTPTransport{})
		for range 2 * len(ends) {
			if _, err := c.CallTool(t.Context(), "x", nil, nil); err != nil {
				t.Error(err)
			}
		}
		want := 2*len(ends) + 3
		for method, call := range map[string]func(ctx context.Context) error{"ping": c.Ping, "tools/list": callsOf(c)["tools/list"], "example/any": callsOf(c)["example/any"]} {
			if err := call(t.Context()); err != nil {
				t.Errorf("%s: %v", method, err)
			}
		}
		for i, p := range s.requests("initialize") {
			if p.Header.Get("Mcp-Session-Id") != "" {
				t.Errorf("initialize %d has %v", i, p.Header)
			}
		}
		for _, p := range s.requests("") {
			if strings.HasPrefix(p.body, "[") {
				t.Errorf("sent %s", p.body)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if n := len(s.requests("notifications/initialized")); opened != want || n != opened {
			t.Errorf("%d sessions, %d of them initialized", opened, n)
		}
	})
}

// callsOf returns functions that send requests of each kind.
func callsOf(c *mcp.Client) map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"tools/call":          func(ctx context.Context) error { _, err := c.CallTool(ctx, "x", nil, nil); return err },
		"tools/list":          func(ctx context.Context) error { return lastOf(c.Tools(ctx)) },
		"prompts/get":         func(ctx context.Context) error { _, err := c.GetPrompt(ctx, "x", nil, nil); return err },
		"prompts/list":        func(ctx context.Context) error { return lastOf(c.Prompts(ctx)) },
		"resources/read":      func(ctx context.Context) error { _, err := c.ReadResource(ctx, "x:a", nil); return err },
		"completion/complete": func(ctx context.Context) error { _, err := c.CompletePrompt(ctx, "p", "a", "", nil); return err },
		"example/any":         func(ctx context.Context) error { _, err := c.Call(ctx, "example/any", nil, nil); return err },
	}
}
