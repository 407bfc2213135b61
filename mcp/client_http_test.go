package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// posted is one request that a client has sent to a scripted server.
type posted struct {
	*http.Request
	body   string
	ID     json.RawMessage
	Method string
}

func (p *posted) read() {
	if p.Body == nil {
		return
	}
	body, _ := io.ReadAll(p.Body)
	p.body = string(body)
	json.Unmarshal(body, p)
}

// script is an HTTP server whose responses a test specifies. It handles one request at a time.
type script struct {
	*httptest.Server
	mu   sync.Mutex
	seen []*posted
}

func scripted(t *testing.T, answer func(w http.ResponseWriter, p *posted)) *script {
	t.Helper()
	s := new(script)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		p := &posted{Request: req}
		p.read()
		s.mu.Lock()
		s.seen = append(s.seen, p)
		s.mu.Unlock()
		answer(w, p)
	}))
	t.Cleanup(s.Close)
	return s
}

// requests returns the requests with the given MCP or HTTP method, or all
// requests if it is empty.
func (s *script) requests(method string) []*posted {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*posted
	for _, p := range s.seen {
		if method == "" || p.Method == method || p.Method == "" && p.Request.Method == method {
			found = append(found, p)
		}
	}
	return found
}

func (p *posted) reply(w http.ResponseWriter, result string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, p.ID, result)
}

// session answers requests that start and end a session in the given revision. It reports whether
// it answered r.
func (p *posted) session(w http.ResponseWriter, revision, id string) bool {
	switch {
	case p.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", id)
		p.reply(w, fmt.Sprintf(`{"protocolVersion":%q,"capabilities":{"tools":{}},"serverInfo":{"name":"x","version":"1"}}`, revision))
	case p.ID == nil && p.Request.Method == http.MethodPost:
		w.WriteHeader(http.StatusAccepted)
	case p.Request.Method == http.MethodDelete:
	case p.Request.Method == http.MethodGet && p.Header.Get("Last-Event-ID") == "":
		w.WriteHeader(http.StatusMethodNotAllowed)
	default:
		return false
	}
	return true
}

func (s *script) dialed(t *testing.T, revision string, transport *mcp.HTTPTransport) *mcp.Client {
	t.Helper()
	transport.URL = s.URL
	c, err := mcp.Connect(t.Context(), transport, &mcp.ClientOptions{Revisions: []string{revision}, Limits: mcp.ClientLimits{MaxBackoff: time.Millisecond}})
	must(t, err)
	ran(t, revision, "http")
	t.Cleanup(func() { must(t, c.Close()) })
	return c
}

func TestASessionIsNamedInEveryRequestAndOpenedAgain(t *testing.T) {
	proves(t, "session.client-sends", "session.client-reinitialize", "session.client-delete", "http.version-header.subsequent", "http.version-header.negotiated",
		"http.post.accept", "http.post.one-per-message", "http.post.body.single", "http.get.open", "http.get.accept")
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			ended := make(map[string]bool)
			opened := 0
			var mu sync.Mutex
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				mu.Lock()
				defer mu.Unlock()
				if p.Method == "initialize" {
					opened++
				}
				switch id := p.Header.Get("Mcp-Session-Id"); {
				case p.session(w, revision, fmt.Sprintf("session-%d", opened)):
				case ended[id]:
					w.WriteHeader(http.StatusNotFound)
				default:
					p.reply(w, `{"content":[]}`)
				}
			})
			c := s.dialed(t, revision, &mcp.HTTPTransport{})
			if _, err := c.CallTool(t.Context(), "x", nil, nil); err != nil {
				t.Fatal(err)
			}
			mu.Lock()
			ended["session-1"] = true
			mu.Unlock()
			if _, err := c.CallTool(t.Context(), "x", nil, nil); err != nil {
				t.Fatal(err)
			}
			must(t, c.Close())
			for i, p := range s.requests("initialize") {
				if p.Header.Get("Mcp-Session-Id") != "" || p.Header.Get("Mcp-Protocol-Version") != "" {
					t.Errorf("initialize %d has %v", i, p.Header)
				}
			}
			calls := s.requests("tools/call")
			if len(calls) != 3 || calls[1].Header.Get("Mcp-Session-Id") != "session-1" || calls[2].Header.Get("Mcp-Session-Id") != "session-2" {
				t.Errorf("%d calls", len(calls))
			}
			var deleted []string // the session that ended and the last session, in any order
			for _, p := range s.requests(http.MethodDelete) {
				deleted = append(deleted, p.Header.Get("Mcp-Session-Id"))
			}
			if slices.Sort(deleted); !slices.Equal(deleted, []string{"session-1", "session-2"}) {
				t.Errorf("the sessions %q were deleted", deleted)
			}
			for _, p := range s.requests("") {
				want := revision
				if revision == "2025-03-26" || p.Method == "initialize" {
					want = ""
				}
				if got := p.Header.Get("Mcp-Protocol-Version"); got != want {
					t.Errorf("%s %s has the revision %q", p.Request.Method, p.Method, got)
				}
				if accept := p.Header.Get("Accept"); p.Request.Method == http.MethodPost && accept != "application/json, text/event-stream" ||
					p.Request.Method == http.MethodGet && accept != "text/event-stream" {
					t.Errorf("%s accepts %q", p.Request.Method, accept)
				}
			}
		})
	}
}

func TestABrokenStreamIsResumed(t *testing.T) {
	proves(t, "http.resume.client-get", "http.sse.poll.reconnect", "http.sse.poll.retry-respected", "http.post.client-handles-both")
	for _, revision := range []string{"2025-03-26", "2025-06-18", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			var call *posted
			var broken, back time.Time
			s := scripted(t, func(w http.ResponseWriter, p *posted) {
				switch {
				case p.session(w, revision, "one"):
				case p.Method == "tools/call":
					call = p
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprintf(w, ": comment\r\nid: 7\nretry: 60\ndata:\n\ndata: {\"jsonrpc\":\"2.0\",\ndata: \"method\":\"notifications/x\"}\n\nid: 8\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":%s,\"progress\":1}}\n\ndata: {\"json", p.ID)
					broken = time.Now()
				default:
					back = time.Now()
					if p.Header.Get("Last-Event-ID") != "8" || p.Header.Get("Mcp-Session-Id") != "one" {
						t.Errorf("resumed with %v", p.Header)
					}
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprintf(w, "id: 9\ndata: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n", call.ID)
				}
			})
			c := s.dialed(t, revision, &mcp.HTTPTransport{})
			reports := 0
			if _, err := c.CallTool(t.Context(), "x", nil, &mcp.CallOptions{Progress: func(mcp.Progress) { reports++ }}); err != nil || reports != 1 {
				t.Errorf("%d reports, %v", reports, err)
			}
			if waited := back.Sub(broken); waited < 60*time.Millisecond {
				t.Errorf("the stream was resumed after %v", waited)
			}
		})
	}
}

func TestALostStreamOfTheNewestRevisionIsAskedForAgain(t *testing.T) {
	proves(t, "http.sse.lost-request-reissue", "http.sse.comment-ignored", "http.version-header.every-post", "http.version-header.equals-meta", "http.header.mcp-method",
		"http.header.mcp-name", "http.header.mcp-name.encode", "http.post.metadata-headers", "http.post.body.modern", "meta.request.protocol-version",
		"meta.request.client-capabilities", "meta.request.client-info", "http.post.accept", "http.post.one-per-message", "http.post.client-handles-both")
	calls := 0
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		switch p.Method {
		case "server/discover":
			p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"resources":{}},"ttlMs":0,"cacheScope":"public"}`)
		case "tools/call":
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, ": keep-alive\n\n")
			if calls++; calls > 2 {
				fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"resultType\":\"complete\",\"content\":[]}}\n\n", p.ID)
			}
		default:
			p.reply(w, `{"resultType":"complete","contents":[],"ttlMs":0,"cacheScope":"public"}`)
		}
	})
	c := s.dialed(t, "2026-07-28", &mcp.HTTPTransport{})
	if _, err := c.CallTool(t.Context(), "x", nil, nil); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range s.requests("tools/call") {
		if seen[string(p.ID)] {
			t.Errorf("the id %s is sent again", p.ID)
		}
		seen[string(p.ID)] = true
	}
	if len(seen) != 3 {
		t.Errorf("%d requests", len(seen))
	}
	for uri, want := range map[string]string{"x:plain": "x:plain", "x:é": "=?base64?eDrDqQ==?=", "=?base64?eA==?=": "=?base64?PT9iYXNlNjQ/ZUE9PT89?="} {
		if _, err := c.ReadResource(t.Context(), uri, nil); err != nil {
			t.Fatal(err)
		}
		reads := s.requests("resources/read")
		if got := reads[len(reads)-1].Header.Get("Mcp-Name"); got != want {
			t.Errorf("%q is %q in the header", uri, got)
		}
	}
	for _, p := range s.seen {
		if p.Header.Get("Accept") != "application/json, text/event-stream" || p.Header.Get("Mcp-Protocol-Version") != "2026-07-28" || p.Header.Get("Mcp-Method") != p.Method || !strings.Contains(p.body, `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`) ||
			!strings.Contains(p.body, `"io.modelcontextprotocol/clientCapabilities":{}`) || !strings.Contains(p.body, `"io.modelcontextprotocol/clientInfo":{"name":`) {
			t.Errorf("%s has %v %s", p.Method, p.Header, p.body)
		}
	}
}

func TestArgumentsAreRepeatedInHeadersAsTheToolSays(t *testing.T) {
	proves(t, "http.param.client-support", "http.param.extraction", "http.param.reject-invalid-tool", "http.param.present-include", "http.param.null-or-absent-omit",
		"http.param.encode", "http.param.encode-base64", "http.param.encode-sentinel-clash", "http.param.all-steps", "http.param.latest-schema",
		"http.param.refresh-on-mismatch", "http.param.integer-range")
	const property = `"type":"object","properties":{"a":{"type":"string","x-mcp-header":"A"},"n":{"type":"integer","x-mcp-header":"N"},"deep":{"type":"object","properties":{"b":{"type":"boolean","x-mcp-header":"B"}}}}`
	mismatch := true
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		switch p.Method {
		case "server/discover":
			p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}`)
		case "tools/list":
			p.reply(w, `{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[{"name":"bad","inputSchema":{"type":"object","properties":{"x":{"type":"number","x-mcp-header":"X"}}}},{"name":"good","inputSchema":{`+property+`}}]}`)
		default:
			if mismatch {
				mismatch = false
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"mismatch"}}`, p.ID)
				return
			}
			p.reply(w, `{"resultType":"complete","content":[]}`)
		}
	})
	c := s.dialed(t, "2026-07-28", &mcp.HTTPTransport{})
	if _, err := c.CallTool(t.Context(), "good", map[string]any{"a": "first"}, nil); err != nil { // the client does not know the tool yet
		t.Fatal(err)
	}
	for tool, err := range c.Tools(t.Context()) {
		if err != nil || tool.Name != "good" {
			t.Errorf("%+v, %v", tool, err)
		}
	}
	for _, args := range []string{`{"a":"plain text","n":-3,"deep":{"b":true}}`, `{"a":" é","n":null}`, `{"a":"=?base64?x?="}`, `{"a":""}`, `{"deep":{"b":null}}`, `{"deep":null}`, `{"deep":{}}`, `{"deep":{"B":true},"A":"x"}`, `{"deep":{"b":false},"n":0}`, `{"a":{"a":"x"},"n":[1]}`} {
		if _, err := c.CallTool(t.Context(), "good", json.RawMessage(args), nil); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.CallTool(t.Context(), "good", json.RawMessage(`{"n":9007199254740992}`), nil); err == nil || !strings.Contains(err.Error(), "2^53") {
		t.Errorf("an integer out of range: %v", err)
	}
	var got []string
	for _, p := range s.requests("tools/call") {
		got = append(got, fmt.Sprintf("%q %q %q", p.Header["Mcp-Param-A"], p.Header["Mcp-Param-N"], p.Header["Mcp-Param-B"]))
	}
	want := []string{`[] [] []`, `["first"] [] []`, `["plain text"] ["-3"] ["true"]`, `["=?base64?IMOp?="] [] []`, `["=?base64?PT9iYXNlNjQ/eD89?="] [] []`, `[""] [] []`,
		`[] [] []`, `[] [] []`, `[] [] []`, `[] [] []`, `[] ["0"] ["false"]`, `[] [] []`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("headers:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestTheEraIsReadFromTheRefusal(t *testing.T) {
	proves(t, "http.era.fallback-initialize", "http.era.inspect-400", "http.fallback.modern", "http.fallback.400-404-405", "versioning.fallback.on-anything-else",
		"versioning.fallback.not-on-modern-error")
	refusals := map[string]func(w http.ResponseWriter, p *posted){
		"an empty 400": func(w http.ResponseWriter, _ *posted) { w.WriteHeader(http.StatusBadRequest) },
		"a page":       func(w http.ResponseWriter, _ *posted) { http.Error(w, "<html>", http.StatusBadRequest) },
		"a JSON-RPC error": func(w http.ResponseWriter, _ *posted) {
			http.Error(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}}`, http.StatusBadRequest)
		},
		"another JSON": func(w http.ResponseWriter, _ *posted) { http.Error(w, `{"error":"no session"}`, http.StatusBadRequest) },
		"null":         func(w http.ResponseWriter, _ *posted) { http.Error(w, `null`, http.StatusBadRequest) },
		"a list":       func(w http.ResponseWriter, _ *posted) { http.Error(w, `[]`, http.StatusBadRequest) },
		"a text": func(w http.ResponseWriter, _ *posted) {
			http.Error(w, "Bad Request: no session", http.StatusBadRequest)
		},
		"an empty result": func(w http.ResponseWriter, p *posted) { p.reply(w, `{}`) },
		"a result without capabilities": func(w http.ResponseWriter, p *posted) {
			p.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"]}`)
		},
		"versions that are a text": func(w http.ResponseWriter, p *posted) {
			p.reply(w, `{"resultType":"complete","supportedVersions":"2026-07-28","capabilities":{}}`)
		},
		"an error without an id 200": func(w http.ResponseWriter, _ *posted) {
			fmt.Fprint(w, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no session"}}`)
		},
		"a result that is a text":         func(w http.ResponseWriter, p *posted) { p.reply(w, `"what?"`) },
		"a result that is null":           func(w http.ResponseWriter, p *posted) { p.reply(w, `null`) },
		"the response to another request": func(w http.ResponseWriter, _ *posted) { fmt.Fprint(w, `{"jsonrpc":"2.0","id":99,"result":{}}`) },
		"a method not found 200": func(w http.ResponseWriter, p *posted) {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"x"}}`, p.ID)
		},
	}
	for _, status := range []int{202, 204, 304, 400, 402, 403, 404, 405, 406, 408, 409, 410, 411, 413, 415, 418, 421, 422, 426, 451, 500, 501, 502, 504, 505, 599} {
		refusals[fmt.Sprint("status ", status)] = func(w http.ResponseWriter, _ *posted) { w.WriteHeader(status) }
	}
	for _, status := range []int{200, 400, 403, 404, 405, 500} {
		for _, failure := range []string{`"what?"`, `null`, `{"code":"x","message":"x"}`, `{"code":-32601,"message":"x"}`, `{"code":-32600,"message":"x","data":{"supported":[]}}`, `{"code":-32000,"message":"x","data":"y"}`, `{"code":0,"message":""}`} {
			refusals[fmt.Sprintf("status %d with %s", status, failure)] = func(w http.ResponseWriter, p *posted) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":%s}`, p.ID, failure)
			}
		}
	}
	for name, refuse := range refusals {
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			if p.Method == "server/discover" {
				refuse(w, p)
			} else if !p.session(w, "2025-11-25", "one") {
				t.Errorf("unexpected %s", p.body)
			}
		})
		transport := &mcp.HTTPTransport{URL: s.URL}
		for range 2 { // a later connection starts with initialize
			c, err := mcp.Connect(t.Context(), transport, nil)
			if err != nil || c.Server().Revision != "2025-11-25" {
				t.Errorf("%s: %v", name, err)
				break
			}
			must(t, c.Close())
		}
		ran(t, "2025-11-25", "http")
		if n := len(s.requests("server/discover")); n != 1 {
			t.Errorf("%s: %d requests for server/discover", name, n)
		}
	}
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		http.Error(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32021,"message":"capability"}}`, p.ID), http.StatusBadRequest)
	})
	if _, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL}, nil); err == nil || len(s.requests("initialize")) > 0 {
		t.Errorf("a refusal of the newest revision: %v", err)
	}
	ran(t, "2026-07-28", "http")
	// This server supports only HTTP with SSE.
	web := httptest.NewServer(echoServer(t, nil).SSEHandler(nil))
	defer web.Close()
	c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: web.URL + "/sse"}, nil)
	if err != nil || c.Server().Revision != "2024-11-05" && c.Server().Revision != "2025-11-25" {
		t.Fatal(err)
	}
	if text, err := mcp.CallTool[string](t.Context(), c, "echo", echoInput{"hi"}, nil); err != nil || text != "hi" {
		t.Errorf("%q, %v", text, err)
	}
	must(t, c.Close())
}

// challenged is an Authorizer that gets a token after a challenge.
type challenged struct {
	mu     sync.Mutex
	tokens int
	fail   error
}

func (a *challenged) Authorize(_ context.Context, req *http.Request) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tokens > 0 {
		req.Header.Set("Authorization", fmt.Sprintf("Bearer %d", a.tokens))
	}
	return nil
}

func (a *challenged) Challenged(_ context.Context, resp *http.Response) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if body, _ := io.ReadAll(resp.Body); string(body) != "who?" || resp.Header.Get("Www-Authenticate") != "Bearer" {
		return errors.New("unexpected challenge " + string(body))
	}
	a.tokens++
	return a.fail
}

func TestAnAuthorizerAnswersChallenges(t *testing.T) {
	handler := echoServer(t, nil).HTTPHandler(nil)
	newWeb := func(token string) *httptest.Server {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.Header.Get("Authorization") != token {
				w.Header().Set("WWW-Authenticate", "Bearer")
				w.WriteHeader(http.StatusUnauthorized)
				io.WriteString(w, "who?")
				return
			}
			handler.ServeHTTP(w, req)
		}))
		t.Cleanup(web.Close)
		return web
	}
	c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: newWeb("Bearer 2").URL, Authorizer: new(challenged)}, nil)
	must(t, err)
	must(t, c.Close())
	var refused *mcp.HTTPError
	never := new(challenged)
	if _, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: newWeb("never").URL, Authorizer: never}, nil); !errors.As(err, &refused) || refused.StatusCode != http.StatusUnauthorized || never.tokens != 3 {
		t.Errorf("after %d tokens: %v", never.tokens, err)
	}
	stop := errors.New("the user has closed the browser")
	if _, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: newWeb("never").URL, Authorizer: &challenged{fail: stop}}, nil); !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
}

func TestRedirectsToAnotherOriginAreNotFollowed(t *testing.T) {
	reached := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer other.Close()
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		http.Redirect(w, p.Request, other.URL, http.StatusTemporaryRedirect)
	})
	if _, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL, Header: http.Header{"X-Api-Key": {"secret"}}}, nil); err == nil || !strings.Contains(err.Error(), "another origin") || reached {
		t.Errorf("reached %v: %v", reached, err)
	}
}

func TestTheEndpointOfSSEIsOfTheServersOwnOrigin(t *testing.T) {
	proves(t, "sse.post-to-endpoint")
	s := scripted(t, func(w http.ResponseWriter, p *posted) {
		if p.Request.Method == http.MethodGet {
			w.Header().Set("Content-Type", "text/event-stream")
			io.WriteString(w, "event: endpoint\ndata: https://elsewhere.example.com/post\n\n")
			return
		}
		w.WriteHeader(http.StatusMethodNotAllowed)
	})
	ran(t, "2024-11-05", "sse")
	_, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL}, nil)
	if err == nil || len(s.requests(http.MethodGet)) != 1 {
		t.Errorf("%v", err)
	}
}

func TestAnswersWithoutBoundAreCutOff(t *testing.T) {
	for _, kind := range []string{"application/json", "text/event-stream"} {
		s := scripted(t, func(w http.ResponseWriter, p *posted) {
			if p.session(w, "2025-11-25", "one") {
				return
			}
			w.Header().Set("Content-Type", kind)
			io.WriteString(w, "data: ")
			for range 1000 {
				if _, err := io.WriteString(w, strings.Repeat("x", 10_000)); err != nil {
					return
				}
			}
		})
		c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.URL}, &mcp.ClientOptions{Revisions: []string{"2025-11-25"}, Limits: mcp.ClientLimits{MaxMessageBytes: 100_000}})
		must(t, err)
		if _, err := c.CallTool(t.Context(), "x", nil, nil); err == nil || !strings.Contains(err.Error(), "larger than") {
			t.Errorf("%s: %v", kind, err)
		}
		must(t, c.Close())
	}
}
