package signature

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// order is the order of the sections on a rustdoc page.
var order = map[apidoc.Kind]int{
	apidoc.Reexport: 1, apidoc.PrimitiveType: 2, apidoc.Module: 3, apidoc.Macro: 4, apidoc.Struct: 5, apidoc.Enum: 6, apidoc.Const: 7, apidoc.Static: 8, apidoc.Trait: 9,
	apidoc.Function: 10, apidoc.TypeAlias: 11, apidoc.Union: 12, apidoc.ForeignType: 13, apidoc.TraitAlias: 14, apidoc.AttributeMacro: 15, apidoc.DeriveMacro: 16,
}

// Compare compares kinds by the order of their sections on a rustdoc page.
func Compare(a, b apidoc.Kind) int { return cmp.Compare(order[a], order[b]) }

// Sort sorts symbols in the same way as a rustdoc page: by kind, then by name.
func Sort(all []apidoc.Symbol) {
	slices.SortStableFunc(all, func(a, b apidoc.Symbol) int {
		return cmp.Or(Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path))
	})
}
