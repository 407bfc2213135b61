package ecosystem

import (
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
)

// Options configure a language. The zero value uses the environment of the
// process and allows the network.
type Options struct {
	// Env is the environment, in the form "NAME=value". If it is nil, the environment of this
	// process is used.
	Env []string
	// Offline forbids the use of the network. The environment variable
	// DOCENT_OFFLINE does the same if it is set to anything but "" and "0".
	Offline bool
	// Cache stores downloads and responses of registries. If it is nil, docent's directory in
	// the user's cache directory is used.
	Cache *cachedir.Cache
	// MaxDownload is the maximum size of a downloaded archive in bytes. If it is zero, the
	// language's default applies.
	MaxDownload int64
	// Timeout limits one network request, including retries. Zero means 2 minutes.
	// The context may end the request sooner.
	Timeout time.Duration
	// Version is docent's own version, which is sent to registries.
	Version string
}

// Resolve sets the defaults and returns the environment.
func (o *Options) Resolve(maxDownload int64) environ.Env {
	env := environ.Parse(o.Env)
	if o.MaxDownload <= 0 {
		o.MaxDownload = maxDownload
	}
	if o.Timeout <= 0 {
		o.Timeout = 2 * time.Minute
	}
	o.Offline = o.Offline || env.Offline()
	if o.Cache == nil {
		o.Cache = cachedir.New(cachedir.Default(env.Get), cachedir.Options{})
	}
	return env
}

// Fetch returns the options for an HTTP client of registries.
func (o *Options) Fetch(env environ.Env) fetch.Options {
	return fetch.Options{Version: o.Version, Offline: o.Offline, Stall: fetch.ParseStall(env.Get(fetch.StallVariable))}
}

// maxClients is the maximum number of cached clients. There is one for each
// combination of certificates and proxies; a machine usually has one or two.
const maxClients = 16

// Clients caches HTTP clients by their settings. The zero value is ready to use. It is safe for
// concurrent use.
type Clients struct {
	mu      sync.Mutex
	clients map[string]*fetch.Client
}

// Get returns the client for a key. If there is none, Get creates it with the
// options that the function options returns.
func (c *Clients) Get(key string, options func() (fetch.Options, error)) (*fetch.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if client := c.clients[key]; client != nil {
		return client, nil
	}
	o, err := options()
	if err != nil {
		return nil, err
	}
	if c.clients == nil || len(c.clients) >= maxClients {
		for _, client := range c.clients {
			client.Close()
		}
		c.clients = map[string]*fetch.Client{}
	}
	client := fetch.New(o)
	c.clients[key] = client
	return client, nil
}
