package answer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestTheConstructorIsShownWhereMembersAreOnlyNamed(t *testing.T) {
	class := apidoc.Symbol{Path: "App", Kind: apidoc.Class, Signature: "class App(Node)", Members: []apidoc.Symbol{
		{Path: "App.__init__", Kind: "constructor", Signature: "def __init__(self, path: str | None = None)"},
	}}
	for i := range 300 {
		name := fmt.Sprintf("member_with_a_long_name_%d", i)
		class.Members = append(class.Members, apidoc.Symbol{Path: "App." + name, Kind: apidoc.Method, Signature: "def " + name + "(self, first: int, second: int, third: int) -> None"})
	}
	p := &apidoc.Package{Ecosystem: "python", Style: apidoc.Style{Name: "Python", Fence: "python"}, Name: "app", Symbols: []apidoc.Symbol{
		class, {Path: "run", Kind: "function", Signature: "def run() -> None"},
	}}
	text := describe(t, p, Options{Guide: guide}, "App run").Text
	if strings.Count(text, "def __init__(self, path: str | None = None)") != 1 || strings.Contains(text, "def member_") || !strings.Contains(text, "member_with_a_long_name") || strings.Contains(text, "Members: __init__") {
		t.Errorf("got\n%s", text)
	}
}

func TestAParameterOfATypeHidesTheTypeOfItsName(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "npm", Style: npmStyle, Name: "auth", Symbols: []apidoc.Symbol{
		{Path: "auth", Kind: apidoc.Const, Signature: "const auth: <Options extends AuthOptions>(options: Options & {}) => Auth<Options>"},
		{Path: "Options", Kind: apidoc.Interface, Signature: "interface Options", Members: []apidoc.Symbol{{Path: "Options.other", Kind: apidoc.Property, Signature: "other: 1"}}},
		{Path: "AuthOptions", Kind: apidoc.Interface, Signature: "interface AuthOptions", Members: []apidoc.Symbol{{Path: "AuthOptions.secret", Kind: apidoc.Property, Signature: "secret: string"}}},
	}}
	text := describe(t, p, Options{Guide: guide}, "auth").Text
	if strings.Contains(text, "interface Options ") || !strings.Contains(text, "secret: string") {
		t.Errorf("got\n%s", text)
	}
}

func TestDecoratorsStandAboveOverloadsThatAreCut(t *testing.T) {
	long := "def type(cls, name: str, " + strings.Repeat("option: int, ", 40)
	signature := "@transform(order=False)\n" + long + "a: 1)\n" + long + "b: 2)\n" + long + "c: 3)"
	short, n := fewer(signature, 1200, "# ")
	if want := "@transform(order=False)\n" + long + "a: 1)\n# … 1 more overload\n" + long + "c: 3)"; short != want || n != 1 {
		t.Errorf("%d left out of\n%s", n, short)
	}
	p := &apidoc.Package{Ecosystem: "python", Style: apidoc.Style{Name: "Python", Fence: "python"}, Name: "app", Symbols: []apidoc.Symbol{
		{Path: "type", Kind: "function", Signature: "@transform(order=False)\n" + strings.Repeat(long, 5) + ")"},
	}}
	if text := describe(t, p, Options{Guide: guide, MaxTokens: minTokens}, "type").Text; !strings.Contains(text, "@transform(order=False)\ndef type(cls, name: str, ") {
		t.Errorf("got\n%s", text)
	}
}
