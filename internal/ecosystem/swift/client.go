package swift

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/environ"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// These constants limit the size of responses.
const (
	maxRefs    = 64 << 20 // maximum size in bytes of a list of tags, or of a registry's response
	maxSetting = 1 << 20  // maximum size in bytes of a settings file
)

// These are the times for which responses remain fresh.
const (
	answerTime = 10 * time.Minute
	newestAge  = 24 * time.Hour // time for which the newest release is cached
)

// hostAnswer is a cached response from a host.
type hostAnswer struct {
	ecosystem.Validity

	Body []byte
	Link string
}

// answer returns the response to a request from the cache while it is fresh, or
// else from the host. check returns an error if a response is not valid.
func (f *finder) answer(ctx context.Context, ask fetch.Request, check func([]byte) error) (*hostAnswer, error) {
	cache := f.sw.options.Cache
	name := cachedir.HashName("swift/answers/", ask.URL, ask.Accept, ask.Authorization)
	k, err := ecosystem.Answer(ctx, ecosystem.Question[hostAnswer]{
		Cache:  cache,
		File:   name,
		Limit:  2 * maxRefs,
		Enough: func(k *hostAnswer) bool { return k.Fresh(answerTime) },
		Ask: func(ctx context.Context, k ecosystem.Validity) (*hostAnswer, *fetch.Response, error) {
			ctx, cancel := context.WithTimeout(ctx, f.sw.options.Timeout)
			defer cancel()
			ask.Limit, ask.ETag, ask.LastModified = maxRefs, k.ETag, k.LastModified
			got, err := f.sw.client.Get(ctx, ask)
			if err != nil || got.NotModified {
				return nil, got, err
			}
			if wrong := check(got.Body); wrong != nil {
				return nil, nil, &fetch.Error{Kind: fetch.Mismatch, URL: fetch.Redact(ask.URL), Detail: "is not valid: " + wrong.Error(), Err: wrong}
			}
			return &hostAnswer{Body: got.Body, Link: got.Link}, got, nil
		},
	})
	if err == nil && k.Stale != nil {
		f.warnings = append(f.warnings, "Docent cannot reach the host ("+k.Stale.Error()+"), so these are the versions from an earlier request.")
	}
	return k, err
}

// login returns the user's entry for a host in their netrc file. It returns false
// if there is none.
func (f *finder) login(host string) (fetch.Login, bool) {
	file := environ.Below(f.sw.env.Home(), ".netrc")
	if file == "" {
		return fetch.Login{}, false
	}
	data, err := project.ReadSettings(file, maxSetting)
	if err != nil {
		return fetch.Login{}, false
	}
	for _, l := range fetch.ParseNetrc(data) {
		// The default entry would be sent to any host that a project specifies.
		if l.Machine != "" && strings.EqualFold(l.Machine, host) {
			return l, l.User != "" || l.Password != ""
		}
	}
	return fetch.Login{}, false
}

// request returns a request to a git host. configured is true if the project or
// the user's settings name the host.
func (f *finder) request(address string, configured bool) fetch.Request {
	ask := fetch.Request{URL: address, Configured: configured}
	u, err := url.Parse(address)
	if err != nil {
		return ask
	}
	if l, ok := f.login(u.Hostname()); ok {
		ask.Authorization, ask.Configured = fetch.Basic(l.User, l.Password), true
	}
	return ask
}
