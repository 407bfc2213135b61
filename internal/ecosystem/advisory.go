package ecosystem

// An Advised is a Language whose packages databases of advisories in the OSV format know.
type Advised interface {
	// Advisories returns the name of the ecosystem in OSV, and those of a package there; name
	// is empty if the database cannot have it.
	Advisories(p *Used) (ecosystem, name, version string)
	// CompareVersions orders two versions, which may be written as OSV does. ok is false if
	// one of them is not a version.
	CompareVersions(a, b string) (order int, ok bool)
}
