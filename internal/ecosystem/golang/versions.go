package golang

import (
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// exactVersion returns the only version that a query can match, or "" if the
// query is "latest", a range, a branch or a commit, which can match several.
func exactVersion(v string) string {
	v = withV(v)
	if semver.IsValid(v) && module.CanonicalVersion(v) == v {
		return v
	}
	return ""
}

// withV adds a "v" to a version or query without one, such as "1.8.0", "1.8" or
// "<1.9".
func withV(v string) string {
	op := v[:len(v)-len(strings.TrimLeft(v, "<>="))]
	rest := v[len(op):]
	if strings.Contains(rest, ".") && semver.IsValid("v"+rest) || op != "" && semver.IsValid("v"+rest) {
		return op + "v" + rest
	}
	return v
}

// newer reports whether v is newer than another version. Any release is newer
// than any prerelease, and any prerelease is newer than any pseudo-version.
func newer(v, than string) bool {
	if a, b := rank(v), rank(than); a != b {
		return a > b
	}
	return semver.Compare(v, than) > 0
}

func rank(v string) int {
	switch {
	case module.IsPseudoVersion(v):
		return 0
	case semver.Prerelease(v) != "":
		return 1
	}
	return 2
}

// pickVersion chooses among versions as the go command does for a version
// query. "", "latest" and "upgrade" choose the newest version; "v1" and "v1.8"
// the newest with that prefix; "<v2" and "<=v2" the highest that matches; ">v1"
// and ">=v1" the lowest that matches. kind is set if the chosen version is not
// a release. For other queries, version is empty.
func pickVersion(versions []string, query string) (version, kind string) {
	query = withV(query)
	op := query[:len(query)-len(strings.TrimLeft(query, "<>="))]
	bound := query[len(op):]
	admits := func(string) bool { return true }
	switch {
	case query == "" || query == "latest" || query == "upgrade" || query == "patch":
	case !semver.IsValid(bound):
		return "", ""
	case op == "":
		admits = func(v string) bool {
			return v == bound || strings.HasPrefix(v, bound+".") && strings.Count(bound, ".") < 2
		}
	default:
		admits = func(v string) bool {
			c := semver.Compare(v, bound)
			switch op {
			case "<":
				return c < 0
			case "<=":
				return c <= 0
			case ">":
				return c > 0
			case ">=":
				return c >= 0
			}
			return false
		}
	}
	lowest := strings.HasPrefix(op, ">")
	for _, v := range versions {
		if !admits(v) {
			continue
		}
		switch {
		case version == "":
			version = v
		case rank(v) != rank(version):
			if rank(v) > rank(version) {
				version = v
			}
		case lowest == (semver.Compare(v, version) < 0):
			version = v
		}
	}
	switch {
	case version == "":
	case rank(version) == 0:
		kind = "an untagged commit"
	case rank(version) == 1:
		kind = "a prerelease"
	}
	return version, kind
}
