package python

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

var _ ecosystem.Releaser = (*Python)(nil)

// Releases implements ecosystem.Releaser.
func (py *Python) Releases(ctx context.Context, projectDir string, p *ecosystem.Used) (*ecosystem.Releases, error) {
	q := ecosystem.Query{ProjectDir: projectDir}
	dir, err := q.Project()
	if err != nil {
		return nil, err
	}
	name := pep508.Normalize(p.Name)
	if !validProject(name) {
		return nil, ecosystem.Fail(ecosystem.Invalid, "%.200q is not a valid distribution name", p.Name)
	}
	f, err := py.newFinder(ctx, question{project: dir, platform: defaultPlatform()})
	if err != nil {
		return nil, err
	}
	defer f.close()
	bound := f.settings().config.Bind(name, f.target.environment())
	all, err := f.settings().config.Indexes(name, bound)
	if err != nil {
		return nil, err
	}
	if all, err = f.inOrder(all, bound != nil); err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, ecosystem.Fail(ecosystem.NotFound, "the settings disable all indexes (no-index)")
	}
	_, page, err := f.firstPage(ctx, all, name, func(*page) bool { return false })
	if err != nil {
		return nil, err
	}
	return f.releasesOn(page, p), nil
}

// releasesOn returns the information in a page about the releases of a distribution.
func (f *finder) releasesOn(page *page, p *ecosystem.Used) *ecosystem.Releases {
	out := &ecosystem.Releases{Newest: f.newest(page, nil)}
	if v, err := pep440.Parse(out.Newest); err == nil && v.IsPrerelease() {
		out.Newest = ""
	}
	if pep440.Compare(p.Version, out.Newest) > 0 {
		out.Newest = p.Version // The newest version is a prerelease of a future version.
	}
	if wants, err := pep440.ParseSpecifiers(strings.Join(p.Wants, ",")); err == nil && len(p.Wants) > 0 {
		out.Allowed = f.newest(page, wants)
	}
	switch page.Status {
	case "archived":
		out.Archived = true
	case "deprecated", "quarantined":
		out.Deprecated = "the index marks it as " + page.Status
	}
	out.Versions = func() []ecosystem.Version { return versionsOn(page) }
	var yanked []string
	files := 0
	for r := range page.filesOf(p.Version) {
		files++
		if r.Yanked != "" {
			yanked = append(yanked, r.Yanked)
		}
		if at, err := time.Parse(time.RFC3339, r.Time); err == nil && (out.Published.IsZero() || at.Before(out.Published)) {
			out.Published = at
		}
	}
	switch {
	case files > 0 && len(yanked) == files:
		out.Yanked = yanked[0]
		if i := slices.IndexFunc(yanked, func(reason string) bool { return reason != ecosystem.NoReason }); i >= 0 {
			out.Yanked = yanked[i]
		}
	case files == 0 && p.Version != "":
		out.Yanked = "the index no longer has this version"
	}
	return out
}

// versionsOn returns the versions on a page. A version is withdrawn if all of its files are.
func versionsOn(page *page) []ecosystem.Version {
	var all []ecosystem.Version
	index := map[string]int{}
	for _, r := range page.Files {
		n, ok := parseFileName(r.File)
		if !ok {
			continue
		}
		i, known := index[n.Version]
		if !known {
			i = len(all)
			index[n.Version] = i
			all = append(all, ecosystem.Version{Version: n.Version, Yanked: r.Yanked})
		}
		v := &all[i]
		if r.Yanked == "" {
			v.Yanked = ""
		}
		if at, err := time.Parse(time.RFC3339, r.Time); err == nil && (v.Published.IsZero() || at.Before(v.Published)) {
			v.Published = at
		}
	}
	return ecosystem.Versions(all, func(a, b string) bool { return pep440.Compare(a, b) > 0 })
}
