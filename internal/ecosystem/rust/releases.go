package rust

import (
	"context"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/ecosystem/rust/cargoconf"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/project/cargo"
)

var _ ecosystem.Releaser = (*Rust)(nil)

// Releases implements ecosystem.Releaser.
func (rs *Rust) Releases(ctx context.Context, projectDir string, p *ecosystem.Used) (*ecosystem.Releases, error) {
	q := ecosystem.Query{ProjectDir: projectDir}
	dir, err := q.Project()
	if err != nil {
		return nil, err
	}
	if !validCrate(p.Name) {
		return nil, ecosystem.Fail(ecosystem.Invalid, "%.200q is not a valid crate name", p.Name)
	}
	ask := question{}
	if dir != "" && rs.HasProject(dir) {
		ask.project = dir
	}
	f, err := rs.newFinder(ask)
	if err != nil {
		return nil, err
	}
	defer f.close()
	s, ok := f.sourceOf(p)
	if !ok || s.Directory != "" || s.Local != "" {
		return nil, ecosystem.Fail(ecosystem.NotFound, "%s does not come from a registry", p.Name)
	}
	if s.Default && s.Index == "" && fetch.NetworkOff(ctx) && f.rs.cachedDefault(f.config.Home).index == "" && buildDefault == "" {
		return nil, ecosystem.Fail(ecosystem.Unreachable, "docent does not know the default registry; to find it, docent would have to search the cargo executable")
	}
	_, all, err := f.releases(ctx, s, p.Name)
	if err != nil {
		return nil, err
	}
	return releasesIn(all, p), nil
}

// sourceOf returns the source of a package in the lock file, or else the default
// registry.
func (f *finder) sourceOf(p *ecosystem.Used) (cargoconf.Source, bool) {
	if f.project != nil && f.project.Lock != nil {
		for i := range f.project.Lock.Packages {
			if l := &f.project.Lock.Packages[i]; l.Name == p.Name && l.Version == p.Version {
				return f.config.SourceOf(l.Source)
			}
		}
	}
	return f.config.Named("")
}

// releasesIn returns the information about a package's releases in the entries in an
// index.
func releasesIn(all []release, p *ecosystem.Used) *ecosystem.Releases {
	out := &ecosystem.Releases{}
	var wants []cargo.Requirement
	for _, want := range p.Wants {
		if r, err := cargo.ParseRequirement(want); err == nil {
			wants = append(wants, r)
		}
	}
	out.Versions = func() []ecosystem.Version {
		versions := make([]ecosystem.Version, 0, len(all))
		for i := range all {
			v := ecosystem.Version{Version: all[i].Version}
			if all[i].Yanked {
				v.Yanked = ecosystem.NoReason
			}
			v.Published, _ = time.Parse(time.RFC3339, all[i].Published)
			versions = append(versions, v)
		}
		return ecosystem.Versions(versions, newer)
	}
	known := false
	for i := range all {
		r := &all[i]
		v, err := cargo.ParseVersion(r.Version)
		if err != nil {
			continue
		}
		if p.Version != "" && sameVersion(r.Version, p.Version) {
			known = true
			if r.Yanked {
				out.Yanked = ecosystem.NoReason
			}
			out.Published, _ = time.Parse(time.RFC3339, r.Published)
		}
		if r.Yanked {
			continue
		}
		if v.Pre == "" && (out.Newest == "" || newer(r.Version, out.Newest)) {
			out.Newest = r.Version
		}
		allowed := len(wants) > 0
		for _, want := range wants {
			allowed = allowed && want.Matches(v)
		}
		if allowed && (out.Allowed == "" || newer(r.Version, out.Allowed)) {
			out.Allowed = r.Version
		}
	}
	if newer(p.Version, out.Newest) {
		out.Newest = p.Version // The newest version is a prerelease of a future version.
	}
	out.Newest, _, _ = strings.Cut(out.Newest, "+")
	out.Allowed, _, _ = strings.Cut(out.Allowed, "+")
	if p.Version != "" && !known {
		out.Yanked = "the registry no longer has this version"
	}
	return out
}
