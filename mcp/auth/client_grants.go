package auth

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// A Grant obtains tokens without a person. It returns the parameters of the
// token request, including grant_type. The OAuthClient adds resource, scope and its
// credentials.
type Grant func(ctx context.Context, r *GrantRequest) (url.Values, error)

// GrantRequest describes the token that is needed.
type GrantRequest struct {
	Issuer   string // issuer of the authorization server
	Resource string // canonical URI of the MCP server
	Scopes   []string

	client *OAuthClient
}

// ClientCredentials is the Grant of a client that acts on its own behalf
// (extension io.modelcontextprotocol/oauth-client-credentials; RFC 6749,
// section 4.4). The client must be in OAuthClient.Registrations, with a Key or a
// ClientSecret.
func ClientCredentials(_ context.Context, r *GrantRequest) (url.Values, error) {
	if len(r.client.Registrations) == 0 {
		return nil, errors.New("the client has no credentials: it is not registered in advance")
	}
	return url.Values{"grant_type": {"client_credentials"}}, nil
}

const grantJWTBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer" //nolint:gosec // no credential

// JWTBearer returns the Grant of a workload that has an identity from its platform, such as a
// service account token (workload identity federation; RFC 7523, section 2.1). assertion
// returns a JWT for the audience, which is the issuer of the authorization server.
func JWTBearer(assertion func(ctx context.Context, audience string) (string, error)) Grant {
	return func(ctx context.Context, r *GrantRequest) (url.Values, error) {
		text, err := assertion(ctx, r.Issuer)
		if err != nil {
			return nil, fmt.Errorf("getting the assertion: %w", err)
		}
		return url.Values{"grant_type": {grantJWTBearer}, "assertion": {text}}, nil
	}
}

// EnterpriseExtension is the id of the extension for EnterpriseManaged. A
// client declares it in mcp.ClientOptions.Extensions.
const EnterpriseExtension = "io.modelcontextprotocol/enterprise-managed-authorization"

// IdentityProvider is the identity provider at which the users of an
// organisation sign in.
type IdentityProvider struct {
	// TokenEndpoint is the URL for token exchange. It must use https, or http on a
	// loopback host.
	TokenEndpoint string
	// Client is this client's registration at the identity provider. Issuer may be
	// empty.
	Client Registration
	// IDToken returns the ID token with which the user signed in.
	IDToken func(ctx context.Context) (string, error)
	// SAML is true if IDToken returns a SAML 2.0 assertion instead.
	SAML bool
	// HTTPClient sends the request; default SafeClient, also for addresses in
	// private networks.
	HTTPClient *http.Client
}

// EnterpriseManaged returns the Grant of a user who has signed in to an
// organisation, which decides which servers the user may connect to
// (specification: Enterprise-Managed Authorization). The identity provider
// exchanges the user's ID token for an assertion (RFC 8693), which the
// authorization server of the MCP server accepts (RFC 7523).
func EnterpriseManaged(idp IdentityProvider) Grant {
	return func(ctx context.Context, r *GrantRequest) (url.Values, error) {
		assertion, err := idp.exchange(ctx, r)
		if err != nil {
			return nil, fmt.Errorf("exchanging the ID token at %s: %w", idp.TokenEndpoint, err)
		}
		return url.Values{"grant_type": {grantJWTBearer}, "assertion": {assertion}}, nil
	}
}

// exchange returns an Identity Assertion JWT Authorization Grant (ID-JAG), which the identity
// provider issues for the user's ID token.
func (idp *IdentityProvider) exchange(ctx context.Context, r *GrantRequest) (string, error) {
	const idJAG = "urn:ietf:params:oauth:token-type:id-jag"
	if _, err := endpoint(idp.TokenEndpoint); err != nil {
		return "", fmt.Errorf("IdentityProvider.TokenEndpoint: %w", err)
	}
	if idp.IDToken == nil {
		return "", errors.New("IdentityProvider.IDToken is missing")
	}
	subject, err := idp.IDToken(ctx)
	if err != nil {
		return "", err
	}
	kind := "urn:ietf:params:oauth:token-type:id_token"
	if idp.SAML {
		kind = "urn:ietf:params:oauth:token-type:saml2"
	}
	form := url.Values{
		"grant_type":           {"urn:ietf:params:oauth:grant-type:token-exchange"},
		"requested_token_type": {idJAG},
		"audience":             {r.Issuer},
		"resource":             {r.Resource},
		"subject_token":        {subject},
		"subject_token_type":   {kind},
	}
	if len(r.Scopes) > 0 {
		form.Set("scope", strings.Join(r.Scopes, " "))
	}
	sender := &OAuthClient{http: idp.HTTPClient}
	if sender.http == nil {
		sender.http = addresses{loopback: true, private: true}.client()
		defer sender.http.CloseIdleConnections()
	}
	method := idp.Client.AuthMethod
	if method == "" {
		method = (&target{meta: &ServerMetadata{}}).authMethod(idp.Client.ClientSecret != "", idp.Client.Key != nil)
	}
	got, err := sender.token(ctx, &tokenRequest{
		issuer: idp.Client.Issuer, endpoint: idp.TokenEndpoint, form: form,
		client: &registered{ID: idp.Client.ClientID, Secret: idp.Client.ClientSecret, Method: method, key: idp.Client.Key, keyID: idp.Client.KeyID},
	})
	if err != nil {
		return "", err
	}
	if issued, _ := got.Extra("issued_token_type").(string); issued != idJAG {
		return "", fmt.Errorf("the identity provider issued a token of type %.100q, not %s", issued, idJAG)
	}
	return got.AccessToken, nil
}

// assert returns a JWT that authenticates a client (RFC 7523, section 2.2). Its audience is the
// issuer. algorithms are the signature algorithms that the server supports, or nil if they are
// unknown.
func assert(client *registered, issuer string, algorithms []string) (string, error) {
	if issuer == "" {
		return "", errors.New("an assertion needs the issuer; set Registration.Issuer")
	}
	var usable []jwt.SigningMethod
	switch key := client.key.(type) {
	case *rsa.PrivateKey:
		usable = []jwt.SigningMethod{jwt.SigningMethodRS256, jwt.SigningMethodPS256}
	case *ecdsa.PrivateKey:
		for _, method := range []*jwt.SigningMethodECDSA{jwt.SigningMethodES256, jwt.SigningMethodES384, jwt.SigningMethodES512} {
			if key.Curve.Params().BitSize == method.CurveBits {
				usable = append(usable, method)
			}
		}
	case ed25519.PrivateKey:
		usable = []jwt.SigningMethod{jwt.SigningMethodEdDSA}
	}
	i := slices.IndexFunc(usable, func(m jwt.SigningMethod) bool {
		return algorithms == nil || slices.Contains(algorithms, m.Alg())
	})
	if i < 0 {
		return "", fmt.Errorf("a key of type %T cannot sign with an algorithm that the server supports (%.100q)", client.key, algorithms)
	}
	now := time.Now()
	t := jwt.NewWithClaims(usable[i], jwt.MapClaims{
		"iss": client.ID, "sub": client.ID, "aud": issuer, "jti": randomText(), "iat": now.Unix(), "exp": now.Add(time.Minute).Unix(),
	})
	if client.keyID != "" {
		t.Header["kid"] = client.keyID
	}
	return t.SignedString(client.key)
}

// ParseKey parses a PEM-encoded private key, in PKCS #8 or an older form, for
// Registration.Key. It returns an error for a key that it cannot read or that
// cannot sign.
func ParseKey(text []byte) (crypto.Signer, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errors.New("auth: the key is not in PEM")
	}
	var key any
	var err error
	switch block.Type {
	case "RSA PRIVATE KEY":
		key, err = x509.ParsePKCS1PrivateKey(block.Bytes)
	case "EC PRIVATE KEY":
		key, err = x509.ParseECPrivateKey(block.Bytes)
	default:
		key, err = x509.ParsePKCS8PrivateKey(block.Bytes)
	}
	if err != nil {
		return nil, fmt.Errorf("auth: the key cannot be read: %w", err)
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("auth: a key of type %T cannot sign", key)
	}
	return signer, nil
}
