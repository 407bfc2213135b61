package auth

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/docent-mcp/docent/mcp"
)

// APIKeys passes on requests with one of a fixed set of keys, and refuses all others. It suits
// servers with a few known clients, such as the services of one organisation. Unlike a Guard, it
// needs no authorization server, but keys do not expire, and clients must be configured with them.
//
// A client sends its key as "Authorization: Bearer KEY" or "X-API-Key: KEY"; see
// mcp.HTTPTransport.Header. Use it only over TLS, except on loopback.
type APIKeys struct {
	principals map[[sha256.Size]byte]string // principals by the hash of the key
}

const minAPIKey = 16

// An APIKey is a key that a client sends, and whom it identifies.
type APIKey struct {
	// Key is the secret, at least 16 characters. Generate it from at least 16 random bytes, and read
	// it from a file or the environment instead of writing it into the program.
	Key string
	// Principal is the person or service that sends the key; see mcp.WithPrincipal.
	Principal string
}

// NewAPIKeys returns the guard for keys. A principal may have several keys, so that one can be
// replaced while another still works. It fails if a key is shorter than 16 characters, cannot be
// sent in a header, occurs twice, or has no principal.
func NewAPIKeys(keys ...APIKey) (*APIKeys, error) {
	if len(keys) == 0 {
		return nil, errors.New("auth: there are no API keys; name at least one")
	}
	k := &APIKeys{principals: map[[sha256.Size]byte]string{}}
	for _, key := range keys {
		switch {
		case key.Principal == "":
			return nil, errors.New("auth: an API key has no principal; name the person or service that it identifies")
		case len(key.Key) < minAPIKey || len(key.Key) > maxToken:
			return nil, fmt.Errorf("auth: the API key of %q has %d characters; use at least %d random ones", key.Principal, len(key.Key), minAPIKey)
		}
		if _, err := bearer(http.Header{"Authorization": {"Bearer " + key.Key}}); err != nil {
			return nil, fmt.Errorf("auth: the API key of %q contains characters that a bearer token cannot contain; use letters, digits and -._~+/=", key.Principal)
		}
		hash := sha256.Sum256([]byte(key.Key))
		if other, ok := k.principals[hash]; ok {
			return nil, fmt.Errorf("auth: %q and %q have the same API key; give each a key of its own", other, key.Principal)
		}
		k.principals[hash] = key.Principal
	}
	return k, nil
}

// Protect returns a handler that passes requests with a valid key to next, after adding the key's
// principal and removing the key. It refuses other requests with status 401. CORS preflight
// requests are passed on without a key.
//
//	server.ListenAndServe(ctx, addr, &mcp.HTTPOptions{Protect: keys.Protect})
func (k *APIKeys) Protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			next.ServeHTTP(w, r)
			return
		}
		key, err := bearer(r.Header)
		if err == nil && key == "" {
			if keys := r.Header.Values("X-API-Key"); len(keys) == 1 {
				key = keys[0]
			}
		}
		// Hashes of keys are compared, so that the duration of a comparison reveals nothing about
		// the keys.
		principal, ok := k.principals[sha256.Sum256([]byte(key))]
		if err != nil || !ok {
			refuseKey(w, r)
			return
		}
		r = r.WithContext(mcp.WithPrincipal(r.Context(), principal))
		r.Header = r.Header.Clone()
		r.Header.Del("Authorization")
		r.Header.Del("X-API-Key")
		next.ServeHTTP(w, r)
	})
}

func refuseKey(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("WWW-Authenticate", "Bearer")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusUnauthorized)
	if r.Method != http.MethodHead {
		body, _ := json.Marshal(map[string]string{"error": "unauthorized", "error_description": "A valid API key is required, as Authorization: Bearer KEY or X-API-Key: KEY"})
		_, _ = w.Write(append(body, '\n'))
	}
}
