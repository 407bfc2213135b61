package auth_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/docent-mcp/docent/mcp/auth"
)

func TestHowAClientAuthenticates(t *testing.T) {
	proves(t, "auth.sec.pkce", "auth.resource.both-requests", "xcred.security", "auth.asmeta.client-rfc8414", "auth.oauth21.2025-03", "auth.dcr.application-type")
	anyRevision(t)
	for _, tt := range []struct {
		supported any
		want      string
	}{
		{[]string{"none"}, "none"},
		{[]string{"client_secret_basic", "none"}, "none"},
		{[]string{"client_secret_post", "client_secret_basic"}, "client_secret_basic"},
		{[]string{"client_secret_post"}, "client_secret_post"},
		{nil, "client_secret_basic"},
		{[]string{"tls_client_auth"}, ""},
	} {
		a := newAuthority(t)
		a.edit = func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = tt.supported }
		err := signIn(t, newSite(t, a, nil), new(auth.OAuthClient))
		if tt.want == "" {
			wantFailure(t, a, err, "tls_client_auth")
			continue
		}
		if err != nil {
			t.Errorf("%v: %v", tt.supported, err)
			continue
		}
		var m auth.ClientMetadata
		if err := json.Unmarshal([]byte(a.only(t, "/register").body), &m); err != nil || m.ApplicationType != "native" || m.TokenAuthMethod != tt.want {
			t.Errorf("%v: registered %+v, %v", tt.supported, m, err)
		}
		r := a.only(t, "/token")
		_, _, basic := r.basicAuth()
		if page := a.only(t, "/authorize"); page.form.Get("resource") == "" || r.form.Get("resource") != page.form.Get("resource") || page.form.Get("code_challenge") == "" || r.form.Get("code_verifier") == "" {
			t.Errorf("%v: asked %v, then %v", tt.supported, page.form, r.form)
		}
		got := "none"
		if basic {
			got = "client_secret_basic"
		} else if r.form.Has("client_secret") {
			got = "client_secret_post"
		}
		if got != tt.want || basic && r.form.Has("client_id") {
			t.Errorf("%v: authenticated by %s, want %s", tt.supported, got, tt.want)
		}
	}
	// A client that authenticates with an assertion still has to send the PKCE verifier. The
	// authority does not know this client's key.
	a := newAuthority(t)
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	a.clients["known"] = &app{redirects: []string{"http://127.0.0.1/callback"}}
	known := &auth.OAuthClient{Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "known", Key: key}}, RedirectURL: "http://127.0.0.1/callback", Receive: location}
	if err := signIn(t, newSite(t, a, nil), known); err == nil || !strings.Contains(err.Error(), "invalid_client") {
		t.Errorf("by an assertion: %v", err)
	}
	if r := a.only(t, "/token"); r.form.Get("client_assertion") == "" || r.form.Get("code_verifier") == "" || a.only(t, "/authorize").form.Get("code_challenge") == "" {
		t.Errorf("by an assertion: asked %v", r.form)
	}
}

func TestAssertionsOfAClient(t *testing.T) {
	proves(t, "xcred.client-auth", "xcred.grant", "xcred.security", "auth.resource.both-requests", "auth.resource.always")
	anyRevision(t)
	ec, err := ecdsa.GenerateKey(elliptic.P384(), rand.Reader)
	must(t, err)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	edPublic, ed, err := ed25519.GenerateKey(rand.Reader)
	must(t, err)
	for _, tt := range []struct {
		key        any
		public     any
		algorithms []string
		want       string
	}{
		{ec, ec.Public(), []string{"ES256", "ES384"}, "ES384"},
		{rsaKey, rsaKey.Public(), []string{"PS256"}, "PS256"},
		{rsaKey, rsaKey.Public(), nil, "RS256"},
		{ed, edPublic, []string{"EdDSA"}, "EdDSA"},
		{ed, edPublic, []string{"ES256"}, ""},
	} {
		der, err := x509.MarshalPKCS8PrivateKey(tt.key)
		must(t, err)
		key, err := auth.ParseKey(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
		must(t, err)
		a := newAuthority(t)
		a.edit = func(m map[string]any) {
			m["token_endpoint_auth_methods_supported"] = nil // the server's metadata does not list the algorithms
			if tt.algorithms != nil {
				m["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt"}
				m["token_endpoint_auth_signing_alg_values_supported"] = tt.algorithms
			}
		}
		a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path == "/token" {
				form := a.log[len(a.log)-1].form
				reply(w, 200, a.issue(&consent{client: "worker", resource: form.Get("resource"), scope: form.Get("scope")}))
			}
			return r.URL.Path == "/token"
		}
		c := &auth.OAuthClient{Grant: auth.ClientCredentials, Registrations: []auth.Registration{{Issuer: a.issuer(), ClientID: "worker", Key: key, KeyID: "k1"}}}
		err = signIn(t, newSite(t, a, nil), c)
		if tt.want == "" {
			wantFailure(t, a, err, "ES256")
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tt.want, err)
			continue
		}
		form := a.only(t, "/token").form
		if form.Get("grant_type") != "client_credentials" || form.Get("resource") == "" || form.Has("client_id") || form.Has("client_secret") ||
			form.Get("client_assertion_type") != "urn:ietf:params:oauth:client-assertion-type:jwt-bearer" {
			t.Errorf("%v", form)
		}
		claims := jwt.MapClaims{}
		parsed, err := jwt.ParseWithClaims(form.Get("client_assertion"), claims, func(*jwt.Token) (any, error) { return tt.public, nil },
			jwt.WithValidMethods([]string{tt.want}), jwt.WithIssuer("worker"), jwt.WithSubject("worker"), jwt.WithAudience(a.issuer()), jwt.WithExpirationRequired())
		if err != nil || parsed.Header["kid"] != "k1" {
			t.Errorf("%s: %v %v", tt.want, parsed, err)
		}
		isNew(t, "jti", fmt.Sprint(claims["jti"]))
		begin, _ := claims.GetIssuedAt()
		end, _ := claims.GetExpirationTime()
		if begin == nil || end == nil || end.Sub(begin.Time) > time.Minute || len(claims) != 6 {
			t.Errorf("%s: %v", tt.want, claims)
		}
	}
}

func TestParseKey(t *testing.T) {
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	sec1, err := x509.MarshalECPrivateKey(ec)
	must(t, err)
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	for kind, der := range map[string][]byte{"EC PRIVATE KEY": sec1, "RSA PRIVATE KEY": x509.MarshalPKCS1PrivateKey(rsaKey)} {
		if key, err := auth.ParseKey(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})); err != nil || key == nil {
			t.Errorf("%s: %v", kind, err)
		}
	}
	for _, text := range []string{"", "no key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"} {
		if key, err := auth.ParseKey([]byte(text)); err == nil {
			t.Errorf("%q: %v", text, key)
		}
	}
}
