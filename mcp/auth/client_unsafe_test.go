package auth_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// TestSecretsAreNotRedirected makes each endpoint redirect requests to another server.
func TestSecretsAreNotRedirected(t *testing.T) {
	proves(t, "auth.sec.best-practices", "auth.refresh.confidential", "xcred.security")
	anyRevision(t)
	for _, path := range []string{"/token", "/register"} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			a := newAuthority(t)
			stolen := 0
			thief := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				stolen++
				reply(w, 200, map[string]any{"access_token": "x", "token_type": "Bearer", "client_id": "x"})
			}))
			for _, to := range []string{thief.URL, a.URL + "/elsewhere"} {
				a.set(func() {
					a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
						if r.URL.Path == path {
							http.Redirect(w, r, to, status)
						}
						return r.URL.Path == path
					}
				})
				if err := signIn(t, newSite(t, a, nil), new(auth.OAuthClient)); err == nil || stolen > 0 || len(a.requests("/elsewhere")) > 0 {
					t.Errorf("%s, status %d: %v, %d requests elsewhere", path, status, err, stolen)
				}
				if path == "/register" {
					continue
				}
				// A client without a user sends its secret with each token request.
				for _, method := range []string{"client_secret_basic", "client_secret_post"} {
					worker := &auth.OAuthClient{Grant: auth.ClientCredentials, Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "worker", ClientSecret: "s:1", AuthMethod: method}}}
					before := len(a.requests(path))
					if err := signIn(t, newSite(t, a, nil), worker); err == nil || stolen > 0 || len(a.requests(path)) == before || len(a.requests("/elsewhere")) > 0 {
						t.Errorf("%s, status %d: %v, %d requests elsewhere", method, status, err, stolen)
					}
				}
				// The secret of a refresh request is the refresh token.
				redirected := a.intercept
				a.set(func() { a.intercept = nil })
				s, store := newSite(t, a, nil), new(auth.MemoryStore)
				expired(t, a, s, store)
				a.set(func() { a.intercept = redirected })
				if got, err := authorized(t.Context(), &auth.OAuthClient{Store: store}, s.endpoint()); err == nil || got != "" || stolen > 0 || len(a.requests("/elsewhere")) > 0 {
					t.Errorf("a refresh, status %d: %q, %v, %d requests elsewhere", status, got, err, stolen)
				}
				// The secrets of a revocation request are the tokens.
				a.set(func() {
					a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
						if r.URL.Path == "/revoke" {
							http.Redirect(w, r, to, status)
						}
						return r.URL.Path == "/revoke"
					}
					a.edit = func(m map[string]any) { m["revocation_endpoint"] = a.URL + "/revoke" }
				})
				c := new(auth.OAuthClient)
				must(t, signIn(t, s, c))
				if err := c.SignOut(t.Context(), s.endpoint()); err == nil || stolen > 0 || len(a.requests("/revoke")) == 0 || len(a.requests("/elsewhere")) > 0 {
					t.Errorf("a sign-out, status %d: %v, %d requests elsewhere", status, err, stolen)
				}
			}
			thief.Close()
		}
	}
}

// TestOpenRedirects makes the URLs of the metadata redirect to other URLs.
func TestOpenRedirects(t *testing.T) {
	proves(t, "sec.ssrf.consider", "sec.ssrf.redirects")
	anyRevision(t)
	for _, place := range []string{"of the resource", "of the authorization server"} {
		for _, tt := range []struct {
			name string
			to   string // OTHER is replaced by another origin, and HOST by the server's own
			ok   bool
		}{
			{"to another origin", "OTHER/real", false},
			{"to another name", "http://localhost:PORT/real", false},
			{"to https", "https://HOST/real", false},
			{"to a link-local address", "http://169.254.169.254/latest/meta-data", false},
			{"to a file", "file:///etc/passwd", false},
			{"in a circle", "/.well-known/oauth-authorization-server", false},
			{"within the origin", "/real", true},
			{"within the origin, named", "http://HOST/real", true},
		} {
			t.Run(place+" "+tt.name, func(t *testing.T) {
				a := newAuthority(t)
				s := newSite(t, a, nil)
				other := 0
				elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					other++
					reply(w, 200, a.document())
				}))
				t.Cleanup(elsewhere.Close)
				redirect := func(w http.ResponseWriter, r *http.Request) bool {
					switch {
					case strings.HasPrefix(r.URL.Path, "/.well-known/"):
						_, port, _ := net.SplitHostPort(r.Host)
						http.Redirect(w, r, strings.NewReplacer("OTHER", elsewhere.URL, "HOST", r.Host, "PORT", port).Replace(tt.to), http.StatusFound)
						return true
					case r.URL.Path == "/real" && strings.HasPrefix(r.Host, "localhost"):
						other++
					case r.URL.Path == "/real" && place == "of the resource":
						reply(w, 200, map[string]any{"resource": s.endpoint(), "authorization_servers": []string{a.issuer()}})
						return true
					}
					return false
				}
				if place == "of the resource" {
					s.intercept(redirect)
				} else {
					a.metadata, a.intercept = []string{"/real"}, redirect
				}
				err := signIn(t, s, new(auth.OAuthClient))
				if (err == nil) != tt.ok || other > 0 {
					t.Errorf("%v, %d requests elsewhere", err, other)
				}
				if n := len(a.requests("/.well-known/oauth-authorization-server")); n > 8 {
					t.Errorf("%d redirects are followed", n)
				}
			})
		}
	}
}

// public is a network in which mcp.example.com and as.example.com have public addresses. It does
// not refuse any connection by itself.
type public struct {
	hosts     map[string]http.Handler
	addresses []string
}

func (p *public) RoundTrip(r *http.Request) (*http.Response, error) {
	p.addresses = append(p.addresses, r.URL.String())
	h := p.hosts[r.URL.Host]
	if h == nil {
		return nil, errors.New("no such host")
	}
	w := httptest.NewRecorder()
	got := r.Clone(r.Context())
	if got.Body == nil {
		got.Body = http.NoBody
	}
	h.ServeHTTP(w, got)
	res := w.Result()
	res.Request = r
	return res, nil
}

// TestUnsafeURLsOfServers replaces each URL that a public server provides, one at a time, with an
// unsafe one.
func TestUnsafeURLsOfServers(t *testing.T) {
	proves(t, "sec.ssrf.consider", "sec.oauth-url.schemes", "sec.oauth-url.reject", "sec.oauth-url.sanitize", "auth.sec.comm", "auth.sec.best-practices",
		"sec.ssrf.https", "sec.oauth-url.allowlist")
	anyRevision(t)
	unsafe := []string{
		"http://as.example.com/x", "http://169.254.169.254/latest/meta-data", "http://[::1]:8080/x", "https://[::1]/x", "http://127.0.0.1/x", "https://localhost/x",
		"https://[::ffff:127.0.0.1]/x", "http://localhost:8080/x", "http://as.example.localhost/x", "http://localhost.example.com/x", "http://127.example.com/x", "http://127.0.0.1.example.com/x", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "file://as.example.com/x", "FILE://localhost/x", "javascript://as.example.com/%0aalert(1)", "data://as.example.com/x", "vbscript://as.example.com/x", "ws://as.example.com/x", "vbscript:x", "ftp://as.example.com/x", "//as.example.com/x",
		"as.example.com/x", "/x", "https:///x", "https:as.example.com", "https://user@as.example.com/x", "https://as.example.com/x#y", "https://as.exa mple.com/", "https://as.example.com\\@evil.example.com/", "https://as.example.com/\x00", " https://as.example.com/x", "HTTPS",
	}
	for _, place := range []string{"resource_metadata", "authorization_servers", "authorization_endpoint", "token_endpoint", "registration_endpoint", "revocation_endpoint"} {
		for _, address := range append([]string{""}, unsafe...) {
			a := newAuthority(t)
			network := &public{hosts: map[string]http.Handler{}}
			choose := func(name, good string) string {
				if name == place && address != "" {
					return address
				}
				return good
			}
			network.hosts["as.example.com"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/.well-known/oauth-authorization-server" {
					reply(w, 200, map[string]any{
						"issuer": "https://as.example.com", "code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
						"authorization_endpoint": choose("authorization_endpoint", "https://as.example.com/authorize"), "token_endpoint": choose("token_endpoint", "https://as.example.com/token"),
						"registration_endpoint": choose("registration_endpoint", "https://as.example.com/register"), "revocation_endpoint": choose("revocation_endpoint", "https://as.example.com/revoke"),
					})
					return
				}
				a.ServeHTTP(w, r)
			})
			network.hosts["mcp.example.com"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/mcp" {
					w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer resource_metadata=%q", choose("resource_metadata", "https://mcp.example.com/metadata")))
					w.WriteHeader(http.StatusUnauthorized)
					return
				}
				reply(w, 200, map[string]any{"resource": "https://mcp.example.com/mcp", "authorization_servers": []string{choose("authorization_servers", "https://as.example.com")}})
			})
			client := &http.Client{Transport: network}
			if place == "token_endpoint" && address != "" { // also test a program without a user
				worker := &auth.OAuthClient{HTTPClient: client, Grant: auth.ClientCredentials, Registrations: []auth.Registration{{Issuer: "https://as.example.com", ClientID: "worker", ClientSecret: "hidden"}}}
				if err := worker.SignIn(t.Context(), "https://mcp.example.com/mcp"); err == nil || !strings.Contains(err.Error(), "its token_endpoint") {
					t.Errorf("a worker, %q: %v", address, err)
				}
			}
			c := &auth.OAuthClient{HTTPClient: client, RedirectURL: "http://127.0.0.1/callback"}
			c.Receive = func(ctx context.Context, page string) (string, error) {
				if !strings.HasPrefix(page, "https://as.example.com/authorize?") {
					t.Errorf("the user is sent to %s", page)
				}
				answer, err := redirected(ctx, network, page)
				return strings.Replace(answer, url.QueryEscape(a.issuer()), url.QueryEscape("https://as.example.com"), 1), err
			}
			err := c.SignIn(t.Context(), "https://mcp.example.com/mcp")
			if err == nil && place == "revocation_endpoint" {
				err = c.SignOut(t.Context(), "https://mcp.example.com/mcp")
			}
			if (err == nil) != (address == "") {
				t.Errorf("%s %q: %v", place, address, err)
			}
			for _, host := range network.addresses {
				if !strings.HasPrefix(host, "https://as.example.com/") && !strings.HasPrefix(host, "https://mcp.example.com/") {
					t.Errorf("%s %q: asked %s", place, address, host)
				}
			}
		}
	}
	// By default, the client does not send requests to a private network either.
	s := newSite(t, newAuthority(t), func(o *auth.GuardOptions) { o.AuthorizationServers = []string{"https://10.0.0.1"} })
	if err := signIn(t, s, new(auth.OAuthClient)); err == nil || !strings.Contains(err.Error(), "not public") {
		t.Errorf("an authorization server of a private network: %v", err)
	}
}

func TestLargeAndSlowMetadata(t *testing.T) {
	proves(t, "sec.ssrf.consider", "auth.token.oauth-s5", "auth.token.bearer-header", "auth.sec.best-practices")
	anyRevision(t)
	a := newAuthority(t)
	a.edit = func(m map[string]any) { m["padding"] = strings.Repeat("x", 2<<20) }
	wantFailure(t, a, signIn(t, newSite(t, a, nil), new(auth.OAuthClient)), "larger than 1048576 bytes")

	for _, member := range []string{"access_token", "refresh_token"} {
		for _, token := range []string{strings.Repeat("xxxx", 5<<10), "xxx xxx", "xxx\nxxx", "xxx\r\nX: y", "xxx\u00e4", "\txxx", "xxx\x00"} {
			b := newAuthority(t)
			b.intercept = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/token" {
					answer := map[string]any{"access_token": "a", "token_type": "Bearer"}
					answer[member] = token
					reply(w, 200, answer)
				}
				return r.URL.Path == "/token"
			}
			err := signIn(t, newSite(t, b, nil), new(auth.OAuthClient))
			if refused := member == "access_token" || len(token) > 16<<10; (err != nil) != refused || err != nil && strings.Contains(err.Error(), "xxx") {
				t.Errorf("the %s %.20q: %v", member, token, err)
			}
		}
	}

	synctest.Test(t, func(t *testing.T) {
		client := auth.SafeClient()
		client.Transport = silent{}
		c := &auth.OAuthClient{HTTPClient: client, Browser: browse}
		began := time.Now()
		err := c.SignIn(t.Context(), "https://mcp.example.com/mcp")
		if took := time.Since(began); err == nil || took > time.Minute {
			t.Errorf("a silent server: %v after %s", err, took)
		}
	})
}

// silent is a transport that never answers.
type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, context.Cause(r.Context())
}

// TestAnUnencryptedServerGetsNoToken connects to a server URL with http.
func TestAnUnencryptedServerGetsNoToken(t *testing.T) {
	proves(t, "auth.sec.comm", "auth.refresh.confidential")
	anyRevision(t)
	network := &public{hosts: map[string]http.Handler{"mcp.example.com": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://mcp.example.com/metadata"`)
		w.WriteHeader(http.StatusUnauthorized)
	})}}
	c := &auth.OAuthClient{HTTPClient: &http.Client{Transport: network}}
	_, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: "http://mcp.example.com/mcp", HTTPClient: &http.Client{Transport: network}, Authorizer: c},
		&mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
	if err == nil || !strings.Contains(err.Error(), "must use https") {
		t.Errorf("%v", err)
	}
	if err := c.SignIn(t.Context(), "http://mcp.example.com/mcp"); err == nil || !strings.Contains(err.Error(), "must use https") {
		t.Errorf("%v", err)
	}
	for _, address := range network.addresses {
		if address != "http://mcp.example.com/mcp" {
			t.Errorf("asked %s", address)
		}
	}
}

// TestARefreshTokenIsNotSentToAnUnsafeURL stores a token endpoint that differs from the one that
// was checked at sign-in.
func TestARefreshTokenIsNotSentToAnUnsafeURL(t *testing.T) {
	proves(t, "auth.refresh.confidential", "auth.sec.comm", "sec.ssrf.consider")
	anyRevision(t)
	for _, endpoint := range []string{"http://as.example.com/token", "http://10.0.0.1/token", "ftp://as.example.com/token", "/token", "https://user@as.example.com/token"} {
		a := newAuthority(t)
		s, store := newSite(t, a, nil), new(auth.MemoryStore)
		must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
		if !auth.Age(store) {
			t.Fatal("nothing is kept")
		}
		auth.Rewrite(store, "session ", a.URL+"/token"+mark, endpoint)
		network := &public{hosts: map[string]http.Handler{"as.example.com": a, "10.0.0.1": a}}
		c := &auth.OAuthClient{Store: store, HTTPClient: &http.Client{Transport: network}}
		if _, err := authorized(t.Context(), c, s.endpoint()); err == nil || !strings.Contains(err.Error(), "refresh the token") || len(network.addresses) != 0 {
			t.Errorf("%s: %v, asked %s", endpoint, err, network.addresses)
		}
	}
}

// TestACertificateIsVerified sends a request to a server whose certificate is
// not trusted.
func TestACertificateIsVerified(t *testing.T) {
	proves(t, "auth.sec.comm", "auth.sec.best-practices", "auth.refresh.confidential")
	anyRevision(t)
	requested := false
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requested = true }))
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	web.StartTLS()
	defer web.Close()
	res, err := auth.SafeClient().Get(web.URL)
	if err == nil {
		res.Body.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "certificate") || requested {
		t.Errorf("%v", err)
	}
}

func redirected(ctx context.Context, network http.RoundTripper, page string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return "", err
	}
	res, err := network.RoundTrip(req)
	if err != nil {
		return "", err
	}
	res.Body.Close()
	return res.Header.Get("Location"), nil
}
