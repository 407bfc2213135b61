package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/netip"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/progress"
	"github.com/docent-mcp/docent/internal/span"
)

// maxHops is the maximum number of redirects of one request.
const maxHops = 5

var errStalled = errors.New("the host sent no data for too long")

// attempt makes one request and follows its redirects. Each hop checks again
// which addresses are allowed and whether to send the credential.
func (c *Client) attempt(ctx context.Context, r Request, encoding string, read bodyFunc) (failed *Error) {
	first, err := url.Parse(r.URL)
	if err != nil || first.Host == "" || first.Scheme != "https" && first.Scheme != "http" {
		return &Error{Kind: BadURL, URL: Redact(r.URL)}
	}
	if c.options.Offline || NetworkOff(ctx) {
		return &Error{Kind: Offline, URL: Redact(r.URL)}
	}
	ctx, end := span.Start(ctx, span.Client, "GET", slog.String("http.request.method", "GET"), slog.String("server.address", first.Hostname()), slog.String("url.full", Redact(r.URL)))
	defer func() {
		if failed != nil {
			end(failed)
		} else {
			end(nil)
		}
	}()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(c.stall(ctx), func() { cancel(errStalled) })
	defer watchdog.Stop()

	u, fromPrivate := first, r.Local
	for range maxHops + 1 {
		policy := publicOnly
		switch {
		case r.Configured && sameOrigin(u, first):
			policy = anyAddress
		case (r.Configured || r.Local) && fromPrivate && !r.PublicRedirects:
			policy = localNetwork
		}
		watchdog.Reset(c.stall(ctx))
		resp, private, err := c.hop(ctx, r, u, first, encoding, policy)
		if err != nil {
			return c.networkError(ctx, u, err)
		}
		next, stop := redirect(resp, u)
		if stop != nil {
			resp.Body.Close()
			return stop
		}
		if next != nil {
			_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // Read the rest so that the connection can be reused.
			resp.Body.Close()
			u, fromPrivate = next, private
			continue
		}
		defer resp.Body.Close()
		task := progress.Download(ctx, path.Base("/"+first.Path), resp.ContentLength)
		defer task.End()
		body := &bounded{r: resp.Body, remaining: r.Limit, arrived: func(n int) {
			watchdog.Reset(c.stall(ctx))
			task.Add(n)
		}}
		return c.answer(ctx, r, u, resp, private, body, read)
	}
	return &Error{Kind: Refused, URL: Redact(u.String()), Detail: "more than " + strconv.Itoa(maxHops) + " redirects"}
}

// hop makes one request and reports whether the server's address is private.
func (c *Client) hop(ctx context.Context, r Request, u, first *url.URL, encoding string, p policy) (*http.Response, bool, error) {
	private := false
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if addr, err := netip.ParseAddrPort(info.Conn.RemoteAddr().String()); err == nil {
			private = isSpecial(addr.Addr())
		}
	}})
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, false, err
	}
	req.URL.User = nil // Send credentials only in Authorization.
	req.Header.Set("User-Agent", c.agent)
	set(req.Header, "Accept", r.Accept)
	set(req.Header, "Accept-Encoding", encoding)
	set(req.Header, "Range", r.Range)
	set(req.Header, "If-None-Match", r.ETag)
	set(req.Header, "If-Modified-Since", r.LastModified)
	if r.Authorization != "" && sameOrigin(u, first) && (u.Scheme == "https" || r.Plain || Loopback(u.Hostname())) {
		req.Header.Set("Authorization", r.Authorization)
	}
	if proxy, err := c.options.Proxy(req); err == nil && proxy != nil {
		if err := p.checkHost(u.Hostname()); err != nil {
			return nil, false, err
		}
		resp, err := c.transports[anyAddress].RoundTrip(req)
		return resp, false, err
	}
	resp, err := c.transports[p].RoundTrip(req)
	return resp, private, err
}

func set(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

// sameOrigin reports whether two URLs have the same scheme, host and port.
func sameOrigin(a, b *url.URL) bool {
	return a.Scheme == b.Scheme && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "http" {
		return "80"
	}
	return "443"
}

// Loopback reports whether a host name or address is this machine's own.
func Loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// redirect returns the target of a redirect, or nil for other responses.
func redirect(resp *http.Response, u *url.URL) (*url.URL, *Error) {
	switch resp.StatusCode {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther,
		http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, nil
	}
	refuse := func(detail string) *Error {
		return &Error{Kind: Refused, URL: Redact(u.String()), Status: resp.StatusCode, Detail: detail}
	}
	next, err := resp.Location()
	if err != nil {
		return nil, refuse("a redirect without a URL")
	}
	if next.Scheme != "https" && next.Scheme != "http" {
		return nil, refuse("a redirect to a URL that is not http or https")
	}
	if u.Scheme == "https" && next.Scheme == "http" {
		return nil, refuse("a redirect from https to http")
	}
	next.User = nil
	return next, nil
}

// answer passes a successful response to read, and returns an error for every
// other status. local is passed to read.
func (c *Client) answer(ctx context.Context, r Request, u *url.URL, resp *http.Response, local bool, body *bounded, read bodyFunc) *Error {
	fail := &Error{URL: Redact(u.String()), Status: resp.StatusCode}
	resp.Header.Set(locationHeader, u.String())
	switch s := resp.StatusCode; {
	case s == http.StatusNotModified && (r.ETag != "" || r.LastModified != ""):
		if err := read(resp.Header, local, nil); err != nil {
			return c.networkError(ctx, u, err)
		}
		return nil
	case s == http.StatusOK && r.Range != "":
		fail.Kind = Whole
		return fail
	case s == http.StatusOK, s == http.StatusPartialContent && r.Range != "":
		if resp.ContentLength > r.Limit {
			fail.Kind, fail.Detail = TooLarge, sizeDetail(r.Limit)
			return fail
		}
		err := read(resp.Header, local, body)
		if body.remaining < 0 {
			fail.Kind, fail.Detail = TooLarge, sizeDetail(r.Limit)
			return fail
		}
		if err == nil {
			return nil
		}
		return c.networkError(ctx, u, err)
	case s == http.StatusNotFound:
		fail.Kind = NotFound
	case s == http.StatusGone:
		fail.Kind = Gone
	case s == http.StatusUnauthorized || s == http.StatusForbidden || s == http.StatusProxyAuthRequired:
		fail.Kind = Denied
	case s == http.StatusTooManyRequests:
		fail.Kind = Busy
	default:
		fail.Kind = Failed
	}
	fail.Challenge = strings.Join(resp.Header.Values("WWW-Authenticate"), ", ")
	fail.retryAfter = retryAfter(resp.Header)
	if words := serverWords(resp, body); !leaks(words, r.Authorization) {
		fail.Detail = words
	}
	return fail
}

// serverWords returns the beginning of an error page in plain text, or the
// message in a JSON response, for users.
func serverWords(resp *http.Response, body io.Reader) string {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	var text []byte
	switch {
	case kind == "text/plain":
		text, _ = io.ReadAll(io.LimitReader(body, 600))
	case kind == "application/json" || strings.HasSuffix(kind, "+json"):
		page, _ := io.ReadAll(io.LimitReader(body, 64<<10))
		text = sentenceOf(page)
	}
	words := strings.Join(strings.FieldsFunc(strings.ToValidUTF8(string(text), ""), func(r rune) bool {
		return unicode.IsSpace(r) || !unicode.IsPrint(r)
	}), " ")
	if len(words) > 200 {
		words = strings.ToValidUTF8(words[:200], "") + "…"
	}
	return words
}

// sentenceOf returns the text that a JSON object has under "error", "message" or "reason", or nil
// if there is none.
func sentenceOf(page []byte) []byte {
	var fields map[string]jsontext.Value
	if json.Unmarshal(page, &fields, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) != nil {
		return nil
	}
	for _, name := range []string{"error", "message", "reason"} {
		var s string
		if json.Unmarshal(fields[name], &s, jsontext.AllowInvalidUTF8(true)) == nil && s != "" {
			return []byte(s)
		}
	}
	return nil
}

// networkError returns an *Error for an error of the connection: err itself if it
// is one, or else an *Error whose Kind follows from the cause.
func (c *Client) networkError(ctx context.Context, u *url.URL, err error) *Error {
	if fetchErr, ok := errors.AsType[*Error](err); ok {
		return fetchErr
	}
	e := &Error{Kind: Unreachable, URL: Redact(u.String()), Err: err}
	var dns *net.DNSError
	var addr *addressError
	var netErr net.Error
	switch {
	case errors.As(err, &addr):
		e.Kind, e.Detail = Refused, addr.Error()
	case errors.Is(context.Cause(ctx), errStalled), errors.As(err, &netErr) && netErr.Timeout():
		e.Kind, e.Detail = Timeout, fmt.Sprintf(": the host sent no data for %s (set %s to wait longer)", c.options.Stall, StallVariable)
		if _, limited := networkEnd(ctx); limited {
			e.Detail = ": the host sent no data in time"
		}
	case errors.As(err, &dns) && dns.IsNotFound:
		e.Kind, e.Detail = NoHost, dns.Name
	}
	return e
}

// bounded is a body reader that reads at most left bytes and reports each
// read.
type bounded struct {
	r         io.Reader
	remaining int64 // bytes that may still be read; negative if the body is larger
	arrived   func(n int)
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.remaining < 0 {
		return 0, errors.New("too large")
	}
	if int64(len(p)) > b.remaining+1 {
		p = p[:b.remaining+1]
	}
	n, err := b.r.Read(p)
	if n > 0 {
		b.arrived(n)
	}
	if b.remaining -= int64(n); b.remaining < 0 {
		return 0, errors.New("too large")
	}
	return n, err
}

func retryAfter(h http.Header) time.Duration {
	v := h.Get("Retry-After")
	if n, err := strconv.Atoi(v); err == nil && n >= 0 && n < 1<<20 {
		return max(time.Duration(n)*time.Second, time.Millisecond)
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(time.Until(t), time.Millisecond)
	}
	return 0
}

func maxAge(h http.Header) time.Duration {
	for part := range strings.SplitSeq(h.Get("Cache-Control"), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if n, err := strconv.Atoi(value); strings.EqualFold(name, "max-age") && err == nil && n > 0 && n < 1<<30 {
			return time.Duration(n) * time.Second
		}
	}
	return 0
}
