// Package fetch makes HTTP requests to package registries. It limits the size of
// responses and the time that they take, and retries requests that failed for a
// temporary reason. It sends credentials only to the host that they are for, and refuses private and
// local addresses unless the user has configured the host.
//
// It does not depend on any registry or language. Callers pass URLs and credentials from the user's
// configuration.
package fetch

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/memory"
)

// Options configure a Client. The zero value is suitable for a public registry.
type Options struct {
	// Version is docent's version. It is sent in the user agent "docent/VERSION".
	Version string
	// Offline makes every request fail immediately.
	Offline bool
	// Stall is the maximum time without progress: while connecting, before the response headers,
	// and between bytes of the body. If it is zero, it is 15 seconds. A host that stalled is not
	// contacted again.
	Stall time.Duration
	// Attempts is the maximum number of attempts for a request that fails for a temporary reason.
	// If it is zero, it is 3.
	Attempts int
	// MaxWait is the maximum delay that a server may request before a retry. If it is zero, it is
	// 10 seconds. The request fails if the server requests a longer delay.
	MaxWait time.Duration
	// Proxy returns the HTTP proxy for a request. If it is nil, the
	// environment variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY decide.
	Proxy func(*http.Request) (*url.URL, error)
	// TLS configures registries with private certificates. If it is nil, the system's root
	// certificates are used.
	TLS *tls.Config
}

// StallVariable is the environment variable that overrides Options.Stall.
const StallVariable = "DOCENT_STALL_TIMEOUT"

type networkOffKey struct{}

// WithoutNetwork returns a context in which every request fails immediately, as with
// Options.Offline.
func WithoutNetwork(ctx context.Context) context.Context {
	return context.WithValue(ctx, networkOffKey{}, true)
}

type networkEndKey struct{}

// WithNetworkUntil returns a context in which the network is off after the given time. A request that has begun earlier then
// fails as soon as the host sends no data.
func WithNetworkUntil(ctx context.Context, end time.Time) context.Context {
	return context.WithValue(ctx, networkEndKey{}, end)
}

func networkEnd(ctx context.Context) (end time.Time, limited bool) {
	end, limited = ctx.Value(networkEndKey{}).(time.Time)
	return end, limited
}

// NetworkOff reports whether a context comes from WithoutNetwork, or from WithNetworkUntil with a time that has passed.
func NetworkOff(ctx context.Context) bool {
	end, limited := networkEnd(ctx)
	return ctx.Value(networkOffKey{}) != nil || limited && !time.Now().Before(end)
}

// minStall is the minimum time that a request near the end of the network has to make progress.
const minStall = 500 * time.Millisecond

// stall returns the maximum time without progress of a request.
func (c *Client) stall(ctx context.Context) time.Duration {
	if end, limited := networkEnd(ctx); limited {
		return min(c.options.Stall, max(time.Until(end), minStall))
	}
	return c.options.Stall
}

type upstreamKey struct{}

// WithUpstream is like WithoutNetwork, but for a query that another server can answer. Nothing that
// only approximates the answer is used instead, such as an outdated answer of a registry or another
// version of a package.
func WithUpstream(ctx context.Context) context.Context {
	return context.WithValue(WithoutNetwork(ctx), upstreamKey{}, true)
}

// HasUpstream reports whether a context comes from WithUpstream.
func HasUpstream(ctx context.Context) bool { return ctx.Value(upstreamKey{}) != nil }

// ParseStall parses the value of StallVariable, which is a duration ("45s",
// "2m") or a number of seconds. It returns zero for other values.
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

// Stall returns the time without progress after which a request fails.
func (c *Client) Stall() time.Duration { return c.options.Stall }

// Close closes idle connections.
func (c *Client) Close() {
	for _, t := range c.transports {
		t.CloseIdleConnections()
	}
}

// Request is a GET request.
type Request struct {
	URL string
	// Configured is true if the URL's host is in the user's configuration, which may then have any
	// address.
	Configured bool
	// Local is true if a configured host on the local network named the URL
	// (see Response.Local), which may then have a private address.
	Local bool
	// PublicRedirects refuses redirects from any host to another origin on the
	// local network.
	PublicRedirects bool
	// Authorization is the header with that name (see Basic). It is sent only to the URL's own
	// origin. It is sent without encryption only to this machine, or if Plain is true.
	Authorization string
	// Plain is true if the user has chosen to send Authorization to the URL's
	// origin without encryption.
	Plain bool
	// Accept is the header with that name. If it is empty, any type is accepted.
	Accept string
	// Limit is the maximum size of the body after decompression, in bytes. If it is zero, it is 16
	// MiB.
	Limit int64
	// ETag and LastModified come from an earlier Response. The new Response is
	// NotModified if the server reports no change.
	ETag, LastModified string
	// Range requests a part of the resource, such as "bytes=0-99" or "bytes=-100". If the server
	// sends the whole resource instead, the error is an *Error of kind Whole.
	Range string
}

// Response is a successful response.
type Response struct {
	Body         []byte
	ETag         string
	LastModified string
	MaxAge       time.Duration // how long the response is fresh according to the server, or 0 if it does not specify it
	NotModified  bool          // whether the body is the one that the caller already has
	Local        bool          // whether the address that responded is not public
	URL          string        // the URL that responded, after redirects
	Link         string        // the Link headers, separated by commas
	Start, Total int64         // the offset of the first byte of a Range, and the size of the whole resource
}

const defaultLimit = 16 << 20

// Get makes a request and reads the whole body. Its error is an *Error.
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

// Read streams the body of a response to take, so the Response does not have a Body. take is not
// called if nothing has changed. It is called again if the connection breaks and the request is
// retried. An error of take becomes an *Error of kind Mismatch.
func (c *Client) Read(ctx context.Context, r Request, take func(body io.Reader) error) (*Response, error) {
	out := &Response{}
	begun, size := time.Now(), int64(0)
	encoding := ""
	if r.Range != "" {
		encoding = "identity" // the range refers to stored bytes, so they must not be compressed
	}
	err := c.retry(ctx, r, encoding, func(h http.Header, local bool, body io.Reader) error {
		out.Local = local
		out.URL = h.Get(locationHeader)
		out.Link = strings.Join(h.Values("Link"), ", ")
		out.Start, out.Total = contentRange(h.Get("Content-Range"))
		out.ETag, out.LastModified, out.MaxAge = h.Get("ETag"), h.Get("Last-Modified"), maxAge(h)
		if body == nil {
			out.NotModified = true
			return nil
		}
		if e := h.Get("Content-Encoding"); r.Range != "" && e != "" && e != "identity" {
			return &Error{Kind: Failed, URL: Redact(r.URL), Status: http.StatusPartialContent, Detail: "in an encoding that was not requested"}
		}
		reading := &watched{r: body}
		err := take(reading)
		if size = reading.size; err != nil && reading.err == nil {
			return located(refused(err), r.URL)
		}
		return reading.err
	})
	logRequest(ctx, r, begun, out, size, err)
	if err != nil {
		return nil, err
	}
	return out, nil
}

// bodyFunc reads a response. local is true if the address of the server is not public.
type bodyFunc func(h http.Header, local bool, body io.Reader) error

// locationHeader passes the URL that responded from an attempt to its caller. A server cannot set
// it.
const locationHeader = "Docent-Location"

// contentRange returns the first offset and the total size from text such as "bytes 0-99/1000".
// Both are -1 for any other text.
func contentRange(value string) (start, total int64) {
	var end int64
	if _, err := fmt.Sscanf(value, "bytes %d-%d/%d", &start, &end, &total); err != nil || start < 0 || end < start || total <= end {
		return -1, -1
	}
	return start, total
}

// watched counts bytes and records read errors, to distinguish a broken connection from invalid
// content.
type watched struct {
	r    io.Reader
	size int64
	err  error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.size += int64(n)
	if err != nil && err != io.EOF {
		w.err = err
	}
	return n, err
}

// retry makes attempts until one succeeds or fails permanently, or the maximum number is reached.
// Each attempt calls read with headers and body. The body is nil if nothing has changed.
func (c *Client) retry(ctx context.Context, r Request, encoding string, read bodyFunc) error {
	if r.Limit <= 0 {
		r.Limit = defaultLimit
	}
	defer memory.Idle(ctx)()
	for attempt := 1; ; attempt++ {
		err := c.attempt(ctx, r, encoding, read)
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

// backoff returns a delay that doubles with each attempt and is half random, so
// that clients do not all return at the same moment.
func backoff(attempt int) time.Duration {
	full := 250 * time.Millisecond << min(attempt-1, 6)
	return full/2 + rand.N(full/2) //nolint:gosec // chance is enough, nobody must be surprised
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
