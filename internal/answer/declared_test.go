package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/naming"
)

// TestMembersThatADeclarationShows checks that fields and variants in a declaration are not listed
// again, but that methods with the same name are listed.
func TestMembersThatADeclarationShows(t *testing.T) {
	field := func(path string) apidoc.Symbol {
		return apidoc.Symbol{Path: path, Kind: apidoc.Field, Signature: "a field"}
	}
	p := &apidoc.Package{Name: "made", LocalName: "made", Style: apidoc.Style{Syntax: rustSyntax, Rules: apidoc.Rules{Self: "Self"}, Separator: "::"}, Symbols: []apidoc.Symbol{
		{Path: "Get", Kind: "struct", Signature: "#[non_exhaustive]\npub struct Get {\n    // Which one.\n    pub id: String,\n    pub calm: Option<bool>,\n}", Members: []apidoc.Symbol{
			field("Get::id"), field("Get::calm"),
			{Path: "Get::calm", Kind: apidoc.Method, Signature: "pub fn calm(self, calm: bool) -> Self"},
		}},
		{Path: "Error", Kind: apidoc.Enum, Signature: "pub enum Error {\n    Text(String),\n    Busy {\n        code: u8,\n    },\n}", Members: []apidoc.Symbol{
			{Path: "Error::Text", Kind: "variant", Signature: "Text(String)", Members: []apidoc.Symbol{field("Error::Text::0")}},
			{Path: "Error::Busy", Kind: "variant", Signature: "Busy { code: u8 }", Members: []apidoc.Symbol{field("Error::Busy::code")}},
			{Path: "Error::code", Kind: apidoc.Method, Signature: "pub fn code(&self) -> u8"},
		}},
		{Path: "ask", Kind: "function", Signature: "pub fn ask(get: &Get) -> Error"},
	}}
	r := NewRenderer(p)
	for path, want := range map[string][]string{
		"Get": {"pub fn calm("}, "Error": {"pub fn code("}, "ask": {"pub fn calm(", "pub id: String", "Busy {"},
	} {
		s, err := naming.Find(p, path)
		if err != nil {
			t.Fatal(err)
		}
		text := Symbols([]Subject{{Renderer: r, Symbol: s}}, nil, Options{}).Text
		if strings.Contains(text, "a field") || strings.Contains(text, "Text(String)\n") {
			t.Errorf("what the declaration shows is shown again:\n%s", text)
		}
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s: no %q in\n%s", path, part, text)
			}
		}
	}
}
