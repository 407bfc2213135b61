package modeltest

import (
	"slices"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// Spellings checks that paths lead to symbols of a package with the given style. Symbols are given by
// their paths and kinds, such as "method Client.Do". want maps each path to the paths that it selects,
// separated by spaces.
func Spellings(t *testing.T, style apidoc.Style, symbols []string, want map[string]string) {
	t.Helper()
	p := &apidoc.Package{Name: "kit", LocalName: "kit", Style: style}
	for _, s := range symbols {
		kind, path, _ := strings.Cut(s, " ")
		p.Symbols = append(p.Symbols, apidoc.Symbol{Kind: apidoc.Kind(kind), Path: path})
	}
	for path, want := range want {
		found, err := naming.Select(p, path)
		var paths []string
		for _, s := range found {
			paths = append(paths, s.Path)
		}
		if err != nil || !slices.Equal(paths, strings.Fields(want)) {
			t.Errorf("%s selects %q (%v), want %q", path, paths, err, want)
		}
	}
}
