// Package webdocs reads what the web says of a package: the llms-full.txt or
// llms.txt of the homepage that the package's metadata names, and the docs/ of
// its repository at the tag of the version.
//
// Every request goes to an address on the public Internet, which is checked when
// it connects and after each redirect, directly and without credentials. What is
// read is bounded and cached; see SECURITY.md.
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

// Variable is the environment variable that asks for documentation from the web.
const Variable = "DOCENT_WEB_DOCS"

// Asked reports whether the environment asks for documentation from the web.
func Asked(env environ.Env) bool {
	v := env.Get(Variable)
	return v != "" && v != "0"
}

const (
	// maxPage bounds the bytes of a llms-full.txt or llms.txt.
	maxPage = 8 << 20
	// maxArchive bounds the bytes of a repository's archive, packed.
	maxArchive = 64 << 20
	// maxTime bounds the time of all requests for one package.
	maxTime = 20 * time.Second
	// pageAge is how long a page is cached, and the absence of anything.
	pageAge = 24 * time.Hour
)

// Options configure a Reader.
type Options struct {
	// Version is docent's version, sent as user agent.
	Version string
	// Offline reads what is cached alone.
	Offline bool
	// Cache keeps what was downloaded.
	Cache *cachedir.Cache

	// loopback allows requests to this origin on this machine, for tests.
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
		// A proxy connects to addresses that cannot be checked here.
		Proxy: func(*http.Request) (*url.URL, error) { return nil, nil },
	})}
}

// Read returns the sections that the web has about a package, each with its
// Origin, and notes on what could not be read, a sentence each.
func (r *Reader) Read(ctx context.Context, p *apidoc.Package) (sections []apidoc.Section, notes []string) {
	if p.Version == "" {
		return nil, nil // the user's own packages, whose names do not leave this machine
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

// get returns a request for a URL. Only the loopback exception of tests is
// configured: every other host must have a public address.
func (r *Reader) get(address string, limit int64) fetch.Request {
	local := r.options.loopback
	return fetch.Request{URL: address, Limit: limit, PublicRedirects: true, Configured: local != "" && strings.HasPrefix(address, local+"/")}
}

// reason words a failure for a note.
func reason(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("it took longer than %s", maxTime)
	}
	return err.Error()
}

// absent reports whether a failure means that there is no such file.
func absent(err error) bool {
	failed, ok := errors.AsType[*fetch.Error](err)
	return ok && (failed.Kind == fetch.NotFound || failed.Kind == fetch.Gone)
}

// secure returns a URL of the web with TLS, nil for any other. The origin that
// tests may use stays as it is.
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
