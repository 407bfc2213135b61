package auth_test

import (
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/docent-mcp/docent/mcp/auth"
)

// algorithms contains the members of a resource's metadata that concern DPoP.
const algorithms = `"dpop_signing_alg_values_supported":["RS256","RS384","RS512","PS256","PS384","PS512","ES256","ES384","ES512","EdDSA"]`

func TestMetadataOfTheResource(t *testing.T) {
	proves(t, "auth.prm.implement", "auth.prm.as-list", "auth.refresh.server-no-offline-access")
	anyRevision(t)
	i := newIssuer(t)
	const root = "/.well-known/oauth-protected-resource"
	for _, tt := range []struct {
		resource string
		servers  []string
		paths    []string
	}{
		{"https://mcp.example.com/mcp", []string{i.URL}, []string{root + "/mcp", root}},
		{"https://mcp.example.com/a/b/", []string{i.URL, "https://two.example", "https://three.example/t", "https://four.example/", "https://five.example/t/"}, []string{root + "/a/b", root}},
		{"https://mcp.example.com", []string{i.URL}, []string{root}},
		{"https://mcp.example.com/", []string{i.URL, "https://two.example"}, []string{root}},
		{"http://localhost:8080/mcp", []string{i.URL}, []string{root + "/mcp", root}},
		{"HTTPS://MCP.example.com:8443/x", []string{"https://two.example", i.URL}, []string{root + "/x", root}},
	} {
		g := guarded(t, i, func(o *auth.GuardOptions) {
			o.Resource, o.AuthorizationServers, o.ToolScopes = tt.resource, tt.servers, map[string][]string{"erase": {"reports:write", "mcp"}, "add": {"reports:add"}}
			o.Name, o.Documentation, o.AuthorizationServerMetadata = "Reports", "https://example.com/docs", len(tt.servers) != 1
		})
		mux := http.NewServeMux()
		g.Mount(mux, passed)
		servers, err := json.Marshal(tt.servers)
		must(t, err)
		want := `{"resource":"` + tt.resource + `","authorization_servers":` + string(servers) + `,"scopes_supported":["mcp","reports:add","reports:write"],` +
			`"bearer_methods_supported":["header"],"resource_name":"Reports","resource_documentation":"https://example.com/docs",` + algorithms + `}`
		for _, path := range tt.paths {
			for _, method := range []string{"GET", "HEAD", "OPTIONS", "POST"} {
				w := httptest.NewRecorder()
				mux.ServeHTTP(w, httptest.NewRequest(method, path, nil))
				for _, same := range []string{path + "?x=1", path} {
					r, again := httptest.NewRequest(method, same, nil), httptest.NewRecorder()
					r.Header.Set("Authorization", "Bearer expired")
					mux.ServeHTTP(again, r)
					if again.Code != w.Code || again.Body.String() != w.Body.String() {
						t.Errorf("%s %s with a token: %d %s", method, same, again.Code, again.Body)
					}
				}
				status := map[string]int{"GET": 200, "HEAD": 200, "OPTIONS": 204, "POST": 405}[method]
				if w.Code != status || w.Header().Get("Access-Control-Allow-Origin") != "*" {
					t.Errorf("%s %s: %d %v", method, path, w.Code, w.Header())
				}
				if status == 200 && w.Header().Get("Content-Type") != "application/json" {
					t.Errorf("%s %s has the type %q", method, path, w.Header().Get("Content-Type"))
				}
				if body := w.Body.String(); method == "GET" && body != want || method == "HEAD" && body != "" {
					t.Errorf("%s %s: %s\nwant %s", method, path, body, want)
				}
			}
		}
	}
	plain := httptest.NewRecorder()
	guarded(t, i, func(o *auth.GuardOptions) { o.Scopes = nil }).Metadata().ServeHTTP(plain, httptest.NewRequest(http.MethodGet, root, nil))
	if want := `{"resource":"` + resource + `","authorization_servers":["` + i.URL + `"],"bearer_methods_supported":["header"],` + algorithms + `}`; plain.Body.String() != want {
		t.Errorf("%s\nwant %s", plain.Body, want)
	}
}

func TestMetadataOfTheAuthorizationServerIsRelayed(t *testing.T) {
	proves(t, "auth.asmeta.server", "auth.base-url.no-path", "auth.base-url.metadata-root")
	anyRevision(t)
	const path = "/.well-known/oauth-authorization-server"
	for _, resource := range []string{"https://mcp.example.com", "https://mcp.example.com/", "https://mcp.example.com/mcp", "https://mcp.example.com:8443/a/b/"} {
		for _, several := range []bool{false, true} {
			i, other := newIssuer(t), newIssuer(t)
			mux := http.NewServeMux()
			guarded(t, i, func(o *auth.GuardOptions) {
				o.AuthorizationServerMetadata, o.Resource = true, resource
				if several {
					o.AuthorizationServers = append(o.AuthorizationServers, other.URL)
				}
			}).Mount(mux, passed)
			for n, method := range []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost, http.MethodGet} {
				w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, nil)
				if n == 4 {
					r.Header.Set("Authorization", "Bearer expired")
				}
				mux.ServeHTTP(w, r)
				want := map[string]int{http.MethodGet: 200, http.MethodHead: 200, http.MethodOptions: 204, http.MethodPost: 405}[method]
				if w.Code != want || w.Header().Get("Access-Control-Allow-Origin") != "*" || want == 200 && w.Header().Get("Content-Type") != "application/json" {
					t.Errorf("%s, %s: %d %v", resource, method, w.Code, w.Header())
				}
				if body := w.Body.String(); method == http.MethodGet && body != i.document() || method == http.MethodHead && body != "" {
					t.Errorf("%s, %s: %s", resource, method, body)
				}
			}
			if n, m := i.count(path), other.count(path); n != 1 || m != 0 {
				t.Errorf("the authorization server was asked %d times, the other %d times", n, m)
			}
			elsewhere := httptest.NewRecorder()
			mux.ServeHTTP(elsewhere, httptest.NewRequest(http.MethodGet, path+"/mcp", nil))
			if elsewhere.Code != http.StatusNotFound {
				t.Errorf("%s: below the path there is %d %s", resource, elsewhere.Code, elsewhere.Body)
			}
		}
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
	var requests []string
	tenants := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests = append(requests, r.URL.Path)
		http.NotFound(w, r)
	}))
	defer tenants.Close()
	if _, err := auth.Discover(t.Context(), nil, tenants.URL+"/t1"); err == nil {
		t.Error("nothing is taken for metadata")
	}
	want := "/.well-known/oauth-authorization-server/t1 /.well-known/openid-configuration/t1 /t1/.well-known/openid-configuration"
	if got := strings.Join(requests, " "); got != want {
		t.Errorf("asked %s, want %s", got, want)
	}
}

func TestKeysOfEveryKind(t *testing.T) {
	proves(t, "auth.token.validate")
	anyRevision(t)
	i := newIssuer(t)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	_, edKey, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	i.addKey("rsa", rsaKey)
	i.addKey("ed", edKey)
	v, err := auth.NewJWT(i.URL, nil)
	must(t, err)
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
	must(t, err)
	if _, err := only.Verify(t.Context(), i.sign(jwt.SigningMethodRS256, "rsa", i.claims(nil), nil)); !errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("another algorithm: %v", err)
	}
	if _, err := auth.NewJWT(i.URL, &auth.JWTOptions{Algorithms: []string{"HS256"}}); err == nil {
		t.Error("HS256 can be configured")
	}
}

// TestKeysThatDoNotCount uses a key set with a key that cannot have signed the token.
func TestKeysThatDoNotCount(t *testing.T) {
	proves(t, "auth.token.validate", "auth.token.invalid-401")
	anyRevision(t)
	long, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	ec, other := newEC(), newEC()
	for name, tt := range map[string]struct {
		key    crypto.Signer
		change map[string]any // members of the JWK to change; nil removes a member
		method jwt.SigningMethod
		id     string // key ID in the token
		valid  bool
	}{
		"as it is":                     {ec, nil, jwt.SigningMethodES256, "one", true},
		"for encryption":               {ec, map[string]any{"use": "enc"}, jwt.SigningMethodES256, "one", false},
		"for encryption, without kid":  {ec, map[string]any{"use": "enc"}, jwt.SigningMethodES256, "", false},
		"for anything":                 {ec, map[string]any{"use": nil}, jwt.SigningMethodES256, "one", true},
		"of another name":              {ec, map[string]any{"kid": "two"}, jwt.SigningMethodES256, "one", false},
		"without a name":               {ec, map[string]any{"kid": nil}, jwt.SigningMethodES256, "one", false},
		"of any name":                  {ec, map[string]any{"kid": "two"}, jwt.SigningMethodES256, "", true},
		"for its algorithm":            {ec, map[string]any{"alg": "ES256"}, jwt.SigningMethodES256, "one", true},
		"for another algorithm":        {long, map[string]any{"alg": "RS256"}, jwt.SigningMethodPS256, "one", false},
		"for a longer hash":            {long, map[string]any{"alg": "RS512"}, jwt.SigningMethodRS256, "one", false},
		"of another kind":              {ec, map[string]any{"kty": "oct"}, jwt.SigningMethodES256, "one", false},
		"of another curve":             {ec, map[string]any{"crv": "P-384"}, jwt.SigningMethodES256, "one", false},
		"that is too short":            {long, map[string]any{"n": "3q2-7w"}, jwt.SigningMethodRS256, "one", false},
		"with an exponent of one":      {long, map[string]any{"e": "AQ"}, jwt.SigningMethodRS256, "one", false},
		"that is another's":            {other, map[string]any{"x": jwk("", ec.Public())["x"]}, jwt.SigningMethodES256, "one", false},
		"that is 2047 bits long":       {long, map[string]any{"n": base64.RawURLEncoding.EncodeToString(new(big.Int).Rsh(long.N, 1).Bytes())}, jwt.SigningMethodRS256, "one", false},
		"that is private to the token": {long, map[string]any{"n": nil}, jwt.SigningMethodRS256, "one", false},
	} {
		key := jwk("one", tt.key.Public())
		for member, value := range tt.change {
			if key[member] = value; value == nil {
				delete(key, member)
			}
		}
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, map[string]any{"keys": []any{key}}) }))
		v, err := auth.NewJWT("https://a.example", &auth.JWTOptions{JWKS: web.URL})
		must(t, err)
		claims := (&issuer{Server: &httptest.Server{URL: "https://a.example"}}).claims(nil)
		token, err := v.Verify(t.Context(), signWith(tt.method, tt.key, tt.id, claims, map[string]any{"jwk": jwk("one", tt.key.Public()), "jku": web.URL}))
		if (err == nil) != tt.valid || err != nil && !errors.Is(err, auth.ErrInvalidToken) {
			t.Errorf("a key %s: %+v, %v", name, token, err)
		}
		web.Close()
	}
	// A short key must be refused even though it has signed the token.
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	must(t, err)
	i := newIssuer(t)
	i.addKey("short", short)
	v, err := auth.NewJWT(i.URL, nil)
	must(t, err)
	if _, err := v.Verify(t.Context(), i.sign(jwt.SigningMethodRS256, "short", i.claims(nil), nil)); !errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("a short key: %v", err)
	}
}

// TestUnsafeURLsOfIssuers passes URLs without https to verifiers, in their options and in the
// issuer's metadata.
func TestUnsafeURLsOfIssuers(t *testing.T) {
	proves(t, "auth.sec.comm", "auth.sec.best-practices")
	anyRevision(t)
	for _, address := range []string{"http://as.example.com/x", "http://10.0.0.1/x", "ftp://as.example.com/x", "//as.example.com/x", "/x", "https://user@as.example.com/x", "https://as.example.com/x#y", ""} {
		if _, err := auth.NewJWT(address, nil); err == nil {
			t.Errorf("the issuer %q is accepted", address)
		}
		if _, err := auth.NewIntrospection(address, auth.IntrospectionOptions{ClientID: "mcp"}); err == nil {
			t.Errorf("the issuer %q is accepted for introspection", address)
		}
		if address != "" {
			if _, err := auth.NewJWT("https://as.example.com", &auth.JWTOptions{JWKS: address}); err == nil {
				t.Errorf("keys at %q are accepted", address)
			}
			if _, err := auth.NewIntrospection("https://as.example.com", auth.IntrospectionOptions{ClientID: "mcp", Endpoint: address}); err == nil {
				t.Errorf("introspection at %q is accepted", address)
			}
		}
		network := &public{hosts: map[string]http.Handler{"as.example.com": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			reply(w, 200, map[string]any{"issuer": "https://as.example.com", "jwks_uri": address, "introspection_endpoint": address, "keys": []any{}, "active": true})
		})}}
		client := &http.Client{Transport: network}
		keys, err := auth.NewJWT("https://as.example.com", &auth.JWTOptions{HTTPClient: client})
		must(t, err)
		introspection, err := auth.NewIntrospection("https://as.example.com", auth.IntrospectionOptions{ClientID: "mcp", HTTPClient: client})
		must(t, err)
		for _, v := range []auth.Verifier{keys, introspection} {
			if _, err := v.Verify(t.Context(), newIssuer(t).issue(nil)); err == nil || errors.Is(err, auth.ErrInvalidToken) {
				t.Errorf("%q in the metadata: %v", address, err)
			}
		}
		for _, host := range network.addresses {
			if !strings.HasPrefix(host, "https://as.example.com/.well-known/") {
				t.Errorf("%q in the metadata: asked %s", address, host)
			}
		}
	}
}

// canned is a transport that answers requests with a handler, because a synctest bubble has no
// network.
type canned struct{ handler http.Handler }

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	c.handler.ServeHTTP(w, r)
	return w.Result(), nil
}

func TestKeysAreReadAgain(t *testing.T) {
	proves(t, "auth.token.validate")
	anyRevision(t)
	i := newIssuer(t)
	synctest.Test(t, func(t *testing.T) {
		v, err := auth.NewJWT(i.URL, &auth.JWTOptions{HTTPClient: &http.Client{Transport: canned{i}}})
		must(t, err)
		verify := func(token string, valid bool, reads int) {
			t.Helper()
			if _, err := v.Verify(t.Context(), token); (err == nil) != valid || err != nil && !errors.Is(err, auth.ErrInvalidToken) {
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
		verify(rotated, false, 1) // too soon after the last request for the keys
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
		verify(old, true, 3) // the keys are cached for an hour
		time.Sleep(time.Hour)
		verify(old, false, 4)
		verify(rotated, true, 4)

		i.set(func() { i.down = true })
		time.Sleep(time.Hour)
		verify(rotated, true, 4) // the issuer does not respond, so the cached keys remain in use
		if n := i.count("/.well-known/oauth-authorization-server"); n != 5 {
			t.Errorf("the metadata was asked for %d times, want 5", n)
		}
		time.Sleep(25 * time.Hour)
		if _, err := v.Verify(t.Context(), rotated); err == nil || errors.Is(err, auth.ErrInvalidToken) {
			t.Errorf("a day later: %v", err)
		}
	})
}

func TestIntrospection(t *testing.T) {
	proves(t, "auth.token.validate")
	anyRevision(t)
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
		v, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1", CacheTTL: cache})
		must(t, err)
		for range 3 {
			token, err := v.Verify(t.Context(), "t1")
			if err != nil || token.Subject != "ada" || token.Issuer != i.URL || len(token.Scopes) != 2 {
				t.Errorf("%+v, %v", token, err)
			}
		}
		if n, want := i.count("/introspect")-before, map[bool]int{true: 3, false: 1}[cache == 0]; n != want {
			t.Errorf("with a cache of %s it asked %d times, want %d", cache, n, want)
		}
		if _, err := v.Verify(t.Context(), "t2"); !errors.Is(err, auth.ErrInvalidToken) {
			t.Errorf("an unknown token: %v", err)
		}
	}
	wrong, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "wrong"})
	must(t, err)
	if _, err := wrong.Verify(t.Context(), "t1"); err == nil || errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("with a wrong secret: %v", err)
	}
	i.set(func() { i.opaque["iss"] = "https://evil.example" })
	v, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1"})
	must(t, err)
	if _, err := v.Verify(t.Context(), "t1"); !errors.Is(err, auth.ErrInvalidToken) {
		t.Errorf("another issuer: %v", err)
	}
}

func TestSafeClient(t *testing.T) {
	proves(t, "sec.ssrf.consider", "sec.ssrf.private-ranges", "sec.ssrf.redirects", "sec.ssrf.https", "auth.sec.comm")
	anyRevision(t)
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
		if err := get(url); err == nil || !strings.Contains(err.Error(), "must use https") && !strings.Contains(err.Error(), "contains a user") {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, host := range []string{ // the first and last addresses of private networks, in each notation
		"10.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255",
		"100.64.0.0", "100.127.255.255", "0.0.0.0", "0.255.255.255", "224.0.0.1", "255.255.255.255", "192.0.2.1", "198.18.0.1", "240.0.0.1",
		"[::]", "[fc00::]", "[fd00::1]", "[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]", "[fe80::]", "[fe80::1]", "[febf:ffff::1]", "[fec0::1]", "[ff02::1]", "[2001:db8::1]",
		"[::ffff:192.168.0.1]", "[::ffff:10.0.0.1]", "[::ffff:172.16.0.1]", "[::ffff:169.254.169.254]", "[64:ff9b::a00:1]", "[2002:a00:1::]",
	} {
		for _, url := range []string{"https://" + host + "/", "https://" + host + ":8443/x"} {
			if err := get(url); err == nil || !strings.Contains(err.Error(), "which is not public") {
				t.Errorf("%s: %v", url, err)
			}
		}
	}
	// A server with a public address must not make the client connect to this machine either.
	for _, host := range []string{"127.0.0.0", "127.0.0.1", "127.255.255.255", "localhost", "[::1]", "[::ffff:127.0.0.1]"} {
		res, err := auth.Elsewhere().Get("https://" + host + "/")
		if err == nil {
			res.Body.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "on this machine") {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, address := range []string{ // addresses next to those networks
		"9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255", "192.169.0.0", "169.253.255.255", "169.255.0.0", "126.255.255.255", "128.0.0.0", "100.63.255.255", "100.128.0.0", "1.0.0.0",
		"2606:4700::1", "2a00:1450::1", "fbff::1", "fe00::1",
	} {
		if ip := netip.MustParseAddr(address); !auth.IsPublic(ip) {
			t.Errorf("%s is taken for an address that is not public", ip)
		}
	}
	for _, to = range []string{other.URL, "http://169.254.169.254/", "https://localhost/"} {
		if err := get(web.URL + "/away"); err == nil || !strings.Contains(err.Error(), "another origin") {
			t.Errorf("redirected to %s: %v", to, err)
		}
	}
}
