package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/docent-mcp/docent/mcp"
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
		for _, name := range []string{"state", "code_challenge"} {
			isNew(t, name, page.Get(name))
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

// missing are the statuses that servers answer with for a document that they do not have.
var missing = []int{http.StatusOK, http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone}

// noMetadata makes a site answer as servers of 2025-03-26 do: it refuses requests
// without a challenge, is its own authorization server at the paths that isAuthority
// accepts, and answers other well-known paths with status.
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
				c := mustConnect(t, s, &auth.Client{Store: store}, revision)
				if err := use(t, c, "read"); err != nil {
					t.Error(err)
				}
				// The second sign-in begins with the metadata, too.
				if err := signIn(t, s, &auth.Client{Store: store}); err != nil {
					t.Error(err)
				}
				want := "/register /authorize /token /authorize /token"
				if metadata {
					want = "/.well-known/oauth-authorization-server /register /authorize /token /.well-known/oauth-authorization-server /authorize /token"
				}
				if got := a.paths(); got != want {
					t.Errorf("asked %s, want %s", got, want)
				}
				asked := s.requests("/.well-known/oauth-authorization-server")
				if n := len(asked); n != 2 {
					t.Errorf("the metadata was asked for %d times, want once each time", n)
				}
				if !metadata {
					asked = append(asked, s.requests("/.well-known/openid-configuration")...)
				}
				for _, one := range asked {
					if got := one.header["Mcp-Protocol-Version"]; len(got) != 1 || got[0] != "2025-03-26" {
						t.Errorf("%s names the revision %q", one.path, got)
					}
				}
				if !metadata && len(asked) != 4 {
					t.Errorf("the metadata was asked for %d times in all, want twice each time", len(asked))
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
		name, challenge, at string
		want                []string
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
			var asked []string
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
				asked = append(asked, r.URL.RequestURI())
				if r.URL.RequestURI() != tt.at {
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
			for c := (&auth.Client{}); len(a.requests("/authorize")) < 2; asked = nil { // the second time it has a token
				if err := signIn(t, s, c); (err == nil) != (tt.at != "") {
					t.Fatal(err)
				}
				if strings.Join(asked, " ") != strings.Join(tt.want, " ") {
					t.Errorf("asked %v, want %v", asked, tt.want)
				}
				if tt.at == "" {
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
}

// TestSeveralAuthorizationServers has the metadata of a resource name several,
// some of which cannot be used.
func TestSeveralAuthorizationServers(t *testing.T) {
	proves(t, "auth.prm.client", "auth.asmeta.issuer-equal", "auth.asmeta.issuer-differs", "auth.sec.pkce-verify-support", "auth.sec.pkce-refuse", "auth.sec.comm", "auth.multi-as.separate")
	everyRevision(t, func(t *testing.T, revision string) {
		for _, tt := range []struct {
			list string // in order
			want string // "" for an error
			bad  string // in the error
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
			{"dead plain good", "", "S256"}, // which has metadata
			{"dead", "", "no metadata"},
			{"dead dead", "", "no metadata"},
			{"insecure", "", "must have https"},
			{"dead dead dead dead dead good", "", "no metadata"},
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
				c, err := connect(t, s, new(auth.Client), revision)
				if (err == nil) != (tt.want != "") || err != nil && !strings.Contains(err.Error(), tt.bad) {
					t.Fatal(err)
				}
				if err == nil {
					err = use(t, c, "erase") // another sign-in, for a further scope
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

// TestChallengesInEveryForm writes the challenge of a 401 and of a 403 as HTTP
// allows, and looks at what the client makes of it.
func TestChallengesInEveryForm(t *testing.T) {
	proves(t, "auth.www-authenticate.parse", "auth.prm.client", "auth.prm.client-both", "auth.scope.challenge-authoritative", "auth.scope.no-set-relation", "auth.stepup.respond")
	everyRevision(t, func(t *testing.T, revision string) {
		for _, headers := range [][]string{
			{`Bearer resource_metadata="URL", scope="SCOPE", error="ERROR"`},
			{`Bearer error="ERROR", scope="SCOPE", resource_metadata="URL"`},
			{`bearer ERROR_PARAM, scope="SCOPE", resource_metadata=URL`},
			{`BEARER Resource_Metadata="URL",SCOPE_NAME="SCOPE",Error=ERROR`},
			{"Bearer\trealm=\"a, Bearer scope=\\\"no\\\"\" ,\tresource_metadata = \"URL\" , scope = \"SCOPE\" , error = \"ERROR\""},
			{`Basic realm="x", Bearer resource_metadata="URL", scope="SCOPE", error="ERROR"`},
			{`Negotiate abc==, Bearer resource_metadata="URL", scope="SCOPE", error="ERROR", Digest nonce="x", scope="no"`},
			{`Basic realm="x"`, `Bearer resource_metadata="URL", scope="SCOPE", error="ERROR"`},
			{`Basic realm="x"`, `Negotiate`, `Bearer resource_metadata="URL", scope="SCOPE", error="ERROR"`},
			{`Digest nonce="x", scope="no"`, `Bearer resource_metadata="URL", scope="SCOPE", error="ERROR"`},
			{`Digest nonce="x", qop="auth, auth-int", Bearer resource_metadata="URL", scope="SCOPE", error="ERROR"`, `Bearer scope="no"`},
			{`Bearer scope="SCOPE", error="ERROR", scope="no", resource_metadata="URL", resource_metadata="/no"`},
			{`Bearer error="ERROR", error_description="scope=no, \"it\" is missing", error_uri="https://x.example/?a=b,c", resource_metadata="URL", scope="SCOPE"`},
		} {
			t.Run(headers[0], func(t *testing.T) {
				a := newAuthority(t)
				s := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes, o.ToolScopes = nil, nil })
				s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
					switch r.URL.Path {
					case "/elsewhere":
						reply(w, 200, map[string]any{"resource": s.endpoint(), "authorization_servers": []string{a.issuer()}, "scopes_supported": []string{"supported"}})
						return true
					case "/mcp":
						status, scope, code := http.StatusUnauthorized, "one two", "invalid_token"
						if got, err := a.verify(r.Context(), strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")); err == nil {
							if slices.Contains(got.Scopes, "three") || !strings.Contains(bodyOf(r), `"tools/call"`) {
								return false
							}
							status, scope, code = http.StatusForbidden, "three", "insufficient_scope"
						}
						for _, header := range headers {
							w.Header().Add("WWW-Authenticate", strings.NewReplacer("SCOPE_NAME", "Scope", "SCOPE", scope, "ERROR_PARAM", "error="+code, "ERROR", code, "URL", s.URL+"/elsewhere").Replace(header))
						}
						w.WriteHeader(status)
						return true
					}
					http.NotFound(w, r)
					return true
				})
				if err := use(t, mustConnect(t, s, new(auth.Client), revision), "read"); err != nil {
					t.Fatal(err)
				}
				var asked []string
				for _, page := range a.requests("/authorize") {
					asked = append(asked, page.form.Get("scope"))
				}
				if want := []string{"one two", "one two three"}; !slices.Equal(asked, want) {
					t.Errorf("asked for %q, want %q", asked, want)
				}
				if n := len(s.requests("/elsewhere")); n != 2 {
					t.Errorf("the metadata was read %d times, want 2", n)
				}
			})
		}
	})
}

// TestATokenThatIsRefusedLater has a server refuse the token of a client that has
// been connected for a while, at each kind of request.
func TestATokenThatIsRefusedLater(t *testing.T) {
	proves(t, "auth.www-authenticate.parse", "auth.token.every-request", "auth.refresh.not-assumed", "auth.token.bearer-header")
	everyRevision(t, func(t *testing.T, revision string) {
		for what, do := range map[string]func(c *mcp.Client) error{
			"call":         func(c *mcp.Client) error { return use(t, c, "read") },
			"list":         func(c *mcp.Client) error { return listed(t, c) },
			"ping":         func(c *mcp.Client) error { return c.Ping(t.Context()) },
			"notification": func(c *mcp.Client) error { return c.Notify(t.Context(), "notifications/example", nil) },
		} {
			for _, renewable := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, refresh tokens %t", what, renewable), func(t *testing.T) {
					a := newAuthority(t)
					a.noRefresh = !renewable
					a.lifetime = 7200
					s, store := newSite(t, a, nil), new(auth.MemoryStore)
					c := mustConnect(t, s, &auth.Client{Store: store}, revision)
					if err := listed(t, c); err != nil {
						t.Fatal(err)
					}
					if !auth.Age(store) {
						t.Fatal("nothing is kept")
					}
					a.revoke()
					if err := do(c); err != nil {
						t.Fatal(err)
					}
					if err := use(t, c, "read"); err != nil { // after the notification
						t.Fatal(err)
					}
					pages, want := len(a.requests("/authorize")), map[bool][2]int{true: {1, 1}, false: {2, 0}}[renewable]
					if n := renewed(a); pages != want[0] || n != want[1] {
						t.Errorf("%d pages and %d refreshes, want %v", pages, n, want)
					}
				})
			}
		}
	})
}

// observed is a client that reports the challenges that it could not answer.
type observed struct {
	*auth.Client
	failed func(error)
}

func (o observed) Challenged(ctx context.Context, resp *http.Response) error {
	err := o.Client.Challenged(ctx, resp)
	if err != nil {
		o.failed(err)
	}
	return err
}

// TestEveryRequestHasTheToken follows a client through its life: calls,
// notifications, an answer to the server, a stream that ends and is resumed after
// the token was revoked, a subscription, and the end.
func TestEveryRequestHasTheToken(t *testing.T) {
	proves(t, "auth.token.every-request", "auth.token.bearer-header", "auth.token.not-in-query", "auth.www-authenticate.parse", "auth.token.client-only-as")
	everyRevision(t, func(t *testing.T, revision string) {
		a := newAuthority(t)
		a.lifetime = 7200
		s, store := newSite(t, a, nil), new(auth.MemoryStore)
		resumed := make(chan struct{})
		resume := sync.OnceFunc(func() { close(resumed) })
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			_, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			if _, err := a.verify(r.Context(), token); err != nil || r.Method != http.MethodGet || r.URL.Path != "/mcp" {
				return false
			}
			w.Header().Set("Content-Type", "text/event-stream")
			if r.Header.Get("Last-Event-Id") == "" {
				auth.Age(store)
				a.revoke()
				fmt.Fprint(w, "id: 7\nretry: 1\ndata:\n\n")
				return true
			}
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			resume()
			<-r.Context().Done()
			return true
		})
		signer := observed{&auth.Client{Store: store, Browser: browse}, func(err error) {
			t.Error(err)
			resume()
		}}
		c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.endpoint(), Authorizer: signer}, &mcp.ClientOptions{
			Revisions: []string{revision}, Roots: func(context.Context) ([]mcp.Root, error) { return nil, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		if revision != "2026-07-28" { // which has no stream of a session
			<-resumed
		}
		for _, err := range []error{listed(t, c), use(t, c, "read"), use(t, c, "ask"), use(t, c, "erase"), c.Ping(t.Context()), c.Notify(t.Context(), "notifications/example", nil), c.Flush(t.Context())} {
			if err != nil {
				t.Error(err)
			}
		}
		if sub, err := c.Subscribe(t.Context(), mcp.Filter{Tools: true}); err != nil {
			t.Error(err)
		} else {
			sub.Close()
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		methods := map[string]int{}
		for n, r := range s.requests("/mcp") {
			methods[r.method]++
			all := r.header.Values("Authorization")
			if n == 0 && len(all) == 0 {
				continue // the first is refused
			}
			if len(all) != 1 || !strings.HasPrefix(all[0], "Bearer access-") || strings.Contains(all[0], ",") {
				t.Errorf("%s has the header %q", r.method, all)
			}
			r.header.Del("Authorization")
			if text := r.form.Encode() + fmt.Sprint(r.header); strings.Contains(text, "access-") || strings.Contains(text, "refresh-") {
				t.Errorf("%s has a token elsewhere: %s", r.method, text)
			}
		}
		want := map[string]int{http.MethodPost: 9, http.MethodGet: 3, http.MethodDelete: 1}
		if revision == "2026-07-28" {
			want[http.MethodGet], want[http.MethodDelete] = 0, 0
		}
		if methods[http.MethodPost] < want[http.MethodPost] || methods[http.MethodGet] < want[http.MethodGet] || methods[http.MethodDelete] != want[http.MethodDelete] {
			t.Errorf("%v, want %v at least", methods, want)
		}
	})
}

// listed lists the tools.
func listed(t *testing.T, c *mcp.Client) error {
	t.Helper()
	for _, err := range c.Tools(t.Context()) {
		if err != nil {
			return err
		}
	}
	return nil
}

// TestAServerWithAPageForEveryPath answers with HTML where it has no metadata.
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

// hangUp is for a server that closes the connection instead of an answer with a
// status.
const hangUp = 0

func TestWhereTheMetadataOfTheAuthorizationServerIsLookedFor(t *testing.T) {
	proves(t, "auth.asmeta.client-both", "auth.asmeta.several-endpoints", "auth.asmeta.order-with-path", "auth.asmeta.order-without-path",
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
					continue // nothing is asked for in vain
				}
				t.Run(fmt.Sprintf("%s, otherwise %d", order[n], without), func(t *testing.T) {
					a := newAuthority(t)
					a.path = path
					a.edit = func(m map[string]any) {
						m["issuer"], m["client_id_metadata_document_supported"] = a.URL+path, true
					}
					a.clients[documentURL] = &app{method: "none", redirects: []string{"http://127.0.0.1/callback"}}
					var asked []string
					a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
						if !strings.Contains(r.URL.Path, rfc8414) && !strings.Contains(r.URL.Path, openID) {
							return false
						}
						asked = append(asked, r.URL.EscapedPath())
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
					if err := signIn(t, newSite(t, a, nil), &auth.Client{MetadataDocument: documentURL, RedirectURL: "http://127.0.0.1/callback", Receive: location}); err != nil {
						t.Fatal(err)
					}
					if asked = slices.Compact(asked); !slices.Equal(asked, order[:n+1]) { // a request on a connection that ends is sent again
						t.Errorf("asked %s, want %s", asked, order[:n+1])
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
					wantFailure(t, a, signIn(t, newSite(t, a, nil), &auth.Client{}), "another issuer", a.URL)
					if got := a.paths(); !strings.HasSuffix(got, place) || strings.Contains(got, "/register") || strings.Contains(got, "/authorize") {
						t.Errorf("asked %s", got)
					}
				})
			}
		}
	}
}

// TestAnOlderServersMetadataOfAnotherIssuer has the server be its own
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
				wantFailure(t, a, signIn(t, s, new(auth.Client)), "another issuer", s.URL)
				if got := a.paths(); !strings.HasSuffix(got, place) {
					t.Errorf("asked %s", got)
				}
			})
		}
	}
}

func TestTheCanonicalURI(t *testing.T) {
	proves(t, "auth.resource.case", "auth.resource.no-slash", "auth.resource.canonical", "auth.base-url.no-path")
	anyRevision(t)
	for end, want := range map[string]string{"/": "", "": "", "#part": "", "/#part": "", "/?": "", "?x=1#part": "", "/a%2Fb/": "/a%2Fb", "/A%2fb": "/A%2fb", "/a/b/?x=1": "/a/b", "/a//": "/a/"} {
		t.Run(end, func(t *testing.T) { canonicalURI(t, end, want) })
	}
}

// canonicalURI signs in to a server without metadata at a URL that is not the
// canonical one, which has the path.
func canonicalURI(t *testing.T, end, path string) {
	a := newAuthority(t)
	s := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes = nil })
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.HasPrefix(r.URL.Path, "/.well-known/oauth-protected-resource") {
			http.NotFound(w, r)
			return true
		}
		if r.URL.Path != "/" && !strings.HasPrefix(strings.ToLower(r.URL.Path), "/a/") {
			a.ServeHTTP(w, r)
		} else {
			if end == "?x=1#part" && r.URL.RawQuery != "x=1" {
				t.Errorf("asked %s", r.URL)
			}
			w.WriteHeader(http.StatusUnauthorized)
		}
		return true
	})
	c := &auth.Client{Browser: browse}
	upper := strings.Replace(s.URL, "http://127.0.0.1", "HTTP://LOCALHOST", 1)
	lower := strings.ToLower(upper)
	a.edit = func(m map[string]any) { m["issuer"] = lower + "/" }
	a.answer = func(q url.Values) { q.Set("iss", lower+"/") }
	if err := c.SignIn(t.Context(), upper+end); err != nil {
		t.Fatal(err)
	}
	for _, place := range []string{"/authorize", "/token"} {
		if got := a.only(t, place).form.Get("resource"); got != lower+path {
			t.Errorf("%s: resource %q, want %q", place, got, lower+path)
		}
	}
}

func TestTheResourceMustBeTheServer(t *testing.T) {
	proves(t, "auth.resource.names-server", "auth.token.client-only-as", "auth.resource.case")
	anyRevision(t)
	for _, tt := range []struct {
		resource string // URL stands for the server's origin
		ok       bool
	}{
		{"URL/mcp", true},
		{"URL", true},
		{"URL/", true},
		{"URL/mcp/", true},
		{"UPPER/mcp", true},
		{"UPPER/MCP", false},
		{"URL/mc", false},
		{"URL/mcp2", false},
		{"URL/mcp/tenant", false},
		{"URL/mcp#part", false},
		{"URL/mcp#", false},
		{"URL/mcp?x=1", false},
		{"URL/mcp/../other", false},
		{"URL/%6Dcp", false},
		{"PORT/mcp", false},
		{"LOCALHOST/mcp", false},
		{"USER/mcp", false},
		{"HTTPS/mcp", false},
		{"/mcp", false},
		{"https://evil.example.com/mcp", false},
		{"", false},
		{"URL/mcp?a=1 of ?a=1", true},
		{"URL/mcp of ?a=1", true},
		{"URL of ?a=1", true},
		{"URL/mcp?a=2 of ?a=1", false},
		{"URL/mcp?a=1&b=2 of ?a=1", false},
		{"URL/mcp?A=1 of ?a=1", false},
	} {
		a := newAuthority(t)
		s := newSite(t, a, nil)
		resource := strings.NewReplacer("URL", s.URL, "UPPER", strings.ToUpper(s.URL), "PORT", a.URL, "LOCALHOST", strings.Replace(s.URL, "127.0.0.1", "localhost", 1),
			"USER", strings.Replace(s.URL, "//", "//ada@", 1), "HTTPS", strings.Replace(s.URL, "http:", "https:", 1)).Replace(tt.resource)
		resource, query, _ := strings.Cut(resource, " of ")
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/mcp" {
				return false
			}
			reply(w, 200, map[string]any{"resource": resource, "authorization_servers": []string{a.issuer()}})
			return true
		})
		err := (&auth.Client{Browser: browse}).SignIn(t.Context(), s.endpoint()+query)
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

// TestASessionOfAnother has the store keep a session of another server under the
// key of this one, and then the server change its resource.
func TestASessionOfAnother(t *testing.T) {
	proves(t, "auth.token.client-only-as", "auth.resource.names-server")
	anyRevision(t)
	a := newAuthority(t)
	a.lifetime = 7200
	s, store := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes, o.ToolScopes = nil, nil }), new(auth.MemoryStore)
	if err := signIn(t, s, &auth.Client{Store: store}); err != nil {
		t.Fatal(err)
	}
	auth.Rewrite(store, "session ", `"server":"`+s.URL, `"server":"https://other.example.com`)
	if got, err := authorized(t.Context(), &auth.Client{Store: store}, s.endpoint()); err != nil || got != "" {
		t.Errorf("the token of another server is used: %q, %v", got, err)
	}
	auth.Rewrite(store, "session ", "https://other.example.com", s.URL)
	if got, err := authorized(t.Context(), &auth.Client{Store: store}, s.endpoint()); err != nil || got == "" {
		t.Errorf("%q, %v", got, err)
	}
	if !auth.Age(store) { // so that it could be refreshed
		t.Fatal("nothing is kept")
	}
	s.trust(t, a, func(o *auth.GuardOptions) { o.Resource, o.Scopes, o.ToolScopes = s.URL, nil, nil })
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/mcp" {
			r.URL.Path = "/"
		}
		return false
	})
	if err := use(t, mustConnect(t, s, &auth.Client{Store: store}, ""), "read"); err != nil {
		t.Fatal(err)
	}
	if pages := a.requests("/authorize"); renewed(a) != 0 || len(pages) != 2 || pages[1].form.Get("resource") != s.URL {
		t.Errorf("%d refreshes and %d pages for another resource", renewed(a), len(pages))
	}
}

// TestTypesOfTokens has a token endpoint name types of tokens, first for a code
// and then for a refresh token.
func TestTypesOfTokens(t *testing.T) {
	proves(t, "auth.token.oauth-s5", "auth.token.bearer-header", "auth.refresh.confidential")
	everyRevision(t, func(t *testing.T, revision string) {
		for kind, known := range map[any]bool{"Bearer": true, "bearer": true, "BEARER": true, "mac": false, "N_A": false, "DPoP": false, "": false, nil: false, "Bearer ": false} {
			for _, grant := range []string{"authorization_code", "refresh_token"} {
				t.Run(fmt.Sprintf("%v for %s", kind, grant), func(t *testing.T) {
					a := newAuthority(t)
					a.lifetime = 7200
					a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
						form := a.asked[len(a.asked)-1].form
						if r.URL.Path != "/token" || form.Get("grant_type") != grant {
							return false
						}
						answer := a.issue(&consent{client: form.Get("client_id"), resource: form.Get("resource"), scope: "mcp"})
						answer["token_type"] = kind
						reply(w, 200, answer)
						return true
					}
					s, store := newSite(t, a, nil), new(auth.MemoryStore)
					c, err := connect(t, s, &auth.Client{Store: store}, revision)
					if err == nil {
						err = use(t, c, "read")
					}
					if err == nil && grant == "refresh_token" {
						if !auth.Age(store) {
							t.Fatal("nothing is kept")
						}
						a.revoke()
						if c, err = connect(t, s, &auth.Client{Store: store}, revision); err == nil {
							err = use(t, c, "read")
						}
					}
					if (err == nil) != known || err != nil && (!strings.Contains(err.Error(), "the token has the type") || strings.Contains(err.Error(), "refresh-") || strings.Contains(err.Error(), "access-")) {
						t.Errorf("%v", err)
					}
					last := s.requests("/mcp")
					if got := last[len(last)-1].header.Get("Authorization"); known != strings.HasPrefix(got, "Bearer access-") && grant == "authorization_code" {
						t.Errorf("the last request has %q", got)
					}
				})
			}
		}
	})
}
