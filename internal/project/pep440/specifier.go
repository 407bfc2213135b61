package pep440

import (
	"errors"
	"strings"
	"unicode/utf8"
)

// errSpecifier means that text is not a version specifier.
var errSpecifier = errors.New("is not a PEP 440 version specifier")

// maxSpecifiers is the maximum number of clauses in a Specifiers value.
const maxSpecifiers = 256

// Specifier is one clause of a version specifier, such as ">=1.2".
type Specifier struct {
	Operator string // "~=", "==", "!=", "<=", ">=", "<", ">", "==="
	Text     string // the text after the operator: "1.2", "1.*"
	version  Version
	prefix   bool // whether the text ends in ".*"
}

// ParseSpecifier parses one clause.
func ParseSpecifier(s string) (Specifier, error) {
	s = strings.TrimFunc(s, space)
	if end, ok := ScanSpecifier(s); !ok || end != len(s) || len(s) > maxLength {
		return Specifier{}, errSpecifier
	}
	op := operatorOf(s)
	out := Specifier{Operator: op, Text: strings.TrimFunc(s[len(op):], space)}
	if op == "===" {
		return out, nil
	}
	text, prefix := strings.CutSuffix(out.Text, ".*")
	v, err := Parse(text)
	if err != nil {
		return Specifier{}, errSpecifier
	}
	out.version, out.prefix = v, prefix
	return out, nil
}

func operatorOf(s string) string {
	for _, op := range []string{"===", "~=", "==", "!=", "<=", ">=", "<", ">"} {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// ScanSpecifier returns the length of the clause at the beginning of s. ok is
// false if there is none.
func ScanSpecifier(s string) (length int, ok bool) {
	op := operatorOf(s)
	if op == "" {
		return 0, false
	}
	rest := strings.TrimLeftFunc(s[len(op):], space)
	if op == "===" {
		for rest != "" {
			r, size := utf8.DecodeRuneInString(rest)
			if space(r) || r == ';' || r == ')' {
				break
			}
			rest = rest[size:]
		}
		return len(s) - len(rest), true
	}
	v, rest, ok := scanRelease(trimFold(rest, "v"))
	equality := op == "==" || op == "!="
	switch {
	case !ok, op == "~=" && len(v.release) < 2:
		return 0, false
	case equality && strings.HasPrefix(rest, ".*"):
		rest = rest[2:]
	default:
		rest = scanSuffix(&v, rest)
		if equality && len(rest) > 1 && rest[0] == '+' && alphanumeric(rest[1]) {
			rest = scanLocal(&v, rest[1:])
		}
	}
	return len(s) - len(rest), true
}

// Matches reports whether a version satisfies the clause. Pre-releases are
// treated as other versions. Text that is not a version can only satisfy "===".
func (c Specifier) Matches(text string) bool {
	if c.Operator == "===" {
		return strings.ToLower(text) == strings.ToLower(c.Text) //nolint:staticcheck // EqualFold equates more than packaging does
	}
	v, err := Parse(text)
	return err == nil && c.matches(v)
}

func (c Specifier) matches(v Version) bool {
	switch c.Operator {
	case ">=":
		return v.Compare(c.version) >= 0
	case "<=":
		return v.public().Compare(c.version) <= 0
	case "==":
		return c.equals(v)
	case "!=":
		return !c.equals(v)
	case "~=":
		return v.Compare(c.version) >= 0 && hasPrefix(v, c.version.epoch, c.version.release[:len(c.version.release)-1])
	case "<":
		bound := c.version
		if !bound.IsPrerelease() {
			bound.dev = "0"
		}
		return v.Compare(bound) < 0
	case ">":
		if c.version.dev != "" || c.version.post != "" {
			return v.public().Compare(c.version) > 0
		}
		return v.Compare(c.version) > 0 && !isPostRelease(v, c.version)
	}
	return false
}

func (c Specifier) equals(v Version) bool {
	if c.prefix {
		return hasPrefix(v, c.version.epoch, c.version.release)
	}
	if len(c.version.local) == 0 {
		v = v.public()
	}
	return v.Compare(c.version) == 0
}

// hasPrefix reports whether the release of v, with zeros added, begins with
// prefix.
func hasPrefix(v Version, epoch number, prefix []number) bool {
	if v.epoch != epoch {
		return false
	}
	for i, n := range prefix {
		if i < len(v.release) && v.release[i] != n || i >= len(v.release) && n != "0" {
			return false
		}
	}
	return true
}

// isPostRelease reports whether v, which is newer than base, is base with a
// local segment or one of its post-releases.
func isPostRelease(v, base Version) bool {
	v.post, v.dev, v.local = "", "", nil
	base.local = nil
	return v.Compare(base) == 0
}

// Specifiers is a set of clauses that a version must satisfy. An empty set is
// satisfied by every version.
type Specifiers []Specifier

// ParseSpecifiers parses clauses separated by commas.
func ParseSpecifiers(s string) (Specifiers, error) {
	var out Specifiers
	for part := range strings.SplitSeq(s, ",") {
		if strings.TrimFunc(part, space) == "" {
			continue
		}
		c, err := ParseSpecifier(part)
		if err != nil || len(out) >= maxSpecifiers {
			return nil, errSpecifier
		}
		out = append(out, c)
	}
	return out, nil
}

// Contains reports whether a version satisfies every clause. It accepts
// pre-releases.
func (s Specifiers) Contains(text string) bool {
	v, err := Parse(text)
	for _, c := range s {
		if c.Operator == "===" {
			if !c.Matches(text) {
				return false
			}
		} else if err != nil || !c.matches(v) {
			return false
		}
	}
	return true
}

// Prereleases reports whether a clause contains a pre-release. If so, pre-releases are acceptable.
func (s Specifiers) Prereleases() bool {
	for _, c := range s {
		v := c.version
		if c.Operator == "===" {
			v, _ = Parse(c.Text)
		}
		if c.Operator != "!=" && !c.prefix && v.IsPrerelease() {
			return true
		}
	}
	return false
}

// Filter returns the versions that satisfy every clause. They include pre-releases only if a clause
// contains one, or if none of the versions is a release.
func (s Specifiers) Filter(versions []string) []string {
	var releases, all []string
	prereleases, found := s.Prereleases(), false
	for _, text := range versions {
		if !s.Contains(text) {
			continue
		}
		all = append(all, text)
		if v, err := Parse(text); err != nil || !v.IsPrerelease() {
			releases = append(releases, text)
			found = found || err == nil
		}
	}
	if prereleases || !found {
		return all
	}
	return releases
}

// Exact returns the only version that a set allows, if the set consists of one
// "==" clause without ".*", or of one "===" clause. It returns false for other
// sets.
func (s Specifiers) Exact() (version string, ok bool) {
	if len(s) != 1 || s[0].prefix || s[0].Operator != "==" && s[0].Operator != "===" {
		return "", false
	}
	return s[0].Text, true
}

// Floor returns the lowest release that a set contains with ">=", "~=", "==" or ">". In a specifier
// of the Python versions that a project supports, it is the oldest supported version. ok is false
// if there is none.
func (s Specifiers) Floor() (version string, ok bool) {
	var best Version
	for _, c := range s {
		switch c.Operator {
		case ">=", "~=", "==", ">":
			if !ok || c.version.Compare(best) > 0 {
				best, ok = c.version, true
			}
		}
	}
	return best.String(), ok
}

// String returns the clauses separated by commas.
func (s Specifiers) String() string {
	parts := make([]string, len(s))
	for i, c := range s {
		parts[i] = c.Operator + c.Text
	}
	return strings.Join(parts, ",")
}
