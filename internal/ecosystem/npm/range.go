package npm

import (
	"strconv"
	"strings"

	"deps.dev/util/semver"

	"github.com/docent-mcp/docent/internal/lazyregexp"
)

// versionRange is a range or an exact version, as npm interprets it.
type versionRange struct {
	text       string
	exact      string // the only version that matches, if there is only one
	constraint *semver.Constraint
}

var exactVersion = lazyregexp.New(`^[v=\s]*(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?$`)

// parseRange parses a range; ok is false for anything else, such as a tag.
func parseRange(s string) (versionRange, bool) {
	s = strings.TrimSpace(s)
	if len(s) > 256 {
		return versionRange{}, false
	}
	r := versionRange{text: s}
	if m := exactVersion().FindStringSubmatch(s); m != nil {
		r.exact = m[1]
	}
	c, err := semver.NPM.ParseConstraint(expandHyphens(s))
	if err != nil {
		return versionRange{}, false
	}
	r.constraint = c
	return r, true
}

// matches reports whether version is in the range. As in npm, a prerelease matches only if the
// range contains a prerelease of the same version.
func (r versionRange) matches(version string) bool {
	if r.exact != "" {
		return version == r.exact
	}
	v, err := semver.NPM.Parse(version)
	return err == nil && r.constraint.MatchVersion(v)
}

var hyphen = lazyregexp.New(`^\s*(\S+)\s+-\s+(\S+)\s*$`)

// expandHyphens replaces "1.2 - 2.3" with ">=1.2 <2.4.0-0", because the semver
// library rejects some of them.
func expandHyphens(s string) string {
	parts := strings.Split(s, "||")
	for i, p := range parts {
		m := hyphen().FindStringSubmatch(p)
		if m == nil {
			continue
		}
		low, high := "", ""
		if n, _ := numbers(m[1]); len(n) > 0 {
			low = ">=" + strings.TrimLeft(m[1], "v=")
		}
		switch n, full := numbers(m[2]); {
		case full:
			high = "<=" + strings.TrimLeft(m[2], "v=")
		case len(n) == 2:
			high = "<" + strconv.Itoa(n[0]) + "." + strconv.Itoa(n[1]+1) + ".0-0"
		case len(n) == 1:
			high = "<" + strconv.Itoa(n[0]+1) + ".0.0-0"
		}
		if parts[i] = strings.TrimSpace(low + " " + high); parts[i] == "" {
			parts[i] = "*"
		}
	}
	return strings.Join(parts, "||")
}

// numbers parses the numbers at the start of a partial version; full is true if
// there are three.
func numbers(v string) (n []int, full bool) {
	v = strings.TrimLeft(v, "v=")
	core, _, _ := strings.Cut(strings.SplitN(v, "+", 2)[0], "-")
	for s := range strings.SplitSeq(core, ".") {
		x, err := strconv.Atoi(s)
		if err != nil || len(n) == 3 {
			break
		}
		n = append(n, x)
	}
	return n, len(n) == 3
}

// compareVersions orders versions. Invalid versions come first.
func compareVersions(a, b string) int {
	va, errA := semver.NPM.Parse(a)
	vb, errB := semver.NPM.Parse(b)
	switch {
	case errA != nil && errB != nil:
		return strings.Compare(a, b)
	case errA != nil:
		return -1
	case errB != nil:
		return 1
	}
	return va.Compare(vb)
}

func isPrerelease(version string) bool {
	v, err := semver.NPM.Parse(version)
	return err != nil || v.IsPrerelease()
}
