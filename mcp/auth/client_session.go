package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// session is the state of an OAuthClient that has signed in. It is stored as JSON.
type session struct {
	Server        string    `json:"server"`
	Issuer        string    `json:"issuer"`
	Resource      string    `json:"resource"`
	TokenEndpoint string    `json:"token_endpoint"`
	Revocation    string    `json:"revocation_endpoint,omitempty"`
	ClientID      string    `json:"client_id,omitempty"`
	AuthMethod    string    `json:"auth_method"`
	AccessToken   string    `json:"access_token"`
	DPoP          bool      `json:"dpop,omitempty"`
	RefreshToken  string    `json:"refresh_token,omitempty"`
	Expiry        time.Time `json:"expiry,omitzero"`   // zero if it is unknown
	Obtained      time.Time `json:"obtained"`          // time when the access token was obtained
	SignedIn      time.Time `json:"signed_in"`         // time of the last sign-in, as opposed to a refresh
	Subject       []string  `json:"asked,omitempty"`   // requested scopes
	Granted       []string  `json:"granted,omitempty"` // granted scopes
	Key           []byte    `json:"key,omitempty"`     // the DPoP key, in PKCS #8 form

	key *dpopKey
}

// stale reports whether the token has expired or will expire soon.
func (s *session) stale() bool {
	if s.Expiry.IsZero() {
		return false
	}
	early := min(30*time.Second, s.Expiry.Sub(s.Obtained)/10)
	return !time.Now().Before(s.Expiry.Add(-early))
}

// settled is the age up to which a token counts as new. If a server refuses a new token, it would
// also refuse the next one, so the OAuthClient does not request another.
const settled = 30 * time.Second

func (c *OAuthClient) key() string { return "session " + c.name() }

// load reads the session from the store and returns it. It returns nil if there is no usable
// session.
func (c *OAuthClient) load(ctx context.Context) (*session, error) {
	value, err := c.store().Load(ctx, c.key())
	if err != nil {
		return nil, fmt.Errorf("auth: reading the token for %s: %w", c.name(), err)
	}
	var s *session
	if len(value) > 0 {
		s = new(session)
		// A session that cannot be read leads to a new sign-in.
		if json.Unmarshal(value, s) != nil || s.Server != c.name() || !isHeaderText(s.AccessToken) {
			s = nil
		}
	}
	if s != nil && s.DPoP {
		if s.key, err = parseDPoPKey(s.Key); err != nil {
			s = nil
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loaded, c.session = true, s
	return s, nil
}

// keep replaces the session, first in the store and then in memory. A nil s removes it.
func (c *OAuthClient) keep(ctx context.Context, s *session) error {
	var value []byte
	if s != nil {
		var err error
		if value, err = json.Marshal(s); err != nil { //nolint:gosec // stores keep secrets
			return err
		}
	}
	if err := c.store().Save(ctx, c.key(), value); err != nil {
		return fmt.Errorf("auth: storing the token for %s: %w", c.name(), err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.loaded, c.session = true, s
	return nil
}

// scopes returns the scopes to request (specification: Scope Selection Strategy, Step-Up
// Authorization Flow), and reports whether s lacks one of them.
func (c *OAuthClient) scopes(s *session, t *target, refusal challenge) (requests []string, more bool) {
	named := scopesOf(refusal.params["scope"])
	if s != nil {
		requests = slices.Clone(s.Subject)
		for _, scope := range s.Granted {
			if !slices.Contains(requests, scope) && isScope(scope) && len(requests) < maxScopes {
				requests = append(requests, scope)
			}
		}
	}
	if len(named) == 0 && len(requests) == 0 {
		named = t.scopes
	}
	for _, list := range [][]string{named, c.Scopes} {
		for _, scope := range list {
			if !slices.Contains(requests, scope) && isScope(scope) && len(requests) < maxScopes {
				requests, more = append(requests, scope), true
			}
		}
	}
	// Refresh tokens only concern the client and the authorization server; an MCP
	// server does not request their scope (specification: Refresh Tokens).
	if c.Grant == nil && len(requests) > 0 && slices.Contains(t.meta.Scopes, offline) && !slices.Contains(requests, offline) {
		requests = append(requests, offline)
	}
	return requests, more
}

const offline = "offline_access"

// maxScopes is the maximum number of scopes that are requested.
const maxScopes = 100

// isScope reports whether s is a scope-token (RFC 6749, section 3.3).
func isScope(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r == '"' || r == '\\' || r > '~' })
}

// isHeaderText reports whether s can be sent in a header as one word.
func isHeaderText(s string) bool {
	return s != "" && len(s) <= maxToken && !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}
