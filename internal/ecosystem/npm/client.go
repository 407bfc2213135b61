package npm

import (
	"net/url"

	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/fetch"
)

// maxClients bounds the cached HTTP clients: one per combination of TLS and
// proxy settings, of which a machine has one or two.
const maxClients = 16

// client returns the HTTP client for requests to u with a credential.
func (n *NPM) client(c *npmrc.Config, net npmrc.Network, u *url.URL, cred npmrc.Credential) (*fetch.Client, error) {
	key := c.ClientKey(net, u, cred)
	n.mu.Lock()
	defer n.mu.Unlock()
	if client := n.clients[key]; client != nil {
		return client, nil
	}
	t, err := c.TLS(net, cred)
	if err != nil {
		return nil, err
	}
	if n.clients == nil || len(n.clients) >= maxClients {
		for _, client := range n.clients {
			client.Close()
		}
		n.clients = map[string]*fetch.Client{}
	}
	client := fetch.New(fetch.Options{
		Version: n.options.Version, Offline: n.offline, Stall: fetch.ParseStall(n.env.Get(fetch.StallVariable)),
		TLS: t, Proxy: net.Proxy(n.env, u, cred),
	})
	n.clients[key] = client
	return client, nil
}
