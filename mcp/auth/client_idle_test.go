package auth_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/docent-mcp/docent/mcp/auth"
)

// TestASignInKeepsNoConnection counts connections to the authorization server,
// which a program with many clients would else collect: each sign-in makes its own.
func TestASignInKeepsNoConnection(t *testing.T) {
	anyRevision(t)
	a := newAuthority(t)
	a.Close()
	var made atomic.Int64
	a.Server = httptest.NewUnstartedServer(a)
	a.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			made.Add(1)
		}
	}
	a.Start()
	t.Cleanup(a.Close)
	s := newSite(t, a, nil)
	c := &auth.Client{RedirectURL: "http://127.0.0.1/callback", Receive: location}
	const times = 10
	for range times {
		if err := signIn(t, s, c); err != nil {
			t.Fatal(err)
		}
	}
	// The browser makes one each time. A connection may still be on its way back to
	// the pool when it is emptied.
	if n := made.Load(); n < times*3/2 {
		t.Errorf("%d connections for %d sign-ins", n, times)
	}
}
