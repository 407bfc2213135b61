package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestATypeLeadsToTheFieldsThatHoldIt(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "web", Symbols: []apidoc.Symbol{
		{Path: "Handler", Kind: apidoc.Type, Signature: "type Handler func(err error)"},
		{Path: "Server", Kind: apidoc.Type, Signature: "type Server struct {\n\tOnError Handler\n\tLimits Limits\n}", Members: []apidoc.Symbol{
			{Path: "Server.OnError", Kind: apidoc.Field, Signature: "OnError Handler"}, {Path: "Server.Limits", Kind: apidoc.Field, Signature: "Limits Limits"},
		}},
		{Path: "Limits", Kind: apidoc.Type, Signature: "type Limits struct {\n\tSize int\n}", Members: []apidoc.Symbol{{Path: "Limits.Size", Kind: apidoc.Field, Signature: "Size int"}}},
		{Path: "Serve", Kind: apidoc.Func, Signature: "func Serve()"},
	}}
	for paths, want := range map[string]string{
		"Handler": "Fields that hold it: Server.OnError.", "Limits": "Fields that hold it: Server.Limits.", "Handler Serve": "Fields that hold it: Server.OnError.",
	} {
		if text := describe(t, p, Options{Guide: guide}, paths).Text; strings.Count(text, want) != 1 {
			t.Errorf("%s: no %q in\n%s", paths, want, text)
		}
	}
	if text := describe(t, p, Options{Guide: guide}, "Limits Serve").Text; strings.Contains(text, "Fields that hold it") {
		t.Errorf("of several symbols, got\n%s", text)
	}
}
