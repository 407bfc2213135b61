package auth

import (
	"encoding/json"
	"net/http"
	"strings"
)

// refuse answers a request with a status and, if a token would help the client, with a challenge
// (RFC 6750, section 3; RFC 9728, section 5.1). reason is not sent to the client.
func (g *Guard) refuse(w http.ResponseWriter, r *http.Request, isDPoP bool, status int, code, description string, scopes []string, reason error) {
	if reason != nil {
		g.opts.Logger.InfoContext(r.Context(), "auth: request refused", "status", status, "reason", reason)
	}
	g.challenge(w.Header(), isDPoP, status, code, description, scopes)
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		if code == "" {
			code, description = "unauthorized", "An access token is required; see the header WWW-Authenticate"
		}
		body, _ := json.Marshal(map[string]string{"error": code, "error_description": description})
		_, _ = w.Write(append(body, '\n'))
	}
}

// challenge sets the WWW-Authenticate header. isDPoP tells whether the request
// used or needs the DPoP scheme.
func (g *Guard) challenge(h http.Header, isDPoP bool, status int, code, description string, scopes []string) {
	if status == http.StatusServiceUnavailable {
		return
	}
	params := []string{`resource_metadata="` + g.metadata + `"`}
	if code != "" {
		params = append(params, `error="`+code+`"`, `error_description="`+description+`"`)
	}
	if len(scopes) > 0 {
		params = append(params, `scope="`+strings.Join(scopes, " ")+`"`)
	}
	scheme := "Bearer "
	if isDPoP || g.opts.RequireDPoP {
		scheme = "DPoP "
		params = append(params, `algs="`+strings.Join(asymmetric, " ")+`"`)
	}
	h.Set("WWW-Authenticate", scheme+strings.Join(params, ", "))
}
