package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// restarting is an HTTP server that can lose its sessions, as if it had been restarted.
type restarting struct {
	*httptest.Server
	server  atomic.Pointer[mcp.Server]
	handler atomic.Pointer[mcp.HTTPHandler]
	make    func() *mcp.Server
}

func newRestarting(t *testing.T, server func() *mcp.Server) *restarting {
	t.Helper()
	r := &restarting{make: server}
	r.restart()
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) { r.handler.Load().ServeHTTP(w, req) }))
	t.Cleanup(func() {
		r.CloseClientConnections()
		r.Close()
	})
	return r
}

func (r *restarting) restart() {
	s := r.make()
	r.server.Store(s)
	r.handler.Store(s.HTTPHandler(nil))
	if r.Server != nil {
		r.CloseClientConnections()
	}
}

// A client that only waits for changes sends no requests, so the server cannot answer one with
// status 404.
func TestASubscriptionMovesToANewSessionByItself(t *testing.T) {
	proves(t, "session.client-reinitialize")
	for _, revision := range revisions[1:] {
		t.Run(revision, func(t *testing.T) {
			r := newRestarting(t, func() *mcp.Server {
				s := echoServer(t, nil)
				must(t, s.AddResource(mcp.Resource{URI: "x:a", Name: "a"}, func(context.Context, *mcp.Request, string) ([]mcp.ResourceContents, error) {
					return []mcp.ResourceContents{{Text: "a"}}, nil
				}))
				return s
			})
			c, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: r.URL}, &mcp.ClientOptions{Revisions: []string{revision}, Limits: mcp.ClientLimits{MaxBackoff: 1}})
			must(t, err)
			defer c.Close()
			ran(t, revision, "http")
			sub, err := c.Subscribe(t.Context(), mcp.Filter{Tools: true, URIs: []string{"x:a"}})
			must(t, err)
			defer sub.Close()
			for range 3 {
				r.server.Load().ResourceUpdated("x:a")
				if change, err := sub.Next(t.Context()); err != nil || change != (mcp.Change{Kind: mcp.ChangeResource, URI: "x:a"}) {
					t.Fatalf("%+v, %v", change, err)
				}
				r.restart()
				if change, err := sub.Next(t.Context()); err != nil || change.Kind != mcp.ChangeAny {
					t.Fatalf("after a restart: %+v, %v", change, err)
				}
			}
		})
	}
}

// A server of revision 2024-11-05 refuses POST requests to its stream with a status after which the
// client tries the older transport. If that transport is also refused, the client must report the
// second refusal.
func TestTheRefusalOfTheRightTransportIsReported(t *testing.T) {
	for status, want := range map[int]string{
		http.StatusServiceUnavailable: "503", http.StatusUnauthorized: "401", http.StatusTooManyRequests: "429", http.StatusNotFound: "405",
	} {
		web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.Method == http.MethodGet {
				w.WriteHeader(status)
				return
			}
			w.WriteHeader(http.StatusMethodNotAllowed)
		}))
		_, err := mcp.Connect(t.Context(), &mcp.HTTPTransport{URL: web.URL}, nil)
		if err == nil || !strings.Contains(err.Error(), "status "+want) {
			t.Errorf("status %d: %v", status, err)
		}
		web.Close()
	}
}
