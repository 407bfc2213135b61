package signature

import (
	"cmp"
	"slices"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// These kinds of symbols exist only in Rust.
const (
	KindModule     apidoc.Kind = "module"
	KindFunction   apidoc.Kind = "function"
	KindStruct     apidoc.Kind = "struct"
	KindUnion      apidoc.Kind = "union"
	KindVariant    apidoc.Kind = "variant"
	KindTrait      apidoc.Kind = "trait"
	KindTraitAlias apidoc.Kind = "trait alias"
	KindTypeAlias  apidoc.Kind = "type alias"
	KindStatic     apidoc.Kind = "static"
	KindMacro      apidoc.Kind = "macro"
	KindDerive     apidoc.Kind = "derive macro"
	KindAttribute  apidoc.Kind = "attribute macro"
	KindAssocConst apidoc.Kind = "associated constant"
	KindAssocType  apidoc.Kind = "associated type"
	KindImpl       apidoc.Kind = "impl"
	KindReexport   apidoc.Kind = "re-export"
	KindPrimitive  apidoc.Kind = "primitive type"
	KindForeign    apidoc.Kind = "foreign type"
)

// order is the order of the sections on a page of rustdoc.
var order = map[apidoc.Kind]int{
	KindReexport: 1, KindPrimitive: 2, KindModule: 3, KindMacro: 4, KindStruct: 5, apidoc.Enum: 6, apidoc.Const: 7, KindStatic: 8, KindTrait: 9,
	KindFunction: 10, KindTypeAlias: 11, KindUnion: 12, KindForeign: 13, KindTraitAlias: 14, KindAttribute: 15, KindDerive: 16,
}

// Compare compares kinds by the order of their sections on a page of rustdoc.
func Compare(a, b apidoc.Kind) int { return cmp.Compare(order[a], order[b]) }

// Sort sorts symbols as a page of rustdoc does: by kind, then by name.
func Sort(all []apidoc.Symbol) {
	slices.SortStableFunc(all, func(a, b apidoc.Symbol) int {
		return cmp.Or(Compare(a.Kind, b.Kind), cmp.Compare(a.Path, b.Path))
	})
}
