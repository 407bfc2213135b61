package python

import (
	"strings"

	"github.com/docent-mcp/docent/internal/lazyregexp"
	"github.com/docent-mcp/docent/internal/project/pep440"
	"github.com/docent-mcp/docent/internal/project/pep508"
)

// fileName is the parsed name of a wheel or source distribution.
type fileName struct {
	Name    string // the normalized name of the distribution
	Version string // as it is written in the file name
	Wheel   bool
	Build   string
	Tags    []tag // tags of a wheel
}

// tag describes the interpreters and platforms that a wheel supports, such as
// cp311-abi3-win32.
type tag struct{ Python, ABI, Platform string }

const (
	maxFileName = 512 // maximum length of the name of a wheel, in bytes
	maxTags     = 200 // maximum number of tags of one wheel
)

var sourceExtensions = []string{".tar.gz", ".tgz", ".zip"}

var wheelName = lazyregexp.New(`^[\pL\pN_.]+$`)

// parseFileName parses the name of a file in an index. ok is false for files of other
// kinds and for invalid names.
func parseFileName(file string) (f fileName, ok bool) {
	if len(file) > maxFileName || strings.ContainsAny(file, `/\`) {
		return f, false
	}
	if stem, is := strings.CutSuffix(file, ".whl"); is {
		return parseWheelName(stem)
	}
	for _, extension := range sourceExtensions {
		stem, is := strings.CutSuffix(file, extension)
		i := versionDash(stem)
		if !is || i <= 0 {
			continue
		}
		f = fileName{Name: pep508.Normalize(stem[:i]), Version: stem[i+1:]}
		if _, err := pep440.Parse(f.Version); err != nil || !pep508.ValidName(stem[:i]) {
			return fileName{}, false
		}
		return f, true
	}
	return f, false
}

// versionDash returns the index of the dash before the version in the name of a source
// distribution without its extension, or -1.
func versionDash(stem string) int {
	i := strings.LastIndexByte(stem, '-')
	if i <= 0 {
		return i
	}
	// Old files may have versions with a dash: "x-1.0-1.tar.gz".
	if j := strings.LastIndexByte(stem[:i], '-'); j > 0 && isDigits(stem[i+1:]) && startsWithDigit(stem[j+1:]) {
		return j
	}
	return i
}

// versionIn returns the version in a name that is valid according to parseFileName.
func versionIn(file string) string {
	if _, rest, ok := strings.Cut(file, "-"); ok && strings.HasSuffix(file, ".whl") {
		version, _, _ := strings.Cut(rest, "-")
		return version
	}
	for _, extension := range sourceExtensions {
		if stem, ok := strings.CutSuffix(file, extension); ok {
			return stem[versionDash(stem)+1:]
		}
	}
	return ""
}

func isDigits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

func parseWheelName(stem string) (f fileName, ok bool) {
	parts := strings.Split(stem, "-")
	if len(parts) != 5 && len(parts) != 6 {
		return f, false
	}
	f = fileName{Name: pep508.Normalize(parts[0]), Version: parts[1], Wheel: true}
	if len(parts) == 6 {
		if f.Build = parts[2]; !startsWithDigit(f.Build) {
			return fileName{}, false
		}
	}
	if _, err := pep440.Parse(f.Version); err != nil || strings.Contains(parts[0], "__") || !wheelName().MatchString(parts[0]) || !pep508.ValidName(strings.Trim(parts[0], "_.")) {
		return fileName{}, false
	}
	for python := range strings.SplitSeq(parts[len(parts)-3], ".") {
		for abi := range strings.SplitSeq(parts[len(parts)-2], ".") {
			for platform := range strings.SplitSeq(parts[len(parts)-1], ".") {
				if python == "" || abi == "" || platform == "" || len(f.Tags) >= maxTags {
					return fileName{}, false
				}
				f.Tags = append(f.Tags, tag{strings.ToLower(python), strings.ToLower(abi), strings.ToLower(platform)})
			}
		}
	}
	return f, true
}
