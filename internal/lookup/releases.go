package lookup

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/fetch"
	"github.com/docent-mcp/docent/internal/spelling"
)

// fresh is the maximum age of a version for which overviews show the publication date.
const fresh = 7 * 24 * time.Hour

// release returns sentences for an overview about the version of a package, or "" if there is
// nothing to report. They report that the version was withdrawn, that the package is deprecated or
// archived, that the newest version has a different major version, that the version is only a few
// days old, or that the package's name resembles the name of a dependency or a popular package. It
// uses earlier responses of registries and does not send requests.
func (l *Lookup) release(ctx context.Context, q Package, p *apidoc.Package) string {
	language := l.Languages().Find(q.Language)
	if language == nil || p.Version == "" {
		return ""
	}
	var notes []string
	if name := resembled(language, q.Project, p); name != "" {
		if !slices.ContainsFunc(p.Advice, func(advice string) bool { return strings.Contains(advice, name) }) {
			notes = append(notes, fmt.Sprintf("The project depends on %s, not on %s.", name, p.Name))
		}
	} else if name := resemblesPopular(language, q.Project, p); name != "" {
		notes = append(notes, fmt.Sprintf("Check the name: %s looks like a misspelling of the popular package %s.", cmp.Or(p.Module, p.Name), name))
	}
	releaser, ok := language.(ecosystem.Releaser)
	if !ok {
		return strings.Join(notes, " ")
	}
	name := p.Name
	if p.Module != "" {
		name = p.Module
	}
	r, err := releaser.Releases(fetch.WithoutNetwork(ctx), q.Project, &ecosystem.Used{Name: name, Version: p.Version})
	if err != nil {
		return strings.Join(notes, " ")
	}
	if r.Yanked != "" {
		notes = append(notes, "This version was withdrawn: "+strings.TrimRight(r.Yanked, ".")+".")
	}
	if r.Deprecated != "" && p.Deprecated == "" {
		notes = append(notes, "Deprecated: "+strings.TrimRight(r.Deprecated, ".")+".")
	}
	if r.Archived {
		notes = append(notes, "The package is archived, so there will be no more releases.")
	}
	if newest, used := major(r.Newest), major(p.Version); used >= 0 && newest > used {
		notes = append(notes, fmt.Sprintf("The newest version is %s.", r.Newest))
	}
	if age := time.Since(r.Published); !r.Published.IsZero() && age >= 0 && age < fresh {
		notes = append(notes, "This version was published on "+r.Published.UTC().Format(time.DateOnly)+", less than a week ago.")
	}
	return strings.Join(notes, " ")
}

// Versions is a registry's information about the versions of a package.
type Versions struct {
	Package string `json:"package"` // name in the registry
	// Version is the version that the question refers to. It is the version in the question, the
	// version that the project uses, or the newest version.
	Version  string `json:"version"`
	Newest   string `json:"newest,omitempty"` // newest version that is not a prerelease
	Archived bool   `json:"archived,omitempty"`
	// Versions contains the newest versions, newest first. Omitted is the number of older versions.
	Versions []VersionData `json:"versions"`
	Omitted  int           `json:"omitted,omitempty"`
}

// VersionData is a registry's information about a version of a package.
type VersionData struct {
	Version    string `json:"version"`
	Published  string `json:"published,omitempty"` // publication date
	Deprecated string `json:"deprecated,omitempty"`
	Yanked     string `json:"yanked,omitempty"` // reason for the withdrawal
}

// maxVersions is the maximum number of versions that Versions returns.
const maxVersions = 5000

// Versions returns the versions of a package in its registry.
func (l *Lookup) Versions(ctx context.Context, q Package) (*Versions, error) {
	p, err := l.Read(ctx, q)
	if err != nil {
		return nil, err
	}
	used := &ecosystem.Used{Name: cmp.Or(p.Module, p.Name), Version: p.Version, Location: p.Repository}
	releaser, ok := l.Languages().Find(q.Language).(ecosystem.Releaser)
	if !ok || p.Version == "" {
		return nil, ecosystem.Fail(ecosystem.NotFound, "no registry lists versions of %s", used.Name)
	}
	r, err := releaser.Releases(ctx, q.Project, used)
	if err != nil {
		return nil, err
	}
	out := &Versions{Package: used.Name, Version: p.Version, Newest: r.Newest, Archived: r.Archived, Versions: []VersionData{}}
	if r.Versions == nil {
		return out, nil
	}
	all := r.Versions()
	out.Omitted = max(0, len(all)-maxVersions)
	for _, v := range all[:len(all)-out.Omitted] {
		d := VersionData{Version: v.Version, Deprecated: v.Deprecated, Yanked: v.Yanked}
		if v.Version == p.Version {
			d.Deprecated, d.Yanked = cmp.Or(d.Deprecated, r.Deprecated), cmp.Or(d.Yanked, r.Yanked)
		}
		if !v.Published.IsZero() {
			d.Published = v.Published.UTC().Format(time.DateOnly)
		}
		out.Versions = append(out.Versions, d)
	}
	return out, nil
}

// major returns the first number of a version, or -1 if it has none.
func major(version string) int {
	first, _, _ := strings.Cut(strings.TrimPrefix(version, "v"), ".")
	n, err := strconv.Atoi(first)
	if err != nil {
		return -1
	}
	return n
}

// shortestName is the minimum length of package names that are compared. Shorter names often
// resemble each other by chance.
const shortestName = 5

// resembled returns the direct dependency of a project whose name differs from the name of p by one
// typing error. It returns "" if there is none or if the project depends on p.
func resembled(language ecosystem.Language, project string, p *apidoc.Package) string {
	lister, ok := language.(ecosystem.Lister)
	name := p.Name
	if p.Module != "" {
		name = p.Module
	}
	if !ok || project == "" || len(name) < shortestName {
		return ""
	}
	all, err := lister.Dependencies(project)
	if err != nil || slices.ContainsFunc(all, func(d ecosystem.Dependency) bool {
		return d.Package == p.Name || d.Package == name || d.Module == name || apidoc.IsBelow(p.Name, d.Package)
	}) {
		return ""
	}
	var distance spelling.Distance
	for i := range all {
		d := &all[i]
		other := d.Package
		if d.Module != "" {
			other = d.Module
		}
		if d.Direct && !d.Standard && nameKey(other) != nameKey(name) && distance.Between(nameKey(name), nameKey(other), 1) == 1 {
			return other
		}
	}
	return ""
}

// resemblesPopular returns the popular package whose name differs from the name of p by one typing
// error. It returns "" if there is none, if p is popular itself, or if the project depends on p.
func resemblesPopular(language ecosystem.Language, project string, p *apidoc.Package) string {
	name := nameKey(withoutMajor(cmp.Or(p.Module, p.Name)))
	if len(name) < shortestName {
		return ""
	}
	var found string
	var distance spelling.Distance
	for other := range strings.Lines(language.Info().Popular) {
		other = strings.TrimSpace(other)
		if nameKey(other) == name {
			return ""
		}
		if found == "" && !strings.HasPrefix(other, "#") && len(other) >= shortestName && distance.Between(name, nameKey(other), 1) == 1 {
			found = other
		}
	}
	if lister, ok := language.(ecosystem.Lister); ok && found != "" && project != "" {
		all, err := lister.Dependencies(project)
		if err != nil || slices.ContainsFunc(all, func(d ecosystem.Dependency) bool {
			return d.Package == p.Name || nameKey(withoutMajor(cmp.Or(d.Module, d.Package))) == name
		}) {
			return ""
		}
	}
	return found
}

// withoutMajor returns a path without the element for the major version, such as v5.
func withoutMajor(name string) string {
	if base, last, ok := cutLast(name, "/v"); ok && last != "" && strings.Trim(last, "0123456789") == "" {
		return base
	}
	return name
}

func cutLast(s, separator string) (before, after string, found bool) {
	i := strings.LastIndex(s, separator)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(separator):], true
}
