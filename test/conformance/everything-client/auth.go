package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/docent-mcp/docent/mcp/auth"
)

// given is the client configuration that the suite provides for an authorization scenario.
type setup struct {
	ClientID         string `json:"client_id"`
	ClientSecret     string `json:"client_secret"`
	Issuer           string `json:"issuer"`
	PrivateKey       string `json:"private_key_pem"`
	ProviderClientID string `json:"idp_client_id"`
	IDToken          string `json:"idp_id_token"`
	ProviderEndpoint string `json:"idp_token_endpoint"`
	WorkloadJWT      string `json:"valid_jwt"`
}

// authorizer returns the OAuth client for the authorization scenarios. It receives only the
// configuration of the client, and discovers the requirements of the servers.
func authorizer(scenario string) (*auth.OAuthClient, map[string]any, error) {
	c := &auth.OAuthClient{
		Name:             "docent-everything-client",
		MetadataDocument: "https://conformance-test.local/client-metadata.json",
		RedirectURL:      "http://localhost:3000/callback",
		Receive:          visit,
	}
	text := os.Getenv("MCP_CONFORMANCE_CONTEXT")
	if text == "" {
		return c, nil, nil
	}
	var g setup
	if err := json.Unmarshal([]byte(text), &g); err != nil {
		return nil, nil, fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
	}
	if g.ClientID != "" {
		r := auth.Registration{Issuer: g.Issuer, ClientID: g.ClientID, ClientSecret: g.ClientSecret}
		if g.PrivateKey != "" {
			var err error
			if r.Key, err = auth.ParseKey([]byte(g.PrivateKey)); err != nil {
				return nil, nil, err
			}
		}
		c.Registrations = []auth.Registration{r}
	}
	switch scenario {
	case "auth/client-credentials-jwt", "auth/client-credentials-basic":
		c.Grant = auth.ClientCredentials
	case "auth/wif-jwt-bearer":
		c.Grant = auth.JWTBearer(func(context.Context, string) (string, error) { return g.WorkloadJWT, nil })
	case "auth/enterprise-managed-authorization":
		c.Grant = auth.EnterpriseManaged(auth.IdentityProvider{
			TokenEndpoint: g.ProviderEndpoint,
			Client:        auth.Registration{ClientID: g.ProviderClientID},
			IDToken:       func(context.Context) (string, error) { return g.IDToken, nil },
		})
		return c, map[string]any{auth.EnterpriseExtension: struct{}{}}, nil
	}
	return c, nil, nil
}

// visit requests a page in the same way as a browser, and returns the address of the redirect.
// There is no server at that address.
func visit(ctx context.Context, page string) (string, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return "", err
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	to, err := res.Location()
	if err != nil {
		return "", fmt.Errorf("the page does not redirect (%s): %w", res.Status, err)
	}
	return to.String(), nil
}
