package mcp_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/docent-mcp/docent/mcp"
)

// handled is a network with one HTTP handler.
type handled struct{ http.Handler }

func (h handled) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	res := w.Result()
	res.Request = r
	return res, nil
}

// slowUser is an Authorizer whose user takes some time to sign in.
type slowUser struct {
	takes time.Duration
	token atomic.Pointer[string]
}

func (u *slowUser) Authorize(_ context.Context, req *http.Request) error {
	if token := u.token.Load(); token != nil {
		req.Header.Set("Authorization", "Bearer "+*token)
	}
	return nil
}

func (u *slowUser) Challenged(ctx context.Context, _ *http.Response) error {
	select {
	case <-time.After(u.takes):
		token := "good"
		u.token.Store(&token)
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func TestTimeOfTheUserWhoSignsInDoesNotCount(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		for takes, want := range map[time.Duration]error{10 * time.Minute: nil, 2 * time.Hour: context.DeadlineExceeded} {
			synctest.Test(t, func(t *testing.T) {
				server := mcp.NewServer(mcp.Implementation{Name: "s", Version: "1"}, nil)
				inner := server.HTTPHandler(nil)
				defer inner.Shutdown(t.Context())
				h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					if r.Method == http.MethodGet {
						w.WriteHeader(http.StatusMethodNotAllowed)
						return
					}
					if !strings.HasSuffix(r.Header.Get("Authorization"), "good") {
						w.WriteHeader(http.StatusUnauthorized)
						return
					}
					inner.ServeHTTP(w, r)
				})
				c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: "http://127.0.0.1/mcp", HTTPClient: &http.Client{Transport: handled{h}}, Authorizer: &slowUser{takes: takes}},
					&mcp.ClientOptions{Revisions: []string{revision}, Timeout: time.Minute, MaxTimeout: time.Hour})
				if !errors.Is(err, want) {
					t.Errorf("%s, %s: %v, want %v", revision, takes, err, want)
				}
				if err == nil {
					c.Close()
				}
				<-time.After(time.Hour) // let idle workers end
			})
		}
	}
}
