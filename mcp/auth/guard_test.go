package auth_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/docent-mcp/docent/mcp/auth"
)

// guarded returns a guard for resource that trusts an issuer.
func guarded(t *testing.T, i *issuer, change func(*auth.GuardOptions)) *auth.Guard {
	t.Helper()
	v, err := auth.NewJWT(i.URL, nil)
	must(t, err)
	o := auth.GuardOptions{Resource: resource, AuthorizationServers: []string{i.URL}, Verifier: v, Scopes: []string{"mcp"}, Logger: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&o)
	}
	g, err := auth.NewGuard(o)
	must(t, err)
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
		if text := fmt.Sprintf("%v %+v %v", r.Context(), *auth.TokenFrom(r.Context()), r.Header); strings.Contains(text, "eyJ") { // the prefix of every JWT
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
		{"another scheme with a token", []string{"Token " + i.issue(nil)}, 401, []string{needs}},
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
		{"a client's own", []string{"Bearer " + i.issue(map[string]any{"sub": "agent"})}, 200, nil},
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

type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body of a refused request is read")
	return 0, io.EOF
}

// TestEveryRefusalNamesTheMetadata checks the refusals of guards of resources at several paths,
// with and without scopes.
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

func TestRefusalsDoNotSayWhyNorNameTheToken(t *testing.T) {
	proves(t, "auth.sec.storage", "auth.token.error-response")
	anyRevision(t)
	i := newIssuer(t)
	var log strings.Builder
	g := guarded(t, i, func(o *auth.GuardOptions) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	introspection, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "hidden"})
	must(t, err)
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
