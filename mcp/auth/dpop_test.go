package auth_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"

	"github.com/docent-mcp/docent/mcp/auth"
)

// proofOf verifies a proof and returns its claims and the thumbprint of its key.
func proofOf(t *testing.T, h http.Header) (claims jwt.MapClaims, thumbprint string) {
	t.Helper()
	if n := len(h.Values("DPoP")); n != 1 {
		t.Fatalf("%d proofs", n)
	}
	claims = jwt.MapClaims{}
	_, err := jwt.ParseWithClaims(h.Get("DPoP"), claims, func(proof *jwt.Token) (any, error) {
		key, _ := proof.Header["jwk"].(map[string]any)
		if proof.Header["typ"] != "dpop+jwt" || key["kty"] != "EC" || key["crv"] != "P-256" || len(key) != 4 {
			return nil, fmt.Errorf("header %v", proof.Header)
		}
		x, _ := base64.RawURLEncoding.DecodeString(key["x"].(string))
		y, _ := base64.RawURLEncoding.DecodeString(key["y"].(string))
		sum := sha256.Sum256(fmt.Appendf(nil, `{"crv":"P-256","kty":"EC","x":"%s","y":"%s"}`, key["x"], key["y"]))
		thumbprint = base64.RawURLEncoding.EncodeToString(sum[:])
		return &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}, nil //nolint:staticcheck // from a JWK
	}, jwt.WithValidMethods([]string{"ES256"}))
	must(t, err)
	if claims["jti"] == "" || claims["iat"] == nil {
		t.Errorf("%v", claims)
	}
	return claims, thumbprint
}

// binding makes an authority bind tokens to keys. If nonce is not empty, proofs must contain it.
func binding(t *testing.T, a *authority, nonce string) {
	a.edit = func(m map[string]any) { m["dpop_signing_alg_values_supported"] = []string{"RS256", "ES256"} }
	a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/token" {
			return false
		}
		claims, thumbprint := proofOf(t, r.Header)
		if claims["htm"] != "POST" || claims["htu"] != "http://"+r.Host+"/token" || claims["ath"] != nil {
			t.Errorf("%v", claims)
		}
		if nonce != "" && claims["nonce"] != nonce {
			w.Header().Set("DPoP-Nonce", nonce)
			refuse(w, "use_dpop_nonce", "")
			return true
		}
		form := a.log[len(a.log)-1].form
		answer := a.issue(&consent{client: form.Get("client_id"), resource: form.Get("resource"), scope: "mcp", challenge: thumbprint})
		answer["token_type"] = "DPoP"
		reply(w, 200, answer)
		return true
	}
}

// bound makes a site accept only tokens that are bound to keys.
func bound(t *testing.T, s *site, a *authority, nonces ...string) {
	used := map[any]bool{}
	n := 0
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		switch {
		case r.URL.Path != "/mcp":
			return false
		case scheme == "":
			w.Header().Set("WWW-Authenticate", `DPoP algs="ES256", scope="mcp"`)
			w.WriteHeader(http.StatusUnauthorized)
			return true
		case scheme != "DPoP":
			t.Errorf("scheme %s", scheme)
		}
		claims, thumbprint := proofOf(t, r.Header)
		sum := sha256.Sum256([]byte(token))
		if claims["htm"] != r.Method || claims["htu"] != s.endpoint() || claims["ath"] != base64.RawURLEncoding.EncodeToString(sum[:]) {
			t.Errorf("%v", claims)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if used[claims["jti"]] {
			t.Error("a proof is used twice")
		}
		used[claims["jti"]] = true
		a.mu.Lock()
		known := a.access[token]
		a.mu.Unlock()
		if known == nil || known.challenge != thumbprint {
			t.Error("the proof is by another key")
		}
		if len(nonces) > 0 && claims["nonce"] != nonces[n] {
			w.Header().Set("DPoP-Nonce", nonces[n])
			w.Header().Set("WWW-Authenticate", `DPoP error="use_dpop_nonce"`)
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		n = min(n+1, max(len(nonces)-1, 0)) // each request needs the next nonce
		r.Header.Set("Authorization", "Bearer "+token)
		return false
	})
}

func TestTokensBoundToAKey(t *testing.T) {
	everyRevision(t, func(t *testing.T, revision string) {
		for name, tt := range map[string]struct {
			issuer string
			nonces []string
		}{"without nonces": {"", nil}, "with nonces": {"n0", []string{"n1", "n2", "n3"}}} {
			t.Run(name, func(t *testing.T) {
				a := newAuthority(t)
				binding(t, a, tt.issuer)
				s, store := newSite(t, a, nil), auth.FileStore{Dir: t.TempDir() + "/tokens"}
				bound(t, s, a, tt.nonces...)
				must(t, use(t, mustConnect(t, s, &auth.OAuthClient{Store: store}, revision), "read"))
				// The key is stored with the token.
				c := mustConnect(t, s, &auth.OAuthClient{Store: store}, revision)
				must(t, use(t, c, "read"))
				page := a.only(t, "/authorize").form
				if _, thumbprint := proofOf(t, a.requests("/token")[0].header); page.Get("dpop_jkt") != thumbprint {
					t.Errorf("dpop_jkt %q", page.Get("dpop_jkt"))
				}
			})
		}
	})
}

func TestTokensThatAreNotBound(t *testing.T) {
	anyRevision(t)
	for _, tt := range []struct {
		name     string
		edit     func(m map[string]any)
		required bool
		says     string
	}{
		{"by a server that cannot", nil, true, "dpop_signing_alg_values_supported"},
		{"by a server that does not", func(m map[string]any) { m["dpop_signing_alg_values_supported"] = []string{"ES256"} }, true, "not bound"},
		{"and need not be", func(m map[string]any) { m["dpop_signing_alg_values_supported"] = []string{"ES256"} }, false, ""},
	} {
		a := newAuthority(t)
		a.edit = tt.edit
		err := signIn(t, newSite(t, a, nil), &auth.OAuthClient{RequireDPoP: tt.required})
		if tt.says == "" && err != nil || tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)) {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	a := newAuthority(t)
	a.intercept = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/token" {
			reply(w, 200, map[string]any{"access_token": "x", "token_type": "mac"})
		}
		return r.URL.Path == "/token"
	}
	if err := signIn(t, newSite(t, a, nil), new(auth.OAuthClient)); err == nil || !strings.Contains(err.Error(), "mac") {
		t.Errorf("a token of another type: %v", err)
	}
}

func TestANonceThatIsNeverAccepted(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	binding(t, a, "")
	s := newSite(t, a, nil)
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/mcp" {
			return false
		}
		w.Header().Set("WWW-Authenticate", "DPoP")
		if r.Header.Get("DPoP") != "" {
			w.Header().Set("DPoP-Nonce", "same")
			w.Header().Set("WWW-Authenticate", `DPoP error="use_dpop_nonce"`)
		}
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})
	_, err := connect(t, s, new(auth.OAuthClient), "")
	if err == nil || !strings.Contains(err.Error(), "refuses the one that it sent") {
		t.Errorf("%v", err)
	}
	a.only(t, "/authorize")
}
