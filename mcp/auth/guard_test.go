package auth_test

import (
	"bufio"
	"context"
	"encoding/json"
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
func guarded(t *testing.T, i *issuer, change func(*auth.GuardOptions)) *auth.Guard {
	t.Helper()
	v, err := auth.NewJWT(i.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := auth.GuardOptions{Resource: resource, AuthorizationServers: []string{i.URL}, Verifier: v, Scopes: []string{"mcp"}, Logger: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	g, err := auth.NewGuard(o)
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
	proves(t, "auth.status.401", "auth.status.403", "auth.status.400", "auth.token.invalid-401", "auth.token.validate", "auth.audience.validate", "auth.audience.reject",
		"auth.token.no-transit", "auth.token.error-response", "auth.token.oauth-s5", "auth.token.no-passthrough", "sec.token.not-own")
	i, other := newIssuer(t), newIssuer(t)
	g := guarded(t, i, nil)
	h := g.Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if text := fmt.Sprintf("%v %+v %v", r.Context(), *auth.TokenFrom(r.Context()), r.Header); strings.Contains(text, "eyJ") { // as every JWT begins
			t.Errorf("the token is passed on: %s", text)
		}
		passed(w, r)
	}))
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
		{"another scheme with a token", []string{"DPoP " + i.issue(nil)}, 401, []string{needs}},
		{"a token alone", []string{i.issue(nil)}, 401, []string{needs}},
		{"a tab for a space", []string{"Bearer\t" + i.issue(nil)}, 401, []string{needs}},
		{"an empty header", []string{""}, 401, []string{needs}},
		{"the scheme alone", []string{"Bearer"}, 400, []string{`error="invalid_request"`}},
		{"the scheme twice", []string{"Bearer Bearer " + i.issue(nil)}, 400, []string{`error="invalid_request"`}},
		{"a colon", []string{"Bearer a:b"}, 400, []string{`error="invalid_request"`}},
		{"a comma", []string{"Bearer a,b"}, 400, []string{`error="invalid_request"`}},
		{"two headers", []string{"Bearer a", "Bearer b"}, 400, []string{`error="invalid_request"`}},
		{"no token", []string{"Bearer "}, 400, []string{`error="invalid_request"`}},
		{"bad characters", []string{`Bearer a"b`}, 400, []string{`error="invalid_request"`}},
		{"the same header twice", []string{"Bearer a", "Bearer a"}, 400, []string{`error="invalid_request"`}},
		{"a second scheme", []string{"Basic YTpi", "Bearer " + i.issue(nil)}, 400, []string{`error="invalid_request"`}},
		{"two tokens", []string{"Bearer " + i.issue(nil) + " " + i.issue(nil)}, 400, []string{`error="invalid_request"`}},
		{"tokens with a comma", []string{"Bearer " + i.issue(nil) + ",x"}, 400, []string{`error="invalid_request"`}},
		{"as long as allowed", []string{"Bearer " + strings.Repeat("a", 16<<10)}, 401, invalid},
		{"too long by one", []string{"Bearer " + strings.Repeat("a", 16<<10+1)}, 400, []string{`error="invalid_request"`}},
		{"too long", []string{"Bearer " + strings.Repeat("a", 17<<10)}, 400, []string{`error="invalid_request"`}},
		{"garbage", []string{"Bearer garbage"}, 401, invalid},
		{"expired", []string{"Bearer " + i.issue(map[string]any{"exp": ago})}, 401, invalid},
		{"without end", []string{"Bearer " + i.issue(map[string]any{"exp": nil})}, 401, invalid},
		{"not yet valid", []string{"Bearer " + i.issue(map[string]any{"nbf": time.Now().Add(time.Hour).Unix()})}, 401, invalid},
		{"another audience", []string{"Bearer " + i.issue(map[string]any{"aud": "https://mcp.example.com/other"})}, 401, invalid},
		{"an audience that begins like it", []string{"Bearer " + i.issue(map[string]any{"aud": resource + "x"})}, 401, invalid},
		{"no audience", []string{"Bearer " + i.issue(map[string]any{"aud": nil})}, 401, invalid},
		{"no audience but a client of that name", []string{"Bearer " + i.issue(map[string]any{"aud": "x", "azp": resource, "client_id": resource})}, 401, invalid},
		{"no audience but a resource", []string{"Bearer " + i.issue(map[string]any{"aud": nil, "resource": resource})}, 401, invalid},
		{"an audience that is a number", []string{"Bearer " + i.issue(map[string]any{"aud": 5})}, 401, invalid},
		{"an end that is a text", []string{"Bearer " + i.issue(map[string]any{"exp": "tomorrow"})}, 401, invalid},
		{"a beginning that is a text", []string{"Bearer " + i.issue(map[string]any{"nbf": "yesterday"})}, 401, invalid},
		{"an issuer that is a number", []string{"Bearer " + i.issue(map[string]any{"iss": 5})}, 401, invalid},
		{"no issuer", []string{"Bearer " + i.issue(map[string]any{"iss": nil})}, 401, invalid},
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
				res := askBy(method, h, tt.headers...)
				if got, want := res.Header.Get("WWW-Authenticate"), ask(h, tt.headers...).Header.Get("WWW-Authenticate"); res.StatusCode != tt.status || got != want {
					t.Errorf("%s: status %d and the challenge %q, want %d and %q", method, res.StatusCode, got, tt.status, want)
				}
				if body, _ := io.ReadAll(res.Body); tt.status == 200 && !strings.HasSuffix(string(body), "[]") || tt.status != 200 && method != http.MethodHead && !strings.HasPrefix(string(body), `{"error":"`) {
					t.Errorf("%s: %s", method, body)
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
			if len(tt.challenge) > 0 && !strings.Contains(strings.Join(tt.challenge, ""), "error=") && strings.Contains(got, "error") {
				t.Errorf("%q tells of an error though there was no token", got)
			}
			if tt.status != 200 && res.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("the refusal may be kept: %v", res.Header)
			}
			if tt.status != 200 {
				r := httptest.NewRequest(http.MethodPost, resource, unread{t})
				r.Header["Authorization"] = tt.headers
				h.ServeHTTP(httptest.NewRecorder(), r)
			}
		})
	}
}

// unread is a body that must not be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body of a refused request is read")
	return 0, io.EOF
}

// TestWhatAVerifierReturns has a guard judge the content of tokens.
func TestWhatAVerifierReturns(t *testing.T) {
	proves(t, "auth.token.validate", "auth.token.invalid-401", "auth.status.401", "auth.status.403", "auth.audience.validate", "auth.audience.reject", "auth.token.server-own-resources",
		"auth.token.error-response", "sec.token.not-own")
	anyRevision(t)
	const issuer = "https://a.example/t"
	for _, tt := range []struct {
		name, resource string
		change         func(token *auth.Token) *auth.Token
		status         int
	}{
		{"as it is", resource, func(token *auth.Token) *auth.Token { return token }, 200},
		{"none", resource, func(*auth.Token) *auth.Token { return nil }, 401},
		{"a client without an end", resource, func(token *auth.Token) *auth.Token {
			token.Subject, token.ClientID, token.Expiry = "agent", "agent", time.Time{}
			return token
		}, 401},
		{"an issuer with a slash", resource, func(token *auth.Token) *auth.Token { token.Issuer += "/"; return token }, 401},
		{"an issuer without the last letter", resource, func(token *auth.Token) *auth.Token { token.Issuer = issuer[:len(issuer)-1]; return token }, 401},
		{"an issuer in upper case", resource, func(token *auth.Token) *auth.Token { token.Issuer = strings.ToUpper(issuer); return token }, 401},
		{"an issuer of the list without its slash", resource, func(token *auth.Token) *auth.Token { token.Issuer = "https://b.example"; return token }, 401},
		{"an issuer of the list", resource, func(token *auth.Token) *auth.Token { token.Issuer = "https://b.example/"; return token }, 200},
		{"no issuer", resource, func(token *auth.Token) *auth.Token { token.Issuer = ""; return token }, 401},
		{"no subject", resource, func(token *auth.Token) *auth.Token { token.Subject = ""; return token }, 401},
		{"many audiences", resource, func(token *auth.Token) *auth.Token { token.Audience = strings.Fields("1 2 3 4 5 6 7"); return token }, 401},
		{"many audiences, the last right", resource, func(token *auth.Token) *auth.Token {
			token.Audience = append(strings.Fields("1 2 3 4 5 6 7"), resource)
			return token
		}, 200},
		{"at the root", "https://mcp.example.com", func(token *auth.Token) *auth.Token { return token }, 401},
		{"at the root with a slash", "https://mcp.example.com/", func(token *auth.Token) *auth.Token { return token }, 401},
		{"at the root, for the root", "https://mcp.example.com", func(token *auth.Token) *auth.Token {
			token.Audience = []string{"https://mcp.example.com/"}
			return token
		}, 200},
		{"at the root with a slash, for the root", "https://mcp.example.com/", func(token *auth.Token) *auth.Token {
			token.Audience = []string{"https://mcp.example.com"}
			return token
		}, 200},
		{"below", resource + "/x", func(token *auth.Token) *auth.Token { return token }, 401},
		{"beside", "https://mcp.example.com/mcp2", func(token *auth.Token) *auth.Token { return token }, 401},
		{"on another port", "https://mcp.example.com:8443/mcp", func(token *auth.Token) *auth.Token { return token }, 401},
		{"one scope of two", resource, func(token *auth.Token) *auth.Token { token.Scopes = []string{"b"}; return token }, 403},
		{"the other scope of two", resource, func(token *auth.Token) *auth.Token { token.Scopes = []string{"a"}; return token }, 403},
		{"no scope", resource, func(token *auth.Token) *auth.Token { token.Scopes = nil; return token }, 403},
		{"a scope in upper case", resource, func(token *auth.Token) *auth.Token { token.Scopes = []string{"A", "b"}; return token }, 403},
		{"further scopes", resource, func(token *auth.Token) *auth.Token { token.Scopes = []string{"c", "b", "a"}; return token }, 200},
	} {
		g, err := auth.NewGuard(auth.GuardOptions{
			Resource: tt.resource, AuthorizationServers: []string{issuer, "https://b.example/"}, Logger: slog.New(slog.DiscardHandler), Scopes: []string{"a", "b"},
			Verifier: auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) {
				return tt.change(&auth.Token{Issuer: issuer, Subject: "ada", Audience: []string{resource}, Expiry: time.Now().Add(time.Hour), Scopes: []string{"a", "b"}}), nil
			}),
		})
		if err != nil {
			t.Fatal(err)
		}
		res := ask(g.Protect(passed), "Bearer x")
		code := map[int]string{401: `error="invalid_token"`, 403: `error="insufficient_scope"`}[tt.status]
		if got := res.Header.Get("WWW-Authenticate"); res.StatusCode != tt.status || !strings.Contains(got, code) || code != "" && !strings.HasSuffix(got, `scope="a b"`) {
			t.Errorf("%s: %s %q, want %d", tt.name, res.Status, got, tt.status)
		}
	}
}

// TestIntrospectedTokens has an authorization server say various things of a
// token.
func TestIntrospectedTokens(t *testing.T) {
	proves(t, "auth.token.validate", "auth.token.invalid-401", "auth.audience.validate", "auth.audience.reject", "auth.status.401", "sec.token.not-own")
	anyRevision(t)
	for _, tt := range []struct {
		name   string
		change map[string]any
		status int
	}{
		{"as it is", nil, 200},
		{"without issuer", map[string]any{"iss": nil}, 200},
		{"not active", map[string]any{"active": false}, 401},
		{"without active", map[string]any{"active": nil}, 401},
		{"active as a text", map[string]any{"active": "true"}, 401},
		{"active as a number", map[string]any{"active": 1}, 401},
		{"expired", map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}, 401},
		{"without end", map[string]any{"exp": nil}, 401},
		{"without end and issuer", map[string]any{"exp": nil, "iss": nil}, 401},
		{"not yet valid", map[string]any{"nbf": time.Now().Add(time.Hour).Unix()}, 401},
		{"an end that is a text", map[string]any{"exp": "tomorrow"}, 401},
		{"another audience", map[string]any{"aud": "https://mcp.example.com/other"}, 401},
		{"without audience", map[string]any{"aud": nil}, 401},
		{"an audience that is a number", map[string]any{"aud": 5}, 401},
		{"another issuer", map[string]any{"iss": "https://evil.example"}, 401},
		{"without subject and client", map[string]any{"sub": nil, "client_id": nil}, 401},
		{"too few scopes", map[string]any{"scope": "reports:read"}, 403},
	} {
		i := newIssuer(t)
		i.set(func() {
			i.active["opaque-token-1"], i.opaque = true, i.claims(map[string]any{"active": true})
			for name, value := range tt.change {
				if i.opaque[name] = value; value == nil {
					delete(i.opaque, name)
				}
			}
			i.bare = true
		})
		for _, cache := range []time.Duration{0, time.Hour} {
			v, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1", CacheTTL: cache})
			if err != nil {
				t.Fatal(err)
			}
			h := guarded(t, i, func(o *auth.GuardOptions) { o.Verifier = v }).Protect(passed)
			for range 2 {
				if res := ask(h, "Bearer opaque-token-1"); res.StatusCode != tt.status {
					t.Errorf("%s: %s, want %d", tt.name, res.Status, tt.status)
				}
			}
			if res := ask(h, "Bearer opaque-token-2"); res.StatusCode != http.StatusUnauthorized {
				t.Errorf("%s: a token that is not known: %s", tt.name, res.Status)
			}
		}
	}
	// An answer is used until the token expires, at most.
	i := newIssuer(t)
	synctest.Test(t, func(t *testing.T) {
		i.set(func() {
			i.active["x"], i.opaque = true, i.claims(map[string]any{"exp": time.Now().Add(10 * time.Minute).Unix()})
		})
		v, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1", CacheTTL: time.Hour, HTTPClient: &http.Client{Transport: canned{i}}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := v.Verify(t.Context(), "x"); err != nil {
			t.Fatal(err)
		}
		i.set(func() { i.active["x"] = false })
		time.Sleep(9 * time.Minute)
		if _, err := v.Verify(t.Context(), "x"); err != nil {
			t.Errorf("after 9 minutes: %v", err)
		}
		time.Sleep(2 * time.Minute)
		if _, err := v.Verify(t.Context(), "x"); !errors.Is(err, auth.ErrInvalidToken) {
			t.Errorf("after 11 minutes: %v", err)
		}
	})
}

// TestATokenIsMeantForThisServerAlone compares audiences that differ from the
// server in one thing.
func TestATokenIsMeantForThisServerAlone(t *testing.T) {
	proves(t, "auth.audience.validate", "auth.audience.reject", "auth.token.server-own-resources", "auth.status.401", "auth.resource.case", "auth.resource.no-slash", "sec.token.not-own")
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
			for _, client := range []any{"agent", nil} {
				if res := ask(h, "Bearer "+i.issue(map[string]any{"aud": claim, "client_id": client})); res.StatusCode != want {
					t.Errorf("audience %q of client %v: %s, want %d", claim, client, res.Status, want)
				}
			}
		}
	}
}

// TestFurtherAudiences has a guard accept one that is not its URL.
func TestFurtherAudiences(t *testing.T) {
	proves(t, "auth.audience.validate", "auth.audience.reject", "sec.token.not-own")
	anyRevision(t)
	i := newIssuer(t)
	h := guarded(t, i, func(o *auth.GuardOptions) { o.Audiences = []string{"api://reports", "urn:b"} }).Protect(passed)
	for audience, want := range map[string]int{
		resource: 200, "api://reports": 200, "urn:b": 200, "api://reports/": 401, "api://reports/x": 401, "api://Reports": 401, "API://reports": 401, "api://report": 401, "urn:bb": 401, "urn:": 401, "": 401,
	} {
		if res := ask(h, "Bearer "+i.issue(map[string]any{"aud": audience})); res.StatusCode != want {
			t.Errorf("audience %q: %s, want %d", audience, res.Status, want)
		}
	}
}

// TestEveryRefusalNamesTheMetadata has guards of resources at several paths,
// with and without scopes, refuse requests.
func TestEveryRefusalNamesTheMetadata(t *testing.T) {
	proves(t, "auth.prm.header-2025-06", "auth.prm.one-mechanism", "auth.prm.implement", "auth.status.401")
	anyRevision(t)
	i := newIssuer(t)
	for path, place := range map[string]string{"/": "", "/mcp": "/mcp", "/mcp/": "/mcp", "/a/b": "/a/b", "/a%20b/c%2Fd": "/a%20b/c%2Fd", "/%7Bx%7D": "/%7Bx%7D"} {
		for n, origin := range []string{"https://mcp.example.com", "https://mcp.example.com:8443", "http://localhost:8080", "http://[::1]:9"} {
			scopes := [][]string{nil, {"mcp"}}[n%2]
			mux := http.NewServeMux()
			guarded(t, i, func(o *auth.GuardOptions) { o.Resource, o.Scopes = origin+path, scopes }).Mount(mux, passed)
			for _, authorization := range [][]string{nil, {"Bearer garbage"}, {"Basic YTpi"}} {
				for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete, http.MethodHead} {
					r := httptest.NewRequest(method, origin+path, nil)
					r.Header["Authorization"] = authorization
					r.Header.Set("Mcp-Session-Id", "x")
					w := httptest.NewRecorder()
					mux.ServeHTTP(w, r)
					want := `Bearer resource_metadata="` + origin + `/.well-known/oauth-protected-resource` + place + `"`
					if got := w.Header().Values("WWW-Authenticate"); w.Code != http.StatusUnauthorized || len(got) != 1 || !strings.HasPrefix(got[0], want) {
						t.Errorf("%s %s, %q, scopes %q: %d %q, want %s", method, origin+path, authorization, scopes, w.Code, got, want)
					}
				}
			}
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, origin+"/.well-known/oauth-protected-resource"+place, nil))
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"resource":"`+origin+path+`"`) {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
	}
}

// TestWhenATokenBeginsAndEnds verifies tokens at the bounds of their time, to
// the nanosecond.
func TestWhenATokenBeginsAndEnds(t *testing.T) {
	proves(t, "auth.token.validate", "auth.token.invalid-401", "auth.status.401")
	anyRevision(t)
	synctest.Test(t, func(t *testing.T) {
		for _, leeway := range []time.Duration{0, 5 * time.Second} { // 0 is the default
			allowed := leeway
			if leeway == 0 {
				allowed = 30 * time.Second
			}
			token := &auth.Token{Issuer: "https://a.example", Subject: "ada", Audience: []string{resource}}
			g, err := auth.NewGuard(auth.GuardOptions{
				Resource: resource, AuthorizationServers: []string{token.Issuer}, Logger: slog.New(slog.DiscardHandler), Leeway: leeway,
				Verifier: auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) { return token, nil }),
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, tt := range []struct {
				expiry, notBefore time.Duration // from now
				status            int
			}{
				{time.Hour, -time.Hour, 200},
				{1 - allowed, -time.Hour, 200},
				{-allowed, -time.Hour, 401},
				{-allowed - 1, -time.Hour, 401},
				{time.Hour, allowed, 200},
				{time.Hour, allowed + 1, 401},
			} {
				token.Expiry, token.NotBefore = time.Now().Add(tt.expiry), time.Now().Add(tt.notBefore)
				if res := ask(g.Protect(passed), "Bearer x"); res.StatusCode != tt.status {
					t.Errorf("from %s to %s with the leeway %s: %s, want %d", tt.notBefore, tt.expiry, allowed, res.Status, tt.status)
				}
			}
		}
	})
}

func TestRefusalsDoNotSayWhyNorNameTheToken(t *testing.T) {
	proves(t, "auth.sec.storage", "auth.token.error-response")
	anyRevision(t)
	i := newIssuer(t)
	var log strings.Builder
	g := guarded(t, i, func(o *auth.GuardOptions) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	introspection, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "hidden"})
	if err != nil {
		t.Fatal(err)
	}
	opaque := guarded(t, i, func(o *auth.GuardOptions) {
		o.Logger, o.Verifier = slog.New(slog.NewTextHandler(&log, nil)), introspection
	})
	for _, token := range []string{"secret:token", "secret-token", `secret-token"`, "secret.secret.secret", strings.Repeat("secret", 9000), "secret token", "secret," + i.issue(nil)} {
		for _, h := range []http.Handler{g.Protect(passed), opaque.Protect(passed)} {
			for _, scheme := range []string{"Bearer ", "bearer ", "Basic ", ""} {
				res := ask(h, scheme+token)
				body, _ := io.ReadAll(res.Body)
				if all := fmt.Sprint(string(body), res.Header, log.String()); res.StatusCode < 400 || strings.Contains(all, "secret") || strings.Contains(all, "hidden") {
					t.Errorf("%s %.40q: %d %.999s", scheme, token, res.StatusCode, all)
				}
			}
		}
	}
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
	proves(t, "auth.token.error-response", "auth.token.validate")
	anyRevision(t)
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
	proves(t, "auth.refresh.server-no-offline-access", "auth.sec.comm", "auth.prm.as-list")
	anyRevision(t)
	v := auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) { return nil, auth.ErrInvalidToken })
	right := auth.GuardOptions{Resource: resource, AuthorizationServers: []string{"https://a.example"}, Verifier: v}
	for name, change := range map[string]func(*auth.GuardOptions){
		"a resource without https":     func(o *auth.GuardOptions) { o.Resource = "http://mcp.example.com/mcp" },
		"a relative resource":          func(o *auth.GuardOptions) { o.Resource = "/mcp" },
		"a resource with a fragment":   func(o *auth.GuardOptions) { o.Resource += "#x" },
		"a resource with a query":      func(o *auth.GuardOptions) { o.Resource += "?x" },
		"no verifier":                  func(o *auth.GuardOptions) { o.Verifier = nil },
		"no authorization server":      func(o *auth.GuardOptions) { o.AuthorizationServers = nil },
		"an empty list of them":        func(o *auth.GuardOptions) { o.AuthorizationServers = []string{} },
		"an insecure one":              func(o *auth.GuardOptions) { o.AuthorizationServers = []string{"http://a.example"} },
		"offline_access":               func(o *auth.GuardOptions) { o.Scopes = []string{"offline_access"} },
		"offline_access among others":  func(o *auth.GuardOptions) { o.Scopes = []string{"mcp", "offline_access", "x"} },
		"offline_access of a tool":     func(o *auth.GuardOptions) { o.ToolScopes = map[string][]string{"x": {"a", "offline_access"}} },
		"an insecure one among others": func(o *auth.GuardOptions) { o.AuthorizationServers = []string{"https://b.example", "http://a.example"} },
		"an empty scope":               func(o *auth.GuardOptions) { o.Scopes = []string{""} },
		"a scope with a quote":         func(o *auth.GuardOptions) { o.ToolScopes = map[string][]string{"x": {`a"`}} },
	} {
		o := right
		change(&o)
		if _, err := auth.NewGuard(o); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	if _, err := auth.NewGuard(right); err != nil {
		t.Error(err)
	}
}

// served is a server with two tools behind a guard.
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
		if err != nil {
			t.Fatal(err)
		}
	}
	mux, handler := http.NewServeMux(), s.HTTPHandler(nil)
	g.Mount(mux, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range r.Header {
			if text := strings.Join(values, " "); strings.Contains(text, "Bearer") || strings.Contains(text, "eyJ") { // as every JWT begins
				t.Errorf("the token is passed on in %s", name)
			}
		}
		handler.ServeHTTP(w, r)
	}))
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	return web.URL + "/mcp"
}

// post sends a message with a token, "-" for none, and returns the answer with
// its body.
func post(t *testing.T, url, token, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	return request(t, http.MethodPost, url, token, body, headers...)
}

// request is post for another method of HTTP.
func request(t *testing.T, method, url, token, body string, headers ...string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
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

// message is one that clients of a revision send. Its params lack the closing
// brace.
func message(revision, id, method, params string) string {
	if revision == "2026-07-28" {
		params = strings.Replace(params+`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`, "{,", "{", 1)
	}
	if id != "" {
		id = `"id":` + id + `,`
	}
	return `{"jsonrpc":"2.0",` + id + `"method":"` + method + `","params":` + params + `}}`
}

// visitor sends requests of a revision, within a session where it has one.
type visitor struct {
	t             *testing.T
	url, revision string
	session       string
}

// visit opens a session with a token, where the revision has sessions.
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

// send sends a message, or without one a request of HTTP.
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

// call calls a tool.
func (v *visitor) call(token, tool string) (*http.Response, string) {
	v.t.Helper()
	return v.send(token, http.MethodPost, message(v.revision, "2", "tools/call", `{"name":"`+tool+`","arguments":{}`))
}

// insufficient is the challenge of a guard to a token with too few scopes.
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
		// A tool's scopes are all named, also those that the token has.
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
		// Within a batch only the one response is an error, whatever its place.
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
	proves(t, "auth.status.401", "auth.status.400", "auth.token.invalid-401", "auth.token.validate", "auth.token.oauth-s5", "auth.token.error-response",
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
			const malformed = needs + `error="invalid_request", error_description="the Authorization header has no well-formed bearer token"`
			if res, body := v.send("a b", r[0], r[1]); res.StatusCode != http.StatusBadRequest || !strings.HasPrefix(body, `{"error":"invalid_request"`) || res.Header.Get("WWW-Authenticate") != malformed {
				t.Errorf("a malformed header, %s: %s %v %s", what, res.Status, res.Header, body)
			}
		}
		for what, r := range requests {
			for _, second := range []string{"Bearer " + valid, "Bearer x", "Basic eA==", ""} {
				req, err := http.NewRequestWithContext(t.Context(), r[0], url, strings.NewReader(r[1]))
				if err != nil {
					t.Fatal(err)
				}
				req.Header = http.Header{"Authorization": {"Bearer " + valid, second}, "Content-Type": {"application/json"}}
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				res.Body.Close()
				if got := res.Header.Get("WWW-Authenticate"); res.StatusCode != http.StatusBadRequest || !strings.Contains(got, `error="invalid_request"`) {
					t.Errorf("two headers, %s: %s %v", what, res.Status, res.Header)
				}
			}
		}
		// A token elsewhere is none, and other headers open no way past the guard.
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

func TestAToolWithScopesIsRefusedWithoutAGuard(t *testing.T) {
	proves(t, "auth.stateless-not-bypassed")
	anyRevision(t)
	g := guarded(t, newIssuer(t), func(o *auth.GuardOptions) { o.ToolScopes = map[string][]string{"erase": {"w"}} })
	s := mcp.NewServer(mcp.Implementation{Name: "x", Version: "1"}, &mcp.ServerOptions{Middleware: []mcp.Middleware{g.Middleware}})
	if err := mcp.AddTool(s, mcp.Tool{Name: "erase"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "erased", nil }); err != nil {
		t.Fatal(err)
	}
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
	proves(t, "auth.token.validate", "auth.token.invalid-401")
	anyRevision(t)
	i := newIssuer(t)
	var revoked atomic.Bool
	keys, err := auth.NewJWT(i.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
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
	proves(t, "auth.token.validate")
	anyRevision(t)
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
	if _, err := v.Verify(t.Context(), "x"); !errors.Is(err, auth.ErrInvalidToken) {
		t.Error(err)
	}
	// A verifier that cannot tell decides: another must not.
	two.set(func() { two.down = true })
	unsure, err := auth.NewJWT(two.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token, err := auth.Verifiers(unsure, vs[0]).Verify(t.Context(), one.issue(nil)); err == nil || errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("%+v, %v", token, err)
	}
	if _, err := auth.Verifiers().Verify(t.Context(), "x"); !errors.Is(err, auth.ErrInvalidToken) {
		t.Error(err)
	}
}
