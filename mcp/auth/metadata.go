package auth

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"time"
)

const wellKnown = "/.well-known/oauth-protected-resource"

// MetadataPath returns the path of the resource's metadata: the well-known
// prefix before the endpoint's own path (RFC 9728, section 3.1). It is escaped
// for use in a URL and in a pattern of http.ServeMux.
func (g *Guard) MetadataPath() string {
	return wellKnown + strings.TrimSuffix(g.resource.EscapedPath(), "/")
}

// Mount registers handlers with mux. At the path of GuardOptions.Resource, it serves next behind
// the guard. It also serves the metadata at the two paths where clients look for it: the well-known
// prefix followed by the path of Resource, and the prefix alone.
func (g *Guard) Mount(mux *http.ServeMux, next http.Handler) {
	path := g.resource.EscapedPath()
	if path == "" || path == "/" {
		path = "/{$}"
	}
	mux.Handle(path, g.Protect(next))
	mux.Handle(wellKnown, g.Metadata())
	if p := g.MetadataPath(); p != wellKnown {
		mux.Handle(p, g.Metadata())
	}
	if g.opts.AuthorizationServerMetadata {
		mux.Handle("/.well-known/oauth-authorization-server", http.HandlerFunc(g.relay))
	}
}

// Metadata returns a handler that serves the resource's metadata (RFC 9728), to
// web pages from any origin.
func (g *Guard) Metadata() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if allowRead(w, r) {
			writeDocument(w, r, g.document)
		}
	})
}

func (g *Guard) describe() []byte {
	document, _ := json.Marshal(struct {
		Resource      string   `json:"resource"`
		Servers       []string `json:"authorization_servers"`
		Scopes        []string `json:"scopes_supported,omitempty"`
		Methods       []string `json:"bearer_methods_supported"`
		Name          string   `json:"resource_name,omitempty"`
		Documentation string   `json:"resource_documentation,omitempty"`
		DPoPRequired  bool     `json:"dpop_bound_access_tokens_required,omitempty"`
		DPoPAlgs      []string `json:"dpop_signing_alg_values_supported"`
	}{g.opts.Resource, g.opts.AuthorizationServers, g.opts.scopes(), []string{"header"}, g.opts.Name, g.opts.Documentation, g.opts.RequireDPoP, asymmetric})
	return document
}

// allowRead refuses all requests except GET and HEAD. It returns false if it has refused the
// request.
func allowRead(w http.ResponseWriter, r *http.Request) bool {
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return true
	case http.MethodOptions:
		h.Set("Access-Control-Allow-Methods", "GET")
		h.Set("Access-Control-Allow-Headers", "Mcp-Protocol-Version")
		w.WriteHeader(http.StatusNoContent)
	default:
		h.Set("Allow", "GET, HEAD")
		http.Error(w, "only GET is served here", http.StatusMethodNotAllowed)
	}
	return false
}

func writeDocument(w http.ResponseWriter, r *http.Request, document []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "max-age=3600")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(document)
}

// relay contains the cached metadata of the authorization server.
type relay struct {
	mu       sync.Mutex
	document []byte
	until    time.Time // time after which the metadata is fetched again
}

// relay serves the metadata of the authorization server (specification
// 2025-03-26: Server Metadata Discovery).
func (g *Guard) relay(w http.ResponseWriter, r *http.Request) {
	if !allowRead(w, r) {
		return
	}
	document, err := g.relayed.get(r.Context(), g.opts.HTTPClient, g.opts.AuthorizationServers[0])
	if err != nil {
		g.opts.Logger.WarnContext(r.Context(), "auth: the authorization server's metadata is not available", "reason", err)
		w.Header().Set("Retry-After", "5")
		http.Error(w, "the authorization server's metadata is currently unavailable", http.StatusServiceUnavailable)
		return
	}
	writeDocument(w, r, document)
}

func (c *relay) get(ctx context.Context, client *http.Client, issuer string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.until) {
		return c.document, nil
	}
	m, err := Discover(context.WithoutCancel(ctx), client, issuer)
	if err != nil {
		if c.document != nil {
			c.until = time.Now().Add(time.Minute)
			return c.document, nil
		}
		return nil, err
	}
	c.document, c.until = m.JSON, time.Now().Add(time.Hour)
	return c.document, nil
}
