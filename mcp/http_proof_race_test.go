package mcp_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

// endSession ends the session in the same way as its client.
func endSession(h http.Handler, id string) int {
	req := httptest.NewRequest(http.MethodDelete, "http://localhost/mcp", nil)
	req.Header.Set("Mcp-Session-Id", id)
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, req)
	return rec.Code
}

func TestARequestThatASessionEndsBeforeIsNotServed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var h http.Handler
		id := ""
		// Visible is called after the session has been found and before the call is served.
		s := echoServer(t, &mcp.ServerOptions{Visible: func(r *mcp.Request, _ mcp.Entry) bool {
			if id != "" && r.Method() == "tools/call" {
				if status := endSession(h, id); status != http.StatusNoContent {
					t.Errorf("ending the session: status %d", status)
				}
				id = ""
			}
			return true
		}})
		endpoint := host(t, s, nil)
		h = endpoint.handler
		w := endpoint.open("2025-11-25")
		id = w.head.Get("Mcp-Session-Id")
		w.call("echo", `{"message":"x"}`).wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
		w.refusesSession()
	})
}

// hooked is a context that calls f when Value is called. The handler reads the principal after it
// has found the session.
type hooked struct {
	context.Context
	f func()
}

func (c hooked) Value(key any) any {
	c.f()
	return c.Context.Value(key)
}

func TestAStreamThatASessionEndsBeforeIsNotOpened(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := echoServer(t, nil).HTTPHandler(nil)
		endpoint := hostPlain(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			if req.Method == http.MethodGet {
				req = req.WithContext(hooked{req.Context(), func() { endSession(h, req.Header.Get("Mcp-Session-Id")) }})
			}
			h.ServeHTTP(w, req)
		}))
		w := endpoint.open("2025-11-25")
		w.resume("").wantError(http.StatusNotFound, mcp.CodeInvalidRequest)
		w.refusesSession()
		must(t, h.Shutdown(t.Context()))
	})
}
