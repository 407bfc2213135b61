package lookup

import (
	"cmp"
	"slices"
	"strings"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/resolve"
)

// These are factors for the scores of matches outside the requested package.
const (
	entryPoint   = 0.8 // applies to another entry point or module of the same package
	otherPackage = 0.5 // applies to another package of the same module
	nextMajor    = 0.8 // applies to another major version of the package, if its path is below the package's path
	supporting   = 0.6 // applies to a supporting package, in addition to one of the factors above
)

// supportingNames contains the names of modules that most users do not need.
var supportingNames = map[string]bool{
	"test": true, "tests": true, "testing": true, "internal": true, "compat": true, "legacy": true, "deprecated": true,
	"experimental": true, "contrib": true, "plugin": true, "plugins": true, "cli": true, "mypy": true, "vendor": true,
	"util": true, "utils": true, "vendored": true, "third_party": true, "extern": true, "externals": true, "testutil": true,
	"testutils": true, "mock": true, "mocks": true, "examples": true, "benchmarks": true, "old": true,
}

// standing returns the factor for the score of matches in another package of a
// module, or in another entry point of a package. entryPoints is true for a
// language whose packages have entry points, such as npm.
func standing(request, other *apidoc.Package, entryPoints bool, query string) float64 {
	factor := otherPackage
	if entryPoints {
		factor = entryPoint
	}
	if next, ok := strings.CutPrefix(other.Name, request.Name+"/"); ok && resolve.IsMajor(next) && next != "v0" && next != "v1" {
		return nextMajor
	}
	isSeparator := func(r rune) bool { return r == '.' || r == ':' || r == '/' }
	same := strings.FieldsFunc(request.Name, isSeparator)
	words := strings.Fields(strings.ToLower(query))
	below := strings.TrimPrefix(other.Name, cmp.Or(request.Module, request.Name))
	for part := range strings.FieldsFuncSeq(below, isSeparator) {
		helper := isTestHelper(part) && !slices.ContainsFunc(same, isTestHelper) && !strings.Contains(strings.ToLower(query), "test")
		if !supportingNames[part] && !helper && !strings.HasPrefix(part, "_") && !resolve.IsMajor(part) || slices.Contains(same, part) {
			continue
		}
		if !slices.ContainsFunc(words, func(w string) bool { return len(w) >= 2 && strings.HasPrefix(part, w) }) {
			return factor * supporting
		}
	}
	return factor
}

// isTestHelper reports whether a module's name contains Test or Mock among other words, such as
// KilnTestKit.
func isTestHelper(name string) bool {
	return strings.Contains(name, "Test") || strings.Contains(name, "Mock")
}
