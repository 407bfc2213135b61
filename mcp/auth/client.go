package auth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// An OAuthClient signs in to one MCP server with OAuth 2.1 (specification: Authorization). It is
// the mcp.Authorizer of an mcp.HTTPTransport:
//
//	client, err := mcp.Connect(ctx, &mcp.HTTPTransport{
//		URL:        "https://mcp.example.com/mcp",
//		Authorizer: &auth.OAuthClient{},
//	}, nil)
//
// When the server requires a token, the OAuthClient finds the authorization server, registers
// there, and opens the user's browser. It refreshes the token, and signs in again when the server
// requires more scopes. The zero value does all this for a person at a terminal and keeps the
// tokens only in memory.
//
// The token is sent only to the origin of the server. Set the fields of an OAuthClient before its
// first use, and do not change them later. An OAuthClient must not be copied.
type OAuthClient struct {
	// Server is the URL of the MCP endpoint. The default is the URL of the first request. All later
	// requests must have the same origin.
	Server string
	// Name is the client's name that the authorization server shows to the user; default "MCP
	// client".
	Name string

	// Registrations are clients that were registered beforehand. If there are
	// any, one of them must be for the authorization server of the MCP server.
	Registrations []Registration
	// MetadataDocument is the https URL of this client's metadata document, which
	// is its client id at authorization servers that support such documents
	// (specification: Client ID Metadata Documents; see ClientMetadata). At other
	// authorization servers, and if it is empty, the OAuthClient registers itself (RFC
	// 7591).
	MetadataDocument string
	// Scopes are requested in addition to those that the server requires.
	Scopes []string
	// Grant obtains tokens without a person. If it is nil, the user signs in with
	// a browser.
	Grant Grant

	// Browser opens the page where the user signs in; default OpenBrowser.
	Browser func(ctx context.Context, page string) error
	// RedirectURL is the URL to which the authorization server redirects the
	// browser. The default is a URL with a free port of 127.0.0.1, where the
	// OAuthClient listens until the user has signed in. A URL on another host needs
	// Receive.
	RedirectURL string
	// Receive replaces Browser and the listener. It shows the page to the user, and
	// returns the URL to which the browser was redirected. See Paste.
	Receive func(ctx context.Context, page string) (redirected string, err error)
	// Timeout is the time limit for the user to sign in; default 5 minutes.
	Timeout time.Duration

	// Store keeps tokens and registrations; default a MemoryStore.
	Store Store
	// HTTPClient sends the requests to authorization servers. The default connects
	// only to public addresses, or to this machine if the MCP server is on it; see
	// SafeClient for its other limits.
	HTTPClient *http.Client
	// AllowPrivate lets the default HTTPClient connect to addresses in private
	// networks. Link-local addresses are always refused.
	AllowPrivate bool
	// RequireDPoP refuses tokens that are not bound to a key (RFC 9449). Without
	// it, tokens are bound only if the MCP server requires it.
	RequireDPoP bool

	memory MemoryStore

	mu      sync.Mutex
	server  *url.URL // nil before the first use
	http    *http.Client
	loaded  bool              // whether session was read from the store
	session *session          // nil if there is no token
	pending *tokenAttempt     // the attempt in progress, or nil
	nonces  map[string]string // DPoP nonces, by origin
}

var _ mcp.Authorizer = (*OAuthClient)(nil)

// SignInError is the error of an OAuthClient that could not sign in.
type SignInError struct {
	Server string
	Issuer string // authorization server, or empty if it is unknown
	Step   string // the step that failed, such as "register"
	Code   string // OAuth error code from the authorization server, if it sent one
	Err    error
}

func (e *SignInError) Error() string {
	where := e.Server
	if e.Issuer != "" {
		where += " by " + e.Issuer
	}
	return fmt.Sprintf("auth: signing in to %s: %s: %v", where, e.Step, e.Err)
}

// Unwrap returns Err.
func (e *SignInError) Unwrap() error { return e.Err }

// prepare binds the OAuthClient to OAuthClient.Server or, if that is empty, to the server
// at u. It fails if u is on another origin, or if OAuthClient.Server is not an
// absolute URL.
func (c *OAuthClient) prepare(u *url.URL) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.server == nil {
		server := u
		if c.Server != "" {
			var err error
			if server, err = url.Parse(c.Server); err != nil || server.Host == "" {
				return fmt.Errorf("auth: OAuthClient.Server %.200q is not an absolute URL", c.Server)
			}
		}
		c.server = &url.URL{Scheme: strings.ToLower(server.Scheme), Host: strings.ToLower(server.Host), Path: server.Path, RawPath: server.RawPath, RawQuery: server.RawQuery}
		if c.http = c.HTTPClient; c.http == nil {
			c.http = c.allowed().client()
		}
	}
	if origin(u) != origin(c.server) {
		return fmt.Errorf("auth: a request to %s must not use the token for %s; use a separate OAuthClient", origin(u), origin(c.server))
	}
	return nil
}

// allowed returns the non-public addresses to which the MCP server may direct
// the OAuthClient.
func (c *OAuthClient) allowed() addresses {
	return addresses{loopback: isLoopback(c.server.Hostname()), private: c.AllowPrivate}
}

// origin returns scheme, host and port of a URL, in lower case and always with
// the port.
func origin(u *url.URL) string {
	scheme := strings.ToLower(u.Scheme)
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[scheme]
	}
	return scheme + "://" + strings.ToLower(u.Hostname()) + ":" + port
}

// name returns the canonical URI of the server (specification: Canonical Server
// URI).
func (c *OAuthClient) name() string {
	u := url.URL{Scheme: c.server.Scheme, Host: c.server.Host, Path: c.server.Path, RawPath: c.server.RawPath}
	return strings.TrimSuffix(u.String(), "/")
}

func (c *OAuthClient) store() Store {
	if c.Store != nil {
		return c.Store
	}
	return &c.memory
}

// Authorize implements mcp.Authorizer. It does not change the request if there is no token.
func (c *OAuthClient) Authorize(ctx context.Context, req *http.Request) error {
	if err := c.prepare(req.URL); err != nil {
		return err
	}
	for tries := 0; ; tries++ {
		c.mu.Lock()
		ready, s := c.loaded && (c.session == nil || !c.session.stale()), c.session
		c.mu.Unlock()
		if ready || tries == 2 {
			return c.present(req, s)
		}
		if err := c.together(ctx, c.renew); err != nil {
			return err
		}
	}
}

// present adds the token of s to a request, with a proof if it is bound to a
// key. It does nothing if s is nil.
func (c *OAuthClient) present(req *http.Request, s *session) error {
	switch {
	case s == nil:
		return nil
	case !s.DPoP:
		req.Header.Set("Authorization", "Bearer "+s.AccessToken)
		return nil
	}
	proof, err := s.key.prove(req.Method, req.URL, c.nonce(req.URL), s.AccessToken)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "DPoP "+s.AccessToken)
	req.Header.Set("DPoP", proof)
	return nil
}

// Challenged implements mcp.Authorizer. It returns nil when there is a new
// token, and otherwise a *SignInError or the error of ctx.
func (c *OAuthClient) Challenged(ctx context.Context, resp *http.Response) error {
	if resp.Request == nil {
		return errors.New("auth: the response does not refer to its request")
	}
	if err := c.prepare(resp.Request.URL); err != nil {
		return err
	}
	if _, err := endpoint(c.server.String()); err != nil {
		return c.failed("", "check the server's URL", err)
	}
	all := parseChallenges(resp.Header)
	chosen, ok := c.choose(all)
	if !ok && len(all) > 0 {
		return c.failed("", "read WWW-Authenticate", fmt.Errorf("the server requires credentials of the scheme %.50q, not an OAuth token; set them in HTTPTransport.Header", all[0].scheme))
	}
	scheme, used, _ := strings.Cut(resp.Request.Header.Get("Authorization"), " ")
	if again, err := c.renewNonce(resp, chosen, scheme); again || err != nil {
		return err
	}
	if resp.StatusCode == http.StatusForbidden && chosen.params["error"] != "insufficient_scope" {
		return c.failed("", "use the token", errors.New("the server denied the request without naming a scope that would allow it"))
	}
	c.mu.Lock()
	renewed := c.session != nil && c.session.AccessToken != used && !c.session.stale()
	c.mu.Unlock()
	if renewed {
		return nil
	}
	return c.together(ctx, func(ctx context.Context) error {
		return c.answer(ctx, resp.StatusCode, chosen, used)
	})
}

// choose returns the challenge in a response that the client answers. It is a Bearer challenge, or
// a DPoP challenge if DPoP is required or there is no other. It returns false if there is neither.
func (c *OAuthClient) choose(all []challenge) (challenge, bool) {
	var found challenge
	for _, scheme := range []string{"Bearer", "DPoP"} {
		i := slices.IndexFunc(all, func(one challenge) bool { return strings.EqualFold(one.scheme, scheme) })
		if i >= 0 && (found.scheme == "" || c.RequireDPoP) {
			found = all[i]
		}
	}
	return found, found.scheme != ""
}

// A tokenAttempt is an attempt to obtain a token. All requests without a token
// wait for it.
type tokenAttempt struct {
	done    chan struct{}
	err     error
	waiting int // number of requests that wait for the attempt
	cancel  context.CancelFunc
}

// together runs f as an attempt to obtain a token, or waits for the attempt in
// progress, and returns the error of the attempt. The attempt is cancelled when
// no request waits for it any longer.
func (c *OAuthClient) together(ctx context.Context, f func(context.Context) error) error {
	c.mu.Lock()
	current := c.pending
	if current == nil {
		running, cancel := context.WithCancel(context.WithoutCancel(ctx))
		current = &tokenAttempt{done: make(chan struct{}), cancel: cancel}
		c.pending = current
		go func() {
			err := f(running)
			cancel()
			c.hangUp()
			c.mu.Lock()
			current.err = err
			c.clearPending(current)
			c.mu.Unlock()
			close(current.done)
		}()
	}
	current.waiting++
	c.mu.Unlock()
	select {
	case <-current.done:
		return current.err
	case <-ctx.Done():
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if current.waiting--; current.waiting == 0 {
		current.cancel()
		c.clearPending(current)
	}
	return context.Cause(ctx)
}

// hangUp closes idle connections of the default HTTPClient, because the next request to an
// authorization server may come much later.
func (c *OAuthClient) hangUp() {
	if c.HTTPClient == nil {
		c.http.CloseIdleConnections()
	}
}

// clearPending makes later requests start a new attempt to obtain a token. The caller must hold mu.
func (c *OAuthClient) clearPending(r *tokenAttempt) {
	if c.pending == r {
		c.pending = nil
	}
}

// lock locks the session in the store, which also excludes other processes, and
// loads it. The caller must call unlock if err is nil.
func (c *OAuthClient) lock(ctx context.Context) (s *session, unlock func(), err error) {
	if unlock, err = c.store().Lock(ctx, c.key()); err != nil {
		return nil, nil, err
	}
	if s, err = c.load(ctx); err != nil {
		unlock()
	}
	return s, unlock, err
}

// renew reads the session from the store if that has not been done, and refreshes a stale token. A
// refusal to refresh ends the session and is not an error.
func (c *OAuthClient) renew(ctx context.Context) error {
	c.mu.Lock()
	loaded := c.loaded
	c.mu.Unlock()
	if !loaded {
		if s, err := c.load(ctx); err != nil || s == nil || !s.stale() {
			return err
		}
	}
	s, unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if s == nil || !s.stale() {
		return nil
	}
	if s.RefreshToken == "" {
		return c.keep(ctx, nil)
	}
	err = c.refresh(ctx, s)
	if isRefused(err) {
		return nil // the request is sent without a token, and the server's challenge starts a sign-in
	}
	return err
}

// answer obtains a token after the server has refused a request. used is the token of that request,
// or "". It returns an error if there is no new token.
func (c *OAuthClient) answer(ctx context.Context, status int, refusal challenge, used string) error {
	s, unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if s != nil && s.AccessToken != used && !s.stale() {
		return nil // another process has obtained a new token
	}
	t, err := c.discover(ctx, refusal)
	if err != nil {
		return err
	}
	same := s != nil && s.Issuer == t.issuer && s.Resource == t.resource
	if !same {
		s = nil
	}
	requests, more := c.scopes(s, t, refusal)
	if same && !more {
		if status == http.StatusUnauthorized && s.RefreshToken != "" && time.Since(s.Obtained) >= settled {
			if err := c.refresh(ctx, s); !isRefused(err) {
				return err
			}
		} else if time.Since(s.SignedIn) < settled {
			return c.failed(t.issuer, "use the token", errors.New("the server refuses a token that was issued just now; ask its operator which tokens it accepts"))
		}
	}
	s, err = c.obtain(ctx, t, requests)
	if err != nil {
		return err
	}
	return c.keep(ctx, s)
}

func (c *OAuthClient) prepareFor(server string) error {
	u, err := url.Parse(server)
	if err != nil {
		return fmt.Errorf("auth: %.200q is not a URL", server)
	}
	return c.prepare(u)
}

// SignIn signs in to the MCP server at the URL server before it has refused a request. It replaces
// any token that the OAuthClient already has.
func (c *OAuthClient) SignIn(ctx context.Context, server string) error {
	if err := c.prepareFor(server); err != nil {
		return err
	}
	if _, err := endpoint(c.server.String()); err != nil {
		return c.failed("", "check the server's URL", err)
	}
	return c.together(ctx, func(ctx context.Context) error {
		unlock, err := c.store().Lock(ctx, c.key())
		if err != nil {
			return err
		}
		defer unlock()
		refusal, err := c.provoke(ctx)
		if err != nil {
			return err
		}
		t, err := c.discover(ctx, refusal)
		if err != nil {
			return err
		}
		requests, _ := c.scopes(nil, t, refusal)
		s, err := c.obtain(ctx, t, requests)
		if err != nil {
			return err
		}
		return c.keep(ctx, s)
	})
}

// provoke sends a request without a token, to get the server's challenge. It
// returns the zero challenge if the server sends none.
func (c *OAuthClient) provoke(ctx context.Context) (challenge, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.server.String(), nil)
	if err != nil {
		return challenge{}, err
	}
	req.Header.Set("Accept", "text/event-stream, application/json")
	res, err := withoutRedirects(c.http).Do(req)
	if err != nil {
		return challenge{}, c.failed("", "request the server's challenge", err)
	}
	res.Body.Close()
	if res.StatusCode != http.StatusUnauthorized {
		return challenge{}, nil
	}
	chosen, _ := c.choose(parseChallenges(res.Header))
	return chosen, nil
}

// SignOut forgets the token for the MCP server at the URL server, and the
// client that was registered for it. If the authorization server has a
// revocation endpoint, SignOut asks it to revoke the token. If that fails,
// SignOut returns an error, but the token is forgotten nevertheless.
func (c *OAuthClient) SignOut(ctx context.Context, server string) error {
	if err := c.prepareFor(server); err != nil {
		return err
	}
	s, unlock, err := c.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	if s == nil {
		return c.keep(ctx, nil)
	}
	defer c.hangUp()
	client, unknown := c.sessionClient(ctx, s)
	if err := errors.Join(c.store().Save(ctx, registrationKey(s.Issuer), nil), c.keep(ctx, nil)); err != nil {
		return err
	}
	if s.Revocation == "" {
		return nil
	}
	if err = unknown; err == nil {
		err = c.revoke(ctx, s, client)
	}
	if err != nil {
		return c.failed(s.Issuer, "revoke the token, which has already been deleted here", err)
	}
	return nil
}

// failed returns the *SignInError for a step: the one that err already wraps, or else a new one
// that wraps err.
func (c *OAuthClient) failed(issuer, step string, err error) error {
	if signIn, ok := errors.AsType[*SignInError](err); ok {
		return signIn
	}
	e := &SignInError{Server: c.name(), Issuer: issuer, Step: step, Err: err}
	if refused, ok := errors.AsType[*refusedError](err); ok {
		e.Code = refused.code
	}
	return e
}

func (c *OAuthClient) title() string { return cmp.Or(c.Name, "MCP client") }
