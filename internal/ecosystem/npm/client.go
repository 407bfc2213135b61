package npm

import (
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

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
	t := fetch.Trust{Insecure: strings.EqualFold(net.strict.text, "false")} // the user's own choice, as in npm
	var err error
	trusted := net.ca
	if net.cafile.set() {
		trusted = net.cafile
	}
	if trusted.set() {
		if t.Roots, err = c.pem(env, trusted); err != nil {
			return nil, err
		}
	}
	if cred.cert.set() {
		if t.Certificate, err = c.pem(env, cred.cert); err != nil {
			return nil, err
		}
		if t.Key, err = c.pem(env, cred.key); err != nil {
			return nil, err
		}
	}
	made, err := t.Config()
	switch {
	case errors.Is(err, fetch.ErrNoRoots):
		return nil, c.badFile(trusted, err)
	case err != nil:
		return nil, c.badFile(cred.cert, err)
	}
	return made, nil
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
	var hosts []string
	for _, v := range n.noProxy.all {
		hosts = append(hosts, v.text)
	}
	proxies := fetch.Proxies{Configured: configured, NoProxy: strings.Join(hosts, ","), Env: env.Env}
	return func(r *http.Request) (*url.URL, error) {
		if cred.cert.set() && r.URL.Host != u.Host {
			return nil, fmt.Errorf("a redirect to %s is not followed with a client certificate", r.URL.Host)
		}
		return proxies.For(r)
	}
}
