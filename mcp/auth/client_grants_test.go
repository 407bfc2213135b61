package auth_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

func TestClientCredentials(t *testing.T) {
	proves(t, "xcred.client-auth", "xcred.grant", "xcred.conform", "xcred.security", "auth.stepup.machine")
	everyRevision(t, func(t *testing.T, revision string) {
		for _, method := range []string{"client_secret_basic", "client_secret_post"} {
			a := newAuthority(t)
			a.edit = func(m map[string]any) {
				m["token_endpoint_auth_methods_supported"] = []string{method}
				m["authorization_endpoint"], m["code_challenge_methods_supported"] = nil, nil
			}
			a.clients["worker"] = &app{secret: "s:1", method: method}
			s := newSite(t, a, nil)
			c := &auth.OAuthClient{Grant: auth.ClientCredentials, Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "worker", ClientSecret: "s:1"}}}
			client := mustConnect(t, s, c, revision)
			for _, tool := range []string{"read", "erase"} {
				must(t, use(t, client, tool))
			}
			var got []string
			for _, r := range a.requests("/token") {
				got = append(got, r.form.Encode())
				if id, secret, basic := r.basicAuth(); basic != (method == "client_secret_basic") || basic && (id != "worker" || secret != "s%3A1") {
					t.Errorf("%s: %v", method, r.header)
				}
			}
			var want []string
			for _, scope := range []string{"mcp", "mcp reports:write"} {
				form := url.Values{"grant_type": {"client_credentials"}, "resource": {s.endpoint()}, "scope": {scope}}
				if method == "client_secret_post" {
					form.Set("client_id", "worker")
					form.Set("client_secret", "s:1")
				}
				want = append(want, form.Encode())
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: sent %q, want %q", method, got, want)
			}
			for _, r := range s.requests("/mcp") {
				if text := fmt.Sprint(r.header, r.form); strings.Contains(text, "s:1") || strings.Contains(text, "s%3A1") {
					t.Errorf("the server gets the secret: %s", text)
				}
			}
			if got := a.paths(); strings.Contains(got, "/register") || strings.Contains(got, "/authorize") {
				t.Errorf("asked %s", got)
			}
		}
	})
	// The server requires no scopes, and the client is registered without an issuer. Its secret
	// must be sent only to the authorization server with which it is first used.
	one, two := newAuthority(t), newAuthority(t)
	none := func(o *auth.GuardOptions) { o.Scopes, o.ToolScopes = nil, nil }
	s, store := newSite(t, one, none), new(auth.MemoryStore)
	worker := func() *auth.OAuthClient {
		return &auth.OAuthClient{Grant: auth.ClientCredentials, Store: store, Registrations: []auth.Registration{{ClientID: "worker", ClientSecret: "s:1"}}}
	}
	for _, each := range []*authority{one, two} {
		each.clients["worker"] = &app{secret: "s:1", method: "client_secret_basic"}
		each.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"} }
	}
	must(t, signIn(t, s, worker()))
	if got, want := one.only(t, "/token").form.Encode(), (url.Values{"grant_type": {"client_credentials"}, "resource": {s.endpoint()}}).Encode(); got != want {
		t.Errorf("sent %q, want %q", got, want)
	}
	s.trust(t, two, none)
	wantFailure(t, two, signIn(t, s, worker()), one.issuer())
	a := newAuthority(t)
	err := signIn(t, newSite(t, a, nil), &auth.OAuthClient{Grant: auth.ClientCredentials})
	wantFailure(t, a, err, "has no credentials")
	// An error from the server does not reveal the credentials, in any form in which they are sent.
	for _, method := range []string{"client_secret_basic", "client_secret_post", "private_key_jwt", "tls_client_auth"} {
		a.clients["worker"] = &app{secret: "another", method: method}
		c := &auth.OAuthClient{Grant: auth.ClientCredentials, Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "worker", ClientSecret: "s:1", AuthMethod: method, Key: newEC()}}}
		if err := signIn(t, newSite(t, a, nil), c); err == nil || strings.Contains(err.Error(), "s:1") || strings.Contains(err.Error(), "s%3A1") || strings.Contains(err.Error(), "eyJ") {
			t.Errorf("%s: %v", method, err)
		}
	}
}

func TestWorkloadIdentity(t *testing.T) {
	proves(t, "auth.resource.implement", "auth.resource.both-requests", "auth.resource.always")
	anyRevision(t)
	for name, refused := range map[string]bool{"accepted": false, "refused": true} {
		t.Run(name, func(t *testing.T) {
			a := newAuthority(t)
			a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
				switch {
				case r.URL.Path != "/token":
					return false
				case refused:
					refuse(w, "invalid_grant", "expired")
				default:
					reply(w, 200, a.issue(&consent{resource: a.log[len(a.log)-1].form.Get("resource"), scope: "mcp"}))
				}
				return true
			}
			s := newSite(t, a, nil)
			c := &auth.OAuthClient{Registrations: []auth.Registration{{ClientID: "workload"}}}
			c.Grant = auth.JWTBearer(func(_ context.Context, audience string) (string, error) { return "jwt for " + audience, nil })
			_, err := connect(t, s, c, "")
			form := a.only(t, "/token").form // also after the request was refused
			if form.Get("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" || form.Get("assertion") != "jwt for "+a.issuer() || form.Get("client_id") != "workload" || form.Get("resource") != s.endpoint() {
				t.Errorf("%v", form)
			}
			failed, ok := errors.AsType[*auth.SignInError](err)
			if ok != refused || refused && failed.Code != "invalid_grant" {
				t.Errorf("%v", err)
			}
		})
	}
	a := newAuthority(t)
	c := &auth.OAuthClient{Grant: auth.JWTBearer(func(context.Context, string) (string, error) { return "", errors.New("no platform") })}
	wantFailure(t, a, signIn(t, newSite(t, a, nil), c), "no platform")
}

// provider returns an identity provider that accepts the ID token "ada".
func provider(t *testing.T, answer map[string]any) (endpoint string, requests *[]url.Values) {
	requests = new([]url.Values)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err != nil {
			t.Error(err)
		}
		*requests = append(*requests, r.PostForm)
		if r.PostForm.Get("subject_token") != "ada" {
			refuse(w, "invalid_grant", "who is that")
			return
		}
		reply(w, 200, answer)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/token", requests
}

func TestEnterpriseManaged(t *testing.T) {
	proves(t, "xent.declare", "xent.token-exchange", "xent.jwt-bearer", "auth.sec.comm")
	const jag = "urn:ietf:params:oauth:token-type:id-jag"
	managed := func(t *testing.T, revision string, saml bool, change func(*mcp.ClientOptions)) {
		assertion := "assertion"
		a := newAuthority(t)
		a.noRefresh = true
		a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic"} }
		a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/token" {
				return false
			}
			form := a.log[len(a.log)-1].form
			if form.Get("grant_type") != "urn:ietf:params:oauth:grant-type:jwt-bearer" || form.Get("assertion") != assertion {
				t.Errorf("%v", form)
			}
			if id, secret, _ := r.BasicAuth(); id != "agent" || secret != "hidden" {
				t.Errorf("client %q", id)
			}
			reply(w, 200, a.issue(&consent{resource: form.Get("resource"), scope: "mcp"}))
			return true
		}
		s := newSite(t, a, nil)
		requests, declared := 0, 0
		s.intercept(func(_ http.ResponseWriter, r *http.Request) bool {
			if body := bodyOf(r); strings.Contains(body, `"id":`) {
				requests++
				if strings.Contains(body, `"io.modelcontextprotocol/enterprise-managed-authorization":{}`) {
					declared++
				}
			}
			return false
		})
		exchanged := map[string]any{"access_token": assertion, "issued_token_type": jag, "token_type": "N_A"}
		endpoint, forms := provider(t, exchanged)
		store := new(auth.MemoryStore)
		c := &auth.OAuthClient{Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "agent", ClientSecret: "hidden"}}, Store: store}
		c.Grant = auth.EnterpriseManaged(auth.IdentityProvider{
			TokenEndpoint: endpoint, Client: auth.Registration{ClientID: "agent-at-idp"},
			IDToken: func(context.Context) (string, error) { return "ada", nil }, SAML: saml,
		})
		opts := &mcp.ClientOptions{Revisions: []string{revision}, Extensions: map[string]any{auth.EnterpriseExtension: struct{}{}}}
		change(opts)
		client, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: s.endpoint(), Authorizer: c}, opts)
		must(t, err)
		defer client.Close()
		must(t, use(t, client, "read"))
		if len(*forms) != 1 {
			t.Fatalf("%d exchanges", len(*forms))
		}
		kind := "urn:ietf:params:oauth:token-type:id_token"
		if saml {
			kind = "urn:ietf:params:oauth:token-type:saml2"
		}
		for name, want := range map[string]string{
			"grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "requested_token_type": jag, "audience": a.issuer(), "resource": s.endpoint(),
			"subject_token": "ada", "subject_token_type": kind, "scope": "mcp", "client_id": "agent-at-idp",
		} {
			if got := (*forms)[0].Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		// The next token is requested with a new assertion.
		assertion = "another"
		exchanged["access_token"] = assertion
		if a.revoke(); !auth.Age(store) {
			t.Fatal("nothing is kept")
		}
		if err := use(t, client, "read"); err != nil || len(*forms) != 2 {
			t.Errorf("once more: %v after %d exchanges", err, len(*forms))
		}
		if revision == "2026-07-28" && (declared != requests || requests < 3) {
			t.Errorf("declared in %d requests of %d", declared, requests)
		}
	}
	for name, change := range map[string]func(*mcp.ClientOptions){
		"alone":               func(*mcp.ClientOptions) {},
		"with tasks":          func(o *mcp.ClientOptions) { o.Tasks = true },
		"with another before": func(o *mcp.ClientOptions) { o.Extensions["com.example/a"] = struct{}{} },
		"with another after":  func(o *mcp.ClientOptions) { o.Extensions["org.example/z"] = map[string]any{"b": 1} },
		"with questions": func(o *mcp.ClientOptions) {
			o.Roots = func(context.Context) ([]mcp.Root, error) { return nil, nil }
		},
	} {
		t.Run(name, func(t *testing.T) {
			everyRevision(t, func(t *testing.T, revision string) {
				for _, saml := range []bool{false, true} {
					managed(t, revision, saml, change)
				}
			})
		})
	}
	for _, endpoint := range []string{"http://idp.example.com/token", "http://10.0.0.1/token", "http://localhost.example.com/token", "http://idp.localhost/token", "/token", "https://user@idp.example.com/token", "ftp://localhost/token", ""} {
		a, network := newAuthority(t), new(public)
		c := &auth.OAuthClient{Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "agent"}}}
		c.Grant = auth.EnterpriseManaged(auth.IdentityProvider{
			TokenEndpoint: endpoint, Client: auth.Registration{ClientID: "x"}, HTTPClient: &http.Client{Transport: network},
			IDToken: func(context.Context) (string, error) { return "ada", nil },
		})
		wantFailure(t, a, signIn(t, newSite(t, a, nil), c), "IdentityProvider.TokenEndpoint")
		if len(network.addresses) != 0 {
			t.Errorf("%q: asked %s", endpoint, network.addresses)
		}
	}
	for name, tt := range map[string]struct {
		subject string
		answer  map[string]any
		says    string
	}{
		"another user":          {"eve", nil, "who is that"},
		"another kind of token": {"ada", map[string]any{"access_token": "x", "issued_token_type": "urn:ietf:params:oauth:token-type:access_token", "token_type": "Bearer"}, "id-jag"},
	} {
		a := newAuthority(t)
		endpoint, _ := provider(t, tt.answer)
		c := &auth.OAuthClient{Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "agent"}}}
		c.Grant = auth.EnterpriseManaged(auth.IdentityProvider{TokenEndpoint: endpoint, Client: auth.Registration{ClientID: "x"}, IDToken: func(context.Context) (string, error) { return tt.subject, nil }})
		t.Log(name)
		wantFailure(t, a, signIn(t, newSite(t, a, nil), c), tt.says, endpoint)
	}
}
