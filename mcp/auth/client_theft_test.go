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

func TestAnswersOfAnotherAreNotUsed(t *testing.T) {
	proves(t, "auth.iss.record", "auth.iss.validate", "auth.iss.missing-reject", "auth.iss.no-normalise", "auth.iss.error-response", "auth.sec.best-practices", "auth.sec.state", "auth.asmeta.client-rfc8414", "auth.asmeta.client-both")
	anyRevision(t)
	const shown = "call this number"
	for _, tt := range []struct {
		name       string
		advertised bool
		change     func(q url.Values, issuer string)
		ok         bool
		says       string
	}{
		{"advertised and right", true, nil, true, ""},
		{"not advertised and right", false, nil, true, ""},
		{"neither advertised nor there", false, func(q url.Values, _ string) { q.Del("iss") }, true, ""},
		{"advertised and missing", true, func(q url.Values, _ string) { q.Del("iss") }, false, "no iss"},
		{"another issuer", true, func(q url.Values, _ string) { q.Set("iss", "https://evil.example.com") }, false, "iss differs"},
		{"another issuer, not advertised", false, func(q url.Values, _ string) { q.Set("iss", "https://evil.example.com") }, false, "iss differs"},
		{"empty, not advertised", false, func(q url.Values, _ string) { q.Set("iss", "") }, false, "iss differs"},
		{"with a slash", true, func(q url.Values, issuer string) { q.Set("iss", issuer+"/") }, false, "iss differs"},
		{"in upper case", true, func(q url.Values, issuer string) { q.Set("iss", strings.ToUpper(issuer)) }, false, "iss differs"},
		{"percent-encoded", true, func(q url.Values, issuer string) { q.Set("iss", strings.Replace(issuer, "127", "%31%32%37", 1)) }, false, "iss differs"},
		{"twice", true, func(q url.Values, issuer string) { q["iss"] = []string{issuer, "https://evil.example.com"} }, false, "iss 2 times"},
		{"an error of another issuer", true, func(q url.Values, _ string) {
			q.Set("iss", "https://evil.example.com")
			q.Set("error", shown)
			q.Set("error_description", shown)
			q.Set("error_uri", "https://evil.example.com/"+shown)
		}, false, "iss differs"},
		{"an error alone of another issuer, not advertised", false, func(q url.Values, _ string) {
			q.Del("code")
			q.Set("iss", "https://evil.example.com")
			q.Set("error", shown)
		}, false, "iss differs"},
		{"a known error of another issuer", true, func(q url.Values, _ string) {
			q.Del("code")
			q.Set("iss", "https://evil.example.com")
			q.Set("error", "access_denied")
			q.Set("error_description", shown)
		}, false, "iss differs"},
		{"a known error of another issuer, not advertised", false, func(q url.Values, _ string) {
			q.Del("code")
			q.Set("iss", "https://evil.example.com")
			q.Set("error", "server_error")
			q.Set("error_description", shown)
		}, false, "iss differs"},
		{"an error without issuer", true, func(q url.Values, _ string) {
			q.Del("iss")
			q.Set("error", shown)
			q.Set("error_description", shown)
			q.Set("error_uri", "https://evil.example.com/")
		}, false, "no iss"},
		{"an error of the issuer", true, func(q url.Values, _ string) {
			q.Del("code")
			q.Set("error", "access_denied")
		}, false, "access_denied"},
		{"without the last letter", true, func(q url.Values, issuer string) { q.Set("iss", issuer[:len(issuer)-1]) }, false, "iss differs"},
		{"with a path", true, func(q url.Values, issuer string) { q.Set("iss", issuer+"/x") }, false, "iss differs"},
		{"with a space", true, func(q url.Values, issuer string) { q.Set("iss", issuer+" ") }, false, "iss differs"},
		{"of a resource", true, func(q url.Values, issuer string) { q.Set("iss", issuer+"/mcp") }, false, "iss differs"},
		{"another state", true, func(q url.Values, _ string) { q.Set("state", "guessed") }, false, "state differs"},
		{"an empty state", true, func(q url.Values, _ string) { q.Set("state", "") }, false, "state differs"},
		{"a part of the state", true, func(q url.Values, _ string) { q.Set("state", q.Get("state")[1:]) }, false, "state differs"},
		{"the state in small letters", true, func(q url.Values, _ string) { q.Set("state", strings.ToLower(q.Get("state"))) }, false, "state differs"},
		{"the state with a space", true, func(q url.Values, _ string) { q.Set("state", q.Get("state")+" ") }, false, "state differs"},
		{"the state after a line break", true, func(q url.Values, _ string) { q.Set("state", "\n"+q.Get("state")) }, false, "state differs"},
		{"the state twice in one", true, func(q url.Values, _ string) { q.Set("state", q.Get("state")+q.Get("state")) }, false, "state differs"},
		{"no state", true, func(q url.Values, _ string) { q.Del("state") }, false, "state"},
		{"two states", true, func(q url.Values, _ string) { q.Add("state", "guessed") }, false, "state 2 times"},
		{"two codes", true, func(q url.Values, _ string) { q.Add("code", "another") }, false, "code 2 times"},
		{"no code", true, func(q url.Values, _ string) { q.Del("code") }, false, "no code"},
	} {
		for _, name := range []string{"received", "listened for", "received by OpenID Connect", "received by the server itself"} {
			t.Run(tt.name+", "+name, func(t *testing.T) {
				a := newAuthority(t)
				if strings.HasSuffix(name, "OpenID Connect") {
					a.metadata = []string{"/.well-known/openid-configuration"}
				}
				s, issuer := newSite(t, a, nil), a.issuer()
				if strings.HasSuffix(name, "itself") {
					issuer = s.URL
					noMetadata(s, a, http.StatusNotFound, func(string) bool { return true })
				}
				a.edit = func(m map[string]any) {
					m["issuer"], m["authorization_response_iss_parameter_supported"] = issuer, tt.advertised
				}
				a.answer = func(q url.Values) {
					if q.Set("iss", issuer); tt.change != nil {
						tt.change(q, issuer)
					}
				}
				c := &auth.OAuthClient{RedirectURL: "http://127.0.0.1/callback", Receive: location}
				if name == "listened for" {
					c = &auth.OAuthClient{Browser: browse}
				}
				err := signIn(t, s, c)
				if tt.ok {
					if err != nil {
						t.Error(err)
					}
					return
				}
				says := tt.says
				if name == "listened for" && strings.Contains(says, "state") && !strings.Contains(says, "times") {
					says = "does not belong to the sign-in" // the message that the browser shows
				}
				wantFailure(t, a, err, says, issuer)
				if strings.Contains(err.Error(), shown) || strings.Contains(err.Error(), "evil") {
					t.Errorf("the answer is shown: %v", err)
				}
			})
		}
	}
}

// TestAnAnswerOfAnotherToAServerWithoutMetadata uses a server of revision 2025-03-26 without
// metadata, so its endpoints have the default paths. The authorization response contains an issuer.
func TestAnAnswerOfAnotherToAServerWithoutMetadata(t *testing.T) {
	proves(t, "auth.iss.validate", "auth.iss.record", "auth.iss.no-normalise")
	anyRevision(t)
	for issuer, ok := range map[string]bool{"URL": true, "": true, "URL/": false, "URL/mcp": false, "https://evil.example.com": false} {
		a := newAuthority(t)
		s := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes = nil })
		a.answer = func(q url.Values) {
			if q.Del("iss"); issuer != "" {
				q.Set("iss", strings.Replace(issuer, "URL", s.URL, 1))
			}
		}
		noMetadata(s, a, http.StatusNotFound, func(path string) bool { return !strings.HasPrefix(path, "/.well-known/") })
		if err := signIn(t, s, new(auth.OAuthClient)); ok && err != nil {
			t.Errorf("%s: %v", issuer, err)
		} else if !ok {
			wantFailure(t, a, err, "iss differs")
		}
	}
}

// TestIssuersAreComparedAsTheyAre uses equivalent but different URLs of an issuer.
func TestIssuersAreComparedAsTheyAre(t *testing.T) {
	proves(t, "auth.iss.no-normalise", "auth.iss.validate", "auth.asmeta.issuer-equal", "auth.asmeta.issuer-differs", "auth.iss.record")
	anyRevision(t)
	issuers := []string{
		"https://as.example.com", "https://as.example.com/", "https://as.example.com:443", "https://AS.example.com", "https://as.example.com/a%2fb", "https://as.example.com/a%2Fb",
		"https://as.example.com/%61", "https://as.example.com/a", "https://as.example.com/a/", "https://as.example.com/A",
	}
	signIn := func(named, metadata, answered string) error {
		a := newAuthority(t)
		network := &public{hosts: map[string]http.Handler{}}
		as := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.URL.Path, "/.well-known/") {
				a.ServeHTTP(w, r)
				return
			}
			reply(w, 200, map[string]any{
				"issuer": metadata, "code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
				"authorization_endpoint": "https://as.example.com/authorize", "token_endpoint": "https://as.example.com/token", "registration_endpoint": "https://as.example.com/register",
			})
		})
		network.hosts["as.example.com"], network.hosts["as.example.com:443"], network.hosts["AS.example.com"] = as, as, as
		network.hosts["mcp.example.com"] = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/mcp" {
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			reply(w, 200, map[string]any{"resource": "https://mcp.example.com/mcp", "authorization_servers": []string{named}})
		})
		c := &auth.OAuthClient{HTTPClient: &http.Client{Transport: network}, RedirectURL: "http://127.0.0.1/callback"}
		c.Receive = func(ctx context.Context, page string) (string, error) {
			answer, err := redirected(ctx, network, page)
			return strings.Replace(answer, url.QueryEscape(a.issuer()), url.QueryEscape(answered), 1), err
		}
		err := c.SignIn(t.Context(), "https://mcp.example.com/mcp")
		if n := len(a.requests("/token")); (n == 1) != (err == nil) {
			t.Errorf("%d token requests, %v", n, err)
		}
		return err
	}
	for _, issuer := range issuers {
		for _, other := range issuers {
			if err := signIn(issuer, issuer, other); (err == nil) != (issuer == other) || err != nil && !strings.Contains(err.Error(), "iss differs") {
				t.Errorf("an answer of %s for one of %s: %v", other, issuer, err)
			}
			if err := signIn(issuer, other, issuer); (err == nil) != (issuer == other) || err != nil && !strings.Contains(err.Error(), "another issuer") {
				t.Errorf("metadata of %s for that of %s: %v", other, issuer, err)
			}
		}
	}
}

func TestAServerWithoutPKCEIsRefused(t *testing.T) {
	proves(t, "auth.sec.pkce", "auth.sec.pkce-verify-support", "auth.sec.pkce-refuse", "auth.sec.pkce-s256")
	everyRevision(t, func(t *testing.T, revision string) {
		for _, place := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
			for _, sameHost := range []bool{false, true} { // whether the server is its own authorization server
				for _, kind := range []string{"new", "known", "with a document"} {
					for _, methods := range []any{nil, []string{}, []string{"plain"}, []string{"s256"}} {
						a := newAuthority(t)
						s := newSite(t, a, nil)
						a.metadata = []string{place}
						issuer := a.issuer()
						if sameHost {
							issuer = s.URL
							noMetadata(s, a, http.StatusNotFound, func(string) bool { return true })
						}
						a.edit = func(m map[string]any) {
							m["code_challenge_methods_supported"], m["issuer"], m["client_id_metadata_document_supported"] = methods, issuer, kind == "with a document"
						}
						c := new(auth.OAuthClient)
						switch kind {
						case "known":
							c.Registrations = []auth.Registration{{Issuer: issuer, ClientID: "known"}}
						case "with a document":
							c.MetadataDocument = documentURL
						}
						_, err := connect(t, s, c, revision)
						wantFailure(t, a, err, "S256", issuer)
						if got := a.paths(); strings.Contains(got, "/authorize") || strings.Contains(got, "/register") {
							t.Errorf("%v: asked %s", methods, got)
						}
					}
				}
			}
		}
		a := newAuthority(t)
		a.edit = func(m map[string]any) { m["code_challenge_methods_supported"] = []string{"plain", "S256", "plain"} }
		mustConnect(t, newSite(t, a, nil), new(auth.OAuthClient), revision)
		if got := a.only(t, "/authorize").form["code_challenge_method"]; !slices.Equal(got, []string{"S256"}) {
			t.Errorf("beside plain, the method is %q", got)
		}
	})
}

// TestPKCEIsVerifiedAtEachSignIn uses an authorization server that no longer supports PKCE after a
// client's first sign-in.
func TestPKCEIsVerifiedAtEachSignIn(t *testing.T) {
	proves(t, "auth.sec.pkce-verify-support", "auth.sec.pkce-refuse", "auth.sec.pkce")
	everyRevision(t, func(t *testing.T, revision string) {
		a := newAuthority(t)
		s := newSite(t, a, nil)
		c := mustConnect(t, s, new(auth.OAuthClient), revision)
		must(t, use(t, c, "read"))
		a.set(func() {
			a.log = nil
			a.edit = func(m map[string]any) { m["code_challenge_methods_supported"] = nil }
		})
		wantFailure(t, a, use(t, c, "erase"), "S256", a.issuer())
		if got := a.paths(); strings.Contains(got, "/authorize") {
			t.Errorf("asked %s", got)
		}
	})
}

// TestTheServerDoesNotChooseParameters uses metadata whose authorization
// endpoint already has parameters.
func TestTheServerDoesNotChooseParameters(t *testing.T) {
	proves(t, "auth.sec.best-practices", "auth.resource.always", "auth.sec.pkce-s256", "auth.sec.state")
	anyRevision(t)
	a := newAuthority(t)
	a.edit = func(m map[string]any) {
		m["authorization_endpoint"] = a.URL + "/authorize?code_challenge_method=plain&redirect_uri=https://evil.example.com&scope=admin&tenant=t1&state=known&resource=https://evil.example.com"
	}
	s := newSite(t, a, func(o *auth.GuardOptions) { o.Scopes = nil; o.ToolScopes = nil })
	must(t, signIn(t, s, new(auth.OAuthClient)))
	page := a.only(t, "/authorize").form
	for name, want := range map[string]int{"code_challenge_method": 1, "redirect_uri": 1, "state": 1, "resource": 1, "tenant": 1, "scope": 0} {
		if len(page[name]) != want {
			t.Errorf("%s is %q", name, page[name])
		}
	}
	if page.Get("state") == "known" || page.Get("resource") != s.endpoint() || page.Get("code_challenge_method") != "S256" || page.Get("tenant") != "t1" {
		t.Errorf("%v", page)
	}
}

// TestACodeIsUsedOnce simulates an attacker who sends the authorization response a second time.
func TestACodeIsUsedOnce(t *testing.T) {
	proves(t, "auth.sec.best-practices")
	anyRevision(t)
	a := newAuthority(t)
	s := newSite(t, a, nil)
	var back string
	c := &auth.OAuthClient{Browser: func(ctx context.Context, page string) error {
		var err error
		if back, err = location(ctx, page); err != nil {
			return err
		}
		if err := browse(ctx, back); err != nil {
			return err
		}
		if err := browse(ctx, back); err == nil {
			t.Error("the answer is taken twice")
		}
		return nil
	}}
	must(t, signIn(t, s, c))
	if err := browse(t.Context(), back); err == nil {
		t.Error("the port listens still")
	}
	a.only(t, "/token")
	// A stolen code is worthless without the verifier.
	u, err := url.Parse(back)
	must(t, err)
	code := ""
	a.set(func() {
		code = u.Query().Get("code")
		a.codes[code].used = false
	})
	res, err := http.PostForm(a.URL+"/token"+mark, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "client_id": {a.only(t, "/authorize").form.Get("client_id")},
		"redirect_uri": {a.only(t, "/authorize").form.Get("redirect_uri")}, "resource": {s.endpoint()},
	})
	must(t, err)
	res.Body.Close()
	if res.StatusCode != http.StatusBadRequest {
		t.Errorf("the thief gets %s", res.Status)
	}
}

// TestErrorsHaveNoSecrets makes sign-ins fail at each endpoint. The responses repeat the parameters
// of the request.
func TestErrorsHaveNoSecrets(t *testing.T) {
	proves(t, "auth.sec.storage", "auth.refresh.confidential")
	anyRevision(t)
	for _, path := range []string{"/register", "/token"} {
		a := newAuthority(t)
		a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{"client_secret_post"} }
		a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == path {
				w.WriteHeader(http.StatusBadGateway)
				fmt.Fprintf(w, "<h1>bad gateway</h1> %s", a.log[len(a.log)-1].body)
			}
			return r.URL.Path == path
		}
		_, err := connect(t, newSite(t, a, nil), new(auth.OAuthClient), "")
		if err == nil {
			t.Fatal("connected")
		}
		for _, secret := range []string{"code-", "secret-", "code_verifier", "access-", "refresh-", "redirect_uris"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%s: the error has %q: %v", path, secret, err)
			}
		}
	}
}
