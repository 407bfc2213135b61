package python

import (
	"context"
	"errors"
	"net/url"

	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/fetch"
)

// indexes contains the settings of a query, and information about indexes that was collected during
// the query.
type indexes struct {
	config   *pipconf.Config
	standard *pipconf.Index // the default index, nil until it is needed
}

// settings returns the settings for this query.
func (f *finder) settings() *indexes {
	if f.indexes == nil {
		f.indexes = &indexes{config: f.config()}
		f.warnings = append(f.warnings, f.indexes.config.Problems...)
	}
	return f.indexes
}

// connection contains the settings for requests to a URL.
type connection struct {
	client *fetch.Client
	cred   pipconf.Credential
	// configured is true if the settings name the host, and plain if they allow
	// the credential to be sent without encryption.
	configured, plain bool
	network           pipconf.Network
}

// connect finds the credential, TLS settings and proxy for requests to u about a package from index
// i, which may be nil.
func (f *finder) connect(i *pipconf.Index, u *url.URL) (connection, error) {
	c := f.settings().config
	w := connection{cred: c.CredentialFor(i, u)}
	// Trust the default index to specify the hosts of its files, as package managers do.
	w.configured = i != nil && i.URL != nil && (i.URL.Host == u.Host || i.Standard && u.Scheme == "https")
	w.network = c.NetworkFor(i, u, w.cred)
	var err error
	if w.plain, err = c.AllowPlain(u, w.cred); err != nil {
		return w, err
	}
	w.client, err = f.py.client(c, w.network)
	return w, err
}

func (py *Python) client(c *pipconf.Config, n pipconf.Network) (*fetch.Client, error) {
	return py.clients.Get(n.Key(), func() (o fetch.Options, err error) {
		o = py.options.Fetch(py.env)
		o.Proxy = c.Proxy(n)
		o.TLS, err = n.TLS()
		return o, err
	})
}

// request returns the request for a URL.
func (w connection) request(u string, limit int64) fetch.Request {
	return fetch.Request{URL: u, Configured: w.configured, Authorization: w.cred.Authorization, Plain: w.plain, Limit: limit}
}

// timeout returns a context that ends downloads that take too long.
func (f *finder) timeout(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, f.py.options.Timeout, errSlow)
}

// errSlow is the cause of the cancellation of a request by timeout.
var errSlow = errors.New("it took too long")
