package npm

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"

	"deps.dev/util/semver"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/fetch"
)

// packument contains the parts of a registry's document about a package that docent
// uses. It is much smaller than the document, and is cached on disk.
type packument struct {
	ecosystem.Validity

	Tags     map[string]string  `json:"tags"`
	Versions map[string]release `json:"versions"`
	// Times are the dates of the versions, which only full documents have.
	Times map[string]string `json:"times,omitempty"`
}

type release struct {
	Tarball    string `json:"t"`
	Integrity  string `json:"i,omitempty"`
	Shasum     string `json:"s,omitempty"`
	Deprecated string `json:"d,omitempty"`
}

const (
	// abbreviated is the media type of a document with only the fields needed for
	// installation, which is about a tenth of the size of the full document.
	abbreviated   = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*"
	full          = "application/json"
	maxPackument  = 128 << 20       // maximum size in bytes of a registry's document about a package
	packumentTime = 5 * time.Minute // lifetime if the registry does not specify one
)

var lenient = json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))

// parsePackument parses a registry's response as a stream, because it may be many times as
// large as the result.
func parsePackument(body io.Reader) (*packument, error) {
	var raw struct {
		Tags     map[string]string `json:"dist-tags"`
		Times    jsontext.Value    `json:"time"`
		Versions map[string]struct {
			Deprecated jsontext.Value `json:"deprecated"`
			Dist       struct {
				Tarball   string `json:"tarball"`
				Integrity string `json:"integrity"`
				Shasum    string `json:"shasum"`
			} `json:"dist"`
		} `json:"versions"`
	}
	if err := json.UnmarshalRead(body, &raw, lenient); err != nil {
		return nil, err
	}
	p := &packument{Tags: raw.Tags, Versions: make(map[string]release, len(raw.Versions))}
	for v, r := range raw.Versions {
		deprecated := ""
		if json.Unmarshal(r.Deprecated, &deprecated, lenient) != nil && bytes.Equal(r.Deprecated, []byte("true")) {
			deprecated = "This version is deprecated."
		}
		p.Versions[v] = release{r.Dist.Tarball, r.Dist.Integrity, r.Dist.Shasum, deprecated}
	}
	var times map[string]jsontext.Value
	if len(raw.Times) > 0 && json.Unmarshal(raw.Times, &times, lenient) == nil {
		p.Times = make(map[string]string, len(p.Versions))
		for v := range p.Versions {
			if at := ""; json.Unmarshal(times[v], &at, lenient) == nil {
				p.Times[v] = at
			}
		}
	}
	return p, nil
}

// pick chooses a version as npm does. For an exact version, pick returns that version;
// for a tag, the tagged version. For a range, it returns the version tagged latest if
// that is in the range and not deprecated. Otherwise, it returns the highest version in
// the range that is not deprecated, or else the highest of all. It returns false if
// there is none.
func (p *packument) pick(want string) (string, bool) {
	want = cmp.Or(want, "*")
	r, ok := parseRange(want)
	if !ok {
		v, ok := p.Tags[want]
		if ok {
			_, ok = p.Versions[v]
		}
		return v, ok
	}
	if r.exact != "" {
		_, ok := p.Versions[r.exact]
		return r.exact, ok
	}
	if latest := p.Tags["latest"]; r.matches(latest) || want == "*" {
		if known, ok := p.Versions[latest]; ok && known.Deprecated == "" {
			return latest, true
		}
	}
	best := ""
	for v, known := range p.Versions {
		if !r.matches(v) {
			continue
		}
		if best == "" || cmp.Or(
			compareBool(known.Deprecated == "", p.Versions[best].Deprecated == ""), compareVersions(v, best)) > 0 {
			best = v
		}
	}
	return best, best != ""
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// close lists versions to suggest instead of a missing one: its neighbours in the same
// major version, and the latest version.
func (p *packument) close(want string) []string {
	bound := strings.TrimLeft(want, "v=^~<> ")
	major, _, _ := strings.Cut(bound, ".")
	var near []string
	for v := range p.Versions {
		if strings.HasPrefix(v, major+".") && !isPrerelease(v) {
			near = append(near, v)
		}
	}
	slices.SortFunc(near, compareVersions)
	const maximum = 4
	after := len(near)
	for strings.Count(bound, ".") < 2 {
		bound += ".0"
	}
	if _, err := semver.NPM.Parse(bound); err == nil {
		after, _ = slices.BinarySearchFunc(near, bound, compareVersions)
	}
	first := max(0, min(after-maximum/2, len(near)-maximum))
	near = near[first:min(len(near), first+maximum)]
	if latest := p.Tags["latest"]; latest != "" && !slices.Contains(near, latest) {
		near = append(near, latest)
	}
	return near
}

// packument returns a registry's document about a package, with the dates of versions if
// dated is true. It uses the cached document if it is fresh, if the function enough accepts it
// regardless of its age, or if the registry cannot be reached.
func (f *finder) packument(ctx context.Context, r *npmrc.Registry, name string, dated bool, enough func(*packument) bool) (*packument, error) {
	u := *r.URL
	u.RawPath = u.EscapedPath() + strings.Replace(url.PathEscape(name), "/", "%2f", 1)
	u.RawPath = strings.Replace(u.RawPath, "%2F", "%2f", 1)
	u.Path += name
	w, err := f.connectionTo(ctx, r, name, r.URL)
	if err != nil {
		return nil, err
	}
	accept, file := abbreviated, packumentFile(r, w, name)
	if dated {
		accept, file = full, strings.TrimSuffix(file, ".json")+"-dated.json"
	}
	p, err := ecosystem.Answer(ctx, ecosystem.Question[packument]{
		Cache:   f.n.options.Cache,
		File:    file,
		Limit:   maxPackument,
		Valid:   func(p *packument) bool { return p.Versions != nil },
		Damaged: func() { f.triedDamaged("the registry's response about " + name) },
		Enough:  func(p *packument) bool { return enough(p) || p.Fresh(packumentTime) },
		Ask: func(ctx context.Context, k ecosystem.Validity) (p *packument, _ *fetch.Response, _ error) {
			ctx, cancel := context.WithTimeout(ctx, f.n.options.Timeout)
			defer cancel()
			ask := w.request(u.String(), maxPackument)
			ask.Accept, ask.ETag, ask.LastModified = accept, k.ETag, k.LastModified
			answer, err := w.client.Read(ctx, ask, func(body io.Reader) (err error) {
				p, err = parsePackument(body)
				return err
			})
			return p, answer, err
		},
	})
	if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind == fetch.Mismatch {
		return nil, &ecosystem.Error{
			Reason: ecosystem.Unreadable, What: fmt.Sprintf("the response from %s about %s is not a valid registry document", r.String(), name),
			Next: "check that the URL is an npm registry", Err: err,
		}
	}
	if err != nil {
		return nil, f.registryError(r, w, name, err)
	}
	return p, nil
}

// packumentFile returns the name of the cache file for a response. The name depends on the
// registry, the credential and the network settings in a project's files, so that responses for one
// user, or responses changed by a proxy, are not shown to another user.
func packumentFile(r *npmrc.Registry, w connection, name string) string {
	source := sha256.Sum256([]byte(strings.Join([]string{r.URL.String(), w.cred.Authorization, w.cred.CertificateName(), w.network.ProjectKey()}, "\x00")))
	nameHash := sha256.Sum256([]byte(name))
	return "npm/versions/" + hex.EncodeToString(source[:8]) + "/" + hex.EncodeToString(nameHash[:16]) + ".json"
}

// triedDamaged records that a cache file was damaged, in case the data cannot be
// downloaded again.
func (f *finder) triedDamaged(what string) {
	f.tried = append(f.tried, "the cache, where "+what+" was damaged and has been removed")
}
