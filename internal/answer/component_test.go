package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestNeeds_TypeArgumentsOfAComponent(t *testing.T) {
	fields := func(path string, names ...string) (all []apidoc.Symbol) {
		for _, n := range names {
			all = append(all, apidoc.Symbol{Path: path + "." + n, Kind: apidoc.Property, Signature: n + "?: string"})
		}
		return all
	}
	p := &apidoc.Package{
		Ecosystem: "npm", Style: apidoc.Style{Name: "npm", Fence: "ts", FollowTypes: true, Nested: true}, Name: "dialog", Version: "1.0.0",
		Symbols: []apidoc.Symbol{
			{Path: "Content", Kind: apidoc.Const, Signature: "const Content: React.ForwardRefExoticComponent<ContentProps & React.RefAttributes<HTMLDivElement>>"},
			{Path: "standard", Kind: apidoc.Const, Signature: "const standard: Store<ContentProps>"},
			{Path: "ContentProps", Kind: apidoc.Interface, Signature: "interface ContentProps", Members: fields("ContentProps", "forceMount", "label")},
			{Path: "Store", Kind: apidoc.Interface, Signature: "interface Store<T>", Members: fields("Store", "state")},
		},
	}
	for symbol, want := range map[string]string{
		"Content":  "Types it takes:\n\n```ts\ninterface ContentProps {\n",
		"standard": "What it returns:\n\n```ts\ninterface Store<T> {\n",
	} {
		if text := describe(t, p, Options{}, symbol).Text; !strings.Contains(text, want) || !strings.Contains(text, "forceMount") {
			t.Errorf("%s: no %q in\n%s", symbol, want, text)
		}
	}
}
