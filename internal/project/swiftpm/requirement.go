package swiftpm

import (
	"fmt"
	"strings"
)

// Requirement is the set of allowed versions of a package: a range, a branch or
// a revision. The zero Requirement allows every release.
type Requirement struct {
	// Lower is the first version of the range, and Upper is the first version after it. Both are
	// nil for an unlimited range.
	Lower, Upper *Version
	// Exact is true if only Lower is allowed.
	Exact    bool
	Branch   string
	Revision string
}

// UpToNextMajor returns the requirement of `from:` and `.upToNextMajor(from:)`.
func UpToNextMajor(v Version) Requirement {
	return Requirement{Lower: &v, Upper: &Version{Major: v.Major + 1}}
}

// UpToNextMinor returns the requirement of `.upToNextMinor(from:)`.
func UpToNextMinor(v Version) Requirement {
	return Requirement{Lower: &v, Upper: &Version{Major: v.Major, Minor: v.Minor + 1}}
}

// Exactly returns the requirement of `exact:`.
func Exactly(v Version) Requirement { return Requirement{Lower: &v, Exact: true} }

// Between returns the requirement of the range lower..<upper.
func Between(lower, upper Version) Requirement { return Requirement{Lower: &lower, Upper: &upper} }

// Through returns the requirement of the range lower...upper.
func Through(lower, upper Version) Requirement {
	return Requirement{Lower: &lower, Upper: &Version{Major: upper.Major, Minor: upper.Minor, Patch: upper.Patch + 1}}
}

// Any reports whether all releases are allowed.
func (r Requirement) Any() bool { return r == Requirement{} }

// Matches reports whether a version is allowed. A prerelease is allowed only in a range that
// contains one.
func (r Requirement) Matches(v Version) bool {
	if r.Branch != "" || r.Revision != "" {
		return false
	}
	if r.Exact {
		return r.Lower.Compare(v) == 0 && (r.Lower.Build == "" || r.Lower.Build == v.Build)
	}
	if v.Pre != "" {
		if (r.Lower == nil || r.Lower.Pre == "") && (r.Upper == nil || r.Upper.Pre == "") {
			return false
		}
		if u := r.Upper; u != nil && u.Pre == "" && u.Major == v.Major && u.Minor == v.Minor && u.Patch == v.Patch {
			return false
		}
	}
	return (r.Lower == nil || v.Compare(*r.Lower) >= 0) && (r.Upper == nil || v.Compare(*r.Upper) < 0)
}

// String formats the requirement as it is written in Package.swift.
func (r Requirement) String() string {
	switch {
	case r.Branch != "":
		return "branch " + r.Branch
	case r.Revision != "":
		return "revision " + r.Revision
	case r.Lower == nil && r.Upper == nil:
		return "any version"
	case r.Exact:
		return "exactly " + r.Lower.String()
	case r.Upper == nil:
		return r.Lower.String() + " and later"
	case r.Lower == nil:
		return "before " + r.Upper.String()
	case *r.Upper == Version{Major: r.Lower.Major + 1}:
		return "from " + r.Lower.String()
	}
	return r.Lower.String() + "..<" + r.Upper.String()
}

// ParseRequirement parses a requirement in one of the forms that people use, such as "1.2.3", "1.2",
// "^1.2", "~1.2", "from: 1.2.3", "exact: 1.2.3", "1.0.0..<2.0.0",
// "1.0.0...1.4.0", ">=1.2", "branch: main", "revision: 0123abc". A version alone
// means exactly that version if it has three numbers, or else the newest version
// that begins with it.
func ParseRequirement(s string) (Requirement, error) {
	s = strings.TrimSpace(s)
	if label, value, ok := strings.Cut(s, ":"); ok {
		value = strings.Trim(strings.TrimSpace(value), `"`)
		switch strings.TrimSpace(label) {
		case "branch":
			return Requirement{Branch: value}, refName(value)
		case "revision":
			return Requirement{Revision: value}, refName(value)
		case "from":
			v, err := ParseTag(value)
			return UpToNextMajor(v), err
		case "exact":
			v, err := ParseTag(value)
			return Exactly(v), err
		}
		return Requirement{}, errRequirement(s)
	}
	for _, operator := range []string{"..<", "..."} {
		if low, high, ok := strings.Cut(s, operator); ok {
			lower, errLower := ParseTag(strings.Trim(low, ` "`))
			upper, errUpper := ParseTag(strings.Trim(high, ` "`))
			if errLower != nil || errUpper != nil || lower.Compare(upper) > 0 {
				return Requirement{}, errRequirement(s)
			}
			if operator == "..." {
				return Through(lower, upper), nil
			}
			return Between(lower, upper), nil
		}
	}
	for _, operator := range []string{"^", "~>", "~", ">="} {
		if rest, ok := strings.CutPrefix(s, operator); ok {
			return operated(operator, strings.TrimSpace(rest))
		}
	}
	if v, err := ParseVersion(strings.TrimPrefix(s, "v")); err == nil {
		return Exactly(v), nil
	}
	v, err := parseVersion(strings.TrimPrefix(s, "v"), 1)
	if err != nil {
		return Requirement{}, errRequirement(s)
	}
	if strings.Contains(s, ".") {
		return UpToNextMinor(v), nil
	}
	return UpToNextMajor(v), nil
}

// operated returns the requirement that consists of an operator and a version.
func operated(operator, version string) (Requirement, error) {
	v, err := parseVersion(strings.TrimPrefix(version, "v"), 1)
	if err != nil {
		return Requirement{}, errRequirement(operator + version)
	}
	dots := strings.Count(version, ".")
	switch {
	case operator == ">=":
		return Requirement{Lower: &v}, nil
	case operator == "~>" && dots == 2, operator == "~" && dots > 0:
		return UpToNextMinor(v), nil
	}
	return UpToNextMajor(v), nil
}

func errRequirement(s string) error {
	return fmt.Errorf("%.80q is neither a version nor a requirement", s)
}

// refName returns an error for text that cannot be the name of a branch, a tag or a commit.
func refName(s string) error {
	if s == "" || len(s) > maxVersion || strings.ContainsAny(s, " ~^:?*[\\\x7f") || strings.Contains(s, "..") || strings.Contains(s, "//") ||
		strings.HasPrefix(s, "/") || strings.HasPrefix(s, "-") || strings.HasSuffix(s, "/") || strings.Contains(s, "@{") {
		return fmt.Errorf("%.80q is not a valid name of a branch, tag or commit", s)
	}
	for _, c := range []byte(s) {
		if c < ' ' {
			return fmt.Errorf("%.80q is not a valid name of a branch, tag or commit", s)
		}
	}
	return nil
}

// ValidRef reports whether s can be the name of a branch, a tag or a commit.
func ValidRef(s string) bool { return refName(s) == nil }
