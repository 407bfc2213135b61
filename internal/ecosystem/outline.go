package ecosystem

import (
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Outline returns what the index of a package holds of the symbols of one of its
// entry points: path, kind, the first sentence of the documentation, and the same
// of the members that are not inherited.
func Outline(symbols []apidoc.Symbol) []apidoc.Symbol {
	if len(symbols) == 0 {
		return nil
	}
	out := make([]apidoc.Symbol, 0, len(symbols))
	for i := range symbols {
		s := &symbols[i]
		declared := slices.DeleteFunc(slices.Clone(s.AllMembers()), func(m apidoc.Symbol) bool { return m.From != s.From })
		out = append(out, apidoc.Symbol{Path: s.Path, Kind: s.Kind, Doc: markup.Synopsis(s.Doc), Members: Outline(declared)})
	}
	return out
}
