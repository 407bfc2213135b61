package teamserver

import "context"

// A Principal is the sender of a request, identified by its credentials.
type Principal struct {
	// ID identifies the principal while the server is running. An example is "key:3fa8c1d2".
	ID string
	// Name is shown to people. It is the name of a key, or the subject of a token or certificate.
	Name string
	// Groups are the groups of the principal.
	Groups []string
}

// anonymous is the principal of requests to a server without authentication.
var anonymous = &Principal{ID: "anonymous", Name: "anonymous"}

type principalKey struct{}

func withPrincipal(ctx context.Context, p *Principal) context.Context {
	if n, ok := ctx.Value(noteKey{}).(*note); ok {
		n.principal = p
	}
	return context.WithValue(ctx, principalKey{}, p)
}

// principalFrom returns the principal of the request that ctx belongs to.
func principalFrom(ctx context.Context) *Principal {
	if p, ok := ctx.Value(principalKey{}).(*Principal); ok {
		return p
	}
	return anonymous
}
