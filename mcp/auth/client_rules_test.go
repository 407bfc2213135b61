package auth_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

// TestEverySignInKeepsTheRules signs in to servers at paths of every depth, with the metadata in
// every possible place, with and without scopes, as each kind of client, and checks all requests of
// the client.
func TestEverySignInKeepsTheRules(t *testing.T) {
	proves(t, "auth.prm.client", "auth.prm.client-both", "auth.prm.client-order", "auth.asmeta.client-rfc8414", "auth.fallback.client", "auth.fallback.metadata-first",
		"auth.scope.no-set-relation", "auth.scope.challenge-authoritative", "auth.resource.implement", "auth.resource.both-requests", "auth.resource.names-server",
		"auth.resource.canonical", "auth.resource.always", "auth.token.bearer-header", "auth.token.every-request", "auth.token.not-in-query", "auth.sec.pkce", "auth.sec.pkce-s256", "auth.resource.specific", "auth.resource.no-slash",
		"auth.sec.state", "auth.sec.best-practices", "auth.oauth21.2025-03", "auth.base-url.no-path")
	anyRevision(t)
	for _, path := range []string{"", "/", "/mcp", "/mcp/", "/a/b", "/a/B/c%20D"} {
		for _, place := range []string{"named", "below the path", "at the root", "of the server itself", "of OpenID Connect", "nowhere"} {
			for _, scopes := range [][2]string{{"", ""}, {"", "three"}, {"one two", ""}, {"one two", "two three"}} {
				kinds := []string{"new", "known", "worker"}
				if path == "/mcp" {
					kinds = append(kinds, "confidential", "bound")
				}
				for _, kind := range kinds {
					t.Run(fmt.Sprintf("%s, %s, scopes %q, %s", path, place, scopes, kind), func(t *testing.T) {
						signInByTheRules(t, path, place, scopes[0], scopes[1], kind)
					})
				}
			}
		}
	}
}

func signInByTheRules(t *testing.T, path, place, challenged, supported, kind string) {
	const wellKnown, rfc8414, openID = "/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	a := newAuthority(t)
	s := newSite(t, a, nil)
	endpoint := s.URL + path
	trimmed := strings.TrimSuffix(path, "/")
	// the expected requests, in order, and the URL of the resource's metadata
	want, metadata := []string{wellKnown + trimmed}, wellKnown+trimmed
	if trimmed != "" && place != "below the path" {
		want, metadata = append(want, wellKnown), wellKnown
	}
	discovered := false
	switch place {
	case "named":
		want, metadata = []string{"/named"}, "/named"
	case "of the server itself":
		want, discovered = append(want, rfc8414), true
	case "of OpenID Connect", "nowhere":
		want, discovered = append(want, rfc8414, openID), true
	default:
	}
	if !discovered {
		want = append(want, rfc8414)
	}
	switch kind {
	case "new", "bound":
		want = append(want, "/register", "/authorize", "/token")
	case "known", "confidential":
		want = append(want, "/authorize", "/token")
	default:
		want = append(want, "/token")
	}
	resource := endpoint // the resource in the metadata, or without metadata, the endpoint without a trailing slash
	if discovered {
		resource = strings.TrimSuffix(endpoint, "/")
	}
	issuer := a.issuer()
	switch kind {
	case "bound":
		binding(t, a, "")
	case "worker":
		a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"} }
	case "confidential":
		a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{"client_secret_post"} }
	}
	switch place {
	case "of the server itself":
		a.metadata = []string{rfc8414}
	case "of OpenID Connect":
		a.metadata = []string{openID}
	case "nowhere":
		a.metadata = []string{"/none"}
		a.answer = func(q url.Values) { q.Del("iss") }
	default:
	}
	if discovered {
		issuer = s.URL
		other := a.edit
		a.edit = func(m map[string]any) {
			if other != nil {
				other(m)
			}
			m["issuer"] = s.URL
			for _, name := range []string{"authorization", "token", "registration"} {
				m[name+"_endpoint"] = s.URL + map[string]string{"authorization": "/authorize", "token": "/token", "registration": "/register"}[name] + mark
			}
		}
		if place != "nowhere" {
			a.answer = func(q url.Values) { q.Set("iss", s.URL) }
		}
	}
	var paths []string
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		here := r.URL.EscapedPath()
		if here == path || path == "" && here == "/" {
			challenge := "Bearer"
			if place == "named" {
				challenge += fmt.Sprintf(" resource_metadata=%q", s.URL+"/named")
			}
			if challenged != "" {
				challenge = strings.Replace(challenge+fmt.Sprintf(", scope=%q", challenged), "Bearer,", "Bearer", 1)
			}
			w.Header().Set("WWW-Authenticate", challenge)
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		switch {
		case !discovered && here == metadata:
			paths = append(paths, here)
			m := map[string]any{"resource": endpoint, "authorization_servers": []string{issuer}}
			if supported != "" {
				m["scopes_supported"] = strings.Fields(supported)
			}
			reply(w, 200, m)
		case discovered && !strings.HasPrefix(here, wellKnown):
			a.ServeHTTP(w, r)
		default:
			paths = append(paths, here)
			http.NotFound(w, r)
		}
		return true
	})
	store := new(auth.MemoryStore)
	c := &auth.OAuthClient{Store: store, Browser: browse}
	switch kind {
	case "worker":
		a.clients["worker"] = &app{secret: "secret", method: "client_secret_basic"}
		c.Grant, c.Registrations = auth.ClientCredentials, []auth.Registration{{Issuer: issuer, ClientID: "worker", ClientSecret: "secret"}}
	case "bound":
		c.RequireDPoP = true
	case "known", "confidential":
		known := app{method: "none"}
		if kind == "confidential" {
			known = app{method: "client_secret_post", secret: "hidden"}
			if place == "nowhere" { // no metadata lists the methods of authentication
				known.method = "client_secret_basic"
			}
		}
		c.Registrations = []auth.Registration{{Issuer: issuer, ClientID: "known", ClientSecret: known.secret}}
		c.Browser = func(ctx context.Context, page string) error {
			u, err := url.Parse(page)
			if err != nil {
				return err
			}
			a.set(func() { known.redirects = []string{u.Query().Get("redirect_uri")}; a.clients["known"] = &known })
			return browse(ctx, page)
		}
	}
	must(t, c.SignIn(t.Context(), endpoint))
	a.mu.Lock()
	for _, one := range a.log {
		paths = append(paths, one.path)
	}
	a.mu.Unlock()
	if !slices.Equal(paths, want) {
		t.Errorf("asked %s\nwant  %s", paths, want)
	}
	tokenType := "Bearer"
	if kind == "bound" {
		tokenType = "DPoP"
	}
	authorize := func(c *auth.OAuthClient) {
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodDelete} {
			req, err := http.NewRequestWithContext(t.Context(), method, endpoint+"?x=1", nil)
			if err == nil {
				err = c.Authorize(t.Context(), req)
			}
			must(t, err)
			if scheme, token, _ := strings.Cut(req.Header.Get("Authorization"), " "); scheme != tokenType || !strings.HasPrefix(token, "access-") || req.URL.String() != endpoint+"?x=1" {
				t.Errorf("%s %s has %q", method, req.URL, req.Header.Get("Authorization"))
			}
		}
	}
	authorize(c)
	if !auth.Age(store) {
		t.Fatal("nothing is kept")
	}
	authorize(&auth.OAuthClient{Store: store, Browser: browse, Registrations: c.Registrations, Grant: c.Grant}) // after a refresh
	forms := append(a.requests("/authorize"), a.requests("/token")...)
	if n := len(forms); n < 2 || forms[n-1].form.Get("grant_type") != "refresh_token" {
		t.Fatalf("%d requests, want a refresh at last", n)
	}
	for _, one := range forms {
		if got := one.form["resource"]; len(got) != 1 || got[0] != resource {
			t.Errorf("%s %s: resource %q, want %q", one.path, one.form.Get("grant_type"), got, resource)
		}
	}
	scope := challenged
	if scope == "" && !discovered {
		scope = supported
	}
	if first := forms[0].form; first.Get("scope") != scope || first.Has("scope") != (scope != "") {
		t.Errorf("scope %q, want %q", first["scope"], scope)
	}
	if kind == "worker" {
		return
	}
	page, token := forms[0].form, forms[1].form
	if strings.Contains(page.Encode(), token.Get("code_verifier")) {
		t.Errorf("the verifier is in the page's URL: %v", page)
	}
	for _, name := range []string{"state", "code_challenge"} {
		isNew(t, name, page.Get(name))
	}
	if page.Get("code_challenge_method") != "S256" || page.Get("code_challenge") == "" || len(token.Get("code_verifier")) < 43 {
		t.Errorf("without PKCE: %v %v", page, token)
	}
}
