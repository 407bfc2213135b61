package auth_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/auth"
)

const (
	adasKey  = "k-0123456789abcdef"
	adasNext = "k-fedcba9876543210"
	cisKey   = "ci-0123456789abcdef"
)

func TestAPIKeys_Protect(t *testing.T) {
	keys, err := auth.NewAPIKeys(
		auth.APIKey{Key: adasKey, Principal: "ada"}, auth.APIKey{Key: adasNext, Principal: "ada"}, auth.APIKey{Key: cisKey, Principal: "ci"},
	)
	if err != nil {
		t.Fatal(err)
	}
	protected := keys.Protect(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" || r.Header.Get("X-API-Key") != "" {
			t.Error("the handler sees the key")
		}
		fmt.Fprint(w, "in")
	}))
	for _, c := range []struct {
		name   string
		method string
		header http.Header
		status int
	}{
		{"bearer", "POST", http.Header{"Authorization": {"Bearer " + adasKey}}, 200},
		{"the scheme in other case", "POST", http.Header{"Authorization": {"bearer " + adasNext}}, 200},
		{"its own header", "GET", http.Header{"X-Api-Key": {cisKey}}, 200},
		{"preflight", "OPTIONS", http.Header{"Access-Control-Request-Method": {"POST"}}, 200},
		{"none", "POST", http.Header{}, 401},
		{"wrong", "POST", http.Header{"Authorization": {"Bearer " + adasKey + "x"}}, 401},
		{"empty", "POST", http.Header{"X-Api-Key": {""}}, 401},
		{"other scheme", "POST", http.Header{"Authorization": {"Basic " + adasKey}}, 401},
		{"twice", "POST", http.Header{"X-Api-Key": {cisKey, cisKey}}, 401},
		{"two headers", "POST", http.Header{"Authorization": {"Bearer " + adasKey, "Bearer " + adasKey}}, 401},
		{"options that are no preflight", "OPTIONS", http.Header{}, 401},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest(c.method, "http://localhost/mcp", nil)
			r.Header = c.header
			w := httptest.NewRecorder()
			protected.ServeHTTP(w, r)
			if w.Code != c.status || (w.Body.String() == "in") != (c.status == 200) {
				t.Errorf("status %d, %s", w.Code, w.Body)
			}
			if challenge := w.Header().Get("WWW-Authenticate"); (challenge == "Bearer") != (c.status == 401) {
				t.Errorf("WWW-Authenticate %q", challenge)
			}
		})
	}
}

func TestAPIKeys_RefusesUnsafeKeys(t *testing.T) {
	for name, keys := range map[string][]auth.APIKey{
		"none":         {},
		"short":        {{Key: "secret-key", Principal: "ada"}},
		"no principal": {{Key: adasKey}},
		"no key":       {{Principal: "ada"}},
		"spaces":       {{Key: "0123456789 abcdef", Principal: "ada"}},
		"very long":    {{Key: strings.Repeat("k", 20<<10), Principal: "ada"}},
		"shared":       {{Key: adasKey, Principal: "ada"}, {Key: adasKey, Principal: "ci"}},
	} {
		_, err := auth.NewAPIKeys(keys...)
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		for _, key := range keys {
			if key.Key != "" && strings.Contains(err.Error(), key.Key) {
				t.Errorf("%s: the error names the key", name)
			}
		}
	}
}

// TestAPIKeys_ListenAndServe protects a whole server with keys, except /health, which anyone may
// request.
func TestAPIKeys_ListenAndServe(t *testing.T) {
	keys, err := auth.NewAPIKeys(auth.APIKey{Key: adasKey, Principal: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	s := mcp.NewServer(mcp.Implementation{Name: "test", Version: "1"}, nil)
	mcp.Must(mcp.AddTool(s, mcp.Tool{Name: "whoami"}, func(_ context.Context, r *mcp.Request, _ struct{}) (string, error) {
		return r.Principal(), nil
	}))
	health := http.NewServeMux()
	health.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "well") })
	ctx, cancel := context.WithCancel(t.Context())
	address, served := make(chan net.Addr, 1), make(chan error, 1)
	go func() {
		served <- s.ListenAndServe(ctx, "127.0.0.1:0", &mcp.HTTPOptions{
			SSE: true, Protect: keys.Protect, Fallback: health, OnListen: func(a net.Addr) { address <- a },
		})
	}()
	base := "http://" + (<-address).String()
	for path, status := range map[string]int{"/health": 200, "/mcp": 401, "/sse": 401, "/other": 404} {
		resp, err := http.Get(base + path)
		if err != nil {
			t.Fatal(err)
		}
		if resp.Body.Close(); resp.StatusCode != status {
			t.Errorf("%s: status %d, not %d", path, resp.StatusCode, status)
		}
	}
	c, err := mcp.Connect(ctx, &mcp.HTTPTransport{URL: base + "/mcp", Header: http.Header{"X-Api-Key": {adasKey}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if who, err := mcp.CallTool[string](ctx, c, "whoami", nil, nil); err != nil || who != "ada" {
		t.Errorf("got %q, %v", who, err)
	}
	c.Close()
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// This server serves a fixed set of clients, each with its own key. Anyone may request /health.
func ExampleAPIKeys() {
	keys, err := auth.NewAPIKeys(auth.APIKey{
		Key:       "8f14e45fceea167a5a36dedd4bea2543", // a real program reads it with os.Getenv
		Principal: "ci",
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := mcp.NewServer(mcp.Implementation{Name: "reports", Version: "1.0.0"}, nil)
	other := http.NewServeMux()
	other.HandleFunc("GET /health", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	options := &mcp.HTTPOptions{Protect: keys.Protect, Fallback: other}
	serve := func(ctx context.Context) error { return server.ListenAndServe(ctx, ":8080", options) }
	_ = serve
	fmt.Println(keys != nil)
	// Output: true
}
