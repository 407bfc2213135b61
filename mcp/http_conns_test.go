package mcp

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// TestShutdown_WaitsUntilTheHandlerIsCalled shuts a server down after the header of a request has
// been read and before the handler is called. At that moment, net/http would drop the request.
func TestShutdown_WaitsUntilTheHandlerIsCalled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		conns := newServedConns()
		client, far := net.Pipe()
		defer client.Close()
		c := &servedConn{Conn: far}
		conns.track(c, http.StateNew)
		finished := make(chan struct{})
		go func() {
			conns.finish(t.Context())
			close(finished)
		}()
		waits := func(step string) {
			t.Helper()
			time.Sleep(2 * lastRequests) // fake time
			synctest.Wait()
			select {
			case <-finished:
				t.Fatalf("%s: the server no longer waits for the request", step)
			default:
			}
		}
		synctest.Wait()
		go client.Write([]byte("P"))
		if _, err := c.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		waits("part of the header has been read")
		conns.track(c, http.StateActive)
		waits("the whole header has been read")
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(conns.context(t.Context(), c), http.MethodPost, "/mcp", nil)
		conns.handler(http.NotFoundHandler()).ServeHTTP(w, r)
		<-finished
		if got := w.Header().Get("Connection"); got != "close" {
			t.Errorf("Connection: %q, want close", got)
		}
	})
}

// TestShutdown_EndsAfterRequestsWithoutAHandler shuts a server down while net/http answers a
// request by itself.
func TestShutdown_EndsAfterRequestsWithoutAHandler(t *testing.T) {
	synctest.Test(t, func(*testing.T) {
		for _, state := range []http.ConnState{http.StateIdle, http.StateClosed, http.StateHijacked} {
			conns := newServedConns()
			client, far := net.Pipe()
			c := &servedConn{Conn: far}
			conns.track(c, http.StateNew)
			conns.track(c, http.StateActive)
			finished := make(chan struct{})
			go func() {
				conns.finish(context.Background())
				close(finished)
			}()
			time.Sleep(2 * lastRequests) // fake time
			conns.track(c, state)
			<-finished
			client.Close()
			far.Close()
		}
	})
}
