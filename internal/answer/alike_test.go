package answer

import (
	"strings"
	"testing"

	"github.com/docent-mcp/docent/internal/apidoc"
	"github.com/docent-mcp/docent/internal/search"
)

// operations returns a package with several kinds of things that have the same operations and
// errors.
func operations() *apidoc.Package {
	p := &apidoc.Package{Ecosystem: "go", Style: apidoc.Style{Syntax: goSyntax, Name: "Go"}, Name: "example.com/mill", Version: "v1.0.0"}
	const signed = "Calls are signed with the account of the client, and repeated while the service is busy."
	for _, kind := range []string{"Wheel", "Axle", "Stone"} {
		lower := strings.ToLower(kind)
		p.Symbols = append(p.Symbols,
			apidoc.Symbol{Path: kind + "Busy", Kind: apidoc.Type, Signature: "type " + kind + "Busy struct{ Holder string }", Doc: kind + "Busy says that somebody changes the " + lower + "."},
			apidoc.Symbol{Path: "Move" + kind, Kind: apidoc.Func, Signature: "func Move" + kind + "(id string) error", Doc: "Move" + kind + " moves a " + lower + ".\n\n" + signed},
		)
	}
	return p
}

func TestSiblingsOfAMatchAreNamed(t *testing.T) {
	r := NewRenderer(operations())
	x := search.New(r.pkg)
	var results []QueryResult
	for _, query := range []string{"somebody changes it", "move stone"} {
		hits, total := x.Search(query, search.Options{})
		w := QueryResult{Query: query, Total: total}
		for _, h := range hits {
			w.Hits = append(w.Hits, Hit{Renderer: r, Hit: h})
		}
		results = append(results, w)
	}
	text := Search([]*Renderer{r}, nil, results, Options{Guide: guide}).Text
	if strings.Contains(text, "type WheelBusy") || !strings.Contains(text, "- like AxleBusy: WheelBusy, StoneBusy\n") {
		t.Errorf("got\n%s", text)
	}
	if strings.Count(text, "func Move") != 1 || !strings.Contains(text, "func MoveStone(") || !strings.Contains(text, "- like MoveStone: MoveAxle, MoveWheel\n") {
		t.Errorf("got\n%s", text)
	}
}

func TestWhatDiffersInMoreThanItsSubjectIsNoSibling(t *testing.T) {
	for _, tt := range []struct {
		name string
		a, b apidoc.Symbol
		want bool
	}{
		{"another thing", apidoc.Symbol{Path: "PitBusy", Signature: "class PitBusy(Fault)", Doc: "Somebody changes the pit."},
			apidoc.Symbol{Path: "AxleBusy", Signature: "class AxleBusy(Fault)", Doc: "Somebody changes the axle."}, true},
		{"another article", apidoc.Symbol{Path: "Pits.move", Signature: "move(id: str) -> Pit", Doc: "Moves a pit."},
			apidoc.Symbol{Path: "Axles.move", Signature: "move(id: str) -> Axle", Doc: "Moves an axle."}, true},
		{"another parameter", apidoc.Symbol{Path: "Pits.move", Signature: "move(id: str) -> Pit", Doc: "Moves a pit."},
			apidoc.Symbol{Path: "Axles.move", Signature: "move(id: str, far: bool) -> Axle", Doc: "Moves an axle."}, false},
		{"another meaning", apidoc.Symbol{Path: "Options.notes", Signature: "notes: dict", Doc: "Words for the log, kept for a year."},
			apidoc.Symbol{Path: "Exchange.notes", Signature: "notes: dict", Doc: "What the caller gave."}, false},
		{"another operation", apidoc.Symbol{Path: "Start", Signature: "func Start()", Doc: "Start starts it."},
			apidoc.Symbol{Path: "Stop", Signature: "func Stop()", Doc: "Stop stops it."}, false},
		{"one that is deprecated", apidoc.Symbol{Path: "Pits.move", Signature: "move()", Doc: "Moves a pit.", Deprecated: "Use carry."},
			apidoc.Symbol{Path: "Axles.move", Signature: "move()", Doc: "Moves an axle."}, false},
	} {
		if got := NewRenderer(&apidoc.Package{}).sibling(&tt.a, &tt.b); got != tt.want {
			t.Errorf("%s: got %v", tt.name, got)
		}
	}
}

func TestAParagraphIsWrittenOnce(t *testing.T) {
	p := operations()
	text := describe(t, p, Options{Guide: guide}, "MoveWheel, MoveAxle").Text
	if strings.Count(text, "Calls are signed") != 1 || !strings.Contains(text, "MoveAxle moves a axle.") {
		t.Errorf("got\n%s", text)
	}
}

func TestModulesOfOneDistributionHaveOneHead(t *testing.T) {
	package1 := func(name, symbol, by string) *Renderer {
		return NewRenderer(&apidoc.Package{
			Ecosystem: "python", Style: apidoc.Style{Syntax: pythonSyntax, Name: "Python"}, Name: name, Version: "1.0", Advice: []string{name + " belongs to the distribution mill-tools"},
			Provenance: apidoc.Provenance{ChosenBy: by, Source: "site-packages"},
			Symbols:    []apidoc.Symbol{{Path: symbol, Kind: apidoc.Func, Signature: "def " + symbol + "()"}},
		})
	}
	ask := func(rs ...*Renderer) string {
		var requests []Subject
		for _, r := range rs {
			requests = append(requests, Subject{Renderer: r, Symbol: &r.pkg.Symbols[0]})
		}
		return Symbols(requests, nil, Options{Guide: guide}).Text
	}
	text := ask(package1("mill.wheels", "turn", "lock"), package1("mill.stones", "grind", "lock"))
	if strings.Count(text, "\n> ") != 2 || !strings.HasPrefix(text, "# mill.wheels, mill.stones@1.0\n") || !strings.Contains(text, "## mill.stones\n") {
		t.Errorf("got\n%s", text)
	}
	if text := ask(package1("mill.wheels", "turn", "lock"), package1("mill.stones", "grind", "tag")); strings.Count(text, "\n# ") != 1 {
		t.Errorf("packages whose versions were chosen by different files have one head:\n%s", text)
	}
}
