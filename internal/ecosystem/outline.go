package ecosystem

import (
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/markup"
)

// Outline returns the symbols of an entry point in the form that the index of a
// package contains. Each symbol has its path, its kind, the first sentence of its
// documentation, and the members that are not inherited, in the same form.
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
