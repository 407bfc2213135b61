package auth_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
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
		c := mustConnect(t, s, &auth.OAuthClient{Name: "Reader"}, revision)
		for range 2 {
			must(t, use(t, c, "read"))
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

// TestChallengesInEveryForm writes the challenge in a 401 and a 403 response in
// every form that HTTP allows, and checks how the client interprets it.
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
				must(t, use(t, mustConnect(t, s, new(auth.OAuthClient), revision), "read"))
				var paths []string
				for _, page := range a.requests("/authorize") {
					paths = append(paths, page.form.Get("scope"))
				}
				if want := []string{"one two", "one two three"}; !slices.Equal(paths, want) {
					t.Errorf("asked for %q, want %q", paths, want)
				}
				if n := len(s.requests("/elsewhere")); n != 2 {
					t.Errorf("the metadata was read %d times, want 2", n)
				}
			})
		}
		s := newSite(t, newAuthority(t), nil)
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			silent := r.URL.Path == "/mcp" && r.Header.Get("Authorization") == ""
			if silent { // without a challenge, the client must find the metadata at its default path
				w.WriteHeader(http.StatusUnauthorized)
			}
			return silent
		})
		must(t, use(t, mustConnect(t, s, new(auth.OAuthClient), revision), "read"))
	})
}

// TestATokenThatIsRefusedLater refuses the token of a client that is already connected, for each
// kind of request.
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
					c := mustConnect(t, s, &auth.OAuthClient{Store: store}, revision)
					must(t, listed(t, c))
					if !auth.Age(store) {
						t.Fatal("nothing is kept")
					}
					a.revoke()
					must(t, do(c))
					if err := use(t, c, "read"); err != nil {
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

// observed is an OAuthClient that records the challenges that it could not answer.
type observed struct {
	*auth.OAuthClient
	failed func(error)
}

func (o observed) Challenged(ctx context.Context, resp *http.Response) error {
	err := o.OAuthClient.Challenged(ctx, resp)
	if err != nil {
		o.failed(err)
	}
	return err
}

// TestEveryRequestHasTheToken checks all requests of a client: calls, notifications, an answer to
// the server, a stream that ends and is resumed after the token was revoked, a subscription, and
// closing.
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
		signer := observed{&auth.OAuthClient{Store: store, Browser: browse}, func(err error) {
			t.Error(err)
			resume()
		}}
		c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.endpoint(), Authorizer: signer}, &mcp.ClientOptions{
			Revisions: []string{revision}, Roots: func(context.Context) ([]mcp.Root, error) { return nil, nil },
		})
		must(t, err)
		if revision != "2026-07-28" { // this revision has no session stream
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
		// A header that the request already has is replaced.
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.endpoint(), nil)
		must(t, err)
		req.Header.Set("Authorization", "Bearer mine")
		if err := signer.Authorize(t.Context(), req); err != nil || !strings.HasPrefix(strings.Join(req.Header.Values("Authorization"), ", "), "Bearer access-") {
			t.Errorf("a request with another token has %q, %v", req.Header.Values("Authorization"), err)
		}
		methods := map[string]int{}
		for n, r := range s.requests("/mcp") {
			methods[r.method]++
			all := r.header.Values("Authorization")
			if n == 0 && len(all) == 0 {
				continue // the first request has no token and is refused
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

func listed(t *testing.T, c *mcp.Client) error {
	t.Helper()
	for _, err := range c.Tools(t.Context()) {
		if err != nil {
			return err
		}
	}
	return nil
}

func TestClosingIsNotWorthASignIn(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	c := mustConnect(t, s, new(auth.OAuthClient), "2025-11-25")
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodDelete {
			w.WriteHeader(http.StatusUnauthorized)
		}
		return r.Method == http.MethodDelete
	})
	a.set(func() { a.log = nil })
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	if n := len(s.requests("/mcp")); n == 0 || a.paths() != "" || s.requests("/mcp")[n-1].method != http.MethodDelete {
		t.Errorf("asked %s", a.paths())
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
	_, err := connect(t, s, &auth.OAuthClient{}, "")
	failed, ok := errors.AsType[*auth.SignInError](err)
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
		{403, "", "denied the request"},
		{403, `Bearer error="invalid_token"`, "denied the request"},
	} {
		s.intercept(func(w http.ResponseWriter, _ *http.Request) bool {
			if tt.challenge != "" {
				w.Header().Set("WWW-Authenticate", tt.challenge)
			}
			w.WriteHeader(tt.status)
			return true
		})
		_, err := connect(t, s, &auth.OAuthClient{}, "")
		wantFailure(t, a, err, tt.report)
		if a.paths() != "" {
			t.Errorf("asked %s", a.paths())
		}
	}
}

// TestASessionOfAnother stores the session of another server under this server's key, and then
// changes the resource of this server.
func TestASessionOfAnother(t *testing.T) {
	proves(t, "auth.token.client-only-as", "auth.resource.names-server")
	anyRevision(t)
	a := newAuthority(t)
	a.lifetime = 7200
	s, store := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes, o.ToolScopes = nil, nil }), new(auth.MemoryStore)
	must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
	auth.Rewrite(store, "session ", `"server":"`+s.URL, `"server":"https://other.example.com`)
	if got, err := authorized(t.Context(), &auth.OAuthClient{Store: store}, s.endpoint()); err != nil || got != "" {
		t.Errorf("the token of another server is used: %q, %v", got, err)
	}
	auth.Rewrite(store, "session ", "https://other.example.com", s.URL)
	if got, err := authorized(t.Context(), &auth.OAuthClient{Store: store}, s.endpoint()); err != nil || got == "" {
		t.Errorf("%q, %v", got, err)
	}
	if !auth.Age(store) { // so that the client would refresh it
		t.Fatal("nothing is kept")
	}
	s.trust(t, a, func(o *auth.GuardOptions) { o.Resource, o.Scopes, o.ToolScopes = s.URL, nil, nil })
	s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/mcp" {
			r.URL.Path = "/"
		}
		return false
	})
	must(t, use(t, mustConnect(t, s, &auth.OAuthClient{Store: store}, ""), "read"))
	if pages := a.requests("/authorize"); renewed(a) != 0 || len(pages) != 2 || pages[1].form.Get("resource") != s.URL {
		t.Errorf("%d refreshes and %d pages for another resource", renewed(a), len(pages))
	}
}

// TestTypesOfTokens makes a token endpoint return different token types, first in exchange for a
// code and then for a refresh token.
func TestTypesOfTokens(t *testing.T) {
	proves(t, "auth.token.oauth-s5", "auth.token.bearer-header", "auth.refresh.confidential")
	everyRevision(t, func(t *testing.T, revision string) {
		for kind, known := range map[any]bool{"Bearer": true, "bearer": true, "BEARER": true, "mac": false, "N_A": false, "DPoP": false, "": false, nil: false, "Bearer ": false} {
			for _, grant := range []string{"authorization_code", "refresh_token"} {
				t.Run(fmt.Sprintf("%v for %s", kind, grant), func(t *testing.T) {
					a := newAuthority(t)
					a.lifetime = 7200
					a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
						form := a.log[len(a.log)-1].form
						if r.URL.Path != "/token" || form.Get("grant_type") != grant {
							return false
						}
						answer := a.issue(&consent{client: form.Get("client_id"), resource: form.Get("resource"), scope: "mcp"})
						answer["token_type"] = kind
						reply(w, 200, answer)
						return true
					}
					s, store := newSite(t, a, nil), new(auth.MemoryStore)
					c, err := connect(t, s, &auth.OAuthClient{Store: store}, revision)
					if err == nil {
						err = use(t, c, "read")
					}
					if err == nil && grant == "refresh_token" {
						if !auth.Age(store) {
							t.Fatal("nothing is kept")
						}
						a.revoke()
						if c, err = connect(t, s, &auth.OAuthClient{Store: store}, revision); err == nil {
							err = use(t, c, "read")
						}
					}
					if (err == nil) != known || err != nil && (!strings.Contains(err.Error(), "the token has an unknown type") || strings.Contains(err.Error(), "refresh-") || strings.Contains(err.Error(), "access-")) {
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
