package compare

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestBump(t *testing.T) {
	breaking, risky := Change{Kind: Removed, Severity: apidoc.Breaking}, Change{Kind: Changed, Severity: apidoc.Risky}
	added, changed := Change{Kind: Added, Severity: apidoc.Compatible}, Change{Kind: Changed, Severity: apidoc.Compatible}
	for _, tt := range []struct {
		changes          []Change
		since, version   string
		caret            bool
		part, next, text string
	}{
		{[]Change{breaking, added}, "v1.2.3", "", false, "major", "v2.0.0", "Semantic versioning requires a new major version, v2.0.0: 1 change breaks programs."},
		{[]Change{added}, "kiln-1.2.3", "", false, "minor", "kiln-1.3.0", "Semantic versioning requires a new minor version, kiln-1.3.0: nothing breaks."},
		{[]Change{risky}, "sub/v1.2.3", "", false, "minor", "sub/v1.3.0", "Semantic versioning requires a new minor version, sub/v1.3.0: nothing breaks; you must decide about 1 risky change."},
		{[]Change{changed}, "1.2.3", "", false, "patch", "1.2.4", "Semantic versioning requires a new patch version, 1.2.4: nothing was added."},
		{nil, "HEAD~3", "", false, "patch", "", "Semantic versioning requires a new patch version: nothing was added."},
		{[]Change{breaking}, "main", "", false, "major", "", "Semantic versioning requires a new major version: 1 change breaks programs."},
		{[]Change{breaking, breaking}, "v0.4.1", "", false, "minor", "v0.5.0", "Semantic versioning requires a new minor version, v0.5.0: 2 changes break programs."},
		{[]Change{added}, "v0.4.1", "", false, "minor", "v0.5.0", "Semantic versioning requires a new minor version, v0.5.0: nothing breaks."},
		{[]Change{added}, "v0.4.1", "", true, "patch", "v0.4.2", "Semantic versioning requires a new patch version, v0.4.2: nothing breaks."},
		{[]Change{breaking}, "v0.4.1", "", true, "minor", "v0.5.0", "Semantic versioning requires a new minor version, v0.5.0: 1 change breaks programs."},
		{[]Change{breaking}, "v0.0.1", "", true, "patch", "v0.0.2", "Semantic versioning requires a new patch version, v0.0.2: 1 change breaks programs."},
		{[]Change{breaking}, "main", "0.3.0", true, "minor", "0.4.0", "Semantic versioning requires a new minor version, 0.4.0: 1 change breaks programs."},
		{[]Change{breaking}, "v1.0.0", "0.3.0", true, "major", "v2.0.0", "Semantic versioning requires a new major version, v2.0.0: 1 change breaks programs."},
	} {
		r := &Report{Changes: tt.changes}
		r.SetBump(tt.since, tt.version, &apidoc.Rules{CaretVersions: tt.caret})
		if b := r.Bump; b.Part != tt.part || b.Next != tt.next || b.sentence() != tt.text {
			t.Errorf("%s: got %+v, %q; want %q", tt.since, *b, b.sentence(), tt.text)
		}
	}
}
