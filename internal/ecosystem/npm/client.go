package npm

import (
	"net/url"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/fetch"
)

// client returns the HTTP client for requests to u with a credential.
func (n *NPM) client(c *npmrc.Config, net npmrc.Network, u *url.URL, cred npmrc.Credential) (*fetch.Client, error) {
	return n.clients.Get(c.ClientKey(net, u, cred), func() (o fetch.Options, err error) {
		o = n.options.Fetch(n.env)
		o.Proxy = net.Proxy(n.env, u, cred)
		o.TLS, err = c.TLS(net, cred)
		return o, err
	})
}
