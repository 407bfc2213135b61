package golang

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
)

func TestTheProseOfAModuleIsReadWithItsPackages(t *testing.T) {
	w := newWorld(t, map[string]string{
		"app/go.mod": "module example.com/app\n\ngo 1.26\n\nrequire example.com/till v1.2.0\n",
		"modcache/example.com/till@v1.2.0/go.mod":                    "module example.com/till\n\ngo 1.26\n",
		"modcache/example.com/till@v1.2.0/till.go":                   "// Package till counts.\npackage till\n",
		"modcache/example.com/till@v1.2.0/README.md":                 "# Till\n\nCounts coins.\n\n## Usage\n\nCall `Count` first.\n",
		"modcache/example.com/till@v1.2.0/docs/rounding.md":          "# Rounding\n\nCoins are rounded.\n",
		"modcache/example.com/till@v1.2.0/_examples/count/main.go":   "package main\n\nfunc main() {}\n",
		"modcache/example.com/till@v1.2.0/coin/coin.go":              "package coin\n",
		"modcache/example.com/till@v1.2.0/note/note.go":              "package note\n",
		"modcache/example.com/till@v1.2.0/note/README.md":            "# Notes\n\nOf paper.\n\n## Folding\n\nOnce.\n",
		"modcache/cache/download/example.com/till/@v/v1.2.0.info":    `{"Version":"v1.2.0"}`,
		"modcache/cache/download/example.com/till/@v/v1.2.0.mod":     "module example.com/till\n\ngo 1.26\n",
		"modcache/cache/download/example.com/till/@v/list":           "v1.2.0\n",
		"modcache/cache/download/example.com/till/@v/v1.2.0.ziphash": "h1:AAAA=",
	})
	for pkg, want := range map[string][]string{
		"example.com/till":      {"readme/usage", "docs/rounding", "_examples/count/main"},
		"example.com/till/coin": {"readme/usage", "docs/rounding"},
		"example.com/till/note": {"readme/folding"},
		"fmt":                   nil,
	} {
		p, err := ecosystem.Describe(t.Context(), w.golang(), ecosystem.Query{Package: pkg, ProjectDir: w.path("app")}, nil)
		if err != nil {
			t.Errorf("%s: %v", pkg, err)
			continue
		}
		ids := sectionIDs(p)
		for _, id := range want {
			if !slices.Contains(ids, id) {
				t.Errorf("%s: no section %s among %q", pkg, id, ids)
			}
		}
		if want == nil && len(ids) > 0 || pkg == "example.com/till/note" && strings.Contains(strings.Join(ids, " "), "docs/") {
			t.Errorf("%s: sections %q", pkg, ids)
		}
	}
}

func sectionIDs(p *apidoc.Package) []string {
	var ids []string
	for _, s := range p.Sections {
		ids = append(ids, s.ID)
	}
	return ids
}
