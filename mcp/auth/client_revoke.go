package auth

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// revokeTimeout limits the total duration of the requests for a sign-out.
const revokeTimeout = 10 * time.Second

// revoke asks the authorization server to revoke the tokens of a session (RFC 7009). It revokes the
// refresh token first, because that token can be used to obtain new ones.
func (c *OAuthClient) revoke(ctx context.Context, s *session, client *registered) error {
	if err := c.allowed().check(s.Revocation); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, revokeTimeout)
	defer cancel()
	for _, token := range []struct{ value, kind string }{{s.RefreshToken, "refresh_token"}, {s.AccessToken, "access_token"}} {
		if token.value == "" {
			continue
		}
		form := url.Values{"token": {token.value}, "token_type_hint": {token.kind}}
		if client.Method != authBasic {
			form.Set("client_id", client.ID)
		}
		switch client.Method {
		case authPost:
			form.Set("client_secret", client.Secret)
		case authJWT:
			assertion, err := assert(client, s.Issuer, nil)
			if err != nil {
				return err
			}
			form.Set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
			form.Set("client_assertion", assertion)
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.Revocation, strings.NewReader(form.Encode()))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		if client.Method == authBasic {
			req.SetBasicAuth(url.QueryEscape(client.ID), url.QueryEscape(client.Secret))
		}
		if _, err := do(withoutRedirects(c.http), req, maxDocument); err != nil {
			return err
		}
	}
	return nil
}
