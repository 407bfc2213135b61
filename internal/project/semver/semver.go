// Package semver compares semantic versions. Each ecosystem parses its own form of
// them.
package semver

import (
	"cmp"
	"fmt"
	"strings"
)

// Version is a semantic version.
type Version struct {
	Major, Minor, Patch uint64
	Pre                 string // "alpha.1", empty for a release
	Build               string
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

// Compare compares versions by precedence, which ignores build metadata.
func (v Version) Compare(w Version) int {
	return cmp.Or(cmp.Compare(v.Major, w.Major), cmp.Compare(v.Minor, w.Minor), cmp.Compare(v.Patch, w.Patch), ComparePre(v.Pre, w.Pre))
}

// ComparePre compares prereleases. The empty string represents a release, which comes after all
// prereleases.
func ComparePre(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "":
		return 1
	case b == "":
		return -1
	}
	for {
		x, restA, moreA := strings.Cut(a, ".")
		y, restB, moreB := strings.Cut(b, ".")
		if c := compareIdentifiers(x, y); c != 0 {
			return c
		}
		if !moreA || !moreB {
			return cmp.Compare(len(restA), len(restB))
		}
		a, b = restA, restB
	}
}

// compareIdentifiers compares identifiers of prereleases. Numbers come before words.
func compareIdentifiers(x, y string) int {
	switch nx, ny := IsNumber(x), IsNumber(y); {
	case nx && ny:
		x, y = strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	case nx:
		return -1
	case ny:
		return 1
	}
	return strings.Compare(x, y)
}

// IsNumber reports whether s consists only of digits.
func IsNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }
