package npm

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/npm/npmrc"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/npmlock"
)

var _ ecosystem.Releaser = (*NPM)(nil)

// Releases implements ecosystem.Releaser. Registries list the dates of releases only in
// full documents, which can be large. Full documents are fetched only for packages that
// the project itself requires.
func (n *NPM) Releases(ctx context.Context, projectDir string, p *ecosystem.Used) (*ecosystem.Releases, error) {
	q := ecosystem.Query{ProjectDir: projectDir}
	dir, err := q.Project()
	if err != nil {
		return nil, err
	}
	if !npmlock.ValidName(p.Name) {
		return nil, ecosystem.Fail(ecosystem.Invalid, "%.200q is not a valid package name", p.Name)
	}
	f, err := n.newFinder(ctx, question{name: p.Name, project: dir})
	if err != nil {
		return nil, err
	}
	r, err := f.releaseRegistry(ctx, p.Name)
	if err != nil {
		return nil, err
	}
	never := func(*packument) bool { return false }
	doc, err := f.packument(ctx, r, p.Name, len(p.Wants) > 0 || fetch.NetworkOff(ctx), never)
	if err != nil && fetch.NetworkOff(ctx) {
		doc, err = f.packument(ctx, r, p.Name, false, never)
	}
	if err != nil {
		return nil, err
	}
	used, known := doc.Versions[p.Version]
	out := &ecosystem.Releases{Newest: doc.Tags["latest"], Allowed: doc.allowed(p.Wants), Deprecated: oneLine(used.Deprecated)}
	out.Versions = func() []ecosystem.Version {
		all := make([]ecosystem.Version, 0, len(doc.Versions))
		for version, r := range doc.Versions {
			v := ecosystem.Version{Version: version, Deprecated: oneLine(r.Deprecated)}
			v.Published, _ = time.Parse(time.RFC3339, doc.Times[version])
			all = append(all, v)
		}
		return ecosystem.Versions(all, func(a, b string) bool { return compareVersions(a, b) > 0 })
	}
	if p.Version != "" && !known {
		out.Yanked = "the registry no longer has this version"
	}
	if known && compareVersions(p.Version, out.Newest) > 0 {
		out.Newest = p.Version // The version is a prerelease that is newer than the version tagged latest.
	}
	out.Published, _ = time.Parse(time.RFC3339, doc.Times[p.Version])
	return out, nil
}

// releaseRegistry returns the registry for a package. Without a network, it does not run
// a program to find the default registry.
func (f *finder) releaseRegistry(ctx context.Context, name string) (*npmrc.Registry, error) {
	if r, err := f.configuration(ctx).RegistryFor(name); r != nil || err != nil || !fetch.NetworkOff(ctx) {
		if r == nil && err == nil {
			return f.defaultRegistry(ctx)
		}
		return r, err
	}
	for _, t := range tools {
		tool := f.n.env.LookPath(t.name)
		if tool == "" {
			continue
		}
		if address := f.n.known(tool, t.key); address != "" {
			return npmrc.ParseRegistry(address, t.name+" config get "+t.key)
		}
	}
	return nil, ecosystem.Fail(ecosystem.Unreachable, "the registry of %s is unknown: without network access, docent does not ask npm for the default registry", name)
}

// allowed returns the version that npm would choose among the versions that match all
// specifiers, or "" if there is none.
func (p *packument) allowed(wants []string) string {
	var ranges []versionRange
	for _, want := range wants {
		spec := npmlock.ParseSpec(want)
		if spec.Kind != npmlock.Registry {
			continue
		}
		r, ok := parseRange(cmp.Or(spec.Range, "*"))
		if !ok {
			return p.Tags[spec.Range]
		}
		ranges = append(ranges, r)
	}
	if len(ranges) == 0 {
		return ""
	}
	matches := func(version string) bool {
		return !slices.ContainsFunc(ranges, func(r versionRange) bool { return !r.matches(version) })
	}
	if latest := p.Tags["latest"]; matches(latest) && p.Versions[latest].Deprecated == "" {
		return latest
	}
	best := ""
	for v, known := range p.Versions {
		if matches(v) && (best == "" || cmp.Or(compareBool(known.Deprecated == "", p.Versions[best].Deprecated == ""), compareVersions(v, best)) > 0) {
			best = v
		}
	}
	return best
}
