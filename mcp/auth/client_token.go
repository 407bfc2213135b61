package auth

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

// refusedError is an error from an authorization server (RFC 6749, section
// 5.2).
type refusedError struct {
	code, description string // code is the HTTP status if the response has no error code
}

func (e *refusedError) Error() string {
	text := "the authorization server responded with " + e.code
	if e.description != "" {
		text += " (" + e.description + ")"
	}
	return text
}

// isRefused reports whether err is an authorization server's refusal after
// which a token has to be obtained in another way.
func isRefused(err error) bool {
	e, ok := errors.AsType[*refusedError](err)
	return ok && slices.Contains([]string{"invalid_grant", "invalid_client", "unauthorized_client", "invalid_scope", "invalid_target"}, e.code)
}

// refusalOf returns the OAuth error in the body of an error response. It returns nil if the body is
// not an OAuth error.
func refusalOf(status string, body []byte) *refusedError {
	var e struct {
		Code        string `json:"error"`
		Description string `json:"error_description"`
	}
	_ = json.Unmarshal(body, &e)
	return &refusedError{cmp.Or(printable(e.Code, 60), "status "+status), printable(e.Description, 300)}
}

// printable returns a server's text with "?" for characters that a terminal cannot show, shortened
// to at most maximum characters.
func printable(s string, maximum int) string {
	text := []rune(strings.ToValidUTF8(s, "?"))
	for i, r := range text {
		if !unicode.IsPrint(r) {
			text[i] = '?'
		}
	}
	if len(text) > maximum {
		return string(text[:maximum]) + "..."
	}
	return string(text)
}

// withoutRedirects returns a client that does not follow redirects, so that
// secrets for an endpoint are not sent to another server.
func withoutRedirects(client *http.Client) *http.Client {
	copied := *client
	copied.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &copied
}

// tokenRequest is a request to a token endpoint.
type tokenRequest struct {
	issuer, endpoint string
	client           *registered
	algorithms       []string // algorithms for assertions that the server supports
	form             url.Values
	key              *dpopKey // nil if DPoP is not used
}

// token sends a request to a token endpoint (RFC 6749, section 5). It sends the
// request once more if the server requires a nonce in the proof.
func (c *OAuthClient) token(ctx context.Context, r *tokenRequest) (*oauth2.Token, error) {
	t, err := c.tokenOnce(ctx, r)
	failed, ok := errors.AsType[*oauth2.RetrieveError](err)
	if ok && failed.ErrorCode == "use_dpop_nonce" && r.key != nil && failed.Response != nil {
		if u, bad := url.Parse(r.endpoint); bad == nil && c.setNonce(u, failed.Response.Header) {
			t, err = c.tokenOnce(ctx, r)
			failed, ok = errors.AsType[*oauth2.RetrieveError](err)
		}
	}
	switch {
	case ok && failed.Response != nil:
		return nil, &refusedError{cmp.Or(printable(failed.ErrorCode, 60), "status "+failed.Response.Status), printable(failed.ErrorDescription, 300)}
	case err != nil:
		return nil, err
	case !isHeaderText(t.AccessToken):
		return nil, errors.New("the answer contains a token that cannot be sent in a header")
	case t.RefreshToken != "" && len(t.RefreshToken) > maxToken:
		return nil, fmt.Errorf("the answer contains a refresh token of more than %d bytes", maxToken)
	}
	return t, nil
}

func (c *OAuthClient) tokenOnce(ctx context.Context, r *tokenRequest) (*oauth2.Token, error) {
	config := clientcredentials.Config{TokenURL: r.endpoint, EndpointParams: r.form, ClientID: r.client.ID, AuthStyle: oauth2.AuthStyleInParams}
	switch r.client.Method {
	case authNone:
	case authBasic:
		config.ClientSecret, config.AuthStyle = r.client.Secret, oauth2.AuthStyleInHeader
	case authPost:
		config.ClientSecret = r.client.Secret
	case authJWT:
		assertion, err := assert(r.client, r.issuer, r.algorithms)
		if err != nil {
			return nil, err
		}
		form := cloneValues(r.form)
		form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
		form.Set("client_assertion", assertion)
		config.EndpointParams, config.ClientID = form, ""
	default:
		return nil, fmt.Errorf("client authentication by %.50q is not supported; use %s, %s, %s or %s", r.client.Method, authBasic, authPost, authJWT, authNone)
	}
	header := http.Header{"Accept": {"application/json"}}
	if r.key != nil {
		u, err := url.Parse(r.endpoint)
		if err != nil {
			return nil, err
		}
		proof, err := r.key.prove(http.MethodPost, u, c.nonce(u), "")
		if err != nil {
			return nil, err
		}
		header.Set("DPoP", proof)
	}
	sender := withoutRedirects(c.http)
	sender.Transport = &withHeader{cmp.Or[http.RoundTripper](sender.Transport, http.DefaultTransport), header}
	return config.Token(context.WithValue(ctx, oauth2.HTTPClient, sender))
}

func cloneValues(v url.Values) url.Values {
	copied := url.Values{}
	for name, list := range v {
		copied[name] = slices.Clone(list)
	}
	return copied
}

// withHeader is an http.RoundTripper that adds a header to requests.
type withHeader struct {
	next   http.RoundTripper
	header http.Header
}

func (t *withHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	maps.Copy(req.Header, t.header)
	return t.next.RoundTrip(req)
}

// obtain obtains a new token without using an existing one, and returns it in a new session. It
// fails if the user does not sign in or if a server refuses a request.
func (c *OAuthClient) obtain(ctx context.Context, t *target, requests []string) (*session, error) {
	var key *dpopKey
	if t.dpop {
		var err error
		if key, err = newDPoPKey(); err != nil {
			return nil, err
		}
	}
	var form url.Values
	var client *registered
	var err error
	step := "get a token"
	if c.Grant == nil {
		step = "exchange the code"
		client, form, err = c.authorize(ctx, t, requests, key)
	} else {
		if client, err = c.identify(ctx, t, nil); err == nil {
			form, err = c.Grant(ctx, &GrantRequest{Issuer: t.issuer, Resource: t.resource, Scopes: requests, client: c})
			if err == nil && len(requests) > 0 && !form.Has("scope") {
				form.Set("scope", strings.Join(requests, " "))
			}
		}
	}
	if err != nil {
		return nil, c.failed(t.issuer, step, err)
	}
	form.Set("resource", t.resource)
	got, err := c.token(ctx, &tokenRequest{
		issuer: t.issuer, endpoint: t.meta.TokenEndpoint, client: client, algorithms: t.meta.TokenAuthAlgorithms, form: form, key: key,
	})
	if err != nil {
		c.unregister(ctx, t.issuer, err)
		return nil, c.failed(t.issuer, step, err)
	}
	s := &session{
		Server: c.name(), Issuer: t.issuer, Resource: t.resource, TokenEndpoint: t.meta.TokenEndpoint, Revocation: t.meta.RevocationEndpoint,
		ClientID: client.ID, AuthMethod: client.Method, SignedIn: time.Now(), Subject: requests, Granted: requests,
	}
	if key != nil {
		s.key = key
		if s.Key, err = key.marshal(); err != nil {
			return nil, err
		}
	}
	if err := s.fill(got, t.dpop); err != nil {
		return nil, c.failed(t.issuer, step, err)
	}
	return s, nil
}

// unregister removes the stored registration for an issuer if err means that the issuer no longer
// knows the client.
func (c *OAuthClient) unregister(ctx context.Context, issuer string, err error) {
	if refused, ok := errors.AsType[*refusedError](err); ok && refused.code == "invalid_client" {
		_ = c.store().Save(ctx, registrationKey(issuer), nil) // ignored, because the next attempt would fail with the same error
	}
}

// fill sets the tokens of s from the response of a token endpoint. If bound is true, it returns an
// error for a token that is not bound to the key.
func (s *session) fill(t *oauth2.Token, bound bool) error {
	switch kind := t.TokenType; {
	case strings.EqualFold(kind, "DPoP") && s.key != nil:
		s.DPoP = true
	case strings.EqualFold(kind, "Bearer") && !bound:
		s.DPoP = false
	case strings.EqualFold(kind, "Bearer"):
		return errors.New("the token is not bound to the key (its token_type is Bearer, not DPoP)")
	default:
		return fmt.Errorf("the token has an unknown type, %.50q", kind)
	}
	s.AccessToken, s.RefreshToken = t.AccessToken, t.RefreshToken
	s.Obtained, s.Expiry = time.Now(), t.Expiry
	if scope, ok := t.Extra("scope").(string); ok && scope != "" {
		s.Granted = scopesOf(scope)
	}
	return nil
}

// refresh gets a new token with the refresh token of s and stores it (specification: Refresh
// Tokens; RFC 6749, section 6). The session ends if the server refuses the refresh token or no
// longer knows the client. The caller must hold the store's lock.
func (c *OAuthClient) refresh(ctx context.Context, s *session) error {
	const step = "refresh the token"
	if err := c.allowed().check(s.TokenEndpoint); err != nil {
		return c.failed(s.Issuer, step, fmt.Errorf("token_endpoint: %w", err))
	}
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {s.RefreshToken}, "resource": {s.Resource}}
	client, err := c.sessionClient(ctx, s)
	var got *oauth2.Token
	if err == nil {
		got, err = c.token(ctx, &tokenRequest{issuer: s.Issuer, endpoint: s.TokenEndpoint, client: client, form: form, key: s.key})
		c.unregister(ctx, s.Issuer, err)
	}
	if isRefused(err) {
		if forgotten := c.keep(ctx, nil); forgotten != nil {
			return forgotten
		}
	}
	renewed := *s
	if err == nil {
		err = renewed.fill(got, s.DPoP)
	}
	if err != nil {
		return c.failed(s.Issuer, step, err)
	}
	return c.keep(ctx, &renewed)
}

func (c *OAuthClient) sessionClient(ctx context.Context, s *session) (*registered, error) {
	for _, r := range c.Registrations {
		if r.ClientID == s.ClientID && (r.Issuer == "" || r.Issuer == s.Issuer) {
			return &registered{ID: r.ClientID, Secret: r.ClientSecret, Method: s.AuthMethod, Issuer: s.Issuer, key: r.Key, keyID: r.KeyID}, nil
		}
	}
	if r := c.storedClient(ctx, &target{issuer: s.Issuer}); r != nil && r.ID == s.ClientID {
		return r, nil
	}
	if s.AuthMethod == authNone {
		return &registered{ID: s.ClientID, Method: authNone, Issuer: s.Issuer}, nil
	}
	// The registration no longer exists, which has the same effect as if the server had refused the
	// client.
	return nil, &refusedError{code: "invalid_client", description: "its secret is no longer stored"}
}
