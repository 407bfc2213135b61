package npm

import (
	"cmp"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"github.com/docent-mcp/docent/internal/fetch"
)

// network is how requests to one host are to be made.
type network struct {
	strict, ca, cafile, secure, plain, noProxy found
	// project is true if a project's own file has a say in it.
	project bool
	// withheld is a setting of a project's file that is not used, since the
	// request carries a credential of the user's own.
	withheld found
}

// networkFor finds trust and proxies for requests to u. What a project's file
// says counts only for hosts that this project names as registries, and only
// where no credential of the user's own goes along: it can weaken the way to
// what is the project's, and to nothing else.
func (c *config) networkFor(u *url.URL, cred credential) network {
	named := c.namedByProject(u.Host)
	own := cred.present() && cred.own
	may := func(l layer) bool { return !l.project || named && !own }
	var n network
	for _, s := range []struct {
		key string
		at  *found
	}{
		{"strict-ssl", &n.strict}, {"cafile", &n.cafile}, {"ca", &n.ca},
		{"https-proxy", &n.secure}, {"proxy", &n.plain}, {"noproxy", &n.noProxy},
	} {
		if strings.HasPrefix(s.key, "ca") {
			*s.at = c.findAt(u, s.key, may)
		}
		if !s.at.set() {
			*s.at = c.find(s.key, may)
		}
		if s.at.text == "null" || s.at.lacks.any() && isAddress(s.key) {
			*s.at = found{}
		}
		n.project = n.project || s.at.layer.project
		if f := c.find(s.key, ofAny); f.layer.project && named && own {
			n.withheld = f
		}
	}
	return n
}

// findAt finds a setting that stands under a URL's host and path.
func (c *config) findAt(u *url.URL, key string, may func(layer) bool) found {
	path := u.Path
	for {
		at := strings.LastIndexByte(path, '/')
		path = path[:max(at, 0)]
		if f := c.find("//"+strings.ToLower(u.Host)+path+"/:"+key, may); f.set() || at <= 0 {
			return f
		}
	}
}

// mark tells the ways of different projects apart, so that what was answered on
// one of them is not taken for an answer on another. It is empty if no project
// has a say.
func (n network) mark() string {
	if !n.project {
		return ""
	}
	sum := sha256.Sum256([]byte(n.key()))
	return hex.EncodeToString(sum[:8])
}

func (n network) key() string {
	var all []string
	for _, f := range []found{n.strict, n.ca, n.cafile, n.secure, n.plain, n.noProxy} {
		all = append(all, f.key, f.layer.dir)
		for _, v := range f.all {
			all = append(all, v.text)
		}
	}
	return strings.Join(all, "\x00")
}

// maxClients bounds how many HTTP clients are kept: one for each way in which
// projects want to be connected, of which a machine has one or two.
const maxClients = 16

// client makes the HTTP client for requests to u with a credential.
func (n *NPM) client(c *config, net network, u *url.URL, cred credential) (*fetch.Client, error) {
	key := net.key()
	if cred.cert.set() {
		key = strings.Join([]string{key, u.Host, c.root, cred.cert.layer.dir, cred.cert.text, cred.key.layer.dir, cred.key.text}, "\x01")
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if known := n.clients[key]; known != nil {
		return known, nil
	}
	t, err := c.tls(n.env, net, cred)
	if err != nil {
		return nil, err
	}
	if n.clients == nil || len(n.clients) >= maxClients {
		for _, old := range n.clients {
			old.Close()
		}
		n.clients = map[string]*fetch.Client{}
	}
	made := fetch.New(fetch.Options{Version: n.options.Version, Offline: n.offline, Stall: fetch.ParseStall(n.env.Get(fetch.StallVariable)), TLS: t, Proxy: net.proxy(n.env, u, cred)})
	n.clients[key] = made
	return made, nil
}

// tls is nil if nothing is configured.
func (c *config) tls(env variables, net network, cred credential) (*tls.Config, error) {
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	set := false
	if strings.EqualFold(net.strict.text, "false") {
		t.InsecureSkipVerify, set = true, true // the user's own choice, as in npm
	}
	trusted := net.ca
	if net.cafile.set() {
		trusted = net.cafile
	}
	if trusted.set() {
		pem, err := c.pem(env, trusted)
		if err != nil {
			return nil, err
		}
		t.RootCAs, set = x509.NewCertPool(), true
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, c.badFile(trusted, errors.New("it holds no certificate"))
		}
	}
	if cred.cert.set() {
		cert, err := c.pem(env, cred.cert)
		if err != nil {
			return nil, err
		}
		private, err := c.pem(env, cred.key)
		if err != nil {
			return nil, err
		}
		pair, err := tls.X509KeyPair(cert, private)
		if err != nil {
			return nil, c.badFile(cred.cert, err)
		}
		t.Certificates, set = []tls.Certificate{pair}, true
	}
	if !set {
		return nil, nil
	}
	return t, nil
}

// proxy chooses the proxy of a request: the one that is configured, which npm
// takes for addresses of either kind, else that of the environment.
func (n network) proxy(env variables, u *url.URL, cred credential) func(*http.Request) (*url.URL, error) {
	configured := ""
	for _, f := range []found{n.secure, n.plain} {
		if f.text != "" && f.text != "false" && configured == "" {
			configured = f.text
		}
	}
	first := func(names ...string) string {
		for _, name := range names {
			if v := cmp.Or(env.Get(name), env.Get(strings.ToUpper(name))); v != "" {
				return v
			}
		}
		return ""
	}
	var hosts []string
	for _, v := range n.noProxy.all {
		hosts = append(hosts, v.text)
	}
	noProxy := cmp.Or(strings.Join(hosts, ","), first("no_proxy"))
	return func(r *http.Request) (*url.URL, error) {
		if cred.cert.set() && r.URL.Host != u.Host {
			return nil, fmt.Errorf("a redirect to %s is not followed with a client certificate", r.URL.Host)
		}
		proxy := configured
		if proxy == "" {
			switch {
			case fetch.Loopback(r.URL.Hostname()):
			case r.URL.Scheme == "https":
				proxy = first("https_proxy")
			default:
				proxy = first("http_proxy", "https_proxy", "proxy")
			}
		}
		if proxy == "" || bypasses(noProxy, r.URL) {
			return nil, nil
		}
		if !strings.Contains(proxy, "://") {
			proxy = "http://" + proxy
		}
		p, err := url.Parse(proxy)
		if err != nil || p.Host == "" {
			return nil, errors.New("the proxy that is configured is no URL")
		}
		return p, nil
	}
}

// bypasses tells whether a URL's host is in a list like NO_PROXY: of names,
// which stand for all below them, addresses and blocks of them, or "*".
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
