package npmrc

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
)

// Network contains the TLS and proxy settings for requests to one host.
type Network struct {
	strict, ca, cafile, httpsProxy, proxy, noProxy found
	// fromProject is true if one of the settings comes from a project's file.
	fromProject bool
	// Withheld is a setting in a project's file that is ignored because the request carries the
	// user's own credential, as "strict-ssl of FILE".
	Withheld string
}

// NetworkFor returns the TLS and proxy settings for requests to u. Settings in a project's file
// apply only to hosts that the project specifies as registries, and only to requests without the
// user's own credential. A project can thus weaken only the connections to its own registries.
func (c *Config) NetworkFor(u *url.URL, cred Credential) Network {
	named := c.namedByProject(u.Host)
	personal := cred.Present() && cred.userOwned
	allowed := func(l layer) bool { return !l.project || named && !personal }
	var n Network
	for _, s := range []struct {
		key   string
		value *found
	}{
		{"strict-ssl", &n.strict}, {"cafile", &n.cafile}, {"ca", &n.ca},
		{"https-proxy", &n.httpsProxy}, {"proxy", &n.proxy}, {"noproxy", &n.noProxy},
	} {
		v := s.value
		if strings.HasPrefix(s.key, "ca") {
			*v = c.findForURL(u, s.key, allowed)
		}
		if !v.set() {
			*v = c.find(s.key, allowed)
		}
		if v.text == "null" || v.missing.Any() && isAddress(s.key) {
			*v = found{}
		}
		n.fromProject = n.fromProject || v.layer.project
		if f := c.find(s.key, anyLayer); f.layer.project && named && personal {
			n.Withheld = f.String()
		}
	}
	return n
}

// findForURL returns a setting for u's host and path, "//host/path/:key". The setting with the
// longest path takes precedence.
func (c *Config) findForURL(u *url.URL, key string, allowed func(layer) bool) found {
	path := u.Path
	for {
		slash := strings.LastIndexByte(path, '/')
		path = path[:max(slash, 0)]
		if f := c.find("//"+strings.ToLower(u.Host)+path+"/:"+key, allowed); f.set() || slash <= 0 {
			return f
		}
	}
}

// ProjectKey identifies the settings that come from a project's file, so that
// responses received with them are not used for other projects. It is empty if
// there are no such settings.
func (n Network) ProjectKey() string {
	if !n.fromProject {
		return ""
	}
	sum := sha256.Sum256([]byte(n.key()))
	return hex.EncodeToString(sum[:8])
}

func (n Network) key() string {
	var all []string
	for _, f := range []found{n.strict, n.ca, n.cafile, n.httpsProxy, n.proxy, n.noProxy} {
		all = append(all, f.key, f.layer.dir)
		for _, v := range f.all {
			all = append(all, v.text)
		}
	}
	return strings.Join(all, "\x00")
}

// ClientKey identifies the TLS and proxy settings for requests to u. Requests with
// equal keys can share an HTTP client.
func (c *Config) ClientKey(n Network, u *url.URL, cred Credential) string {
	key := n.key()
	if cred.cert.set() {
		key = strings.Join([]string{key, u.Host, c.root, cred.cert.layer.dir, cred.cert.text, cred.key.layer.dir, cred.key.text}, "\x01")
	}
	return key
}

// TLS returns the TLS settings for requests with a credential, or nil if none
// are configured.
func (c *Config) TLS(net Network, cred Credential) (*tls.Config, error) {
	t := fetch.Trust{Insecure: strings.EqualFold(net.strict.text, "false")} // As in npm, strict-ssl=false disables verification.
	var err error
	trusted := net.ca
	if net.cafile.set() {
		trusted = net.cafile
	}
	if trusted.set() {
		if t.Roots, err = c.pem(trusted); err != nil {
			return nil, err
		}
	}
	if cred.cert.set() {
		if t.Certificate, err = c.pem(cred.cert); err != nil {
			return nil, err
		}
		if t.Key, err = c.pem(cred.key); err != nil {
			return nil, err
		}
	}
	config, err := t.Config()
	switch {
	case errors.Is(err, fetch.ErrNoRoots):
		return nil, c.badFile(trusted, err)
	case err != nil:
		return nil, c.badFile(cred.cert, err)
	}
	return config, nil
}

// Proxy returns a function that chooses the proxy for a request: the configured
// proxy, which npm uses for both http and https, or else the environment's.
func (n Network) Proxy(env environ.Env, u *url.URL, cred Credential) func(*http.Request) (*url.URL, error) {
	configured := ""
	for _, f := range []found{n.httpsProxy, n.proxy} {
		if f.text != "" && f.text != "false" && configured == "" {
			configured = f.text
		}
	}
	var hosts []string
	for _, v := range n.noProxy.all {
		hosts = append(hosts, v.text)
	}
	proxies := fetch.Proxies{Configured: configured, NoProxy: strings.Join(hosts, ","), Env: env}
	return func(r *http.Request) (*url.URL, error) {
		if cred.cert.set() && r.URL.Host != u.Host {
			return nil, fmt.Errorf("docent does not follow a redirect to %s with a client certificate", r.URL.Host)
		}
		return proxies.For(r)
	}
}
