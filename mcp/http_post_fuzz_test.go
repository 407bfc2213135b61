package mcp_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzPost posts arbitrary bodies. Every response must have a status that the protocol defines, and
// its body must be empty or JSON.
func FuzzPost(f *testing.F) {
	h := headerServer(f).HTTPHandler(nil)
	open := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(initializeLine))
	open.Header.Set("Content-Type", "application/json")
	opened := httptest.NewRecorder()
	h.ServeHTTP(opened, open)
	session := opened.Header().Get("Mcp-Session-Id")
	f.Add([]byte(initializeLine), "", "", "", false)
	f.Add([]byte(echoCall), "2025-11-25", "", "", true)
	f.Add([]byte(modernCall), "2026-07-28", "tools/call", "sum", false)
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"limit":42},`+modernMeta("")+`}}`), "2026-07-28", "tools/call", "query", false)
	f.Add([]byte(`[{"jsonrpc":"2.0","id":1,"method":"ping"},5]`), "2025-03-26", "", "", true)
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`), "", "", "", true)
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`), "", "", "", true)
	f.Fuzz(func(t *testing.T, body []byte, version, method, name string, inSession bool) {
		req := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(string(body)))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json")
		for header, value := range map[string]string{"Mcp-Protocol-Version": version, "Mcp-Method": method, "Mcp-Name": name, "Mcp-Param-Limit": "42"} {
			if value != "" {
				req.Header.Set(header, value)
			}
		}
		if inSession {
			req.Header.Set("Mcp-Session-Id", session)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		switch w.Code {
		case 200, 400, 404, 406, 503:
			if !json.Valid(w.Body.Bytes()) {
				t.Errorf("status %d: %q", w.Code, w.Body)
			}
		case 202:
			if w.Body.Len() > 0 {
				t.Errorf("status 202: %q", w.Body)
			}
		default:
			t.Errorf("status %d: %q", w.Code, w.Body)
		}
	})
}
