package cargo

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/project/semver"
)

// Requirement is a version requirement in cargo's syntax, such as "1.2", "^0.3.1",
// ">=1.2, <1.5", "1.*". The zero Requirement accepts every release.
type Requirement struct {
	comparators []comparator
}

// comparator is one condition of a requirement. The minor and patch numbers may
// be missing.
type comparator struct {
	op           operator
	version      Version
	minor, patch bool // whether these components are specified
}

type operator byte

const (
	caret operator = iota
	exact
	greater
	greaterEqual
	less
	lessEqual
	tilde
)

// operators lists the operators with their spellings. Longer spellings come first.
var operators = []struct {
	text string
	op   operator
}{{">=", greaterEqual}, {"<=", lessEqual}, {"=", exact}, {">", greater}, {"<", less}, {"~", tilde}, {"^", caret}}

// maxComparators is the maximum number of comparators in a requirement.
const maxComparators = 32

var errRequirement = errors.New(`it is not a version requirement, such as "1.2", "=1.2.3", ">=1.2, <1.5" or "1.*"`)

// ParseRequirement parses a version requirement.
func ParseRequirement(s string) (Requirement, error) {
	r, err := parseRequirement(s)
	if err != nil {
		return Requirement{}, fmt.Errorf("read the version requirement %.100q: %w", s, err)
	}
	return r, nil
}

func parseRequirement(s string) (r Requirement, err error) {
	if len(s) > maxVersion {
		return r, errRequirement
	}
	s = strings.TrimLeft(s, " ")
	if rest, ok := cutWildcard(s); ok {
		if strings.TrimLeft(rest, " ") == "" {
			return r, nil
		}
		return r, errRequirement
	}
	for {
		var c comparator
		if c, s, err = parseComparator(s); err != nil {
			return r, err
		}
		r.comparators = append(r.comparators, c)
		if s == "" {
			return r, nil
		}
		rest, ok := strings.CutPrefix(s, ",")
		if !ok || len(r.comparators) == maxComparators {
			return r, errRequirement
		}
		s = strings.TrimLeft(rest, " ")
	}
}

func cutWildcard(s string) (rest string, ok bool) {
	if s != "" && (s[0] == '*' || s[0] == 'x' || s[0] == 'X') {
		return s[1:], true
	}
	return s, false
}

// parseComparator parses the comparator at the beginning of s, and the spaces
// after it.
func parseComparator(s string) (c comparator, rest string, err error) {
	plain := true
	for _, o := range operators {
		if rest, ok := strings.CutPrefix(s, o.text); ok {
			c.op, s, plain = o.op, rest, false
			break
		}
	}
	s = strings.TrimLeft(s, " ")
	if c.version.Major, s, err = number(s); err != nil {
		return c, s, errRequirement
	}
	wild := false
	for i, part := range []struct {
		n     *uint64
		isSet *bool
	}{{&c.version.Minor, &c.minor}, {&c.version.Patch, &c.patch}} {
		after, ok := strings.CutPrefix(s, ".")
		if !ok {
			break
		}
		if after, ok := cutWildcard(after); ok {
			s, wild = after, true
			if plain {
				c.op = exact
			}
			continue
		}
		if wild || i == 1 && !c.minor {
			return c, s, errRequirement
		}
		if *part.n, s, err = number(after); err != nil {
			return c, s, errRequirement
		}
		*part.isSet = true
	}
	if c.patch {
		if c.version.Pre, _, s, err = suffixes(s); err != nil {
			return c, s, errRequirement
		}
	}
	return c, strings.TrimLeft(s, " "), nil
}

// Matches reports whether a version satisfies the requirement. A prerelease satisfies it only if a
// comparator contains a prerelease of the same version.
func (r Requirement) Matches(v Version) bool {
	for _, c := range r.comparators {
		if !c.matches(v) {
			return false
		}
	}
	if v.Pre == "" {
		return true
	}
	for _, c := range r.comparators {
		if c.minor && c.patch && c.version.Pre != "" && c.version.Major == v.Major && c.version.Minor == v.Minor && c.version.Patch == v.Patch {
			return true
		}
	}
	return false
}

// Exact returns the version if the requirement allows only one, as in "=1.2.3". It returns false
// for other requirements.
func (r Requirement) Exact() (Version, bool) {
	if len(r.comparators) == 1 && r.comparators[0].op == exact && r.comparators[0].patch {
		return r.comparators[0].version, true
	}
	return Version{}, false
}

func (c comparator) matches(v Version) bool {
	switch c.op {
	case exact:
		return c.equal(v)
	case greater:
		return c.compare(v) > 0
	case greaterEqual:
		return c.equal(v) || c.compare(v) > 0
	case less:
		return c.compare(v) < 0
	case lessEqual:
		return c.equal(v) || c.compare(v) < 0
	case tilde:
		return c.tilde(v)
	}
	return c.caret(v)
}

// equal reports whether v matches all components that the comparator specifies.
func (c comparator) equal(v Version) bool {
	w := c.version
	return v.Major == w.Major && (!c.minor || v.Minor == w.Minor) && (!c.patch || v.Patch == w.Patch) && v.Pre == w.Pre
}

// compare compares v with the components that the comparator specifies. Missing components are
// treated as equal.
func (c comparator) compare(v Version) int {
	w := c.version
	if !c.minor {
		v.Minor, w.Minor = 0, 0
	}
	if !c.patch {
		v.Patch, w.Patch, v.Pre, w.Pre = 0, 0, "", ""
	}
	return v.Compare(w)
}

func (c comparator) tilde(v Version) bool {
	w := c.version
	if v.Major != w.Major || c.minor && v.Minor != w.Minor {
		return false
	}
	if c.patch && v.Patch != w.Patch {
		return v.Patch > w.Patch
	}
	return semver.ComparePre(v.Pre, w.Pre) >= 0
}

func (c comparator) caret(v Version) bool {
	w := c.version
	switch {
	case v.Major != w.Major:
		return false
	case !c.minor:
		return true
	case !c.patch && w.Major > 0:
		return v.Minor >= w.Minor
	case !c.patch:
		return v.Minor == w.Minor
	case w.Major > 0 && v.Minor != w.Minor:
		return v.Minor > w.Minor
	case v.Minor != w.Minor:
		return false
	case (w.Major > 0 || w.Minor > 0) && v.Patch != w.Patch:
		return v.Patch > w.Patch
	case v.Patch != w.Patch:
		return false
	}
	return semver.ComparePre(v.Pre, w.Pre) >= 0
}

// NamesPrerelease reports whether a comparator contains a prerelease.
func (r Requirement) NamesPrerelease() bool {
	return slices.ContainsFunc(r.comparators, func(c comparator) bool { return c.version.Pre != "" })
}
