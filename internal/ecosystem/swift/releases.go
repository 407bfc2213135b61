package swift

import (
	"context"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/swiftpm"
)

var _ ecosystem.Releaser = (*Swift)(nil)

// Releases implements ecosystem.Releaser. Git hosts list tags, but not when a tag was created or
// whether a version was withdrawn.
func (sw *Swift) Releases(ctx context.Context, projectDir string, p *ecosystem.Used) (*ecosystem.Releases, error) {
	q := ecosystem.Query{ProjectDir: projectDir}
	dir, err := q.Project()
	if err != nil {
		return nil, err
	}
	f, err := sw.newFinder(ctx, question{project: dir, platform: hostPlatform()})
	if err != nil {
		return nil, err
	}
	defer f.close()
	var c *candidate
	for _, each := range f.list() {
		if strings.EqualFold(each.Identity, p.Name) && each.pod == nil && each.dir == "" {
			c = each
		}
	}
	if c == nil && p.Location != "" {
		c = &candidate{location: p.Location}
		c.Identity, c.Kind = swiftpm.Identity(p.Location), swiftpm.Remote
	}
	if c == nil {
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s comes from neither a repository nor a registry", p.Name)
	}
	versions, err := f.allVersions(ctx, c)
	if err != nil {
		return nil, err
	}
	required, _ := f.requirements()
	out := &ecosystem.Releases{Versions: func() []ecosystem.Version {
		all := make([]ecosystem.Version, 0, len(versions))
		for _, v := range slices.SortedFunc(slices.Values(versions), func(a, b swiftpm.Version) int { return b.Compare(a) }) {
			all = append(all, ecosystem.Version{Version: v.String()})
		}
		return all
	}}
	var newest, allowed swiftpm.Version
	for _, v := range versions {
		if v.Pre == "" && (out.Newest == "" || v.Compare(newest) > 0) {
			newest, out.Newest = v, v.String()
		}
		matches, requested := true, false
		for _, r := range required {
			if strings.EqualFold(r.Identity, p.Name) {
				requested, matches = true, matches && r.requirement.Matches(v)
			}
		}
		if requested && matches && (out.Allowed == "" || v.Compare(allowed) > 0) {
			allowed, out.Allowed = v, v.String()
		}
	}
	return out, nil
}

// allVersions returns the versions of a package.
func (f *finder) allVersions(ctx context.Context, c *candidate) ([]swiftpm.Version, error) {
	if c.Kind == swiftpm.Registry {
		r := f.registryFor(c.Identity)
		if r.url == "" {
			return nil, f.noRegistry(c.Identity)
		}
		versions, err := f.registryVersions(ctx, r, c.Identity)
		if err != nil {
			return nil, f.hostError(r.url, c.Identity, err)
		}
		return versions, nil
	}
	location := webLocation(c.location)
	if location == "" {
		return nil, ecosystem.Fail(ecosystem.NotFound, "docent cannot look up versions of %s, which has no repository or registry URL", c.Identity)
	}
	a, err := f.advertised(ctx, location, c.by != "")
	if err != nil {
		return nil, f.hostError(location, c.Identity, err)
	}
	var versions []swiftpm.Version
	for _, ref := range a.Refs {
		if tag, ok := strings.CutPrefix(ref.Name, "refs/tags/"); ok && len(versions) < maxReleases {
			if v, err := swiftpm.ParseTag(tag); err == nil {
				versions = append(versions, v)
			}
		}
	}
	return versions, nil
}
