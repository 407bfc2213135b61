package auth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/mcp/internal/revision"
)

// target describes the resource that needs a token and the authorization server that issues it.
type target struct {
	resource string   // the resource as written in the server's metadata
	scopes   []string // scopes that the resource supports
	issuer   string   // identifies the authorization server
	meta     *ServerMetadata
	assumed  bool // whether meta contains the defaults of revision 2025-03-26 instead of the server's own metadata
	dpop     bool // whether the resource requires tokens that are bound to a key
}

// resourceMetadata is the metadata that an MCP server publishes about itself
// (RFC 9728, section 2).
type resourceMetadata struct {
	Resource             string   `json:"resource"`
	AuthorizationServers []string `json:"authorization_servers"`
	Scopes               []string `json:"scopes_supported"`
	DPoPRequired         bool     `json:"dpop_bound_access_tokens_required"`
}

// discover finds the authorization server, and returns where to obtain a token and for which
// resource (specification: Authorization Server Discovery; 2025-03-26: Server Metadata Discovery).
func (c *OAuthClient) discover(ctx context.Context, refusal challenge) (*target, error) {
	t, err := c.discoverTarget(ctx, refusal)
	if err != nil {
		return nil, err
	}
	t.dpop = t.dpop || c.RequireDPoP || strings.EqualFold(refusal.scheme, "DPoP")
	if t.dpop && !t.assumed && !slices.Contains(t.meta.DPoPAlgorithms, dpopAlgorithm) {
		return nil, c.failed(t.issuer, "bind the token to a key", fmt.Errorf("a token bound to a key is required, but the authorization server does not list %s in dpop_signing_alg_values_supported", dpopAlgorithm))
	}
	return t, nil
}

func (c *OAuthClient) discoverTarget(ctx context.Context, refusal challenge) (*target, error) {
	const step = "read the server's metadata"
	var m *resourceMetadata
	var err error
	if named := refusal.params["resource_metadata"]; named != "" {
		if m, err = c.readResource(ctx, named); err != nil {
			return nil, c.failed("", step, err)
		}
	} else {
		for _, path := range c.wellKnownPaths() {
			if m, err = c.readResource(ctx, c.onServer(path)); err == nil {
				break
			}
			if !isMissing(err) {
				return nil, c.failed("", step, err)
			}
		}
		if err != nil {
			return c.discoverOwn(ctx)
		}
	}
	if !c.covers(m.Resource) {
		return nil, c.failed("", step, fmt.Errorf("it belongs to another resource, %.200q, for which the token would be valid", m.Resource))
	}
	if len(m.AuthorizationServers) == 0 {
		return nil, c.failed("", step, errors.New("it does not name an authorization server; ask the server's operator"))
	}
	t := &target{resource: m.Resource, scopes: m.Scopes, dpop: m.DPoPRequired}
	var failures []error
	for _, issuer := range c.sorted(m.AuthorizationServers) {
		if err = c.allowed().check(issuer); err == nil {
			t.meta, err = Discover(ctx, c.http, issuer)
		}
		if err == nil {
			t.issuer = issuer
			return t, c.checkEndpoints(t)
		}
		failures = append(failures, c.failed(issuer, "read the authorization server's metadata", err))
		if ctx.Err() != nil {
			break
		}
	}
	if len(failures) == 1 {
		return nil, failures[0]
	}
	return nil, &SignInError{Server: c.name(), Step: "read the authorization servers' metadata", Err: errors.Join(failures...)}
}

// maxServers is the maximum number of authorization servers that are tried for
// one resource.
const maxServers = 5

// sorted returns the issuers in the order in which to try them, beginning with those for which the
// client has credentials.
func (c *OAuthClient) sorted(issuers []string) []string {
	c.mu.Lock()
	current := ""
	if c.session != nil {
		current = c.session.Issuer
	}
	c.mu.Unlock()
	isRegistered := func(issuer string) bool {
		return issuer == current || slices.ContainsFunc(c.Registrations, func(r Registration) bool { return r.Issuer == issuer })
	}
	list := slices.Clone(issuers)
	slices.SortStableFunc(list, func(a, b string) int {
		switch {
		case isRegistered(a) == isRegistered(b):
			return 0
		case isRegistered(a):
			return -1
		}
		return 1
	})
	return list[:min(len(list), maxServers)]
}

// wellKnownPaths returns the possible paths of the server's metadata, in the order in which to try
// them.
func (c *OAuthClient) wellKnownPaths() []string {
	if path := strings.TrimSuffix(c.server.EscapedPath(), "/"); path != "" {
		return []string{wellKnown + path, wellKnown}
	}
	return []string{wellKnown}
}

// onServer returns the URL with the given path on the server's origin.
func (c *OAuthClient) onServer(path string) string {
	return c.server.Scheme + "://" + c.server.Host + path
}

func (c *OAuthClient) readResource(ctx context.Context, address string) (*resourceMetadata, error) {
	if err := c.allowed().check(address); err != nil {
		return nil, err
	}
	body, err := get(ctx, c.http, address, maxDocument, nil)
	if err != nil {
		return nil, err
	}
	m := new(resourceMetadata)
	if err := json.Unmarshal(body, m); err != nil || m.Resource == "" {
		return nil, fmt.Errorf("%s: %w", address, errNoDocument)
	}
	return m, nil
}

// covers reports whether resource is the server's URL, or a parent of it on the
// same origin (RFC 9728, section 3.3; specification: Canonical Server URI).
func (c *OAuthClient) covers(resource string) bool {
	u, err := url.Parse(resource)
	if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || strings.Contains(resource, "#") || origin(u) != origin(c.server) {
		return false
	}
	if u.RawQuery != "" && u.RawQuery != c.server.RawQuery {
		return false
	}
	above, path := strings.TrimSuffix(u.EscapedPath(), "/"), c.server.EscapedPath()
	return path == above || strings.HasPrefix(path, above+"/")
}

// discoverOwn does the work of discover for servers without resource metadata, such as those of
// revision 2025-03-26. The server's origin is then the authorization server. If the origin has no
// metadata either, its endpoints are at the default paths. The requests have the header
// MCP-Protocol-Version: 2025-03-26 (2025-03-26: Server Metadata Discovery Headers).
func (c *OAuthClient) discoverOwn(ctx context.Context) (*target, error) {
	base := c.onServer("")
	t := &target{resource: c.name(), issuer: base}
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		m, err := readServer(ctx, c.http, base+path, http.Header{"Mcp-Protocol-Version": {revision.OwnAuthorization.String()}})
		if isMissing(err) {
			continue
		}
		if err == nil && m.Issuer != base && m.Issuer != base+"/" {
			err = fmt.Errorf("%s contains metadata of another issuer, %.200q", base+path, m.Issuer)
		}
		if err != nil {
			return nil, c.failed(base, "read the authorization server's metadata", err)
		}
		t.meta, t.issuer = m, m.Issuer
		return t, c.checkEndpoints(t)
	}
	t.assumed = true
	t.meta = &ServerMetadata{
		Issuer:                base,
		AuthorizationEndpoint: base + "/authorize",
		TokenEndpoint:         base + "/token",
		RegistrationEndpoint:  base + "/register",
		CodeChallengeMethods:  []string{"S256"},
		TokenAuthMethods:      []string{authNone, authBasic, authPost},
	}
	return t, c.checkEndpoints(t)
}

// checkEndpoints returns an error for metadata that the OAuthClient cannot or must not use.
func (c *OAuthClient) checkEndpoints(t *target) error {
	const step = "use the authorization server's metadata"
	m := t.meta
	for name, address := range map[string]string{
		"authorization_endpoint": m.AuthorizationEndpoint, "token_endpoint": m.TokenEndpoint, "registration_endpoint": m.RegistrationEndpoint,
	} {
		needed := name == "token_endpoint" || name == "authorization_endpoint" && c.Grant == nil
		if address == "" && !needed {
			continue
		}
		if err := c.allowed().check(address); err != nil {
			return c.failed(t.issuer, step, fmt.Errorf("its %s: %w", name, err))
		}
	}
	if c.Grant == nil && !slices.Contains(m.CodeChallengeMethods, "S256") {
		return c.failed(t.issuer, step, errors.New("its code_challenge_methods_supported does not list S256, so codes could be stolen; the server must support PKCE"))
	}
	return nil
}
