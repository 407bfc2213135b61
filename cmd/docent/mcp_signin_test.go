package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// guarded serves MCP at /mcp to clients that have signed in at an authorization server with the
// same address.
func guarded(t *testing.T) string {
	t.Helper()
	s := mcp.NewServer(mcp.Implementation{Name: "guarded", Version: "1"}, &mcp.ServerOptions{Logger: discard})
	if err := mcp.AddTool(s, mcp.Tool{Name: "hello"}, func(context.Context, *mcp.Request, struct{}) (string, error) { return "signed in", nil }); err != nil {
		t.Fatal(err)
	}
	handler, mux := s.HTTPHandler(nil), http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	answer := func(value any) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			if err := json.NewEncoder(w).Encode(value); err != nil {
				t.Error(err)
			}
		}
	}
	var challenge string
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, req *http.Request) {
		if req.Header.Get("Authorization") != "Bearer the-token" {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+server.URL+`/.well-known/oauth-protected-resource/mcp"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, req)
	})
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", answer(map[string]any{"resource": server.URL + "/mcp", "authorization_servers": []string{server.URL}}))
	mux.HandleFunc("/.well-known/oauth-authorization-server", answer(map[string]any{
		"issuer": server.URL, "authorization_endpoint": server.URL + "/authorize", "token_endpoint": server.URL + "/token", "registration_endpoint": server.URL + "/register",
		"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"none"},
	}))
	mux.HandleFunc("/register", func(w http.ResponseWriter, req *http.Request) {
		var requests map[string]any
		if err := json.NewDecoder(req.Body).Decode(&requests); err != nil {
			t.Error(err)
		}
		requests["client_id"] = "docent"
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		if err := json.NewEncoder(w).Encode(requests); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, req *http.Request) {
		q := req.URL.Query()
		challenge = q.Get("code_challenge")
		http.Redirect(w, req, q.Get("redirect_uri")+"?"+url.Values{"code": {"the-code"}, "state": {q.Get("state")}}.Encode(), http.StatusFound)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, req *http.Request) {
		sum := sha256.Sum256([]byte(req.FormValue("code_verifier")))
		if req.FormValue("code") != "the-code" || base64.RawURLEncoding.EncodeToString(sum[:]) != challenge {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer(map[string]any{"access_token": "the-token", "token_type": "Bearer", "expires_in": 3600})(w, req)
	})
	return server.URL + "/mcp"
}

func TestMCPSignsIn(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(t.TempDir(), "config"))
	t.Setenv("HOME", t.TempDir()) // the settings directory on other systems
	t.Setenv("AppData", t.TempDir())
	address := guarded(t)
	visits := 0
	signedIn := func(terminal bool, args ...string) outcome {
		var out, errs bytes.Buffer
		s := streams{in: strings.NewReader(""), out: &out, err: &errs, inTerminal: terminal, errTerminal: terminal, browse: func(ctx context.Context, page string) error {
			visits++
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
			if err != nil {
				return err
			}
			go func() { // act as the browser
				if resp, err := http.DefaultClient.Do(req); err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					resp.Body.Close()
				}
			}()
			return nil
		}}
		return outcome{run(context.WithoutCancel(t.Context()), append([]string{"mcp"}, args...), s, languages), out.String(), errs.String()}
	}
	if got := signedIn(false, "call", address, "hello"); got.code != exitSignIn || visits > 0 || !strings.Contains(got.err, "from a terminal") {
		t.Errorf("without a terminal: %+v", got)
	}
	if got := signedIn(true, "call", "--no-input", address, "hello"); got.code != exitSignIn || visits > 0 {
		t.Errorf("with --no-input: %+v", got)
	}
	if got := signedIn(true, "call", address, "hello"); got.code != 0 || got.out != "signed in\n" || visits != 1 {
		t.Errorf("at a terminal, with %d visits: %+v", visits, got)
	}
	if got := signedIn(false, "call", address, "hello"); got.code != 0 || visits != 1 {
		t.Errorf("with the token kept: %+v", got)
	}
	if got := signedIn(false, "sign-out", address); got.code != 0 {
		t.Errorf("sign-out: %+v", got)
	}
	if got := signedIn(false, "call", address, "hello"); got.code != exitSignIn {
		t.Errorf("after sign-out: %+v", got)
	}
	if got := docent("mcp", "call", address, "hello", "--header", "Authorization: Bearer the-token"); got.code != 0 {
		t.Errorf("with a header: %+v", got)
	}
}
