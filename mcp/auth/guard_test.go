package auth_test

import (
	"bufio"
	"context"
	"errors"
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

	"github.com/golang-jwt/jwt/v5"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// guarded is a guard for resource that trusts an issuer.
func guarded(t *testing.T, i *issuer, change func(*auth.Options)) *auth.Guard {
	t.Helper()
	v, err := auth.NewJWT(i.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := auth.Options{Resource: resource, AuthorizationServers: []string{i.URL}, Verifier: v, Scopes: []string{"mcp"}, Logger: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	g, err := auth.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// ask sends a request with Authorization headers to a handler.
func ask(h http.Handler, authorization ...string) *http.Response {
	return askBy(http.MethodPost, h, authorization...)
}

func askBy(method string, h http.Handler, authorization ...string) *http.Response {
	r := httptest.NewRequest(method, resource, strings.NewReader("{}"))
	for _, a := range authorization {
		r.Header.Add("Authorization", a)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

var passed = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	fmt.Fprint(w, auth.TokenFrom(r.Context()).Subject, r.Header["Authorization"])
})

func TestRefusals(t *testing.T) {
	proves(t, "auth.status.401", "auth.status.403", "auth.status.400", "auth.token.invalid-401", "auth.token.validate", "auth.audience.validate", "auth.audience.reject")
	i, other := newIssuer(t), newIssuer(t)
	g := guarded(t, i, nil)
	h := g.Protect(passed)
	const needs = `Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`
	invalid := []string{needs, `error="invalid_token"`, `scope="mcp"`}
	ago := time.Now().Add(-time.Hour).Unix()
	for _, tt := range []struct {
		name      string
		headers   []string
		status    int
		challenge []string
	}{
		{"none", nil, 401, []string{needs, `scope="mcp"`}},
		{"another scheme", []string{"Basic YTpi"}, 401, []string{needs}},
		{"two headers", []string{"Bearer a", "Bearer b"}, 400, []string{`error="invalid_request"`}},
		{"no token", []string{"Bearer "}, 400, []string{`error="invalid_request"`}},
		{"bad characters", []string{`Bearer a"b`}, 400, []string{`error="invalid_request"`}},
		{"too long", []string{"Bearer " + strings.Repeat("a", 17<<10)}, 400, []string{`error="invalid_request"`}},
		{"garbage", []string{"Bearer garbage"}, 401, invalid},
		{"expired", []string{"Bearer " + i.issue(map[string]any{"exp": ago})}, 401, invalid},
		{"without end", []string{"Bearer " + i.issue(map[string]any{"exp": nil})}, 401, invalid},
		{"not yet valid", []string{"Bearer " + i.issue(map[string]any{"nbf": time.Now().Add(time.Hour).Unix()})}, 401, invalid},
		{"another audience", []string{"Bearer " + i.issue(map[string]any{"aud": "https://mcp.example.com/other"})}, 401, invalid},
		{"an audience that begins like it", []string{"Bearer " + i.issue(map[string]any{"aud": resource + "x"})}, 401, invalid},
		{"no audience", []string{"Bearer " + i.issue(map[string]any{"aud": nil})}, 401, invalid},
		{"no subject", []string{"Bearer " + i.issue(map[string]any{"sub": nil, "client_id": nil})}, 401, invalid},
		{"another issuer", []string{"Bearer " + other.issue(nil)}, 401, invalid},
		{"the issuer's name on another's token", []string{"Bearer " + other.issue(map[string]any{"iss": i.URL})}, 401, invalid},
		{"another issuer's name", []string{"Bearer " + i.issue(map[string]any{"iss": other.URL})}, 401, invalid},
		{"no signature", []string{"Bearer " + signWith(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "one", i.claims(nil), nil)}, 401, invalid},
		{"a symmetric one", []string{"Bearer " + signWith(jwt.SigningMethodHS256, []byte("secret"), "one", i.claims(nil), nil)}, 401, invalid},
		{"critical extensions", []string{"Bearer " + i.sign(jwt.SigningMethodES256, "one", i.claims(nil), map[string]any{"crit": []string{"x"}})}, 401, invalid},
		{"no access token", []string{"Bearer " + i.sign(jwt.SigningMethodES256, "one", i.claims(nil), map[string]any{"typ": "logout+jwt"})}, 401, invalid},
		{"too few scopes", []string{"Bearer " + i.issue(map[string]any{"scope": "reports:read"})}, 403, []string{needs, `error="insufficient_scope"`, `scope="mcp"`}},
		{"a valid one", []string{"Bearer " + i.issue(nil)}, 200, nil},
		{"the scheme in small letters", []string{"bearer " + i.issue(nil)}, 200, nil},
		{"a type of its own", []string{"Bearer " + i.sign(jwt.SigningMethodES256, "one", i.claims(nil), map[string]any{"typ": "at+jwt"})}, 200, nil},
		{"several audiences", []string{"Bearer " + i.issue(map[string]any{"aud": []string{"x", "HTTPS://MCP.example.com/mcp/"}})}, 200, nil},
		{"scopes as a list", []string{"Bearer " + i.issue(map[string]any{"scope": nil, "scp": []string{"mcp"}})}, 200, nil},
		{"a client's own", []string{"Bearer " + i.issue(map[string]any{"sub": nil})}, 200, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, method := range []string{http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodHead, http.MethodOptions, http.MethodPatch} {
				if res := askBy(method, h, tt.headers...); res.StatusCode != tt.status || (res.Header.Get("WWW-Authenticate") == "") != (tt.challenge == nil) {
					t.Errorf("%s: status %d, want %d: %v", method, res.StatusCode, tt.status, res.Header)
				}
			}
			res := ask(h, tt.headers...)
			body, _ := io.ReadAll(res.Body)
			if res.StatusCode != tt.status {
				t.Errorf("status %d, want %d: %s", res.StatusCode, tt.status, body)
			}
			got := res.Header.Get("WWW-Authenticate")
			for _, want := range tt.challenge {
				if !strings.Contains(got, want) {
					t.Errorf("the challenge %q lacks %q", got, want)
				}
			}
			if tt.status == 200 && (got != "" || !strings.HasSuffix(string(body), "[]")) {
				t.Errorf("the handler got the header: %q, %q", body, got)
			}
			if tt.name == "none" && strings.Contains(got, "error") {
				t.Errorf("%q tells of an error though there was no token", got)
			}
		})
	}
}

// TestATokenIsMeantForThisServerAlone compares audiences that differ from the
// server in one thing.
func TestATokenIsMeantForThisServerAlone(t *testing.T) {
	proves(t, "auth.audience.validate", "auth.audience.reject", "auth.token.server-own-resources", "auth.status.401")
	i := newIssuer(t)
	h := guarded(t, i, nil).Protect(passed)
	for audience, want := range map[string]int{
		resource: 200, resource + "/": 200, "https://MCP.Example.COM/mcp": 200, "HTTPS://mcp.example.com/mcp": 200,
		resource + "/x": 401, resource + "/mcp": 401, resource + "x": 401, resource[:len(resource)-1]: 401, resource + "//": 401, resource + "?x": 401, resource + "?": 401, resource + "#x": 401,
		"https://mcp.example.com": 401, "https://mcp.example.com/": 401, "https://mcp.example.com/MCP": 401, "https://mcp.example.com/a/mcp": 401, "https://mcp.example.com/./mcp": 401,
		"http://mcp.example.com/mcp": 401, "https://mcp.example.com:8443/mcp": 401, "https://example.com/mcp": 401, "https://a.mcp.example.com/mcp": 401, "https://mcp.example.com.evil.example/mcp": 401,
		"https://user@mcp.example.com/mcp": 401, "mcp.example.com/mcp": 401, "//mcp.example.com/mcp": 401, "/mcp": 401, "mcp": 401, "*": 401, "": 401, i.URL: 401, " " + resource: 401, resource + " ": 401,
	} {
		for _, claim := range []any{audience, []string{audience}, []string{"https://other.example", audience}} {
			if res := ask(h, "Bearer "+i.issue(map[string]any{"aud": claim})); res.StatusCode != want {
				t.Errorf("audience %q: %s, want %d", claim, res.Status, want)
			}
		}
	}
}

func TestRefusalsDoNotSayWhyNorNameTheToken(t *testing.T) {
	i := newIssuer(t)
	var log strings.Builder
	g := guarded(t, i, func(o *auth.Options) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	token := i.issue(map[string]any{"aud": "https://elsewhere.example"})
	res := ask(g.Protect(passed), "Bearer "+token)
	body, _ := io.ReadAll(res.Body)
	if all := string(body) + res.Header.Get("WWW-Authenticate"); strings.Contains(all, "elsewhere") || strings.Contains(all, token) {
		t.Errorf("the client reads %s", all)
	}
	if !strings.Contains(log.String(), "elsewhere") || strings.Contains(log.String(), token) {
		t.Errorf("the log reads %s", &log)
	}
}

func TestATokenThatCannotBeVerifiedIsNotCalledInvalid(t *testing.T) {
	i := newIssuer(t)
	token := i.issue(nil)
	i.set(func() { i.down = true })
	res := ask(guarded(t, i, nil).Protect(passed), "Bearer "+token)
	if res.StatusCode != http.StatusServiceUnavailable || res.Header.Get("Retry-After") == "" || res.Header.Get("WWW-Authenticate") != "" {
		t.Errorf("%s %v", res.Status, res.Header)
	}
}

func TestPreflightRequestsPass(t *testing.T) {
	r := httptest.NewRequest(http.MethodOptions, resource, nil)
	r.Header.Set("Access-Control-Request-Method", "POST")
	for _, preflight := range []bool{true, false} {
		if !preflight {
			r.Header.Del("Access-Control-Request-Method")
		}
		w := httptest.NewRecorder()
		guarded(t, newIssuer(t), nil).Protect(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })).ServeHTTP(w, r)
		if want := map[bool]int{true: 204, false: 401}[preflight]; w.Code != want {
			t.Errorf("preflight %t: status %d, want %d", preflight, w.Code, want)
		}
	}
}

func TestOptionsThatAreRefused(t *testing.T) {
	v := auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) { return nil, auth.ErrInvalid })
	right := auth.Options{Resource: resource, AuthorizationServers: []string{"https://a.example"}, Verifier: v}
	for name, change := range map[string]func(*auth.Options){
		"a resource without https":   func(o *auth.Options) { o.Resource = "http://mcp.example.com/mcp" },
		"a relative resource":        func(o *auth.Options) { o.Resource = "/mcp" },
		"a resource with a fragment": func(o *auth.Options) { o.Resource += "#x" },
		"a resource with a query":    func(o *auth.Options) { o.Resource += "?x" },
		"no verifier":                func(o *auth.Options) { o.Verifier = nil },
		"no authorization server":    func(o *auth.Options) { o.AuthorizationServers = nil },
		"an insecure one":            func(o *auth.Options) { o.AuthorizationServers = []string{"http://a.example"} },
		"offline_access":             func(o *auth.Options) { o.Scopes = []string{"offline_access"} },
		"an empty scope":             func(o *auth.Options) { o.Scopes = []string{""} },
		"a scope with a quote":       func(o *auth.Options) { o.ToolScopes = map[string][]string{"x": {`a"`}} },
	} {
		o := right
		change(&o)
		if _, err := auth.New(o); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := auth.New(right); err != nil {
		t.Error(err)
	}
}

// served is a server with two tools behind a guard.
func served(t *testing.T, i *issuer, change func(*auth.Options)) string {
	t.Helper()
	g := guarded(t, i, func(o *auth.Options) {
		o.ToolScopes = map[string][]string{"erase": {"reports:write"}}
		o.Implies = func(granted, needed string) bool {
			return granted == "reports" && strings.HasPrefix(needed, "reports:")
		}
		if change != nil {
			change(o)
		}
	})
	s := mcp.NewServer(mcp.Implementation{Name: "reports", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{g.Middleware}})
	for _, name := range []string{"read", "erase"} {
		err := mcp.AddTool(s, mcp.Tool{Name: name}, func(ctx context.Context, r *mcp.Request, _ struct{}) (string, error) {
			return name + " by " + strings.TrimPrefix(r.Principal(), i.URL+" ") + " through " + auth.TokenFrom(ctx).ClientID, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	mux := http.NewServeMux()
	g.Mount(mux, s.HTTPHandler(nil))
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	return web.URL + "/mcp"
}

// post sends a message with a token, "-" for none, and returns the answer with
// its body.
func post(t *testing.T, url, token, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	if token != "-" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for j := 0; j < len(headers); j += 2 {
		req.Header.Set(headers[j], headers[j+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(text)
}

// calls returns a function that calls a tool in a revision with a token.
func calls(t *testing.T, url, revision, token string) func(token, tool string) (*http.Response, string) {
	if revision == "2026-07-28" {
		return func(token, tool string) (*http.Response, string) {
			return post(t, url, token, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":{},"_meta":{`+
				`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
				"Mcp-Protocol-Version", revision, "Mcp-Method", "tools/call", "Mcp-Name", tool)
		}
	}
	res, body := post(t, url, token, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+revision+`","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	session := res.Header.Get("Mcp-Session-Id")
	if session == "" {
		t.Fatalf("no session: %s %s", res.Status, body)
	}
	return func(token, tool string) (*http.Response, string) {
		return post(t, url, token, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"`+tool+`","arguments":{}}}`,
			"Mcp-Session-Id", session, "Mcp-Protocol-Version", revision)
	}
}

func TestScopesOfTools(t *testing.T) {
	proves(t, "auth.status.403", "auth.scope.hierarchy", "auth.scope.403", "auth.scope.403-scopes", "auth.scope.single-challenge", "auth.scope.consistent")
	i := newIssuer(t)
	url := served(t, i, nil)
	few := i.issue(nil)
	everyRevision(t, func(t *testing.T, revision string) {
		call := calls(t, url, revision, few)
		if res, body := call(few, "read"); res.StatusCode != http.StatusOK || !strings.Contains(body, "read by ada through agent") {
			t.Errorf("%s %s", res.Status, body)
		}
		res, body := call(few, "erase")
		challenge := res.Header.Get("WWW-Authenticate")
		if res.StatusCode != http.StatusForbidden || !strings.Contains(challenge, `error="insufficient_scope"`) || !strings.Contains(challenge, `scope="mcp reports:write"`) ||
			!strings.Contains(challenge, "resource_metadata=") || !strings.Contains(body, `"error"`) {
			t.Errorf("%s %q %s", res.Status, challenge, body)
		}
		for _, scope := range []string{"mcp reports:write", "mcp reports"} {
			if res, body := call(i.issue(map[string]any{"scope": scope}), "erase"); res.StatusCode != http.StatusOK || !strings.Contains(body, "erase by ada") {
				t.Errorf("with %s: %s %s", scope, res.Status, body)
			}
		}
		if res, _ := call(i.issue(map[string]any{"scope": "reports"}), "read"); res.StatusCode != http.StatusForbidden {
			t.Errorf("without a scope that every request needs: %s", res.Status)
		}
	})
}

func TestEachRequestIsAuthenticated(t *testing.T) {
	proves(t, "auth.status.401", "auth.status.400", "auth.token.invalid-401", "auth.token.validate", "auth.token.oauth-s5", "auth.token.error-response",
		"auth.audience.validate", "auth.audience.reject", "auth.token.server-own-resources", "auth.token.no-transit", "auth.stateless-not-bypassed",
		"auth.prm.header-2025-06", "auth.prm.one-mechanism", "auth.scope.in-challenge")
	i, other := newIssuer(t), newIssuer(t)
	url := served(t, i, nil)
	everyRevision(t, func(t *testing.T, revision string) {
		valid := i.issue(nil)
		call := calls(t, url, revision, valid)
		for name, token := range map[string]string{
			"no token":           "-",
			"garbage":            "garbage",
			"an expired one":     i.issue(map[string]any{"exp": time.Now().Add(-time.Minute).Unix()}),
			"for another server": i.issue(map[string]any{"aud": "https://mcp.example.com/else"}),
			"without audience":   i.issue(map[string]any{"aud": nil}),
			"of another issuer":  other.issue(nil),
		} {
			res, body := call(token, "read")
			challenge := res.Header.Get("WWW-Authenticate")
			if res.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(challenge, "Bearer ") || !strings.Contains(challenge, `scope="mcp"`) ||
				!strings.Contains(challenge, `resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`) || strings.Contains(body, "read by") {
				t.Errorf("%s: %s %q %s", name, res.Status, challenge, body)
			}
			if strings.Contains(challenge, `error="invalid_token"`) == (name == "no token") {
				t.Errorf("%s: the challenge is %q", name, challenge)
			}
		}
		if res, body := call("a b", "read"); res.StatusCode != http.StatusBadRequest || !strings.Contains(body, "invalid_request") {
			t.Errorf("a malformed header: %s %s", res.Status, body)
		}
		if res, body := call(valid, "read"); res.StatusCode != http.StatusOK || !strings.Contains(body, "read by ada") {
			t.Errorf("%s %s", res.Status, body)
		}
		eve := i.issue(map[string]any{"sub": "eve"})
		switch res, body := call(eve, "read"); {
		case revision == "2026-07-28" && (res.StatusCode != http.StatusOK || !strings.Contains(body, "read by eve")):
			t.Errorf("another user: %s %s", res.Status, body)
		case revision != "2026-07-28" && res.StatusCode != http.StatusNotFound:
			t.Errorf("another user in the session: %s %s", res.Status, body)
		}
	})
}

func TestAToolWithScopesIsRefusedWithoutAGuard(t *testing.T) {
	g := guarded(t, newIssuer(t), func(o *auth.Options) { o.ToolScopes = map[string][]string{"erase": {"w"}} })
	s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{g.Middleware}})
	if err := mcp.AddTool(s, mcp.Tool{Name: "erase"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "erased", nil }); err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.HTTPHandler(nil))
	defer web.Close()
	if res, body := calls(t, web.URL, "2026-07-28", "")("", "erase"); strings.Contains(body, "erased") {
		t.Errorf("%s %s", res.Status, body)
	}
}

func TestAResponseEndsWithItsToken(t *testing.T) {
	for _, name := range []string{"expired", "revoked"} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				begin := time.Now()
				var revoked atomic.Bool
				g, err := auth.New(auth.Options{
					Resource: resource, AuthorizationServers: []string{"https://a.example"}, Logger: slog.New(slog.DiscardHandler),
					Verifier: auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) {
						if revoked.Load() {
							return nil, auth.ErrInvalid
						}
						return &auth.Token{Issuer: "https://a.example", Subject: "ada", Audience: []string{resource}, Expiry: begin.Add(10 * time.Minute)}, nil
					}),
				})
				if err != nil {
					t.Fatal(err)
				}
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
	i := newIssuer(t)
	var revoked atomic.Bool
	keys, err := auth.NewJWT(i.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	url := served(t, i, func(o *auth.Options) {
		o.Recheck = time.Millisecond
		o.Verifier = auth.VerifierFunc(func(ctx context.Context, token string) (*auth.Token, error) {
			if revoked.Load() {
				return nil, auth.ErrInvalid
			}
			return keys.Verify(ctx, token)
		})
	})
	token := i.issue(nil)
	res, _ := post(t, url, token, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`)
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range map[string]string{"Accept": "text/event-stream", "Authorization": "Bearer " + token, "Mcp-Session-Id": res.Header.Get("Mcp-Session-Id"), "Mcp-Protocol-Version": "2025-11-25"} {
		req.Header.Set(k, v)
	}
	stream, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	if stream.StatusCode != http.StatusOK {
		t.Fatal(stream.Status)
	}
	revoked.Store(true)
	for lines := bufio.NewScanner(stream.Body); lines.Scan(); { // until the stream ends
	}
	if res, _ := post(t, url, token, `{}`); res.StatusCode != http.StatusUnauthorized {
		t.Errorf("after that: %s", res.Status)
	}
}

func TestSeveralVerifiers(t *testing.T) {
	one, two := newIssuer(t), newIssuer(t)
	var vs []auth.Verifier
	for _, i := range []*issuer{one, two} {
		v, err := auth.NewJWT(i.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		vs = append(vs, v)
	}
	v := auth.Verifiers(vs...)
	for _, i := range []*issuer{one, two} {
		if token, err := v.Verify(t.Context(), i.issue(nil)); err != nil || token.Issuer != i.URL || token.Principal() != i.URL+" ada" {
			t.Errorf("%+v, %v", token, err)
		}
	}
	if _, err := v.Verify(t.Context(), "x"); !errors.Is(err, auth.ErrInvalid) {
		t.Error(err)
	}
	two.set(func() { two.down = true })
	if _, err := auth.Verifiers().Verify(t.Context(), "x"); !errors.Is(err, auth.ErrInvalid) {
		t.Error(err)
	}
}
