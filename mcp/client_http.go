package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/mcp/internal/jsonrpc"
	"github.com/docent-mcp/docent/mcp/internal/retry"
)

// An HTTPTransport connects to a server over Streamable HTTP, in any revision. It also recognises a
// server that supports only HTTP with SSE, the transport of revision 2024-11-05. The client tries
// that transport if the server responds to POST with a 4xx status other than 401, 407, 429, or 403
// with a challenge (WWW-Authenticate).
type HTTPTransport struct {
	// URL is the server's endpoint.
	URL string
	// HTTPClient sends the requests; its Timeout must be 0. If it is nil, the transport uses its
	// own client. Redirects to another origin are not followed, unless HTTPClient.CheckRedirect
	// allows them.
	HTTPClient *http.Client
	// Header is added to each request. It can contain, for example, an API key or a bearer token
	// that you already have.
	Header http.Header
	// Authorizer adds credentials to requests. If it is nil, no credentials are added.
	Authorizer Authorizer
	// NoSSE disables HTTP with SSE, the transport of revision 2024-11-05.
	NoSSE bool
	// OnlySSE makes the client use HTTP with SSE, the transport of revision 2024-11-05, without
	// trying Streamable HTTP first. URL is then the address of the event stream. OnlySSE and NoSSE
	// exclude each other.
	OnlySSE bool

	memory memory
}

// An Authorizer adds credentials, such as an OAuth access token, to the HTTP
// requests of a client; see auth.OAuthClient. Its methods must be safe for
// concurrent use.
type Authorizer interface {
	// Authorize is called before each request is sent, including when it is sent again, and before
	// a private result is cached or taken from the cache. It may change the headers of req.
	Authorize(ctx context.Context, req *http.Request) error
	// Challenged is called when a request was refused with status 401 or 403. It returns nil if the
	// request should be sent again, because Authorize now has other credentials, or else the error
	// for the request. The body of resp contains at most the first 64 KiB.
	Challenged(ctx context.Context, resp *http.Response) error
}

// HTTPError is the error for a request that a server refused with an HTTP status. It wraps the
// JSON-RPC error in the body, if there is one.
type HTTPError struct {
	StatusCode int
	Header     http.Header
	Body       []byte // at most 64 KiB
	Err        *Error // JSON-RPC error in the body, or nil
}

func (e *HTTPError) Error() string {
	what := strings.TrimSpace(strconv.Itoa(e.StatusCode) + " " + http.StatusText(e.StatusCode))
	if e.Err != nil {
		return fmt.Sprintf("mcp: the server answered with HTTP status %s: %v", what, e.Err)
	}
	if text := strings.TrimSpace(string(e.Body)); text != "" && !strings.HasPrefix(text, "<") {
		return fmt.Sprintf("mcp: the server answered with HTTP status %s: %s", what, clip(strings.ToValidUTF8(text, "?"), 256))
	}
	return "mcp: the server answered with HTTP status " + what
}

// Unwrap returns Err.
func (e *HTTPError) Unwrap() error {
	if e.Err == nil {
		return nil
	}
	return e.Err
}

// Is lets the Client recognise statuses after which it tries HTTP with SSE.
func (e *HTTPError) Is(target error) bool {
	// Revisions before 2025-11-25 require clients to try HTTP with SSE after any 4xx status; later
	// revisions, only after 400, 404 and 405. Servers of revision 2024-11-05, and proxies in front
	// of them, also respond to POST with other statuses, such as 403, 415 and 422. An unnecessary
	// GET does no harm, because the client reports the response to POST if GET fails. Therefore a
	// Client tries GET after any 4xx status that does not concern credentials or rate limits. A
	// server of revision 2026-07-28 can be recognised by its error.
	return target == errWrongTransport && e.StatusCode/100 == 4 && !e.refused() && (e.Err == nil || !e.Err.isStateless())
}

// refused reports whether the status depends on the client or its request rate instead of the
// request, in which case another request would also be refused. A 403 without a challenge can
// depend on the request.
func (e *HTTPError) refused() bool {
	if e == nil {
		return false
	}
	switch e.StatusCode {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired, http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return true
	case http.StatusForbidden:
		return e.Header.Get("Www-Authenticate") != ""
	}
	return false
}

func (t *HTTPTransport) redials() bool       { return true }
func (t *HTTPTransport) remembered() *memory { return &t.memory }

func (t *HTTPTransport) dials() []dialer {
	streamable := func(_ context.Context, cc *clientConn) (link, error) { return newHTTPLink(t, cc) }
	sse := func(ctx context.Context, cc *clientConn) (link, error) { return dialSSE(ctx, t, cc) }
	switch {
	case t.OnlySSE:
		return []dialer{sse}
	case t.NoSSE:
		return []dialer{streamable}
	}
	return []dialer{streamable, sse}
}

// notFound returns the error for a connection after all kinds of transports have failed.
func (t *HTTPTransport) notFound(streamable, sse error) error {
	where := clip(t.URL, 256)
	if u, err := url.Parse(t.URL); err == nil {
		where = withoutSecrets(u)
	}
	return fmt.Errorf("no MCP server answers at %s; check the URL, especially its path (Streamable HTTP: %w; HTTP with SSE: %w)", where, inner{streamable}, inner{sse})
}

// withoutSecrets returns the URL for messages, without user information and query.
func withoutSecrets(u *url.URL) string {
	return clip(u.Scheme+"://"+u.Host+u.EscapedPath(), 256)
}

// sender sends HTTP requests to one server.
type sender struct {
	t       *HTTPTransport
	cc      *clientConn
	client  *http.Client
	private bool // whether client was made by this package
	url     *url.URL
	header  http.Header // headers of every request

	ctx     context.Context // parent context of all requests
	cancel  context.CancelFunc
	running sync.WaitGroup
	telling chan struct{} // limits the number of notifications and responses that are being sent

	runMu   sync.Mutex
	stopped bool // whether run no longer calls functions; guarded by runMu
}

// maxTelling is the maximum number of notifications and responses that are
// being sent at the same time. Additional ones are dropped.
const maxTelling = 64

func newSender(t *HTTPTransport, cc *clientConn) (*sender, error) {
	u, err := url.Parse(t.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, fmt.Errorf("HTTPTransport.URL %q is not an http or https URL", clip(t.URL, 256))
	}
	if t.NoSSE && t.OnlySSE {
		return nil, errors.New("HTTPTransport.NoSSE and OnlySSE exclude each other")
	}
	s := &sender{t: t, cc: cc, url: u, header: http.Header{}, telling: make(chan struct{}, maxTelling)}
	for name, values := range t.Header {
		s.header[http.CanonicalHeaderKey(name)] = values
	}
	s.ctx, s.cancel = context.WithCancel(cc.ctx)
	if t.HTTPClient != nil {
		copied := *t.HTTPClient
		s.client = &copied
	} else {
		s.private = true
		s.client = &http.Client{Transport: newHTTPClientTransport()}
	}
	if s.client.CheckRedirect == nil {
		s.client.CheckRedirect = sameOrigin
	}
	return s, nil
}

// maxResponseHead is the size in bytes of the longest header of a response.
const maxResponseHead = 1 << 20

// newHTTPClientTransport returns a copy of http.DefaultTransport that keeps many
// connections to one host.
func newHTTPClientTransport() http.RoundTripper {
	base, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	transport := base.Clone()
	transport.MaxIdleConnsPerHost = 128
	// Common servers, such as uvicorn and Node.js, close connections that have been idle for 5 s. A
	// POST that is sent at that moment fails and must not be repeated.
	transport.IdleConnTimeout = 4 * time.Second
	transport.MaxResponseHeaderBytes = maxResponseHead
	return transport
}

// sameOrigin allows at most 5 redirects, all within one origin, so that no header is sent to
// another origin. It is a CheckRedirect function of http.Client.
func sameOrigin(req *http.Request, via []*http.Request) error {
	if first := via[0].URL; req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
		return fmt.Errorf("mcp: the server redirects to another origin, %s://%s", req.URL.Scheme, req.URL.Host)
	}
	if len(via) >= 5 {
		return errors.New("mcp: the server redirects too often")
	}
	return nil
}

// maxErrorBody is the maximum number of bytes that are read from the body of a response with an
// error status.
const maxErrorBody = 64 << 10

// maxRefusals is the maximum number of times that one request is sent again after it was refused.
const maxRefusals = 3

// with returns the headers of every request with one more field.
func (s *sender) with(name, value string) http.Header {
	head := maps.Clone(s.header)
	head[name] = []string{value}
	return head
}

// requestBody is a bytes.Reader with a Close method that has no effect.
type requestBody struct{ bytes.Reader }

func newRequestBody(b []byte) *requestBody {
	r := new(requestBody)
	r.Reset(b)
	return r
}

func (*requestBody) Close() error { return nil }

// send sends a request. It sends the request again if it was refused because of missing credentials
// or load. head contains all headers except the credentials. The error is an *HTTPError for a
// status other than 2xx. The caller must close the body.
func (s *sender) send(ctx context.Context, method string, u *url.URL, head http.Header, body []byte) (*http.Response, error) {
	for refusals := 0; ; refusals++ {
		req := (&http.Request{Method: method, URL: u, Host: u.Host, Header: head, ContentLength: int64(len(body))}).WithContext(ctx)
		if body != nil {
			req.Body = newRequestBody(body)
			req.GetBody = func() (io.ReadCloser, error) { return newRequestBody(body), nil }
		}
		if s.t.Authorizer != nil {
			req.Header = maps.Clone(head)
			if err := s.t.Authorizer.Authorize(ctx, req); err != nil {
				return nil, fmt.Errorf("mcp: authorizing a request: %w", err)
			}
		}
		resp, err := s.client.Do(req)
		if err != nil {
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if e, ok := errors.AsType[*url.Error](err); ok {
				if failed, parseErr := url.Parse(e.URL); parseErr == nil {
					e.URL = withoutSecrets(failed)
				}
			}
			return nil, fmt.Errorf("mcp: %w", err)
		}
		if resp.StatusCode/100 == 2 {
			return resp, nil
		}
		failed := refusal(resp)
		again := refusals < maxRefusals
		switch resp.StatusCode {
		case http.StatusUnauthorized, http.StatusForbidden:
			// A sign-in only to end a session is not worthwhile.
			if s.t.Authorizer == nil || !again || method == http.MethodDelete {
				return nil, failed
			}
			resp.Body = io.NopCloser(bytes.NewReader(failed.Body))
			answered := s.cc.c.asks() // Challenged may ask the user
			err := s.t.Authorizer.Challenged(ctx, resp)
			answered()
			if err != nil {
				return nil, fmt.Errorf("%w: %w", failed, err)
			}
			s.cc.c.cache.clear() // the credentials may now belong to another user
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			wait, ok := retryAfter(resp.Header, s.cc.c.opts.Limits.MaxBackoff)
			if !ok || !again || !retry.Sleep(ctx, wait) {
				return nil, failed
			}
		default:
			return nil, failed
		}
	}
}

// retryAfter reads the Retry-After header. It returns false if the header has no valid time, or if
// the time exceeds maximum.
func retryAfter(head http.Header, maximum time.Duration) (time.Duration, bool) {
	value := head.Get("Retry-After")
	var wait time.Duration
	if seconds, err := strconv.Atoi(value); err == nil && seconds >= 0 && seconds < 1<<20 {
		wait = time.Duration(seconds) * time.Second
	} else if when, err := http.ParseTime(value); err == nil {
		wait = time.Until(when)
	} else {
		return 0, false
	}
	return max(wait, 0) + retry.Backoff(1, firstBackoff, maximum), wait <= maximum
}

// refusal returns the error for a response with an error status, and reads its
// body.
func refusal(resp *http.Response) *HTTPError {
	defer resp.Body.Close()
	e := &HTTPError{StatusCode: resp.StatusCode, Header: resp.Header}
	e.Body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	var m jsonrpc.Message
	if jsonrpc.Parse(e.Body, &m) == nil && m.Kind == jsonrpc.Response && m.Error != nil {
		if failed, ok := errors.AsType[*Error](serverError(m.Error)); ok {
			e.Err = failed
		}
	}
	return e
}

// tellOn sends a notification or a response in the background. It drops the
// message if maxTelling others are being sent.
func (s *sender) tellOn(send func(ctx context.Context) error) {
	select {
	case s.telling <- struct{}{}:
	default:
		s.cc.c.log.Warn("message to the server dropped, because too many are being sent")
		return
	}
	done := func() { <-s.telling }
	running := s.run(func() {
		defer done()
		s.sendBriefly(s.ctx, send)
	})
	if !running {
		done()
	}
}

// run calls f in the background, and returns true. After stop, it returns false without calling f.
func (s *sender) run(f func()) bool {
	s.runMu.Lock()
	defer s.runMu.Unlock()
	if s.stopped {
		return false
	}
	s.running.Go(f)
	return true
}

// sendBriefly calls send with a context that is cancelled when ctx or the sender ends, or after
// tellTimeout.
func (s *sender) sendBriefly(ctx context.Context, send func(ctx context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, tellTimeout)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	if err := send(ctx); err != nil && !errors.Is(ctx.Err(), context.Canceled) {
		s.cc.c.log.Debug("message to the server was not accepted", "error", err)
	}
}

// tellTimeout is the time limit for sending a notification or a response.
const tellTimeout = 30 * time.Second

// stop cancels all requests of the sender and waits until they have ended, for at most
// CloseTimeout.
func (s *sender) stop() error {
	s.cancel()
	s.runMu.Lock()
	s.stopped = true
	s.runMu.Unlock()
	done := make(chan struct{})
	go func() {
		s.running.Wait()
		close(done)
	}()
	ended := waitFor(done, s.cc.c.opts.Limits.CloseTimeout)
	if s.private {
		s.client.CloseIdleConnections()
	}
	if !ended {
		return errors.New("mcp: closing the connection to the server: a request has not ended")
	}
	return nil
}

// isEventStream reports whether the response is an event stream.
func isEventStream(resp *http.Response) bool {
	kind := resp.Header.Get("Content-Type")
	if kind == "application/json" {
		return false
	}
	kind, _, _ = mime.ParseMediaType(kind)
	return kind == "text/event-stream"
}

// httpLink is a link over Streamable HTTP (specification: Transports). Each
// request is a separate POST on its own goroutine.
type httpLink struct {
	*sender

	mu      sync.Mutex
	session string
	agreeOn *agreement                   // nil before the end of the handshake
	open    map[int64]context.CancelFunc // cancel functions of requests in flight
	closed  bool

	// head is the last result of the method headers. It was created for the agreement headFor and
	// the session ID session. It is nil if there is none.
	head    http.Header
	headFor *agreement

	workers *workers // goroutines that send requests
	end     func() error
}

func newHTTPLink(t *HTTPTransport, cc *clientConn) (*httpLink, error) {
	s, err := newSender(t, cc)
	if err != nil {
		return nil, err
	}
	l := &httpLink{sender: s, open: map[int64]context.CancelFunc{}, workers: newWorkers()}
	l.workers.join()
	l.end = sync.OnceValue(l.hangUp)
	return l, nil
}

func (l *httpLink) begin()       {}
func (l *httpLink) close() error { return l.end() }

// hangUp asks the server to end the session and stops the sender.
func (l *httpLink) hangUp() error {
	l.mu.Lock()
	session := l.session
	l.closed = true
	l.mu.Unlock()
	l.cancel()
	defer l.workers.leave()
	if session != "" {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(l.ctx), l.cc.c.opts.Limits.CloseTimeout)
		defer cancel()
		// The server may not support ending sessions, or may have already ended it.
		if resp, err := l.send(ctx, http.MethodDelete, l.url, l.headers(nil, ""), nil); err == nil {
			resp.Body.Close()
		}
	}
	return l.stop()
}

// headers returns the headers of a request to the server. a is the agreement for the message; nil
// means the agreement of the session.
func (l *httpLink) headers(a *agreement, accept string) http.Header {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.headersLocked(a, accept)
}

// headersLocked does the work of headers. The caller must hold mu.
func (l *httpLink) headersLocked(a *agreement, accept string) http.Header {
	if accept == acceptBoth && l.head != nil && l.headFor == a {
		return maps.Clone(l.head)
	}
	head := maps.Clone(l.header)
	if accept != "" {
		head["Accept"] = []string{accept}
	}
	if accept == acceptBoth {
		head["Content-Type"] = []string{"application/json"}
	}
	rules := a
	if a == nil || !a.rev.Stateless() {
		if l.session != "" {
			head[headerSession] = []string{l.session}
		}
		rules = l.agreeOn
	}
	if rules != nil && rules.rev.HasVersionHeader() {
		head[headerVersion] = []string{rules.rev.String()}
	}
	if accept == acceptBoth && a != nil {
		l.head, l.headFor = maps.Clone(head), a
	}
	return head
}

// acceptBoth are the media types accepted in the response to a POST.
const acceptBoth = "application/json, text/event-stream"

func (l *httpLink) start(_ context.Context, a *agreement, k *call) error {
	head := l.headers(a, acceptBoth)
	if a.rev.Stateless() {
		if err := mirror(head, k); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithCancel(l.ctx)
	x := &httpCall{l: l, a: a, id: k.id, opens: k.method == "initialize", ctx: ctx, head: head, body: bytes.Clone(k.line)}
	l.mu.Lock()
	if l.closed {
		l.mu.Unlock()
		cancel()
		return ErrClientClosed
	}
	l.open[k.id] = cancel
	l.running.Add(1)
	l.mu.Unlock()
	l.workers.run(x.run)
	return nil
}

func (l *httpLink) abandon(a *agreement, id int64, reason string) {
	if a.rev.HasSessions() {
		l.tell(cancellation(id, reason))
	}
	l.mu.Lock()
	cancel := l.open[id]
	l.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

func (l *httpLink) tell(line []byte) {
	a := l.cc.agreement()
	if a.rev.Stateless() && isResponse(line) {
		return
	}
	line = bytes.Clone(line)
	l.tellOn(func(ctx context.Context) error { return l.postOnly(ctx, a, line) })
}

func (l *httpLink) respond(ctx context.Context, line []byte) {
	a := l.cc.agreement()
	l.sendBriefly(ctx, func(ctx context.Context) error { return l.postOnly(ctx, a, line) })
}

// isResponse reports whether a message from this client is a response.
func isResponse(line []byte) bool {
	var m jsonrpc.Message
	return jsonrpc.Parse(line, &m) == nil && m.Kind == jsonrpc.Response
}

// postOnly sends a message that has no response.
func (l *httpLink) postOnly(ctx context.Context, a *agreement, line []byte) error {
	l.cc.trace(true, line)
	head := l.headers(a, acceptBoth)
	if a.rev.Stateless() {
		if method, ok := jsonrpc.String(member(line, "method")); ok {
			head[headerMethod] = []string{method}
		}
	}
	resp, err := l.send(ctx, http.MethodPost, l.url, head, line)
	if err != nil {
		return err
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, maxErrorBody))
	return resp.Body.Close()
}

func (l *httpLink) agreed(ctx context.Context, a *agreement) error {
	l.mu.Lock()
	l.agreeOn, l.head = a, nil
	l.mu.Unlock()
	if a.rev.Stateless() {
		return nil
	}
	if err := l.postOnly(ctx, a, initialized); err != nil {
		return fmt.Errorf("notifications/initialized: %w", err)
	}
	if opened := make(chan struct{}); l.run(func() { l.listen(sync.OnceFunc(func() { close(opened) })) }) {
		// Messages that the server sends before the stream is open would be lost.
		waitFor(opened, listenTimeout)
	}
	return nil
}

// listenTimeout is how long the first request waits until the server has opened the stream for
// messages that do not belong to a request.
const listenTimeout = time.Second

// httpCall is the POST of one request.
type httpCall struct {
	l     *httpLink
	a     *agreement
	id    int64
	opens bool // whether the request may open a session

	ctx  context.Context
	head http.Header
	body []byte
}

func (x *httpCall) run() {
	defer x.l.running.Done()
	defer x.done()
	x.post(x.ctx, x.head, x.body)
}

func (x *httpCall) done() {
	x.l.mu.Lock()
	cancel := x.l.open[x.id]
	delete(x.l.open, x.id)
	x.l.mu.Unlock()
	cancel()
}

// fail settles the request with err.
func (x *httpCall) fail(err error) { x.l.cc.settle(x.id, nil, err) }

func (x *httpCall) post(ctx context.Context, head http.Header, body []byte) {
	l := x.l
	resp, err := l.send(ctx, http.MethodPost, l.url, head, body)
	if err != nil {
		if status, ok := errors.AsType[*HTTPError](err); ok && status.StatusCode == http.StatusNotFound && len(head[headerSession]) > 0 {
			err = fmt.Errorf("%w: %w", errSessionEnded, err)
		}
		x.fail(err)
		return
	}
	if session := resp.Header.Get(headerSession); x.opens && session != "" {
		if !isVisible(session) {
			resp.Body.Close()
			x.fail(errors.New("mcp: the server's session id contains characters that are not allowed"))
			return
		}
		l.mu.Lock()
		l.session, l.head = session, nil
		l.mu.Unlock()
	}
	if isEventStream(resp) {
		x.follow(ctx, resp)
		return
	}
	defer resp.Body.Close()
	limit := l.cc.c.opts.Limits.MaxMessageBytes
	buffer := bodies.Get().(*bytes.Buffer)
	defer releaseBody(buffer)
	text, err := readBounded(buffer, resp, limit)
	switch {
	case err != nil && ctx.Err() == nil && x.a.rev.Stateless() && !errors.Is(err, errBodyTooLong):
		x.fail(fmt.Errorf("%w: %w", errStreamLost, err))
	case err != nil:
		x.fail(fmt.Errorf("mcp: reading the server's response: %w", err))
	case len(bytes.TrimSpace(text)) == 0:
		x.fail(noResponseError(fmt.Sprintf("mcp: the server answered the request with HTTP status %d and nothing else", resp.StatusCode)))
	case !l.cc.receive(text, x.id):
		x.fail(noResponseError("mcp: the body of the server's response is not a response to the request"))
	}
}

var errBodyTooLong = errors.New("it is larger than ClientLimits.MaxMessageBytes")

// readBounded reads the body of a response into b and returns its bytes.
func readBounded(b *bytes.Buffer, resp *http.Response, limit int) ([]byte, error) {
	if resp.ContentLength > int64(limit) {
		return nil, errBodyTooLong
	}
	b.Grow(int(min(max(resp.ContentLength, 0), keepBuffer)) + bytes.MinRead) // the Content-Length may be wrong
	if _, err := b.ReadFrom(&io.LimitedReader{R: resp.Body, N: int64(limit) + 1}); err != nil {
		return nil, err
	}
	if b.Len() > limit {
		return nil, errBodyTooLong
	}
	return b.Bytes(), nil
}

// isVisible reports whether s consists of visible ASCII characters.
func isVisible(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] > '~' {
			return false
		}
	}
	return len(s) <= 4096
}

// mirror sets the headers that repeat parts of the request (specification
// 2026-07-28: Streamable HTTP, Request Metadata).
func mirror(head http.Header, k *call) error {
	head[headerMethod] = []string{k.method}
	if namesInHeader(k.method) {
		head[headerName] = []string{encodeHeader(k.name)}
	}
	if k.tool == nil {
		return nil
	}
	for i := range k.tool.headers {
		p := &k.tool.headers[i]
		value, ok, err := p.value(k.args)
		if err != nil {
			return fmt.Errorf("mcp: tool %q: %w", k.name, err)
		}
		if ok {
			head[p.header] = []string{encodeHeader(value)}
		}
	}
	return nil
}

// value returns the value of the header for the given arguments. It returns false if the arguments
// do not contain the one that the header repeats.
func (p *headerParam) value(args []byte) (string, bool, error) {
	value := json.RawMessage(args)
	for _, name := range p.path {
		value = member(value, name)
	}
	switch {
	case len(value) == 0 || string(value) == "null":
		return "", false, nil
	case value[0] == '"':
		text, ok := jsonrpc.String(value)
		return text, ok, nil
	case string(value) == "true" || string(value) == "false":
		return string(value), true, nil
	}
	number := parseNumber(string(value))
	if number == nil || !number.IsInt() {
		return "", false, nil // the server will refuse the argument
	}
	if number.Num().CmpAbs(maxInteger.Num()) > 0 {
		return "", false, fmt.Errorf("the argument for header %s is an integer beyond 2^53-1, which a header cannot represent", p.header)
	}
	return number.Num().String(), true, nil
}
