// Package fetch asks package registries over HTTP. It bounds what it reads and
// how long it waits, tries again where that can help, sends a credential to
// its own host only, and keeps away from addresses that no registry has
// unless the user has configured the host.
//
// It knows no registry and no language: URLs and credentials come from the
// callers, who take them from the user's own configuration.
package fetch

import (
	"context"
	"crypto/tls"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// Options say how a Client behaves. The zero value is right for a public registry.
type Options struct {
	// Version is docent's own; the user agent is "docent/" and this.
	Version string
	// Offline makes every request fail at once.
	Offline bool
	// Stall is how long nothing may come: while connecting, before the headers
	// of an answer, and between bytes of its body; 15 seconds if zero. A host
	// that was silent for so long is not asked again.
	Stall time.Duration
	// Attempts is how often a request is made that fails for a reason that may
	// pass; 3 if zero.
	Attempts int
	// MaxWait is the longest wait before another attempt that a server may ask
	// for; 10 seconds if zero. If it asks for more, the request fails.
	MaxWait time.Duration
	// Proxy chooses the HTTP proxy of a request; nil is what the environment
	// says (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).
	Proxy func(*http.Request) (*url.URL, error)
	// TLS is for registries with certificates of their own; nil is the system's trust.
	TLS *tls.Config
}

// StallVariable is the environment variable that overrides Options.Stall.
const StallVariable = "DOCENT_STALL_TIMEOUT"

// ParseStall reads the value of StallVariable: a duration ("45s", "2m") or a
// number of seconds. It returns zero for what is neither, and so for none.
func ParseStall(value string) time.Duration {
	if seconds, err := strconv.ParseUint(value, 10, 16); err == nil {
		return time.Duration(seconds) * time.Second
	}
	d, err := time.ParseDuration(value)
	if err != nil || d < 0 {
		return 0
	}
	return d
}

// Client makes requests. It is safe for concurrent use.
type Client struct {
	options    Options
	agent      string
	transports [len(policies)]*http.Transport
	sleep      func(context.Context, time.Duration) error
}

// New returns a Client.
func New(o Options) *Client {
	if o.Stall <= 0 {
		o.Stall = 15 * time.Second
	}
	if o.Attempts <= 0 {
		o.Attempts = 3
	}
	if o.MaxWait <= 0 {
		o.MaxWait = 10 * time.Second
	}
	if o.Proxy == nil {
		o.Proxy = http.ProxyFromEnvironment
	}
	c := &Client{options: o, agent: "docent", sleep: sleep}
	if o.Version != "" {
		c.agent += "/" + o.Version
	}
	for i := range c.transports {
		c.transports[i] = newTransport(o, policies[i])
	}
	return c
}

// Close drops idle connections.
func (c *Client) Close() {
	for _, t := range c.transports {
		t.CloseIdleConnections()
	}
}

// Request is a GET request.
type Request struct {
	URL string
	// Configured says that the user's own configuration names the URL's host,
	// which may then have any address.
	Configured bool
	// Local says that an answer of a configured host on the local network, see
	// Response.Local, names the URL, which may then have a private address, too.
	Local bool
	// Authorization is the header of that name, sent to the URL's own origin
	// and never beyond a redirect to another; see Basic. It is not sent without
	// encryption except to this machine, or if Plain says so.
	Authorization string
	// Plain says that the user has chosen to send Authorization to the URL's own
	// origin without encryption.
	Plain bool
	// Accept is the header of that name; empty accepts anything.
	Accept string
	// Limit is how many bytes of body are read, after decompression; 16 MiB if zero.
	Limit int64
	// ETag and LastModified are what an earlier Response had. If the server says
	// that nothing has changed, the Response is NotModified.
	ETag, LastModified string
}

// Response is what a server answered with success.
type Response struct {
	Body         []byte
	ETag         string
	LastModified string
	MaxAge       time.Duration // how long the server says that the answer holds, 0 if it does not
	NotModified  bool          // the body is the one that the caller has
	Local        bool          // the address that answered is no public one
}

const defaultLimit = 16 << 20

// Get reads a whole answer into memory. A failure is a *Error.
func (c *Client) Get(ctx context.Context, r Request) (*Response, error) {
	var all []byte
	out, err := c.Read(ctx, r, func(body io.Reader) (err error) {
		all, err = io.ReadAll(body)
		return err
	})
	if err != nil {
		return nil, err
	}
	out.Body = all
	return out, nil
}

// Read hands the body of an answer to take while it comes, so that it is never
// in memory as a whole; the Response has no Body. take is not called if nothing
// has changed, and called anew if the connection broke and the request is made
// again. What take finds wrong with the bytes is a *Error of the kind Mismatch.
func (c *Client) Read(ctx context.Context, r Request, take func(body io.Reader) error) (*Response, error) {
	out := &Response{}
	err := c.retry(ctx, r, "", func(h http.Header, local bool, body io.Reader) error {
		out.Local = local
		out.ETag, out.LastModified, out.MaxAge = h.Get("ETag"), h.Get("Last-Modified"), maxAge(h)
		if body == nil {
			out.NotModified = true
			return nil
		}
		reading := &watched{r: body}
		if err := take(reading); err != nil && reading.err == nil {
			return located(refused(err), r.URL)
		}
		return reading.err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// taker is handed an answer; local is true if no public address gave it.
type taker func(h http.Header, local bool, body io.Reader) error

// watched remembers that reading failed, to tell a broken connection from
// bytes that are not what they should be.
type watched struct {
	r   io.Reader
	err error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// retry makes attempts until one succeeds, fails for good, or all are used up.
// take is called with the answer's headers and body, anew in each attempt, and
// with a nil body if the server says that nothing has changed.
func (c *Client) retry(ctx context.Context, r Request, encoding string, take taker) error {
	if r.Limit <= 0 {
		r.Limit = defaultLimit
	}
	for attempt := 1; ; attempt++ {
		err := c.attempt(ctx, r, encoding, take)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return &Error{Kind: Stopped, URL: Redact(r.URL), Err: context.Cause(ctx)}
		}
		if !err.passing() || attempt >= c.options.Attempts {
			return err
		}
		wait := backoff(attempt)
		if err.retryAfter > 0 {
			if err.retryAfter > c.options.MaxWait {
				return err
			}
			wait = err.retryAfter
		}
		if c.sleep(ctx, wait) != nil {
			return err
		}
	}
}

// backoff doubles with each attempt, half of it by chance, so that many
// clients do not come back at the same moment.
func backoff(attempt int) time.Duration {
	full := 250 * time.Millisecond << min(attempt-1, 6)
	return full/2 + rand.N(full/2) //nolint:gosec // chance is enough, nobody is to be surprised
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
