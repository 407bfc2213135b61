package swift

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/git"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
	"github.com/docent-mcp/docent/internal/spelling"
)

// chosenRef is a tag, a branch or a commit that was chosen.
type chosenRef struct {
	tag    string // such as "1.2.3" or "v1.2.3"
	branch string
	commit git.Hash
	parsed swiftpm.Version // the version in the tag
}

// version returns the version to show for the tag, branch or commit.
func (c *chosenRef) version() string {
	short := c.commit.String()[:7]
	switch {
	case c.tag != "":
		return strings.TrimPrefix(c.tag, "v")
	case c.branch != "":
		return strings.ReplaceAll(c.branch, "/", "-") + "-" + short
	}
	return short
}

// chooseRef chooses the newest release that satisfies a requirement, or the branch, tag or commit
// with the given name. In a repository without releases, it chooses the newest prerelease, or else
// the default branch. It returns false if none fits.
func chooseRef(a *git.Advertised, r swiftpm.Requirement, name string) (chosenRef, bool) {
	if name = cmp.Or(name, r.Branch, r.Revision); name != "" {
		return namedRef(a, name)
	}
	var best, early chosenRef
	for _, ref := range a.Refs {
		tag, ok := strings.CutPrefix(ref.Name, "refs/tags/")
		v, err := swiftpm.ParseTag(tag)
		if !ok || err != nil {
			continue
		}
		c := chosenRef{tag: tag, commit: ref.Commit, parsed: v}
		switch {
		case r.Matches(v):
			best = later(best, c)
		case r.Any():
			early = later(early, c)
		}
	}
	if best.tag != "" || !r.Any() {
		return best, best.tag != ""
	}
	if early.tag != "" {
		return early, true
	}
	for _, branch := range []string{strings.TrimPrefix(a.Head, "refs/heads/"), "main", "master"} {
		if ref, ok := a.Find("refs/heads/" + branch); ok && branch != "" {
			return chosenRef{branch: branch, commit: ref.Commit}, true
		}
	}
	return chosenRef{}, false
}

func later(a, b chosenRef) chosenRef {
	if a.tag == "" || b.parsed.Compare(a.parsed) > 0 {
		return b
	}
	return a
}

// namedRef finds a tag or a branch by its name, or a commit by its hash or the beginning of the
// hash. It returns false if there is none.
func namedRef(a *git.Advertised, name string) (chosenRef, bool) {
	for _, tag := range []string{name, "v" + name} {
		if ref, ok := a.Find("refs/tags/" + tag); ok {
			return chosenRef{tag: tag, commit: ref.Commit}, true
		}
	}
	if ref, ok := a.Find(name); ok {
		return chosenRef{branch: strings.TrimPrefix(ref.Name, "refs/heads/"), commit: ref.Commit}, true
	}
	if h, ok := git.ParseHash(strings.ToLower(name)); ok {
		return chosenRef{commit: h}, true
	}
	const shortest = 7
	if len(name) >= shortest {
		for _, ref := range a.Refs {
			if strings.HasPrefix(ref.Commit.String(), strings.ToLower(name)) {
				return chosenRef{commit: ref.Commit}, true
			}
		}
	}
	return chosenRef{}, false
}

// released finds a release of a package for which no project chose a version. It looks in the
// repository or the registry in the query, or else in the packages that SwiftPM has fetched on this
// machine.
func (f *finder) released(ctx context.Context) (*located, error) {
	c := &candidate{}
	switch {
	case f.ask.url != "":
		c.location = f.ask.url
	case f.ask.below != "":
		if known := f.cachedLocation(f.ask.name); known != "" && f.ask.module == "" && !f.hasRepository(f.ask.name, f.ask.below) {
			c.location, f.ask.module = known, f.ask.below // The query is of the form "swift-nio/NIOCore".
			break
		}
		c.location = "https://" + defaultHost + "/" + f.ask.name + "/" + f.ask.below
	default:
		if _, _, ok := swiftpm.RegistryID(f.ask.name); ok && f.registryFor(f.ask.name).url != "" {
			c.Kind, c.Identity = swiftpm.Registry, f.ask.name
			return f.release(ctx, c)
		}
		location, module := f.cachedPackage(f.ask.name)
		if location == "" {
			return nil, f.unnamed()
		}
		c.location, f.ask.module = location, module
	}
	c.Identity = swiftpm.Identity(c.location)
	return f.release(ctx, c)
}

// unnamed returns the error for a name that does not contain the location of the package.
func (f *finder) unnamed() error {
	e := ecosystem.Fail(ecosystem.NotFound, "there is no package, product or module %s", f.ask.text).WithNear(f.near(f.ask.name)...)
	switch {
	case f.project != nil:
		if misspelled := spelling.Misspelled(f.moduleNames(), f.ask.name); len(misspelled) > 0 {
			e.Near = misspelled
		} else {
			e.Foreign = !f.complete()
		}
		return e.WithTried("the packages of "+f.project.Name(), "SwiftPM's caches").WithNext("if the project does not use it, use owner/repository (apple/swift-nio) or its URL")
	case f.ask.project != "":
		e.Foreign = true // Other build systems, such as CocoaPods, may add modules.
		return e.WithTried("SwiftPM's caches").WithNext("there is no Swift project in %s; use owner/repository (apple/swift-nio) or the package's URL", f.ask.project)
	}
	return e.WithTried("SwiftPM's caches").WithNext("Swift has no central index of packages; use owner/repository (apple/swift-nio) or the package's URL, or specify the project that uses it")
}

// complete reports whether the modules of the project, and of all packages that it uses, are known.
func (f *finder) complete() bool {
	for _, c := range f.list() {
		if m := f.manifestOf(c); m == nil || len(m.Warnings) > 0 {
			return false
		}
	}
	return f.manifest != nil
}

// release finds the requested version of a package, the version that a candidate
// without a pin requires, or the newest version.
func (f *finder) release(ctx context.Context, c *candidate) (*located, error) {
	requirement, ref, by := f.ask.requirement, f.ask.ref, "requested"
	switch {
	case f.ask.version != "" && ref == "" && !requirement.Exact:
		by = "newest release that satisfies " + f.ask.version
		if requirement.Any() {
			by = "newest release"
		}
	case f.ask.version != "":
	case !c.requirement.Any():
		requirement, by = c.requirement, "newest release that "+c.by+" allows ("+c.requirement.String()+"); there is no Package.resolved"
		if c.requirement.Branch+c.requirement.Revision != "" {
			by = c.requirement.String() + " of " + c.by
		}
	case f.project != nil:
		by = "newest release; the project does not use this package"
	default:
		by = "newest release, no project given"
		f.warnings = append(f.warnings, ecosystem.Unchosen)
	}
	if c.Kind == swiftpm.Registry {
		return f.registryRelease(ctx, c, requirement, by)
	}
	l, err := f.hostRelease(ctx, c, requirement, ref, by)
	if l != nil {
		l.traits, l.module = c.traits, f.ask.module
	}
	return l, err
}

// hostRelease chooses a version among the tags and branches of a repository.
func (f *finder) hostRelease(ctx context.Context, c *candidate, requirement swiftpm.Requirement, ref, by string) (*located, error) {
	location := webLocation(c.location)
	if location == "" {
		if l := f.newestInRepositories(c.location, requirement, ref); l != nil {
			l.provenance.ChosenBy = by
			return l, nil
		}
		return nil, ecosystem.Fail(ecosystem.NotFound, "docent cannot download the repository of %s from %s", c.Identity, fetch.Redact(c.location)).
			WithNext("run swift package resolve to fetch it")
	}
	a, err := f.advertised(ctx, location, c.by != "")
	if err != nil {
		if ecosystem.Passing(err) && !fetch.HasUpstream(ctx) {
			if l := f.newestInRepositories(c.location, requirement, ref); l != nil {
				l.provenance.ChosenBy = "newest on this machine; the host could not be reached"
				if requirement.Exact || ref != "" {
					l.provenance.ChosenBy = by
				}
				f.seen.LimitAge(time.Minute)
				return l, nil
			}
		}
		return nil, f.hostError(location, c.Identity, err)
	}
	chosen, ok := chooseRef(a, requirement, ref)
	if !ok {
		return nil, f.noVersion(location, a, cmp.Or(ref, requirement.String()))
	}
	if !requirement.Exact {
		f.seen.LimitAge(newestAge)
	}
	switch {
	case chosen.parsed.Pre != "" && requirement.Any() && ref == "":
		f.warnings = append(f.warnings, fmt.Sprintf("%s has no release yet; %s is a prerelease.", c.Identity, chosen.tag))
	case chosen.branch != "" && ref == "" && requirement.Branch == "":
		f.warnings = append(f.warnings, fmt.Sprintf("%s has no version tags; this is its branch %s.", c.Identity, chosen.branch))
	}
	l := &located{identity: c.Identity, version: chosen.version(), location: location}
	l.provenance.ChosenBy = by
	for _, dir := range f.repositories(c.location) {
		if f.useRepository(l, dir, chosen.commit) {
			return l, nil
		}
	}
	return l, f.fromHost(l, location, chosen.commit.String(), c.by != "")
}

// advertised returns the branches and tags of a repository. configured is true if
// the project or the user's settings name the host.
func (f *finder) advertised(ctx context.Context, location string, configured bool) (*git.Advertised, error) {
	ask := f.request(location+".git/info/refs?service=git-upload-pack", configured)
	k, err := f.answer(ctx, ask, func(data []byte) error {
		a, err := git.ParseAdvertisement(data)
		if err == nil && a.Protocol == 2 {
			err = errors.New("the server supports only version 2 of git's protocol")
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return git.ParseAdvertisement(k.Body)
}

// noVersion returns the error for a version that does not exist. It lists
// existing versions.
func (f *finder) noVersion(location string, a *git.Advertised, want string) error {
	var tags []chosenRef
	for _, ref := range a.Refs {
		if tag, ok := strings.CutPrefix(ref.Name, "refs/tags/"); ok {
			if v, err := swiftpm.ParseTag(tag); err == nil {
				tags = append(tags, chosenRef{tag: tag, parsed: v})
			}
		}
	}
	slices.SortFunc(tags, func(x, y chosenRef) int { return y.parsed.Compare(x.parsed) })
	var near []string
	for _, t := range tags[:min(len(tags), maxNear)] {
		near = append(near, t.tag)
	}
	return ecosystem.Fail(ecosystem.NotFound, "%s has no version, branch or tag that satisfies %s", location, want).WithNear(near...).WithNext("request a version that exists")
}
