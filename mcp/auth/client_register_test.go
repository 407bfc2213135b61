package auth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

const documentURL = "https://client.example.com/oauth/reader.json"

func TestTheClientThatSignsIn(t *testing.T) {
	proves(t, "auth.register.obtain", "auth.cimd.client.https", "auth.cimd.client.path", "auth.register.priority", "auth.prereg", "auth.cimd.support",
		"auth.cimd.client.checks", "auth.dcr.alternative", "auth.cimd.client.self-id", "auth.cimd.follow-draft", "auth.resource.both-requests", "auth.resource.always", "auth.sec.pkce")
	anyRevision(t)
	for _, tt := range []struct {
		name              string
		registered        bool
		document          string
		supports, endures bool // whether the server supports metadata documents and registration
		want              string
	}{
		{"registered beforehand", true, documentURL, true, true, "known"},
		{"with a document", false, documentURL, true, true, documentURL},
		{"registered by itself", false, documentURL, false, true, "client-1-"},
		{"without a document", false, "", true, true, "client-1-"},
		{"none", false, documentURL, false, false, ""},
		{"with a document that has no path", false, "https://client.example.com", true, true, ""},
		{"with a document over http", false, "http://client.example.com/reader.json", true, true, ""},
		{"with a document over http on this machine", false, "http://localhost/reader.json", true, true, ""},
		{"with a document that has a query alone", false, "https://client.example.com?reader", true, true, ""},
		{"with a document at a port", false, "https://Client.example.com:8443/a%2Fb/~x?y=%7A", true, true, "https://Client.example.com:8443/a%2Fb/~x?y=%7A"},
		{"with a document by another name", false, "HTTPS://client.example.com/%61", true, true, "HTTPS://client.example.com/%61"},
		{"with a document of dots", false, "https://client.example.com/a/../reader.json", true, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newAuthority(t)
			a.edit = func(m map[string]any) {
				m["client_id_metadata_document_supported"] = tt.supports
				m["token_endpoint_auth_methods_supported"] = []string{"client_secret_basic", "client_secret_post", "none"}
				if !tt.endures {
					m["registration_endpoint"] = nil
				}
			}
			c := &auth.OAuthClient{MetadataDocument: tt.document, RedirectURL: "http://127.0.0.1/callback", Receive: location}
			for _, id := range []string{"known", tt.document} {
				a.clients[id] = &app{method: "none", redirects: []string{c.RedirectURL}}
			}
			if tt.registered {
				c.Registrations = []auth.Registration{{Issuer: "https://other.example.com", ClientID: "other"}, {Issuer: a.issuer(), ClientID: "known"}}
			}
			err := signIn(t, newSite(t, a, nil), c)
			if tt.want == "" {
				wantFailure(t, a, err)
				return
			}
			must(t, err)
			got := a.only(t, "/authorize").form.Get("client_id")
			if !strings.HasPrefix(got, tt.want) || strings.HasPrefix(tt.want, "https:") && got != tt.want {
				t.Errorf("signed in as %q, want %q", got, tt.want)
			}
			// The client is public, so it sends only its ID.
			if r := a.only(t, "/token"); r.form.Get("client_id") != got || r.form.Has("client_secret") || r.header.Get("Authorization") != "" {
				t.Errorf("token request %v %v", r.header, r.form)
			}
		})
	}
}

// TestAnEarlierRegistrationIsTheLastResort uses a client that registered
// itself, then has a metadata document, and then is registered beforehand.
func TestAnEarlierRegistrationIsTheLastResort(t *testing.T) {
	proves(t, "auth.register.priority", "auth.cimd.client.checks", "auth.prereg")
	anyRevision(t)
	a := newAuthority(t)
	s, store := newSite(t, a, nil), new(auth.MemoryStore)
	const redirect = "http://127.0.0.1/callback"
	for _, id := range []string{documentURL, "known"} {
		a.clients[id] = &app{method: "none", redirects: []string{redirect}}
	}
	document := false
	a.edit = func(m map[string]any) { m["client_id_metadata_document_supported"] = document }
	first := ""
	for n, tt := range []struct {
		document, registered bool
		want                 string
	}{{false, false, "client-1-"}, {false, false, "client-1-"}, {true, false, documentURL}, {true, true, "known"}, {false, true, "known"}, {false, false, "client-1-"}, {true, false, documentURL}} {
		a.set(func() { document = tt.document })
		c := &auth.OAuthClient{Store: store, MetadataDocument: documentURL, RedirectURL: redirect, Receive: location}
		if tt.registered {
			c.Registrations = []auth.Registration{{Issuer: a.issuer(), ClientID: "known"}}
		}
		must(t, signIn(t, s, c))
		pages := a.requests("/authorize")
		got := pages[len(pages)-1].form.Get("client_id")
		if n == 0 {
			first = got
		}
		if !strings.HasPrefix(got, tt.want) || strings.HasPrefix(tt.want, "client-") && got != first {
			t.Errorf("sign-in %d is that of %q, want %q", n, got, tt.want)
		}
	}
	a.only(t, "/register")
}

func TestTheDocumentOfAClient(t *testing.T) {
	proves(t, "auth.cimd.client.fields", "auth.cimd.client.self-id", "auth.cimd.client.https", "auth.cimd.client.path", "auth.cimd.follow-draft", "auth.refresh.grant-type", "auth.sec.redirect-scheme")
	anyRevision(t)
	local := []any{"http://127.0.0.1/callback", "http://localhost/callback"}
	for _, tt := range []struct {
		name, redirect  string
		client          string // the client_name in the registration
		redirects       []any
		applicationType string
	}{
		{"Reader", "", "Reader", local, "native"},
		{"", "", "MCP client", local, "native"},
		{"Reader", "http://localhost:3000/back", "Reader", []any{"http://localhost:3000/back"}, "native"},
		{"", "https://app.example.com/back", "MCP client", []any{"https://app.example.com/back"}, "web"},
	} {
		c := &auth.OAuthClient{Name: tt.name, RedirectURL: tt.redirect, MetadataDocument: documentURL}
		m, err := c.Document()
		must(t, err)
		// The stored registration does not depend on other fields of the client.
		c.Receive, c.Browser, c.Scopes, c.RequireDPoP, c.Grant = location, browse, []string{"a"}, true, auth.ClientCredentials
		if again, err := c.Document(); err != nil || !reflect.DeepEqual(again, m) {
			t.Errorf("%+v, %v, want %+v", again, err, m)
		}
		text, err := json.Marshal(m)
		must(t, err)
		var got map[string]any
		must(t, json.Unmarshal(text, &got))
		want := map[string]any{
			"client_id": documentURL, "client_name": tt.client, "redirect_uris": tt.redirects, "token_endpoint_auth_method": "none",
			"application_type": tt.applicationType, "grant_types": []any{"authorization_code", "refresh_token"}, "response_types": []any{"code"},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q, %q: the document is %v, want %v", tt.name, tt.redirect, got, want)
		}
	}
	for _, address := range []string{"https://client.example.com:8443/x", "https://Client.example.com/x?y=%7A", "HTTPS://client.example.com/%61", "https://client.example.com/a//b/", "https://client.example.com/..x/.y"} {
		if m, err := (&auth.OAuthClient{MetadataDocument: address}).Document(); err != nil || m.ClientID != address {
			t.Errorf("%q: %+v, %v", address, m, err)
		}
	}
	for _, address := range []string{"", "http://client.example.com/x", "http://localhost/x", "http://127.0.0.1:8080/x", "https://client.example.com?x", "https://client.example.com/?x", "https://client.example.com", "https://client.example.com/", "https://u@client.example.com/x", "https://client.example.com/x#y", "https://client.example.com/x#",
		"https://client.example.com/./x", "https://client.example.com/a/../x", "https://client.example.com/x/..", "https://client.example.com/%2e%2E/x", "https://:443/x", "//client.example.com/x", "client.example.com/x"} {
		for _, redirect := range []string{"", "http://localhost:3000/back", "https://app.example.com/back"} {
			if m, err := (&auth.OAuthClient{MetadataDocument: address, RedirectURL: redirect}).Document(); err == nil {
				t.Errorf("%q, %q: %+v", address, redirect, m)
			}
		}
	}
	for _, address := range []string{"http://0.0.0.0/back", "http://app.localhost/back", "http://app.example.com/back", "com.example.app:/back", "https://app.example.com/back#x", "/back"} {
		if m, err := (&auth.OAuthClient{MetadataDocument: documentURL, RedirectURL: address}).Document(); err == nil {
			t.Errorf("the redirect URI %q: %+v", address, m)
		}
	}
}

func TestApplicationType(t *testing.T) {
	proves(t, "auth.dcr.application-type", "auth.dcr.application-type.native", "auth.dcr.application-type.web", "auth.sec.redirect-scheme", "auth.sec.redirect-registered", "auth.resource.both-requests", "auth.resource.always")
	anyRevision(t)
	for address, want := range map[string]string{
		"": "native", "http://localhost:3000/callback": "native", "http://[::1]:3000/callback": "native", "https://app.example.com/callback": "web",
		"https://localhost:3000/callback": "native", "https://127.0.0.1/callback": "native", "https://127.0.0.2/callback": "native", "http://127.255.255.255:3000/callback": "native", "https://[::ffff:127.0.0.1]/callback": "native", "https://128.0.0.1/callback": "web", "https://[::1]/callback": "native", "https://10.0.0.1/callback": "web", "https://[2001:db8::1]/callback": "web", "https://[2001:db8::1]:8443/callback": "web", "https://localhost.example.com/callback": "web",
	} {
		a := newAuthority(t)
		c := &auth.OAuthClient{RedirectURL: address, Receive: location}
		must(t, signIn(t, newSite(t, a, nil), c))
		var m auth.ClientMetadata
		if err := json.Unmarshal([]byte(a.only(t, "/register").body), &m); err != nil || m.ApplicationType != want {
			t.Errorf("%q: registered as %q, want %q", address, m.ApplicationType, want)
		}
		sent := a.only(t, "/authorize").form.Get("redirect_uri")
		if len(m.RedirectURIs) != 1 || m.RedirectURIs[0] != sent || address != "" && sent != address || address == "" && !strings.HasPrefix(sent, "http://127.0.0.1") {
			t.Errorf("%q: registered %q, sent %q", address, m.RedirectURIs, sent)
		}
	}
	for _, address := range []string{"http://app.example.com/callback", "http://10.0.0.1/callback", "http://0.0.0.0/callback", "http://[::]/callback", "http://app.localhost/callback", "http://localhost.example.com/callback", "HTTP://127.0.0.2.example.com/x", "app:/callback", "javascript:x", "/callback",
		"https://app.example.com/callback#x", "https://u@app.example.com/callback"} {
		a := newAuthority(t)
		a.edit = func(m map[string]any) { m["client_id_metadata_document_supported"] = true }
		for _, document := range []string{"", documentURL} {
			for _, receive := range []func(context.Context, string) (string, error){nil, location} {
				err := signIn(t, newSite(t, a, nil), &auth.OAuthClient{RedirectURL: address, Receive: receive, MetadataDocument: document, Browser: browse})
				wantFailure(t, a, err, "RedirectURL")
			}
		}
	}
	a := newAuthority(t)
	wantFailure(t, a, signIn(t, newSite(t, a, nil), &auth.OAuthClient{RedirectURL: "https://app.example.com/callback"}), "OAuthClient.Receive is required")
	// A client with a different redirect URI registers again. The authority refuses a redirect URI
	// that was not registered.
	a = newAuthority(t)
	s, store := newSite(t, a, nil), new(auth.MemoryStore)
	for _, address := range []string{"http://localhost:3000/callback", "https://app.example.com/callback", "http://localhost:3001/callback", "http://localhost:3001/other", "", "http://127.0.0.1:3001/other"} {
		if err := signIn(t, s, &auth.OAuthClient{Store: store, RedirectURL: address, Receive: location}); err != nil {
			t.Errorf("%q after others: %v", address, err)
		}
	}
}

func TestARefusedRegistration(t *testing.T) {
	proves(t, "auth.dcr.failure-handled", "auth.dcr.failure-reported", "auth.dcr.failure-retry", "auth.dcr.application-type", "auth.register.obtain", "auth.sec.redirect-registered")
	anyRevision(t)
	for _, tt := range []struct {
		name, code string
		localhost  bool // whether the server accepts localhost
		method     string
		status     int
	}{
		{"of 127.0.0.1, not of localhost", "invalid_redirect_uri", true, "none", 400},
		{"of 127.0.0.1, by a client with a secret", "invalid_redirect_uri", true, "client_secret_basic", 400},
		{"of 127.0.0.1, with status 401", "invalid_redirect_uri", true, "client_secret_post", 401},
		{"of 127.0.0.1, with status 403", "invalid_redirect_uri", true, "none", 403},
		{"of 127.0.0.1, with status 422", "invalid_redirect_uri", true, "none", 422},
		{"of 127.0.0.1, with status 500", "invalid_redirect_uri", true, "none", 500},
		{"of 127.0.0.1, without a description", "invalid_redirect_uri", true, "none", 400},
		{"of every redirect URI", "invalid_redirect_uri", false, "none", 400},
		{"of every redirect URI, with status 403", "invalid_redirect_uri", false, "client_secret_basic", 403},
		{"for another reason", "invalid_client_metadata", false, "none", 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newAuthority(t)
			a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{tt.method} }
			a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != "/register" || tt.localhost && strings.Contains(a.log[len(a.log)-1].body, "http://localhost:") {
					return false
				}
				answer := map[string]string{"error": tt.code, "error_description": "not this one"}
				if strings.HasSuffix(tt.name, "without a description") {
					delete(answer, "error_description")
				}
				reply(w, tt.status, answer)
				return true
			}
			s, store := newSite(t, a, nil), new(auth.MemoryStore)
			err := signIn(t, s, &auth.OAuthClient{Store: store})
			if !tt.localhost {
				wantFailure(t, a, err, "register", a.issuer(), tt.code, "not this one", "register a client there manually")
				return
			}
			must(t, err)
			if page := a.only(t, "/authorize").form; !strings.HasPrefix(page.Get("redirect_uri"), "http://localhost:") {
				t.Errorf("redirect_uri %s", page.Get("redirect_uri"))
			}
			// The address is stored with the client that was registered for it.
			must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
			first, again := a.requests("/authorize")[0].form, a.requests("/authorize")[1].form
			for _, name := range []string{"client_id", "redirect_uri"} {
				if again.Get(name) != first.Get(name) {
					t.Errorf("%s is %s the second time, %s the first", name, again.Get(name), first.Get(name))
				}
			}
			all := a.requests("/register")
			if len(all) != 2 { // the server refuses the first registration and accepts the second
				t.Errorf("%d registrations", len(all))
			}
			for _, one := range all {
				var m auth.ClientMetadata
				if err := json.Unmarshal([]byte(one.body), &m); err != nil || m.ApplicationType != "native" || len(m.RedirectURIs) != 1 {
					t.Errorf("registered %s", one.body)
				}
			}
		})
	}
	// A redirect URI that the program has chosen is not replaced. Errors for invalid responses of
	// any form contain the failed step.
	for _, status := range []int{200, 201, 302, 400, 401, 403, 404, 429, 500} {
		for _, body := range []string{`{"error":"invalid_redirect_uri"}`, `<html>`, ``} {
			a := newAuthority(t)
			a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path == "/register" {
					w.WriteHeader(status)
					fmt.Fprint(w, body)
				}
				return r.URL.Path == "/register"
			}
			err := signIn(t, newSite(t, a, nil), &auth.OAuthClient{RedirectURL: "http://127.0.0.1:12345/callback", Receive: location})
			wantFailure(t, a, err, "register", a.issuer(), "register a client there manually")
			if n := len(a.requests("/register")); n != 1 || strings.Contains(a.paths(), "/authorize") {
				t.Errorf("%d %s: asked %s", status, body, a.paths())
			}
		}
	}
}

// TestTheRedirectIsTheRegisteredOne signs in several times with the stored data of the first
// registration.
func TestTheRedirectIsTheRegisteredOne(t *testing.T) {
	proves(t, "auth.sec.redirect-registered", "auth.register.obtain", "auth.oauth21.2025-03")
	anyRevision(t)
	for _, method := range []string{"none", "client_secret_basic"} {
		for name, tt := range map[string]struct {
			portInUse bool // whether the port of the registered redirect URI is in use
			expiry    int  // expiry of the client secret
			again     bool // whether the client must register again
		}{
			"as it was":              {},
			"its port is taken":      {portInUse: true, again: true},
			"its secret has expired": {expiry: 1, again: method != "none"},
			"its secret is valid":    {expiry: 1 << 40},
			"port taken and expired": {portInUse: true, expiry: 1, again: true},
		} {
			t.Run(method+", "+name, func(t *testing.T) {
				a := newAuthority(t)
				a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{method} }
				a.expiry = tt.expiry
				s, store := newSite(t, a, nil), new(auth.MemoryStore)
				for n := range 3 {
					must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
					if n == 0 && tt.portInUse {
						u, err := url.Parse(a.only(t, "/authorize").form.Get("redirect_uri"))
						must(t, err)
						listener, err := net.Listen("tcp", u.Host)
						if err != nil {
							t.Skipf("another program uses the port that this test needs again: %v; run the test again", err)
						}
						defer listener.Close()
					}
				}
				want := 1
				if tt.again {
					want = 2
				}
				if tt.expiry == 1 && method != "none" {
					want = 3
				}
				if n := len(a.requests("/register")); n != want {
					t.Errorf("registered %d times, want %d", n, want)
				}
				for _, page := range a.requests("/authorize") {
					if c := a.clients[page.form.Get("client_id")]; c == nil || !slices.Contains(c.redirects, page.form.Get("redirect_uri")) {
						t.Errorf("redirect_uri %s is not registered for %s", page.form.Get("redirect_uri"), page.form.Get("client_id"))
					}
				}
			})
		}
	}
}

// TestAForgottenClient uses two authorization servers and one store. One of the servers forgets its
// clients, either before the code is exchanged or before a refresh.
func TestAForgottenClient(t *testing.T) {
	proves(t, "auth.register.obtain", "auth.multi-as.separate", "auth.binding.by-issuer")
	anyRevision(t)
	for _, when := range []string{"at a code", "at a refresh", "at a sign-out"} {
		t.Run(when, func(t *testing.T) {
			one, two, store := newAuthority(t), newAuthority(t), new(auth.MemoryStore)
			first, second := newSite(t, one, nil), newSite(t, two, nil)
			for _, s := range []*site{first, second} {
				must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
			}
			forget := func() { one.set(func() { clear(one.clients) }) }
			switch when {
			case "at a code":
				c := &auth.OAuthClient{Store: store}
				one.set(func() {
					one.intercept = func(w http.ResponseWriter, r *http.Request) bool {
						switch r.URL.Path {
						case "/token":
							reply(w, 401, map[string]string{"error": "invalid_client"})
						case "/authorize":
							q := r.URL.Query()
							http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"state": {q.Get("state")}, "iss": {one.issuer()}, "code": {"x"}}.Encode(), http.StatusFound)
						default:
							return false
						}
						return true
					}
				})
				if err := signIn(t, first, c); err == nil || !strings.Contains(err.Error(), "invalid_client") {
					t.Fatal(err)
				}
				one.set(func() { one.intercept = nil })
				forget()
			case "at a refresh":
				if !auth.Age(store) {
					t.Fatal("nothing is kept")
				}
				one.set(func() { one.lifetime = 1 })
				forget()
				if got, err := authorized(t.Context(), &auth.OAuthClient{Store: store}, first.endpoint()); err != nil || got != "" {
					t.Fatalf("%q, %v", got, err)
				}
				one.set(func() { one.lifetime = 3600 })
			default:
				must(t, (&auth.OAuthClient{Store: store}).SignOut(t.Context(), first.endpoint()))
			}
			for _, s := range []*site{first, second} {
				must(t, signIn(t, s, &auth.OAuthClient{Store: store}))
			}
			if n, m := len(one.requests("/register")), len(two.requests("/register")); n != 2 || m != 1 {
				t.Errorf("registered %d times with the first and %d times with the second", n, m)
			}
		})
	}
}

func TestARegistrationDoesNotShowItsSecret(t *testing.T) {
	proves(t, "xcred.security", "auth.sec.storage", "auth.sec.storage.client")
	anyRevision(t)
	r := auth.Registration{Issuer: "https://as.example.com", ClientID: "known", ClientSecret: "hidden"}
	for _, text := range []string{fmt.Sprint(r), fmt.Sprintf("%+v", r), fmt.Sprintf("%#v", r), r.LogValue().String()} {
		if strings.Contains(text, "hidden") || !strings.Contains(text, "known") {
			t.Error(text)
		}
	}
}
