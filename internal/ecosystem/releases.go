package ecosystem

import (
	"context"
	"slices"
	"strings"
	"time"
)

// A Releaser is a Language that can query registries for the releases of packages.
type Releaser interface {
	// Releases returns the registry's information about a package in the graph of the project in
	// projectDir. Responses are cached. Without a network (see fetch.WithoutNetwork), a cached
	// response of any age is used and no program is run. An error that the user can act on is an
	// *Error.
	Releases(ctx context.Context, projectDir string, p *Used) (*Releases, error)
}

// Releases is a registry's information about a package. Fields are empty if the registry does not
// provide them.
type Releases struct {
	// Newest is the newest release that is not a prerelease, if there is one.
	Newest string
	// Allowed is the newest release that the project's own packages allow. It is empty if they do
	// not require the package.
	Allowed string
	// Published is the time when the version in use was published.
	Published time.Time
	// Deprecated is the deprecation notice of the version in use, or of the package.
	Deprecated string
	// Yanked is the reason why the version in use was withdrawn.
	Yanked string
	// Archived is true if the package will not get any more releases.
	Archived bool
	// Versions returns all versions, the newest first. It is nil if they are unknown.
	Versions func() []Version
	// Err is the reason why no information is available.
	Err error
}

// Version is a registry's information about a version of a package. Fields are empty if the
// registry does not provide them.
type Version struct {
	Version string
	// Published is the time when the version was published.
	Published time.Time
	// Deprecated is the deprecation notice of the version.
	Deprecated string
	// Yanked is the reason why the version was withdrawn.
	Yanked string
}

// Versions returns versions, the newest first. newer reports whether a version is newer than another
// one.
func Versions(all []Version, newer func(a, b string) bool) []Version {
	slices.SortFunc(all, func(a, b Version) int {
		switch {
		case newer(a.Version, b.Version):
			return -1
		case newer(b.Version, a.Version):
			return 1
		}
		return strings.Compare(a.Version, b.Version)
	})
	return all
}

// NoReason is shown for a withdrawn version if the registry does not give a reason.
const NoReason = "no reason is given"
