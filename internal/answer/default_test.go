package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestTheDefaultOfAnOptionOutlivesTheCutOfItsComment(t *testing.T) {
	for doc, want := range map[string]string{
		"How many. It is counted twice.\n\nDefaults to `5`.":                      "How many. … Defaults to `5`.",
		"How many. Counted twice.\n\n**Default:** `5`":                            "How many. … Default: `5`",
		"How many. Optional. The default value is 5. It may change.":              "How many. … The default value is 5.",
		"How many, 5 by default. Counted twice.":                                  "How many, 5 by default. …",
		"How many. Defaults are a difficult matter: " + strings.Repeat("no ", 40): "How many. …",
		"How many. Counted twice.\n\n```\nDefault: 5\n```":                        "How many. …",
		"How many. Counted twice.\n\nDefault:\n\n- 5":                             "How many. …",
		"Asks. Waits.\n\n**Parameters:**\n\n- `n`: How many. Defaults to 5.":      "Asks. …",
		"How many. DefaultCount is another matter.":                               "How many. …",
	} {
		l := lister{}
		r := NewRenderer(&apidoc.Package{})
		if got := l.documentation(doc, sentence); got != want {
			t.Errorf("%q: got %q, want %q", doc, got, want)
		}
		if strings.Contains(doc, "\n") {
			continue
		}
		for name, shorten := range map[string]func(*apidoc.Decl) *apidoc.Decl{
			"sentences": func(d *apidoc.Decl) *apidoc.Decl { d, _ = r.briefComments(d, 0); return d },
			"clauses":   r.firstClauses,
		} {
			if got := shorten(parsed(goSyntax, apidoc.Type, "type T struct {\n\t// "+doc+"\n\tN int\n}")).Text; got != "type T struct {\n\t// "+want+"\n\tN int\n}" {
				t.Errorf("%s of %q: got %q, want %q", name, doc, got, want)
			}
		}
	}
}

func TestOptionsOfSeveralSymbolsStateTheirDefaults(t *testing.T) {
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "box", Symbols: []apidoc.Symbol{
		{Path: "Options", Kind: apidoc.Type, Signature: "type Options struct {\n\t// Size is the size of the box.\n\t// It cannot be changed later.\n\t//\n\t// Default is 7.\n\tSize int\n}"},
		{Path: "Open", Kind: apidoc.Func, Signature: "func Open(o Options)"},
	}}
	text := describe(t, p, Options{Guide: guide, MaxTokens: minTokens}, "Open Options").Text
	if want := "// Size is the size of the box. "; !strings.Contains(text, want) || !strings.Contains(text, "Default is 7.\n\tSize int") {
		t.Errorf("no %q with its default in\n%s", want, text)
	}
}
