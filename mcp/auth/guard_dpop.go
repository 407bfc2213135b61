package auth

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

const (
	// maxProof is the maximum length in bytes of a proof of a key; maxProofID is the maximum
	// length of its jti.
	maxProof   = 8 << 10
	maxProofID = 256

	// maxProofs is the maximum number of used proofs that a Guard remembers to refuse their reuse;
	// maxProofsOfKey is the maximum number for one key. Additional requests are refused until the
	// oldest proofs have expired.
	maxProofs      = 1 << 18
	maxProofsOfKey = maxProofs / 4

	// proofAge is the maximum age of a proof; nonceAge is the maximum age of a nonce. A new nonce
	// is sent when half of nonceAge has passed.
	proofAge = time.Minute
	nonceAge = 5 * time.Minute
)

// errProof is the error for a proof that is not valid. It wraps
// ErrInvalidToken.
var errProof = fmt.Errorf("%w: the proof of its key", ErrInvalidToken)

// errNonce is the error for a proof without the server's nonce or with an old one.
var errNonce = errors.New("the proof must contain a nonce of this server")

// errProofs is the error for a proof that cannot be remembered because there are too many.
var errProofs = errors.New("too many proofs of keys within the last minute")

// checkProof checks that the sender of r has the key that its token is bound to (RFC 9449, section
// 4.3). The error value determines the response; its text is only logged.
func (g *Guard) checkProof(r *http.Request, token string, t *Token, isDPoP bool) error {
	thumbprint, err := binding(t)
	switch {
	case err != nil:
		return err
	case thumbprint == "" && isDPoP:
		return fmt.Errorf("%w: it is not bound to a key, so it must be sent as a bearer token", ErrInvalidToken)
	case thumbprint == "" && g.opts.RequireDPoP:
		return fmt.Errorf("%w: it is not bound to a key", ErrInvalidToken)
	case thumbprint == "":
		return nil
	case !isDPoP:
		return errBound
	}
	proofs := r.Header.Values("DPoP")
	if len(proofs) != 1 || len(proofs[0]) > maxProof {
		return fmt.Errorf("%w: there must be exactly one DPoP header, of at most %d bytes", errProof, maxProof)
	}
	claims, signer, err := parseProof(proofs[0])
	if err != nil {
		return fmt.Errorf("%w: %w", errProof, err)
	}
	now := time.Now()
	issued, err := dateOf(claims, "iat")
	sum := sha256.Sum256([]byte(token))
	id := text(claims, "jti")
	switch {
	case signer != thumbprint:
		return fmt.Errorf("%w: it was signed with another key", errProof)
	case text(claims, "ath") != base64.RawURLEncoding.EncodeToString(sum[:]):
		return fmt.Errorf("%w: it is for another token", errProof)
	case text(claims, "htm") != r.Method:
		return fmt.Errorf("%w: it is for the method %.20q", errProof, text(claims, "htm"))
	case !g.isTarget(text(claims, "htu"), r):
		return fmt.Errorf("%w: it is for the URL %.200q", errProof, text(claims, "htu"))
	case err != nil || issued.IsZero():
		return fmt.Errorf("%w: it has no date iat", errProof)
	case issued.Before(now.Add(-proofAge - g.opts.Leeway)):
		return fmt.Errorf("%w: it was created at %s", errProof, issued.UTC().Format(time.RFC3339))
	case issued.After(now.Add(g.opts.Leeway)):
		return fmt.Errorf("%w: it was created in the future, at %s", errProof, issued.UTC().Format(time.RFC3339))
	case id == "" || len(id) > maxProofID:
		return fmt.Errorf("%w: it must have a jti of up to %d bytes", errProof, maxProofID)
	case g.opts.NonceKey != nil && !g.isNonce(text(claims, "nonce"), now):
		return errNonce
	}
	return g.proofs.add(thumbprint, id, now, issued.Add(proofAge+g.opts.Leeway))
}

// parseProof verifies the signature of a proof, and returns its claims and the
// thumbprint of its key (RFC 7638).
func parseProof(proof string) (claims jwt.MapClaims, thumbprint string, err error) {
	parser := jwt.NewParser(jwt.WithValidMethods(asymmetric), jwt.WithoutClaimsValidation())
	claims = jwt.MapClaims{}
	_, err = parser.ParseWithClaims(proof, claims, func(t *jwt.Token) (any, error) {
		if typ, _ := t.Header["typ"].(string); !strings.EqualFold(strings.TrimPrefix(typ, "application/"), "dpop+jwt") {
			return nil, fmt.Errorf("its type is %.50q", typ)
		}
		if _, ok := t.Header["crit"]; ok {
			return nil, errors.New("it has critical extensions, none of which is supported")
		}
		members, ok := t.Header["jwk"].(map[string]any)
		if !ok {
			return nil, errors.New("its header has no jwk")
		}
		for _, secret := range []string{"d", "p", "q", "dp", "dq", "qi", "oth", "k"} {
			if _, ok := members[secret]; ok {
				return nil, errors.New("its jwk is a private or symmetric key")
			}
		}
		raw, err := json.Marshal(members)
		if err != nil {
			return nil, err
		}
		public := parseKey(raw).public
		if !fits(public, t.Method.Alg()) {
			return nil, errors.New("its jwk is not a public key for its algorithm")
		}
		thumbprint, err = thumbprintOf(public)
		return public, err
	})
	if err != nil {
		return nil, "", err
	}
	header, payload, _ := strings.Cut(proof, ".")
	payload, _, _ = strings.Cut(payload, ".")
	for _, part := range []string{header, payload} {
		decoded, err := parser.DecodeSegment(part)
		if err == nil {
			err = checkNames(decoded)
		}
		if err != nil {
			return nil, "", err
		}
	}
	return claims, thumbprint, nil
}

// thumbprintOf returns the thumbprint of a public key (RFC 7638).
func thumbprintOf(public crypto.PublicKey) (string, error) {
	encode := base64.RawURLEncoding.EncodeToString
	var canonical string // members in alphabetical order, without spaces
	switch p := public.(type) {
	case *ecdsa.PublicKey:
		point, err := p.Bytes()
		if err != nil {
			return "", err
		}
		size := (len(point) - 1) / 2
		canonical = fmt.Sprintf(`{"crv":"%s","kty":"EC","x":"%s","y":"%s"}`, p.Params().Name, encode(point[1:1+size]), encode(point[1+size:]))
	case *rsa.PublicKey:
		canonical = fmt.Sprintf(`{"e":"%s","kty":"RSA","n":"%s"}`, encode(big.NewInt(int64(p.E)).Bytes()), encode(p.N.Bytes()))
	case ed25519.PublicKey:
		canonical = fmt.Sprintf(`{"crv":"Ed25519","kty":"OKP","x":"%s"}`, encode(p))
	default:
		return "", errors.New("the key is of an unknown kind")
	}
	sum := sha256.Sum256([]byte(canonical))
	return encode(sum[:]), nil
}

// isTarget reports whether htu is the URL of r (RFC 9449, section 4.3), without its query.
func (g *Guard) isTarget(htu string, r *http.Request) bool {
	u, err := url.Parse(htu)
	if err != nil || u.Host == "" || u.User != nil || origin(u) != origin(g.resource) {
		return false
	}
	requested := r.URL
	if sent, err := url.ParseRequestURI(r.RequestURI); err == nil { // the path before http.StripPrefix changed it
		requested = sent
	}
	path, local := normalPath(u.EscapedPath()), normalPath(requested.EscapedPath())
	if prefix := normalPath(g.opts.RemovedPrefix); prefix != "/" {
		return path == prefix+local || local == "/" && path == prefix
	}
	return path == local
}

// normalPath decodes unreserved characters of an escaped path, and writes other
// escapes with capital letters (RFC 3986, section 6.2.2).
func normalPath(path string) string {
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		if path[i] != '%' || i+2 >= len(path) {
			b.WriteByte(path[i])
			continue
		}
		escape := path[i : i+3]
		i += 2
		if c, err := url.PathUnescape(escape); err == nil && strings.Trim(c, "-._~") == "" || len(c) == 1 && isAlphanumeric(c[0]) {
			b.WriteString(c)
			continue
		}
		b.WriteString(strings.ToUpper(escape))
	}
	if b.Len() == 0 {
		return "/"
	}
	return b.String()
}

func isAlphanumeric(c byte) bool {
	return 'a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9'
}

// newNonce returns a nonce for proofs: the time, authenticated with NonceKey.
func (g *Guard) newNonce(now time.Time) string {
	b := binary.BigEndian.AppendUint64(nil, uint64(now.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(b, g.nonceMAC(b)...))
}

func (g *Guard) nonceMAC(b []byte) []byte {
	mac := hmac.New(sha256.New, g.opts.NonceKey)
	mac.Write([]byte("DPoP nonce\x00"))
	mac.Write(b)
	return mac.Sum(nil)[:16]
}

// nonceTime returns the time at which a nonce was created, or the zero time if newNonce did not
// create it.
func (g *Guard) nonceTime(nonce string) time.Time {
	b, err := base64.RawURLEncoding.Strict().DecodeString(nonce)
	if err != nil || len(b) != 8+16 || !hmac.Equal(b[8:], g.nonceMAC(b[:8])) {
		return time.Time{}
	}
	return time.Unix(int64(binary.BigEndian.Uint64(b)), 0)
}

// isNonce reports whether a nonce can be used now. The clocks of replicas may
// differ by Leeway.
func (g *Guard) isNonce(nonce string, now time.Time) bool {
	issued := g.nonceTime(nonce)
	return !issued.IsZero() && !issued.After(now.Add(g.opts.Leeway)) && issued.Add(nonceAge+g.opts.Leeway).After(now)
}

// renewNonce adds a new nonce to a response if the nonce of the request is about
// to expire.
func (g *Guard) renewNonce(w http.ResponseWriter, r *http.Request) {
	now := time.Now()
	if g.opts.NonceKey != nil && now.Sub(g.nonceTime(proofNonce(r.Header.Get("DPoP")))) > nonceAge/2 {
		w.Header().Set("DPoP-Nonce", g.newNonce(now))
	}
}

// usedProofs contains the proofs that were used and have not expired.
type usedProofs struct {
	mu    sync.Mutex
	used  map[[16]byte]usedProof // used proofs by a hash of the key and the jti
	ofKey map[string]int         // number of proofs of each key
	swept time.Time
}

type usedProof struct {
	thumbprint string // thumbprint of the key
	expiry     time.Time
}

// add remembers a proof until it expires. It returns an error if the proof was used before, or if
// too many proofs are remembered.
func (p *usedProofs) add(thumbprint, id string, now, expiry time.Time) error {
	sum := sha256.Sum256([]byte(thumbprint + "\x00" + id))
	name := [16]byte(sum[:])
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.used == nil {
		p.used, p.ofKey = map[[16]byte]usedProof{}, map[string]int{}
	}
	if now.Sub(p.swept) > proofAge/4 {
		p.sweep(now)
	}
	if _, ok := p.used[name]; ok {
		return fmt.Errorf("%w: it was used before", errProof)
	}
	if len(p.used) >= maxProofs || p.ofKey[thumbprint] >= maxProofsOfKey {
		return errProofs
	}
	p.used[name] = usedProof{thumbprint, expiry}
	p.ofKey[thumbprint]++
	return nil
}

// sweep forgets the proofs that have expired. The caller must hold mu.
func (p *usedProofs) sweep(now time.Time) {
	p.swept = now
	for name, one := range p.used {
		if one.expiry.After(now) {
			continue
		}
		if p.ofKey[one.thumbprint]--; p.ofKey[one.thumbprint] == 0 {
			delete(p.ofKey, one.thumbprint)
		}
		delete(p.used, name)
	}
}
