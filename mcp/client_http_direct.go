package mcp

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// A directTransport sends requests to one origin over HTTP/1.1 without TLS. The
// goroutine of a request itself writes the request and reads the response,
// whereas http.Transport has two more goroutines for each connection; a call
// takes about half the time. Requests to other origins, large requests, and
// requests with headers about the connection go to base.
type directTransport struct {
	base    *http.Transport
	host    string // host of the origin, as in a URL
	address string // address to dial

	mu      sync.Mutex
	idle    []*directConn // idle connections; the one used last is at the end
	sweeper *time.Timer   // closes connections that have been idle for a long time; nil if it is not running
}

const (
	// maxDirectBody is the maximum size in bytes of the body of a request. The whole request is
	// written before the response is read.
	maxDirectBody = 64 << 10
	// maxResponseHead is the maximum size in bytes of the header of a response.
	maxResponseHead = 1 << 20
	// maxInterim is the maximum number of interim responses (status 1xx) to a
	// request.
	maxInterim = 5
)

// newDirectTransport returns a directTransport for the origin of u. It returns base if u is not
// suitable, or if base is not configured with the defaults.
func newDirectTransport(base *http.Transport, u *url.URL) http.RoundTripper {
	if !canProbe || u.Scheme != "http" || !isVisible(u.Host) || !isVisible(u.RequestURI()) || u.User != nil ||
		base.DisableKeepAlives || base.MaxConnsPerHost != 0 || base.ResponseHeaderTimeout != 0 || base.DialContext == nil {
		return base
	}
	if base.Proxy != nil {
		if proxy, err := base.Proxy(&http.Request{Method: http.MethodPost, URL: u, Host: u.Host, Header: http.Header{}}); proxy != nil || err != nil {
			return base
		}
	}
	port := u.Port()
	if port == "" {
		port = "80"
	}
	return &directTransport{base: base, host: u.Host, address: net.JoinHostPort(u.Hostname(), port)}
}

// messages holds buffers for encoded requests.
var messages = sync.Pool{New: func() any { return new([]byte) }}

// RoundTrip implements http.RoundTripper.
func (t *directTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	buffer := messages.Get().(*[]byte)
	defer messages.Put(buffer)
	message, ok := t.appendHead((*buffer)[:0], req)
	if !ok {
		return t.base.RoundTrip(req)
	}
	message, err := appendBody(message, req)
	*buffer = message
	if err != nil {
		return nil, err
	}
	for {
		c, err := t.take(req.Context())
		if err != nil {
			return nil, err
		}
		resp, again, err := c.roundTrip(req, message)
		if err == nil {
			return resp, nil
		}
		if ctx := req.Context(); ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !again {
			return nil, err
		}
	}
}

// CloseIdleConnections closes the connections that no request uses.
func (t *directTransport) CloseIdleConnections() {
	t.closeIdle(time.Now().Add(time.Hour))
	t.base.CloseIdleConnections()
}

// appendHead appends the request line and the header of req. It returns false
// for a request that must go to base.
func (t *directTransport) appendHead(b []byte, req *http.Request) ([]byte, bool) {
	u := req.URL
	if u.Scheme != "http" || u.Host != t.host || req.Host != "" && req.Host != t.host || req.Close ||
		(req.Body == nil) != (req.ContentLength == 0) || req.ContentLength < 0 || req.ContentLength > maxDirectBody ||
		len(req.TransferEncoding) > 0 || len(req.Trailer) > 0 {
		return b, false
	}
	switch req.Method {
	case http.MethodPost, http.MethodGet, http.MethodDelete:
	default:
		return b, false
	}
	path := u.RequestURI()
	if !isVisible(path) {
		return b, false
	}
	b = append(append(append(b, req.Method...), ' '), path...)
	b = append(append(b, " HTTP/1.1\r\nHost: "...), t.host...)
	b = append(b, "\r\n"...)
	agent := false
	for name, values := range req.Header {
		switch http.CanonicalHeaderKey(name) {
		case "Connection", "Content-Length", "Expect", "Host", "Keep-Alive", "Proxy-Connection", "Te", "Trailer", "Transfer-Encoding", "Upgrade":
			return b, false
		case "User-Agent":
			if agent = true; len(values) != 1 || values[0] == "" {
				return b, false
			}
		}
		if !isPlainName(name) {
			return b, false
		}
		for _, value := range values {
			if !isFieldValue(value) {
				return b, false
			}
			b = append(append(b, name...), ": "...)
			b = append(append(b, value...), "\r\n"...)
		}
	}
	if !agent {
		b = append(b, "User-Agent: Go-http-client/1.1\r\n"...)
	}
	if req.Method == http.MethodPost || req.ContentLength > 0 {
		b = strconv.AppendInt(append(b, "Content-Length: "...), req.ContentLength, 10)
		b = append(b, "\r\n"...)
	}
	return append(b, "\r\n"...), true
}

// appendBody appends the body of req and closes it.
func appendBody(b []byte, req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return b, nil
	}
	defer req.Body.Close()
	n := len(b)
	b = append(b, make([]byte, req.ContentLength)...)
	_, err := io.ReadFull(req.Body, b[n:])
	return b, err
}

// isPlainName reports whether s consists of letters, digits, - and _.
func isPlainName(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_':
		default:
			return false
		}
	}
	return s != ""
}

// isFieldValue reports whether s can be the value of a header.
func isFieldValue(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' && s[i] != '\t' || s[i] == 0x7f {
			return false
		}
	}
	return s == "" || s[0] > ' ' && s[len(s)-1] > ' '
}

// take returns an idle connection, or else a new one.
func (t *directTransport) take(ctx context.Context) (*directConn, error) {
	for {
		t.mu.Lock()
		last := len(t.idle) - 1
		if last < 0 {
			t.mu.Unlock()
			break
		}
		c := t.idle[last]
		t.idle[last] = nil
		t.idle = t.idle[:last]
		t.mu.Unlock()
		if c.usable() {
			return c, nil
		}
		c.Close()
	}
	conn, err := t.base.DialContext(ctx, "tcp", t.address)
	if err != nil {
		return nil, err
	}
	c := &directConn{Conn: conn, t: t}
	if socket, ok := conn.(syscall.Conn); ok {
		raw, err := socket.SyscallConn()
		if err != nil {
			conn.Close()
			return nil, err
		}
		c.probe = newProbe(raw)
	}
	c.r = bufio.NewReader(c)
	return c, nil
}

// put keeps a connection for reuse by a later request, or closes it if enough
// are idle.
func (t *directTransport) put(c *directConn) {
	c.used, c.since = true, time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.idle) >= t.base.MaxIdleConnsPerHost {
		c.Close()
		return
	}
	t.idle = append(t.idle, c)
	if t.sweeper == nil {
		t.sweeper = time.AfterFunc(t.base.IdleConnTimeout, t.sweep)
	}
}

// sweep closes the connections that have been idle for IdleConnTimeout.
func (t *directTransport) sweep() { t.closeIdle(time.Now().Add(-t.base.IdleConnTimeout)) }

// closeIdle closes the idle connections that were last used at the time since
// or earlier.
func (t *directTransport) closeIdle(since time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for n < len(t.idle) && !t.idle[n].since.After(since) {
		t.idle[n].Close()
		n++
	}
	t.idle = append(t.idle[:0], t.idle[n:]...)
	clear(t.idle[len(t.idle):cap(t.idle)])
	if t.sweeper != nil {
		t.sweeper.Stop()
		t.sweeper = nil
	}
	if len(t.idle) > 0 {
		t.sweeper = time.AfterFunc(time.Until(t.idle[0].since.Add(t.base.IdleConnTimeout)), t.sweep)
	}
}

// A directConn is a connection of a directTransport. Only one request uses it
// at a time.
type directConn struct {
	net.Conn
	t     *directTransport
	probe *probe // nil if the connection is not a socket
	r     *bufio.Reader
	left  int64 // number of bytes that Read may still return
	used  bool
	since time.Time // last use
}

var errHeadTooLong = fmt.Errorf("the header of the server's response is larger than %d bytes", maxResponseHead)

// Read implements io.Reader. It returns errHeadTooLong once c.left bytes have
// been read.
func (c *directConn) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, errHeadTooLong
	}
	n, err := c.Conn.Read(p[:min(int64(len(p)), c.left)])
	c.left -= int64(n)
	return n, err
}

// usable reports whether the server has neither closed the idle connection nor
// sent data on it.
func (c *directConn) usable() bool { return c.probe == nil || c.probe.isQuiet() }

// roundTrip sends req, whose bytes on the wire are message. If again is true,
// the request has failed because the server had closed the idle connection, and
// can be sent on another one.
func (c *directConn) roundTrip(req *http.Request, message []byte) (resp *http.Response, again bool, err error) {
	stop := context.AfterFunc(req.Context(), func() { c.Close() })
	c.left = maxResponseHead
	n, err := c.Write(message)
	if err == nil {
		resp, err = c.response(req)
	}
	if err != nil {
		stop()
		c.Close()
		// If the server may have read the request, only a GET may be repeated.
		return nil, c.used && (n == 0 || req.Method == http.MethodGet), err
	}
	c.left = math.MaxInt64
	body := &directBody{c: c, body: resp.Body, ctx: req.Context(), stop: stop}
	body.keep = !resp.Close && resp.StatusCode != http.StatusSwitchingProtocols
	resp.Body = body
	if resp.ContentLength == 0 {
		body.end(io.EOF)
	}
	return resp, false, nil
}

// response reads the header of the response, and skips up to maxInterim interim
// responses.
func (c *directConn) response(req *http.Request) (*http.Response, error) {
	for range maxInterim + 1 {
		resp, err := http.ReadResponse(c.r, req)
		if err != nil || resp.StatusCode/100 != 1 || resp.StatusCode == http.StatusSwitchingProtocols {
			return resp, err
		}
	}
	return nil, errors.New("the server has sent too many interim responses")
}

// A directBody is the body of a response. At its end the connection is kept for
// the next request.
type directBody struct {
	c     *directConn
	body  io.ReadCloser
	ctx   context.Context
	stop  func() bool
	keep  bool
	err   error // error of all further reads
	ended atomic.Bool
}

func (b *directBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if b.ended.Load() {
		return 0, http.ErrBodyReadAfterClose
	}
	n, err := b.body.Read(p)
	if err != nil {
		if !errors.Is(err, io.EOF) && b.ctx.Err() != nil {
			err = b.ctx.Err()
		}
		b.end(err)
	}
	return n, err
}

// end makes further reads fail with err. If err is io.EOF, it keeps the
// connection for reuse where that is possible; otherwise it closes it.
func (b *directBody) end(err error) {
	b.err = err
	if b.ended.Swap(true) {
		return
	}
	if b.stop() && b.keep && errors.Is(err, io.EOF) && b.c.r.Buffered() == 0 {
		b.c.t.put(b.c)
		return
	}
	b.c.Close()
}

// Close closes the connection, unless the body has been read to its end. It may
// be called while Read is.
func (b *directBody) Close() error {
	if !b.ended.Swap(true) {
		b.stop()
		b.c.Close()
	}
	return nil
}
