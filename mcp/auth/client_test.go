package auth_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

func TestSignIn(t *testing.T) {
	proves(t, "auth.asmeta.client-rfc8414", "auth.prm.client", "auth.www-authenticate.parse", "auth.register.obtain",
		"auth.scope.challenge-authoritative", "auth.resource.implement", "auth.resource.both-requests", "auth.resource.names-server",
		"auth.resource.canonical", "auth.resource.always", "auth.token.bearer-header", "auth.token.every-request", "auth.token.not-in-query",
		"auth.sec.redirect-registered", "auth.sec.redirect-scheme", "auth.sec.pkce", "auth.sec.pkce-s256", "auth.iss.record",
		"auth.resource.specific", "auth.refresh.grant-type", "auth.sec.local-public-client", "auth.dcr.2025-03", "auth.dcr.2025-06", "auth.dcr.later", "auth.http.conform")
	everyRevision(t, func(t *testing.T, revision string) {
		a := newAuthority(t)
		s := newSite(t, a, nil)
		c := mustConnect(t, s, &auth.Client{Name: "Reader"}, revision)
		for range 2 {
			if err := use(t, c, "read"); err != nil {
				t.Fatal(err)
			}
		}
		if got, want := a.paths(), "/.well-known/oauth-authorization-server /register /authorize /token"; got != want {
			t.Fatalf("the authorization server was asked %s, want %s", got, want)
		}
		registered := a.only(t, "/register")
		var m auth.ClientMetadata
		if err := json.Unmarshal([]byte(registered.body), &m); err != nil || m.Name != "Reader" || m.ApplicationType != "native" ||
			m.TokenAuthMethod != "none" || !slices.Contains(m.GrantTypes, "refresh_token") {
			t.Errorf("registered %s", registered.body)
		}
		page, token := a.only(t, "/authorize").form, a.only(t, "/token").form
		back, err := url.Parse(page.Get("redirect_uri"))
		if err != nil || back.Scheme != "http" || back.Hostname() != "127.0.0.1" || back.Port() == "" || m.RedirectURIs[0] != back.String() {
			t.Errorf("redirect_uri %s, registered %s", back, m.RedirectURIs)
		}
		for _, form := range []url.Values{page, token} {
			if form.Get("resource") != s.endpoint() {
				t.Errorf("resource %q, want %q", form.Get("resource"), s.endpoint())
			}
		}
		if page.Get("code_challenge_method") != "S256" || len(page.Get("state")) < 20 || len(token.Get("code_verifier")) < 43 || page.Get("scope") != "mcp" {
			t.Errorf("asked %v", page)
		}
		if strings.Contains(page.Encode(), token.Get("code_verifier")) {
			t.Error("the verifier is in the page's URL")
		}
		without := 0
		for _, r := range s.requests("/mcp") {
			if strings.Contains(r.form.Encode(), "access-") {
				t.Errorf("a token in the query: %v", r.form)
			}
			if scheme, text, _ := strings.Cut(r.header.Get("Authorization"), " "); scheme != "Bearer" || !strings.HasPrefix(text, "access-") {
				without++
			}
		}
		if without != 1 {
			t.Errorf("%d requests without a token, want the first alone", without)
		}
	})
}

// noMetadata has a site answer as those of 2025-03-26: with status 401 alone,
// and with an authorization server of its own at some paths.
func noMetadata(s *site, a *authority, own func(path string) bool) {
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource"):
			http.NotFound(w, r)
			return true
		case r.URL.Path == "/mcp" && r.Header.Get("Authorization") == "":
			w.WriteHeader(http.StatusUnauthorized)
			return true
		case r.URL.Path != "/mcp" && own(r.URL.Path):
			a.ServeHTTP(w, r)
			return true
		}
		return false
	})
}

func TestAServerOf20250326IsItsOwnAuthorizationServer(t *testing.T) {
	proves(t, "auth.fallback.client", "auth.fallback.metadata-first")
	everyRevision(t, func(t *testing.T, revision string) {
		for name, metadata := range map[string]bool{"with metadata": true, "at default paths": false} {
			t.Run(name, func(t *testing.T) {
				a := newAuthority(t)
				s := newSite(t, a, func(o *auth.Options) { o.Scopes = nil })
				a.edit = func(m map[string]any) {
					m["issuer"] = s.URL
					for _, name := range []string{"authorization", "token", "registration"} {
						m[name+"_endpoint"] = s.URL + map[string]string{"authorization": "/authorize", "token": "/token", "registration": "/register"}[name]
					}
				}
				a.answer = func(q url.Values) { q.Del("iss") }
				if metadata {
					a.answer = func(q url.Values) { q.Set("iss", s.URL) }
				}
				noMetadata(s, a, func(path string) bool { return metadata || !strings.HasPrefix(path, "/.well-known/") })
				c := mustConnect(t, s, &auth.Client{}, revision)
				if err := use(t, c, "read"); err != nil {
					t.Error(err)
				}
				want := "/register /authorize /token"
				if metadata {
					want = "/.well-known/oauth-authorization-server " + want
				}
				if got := a.paths(); got != want {
					t.Errorf("asked %s, want %s", got, want)
				}
				if n := len(s.requests("/.well-known/oauth-authorization-server")); n != 1 {
					t.Errorf("the metadata was asked for %d times, want once", n)
				}
				if got := a.only(t, "/token").form.Get("resource"); got != s.endpoint() {
					t.Errorf("resource %q", got)
				}
			})
		}
	})
}

func TestWhereTheMetadataOfTheResourceIsLookedFor(t *testing.T) {
	proves(t, "auth.prm.client", "auth.prm.client-both", "auth.prm.client-order")
	anyRevision(t)
	const path, root = "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"
	for _, tt := range []struct {
		name, challenge, at string
		want                []string
	}{
		{"in the challenge", `Bearer resource_metadata="URL/elsewhere"`, "/elsewhere", []string{"/elsewhere"}},
		{"below the path", "Bearer", path, []string{path}},
		{"at the root", "", root, []string{path, root}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newAuthority(t)
			s := newSite(t, a, nil)
			var asked []string
			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/mcp" {
					if tt.challenge != "" {
						w.Header().Set("WWW-Authenticate", strings.ReplaceAll(tt.challenge, "URL", s.URL))
					}
					w.WriteHeader(http.StatusUnauthorized)
					return true
				}
				asked = append(asked, r.URL.Path)
				if r.URL.Path != tt.at {
					http.NotFound(w, r)
					return true
				}
				reply(w, 200, map[string]any{"resource": s.endpoint(), "authorization_servers": []string{a.issuer()}})
				return true
			})
			if err := signIn(t, s, &auth.Client{}); err != nil {
				t.Fatal(err)
			}
			if strings.Join(asked, " ") != strings.Join(tt.want, " ") {
				t.Errorf("asked %v, want %v", asked, tt.want)
			}
			if page := a.only(t, "/authorize").form; page.Has("scope") {
				t.Errorf("scope %q was asked for, though nobody named one", page.Get("scope"))
			}
		})
	}
}

// TestAServerWithAPageForEveryPath answers with HTML where it has no metadata.
func TestAServerWithAPageForEveryPath(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, func(o *auth.Options) { o.Scopes = nil })
	a.edit = func(m map[string]any) { m["issuer"] = s.URL }
	a.answer = func(q url.Values) { q.Set("iss", s.URL) }
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/mcp":
			w.WriteHeader(http.StatusUnauthorized)
		case "/.well-known/oauth-authorization-server":
			a.ServeHTTP(w, r)
		default:
			fmt.Fprint(w, "<html>Welcome")
		}
		return true
	})
	if err := signIn(t, s, new(auth.Client)); err != nil {
		t.Error(err)
	}
	a.only(t, "/token")
}

func TestClosingIsNotWorthASignIn(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	c := mustConnect(t, s, new(auth.Client), "2025-11-25")
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodDelete {
			w.WriteHeader(http.StatusUnauthorized)
		}
		return r.Method == http.MethodDelete
	})
	a.set(func() { a.asked = nil })
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if n := len(s.requests("/mcp")); n == 0 || a.paths() != "" || s.requests("/mcp")[n-1].method != http.MethodDelete {
		t.Errorf("asked %s", a.paths())
	}
}

func TestWhereTheMetadataOfTheAuthorizationServerIsLookedFor(t *testing.T) {
	proves(t, "auth.asmeta.client-both", "auth.asmeta.several-endpoints", "auth.asmeta.order-with-path", "auth.asmeta.order-without-path",
		"auth.asmeta.issuer-equal")
	anyRevision(t)
	for _, tt := range []struct {
		path  string
		order []string
	}{
		{"", []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"}},
		{"/tenant1", []string{"/.well-known/oauth-authorization-server/tenant1", "/.well-known/openid-configuration/tenant1", "/tenant1/.well-known/openid-configuration"}},
	} {
		for n := range tt.order {
			t.Run(tt.order[n], func(t *testing.T) {
				a := newAuthority(t)
				a.path, a.metadata = tt.path, []string{tt.order[n]}
				s := newSite(t, a, nil)
				if err := signIn(t, s, &auth.Client{}); err != nil {
					t.Fatal(err)
				}
				want := strings.Join(tt.order[:n+1], " ") + " /register /authorize /token"
				if got := a.paths(); got != want {
					t.Errorf("asked %s, want %s", got, want)
				}
			})
		}
	}
}

func TestMetadataOfAnotherIssuerIsNotUsed(t *testing.T) {
	proves(t, "auth.asmeta.issuer-differs", "auth.asmeta.issuer-equal")
	anyRevision(t)
	for _, suffix := range []string{"/", "/other", "?x=1"} {
		a := newAuthority(t)
		a.edit = func(m map[string]any) { m["issuer"] = a.URL + suffix }
		err := signIn(t, newSite(t, a, nil), &auth.Client{})
		wantFailure(t, a, err, "another issuer", a.URL)
		if got := a.paths(); got != "/.well-known/oauth-authorization-server" {
			t.Errorf("asked %s", got)
		}
	}
}

// TestAnOlderServersMetadataOfAnotherIssuer has the server be its own
// authorization server.
func TestAnOlderServersMetadataOfAnotherIssuer(t *testing.T) {
	proves(t, "auth.asmeta.issuer-differs")
	anyRevision(t)
	a := newAuthority(t) // another origin than the server's
	s := newSite(t, a, nil)
	noMetadata(s, a, func(string) bool { return true })
	wantFailure(t, a, signIn(t, s, new(auth.Client)), "another issuer", s.URL)
	if got := a.paths(); got != "/.well-known/oauth-authorization-server" {
		t.Errorf("asked %s", got)
	}
}

func TestUpperCaseAndSlashes(t *testing.T) {
	proves(t, "auth.resource.case", "auth.resource.no-slash")
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, func(o *auth.Options) { o.Scopes = nil })
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource") {
			http.NotFound(w, r)
			return true
		}
		if r.URL.Path != "/" {
			a.ServeHTTP(w, r)
		} else {
			w.WriteHeader(http.StatusUnauthorized)
		}
		return true
	})
	c := &auth.Client{Browser: browse}
	upper := strings.Replace(s.URL, "http://127.0.0.1", "HTTP://LOCALHOST", 1) + "/"
	lower := strings.ToLower(strings.TrimSuffix(upper, "/"))
	a.edit = func(m map[string]any) { m["issuer"] = lower + "/" }
	a.answer = func(q url.Values) { q.Set("iss", lower+"/") }
	if err := c.SignIn(t.Context(), upper); err != nil {
		t.Fatal(err)
	}
	if got := a.only(t, "/token").form.Get("resource"); got != lower {
		t.Errorf("resource %q, want %q", got, lower)
	}
}

func TestTheResourceMustBeTheServer(t *testing.T) {
	proves(t, "auth.resource.names-server", "auth.token.client-only-as")
	anyRevision(t)
	for _, tt := range []struct {
		resource string // URL stands for the server's origin
		ok       bool
	}{
		{"URL/mcp", true},
		{"URL", true},
		{"URL/", true},
		{"URL/mcp/", true},
		{"URL/mc", false},
		{"URL/mcp2", false},
		{"URL/mcp/tenant", false},
		{"URL/mcp#part", false},
		{"URL/mcp#", false},
		{"URL/mcp?x=1", false},
		{"https://evil.example.com/mcp", false},
		{"", false},
	} {
		a := newAuthority(t)
		s := newSite(t, a, nil)
		resource := strings.ReplaceAll(tt.resource, "URL", s.URL)
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/mcp" {
				return false
			}
			reply(w, 200, map[string]any{"resource": resource, "authorization_servers": []string{a.issuer()}})
			return true
		})
		err := signIn(t, s, &auth.Client{})
		if (err == nil) != tt.ok {
			t.Errorf("%q: %v", tt.resource, err)
		}
		if !tt.ok {
			if a.paths() != "" {
				t.Errorf("%q: the authorization server was asked %s", tt.resource, a.paths())
			}
			continue
		}
		// It is sent as it is, character for character.
		if page, token := a.only(t, "/authorize").form, a.only(t, "/token").form; page.Get("resource") != resource || token.Get("resource") != resource {
			t.Errorf("%q was sent as %q and %q", resource, page.Get("resource"), token.Get("resource"))
		}
	}
}

func TestErrorsNameIssuerAndStep(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	a.answer = func(q url.Values) {
		q.Del("code")
		q.Set("error", "access_denied")
		q.Set("error_description", "the user\x1b[31m said no")
	}
	_, err := connect(t, s, &auth.Client{}, "")
	failed, ok := errors.AsType[*auth.ClientError](err)
	if !ok || failed.Server != s.endpoint() || failed.Issuer != a.issuer() || failed.Step != "ask the user" || failed.Code != "access_denied" {
		t.Fatalf("%+v, %v", failed, err)
	}
	if text := err.Error(); !strings.Contains(text, "said no") || strings.Contains(text, "\x1b") {
		t.Errorf("%q", text)
	}
}

func TestOtherRefusalsAreNotAnsweredWithASignIn(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	for _, tt := range []struct {
		status            int
		challenge, report string
	}{
		{401, `Basic realm="x"`, `scheme "Basic"`},
		{403, "", "forbids the request"},
		{403, `Bearer error="invalid_token"`, "forbids the request"},
	} {
		s.intercept(func(w http.ResponseWriter, _ *http.Request) bool {
			if tt.challenge != "" {
				w.Header().Set("WWW-Authenticate", tt.challenge)
			}
			w.WriteHeader(tt.status)
			return true
		})
		_, err := connect(t, s, &auth.Client{}, "")
		wantFailure(t, a, err, tt.report)
		if a.paths() != "" {
			t.Errorf("asked %s", a.paths())
		}
	}
}

func TestATokenGoesToOneOriginAlone(t *testing.T) {
	proves(t, "auth.token.client-only-as")
	anyRevision(t)
	a := newAuthority(t)
	s, other := newSite(t, a, nil), newSite(t, a, nil)
	c := new(auth.Client)
	if err := use(t, mustConnect(t, s, c, ""), "read"); err != nil {
		t.Fatal(err)
	}
	if _, err := connect(t, other, c, ""); err == nil || !strings.Contains(err.Error(), "a Client of its own") {
		t.Errorf("a second server: %v", err)
	}
	// A redirect does not take it along.
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, other.URL+r.URL.Path, http.StatusTemporaryRedirect)
		return true
	})
	if _, err := connect(t, s, c, ""); err == nil {
		t.Error("a redirect to another origin is followed")
	}
	if n := len(other.seen); n != 0 {
		t.Errorf("the other origin got %d requests", n)
	}
}
