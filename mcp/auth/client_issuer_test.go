package auth_test

import (
	"crypto/ed25519"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

func TestARegistrationBelongsToItsIssuer(t *testing.T) {
	proves(t, "auth.binding.by-issuer", "auth.binding.no-reuse", "auth.binding.re-register", "auth.multi-as.separate", "auth.multi-as.no-assumption", "auth.token.client-only-as", "auth.prm.client", "auth.iss.record")
	everyRevision(t, func(t *testing.T, revision string) {
		for name, pair := range map[string]func(*testing.T) (one, two *authority){"of two origins": strangers, "of one origin": tenants} {
			t.Run(name, func(t *testing.T) { registrationsBelongToIssuers(t, revision, pair, false) })
			t.Run(name+", without the URL of the metadata", func(t *testing.T) { registrationsBelongToIssuers(t, revision, pair, true) })
		}
	})
}

// strangers returns two unrelated authorization servers.
func strangers(t *testing.T) (one, two *authority) { return newAuthority(t), newAuthority(t) }

// tenants returns two authorization servers on one origin, whose issuers differ in the last letter
// of the path.
func tenants(t *testing.T) (one, two *authority) {
	one, two = newAuthority(t), newAuthority(t)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for path, a := range map[string]*authority{"/t/a": one, "/t/A": two} {
			if rest, ok := strings.CutPrefix(r.URL.Path, path); ok {
				r.URL.Path = rest
				a.ServeHTTP(w, r)
			} else if strings.HasSuffix(r.URL.Path, path) {
				a.ServeHTTP(w, r)
			}
		}
	}))
	t.Cleanup(front.Close)
	for path, a := range map[string]*authority{"/t/a": one, "/t/A": two} {
		a.URL, a.path = front.URL, path
		a.edit = func(m map[string]any) {
			for _, name := range []string{"authorization", "token", "registration"} {
				m[name+"_endpoint"] = front.URL + path + map[string]string{"authorization": "/authorize", "token": "/token", "registration": "/register"}[name]
			}
		}
	}
	return one, two
}

// bareWriter removes the parameters from challenges.
type bareWriter struct{ http.ResponseWriter }

func (w bareWriter) WriteHeader(status int) {
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", "Bearer")
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w bareWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func registrationsBelongToIssuers(t *testing.T, revision string, pair func(*testing.T) (one, two *authority), bare bool) {
	one, two := pair(t)
	one.lifetime = 7200 // so that the token is still valid for an hour after the call of expire
	s, store := newSite(t, one, nil), new(auth.MemoryStore)
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if bare {
			s.mu.Lock()
			main := s.main
			s.mu.Unlock()
			main.ServeHTTP(bareWriter{w}, r)
		}
		return bare
	})
	c := mustConnect(t, s, &auth.OAuthClient{Store: store}, revision)
	must(t, use(t, c, "read"))
	s.trust(t, two, nil)
	expire(t, one, store) // makes the client refresh the token
	moved := len(s.requests("/mcp"))
	if revision != "2026-07-28" { // a session ends when its server is replaced
		c = mustConnect(t, s, &auth.OAuthClient{Store: store, Browser: browse}, revision)
	}
	must(t, use(t, c, "read"))
	before := one.only(t, "/authorize").form.Get("client_id")
	if n := renewed(one); n != 0 {
		t.Errorf("the first authorization server was asked for %d tokens more", n)
	}
	foreign := map[string]bool{} // tokens of the first authorization server that the MCP server has refused
	one.set(func() {
		for _, r := range s.requests("/mcp")[moved:] {
			if _, token, _ := strings.Cut(r.header.Get("Authorization"), " "); one.access[token] != nil {
				foreign[token] = true
			}
		}
	})
	if len(foreign) > 1 {
		t.Errorf("the server was shown %d tokens of the first authorization server, after it had moved", len(foreign))
	}
	two.only(t, "/register")
	two.mu.Lock()
	for _, r := range two.log {
		if strings.Contains(r.body+r.form.Encode()+fmt.Sprint(r.header), before) {
			t.Errorf("the second authorization server was shown a client id of the first: %s", r.path)
		}
	}
	for _, r := range two.log {
		if strings.Contains(r.body+fmt.Sprint(r.header), "refresh-") {
			t.Error("the second authorization server was shown a refresh token of the first")
		}
	}
	two.mu.Unlock()
	// When the server trusts the first authority again, the client uses its first registration.
	s.trust(t, one, nil)
	c = mustConnect(t, s, &auth.OAuthClient{Store: store, Browser: browse}, revision)
	must(t, use(t, c, "read"))
	one.only(t, "/register")
	if pages := one.requests("/authorize"); len(pages) != 2 || pages[1].form.Get("client_id") != before {
		t.Errorf("%d pages at the first", len(pages))
	}
}

// TestAnIssuerWithASlashIsAnother adds a slash to the end of an authorization server's issuer.
func TestAnIssuerWithASlashIsAnother(t *testing.T) {
	proves(t, "auth.binding.re-register", "auth.binding.by-issuer", "auth.binding.no-reuse", "auth.multi-as.separate", "auth.multi-as.no-assumption")
	anyRevision(t)
	a, store := newAuthority(t), new(auth.MemoryStore)
	var ids []string
	for n, path := range []string{"/t", "/t/", "/t", "/t/"} {
		a.set(func() { a.path, a.metadata = path, []string{"/.well-known/oauth-authorization-server/t"} })
		must(t, signIn(t, newSite(t, a, nil), &auth.OAuthClient{Store: store}))
		ids = append(ids, a.requests("/authorize")[n].form.Get("client_id"))
	}
	if len(a.requests("/register")) != 2 || ids[0] == ids[1] || ids[2] != ids[0] || ids[3] != ids[1] {
		t.Errorf("registered %d times, and signed in as %q", len(a.requests("/register")), ids)
	}
	// A value that is stored under one issuer's key is not used if it belongs to
	// another issuer.
	auth.Rewrite(store, "client ", a.issuer(), "https://as.example.com")
	must(t, signIn(t, newSite(t, a, nil), &auth.OAuthClient{Store: store}))
	if n := len(a.requests("/register")); n != 3 {
		t.Errorf("registered %d times, want once more", n)
	}
}

// TestARefreshTokenBelongsToItsClient refreshes a token after the credentials were changed or the
// client registered again.
func TestARefreshTokenBelongsToItsClient(t *testing.T) {
	proves(t, "auth.binding.no-reuse", "auth.multi-as.no-assumption")
	anyRevision(t)
	for _, method := range []string{"none", "client_secret_post"} {
		for name, change := range map[string]func(c *auth.OAuthClient, store *auth.MemoryStore, issuer string){
			"other credentials": func(c *auth.OAuthClient, _ *auth.MemoryStore, _ string) { c.Registrations[0].ClientID = "another" },
			"registered again":  func(c *auth.OAuthClient, _ *auth.MemoryStore, _ string) { c.Registrations = nil },
			"of another issuer": func(c *auth.OAuthClient, _ *auth.MemoryStore, _ string) {
				c.Registrations[0].Issuer = "https://as.example.com"
			},
			"credentials in front": func(c *auth.OAuthClient, _ *auth.MemoryStore, issuer string) {
				c.Registrations = []auth.Registration{{Issuer: issuer, ClientID: "another", ClientSecret: "of another"}, c.Registrations[0]}
			},
		} {
			t.Run(method+", "+name, func(t *testing.T) {
				a, store := newAuthority(t), new(auth.MemoryStore)
				a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{method} }
				secret := map[string]string{"client_secret_post": "hidden"}[method]
				for id, secret := range map[string]string{"known": secret, "another": "of another"} {
					a.clients[id] = &app{method: method, secret: secret, redirects: []string{"http://127.0.0.1/callback"}}
				}
				s := newSite(t, a, nil)
				// the session was created with a different registration
				c := &auth.OAuthClient{Store: store}
				must(t, signIn(t, s, c))
				c = &auth.OAuthClient{Store: store, RedirectURL: "http://127.0.0.1/callback", Receive: location, Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "known", ClientSecret: secret}}}
				must(t, signIn(t, s, c))
				expire(t, a, store)
				next := &auth.OAuthClient{Store: store, Registrations: c.Registrations}
				change(next, store, a.issuer())
				got, err := authorized(t.Context(), next, s.endpoint())
				lost := method != "none" && name != "credentials in front" // whether the client secret has changed
				if err != nil || (got == "") != lost {
					t.Errorf("%q, %v", got, err)
				}
				for _, r := range a.requests("/token") {
					if r.form.Get("grant_type") == "refresh_token" && (r.form.Get("client_id") != "known" || r.form.Get("client_secret") != secret) {
						t.Errorf("refreshed as %v", r.form)
					}
				}
			})
		}
	}
}

func TestClientsRegisteredBeforehandBelongToTheirIssuer(t *testing.T) {
	proves(t, "auth.binding.no-reuse", "auth.multi-as.no-assumption", "auth.binding.prereg-mismatch", "auth.multi-as.separate")
	anyRevision(t)
	for name, pair := range map[string]func(*testing.T) (one, two *authority){"of two origins": strangers, "of one origin": tenants} {
		t.Run(name, func(t *testing.T) {
			one, two := pair(t)
			knownClientsBelongToIssuers(t, one, two)
		})
	}
}

func knownClientsBelongToIssuers(t *testing.T, one, two *authority) {
	endpoints := one.edit
	for _, r := range []auth.Registration{{Issuer: one.issuer(), ClientID: "known", ClientSecret: "hidden"}, {ClientID: "known", ClientSecret: "hidden"}, {Issuer: one.issuer(), ClientID: "public"}, {ClientID: "public"}} {
		store := new(auth.MemoryStore)
		client := func() *auth.OAuthClient {
			return &auth.OAuthClient{Registrations: []auth.Registration{r}, Store: store, RedirectURL: "http://127.0.0.1/callback", Receive: location}
		}
		redirects := []string{"http://127.0.0.1/callback"}
		one.clients["known"] = &app{secret: "hidden", method: "client_secret_basic", redirects: redirects}
		one.clients["public"], two.clients["new"] = &app{method: "none", redirects: redirects}, &app{method: "none", redirects: redirects}
		one.edit = func(m map[string]any) {
			if endpoints != nil {
				endpoints(m)
			}
			m["token_endpoint_auth_methods_supported"] = nil
		}
		s := newSite(t, one, nil)
		must(t, signIn(t, s, client()))
		s.trust(t, two, nil)
		wantFailure(t, two, signIn(t, s, client()), two.issuer(), one.issuer(), "register one with this authorization server")
		worker := client()
		worker.Grant = auth.ClientCredentials
		wantFailure(t, two, signIn(t, s, worker), two.issuer(), one.issuer(), "register one with this authorization server")
		worker.Registrations[0].Key, worker.Registrations[0].ClientSecret = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), ""
		wantFailure(t, two, signIn(t, s, worker), two.issuer(), one.issuer(), "register one with this authorization server")
		if got := two.paths(); strings.Contains(got, "/register") || strings.Contains(got, "/authorize") {
			t.Errorf("the second authorization server was asked %s", got)
		}
		// If the client is also registered with the second authority, it is used there.
		both := client()
		both.Registrations = append(both.Registrations, auth.Registration{ClientID: "new"})
		if err := signIn(t, s, both); err != nil || two.only(t, "/authorize").form.Get("client_id") != "new" {
			t.Errorf("%v", err)
		}
		two.set(func() { two.log = nil })
	}
}

// TestAClientIDAtTwoIssuers registers a client with two authorization servers, with the same ID but
// different secrets.
func TestAClientIDAtTwoIssuers(t *testing.T) {
	proves(t, "auth.binding.no-reuse", "auth.multi-as.no-assumption", "auth.binding.by-issuer", "auth.multi-as.separate")
	anyRevision(t)
	one, two := newAuthority(t), newAuthority(t)
	var all []auth.Registration
	for _, a := range []*authority{one, two} {
		secret := "secret of " + a.URL
		a.clients["known"] = &app{secret: secret, method: "client_secret_post", redirects: []string{"http://127.0.0.1/callback"}}
		a.edit = func(m map[string]any) {
			m["token_endpoint_auth_methods_supported"], m["revocation_endpoint"] = []string{"client_secret_post"}, a.URL+"/revoke"+mark
		}
		all = append(all, auth.Registration{Issuer: a.issuer(), ClientID: "known", ClientSecret: secret})
	}
	for _, a := range []*authority{one, two} {
		s, store := newSite(t, a, nil), new(auth.MemoryStore)
		client := func() *auth.OAuthClient {
			return &auth.OAuthClient{Registrations: all, Store: store, RedirectURL: "http://127.0.0.1/callback", Receive: location}
		}
		must(t, signIn(t, s, client()))
		if !auth.Age(store) {
			t.Fatal("nothing is kept")
		}
		c := client()
		if got, err := authorized(t.Context(), c, s.endpoint()); err != nil || !strings.HasPrefix(got, "Bearer access-") || renewed(a) != 1 {
			t.Errorf("%q, %v after %d refreshes", got, err, renewed(a))
		}
		if err := c.SignOut(t.Context(), s.endpoint()); err != nil {
			t.Error(err)
		}
		other := "secret of " + map[*authority]*authority{one: two, two: one}[a].URL
		for _, r := range a.log {
			if r.form.Get("client_secret") == other {
				t.Errorf("%s gets the secret of another authorization server", r.path)
			}
		}
	}
}
