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
// name, because two parsers could read different values (RFC 7519, section 4).
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

// maxDate is the latest date of a claim, in seconds since 1970. Larger ones would overflow the
// arithmetic on times and could seem to be in the past.
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
		return time.Time{}, fmt.Errorf("its claim %s is not a date", name)
	}
	whole, fraction := math.Modf(seconds)
	return time.Unix(int64(whole), int64(fraction*1e9)), nil
}

// errBound is the error for a token that is bound to a key but was sent without a proof of that
// key. It wraps ErrInvalidToken.
var errBound = fmt.Errorf("%w: it is bound to a key, so it must be sent with a proof of that key (DPoP)", ErrInvalidToken)

// errBinding is the error of a token that is bound to a key in a way that a Guard
// cannot check, such as the certificate of a TLS connection (RFC 8705). It wraps
// ErrInvalidToken.
var errBinding = fmt.Errorf("%w: it is bound to a key in a way that this server cannot check", ErrInvalidToken)

// binding returns the thumbprint of the key that a token is bound to by its claim
// cnf (RFC 7800; RFC 9449, section 6), or "" if it is a bearer token.
func binding(t *Token) (thumbprint string, err error) {
	cnf := t.Claims["cnf"]
	if cnf == nil {
		if strings.EqualFold(text(t.Claims, "token_type"), "DPoP") {
			return "", errBinding
		}
		return "", nil
	}
	members, _ := cnf.(map[string]any)
	if thumbprint = text(members, "jkt"); thumbprint == "" || len(members) != 1 {
		return "", errBinding
	}
	return thumbprint, nil
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
