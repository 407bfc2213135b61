package ecosystem

import "errors"

// A MissingRelease is a release of a package that is not on this machine.
type MissingRelease struct {
	// Package and Version are as in Query. Version may be a range, or empty for the newest release.
	Package, Version string
	// ChosenBy is as in apidoc.Provenance. It is empty if the query chose the version.
	ChosenBy string
}

// Missing returns the release that a query refers to, if err reports that it was not found because
// the network is off. ok is false for any other error, and for directories.
func Missing(q *Query, err error) (w MissingRelease, ok bool) {
	failed, isError := errors.AsType[*Error](err)
	switch {
	case !isError || failed.Reason != Unreachable || IsDirectory(q.Package):
		return MissingRelease{}, false
	case failed.Missing != nil:
		return *failed.Missing, true
	}
	return MissingRelease{Package: q.Package, Version: q.Version}, true
}
