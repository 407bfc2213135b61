package rust

import (
	"context"
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/docent-mcp/docent/internal/cachedir"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
)

// registry is a registry whose config.json has been read.
type registry struct {
	source     cargoconf.Source
	client     *fetch.Client
	credential cargoconf.Credential
	// withheld is the reason why a credential is not sent, or "" if it is sent.
	withheld string

	Download string `json:"dl"`
	API      string `json:"api"`
	Auth     bool   `json:"auth-required"`
	local    bool   // whether it is on the local network
}

// client returns the HTTP client for the configuration's proxy and
// certificates.
func (f *finder) client() (*fetch.Client, error) {
	proxy, certificates := f.config.Proxy(), f.config.Certificates()
	key := []string{proxy, certificates, project.StampOf(certificates).Modified.String(), strconv.FormatBool(f.config.Offline())}
	return f.rs.clients.Get(strings.Join(key, "\x00"), func() (fetch.Options, error) {
		o := f.rs.options.Fetch(f.rs.env)
		o.Offline = o.Offline || f.config.Offline()
		o.Proxy = fetch.Proxies{Configured: proxy, Env: f.rs.env}.For
		var trust fetch.Trust
		if certificates != "" {
			roots, err := project.ReadSettings(certificates, maxManifest)
			if err != nil {
				return o, ecosystem.Fail(ecosystem.Unreadable, "docent cannot read the certificates in cargo's configuration (http.cainfo)").WithErr(err).WithNext("correct the path")
			}
			trust.Roots = roots
		}
		var err error
		if o.TLS, err = trust.Config(); err != nil {
			return o, ecosystem.Fail(ecosystem.Unreadable, "the certificates in %s cannot be used: %v", certificates, err).WithErr(err).WithNext("correct http.cainfo in cargo's configuration")
		}
		return o, nil
	})
}

// indexTime is the freshness lifetime of an index response if the index does not specify one.
const indexTime = 10 * time.Minute

// connect reads the config.json of a registry. If that fails, it returns a partial result along
// with the error.
func (f *finder) connect(ctx context.Context, s cargoconf.Source) (*registry, error) {
	s, err := f.addressed(s)
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(s.Index)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the address of the registry %s in %s is not a URL", s.Name, s.From).WithNext("correct it")
	}
	if !strings.HasSuffix(s.Index, "/") {
		s.Index += "/"
	}
	r := &registry{source: s}
	if r.client, err = f.client(); err != nil {
		return nil, err
	}
	r.credential = f.config.CredentialFor(s)
	if r.credential.Present() && r.credential.User && !s.User && !f.knownHost(s) {
		// A project could give its own host the name of a registry for which the user
		// has a token.
		r.credential, r.withheld = cargoconf.Credential{}, "the token in "+r.credential.From+" is not sent, because only the project's "+s.From+" gives the registry's address; run cargo fetch once, or configure the registry in the config.toml of CARGO_HOME"
	}
	data, err := f.indexFile(ctx, r, "config.json", func([]byte) error { return nil })
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, r, lenient); err != nil || r.Download == "" {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the config.json of the registry %s has no download URL", r).WithErr(err).WithNext("check the address in %s", s.From)
	}
	return r, nil
}

// knownHost reports whether cargo itself has used a registry on a source's host.
func (f *finder) knownHost(s cargoconf.Source) bool {
	return len(f.registryDirs(s, "index")) > 0
}

func (r *registry) String() string {
	if r.source.Default && !r.source.Replaced {
		return "cargo's default registry"
	}
	return fetch.Redact(r.source.Index)
}

// indexAnswer is a cached response from an index.
type indexAnswer struct {
	ecosystem.Validity

	Body string
}

// indexFile returns a file in an index, from the cache while it is fresh, or else from the
// registry. check returns an error if a response is not valid.
func (f *finder) indexFile(ctx context.Context, r *registry, name string, check func([]byte) error) ([]byte, error) {
	address := r.source.Index + name
	file := cachedir.HashName("rust/index/", address, r.credential.Token)
	k, err := ecosystem.Answer(ctx, ecosystem.Question[indexAnswer]{
		Cache:  f.rs.options.Cache,
		File:   file,
		Limit:  2 * maxIndexFile,
		Enough: func(k *indexAnswer) bool { return k.Fresh(indexTime) },
		Ask: func(ctx context.Context, k ecosystem.Validity) (*indexAnswer, *fetch.Response, error) {
			ctx, cancel := context.WithTimeout(ctx, f.rs.options.Timeout)
			defer cancel()
			ask := fetch.Request{URL: address, Configured: true, Limit: maxIndexFile, ETag: k.ETag, LastModified: k.LastModified}
			if r.Auth {
				ask.Authorization = r.credential.Token
			}
			answer, err := r.client.Get(ctx, ask)
			if denied, ok := errors.AsType[*fetch.Error](err); ok && denied.Kind == fetch.Denied && ask.Authorization == "" && r.credential.Present() {
				ask.Authorization = r.credential.Token
				answer, err = r.client.Get(ctx, ask)
			}
			if err != nil || answer.NotModified {
				return nil, answer, err
			}
			if err := check(answer.Body); err != nil {
				return nil, nil, ecosystem.Fail(ecosystem.Unreadable, "the response from %s about %s is not in the format of a registry index", r, name).WithErr(err).WithNext("check the address in %s", r.source.From)
			}
			return &indexAnswer{Body: string(answer.Body)}, answer, nil
		},
	})
	if err != nil {
		return nil, err
	}
	if k.Stale != nil {
		f.warnings = append(f.warnings, "The registry could not be reached again ("+k.Stale.Error()+"), so these are the versions from an earlier request.")
	}
	r.local = r.local || k.Local
	return []byte(k.Body), nil
}
