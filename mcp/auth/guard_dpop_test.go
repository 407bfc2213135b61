package auth_test

import (
	"bytes"
	"context"
	"crypto"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/docent-mcp/docent/mcp/auth"
)

// publicKey returns a JWK and its thumbprint.
func publicKey(t *testing.T, key crypto.Signer) (members map[string]any, thumbprint string) {
	t.Helper()
	members = jwk("", key.Public())
	delete(members, "kid")
	delete(members, "use")
	canonical, err := json.Marshal(members) // Marshal sorts the members
	must(t, err)
	sum := sha256.Sum256(canonical)
	return members, base64.RawURLEncoding.EncodeToString(sum[:])
}

// proofClaims returns the claims of a valid proof for a POST with a token, with
// the given changes; a nil value removes a claim.
func proofClaims(token string, changes map[string]any) jwt.MapClaims {
	sum := sha256.Sum256([]byte(token))
	c := jwt.MapClaims{
		"jti": rand.Text(), "iat": time.Now().Unix(), "htm": "POST", "htu": resource, "ath": base64.RawURLEncoding.EncodeToString(sum[:]),
	}
	maps.Copy(c, changes)
	maps.DeleteFunc(c, func(_ string, value any) bool { return value == nil })
	return c
}

func prove(t *testing.T, method jwt.SigningMethod, key crypto.Signer, claims jwt.MapClaims, header map[string]any) string {
	t.Helper()
	members, _ := publicKey(t, key)
	all := map[string]any{"typ": "dpop+jwt", "jwk": members}
	maps.Copy(all, header)
	return signWith(method, key, "", claims, all)
}

// askWithProof sends a POST with an Authorization header and proofs.
func askWithProof(h http.Handler, authorization string, proofs ...string) *http.Response {
	r := httptest.NewRequest(http.MethodPost, resource, strings.NewReader("{}"))
	r.Header.Set("Authorization", authorization)
	r.Header["Dpop"] = proofs
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func TestGuardDPoP_Proofs(t *testing.T) {
	anyRevision(t)
	i := newIssuer(t)
	var log bytes.Buffer
	h := guarded(t, i, func(o *auth.GuardOptions) { o.Logger = slog.New(slog.NewTextHandler(&log, nil)) }).Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("DPoP") != "" || r.Header.Get("Authorization") != "" {
			t.Errorf("the handler sees %v", r.Header)
		}
		passed(w, r)
	}))
	long, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	must(t, err)
	_, edwards, err := ed25519.GenerateKey(nil)
	must(t, err)
	key := newEC()
	private, _ := publicKey(t, key)
	private["d"] = "x"
	ago := func(d time.Duration) map[string]any { return map[string]any{"iat": time.Now().Add(-d).Unix()} }
	claim := func(name string, value any) map[string]any { return map[string]any{name: value} }
	for _, tt := range []struct {
		name   string
		claims map[string]any
		header map[string]any
		reason string // part of the message that the guard logs; empty if the request is accepted
	}{
		{"as it is", nil, nil, ""},
		{"the full type", nil, claim("typ", "application/dpop+jwt"), ""},
		{"half a minute old", ago(30 * time.Second), nil, ""},
		{"ten seconds ahead", ago(-10 * time.Second), nil, ""},
		{"with a query", claim("htu", resource+"?a=b#c"), nil, ""},
		{"with the port", claim("htu", "HTTPS://MCP.example.com:443/mcp"), nil, ""},
		{"with an escape", claim("htu", "https://mcp.example.com/%6dc%70"), nil, ""},
		{"another path", claim("htu", "https://mcp.example.com/mcp/"), nil, "for the URL"},
		{"another host", claim("htu", "https://mcp.example.org/mcp"), nil, "for the URL"},
		{"another scheme", claim("htu", "http://mcp.example.com/mcp"), nil, "for the URL"},
		{"a user", claim("htu", "https://a@mcp.example.com/mcp"), nil, "for the URL"},
		{"a path alone", claim("htu", "/mcp"), nil, "for the URL"},
		{"no URL", claim("htu", nil), nil, "for the URL"},
		{"another method", claim("htm", "GET"), nil, "for the method"},
		{"the method in small letters", claim("htm", "post"), nil, "for the method"},
		{"no method", claim("htm", nil), nil, "for the method"},
		{"two minutes old", ago(2 * time.Minute), nil, "was created at"},
		{"an hour ahead", ago(-time.Hour), nil, "in the future"},
		{"no date", claim("iat", nil), nil, "no date"},
		{"a text for the date", claim("iat", "now"), nil, "no date"},
		{"no jti", claim("jti", nil), nil, "jti"},
		{"a long jti", claim("jti", strings.Repeat("x", 257)), nil, "jti"},
		{"another token", claim("ath", "x"), nil, "another token"},
		{"no token", claim("ath", nil), nil, "another token"},
		{"no type", nil, claim("typ", nil), "its type is"},
		{"another type", nil, claim("typ", "JWT"), "its type is"},
		{"critical extensions", nil, claim("crit", []string{"x"}), "critical"},
		{"no key", nil, claim("jwk", nil), "no jwk"},
		{"a text for the key", nil, claim("jwk", "x"), "no jwk"},
		{"a private key", nil, claim("jwk", private), "private"},
		{"a symmetric key", nil, claim("jwk", map[string]any{"kty": "oct", "k": "c2VjcmV0"}), "symmetric"},
		{"a key of another algorithm", nil, claim("jwk", jwk("", long.Public())), "for its algorithm"},
		{"a key for encryption", nil, claim("jwk", map[string]any{"kty": "EC", "use": "enc", "crv": private["crv"], "x": private["x"], "y": private["y"]}), "for its algorithm"},
	} {
		_, thumbprint := publicKey(t, key)
		token := i.issue(map[string]any{"cnf": map[string]any{"jkt": thumbprint}})
		log.Reset()
		res := askWithProof(h, "DPoP "+token, prove(t, jwt.SigningMethodES256, key, proofClaims(token, tt.claims), tt.header))
		challenge := res.Header.Get("WWW-Authenticate")
		if tt.reason == "" {
			if res.StatusCode != http.StatusOK || challenge != "" {
				t.Errorf("%s: %s %s; the log: %s", tt.name, res.Status, challenge, log.String())
			}
			continue
		}
		if res.StatusCode != http.StatusUnauthorized || !strings.HasPrefix(challenge, "DPoP ") || !strings.Contains(challenge, `error="invalid_dpop_proof"`) ||
			!strings.Contains(challenge, `algs="RS256 `) || !strings.Contains(log.String(), tt.reason) {
			t.Errorf("%s: %s %s, want a refusal because of %q; the log: %s", tt.name, res.Status, challenge, tt.reason, log.String())
		}
	}
	for name, tt := range map[string]struct {
		method jwt.SigningMethod
		key    crypto.Signer
		status int
	}{
		"RSA": {jwt.SigningMethodPS256, long, 200}, "a short RSA key": {jwt.SigningMethodRS256, short, 401}, "Ed25519": {jwt.SigningMethodEdDSA, edwards, 200},
	} {
		_, thumbprint := publicKey(t, tt.key)
		token := i.issue(map[string]any{"cnf": map[string]any{"jkt": thumbprint}})
		if res := askWithProof(h, "DPoP "+token, prove(t, tt.method, tt.key, proofClaims(token, nil), nil)); res.StatusCode != tt.status {
			t.Errorf("%s: %s; the log: %s", name, res.Status, log.String())
		}
	}
}

// TestGuardDPoP_Paths sends proofs for one path with requests for another path.
func TestGuardDPoP_Paths(t *testing.T) {
	anyRevision(t)
	i := newIssuer(t)
	key := newEC()
	_, thumbprint := publicKey(t, key)
	token := i.issue(map[string]any{"cnf": map[string]any{"jkt": thumbprint}})
	for _, tt := range []struct {
		endpoint string // path of GuardOptions.Resource
		removed  string // GuardOptions.RemovedPrefix
		proof    string // path in the proof
		path     string // path of the request
		pass     bool
	}{
		{"/mcp", "", "/mcp", "/mcp", true},
		{"/mcp", "", "/sse", "/sse", true},
		{"/mcp", "", "/mcp", "/sse", false},
		{"/mcp", "", "/mcp", "/mcp/", false},
		{"/mcp", "", "/mcp", "/admin/mcp", false},
		{"/mcp", "", "/mcp", "/cp", false},
		{"/mcp", "", "/sse", "/mcp", false},
		{"/mcp", "", "/mcp/sse", "/sse", false},
		{"/mcp", "", "/other/mcp", "/mcp", false},
		{"/mcp", "", "/mcp", "/", false},
		{"/mcp", "", "/", "/mcp", false},
		{"/", "", "/", "/", true},
		{"", "", "/", "/", true},
		{"", "", "", "/", true},
		{"", "", "/", "/mcp", false},
		{"/a/b/mcp", "", "/a/b/mcp", "/mcp", false},
		{"/a%2fb/mcp", "", "/a%2Fb/mcp", "/a%2fb/mcp", true},
		{"/a%2fb/mcp", "", "/a%2Fb/mcp", "/a/b/mcp", false},
		{"/mcp", "/mcp", "/mcp", "/", true},
		{"/mcp", "/mcp", "/mcp/", "/", true},
		{"/mcp", "/mcp", "/mcp/sse", "/sse", true},
		{"/mcp", "/mcp", "/", "/", false},
		{"/mcp", "/mcp", "/mcp", "/mcp", false},
		{"/a/b/mcp", "/a", "/a/b/mcp", "/b/mcp", true},
		{"/a/b/mcp", "/a", "/a/b/mcp", "/mcp", false},
		{"/a/b/mcp", "/a/b", "/a/b/mcp", "/mcp", true},
		{"/a/b/mcp", "/a/b", "/a/b/sse", "/sse", true},
		{"/a/b/mcp", "/a/b", "/a/b/mcp", "/sse", false},
		{"/a/b/mcp", "/a/b", "/b/mcp", "/mcp", false},
		{"/a/b/mcp", "/a/b", "/a/c/mcp", "/mcp", false},
		{"/a%2fb/mcp", "/a%2fb", "/a%2Fb/mcp", "/mcp", true},
	} {
		g := guarded(t, i, func(o *auth.GuardOptions) {
			o.Resource = "https://mcp.example.com" + tt.endpoint
			o.RemovedPrefix = tt.removed
			o.Audiences = []string{resource}
		})
		r := httptest.NewRequest(http.MethodPost, tt.path, strings.NewReader("{}"))
		r.Header.Set("Authorization", "DPoP "+token)
		r.Header.Set("DPoP", prove(t, jwt.SigningMethodES256, key, proofClaims(token, map[string]any{"htu": "https://mcp.example.com" + tt.proof}), nil))
		w := httptest.NewRecorder()
		g.Protect(passed).ServeHTTP(w, r)
		if (w.Code == http.StatusOK) != tt.pass {
			t.Errorf("endpoint %q without %q, proof for %q, request to %q: status %d", tt.endpoint, tt.removed, tt.proof, tt.path, w.Code)
		}
	}
}

// TestGuardDPoP_StripPrefix sends a proof to a guard behind http.StripPrefix.
func TestGuardDPoP_StripPrefix(t *testing.T) {
	anyRevision(t)
	i := newIssuer(t)
	key := newEC()
	_, thumbprint := publicKey(t, key)
	token := i.issue(map[string]any{"cnf": map[string]any{"jkt": thumbprint}})
	h := http.StripPrefix("/mcp", guarded(t, i, nil).Protect(passed))
	for path, status := range map[string]int{"/mcp": http.StatusOK, "/mcp/other": http.StatusUnauthorized} {
		r := httptest.NewRequest(http.MethodPost, path, strings.NewReader("{}"))
		r.Header.Set("Authorization", "DPoP "+token)
		r.Header.Set("DPoP", prove(t, jwt.SigningMethodES256, key, proofClaims(token, nil), nil))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("a proof for /mcp, request to %q: status %d", path, w.Code)
		}
	}
}

// TestGuardDPoP_Bindings sends tokens with proofs of other keys and proofs for other tokens.
func TestGuardDPoP_Bindings(t *testing.T) {
	anyRevision(t)
	i, key, other := newIssuer(t), newEC(), newEC()
	_, thumbprint := publicKey(t, key)
	bound, bearer := i.issue(map[string]any{"cnf": map[string]any{"jkt": thumbprint}}), i.issue(nil)
	mixed := i.issue(map[string]any{"cnf": map[string]any{"jkt": thumbprint, "x5t#S256": thumbprint}})
	proof := func(key crypto.Signer, token string) string {
		return prove(t, jwt.SigningMethodES256, key, proofClaims(token, nil), nil)
	}
	forged := prove(t, jwt.SigningMethodES256, other, proofClaims(bound, nil), nil)
	header, rest, _ := strings.Cut(forged, ".")
	mine, _, _ := strings.Cut(proof(key, bound), ".")
	unsigned := signWith(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, "", proofClaims(bound, nil), map[string]any{"typ": "dpop+jwt", "jwk": jwk("", key.Public())})
	if header == mine {
		t.Fatal("the keys are the same")
	}
	for _, tt := range []struct {
		name          string
		required      bool
		authorization string
		proofs        []string
		status        int
		scheme, code  string // expected scheme and error code of the challenge
	}{
		{"as it is", false, "DPoP " + bound, []string{proof(key, bound)}, 200, "", ""},
		{"the scheme in small letters", false, "dpop " + bound, []string{proof(key, bound)}, 200, "", ""},
		{"without a proof", false, "DPoP " + bound, nil, 401, "DPoP", "invalid_dpop_proof"},
		{"with two proofs", false, "DPoP " + bound, []string{proof(key, bound), proof(key, bound)}, 401, "DPoP", "invalid_dpop_proof"},
		{"with text for a proof", false, "DPoP " + bound, []string{"a.b.c"}, 401, "DPoP", "invalid_dpop_proof"},
		{"with a long proof", false, "DPoP " + bound, []string{proof(key, bound) + strings.Repeat("a", 8<<10)}, 401, "DPoP", "invalid_dpop_proof"},
		{"with the proof of another key", false, "DPoP " + bound, []string{proof(other, bound)}, 401, "DPoP", "invalid_dpop_proof"},
		{"with a proof signed by another key", false, "DPoP " + bound, []string{mine + "." + rest}, 401, "DPoP", "invalid_dpop_proof"},
		{"with a proof that is not signed", false, "DPoP " + bound, []string{unsigned}, 401, "DPoP", "invalid_dpop_proof"},
		{"as a bearer token", false, "Bearer " + bound, []string{proof(key, bound)}, 401, "DPoP", "invalid_token"},
		{"a bearer token with a proof", false, "DPoP " + bearer, []string{proof(key, bearer)}, 401, "DPoP", "invalid_token"},
		{"a bearer token", false, "Bearer " + bearer, nil, 200, "", ""},
		{"bound by a certificate, too", false, "DPoP " + mixed, []string{proof(key, mixed)}, 401, "DPoP", "invalid_token"},
		{"a bearer token where keys are required", true, "Bearer " + bearer, nil, 401, "DPoP", "invalid_token"},
		{"a token with a proof where keys are required", true, "DPoP " + bound, []string{proof(key, bound)}, 200, "", ""},
		{"nothing where keys are required", true, "", nil, 401, "DPoP", ""},
	} {
		res := askWithProof(guarded(t, i, func(o *auth.GuardOptions) { o.RequireDPoP = tt.required }).Protect(passed), tt.authorization, tt.proofs...)
		challenge := res.Header.Get("WWW-Authenticate")
		if scheme, _, _ := strings.Cut(challenge, " "); res.StatusCode != tt.status || scheme != tt.scheme || strings.Contains(challenge, "error=") != (tt.code != "") ||
			!strings.Contains(challenge, tt.code) {
			t.Errorf("%s: %s %s", tt.name, res.Status, challenge)
		}
	}
	w := httptest.NewRecorder()
	guarded(t, i, func(o *auth.GuardOptions) { o.RequireDPoP = true }).Metadata().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if !strings.Contains(w.Body.String(), `"dpop_bound_access_tokens_required":true,"dpop_signing_alg_values_supported":["RS256",`) {
		t.Error(w.Body)
	}
}

// TestGuardDPoP_Replay checks that each proof can be used only once.
func TestGuardDPoP_Replay(t *testing.T) {
	anyRevision(t)
	i, key := newIssuer(t), newEC()
	_, thumbprint := publicKey(t, key)
	token := i.issue(map[string]any{"cnf": map[string]any{"jkt": thumbprint}})
	h := guarded(t, i, nil).Protect(passed)
	proof := prove(t, jwt.SigningMethodES256, key, proofClaims(token, nil), nil)
	var senders sync.WaitGroup
	var accepted atomic.Int32
	for range 16 {
		senders.Go(func() {
			if askWithProof(h, "DPoP "+token, proof).StatusCode == http.StatusOK {
				accepted.Add(1)
			}
		})
	}
	senders.Wait()
	if n := accepted.Load(); n != 1 {
		t.Errorf("the proof was accepted %d times", n)
	}
	if res := askWithProof(h, "DPoP "+token, prove(t, jwt.SigningMethodES256, key, proofClaims(token, nil), nil)); res.StatusCode != http.StatusOK {
		t.Errorf("the next proof: %s", res.Status)
	}
}

// TestGuardDPoP_Nonces tests guards that require nonces, in fake time.
func TestGuardDPoP_Nonces(t *testing.T) {
	anyRevision(t)
	synctest.Test(t, func(t *testing.T) {
		key := newEC()
		_, thumbprint := publicKey(t, key)
		token := &auth.Token{
			Issuer: "https://a.example", Subject: "ada", Audience: []string{resource}, Expiry: time.Now().Add(24 * time.Hour),
			Claims: map[string]any{"cnf": map[string]any{"jkt": thumbprint}},
		}
		handler := func(nonceKey string) http.Handler {
			g, err := auth.NewGuard(auth.GuardOptions{
				Resource: resource, AuthorizationServers: []string{token.Issuer}, Logger: slog.New(slog.DiscardHandler), NonceKey: []byte(nonceKey), Recheck: -1,
				Verifier: auth.VerifierFunc(func(context.Context, string) (*auth.Token, error) { return token, nil }),
			})
			must(t, err)
			return g.Protect(passed)
		}
		send := func(h http.Handler, nonce any) (status int, next, challenge string) {
			res := askWithProof(h, "DPoP x", prove(t, jwt.SigningMethodES256, key, proofClaims("x", map[string]any{"nonce": nonce}), nil))
			return res.StatusCode, res.Header.Get("DPoP-Nonce"), res.Header.Get("WWW-Authenticate")
		}
		h, replica, stranger := handler(strings.Repeat("a", 32)), handler(strings.Repeat("a", 32)), handler(strings.Repeat("b", 32))
		status, nonce, challenge := send(h, nil)
		if status != http.StatusUnauthorized || nonce == "" || !strings.HasPrefix(challenge, "DPoP ") || !strings.Contains(challenge, `error="use_dpop_nonce"`) {
			t.Fatalf("without a nonce: %d %q %s", status, nonce, challenge)
		}
		for range 2 { // a nonce can be used several times
			if status, next, _ := send(h, nonce); status != http.StatusOK || next != "" {
				t.Errorf("with the nonce: %d %q", status, next)
			}
		}
		if status, _, _ := send(replica, nonce); status != http.StatusOK {
			t.Errorf("at a replica: %d", status)
		}
		if status, _, _ := send(stranger, nonce); status != http.StatusUnauthorized {
			t.Errorf("at a server with another key: %d", status)
		}
		for _, forged := range []string{"", "x", nonce[1:], nonce + "A", "B" + nonce[1:]} {
			if status, _, _ := send(h, forged); status != http.StatusUnauthorized {
				t.Errorf("the nonce %q: %d", forged, status)
			}
		}
		time.Sleep(3 * time.Minute) // fake
		status, next, _ := send(h, nonce)
		if status != http.StatusOK || next == "" || next == nonce {
			t.Errorf("after 3 minutes: %d %q", status, next)
		}
		time.Sleep(3 * time.Minute)
		if status, _, _ := send(h, nonce); status != http.StatusUnauthorized {
			t.Errorf("after 6 minutes: %d", status)
		}
		if status, _, _ := send(h, next); status != http.StatusOK {
			t.Errorf("the next nonce: %d", status)
		}
		if _, err := auth.NewGuard(auth.GuardOptions{Resource: resource, AuthorizationServers: []string{token.Issuer}, Verifier: auth.VerifierFunc(nil), NonceKey: []byte("short")}); err == nil {
			t.Error("a short key is accepted")
		}
	})
}

// TestGuardDPoP_Client uses an OAuthClient with a server that requires bound
// tokens and nonces.
func TestGuardDPoP_Client(t *testing.T) {
	everyRevision(t, func(t *testing.T, revision string) {
		a := newAuthority(t)
		binding(t, a, "")
		s := newSite(t, a, func(o *auth.GuardOptions) {
			o.RequireDPoP, o.NonceKey = true, bytes.Repeat([]byte{1}, 32)
			o.Verifier = auth.VerifierFunc(func(ctx context.Context, token string) (*auth.Token, error) {
				known, err := a.verify(ctx, token)
				if err == nil {
					a.mu.Lock()
					known.Claims = map[string]any{"cnf": map[string]any{"jkt": a.access[token].challenge}}
					a.mu.Unlock()
				}
				return known, err
			})
		})
		c := mustConnect(t, s, new(auth.OAuthClient), revision)
		for range 3 {
			must(t, use(t, c, "read"))
		}
		// Someone who steals the token cannot use it.
		stolen := s.requests("/mcp")[len(s.requests("/mcp"))-1].header
		for _, scheme := range []string{"Bearer ", "DPoP "} {
			r, err := http.NewRequest(http.MethodPost, s.endpoint(), strings.NewReader("{}"))
			must(t, err)
			r.Header = stolen.Clone()
			r.Header.Set("Authorization", scheme+strings.TrimPrefix(stolen.Get("Authorization"), "DPoP "))
			res, err := http.DefaultClient.Do(r)
			must(t, err)
			_, _ = io.Copy(io.Discard, res.Body)
			res.Body.Close()
			if res.StatusCode != http.StatusUnauthorized {
				t.Errorf("with the scheme %s: %s", scheme, res.Status)
			}
		}
	})
}
