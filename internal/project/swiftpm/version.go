package swiftpm

import (
	"cmp"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Version is a semantic version.
type Version struct {
	Major, Minor, Patch uint64
	Pre                 string // "beta.1"
	Build               string
}

const maxVersion = 256 // bytes of a version

var errVersion = errors.New("is not a semantic version")

// ParseVersion parses "1.2.3", "1.2.3-beta.1+5".
func ParseVersion(s string) (Version, error) { return parseVersion(s, 3) }

// ParseTag parses the name of a tag as SwiftPM does: "1.2.3", "v1.2.3", "1.2".
func ParseTag(s string) (Version, error) { return parseVersion(strings.TrimPrefix(s, "v"), 2) }

// parseVersion parses a version with at least this many numbers.
func parseVersion(s string, least int) (Version, error) {
	var v Version
	if len(s) > maxVersion {
		return v, fmt.Errorf("%.40q %w", s, errVersion)
	}
	rest, build, hasBuild := strings.Cut(s, "+")
	rest, pre, hasPre := strings.Cut(rest, "-")
	parts := strings.Split(rest, ".")
	if len(parts) < least || len(parts) > 3 || hasBuild && !identifiers(build) || hasPre && !identifiers(pre) {
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

// identifiers reports whether s is a list of identifiers with dots between them.
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

func (v Version) String() string {
	s := fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
	if v.Pre != "" {
		s += "-" + v.Pre
	}
	if v.Build != "" {
		s += "+" + v.Build
	}
	return s
}

// Compare orders versions by precedence, which build metadata is no part of.
func Compare(a, b Version) int {
	if c := cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Patch, b.Patch)); c != 0 || a.Pre == b.Pre {
		return c
	}
	switch {
	case a.Pre == "":
		return 1
	case b.Pre == "":
		return -1
	}
	as, bs := strings.Split(a.Pre, "."), strings.Split(b.Pre, ".")
	for i := range min(len(as), len(bs)) {
		if c := compareIdentifiers(as[i], bs[i]); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(as), len(bs))
}

// compareIdentifiers orders identifiers of prereleases: numbers come before words.
func compareIdentifiers(a, b string) int {
	n, errA := strconv.ParseUint(a, 10, 64)
	m, errB := strconv.ParseUint(b, 10, 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Compare(n, m)
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	}
	return strings.Compare(a, b)
}
