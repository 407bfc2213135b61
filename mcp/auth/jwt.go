package auth

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// JWTOptions configure NewJWT.
type JWTOptions struct {
	// JWKS is the URL of the issuer's keys; by default the jwks_uri of its
	// metadata.
	JWKS string
	// Algorithms are the accepted signature algorithms; by default, all
	// asymmetric ones in RFC 7518 and EdDSA. Symmetric ones and "none" are never
	// accepted.
	Algorithms []string
	// KeyTTL is the time for which keys are cached; default one hour. If a token has an unknown key
	// ID, they are read sooner, but at most once every 10 seconds.
	KeyTTL time.Duration
	// HTTPClient reads the issuer's metadata and keys; default SafeClient. An issuer in a private
	// network needs another client.
	HTTPClient *http.Client
}

// JWT is a Verifier of access tokens that are signed JWTs (RFC 9068).
type JWT struct {
	issuer string
	keys   *keySet
	parser *jwt.Parser
}

var asymmetric = []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// NewJWT returns a verifier for the tokens of an issuer, which is a URL. NewJWT sends no request;
// Verify reads the keys for the first token. A nil o means the zero value.
func NewJWT(issuer string, o *JWTOptions) (*JWT, error) {
	if o == nil {
		o = &JWTOptions{}
	}
	if _, err := endpoint(issuer); err != nil {
		return nil, fmt.Errorf("auth: issuer: %w", err)
	}
	if o.JWKS != "" {
		if _, err := endpoint(o.JWKS); err != nil {
			return nil, fmt.Errorf("auth: JWTOptions.JWKS: %w", err)
		}
	}
	algorithms := o.Algorithms
	if len(algorithms) == 0 {
		algorithms = asymmetric
	}
	for _, a := range algorithms {
		if !slices.Contains(asymmetric, a) {
			return nil, fmt.Errorf("auth: JWTOptions.Algorithms: %q is not an asymmetric algorithm", a)
		}
	}
	keys := &keySet{issuer: issuer, address: o.JWKS, client: o.HTTPClient, age: o.KeyTTL}
	if keys.client == nil {
		keys.client = SafeClient()
	}
	if keys.age <= 0 {
		keys.age = time.Hour
	}
	// the Guard validates the claims, so the parser does not
	return &JWT{issuer, keys, jwt.NewParser(jwt.WithValidMethods(algorithms), jwt.WithoutClaimsValidation())}, nil
}

// Verify implements Verifier.
func (v *JWT) Verify(ctx context.Context, token string) (*Token, error) {
	var unavailable error
	parsed, err := v.parser.Parse(token, func(t *jwt.Token) (any, error) {
		if typ, ok := t.Header["typ"].(string); ok && !isAccessToken(typ) {
			return nil, fmt.Errorf("its type is %.50q", typ)
		}
		if _, ok := t.Header["crit"]; ok {
			return nil, errors.New("it has critical extensions, which are not supported")
		}
		id, _ := t.Header["kid"].(string)
		keys, err := v.keys.find(ctx, id, t.Method.Alg())
		if err != nil {
			unavailable = err
			return nil, err
		}
		if len(keys.Keys) == 0 {
			return nil, errors.New("the issuer has no such key")
		}
		return keys, nil
	})
	if unavailable != nil {
		return nil, unavailable
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidToken, err)
	}
	header, payload, _ := strings.Cut(token, ".")
	payload, _, _ = strings.Cut(payload, ".")
	for _, part := range []string{header, payload} {
		decoded, err := v.parser.DecodeSegment(part)
		if err == nil {
			err = checkNames(decoded)
		}
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalidToken, err)
		}
	}
	claims, _ := parsed.Claims.(jwt.MapClaims)
	t, err := tokenOf(claims)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidToken, err)
	}
	if t.Issuer != v.issuer {
		return nil, fmt.Errorf("%w: its issuer is %.200q", ErrInvalidToken, t.Issuer)
	}
	return t, nil
}

// isAccessToken reports whether a typ header is allowed for an access token.
func isAccessToken(typ string) bool {
	switch strings.TrimPrefix(strings.ToLower(typ), "application/") {
	case "jwt", "at+jwt":
		return true
	}
	return false
}
