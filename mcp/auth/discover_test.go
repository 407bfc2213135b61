package auth_test

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/docent-mcp/docent/mcp/auth"
)

func TestMetadataOfTheResource(t *testing.T) {
	proves(t, "auth.prm.implement", "auth.prm.as-list", "auth.refresh.server-no-offline-access")
	record("ran", t.Name(), "any", "any") // a document of its own
	i := newIssuer(t)
	for _, tt := range []struct {
		resource string
		paths    []string
	}{
		{"https://mcp.example.com/mcp", []string{"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"}},
		{"https://mcp.example.com", []string{"/.well-known/oauth-protected-resource"}},
	} {
		g := guarded(t, i, func(o *auth.Options) {
			o.Resource, o.ToolScopes, o.Name = tt.resource, map[string][]string{"erase": {"reports:write"}}, "Reports"
		})
		mux := http.NewServeMux()
		g.Mount(mux, passed)
		for _, path := range tt.paths {
			for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST"} {
				w := httptest.NewRecorder()
				mux.ServeHTTP(w, httptest.NewRequest(method, path, nil))
				want := map[string]int{"GET": 200, "HEAD": 200, "OPTIONS": 204, "POST": 405}[method]
				if w.Code != want || w.Header().Get("Access-Control-Allow-Origin") != "*" {
					t.Errorf("%s %s: %d %v", method, path, w.Code, w.Header())
				}
				if method != "GET" {
					continue
				}
				var m struct {
					Resource string   `json:"resource"`
					Servers  []string `json:"authorization_servers"`
					Scopes   []string `json:"scopes_supported"`
					Methods  []string `json:"bearer_methods_supported"`
					Name     string   `json:"resource_name"`
				}
				if err := json.Unmarshal(w.Body.Bytes(), &m); err != nil || m.Resource != tt.resource || len(m.Servers) != 1 || m.Servers[0] != i.URL ||
					strings.Join(m.Scopes, " ") != "mcp reports:write" || m.Methods[0] != "header" || m.Name != "Reports" {
					t.Errorf("%s: %s, %v", path, w.Body, err)
				}
			}
		}
	}
}

func TestMetadataOfTheAuthorizationServerIsRelayed(t *testing.T) {
	i := newIssuer(t)
	mux := http.NewServeMux()
	guarded(t, i, func(o *auth.Options) { o.AuthorizationServerMetadata = true }).Mount(mux, passed)
	const path = "/.well-known/oauth-authorization-server"
	for range 3 {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != 200 || !strings.Contains(w.Body.String(), i.URL+"/register") {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	if n := i.count(path); n != 1 {
		t.Errorf("the authorization server was asked %d times", n)
	}
}

func TestDiscovery(t *testing.T) {
	i := newIssuer(t)
	m, err := auth.Discover(t.Context(), nil, i.URL)
	if err != nil || m.JWKSURI != i.URL+"/keys" || i.count("/.well-known/openid-configuration") != 0 {
		t.Errorf("%+v, %v", m, err)
	}
	i.set(func() { i.without = "/.well-known/oauth-authorization-server" })
	if m, err := auth.Discover(t.Context(), nil, i.URL); err != nil || m.JWKSURI != i.URL+"/keys" {
		t.Errorf("by OpenID Connect: %+v, %v", m, err)
	}
	i.set(func() { i.named = "https://evil.example" })
	if m, err := auth.Discover(t.Context(), nil, i.URL); err == nil {
		t.Errorf("metadata of another issuer is taken: %+v", m)
	}
	var asked []string
	tenants := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		http.NotFound(w, r)
	}))
	defer tenants.Close()
	if _, err := auth.Discover(t.Context(), nil, tenants.URL+"/t1"); err == nil {
		t.Error("nothing is taken for metadata")
	}
	want := "/.well-known/oauth-authorization-server/t1 /.well-known/openid-configuration/t1 /t1/.well-known/openid-configuration"
	if got := strings.Join(asked, " "); got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}

func TestKeysOfEveryKind(t *testing.T) {
	i := newIssuer(t)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	i.addKey("rsa", rsaKey)
	i.addKey("ed", edKey)
	v, err := auth.NewJWT(i.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"ES256":         i.issue(nil),
		"RS256":         i.sign(jwt.SigningMethodRS256, "rsa", i.claims(nil), nil),
		"PS512":         i.sign(jwt.SigningMethodPS512, "rsa", i.claims(nil), nil),
		"EdDSA":         i.sign(jwt.SigningMethodEdDSA, "ed", i.claims(nil), nil),
		"without a kid": signWith(jwt.SigningMethodEdDSA, edKey, "", i.claims(nil), nil),
	} {
		if _, err := v.Verify(t.Context(), token); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	only, err := auth.NewJWT(i.URL, &auth.JWTOptions{Algorithms: []string{"ES256"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := only.Verify(t.Context(), i.sign(jwt.SigningMethodRS256, "rsa", i.claims(nil), nil)); !errors.Is(err, auth.ErrInvalid) {
		t.Errorf("another algorithm: %v", err)
	}
	if _, err := auth.NewJWT(i.URL, &auth.JWTOptions{Algorithms: []string{"HS256"}}); err == nil {
		t.Error("HS256 can be configured")
	}
}

// canned answers requests within a synctest bubble, where there is no network.
type canned struct{ handler http.Handler }

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w.Result(), nil
}

func TestKeysAreReadAgain(t *testing.T) {
	i := newIssuer(t)
	synctest.Test(t, func(t *testing.T) {
		v, err := auth.NewJWT(i.URL, &auth.JWTOptions{Client: &http.Client{Transport: canned{i}}})
		if err != nil {
			t.Fatal(err)
		}
		verify := func(token string, valid bool, reads int) {
			t.Helper()
			if _, err := v.Verify(t.Context(), token); (err == nil) != valid || err != nil && !errors.Is(err, auth.ErrInvalid) {
				t.Errorf("%v, want it valid: %t", err, valid)
			}
			if n := i.count("/keys"); n != reads {
				t.Errorf("the keys were read %d times, want %d", n, reads)
			}
		}
		old := i.issue(nil)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if _, err := v.Verify(t.Context(), old); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		verify(old, true, 1)

		i.addKey("two", newEC())
		rotated := i.sign(jwt.SigningMethodES256, "two", i.claims(nil), nil)
		verify(rotated, false, 1) // too soon
		time.Sleep(11 * time.Second)
		verify(rotated, true, 2)

		stranger := signWith(jwt.SigningMethodES256, newEC(), "three", i.claims(nil), nil)
		for range 5 {
			verify(stranger, false, 2)
		}
		time.Sleep(11 * time.Second)
		verify(stranger, false, 3)
		verify(stranger, false, 3)

		i.set(func() { delete(i.keys, "one") })
		verify(old, true, 3) // known for an hour
		time.Sleep(time.Hour)
		verify(old, false, 4)
		verify(rotated, true, 4)

		i.set(func() { i.down = true })
		time.Sleep(time.Hour)
		verify(rotated, true, 4) // the issuer is down: what is known stays
		if n := i.count("/.well-known/oauth-authorization-server"); n != 5 {
			t.Errorf("the metadata was asked for %d times, want 5", n)
		}
		time.Sleep(25 * time.Hour)
		if _, err := v.Verify(t.Context(), rotated); err == nil || errors.Is(err, auth.ErrInvalid) {
			t.Errorf("a day later: %v", err)
		}
	})
}

func TestIntrospection(t *testing.T) {
	i := newIssuer(t)
	if _, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{}); err == nil {
		t.Error("no client is accepted")
	}
	if _, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", Endpoint: "http://login.example.com/"}); err == nil {
		t.Error("an endpoint without https is accepted")
	}
	i.set(func() { i.active["t1"], i.opaque = true, i.claims(map[string]any{"iss": nil}) })
	for _, cache := range []time.Duration{0, time.Minute} {
		before := i.count("/introspect")
		v, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1", Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			token, err := v.Verify(t.Context(), "t1")
			if err != nil || token.Subject != "ada" || token.Issuer != i.URL || len(token.Scopes) != 2 {
				t.Errorf("%+v, %v", token, err)
			}
		}
		if n, want := i.count("/introspect")-before, map[bool]int{true: 3, false: 1}[cache == 0]; n != want {
			t.Errorf("with a cache of %s it asked %d times, want %d", cache, n, want)
		}
		if _, err := v.Verify(t.Context(), "t2"); !errors.Is(err, auth.ErrInvalid) {
			t.Errorf("an unknown token: %v", err)
		}
	}
	wrong, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "wrong"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := wrong.Verify(t.Context(), "t1"); err == nil || errors.Is(err, auth.ErrInvalid) {
		t.Errorf("with a wrong secret: %v", err)
	}
	i.set(func() { i.opaque["iss"] = "https://evil.example" })
	v, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Verify(t.Context(), "t1"); !errors.Is(err, auth.ErrInvalid) {
		t.Errorf("another issuer: %v", err)
	}
}

func TestSafeClient(t *testing.T) {
	var to string
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "here")
	}))
	defer web.Close()
	other := httptest.NewServer(http.NotFoundHandler())
	defer other.Close()
	get := func(url string) error {
		res, err := auth.SafeClient().Get(url)
		if err == nil {
			res.Body.Close()
		}
		return err
	}
	if err := get(web.URL); err != nil {
		t.Error(err)
	}
	to = web.URL + "/here"
	if err := get(web.URL + "/away"); err != nil {
		t.Error(err)
	}
	for _, url := range []string{"http://example.com/", "http://169.254.169.254/latest", "ftp://localhost/", "https://u:p@localhost/"} {
		if err := get(url); err == nil || !strings.Contains(err.Error(), "must have https") && !strings.Contains(err.Error(), "has a user") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{"https://169.254.169.254/", "https://10.0.0.1/", "https://[fd00::1]/", "https://100.64.0.1/", "https://[::ffff:192.168.0.1]/", "https://[64:ff9b::a00:1]/", "https://0.0.0.0/"} {
		if err := get(url); err == nil || !strings.Contains(err.Error(), "which is no public one") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, to = range []string{other.URL, "http://169.254.169.254/", "https://localhost/"} {
		if err := get(web.URL + "/away"); err == nil || !strings.Contains(err.Error(), "another origin") {
			t.Errorf("redirected to %s: %v", to, err)
		}
	}
}
