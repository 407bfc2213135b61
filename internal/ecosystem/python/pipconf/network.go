package pipconf

import (
	"cmp"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/rootfs"
)

// Network contains the TLS and proxy settings for requests to one host.
type Network struct {
	cert, clientCert string // names of files
	certBy           string
	proxy            string
	insecure         bool
}

// NetworkFor returns the settings for requests to u about index i. A project's settings can disable
// verification only for the project's own index, and not for requests with the user's credential.
func (c *Config) NetworkFor(i *Index, u *url.URL, cred Credential) Network {
	var n Network
	for _, l := range c.layers {
		if l.project {
			continue
		}
		if n.cert == "" && l.cert != "" {
			n.cert, n.certBy = inDir(l.cert, l.dir), l.name
		}
		if n.clientCert == "" && l.clientCert != "" {
			n.clientCert = inDir(l.clientCert, l.dir)
		}
		n.proxy = cmp.Or(n.proxy, l.proxy)
		if slices.ContainsFunc(l.trusted, func(host string) bool { return matchesHost(host, u) }) {
			n.insecure = true
		}
	}
	if i != nil && i.insecure && i.URL != nil && sameOrigin(i.URL, u) && (!i.project || !cred.userOwned) {
		n.insecure = true
	}
	return n
}

// matchesHost reports whether a host, with or without a port, is the host of a URL.
func matchesHost(host string, u *url.URL) bool {
	if _, _, err := net.SplitHostPort(host); err == nil {
		return strings.EqualFold(host, u.Host)
	}
	return strings.EqualFold(host, u.Hostname())
}

// Key identifies the settings. Requests with equal keys can share a client.
func (n Network) Key() string {
	insecure := ""
	if n.insecure {
		insecure = "insecure"
	}
	return strings.Join([]string{n.cert, n.clientCert, n.proxy, insecure}, "\x00")
}

// TLS returns the TLS settings, or nil if nothing is configured.
func (n Network) TLS() (*tls.Config, error) {
	t := fetch.Trust{Insecure: n.insecure}
	var err error
	if n.cert != "" {
		if t.Roots, err = readPEM(n.cert); err != nil {
			return nil, badFile("certificates", n.cert, n.certBy, err)
		}
	}
	if n.clientCert != "" {
		if t.Certificate, err = readPEM(n.clientCert); err != nil {
			return nil, badFile("client certificate", n.clientCert, n.certBy, err)
		}
		t.Key = t.Certificate
	}
	config, err := t.Config()
	if err != nil {
		return nil, badFile("certificates", n.cert+n.clientCert, n.certBy, err)
	}
	return config, nil
}

// readPEM reads a file of certificates, or all files in a directory.
func readPEM(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil || !info.IsDir() {
		return project.ReadSettings(file, maxFile)
	}
	names, err := rootfs.Names(file, 1000)
	if err != nil {
		return nil, err
	}
	var all []byte
	for _, name := range names {
		if data, err := project.ReadSettings(filepath.Join(file, name), maxFile); err == nil {
			all = append(append(all, data...), '\n')
		}
	}
	return all, nil
}

func badFile(what, file, by string, err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		err = path.Err
	}
	return ecosystem.Fail(ecosystem.Refused, "the %s in %s, configured in %s, cannot be used: %v", what, file, by, err).WithNext("correct it there").WithErr(err)
}

// Proxy returns the function that chooses the proxy for a request.
func (c *Config) Proxy(n Network) func(*http.Request) (*url.URL, error) {
	return fetch.Proxies{Configured: n.proxy, Env: c.env}.For
}
