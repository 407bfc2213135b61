// Package pep440 parses and compares versions and version specifiers of Python
// distributions, as defined by PEP 440 and implemented by the library
// packaging.
package pep440

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"unicode"
)

// maxLength is the maximum size in bytes of the text of a version or specifier.
const maxLength = 4096

// errVersion means that text is not a version.
var errVersion = errors.New("is not a PEP 440 version")

// number is a decimal number of any size without leading zeros.
type number string

func parseNumber(s string) number {
	s = strings.TrimLeft(s, "0")
	if s == "" {
		return "0"
	}
	return number(s)
}

func (n number) compare(o number) int {
	return cmp.Or(cmp.Compare(len(n), len(o)), strings.Compare(string(n), string(o)))
}

// Version is a parsed version. The zero Version is not valid.
type Version struct {
	epoch   number
	release []number
	preKind string // "a", "b", "rc", empty if it is not a pre-release
	pre     number
	post    number // empty if there is none
	dev     number // empty if there is none
	local   []string
}

// Parse parses a version. It accepts the spellings that PEP 440 normalizes
// ("v1.0-alpha.1" is 1.0a1).
func Parse(s string) (Version, error) {
	s = strings.TrimFunc(s, space)
	v, rest, ok := scanVersion(s)
	if !ok || rest != "" || len(s) > maxLength {
		return Version{}, errVersion
	}
	return v, nil
}

// space reports whether Python's regular expressions treat r as white space.
func space(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

// scanVersion reads the longest version at the beginning of s. ok is false if
// there is none.
func scanVersion(s string) (v Version, rest string, ok bool) {
	s = trimFold(s, "v")
	if v, s, ok = scanRelease(s); !ok {
		return v, s, false
	}
	s = scanSuffix(&v, s)
	if len(s) > 1 && s[0] == '+' && alphanumeric(s[1]) {
		s = scanLocal(&v, s[1:])
	}
	return v, s, true
}

// scanRelease reads the epoch and release at the beginning of s. ok is false if
// there is no release.
func scanRelease(s string) (v Version, rest string, ok bool) {
	digits, rest := scanDigits(s)
	if digits == "" {
		return v, s, false
	}
	v.epoch = "0"
	if after, is := strings.CutPrefix(rest, "!"); is {
		if first, more := scanDigits(after); first != "" {
			v.epoch, digits, rest = parseNumber(digits), first, more
		}
	}
	v.release = append(v.release, parseNumber(digits))
	for strings.HasPrefix(rest, ".") {
		digits, more := scanDigits(rest[1:])
		if digits == "" {
			break
		}
		v.release, rest = append(v.release, parseNumber(digits)), more
	}
	return v, rest, true
}

var preKinds = []struct{ word, kind string }{
	{"alpha", "a"}, {"a", "a"}, {"beta", "b"}, {"b", "b"}, {"preview", "rc"}, {"pre", "rc"}, {"c", "rc"}, {"rc", "rc"},
}

// scanSuffix reads the pre-release, post-release and development release at the
// beginning of s and returns the rest.
func scanSuffix(v *Version, s string) string {
	for _, p := range preKinds {
		if n, rest, ok := scanPart(s, p.word); ok {
			v.preKind, v.pre, s = p.kind, n, rest
			break
		}
	}
	if digits, rest := scanDigits(strings.TrimPrefix(s, "-")); strings.HasPrefix(s, "-") && digits != "" {
		v.post, s = parseNumber(digits), rest
	} else {
		for _, word := range []string{"post", "rev", "r"} {
			if n, rest, ok := scanPart(s, word); ok {
				v.post, s = n, rest
				break
			}
		}
	}
	if n, rest, ok := scanPart(s, "dev"); ok {
		v.dev, s = n, rest
	}
	return s
}

// scanPart reads a word with an optional separator on each side and an optional
// number after it. ok is false if s does not begin with such a word.
func scanPart(s, word string) (n number, rest string, ok bool) {
	s = trimSeparator(s)
	after := trimFold(s, word)
	if len(after) == len(s) {
		return "", s, false
	}
	digits, rest := scanDigits(trimSeparator(after))
	return parseNumber(digits), rest, true
}

func scanLocal(v *Version, s string) (rest string) {
	for {
		end := 0
		for end < len(s) && alphanumeric(s[end]) {
			end++
		}
		segment := strings.ToLower(s[:end])
		if digits, more := scanDigits(segment); more == "" {
			segment = string(parseNumber(digits))
		}
		v.local = append(v.local, segment)
		s = s[end:]
		if len(s) < 2 || !strings.ContainsRune("._-", rune(s[0])) || !alphanumeric(s[1]) {
			return s
		}
		s = s[1:]
	}
}

func scanDigits(s string) (digits, rest string) {
	end := 0
	for end < len(s) && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	return s[:end], s[end:]
}

func trimSeparator(s string) string {
	if s != "" && strings.IndexByte("._-", s[0]) >= 0 {
		return s[1:]
	}
	return s
}

// trimFold removes a prefix, ignoring the case of ASCII letters.
func trimFold(s, prefix string) string {
	if len(s) < len(prefix) {
		return s
	}
	for i := range len(prefix) {
		if lower(s[i]) != prefix[i] {
			return s
		}
	}
	return s[len(prefix):]
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func alphanumeric(c byte) bool {
	c = lower(c)
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z'
}

// String returns the normalized text.
func (v Version) String() string {
	var b strings.Builder
	if v.epoch != "0" {
		b.WriteString(string(v.epoch) + "!")
	}
	for i, n := range v.release {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(string(n))
	}
	if v.preKind != "" {
		b.WriteString(v.preKind + string(v.pre))
	}
	if v.post != "" {
		b.WriteString(".post" + string(v.post))
	}
	if v.dev != "" {
		b.WriteString(".dev" + string(v.dev))
	}
	if len(v.local) > 0 {
		b.WriteString("+" + strings.Join(v.local, "."))
	}
	return b.String()
}

// IsPrerelease reports whether v is a pre-release or a development release.
func (v Version) IsPrerelease() bool { return v.preKind != "" || v.dev != "" }

// Release returns the numbers of the release as text, such as "3", "11" and "7".
func (v Version) Release() []string {
	out := make([]string, len(v.release))
	for i, n := range v.release {
		out[i] = string(n)
	}
	return out
}

// public returns v without its local segment.
func (v Version) public() Version {
	v.local = nil
	return v
}

// Compare returns -1 if v is older than o, 1 if it is newer, and 0 if they are equal.
func (v Version) Compare(o Version) int {
	return cmp.Or(
		v.epoch.compare(o.epoch),
		slices.CompareFunc(trimZeros(v.release), trimZeros(o.release), number.compare),
		cmp.Compare(v.preRank(), o.preRank()), v.pre.compare(o.pre),
		compareOptional(v.post, o.post, -1), compareOptional(v.dev, o.dev, 1),
		slices.CompareFunc(v.local, o.local, compareLocal),
	)
}

func trimZeros(release []number) []number {
	for len(release) > 0 && release[len(release)-1] == "0" {
		release = release[:len(release)-1]
	}
	return release
}

// preRank returns a rank that places development releases that are not pre-releases before all
// pre-releases, and pre-releases before releases.
func (v Version) preRank() int {
	switch {
	case v.preKind == "" && v.post == "" && v.dev != "":
		return 0
	case v.preKind == "":
		return 4
	}
	return 1 + slices.Index([]string{"a", "b", "rc"}, v.preKind)
}

// compareOptional compares two numbers, either of which may be absent. absent is the rank of a
// missing number: -1 if it comes before all numbers, or 1 if it comes after them.
func compareOptional(a, b number, absent int) int {
	switch {
	case a == "" && b == "":
		return 0
	case a == "":
		return absent
	case b == "":
		return -absent
	}
	return a.compare(b)
}

// compareLocal orders local segments: words before numbers.
func compareLocal(a, b string) int {
	aWord, bWord := !allDigits(a), !allDigits(b)
	switch {
	case aWord && bWord:
		return strings.Compare(a, b)
	case aWord:
		return -1
	case bWord:
		return 1
	}
	return number(a).compare(number(b))
}

func allDigits(s string) bool {
	_, rest := scanDigits(s)
	return rest == ""
}

// Compare compares two versions as text, like Version.Compare. Text that is not a version is older
// than every version.
func Compare(a, b string) int {
	x, errX := Parse(a)
	y, errY := Parse(b)
	switch {
	case errX != nil && errY != nil:
		return strings.Compare(a, b)
	case errX != nil:
		return -1
	case errY != nil:
		return 1
	}
	return x.Compare(y)
}
