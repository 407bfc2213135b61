package auth_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/docent-mcp/docent/mcp/auth"
)

// signText signs a header and a payload, given as text, with the key "one".
func (i *issuer) signText(header, payload string) string {
	b64 := base64.RawURLEncoding.EncodeToString
	text := b64([]byte(header)) + "." + b64([]byte(payload))
	i.mu.Lock()
	key := i.keys["one"]
	i.mu.Unlock()
	signature, err := jwt.SigningMethodES256.Sign(text, key)
	if err != nil {
		panic(err)
	}
	return text + "." + b64(signature)
}

// TestClaims_Refused sends tokens with claims that a guard must refuse, as JWTs
// and as introspected tokens.
func TestClaims_Refused(t *testing.T) {
	proves(t, "auth.token.validate", "auth.token.invalid-401", "auth.status.401")
	anyRevision(t)
	hour := time.Now().Add(time.Hour).Unix()
	thumbprint := base64.RawURLEncoding.EncodeToString(sha256.New().Sum(nil))
	for _, tt := range []struct {
		name    string
		changes map[string]any
		status  int
		reason  string // part of the message that the guard logs
	}{
		{"as it is", nil, 200, ""},
		{"bound by DPoP", map[string]any{"cnf": map[string]any{"jkt": thumbprint}}, 401, "bound to a key"},
		{"bound by mTLS", map[string]any{"cnf": map[string]any{"x5t#S256": thumbprint}}, 401, "bound to a key"},
		{"bound by a key itself", map[string]any{"cnf": map[string]any{"jwk": map[string]any{"kty": "EC"}}}, 401, "bound to a key"},
		{"bound in an unknown way", map[string]any{"cnf": map[string]any{"x": 1}}, 401, "bound to a key"},
		{"bound to nothing", map[string]any{"cnf": map[string]any{}}, 401, "bound to a key"},
		{"bound by a text", map[string]any{"cnf": "x"}, 401, "bound to a key"},
		{"the type of DPoP alone", map[string]any{"token_type": "DPoP"}, 401, "bound to a key"},
		{"the type of DPoP in lower case", map[string]any{"token_type": "dpop"}, 401, "bound to a key"},
		{"the type of a bearer token", map[string]any{"token_type": "Bearer"}, 200, ""},
		{"a null binding", map[string]any{"cnf": json.RawMessage("null")}, 200, ""},
		{"a client without a subject", map[string]any{"sub": nil}, 401, "no subject"},
		{"an authorized party without a subject", map[string]any{"sub": nil, "client_id": nil, "azp": "agent"}, 401, "no subject"},
		{"an empty subject", map[string]any{"sub": ""}, 401, "no subject"},
		{"a subject that is a number", map[string]any{"sub": 5}, 401, "no subject"},
		{"issued before now", map[string]any{"iat": time.Now().Add(-time.Hour).Unix()}, 200, ""},
		{"issued within the leeway", map[string]any{"iat": time.Now().Add(10 * time.Second).Unix()}, 200, ""},
		{"issued in an hour", map[string]any{"iat": hour - 1}, 401, "issued in the future"},
		{"issued at a text", map[string]any{"iat": "now"}, 401, "iat"},
		{"issued beyond all time", map[string]any{"iat": 1e300}, 401, "iat"},
		{"begun beyond all time", map[string]any{"nbf": 1e300}, 401, "nbf"},
		{"ending beyond all time", map[string]any{"exp": 1e300}, 401, "exp"},
	} {
		i := newIssuer(t)
		i.set(func() {
			i.active["opaque"], i.bare, i.opaque = true, true, i.claims(tt.changes)
			i.opaque["active"] = true
		})
		introspection, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1", CacheTTL: time.Hour})
		must(t, err)
		for form, verify := range map[string]struct {
			verifier auth.Verifier
			token    string
		}{"JWT": {nil, i.issue(tt.changes)}, "introspected": {introspection, "opaque"}} {
			var log bytes.Buffer
			h := guarded(t, i, func(o *auth.GuardOptions) {
				o.Logger = slog.New(slog.NewTextHandler(&log, nil))
				if verify.verifier != nil {
					o.Verifier = verify.verifier
				}
			}).Protect(passed)
			for range 2 { // the second time, an introspected token comes from the cache
				log.Reset()
				res := ask(h, "Bearer "+verify.token)
				if res.StatusCode != tt.status || !strings.Contains(log.String(), tt.reason) {
					t.Errorf("%s, %s: %s, want %d because of %q; the log: %s", tt.name, form, res.Status, tt.status, tt.reason, log.String())
				}
				if got := res.Header.Get("WWW-Authenticate"); tt.reason == "bound to a key" && !strings.Contains(got, "bound to a key") {
					t.Errorf("%s, %s: the challenge does not say why: %s", tt.name, form, got)
				}
			}
		}
	}
}

// TestClaims_BoundTokenOfAnotherVerifier uses a custom verifier that returns a
// token bound to a key.
func TestClaims_BoundTokenOfAnotherVerifier(t *testing.T) {
	proves(t, "auth.token.validate")
	anyRevision(t)
	i := newIssuer(t)
	token := &auth.Token{Issuer: i.URL, Subject: "ada", Audience: []string{resource}, Expiry: time.Now().Add(time.Hour), Scopes: []string{"mcp"}}
	h := guarded(t, i, func(o *auth.GuardOptions) {
		o.Verifier = auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) { return token, nil })
	}).Protect(passed)
	if res := ask(h, "Bearer x"); res.StatusCode != http.StatusOK {
		t.Fatal(res.Status)
	}
	token.Claims = map[string]any{"cnf": map[string]any{"jkt": "x"}}
	if res := ask(h, "Bearer x"); res.StatusCode != http.StatusUnauthorized {
		t.Error(res.Status)
	}
}

// TestClaims_Duplicates sends headers and claims with a duplicate member. Two parsers could each
// use a different one.
func TestClaims_Duplicates(t *testing.T) {
	proves(t, "auth.token.validate", "auth.token.invalid-401")
	anyRevision(t)
	i := newIssuer(t)
	whole, err := json.Marshal(i.claims(nil))
	must(t, err)
	const header = `{"alg":"ES256","kid":"one","typ":"JWT"}`
	with := func(object, members string) string { return strings.TrimSuffix(object, "}") + "," + members + "}" }
	for _, tt := range []struct {
		name, header, claims string
		status               int
	}{
		{"as it is", header, string(whole), 200},
		{"a subject twice", header, with(string(whole), `"sub":"eve"`), 401},
		{"the same subject twice", header, with(string(whole), `"sub":"ada"`), 401},
		{"a subject twice, one escaped", header, with(string(whole), `"s\u0075b":"eve"`), 401},
		{"an audience twice", header, with(string(whole), `"aud":"x"`), 401},
		{"an unknown claim twice", header, with(string(whole), `"x":1,"x":1`), 401},
		{"a member of a claim twice", header, with(string(whole), `"x":{"y":[{"z":1,"z":1}]}`), 401},
		{"claims that differ in case", header, with(string(whole), `"Sub":"eve"`), 200},
		{"an algorithm twice", with(header, `"alg":"ES256"`), string(whole), 401},
		{"a key twice", with(header, `"kid":"one"`), string(whole), 401},
		{"a type twice", with(header, `"typ":"at+jwt"`), string(whole), 401},
		{"a binding twice", header, with(string(whole), `"cnf":{"jkt":"x"},"cnf":null`), 401},
	} {
		if res := ask(guarded(t, i, nil).Protect(passed), "Bearer "+i.signText(tt.header, tt.claims)); res.StatusCode != tt.status {
			t.Errorf("%s, JWT: %s, want %d", tt.name, res.Status, tt.status)
		}
		if tt.header != header {
			continue
		}
		i.set(func() { i.raw = with(tt.claims, `"active":true`) })
		v, err := auth.NewIntrospection(i.URL, auth.IntrospectionOptions{ClientID: "mcp", ClientSecret: "s/1"})
		must(t, err)
		h := guarded(t, i, func(o *auth.GuardOptions) { o.Verifier = v }).Protect(passed)
		if res := ask(h, "Bearer opaque"); res.StatusCode != tt.status {
			t.Errorf("%s, introspected: %s, want %d", tt.name, res.Status, tt.status)
		}
	}
}

// TestClaims_IssuedAtTheLeeway checks that the issue time of a token is compared to the nanosecond.
func TestClaims_IssuedAtTheLeeway(t *testing.T) {
	proves(t, "auth.token.validate")
	anyRevision(t)
	synctest.Test(t, func(t *testing.T) {
		const leeway = 5 * time.Second
		token := &auth.Token{Issuer: "https://a.example", Subject: "ada", Audience: []string{resource}, Expiry: time.Now().Add(time.Hour)}
		g, err := auth.NewGuard(auth.GuardOptions{
			Resource: resource, AuthorizationServers: []string{token.Issuer}, Logger: slog.New(slog.DiscardHandler), Leeway: leeway,
			Verifier: auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) { return token, nil }),
		})
		must(t, err)
		for after, status := range map[time.Duration]int{-time.Hour: 200, leeway: 200, leeway + 1: 401, time.Hour: 401} {
			token.IssuedAt = time.Now().Add(after)
			if res := ask(g.Protect(passed), "Bearer x"); res.StatusCode != status {
				t.Errorf("issued after %s: %s, want %d", after, res.Status, status)
			}
		}
	})
}
