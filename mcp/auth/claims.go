package auth

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/golang-jwt/jwt/v5"
)

// checkNames returns an error if an object in data, which is JSON, has two members with the same
// name, because two readers could use different ones (RFC 7519, section 4).
func checkNames(data []byte) error {
	if !jsontext.Value(data).IsValid(jsontext.AllowInvalidUTF8(true)) {
		return errors.New("a claim occurs twice, or the JSON is malformed")
	}
	return nil
}

// tokenOf returns the Token with the claims of a JWT or of an introspection
// response. A claim of the wrong type is an error.
func tokenOf(claims jwt.MapClaims) (*Token, error) {
	t := &Token{Claims: claims}
	t.ClientID = text(claims, "client_id", "azp")
	t.Subject = text(claims, "sub")
	t.Scopes = scopesOf(text(claims, "scope", "scp"))
	if list, ok := claims["scp"].([]any); ok && len(t.Scopes) == 0 {
		for _, s := range list {
			if s, ok := s.(string); ok {
				t.Scopes = append(t.Scopes, s)
			}
		}
	}
	var err error
	if t.Issuer, err = claims.GetIssuer(); err != nil {
		return nil, err
	}
	if t.Audience, err = claims.GetAudience(); err != nil {
		return nil, err
	}
	for name, date := range map[string]*time.Time{"exp": &t.Expiry, "nbf": &t.NotBefore, "iat": &t.IssuedAt} {
		if *date, err = dateOf(claims, name); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// maxDate bounds the dates of claims, in seconds. Larger ones would overflow
// the arithmetic on times and could seem to be in the past.
const maxDate = 1 << 53

// dateOf returns the named claim, seconds since 1970, or the zero time if it is
// missing.
func dateOf(claims jwt.MapClaims, name string) (time.Time, error) {
	value := claims[name]
	if value == nil {
		return time.Time{}, nil
	}
	seconds, ok := value.(float64)
	if !ok || math.Abs(seconds) > maxDate {
		return time.Time{}, fmt.Errorf("its %s is not a date", name)
	}
	whole, fraction := math.Modf(seconds)
	return time.Unix(int64(whole), int64(fraction*1e9)), nil
}

// errBound is the error of a token that only the holder of a key may use. It
// wraps ErrInvalidToken.
var errBound = fmt.Errorf("%w: it is bound to a key, and the server does not check the proof of the client's key", ErrInvalidToken)

// checkBinding returns errBound for a token that is bound to a key by its claim cnf (RFC 7800;
// DPoP: RFC 9449, mTLS: RFC 8705) or that has the type DPoP, because whoever steals it could use it
// like a bearer token. A Guard that checks proofs would compare the key of the request's proof with
// cnf here.
func checkBinding(t *Token) error {
	kind := text(t.Claims, "token_type")
	if t.Claims["cnf"] != nil || strings.EqualFold(kind, "DPoP") {
		return errBound
	}
	return nil
}

// text returns the first of the named claims that is a non-empty string.
func text(claims jwt.MapClaims, names ...string) string {
	for _, n := range names {
		if s, ok := claims[n].(string); ok && s != "" {
			return s
		}
	}
	return ""
}
