// Package upstream asks a team's docent server for packages that are not on this machine. Only the
// names and versions of these packages are sent.
package upstream

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/quote"
)

const (
	// Variable is the environment variable with the URL of the server.
	Variable = "DOCENT_UPSTREAM"
	// KeyVariable is the environment variable with the key or token for the server.
	KeyVariable = "DOCENT_KEY"
)

// These are the paths of the server. The language and the package follow.
const (
	PackagesPath = "/v1/encoded"
	FilesPath    = "/v1/files"
)

const (
	// maxPackage is the maximum size of an encoded package in bytes.
	maxPackage = 64 << 20
	// maxProblem is the maximum size of an error in bytes.
	maxProblem = 1 << 20
	// maxKey is the maximum size of a key or token in bytes.
	maxKey = 16 << 10
	// timeout is the maximum time of a request. The server may have to read the package first.
	timeout = 2 * time.Minute
	// attempts is the maximum number of attempts of a request that the server asks to repeat later,
	// and maxWait the maximum delay before the next one.
	attempts = 4
	maxWait  = 10 * time.Second
	// pause is the time after a failed connection for which no other is attempted.
	pause = 10 * time.Second
)

// A Client asks a server. It is safe for concurrent use.
type Client struct {
	base     *url.URL
	invalid  error  // why there is no base
	keyFile  string // read for each request; empty for fixedKey
	fixedKey string
	version  string // of docent
	http     *http.Client

	certificates Certificates

	mu    sync.Mutex
	until time.Time // requests fail with down until this time
	down  error
}

// ParseServer returns the URL to which the paths of a server are added, for its URL with or without
// /mcp.
func ParseServer(server string) (*url.URL, error) {
	u, err := url.Parse(server)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil {
		return nil, errors.New("the server must be an http or https URL without a user name or password, such as https://docs.example.com/mcp")
	}
	u.RawQuery, u.Fragment = "", ""
	u.Path = strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), "/mcp")
	return u, nil
}

// Authorize adds a key or token to a request, unless it is empty. It fails if the key would reach
// another machine unencrypted.
func Authorize(r *http.Request, key string) error {
	if key == "" {
		return nil
	}
	if address, err := netip.ParseAddr(r.URL.Hostname()); r.URL.Scheme == "http" && r.URL.Hostname() != "localhost" && (err != nil || !address.IsLoopback()) {
		return fmt.Errorf("the key would be sent to %s unencrypted: use https", r.URL.Host)
	}
	r.Header.Set("Authorization", "Bearer "+key)
	return nil
}

// Settings specify how to reach a server. Empty fields are taken from the environment.
type Settings struct {
	Server       string // URL
	KeyFile      string // file with the key or token; the environment has the key itself
	Certificates Certificates
}

// New returns a client for a server, or nil if neither the settings nor the environment name one. It
// does not contact the server. version is the version of docent.
func New(o Settings, version string, getenv func(string) string) *Client {
	server := cmp.Or(o.Server, getenv(Variable))
	if server == "" {
		return nil
	}
	c := &Client{keyFile: o.KeyFile, version: version, certificates: CertificatesOf(o.Certificates, getenv)}
	if o.KeyFile == "" {
		c.fixedKey = strings.TrimSpace(getenv(KeyVariable))
	}
	c.base, c.invalid = ParseServer(server)
	c.http = c.certificates.Client()
	return c
}

// Check returns an error if the server cannot be asked because of the URL, the key or the certificates.
func (c *Client) Check() error {
	if c.invalid != nil {
		return c.invalid
	}
	if err := c.certificates.Check(c.base); err != nil {
		return err
	}
	key, err := c.key()
	if err != nil {
		return err
	}
	return Authorize(&http.Request{URL: c.base, Header: http.Header{}}, key)
}

// String returns the name of the server's host.
func (c *Client) String() string {
	if c.invalid != nil {
		return "the upstream server"
	}
	return c.base.Host
}

// ID identifies the server and the client, so that answers can be cached. It does not contain the key.
func (c *Client) ID() string {
	key, _ := c.key()
	sum := sha256.Sum256(fmt.Appendf(nil, "%v %s %s", c.base, key, c.certificates.identity()))
	return hex.EncodeToString(sum[:])
}

// key returns the key or token for the server.
func (c *Client) key() (string, error) {
	if c.keyFile == "" {
		return c.fixedKey, nil
	}
	f, err := os.Open(c.keyFile)
	if err != nil {
		return "", fmt.Errorf("the key for %s cannot be read: %w", c, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxKey+1))
	if err != nil {
		return "", fmt.Errorf("the key for %s cannot be read: %w", c, err)
	}
	key := strings.TrimSpace(string(data))
	if key == "" || len(key) > maxKey || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", fmt.Errorf("the file %s does not contain a key; docent token create creates one", c.keyFile)
	}
	return key, nil
}

// Package returns a package. q specifies the platform, the features, and whether the index of the
// package is requested.
func (c *Client) Package(ctx context.Context, language *ecosystem.Info, w ecosystem.MissingRelease, q *ecosystem.Query) (*apidoc.Package, error) {
	values := values(w, q)
	if q.Index {
		values.Set("index", "true")
	}
	data, err := c.get(ctx, PackagesPath, language, w, values, MediaType, maxPackage)
	if err != nil {
		return nil, err
	}
	p, err := decode(string(data))
	if err != nil {
		return nil, c.broken(w, err)
	}
	return p, nil
}

// File returns a file of a package, as ecosystem.Found.File does.
func (c *Client) File(ctx context.Context, language *ecosystem.Info, w ecosystem.MissingRelease, q *ecosystem.Query, name string) ([]byte, error) {
	values := values(w, q)
	values.Set("file", name)
	data, err := c.get(ctx, FilesPath, language, w, values, "application/octet-stream", ecosystem.MaxSourceFile)
	if failed, ok := errors.AsType[*ecosystem.Error](err); ok && failed.Reason == ecosystem.NotFound {
		return nil, fs.ErrNotExist
	}
	return data, err
}

func values(w ecosystem.MissingRelease, q *ecosystem.Query) url.Values {
	values := url.Values{}
	for name, value := range map[string]string{"version": w.Version, "platform": q.Platform, "features": q.Features} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values
}

// broken returns the error for an invalid response of the server.
func (c *Client) broken(w ecosystem.MissingRelease, err error) error {
	return ecosystem.Fail(ecosystem.Unreadable, "the response from %s about %s cannot be used: %v", c, w.Package, quote.Error(err)).WithErr(err).
		WithNext("report this to the operator of the server")
}

// unreachable returns the error for a server that cannot be asked.
func (c *Client) unreachable(w ecosystem.MissingRelease, err error) error {
	return ecosystem.Fail(ecosystem.Unreachable, "%s is not on this machine and cannot be requested from %s: %v", w.Package, c, quote.Error(err)).WithErr(err).
		WithNext("check the server's URL and your network connection, or try again")
}

// get requests a path, and repeats the request if the server asks for that.
func (c *Client) get(ctx context.Context, path string, language *ecosystem.Info, w ecosystem.MissingRelease, values url.Values, mediaType string, limit int64) ([]byte, error) {
	if err := cmp.Or(c.invalid, c.paused()); err != nil {
		return nil, c.unreachable(w, err)
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	u := *c.base.JoinPath(path, string(language.ID), url.PathEscape(w.Package))
	u.RawQuery = values.Encode()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, c.unreachable(w, err)
	}
	key, err := c.key()
	if err == nil {
		err = Authorize(r, key)
	}
	if err != nil {
		return nil, c.unreachable(w, err)
	}
	r.Header.Set("Accept", mediaType)
	r.Header.Set("User-Agent", strings.TrimSuffix("docent/"+c.version, "/"))
	for attempt := 1; ; attempt++ {
		response, err := c.http.Do(r)
		if err != nil {
			if err := c.certificates.refusal(ctx, address(c.base), err); err != nil {
				return nil, ecosystem.Fail(ecosystem.Refused, "%s does not accept the client certificate: %v", c, quote.Error(unwrapURL(err))).WithErr(err).
					WithNext("ask the operator of the server for a certificate, and specify it with %s", CertVariable)
			}
			if ctx.Err() == nil {
				c.fail(err)
			}
			return nil, c.unreachable(w, unwrapURL(err))
		}
		wait := retryAfter(response)
		if wait == 0 || attempt == attempts {
			return c.read(response, w, key, mediaType, limit)
		}
		response.Body.Close()
		select {
		case <-ctx.Done():
			return nil, c.unreachable(w, ctx.Err())
		case <-time.After(wait):
		}
	}
}

// retryAfter returns how long to wait before a request is repeated, or 0 for a response that is
// final.
func retryAfter(r *http.Response) time.Duration {
	if r.StatusCode != http.StatusTooManyRequests && r.StatusCode != http.StatusServiceUnavailable {
		return 0
	}
	seconds, err := strconv.Atoi(r.Header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		seconds = 1
	}
	return min(max(time.Duration(seconds)*time.Second, 100*time.Millisecond), maxWait)
}

// read returns the body of a response, or the error that it contains.
func (c *Client) read(response *http.Response, w ecosystem.MissingRelease, key, mediaType string, limit int64) ([]byte, error) {
	defer response.Body.Close()
	kind, _, _ := strings.Cut(response.Header.Get("Content-Type"), ";")
	if response.StatusCode != http.StatusOK {
		return nil, c.problem(response, w, key)
	}
	if kind != mediaType {
		return nil, c.broken(w, fmt.Errorf("its type is %q; the URL may not be that of a docent server", quote.Line(kind, 100)))
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	switch {
	case err != nil:
		return nil, c.unreachable(w, err)
	case int64(len(data)) > limit:
		return nil, c.broken(w, fmt.Errorf("it is larger than %d MiB", limit>>20))
	}
	return data, nil
}

// problem returns the error in a response.
func (c *Client) problem(response *http.Response, w ecosystem.MissingRelease, key string) error {
	switch status := response.StatusCode; {
	case status == http.StatusUnauthorized && key == "":
		return ecosystem.Fail(ecosystem.Refused, "%s needs a key, a token or a client certificate", c).WithNext("set %s or %s, or specify a file with the key", KeyVariable, CertVariable)
	case status == http.StatusUnauthorized:
		return ecosystem.Fail(ecosystem.Refused, "%s does not accept the key or token", c).WithNext("ask the operator of the server for a new one; docent token create creates keys")
	case status >= 300 && status < 400:
		return c.broken(w, errors.New("it is a redirect, which docent does not follow"))
	}
	var body struct {
		Error   string
		Failure *Failure
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, maxProblem))
	if err == nil {
		err = json.Unmarshal(data, &body)
	}
	switch status := response.StatusCode; {
	case err == nil && body.Failure != nil && body.Failure.What != "":
		return body.Failure.asError(c.String())
	case err == nil && body.Error != "":
		return c.unreachable(w, fmt.Errorf("%s (status %d)", text(body.Error, maxSentence), status))
	case status == http.StatusNotFound:
		return c.broken(w, errors.New("it has status 404; the URL is not that of a docent server, or its version is too old"))
	default:
		return c.unreachable(w, fmt.Errorf("it responded with status %d", status))
	}
}

// paused returns the error of the last attempt to connect, if that was recent.
func (c *Client) paused() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().Before(c.until) {
		return c.down
	}
	return nil
}

// fail makes requests fail for a while.
func (c *Client) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until, c.down = time.Now().Add(pause), unwrapURL(err)
}

// unwrapURL returns the cause of an error of net/http, without the URL.
func unwrapURL(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}
