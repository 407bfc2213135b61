package ecosystem

// An Advised is a Language whose packages are covered by databases of advisories in the OSV format.
type Advised interface {
	// Advisories returns the name of the ecosystem in OSV, and the name and version of a
	// package there. ecosystem is empty if the database cannot contain the package.
	Advisories(p *Used) (ecosystem, name, version string)
	// CompareVersions compares two versions, which may be written in OSV's notation. ok is
	// false if one of them is not a version.
	CompareVersions(a, b string) (order int, ok bool)
}
