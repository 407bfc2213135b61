package ecosystem

import (
	"context"
	"time"
)

// A Releaser is a Language that can ask registries for the releases of packages.
type Releaser interface {
	// Releases returns what the registry of the project in a directory says of a package
	// of its graph. Answers of registries are cached. Without a network (see
	// fetch.WithoutNetwork), a cached answer of any age serves, and no program is run. An
	// error that the user can act on is an *Error.
	Releases(ctx context.Context, projectDir string, p *Used) (*Releases, error)
}

// Releases is what a registry says of a package. Fields are empty where it does not say.
type Releases struct {
	// Newest is the newest release that is not a prerelease, if there is one.
	Newest string
	// Allowed is the newest release that the project's own packages allow; empty if they
	// do not require the package.
	Allowed string
	// Published is when the version in use was published.
	Published time.Time
	// Deprecated is the notice of the version in use, or of the package.
	Deprecated string
	// Yanked is the reason for which the version in use was withdrawn.
	Yanked string
	// Archived is true if the package gets no more releases.
	Archived bool
	// Err is the reason why nothing is known.
	Err error
}

// NoReason is the reason of a registry that gives none for a withdrawn version.
const NoReason = "no reason is given"
