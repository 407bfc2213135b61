package auth_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// served returns a server with two tools behind a guard.
func served(t *testing.T, i *issuer, change func(*auth.GuardOptions)) string {
	t.Helper()
	g := guarded(t, i, func(o *auth.GuardOptions) {
		o.ToolScopes = map[string][]string{"erase": {"reports:write"}, "move": {"reports:read", "reports:write", "mcp"}}
		o.Implies = func(granted, needed string) bool {
			return granted == "all" || granted == "reports" && strings.HasPrefix(needed, "reports:")
		}
		if change != nil {
			change(o)
		}
	})
	s := mcp.NewServer(mcp.Implementation{Name: "reports", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{g.Middleware}})
	for _, name := range []string{"read", "erase", "move"} {
		err := mcp.AddTool(s, mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return name + " by " + strings.TrimPrefix(r.Principal(), i.URL+" ") + " through " + auth.TokenFrom(ctx).ClientID, nil
		})
		must(t, err)
	}
	mux, handler := http.NewServeMux(), s.HTTPHandler(nil)
	g.Mount(mux, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range r.Header {
			if text := strings.Join(values, " "); strings.Contains(text, "Bearer") || strings.Contains(text, "eyJ") { // the prefix of every JWT
				t.Errorf("the token is passed on in %s", name)
			}
		}
		handler.ServeHTTP(w, r)
	}))
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	return web.URL + "/mcp"
}

// post sends a message with a token, or without one if token is "-". It returns the response and
// its body.
func post(t *testing.T, url, token, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	return request(t, http.MethodPost, url, token, body, headers...)
}

// request does the same as post with another HTTP method.
func request(t *testing.T, method, url, token, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	must(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if token != "-" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for j := 0; j < len(headers); j += 2 {
		req.Header.Set(headers[j], headers[j+1])
	}
	res, err := http.DefaultClient.Do(req)
	must(t, err)
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	must(t, err)
	return res, string(text)
}

// message returns a message in the format of a revision. Its params lack the closing brace.
func message(revision, id, method, params string) string {
	if revision == "2026-07-28" {
		params = strings.Replace(params+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`, "{,", "{", 1)
	}
	if id != "" {
		id = `"id":` + id + `,`
	}
	return `{"jsonrpc":"2.0",` + id + `"method":"` + method + `","params":` + params + `}}`
}

// visitor sends requests of one revision, within a session if the revision has sessions.
type visitor struct {
	t             *testing.T
	url, revision string
	session       string
}

// visit opens a session with a token, if the revision has sessions.
func visit(t *testing.T, url, revision, token string) *visitor {
	t.Helper()
	v := &visitor{t: t, url: url, revision: revision}
	if revision != "2026-07-28" {
		res, body := v.send(token, http.MethodPost, opening(revision))
		if v.session = res.Header.Get("Mcp-Session-Id"); v.session == "" {
			t.Fatalf("no session: %s %s", res.Status, body)
		}
	}
	return v
}

func opening(revision string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + revision + `","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`
}

// send sends a message. If body is empty, it sends an HTTP request without one.
func (v *visitor) send(token, method, body string) (*http.Response, string) {
	v.t.Helper()
	headers := []string{"Mcp-Protocol-Version", v.revision}
	if v.session != "" {
		headers = append(headers, "Mcp-Session-Id", v.session)
	}
	var m struct {
		Method string
		Params struct{ Name string }
	}
	if v.revision == "2026-07-28" && json.Unmarshal([]byte(body), &m) == nil {
		if headers = append(headers, "Mcp-Method", m.Method); m.Params.Name != "" {
			headers = append(headers, "Mcp-Name", m.Params.Name)
		}
	}
	return request(v.t, method, v.url, token, body, headers...)
}

func (v *visitor) call(token, tool string) (*http.Response, string) {
	v.t.Helper()
	return v.send(token, http.MethodPost, message(v.revision, "2", "tools/call", `{"name":"`+tool+`","arguments":{}`))
}

// insufficient returns a guard's challenge for a token with too few scopes.
func insufficient(description, scopes string) string {
	return `Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", error_description="` + description + `", scope="` + scopes + `"`
}

func TestScopesOfTools(t *testing.T) {
	proves(t, "auth.status.403", "auth.token.error-response", "auth.scope.hierarchy", "auth.scope.403", "auth.scope.403-scopes", "auth.scope.single-challenge", "auth.scope.consistent")
	i := newIssuer(t)
	url := served(t, i, nil)
	few := i.issue(nil)
	const ofTool, ofAll = "The access token lacks a scope that this tool needs", "The access token lacks a scope"
	everyRevision(t, func(t *testing.T, revision string) {
		v := visit(t, url, revision, few)
		if res, body := v.call(few, "read"); res.StatusCode != http.StatusOK || !strings.Contains(body, "read by ada through agent") {
			t.Errorf("%s %s", res.Status, body)
		}
		// The challenge contains all scopes of the tool, including those that the token has.
		for _, tt := range []struct{ scope, tool, challenge string }{
			{"mcp reports:read", "erase", insufficient(ofTool, "mcp reports:write")},
			{"mcp", "erase", insufficient(ofTool, "mcp reports:write")},
			{"mcp Reports:write", "erase", insufficient(ofTool, "mcp reports:write")},
			{"mcp reports:writer", "erase", insufficient(ofTool, "mcp reports:write")},
			{"mcp", "move", insufficient(ofTool, "mcp reports:read reports:write")},
			{"mcp reports:read", "move", insufficient(ofTool, "mcp reports:read reports:write")},
			{"mcp reports:write", "move", insufficient(ofTool, "mcp reports:read reports:write")},
			{"reports", "read", insufficient(ofAll, "mcp")},
			{"reports:write", "erase", insufficient(ofAll, "mcp")},
		} {
			for range 2 {
				res, body := v.call(i.issue(map[string]any{"scope": tt.scope}), tt.tool)
				if got := res.Header.Values("WWW-Authenticate"); res.StatusCode != http.StatusForbidden || len(got) != 1 || got[0] != tt.challenge || !strings.Contains(body, `"error"`) || strings.Contains(body, " by ada") {
					t.Errorf("%s with %s: %s %q %s, want %q", tt.tool, tt.scope, res.Status, got, body, tt.challenge)
				}
			}
		}
		for _, tt := range [][2]string{
			{"mcp reports:write", "erase"}, {"mcp reports", "erase"}, {"reports mcp", "erase"}, {"other reports mcp", "move"}, {"other all", "read"}, {"mcp reports", "move"}, {"mcp reports:read reports:write", "move"}, {"all", "read"}, {"all", "erase"}, {"all", "move"},
		} {
			if res, body := v.call(i.issue(map[string]any{"scope": tt[0]}), tt[1]); res.StatusCode != http.StatusOK || !strings.Contains(body, tt[1]+" by ada") || res.Header.Get("WWW-Authenticate") != "" {
				t.Errorf("%s with %s: %s %s", tt[1], tt[0], res.Status, body)
			}
		}
		// In a batch, only the response to this call is an error, at any position.
		for _, tools := range [][]string{{"read", "erase", "read"}, {"erase", "read"}, {"read", "erase"}, {"erase"}} {
			var parts, want []string
			for n, tool := range tools {
				parts = append(parts, message(revision, fmt.Sprint(n+5), "tools/call", `{"name":"`+tool+`","arguments":{}`))
				if tool == "read" {
					want = append(want, "read by ada")
				}
			}
			res, body := v.send(few, http.MethodPost, "["+strings.Join(parts, ",")+"]")
			if revision == "2025-03-26" && (res.StatusCode != http.StatusOK || strings.Count(body, "read by ada") != len(want) || strings.Count(body, `"error"`) != 1 || strings.Contains(body, "erase by") || res.Header.Get("WWW-Authenticate") != "") {
				t.Errorf("a batch of %s: %s %v %s", tools, res.Status, res.Header, body)
			} else if revision != "2025-03-26" && strings.Contains(body, " by ") {
				t.Errorf("a batch is served: %s %s", res.Status, body)
			}
		}
		for _, method := range []string{http.MethodGet, http.MethodDelete} {
			if res, _ := v.send(i.issue(map[string]any{"scope": "reports"}), method, ""); res.StatusCode != http.StatusForbidden || res.Header.Get("WWW-Authenticate") != insufficient(ofAll, "mcp") {
				t.Errorf("%s: %s %v", method, res.Status, res.Header)
			}
		}
	})
}

func TestEachRequestIsAuthenticated(t *testing.T) {
	proves(t, "sec.session.verify-inbound", "auth.status.401", "auth.status.400", "auth.token.invalid-401", "auth.token.validate", "auth.token.oauth-s5", "auth.token.error-response",
		"auth.audience.validate", "auth.audience.reject", "auth.token.server-own-resources", "auth.token.no-transit", "auth.stateless-not-bypassed",
		"auth.prm.header-2025-06", "auth.prm.one-mechanism", "auth.scope.in-challenge", "auth.token.no-passthrough", "sec.token.not-own")
	i, other := newIssuer(t), newIssuer(t)
	url := served(t, i, nil)
	const needs = `Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", `
	const invalid = needs + `error="invalid_token", error_description="The access token is invalid, has expired, or is not meant for this server", scope="mcp"`
	everyRevision(t, func(t *testing.T, revision string) {
		valid := i.issue(nil)
		v := visit(t, url, revision, valid)
		requests := map[string][2]string{
			"GET": {http.MethodGet}, "DELETE": {http.MethodDelete}, "no message": {http.MethodPost}, "no JSON": {http.MethodPost, "{"},
			"initialize": {http.MethodPost, opening(revision)}, "notification": {http.MethodPost, message(revision, "", "notifications/cancelled", `{"requestId":1`)},
			"batch": {http.MethodPost, "[" + message(revision, "1", "ping", "{") + "]"}, "response": {http.MethodPost, `{"jsonrpc":"2.0","id":1,"result":{}}`},
		}
		for _, method := range []string{"ping", "server/discover", "tools/list", "subscriptions/listen", "logging/setLevel", "tasks/get", "example/unknown"} {
			requests[method] = [2]string{http.MethodPost, message(revision, "3", method, "{")}
		}
		for _, tool := range []string{"read", "erase", "unknown"} {
			requests["tools/call "+tool] = [2]string{http.MethodPost, message(revision, "4", "tools/call", `{"name":"`+tool+`","arguments":{}`)}
		}
		for name, token := range map[string]string{
			"no token":           "-",
			"garbage":            "garbage",
			"an expired one":     i.issue(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}),
			"for another server": i.issue(map[string]any{"aud": "https://mcp.example.com/else"}),
			"without audience":   i.issue(map[string]any{"aud": nil}),
			"of another issuer":  other.issue(nil),
		} {
			challenge, code := invalid, "invalid_token"
			if name == "no token" {
				challenge, code = needs+`scope="mcp"`, "unauthorized"
			}
			for what, r := range requests {
				res, body := v.send(token, r[0], r[1])
				if got := res.Header.Values("WWW-Authenticate"); res.StatusCode != http.StatusUnauthorized || len(got) != 1 || got[0] != challenge ||
					!strings.HasPrefix(body, `{"error":"`+code+`"`) || res.Header.Get("Content-Type") != "application/json" || res.Header.Get("Cache-Control") != "no-store" {
					t.Errorf("%s, %s: %s %v %s", name, what, res.Status, res.Header, body)
				}
			}
		}
		for what, r := range requests {
			const malformed = needs + `error="invalid_request", error_description="the Authorization header has no well-formed token"`
			if res, body := v.send("a b", r[0], r[1]); res.StatusCode != http.StatusBadRequest || !strings.HasPrefix(body, `{"error":"invalid_request"`) || res.Header.Get("WWW-Authenticate") != malformed {
				t.Errorf("a malformed header, %s: %s %v %s", what, res.Status, res.Header, body)
			}
		}
		for what, r := range requests {
			for _, second := range []string{"Bearer " + valid, "Bearer x", "Basic eA==", ""} {
				req, err := http.NewRequestWithContext(t.Context(), r[0], url, strings.NewReader(r[1]))
				must(t, err)
				req.Header = http.Header{"Authorization": {"Bearer " + valid, second}, "Content-Type": {"application/json"}}
				res, err := http.DefaultClient.Do(req)
				must(t, err)
				res.Body.Close()
				if got := res.Header.Get("WWW-Authenticate"); res.StatusCode != http.StatusBadRequest || !strings.Contains(got, `error="invalid_request"`) {
					t.Errorf("two headers, %s: %s %v", what, res.Status, res.Header)
				}
			}
		}
		// A token in any other place is ignored, and other headers do not bypass the guard.
		elsewhere := &visitor{t, url + "?access_token=" + valid, revision, v.session}
		if res, body := elsewhere.call("-", "read"); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("a token in the query: %s %s", res.Status, body)
		}
		for name, value := range map[string]string{
			"X-Authorization": "Bearer " + valid, "Proxy-Authorization": "Bearer " + valid, "Cookie": "access_token=" + valid, "X-Access-Token": valid, "X-Forwarded-Access-Token": valid,
			"Access-Control-Request-Method": "POST", "X-Http-Method-Override": "OPTIONS", "X-Forwarded-For": "127.0.0.1", "X-Forwarded-User": "ada", "X-Original-Url": "/.well-known/oauth-protected-resource",
			"Mcp-Method": "server/discover", "Mcp-Session-Id": v.session, "Origin": "https://mcp.example.com",
		} {
			for what, r := range requests {
				if res, body := request(t, r[0], url, "-", r[1], name, value, "Mcp-Protocol-Version", revision); res.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(body, `{"error":"unauthorized"`) {
					t.Errorf("%s: %s, %s: %s %s", name, value, what, res.Status, body)
				}
			}
		}
		if res, body := request(t, http.MethodPost, url, "-", "access_token="+valid, "Content-Type", "application/x-www-form-urlencoded"); res.StatusCode != http.StatusUnauthorized {
			t.Errorf("a token in a form: %s %s", res.Status, body)
		}
		if res, body := v.call(valid, "read"); res.StatusCode != http.StatusOK || !strings.Contains(body, "read by ada") {
			t.Errorf("%s %s", res.Status, body)
		}
		eve := i.issue(map[string]any{"sub": "eve"})
		switch res, body := v.call(eve, "read"); {
		case revision == "2026-07-28" && (res.StatusCode != http.StatusOK || !strings.Contains(body, "read by eve")):
			t.Errorf("another user: %s %s", res.Status, body)
		case revision != "2026-07-28" && res.StatusCode != http.StatusNotFound:
			t.Errorf("another user in the session: %s %s", res.Status, body)
		}
	})
}

// TestATokenThatWasGoodIsVerifiedAgain checks that a token is verified for each request.
func TestATokenThatWasGoodIsVerifiedAgain(t *testing.T) {
	proves(t, "sec.session.verify-inbound", "auth.token.validate", "auth.token.invalid-401")
	for name, refusal := range map[string]func(*auth.Token) (*auth.Token, error){
		"revoked": func(*auth.Token) (*auth.Token, error) { return nil, auth.ErrInvalidToken },
		"expired": func(token *auth.Token) (*auth.Token, error) {
			token.Expiry = time.Now().Add(-time.Minute)
			return token, nil
		},
		"meant for another": func(token *auth.Token) (*auth.Token, error) {
			token.Audience = []string{"https://mcp.example.com/else"}
			return token, nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := newIssuer(t)
			var bad atomic.Bool
			url := served(t, i, func(o *auth.GuardOptions) {
				keys := o.Verifier
				o.Verifier = auth.VerifierFunc(func(ctx context.Context, text string) (*auth.Token, error) {
					token, err := keys.Verify(ctx, text)
					if err == nil && bad.Load() {
						return refusal(token)
					}
					return token, err
				})
			})
			everyRevision(t, func(t *testing.T, revision string) {
				bad.Store(false)
				token := i.issue(nil)
				v := visit(t, url, revision, token)
				for range 3 {
					for range 2 {
						if res, body := v.call(token, "read"); res.StatusCode != http.StatusOK || !strings.Contains(body, "read by ada") {
							t.Errorf("a good token: %s %s", res.Status, body)
						}
					}
					bad.Store(true)
					for what, r := range map[string][2]string{
						"a call": {http.MethodPost, message(revision, "2", "tools/call", `{"name":"read","arguments":{}`)}, "a notification": {http.MethodPost, message(revision, "", "notifications/cancelled", `{"requestId":1`)},
						"a stream": {http.MethodGet}, "the end": {http.MethodDelete},
					} {
						headers := []string{"Mcp-Protocol-Version", revision, "Mcp-Session-Id", v.session, "Mcp-Method", "tools/call", "Mcp-Name", "read"}
						if r[0] == http.MethodGet {
							headers = append(headers, "Accept", "application/json") // the server then sends no event stream
						}
						if res, body := request(t, r[0], url, token, r[1], headers...); res.StatusCode != http.StatusUnauthorized || strings.Contains(body, "read by") {
							t.Errorf("%s: %s %s", what, res.Status, body)
						}
					}
					bad.Store(false)
				}
			})
		})
	}
}

func TestAToolWithScopesIsRefusedWithoutAGuard(t *testing.T) {
	proves(t, "auth.stateless-not-bypassed")
	anyRevision(t)
	g := guarded(t, newIssuer(t), func(o *auth.GuardOptions) { o.ToolScopes = map[string][]string{"erase": {"w"}} })
	s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{g.Middleware}})
	must(t, mcp.AddTool(s, mcp.Tool{Name: "erase"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "erased", nil }))
	web := httptest.NewServer(s.HTTPHandler(nil))
	defer web.Close()
	if res, body := visit(t, web.URL, "2026-07-28", "").call("", "erase"); strings.Contains(body, "erased") {
		t.Errorf("%s %s", res.Status, body)
	}
}

func TestAResponseEndsWithItsToken(t *testing.T) {
	proves(t, "auth.token.validate", "auth.token.invalid-401")
	anyRevision(t)
	for _, name := range []string{"expired", "revoked"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var revoked atomic.Bool
				g, err := auth.NewGuard(auth.GuardOptions{
					Resource: resource, AuthorizationServers: []string{"https://a.example"}, Logger: slog.New(slog.DiscardHandler),
					Verifier: auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) {
						if revoked.Load() {
							return nil, auth.ErrInvalidToken
						}
						return &auth.Token{Issuer: "https://a.example", Subject: "ada", Audience: []string{resource}, Expiry: begin.Add(10 * time.Minute)}, nil
					}),
				})
				must(t, err)
				if name == "revoked" {
					time.AfterFunc(150*time.Second, func() { revoked.Store(true) })
				}
				res := ask(g.Protect(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })), "Bearer x")
				want := map[string]time.Duration{"expired": 10*time.Minute + 30*time.Second, "revoked": 3 * time.Minute}[name]
				if took := time.Since(begin); res.StatusCode != http.StatusOK || took != want {
					t.Errorf("%s after %s, want %s", res.Status, took, want)
				}
			})
		})
	}
}

func TestAnOpenStreamEndsWhenItsTokenIsRevoked(t *testing.T) {
	proves(t, "auth.token.validate", "auth.token.invalid-401")
	anyRevision(t)
	i := newIssuer(t)
	var revoked atomic.Bool
	keys, err := auth.NewJWT(i.URL, nil)
	must(t, err)
	url := served(t, i, func(o *auth.GuardOptions) {
		o.Recheck = time.Millisecond
		o.Verifier = auth.VerifierFunc(func(ctx context.Context, token string) (*auth.Token, error) {
			if revoked.Load() {
				return nil, auth.ErrInvalidToken
			}
			return keys.Verify(ctx, token)
		})
	})
	token := i.issue(nil)
	res, _ := post(t, url, token, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	req, err := http.NewRequest(http.MethodGet, url, nil)
	must(t, err)
	for k, v := range map[string]string{"Accept": "text/event-stream", "Authorization": "Bearer " + token, "Mcp-Session-Id": res.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version": "2025-11-25"} {
		req.Header.Set(k, v)
	}
	stream, err := http.DefaultClient.Do(req)
	must(t, err)
	defer stream.Body.Close()
	if stream.StatusCode != http.StatusOK {
		t.Fatal(stream.Status)
	}
	revoked.Store(true)
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); {
	}
	if res, _ := post(t, url, token, `{}`); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("after that: %s", res.Status)
	}
}
