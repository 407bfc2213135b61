package answer

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/ecosystem"
	"github.com/docent-mcp/docent/internal/search"
)

// TestIncomplete_EveryAnswerSaysIt requests every kind of answer for a package with missing
// declarations and for a complete package.
func TestIncomplete_EveryAnswerSaysIt(t *testing.T) {
	partial, whole := web(), pump()
	partial.Warnings = []string{ecosystem.Incomplete}
	all := func(p ...*apidoc.Package) (in []*Renderer, symbols []Subject, results []QueryResult) {
		result := QueryResult{Query: "get"}
		for _, each := range p {
			r := NewRenderer(each)
			in, symbols = append(in, r), append(symbols, Subject{Renderer: r, Symbol: &each.Symbols[0]})
			result.Hits = append(result.Hits, Hit{Renderer: r, Hit: search.Hit{Symbol: &each.Symbols[0]}})
		}
		result.Total = len(result.Hits)
		return in, symbols, []QueryResult{result}
	}
	o := Options{Guide: guide}
	for name, text := range map[string]func(p ...*apidoc.Package) string{
		"overview": func(p ...*apidoc.Package) string { return NewRenderer(p[0]).Overview(nil, o).Text },
		"short overview": func(p ...*apidoc.Package) string {
			return NewRenderer(p[0]).Overview(nil, Options{Guide: guide, MaxTokens: minTokens}).Text
		},
		"symbol":  func(p ...*apidoc.Package) string { _, s, _ := all(p[0]); return Symbols(s, nil, o).Text },
		"symbols": func(p ...*apidoc.Package) string { _, s, _ := all(p...); return Symbols(s, nil, o).Text },
		"search":  func(p ...*apidoc.Package) string { in, _, w := all(p[0]); return Search(in, nil, w, o).Text },
		"search of several": func(p ...*apidoc.Package) string {
			in, _, w := all(p...)
			return Search(in, nil, w, o).Text
		},
		"search of all": func(p ...*apidoc.Package) string { _, _, w := all(p...); return SearchAll("all", nil, w, o).Text },
	} {
		t.Run(name, func(t *testing.T) {
			want := "**Only part of " + partial.Name + " was read: declarations may be missing.**"
			if got := text(partial, whole); !strings.HasPrefix(got, want) {
				t.Errorf("it does not begin with %q:\n%.400s", want, got)
			}
			sound := *partial
			sound.Warnings = slices.Clone(whole.Warnings)
			if got := text(&sound, whole); strings.Contains(got, "Only part of") {
				t.Errorf("it says so of whole packages:\n%.400s", got)
			}
		})
	}
}
