package auth

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// keySet caches the keys of an issuer (RFC 7517). It reads them again when they are too old, or
// when a token has an unknown key ID.
type keySet struct {
	issuer, address string
	client          *http.Client
	age             time.Duration // time after which the keys are read again

	mu      sync.Mutex
	keys    []key
	read    time.Time     // time of the last successful read
	tried   time.Time     // time of the last read or attempt to read
	err     error         // the error of the last attempt
	reading chan struct{} // closed when the current read ends; nil if there is none
}

// retryKeys is the minimum time between two reads.
const retryKeys = 10 * time.Second

// key is a public key with the restrictions on its use.
type key struct {
	id, algorithm string
	public        crypto.PublicKey
}

// find returns the keys that may have signed a token: the key with the token's key ID, or all keys
// for its algorithm if it has none. The error explains why the issuer's keys are not available.
func (s *keySet) find(ctx context.Context, id, algorithm string) (jwt.VerificationKeySet, error) {
	for {
		s.mu.Lock()
		found := s.fitting(id, algorithm)
		fresh := time.Since(s.read) < s.age && !s.read.IsZero()
		soon := time.Since(s.tried) < retryKeys && !s.tried.IsZero()
		if s.reading == nil && (fresh && len(found.Keys) > 0 || soon) {
			keys, err := s.keys, s.err
			s.mu.Unlock()
			if keys == nil {
				return found, err
			}
			return found, nil
		}
		if s.reading == nil {
			s.reading, s.tried = make(chan struct{}), time.Now()
			// Other requests wait for this read, so the end of the request that starts it must not
			// cancel it.
			go s.refresh(context.WithoutCancel(ctx))
		}
		reading := s.reading
		s.mu.Unlock()
		select {
		case <-reading:
		case <-ctx.Done():
			return jwt.VerificationKeySet{}, ctx.Err()
		}
	}
}

// fitting returns the cached keys that may have signed a token. The caller must hold mu.
func (s *keySet) fitting(id, algorithm string) (found jwt.VerificationKeySet) {
	for _, k := range s.keys {
		if (id == "" || k.id == id) && (k.algorithm == "" || k.algorithm == algorithm) && fits(k.public, algorithm) {
			found.Keys = append(found.Keys, k.public)
		}
	}
	return found
}

func fits(public crypto.PublicKey, algorithm string) bool {
	switch p := public.(type) {
	case *rsa.PublicKey:
		return strings.HasPrefix(algorithm, "RS") || strings.HasPrefix(algorithm, "PS")
	case *ecdsa.PublicKey:
		return algorithm == map[int]string{256: "ES256", 384: "ES384", 521: "ES512"}[p.Curve.Params().BitSize]
	case ed25519.PublicKey:
		return algorithm == "EdDSA"
	}
	return false
}

// refresh reads the keys. If that fails, the old ones remain in use for a day.
func (s *keySet) refresh(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	keys, err := s.load(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.keys, s.read = keys, time.Now()
	} else if time.Since(s.read) > 24*time.Hour {
		s.keys = nil
	}
	s.err = err
	close(s.reading)
	s.reading = nil
}

func (s *keySet) load(ctx context.Context) ([]key, error) {
	address := s.address
	if address == "" {
		m, err := Discover(ctx, s.client, s.issuer)
		if err != nil {
			return nil, err
		}
		if address = m.JWKSURI; address == "" {
			return nil, fmt.Errorf("auth: the metadata of %s has no jwks_uri; set JWTOptions.JWKS", s.issuer)
		}
		if _, err := endpoint(address); err != nil {
			return nil, fmt.Errorf("auth: jwks_uri of %s: %w", s.issuer, err)
		}
	}
	body, err := get(ctx, s.client, address, maxDocument, nil)
	if err != nil {
		return nil, fmt.Errorf("auth: keys of %s: %w", s.issuer, err)
	}
	keys, err := parseKeys(body)
	if err != nil {
		return nil, fmt.Errorf("auth: keys of %s: %w", s.issuer, err)
	}
	return keys, nil
}

// maxKeys is the maximum number of keys of an issuer.
const maxKeys = 100

// parseKeys parses a key set. It omits keys of unsupported types and for other uses, and returns an
// error for text that is not a key set.
func parseKeys(body []byte) ([]key, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil || set.Keys == nil {
		return nil, fmt.Errorf("it is not a JWK set")
	}
	if len(set.Keys) > maxKeys {
		return nil, fmt.Errorf("it has more than %d keys", maxKeys)
	}
	keys := []key{}
	for _, raw := range set.Keys {
		if k := parseKey(raw); k.public != nil {
			keys = append(keys, k)
		}
	}
	return keys, nil
}

// parseKey parses a JWK. The result has no public key if it is malformed, of
// another kind, or not for signatures.
func parseKey(raw []byte) key {
	var k struct {
		Kty, Use, Kid, Alg, Crv, N, E, X, Y string
	}
	if json.Unmarshal(raw, &k) != nil || k.Use != "" && k.Use != "sig" {
		return key{}
	}
	var public crypto.PublicKey
	switch k.Kty {
	case "RSA":
		public = rsaKey(k.N, k.E)
	case "EC":
		public = ecKey(k.Crv, k.X, k.Y)
	case "OKP":
		if x := decode(k.X); k.Crv == "Ed25519" && len(x) == ed25519.PublicKeySize {
			public = ed25519.PublicKey(x)
		}
	}
	return key{k.Kid, k.Alg, public}
}

// rsaKey returns an RSA key. It returns nil for a key that is malformed,
// shorter than 2048 bits, or so long that verifying takes too much time.
func rsaKey(n, e string) crypto.PublicKey {
	modulus, exponent := new(big.Int).SetBytes(decode(n)), new(big.Int).SetBytes(decode(e))
	if bits := modulus.BitLen(); bits < 2048 || bits > 8192 || exponent.BitLen() > 31 || exponent.Int64() < 3 || exponent.Bit(0) == 0 {
		return nil
	}
	return &rsa.PublicKey{N: modulus, E: int(exponent.Int64())}
}

func ecKey(curve, x, y string) crypto.PublicKey {
	var c elliptic.Curve
	switch curve {
	case "P-256":
		c = elliptic.P256()
	case "P-384":
		c = elliptic.P384()
	case "P-521":
		c = elliptic.P521()
	default:
		return nil
	}
	size := (c.Params().BitSize + 7) / 8
	xb, yb := decode(x), decode(y)
	if len(xb) != size || len(yb) != size {
		return nil
	}
	// ParseUncompressedPublicKey fails if the point is not on the curve.
	public, err := ecdsa.ParseUncompressedPublicKey(c, append(append([]byte{4}, xb...), yb...))
	if err != nil {
		return nil
	}
	return public
}

func decode(s string) []byte {
	b, _ := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
	return b
}
