package cargo

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/docent-mcp/docent/internal/project/semver"
)

// Version is a semantic version.
type Version = semver.Version

var errVersion = errors.New("it is not a semantic version")

// maxVersion is the maximum length in bytes of versions and requirements.
const maxVersion = 4096

// ParseVersion parses a complete version, such as "1.2.3-alpha.1+build".
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

// number parses the number at the beginning of s.
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

// suffixes parses the prerelease and the build metadata at the beginning of s.
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

// identifiers parses the identifiers, separated by dots, at the beginning of s.
// If strict is true, numbers among them must not have leading zeros.
func identifiers(s string, strict bool) (found, rest string, err error) {
	end := 0
	for end < len(s) && (s[end] == '.' || s[end] == '-' || s[end] >= '0' && s[end] <= '9' || s[end] >= 'a' && s[end] <= 'z' || s[end] >= 'A' && s[end] <= 'Z') {
		end++
	}
	for part := range strings.SplitSeq(s[:end], ".") {
		if part == "" || strict && len(part) > 1 && part[0] == '0' && semver.IsNumber(part) {
			return "", s, errVersion
		}
	}
	return s[:end], s[end:], nil
}
