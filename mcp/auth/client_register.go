package auth

import (
	"bytes"
	"context"
	"crypto"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// A Registration is a client that was registered with an authorization server
// beforehand.
type Registration struct {
	// Issuer identifies the authorization server at which the client is registered. If Issuer is
	// empty, the Registration is valid only for the first authorization server that the MCP server
	// uses.
	Issuer   string
	ClientID string
	// ClientSecret or Key authenticates the client. A client with neither is a public client.
	ClientSecret string
	// Key signs assertions (private_key_jwt; RFC 7523): an *rsa.PrivateKey,
	// *ecdsa.PrivateKey or ed25519.PrivateKey. See ParseKey.
	Key crypto.Signer
	// KeyID identifies Key among the client's keys at the authorization server.
	KeyID string
	// AuthMethod is client_secret_basic, client_secret_post, private_key_jwt or
	// none; by default, a method that the server supports.
	AuthMethod string
}

// String returns a description without the secrets.
func (r Registration) String() string {
	return fmt.Sprintf("client %q of %q", r.ClientID, r.Issuer)
}

// GoString returns a description without the secrets.
func (r Registration) GoString() string { return r.String() }

// LogValue returns a description without the secrets.
func (r Registration) LogValue() slog.Value { return slog.StringValue(r.String()) }

// Methods of client authentication at the token endpoint.
const (
	authNone  = "none"
	authBasic = "client_secret_basic"
	authPost  = "client_secret_post"
	authJWT   = "private_key_jwt"
)

// registered is a client at one authorization server.
type registered struct {
	ID       string    `json:"client_id"`
	Secret   string    `json:"client_secret,omitempty"`
	Method   string    `json:"auth_method"`
	Issuer   string    `json:"issuer"`
	Redirect string    `json:"redirect_uri,omitempty"`
	Expiry   time.Time `json:"expiry,omitzero"` // expiry of the secret; zero if it does not expire

	key   crypto.Signer
	keyID string
}

func registrationKey(issuer string) string { return "client " + issuer }

// identify returns the client with which to sign in: one that was registered beforehand, one with a
// metadata document, or one that registers itself (specification: Client Registration). redirect is
// nil for grants without a person.
func (c *OAuthClient) identify(ctx context.Context, t *target, redirect *redirect) (*registered, error) {
	if r, err := c.preregistered(ctx, t); r != nil || err != nil {
		return r, err
	}
	if c.MetadataDocument != "" && t.meta.ClientIDDocuments {
		if err := checkDocumentURL(c.MetadataDocument); err != nil {
			return nil, c.failed(t.issuer, "name the client", fmt.Errorf("OAuthClient.MetadataDocument: %w", err))
		}
		return &registered{ID: c.MetadataDocument, Issuer: t.issuer, Method: authNone}, nil
	}
	if redirect == nil { // the token request needs no client ID, for example because an assertion contains it
		return &registered{Issuer: t.issuer, Method: authNone}, nil
	}
	return c.register(ctx, t, redirect)
}

// preregistered returns the client in c.Registrations for an authorization
// server. It returns an error if there are registrations but none for that
// server (specification: Authorization Server Binding).
func (c *OAuthClient) preregistered(ctx context.Context, t *target) (*registered, error) {
	const step = "choose a registered client"
	var others []string
	for _, r := range c.Registrations {
		issuer := r.Issuer
		if issuer == "" {
			var err error
			if issuer, err = c.pin(ctx, r.ClientID, t.issuer); err != nil {
				return nil, err
			}
		}
		if issuer != t.issuer {
			others = append(others, issuer)
			continue
		}
		method := r.AuthMethod
		if method == "" {
			method = t.authMethod(r.ClientSecret != "", r.Key != nil)
		}
		return &registered{ID: r.ClientID, Secret: r.ClientSecret, Method: method, Issuer: issuer, key: r.Key, keyID: r.KeyID}, nil
	}
	if len(others) == 0 {
		return nil, nil
	}
	return nil, c.failed(t.issuer, step, fmt.Errorf("the registered clients belong to %q; register one with this authorization server", others))
}

// pin returns the issuer with which the client id was first used. The client's Registration has no
// Issuer. On first use, pin stores issuer and returns it.
func (c *OAuthClient) pin(ctx context.Context, id, issuer string) (string, error) {
	key := "issuer of " + id + " for " + c.name()
	if stored, err := c.store().Load(ctx, key); err != nil || len(stored) > 0 {
		return string(stored), err
	}
	return issuer, c.store().Save(ctx, key, []byte(issuer))
}

// authMethod returns the method of authentication for a client, which may have
// a secret or a key (RFC 8414, section 2).
func (t *target) authMethod(secret, key bool) string {
	supported := t.meta.TokenAuthMethods
	if supported == nil {
		supported = []string{authBasic}
	}
	switch {
	case key:
		return authJWT
	case secret && slices.Contains(supported, authBasic):
		return authBasic
	case secret && slices.Contains(supported, authPost):
		return authPost
	}
	return authNone
}

// checkDocumentURL returns an error if a metadata document cannot have the URL s (specification:
// Client ID Metadata Documents).
func checkDocumentURL(s string) error {
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Scheme != "https" || u.Hostname() == "":
		return fmt.Errorf("%.200q is not an https URL", s)
	case u.Path == "" || u.Path == "/":
		return fmt.Errorf("%.200q has no path", s)
	case u.User != nil || strings.Contains(s, "#") || slices.ContainsFunc(strings.Split(u.Path, "/"), func(part string) bool { return part == "." || part == ".." }):
		return fmt.Errorf("%.200q contains a user, a fragment or dot segments", s)
	}
	return nil
}

// ClientMetadata is the metadata of a client, for its document or for its
// registration (RFC 7591, section 2; specification: Client ID Metadata
// Documents). To publish one, serve its JSON at the URL in ClientID.
type ClientMetadata struct {
	ClientID        string   `json:"client_id,omitempty"`
	Name            string   `json:"client_name"`
	URI             string   `json:"client_uri,omitempty"`
	RedirectURIs    []string `json:"redirect_uris"`
	GrantTypes      []string `json:"grant_types"`
	ResponseTypes   []string `json:"response_types"`
	TokenAuthMethod string   `json:"token_endpoint_auth_method"`
	ApplicationType string   `json:"application_type"`
	Scope           string   `json:"scope,omitempty"`
}

// Document returns the document to publish at OAuthClient.MetadataDocument. Without
// OAuthClient.RedirectURL, its redirect URIs have a loopback host without a port, because
// authorization servers must accept any port there (RFC 8252, section 7.3).
func (c *OAuthClient) Document() (*ClientMetadata, error) {
	if err := checkDocumentURL(c.MetadataDocument); err != nil {
		return nil, fmt.Errorf("auth: OAuthClient.MetadataDocument: %w", err)
	}
	uris := []string{"http://127.0.0.1" + callbackPath, "http://localhost" + callbackPath}
	if c.RedirectURL != "" {
		if _, err := endpoint(c.RedirectURL); err != nil {
			return nil, fmt.Errorf("auth: OAuthClient.RedirectURL: %w", err)
		}
		uris = []string{c.RedirectURL}
	}
	m := c.metadata(uris, authNone)
	m.ClientID = c.MetadataDocument
	return m, nil
}

func (c *OAuthClient) metadata(redirects []string, method string) *ClientMetadata {
	kind := "native"
	if u, err := url.Parse(redirects[0]); err == nil && !isLoopback(u.Hostname()) && u.Scheme == "https" {
		kind = "web"
	}
	return &ClientMetadata{
		Name: c.title(), RedirectURIs: redirects, GrantTypes: []string{"authorization_code", "refresh_token"},
		ResponseTypes: []string{"code"}, TokenAuthMethod: method, ApplicationType: kind,
	}
}

// register returns the client that the OAuthClient registered earlier with an authorization server,
// or registers a new one (RFC 7591).
func (c *OAuthClient) register(ctx context.Context, t *target, redirect *redirect) (*registered, error) {
	const step = "register"
	if r := c.storedClient(ctx, t); r != nil && redirect.adopt(r.Redirect) {
		return r, nil
	}
	if t.meta.RegistrationEndpoint == "" {
		return nil, c.failed(t.issuer, step, errors.New("the authorization server does not accept registrations; register a client there manually, and configure its client_id"))
	}
	method, err := t.methodToAsk()
	if err != nil {
		return nil, c.failed(t.issuer, step, err)
	}
	address := redirect.address()
	r, err := c.requestRegistration(ctx, t, c.metadata([]string{address}, method))
	if refused, ok := errors.AsType[*refusedError](err); ok && refused.code == "invalid_redirect_uri" {
		// Some servers only accept "localhost" (specification: Communication
		// Security).
		if other := strings.Replace(address, "http://127.0.0.1", "http://localhost", 1); other != address && redirect.adopt(other) {
			address = other
			r, err = c.requestRegistration(ctx, t, c.metadata([]string{address}, method))
		}
	}
	if err != nil {
		return nil, c.failed(t.issuer, step, fmt.Errorf("%w; register a client there manually, and configure its client_id", err))
	}
	r.Issuer, r.Redirect = t.issuer, address
	value, err := json.Marshal(r) //nolint:gosec // stores keep secrets
	if err != nil {
		return nil, err
	}
	if err := c.store().Save(ctx, registrationKey(t.issuer), value); err != nil {
		return nil, fmt.Errorf("auth: saving the client registration for %s: %w", t.issuer, err)
	}
	return r, nil
}

// storedClient returns the client that has registered itself with an authorization server, or nil
// if there is none.
func (c *OAuthClient) storedClient(ctx context.Context, t *target) *registered {
	value, err := c.store().Load(ctx, registrationKey(t.issuer))
	r := new(registered)
	if err != nil || len(value) == 0 || json.Unmarshal(value, r) != nil || r.Issuer != t.issuer || r.ID == "" {
		return nil
	}
	if !r.Expiry.IsZero() && time.Now().After(r.Expiry) {
		return nil
	}
	return r
}

// methodToAsk returns the method of authentication that a registration request contains.
func (t *target) methodToAsk() (string, error) {
	supported := t.meta.TokenAuthMethods
	if supported == nil {
		return authBasic, nil
	}
	for _, method := range []string{authNone, authBasic, authPost} {
		if slices.Contains(supported, method) {
			return method, nil
		}
	}
	return "", fmt.Errorf("the authorization server supports only %.200q at its token endpoint", supported)
}

// maxAnswer is the maximum number of bytes that are read from an authorization server's
// response.
const maxAnswer = 64 << 10

// maxUnix is the first second of the year 10000, which JSON cannot represent. A
// secret that expires later counts as one that does not expire.
const maxUnix = 253402300800

func (c *OAuthClient) requestRegistration(ctx context.Context, t *target, m *ClientMetadata) (*registered, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.meta.RegistrationEndpoint, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	res, err := withoutRedirects(c.http).Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if res.StatusCode != http.StatusCreated && res.StatusCode != http.StatusOK {
		return nil, refusalOf(res.Status, body)
	}
	var answer struct {
		ID      string `json:"client_id"`
		Secret  string `json:"client_secret"`
		Expires int64  `json:"client_secret_expires_at"`
		Method  string `json:"token_endpoint_auth_method"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.ID == "" {
		return nil, errors.New("the response has no client_id")
	}
	r := &registered{ID: answer.ID, Secret: answer.Secret, Method: answer.Method}
	switch r.Method {
	case authNone, authBasic, authPost:
	default:
		r.Method = t.authMethod(r.Secret != "", false)
	}
	if answer.Expires > 0 && answer.Expires < maxUnix && r.Secret != "" {
		r.Expiry = time.Unix(answer.Expires, 0)
	}
	return r, nil
}
