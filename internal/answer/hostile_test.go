package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// hostile returns a package in which all strings are long.
func hostile(n int) *apidoc.Package {
	long := strings.Repeat("x", n)
	p := &apidoc.Package{
		Ecosystem: "npm", Name: "name" + long, Version: "1.0.0-" + long, Module: long, LocalName: long, Synopsis: long, Doc: long, Deprecated: long,
		Homepage: long, Repository: long, Advice: []string{long}, Warnings: []string{long}, Options: []string{long},
		Provenance: apidoc.Provenance{Source: long, Location: long, ChosenBy: long, Integrity: long},
		Symbols:    []apidoc.Symbol{{Path: "f" + long, Kind: apidoc.Func, Signature: "func f" + long + "()", Doc: long, File: long, Line: 1}},
		Sections: []apidoc.Section{
			{ID: "readme/" + long, Title: long, Level: 1, Body: long, File: "README.md"},
			{ID: "docs/" + long, Title: long, Level: 1, Body: long, File: long},
			{ID: apidoc.SkillPrefix + long, Title: long, Level: 1, Body: long, File: long},
		},
		Subpackages: []apidoc.Subpackage{{Name: "name" + long + "/" + long, Synopsis: long}},
	}
	return p
}

func TestAnswers_KeepToTheirBudgetWhateverIsLong(t *testing.T) {
	hints := Hints{Section: "with section", Query: "with query", Larger: "set a larger maxLength", Project: "Pass projectPath"}
	for _, n := range []int{1, 100, 300, 1000, 20_000, 200_000} {
		p := hostile(n)
		for _, limit := range []int{100, 500, 2000, 20_000} {
			got := Sections(p, p.Sections, limit, hints)
			if len(got.Text) > limit {
				t.Errorf("texts of %d bytes, limit %d: prose has %d bytes", n, limit, len(got.Text))
			}
			options := Options{MaxTokens: max(limit*2/7, minTokens), Guide: Guide{Symbol: "ask for %s", Search: "search", Larger: "ask for more", Section: "ask for section %s"}}
			r := NewRenderer(p)
			maximum := Bytes(options.MaxTokens)
			if got := r.Overview(nil, options).Text; len(got) > maximum {
				t.Errorf("texts of %d bytes, limit %d: the overview has %d bytes", n, maximum, len(got))
			}
			if got := Overviews([]WithBelow{{Renderer: r}, {Renderer: r}}, []string{strings.Repeat("y", n)}, options).Text; len(got) > maximum {
				t.Errorf("texts of %d bytes, limit %d: two overviews have %d bytes", n, maximum, len(got))
			}
		}
	}
}
