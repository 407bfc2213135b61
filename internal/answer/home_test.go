package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

// TestMembersOfATypeOfAnotherPackage checks that members that come from the same place as the type
// itself are listed as its own, before inherited members.
func TestMembersOfATypeOfAnotherPackage(t *testing.T) {
	p := &apidoc.Package{Name: "shop", LocalName: "shop", Style: apidoc.Style{Syntax: rustSyntax, Separator: "::"}, Symbols: []apidoc.Symbol{
		{Path: "Till", Kind: "trait", From: "till_core", Signature: "pub trait Till", Members: []apidoc.Symbol{
			{Path: "Till::impl Till for Box<T>", Kind: "impl", From: "till_core", Signature: "impl<T: Till> Till for Box<T>"},
			{Path: "Till::open", Kind: apidoc.Method, From: "till_core", Signature: "fn open(&self)", Doc: "Opens it."},
			{Path: "Till::count", Kind: apidoc.Method, From: "Drawer", Signature: "fn count(&self) -> u32"},
		}},
	}}
	text := describe(t, p, Options{}, "Till").Text
	members, inherited := strings.Index(text, "Members:"), strings.Index(text, "Inherited from Drawer:")
	if open := strings.Index(text, "fn open(&self)"); members < 0 || open < members || inherited < open || strings.Contains(text, "Inherited from till_core") {
		t.Errorf("its own members are not there, or among those of another type:\n%s", text)
	}
	if strings.Count(text, "from till_core") != 1 {
		t.Errorf("it does not say once where the type is from:\n%s", text)
	}
	if strings.Contains(text, "Returned by") {
		t.Errorf("an implementation returns something:\n%s", text)
	}
}
