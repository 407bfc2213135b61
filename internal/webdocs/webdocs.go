// Package webdocs reads documentation of a package from the web. Its sources are
// the llms-full.txt or llms.txt of the homepage that the package's metadata
// names, and the docs/ of its repository at the tag of the version.
//
// Every request goes directly to an address on the public Internet, without credentials. The
// address is checked before connecting and after each redirect. The size of content is limited, and
// content is cached; see docs/security.md.
package webdocs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
)

// Variable is the environment variable that enables documentation from the web.
const Variable = "DOCENT_WEB_DOCS"

// Enabled reports whether the environment enables documentation from the web.
func Enabled(env environ.Env) bool {
	v := env.Get(Variable)
	return v != "" && v != "0"
}

const (
	// maxPage is the maximum size in bytes of an llms-full.txt or llms.txt.
	maxPage = 8 << 20
	// maxArchive is the maximum size in bytes of a repository's compressed archive.
	maxArchive = 64 << 20
	// maxTime is the maximum duration of all requests for one package.
	maxTime = 20 * time.Second
	// pageAge is the time for which a page, or its absence, is cached.
	pageAge = 24 * time.Hour
)

// Options configure a Reader.
type Options struct {
	// Version is docent's version, which is sent in the user agent.
	Version string
	// Offline reads only cached content.
	Offline bool
	// Cache stores downloads.
	Cache *cachedir.Cache

	// loopback is an origin on this machine to which tests may send requests, or "" if there is
	// none.
	loopback string
	// hosts replace the table of git hosts, for tests.
	hosts []gitHost
	// now replaces the clock, for tests.
	now func() time.Time
}

// Reader reads documentation from the web. It is safe for concurrent use.
type Reader struct {
	client  *fetch.Client
	options Options
}

// New returns a Reader.
func New(o Options) *Reader {
	if o.hosts == nil {
		o.hosts = gitHosts
	}
	if o.now == nil {
		o.now = time.Now
	}
	return &Reader{options: o, client: fetch.New(fetch.Options{
		Version: o.Version, Offline: o.Offline, Attempts: 2,
		// No proxy is used, because it could connect to addresses that cannot be
		// checked here.
		Proxy: func(*http.Request) (*url.URL, error) { return nil, nil },
	})}
}

// Read returns the sections about a package from the web, each with its Origin,
// and notes, which are sentences about sections that could not be read.
func (r *Reader) Read(ctx context.Context, p *apidoc.Package) (sections []apidoc.Section, notes []string) {
	if p.Version == "" {
		return nil, nil // The names of the user's own packages must not leave this machine.
	}
	ctx, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	if page, note := r.page(ctx, p); note != "" {
		notes = append(notes, note)
	} else {
		sections = append(sections, page...)
	}
	if docs, note := r.docs(ctx, p); note != "" {
		notes = append(notes, note)
	} else {
		sections = append(sections, docs...)
	}
	return sections, notes
}

// get returns a request for a URL. Every host must have a public address,
// except the one on this machine that tests use.
func (r *Reader) get(address string, limit int64) fetch.Request {
	local := r.options.loopback
	return fetch.Request{URL: address, Limit: limit, PublicRedirects: true, Configured: local != "" && strings.HasPrefix(address, local+"/")}
}

// reason describes a failure for a note.
func reason(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("it took longer than %s", maxTime)
	}
	return err.Error()
}

// absent reports whether a failure means that the file does not exist.
func absent(err error) bool {
	failed, ok := errors.AsType[*fetch.Error](err)
	return ok && (failed.Kind == fetch.NotFound || failed.Kind == fetch.Gone)
}

// secure returns an HTTPS URL, or nil if that is not possible. It does not change the
// origin that tests use.
func (r *Reader) secure(address string) *url.URL {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil
	}
	if r.options.loopback == "" || u.Scheme+"://"+u.Host != r.options.loopback {
		u.Scheme = "https"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u
}
