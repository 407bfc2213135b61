package auth_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp/auth"
)

// TestWhatAVerifierReturns checks how a guard uses the tokens that a verifier returns.
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
		must(t, err)
		res := ask(g.Protect(passed), "Bearer x")
		code := map[int]string{401: `error="invalid_token"`, 403: `error="insufficient_scope"`}[tt.status]
		if got := res.Header.Get("WWW-Authenticate"); res.StatusCode != tt.status || !strings.Contains(got, code) || code != "" && !strings.HasSuffix(got, `scope="a b"`) {
			t.Errorf("%s: %s %q, want %d", tt.name, res.Status, got, tt.status)
		}
	}
}

// TestIntrospectedTokens tests various introspection responses for a token.
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
			must(t, err)
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
	// A cached response is not used after the token has expired.
	i := newIssuer(t)
	synctest.Test(t, func(t *testing.T) {
		i.set(func() {
			i.active["x"], i.opaque = true, i.claims(map[string]any{"exp": time.Now().Add(10 * time.Minute).Unix()})
		})
		v, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1", CacheTTL: time.Hour, HTTPClient: &http.Client{Transport: canned{i}}})
		must(t, err)
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

// TestATokenIsMeantForThisServerAlone uses audiences that differ slightly from the server's URL.
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

// TestFurtherAudiences tests a guard that accepts another audience besides its URL.
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

// TestWhenATokenBeginsAndEnds verifies tokens at the limits of their validity,
// to the nanosecond.
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
			must(t, err)
			for _, tt := range []struct {
				expiry, notBefore time.Duration // relative to the current time
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

func TestSeveralVerifiers(t *testing.T) {
	proves(t, "auth.token.validate")
	anyRevision(t)
	one, two := newIssuer(t), newIssuer(t)
	var vs []auth.Verifier
	for _, i := range []*issuer{one, two} {
		v, err := auth.NewJWT(i.URL, nil)
		must(t, err)
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
	// If one verifier cannot check a token, the result of another is not used.
	two.set(func() { two.down = true })
	unsure, err := auth.NewJWT(two.URL, nil)
	must(t, err)
	if token, err := auth.Verifiers(unsure, vs[0]).Verify(t.Context(), one.issue(nil)); err == nil || errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("%+v, %v", token, err)
	}
	if _, err := auth.Verifiers().Verify(t.Context(), "x"); !errors.Is(err, auth.ErrInvalidToken) {
		t.Error(err)
	}
}
