package answer

import (
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestPathsLeadThroughValues requests members of the values of attributes and properties.
func TestPathsLeadThroughValues(t *testing.T) {
	r := NewRenderer(&apidoc.Package{
		Name: "mint", Style: apidoc.Style{Syntax: pythonSyntax},
		Symbols: []apidoc.Symbol{
			{Path: "Client", Kind: apidoc.Class, Signature: "class Client", Members: []apidoc.Symbol{
				{Path: "Client.coins", Kind: "property", Signature: "@property\ndef coins(self) -> Coins"},
				{Path: "Client.either", Kind: "attribute", Signature: "either: Coins | Notes"},
				{Path: "Client.open", Kind: apidoc.Method, Signature: "def open(self) -> Coins"},
			}},
			{Path: "Notes", Kind: apidoc.Class, Signature: "class Notes", Members: []apidoc.Symbol{
				{Path: "Notes.burn", Kind: apidoc.Method, Signature: "def burn(self)"},
				{Path: "Notes.count", Kind: apidoc.Method, Signature: "def count(self)"},
			}},
		},
		Internal: []apidoc.Symbol{
			{Path: "Coins", Kind: apidoc.Class, Signature: "class Coins", Members: []apidoc.Symbol{
				{Path: "Coins.gold", Kind: "attribute", Signature: "gold = Pile(\"gold\", Notes)"},
				{Path: "Coins.count", Kind: apidoc.Method, Signature: "def count(self)"},
			}},
		},
	})
	for path, want := range map[string]string{
		"Client.coins.count":     "Coins.count",
		"Client.coins.gold":      "Coins.gold",
		"Client.coins.gold.burn": "Notes.burn",
		"Client.either.burn":     "Notes.burn",
		"Client.either.count":    "", // both types have the member
		"Client.open.count":      "", // the path of a method does not mean its result
		"Client.coins.none":      "",
		"Client.coins":           "",
		"Coins.count":            "",
		"count":                  "",
	} {
		got := ""
		if s := r.Through(path); s != nil {
			got = s.Path
		}
		if got != want {
			t.Errorf("Through(%q) = %q, want %q", path, got, want)
		}
	}
}

// TestATypeParameterIsNoAssociatedType looks up the same name outside and within the protocol.
func TestATypeParameterIsNoAssociatedType(t *testing.T) {
	p := &apidoc.Package{
		Name: "Boxes", Style: apidoc.Style{Syntax: swiftSyntax, Nested: true},
		Symbols: []apidoc.Symbol{
			{Path: "Box", Kind: "struct", Signature: "struct Box<Item>", Members: []apidoc.Symbol{
				{Path: "Box.put(_:)", Kind: apidoc.Method, Signature: "func put(_ item: Item)"},
			}},
			{Path: "Holder", Kind: "protocol", Signature: "protocol Holder<Item>", Members: []apidoc.Symbol{
				{Path: "Holder.Item", Kind: "associated type", Signature: "associatedtype Item"},
				{Path: "Holder.hold(_:)", Kind: apidoc.Method, Signature: "func hold(_ item: Item)"},
			}},
		},
	}
	r := NewRenderer(p)
	for path, want := range map[string]int{"Box.put(_:)": 0, "Holder.hold(_:)": 1} {
		if params, _ := r.callTypes(p.At(path)); len(params) != want {
			t.Errorf("%s takes %d types, want %d", path, len(params), want)
		}
	}
}
