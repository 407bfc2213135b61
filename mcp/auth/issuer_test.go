package auth_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// issuer is an authorization server that issues any token that a test requests.
type issuer struct {
	*httptest.Server

	mu      sync.Mutex
	keys    map[string]crypto.Signer
	down    bool            // whether it answers with status 500
	named   string          // issuer in the metadata; the actual issuer if empty
	counts  map[string]int  // number of requests by path
	active  map[string]bool // whether each opaque token is active
	opaque  map[string]any  // claims of opaque tokens
	bare    bool            // introspection responses consist only of the claims in opaque
	raw     string          // the response to every introspection; the claims if empty
	without string          // path that the server does not serve
}

func newIssuer(t *testing.T) *issuer {
	i := &issuer{keys: map[string]crypto.Signer{}, counts: map[string]int{}, active: map[string]bool{}}
	i.addKey("one", newEC())
	i.Server = httptest.NewServer(i)
	t.Cleanup(i.Close)
	return i
}

func newEC() crypto.Signer {
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return k
}

func (i *issuer) addKey(id string, k crypto.Signer) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys[id] = k
}

func (i *issuer) count(path string) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.counts[path]
}

func (i *issuer) set(f func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	f()
}

func (i *issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.counts[r.URL.Path]++
	if i.down {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if r.URL.Path == i.without {
		http.NotFound(w, r)
		return
	}
	switch r.URL.Path {
	case "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration":
		fmt.Fprint(w, i.document())
	case "/keys":
		list := []any{map[string]any{"kty": "oct", "k": "c2VjcmV0"}} // a kind of key that verifiers ignore
		for id, k := range i.keys {
			list = append(list, jwk(id, k.Public()))
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"keys": list})
	case "/introspect":
		if name, secret, _ := r.BasicAuth(); name != "mcp" || secret != "s%2F1" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if i.raw != "" {
			fmt.Fprint(w, i.raw)
			return
		}
		token := r.FormValue("token")
		claims := map[string]any{"active": i.active[token]}
		if i.active[token] {
			if i.bare {
				clear(claims)
			}
			maps.Copy(claims, i.opaque)
		}
		_ = json.NewEncoder(w).Encode(claims)
	default:
		http.NotFound(w, r)
	}
}

// document returns the metadata of the issuer.
func (i *issuer) document() string {
	named := i.named
	if named == "" {
		named = i.URL
	}
	text, err := json.Marshal(map[string]any{
		"issuer": named, "jwks_uri": i.URL + "/keys", "introspection_endpoint": i.URL + "/introspect", "registration_endpoint": i.URL + "/register", "x_further": []int{1},
	})
	if err != nil {
		panic(err)
	}
	return string(text)
}

func jwk(id string, public crypto.PublicKey) map[string]any {
	b64 := base64.RawURLEncoding.EncodeToString
	k := map[string]any{"kid": id, "use": "sig"}
	switch p := public.(type) {
	case *ecdsa.PublicKey:
		point, err := p.Bytes()
		if err != nil {
			panic(err)
		}
		size := (len(point) - 1) / 2
		k["kty"], k["crv"], k["x"], k["y"] = "EC", p.Params().Name, b64(point[1:1+size]), b64(point[1+size:])
	case *rsa.PublicKey:
		k["kty"], k["n"], k["e"] = "RSA", b64(p.N.Bytes()), b64(big.NewInt(int64(p.E)).Bytes())
	case ed25519.PublicKey:
		k["kty"], k["crv"], k["x"] = "OKP", "Ed25519", b64(p)
	}
	return k
}

// resource is the URL of the MCP server in the tests.
const resource = "https://mcp.example.com/mcp"

// claims returns the claims of a token that is valid for resource, with the
// given changes; a nil value removes a claim.
func (i *issuer) claims(changes map[string]any) jwt.MapClaims {
	c := jwt.MapClaims{
		"iss": i.URL, "sub": "ada", "aud": resource, "client_id": "agent", "scope": "mcp reports:read",
		"exp": time.Now().Add(time.Hour).Unix(),
	}
	for k, v := range changes {
		if v == nil {
			delete(c, k)
		} else {
			c[k] = v
		}
	}
	return c
}

// issue signs claims with the key "one".
func (i *issuer) issue(changes map[string]any) string {
	return i.sign(jwt.SigningMethodES256, "one", i.claims(changes), nil)
}

func (i *issuer) sign(method jwt.SigningMethod, id string, claims jwt.MapClaims, header map[string]any) string {
	i.mu.Lock()
	k := i.keys[id]
	i.mu.Unlock()
	return signWith(method, k, id, claims, header)
}

func signWith(method jwt.SigningMethod, key any, id string, claims jwt.MapClaims, header map[string]any) string {
	t := jwt.NewWithClaims(method, claims)
	if id != "" {
		t.Header["kid"] = id
	}
	maps.Copy(t.Header, header)
	text, err := t.SignedString(key)
	if err != nil {
		panic(err)
	}
	return text
}
