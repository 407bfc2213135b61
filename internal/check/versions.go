package check

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

// maxVersions is the maximum number of other versions of packages that one check reads.
const maxVersions = 8

// versionKey is a version of a package.
type versionKey struct {
	packageKey
	version string
}

// otherVersions looks for the names that packages lack in two other versions of each package: in
// the newest one, and in the last one before the project's version that may be incompatible with
// it.
func (r *run) otherVersions(ctx context.Context, report *Report) {
	for i := range report.Findings {
		f := &report.Findings[i]
		if f.Kind != Name || f.path == "" || f.Version == "" {
			continue
		}
		language := r.checker.Languages.Find(string(f.Ecosystem))
		if language == nil {
			continue
		}
		for _, candidate := range candidates(ctx, language, f) {
			key := versionKey{packageKey{f.Ecosystem, f.dir, f.Package, ""}, candidate}
			s, known := r.versions[key]
			if !known {
				if len(r.versions) == maxVersions {
					return
				}
				if p, err := r.checker.Packages.Describe(ctx, string(f.Ecosystem), ecosystem.Query{Package: f.Package, ProjectDir: f.dir, Version: candidate}); err == nil && p.Version != f.Version {
					s = newSurface(p)
				}
				r.versions[key] = s
			}
			if s == nil {
				continue
			}
			if found, state := s.find(f.path); state == public && len(found) > 0 {
				f.OtherVersion = s.Version
				break
			}
		}
	}
}

// candidates returns the versions that may have the name that a package lacks.
func candidates(ctx context.Context, language ecosystem.Language, f *Finding) []string {
	var all []string
	if releaser, ok := language.(ecosystem.Releaser); ok {
		releases, err := releaser.Releases(ctx, f.dir, &ecosystem.Used{Name: cmp.Or(f.module, f.Package), Version: f.Version})
		if err == nil && releases.Newest != "" && releases.Newest != f.Version {
			all = append(all, releases.Newest)
		}
	}
	if before := versionBefore(f.Version); before != "" {
		all = append(all, before)
	}
	return all
}

// versionBefore returns the prefix of the versions that precede a version and may be incompatible
// with it: "2" for 3.1.0, "0.6" for 0.7.2. It returns "" if there are none.
func versionBefore(version string) string {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	if n, err := strconv.Atoi(major); err == nil && n > 0 {
		if n == 1 {
			return "" // all versions 0.x may break programs
		}
		return strconv.Itoa(n - 1)
	}
	if n, err := strconv.Atoi(minor); err == nil && major == "0" && n > 0 {
		return fmt.Sprintf("0.%d", n-1)
	}
	return ""
}
