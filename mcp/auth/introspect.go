package auth

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// IntrospectionOptions configure NewIntrospection.
type IntrospectionOptions struct {
	// Endpoint is the URL of the introspection endpoint; by default the URL in the
	// issuer's metadata.
	Endpoint string
	// ClientID and ClientSecret authenticate this server (RFC 6749, section
	// 2.3.1). ClientID is required.
	ClientID, ClientSecret string
	// CacheTTL is how long a response may be cached. A token that is revoked in the meantime is
	// still accepted. A response is never used after its token has expired. Zero disables the
	// cache.
	CacheTTL time.Duration
	// HTTPClient sends the requests; default SafeClient. An issuer in a private network needs
	// another client.
	HTTPClient *http.Client
}

// Introspection is a Verifier that queries the authorization server about each token (RFC 7662). It
// works with tokens in any format.
type Introspection struct {
	issuer string
	opts   IntrospectionOptions

	mu    sync.Mutex
	known map[[32]byte]*list.Element
	order *list.List // elements are *introspected, most recent first
}

type introspected struct {
	hash  [32]byte
	token *Token
	until time.Time
}

// maxIntrospected is the maximum number of cached responses.
const maxIntrospected = 10_000

// NewIntrospection returns a verifier for the tokens of an issuer, which is a URL. NewIntrospection
// sends no request.
func NewIntrospection(issuer string, o IntrospectionOptions) (*Introspection, error) {
	if _, err := endpoint(issuer); err != nil {
		return nil, fmt.Errorf("auth: issuer: %w", err)
	}
	if o.Endpoint != "" {
		if _, err := endpoint(o.Endpoint); err != nil {
			return nil, fmt.Errorf("auth: IntrospectionOptions.Endpoint: %w", err)
		}
	}
	if o.ClientID == "" {
		return nil, errors.New("auth: IntrospectionOptions.ClientID is missing")
	}
	if o.HTTPClient == nil {
		o.HTTPClient = SafeClient()
	}
	return &Introspection{issuer: issuer, opts: o, known: map[[32]byte]*list.Element{}, order: list.New()}, nil
}

// Verify implements Verifier.
func (v *Introspection) Verify(ctx context.Context, token string) (*Token, error) {
	hash := sha256.Sum256([]byte(token))
	if t := v.recall(hash); t != nil {
		return t, nil
	}
	address, err := v.endpoint(ctx)
	if err != nil {
		return nil, err
	}
	form := url.Values{"token": {token}, "token_type_hint": {"access_token"}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Accept", "application/json")
	req.SetBasicAuth(url.QueryEscape(v.opts.ClientID), url.QueryEscape(v.opts.ClientSecret))
	body, err := do(v.opts.HTTPClient, req, maxDocument)
	if err != nil {
		return nil, fmt.Errorf("auth: introspection: %w", err)
	}
	claims := jwt.MapClaims{}
	if err := json.Unmarshal(body, &claims); err != nil {
		return nil, fmt.Errorf("auth: introspection: %s did not return a JSON object", address)
	}
	if err := checkNames(body); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidToken, err)
	}
	if active, _ := claims["active"].(bool); !active {
		return nil, fmt.Errorf("%w: it is not active", ErrInvalidToken)
	}
	t, err := tokenOf(claims)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrInvalidToken, err)
	}
	switch t.Issuer {
	case "":
		t.Issuer = v.issuer
	case v.issuer:
	default:
		return nil, fmt.Errorf("%w: its issuer is %.200q", ErrInvalidToken, t.Issuer)
	}
	v.remember(hash, t)
	return t, nil
}

func (v *Introspection) endpoint(ctx context.Context) (string, error) {
	v.mu.Lock()
	address := v.opts.Endpoint
	v.mu.Unlock()
	if address != "" {
		return address, nil
	}
	m, err := Discover(ctx, v.opts.HTTPClient, v.issuer)
	if err != nil {
		return "", err
	}
	if _, err := endpoint(m.IntrospectionEndpoint); err != nil {
		return "", fmt.Errorf("auth: introspection_endpoint of %s: %w; set IntrospectionOptions.Endpoint", v.issuer, err)
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.opts.Endpoint = m.IntrospectionEndpoint
	return m.IntrospectionEndpoint, nil
}

func (v *Introspection) recall(hash [32]byte) *Token {
	v.mu.Lock()
	defer v.mu.Unlock()
	e := v.known[hash]
	if e == nil {
		return nil
	}
	if k := e.Value.(*introspected); time.Now().Before(k.until) {
		v.order.MoveToFront(e)
		return k.token
	}
	v.forget(e)
	return nil
}

func (v *Introspection) remember(hash [32]byte, t *Token) {
	until := time.Now().Add(v.opts.CacheTTL)
	if !t.Expiry.IsZero() && t.Expiry.Before(until) {
		until = t.Expiry
	}
	if !time.Now().Before(until) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if e := v.known[hash]; e != nil {
		v.forget(e)
	}
	v.known[hash] = v.order.PushFront(&introspected{hash, t, until})
	for len(v.known) > maxIntrospected {
		v.forget(v.order.Back())
	}
}

// forget removes a cached response. The caller must hold mu.
func (v *Introspection) forget(e *list.Element) {
	delete(v.known, e.Value.(*introspected).hash)
	v.order.Remove(e)
}
