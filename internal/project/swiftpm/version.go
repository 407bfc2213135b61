package swiftpm

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/project/semver"
)

// Version is a semantic version.
type Version = semver.Version

const maxVersion = 256 // maximum size in bytes of a version

var errVersion = errors.New("is not a semantic version")

// ParseVersion parses a version such as "1.2.3" or "1.2.3-beta.1+5".
func ParseVersion(s string) (Version, error) { return parseVersion(s, 3) }

// ParseTag parses the name of a tag like SwiftPM, such as "1.2.3", "v1.2.3" or "1.2".
func ParseTag(s string) (Version, error) { return parseVersion(strings.TrimPrefix(s, "v"), 2) }

// parseVersion parses a version with at least the given number of numbers.
func parseVersion(s string, minimum int) (Version, error) {
	var v Version
	if len(s) > maxVersion {
		return v, fmt.Errorf("%.40q %w", s, errVersion)
	}
	rest, build, hasBuild := strings.Cut(s, "+")
	rest, pre, hasPre := strings.Cut(rest, "-")
	parts := strings.Split(rest, ".")
	if len(parts) < minimum || len(parts) > 3 || hasBuild && !identifiers(build) || hasPre && !identifiers(pre) {
		return v, fmt.Errorf("%.40q %w", s, errVersion)
	}
	for i, into := range []*uint64{&v.Major, &v.Minor, &v.Patch} {
		if i >= len(parts) {
			break
		}
		n, err := strconv.ParseUint(parts[i], 10, 63)
		if err != nil || parts[i][0] == '+' {
			return v, fmt.Errorf("%.40q %w", s, errVersion)
		}
		*into = n
	}
	v.Pre, v.Build = pre, build
	return v, nil
}

// identifiers reports whether s is a list of identifiers separated by dots.
func identifiers(s string) bool {
	for id := range strings.SplitSeq(s, ".") {
		if id == "" {
			return false
		}
		for _, c := range []byte(id) {
			if c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
				return false
			}
		}
	}
	return true
}
