package auth

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
)

// randomText returns 26 letters and digits that cannot be guessed.
func randomText() string { return rand.Text() }

// request is an authorization request that has not been answered yet (specification: Authorization
// Response Validation).
type request struct {
	issuer         string
	issuerExpected bool   // whether the response must contain the issuer
	state          string // random text that the answer must repeat
	verifier       string // PKCE code verifier
	redirect       string // redirect URI
}

// authorize lets the user sign in, and returns the client and the parameters of the token request
// (specification: Authorization Flow Steps).
func (c *OAuthClient) authorize(ctx context.Context, t *target, requests []string, key *dpopKey) (*registered, url.Values, error) {
	back, err := c.openRedirect()
	if err != nil {
		return nil, nil, c.failed(t.issuer, "wait for the browser", err)
	}
	defer back.close()
	client, err := c.identify(ctx, t, back)
	if err != nil {
		return nil, nil, err
	}
	r := &request{
		issuer: t.issuer, issuerExpected: t.meta.ResponseIssuer,
		state: randomText(), verifier: oauth2.GenerateVerifier(), redirect: back.address(),
	}
	page, err := r.page(t, client.ID, requests, key)
	if err != nil {
		return nil, nil, c.failed(t.issuer, "create the page's URL", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, cmp.Or(c.Timeout, 5*time.Minute), errors.New("the user did not sign in in time; try again"))
	defer cancel()
	answer, err := back.receive(ctx, page, r.state)
	if err == nil {
		err = r.check(answer)
	}
	if err != nil {
		return nil, nil, c.failed(t.issuer, "ask the user", err)
	}
	return client, url.Values{
		"grant_type": {"authorization_code"}, "code": {answer.Get("code")}, "redirect_uri": {r.redirect}, "code_verifier": {r.verifier},
	}, nil
}

// page returns the URL where the user signs in.
func (r *request) page(t *target, clientID string, requests []string, key *dpopKey) (string, error) {
	u, err := endpoint(t.meta.AuthorizationEndpoint)
	if err != nil {
		return "", err
	}
	query := u.Query()
	for name, value := range map[string]string{
		"response_type": "code", "client_id": clientID, "redirect_uri": r.redirect, "state": r.state, "resource": t.resource,
		"code_challenge": oauth2.S256ChallengeFromVerifier(r.verifier), "code_challenge_method": "S256",
		"scope": strings.Join(requests, " "),
	} {
		query.Del(name) // this parameter is always set by the client
		if value != "" {
			query.Set(name, value)
		}
	}
	if key != nil {
		query.Set("dpop_jkt", key.thumbprint)
	}
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// check returns an error if an authorization response is invalid or contains an error. Until check
// knows that the response comes from the issuer, it neither uses nor shows any of its values.
func (r *request) check(answer url.Values) error {
	for name, values := range answer {
		if len(values) > 1 {
			return fmt.Errorf("the answer contains the parameter %s %d times", printable(name, 40), len(values))
		}
	}
	if !r.isState(answer.Get("state")) {
		return errors.New("the answer belongs to another request (its state differs); it is not used")
	}
	switch {
	case answer.Has("iss") && answer.Get("iss") != r.issuer:
		return errors.New("the answer comes from another authorization server (its iss differs); it is not used")
	case !answer.Has("iss") && r.issuerExpected:
		return errors.New("the answer does not name its authorization server (it has no iss), although this one always does; it is not used")
	case answer.Get("error") != "":
		return &refusedError{printable(answer.Get("error"), 60), printable(answer.Get("error_description"), 300)}
	case answer.Get("code") == "":
		return errors.New("the answer has no code")
	}
	return nil
}

// isState reports whether s is the state of the request. It compares in
// constant time.
func (r *request) isState(s string) bool {
	return subtle.ConstantTimeCompare([]byte(s), []byte(r.state)) == 1
}
