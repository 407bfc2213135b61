package fetch

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/docent-mcp/docent/internal/environ"
)

func TestProxies(t *testing.T) {
	env := environ.Env{"https_proxy": "p.example:1", "HTTP_PROXY": "http://plain.example", "NO_PROXY": ".inner.example, 10.0.0.0/8,one.example:8443"}
	for _, tt := range []struct {
		name    string
		proxies Proxies
		url     string
		want    string
	}{
		{"the environment's for https", Proxies{Env: env}, "https://r.example/x", "http://p.example:1"},
		{"the environment's for http", Proxies{Env: env}, "http://r.example/x", "http://plain.example"},
		{"https_proxy for http if there is no other", Proxies{Env: environ.Env{"HTTPS_PROXY": "https://p.example"}}, "http://r.example", "https://p.example"},
		{"the configured one first", Proxies{Configured: "http://c.example", Env: env}, "https://r.example", "http://c.example"},
		{"none for this machine", Proxies{Env: env}, "https://localhost:1/x", ""},
		{"the configured one for this machine", Proxies{Configured: "http://c.example"}, "http://127.0.0.1:1/x", "http://c.example"},
		{"none for what lies below a name", Proxies{Env: env}, "https://a.inner.example", ""},
		{"none for a block of addresses", Proxies{Env: env}, "https://10.1.2.3/x", ""},
		{"none for a host with its port", Proxies{Env: env}, "https://one.example:8443/x", ""},
		{"one for another port", Proxies{Env: env}, "https://one.example/x", "http://p.example:1"},
		{"a list of its own", Proxies{NoProxy: "*", Env: env}, "https://r.example", ""},
		{"a list of its own instead of the environment's", Proxies{NoProxy: "x.example", Env: env}, "https://a.inner.example", "http://p.example:1"},
		{"nothing set", Proxies{}, "https://r.example", ""},
		{"what is no URL", Proxies{Configured: "http://"}, "https://r.example", "error"},
	} {
		got := ""
		u, err := tt.proxies.For(httptest.NewRequest(http.MethodGet, tt.url, nil))
		switch {
		case err != nil:
			got = "error"
		case u != nil:
			got = u.String()
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestTrust(t *testing.T) {
	if c, err := (Trust{}).Config(); c != nil || err != nil {
		t.Errorf("nothing set: %v, %v", c, err)
	}
	if c, err := (Trust{Insecure: true}).Config(); err != nil || !c.InsecureSkipVerify || c.RootCAs != nil {
		t.Errorf("insecure: %v, %v", c, err)
	}
	if _, err := (Trust{Roots: []byte("no PEM")}).Config(); !errors.Is(err, ErrNoRoots) {
		t.Errorf("no root: %v", err)
	}
	if _, err := (Trust{Certificate: []byte("no PEM")}).Config(); err == nil || errors.Is(err, ErrNoRoots) {
		t.Errorf("no certificate: %v", err)
	}
}

func TestHostsWithoutProxy(t *testing.T) {
	for _, test := range []struct {
		list, url string
		want      bool
	}{
		{"a.example, .b.example", "https://x.b.example", true},
		{"b.example", "https://xb.example", false},
		{"B.example", "https://b.EXAMPLE", true},
		{"*.b.example", "https://x.b.example", true},
		{"*", "https://x.example", true},
		{"x.example:8443", "https://x.example:8443", true},
		{"x.example:8443", "https://x.example", false},
		{"10.0.0.0/8", "https://10.1.2.3", true},
		{"10.1.2.3", "https://10.1.2.3:81", true},
		{"", "https://x.example", false},
	} {
		u, err := url.Parse(test.url)
		if err != nil {
			t.Fatal(err)
		}
		if bypasses(test.list, u) != test.want {
			t.Errorf("%s in %q is %v", test.url, test.list, !test.want)
		}
	}
}
