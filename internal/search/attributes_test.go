package search

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestAnUndocumentedAttributeStandsBehindAFunction(t *testing.T) {
	x := New(&apidoc.Package{Name: "gate", Style: style, Symbols: []apidoc.Symbol{
		{Path: "confirm_entry_of", Kind: apidoc.Func, Signature: "confirm_entry_of(guest)"},
		{Path: "Gate", Kind: apidoc.Class, Signature: "class Gate", Members: []apidoc.Symbol{
			{Path: "Gate.entry_confirm", Kind: "attribute", Signature: "entry_confirm: bool"},
		}},
	}})
	const query = "entry of confirm"
	if hits, _ := x.Search(query, Options{}); label(hits[0]) != "confirm_entry_of" {
		t.Errorf("found %q", labels(hits))
	}
	if hits, _ := x.Without(Attributes).Search(query, Options{}); label(hits[0]) != "Gate.entry_confirm" {
		t.Errorf("without the part it found %q", labels(hits))
	}
}
