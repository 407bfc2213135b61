package host_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/docent-mcp/docent/mcp"
	"github.com/docent-mcp/docent/mcp/host"
)

// website is an HTTP server whose network can be interrupted.
type website struct {
	*httptest.Server
	cut     atomic.Bool
	tries   atomic.Int32 // number of requests while the network is interrupted
	streams bool         // whether it serves streams of notifications
}

func newWebsite(t *testing.T, streams bool) *website {
	t.Helper()
	w := &website{streams: streams}
	handler := newServer("web", "work").HTTPHandler(nil)
	w.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, req *http.Request) {
		switch {
		case w.cut.Load():
			w.tries.Add(1)
			panic(http.ErrAbortHandler)
		case !streams && (req.Method == http.MethodGet || req.Header.Get("Mcp-Method") == "subscriptions/listen"):
			rw.WriteHeader(http.StatusMethodNotAllowed)
		default:
			handler.ServeHTTP(rw, req)
		}
	}))
	t.Cleanup(w.Close)
	return w
}

// die closes all connections and refuses new ones.
func (w *website) die() {
	w.cut.Store(true)
	w.CloseClientConnections()
}

// TestAServerThatDiesIsShownAsReconnecting interrupts the network to an HTTP server, and restores
// it before the client gives up.
func TestAServerThatDiesIsShownAsReconnecting(t *testing.T) {
	const maxReconnects = 200
	everyRevision(t, func(t *testing.T, revision string) {
		for name, streams := range map[string]bool{"with streams": true, "without": false} {
			t.Run(name, func(t *testing.T) {
				web := newWebsite(t, streams)
				changed := make(chan struct{}, 1000)
				h := open(t, host.Options{
					Changed: func(string) { changed <- struct{}{} },
					ClientOptions: func(string) *mcp.ClientOptions {
						return &mcp.ClientOptions{Revisions: []string{revision}, Limits: mcp.ClientLimits{MaxReconnects: maxReconnects, MaxBackoff: time.Millisecond}}
					},
				})
				add(t, h, "web", &mcp.HTTPTransport{URL: web.URL, NoSSE: true})
				if err := h.Ready(t.Context()); err != nil {
					t.Fatal(err)
				}
				if got := status(h, "web"); got.State != host.StateConnected || got.Err != nil {
					t.Fatalf("at first: %+v", got)
				}
				web.die()
				if !streams { // without a stream, only a request can detect the interruption
					if _, err := h.CallTool(t.Context(), "web__work", nil, nil); err == nil || !strings.Contains(err.Error(), `server "web"`) {
						t.Errorf("the call of a dead server: %v", err)
					}
				}
				got := status(h, "web")
				for ; streams && got.State == host.StateConnected; got = status(h, "web") {
					<-changed // the state is still correct after the client has given up
				}
				if _, network := errors.AsType[net.Error](got.Err); got.State != host.StateReconnecting || !network || got.Info == nil {
					t.Errorf("after the server died: %+v", got)
				}
				if n := web.tries.Load(); n >= maxReconnects {
					t.Errorf("%d requests before the state changed", n)
				}
				if names := toolNames(h); len(names) != 1 {
					t.Errorf("tools %q", names)
				}
				web.cut.Store(false)
				if !streams {
					if got := call(t, h, "web__work"); got != "web did work" {
						t.Errorf("the server that is back: %q", got)
					}
				}
				for got = status(h, "web"); streams && got.State == host.StateReconnecting; got = status(h, "web") {
					<-changed
				}
				if got.State != host.StateConnected || got.Err != nil {
					t.Errorf("after the server came back: %+v", got)
				}
			})
		}
	})
}
