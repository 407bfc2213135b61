package fetch

import (
	"cmp"
	"errors"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/environ"
)

// Proxies chooses the proxy for a request.
type Proxies struct {
	// Configured is the proxy in the user's settings, for http and https. If it is empty,
	// HTTPS_PROXY and similar environment variables are used.
	Configured string
	// NoProxy lists hosts to which connections are direct: names (which include their subdomains),
	// addresses, address blocks, or "*". If it is empty, NO_PROXY is used.
	NoProxy string
	Env     environ.Env
}

// For returns the proxy for a request, or nil for a direct connection. It is meant for
// Options.Proxy.
func (p Proxies) For(r *http.Request) (*url.URL, error) {
	proxy := p.Configured
	if proxy == "" {
		switch {
		case Loopback(r.URL.Hostname()):
		case r.URL.Scheme == "https":
			proxy = p.variable("https_proxy")
		default:
			proxy = p.variable("http_proxy", "https_proxy", "proxy")
		}
	}
	if proxy == "" || bypasses(cmp.Or(p.NoProxy, p.variable("no_proxy")), r.URL) {
		return nil, nil
	}
	if !strings.Contains(proxy, "://") {
		proxy = "http://" + proxy
	}
	u, err := url.Parse(proxy)
	if err != nil || u.Host == "" {
		return nil, errors.New("the configured proxy is not a URL")
	}
	return u, nil
}

// variable returns the value of the first of these variables that is set, in lower or upper case,
// or "" if none is set.
func (p Proxies) variable(names ...string) string {
	for _, name := range names {
		if v := cmp.Or(p.Env.Get(name), p.Env.Get(strings.ToUpper(name))); v != "" {
			return v
		}
	}
	return ""
}

// bypasses reports whether a URL's host is in a list in the format of NO_PROXY.
func bypasses(list string, u *url.URL) bool {
	host := strings.ToLower(u.Hostname())
	ip, ipErr := netip.ParseAddr(host)
	for e := range strings.FieldsFuncSeq(strings.ToLower(list), func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		if e == "*" || e == u.Host {
			return true
		}
		if block, err := netip.ParsePrefix(e); err == nil && ipErr == nil && block.Contains(ip.Unmap()) {
			return true
		}
		e = strings.TrimPrefix(strings.TrimPrefix(e, "*"), ".")
		if e != "" && (host == e || strings.HasSuffix(host, "."+e)) {
			return true
		}
	}
	return false
}
