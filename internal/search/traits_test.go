package search

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestMembersFromAForeignTraitStandBehind(t *testing.T) {
	member := func(from string) *apidoc.Package {
		return &apidoc.Package{Name: "loom", Symbols: []apidoc.Symbol{
			{Path: "Cloth", Kind: "struct", Members: []apidoc.Symbol{
				{Path: "Cloth::fold_cloth", Kind: apidoc.Method, Signature: "fn fold_cloth(self)", Doc: "Folds cloth.", From: from},
				{Path: "Cloth::impl Fold for Cloth", Kind: "impl", Signature: "impl Fold for Cloth"},
			}},
			{Path: "Foldable", Kind: "trait"},
			{Path: "fold_table_cloth", Kind: "function", Signature: "fn fold_table_cloth()", Doc: "Folds cloth."},
		}}
	}
	for _, test := range []struct{ from, want string }{
		{"fabric::Fold", "fold_table_cloth"},
		{"Fold", "fold_table_cloth"},
		{"crate::Foldable", "Cloth::fold_cloth"},
		{"", "Cloth::fold_cloth"},
	} {
		x := New(member(test.from))
		if hits, _ := x.Search("fold cloth today", Options{}); len(hits) == 0 || label(hits[0]) != test.want {
			t.Errorf("from %q: found %q, want %s first", test.from, labels(hits), test.want)
		}
		if hits, _ := x.Without(Traits).Search("fold cloth today", Options{}); len(hits) == 0 || label(hits[0]) != "Cloth::fold_cloth" {
			t.Errorf("from %q: without the part it found %q", test.from, labels(hits))
		}
	}
}
