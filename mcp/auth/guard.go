package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// GuardOptions configure NewGuard. Resource, AuthorizationServers and Verifier are
// required.
type GuardOptions struct {
	// Resource is the canonical URI of the MCP endpoint, which clients use
	// ("https://mcp.example.com/mcp"). A token must have it as an audience (RFC
	// 8707). The URI must use https, or http on a loopback host.
	Resource string
	// AuthorizationServers are the issuers whose tokens are accepted.
	AuthorizationServers []string
	// Verifier verifies tokens.
	Verifier Verifier
	// Scopes are the scopes that every request needs. The server need not use Guard.Middleware for
	// them.
	Scopes []string
	// ToolScopes are the scopes that calls to a tool need in addition to Scopes,
	// by tool name. The server must use Guard.Middleware.
	ToolScopes map[string][]string
	// Implies reports whether a granted scope includes a needed scope with another name, for
	// example whether "files" includes "files:read".
	Implies func(granted, needed string) bool
	// Audiences are additional audiences to accept, for authorization servers that cannot issue
	// tokens for Resource.
	Audiences []string
	// Name and Documentation (a URL) describe the server for users.
	Name, Documentation string
	// Leeway is how far the clocks of this server and of the issuer may differ;
	// default 30 seconds.
	Leeway time.Duration
	// Recheck is the time between two verifications of a token while a response is open, for
	// example an event stream, which can last hours; default 1 minute. The response ends when its
	// token has expired or been revoked.
	Recheck time.Duration
	// RequireDPoP refuses tokens that are not bound to a key of the client (RFC 9449). Without it,
	// bearer tokens are accepted, too. A token that is bound to a key is accepted only with a proof
	// of that key. The proof must be for this request, less than a minute old and not used before.
	// Each process remembers the proofs that it has seen. The URL in the proof must have the origin
	// of Resource and the path of the request, as the client sent it; see RemovedPrefix.
	RequireDPoP bool
	// RemovedPrefix is the prefix that a reverse proxy removes from the path before a request
	// reaches this process: "/tools" if the path of Resource is "/tools/mcp" and the process gets
	// "/mcp", or "/mcp" if it gets "/". It is needed only for DPoP proofs. http.StripPrefix does
	// not need it.
	RemovedPrefix string
	// NonceKey makes the guard accept only proofs with a nonce that it has sent within
	// the last 5 minutes, so that proofs cannot be made in advance. The nonces are
	// authenticated with NonceKey, 32 random bytes that must be the same in all
	// replicas behind one address. Nil requires no nonce.
	NonceKey []byte
	// AuthorizationServerMetadata makes Mount serve also the metadata of the first of
	// AuthorizationServers at the server's own address, where clients of revision 2025-03-26 look
	// for it.
	AuthorizationServerMetadata bool
	// HTTPClient fetches the metadata of the authorization server; default SafeClient.
	HTTPClient *http.Client
	// Logger receives the reason for each refusal, which clients do not see. It never receives a
	// token. Nil means slog.Default().
	Logger *slog.Logger
}

// A Guard passes on requests with a valid token and refuses all others. NewGuard creates one.
type Guard struct {
	opts     GuardOptions
	resource *url.URL
	metadata string // URL of the resource's metadata
	document []byte // the resource's metadata as JSON
	relayed  relay
	proofs   usedProofs
}

// NewGuard returns a guard. It returns an error if an option is invalid.
func NewGuard(o GuardOptions) (*Guard, error) {
	u, err := endpoint(o.Resource)
	switch {
	case err != nil:
		return nil, fmt.Errorf("auth: GuardOptions.Resource: %w", err)
	case u.RawQuery != "":
		return nil, fmt.Errorf("auth: GuardOptions.Resource %q has a query; use the URL of the endpoint without it", o.Resource)
	case o.Verifier == nil:
		return nil, errors.New("auth: GuardOptions.Verifier is missing")
	case o.RemovedPrefix != "" && (o.RemovedPrefix[0] != '/' || strings.HasSuffix(o.RemovedPrefix, "/")):
		return nil, fmt.Errorf("auth: GuardOptions.RemovedPrefix %q must begin with a slash and not end with one", o.RemovedPrefix)
	case o.NonceKey != nil && len(o.NonceKey) < 32:
		return nil, errors.New("auth: GuardOptions.NonceKey must have 32 bytes")
	case len(o.AuthorizationServers) == 0:
		return nil, errors.New("auth: GuardOptions.AuthorizationServers is empty; name at least one issuer")
	}
	for _, s := range o.AuthorizationServers {
		if _, err := endpoint(s); err != nil {
			return nil, fmt.Errorf("auth: GuardOptions.AuthorizationServers: %w", err)
		}
	}
	for _, s := range o.scopes() {
		// A resource must not request refresh tokens (specification 2026-07-28:
		// Authorization, Refresh Tokens).
		if s == "offline_access" || s == "" || strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == '"' || r == '\\' || r > '~' }) {
			return nil, fmt.Errorf("auth: %q is not a scope of a resource", s)
		}
	}
	o.Leeway = cmp.Or(o.Leeway, 30*time.Second)
	o.Recheck = cmp.Or(o.Recheck, time.Minute)
	if o.HTTPClient == nil {
		o.HTTPClient = SafeClient()
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	g := &Guard{opts: o, resource: u}
	g.metadata = u.Scheme + "://" + u.Host + g.MetadataPath()
	g.document = g.describe()
	return g, nil
}

// scopes returns all scopes that a request can need.
func (o *GuardOptions) scopes() []string {
	all := slices.Clone(o.Scopes)
	for _, s := range o.ToolScopes {
		all = append(all, s...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// grant is the token of a request and the scopes that it lacks.
type grant struct {
	token *Token
	dpop  bool                     // whether the token came with a proof of its key
	need  atomic.Pointer[[]string] // scopes of the tool that the token lacks; see Middleware
}

// Protect returns a handler that passes requests with a valid token to next, with the token's
// principal (see mcp.WithPrincipal), and refuses all others:
//
//   - 401 without a token, with an invalid one, or without a valid proof of the key
//     that the token is bound to;
//   - 403 if the token lacks a scope;
//   - 400 if the Authorization header is malformed;
//   - 503 if the token or the proof cannot be verified at present.
//
// CORS preflight requests are passed on without a token.
func (g *Guard) Protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			next.ServeHTTP(w, r)
			return
		}
		text, isDPoP, err := credentials(r.Header)
		refuse := func(status int, code, description string, scopes []string, reason error) {
			g.refuse(w, r, isDPoP, status, code, description, scopes, reason)
		}
		if err != nil {
			refuse(http.StatusBadRequest, "invalid_request", err.Error(), nil, err)
			return
		}
		if text == "" {
			refuse(http.StatusUnauthorized, "", "", g.opts.Scopes, nil)
			return
		}
		token, err := g.verify(r.Context(), text)
		if err == nil {
			err = g.checkProof(r, text, token, isDPoP)
		}
		switch {
		case errors.Is(err, errNonce):
			isDPoP = true
			w.Header().Set("DPoP-Nonce", g.newNonce(time.Now()))
			refuse(http.StatusUnauthorized, "use_dpop_nonce", "The proof of the key needs the nonce from the DPoP-Nonce header", g.opts.Scopes, err)
			return
		case errors.Is(err, errProof):
			refuse(http.StatusUnauthorized, "invalid_dpop_proof", "The proof of the key is missing, invalid, too old, was used before, or is for another request", g.opts.Scopes, err)
			return
		case errors.Is(err, errBound):
			isDPoP = true
			refuse(http.StatusUnauthorized, "invalid_token", "The access token is bound to a key; send it with the scheme DPoP and a proof of that key", g.opts.Scopes, err)
			return
		case errors.Is(err, errBinding):
			refuse(http.StatusUnauthorized, "invalid_token", "The access token is bound to a key in a way that this server cannot check; use DPoP or a bearer token", g.opts.Scopes, err)
			return
		case errors.Is(err, ErrInvalidToken):
			refuse(http.StatusUnauthorized, "invalid_token", "The access token is invalid, has expired, or is not meant for this server", g.opts.Scopes, err)
			return
		case err != nil:
			w.Header().Set("Retry-After", "5")
			refuse(http.StatusServiceUnavailable, "temporarily_unavailable", "The access token cannot be verified now; try again later", nil, err)
			return
		}
		if lacking := g.opts.lacking(token.Scopes, g.opts.Scopes); len(lacking) > 0 {
			refuse(http.StatusForbidden, "insufficient_scope", "The access token lacks a scope", g.opts.Scopes, fmt.Errorf("it lacks %v", lacking))
			return
		}
		if isDPoP {
			g.renewNonce(w, r)
		}
		granted := &grant{token: token, dpop: isDPoP}
		ctx, stop := g.whileValid(r.Context(), text, token)
		defer stop()
		ctx = context.WithValue(ctx, grantKey{}, granted)
		r = r.WithContext(mcp.WithPrincipal(ctx, token.Principal()))
		// Handlers behind the guard do not need the token and its proof.
		r.Header = r.Header.Clone()
		r.Header.Del("Authorization")
		r.Header.Del("DPoP")
		if len(g.opts.ToolScopes) > 0 {
			scoped := &scopedWriter{ResponseWriter: w, guard: g, req: r, grant: granted}
			defer scoped.release(false)
			w = scoped
		}
		next.ServeHTTP(w, r)
	})
}

// verify verifies a token and checks the claims that do not depend on its
// issuer. The error wraps ErrInvalidToken if the token must be refused.
func (g *Guard) verify(ctx context.Context, text string) (*Token, error) {
	t, err := g.opts.Verifier.Verify(ctx, text)
	if err != nil {
		return nil, err
	}
	if t == nil {
		return nil, fmt.Errorf("%w: the verifier returned none", ErrInvalidToken)
	}
	now := time.Now()
	switch {
	case t.Subject == "":
		return nil, fmt.Errorf("%w: it has no subject", ErrInvalidToken)
	case t.Expiry.IsZero():
		return nil, fmt.Errorf("%w: it has no expiry", ErrInvalidToken)
	case !now.Before(t.Expiry.Add(g.opts.Leeway)):
		return nil, fmt.Errorf("%w: it expired at %s", ErrInvalidToken, t.Expiry.UTC().Format(time.RFC3339))
	case now.Add(g.opts.Leeway).Before(t.NotBefore):
		return nil, fmt.Errorf("%w: it is not valid before %s", ErrInvalidToken, t.NotBefore.UTC().Format(time.RFC3339))
	case now.Add(g.opts.Leeway).Before(t.IssuedAt):
		return nil, fmt.Errorf("%w: it was issued in the future, at %s", ErrInvalidToken, t.IssuedAt.UTC().Format(time.RFC3339))
	case !slices.Contains(g.opts.AuthorizationServers, t.Issuer):
		return nil, fmt.Errorf("%w: its issuer %q is not one of AuthorizationServers", ErrInvalidToken, t.Issuer)
	case !slices.ContainsFunc(t.Audience, g.isAudience):
		return nil, fmt.Errorf("%w: its audience is %q", ErrInvalidToken, t.Audience)
	}
	return t, nil
}

// isAudience reports whether an audience is this server. The comparison ignores
// the case of scheme and host, and a slash at the end (specification:
// Authorization, Canonical Server URI).
func (g *Guard) isAudience(a string) bool {
	return a == g.opts.Resource || slices.Contains(g.opts.Audiences, a) || canonical(a) == canonical(g.opts.Resource)
}

func canonical(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return s
	}
	u.Scheme, u.Host = strings.ToLower(u.Scheme), strings.ToLower(u.Host)
	return strings.TrimSuffix(u.String(), "/")
}

// whileValid returns a context that is cancelled when the token expires or is found to be revoked.
func (g *Guard) whileValid(ctx context.Context, text string, t *Token) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithDeadline(ctx, t.Expiry.Add(g.opts.Leeway))
	if g.opts.Recheck < 0 {
		return ctx, cancel
	}
	var mu sync.Mutex
	var timer *time.Timer
	recheck := func() {
		if _, err := g.verify(ctx, text); errors.Is(err, ErrInvalidToken) {
			g.opts.Logger.Info("auth: a response ends because its token is no longer valid", "reason", err)
			cancel()
			return
		}
		mu.Lock()
		defer mu.Unlock()
		if ctx.Err() == nil {
			timer.Reset(g.opts.Recheck)
		}
	}
	mu.Lock()
	timer = time.AfterFunc(g.opts.Recheck, recheck)
	mu.Unlock()
	return ctx, func() {
		cancel()
		mu.Lock()
		defer mu.Unlock()
		timer.Stop()
	}
}

// maxToken is the maximum length of a token in bytes.
const maxToken = 16 << 10

// bearer returns the bearer token of a request, or "" if there is none.
func bearer(h http.Header) (string, error) {
	token, isDPoP, err := credentials(h)
	if isDPoP {
		return "", nil
	}
	return token, err
}

// credentials returns the token of a request, or "" if there is none (RFC 6750, section 2.1), and
// whether it was sent with the scheme DPoP (RFC 9449, section 7.1). It looks for a token only in
// the header.
func credentials(h http.Header) (token string, isDPoP bool, err error) {
	values := h.Values("Authorization")
	if len(values) == 0 {
		return "", false, nil
	}
	if len(values) > 1 {
		return "", false, errors.New("there are several Authorization headers")
	}
	scheme, token, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	isDPoP = strings.EqualFold(scheme, "DPoP")
	if !isDPoP && !strings.EqualFold(scheme, "Bearer") {
		return "", false, nil
	}
	token = strings.TrimSpace(token)
	bad := func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~+/=", r))
	}
	if token == "" || len(token) > maxToken || strings.ContainsFunc(token, bad) {
		return "", isDPoP, errors.New("the Authorization header has no well-formed token")
	}
	return token, isDPoP, nil
}
