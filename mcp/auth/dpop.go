package auth

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const dpopAlgorithm = "ES256"

// dpopKey is the key to which tokens are bound (RFC 9449).
type dpopKey struct {
	private    *ecdsa.PrivateKey
	jwk        map[string]string // the public key
	thumbprint string            // thumbprint of jwk (RFC 7638)
}

func newDPoPKey() (*dpopKey, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return dpopKeyOf(private)
}

func dpopKeyOf(private *ecdsa.PrivateKey) (*dpopKey, error) {
	point, err := private.PublicKey.Bytes()
	if err != nil || len(point) != 65 {
		return nil, errors.New("auth: the key of a token is not a P-256 key")
	}
	encode := base64.RawURLEncoding.EncodeToString
	x, y := encode(point[1:33]), encode(point[33:])
	sum := sha256.Sum256([]byte(`{"crv":"P-256","kty":"EC","x":"` + x + `","y":"` + y + `"}`))
	return &dpopKey{private, map[string]string{"kty": "EC", "crv": "P-256", "x": x, "y": y}, encode(sum[:])}, nil
}

func (k *dpopKey) marshal() ([]byte, error) { return x509.MarshalPKCS8PrivateKey(k.private) }

func parseDPoPKey(der []byte) (*dpopKey, error) {
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, err
	}
	private, ok := key.(*ecdsa.PrivateKey)
	if !ok {
		return nil, errors.New("auth: the key of a token is not a P-256 key")
	}
	return dpopKeyOf(private)
}

// prove returns a proof for one request (RFC 9449, section 4.2). token is empty
// for requests to a token endpoint.
func (k *dpopKey) prove(method string, u *url.URL, nonce, token string) (string, error) {
	claims := jwt.MapClaims{
		"jti": randomText(), "iat": time.Now().Unix(), "htm": method,
		"htu": strings.ToLower(u.Scheme) + "://" + strings.ToLower(u.Host) + u.EscapedPath(),
	}
	if nonce != "" {
		claims["nonce"] = nonce
	}
	if token != "" {
		sum := sha256.Sum256([]byte(token))
		claims["ath"] = base64.RawURLEncoding.EncodeToString(sum[:])
	}
	proof := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
	proof.Header["typ"], proof.Header["jwk"] = "dpop+jwt", k.jwk
	return proof.SignedString(k.private)
}

// nonce returns the latest nonce that the server at u has sent, or "" (RFC
// 9449, sections 8 and 9).
func (c *OAuthClient) nonce(u *url.URL) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.nonces[origin(u)]
}

// maxNonces is the maximum number of origins whose nonces are stored.
const maxNonces = 16

// setNonce stores the nonce of a response and reports whether it is new.
func (c *OAuthClient) setNonce(u *url.URL, h http.Header) bool {
	nonce := h.Get("DPoP-Nonce")
	if len(nonce) > 1024 || !isHeaderText(nonce) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.nonces[origin(u)] == nonce {
		return false
	}
	if c.nonces == nil || len(c.nonces) >= maxNonces {
		c.nonces = map[string]string{}
	}
	c.nonces[origin(u)] = nonce
	return true
}

// renewNonce reports whether a refused request should be sent again with the nonce that the server
// has sent. It returns an error if the request already contained that nonce.
func (c *OAuthClient) renewNonce(resp *http.Response, refusal challenge, scheme string) (again bool, err error) {
	if !strings.EqualFold(scheme, "DPoP") {
		return false, nil
	}
	fresh := c.setNonce(resp.Request.URL, resp.Header)
	if refusal.params["error"] != "use_dpop_nonce" {
		return false, nil
	}
	if !fresh && proofNonce(resp.Request.Header.Get("DPoP")) == c.nonce(resp.Request.URL) {
		return false, c.failed("", "use the token", errors.New("the server requires a nonce in the proof but refuses the one that it sent"))
	}
	return true, nil
}

// proofNonce returns the nonce in a proof from this client, or "" if it has none.
func proofNonce(proof string) string {
	claims := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(proof, claims); err != nil {
		return ""
	}
	nonce, _ := claims["nonce"].(string)
	return nonce
}
