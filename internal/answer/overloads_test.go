package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestDeprecatedOverloads_TheNoticeSaysHowManyFollow(t *testing.T) {
	p := &apidoc.Package{Name: "table", Style: apidoc.Style{Syntax: npmSyntax, LineComment: "// ", Nested: true}, Symbols: []apidoc.Symbol{{
		Path: "Make", Kind: apidoc.Interface, Signature: "interface Make", Members: []apidoc.Symbol{
			{Path: "Make.()", Kind: "call signature", Signature: "(name: string, extra: string[]): void"},
			{Path: "Make.()", Kind: "call signature", Signature: "(name: string, extra: object): void\n(name: string): void", Deprecated: "pass an array"},
			{Path: "Make.open", Kind: apidoc.Method, Signature: "open(): void", Deprecated: "use make"},
		},
	}}}
	text := describe(t, p, Options{Guide: guide}, "Make").Text
	for _, want := range []string{
		"(name: string, extra: string[]): void\n// Deprecated (the next 2 declarations): pass an array\n(name: string, extra: object): void\n(name: string): void\n",
		"// Deprecated: use make\nopen(): void\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it lacks %q:\n%s", want, text)
		}
	}
}
