package swift

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/docent-mcp/docent/internal/archive"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

// These are the media types of a registry's responses.
const (
	registryJSON = "application/vnd.swift.registry.v1+json"
	registryZip  = "application/vnd.swift.registry.v1+zip"
)

// These constants limit the lists of a registry.
const (
	maxPages    = 50
	maxReleases = 50_000
)

// releaseList is a registry's response about a package.
type releaseList struct {
	Releases map[string]struct {
		Problem *struct {
			Status int    `json:"status"`
			Title  string `json:"title"`
			Detail string `json:"detail"`
		} `json:"problem"`
	} `json:"releases"`
}

var errNoReleases = errors.New("it does not list any releases")

func parseReleases(data []byte) (*releaseList, error) {
	list := &releaseList{}
	if err := json.Unmarshal(data, list, lenient); err != nil || list.Releases == nil {
		return nil, errNoReleases
	}
	return list, nil
}

// registryVersions returns the versions of a package that a registry offers, with
// the newest first.
func (f *finder) registryVersions(ctx context.Context, r registry, identity string) ([]swiftpm.Version, error) {
	scope, name, _ := swiftpm.RegistryID(identity)
	var versions []swiftpm.Version
	address := r.url + "/" + scope + "/" + name
	for range maxPages {
		k, err := f.answer(ctx, fetch.Request{URL: address, Configured: true, Authorization: r.authorization, Accept: registryJSON}, func(data []byte) error {
			_, err := parseReleases(data)
			return err
		})
		if err != nil {
			return nil, err
		}
		list, err := parseReleases(k.Body)
		if err != nil {
			return nil, err
		}
		for version, release := range list.Releases {
			if v, err := swiftpm.ParseVersion(version); err == nil && release.Problem == nil && len(versions) < maxReleases {
				versions = append(versions, v)
			}
		}
		next, ok := nextPage(address, k.Link)
		if !ok {
			break
		}
		address = next
	}
	slices.SortFunc(versions, func(a, b swiftpm.Version) int { return b.Compare(a) })
	return versions, nil
}

// maxIdentifiers is the maximum number of identities that a registry lists for a URL.
const maxIdentifiers = 100

// registered returns the packages of the project that come from registries and whose repository has
// the URL in the query. To find them, it queries the registries (SE-0292, "Lookup package
// identifiers registered for a URL").
func (f *finder) registered(ctx context.Context) []match {
	all := f.list()
	var names []string
	requests := map[string]bool{}
	for _, c := range all {
		r := f.registryFor(c.Identity)
		if c.Kind != swiftpm.Registry || r.url == "" || requests[r.url] {
			continue
		}
		requests[r.url] = true
		address := r.url + "/identifiers?url=" + url.QueryEscape(f.ask.url)
		k, err := f.answer(ctx, fetch.Request{URL: address, Configured: true, Authorization: r.authorization, Accept: registryJSON}, func(data []byte) error {
			_, err := parseIdentifiers(data)
			return err
		})
		if err != nil {
			continue // the registry does not support this request, or does not know the URL
		}
		if found, err := parseIdentifiers(k.Body); err == nil {
			names = append(names, found...)
		}
	}
	return pick(all, func(c *candidate) (string, bool) {
		return f.ask.module, c.Kind == swiftpm.Registry && slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, c.Identity) })
	})
}

// parseIdentifiers returns the identities that a registry lists for a URL.
func parseIdentifiers(data []byte) ([]string, error) {
	var list struct {
		Identifiers []string `json:"identifiers"`
	}
	if err := json.Unmarshal(data, &list, lenient); err != nil || list.Identifiers == nil {
		return nil, errors.New("it does not list any identifiers")
	}
	return list.Identifiers[:min(len(list.Identifiers), maxIdentifiers)], nil
}

// nextPage returns the URL of the next page from a Link header if it is on the same
// host.
func nextPage(address, header string) (string, bool) {
	base, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	for link := range strings.SplitSeq(header, ",") {
		target, parameters, _ := strings.Cut(strings.TrimSpace(link), ">")
		target, ok := strings.CutPrefix(target, "<")
		if !ok || !isNext(parameters) {
			continue
		}
		u, err := base.Parse(target)
		if err == nil && u.Scheme == base.Scheme && u.Host == base.Host && u.String() != address {
			return u.String(), true
		}
	}
	return "", false
}

func isNext(parameters string) bool {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if strings.EqualFold(name, "rel") && strings.EqualFold(strings.Trim(value, `"`), "next") {
			return true
		}
	}
	return false
}

// registryRelease chooses a version of a package in a registry.
func (f *finder) registryRelease(ctx context.Context, c *candidate, requirement swiftpm.Requirement, by string) (*located, error) {
	r := f.registryFor(c.Identity)
	if r.url == "" {
		return nil, f.noRegistry(c.Identity)
	}
	versions, err := f.registryVersions(ctx, r, c.Identity)
	if err != nil {
		return nil, f.hostError(r.url, c.Identity, err)
	}
	i := slices.IndexFunc(versions, requirement.Matches)
	if i < 0 && requirement.Any() && len(versions) > 0 {
		i = 0
		f.warnings = append(f.warnings, fmt.Sprintf("%s has no release yet; %s is a prerelease.", c.Identity, versions[0]))
	}
	if i < 0 {
		var near []string
		for _, v := range versions[:min(len(versions), maxNear)] {
			near = append(near, v.String())
		}
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s has no version of %s that satisfies the requirement %s", fetch.Redact(r.url), c.Identity, requirement).WithNear(near...).WithNext("request a version that exists")
	}
	if !requirement.Exact {
		f.seen.LimitAge(newestAge)
	}
	pinned := *c
	pinned.Version = versions[i].String()
	l := &located{identity: c.Identity, version: pinned.Version, traits: c.traits, module: f.ask.module}
	l.provenance.ChosenBy = by
	return l, f.fromRegistry(ctx, l, &pinned)
}

func (f *finder) noRegistry(identity string) error {
	return ecosystem.Fail(ecosystem.NotFound, "no registry is configured for %s", identity).
		WithTried(".swiftpm/configuration/registries.json of the project and of the user").WithNext("run swift package-registry set URL, or specify the package by its repository")
}

// fromRegistry sets l.dir if SwiftPM has already downloaded the package. Otherwise,
// it sets l.fetch so that reading the package downloads its archive from the
// registry.
func (f *finder) fromRegistry(ctx context.Context, l *located, c *candidate) error {
	if dir, source := f.registryDownload(c); dir != "" {
		l.dir = dir
		l.provenance.Source, l.provenance.Location, l.provenance.Integrity = source, dir, "not verified: docent used the files on this machine"
		return nil
	}
	r := f.registryFor(c.Identity)
	if r.url == "" {
		return f.noRegistry(c.Identity)
	}
	scope, name, _ := swiftpm.RegistryID(c.Identity)
	if _, err := swiftpm.ParseVersion(c.Version); err != nil {
		return ecosystem.Fail(ecosystem.Unreadable, "%.100q is not the version of a package in a registry", c.Version).WithErr(err).WithNext("run swift package update")
	}
	address := r.url + "/" + scope + "/" + name + "/" + url.PathEscape(c.Version)
	sum, vouched, err := f.checksum(ctx, r, address, c)
	if err != nil {
		return err
	}
	l.key = "sha256\x00" + sum
	l.provenance.Source, l.provenance.Location, l.provenance.Integrity = "registry", fetch.Redact(address)+".zip", "sha256 of "+vouched
	l.fetch = func(ctx context.Context) (fs.FS, error) { return f.registryArchive(ctx, l, r, address, sum, vouched) }
	return nil
}

// checksum returns the SHA-256 of the archive of a release. The checksum that
// SwiftPM has recorded and the one from the registry must be equal. vouched is a phrase that
// describes where the checksum comes from.
func (f *finder) checksum(ctx context.Context, r registry, address string, c *candidate) (sum, vouched string, err error) {
	recorded, file := f.fingerprint(c.Identity, c.Version)
	k, err := f.answer(ctx, fetch.Request{URL: address, Configured: true, Authorization: r.authorization, Accept: registryJSON}, func(data []byte) error {
		_, err := parseRelease(data)
		return err
	})
	if err != nil {
		if recorded != "" && ecosystem.Passing(err) {
			return recorded, "SwiftPM's fingerprints", nil
		}
		return "", "", f.hostError(r.url, c.Identity+" "+c.Version, err)
	}
	release, err := parseRelease(k.Body)
	if err != nil {
		return "", "", err
	}
	sum = release.sum
	unverified := ""
	if release.signed {
		unverified = "; its signature is not verified"
	}
	if recorded == "" {
		return sum, "the registry" + unverified, nil
	}
	if recorded != sum {
		return "", "", ecosystem.Fail(ecosystem.Refused, "the registry's checksum for %s %s differs from the one that SwiftPM recorded in %s", c.Identity, c.Version, file).
			WithNext("the release was replaced; find the reason before you use it")
	}
	return sum, "the registry and SwiftPM's fingerprints" + unverified, nil
}

var errNoRelease = errors.New("it does not contain the checksum of a source archive")

// releaseArchive describes the source archive of a release in a registry.
type releaseArchive struct {
	sum    string // SHA-256 in hexadecimal
	signed bool
}

// parseRelease parses a registry's description of the source archive of a
// release.
func parseRelease(data []byte) (releaseArchive, error) {
	var release struct {
		Resources []struct {
			Name     string `json:"name"`
			Type     string `json:"type"`
			Checksum string `json:"checksum"`
			Signing  *struct {
				Format string `json:"signatureFormat"`
			} `json:"signing"`
		} `json:"resources"`
		Metadata jsontext.Value `json:"metadata"`
	}
	if err := json.Unmarshal(data, &release, lenient); err != nil {
		return releaseArchive{}, errNoRelease
	}
	for _, resource := range release.Resources {
		if resource.Name == "source-archive" && resource.Type == "application/zip" {
			if sum := checksumOf(resource.Checksum); sum != "" {
				return releaseArchive{sum, resource.Signing != nil}, nil
			}
		}
	}
	return releaseArchive{}, errNoRelease
}

// registryArchive returns the archive of a release, from the cache or else from the
// registry. It is verified before it is parsed.
func (f *finder) registryArchive(ctx context.Context, l *located, r registry, address, sum, vouched string) (fs.FS, error) {
	digest, err := fetch.ParseHex("sha256", sum)
	if err != nil {
		return nil, err
	}
	name := "swift/archives/sha256-" + sum + ".zip"
	cached, err := f.sw.options.Cache.Fetch(ctx, name, func(file *os.File) error {
		ctx, cancel := context.WithTimeout(ctx, f.sw.options.Timeout)
		defer cancel()
		ask := fetch.Request{URL: address + ".zip", Configured: true, Authorization: r.authorization, Accept: registryZip, Limit: f.sw.options.MaxDownload}
		return f.sw.client.Save(ctx, ask, file, fetch.Check{AnyOf: []fetch.Digest{digest}})
	})
	if err != nil {
		if failed, ok := errors.AsType[*fetch.Error](err); ok && failed.Kind == fetch.Mismatch {
			return nil, ecosystem.Fail(ecosystem.Unreadable, "the archive of %s does not match the sha256 from %s", l.where(), vouched).WithErr(err).
				WithNext("docent discarded the download; check that the registry is correct")
		}
		return nil, f.hostError(r.url, l.where(), err)
	}
	f.closers = append(f.closers, cached)
	files, err := archive.OpenZip(cached, cached.Size(), f.unpackOptions())
	if err != nil {
		f.sw.options.Cache.Drop(name)
		return nil, archiveError(l, err)
	}
	return files, nil
}
