package auth_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

func TestTheCanonicalURI(t *testing.T) {
	proves(t, "auth.resource.case", "auth.resource.no-slash", "auth.resource.canonical", "auth.base-url.no-path")
	anyRevision(t)
	for end, want := range map[string]string{"/": "", "": "", "#part": "", "/#part": "", "/?": "", "?x=1#part": "", "/a%2Fb/": "/a%2Fb", "/A%2fb": "/A%2fb", "/a/b/?x=1": "/a/b", "/a//": "/a/"} {
		t.Run(end, func(t *testing.T) { canonicalURI(t, end, want) })
	}
}

// canonicalURI signs in to a server without metadata. The server's URL differs from the canonical
// one, which has the given path.
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
	c := &auth.OAuthClient{Browser: browse}
	upper := strings.Replace(s.URL, "http://127.0.0.1", "HTTP://LOCALHOST", 1)
	lower := strings.ToLower(upper)
	a.edit = func(m map[string]any) { m["issuer"] = lower + "/" }
	a.answer = func(q url.Values) { q.Set("iss", lower+"/") }
	must(t, c.SignIn(t.Context(), upper+end))
	for _, place := range []string{"/authorize", "/token"} {
		if got := a.only(t, place).form.Get("resource"); got != lower+path {
			t.Errorf("%s: resource %q, want %q", place, got, lower+path)
		}
	}
}

func TestTheResourceMustBeTheServer(t *testing.T) {
	proves(t, "auth.resource.names-server", "auth.resource.canonical", "auth.token.client-only-as", "auth.resource.case")
	anyRevision(t)
	for _, tt := range []struct {
		resource string // URL is replaced by the server's origin
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
		err := (&auth.OAuthClient{Browser: browse}).SignIn(t.Context(), s.endpoint()+query)
		if (err == nil) != tt.ok {
			t.Errorf("%q: %v", tt.resource, err)
		}
		if !tt.ok {
			if a.paths() != "" {
				t.Errorf("%q: the authorization server was asked %s", tt.resource, a.paths())
			}
			continue
		}
		// The resource is sent unchanged, character for character.
		if page, token := a.only(t, "/authorize").form, a.only(t, "/token").form; page.Get("resource") != resource || token.Get("resource") != resource {
			t.Errorf("%q was sent as %q and %q", resource, page.Get("resource"), token.Get("resource"))
		}
	}
}

func TestATokenGoesToOneOriginAlone(t *testing.T) {
	proves(t, "auth.token.client-only-as")
	anyRevision(t)
	a := newAuthority(t)
	s, other := newSite(t, a, nil), newSite(t, a, nil)
	c := new(auth.OAuthClient)
	must(t, use(t, mustConnect(t, s, c, ""), "read"))
	if _, err := connect(t, other, c, ""); err == nil || !strings.Contains(err.Error(), "a separate OAuthClient") {
		t.Errorf("a second server: %v", err)
	}
	// The token is not sent along when the server redirects a request.
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
