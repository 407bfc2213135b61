package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
)

func TestOutline_InvisibleNames(t *testing.T) {
	p := web()
	p.Symbols = []apidoc.Symbol{{Path: "\u200b", Kind: apidoc.Func, Signature: "func f()"}}
	if got := newOutline([]*Renderer{NewRenderer(p)}, 6000).texts[p.Name]; got != "  Functions (1): \n" {
		t.Errorf("got %q", got)
	}
}

// TestOutline_Room shows a package completely if it fits together with the names of another package.
func TestOutline_Room(t *testing.T) {
	p, other := web(), web()
	other.Name = "example.com/web/cookie"
	names := newOutline([]*Renderer{NewRenderer(other)}, 6000)
	text, _ := NewRenderer(p).wholeText(nil, false, wholeDepths[0], 0, 1<<20, guide, names)
	if !strings.Contains(text, "  Types (1): Client\n") {
		t.Fatalf("the names are missing in\n%s", text)
	}
	if _, ok := NewRenderer(p).wholeText(nil, false, wholeDepths[0], 0, len(text)-names.length, guide, names); !ok {
		t.Errorf("%d bytes do not fit, besides %d for the names", len(text)-names.length, names.length)
	}
}

func TestFewerConstants_SeveralOnALine(t *testing.T) {
	const text = "const (\n\tA, B, C = 1, 2, 3\n\tD, E, F = 4, 5, 6\n)"
	l := &lister{r: NewRenderer(web())}
	if got := l.fewerConstants(&apidoc.Decl{Text: text}, 6, shownConstants+1).Text; got != text {
		t.Errorf("got\n%s", got)
	}
}
