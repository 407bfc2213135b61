package golang

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/golang/godoc"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/quote"
)

// registry downloads modules that are not on this machine: the go command, or
// docent's own client of module proxies.
type registry interface {
	// name is the registry's name in lists of attempts.
	name() string
	// resolve resolves a version query for each module path.
	resolve(ctx context.Context, paths []string, query string) []answer
	// download downloads a module version, checks it against the hashes of
	// go.sum, if any, and opens it.
	download(ctx context.Context, f *finder, m module.Version, sums []string) (*openModule, error)
}

// answer is a registry's answer to a version query for one module path.
type answer struct {
	module   module.Version
	versions []string // all tagged versions, if they were fetched
	err      *ecosystem.Error
}

func (f *finder) registry() registry {
	if f.st.goCommand != "" {
		return &goTool{f.g, f.st}
	}
	return &proxyClient{g: f.g, st: f.st}
}

// remote queries the network for the module that contains the package, from the
// longest possible path to the shortest, and downloads it.
func (f *finder) remote(ctx context.Context) (*godoc.Source, error) {
	first, _, _ := strings.Cut(f.ask.path, "/")
	if !strings.Contains(first, ".") || f.isPrivate(f.ask.path) {
		return nil, nil // No registry has such a path, or the path is private.
	}
	if f.lacking != nil && f.lacking.Module == f.ask.path && f.ask.version == "" {
		return nil, nil // The error will list the packages of the local module.
	}
	if f.networkOff(ctx) {
		if f.lacksRequired() {
			return nil, nil // The error will say that the required modules do not contain it.
		}
		return nil, f.offline(f.ask.path)
	}
	query := cmp.Or(withV(f.ask.version), "latest")
	paths := f.publishable(prefixes(f.ask.path, exactVersion(query)))
	if len(paths) == 0 {
		return nil, nil
	}
	reg := f.registry()
	answers := reg.resolve(ctx, paths, query)
	if mayBeIncompatible(query) && !allOf(answers, ecosystem.Unreachable) && !slices.ContainsFunc(answers, known) {
		if others := reg.resolve(ctx, paths, query+incompatible); slices.ContainsFunc(others, known) {
			answers = others
		}
	}
	for _, a := range answers {
		if a.err != nil {
			continue
		}
		m, err := f.openOrDownload(ctx, reg, a.module)
		if err != nil {
			return nil, err
		}
		src, err := f.packageOf(m, a.module.Path, f.remoteChoice(query, a.module.Version))
		if src != nil {
			src.Provenance.Unused = f.ask.version == "" && f.project != nil
		}
		if src != nil || err != nil {
			return src, err
		}
	}
	if f.lacking != nil {
		return nil, nil
	}
	return nil, f.unresolved(ctx, reg, answers, query)
}

func known(a answer) bool { return a.err == nil }

// mayBeIncompatible reports whether query may be an exact version written
// without its +incompatible suffix.
func mayBeIncompatible(query string) bool {
	exact := exactVersion(query)
	return exact != "" && semver.Compare(exact, "v2.0.0-0") >= 0 && !strings.HasSuffix(exact, incompatible)
}

// publishable omits the shorter paths of a private package that are not private
// themselves, because a public proxy must not learn that the package exists.
func (f *finder) publishable(paths []string) []string {
	private := f.st.private("GONOPROXY")
	if !module.MatchPrefixPatterns(private, f.ask.path) {
		return paths
	}
	return slices.DeleteFunc(paths, func(p string) bool { return !module.MatchPrefixPatterns(private, p) })
}

// remoteChoice explains why a version was chosen on the network.
func (f *finder) remoteChoice(query, version string) string {
	newest := "newest release"
	switch rank(version) {
	case 0:
		newest = "newest commit, because no version is tagged"
	case 1:
		newest = "newest prerelease, because there is no release"
	}
	switch {
	case f.ask.version == "" && f.project != nil:
		return newest + "; " + f.project.Name() + " does not require it"
	case f.ask.version == "":
		return newest + ", no project given"
	case query == version:
		return "requested"
	case query == "latest" || query == "upgrade" || query == "patch":
		return newest + ", requested as " + query
	}
	return "requested as " + query
}

// unresolved returns the error for a module or version that no registry has.
func (f *finder) unresolved(ctx context.Context, reg registry, answers []answer, query string) error {
	if query != "latest" && ctx.Err() == nil && !allOf(answers, ecosystem.Unreachable) {
		// The module may exist in other versions.
		for _, a := range reg.resolve(ctx, f.publishable(prefixes(f.ask.path, "")), "latest") {
			if a.err == nil {
				return ecosystem.Fail(ecosystem.NotFound, "there is no version %s of %s", query, a.module.Path).
					WithTried(f.triedOf(reg, answers)...).
					WithNear(closeVersions(query, a.versions, a.module.Version)...).
					WithNext("request a version that exists; the newest version is %s", a.module.Version)
			}
		}
	}
	reason, what := ecosystem.NotFound, "there is no module that contains the package "+f.ask.path
	if f.ask.version != "" {
		what += " at " + f.ask.version
	}
	next := "check the import path"
	if worst := answers[len(answers)-1].err; len(answers) > 0 && allOf(answers, worst.Reason) {
		reason = worst.Reason
		if worst.Next != "" {
			next = worst.Next
		}
	}
	if reason == ecosystem.Unreachable {
		what = "the download of " + f.ask.path + " failed"
	}
	e := ecosystem.Fail(reason, "%s", what).WithTried(f.tried...).WithTried(f.triedOf(reg, answers)...).WithNext("%s", next)
	e = e.WithNear(nearest(f.ask.path, f.known())...).WithPopular(&info, f.ask.path)
	for _, a := range answers {
		e.Err = errors.Join(e.Err, a.err.Err)
	}
	return e
}

func allOf(answers []answer, r ecosystem.Reason) bool {
	return !slices.ContainsFunc(answers, func(a answer) bool { return a.err == nil || a.err.Reason != r })
}

// triedOf lists the errors in the registry's answers, from the shortest path to the
// longest, without duplicates.
func (f *finder) triedOf(reg registry, answers []answer) []string {
	var list []string
	seen := map[string]bool{}
	for _, a := range answers {
		if key := strings.ReplaceAll(a.err.What, a.module.Path, ""); len(list) < 4 && !seen[key] {
			seen[key] = true
			list = append(list, reg.name()+": "+a.err.What)
		}
	}
	return list
}

// closeVersions lists versions close to one that does not exist.
func closeVersions(query string, versions []string, newest string) []string {
	bound := strings.TrimLeft(query, "<>=")
	if len(versions) == 0 {
		return []string{newest}
	}
	semver.Sort(versions)
	index := len(versions)
	if semver.IsValid(bound) {
		for i, v := range versions {
			if semver.Compare(v, bound) >= 0 {
				index = i
				break
			}
		}
	}
	return versions[max(0, index-maxNear/2):min(len(versions), max(index, maxNear/2)+maxNear/2)]
}

// download downloads the version that a project uses.
func (f *finder) download(ctx context.Context, m module.Version) (*openModule, error) {
	if f.networkOff(ctx) {
		return nil, f.offline(m.String())
	}
	return f.openOrDownload(ctx, f.registry(), m)
}

// openOrDownload downloads a module once for concurrent callers.
func (f *finder) openOrDownload(ctx context.Context, reg registry, m module.Version) (*openModule, error) {
	unlock, err := f.g.loading.lock(ctx, m.String())
	if err != nil {
		return nil, stopped(m.String(), err)
	}
	defer unlock()
	if open, err := f.openLocal(m); open != nil || err != nil {
		return open, err
	}
	var sums []string
	if f.project != nil {
		sums = f.project.Sums(m)
	}
	open, err := reg.download(ctx, f, m, sums)
	if err != nil {
		return nil, err
	}
	return open, nil
}

// networkOff reports whether the network must not be used for a query.
func (f *finder) networkOff(ctx context.Context) bool {
	return f.g.options.Offline || fetch.NetworkOff(ctx)
}

func (f *finder) offline(what string) error {
	return ecosystem.Fail(ecosystem.Unreachable, "%s%s", what, ecosystem.NotHere).
		WithTried(f.tried...).
		WithNext("allow network access (unset DOCENT_OFFLINE and omit --offline), or request a version that is on this machine")
}

func stopped(what string, err error) *ecosystem.Error {
	if errors.Is(err, context.DeadlineExceeded) {
		return ecosystem.Fail(ecosystem.Unreachable, "the download of %s did not finish in time", what).WithErr(err).WithNext("try again, or allow more time")
	}
	return ecosystem.Fail(ecosystem.Unreachable, "the download of %s was cancelled", what).WithErr(err).WithNext("try again")
}

// keyedMutex is a set of mutexes, one for each key.
type keyedMutex struct {
	mu   sync.Mutex
	busy map[string]chan struct{}
}

// lock waits until no other goroutine works on the key. The caller calls unlock
// when done.
func (k *keyedMutex) lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		k.mu.Lock()
		other, locked := k.busy[key]
		if !locked {
			if k.busy == nil {
				k.busy = map[string]chan struct{}{}
			}
			mine := make(chan struct{})
			k.busy[key] = mine
			k.mu.Unlock()
			return func() {
				k.mu.Lock()
				delete(k.busy, key)
				k.mu.Unlock()
				close(mine)
			}, nil
		}
		k.mu.Unlock()
		select {
		case <-other:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// plainError returns an error's text without the path, because the sentence around it already
// contains the path.
func plainError(err error) string {
	return quote.Error(unwrapPath(err)).Error()
}
