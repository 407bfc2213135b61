package python

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/python/pipconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// pageTime is the freshness lifetime of a page if its index does not specify one.
const pageTime = 5 * time.Minute

// page requests the page about a project from an index. It returns the cached page if that is
// fresh, if enough accepts it at any age, or if the index cannot be reached.
func (f *finder) page(ctx context.Context, i *pipconf.Index, name string, enough func(*page) bool) (*page, error) {
	if i.Dir != "" {
		return f.directoryPage(i, name)
	}
	u := i.URL
	if !i.Flat {
		u = i.URL.JoinPath(name + "/")
	}
	w, err := f.connect(i, u)
	if err != nil {
		return nil, err
	}
	p, err := ecosystem.Answer(ctx, ecosystem.Question[page]{
		Cache: f.py.options.Cache,
		File:  pageFile(u, w, name),
		Limit: maxPage,
		Valid: func(p *page) bool {
			p.group()
			return p.Files != nil
		},
		Damaged: func() {
			f.tried = append(f.tried, "the cache (the page about "+name+" was damaged and has been removed)")
		},
		Enough: func(p *page) bool { return enough(p) || p.Fresh(pageTime) },
		Ask: func(ctx context.Context, k ecosystem.Validity) (*page, *fetch.Response, error) {
			ctx, cancel := f.timeout(ctx)
			defer cancel()
			ask := w.request(u.String(), maxPage)
			ask.Accept, ask.ETag, ask.LastModified = acceptPage, k.ETag, k.LastModified
			answer, err := w.client.Get(ctx, ask)
			if err != nil || answer.NotModified {
				return nil, answer, err
			}
			base, err := url.Parse(answer.URL)
			if err != nil {
				base = u
			}
			p, err := parsePage(bytes.NewReader(answer.Body), base, name)
			return p, answer, err
		},
	})
	if errors.Is(err, errNoPage) {
		return nil, ecosystem.Fail(ecosystem.Unreadable, "the response from %s about %s is not a page of a package index", i, name).
			WithNext("check that the address from %s is the address of an index (it often ends in /simple)", i.Source).WithErr(err)
	}
	if err != nil {
		return nil, f.indexError(i, w, name, err)
	}
	return p, nil
}

// pageFile returns the name of a cached page. It depends on the credential and
// the connection, so that a page served to one user is not shown to another.
func pageFile(u *url.URL, w connection, name string) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{u.String(), w.cred.Authorization, w.network.Key()}, "\x00")))
	return "python/versions/" + hex.EncodeToString(sum[:16]) + "-" + name[:min(len(name), 40)] + ".json"
}

// directoryPage lists the files of a project in a directory.
func (f *finder) directoryPage(i *pipconf.Index, name string) (*page, error) {
	dir := i.Dir
	if !i.Flat {
		dir = filepath.Join(dir, name)
	}
	f.seen.Add(dir)
	p := &page{Files: []release{}}
	for _, file := range project.DirNames(dir) {
		path := filepath.Join(dir, file)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			u := url.URL{Scheme: "file", Path: filepath.ToSlash(path)}
			p.add(release{File: file, URL: u.String(), Size: info.Size()}, &u, name)
		}
	}
	if len(p.Files) == 0 {
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s has no %s", dir, name)
	}
	p.group()
	return p, nil
}

// versionRequest is a requested version, and the source of the request.
type versionRequest struct {
	specifiers pep440.Specifiers
	// exact is the version that a lock file selects, and files are the files that it allows.
	exact string
	files []lockedFile
	index *pipconf.Bound
	by    string
	// unused is true if the project does not use the distribution.
	unused bool
}

// lockedFile is a file that a lock file allows.
type lockedFile struct {
	name, url, sha256 string
	size              int64
}

// offer is a version in an index, and the file from which its documentation is read.
type offer struct {
	index   *pipconf.Index
	version string
	file    release
	name    fileName
	local   bool   // whether an index on the local network named the URL
	vouched string // description of where the hash comes from
	// meta is the METADATA of the wheel, if it was fetched from the index.
	meta *metadata
	// sdist is the source distribution of the version, or nil if none is listed.
	sdist *offer
	// foreign is true if there is no wheel of the version for the target.
	foreign bool
	yanked  string
}

// choose finds the version of a distribution in the indexes that serve it.
func (f *finder) choose(ctx context.Context, dist string, w versionRequest) (*offer, error) {
	name := pep508.Normalize(dist)
	if !validProject(name) {
		return nil, ecosystem.Fail(ecosystem.Invalid, "%q is not a valid distribution name", dist)
	}
	if o := f.lockedOffer(name, w); o != nil {
		return o, nil
	}
	bound := w.index
	if bound == nil {
		bound = f.settings().config.Bind(name, f.target.environment())
	}
	all, err := f.settings().config.Indexes(name, bound)
	if err != nil {
		return nil, err
	}
	if all, err = f.inOrder(all, bound != nil); err != nil && len(f.settings().config.Links()) == 0 {
		return nil, err
	}
	if bound == nil {
		// Files in a directory take precedence over indexes.
		if o := f.linked(ctx, name, w); o != nil {
			return o, nil
		}
	}
	if len(all) == 0 {
		if err != nil {
			return nil, err
		}
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s is not installed, and the settings disable all indexes (no-index)", dist).WithTried(f.tried...).WithNext("install it")
	}
	exact, _ := w.specifiers.Exact()
	exact = cmp.Or(w.exact, exact)
	i, p, err := f.firstPage(ctx, all, name, func(p *page) bool { return exact != "" && p.hasVersion(exact) })
	if err != nil {
		return nil, err
	}
	return f.pickSuitable(ctx, i, p, dist, w)
}

// firstPage returns the page about a distribution of the first index that has one.
func (f *finder) firstPage(ctx context.Context, all []*pipconf.Index, name string, enough func(*page) bool) (*pipconf.Index, *page, error) {
	var missing error
	for _, i := range all {
		p, err := f.page(ctx, i, name, enough)
		if failed, ok := errors.AsType[*ecosystem.Error](err); ok && failed.Reason == ecosystem.NotFound {
			missing = err
			f.tried = append(f.tried, i.String())
			continue
		}
		return i, p, err // A package with this name in another index may be a different one.
	}
	if failed, ok := errors.AsType[*ecosystem.Error](missing); ok && len(all) > 1 {
		failed.What, failed.Tried = fmt.Sprintf("none of the configured indexes has %s", name), f.tried
	}
	return nil, nil, missing
}

// inOrder puts the standard index, which is nil in all, after all others, because it is public and
// a package there must not hide a private package with the same name.
func (f *finder) inOrder(all []*pipconf.Index, bound bool) ([]*pipconf.Index, error) {
	var out []*pipconf.Index
	var last *pipconf.Index
	var missing error
	for _, i := range all {
		if i == nil {
			standard, err := f.standardIndex()
			if err != nil {
				missing = err
				continue
			}
			last = standard
			continue
		}
		if !bound && len(all) > 1 && f.isStandard(i) {
			last = i
			continue
		}
		out = append(out, i)
	}
	if last != nil {
		out = append(out, last)
	}
	if len(out) == 0 {
		return nil, missing
	}
	return out, nil
}

// isStandard reports whether a configured index is the package manager's default
// one.
func (f *finder) isStandard(i *pipconf.Index) bool {
	standard, err := f.standardIndex()
	return err == nil && i.URL != nil && standard.URL != nil && strings.EqualFold(standard.URL.Host, i.URL.Host)
}

// linked finds a version in the directories and pages of files that the settings name. It
// returns nil if they have no suitable version.
func (f *finder) linked(ctx context.Context, name string, w versionRequest) *offer {
	for _, i := range f.settings().config.Links() {
		p, err := f.page(ctx, i, name, func(*page) bool { return false })
		if err != nil {
			continue
		}
		if o, err := f.pickSuitable(ctx, i, p, name, w); err == nil {
			return o
		}
	}
	return nil
}

func (p *page) hasVersion(version string) bool {
	parsed := versionOf(version)
	return slices.ContainsFunc(p.byVersion, func(v versionFiles) bool { return v.is(version, parsed) })
}

func sameVersion(a, b string) bool { return a == b || pep440.Compare(a, b) == 0 }

// maxUnsuitable is the maximum number of versions whose metadata is fetched to find one
// that the target's Python can use.
const maxUnsuitable = 8

// pickSuitable is like pick, but also works for an index without information about the Python
// versions that its files support. It then reads that from the metadata of the wheel, before the
// wheel is downloaded.
func (f *finder) pickSuitable(ctx context.Context, i *pipconf.Index, p *page, dist string, w versionRequest) (*offer, error) {
	for range maxUnsuitable {
		o, err := f.pick(i, p, dist, w)
		if err != nil || o.file.Python != "" || f.target.python == "" || w.exact != "" {
			return o, err
		}
		m, err := f.coreMetadata(ctx, o)
		if err != nil || m == nil || f.target.accepts(m.RequiresPython) {
			return o, err
		}
		known := *p // Other queries may share the page through the cache, so copy it.
		known.Files = slices.Clone(p.Files)
		for r := range known.filesOf(o.version) {
			r.Python = m.RequiresPython
		}
		p = &known
	}
	return f.pick(i, p, dist, w)
}

// pick chooses a version on a page, and the file of that version to read.
func (f *finder) pick(i *pipconf.Index, p *page, dist string, w versionRequest) (*offer, error) {
	if p.Stale != nil {
		f.warnings = append(f.warnings, fmt.Sprintf("docent could not look up %s again (%v), so these are the versions from an earlier request", dist, p.Stale))
	}
	version := w.exact
	if version == "" {
		version = f.newest(p, w.specifiers)
	}
	if version == "" || !p.hasVersion(version) {
		return nil, f.noVersion(i, p, dist, w)
	}
	o := f.bestFile(p, version, w.files)
	if o == nil {
		return nil, ecosystem.Fail(ecosystem.NotFound, "none of the files of %s %s at %s has a hash in %s", dist, version, i, w.by).
			WithNext("check that the index is correct, or update the project's lock file")
	}
	o.index, o.local = i, p.Local
	o.vouched = cmp.Or(o.vouched, "the index")
	if o.sdist = sdistOf(p, o, w.files); o.sdist != nil {
		o.sdist.index, o.sdist.local, o.sdist.vouched = i, p.Local, o.vouched
	}
	if p.Status == "quarantined" || p.Status == "deprecated" || p.Status == "archived" {
		f.warnings = append(f.warnings, fmt.Sprintf("the index marks %s as %s", dist, p.Status))
	}
	return o, nil
}

// newest returns the newest version that satisfies the specifiers and that the target's
// Python can use, or "" if there is none. It chooses a yanked version only if the
// specifiers name it exactly.
func (f *finder) newest(p *page, specifiers pep440.Specifiers) string {
	exact, isExact := specifiers.Exact()
	parsed := versionOf(exact)
	accepted := map[string]bool{}
	accepts := func(requires string) bool {
		ok, known := accepted[requires]
		if !known {
			ok = f.target.accepts(requires)
			accepted[requires] = ok
		}
		return ok
	}
	var versions, unusable []string
	for _, v := range p.byVersion {
		if isExact && !v.is(exact, parsed) && (!strings.Contains(v.version, "+") || !specifiers.Contains(v.version)) {
			continue
		}
		offered := func(n int) bool { return p.Files[n].Yanked == "" || isExact && sameVersion(v.version, exact) }
		switch {
		case slices.ContainsFunc(v.files, func(n int) bool { return offered(n) && accepts(p.Files[n].Python) }):
			versions = append(versions, v.version)
		case slices.ContainsFunc(v.files, offered):
			unusable = append(unusable, v.version)
		}
	}
	newest := func(versions []string) string {
		if all := specifiers.Filter(versions); len(all) > 0 {
			return slices.MaxFunc(all, pep440.Compare)
		}
		return ""
	}
	if version := newest(versions); version != "" {
		return version
	}
	version := newest(unusable)
	if version != "" {
		f.warnings = append(f.warnings, "this version does not support Python "+f.target.python)
	}
	return version
}

// accepts reports whether the target's interpreter satisfies a requires-python
// specifier.
func (t *target) accepts(requires string) bool {
	if requires == "" || t.python == "" {
		return true
	}
	s, err := pep440.ParseSpecifiers(requires)
	return err != nil || s.Contains(t.python)
}

// bestFile chooses the file of a version: the most suitable wheel for the target, or else the
// source distribution, or else any wheel. Among equally good files, it chooses the smallest. If
// allowed is not empty, the file must be in it. bestFile returns nil if there is no such file.
func (f *finder) bestFile(p *page, version string, allowed []lockedFile) *offer {
	var best *offer
	bestRank := -1
	for listed, n := range p.filesOf(version) {
		r, vouched := *listed, ""
		if len(allowed) > 0 {
			i := slices.IndexFunc(allowed, func(a lockedFile) bool {
				return a.sha256 != "" && (r.SHA256 == "" && a.name == r.File || strings.EqualFold(a.sha256, r.SHA256))
			})
			if i < 0 {
				continue
			}
			r.SHA256, vouched = allowed[i].sha256, "the lock file"
		}
		rank := f.fileRank(n)
		if rank < bestRank || rank == bestRank && best != nil && (r.Size == 0 || r.Size >= best.file.Size) {
			continue
		}
		best = &offer{version: n.Version, file: r, name: *n, vouched: vouched, foreign: n.Wheel && rank <= 1, yanked: r.Yanked}
		bestRank = rank
	}
	return best
}

// sdistOf returns the source distribution of the same version as a wheel. It
// returns nil if none is listed, or if the lock file does not allow its hash.
func sdistOf(p *page, wheel *offer, allowed []lockedFile) *offer {
	if !wheel.name.Wheel {
		return nil
	}
	for r, n := range p.filesOf(wheel.version) {
		if n.Wheel || r.SHA256 == "" || r.Size == 0 || strings.HasPrefix(r.URL, "file:") {
			continue
		}
		if len(allowed) == 0 || slices.ContainsFunc(allowed, func(a lockedFile) bool { return strings.EqualFold(a.sha256, r.SHA256) }) {
			return &offer{version: n.Version, file: *r, name: *n}
		}
	}
	return nil
}

// fileRank returns a rank that orders the files of a version. The best file has the highest rank,
// and wheels for other targets have the lowest.
func (f *finder) fileRank(n *fileName) int {
	if !n.Wheel {
		return 2
	}
	if rank := f.target.rank(n); rank != rankForeign {
		return 2 + rank
	}
	// Among wheels for other versions, those with Python sources are the most
	// useful.
	for _, g := range n.Tags {
		if g.Platform == "any" || f.target.runsOn(g.Platform) {
			return 1
		}
	}
	return 0
}

// lockedOffer returns the file for which a lock file contains a URL and a hash, or nil if there is
// none.
func (f *finder) lockedOffer(name string, w versionRequest) *offer {
	p := &page{}
	for _, l := range w.files {
		if l.url == "" || l.sha256 == "" {
			return nil
		}
		u, err := url.Parse(l.url)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" {
			return nil
		}
		file := cmp.Or(l.name, filepath.Base(u.Path))
		p.add(release{File: file, URL: l.url, SHA256: l.sha256, Size: l.size}, u, name)
	}
	if len(p.Files) == 0 || !f.mayUseLockedURL(w) {
		return nil
	}
	p.group()
	o := f.bestFile(p, w.exact, w.files)
	if o == nil {
		return nil
	}
	o.vouched = w.by
	o.sdist = sdistOf(p, o, w.files)
	// Trust the file's host as much as the index that the URL comes from.
	if all, err := f.settings().config.Indexes(name, w.index); err == nil && len(all) == 1 {
		if o.index = all[0]; o.index == nil || f.isStandard(o.index) {
			o.index, _ = f.standardIndex() // The result is nil if no index is known.
		}
	}
	if o.sdist != nil {
		o.sdist.index, o.sdist.vouched = o.index, o.vouched
	}
	return o
}

// mayUseLockedURL reports whether the URLs in a lock file can be used
// unchanged. They cannot if the user's own settings replace the index that they
// come from.
func (f *finder) mayUseLockedURL(w versionRequest) bool {
	all, err := f.settings().config.Indexes("", w.index)
	return err == nil && (w.index != nil || len(all) == 1 && all[0] == nil)
}

// noVersion returns the error for a version that does not exist. It lists
// versions close to it.
func (f *finder) noVersion(i *pipconf.Index, p *page, dist string, w versionRequest) error {
	want := cmp.Or(w.exact, w.specifiers.String())
	e := ecosystem.Fail(ecosystem.NotFound, "there is no version of %s that satisfies %s", dist, want).
		WithTried(append(f.tried, i.String())...).WithNear(p.close(want)...).WithNext("request a version that exists")
	if len(p.Files) == 0 {
		e.What, e.Next = fmt.Sprintf("%s lists no readable files of %s", i, dist), "check the name and the index"
		e.Near = f.near(dist)
	}
	if p.Stale != nil {
		e.What += " among the known versions"
		e.Reason, e.Err, e.Next = ecosystem.Unreachable, p.Stale, "allow network access (unset DOCENT_OFFLINE and omit --offline), or request one of these"
	}
	return e
}

// close returns versions to suggest instead of a missing one: its neighbours in both
// directions, and the newest version.
func (p *page) close(want string) []string {
	all := p.versions()
	slices.SortFunc(all, pep440.Compare)
	all = slices.CompactFunc(slices.DeleteFunc(all, func(v string) bool {
		parsed, err := pep440.Parse(v)
		return err != nil || parsed.IsPrerelease()
	}), sameVersion)
	if len(all) == 0 {
		return p.versions()[:min(len(p.versions()), 5)]
	}
	bound, _, _ := strings.Cut(strings.TrimLeft(want, "=<>!~ v"), ",")
	after, _ := slices.BinarySearchFunc(all, strings.TrimSuffix(bound, ".*"), pep440.Compare)
	const maximum = 4
	first := max(0, min(after-maximum/2, len(all)-maximum))
	near := slices.Clone(all[first:min(len(all), first+maximum)])
	if newest := all[len(all)-1]; !slices.Contains(near, newest) {
		near = append(near, newest)
	}
	return near
}
