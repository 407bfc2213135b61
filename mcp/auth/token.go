package auth

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// A Token is the content of a verified access token. It does not hold the token
// itself, so that handlers cannot pass it on.
type Token struct {
	// Issuer is the authorization server.
	Issuer string
	// Subject is the user, unique within Issuer. A Guard refuses a token without a subject, because
	// a client could have the same ID as a user. A Verifier whose tokens all belong to clients can
	// set a subject that no user has.
	Subject string
	// ClientID is the OAuth client that the token was issued to, if known.
	ClientID string
	// Audience names the servers that the token is meant for.
	Audience []string
	// Scopes are the scopes that the token grants.
	Scopes []string
	// Expiry is when the token expires. A Guard refuses a token without an expiry.
	Expiry time.Time
	// NotBefore is when the token becomes valid; zero if the token does not contain it.
	NotBefore time.Time
	// IssuedAt is when the token was issued; zero if the token does not contain it. A Guard refuses
	// a token that was issued in the future.
	IssuedAt time.Time
	// Claims are all claims of the token. They must not be modified. If the claim "cnf" binds the
	// token to a key by its thumbprint "jkt" (RFC 9449), a Guard requires a proof of that key. It
	// refuses tokens that are bound in another way.
	Claims map[string]any
}

// Principal returns a text that identifies the token's subject among the subjects of all issuers.
// In handlers behind a Guard, mcp.Request.Principal returns it.
func (t *Token) Principal() string { return t.Issuer + " " + t.Subject }

// A Verifier checks that a token was issued by a trusted authorization server,
// and that it has not been changed or revoked. The Guard checks audience, time
// and the claim "cnf". Verify may be called concurrently.
type Verifier interface {
	// Verify returns the content of token. The error wraps ErrInvalidToken if the
	// token is invalid. Any other error means that the token could not be checked,
	// and the request gets status 503.
	Verify(ctx context.Context, token string) (*Token, error)
}

// ErrInvalidToken is the error of a token that is malformed, forged, revoked or
// unknown.
var ErrInvalidToken = errors.New("invalid token")

// VerifierFunc is a function that implements Verifier.
type VerifierFunc func(ctx context.Context, token string) (*Token, error)

// Verify calls f.
func (f VerifierFunc) Verify(ctx context.Context, token string) (*Token, error) { return f(ctx, token) }

// Verifiers returns a verifier that tries several verifiers in turn, for servers
// that trust several authorization servers. It returns the result of the first
// that does not return ErrInvalidToken.
func Verifiers(vs ...Verifier) Verifier {
	return VerifierFunc(func(ctx context.Context, token string) (*Token, error) {
		err := ErrInvalidToken
		for _, v := range vs {
			var t *Token
			if t, err = v.Verify(ctx, token); !errors.Is(err, ErrInvalidToken) {
				return t, err
			}
		}
		return nil, err
	})
}

type grantKey struct{}

// TokenFrom returns the verified token of the HTTP request that a handler of the server is
// serving, or nil if the request did not pass a Guard.
func TokenFrom(ctx context.Context) *Token {
	if g, ok := ctx.Value(grantKey{}).(*grant); ok {
		return g.token
	}
	return nil
}

// scopesOf splits a scope parameter (RFC 6749, section 3.3) into scopes.
func scopesOf(s string) []string { return strings.Fields(s) }

// lacking returns the needed scopes that no granted scope implies.
func (o *GuardOptions) lacking(granted, needed []string) []string {
	return slices.DeleteFunc(slices.Clone(needed), func(n string) bool {
		return slices.ContainsFunc(granted, func(g string) bool { return g == n || o.Implies != nil && o.Implies(g, n) })
	})
}
