package cargo

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
	Pre                 string // "alpha.1", empty for a release
	Build               string
}

var errVersion = errors.New("it is not a semantic version")

// maxVersion bounds the length of versions and requirements, in bytes.
const maxVersion = 4096

// ParseVersion parses a whole version: "1.2.3-alpha.1+build".
func ParseVersion(s string) (Version, error) {
	v, err := parseVersion(s)
	if err != nil {
		return Version{}, fmt.Errorf("read the version %.100q: %w", s, err)
	}
	return v, nil
}

func parseVersion(s string) (v Version, err error) {
	if len(s) > maxVersion {
		return v, errVersion
	}
	for i, n := range []*uint64{&v.Major, &v.Minor, &v.Patch} {
		if i > 0 {
			if !strings.HasPrefix(s, ".") {
				return v, errVersion
			}
			s = s[1:]
		}
		if *n, s, err = number(s); err != nil {
			return v, err
		}
	}
	if v.Pre, v.Build, s, err = suffixes(s); err != nil {
		return v, err
	}
	if s != "" {
		return v, errVersion
	}
	return v, nil
}

// number parses the number that s begins with.
func number(s string) (n uint64, rest string, err error) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	if end == 0 || end > 1 && s[0] == '0' {
		return 0, s, errVersion
	}
	n, err = strconv.ParseUint(s[:end], 10, 64)
	if err != nil {
		return 0, s, errVersion
	}
	return n, s[end:], nil
}

// suffixes parses the prerelease and the build metadata that s begins with.
func suffixes(s string) (pre, build, rest string, err error) {
	if strings.HasPrefix(s, "-") {
		if pre, s, err = identifiers(s[1:], true); err != nil {
			return
		}
	}
	if strings.HasPrefix(s, "+") {
		if build, s, err = identifiers(s[1:], false); err != nil {
			return
		}
	}
	return pre, build, s, nil
}

// identifiers parses the identifiers, with dots between, that s begins with.
// Numbers among them have no leading zeros if strict is true.
func identifiers(s string, strict bool) (found, rest string, err error) {
	end := 0
	for end < len(s) && (s[end] == '.' || s[end] == '-' || s[end] >= '0' && s[end] <= '9' || s[end] >= 'a' && s[end] <= 'z' || s[end] >= 'A' && s[end] <= 'Z') {
		end++
	}
	for part := range strings.SplitSeq(s[:end], ".") {
		if part == "" || strict && len(part) > 1 && part[0] == '0' && isNumber(part) {
			return "", s, errVersion
		}
	}
	return s[:end], s[end:], nil
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }

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

// Compare orders versions by precedence, which build metadata has no part in.
func Compare(a, b Version) int {
	return cmp.Or(cmp.Compare(a.Major, b.Major), cmp.Compare(a.Minor, b.Minor), cmp.Compare(a.Patch, b.Patch), comparePre(a.Pre, b.Pre))
}

// comparePre orders prereleases; a release, "", comes after all.
func comparePre(a, b string) int {
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
		if c := compareIdentifier(x, y); c != 0 {
			return c
		}
		if !moreA || !moreB {
			return cmp.Compare(len(restA), len(restB))
		}
		a, b = restA, restB
	}
}

func compareIdentifier(x, y string) int {
	switch nx, ny := isNumber(x), isNumber(y); {
	case nx && ny:
		return cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y))
	case nx:
		return -1
	case ny:
		return 1
	}
	return strings.Compare(x, y)
}
