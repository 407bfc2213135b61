package auth_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

// missing contains the statuses that servers return for a document that does not exist.
var missing = []int{http.StatusOK, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone}

// noMetadata makes a site behave like a server of revision 2025-03-26. It refuses requests without
// a challenge and is its own authorization server, at the paths that isAuthority accepts. Requests
// for other well-known paths get the given status.
func noMetadata(s *site, a *authority, status int, isAuthority func(path string) bool) {
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		switch {
		case strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource"), strings.HasPrefix(r.URL.Path, "/.well-known/") && !isAuthority(r.URL.Path):
			w.WriteHeader(status)
			fmt.Fprint(w, "<html>Welcome")
			return true
		case r.URL.Path == "/mcp" && r.Header.Get("Authorization") == "":
			w.WriteHeader(http.StatusUnauthorized)
			return true
		case r.URL.Path != "/mcp" && isAuthority(r.URL.Path):
			a.ServeHTTP(w, r)
			return true
		}
		return false
	})
}

func TestAServerOf20250326IsItsOwnAuthorizationServer(t *testing.T) {
	proves(t, "auth.fallback.client", "auth.fallback.metadata-first", "auth.base-url.version-header", "auth.dcr.2025-03", "auth.base-url.no-path")
	everyRevision(t, func(t *testing.T, revision string) {
		for n, status := range slices.Repeat(missing, 2) {
			metadata := n < len(missing)
			t.Run(fmt.Sprintf("otherwise %d, metadata %t", status, metadata), func(t *testing.T) {
				a := newAuthority(t)
				s := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes = nil })
				a.edit = func(m map[string]any) {
					m["issuer"] = s.URL
					for _, name := range []string{"authorization", "token", "registration"} {
						m[name+"_endpoint"] = s.URL + map[string]string{"authorization": "/authorize", "token": "/token", "registration": "/register"}[name] + mark
					}
				}
				a.answer = func(q url.Values) { q.Del("iss") }
				if metadata {
					a.answer = func(q url.Values) { q.Set("iss", s.URL) }
				}
				noMetadata(s, a, status, func(path string) bool { return metadata || !strings.HasPrefix(path, "/.well-known/") })
				store := new(auth.MemoryStore)
				c := mustConnect(t, s, &auth.OAuthClient{Store: store}, revision)
				if err := use(t, c, "read"); err != nil {
					t.Error(err)
				}
				// Each later sign-in also begins with a request for the metadata.
				again := &auth.OAuthClient{Store: store}
				for range 2 {
					if err := signIn(t, s, again); err != nil {
						t.Error(err)
					}
				}
				want := "/register" + strings.Repeat(" /authorize /token", 3)
				if metadata {
					const document = "/.well-known/oauth-authorization-server"
					want = document + " /register /authorize /token" + strings.Repeat(" "+document+" /authorize /token", 2)
				}
				if got := a.paths(); got != want {
					t.Errorf("asked %s, want %s", got, want)
				}
				log := s.requests("/.well-known/oauth-authorization-server")
				if n := len(log); n != 3 {
					t.Errorf("the metadata was asked for %d times, want once each time", n)
				}
				if !metadata {
					log = append(log, s.requests("/.well-known/openid-configuration")...)
				}
				for _, one := range log {
					if got := one.header["Mcp-Protocol-Version"]; len(got) != 1 || got[0] != "2025-03-26" {
						t.Errorf("%s names the revision %q", one.path, got)
					}
				}
				if !metadata && len(log) != 6 {
					t.Errorf("the metadata was asked for %d times in all, want twice each time", len(log))
				}
				for _, one := range a.requests("/token") {
					if got := one.form.Get("resource"); got != s.endpoint() {
						t.Errorf("resource %q", got)
					}
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
		name, challenge, uri string
		want                 []string
	}{
		{"in the challenge", `Bearer resource_metadata="URL/elsewhere"`, "/elsewhere", []string{"/elsewhere"}},
		{"in the challenge, with a query", `Bearer resource_metadata="URL/elsewhere?of=mcp"`, "/elsewhere?of=mcp", []string{"/elsewhere?of=mcp"}},
		{"in the challenge, on another host", `Bearer resource_metadata="OTHER/elsewhere"`, "/elsewhere", []string{"/elsewhere"}},
		{"in the challenge, on another host, at a known path", `Bearer resource_metadata="OTHER` + path + `"`, path, []string{path}},
		{"below the path", "Bearer", path, []string{path}},
		{"at the root", "", root, []string{path, root}},
		{"at the root, after 400", "", root, []string{path, root}},
		{"at the root, after 401", "", root, []string{path, root}},
		{"at the root, after 403", "", root, []string{path, root}},
		{"at the root, after 405", "", root, []string{path, root}},
		{"at the root, after 410", "", root, []string{path, root}},
		{"at the root, after 200", "", root, []string{path, root}},
		{"at the root, after {}", "", root, []string{path, root}},
		{`at the root, after {"resource":""}`, "", root, []string{path, root}},
		{"at the root, after []", "", root, []string{path, root}},
		{"in a challenge for bound tokens", `DPoP resource_metadata="URL/elsewhere"`, "/elsewhere", []string{"/elsewhere"}},
		{"nowhere that the challenge names", `Bearer resource_metadata="URL/elsewhere"`, "", []string{"/elsewhere"}},
		{"at the root, which an error of the first hides, 500", "", "", []string{path}},
		{"at the root, which an error of the first hides, 503", "", "", []string{path}},
		{"at the root, which an error of the first hides, 429", "", "", []string{path}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newAuthority(t)
			s := newSite(t, a, nil)
			var paths []string
			binding(t, a, "")
			if !strings.HasPrefix(tt.challenge, "DPoP") {
				a.intercept = nil
			}
			otherwise, page := http.StatusNotFound, "<html>Welcome"
			if _, status, ok := strings.Cut(strings.Replace(tt.name, "hides, ", "after ", 1), "after "); ok {
				if _, err := fmt.Sscan(status, &otherwise); err != nil {
					otherwise, page = http.StatusOK, status
				}
			}
			documents := func(w http.ResponseWriter, r *http.Request) {
				paths = append(paths, r.URL.RequestURI())
				if r.URL.RequestURI() != tt.uri {
					w.WriteHeader(otherwise)
					fmt.Fprint(w, page)
					return
				}
				reply(w, 200, map[string]any{"resource": s.endpoint(), "authorization_servers": []string{a.issuer()}})
			}
			other := httptest.NewServer(http.HandlerFunc(documents))
			defer other.Close()
			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				switch {
				case r.URL.Path == "/mcp":
					if tt.challenge != "" {
						w.Header().Set("WWW-Authenticate", strings.NewReplacer("URL", s.URL, "OTHER", other.URL).Replace(tt.challenge))
					}
					w.WriteHeader(http.StatusUnauthorized)
				case strings.Contains(tt.challenge, "OTHER"):
					t.Errorf("the server is asked for %s", r.URL)
					http.NotFound(w, r)
				default:
					documents(w, r)
				}
				return true
			})
			for c := (&auth.OAuthClient{}); len(a.requests("/authorize")) < 2; paths = nil { // the client needs two sign-ins to get a token
				if err := signIn(t, s, c); (err == nil) != (tt.uri != "") {
					t.Fatal(err)
				}
				if strings.Join(paths, " ") != strings.Join(tt.want, " ") {
					t.Errorf("asked %v, want %v", paths, tt.want)
				}
				if tt.uri == "" {
					return
				}
			}
			for _, page := range a.requests("/authorize") {
				if page.form.Has("scope") {
					t.Errorf("scope %q was asked for, though nobody named one", page.form.Get("scope"))
				}
			}
		})
	}
	for uri, want := range map[string][]string{
		"": {root}, "/": {root}, "/mcp/": {path, root}, "/mcp?x=1": {path, root}, "/?x=1": {root}, "/a%2Fb/c%20d": {root + "/a%2Fb/c%20d", root},
	} {
		var paths []string
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, root) {
				paths = append(paths, r.URL.RequestURI())
			}
			http.NotFound(w, r)
		}))
		if err := new(auth.OAuthClient).SignIn(t.Context(), s.URL+uri); err == nil || !slices.Equal(paths, want) {
			t.Errorf("%q: asked %v, want %v (%v)", uri, paths, want, err)
		}
		s.Close()
	}
}

// TestSeveralAuthorizationServers lists several authorization servers in the
// metadata of a resource, some of which cannot be used.
func TestSeveralAuthorizationServers(t *testing.T) {
	proves(t, "auth.prm.client", "auth.asmeta.issuer-equal", "auth.asmeta.issuer-differs", "auth.sec.pkce-verify-support", "auth.sec.pkce-refuse", "auth.sec.comm", "auth.multi-as.separate")
	everyRevision(t, func(t *testing.T, revision string) {
		for _, tt := range []struct {
			list string
			want string // empty for an error
			bad  string // part of the expected error
		}{
			{"good", "good", ""},
			{"good other", "good", ""},
			{"other good", "other", ""},
			{"dead good other", "good", ""},
			{"dead insecure other good", "other", ""},
			{"liar good", "good", ""},
			{"dead liar good", "good", ""},
			{"liar dead liar", "", "another issuer"},
			{"dead liar", "", "another issuer"},
			{"dead plain good", "", "S256"}, // all three servers have metadata
			{"dead", "", "metadata of the authorization server"},
			{"dead dead", "", "metadata of the authorization server"},
			{"insecure", "", "must use https"},
			{"dead dead dead dead dead good", "", "metadata of the authorization server"},
			{"dead dead dead dead good", "good", ""},
		} {
			t.Run(tt.list, func(t *testing.T) {
				all := map[string]*authority{}
				for _, name := range []string{"good", "other", "plain", "liar", "dead"} {
					all[name] = newAuthority(t)
				}
				all["plain"].edit = func(m map[string]any) { m["code_challenge_methods_supported"] = []string{"plain"} }
				all["liar"].edit = func(m map[string]any) { m["issuer"] = all["good"].issuer() }
				all["dead"].metadata = []string{"/none"}
				var issuers []string
				for name := range strings.FieldsSeq(tt.list) {
					if name == "insecure" {
						issuers = append(issuers, "http://as.example.com")
					} else {
						issuers = append(issuers, all[name].issuer())
					}
				}
				s := newSite(t, all["good"], func(o *auth.GuardOptions) {
					o.AuthorizationServers = []string{all["good"].issuer(), all["other"].issuer()}
					o.Verifier = auth.Verifiers(auth.VerifierFunc(all["good"].verify), auth.VerifierFunc(all["other"].verify))
				})
				s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
					if strings.HasPrefix(r.URL.Path, "/.well-known/") {
						reply(w, 200, map[string]any{"resource": s.endpoint(), "authorization_servers": issuers})
					}
					return strings.HasPrefix(r.URL.Path, "/.well-known/")
				})
				c, err := connect(t, s, new(auth.OAuthClient), revision)
				if (err == nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.bad) {
					t.Fatal(err)
				}
				if err == nil {
					err = use(t, c, "erase") // a second sign-in, for an additional scope
				}
				if err != nil && tt.want != "" {
					t.Error(err)
				}
				for name, a := range all {
					if pages, tokens := len(a.requests("/authorize")), len(a.requests("/token")); name == tt.want && (pages != 2 || tokens != 2) || name != tt.want && (pages != 0 || tokens != 0) {
						t.Errorf("%s: %d pages and %d tokens", name, pages, tokens)
					}
				}
			})
		}
	})
}

// TestAServerWithAPageForEveryPath uses a server that sends an HTML page for every path for which
// it has no metadata.
func TestAServerWithAPageForEveryPath(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes = nil })
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
	if err := signIn(t, s, new(auth.OAuthClient)); err != nil {
		t.Error(err)
	}
	a.only(t, "/token")
}

// hangUp is the status with which a test makes the server close the connection without a response.
const hangUp = 0

func TestWhereTheMetadataOfTheAuthorizationServerIsLookedFor(t *testing.T) {
	proves(t, "auth.asmeta.client-both", "auth.asmeta.client-rfc8414", "auth.asmeta.several-endpoints", "auth.asmeta.order-with-path", "auth.asmeta.order-without-path",
		"auth.asmeta.issuer-equal")
	anyRevision(t)
	const rfc8414, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	for path, order := range map[string][]string{
		"":               {rfc8414, openID},
		"/":              {rfc8414, openID},
		"/tenant1":       {rfc8414 + "/tenant1", openID + "/tenant1", "/tenant1" + openID},
		"/tenant1/":      {rfc8414 + "/tenant1", openID + "/tenant1", "/tenant1" + openID},
		"/a/b/c":         {rfc8414 + "/a/b/c", openID + "/a/b/c", "/a/b/c" + openID},
		"/t%2F1/b%20c":   {rfc8414 + "/t%2F1/b%20c", openID + "/t%2F1/b%20c", "/t%2F1/b%20c" + openID},
		"/.well-known/x": {rfc8414 + "/.well-known/x", openID + "/.well-known/x", "/.well-known/x" + openID},
	} {
		for n := range order {
			for _, without := range []int{http.StatusNotFound, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusMethodNotAllowed, http.StatusGone, http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusFound, http.StatusOK, hangUp} {
				if n == 0 && without != http.StatusNotFound {
					continue // the client must not try this URL
				}
				t.Run(fmt.Sprintf("%s, otherwise %d", order[n], without), func(t *testing.T) {
					a := newAuthority(t)
					a.path = path
					a.edit = func(m map[string]any) {
						m["issuer"], m["client_id_metadata_document_supported"] = a.URL+path, true
					}
					a.clients[documentURL] = &app{method: "none", redirects: []string{"http://127.0.0.1/callback"}}
					var requests []string
					a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
						if !strings.Contains(r.URL.Path, rfc8414) && !strings.Contains(r.URL.Path, openID) {
							return false
						}
						requests = append(requests, r.URL.EscapedPath())
						if r.URL.EscapedPath() == order[n] {
							reply(w, 200, a.document())
						} else if without == hangUp {
							panic(http.ErrAbortHandler)
						} else {
							w.Header().Set("Location", "http://elsewhere.example.com/")
							w.WriteHeader(without)
							fmt.Fprint(w, "<html>Welcome")
						}
						return true
					}
					must(t, signIn(t, newSite(t, a, nil), &auth.OAuthClient{MetadataDocument: documentURL, RedirectURL: "http://127.0.0.1/callback", Receive: location}))
					if requests = slices.Compact(requests); !slices.Equal(requests, order[:n+1]) { // the HTTP client repeats a request whose connection was closed
						t.Errorf("asked %s, want %s", requests, order[:n+1])
					}
					if got := a.only(t, "/authorize").form.Get("client_id"); got != documentURL {
						t.Errorf("client %s", got)
					}
					a.only(t, "/token")
				})
			}
		}
	}
}

func TestMetadataOfAnotherIssuerIsNotUsed(t *testing.T) {
	proves(t, "auth.asmeta.issuer-differs", "auth.asmeta.issuer-equal")
	anyRevision(t)
	const rfc8414, openID = "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"
	for path, places := range map[string][]string{"": {rfc8414, openID}, "/tenant": {rfc8414 + "/tenant", openID + "/tenant", "/tenant" + openID}} {
		for _, place := range places {
			for name, other := range map[string]func(issuer string) any{
				"with a slash":    func(issuer string) any { return issuer + "/" },
				"below":           func(issuer string) any { return issuer + "/other" },
				"with a query":    func(issuer string) any { return issuer + "?x=1" },
				"in upper case":   func(issuer string) any { return strings.ToUpper(issuer) },
				"the scheme only": func(issuer string) any { return strings.Replace(issuer, "http", "HTTP", 1) },
				"encoded":         func(issuer string) any { return strings.Replace(issuer, "127", "%31%32%37", 1) },
				"a part":          func(issuer string) any { return issuer[:len(issuer)-1] },
				"another origin":  func(string) any { return "https://as.example.com" },
				"another tenant":  func(issuer string) any { return strings.TrimSuffix(issuer, "/tenant") + "/Tenant" },
				"https":           func(issuer string) any { return strings.Replace(issuer, "http:", "https:", 1) },
				"empty":           func(string) any { return "" },
				"none":            func(string) any { return nil },
			} {
				t.Run(place+", "+name, func(t *testing.T) {
					a := newAuthority(t)
					a.path, a.metadata = path, []string{place}
					a.edit = func(m map[string]any) { m["issuer"] = other(a.issuer()) }
					wantFailure(t, a, signIn(t, newSite(t, a, nil), &auth.OAuthClient{}), "another issuer", a.URL)
					if got := a.paths(); !strings.HasSuffix(got, place) || strings.Contains(got, "/register") || strings.Contains(got, "/authorize") {
						t.Errorf("asked %s", got)
					}
				})
			}
		}
	}
}

// TestAnOlderServersMetadataOfAnotherIssuer uses a server that is its own
// authorization server.
func TestAnOlderServersMetadataOfAnotherIssuer(t *testing.T) {
	proves(t, "auth.asmeta.issuer-differs")
	anyRevision(t)
	for _, place := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		for name, other := range map[string]func(a *authority, s *site) string{
			"another origin": func(a *authority, _ *site) string { return a.URL },
			"a tenant":       func(_ *authority, s *site) string { return s.URL + "/tenant" },
			"the endpoint":   func(_ *authority, s *site) string { return s.endpoint() },
			"upper case":     func(_ *authority, s *site) string { return strings.ToUpper(s.URL) },
			"two slashes":    func(_ *authority, s *site) string { return s.URL + "//" },
			"a query":        func(_ *authority, s *site) string { return s.URL + "?x=1" },
			"a part":         func(_ *authority, s *site) string { return s.URL[:len(s.URL)-1] },
			"empty":          func(*authority, *site) string { return "" },
		} {
			t.Run(place+", "+name, func(t *testing.T) {
				a := newAuthority(t)
				s := newSite(t, a, nil)
				a.metadata = []string{place}
				a.edit = func(m map[string]any) { m["issuer"] = other(a, s) }
				noMetadata(s, a, http.StatusNotFound, func(string) bool { return true })
				wantFailure(t, a, signIn(t, s, new(auth.OAuthClient)), "another issuer", s.URL)
				if got := a.paths(); !strings.HasSuffix(got, place) {
					t.Errorf("asked %s", got)
				}
			})
		}
	}
}
