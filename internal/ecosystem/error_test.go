package ecosystem_test

import (
	"slices"
	"testing"

	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestError_PopularPackages(t *testing.T) {
	language := &ecosystem.Info{Popular: "# reqeust of a comment\nrequests\nrequests-cache\nzod\nlong-package-name\n"}
	for name, want := range map[string][]string{
		"reqeusts":          {"requests"},
		"Requests":          {"requests"},
		"zodd":              {"zod"},
		"requests-kache":    {"requests-cache"},
		"package-long-name": nil, // the same words
		"nothing":           nil,
		"":                  nil,
	} {
		if e := ecosystem.Fail(ecosystem.NotFound, "no %s", name).WithPopular(language, name); !slices.Equal(e.Near, want) {
			t.Errorf("the names close to %q are %q, expected %q", name, e.Near, want)
		}
	}
	if e := ecosystem.Fail(ecosystem.NotFound, "no zodd").WithNear("zodi").WithPopular(language, "zodd"); !slices.Equal(e.Near, []string{"zodi"}) {
		t.Errorf("beside a dependency with a similar name, the names are %q", e.Near)
	}
}
