package npm

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// maxClients bounds how many HTTP clients are kept: one for each way in which
// projects want to be connected, of which a machine has one or two.
const maxClients = 16

const maxPEM = 4 << 20

// client makes the HTTP client for requests to u with a credential: with the
// certificates and proxies of the configuration.
func (n *NPM) client(c *config, u *url.URL, cred credential) (*fetch.Client, error) {
	settings := []string{cred.certFile, cred.keyFile}
	for _, key := range []string{"strict-ssl", "cafile", "ca", "https-proxy", "proxy", "noproxy"} {
		f := c.find(key)
		settings = append(settings, strings.Join(f.all, "\x01"), f.layer.dir)
	}
	if cred.certFile != "" {
		settings = append(settings, u.Host)
	}
	key := strings.Join(settings, "\x00")
	n.mu.Lock()
	defer n.mu.Unlock()
	if known := n.clients[key]; known != nil {
		return known, nil
	}
	t, err := tlsConfig(c, cred)
	if err != nil {
		return nil, err
	}
	if n.clients == nil || len(n.clients) >= maxClients {
		for _, old := range n.clients {
			old.Close()
		}
		n.clients = map[string]*fetch.Client{}
	}
	made := fetch.New(fetch.Options{Version: n.options.Version, Offline: n.offline, TLS: t, Proxy: proxyOf(c, n.env, u, cred)})
	n.clients[key] = made
	return made, nil
}

// tlsConfig is nil if nothing is configured.
func tlsConfig(c *config, cred credential) (*tls.Config, error) {
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	set := false
	if strings.EqualFold(c.get("strict-ssl"), "false") {
		t.InsecureSkipVerify, set = true, true // the user's own choice, as in npm
	}
	pem, from := "", ""
	if f := c.find("cafile"); f.value != "" && f.value != "null" {
		data, err := project.ReadFile(f.path(), maxPEM)
		if err != nil {
			return nil, badFile("cafile", f.layer.name, err)
		}
		pem, from = string(data), f.layer.name
	} else if f := c.find("ca"); f.value != "" && f.value != "null" {
		pem, from = strings.ReplaceAll(strings.Join(f.all, "\n"), `\n`, "\n"), f.layer.name
	}
	if pem != "" {
		t.RootCAs, set = x509.NewCertPool(), true
		if !t.RootCAs.AppendCertsFromPEM([]byte(pem)) {
			return nil, badFile("ca or cafile", from, fmt.Errorf("it holds no certificate"))
		}
	}
	if cred.certFile != "" {
		cert, err := project.ReadFile(cred.certFile, maxPEM)
		if err != nil {
			return nil, badFile("certfile", cred.certFile, err)
		}
		private, err := project.ReadFile(cred.keyFile, maxPEM)
		if err != nil {
			return nil, badFile("keyfile", cred.keyFile, err)
		}
		pair, err := tls.X509KeyPair(cert, private)
		if err != nil {
			return nil, badFile("certfile", cred.certFile, err)
		}
		t.Certificates, set = []tls.Certificate{pair}, true
	}
	if !set {
		return nil, nil
	}
	return t, nil
}

func badFile(key, from string, err error) error {
	return &ecosystem.Error{
		Reason: ecosystem.Unreachable, What: fmt.Sprintf("the %s of %s cannot be used: %v", key, from, err),
		Next: "correct it in .npmrc", Err: err,
	}
}

// proxyOf chooses proxies as .npmrc says, or nil for what the environment says.
func proxyOf(c *config, env environ, u *url.URL, cred credential) func(*http.Request) (*url.URL, error) {
	secure, plain := c.get("https-proxy"), c.get("proxy")
	for _, p := range []*string{&secure, &plain} {
		if *p == "null" || *p == "false" {
			*p = ""
		}
	}
	secure = cmp.Or(secure, plain)
	noProxy := cmp.Or(c.get("noproxy"), env["NO_PROXY"], env["no_proxy"])
	if secure == "" && plain == "" && cred.certFile == "" {
		return nil
	}
	return func(r *http.Request) (*url.URL, error) {
		if cred.certFile != "" && r.URL.Host != u.Host {
			return nil, fmt.Errorf("a redirect to %s is not followed with a client certificate", r.URL.Host)
		}
		proxy := plain
		if r.URL.Scheme == "https" {
			proxy = secure
		}
		if secure == "" && plain == "" {
			return http.ProxyFromEnvironment(r)
		}
		if proxy == "" || bypasses(noProxy, r.URL.Hostname()) {
			return nil, nil
		}
		p, err := url.Parse(proxy)
		if err != nil || p.Host == "" {
			return nil, fmt.Errorf("the proxy that .npmrc names is no URL")
		}
		return p, nil
	}
}

// bypasses tells whether a host is in a list like NO_PROXY.
func bypasses(list, host string) bool {
	for e := range strings.SplitSeq(list, ",") {
		e = strings.TrimPrefix(strings.TrimSpace(e), "*")
		e = strings.TrimPrefix(e, ".")
		if e != "" && (strings.EqualFold(host, e) || strings.HasSuffix(strings.ToLower(host), "."+strings.ToLower(e))) {
			return true
		}
	}
	return false
}
