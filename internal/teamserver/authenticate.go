package teamserver

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/docent-mcp/docent/internal/teamserver/apikey"
	"github.com/docent-mcp/docent/internal/upstream"
	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

// An authenticator identifies the sender of a request by a key, a client certificate or a token of
// an authorization server.
type authenticator struct {
	keys         *apikey.Keyring // nil if the server has no keys
	certificates bool
	guard        *auth.Guard // nil if there is no authorization server
	groupsClaim  string
	log          *slog.Logger
	unreadable   atomic.Bool // whether the log contains a message that the key file cannot be read
	refusals     logLimit
}

// maxRefusalLines is the maximum number of refused keys that are logged in a minute.
const maxRefusalLines = 20

// A logLimit limits the lines about refused keys, which anyone can cause.
type logLimit struct {
	mu      sync.Mutex
	minute  time.Time // beginning of the minute
	lines   int       // lines logged in it
	dropped int       // lines that were not logged since the last one
}

// next reports whether to log a line now, and how many were not logged since the last one.
func (l *logLimit) next(now time.Time) (ok bool, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now.Sub(l.minute) >= time.Minute {
		l.minute, l.lines = now, 0
	}
	if l.lines >= maxRefusalLines {
		l.dropped++
		return false, 0
	}
	dropped, l.dropped = l.dropped, 0
	l.lines++
	return true, dropped
}

// required reports whether requests need credentials.
func (a *authenticator) required() bool { return a.keys != nil || a.certificates || a.guard != nil }

// protect returns a handler that adds the principal to each request and calls next. It refuses
// requests without valid credentials.
func (a *authenticator) protect(next http.Handler) http.Handler {
	if !a.required() {
		return next
	}
	withToken := http.Handler(http.HandlerFunc(a.refuse))
	if a.guard != nil {
		withToken = a.guard.Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if token := auth.TokenFrom(r.Context()); token != nil {
				r = r.WithContext(withPrincipal(r.Context(), a.ofToken(token)))
			}
			next.ServeHTTP(w, r)
		}))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch text, ok := bearer(r); {
		case r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "":
			next.ServeHTTP(w, r) // a preflight request has no credentials
		case a.keys != nil && ok && strings.HasPrefix(text, apikey.Prefix):
			a.withKey(w, r, text, next)
		case a.certificates && !ok && r.TLS != nil && len(r.TLS.VerifiedChains) > 0:
			serveAs(r.Context(), w, r, ofCertificate(r.TLS.PeerCertificates[0]), next)
		default:
			withToken.ServeHTTP(w, r)
		}
	})
}

// withKey serves a request with a key. The response ends when the key expires or is revoked.
func (a *authenticator) withKey(w http.ResponseWriter, r *http.Request, text string, next http.Handler) {
	key, valid, err := a.keys.Find(text)
	if failed := a.keys.Err(); a.unreadable.Swap(failed != nil) != (failed != nil) { // log an error only once, and not for each request
		if failed != nil {
			a.log.Error("the key file cannot be read; the keys read before remain valid", "error", failed)
		} else {
			a.log.Info("the key file is readable again")
		}
	}
	if err != nil {
		if ok, dropped := a.refusals.next(time.Now()); ok {
			attributes := []any{"reason", err}
			if dropped > 0 {
				attributes = append(attributes, "not logged", dropped)
			}
			a.log.Info("key refused", attributes...)
		}
		a.refuse(w, r)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	if !key.Expires.IsZero() {
		timer := time.AfterFunc(time.Until(key.Expires), cancel)
		defer timer.Stop()
	}
	defer context.AfterFunc(valid, cancel)()
	serveAs(ctx, w, r, &Principal{ID: "key:" + key.ID, Name: key.Name, Groups: key.Groups}, next)
}

// serveAs calls next with a principal. It removes the credentials from the request.
func serveAs(ctx context.Context, w http.ResponseWriter, r *http.Request, p *Principal, next http.Handler) {
	r = r.WithContext(withPrincipal(mcp.WithPrincipal(ctx, p.ID), p))
	r.Header = r.Header.Clone()
	r.Header.Del("Authorization")
	next.ServeHTTP(w, r)
}

// refuse answers a request without valid credentials.
func (a *authenticator) refuse(w http.ResponseWriter, r *http.Request) {
	challenge, text := "Bearer", "The server requires a key; send the header Authorization: Bearer KEY"
	if _, ok := bearer(r); ok {
		challenge, text = `Bearer error="invalid_token"`, "The key is unknown, revoked or expired"
	}
	if a.keys == nil && a.guard == nil {
		challenge, text = "", "The server requires a client certificate"
	}
	if challenge != "" {
		w.Header().Set("WWW-Authenticate", challenge)
	}
	writeProblem(w, http.StatusUnauthorized, text)
}

// problem is the response to a request that failed.
type problem struct {
	Error string `json:"error"`
	// Failure contains the details of an error that concerns a package.
	Failure *upstream.Failure `json:"failure,omitempty"`
}

// writeProblem sends an error as JSON.
func writeProblem(w http.ResponseWriter, status int, text string) {
	writeFailure(w, status, errors.New(text))
}

// writeFailure sends an error as writeProblem does. The error may concern a package.
func writeFailure(w http.ResponseWriter, status int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(problem{err.Error(), upstream.NewFailure(err)})
}

// bearer returns the token of a request. ok is false if the request has no token or if it has
// several Authorization headers, which make the token ambiguous.
func bearer(r *http.Request) (text string, ok bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", len(values) > 0
	}
	scheme, text, _ := strings.Cut(strings.TrimSpace(values[0]), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return "", true
	}
	return strings.TrimSpace(text), true
}

// maxGroups is the maximum number of groups in a token or certificate that are used.
const maxGroups = 100

// ofToken returns the principal of a token. A claim contains its groups, as a list or as text
// separated by spaces.
func (a *authenticator) ofToken(token *auth.Token) *Principal {
	p := &Principal{ID: token.Principal(), Name: token.Subject}
	switch claim := token.Claims[a.groupsClaim].(type) {
	case string:
		p.Groups = strings.Fields(claim)
	case []any:
		for _, group := range claim {
			if name, ok := group.(string); ok {
				p.Groups = append(p.Groups, name)
			}
		}
	}
	p.Groups = p.Groups[:min(len(p.Groups), maxGroups)]
	return p
}

// ofCertificate returns the principal of a client certificate. Its groups are the organizational
// units in the certificate.
func ofCertificate(c *x509.Certificate) *Principal {
	groups := slices.Clone(c.Subject.OrganizationalUnit)
	name := c.Subject.CommonName
	if len(c.URIs) > 0 {
		name = c.URIs[0].String()
	}
	return &Principal{ID: "certificate:" + c.Subject.String() + " " + name, Name: name, Groups: groups[:min(len(groups), maxGroups)]}
}

// OAuth describes the authorization server that issues tokens for this server.
type OAuth struct {
	Issuer   string   // URL of the authorization server, or empty
	Audience string   // URL of the MCP endpoint that clients use
	Scopes   []string // scopes that every request needs
	JWKS     string   // URL of the keys; if empty, it comes from the issuer's metadata
	// If Introspect is true, the authorization server validates each token instead of this server
	// checking its signature. The server authenticates as the client ClientID with the secret in
	// the file ClientSecret.
	Introspect             bool
	ClientID, ClientSecret string
	// GroupsClaim is the claim with the groups of a principal.
	GroupsClaim string
}

// introspectionAge is how long the response about a token is reused.
const introspectionAge = 30 * time.Second

// guard returns the guard for tokens of the authorization server.
func (o *OAuth) guard(log *slog.Logger) (*auth.Guard, error) {
	// The issuer comes from the operator, so it may be in a private network.
	client := &http.Client{Timeout: 10 * time.Second, CheckRedirect: func(*http.Request, []*http.Request) error {
		return errors.New("an authorization server must not redirect these requests")
	}}
	var verifier auth.Verifier
	var err error
	if o.Introspect {
		secret := []byte(nil)
		if o.ClientSecret != "" {
			if secret, err = os.ReadFile(o.ClientSecret); err != nil {
				return nil, fmt.Errorf("the client secret cannot be read: %w", err)
			}
		}
		verifier, err = auth.NewIntrospection(o.Issuer, auth.IntrospectionOptions{ClientID: o.ClientID, ClientSecret: strings.TrimSpace(string(secret)), CacheTTL: introspectionAge, HTTPClient: client})
	} else {
		verifier, err = auth.NewJWT(o.Issuer, &auth.JWTOptions{JWKS: o.JWKS, HTTPClient: client})
	}
	if err != nil {
		return nil, err
	}
	return auth.NewGuard(auth.GuardOptions{
		Resource: o.Audience, AuthorizationServers: []string{o.Issuer}, Verifier: verifier, Scopes: o.Scopes,
		Name: "Docent", HTTPClient: client, Logger: log,
	})
}
