package mcp_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/mcp"
)

func TestHostsAndOriginsThatAreAccepted(t *testing.T) {
	proves(t, "http.origin.validate", "http.origin.403", "http.origin.403-body")
	loopback, elsewhere := "127.0.0.1", "192.168.1.5"
	public := &mcp.HTTPOptions{AllowedHosts: []string{"docs.example.com"}, AllowedOrigins: []string{"https://app.example.com"}}
	for _, test := range []struct {
		name         string
		opts         *mcp.HTTPOptions
		local        string
		host, origin string
		ok           bool
	}{
		{"localhost", nil, loopback, "localhost:8080", "", true},
		{"LOCALHOST without a port", nil, loopback, "LOCALHOST", "", true},
		{"a loopback address", nil, loopback, "127.0.0.1:8080", "", true},
		{"another loopback address", nil, loopback, "127.1.2.3", "", true},
		{"the IPv6 loopback address", nil, "::1", "[::1]:8080", "", true},
		{"the IPv6 loopback address without a port", nil, "::1", "[::1]", "", true},
		{"a name in brackets", nil, loopback, "[localhost]:8080", "", true},
		{"a page of its own", nil, loopback, "localhost:8080", "http://localhost:8080", true},
		{"DNS rebinding", nil, loopback, "evil.example.com:8080", "http://evil.example.com:8080", false},
		{"DNS rebinding without an origin", nil, loopback, "evil.example.com:8080", "", false},
		{"DNS rebinding over IPv6", nil, "::1", "evil.example.com", "", false},
		{"a name that begins like localhost", nil, loopback, "localhost.evil.example.com", "", false},
		{"a name that ends like localhost", nil, loopback, "evil-localhost", "", false},
		{"another address", nil, loopback, "192.168.1.5", "", false},
		{"the unspecified address", nil, loopback, "0.0.0.0", "", false},
		{"a link-local address", nil, loopback, "169.254.1.1", "", false},
		{"a link-local address of IPv6", nil, "::1", "[fe80::1]:8080", "", false},
		{"no host", nil, loopback, "", "", false},
		{"a foreign page", nil, loopback, "localhost:8080", "https://evil.example.com", false},
		{"a page on another local port", nil, loopback, "localhost:8080", "http://localhost:3000", false},
		{"a page with no origin of its own", nil, loopback, "localhost:8080", "null", false},
		{"a page whose origin only begins so", nil, loopback, "localhost:8080", "http://localhost:8080.evil.example.com", false},
		{"an origin that is no URL", nil, loopback, "localhost:8080", "http://%zz", false},
		{"a page whose name only begins so", nil, loopback, "localhost", "http://localhost.evil.example.com", false},
		{"a page whose name only begins like an address", nil, loopback, "127.0.0.1", "http://127.0.0.1.evil.example.com", false},
		{"a page whose name only ends so", nil, loopback, "localhost", "http://evil.localhost", false},
		{"a page of the same name on the usual port", nil, loopback, "localhost:8080", "http://localhost", false},
		{"a page of the same name on the usual port of an address", nil, elsewhere, "192.168.1.5:8080", "http://192.168.1.5", false},
		{"a page on another port", nil, loopback, "localhost", "http://localhost:3000", false},

		{"any name on a network", nil, elsewhere, "mcp.internal", "", true},
		{"a page of an address", nil, elsewhere, "192.168.1.5:80", "http://192.168.1.5:80", true},
		{"DNS rebinding on a network", nil, elsewhere, "evil.example.com", "http://evil.example.com", false},
		{"a foreign page on a network", nil, elsewhere, "mcp.internal", "https://evil.example.com", false},
		{"no host and no origin of its own", nil, elsewhere, "", "null", false},

		{"the host that is listed", public, loopback, "docs.example.com", "", true},
		{"the host that is listed, in capitals", public, elsewhere, "DOCS.example.com:443", "", true},
		{"a page of the host that is listed", public, elsewhere, "docs.example.com", "https://docs.example.com", true},
		{"an origin that is listed", public, elsewhere, "docs.example.com", "https://app.example.com", true},
		{"a host that is not listed", public, elsewhere, "example.com", "", false},
		{"localhost when another host is listed", public, loopback, "localhost", "", false},
		{"an origin that is not listed", public, elsewhere, "docs.example.com", "https://evil.example.com", false},
		{"the origin that is listed by another scheme", public, elsewhere, "docs.example.com", "http://app.example.com", false},
		{"the origin that is listed with a port", public, elsewhere, "docs.example.com", "https://app.example.com:444", false},
		{"any origin", &mcp.HTTPOptions{AllowedOrigins: []string{"*"}}, loopback, "localhost", "https://evil.example.com", true},
		{"any origin, but not any host", &mcp.HTTPOptions{AllowedOrigins: []string{"*"}}, loopback, "evil.example.com", "https://evil.example.com", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := echoServer(t, nil)
			for path, handler := range map[string]http.Handler{"/mcp": s.HTTPHandler(test.opts), "/sse": s.SSEHandler(test.opts)} {
				for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete, http.MethodOptions} {
					ctx := context.WithValue(context.Background(), http.LocalAddrContextKey, &net.TCPAddr{IP: net.ParseIP(test.local), Port: 8080})
					ctx, cancel := context.WithCancel(ctx)
					cancel() // otherwise, GET /sse would not return
					req := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(initializeLine))
					req.Header.Set("Content-Type", "application/json")
					req.Host = test.host
					if test.origin != "" {
						req.Header.Set("Origin", test.origin)
					}
					w := httptest.NewRecorder()
					handler.ServeHTTP(w, req)
					if got := w.Code != http.StatusForbidden; got != test.ok {
						t.Errorf("%s %s: status %d: %s", method, path, w.Code, w.Body)
					}
					if !test.ok {
						conforms(t, "2026-07-28", "", w.Body.Bytes())
						if strings.Contains(w.Body.String(), `"id"`) {
							t.Errorf("a refusal with an id: %s", w.Body)
						}
					}
				}
			}
		})
	}
}

func TestARequestHasOneOrigin(t *testing.T) {
	proves(t, "http.origin.validate", "http.origin.403")
	for _, allowed := range []string{"https://app.example.com", "*"} {
		eachOverHTTP(t, func(t *testing.T, revision string) {
			w := host(t, echoServer(t, nil), &mcp.HTTPOptions{AllowedOrigins: []string{allowed}, CORS: true}).open(revision)
			w.with("Origin: https://app.example.com").say("one")
			for _, second := range []string{"https://evil.example.com", "https://app.example.com", ""} {
				two := w.with()
				two.head["Origin"] = []string{"https://app.example.com", second}
				if a := two.call("echo", `{"message":"x"}`); a.head.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("header %v", a.head)
				} else {
					a.wantError(http.StatusForbidden, mcp.CodeInvalidRequest)
				}
			}
		})
	}
}

func TestAForeignPageIsRefusedInEveryRevision(t *testing.T) {
	proves(t, "http.origin.403", "http.origin.403-body")
	revisionsOf(t, "http.origin.validate", func(t *testing.T, revision string) {
		bubble(t, func(t *testing.T) {
			endpoint := host(t, echoServer(t, nil), nil)
			const foreign = "Origin: https://evil.example.com"
			if revision == "2024-11-05" {
				p := endpoint.pair(revision, `{}`)
				p.web = p.with(foreign)
				p.send(callLine(1, "echo", `{"message":"x"}`)).want(http.StatusForbidden)
				a, err := p.try(http.MethodGet, "/sse", nil)
				must(t, err)
				a.want(http.StatusForbidden)
				return
			}
			w := endpoint.open(revision)
			page := w.with(foreign)
			for what, a := range map[string]*answer{
				"a call": page.call("echo", `{"message":"x"}`), "an initialize": page.post(initializeLine),
				"a notification": page.post(`{"jsonrpc":"2.0","method":"notifications/a"}`),
				"GET":            page.do(http.MethodGet, nil), "DELETE": page.do(http.MethodDelete, nil),
			} {
				m := a.want(http.StatusForbidden).message()
				if m.ID != nil || m.Error == nil || a.head.Get("Access-Control-Allow-Origin") != "" {
					t.Errorf("%s: %s", what, m.line)
				}
			}
			w.say("alive")
			w.with("Origin: http://localhost").say("a page of its own")
			w.with("Host: localhost:8080", "Origin: http://localhost").call("echo", `{"message":"x"}`).want(http.StatusForbidden)
		})
	})
}

func TestPagesOfOtherOrigins(t *testing.T) {
	bubble(t, func(t *testing.T) {
		endpoint := host(t, echoServer(t, nil), &mcp.HTTPOptions{AllowedOrigins: []string{"https://app.example.com"}, CORS: true})
		page := endpoint.web().with("Origin: https://app.example.com")
		preflight := page.with("Access-Control-Request-Method: POST", "Access-Control-Request-Headers: content-type, mcp-param-region").do(http.MethodOptions, nil).want(http.StatusNoContent)
		for name, want := range map[string]string{
			"Access-Control-Allow-Origin": "https://app.example.com", "Access-Control-Allow-Methods": "POST, GET, DELETE",
			"Access-Control-Allow-Headers": "Authorization, *", "Vary": "Origin",
		} {
			if got := preflight.head.Get(name); got != want {
				t.Errorf("%s: want %q, got %q", name, want, got)
			}
		}
		a := page.initialize("2025-11-25", `{}`)
		if a.head.Get("Access-Control-Allow-Origin") != "https://app.example.com" || !strings.Contains(a.head.Get("Access-Control-Expose-Headers"), "Mcp-Session-Id") {
			t.Errorf("header %v", a.head)
		}
		if a := page.with("Mcp-Session-Id: x").call("echo", `{}`).want(http.StatusNotFound); a.head.Get("Access-Control-Allow-Origin") == "" {
			t.Error("the page cannot read why it is refused")
		}
		other := endpoint.web().with("Origin: https://evil.example.com", "Access-Control-Request-Method: POST")
		if a := other.do(http.MethodOptions, nil).want(http.StatusForbidden); a.head.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("header %v", a.head)
		}
		if a := endpoint.web().initialize("2025-11-25", `{}`); a.head.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("header without an origin: %v", a.head)
		}
		// CORS is disabled by default.
		plain := host(t, echoServer(t, nil), &mcp.HTTPOptions{AllowedOrigins: []string{"https://app.example.com"}}).web().with("Origin: https://app.example.com")
		plain.with("Access-Control-Request-Method: POST").do(http.MethodOptions, nil).want(http.StatusMethodNotAllowed)
		if a := plain.initialize("2025-11-25", `{}`); a.head.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("header without CORS: %v", a.head)
		}
	})
}
